"""Inverted lists of a segment: built from term sequences, merged, never changed.

Every posting is a passage's ordinal in the segment and a *code*; the code stands for a pair of term
frequency and length norm, of which a segment has a few hundred. A retrieval model scores the pairs
once a query, so any formula with any parameters costs the same one look-up a posting.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.index.local.kernel import BLOCK, find

Array = npt.NDArray[Any]


def encode_length(lengths: Array) -> Array:
    """Lucene's one-byte form of lengths (`SmallFloat.intToByte4`): exact to 40, then 4 bits.

    Takes and gives arrays of the same shape; uint8 out.
    """
    value = np.asarray(lengths, dtype=np.int64)
    free = 255 - _free_code(np.int64(2**31 - 1))
    coded = np.where(value < free, value, free + _free_code(np.maximum(value - free, 0)))
    return coded.astype(np.uint8)


def decode_length(codes: Array) -> Array:
    """The lengths that the bytes stand for, int64."""
    code = np.asarray(codes, dtype=np.int64)
    free = 255 - int(_free_code(np.int64(2**31 - 1)))
    above = np.maximum(code - free, 0)
    bits, shift = above & 7, (above >> 3) - 1
    value = np.where(shift < 0, bits, (bits | 8) << np.maximum(shift, 0))
    return np.where(code < free, code, free + value)


def _free_code(value: Any) -> Any:
    """A float with a 3-bit mantissa and an implicit leading one, as an integer that sorts alike."""
    bits = np.where(value > 0, np.floor(np.log2(np.maximum(value, 1))).astype(np.int64) + 1, 0)
    shift = np.maximum(bits - 4, 0)
    return np.where(bits < 4, value, ((value >> shift) & 7) | ((shift + 1) << 3))


@dataclass(frozen=True, slots=True)
class Postings:
    """One segment's lists. `n` passages, `t` terms, `p` postings, `c` codes, `b` blocks.

    `term_offsets` int64 [t+1] cuts `blob`, the sorted terms; `starts` int64 [t+1] cuts `docs`
    uint32 [p] and `codes` uint16 or uint32 [p]; `block_starts` int64 [t+1] counts blocks of 128;
    `front_offsets` uint32 [b+1] cuts `fronts`, the codes of each block that no other code of it
    beats at any parameters; `code_tf`, `code_norm` [c] spell the codes; `ttf` uint64 [t];
    `lengths` uint32 [n] are exact.
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
    """Collects the terms of passages one after the other, then makes their postings."""

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
        return _pack(
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
    """A term as the index stores it: terms of different languages never meet."""
    return f"{lang}\x1f{term}".encode("utf-8", "surrogatepass")


def merge(parts: Sequence[Postings], live: Sequence[Array | None]) -> Postings:
    """One segment out of several, in order, without the ordinals whose `live` is 0."""
    vocabularies = [part.terms() for part in parts]
    vocabulary = sorted(set().union(*vocabularies))
    numbers = {term: number for number, term in enumerate(vocabulary)}
    counts = np.zeros(len(vocabulary), dtype=np.int64)
    kept: list[tuple[Array, Array, Array]] = []
    lengths: list[Array] = []
    base = 0
    for part, terms, alive in zip(parts, vocabularies, live, strict=True):
        number = np.fromiter((numbers[term] for term in terms), dtype=np.int64, count=len(terms))
        owner = np.repeat(number, part.starts[1:] - part.starts[:-1])
        docs, tfs = part.docs.astype(np.int64), part.code_tf[part.codes]
        if alive is None:
            lengths.append(part.lengths)
            docs += base
        else:
            keep = alive.astype(bool)
            lengths.append(part.lengths[keep])
            stays = keep[docs]
            owner, tfs = owner[stays], tfs[stays]
            docs = (np.cumsum(keep) - 1 + base)[docs[stays]]
        base += len(lengths[-1])
        counts += np.bincount(owner, minlength=len(vocabulary))
        kept.append((owner, docs.astype(np.uint32), tfs))
    fill = np.concatenate(([0], np.cumsum(counts)))[:-1]
    merged_docs = np.empty(int(counts.sum()), dtype=np.uint32)
    merged_tfs = np.empty(len(merged_docs), dtype=np.int64)
    for owner, docs, tfs in kept:
        here = np.bincount(owner, minlength=len(vocabulary))
        begins = np.concatenate(([0], np.cumsum(here)))[:-1]
        target = np.arange(len(owner)) - begins[owner] + fill[owner]
        merged_docs[target] = docs
        merged_tfs[target] = tfs
        fill += here
    used = counts > 0
    return _pack(
        [term for term, use in zip(vocabulary, used, strict=True) if use],
        counts[used],
        merged_docs,
        merged_tfs,
        np.concatenate(lengths).astype(np.uint32),
    )


def _pack(terms: Iterable[bytes], df: Array, docs: Array, tfs: Array, lengths: Array) -> Postings:
    """Codes, blocks and offsets for postings sorted by term and ordinal."""
    terms = list(terms)
    pairs = (tfs.astype(np.int64) << 8) | encode_length(lengths)[docs]
    seen, codes = _number(pairs)
    wide = len(seen) > 1 << 16
    starts = np.concatenate(([0], np.cumsum(df))).astype(np.int64)
    blocks = -(-df // BLOCK)
    block_starts = np.concatenate(([0], np.cumsum(blocks))).astype(np.int64)
    inside = np.arange(len(docs)) - np.repeat(starts[:-1], df)
    block = np.repeat(block_starts[:-1], df) + inside // BLOCK
    front_block, front = _fronts(block, pairs, seen)
    return Postings(
        blob=np.frombuffer(b"".join(terms), dtype=np.uint8),
        term_offsets=np.cumsum([0, *map(len, terms)], dtype=np.int64),
        starts=starts,
        docs=docs,
        codes=codes.astype(np.uint32 if wide else np.uint16),
        block_starts=block_starts,
        front_offsets=np.searchsorted(front_block, np.arange(int(block_starts[-1]) + 1)).astype(
            np.uint32
        ),
        fronts=front.astype(np.uint32 if wide else np.uint16),
        code_tf=(seen >> 8).astype(np.uint32),
        code_norm=(seen & 0xFF).astype(np.uint8),
        ttf=np.add.reduceat(tfs, starts[:-1]).astype(np.uint64)
        if len(df)
        else df.astype(np.uint64),
        lengths=lengths,
    )


def _number(values: Array) -> tuple[Array, Array]:
    """`np.unique(values, return_inverse=True)`, by a table where the values are small."""
    top = int(values.max(initial=0))
    if top >= 1 << 24:
        seen, inverse = np.unique(values, return_inverse=True)
        return seen, inverse
    present = np.zeros(top + 1, dtype=bool)
    present[values] = True
    seen = np.flatnonzero(present)
    return seen, (np.cumsum(present) - 1)[values]


def _fronts(block: Array, pairs: Array, seen: Array) -> tuple[Array, Array]:
    """Per block the codes not beaten by one with a higher frequency and a smaller length.

    Every model's score grows with the frequency and falls with the length, so the best of these
    is the best of the block, whatever the model and its parameters.
    """
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
