"""Measures the cross-encoder: reading, quoting, reranking, abstention, manuals, speed, losses.

    python -m bench.judge read --data DATA --work WORK [--cross] [--limit N]
    python -m bench.judge quote --data DATA --work WORK [--limit N]
    python -m bench.judge rerank --data DATA --work WORK [--tune] [--only NAME...] [--weight W...]
        [--patience N...]
    python -m bench.judge abstain --data DATA --work WORK [--cross] [--limit N]
    python -m bench.judge manuals --data DATA --work WORK
    python -m bench.judge real --data DATA --work WORK --manuals INDEXES [--tune] [--limit N]
    python -m bench.judge graded --data DATA --work WORK --manuals INDEXES [--tune] [--limit N]
    python -m bench.judge speed --data DATA --work WORK
    python -m bench.judge losses --data DATA --work WORK [--limit N]

WORK keeps scores and indexes between runs. `--weights FOLDER` measures other weights than the
shipped ones. The English baseline (`bench.judge_work.MiniLM`) is left out where it is missing.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from anaphora.crossencoder.model import SHIPPED
from bench import (
    judge_abstaining,
    judge_graded,
    judge_losses,
    judge_manuals,
    judge_quoting,
    judge_reading,
    judge_real,
    judge_reranking,
    judge_speed,
)
from bench.judge_work import digest
from bench.table import machine, save

PARTS: dict[str, Any] = {
    "read": judge_reading.run,
    "quote": judge_quoting.run,
    "rerank": judge_reranking.run,
    "abstain": judge_abstaining.run,
    "manuals": judge_manuals.run,
    "real": judge_real.run,
    "graded": judge_graded.run,
    "speed": judge_speed.run,
    "losses": judge_losses.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parts = parser.add_subparsers(dest="part", required=True)
    for name in PARTS:
        part = parts.add_parser(name)
        part.add_argument("--data", type=Path, required=True)
        part.add_argument("--work", type=Path, required=True)
        part.add_argument("--limit", type=int, help="questions of a set, spread over it")
        part.add_argument("--weights", type=Path, default=SHIPPED)
        part.add_argument(
            "--runs", type=Path, help="the folder of `anaphora eval --out`; WORK by default"
        )
        if name in ("read", "abstain"):
            part.add_argument(
                "--cross", action="store_true", help="question and paragraph in different languages"
            )
        if name in ("rerank", "abstain"):
            part.add_argument("--weight", type=float, nargs="+", default=[1.0], help="0: none")
        if name == "abstain":
            part.add_argument("--no-pipeline", action="store_true", help="leave MTRAG out")
        if name in ("real", "graded"):
            part.add_argument("--manuals", type=Path, required=True)
            part.add_argument("--tune", action="store_true", help="the manuals for tuning")
        if name == "rerank":
            part.add_argument(
                "--tune", action="store_true", help="data sets that are not reported on"
            )
            part.add_argument("--only", nargs="+", default=[], help="sets, by name")
            part.add_argument(
                "--mined", type=Path, help="with --tune: the folder of a training run"
            )
            part.add_argument("--no-peer", action="store_true")
            part.add_argument("--patience", type=int, nargs="+", default=[], help="early stops")
    options = parser.parse_args()
    options.runs = options.runs or options.work
    options.work.mkdir(parents=True, exist_ok=True)
    print(f"weights {digest(options.weights)}", end="\n\n")
    found = {"machine": machine(), "weights": digest(options.weights)}
    found[options.part] = PARTS[options.part](options)
    print(f"written: {save(f'judge-{options.part}', found)}")


if __name__ == "__main__":
    main()
