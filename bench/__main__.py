"""Run every benchmark, print the tables one below the other, and write one JSON file.

    python -m bench --data DATA --work WORK --peer-python PYTHON

DATA is the folder of the public data sets, WORK keeps generated passage sets and indexes between
runs, and PYTHON is an interpreter with the peers (see bench/peers.txt). What is missing is skipped
with a line.
"""

from __future__ import annotations

import argparse

from bench import agreement, lexical, turn
from bench.table import machine, save

PARTS = ("lexical", "agreement", "turn")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.split("\n", 1)[0])
    turn.add_arguments(parser)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    facts = machine()
    print(f"{facts['processor']}, {facts['cores']} cores, {facts['memory_gib']} GiB", end="\n\n")
    results: dict[str, object] = {"machine": facts}
    if "lexical" in options.only:
        results["lexical"] = lexical.run(options)
    if "agreement" in options.only:
        results["agreement"] = agreement.run(options)
    if "turn" in options.only:
        results["turn"] = turn.run(options)
    print(f"written: {save('bench', results)}")


if __name__ == "__main__":
    main()
