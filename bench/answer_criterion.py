"""What recall of the reference answer's character 3-grams right and wrong extracts reach.

    python -m bench.answer_criterion DATA... [--cap 400 500 600]

DATA are sets with answers and judged passages, such as the domains of MTRAG. No system is run. Of
each turn's relevant passages are taken the best sentence and the best extracts of whole sentences,
of 350 and of 700 characters; a wrong extract is any of 700 characters from the relevant passages
of the next turn but 50, which is about something else. A column shows, by the length of the
reference answer, the fraction of turns where such a text has half of the 3-grams that are asked
for. "covered" is the median of recall times length for the best extract of 700 characters.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median

from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.metrics import ngram_recall
from anaphora.evaluate.tables import Cell, Table, as_text
from anaphora.language import identify_question
from anaphora.language.sentences import sentences

LENGTHS = (0, 250, 400, 600, 1000, 10**9)
RIGHT = ("sentence", "350", "700", "whole")
ELSEWHERE = 50
SUCCESS = 0.5


@dataclass(frozen=True)
class Recalls:
    """Of one turn: the length of its answer, and the recall that texts reach."""

    length: int
    right: dict[str, float]
    wrong: list[float]

    def covered(self) -> float:
        return self.right["700"] * self.length

    def asked(self, cap: int | None) -> float:
        """The recall that is half of what is asked for."""
        return SUCCESS * min(1, cap / self.length) if cap else SUCCESS


def extracts(texts: Sequence[str], budget: int, lang: str) -> Iterator[str]:
    """From each sentence on, as many whole ones as the budget allows; at least that one."""
    for text in texts:
        found = sentences(text, lang)
        for start, end in found:
            fitting = [stop for _, stop in found if end <= stop <= start + budget]
            yield text[start : max([end, *fitting])]


def measured(path: Path) -> list[Recalls]:
    dataset = open_dataset(path)
    texts = {one.doc_id: one.text for one in dataset.documents()}

    def gold(example: Example) -> list[str]:
        return [texts[id] for id, grade in example.relevant.items() if grade > 0 and id in texts]

    turns = [one for one in dataset.examples() if one.answers and gold(one)]
    found = []
    for place, example in enumerate(turns):
        lang = example.conversation.question.lang or identify_question(example.conversation)
        answer = example.answers[:1]

        def recall(text: str, answer: Sequence[str] = answer, lang: str = lang) -> float:
            return ngram_recall(text, answer, lang) or 0.0

        mine = gold(example)
        other = [text for text in gold(turns[(place + ELSEWHERE) % len(turns)]) if text not in mine]
        right = {
            "sentence": max(map(recall, extracts(mine, 0, lang))),
            "350": max(map(recall, extracts(mine, 350, lang))),
            "700": max(map(recall, extracts(mine, 700, lang))),
            "whole": recall("\n".join(mine)),
        }
        wrong = [recall(one) for one in extracts(other, 700, lang)]
        found.append(Recalls(len(answer[0]), right, wrong))
    return found


def rows(turns: Sequence[Recalls], caps: Sequence[int | None]) -> Iterator[tuple[Cell, ...]]:
    for least, most in pairwise(LENGTHS):
        some = [one for one in turns if least <= one.length < most]
        if not some:
            continue
        for cap in caps:
            passed = [fmean(one.right[name] >= one.asked(cap) for one in some) for name in RIGHT]
            wrong = [value >= one.asked(cap) for one in some for value in one.wrong]
            yield (
                Cell(f"{least}-{most - 1}" if most < LENGTHS[-1] else f"{least}-"),
                Cell(len(some)),
                Cell(round(median(one.covered() for one in some))),
                Cell(str(cap) if cap else "none"),
                *(Cell(round(value, 2)) for value in passed),
                Cell(round(fmean(wrong), 2) if wrong else None),
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--cap", nargs="*", type=int, default=[400, 500, 600])
    arguments = parser.parse_args()
    turns = [one for path in arguments.data for one in measured(path)]
    header = ("answer", "turns", "covered", "cap", *RIGHT, "wrong")
    print(as_text(Table(header, tuple(rows(turns, [*arguments.cap, None])))))


if __name__ == "__main__":
    main()
