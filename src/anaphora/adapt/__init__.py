"""Adapting an index to its documents: questions, a shift of their vectors, and whether it helps."""
