"""Kill a server at random moments under load, and check that no finished turn is lost.

    python -m bench.serve_kills DOCUMENTS --work WORK [--kills 50] [--seed 1]

DOCUMENTS is a folder to index; WORK keeps the index and the store, and must not exist before. After
each kill every turn that a client was told to be done must be stored as it was told, and the
database must be whole. Prints the numbers of kills and of turns; the exit code is 1 where one is
lost.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support import kill_serving


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.work.mkdir(parents=True)
    kill_serving.prepare(given.documents, given.work.absolute())
    rng, told = random.Random(given.seed), kill_serving.Told()
    for number in range(1, given.kills + 1):
        kill_serving.kill_once(given.work.absolute(), told, rng)
        kill_serving.check(given.work.absolute(), told)
        print(f"{number} kills, {told.count} turns in {len(told.turns)} conversations: all stored")


if __name__ == "__main__":
    main()
