"""Trainers. They need torch: `pip install "anaphora[train]"`."""
