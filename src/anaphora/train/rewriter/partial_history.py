"""Restores titles and case in the part of CANARD whose histories are partial.

These dialogues have no title, but the name that their rewrites insert most often is usually their
topic. Their answers are keywords in lower case, which get the case that the rewrites give the same
words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from anaphora.datasets.example import Example
from anaphora.records import Conversation, Turn
from anaphora.rewrite.tokenization import fold, word_ranges

_JOINING = "of the and de von van der del la le in for to &"
"""Words that may stand inside a name."""
_NOT_A_NAME = """
besides other aside in addition what who when where why how did was is are were the do does has have
which apart along i after before while since if as on at with for from
"""
"""Capitalised words that do not begin a name."""


def restored(examples: Iterable[Example]) -> list[Example]:
    """The examples with titles, and with the keywords in the case of the dialogue's rewrites."""
    dialogues: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        dialogues[example.tags["dialogue"]].append(example)
    cases = _cases(example.rewrites[0] for group in dialogues.values() for example in group)
    found: list[Example] = []
    for group in dialogues.values():
        title = dialogue_title(group)
        own = _cases(example.rewrites[0] for example in group)
        for example in group:
            turns = tuple(
                turn if turn.role == "user" else Turn("assistant", _answer(turn.text, own, cases))
                for turn in example.conversation.turns
            )
            conversation = Conversation(turns, title, example.id)
            found.append(replace(example, conversation=conversation))
    return found


def dialogue_title(group: Sequence[Example]) -> str | None:
    """The name that the rewrites of a dialogue insert most; the first one counts three times."""
    votes: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for example in group:
        weight = 3 if example.depth == 1 else 1
        for name in dict.fromkeys(_inserted_names(example.question, example.rewrites[0])):
            key = fold(name)
            spelled.setdefault(key, name)
            votes[key] += weight * (2 if " " in name else 1)
    if not votes:
        return None
    # The full name is the better title: "Johnny Unitas" rather than "Unitas".
    winner = votes.most_common(1)[0][0]
    longer = [key for key in votes if f" {winner} " in f" {key} " and len(key) < len(winner) + 20]
    return spelled[max(longer, key=lambda key: (votes[key], len(key)))]


def _inserted_names(question: str, rewrite: str) -> Iterable[str]:
    joining, not_names = _JOINING.split(), _NOT_A_NAME.split()
    asked = [question[a:b] for a, b in word_ranges(question)]
    ranges = word_ranges(rewrite)
    words = [rewrite[a:b] for a, b in ranges]
    matcher = SequenceMatcher(
        None, [fold(word) for word in asked], [fold(word) for word in words], autojunk=False
    )
    for kind, _, _, start, end in matcher.get_opcodes():
        if kind in ("equal", "delete"):
            continue
        at = start
        while at < end:
            if not words[at][:1].isupper() or fold(words[at]) in not_names:
                at += 1
                continue
            last = at
            for number in range(at + 1, end):
                if words[number][:1].isupper() or words[number][:1].isdigit():
                    last = number
                elif words[number] not in joining and words[number] not in "-.,()":
                    break
            name = rewrite[ranges[at][0] : ranges[last][1]].strip()
            if name.count("(") == name.count(")"):
                yield name
            at = last + 1


def _cases(texts: Iterable[str]) -> dict[str, str]:
    """The most frequent spelling of each word in lower case, first words of texts left out."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for match in list(re.finditer(r"[^\W_][\w'-]*", text))[1:]:
            seen[match.group().lower()][match.group()] += 1
    return {word: forms.most_common(1)[0][0] for word, forms in seen.items()}


def _answer(keywords: str, own: Mapping[str, str], all_: Mapping[str, str]) -> str:
    words = [word.strip() for word in keywords.split("|")]
    kept = [word for number, word in enumerate(words) if word and word not in words[:number]]
    return " ".join(own.get(word, all_.get(word, word)) for word in kept)
