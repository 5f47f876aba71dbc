"""Rewrites of the follow-ups in evaluation/follow-ups, in conversations over their manuals.

    python -m bench.follow_ups report --documents lily-de=FOLDER --documents tux-es=FOLDER …

Prints each turn with the question that was searched, and counts the complete questions that were
left as they are and the follow-ups that were rewritten rightly; see the README there. Conversations
whose documents are not given are left out.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import anaphora

_JOINT = re.compile(r"[.?!؟](?= )|[。？！](?=.)")
"""Where one question ends and another one follows."""
FILE = Path(__file__).parents[1] / "evaluation" / "follow-ups" / "conversations.jsonl"


def is_right(turn: dict, text: str) -> bool:
    """Whether a rewrite has what it needs, nothing of an older topic, and at most one earlier
    question."""
    if turn["asked"] == turn["standalone"]:
        return text == turn["asked"]
    said = text.casefold()
    return (
        all(any(word in said for word in group) for group in turn["needs"])
        and not any(word in said for word in turn.get("wrong", ()))
        and len(_JOINT.findall(text)) <= 1 + len(_JOINT.findall(turn["asked"]))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["tune", "report"])
    parser.add_argument("--documents", action="append", default=[], metavar="NAME=FOLDER")
    options = parser.parse_args()
    folders = dict(one.split("=", 1) for one in options.documents)
    counts = {"complete": [0, 0], "follow-up": [0, 0]}
    for line in FILE.read_text("utf-8").splitlines():
        talk = json.loads(line)
        if talk["part"] != options.part or talk["collection"] not in folders:
            continue
        with TemporaryDirectory() as temporary:
            folder = folders[talk["collection"]]
            with anaphora.build(folder, index=Path(temporary) / "index") as assistant:
                chat = assistant.chat()
                for number, turn in enumerate(talk["turns"]):
                    trace = chat.ask(turn["asked"]).trace
                    text = trace.rewrite.text if trace.rewrite else ""
                    right = is_right(turn, text)
                    print(f"{'+' if right else '-'} {talk['lang']} {turn['asked']} => {text}")
                    if number:
                        complete = turn["asked"] == turn["standalone"]
                        count = counts["complete" if complete else "follow-up"]
                        count[0] += right
                        count[1] += 1
    for kind, (right, total) in counts.items():
        print(f"{kind}: {right} of {total} right")


if __name__ == "__main__":
    main()
