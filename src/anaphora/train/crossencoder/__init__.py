"""Trains the cross-encoder that reranks passages and reads answers from them."""
