"""Reproducible measurements of Anaphora beside its peers; see `python -m bench --help`."""
