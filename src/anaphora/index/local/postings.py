"""Inverted lists of a segment: built from term sequences, merged, never changed.

Every posting is a passage's ordinal in the segment and a *code*. The code stands for a pair of term
frequency and length norm, of which a segment has a few hundred. A formula scores the pairs once per
query, so any formula with any parameters costs one table look-up per posting.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.index.local.kernel import BLOCK, find

Array = npt.NDArray[Any]
_STRETCH = 1 << 22
"""Postings that are processed at a time."""


def encode_length(lengths: Array) -> Array:
    """Encodes lengths in one byte as Lucene does (`SmallFloat.intToByte4`): exactly up to 40, then
    with 4 significant bits.

    Returns a uint8 array of the same shape.
    """
    value = np.asarray(lengths, dtype=np.int64)
    free = 255 - _free_code(np.int64(2**31 - 1))
    coded = np.where(value < free, value, free + _free_code(np.maximum(value - free, 0)))
    return coded.astype(np.uint8)


def decode_length(codes: Array) -> Array:
    """Decodes the bytes of `encode_length`; int64."""
    code = np.asarray(codes, dtype=np.int64)
    free = 255 - int(_free_code(np.int64(2**31 - 1)))
    above = np.maximum(code - free, 0)
    bits, shift = above & 7, (above >> 3) - 1
    value = np.where(shift < 0, bits, (bits | 8) << np.maximum(shift, 0))
    return np.where(code < free, code, free + value)


def _free_code(value: Any) -> Any:
    """A float with a 3-bit mantissa and an implicit leading one, as an integer with its order."""
    bits = np.where(value > 0, np.floor(np.log2(np.maximum(value, 1))).astype(np.int64) + 1, 0)
    shift = np.maximum(bits - 4, 0)
    return np.where(bits < 4, value, ((value >> shift) & 7) | ((shift + 1) << 3))


@dataclass(frozen=True, slots=True)
class Postings:
    """One segment's lists. `n` passages, `t` terms, `p` postings, `c` codes, `b` blocks.

    Attributes:
        blob: the sorted terms, concatenated.
        term_offsets: int64 [t+1], where each term begins in `blob`.
        starts: int64 [t+1], where each term's postings begin in `docs` and `codes`.
        docs: uint32 [p], ordinals.
        codes: uint16 or uint32 [p].
        block_starts: int64 [t+1], the number of blocks of 128 postings before each term.
        front_offsets: uint32 [b+1], where each block's codes begin in `fronts`.
        fronts: the codes of each block that no other code of it beats at any parameters.
        code_tf: uint32 [c], the term frequency of each code.
        code_norm: uint8 [c], the length norm of each code.
        ttf: uint64 [t], the occurrences of each term.
        lengths: uint32 [n], the exact lengths.
    """

    blob: Array
    term_offsets: Array
    starts: Array
    docs: Array
    codes: Array
    block_starts: Array
    front_offsets: Array
    fronts: Array
    code_tf: Array
    code_norm: Array
    ttf: Array
    lengths: Array

    def arrays(self) -> dict[str, Array]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> Postings:
        return cls(**{field.name: arrays[field.name] for field in fields(cls)})

    def find(self, term: bytes) -> int:
        """The term's number, or -1."""
        return find(self.blob, self.term_offsets, term)

    def terms(self) -> list[bytes]:
        """All terms, sorted."""
        blob = self.blob.tobytes()
        offsets = self.term_offsets.tolist()
        return [blob[a:b] for a, b in pairwise(offsets)]

    def frequencies(self, start: int, end: int) -> Array:
        """Term frequency of each posting in a span, int64."""
        return self.code_tf[self.codes[start:end]].astype(np.int64)


class Builder:
    """Collects the terms of passages one after the other, then builds their postings."""

    def __init__(self) -> None:
        self._numbers: dict[str, _Numbers] = {}
        self._vocabulary: list[bytes] = []
        self._tokens = array("I")
        self._lengths = array("I")

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, lang: str, terms: Sequence[str]) -> None:
        """The next passage: its language and its index terms, repeated as they occur."""
        numbers = self._numbers.get(lang)
        if numbers is None:
            numbers = self._numbers[lang] = _Numbers(lang, self._vocabulary)
        self._tokens.extend([numbers[term] for term in terms])
        self._lengths.append(len(terms))

    def build(self) -> Postings:
        order = sorted(range(len(self._vocabulary)), key=self._vocabulary.__getitem__)
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        lengths = np.frombuffer(self._lengths, dtype=np.uint32).copy()
        tokens = np.frombuffer(self._tokens, dtype=np.uint32)
        owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        keys = (rank[tokens] << 32) | owners
        keys.sort()
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        tfs = np.diff(np.append(first, keys.size))
        keys = keys[first]
        return pack(
            [self._vocabulary[i] for i in order],
            np.bincount(keys >> 32, minlength=len(order)),
            (keys & 0xFFFFFFFF).astype(np.uint32),
            tfs,
            lengths,
        )


class _Numbers(dict[str, int]):
    """Term -> number, for one language: a new term gets the next number."""

    def __init__(self, lang: str, vocabulary: list[bytes]) -> None:
        super().__init__()
        self._lang = lang
        self._vocabulary = vocabulary

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self._vocabulary)
        self._vocabulary.append(term_key(self._lang, term))
        return number


def term_key(lang: str, term: str) -> bytes:
    """A term as the index stores it, with its language: equal words of two languages differ."""
    return f"{lang}\x1f{term}".encode("utf-8", "surrogatepass")


def merge(parts: Sequence[Postings], live: Sequence[Array | None]) -> Postings:
    """Merges segments in order, without the ordinals whose `live` is 0.

    It needs little more memory than the result: postings are copied for some terms at a time.
    """
    vocabularies = [part.terms() for part in parts]
    vocabulary = sorted(set().union(*vocabularies))
    ranks = {term: rank for rank, term in enumerate(vocabulary)}
    sources: list[_Source] = []
    base = 0
    for part, terms, alive in zip(parts, vocabularies, live, strict=True):
        rank = np.fromiter((ranks[term] for term in terms), dtype=np.int64, count=len(terms))
        keep = np.ones(len(part.lengths), bool) if alive is None else alive.astype(bool)
        ordinals = np.cumsum(keep) - 1 + base
        sources.append(_Source(part, rank, keep, ordinals))
        base += int(keep.sum())
    most = np.zeros(len(vocabulary), dtype=np.int64)
    for source in sources:
        most[source.rank] += np.diff(source.part.starts)
    stretches = _stretches(most)
    lengths = np.concatenate([source.part.lengths[source.keep] for source in sources])
    df: list[Array] = []
    docs: list[Array] = []
    tfs: list[Array] = []
    for first, last in stretches:
        moved = [source.postings(first, last) for source in sources]
        term = np.concatenate([one[0] for one in moved])
        # Stable: within a term the parts stay in order, and so do their ordinals.
        order = np.argsort(term, kind="stable")
        df.append(np.bincount(term - first, minlength=last - first))
        docs.append(np.concatenate([one[1] for one in moved])[order])
        tfs.append(np.concatenate([one[2] for one in moved])[order])
    counts = np.concatenate([np.empty(0, np.int64), *df])
    used = counts > 0
    return pack(
        [vocabulary[rank] for rank in np.flatnonzero(used)],
        counts[used],
        np.concatenate([np.empty(0, np.uint32), *docs]),
        np.concatenate([np.empty(0, np.uint32), *tfs]),
        lengths.astype(np.uint32),
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """A part to be merged: the rank of each of its terms in the merged vocabulary, which of its
    ordinals are kept, and their new ordinals."""

    part: Postings
    rank: Array
    keep: Array
    ordinals: Array

    def postings(self, first: int, last: int) -> tuple[Array, Array, Array]:
        """Ranks, ordinals and frequencies of the postings of terms in [first, last)."""
        low, high = np.searchsorted(self.rank, (first, last))
        starts = self.part.starts[low : high + 1]
        span = slice(int(starts[0]), int(starts[-1]))
        docs = self.part.docs[span]
        stays = self.keep[docs]
        rank = np.repeat(self.rank[low:high], np.diff(starts))[stays]
        docs = docs[stays]
        tfs = self.part.code_tf[self.part.codes[span]][stays]
        return rank, self.ordinals[docs].astype(np.uint32), tfs


def _stretches(counts: Array) -> list[tuple[int, int]]:
    """Cuts terms with these numbers of postings into ranges of about `_STRETCH` postings."""
    total = np.cumsum(counts)
    if not len(total):
        return []
    marks = np.arange(_STRETCH, int(total[-1]) + _STRETCH, _STRETCH)
    ends = np.unique(np.append(np.searchsorted(total, marks[:-1]) + 1, len(counts)))
    return list(pairwise([0, *ends.tolist()]))


def pack(terms: Sequence[bytes], df: Array, docs: Array, tfs: Array, lengths: Array) -> Postings:
    """Codes, blocks and offsets for postings sorted by term and ordinal."""
    norms = encode_length(lengths)
    pairs = _pairs(tfs, norms, docs)
    seen = _distinct(pairs)
    wide = len(seen) > 1 << 16
    codes = np.empty(len(docs), dtype=np.uint32 if wide else np.uint16)
    starts = np.concatenate(([0], np.cumsum(df))).astype(np.int64)
    block_starts = np.concatenate(([0], np.cumsum(-(-df // BLOCK)))).astype(np.int64)
    ttf = np.zeros(len(terms), dtype=np.uint64)
    front_counts: list[Array] = []
    fronts: list[Array] = []
    for first, last in _stretches(df):
        span = slice(int(starts[first]), int(starts[last]))
        here = pairs[span]
        codes[span] = np.searchsorted(seen, here) if wide else _lookup(seen, here)
        begins = starts[first:last] - span.start
        ttf[first:last] = np.add.reduceat(tfs[span].astype(np.uint64), begins)
        inside = np.arange(len(here)) - np.repeat(begins, df[first:last])
        block = np.repeat(block_starts[first:last] - block_starts[first], df[first:last])
        block += inside // BLOCK
        of_block, front = _fronts(block, here, seen)
        blocks = int(block_starts[last] - block_starts[first])
        front_counts.append(np.bincount(of_block, minlength=blocks))
        fronts.append(front.astype(codes.dtype))
    return Postings(
        blob=np.frombuffer(b"".join(terms), dtype=np.uint8),
        term_offsets=np.cumsum([0, *map(len, terms)], dtype=np.int64),
        starts=starts,
        docs=docs,
        codes=codes,
        block_starts=block_starts,
        front_offsets=np.cumsum(np.concatenate(([0], *front_counts))).astype(np.uint32),
        fronts=np.concatenate([np.empty(0, codes.dtype), *fronts]),
        code_tf=(seen >> 8).astype(np.uint32),
        code_norm=(seen & 0xFF).astype(np.uint8),
        ttf=ttf,
        lengths=lengths,
    )


def _pairs(tfs: Array, norms: Array, docs: Array) -> Array:
    """Frequency and length norm in one number, of as few bytes as possible."""
    small = int(tfs.max(initial=0)) < 1 << 23
    pairs = tfs.astype(np.uint32 if small else np.int64) << 8
    pairs |= norms[docs]
    return pairs


def _distinct(pairs: Array) -> Array:
    """The distinct values, sorted; with a table where they are small."""
    top = int(pairs.max(initial=0))
    if top >= 1 << 24:
        return np.unique(pairs).astype(np.int64)
    present = np.zeros(top + 1, dtype=bool)
    present[pairs] = True
    return np.flatnonzero(present)


def _lookup(seen: Array, values: Array) -> Array:
    """`np.searchsorted(seen, values)` for values that all occur."""
    top = int(seen[-1]) if len(seen) else 0
    if top >= 1 << 24:
        return np.searchsorted(seen, values)
    table = np.zeros(top + 1, dtype=np.uint16)
    table[seen] = np.arange(len(seen))
    return table[values]


def _fronts(block: Array, pairs: Array, seen: Array) -> tuple[Array, Array]:
    """Returns the codes of each block that no other with a higher frequency and a smaller length
    beats.

    Every formula grows with the frequency and falls with the length, so the best of these codes is
    the best of the block for any formula and parameters.
    """
    pairs = pairs.astype(np.int64)
    most = int(pairs.max(initial=0)) >> 8
    # Sorted by block, then by falling frequency, then by growing length.
    span = (most + 1) << 8
    keys = block * span + (((most - (pairs >> 8)) << 8) | (pairs & 0xFF))
    keys.sort()
    sorted_block, rest = keys // span, keys % span
    norm = (rest & 0xFF) - (sorted_block << 8)
    least = np.minimum.accumulate(norm)
    leads = np.concatenate(([True], norm[1:] < least[:-1])) if len(norm) else np.zeros(0, bool)
    pair = ((most - (rest[leads] >> 8)) << 8) | (rest[leads] & 0xFF)
    return sorted_block[leads], np.searchsorted(seen, pair)
