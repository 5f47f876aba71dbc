"""Readers: answers from the passages that were found."""
