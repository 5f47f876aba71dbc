"""A data set in three parts, tokenised and labelled for one encoder."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphora.datasets.example import Example
from anaphora.datasets.registry import datasets_in, open_dataset
from anaphora.errors import AnaphoraError
from anaphora.language import counts_characters, identify_question, stop_words
from anaphora.rewrite.linking.sequence import Layout
from anaphora.rewrite.tokenization import fold
from anaphora.train.rewriter.alignment import Aligner, Labels, closed_set
from anaphora.train.rewriter.features import SIGNS, Prepared, context_words, folded, question_words
from research.node_linking.encoders import Encoder

_TRAIN, _REPORT = "train", ("test", "dev", "valid")
_TUNED_ON = 0.03
_SAMPLE = 300


@dataclass(frozen=True)
class Parts:
    """Examples to train, to tune and to report on, all in one language."""

    train: list[Example]
    tune: list[Example]
    report: list[Example]
    lang: str


def parts(path: Path, seed: int) -> Parts:
    """Splits a data set.

    A folder has a file for training and one for testing ("train.txt", "dev.txt"); 3 % of the
    training file are for tuning. A single file is split by its dialogues in their order, 7:1:2, as
    the papers report on a fifth of TASK. A turn that has several versions is used once, in a random
    version.

    Raises:
        UsageError: no format recognises what is there.
        AnaphoraError: a part would be empty, or there are no rewrites.
    """
    if path.is_dir() and len(datasets_in(path)) > 1:
        files = {one.path.stem.lower(): one for one in datasets_in(path)}
        last = next((name for name in _REPORT if name in files), None)
        if _TRAIN not in files or last is None:
            raise AnaphoraError(
                f"{path} has to hold a file called train and one called test or dev; it holds "
                f"{', '.join(sorted(files))}"
            )
        known = list(files[_TRAIN].examples())
        held = set(random.Random(seed).sample(range(len(known)), round(_TUNED_ON * len(known))))
        train = [one for number, one in enumerate(known) if number not in held]
        tune = [known[number] for number in sorted(held)]
        report = list(files[last].examples())
    else:
        examples = _one_a_turn(list(open_dataset(path).examples()), random.Random(seed))
        names = list(dict.fromkeys(one.tags.get("dialogue", one.id) for one in examples))
        first, second = round(len(names) * 0.7), round(len(names) * 0.8)
        place = {name: number for number, name in enumerate(names)}
        train, tune, report = [], [], []
        for one in examples:
            number = place[one.tags.get("dialogue", one.id)]
            (train if number < first else tune if number < second else report).append(one)
    groups = [[one for one in group if one.rewrites] for group in (train, tune, report)]
    if not all(groups):
        raise AnaphoraError(f"{path} has too few rewrites to train, to tune and to report on")
    sample = groups[0][:_SAMPLE]
    langs = Counter(
        one.conversation.question.lang or identify_question(one.conversation) for one in sample
    )
    lang = langs.most_common(1)[0][0]
    marked = [[_in(one, lang) for one in group] for group in groups]
    return Parts(marked[0], marked[1], marked[2], lang)


def _one_a_turn(examples: Sequence[Example], rng: random.Random) -> list[Example]:
    versions: dict[tuple[str, ...], list[Example]] = {}
    for one in examples:
        turn = (one.tags["dialogue"], one.tags["turn"]) if "turn" in one.tags else (one.id,)
        versions.setdefault(turn, []).append(one)
    return [rng.choice(group) for group in versions.values()]


def _in(example: Example, lang: str) -> Example:
    """The example with the language of its question, which is hard to identify for a short one."""
    conversation = example.conversation
    turns = (*conversation.history, replace(conversation.question, lang=lang))
    return replace(example, conversation=replace(conversation, turns=turns))


class Labelled:
    """The tokenised parts with labels, and the closed set of the training part.

    Attributes:
        train, tune, report: the examples; those that are too long for the encoder are left out of
            the training part.
        phrases: the closed set.
    """

    def __init__(self, found: Parts, encoder: Encoder, at_least: int, at_most: int) -> None:
        self.lang = found.lang
        # In writing without spaces each character is a word, and a span may be a single one.
        self._function_words = (
            frozenset[str]()
            if counts_characters(found.lang)
            else SIGNS | {fold(word) for word in stop_words(found.lang)}
        )
        laid = [
            [(one, encoder.lay_out(one.conversation)) for one in group]
            for group in (found.train, found.tune, found.report)
        ]
        taken = [(one, layout) for one, layout in laid[0] if layout.whole and layout.context]
        rough = [self._labels(one, layout, None) for one, layout in taken]
        self.phrases = closed_set(([one] for one in rough), at_least, at_most)
        known = frozenset(self.phrases)
        self.train, self.tune, self.report = (
            [
                Prepared(one, layout, self._labels(one, layout, known), found.lang)
                for one, layout in group
            ]
            for group in (taken, laid[1], laid[2])
        )

    def _labels(self, example: Example, layout: Layout, known: frozenset[str] | None) -> Labels:
        aligner = Aligner(context_words(layout), self._function_words)
        return aligner.align(question_words(layout), folded(example.rewrites[0]), known)


def texts(examples: Sequence[Example]) -> list[str]:
    """All distinct turns and rewrites."""
    return list(
        dict.fromkeys(
            text
            for example in examples
            for text in (*(turn.text for turn in example.conversation.turns), *example.rewrites)
        )
    )
