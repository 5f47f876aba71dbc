"""TASK: the restaurant dialogues of CamRest676, with elliptic and referring versions (GECOR)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, Utterance, conversation
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import json_items
from anaphora.datasets.sniffing import with_fields

_COMPLETE = "transcript_complete"
_VERSIONS = {
    "ellipsis": "transcript_with_ellipsis",
    "coreference": "transcript_with_coreference",
}


def examples(path: Path) -> Iterator[Example]:
    """One example an incomplete version of a turn, and one a turn that has none; the complete
    version is the rewrite. The tags are the dialogue, the turn and "incompleteness": ellipsis,
    coreference or none. What the user said before is complete, as in the experiments on it."""
    ids = Ids()
    for dialogue in json_items(path):
        name = dialogue.identity("dialogue_id")
        said: list[Utterance] = []
        for turn in dialogue.records("dial"):
            user = turn.record("usr")
            complete = user.filled(_COMPLETE)
            number = turn.identity("turn")
            given = {kind: user.text(field, "") for kind, field in _VERSIONS.items()}
            versions = {kind: text for kind, text in given.items() if text.strip()}
            for kind, text in (versions or {"none": complete}).items():
                identity = ids.take(f"{name}_{number}_{kind}", turn, "turn")
                yield Example(
                    conversation(identity, said, text),
                    rewrites=(complete,),
                    tags={"dialogue": name, "turn": number, "incompleteness": kind},
                )
            said += [("user", complete), ("assistant", turn.record("sys").text("sent"))]


FORMAT = Format(
    name="task",
    title="TASK (CamRest676): restaurant dialogues with ellipsis and coreference",
    licence="CC BY 4.0",
    home="https://github.com/terryqj0107/GECOR",
    recognises=with_fields("dial", _COMPLETE, *_VERSIONS.values()),
    examples=examples,
)
