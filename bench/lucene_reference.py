"""Write the small reference that the unit tests hold Anaphora's lexical scores to.

A corpus made up from a fixed seed is indexed by Lucene, and each query's full ranking under each
model goes into one JSON file together with the corpus, so that the tests need no Java:

    PEER_PYTHON -m bench.lucene_reference tests/index/lucene_reference.json
"""

from __future__ import annotations

import argparse
import json
import random
import struct
from itertools import accumulate
from pathlib import Path
from typing import Any

from bench.engines.base import Model
from bench.engines.lucene import LuceneIndex, lucene_version

MODELS = (
    Model("bm25", (0.9, 0.4)),
    Model("bm25", (1.2, 0.75)),
    Model("lmd", (1000.0,)),
    Model("lmd", (50.0,)),
    Model("lmjm", (0.1,)),
    Model("lmjm", (0.7,)),
)
REAL_TOKENS = [
    "北京",
    "京大",
    "大学",
    "ประเทศ",
    "ไทย",
    "เมืองหลวง",
    "العاصمة",
    "كتاب",
    "التاريخ",
    "Straße",
    "café",
]
SHORT_LENGTHS = (1, 1, 2, 3, 4, 5, 7, 8, 9)
# The one-byte length is exact up to 40 and coarser and coarser above: both sides of its steps.
STEP_LENGTHS = (23, 24, 39, 40, 41, 42, 55, 56, 57, 71, 72, 73, 87, 88, 103, 104, 135, 136, 137)
LONG_LENGTHS = (151, 167, 199, 200, 201, 263, 264, 327, 328, 391, 455, 519, 520, 583, 600)
HEAVY = 300


def make_vocabulary(rng: random.Random, size: int) -> list[str]:
    """Return distinct made-up tokens, with the real ones spread among them."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(rng.choice(syllables) for _ in range(rng.randint(2, 4)))] = None
    tokens = list(words)
    for place, token in enumerate(REAL_TOKENS):
        tokens.insert(3 + 7 * place, token)
    return tokens


def make_documents(rng: random.Random, size: int) -> list[list[int]]:
    """Return documents of token numbers drawn by Zipf's law; two of them are empty."""
    weights = list(accumulate(1 / (rank + 1) for rank in range(size)))
    lengths = [*SHORT_LENGTHS, *STEP_LENGTHS, *LONG_LENGTHS]
    lengths += [rng.randint(10, 150) for _ in range(15)]
    rng.shuffle(lengths)
    documents = [rng.choices(range(size), cum_weights=weights, k=length) for length in lengths]
    documents.append([5] * HEAVY + rng.choices(range(size), cum_weights=weights, k=60))
    # Documents without a term count neither in the document count nor in the average length.
    documents.insert(7, [])
    documents.insert(31, [])
    return documents


def make_queries(vocabulary: list[str]) -> list[list[str]]:
    """Return the queries: rare and common, repeated and absent terms, several scripts."""
    v = vocabulary
    return [
        [v[0]],
        [v[5]],
        [v[150]],
        [v[1], v[40]],
        [v[0], v[0]],
        [v[12], v[12], v[12], v[60]],
        ["北京", "京大", "大学"],
        ["ประเทศ", "ไทย", v[2]],
        ["العاصمة", "كتاب", "nowhere"],
        ["nowhere"],
        [v[5], v[90], v[5], v[7], v[200], v[7]],
        [v[0], v[1], v[2], v[4], v[30], v[110]],
        ["Straße", "café", v[3], v[75]],
    ]


def shortest(value: float) -> float:
    """Return the shortest decimal that is the same 32-bit number."""
    for digits in range(1, 10):
        short = float(f"{value:.{digits}g}")
        if struct.pack("f", short) == struct.pack("f", value):
            return short
    return value


def build_reference(seed: int = 20) -> dict[str, Any]:
    """Index the corpus with Lucene and return corpus, queries and rankings."""
    rng = random.Random(seed)
    vocabulary = make_vocabulary(rng, 260)
    documents = make_documents(rng, len(vocabulary))
    queries = make_queries(vocabulary)
    index = LuceneIndex()
    index.write(" ".join(vocabulary[token] for token in document) for document in documents)
    rankings = [
        {
            "model": model.kind,
            "parameters": list(model.parameters),
            "rankings": [
                [[number, shortest(score)] for number, score in index.search(query, 1000, model)]
                for query in queries
            ],
        }
        for model in MODELS
    ]
    return {
        "about": "Full rankings of a made-up corpus by Lucene; see bench/lucene_reference.py",
        "lucene": lucene_version(),
        "seed": seed,
        "vocabulary": vocabulary,
        "documents": documents,
        "queries": queries,
        "models": rankings,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    output: Path = parser.parse_args().output
    reference = build_reference()
    parts = []
    for key, value in reference.items():
        if key in ("documents", "queries", "models"):
            rows = ",\n".join(
                json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in value
            )
            parts.append(f"{json.dumps(key)}: [\n{rows}\n]")
        else:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            parts.append(f"{json.dumps(key)}: {text}")
    output.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
