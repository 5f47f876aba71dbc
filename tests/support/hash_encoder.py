"""An encoder for tests of storage and search."""

import numpy as np


class HashEncoder:
    """Vectors that depend on the text alone and need no model."""

    name = "hash"
    dimensions = 16

    def encode_queries(self, texts):
        return self.encode_passages(texts)

    def encode_passages(self, texts, progress=None):
        rows = [
            np.random.default_rng(list(text.encode())).standard_normal(self.dimensions)
            for text in texts
        ]
        if progress:
            progress(len(texts))
        vectors = np.array(rows, dtype=np.float32).reshape(-1, self.dimensions)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class FirstHashEncoder(HashEncoder):
    """Vectors of another space, as those of a fast encoder."""

    name = "first"
    dimensions = 8
