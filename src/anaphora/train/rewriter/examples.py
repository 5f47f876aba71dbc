"""Everything the default rewriter is trained on, and the parts it is tuned and reported on."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from anaphora.datasets.example import Example
from anaphora.errors import UsageError
from anaphora.train import corpora
from anaphora.train.made import SETS, from_templates, made
from anaphora.train.talks import talks

_TEMPLATES_EACH = 150
"""Talks a language."""


FILES = (*corpora.FILES, *(file for files in SETS.values() for file in files))


def check(data: Path) -> None:
    """Said before hours of work, not in the middle of them.

    Raises:
        UsageError: a file of a data set is not in `data`.
    """
    missing = [file for file in FILES if not (data / file).is_file()]
    if missing:
        raise UsageError(
            f"{data} lacks {', '.join(missing)}; `anaphora data list` says where each data set is "
            "to be had"
        )


def training(data: Path, seed: int) -> dict[str, list[Example]]:
    """The training examples by group; a group's examples depend on no other group."""
    partial = corpora.canard_partial(data)
    official = corpora.canard_official(data, "train")
    rng = random.Random(seed)
    others = corpora.task(data) + corpora.alexa(data) + corpora.cast(data)
    others += corpora.unchanged(partial, rng, 2500)
    others += corpora.switches(partial + official, corpora.complete_questions(data), rng)
    return {
        "partial": partial,
        "official": official + [_untitled_section(example) for example in official],
        "others": others,
        "made": made(data, rng, "train") + list(from_templates(rng, _TEMPLATES_EACH)),
        "talks": list(talks("train")),
    }


def held_out(data: Path) -> list[Example]:
    """Made questions on articles that nothing was trained on."""
    return made(data, random.Random(0), "held out")


def tuning(data: Path) -> list[Example]:
    return corpora.canard_official(data, "tune")


def english_talks() -> list[Example]:
    """Our own, the part to tune on."""
    return [one for one in talks("tune") if one.conversation.question.lang == "en"]


def _untitled_section(example: Example) -> Example:
    talk = example.conversation
    title = (talk.title or "").split(":", 1)[0]
    return replace(example, conversation=replace(talk, title=title or None))
