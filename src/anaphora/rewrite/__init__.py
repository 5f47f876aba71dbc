"""Rewriters: they make the last question of a conversation self-contained."""
