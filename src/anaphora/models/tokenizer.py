"""The Unigram tokenizer of XLM-RoBERTa, with a vocabulary that is loaded on demand.

Kudo, "Subword Regularization: Improving Neural Network Translation Models with Multiple Subword
Candidates" (ACL 2018), section 3.2: a word is segmented into the pieces with the highest sum of log
probabilities, by Viterbi's algorithm.

The vocabulary of 250,000 pieces takes most of a second and 300 MB to load as a whole (with the
package `tokenizers`). A text needs few of them. Pieces are stored sorted, and those with the same
first two characters are loaded together when a text first contains these two characters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anaphora.normal_form import normal_form

BEGIN, END, UNKNOWN = 0, 2, 3
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")

_SPACE = "▁"
_UNKNOWN_PENALTY = 10.0

# SentencePiece's normalisation nmt_nfkc: these characters are deleted or become a space; the others
# are normalised to NFKC, except the full-width tilde.
_DROPPED = (*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F)
_SPACES = (0x09, 0x0A, 0x0C, 0x0D, 0x1680, *range(0x200B, 0x2010), 0x2028, 0x2029, 0x2581)
_CLEANED: dict[int, str] = {
    **dict.fromkeys(_DROPPED, ""),
    **dict.fromkeys((*_SPACES, 0xFEFF, 0xFFFD), " "),
}
_VANISHING = "".join(map(chr, _CLEANED))
_TILDE = "～"

# A piece has at most 16 characters, and NFKC composes a character of a few others at most.
_CHARACTERS_PER_TOKEN = 64
_LONGEST_CACHED = 24
_CACHED_WORDS = 1 << 15

_Bucket = tuple[tuple[int, ...], dict[str, tuple[float, int]]]
_NO_PIECE: _Bucket = ((), {})
_Pieces = tuple[tuple[int, ...], tuple[int, ...]]
_CHUNK = re.compile(r"\S+")
# A character and its combining marks; Hangul letters compose in the same way.
_CLUSTER = re.compile(r"[\u1100-\u115f][\u1160-\u11ff]*|.[\u0300-\u036f\u3099\u309a]*", re.S)


class Tokenizer:
    """Converts text to ids.

    Args:
        folder: the folder that `write_vocabulary` wrote.
    """

    def __init__(self, folder: Path) -> None:
        heads = (folder / "heads.txt").read_text(encoding="utf-8").split("\n")
        self._spans = dict(zip(heads, np.load(folder / "heads.npy").tolist(), strict=True))
        self._pieces = np.load(folder / "pieces.npy", mmap_mode="r")
        self._texts = np.memmap(folder / "pieces.txt", dtype=np.uint8, mode="r")
        self._unknown_score = float(np.load(folder / "unknown.npy"))
        self._buckets: dict[str, _Bucket] = {}
        self._words: dict[str, _Pieces] = {}

    def scores(self) -> npt.NDArray[np.float32]:
        """The log probability of each id, float32 [n]; 0 for ids that are no pieces."""
        found = np.zeros(int(self._pieces["id"].max()) + 1, dtype=np.float32)
        found[self._pieces["id"]] = self._pieces["score"]
        return found

    def encode(self, text: str, limit: int) -> list[int]:
        """The ids of `text`, without those for begin and end, at most `limit`.

        The time is proportional to `limit`, not to the length of the text.
        """
        ids: list[int] = []
        for word in normalize(text, limit).split():
            ids += self._encode_word(_SPACE + word)[0]
            if len(ids) >= limit:
                return ids[:limit]
        return ids

    def encode_ranges(self, text: str, limit: int) -> tuple[list[int], list[tuple[int, int]]]:
        """The ids of `encode`, and for each id its range of characters in `text` as (start, end).

        A character that is normalised to several belongs to each id that covers one of them. An id
        that covers only the mark for the space before a word has an empty range.
        """
        ids: list[int] = []
        ranges: list[tuple[int, int]] = []
        for chunk in _CHUNK.finditer(text):
            for word, places in _normal_words(chunk.group()[: limit * _CHARACTERS_PER_TOKEN]):
                found, ends = self._encode_word(_SPACE + word)
                first = 0
                for number, end in zip(found, ends, strict=True):
                    # Ends include the mark for the space.
                    last = end - 1
                    start = chunk.start() + places[min(first, len(word) - 1)][0]
                    stop = chunk.start() + places[last - 1][1] if last > first else start
                    ids.append(number)
                    ranges.append((start, stop))
                    first = last
            if len(ids) >= limit:
                break
        return ids[:limit], ranges[:limit]

    def _encode_word(self, word: str) -> _Pieces:
        if len(word) > _LONGEST_CACHED:
            return self._segment(word)
        pieces = self._words.get(word)
        if pieces is None:
            if len(self._words) >= _CACHED_WORDS:
                self._words.clear()
            pieces = self._words[word] = self._segment(word)
        return pieces

    def _segment(self, word: str) -> _Pieces:
        """The ids of a word's pieces, and the end of each piece in the word."""
        length = len(word)
        best = [-math.inf] * (length + 1)
        best[0] = 0.0
        last: list[tuple[int, int]] = [(0, UNKNOWN)] * (length + 1)
        for at, character in enumerate(word):
            base = best[at]
            score, piece = self._bucket(character)[1].get(character, (self._unknown_score, UNKNOWN))
            if base + score > best[at + 1]:
                best[at + 1] = base + score
                last[at + 1] = (at, piece)
            lengths, pieces = self._bucket(word[at : at + 2])
            for size in lengths:
                end = at + size
                if end > length:
                    break
                found = pieces.get(word[at:end])
                if found is not None and base + found[0] > best[end]:
                    best[end] = base + found[0]
                    last[end] = (at, found[1])
        ids: list[int] = []
        ends: list[int] = []
        end = length
        while end:
            start, piece = last[end]
            # Consecutive characters that are in no piece are one unknown token.
            if not (piece == UNKNOWN and ids and ids[-1] == UNKNOWN):
                ids.append(piece)
                ends.append(end)
            end = start
        return tuple(reversed(ids)), tuple(reversed(ends))

    def _bucket(self, head: str) -> _Bucket:
        bucket = self._buckets.get(head)
        if bucket is None:
            bucket = self._buckets[head] = self._read(head)
        return bucket

    def _read(self, head: str) -> _Bucket:
        span = self._spans.get(head)
        if span is None:
            return _NO_PIECE
        first, last, start, end = span
        texts = self._texts[start:end].tobytes().decode().split("\n")
        rows = self._pieces[first:last]
        found = zip(rows["score"].tolist(), rows["id"].tolist(), strict=True)
        pieces = dict(zip(texts, found, strict=True))
        return tuple(sorted({len(text) for text in texts})), pieces


def normalize(text: str, limit: int) -> str:
    """`text` normalised as the vocabulary is, at least as much of it as `limit` tokens cover."""
    # Every word has at least one token, unless normalisation deletes all of it.
    words = text.split(None, limit)[:limit]
    if not all(word.strip(_VANISHING) for word in words):
        words = [word for word in text.split() if word.strip(_VANISHING)][:limit]
    longest = limit * _CHARACTERS_PER_TOKEN
    return _normal(" ".join([word[:longest] for word in words])[: 2 * longest])


def _normal(text: str) -> str:
    text = text.translate(_CLEANED)
    return _TILDE.join(normal_form("NFKC", part) for part in text.split(_TILDE))


def _normal_words(chunk: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """The normalised words of a text without spaces, and for each of their characters its range
    in `chunk`."""
    normal = _normal(chunk)
    if normal == chunk:
        yield chunk, [(at, at + 1) for at in range(len(chunk))]
        return
    # A character and the marks after it may compose, so they stay together.
    parts = [(match.span(), _normal(match.group())) for match in _CLUSTER.finditer(chunk)]
    places = [place for place, part in parts for _ in part]
    if len(places) != len(normal):
        places = [(0, len(chunk))] * len(normal)
    for match in _CHUNK.finditer(normal):
        yield match.group(), places[match.start() : match.end()]


def write_vocabulary(folder: Path, pieces: Sequence[str], scores: npt.NDArray[np.float32]) -> None:
    """Writes the files that `Tokenizer` reads; pieces in the order of their ids, scores [n]."""
    usable = sorted((piece, number) for number, piece in enumerate(pieces) if piece not in _SPECIAL)
    heads: list[str] = []
    spans: list[tuple[int, int, int, int]] = []
    row = byte = 0
    for head, group in groupby(usable, key=lambda item: item[0][:2]):
        texts = [piece for piece, _ in group]
        size = len("\n".join(texts).encode())
        heads.append(head)
        spans.append((row, row + len(texts), byte, byte + size))
        row += len(texts)
        byte += size + 1
    table = np.empty(len(usable), dtype=[("id", "<i4"), ("score", "<f4")])
    table["id"] = [number for _, number in usable]
    table["score"] = scores[table["id"]]
    _write_text(folder / "heads.txt", "\n".join(heads))
    _write_text(folder / "pieces.txt", "\n".join(piece for piece, _ in usable))
    np.save(folder / "heads.npy", np.array(spans, dtype=np.int32))
    np.save(folder / "pieces.npy", table)
    np.save(folder / "unknown.npy", np.float64(table["score"].min() - _UNKNOWN_PENALTY))


def _write_text(path: Path, text: str) -> None:
    path.write_bytes(text.encode())
