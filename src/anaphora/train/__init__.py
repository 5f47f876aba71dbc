"""Trainers. torch lives only here: `pip install "anaphora[train]"`."""
