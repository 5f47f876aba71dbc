"""Compare the fast encoder with the default one: passages a second, and what search finds.

    python -m bench.fast_encoder SET... --work WORK

Each SET is a data set with passages and relevance, such as `xquad/xquad.th.json` or a folder of
MTRAG. Under WORK its passages are indexed with either encoder, once. Its questions are searched as
they were asked, or by their reference rewrite where there is one. Speeds are passages per second of
processor time; p is two-sided, of a paired randomisation test over the questions.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.registry import Dataset, open_dataset
from anaphora.evaluate.collection import index_documents
from anaphora.index import open_index
from anaphora.protocols import Encoder
from anaphora.records import Query
from anaphora.retrieve.caching import CachingEncoder
from anaphora.retrieve.encoders import default_encoder, fast_encoder
from bench.language_analysis import randomised_p
from bench.table import format_table, machine, save

_K = 10
_TIMED = 200
"""Passages of a set that are encoded for the speeds."""


def reciprocal_ranks(
    home: Path, encoder: Encoder, model: str, asked: Sequence[Query], right: Sequence[set[str]]
) -> npt.NDArray[np.float64]:
    """1/rank of the first right passage of each question among the first ten, or 0."""
    with closing(open_index(home)) as index:
        assistant = Assistant(index, Config.of({"retrieve": {"model": model}}))
        assistant.__dict__["encoder"] = encoder
        found = assistant.retriever.retrieve(asked, _K)
    return np.array(
        [
            next((1 / hit.rank for hit in hits if hit.passage.doc_id in own), 0.0)
            for hits, own in zip(found, right, strict=True)
        ]
    )


def compare(dataset: Dataset, work: Path, encoders: Sequence[Encoder]) -> dict[str, Any]:
    """The figures of one data set: the default encoder, and the fast one."""
    examples = [one for one in dataset.examples() if any(one.relevant.values())]
    asked = [
        Query(
            one.rewrites[0] if one.rewrites else one.question,
            one.conversation.question.lang or "und",
        )
        for one in examples
    ]
    right = [{doc_id for doc_id, grade in one.relevant.items() if grade > 0} for one in examples]
    row: dict[str, Any] = {"set": dataset.name, "questions": len(examples)}
    ranks: dict[tuple[str, str], npt.NDArray[np.float64]] = {}
    texts = [one.text for one, _ in zip(dataset.documents(), range(_TIMED), strict=False)]
    for name, encoder in zip(("default", "fast"), encoders, strict=True):
        home = index_documents(work, dataset.documents(), encoder)
        assert home, f"{dataset.name} has no passages"
        encoder.encode_passages(texts[:8])
        began = time.process_time()
        encoder.encode_passages(texts)
        row[f"{name} passages/s"] = len(texts) / (time.process_time() - began)
        cached = CachingEncoder(encoder)
        for model in ("dense", "hybrid"):
            ranks[model, name] = reciprocal_ranks(home, cached, model, asked, right)
            row[f"{model} {name}"] = round(float(ranks[model, name].mean()), 4)
    for model in ("dense", "hybrid"):
        difference = ranks[model, "fast"] - ranks[model, "default"]
        row[f"{model} p"] = round(randomised_p(difference), 4)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.fast_encoder")
    parser.add_argument("sets", metavar="SET", type=Path, nargs="+")
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    encoders = (default_encoder(), fast_encoder())
    rows = [compare(open_dataset(path), options.work, encoders) for path in options.sets]
    table = [
        [
            row["set"],
            row["fast passages/s"] / row["default passages/s"],
            row["dense default"],
            row["dense fast"],
            row["dense fast"] / row["dense default"],
            row["hybrid default"],
            row["hybrid fast"],
            row["hybrid p"],
        ]
        for row in rows
    ]
    columns = ["set", "speed ratio", "dense", "fast", "ratio", "hybrid", "fast", "p"]
    print(format_table(columns, table))
    print(save("fast_encoder", {"machine": machine(), "sets": rows}))


if __name__ == "__main__":
    main()
