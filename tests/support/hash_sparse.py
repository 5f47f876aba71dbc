"""A sparse encoder for tests of storage and search."""

import re
from zlib import crc32

import numpy as np

from anaphora.protocols import TermWeights


class HashSparse:
    """Each character and each word of a text is a term, whose weight depends on both.

    It needs no model. A text without a letter or a digit has no term.
    """

    name = "hash-sparse"
    idf = None
    _TERMS = 5000

    def encode_queries(self, texts):
        return self.encode_passages([f"? {text}" for text in texts])

    def encode_passages(self, texts, progress=None):
        if progress:
            progress(len(texts))
        return [self._weights(text) for text in texts]

    def tokens(self, texts):
        return [sorted({self._number(word) for word in re.findall(r"\w+", text)}) for text in texts]

    def _weights(self, text):
        units = {*re.findall(r"\w+", text), *re.findall(r"\w", text)}
        weights = {self._number(unit): crc32(f"{unit} {len(text)}".encode()) for unit in units}
        terms = np.array(sorted(weights), dtype=np.int64)
        # From 0.0006, which is quantised to 0, to 3.
        values = [weights[term] % 5000 * 0.0006 + 0.0006 for term in terms.tolist()]
        return TermWeights(terms, np.array(values, dtype=np.float32))

    def _number(self, unit):
        return crc32(unit.encode()) % self._TERMS


class NamedSparse(HashSparse):
    """The same, which is found by the name that an index records."""

    name = "support.hash_sparse:NamedSparse"
