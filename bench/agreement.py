"""Do Anaphora's rankings equal Lucene's on real text?

    python -m bench.agreement --data DATA --work WORK --peer-python PYTHON

Real passages in several languages go through Anaphora's analyser; each term is renamed to an ASCII
code and the coded passages are indexed by both engines, so that both see exactly the same terms.
For each model the top 100 of every query are compared rank by rank: the scores, and the passages
(passages with equal scores may stand in either order, and either may be cut off at the end).
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.corpora import Coder, read_lines, write_record
from bench.engines.base import MODELS
from bench.lexical import add_arguments
from bench.table import format_table, machine, save
from bench.workers import EngineFailedError, EngineProcess, interpreter

K = 100
TOLERANCE = 1e-4
QUERIES = 500
COLUMNS = ("corpus, model", "queries", "hits", "worst score", "same top 100", "same order")


class TextSet(NamedTuple):
    """Real passages and queries in one language."""

    name: str
    lang: str
    passages: list[str]
    queries: list[str]


def text_sets(data: Path) -> Iterator[TextSet]:
    """Yield the sets that the data folder holds."""
    english = [
        record["text"]
        for path in sorted(data.glob("mtrag/*/pooled_passages.jsonl"))
        for record in read_lines(path)
    ]
    questions = [
        record["text"].removeprefix("|user|:")
        for path in sorted(data.glob("mtrag/*/*_rewrite.jsonl"))
        for record in read_lines(path)
    ]
    if english:
        yield TextSet("mtrag", "en", english, questions)
    for lang, name in (("fr", "Fr"), ("vi", "Vi")):
        passages = data / "dialdoc2023" / f"passages.{lang}.json"
        queries = data / "dialdoc2023" / f"{name}Doc2BotRetrieval_gpt_val.json"
        if passages.exists() and queries.exists():
            texts = json.loads(passages.read_text(encoding="utf-8"))
            asked = [record["query"] for record in read_lines(queries)]
            yield TextSet("dialdoc", lang, texts, asked)
    chinese = data / "cmrc2018_zh" / "cmrc2018_dev.json"
    if chinese.exists():
        paragraphs = [
            paragraph
            for article in json.loads(chinese.read_text(encoding="utf-8"))["data"]
            for paragraph in article["paragraphs"]
        ]
        texts = [paragraph["context"] for paragraph in paragraphs]
        asked = [qa["question"] for paragraph in paragraphs for qa in paragraph["qas"]]
        yield TextSet("cmrc", "zh", texts, asked)


def write_terms(texts: TextSet, folder: Path) -> tuple[Path, Path]:
    """Analyse and code a set; return its passage file and its query file."""
    from anaphora.language import analyzer

    terms, code = analyzer(texts.lang).terms, Coder()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    paths = folder / "passages.jsonl", folder / "queries.jsonl"
    for path, rows in zip(paths, (texts.passages, texts.queries[:QUERIES]), strict=True):
        with path.open("w", encoding="utf-8") as file:
            for number, text in enumerate(rows):
                coded = " ".join(map(code, terms(text)))
                # A record without text is refused by some readers and would shift nothing else.
                if coded:
                    write_record(file, f"d{number}", coded, "zxx")
    return paths


Hits = Sequence[tuple[str, float]]


def compare(ours: Hits, theirs: Hits) -> tuple[float, bool, bool]:
    """Return the worst relative score difference, and whether passages and order are the same."""
    # Lucene lists passages whose every term was floored to 0; Anaphora does not call those hits.
    theirs = [hit for hit in theirs if hit[1] > 0]
    # max() would pass over a difference that is not a number.
    if len(ours) != len(theirs) or not all(math.isfinite(score) for _, score in ours):
        return math.inf, False, False
    worst = 0.0
    for (_, our_score), (_, their_score) in zip(ours, theirs, strict=True):
        worst = max(worst, abs(our_score - their_score) / max(abs(their_score), 1e-9))
    same_order = [name for name, _ in ours] == [name for name, _ in theirs]
    # The last score's ties may be cut off differently.
    edge = theirs[-1][1] * (1 + TOLERANCE) if len(theirs) == K else 0.0
    ours_sure = {name for name, score in ours if score > edge}
    theirs_sure = {name for name, score in theirs if score > edge}
    our_names, their_names = {name for name, _ in ours}, {name for name, _ in theirs}
    same_set = ours_sure <= their_names and theirs_sure <= our_names
    return worst, same_set, same_order


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Compare on every set and print one table."""
    rows: list[list[Any]] = []
    note = ""
    for texts in text_sets(options.data):
        folder = options.work / f"agreement-{texts.name}-{texts.lang}"
        passages, queries = write_terms(texts, folder)
        rankings: dict[str, dict[str, list[Hits]]] = {}
        try:
            for name in ("lucene", "anaphora"):
                with EngineProcess(
                    name,
                    interpreter(name, options.peer_python),
                    folder / name,
                    "terms",
                    passages,
                    queries,
                ) as process:
                    if process.skipped:
                        note = f"skipped: agreement with Lucene: {process.skipped}"
                        break
                    process.ask("build")
                    process.ask("open")
                    rankings[name] = {
                        kind: process.ask("rank", model=kind, k=K)["rankings"] for kind in MODELS
                    }
        except EngineFailedError as error:
            note = f"failed: agreement with Lucene: {error}"
        if note:
            print(note, end="\n\n")
            return {"note": note}
        for kind in MODELS:
            compared = [
                compare(ours, theirs)
                for ours, theirs in zip(
                    rankings["anaphora"][kind], rankings["lucene"][kind], strict=True
                )
            ]
            count = len(compared)
            rows.append(
                [
                    f"{texts.name} {texts.lang}, {kind}",
                    count,
                    sum(map(len, rankings["anaphora"][kind])),
                    f"{max(worst for worst, _, _ in compared):.1e}",
                    f"{sum(same for _, same, _ in compared) / count:.1%}",
                    f"{sum(order for _, _, order in compared) / count:.1%}",
                ]
            )
    print("Top 100, Anaphora and Lucene on the same terms (worst score: relative difference)")
    print(format_table(COLUMNS, rows), end="\n\n")
    return {"columns": COLUMNS, "rows": rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser)
    options = parser.parse_args()
    facts = machine()
    print(f"written: {save('agreement', {'machine': facts, 'agreement': run(options)})}")


if __name__ == "__main__":
    main()
