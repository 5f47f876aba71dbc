"""Training of rerankers: cross-encoders that read a question and a passage together."""
