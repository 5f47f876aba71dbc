"""Edits put into words: where spaces go, and how a word is written that moves.

The first word of an utterance that is no name begins with a small letter elsewhere, and the first
word of a question that began with a capital still does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from anaphora.language import scripts
from anaphora.rewrite.linking.words import Range

_CLOSING = frozenset(".,?!;:)]}%»”’。，？！、；：）】」』》…؟،؛।")
_OPENING = frozenset("([{«“‘（【「『《¿¡")


def glue(left: str, right: str) -> str:
    """What stands between two texts: a space, or nothing.

    >>> glue("Zappa", "'s"), glue("of", "Zappa"), glue("扎帕", "的")
    ('', ' ', '')
    """
    if not left or not right or left[-1].isspace() or right[0].isspace():
        return ""
    if right[0] in _CLOSING or left[-1] in _OPENING or right.lower() in ("'s", "’s"):
        return ""
    if _unspaced(left[-1]) or _unspaced(right[0]):
        return ""
    return " "


def _unspaced(char: str) -> bool:
    return (
        scripts.is_cjk(char)
        or scripts.script_of(char) in ("Thai", "Lao", "Khmer", "Myanmar")
        or char in "。，？！、；：）（【】「」『』《》"
    )


def render(
    question: str,
    words: Sequence[Range],
    deleted: Sequence[int],
    inserted: Mapping[int, Sequence[str]],
    is_empty: Callable[[str], bool],
) -> str:
    """The question with words left out and texts put before others.

    Args:
        words: the ranges of the question's words.
        inserted: texts by the number of the word they go before; len(words) is the end.
        is_empty: whether a word is one of the language's function words, which have no capital
            inside a sentence.
    """
    gone = set(deleted)
    parts: list[tuple[str, str]] = []
    end = 0
    space = ""
    for number, (start, stop) in enumerate([*words, (len(question), len(question))]):
        space += question[end:start]
        for text in inserted.get(number, ()):
            parts.append((space or "+", text))
            space = "+"
        if number == len(words):
            break
        end = stop
        if number not in gone:
            parts.append((space, question[start:stop]))
            space = ""
        elif not space:
            space = "+"
    return _capitalised(question, parts, bool(inserted.get(0)) or 0 in gone, is_empty)


def _capitalised(
    question: str,
    parts: Sequence[tuple[str, str]],
    changed: bool,
    is_empty: Callable[[str], bool],
) -> str:
    text = ""
    begins = question[:1].isupper()
    for number, (space, part) in enumerate(parts):
        head = part.split(" ", 1)[0]
        if changed and begins:
            if number == 0:
                part = part[:1].upper() + part[1:]
            elif part[:1].isupper() and is_empty(head) and question.startswith(part):
                part = part[:1].lower() + part[1:]
        if space in ("", "+"):
            text += (glue(text, part) if space else "") + part
        else:
            text += space + part if glue(text, part) or not text else part
    return text.strip()
