"""The gate of the default rewriter: cross-validation, reliability, and results by groups of turns.

    python -m bench.gate cross --data DATA
    python -m bench.gate reliability --data DATA
    python -m bench.gate talks --data DATA --out FOLDER
    python -m bench.gate groups --runs RUNS [--metric nDCG@5] [--metric R@5]

`cross` fits it on four fifths of the subjects that `train.rewriter.gate` fits it on, and compares
confidence with accuracy on the others, weighted as in the fit. `reliability` does so with the
shipped gate on CANARD's report part, where nothing was fitted.
`talks` writes synthetic data sets for `anaphora eval` from XQuAD's questions: follow-ups, questions
in full, and new topics. `groups` reads runs of `anaphora eval` and reports which groups of at least
30 turns have a lower mean rewritten than as asked; p by the paired randomisation test.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.grouping import GROUPINGS, group, language
from anaphora.evaluate.results import Outcome
from anaphora.evaluate.run_folder import read_run
from anaphora.evaluate.significance import holm, randomisation
from anaphora.language import is_context_dependent
from anaphora.models.backbone import shared_backbone
from anaphora.rewrite.gate import Gate
from anaphora.rewrite.linking.model import read_gate
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.train import corpora
from anaphora.train.rewriter.gate import Case, cases, cases_of, fitted, kinds, weights
from anaphora.train.rewriter.synthetic import from_paragraphs, paragraphs
from anaphora.train.text import TrainingText
from bench.table import format_table

FEWEST = 30
"""Turns of a group that is shown."""
FOLDS = 5
LANGUAGES = ("ar", "de", "es", "ru", "vi", "zh")
"""The languages of XQuAD with rules for synthetic follow-ups."""
EACH = 60
"""Turns of each kind and language of `talks`."""


def judged(gate: Gate, case: Case) -> tuple[str, float, bool]:
    """Decision, confidence, and whether the text chosen was right."""
    decision, confidence = gate.decide(case.features, case.changed, case.lang)
    rewritten = decision == "rewrite"
    return decision, confidence, case.right if rewritten or not case.changed else not case.right


def fold(case: Case) -> int:
    return blake2b(case.subject.encode(), digest_size=2).digest()[0] % FOLDS


def crossed(found: Sequence[Case]) -> list[tuple[Case, tuple[str, float, bool]]]:
    """Every case judged by a gate that was fitted without conversations on its subject."""
    done = []
    for part in range(FOLDS):
        gate = fitted([case for case in found if fold(case) != part])
        done += [(case, judged(gate, case)) for case in found if fold(case) == part]
    return done


def reliability(done: Sequence[tuple[str, float, bool]], weight: Sequence[float]) -> str:
    """Confidence and the fraction that was right, in tenths."""
    rows = []
    for low in range(10):
        inside = [
            (confidence, right, share)
            for (_, confidence, right), share in zip(done, weight, strict=True)
            if low <= min(9, int(10 * confidence)) < low + 1
        ]
        if inside:
            total = sum(share for *_, share in inside)
            rows.append(
                [
                    f"{low / 10:.1f}-{low / 10 + 0.1:.1f}",
                    len(inside),
                    f"{sum(c * share for c, _, share in inside) / total:.3f}",
                    f"{sum(right * share for _, right, share in inside) / total:.3f}",
                ]
            )
    return format_table(["confidence", "turns", "mean", "right"], rows)


def confusion(pairs: Iterable[tuple[str, str]]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for kind, decision in pairs:
        counts[kind][decision] += 1
    columns = ("rewrite", "leave", "new topic")
    return format_table(
        ["turns", *columns],
        [[kind, *(counts[kind][column] for column in columns)] for kind in sorted(counts)],
    )


def show(done: Sequence[tuple[Case, tuple[str, float, bool]]], weighted: bool) -> None:
    found = [case for case, _ in done]
    weight = weights(found) if weighted else np.ones(len(found))
    print(confusion((f"{case.lang} {case.kind}", result[0]) for case, result in done))
    print()
    print(reliability([result for _, result in done], list(weight)))
    error = np.average([(c - right) ** 2 for _, (_, c, right) in done], weights=weight)
    print(f"Brier score {error:.3f}\n")


def cross(options: argparse.Namespace) -> None:
    show(
        crossed(cases(options.data, TrainingText(), LinkingRewriter(shared_backbone()))),
        weighted=True,
    )


def check(options: argparse.Namespace) -> None:
    examples = corpora.canard_official(options.data, "report")
    linker = LinkingRewriter(shared_backbone())
    gate = read_gate()
    for kind, some in kinds(examples, random.Random(0)).items():
        done = [(case, judged(gate, case)) for case in cases_of(linker, kind, some)]
        print(f"CANARD's report part, {kind}:\n")
        show(done, weighted=False)


def synthetic(options: argparse.Namespace) -> None:
    """Writes synthetic conversations from XQuAD's questions, with their passages."""
    for lang in LANGUAGES:
        path = options.data / "xquad" / f"xquad.{lang}.json"
        name = f"talks-{lang}"
        home = options.out / name
        home.mkdir(parents=True, exist_ok=True)
        kinds: dict[str, list[Example]] = defaultdict(list)
        for one in from_paragraphs(paragraphs(path), lang, random.Random(0)):
            switch = one.id.endswith("-99")
            if one.conversation.history:
                full = one.question == one.rewrites[0]
                kinds["new topic" if switch else "in full" if full else "follow-up"].append(one)
        records = [
            {
                "id": one.id,
                "turns": [
                    {"role": turn.role, "text": turn.text} for turn in one.conversation.turns
                ],
                "title": one.conversation.title,
                "relevant": sorted(one.relevant),
                "lang": lang,
                "tags": {"topic_switch": "yes" if kind == "new topic" else "no"},
            }
            for kind, some in kinds.items()
            for one in some[:EACH]
        ]
        documents = (
            {"_id": one.doc_id, "title": one.title, "text": one.text, "lang": lang}
            for one in open_dataset(path).documents()
        )
        for file, lines in ((name, records), ("passages", documents)):
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            (home / f"{file}.jsonl").write_text(text, "utf-8")
        print(f"{home / name}.jsonl: {len(records)} turns")


def dependence(outcome: Outcome) -> str:
    return "yes" if is_context_dependent(outcome.example.question, language(outcome)) else "no"


def decision(outcome: Outcome) -> str:
    return outcome.results["rewritten"].rewrite.decision or "none"


BY: dict[str, Callable[[Outcome], str]] = {
    "all": lambda outcome: "",
    **GROUPINGS,
    "context dependence": dependence,
    "decision": decision,
}


def compared(outcomes: Sequence[Outcome], metric: str) -> tuple[int, float, float, float] | None:
    """Turns, means as asked and rewritten, and p; None for too few turns."""
    pairs = [
        (before[metric], after[metric])
        for one in outcomes
        if metric in (before := one.results["original"].scores)
        and metric in (after := one.results["rewritten"].scores)
    ]
    if len(pairs) < FEWEST:
        return None
    asked, rewritten = zip(*pairs, strict=True)
    p = randomisation(asked, rewritten)
    return len(pairs), sum(asked) / len(pairs), sum(rewritten) / len(pairs), p


def groups(options: argparse.Namespace) -> None:
    found = sorted(options.runs.glob(f"*/{options.pipeline}/about.json"))
    for metric in options.metric or ["nDCG@5", "R@5"]:
        rows = []
        for path in found:
            run = read_run(path.parent)
            for name, key in BY.items():
                for label, outcomes in group(run.outcomes, key).items():
                    if figures := compared(outcomes, metric):
                        rows.append([f"{run.dataset} {name} {label}", *figures])
        corrected = holm([row[-1] for row in rows])
        table = [
            [
                title,
                turns,
                *(f"{mean:.3f}" for mean in (asked, rewritten)),
                f"{rewritten - asked:+.3f}",
                *(f"{one:.3f}" for one in (p, q)),
                "LOSES" if rewritten < asked - 1e-9 else "",
            ]
            for (title, turns, asked, rewritten, p), q in zip(rows, corrected, strict=True)
        ]
        columns = ["group", "turns", "asked", "rewritten", "difference", "p", "Holm", ""]
        print(f"{metric}\n\n{format_table(columns, table)}")
        worse = [(row, q) for row, q in zip(rows, corrected, strict=True) if row[3] < row[2] - 1e-9]
        significant = [row for row, q in worse if q < 0.05]
        print(
            f"\n{len(worse)} of {len(rows)} groups have a lower mean rewritten than as asked, "
            f"{len(significant)} of them with p < 0.05 after Holm's correction.\n"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(required=True)
    for name, work in (("cross", cross), ("reliability", check), ("talks", synthetic)):
        command = commands.add_parser(name)
        command.set_defaults(work=work)
        command.add_argument("--data", type=Path, required=True)
        if name == "talks":
            command.add_argument("--out", type=Path, required=True)
    command = commands.add_parser("groups")
    command.set_defaults(work=groups)
    command.add_argument("--runs", type=Path, required=True)
    command.add_argument("--pipeline", default="default")
    command.add_argument("--metric", action="append")
    options = parser.parse_args()
    options.work(options)


if __name__ == "__main__":
    main()
