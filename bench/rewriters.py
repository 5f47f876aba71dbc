"""What each rewriter does for retrieval, on conversations whose passages are known.

    python -m bench.rewriters --data DATA --work WORK [--sets clapnq,cloud,fiqa,fr,vi]

Reads MTRAG (with its human rewrites) and DialDoc 2023 (dialogues with the newest turn first) from
DATA, indexes their passages under WORK once, and prints recall and nDCG at 5 of every rewriter.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from anaphora.assemble import Workshop
from anaphora.config import of
from anaphora.conversation import Conversation, Turn
from anaphora.indexing import update
from anaphora.passage import Query
from anaphora.retrieve.encoders import load_encoder
from bench.table import format_table

MTRAG = ("clapnq", "cloud", "fiqa")
REWRITERS = {
    "none": {"method": "none"},
    "newest first": {"method": "history", "order": "newest"},
    "oldest first": {"method": "history", "order": "oldest"},
    "newest, 2 turns": {"method": "history", "order": "newest", "turns": 2},
    "expansion": {"method": "expansion"},
    "context": {"method": "context"},
}
MODELS = ("bm25", "lmd", "dense", "hybrid")
K = 5


@dataclass(frozen=True)
class Case:
    """A conversation, the passages that answer it, and the human rewrite where there is one."""

    talk: Conversation
    gold: frozenset[str]
    human: str | None = None


def mtrag(data: Path, domain: str) -> Iterator[Case]:
    folder = data / "mtrag" / domain
    gold: dict[str, set[str]] = {}
    for line in (folder / "qrels" / "dev.tsv").read_text("utf-8").splitlines()[1:]:
        query, passage, score = line.split("\t")
        if int(score) > 0:
            gold.setdefault(query, set()).add(passage)
    human = {
        record["_id"]: record["text"].removeprefix("|user|: ")
        for record in _lines(folder / f"{domain}_rewrite.jsonl")
    }
    for task in _lines(data / "mtrag" / "tasks.jsonl"):
        if task["domain"] == domain and task["task_id"] in gold:
            turns = tuple(
                Turn("user" if turn["speaker"] == "user" else "assistant", turn["text"])
                for turn in task["input"]
            )
            yield Case(
                Conversation(turns, id=task["task_id"]),
                frozenset(gold[task["task_id"]]),
                human.get(task["task_id"]),
            )


def dialdoc(data: Path, lang: str, limit: int) -> Iterator[Case]:
    folder = data / "dialdoc2023"
    passages = json.loads((folder / f"passages.{lang}.json").read_text("utf-8"))
    numbers = {text: number for number, text in enumerate(passages)}
    name = f"{lang.capitalize()}Doc2BotRetrieval_val.json"
    for number, record in enumerate(_lines(folder / name)):
        if number == limit:
            return
        parts = re.split(r"<(last_turn|agent|user)>", record["query"])[1:]
        turns = [
            Turn("assistant" if mark == "agent" else "user", text.strip())
            for mark, text in zip(parts[::2], parts[1::2], strict=True)
        ]
        if record["positive"] in numbers:
            gold = frozenset({f"{lang}-{numbers[record['positive']]}"})
            yield Case(Conversation(tuple(reversed(turns)), id=str(number)), gold)


def _lines(path: Path) -> Iterator[dict]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def indexed(data: Path, work: Path, name: str) -> Path:
    """The index of a set's passages, made when it is not there or behind."""
    source = data / "mtrag" / name / "pooled_passages.jsonl"
    if name not in MTRAG:
        source = work / f"dialdoc-{name}.jsonl"
        if not source.exists():
            passages = json.loads((data / "dialdoc2023" / f"passages.{name}.json").read_text())
            source.write_text(
                "".join(
                    json.dumps({"_id": f"{name}-{n}", "text": text, "lang": name}) + "\n"
                    for n, text in enumerate(passages)
                )
            )
    update(work / f"index-{name}", [source], load_encoder())
    return work / f"index-{name}"


def scores(workshop: Workshop, queries: list[Query], cases: list[Case]) -> tuple[float, float]:
    """Mean recall and nDCG at K."""
    recall = ndcg = 0.0
    for case, hits in zip(cases, workshop.retriever.retrieve(queries, K), strict=True):
        found = [hit.passage.passage_id in case.gold for hit in hits]
        best = sum(1 / math.log2(rank + 2) for rank in range(min(K, len(case.gold))))
        recall += sum(found) / min(K, len(case.gold))
        ndcg += sum(yes / math.log2(rank + 2) for rank, yes in enumerate(found)) / best
    return recall / len(cases), ndcg / len(cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--sets", default="clapnq,fr,vi")
    parser.add_argument("--limit", type=int, default=400, help="turns of each DialDoc set")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--out", type=Path, help="write the rows as JSON")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in options.sets.split(","):
        index = indexed(options.data, options.work, name)
        cases = list(
            mtrag(options.data, name)
            if name in MTRAG
            else dialdoc(options.data, name, options.limit)
        )
        for model in options.models.split(","):
            for label, settings in REWRITERS.items():
                workshop = Workshop(index, of({"rewrite": settings, "retrieve": {"model": model}}))
                made = workshop.rewriter.rewrite([case.talk for case in cases])
                queries = [Query(one.text, one.lang, one.variants) for one in made]
                changed = sum(
                    one.text != case.talk.question.text
                    for one, case in zip(made, cases, strict=True)
                )
                rows.append(_row(name, model, label, cases, scores(workshop, queries, cases)))
                rows[-1]["rewritten"] = changed
            if name in MTRAG:
                human = [case for case in cases if case.human]
                queries = [Query(case.human or "", "en") for case in human]
                rows.append(_row(name, model, "human", human, scores(workshop, queries, human)))
    print(format_table(list(rows[0]), [list(row.values()) for row in rows]))
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1))


def _row(name: str, model: str, rewriter: str, cases: list[Case], got: tuple[float, float]) -> dict:
    return {
        "set": name,
        "turns": len(cases),
        "model": model,
        "rewriter": rewriter,
        "R@5": round(got[0], 4),
        "nDCG@5": round(got[1], 4),
        "rewritten": None,
    }


if __name__ == "__main__":
    main()
