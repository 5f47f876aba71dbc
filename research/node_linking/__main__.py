"""Trains the linker on one data set and reports the figures of the paper:
`python -m research.node_linking SET OUT [--encoder NAME] [--csf] [--rcf] [--causal NAME]`.

SET is a folder with a training and a test file, or one file. OUT receives the log, the checkpoint
and report.json. The same command continues an interrupted run. With --ablation the linker is
trained four times, with neither, each and both of the probing features, in folders of OUT.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from anaphora.errors import AnaphoraError
from anaphora.train.loop import Run
from anaphora.train.rewriter.evaluation import best_thresholds
from research.node_linking.encoders import encoder
from research.node_linking.fit import Recipe, fit
from research.node_linking.model import Model, Probe
from research.node_linking.report import (
    GRID,
    ceiling,
    exact_matches,
    figures,
    scored,
    unrewritten,
)
from research.node_linking.sets import Labelled, parts, texts

logger = logging.getLogger(__name__)

Figures = dict[str, float | None]


def train_linking(
    path: Path, out: Path, recipe: Recipe, causal: str | None, shared: Path
) -> dict[str, Any]:
    """Trains on the data set at `path`, and reports on its last part.

    Args:
        out: receives the checkpoint and the report.
        causal: a causal language model by name or folder for the probing features; None for a
            small one that is trained on the training part.
        shared: the folder for results that all runs on this data set share.

    Returns:
        The report: figures of the linker, of the original questions, and of the labels.

    Raises:
        AnaphoraError: the set has no rewrites, a model cannot be loaded, or `out` holds another
            training.
    """
    run = Run(out, recipe, [path] if path.is_file() else sorted(path.glob("*.*")))
    shared.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    found = parts(path, recipe.seed)
    known = texts(found.train)
    reader = encoder(recipe.encoder, known, recipe.hidden)
    data = Labelled(found, reader, recipe.phrase_at_least, recipe.phrases)
    groups = (data.train, data.tune, data.report)
    logger.info(
        f"{len(data.train)} to train, {len(data.tune)} to tune and {len(data.report)} to report "
        f"on, in {data.lang}; {len(data.phrases)} phrases"
    )
    layouts = [one.layout for group in groups for one in group]

    def progress(task: str, done: int, total: int) -> None:
        if done % 5000 == 0 or done == total:
            logger.info(f"{task}: {done} of {total}")

    reader.cache(layouts, shared, progress)
    probed: Sequence[Sequence[Probe] | None] = [None] * 3
    if recipe.features:
        from research.node_linking.causal import Causal, train_causal
        from research.node_linking.probes import probes

        if causal is None:
            causal = str(train_causal(known, shared / "causal", recipe.seed))
        every = probes(layouts, Causal(causal), shared)
        used = [probe[list(recipe.features)] for probe in every]
        first, second = len(data.train), len(data.train) + len(data.tune)
        probed = [used[:first], used[first:second], used[second:]]
    model = Model(reader, len(data.phrases), len(recipe.features))
    numbers = {text: number for number, text in enumerate(data.phrases, 1)}
    fit(run, model, data.train, probed[0], numbers, recipe)
    tuning = scored(model, data.tune, probed[1], data.phrases)
    thresholds = best_thresholds(lambda candidate: exact_matches(tuning, candidate), GRID)
    reported = scored(model, data.report, probed[2], data.phrases)
    report = {
        "set": path.name,
        "recipe": asdict(recipe),
        "turns": [len(group) for group in groups],
        "linker": figures(reported, thresholds),
        "asked": unrewritten(data.report),
        "labels": ceiling(data.report),
        "thresholds": asdict(thresholds),
        "factors": dict(
            zip(
                [("CSF", "RCF")[number] for number in recipe.features],
                model.factors.detach().tolist(),
                strict=True,
            )
        ),
    }
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    rewrites = "".join(f"{text}\n" for text in reported.rewrites(thresholds))
    (out / "rewrites.txt").write_text(rewrites, "utf-8")
    return report


_COLUMNS = (
    "EM", "BLEU-1", "BLEU-2", "BLEU-4", "ROUGE-1", "ROUGE-2", "ROUGE-L", "restoration F1",
    "PP", "PR", "PF", "TP", "TR", "TF",
)  # fmt: skip


def table(rows: dict[str, Figures]) -> str:
    """The figures in per cent, with one row for each name."""
    lines = ["| | " + " | ".join(_COLUMNS) + " |", "|---" * (len(_COLUMNS) + 1) + "|"]
    for name, row in rows.items():
        cells = (
            "" if (value := row.get(column)) is None else f"{100 * value:.1f}"
            for column in _COLUMNS
        )
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


_FLAGS = {
    "batch": "--tokens",
    "learning_rate": "--rate",
    "heads_learning_rate": "--heads-rate",
    "decay": "--fall",
    "weight_decay": "--decay",
}
"""The options whose names are not those of the recipe's settings."""
ABLATION = {
    "without": (False, False),
    "csf": (True, False),
    "rcf": (False, True),
    "both": (True, True),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m research.node_linking",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("set", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--causal", help="a causal language model by name or folder")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    defaults = asdict(Recipe())
    del defaults["checkpoint_seconds"]
    for name, value in defaults.items():
        flag = _FLAGS.get(name, f"--{name.replace('_', '-')}")
        if isinstance(value, bool):
            parser.add_argument(flag, dest=name, action="store_true")
        else:
            parser.add_argument(flag, dest=name, type=type(value), default=value)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    recipe = Recipe(**{name: getattr(options, name) for name in defaults})
    out, rows = options.out, dict[str, Figures]()
    out.mkdir(parents=True, exist_ok=True)

    logging.basicConfig(
        format="%(message)s",
        level=logging.INFO,
        handlers=[
            logging.StreamHandler(sys.stdout),
            logging.FileHandler(out / "log.txt", encoding="utf-8"),
        ],
    )

    try:
        if options.ablation:
            for name, (csf, rcf) in ABLATION.items():
                logger.info(name)
                one = replace(recipe, csf=csf, rcf=rcf)
                report = train_linking(options.set, out / name, one, options.causal, out)
                rows[name] = report["linker"]
        else:
            report = train_linking(options.set, out, recipe, options.causal, out)
            rows["linker"] = report["linker"]
    except AnaphoraError as error:
        sys.exit(str(error))
    rows |= {"as asked": report["asked"], "labels": report["labels"]}
    print(table(rows))


if __name__ == "__main__":
    main()
