"""Conversations about real manuals that are not trained on, held with the answers given.

    python -m bench.dialogues INDEXES [--tune] [--limit N] [--config FILE] [--out FILE]

INDEXES has the indexes of training/README.md. Each conversation of `training/dialogues` is asked in
the index of the language of its manual, as in `anaphora chat`. Prints, for first questions, for
follow-ups and for complete questions later in a conversation: how often the passage that answers is
among the first five hits, is the first, and is in the answer; how often the question is refused,
and the mean length of the answers. One passage counts as right; others may answer too.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import open_index
from anaphora.train.crossencoder.real_manuals import RealQuestion, digest, real_dialogues
from anaphora.train.text import TrainingText
from bench.table import format_table

COLUMNS = ["", "turns", "R@5", "first", "shown", "refused", "length"]


def held(assistant: Assistant, talk: list[RealQuestion]) -> list[dict[str, Any]]:
    """What became of each turn of a conversation."""
    chat = assistant.chat()
    found = []
    for one in talk:
        answer = chat.ask(one.text)
        trace = answer.trace
        assert trace is not None
        digests = [digest(hit.passage.text) for hit in trace.hits]
        passages = {hit.passage.passage_id: digest(hit.passage.text) for hit in trace.hits}
        shown = {passages.get(citation.passage_id) for citation in answer.citations}
        kind = "first" if not one.earlier else "complete" if one.standalone == one.text else "later"
        found.append(
            {
                "kind": kind if one.passage else "unanswerable",
                "manual": one.manual,
                "lang": one.lang,
                "asked": one.text,
                "standalone": one.standalone,
                "searched": trace.rewrite.text if trace.rewrite else "",
                "rank": digests.index(one.passage) + 1 if one.passage in digests else 0,
                "shown": one.passage in shown and not answer.abstained,
                "refused": answer.abstained,
                "length": len(answer.text),
            }
        )
    return found


def figures(turns: list[dict[str, Any]]) -> list[Any]:
    return [
        len(turns),
        *(
            round(100 * fmean(values), 1)
            for values in (
                [0 < one["rank"] <= 5 for one in turns],
                [one["rank"] == 1 for one in turns],
                [one["shown"] for one in turns],
                [one["refused"] for one in turns],
            )
        ),
        round(fmean(one["length"] for one in turns)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("indexes", type=Path, metavar="INDEXES")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--limit", type=int, help="conversations")
    parser.add_argument("--config", type=Path, help="a TOML file of settings")
    parser.add_argument("--out", type=Path, help="a file for all turns, as JSON lines")
    options = parser.parse_args()
    talks = real_dialogues(TrainingText(), "tune" if options.tune else "report")
    by_lang: dict[str, list[list[RealQuestion]]] = defaultdict(list)
    for talk in random.Random(0).sample(talks, min(len(talks), options.limit or len(talks))):
        by_lang[talk[0].manual_lang].append(talk)
    config = Config.load(options.config) if options.config else Config()
    turns: list[dict[str, Any]] = []
    for lang, own in by_lang.items():
        with Assistant(open_index(options.indexes / lang), config.without_time_limits()) as one:
            turns += [turn for talk in own for turn in held(one, talk)]
    if options.out:
        lines = [json.dumps(turn, ensure_ascii=False) for turn in turns]
        options.out.write_text("\n".join(lines) + "\n", "utf-8")
    kinds = ("first", "later", "complete", "unanswerable")
    groups = [(kind, [one for one in turns if one["kind"] == kind]) for kind in kinds]
    groups.append(("all answerable", [one for one in turns if one["kind"] != "unanswerable"]))
    print(format_table(COLUMNS, [[name, *figures(own)] for name, own in groups if own]))


if __name__ == "__main__":
    main()
