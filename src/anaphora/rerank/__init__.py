"""Putting what retrieval found in a better order."""
