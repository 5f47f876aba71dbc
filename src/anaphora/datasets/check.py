"""The format and content of a file or folder, and whether it is complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from anaphora.datasets.example import Example, Format
from anaphora.datasets.registry import Dataset, formats, open_dataset
from anaphora.errors import AnaphoraError
from anaphora.language import identify_question
from anaphora.records import Document

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Check:
    """What was found in a data set.

    Attributes:
        counts: "dialogues", "turns", "human rewrites", …, each with its number, up to the place
            where a file is damaged.
        languages: how many questions are in each, as the data say or else as identified; the most
            frequent one first.
        depths: the least and the greatest number of the user's turns; None where there is no turn.
        problems: a line each; none where the set is whole.
    """

    dataset: Dataset
    counts: Mapping[str, int]
    languages: Mapping[str, int]
    depths: tuple[int, int] | None
    problems: tuple[str, ...]

    @property
    def whole(self) -> bool:
        return not self.problems


def check(path: Path, name: str | None = None) -> Check:
    """Reads a data set from end to end.

    Raises:
        UsageError: there is no data set, or there are several; see `open_dataset`.
    """
    dataset = open_dataset(path, name)
    tally = _Tally()
    damage = (_each(dataset.examples(), tally.turn), _each(dataset.documents(), tally.passage))
    return Check(
        dataset,
        {
            "dialogues": len(tally.dialogues),
            "turns": sum(tally.ids.values()),
            "human rewrites": tally.counts["rewrites"],
            "automatic rewrites": tally.counts["automatic"],
            "with answers": tally.counts["answers"],
            "with judged passages": tally.counts["judged"],
            "unanswerable": tally.counts["unanswerable"],
            "passages": sum(tally.passages.values()),
        },
        dict(tally.languages.most_common()),
        (min(tally.depths), max(tally.depths)) if tally.depths else None,
        # Where a file is cut short, what was not read is not missing.
        tuple(dict.fromkeys(filter(None, damage))) or tuple(tally.problems()),
    )


def _each(items: Iterable[_Item], see: Callable[[_Item], None]) -> str:
    """Sees each item; what was wrong with the data, or ""."""
    try:
        for item in items:
            see(item)
    except AnaphoraError as error:
        return str(error)
    return ""


@dataclass
class _Tally:
    counts: Counter[str] = field(default_factory=Counter)
    dialogues: set[str] = field(default_factory=set)
    ids: Counter[str] = field(default_factory=Counter)
    passages: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    depths: set[int] = field(default_factory=set)
    judged: dict[str, str] = field(default_factory=dict)
    without_question: list[str] = field(default_factory=list)
    without_answer: list[str] = field(default_factory=list)
    without_text: list[str] = field(default_factory=list)

    def turn(self, example: Example) -> None:
        self.ids[example.id] += 1
        self.dialogues.add(example.tags.get("dialogue", example.id))
        self.depths.add(example.depth)
        self.languages[identify_question(example.conversation)] += 1
        self.counts.update(
            rewrites=bool(example.rewrites),
            automatic=bool(example.automatic),
            answers=bool(example.answers),
            judged=bool(example.relevant),
            unanswerable=example.answerable is False,
        )
        for passage in example.relevant:
            self.judged.setdefault(passage, example.id)
        if not example.question.strip():
            self.without_question.append(example.id)
        if not all(answer.strip() for answer in example.answers):
            self.without_answer.append(example.id)

    def passage(self, document: Document) -> None:
        self.passages[document.doc_id] += 1
        if not document.text.strip():
            self.without_text.append(document.doc_id)

    def problems(self) -> Iterator[str]:
        """Each kind of fault with its number and the first case."""
        if not self.ids:
            yield "there is no turn in it"
        missing = [name for name in self.judged if name not in self.passages]
        faults = {
            "ids that several turns share": _shared(self.ids),
            "ids that several passages share": _shared(self.passages),
            "turns with an empty question": self.without_question,
            "turns with an empty answer": self.without_answer,
            "passages without text": self.without_text,
            "judged passages that are not among the passages": missing if self.passages else [],
        }
        for what, names in faults.items():
            if names:
                of = f" of turn {self.judged[names[0]]!r}" if names is missing else ""
                yield f"{what}: {len(names):,}, such as {names[0]!r}{of}"


def _shared(ids: Counter[str]) -> list[str]:
    return [name for name, count in ids.items() if count > 1]


def check_to_dict(found: Check) -> dict[str, Any]:
    """What `anaphora data check --json` prints."""
    return {
        "path": str(found.dataset.path),
        **_about(found.dataset.format),
        "counts": {name.replace(" ", "_"): count for name, count in found.counts.items()},
        "languages": dict(found.languages),
        "depths": list(found.depths) if found.depths else None,
        "whole": found.whole,
        "problems": list(found.problems),
    }


def check_text(found: Check) -> str:
    """What `anaphora data check` prints."""
    about = _about(found.dataset.format)
    rows = [
        ("what", about["title"]),
        ("format", about["name"]),
        ("licence", about["licence"]),
        ("home", about["home"]),
        *((name, f"{count:,}") for name, count in found.counts.items() if count),
    ]
    if found.depths:
        least, most = found.depths
        rows.append(("depth", f"{least}" if least == most else f"{least} to {most}"))
    if found.languages:
        listed = (f"{lang} {count:,}" for lang, count in found.languages.items())
        rows.append(("languages", ", ".join(listed)))
    width = max(len(name) for name, _ in rows)
    lines = [str(found.dataset.path), *(f"  {name:<{width}}  {text}" for name, text in rows)]
    return "\n".join([*lines, "whole" if found.whole else "NOT WHOLE", *found.problems])


def listing() -> list[dict[str, Any]]:
    """What `anaphora data list --json` prints: each format with its "name", "title", "licence",
    "home", and whether its sets come with passages ("documents")."""
    return [_about(one) for one in sorted(formats(), key=lambda one: one.name)]


def listing_text() -> str:
    """What `anaphora data list` prints."""
    width = max(len(one.name) for one in formats())
    indent = " " * (width + 2)
    return "\n".join(
        f"{one['name']:<{width}}  {one['title']}\n"
        f"{indent}{one['licence']}; {'with' if one['documents'] else 'no'} passages; {one['home']}"
        for one in listing()
    )


def _about(one: Format) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "licence": one.licence,
        "home": one.home,
        "documents": one.documents is not None,
    }
