"""The tables of docs/results.md, from the runs that `anaphora eval` wrote.

    python -m bench.results --runs RUNS

RUNS is the folder that was given to `anaphora eval` with --out.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

FORMS = {"original": "as asked", "rewritten": "rewritten", "human": "reference rewrite"}
RETRIEVAL = ("nDCG@5", "P@1", "R@5", "R@20", "MRR@10")
ANSWERS = ("3-gram recall", "F1", "language", "abstention")
REWRITING = ("EM", "BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-1", "ROUGE-2", "ROUGE-L")
CULPRITS = ("rewriting", "retrieval", "reranking", "reading", "language", "data")


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def scores(name: str, found: dict, metrics: tuple[str, ...]) -> list[list[str]]:
    """A row for each phrasing that has one of the metrics; one where they are all the same."""
    rows = []
    for form, label in FORMS.items():
        means = {metric: one["mean"] for metric, one in found["scores"].get(form, {}).items()}
        cells = [shown(means.get(metric)) for metric in metrics]
        if any(cells) and (not rows or cells != rows[-1][2:]):
            rows.append([name, label, *cells])
    return rows


def rewriting(name: str, found: dict) -> list[list[str]]:
    return [
        [name, FORMS[form], *(shown(values[metric]) for metric in REWRITING)]
        for form, values in found["rewriting"].items()
        if values
    ]


def culprits(name: str, found: dict) -> list[str]:
    turns = sum(group["turns"] for group in found["groups"]["depth"].values())
    counts = found["culprits"]
    total = sum(counts.values())
    share = [f"{counts[one] / total:.0%}" if counts.get(one) else "" for one in CULPRITS]
    lost = [count for count in found["search_failures"].values() if count is not None]
    unsearched = f"{sum(lost) / total:.0%}" if lost else ""
    return [name, found["success"], f"{turns:,}", f"{total:,}", *share, unsearched]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--pipeline", default="default")
    options = parser.parse_args()
    runs = {
        file.parents[1].name: json.loads(file.read_text("utf-8"))
        for file in sorted(options.runs.glob(f"*/{options.pipeline}/metrics.json"))
    }
    tables = {
        "Retrieval": (
            ["data", "question", *RETRIEVAL],
            [row for name, one in runs.items() for row in scores(name, one, RETRIEVAL)],
        ),
        "Answers": (
            ["data", "question", *ANSWERS],
            [row for name, one in runs.items() for row in scores(name, one, ANSWERS)],
        ),
        "Rewriting": (
            ["data", "question", *REWRITING],
            [row for name, one in runs.items() for row in rewriting(name, one)],
        ),
        "Culprits": (
            ["data", "success", "turns", "failed", *CULPRITS, "no relevant passage in the first 5"],
            [culprits(name, one) for name, one in runs.items()],
        ),
    }
    for title, (header, rows) in tables.items():
        print(f"### {title}\n\n{table(header, rows)}\n")


if __name__ == "__main__":
    main()
