"""Reproducible measurements of Anaphora and its peers; see `python -m bench --help`."""
