"""Weights: where they come from, how they are prepared once, and the graphs that run them."""
