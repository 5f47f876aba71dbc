"""Trains the default rewriter: the linking network, its thresholds and its gate."""
