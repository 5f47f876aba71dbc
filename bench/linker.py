"""The linking rewriter on CANARD and on conversations about manuals: quality and speed.

    python -m bench.linker canard --data DATA [--part report]
    python -m bench.linker dialogues [--part report]
    python -m bench.linker best --data DATA [--part report]
    python -m bench.linker speed --data DATA
    python -m bench.linker unseen --data DATA --out canard-unseen.json

DATA is the folder of data sets. CANARD is split by the title of the article, see
`anaphora.train.corpora`: "report" was used neither for training nor for tuning; `unseen` writes
that part as a file, for `anaphora eval`. `--weights` takes another folder of weights. The effect of
rewriting on retrieval is measured in `bench.rewriting`. `dialogues` are the later questions of
`training/dialogues` on manuals that are not trained on, in all their languages. `best` reports, by
confidence, how often each of the three best rewrites is the one closest to the person's rewrite,
and the figures of the closest one of up to three.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from anaphora.datasets.example import Example
from anaphora.evaluate.metrics.rewriting import rewrite_report
from anaphora.evaluate.metrics.rouge import rouge_overlap
from anaphora.evaluate.metrics.tokens import words
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import Rewriter
from anaphora.records import Conversation
from anaphora.rewrite.context import ContextRewriter
from anaphora.rewrite.history import NoRewriter
from anaphora.rewrite.linking.model import SHIPPED, read_gate
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.train.corpora import canard_official
from anaphora.train.rewriter.examples import dialogues as examples_of_dialogues
from anaphora.train.text import TrainingText
from anaphora.understand import LanguageAndIntent
from bench.table import format_table

SHOWN = ("EM", "BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-1", "ROUGE-2", "ROUGE-L", "restoration F1")


def understood(examples: Sequence[Example]) -> list[Conversation]:
    """The conversations of examples with the languages of their turns."""
    found = LanguageAndIntent().understand([example.conversation for example in examples])
    return [one.conversation for one in found]


def gated(weights: Path) -> LinkingRewriter:
    return LinkingRewriter(shared_backbone(), weights, gate=read_gate(weights))


def canard(options: argparse.Namespace, linker: Rewriter) -> list[dict]:
    """The quality of rewrites, by the protocol of Li et al. (2025)."""
    examples = canard_official(options.data, options.part)
    conversations = understood(examples)
    return [
        {"rewriter": name, "turns": len(examples), **_figures(examples, made)}
        for name, made in _rewritten(conversations, linker, options).items()
    ]


def dialogues(options: argparse.Namespace, linker: Rewriter) -> list[dict]:
    """The quality of rewrites of follow-ups about manuals, and the complete questions left."""
    examples = list(examples_of_dialogues(TrainingText(), options.part))
    rows = []
    for name, made in _rewritten(understood(examples), linker, options).items():
        turns = list(zip(examples, made, strict=True))
        later = [(one, text) for one, text in turns if one.rewrites[0] != one.question]
        left = [one.question == text for one, text in turns if one.rewrites[0] == one.question]
        figures = _figures([one for one, _ in later], [text for _, text in later])
        row = {"rewriter": name, "turns": len(later), **figures, "complete": len(left)}
        rows.append(row | {"left": round(100 * fmean(left), 1)})
    return rows


def _rewritten(
    conversations: Sequence[Conversation], linker: Rewriter, options: argparse.Namespace
) -> dict[str, list[str]]:
    """The texts that each rewriter makes of the questions."""
    rewriters: dict[str, Rewriter] = {
        "none": NoRewriter(),
        "context": ContextRewriter(lambda words: [1.0] * len(words)),
        "linker": linker,
        "linker and gate": gated(options.weights),
    }
    return {
        name: [one.text for one in rewriter.rewrite(conversations)]
        for name, rewriter in rewriters.items()
    }


def _figures(examples: Sequence[Example], made: Sequence[str]) -> dict[str, float]:
    report = rewrite_report(
        made,
        [one.rewrites[0] for one in examples],
        [one.question for one in examples],
        [one.conversation.question.lang or "en" for one in examples],
    )
    return {key: round(100 * (report[key] or 0), 1) for key in SHOWN}


def best(options: argparse.Namespace, _: Rewriter) -> list[dict]:
    """The n best: confidence and accuracy, and the best of the first n by ROUGE-1.

    A rewrite is right if it is closer to the person's than the question and the other rewrites are.
    """
    linker = gated(options.weights)
    closest: dict[int, list[float]] = {1: [], 2: [], 3: []}
    bins: dict[int, list[tuple[float, bool]]] = {}
    examples = canard_official(options.data, options.part)
    for example, conversation in zip(examples, understood(examples), strict=True):
        gold = words(example.rewrites[0], "en")
        rewrites = linker.n_best(conversation, max(closest))
        scores = [rouge_overlap(words(one.text, "en"), gold, "1").f1 or 0.0 for one in rewrites]
        original = rouge_overlap(words(example.question, "en"), gold, "1").f1 or 0.0
        for count, found in closest.items():
            found.append(max(scores[:count]))
        if rewrites[0].edits:
            for at, one in enumerate(rewrites):
                right = scores[at] > original and scores.index(max(scores)) == at
                bins.setdefault(int(10 * one.confidence), []).append((one.confidence, right))
    rows: list[dict] = [
        {"what": f"ROUGE-1, closest of {count}", "rewrites": len(found), "mean": fmean(found)}
        for count, found in closest.items()
    ]
    for tenth, found in sorted(bins.items()):
        confidences, right = zip(*found, strict=True)
        what = f"confidence {tenth / 10:.1f}–{tenth / 10 + 0.1:.1f}"
        rows.append(
            {
                "what": what,
                "rewrites": len(found),
                "mean": fmean(confidences),
                "right": fmean(right),
            }
        )
    return [
        {name: round(cell, 3) if isinstance(cell, float) else cell for name, cell in row.items()}
        for row in rows
    ]


def speed(options: argparse.Namespace, linker: Rewriter) -> list[dict]:
    """Latency of single turns, throughput of a batch, and the processor time of a turn, which
    depends least on other work on the machine."""
    conversations = understood(canard_official(options.data, "report"))
    linker.rewrite(conversations[:50])
    alone = [_seconds(linker, [one]) for one in conversations[:200]]
    batch = min(_seconds(linker, conversations) for _ in range(3))
    times = sorted(wall for wall, _ in alone)
    return [
        {
            "turns": len(conversations),
            "alone, median ms": round(1000 * statistics.median(times), 1),
            "alone, 95th ms": round(1000 * times[int(0.95 * len(times))], 1),
            "alone, mean CPU ms": round(1000 * statistics.mean(cpu for _, cpu in alone), 1),
            "in batch, per second": round(len(conversations) / batch[0], 1),
            "in batch, CPU ms a turn": round(1000 * batch[1] / len(conversations), 1),
        }
    ]


def _seconds(rewriter: Rewriter, conversations: Sequence[Conversation]) -> tuple[float, float]:
    """Wall time and processor time."""
    began, spent = time.perf_counter(), time.process_time()
    rewriter.rewrite(conversations)
    return time.perf_counter() - began, time.process_time() - spent


def unseen(options: argparse.Namespace) -> None:
    """The dialogues that were not used for training, in CANARD's own format."""
    ids = {example.id for example in canard_official(options.data, "report")}
    records = json.loads((options.data / "canard" / "dev.json").read_text("utf-8"))
    kept = [one for one in records if f"{one['QuAC_dialog_id']}#{one['Question_no']}" in ids]
    options.out.write_text(json.dumps(kept, ensure_ascii=False, indent=1), "utf-8")
    print(f"{len(kept)} turns written to {options.out}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=["canard", "dialogues", "best", "speed", "unseen"])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    parser.add_argument("--part", default="report", choices=["tune", "report"])
    parser.add_argument("--out", type=Path, help="write the rows as JSON, or the unseen part")
    options = parser.parse_args()
    if options.data is None and options.what != "dialogues":
        parser.error(f"{options.what} needs --data")
    if options.what == "unseen":
        unseen(options)
        return
    linker = LinkingRewriter(shared_backbone(), options.weights)
    commands = {"canard": canard, "dialogues": dialogues, "best": best, "speed": speed}
    rows = commands[options.what](options, linker)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    print(format_table(columns, [[row.get(name, "") for name in columns] for row in rows]))
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
