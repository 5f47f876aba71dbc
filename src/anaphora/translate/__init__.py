"""Translators of questions and answers."""
