"""TASK: the restaurant dialogues of CamRest676, with elliptic and referring versions (GECOR)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.dialogue import Ids, Utterance, conversation, field_names
from anaphora.datasets.example import Example, Format
from anaphora.datasets.reading import json_items

_COMPLETE = "transcript_complete"
_VERSIONS = {
    "ellipsis": "transcript_with_ellipsis",
    "coreference": "transcript_with_coreference",
}


def recognises(path: Path) -> bool:
    return field_names(path) >= {"dial", _COMPLETE, *_VERSIONS.values()}


def examples(path: Path) -> Iterator[Example]:
    """One example an incomplete version of a turn, by the tag "incompleteness"; the complete
    version is its rewrite. What the user said before is complete, as in the experiments on it."""
    ids = Ids()
    for dialogue in json_items(path):
        name = dialogue.identity("dialogue_id")
        said: list[Utterance] = []
        for turn in dialogue.records("dial"):
            user = turn.record("usr")
            complete = user.filled(_COMPLETE)
            for kind, field in _VERSIONS.items():
                if not user.text(field, "").strip():
                    continue
                identity = ids.take(f"{name}_{turn.identity('turn')}_{kind}", turn, "turn")
                yield Example(
                    conversation(identity, said, user.filled(field)),
                    rewrites=(complete,),
                    tags={"dialogue": name, "incompleteness": kind},
                )
            said += [("user", complete), ("assistant", turn.record("sys").text("sent"))]


FORMAT = Format(
    name="task",
    title="TASK (CamRest676): restaurant dialogues with ellipsis and coreference",
    licence="CC BY 4.0",
    home="https://github.com/terryqj0107/GECOR",
    recognises=recognises,
    examples=examples,
)
