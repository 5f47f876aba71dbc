"""References to items of a list that an answer shows, such as "the second one"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from anaphora.language import counts_characters
from anaphora.language.list_references import LAST, list_reference, pair
from anaphora.records import Block, Citation, Conversation, Edit, Rewrite, Turn

_ANSWERS = 3
"""How many answers back the list may be."""
_LINE = re.compile(r"(?m)^([ \t]*)(?:[•◦▪‣*–-]|(\d{1,2})[.)、])[ \t]+(\S.*)$")
_NUMBER = re.compile(r"\d{1,2}")
_NAME_ENDS = re.compile(r"[:;：；。！？！\n\t|]|[.!?,](?:\s|$)|\s[–—-]\s|\s?[(（\[]")
_QUESTIONS = 2
"""How many questions back the one about two things may be."""
_WORDS, _SHORT = 4, 16
"""The longest short name of an item, in words, or in writing without spaces in characters."""
_LONGEST = 60
_CITED = re.compile(r"\s*\[\d{1,3}\]")

Item = tuple[int, str]
"""The number of an item as it is shown, and its text."""


def with_items(conversation: Conversation) -> tuple[Conversation, tuple[Edit, ...]]:
    """The conversation with what its user called by its number in a list called by its name
    instead, and the edits of its question.

    >>> answer = "There are two modes:\\n• Soft: it blurs.\\n• Hard: it does not."
    >>> turns = Turn("user", "Which modes are there?", "en"), Turn("assistant", answer)
    >>> asked = Conversation((*turns, Turn("user", "what does the second one do", "en")))
    >>> with_items(asked)[0].question.text
    'what does Hard do'
    """
    turns: list[Turn] = []
    edits: tuple[Edit, ...] = ()
    for turn in conversation.turns:
        if turn.role == "user":
            # "And the last one?" goes on with the list of the question before.
            found = _named(turn, turns, [edit.source_turn for edit in edits])
            turn, edits = (found[0], (found[1],)) if found else (turn, ())
        turns.append(turn)
    return replace(conversation, turns=tuple(turns)), edits


def with_edits(rewrite: Rewrite, edits: tuple[Edit, ...], question: str) -> Rewrite:
    """The rewrite of a question that `edits` have changed, as one of the question before them.

    Args:
        question: as the edits left it.
    """
    if not edits:
        return rewrite
    (edit,) = edits
    longer = len(edit.text) - len(edit.replaced)

    def shifted(one: Edit) -> Edit:
        return replace(one, position=max(edit.position, one.position - longer))

    later = (one if one.position <= edit.position else shifted(one) for one in rewrite.edits)
    found = replace(
        rewrite,
        edits=tuple(sorted((edit, *later), key=lambda one: one.position)),
        alternatives=tuple(with_edits(one, edits, question) for one in rewrite.alternatives),
    )
    if rewrite.text != question:
        return found
    return replace(found, decision="rewrite", reason=f"“{edit.replaced}” is an item of a list")


def _named(
    turn: Turn, before: Sequence[Turn], lists: Sequence[int | None]
) -> tuple[Turn, Edit] | None:
    """The turn with the item that it refers to; of the answers those in `lists` come first."""
    reference = list_reference(turn.text, turn.lang or "")
    if reference is None:
        return None
    answers = [at for at, one in enumerate(before) if one.role == "assistant"]
    recent = sorted(answers[: -_ANSWERS - 1 : -1], key=lambda at: (at not in lists, -at))
    listed = ((at, _name(_item(_items(before[at]), reference.number))) for at in recent)
    found = next(((at, name) for at, name in listed if name), None)
    # Sentences in a list are no things that a user would count rather than those just asked about.
    if found is None or not _is_short(found[1], turn.lang or ""):
        found = _one_of_two(before, reference.number) or found
    if found is None:
        return None
    at, name = found
    said = turn.text[reference.start : reference.end]
    text = turn.text[: reference.start] + name + turn.text[reference.end :]
    return replace(turn, text=text), Edit("replace", name, at, reference.start, said)


def _one_of_two(before: Sequence[Turn], number: int) -> tuple[int, str] | None:
    """The turn among the user's last ones that asks about two things, and the one with a number."""
    asked = [at for at, one in enumerate(before) if one.role == "user"]
    for at in asked[: -_QUESTIONS - 1 : -1]:
        two = pair(before[at].text, before[at].lang or "")
        if two and number in (1, 2, LAST):
            return at, two[number - 1] if number > 0 else two[-1]
    return None


def _is_short(name: str, lang: str) -> bool:
    return len(name) <= _SHORT if counts_characters(lang) else len(name.split()) <= _WORDS


def _item(items: Sequence[Item], number: int) -> str:
    if number == LAST and items:
        return items[-1][1]
    return dict(items).get(number, "")


def _items(answer: Turn) -> list[Item]:
    """The items of the first list that an answer shows; empty without a list."""
    lists = [_listed(citation) for citation in answer.citations] or [_lines(answer.text)]
    return next((items for items in lists if len(items) > 1), [])


def _listed(citation: Citation) -> list[Item]:
    """The items of a citation that are not inside other items, or else its terms."""
    for kind in ("item", "term"):
        blocks = [block for block in citation.blocks if block.kind == kind]
        depth = min((block.depth for block in blocks), default=0)
        blocks = [block for block in blocks if block.depth == depth]
        if len(blocks) > 1:
            return [
                (_shown_number(block.marker, at), _text(citation, block))
                for at, block in enumerate(blocks, 1)
            ]
    return []


def _text(citation: Citation, block: Block) -> str:
    return citation.quote[block.start : block.end].strip()


def _lines(text: str) -> list[Item]:
    found = list(_LINE.finditer(text))
    depth = min((len(line[1]) for line in found), default=0)
    outer = [line for line in found if len(line[1]) == depth]
    return [(_shown_number(line[2] or "", at), line[3]) for at, line in enumerate(outer, 1)]


def _shown_number(marker: str, otherwise: int) -> int:
    number = _NUMBER.match(marker)
    return int(number[0]) if number else otherwise


def _name(text: str) -> str:
    """What an item is called: its beginning up to the end of a clause, in whole words; empty for
    one without letters, such as the name of a key.

    >>> _name("Guided partitioning: the installer does it."), _name("RAID 1 (mirrored disks)")
    ('Guided partitioning', 'RAID 1')
    """
    text = _CITED.sub("", text).strip()
    end = _NAME_ENDS.search(text)
    name = (text[: end.start()] if end else text).strip()
    if not any(map(str.isalpha, name)):
        return ""
    if len(name) <= _LONGEST:
        return name
    return name[: _LONGEST + 1].rpartition(" ")[0] or name[:_LONGEST]
