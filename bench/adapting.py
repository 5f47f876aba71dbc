"""What an adapter changes on questions that people wrote, whether it is installed or not.

    python -m bench.adapting INDEXES QUESTIONS...

INDEXES is a folder with one index for each collection, under its name; QUESTIONS are files as
`anaphora eval answers` reads them. For each collection: the trial of `anaphora adapt`, and nDCG@10
of people's questions by split, without and with the shift that the trial chose. The indexes are not
changed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from json import loads
from pathlib import Path

from anaphora.adapt.people import people_asked
from anaphora.adapt.ranking import Ranking
from anaphora.adapt.trial import compared, run_trial
from anaphora.config import Config
from anaphora.errors import AnaphoraError
from anaphora.index import open_index
from anaphora.index.adapter import Comparison
from anaphora.retrieve.encoders import load_encoder


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("indexes", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    chosen = parser.parse_args(arguments)
    turns: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in chosen.questions:
        with path.open(encoding="utf-8") as file:
            for line in file:
                turn = loads(line)
                turns[turn["collection"]][turn.get("split", "all")].append(line)
    totals: dict[tuple[str, bool], list[tuple[float, float]]] = defaultdict(list)
    for name, splits in turns.items():
        if (chosen.indexes / name).is_dir():
            _measure(chosen.indexes / name, splits, totals)
    for (split, installed), pairs in sorted(totals.items()):
        before, after = zip(*pairs, strict=True)
        state = "installed" if installed else "declined"
        print(f"all {split}, {state}: {_shown(compared('people', before, after))}")


def _measure(
    folder: Path,
    splits: dict[str, list[str]],
    totals: dict[tuple[str, bool], list[tuple[float, float]]],
) -> None:
    with closing(open_index(folder)) as index:
        try:
            trial = run_trial(index, Config(), load_encoder(index.encoder))
        except AnaphoraError as error:
            print(f"{folder.name}: {error}", flush=True)
            return
        state = "installed" if trial.wins else "declined"
        print(f"{folder.name}: {trial.adapter.strength:g}, {_shown(trial.generated)}: {state}")
        ranking = Ranking(index, Config())
        for split, lines in sorted(splits.items()):
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl") as file:
                file.write("".join(lines))
                file.flush()
                asked = people_asked(Path(file.name), ranking.assistant)
            if asked:
                before, after = ranking.ndcg(asked, [None, trial.adapter])
                totals[split, trial.wins] += zip(before, after, strict=True)
                shown = _shown(compared("people", before, after))
                print(f"    people, {split}: {shown}", flush=True)


def _shown(one: Comparison) -> str:
    return (
        f"{100 * one.before:.1f} -> {100 * one.after:.1f} "
        f"(p = {one.p:.4f}, {one.questions} questions)"
    )


if __name__ == "__main__":
    main()
