"""Training of retrievers: bi-encoders that map a question and its passages to similar vectors."""
