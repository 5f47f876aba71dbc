"""The earlier turns as far as a rewriter may take words from them.

A user takes up what they asked, and of an answer what stands out: the name that answers, or in an
answer whose citations are not known its first sentence. Markup is never taken up: citation marks,
code and addresses.
"""

from __future__ import annotations

import re
from dataclasses import replace

from anaphora.language import counts_characters, sentences
from anaphora.language.question_words import question_type
from anaphora.records import UNKNOWN, Conversation, Turn

_MAX_CHARACTERS = 240
"""Of the first sentence of an answer; more is a quotation."""
_FENCED = re.compile(r"(?ms)^\s*(```|~~~).*?(?:^\s*\1[^\n]*$|\Z)")
_INDENTED = re.compile(r"(?m)^(?: {4}|\t|[$#>] )\s*\S.*$")
_ADDRESS = re.compile(r"(?<![0-9A-Za-z])(?:https?://|www\.)[!-~]*[/0-9A-Za-z]")
_MARK = re.compile(r"\s*\[\d{1,3}\]")
_LETTER = re.compile(r"\w")
_NAMED = frozenset({"who", "what", "which", "where"})
"""Types of questions that a name may answer."""
_NAME_WORDS, _NAME_CHARACTERS = 4, 12
"""The longest name, in words or in writing without spaces in characters."""
_NO_NAME = re.compile(r"[\d.,:;!?=<>{}|\\/$#\n。，：；！？、]")


def without_markup(text: str) -> str:
    """An answer's text without citation marks, lines of code and addresses, its white space folded.

    >>> without_markup("Run it so [1][2]:\\n```\\nmake all\\n```\\nSee https://example.org/a.")
    'Run it so: See .'
    """
    for pattern in (_FENCED, _MARK, _INDENTED, _ADDRESS):
        text = pattern.sub("", text)
    return " ".join(text.split())


def plain_text(turn: Turn) -> str:
    """The text of a turn; of an answer without its markup."""
    return turn.text if turn.role == "user" else without_markup(turn.text)


def stressed(conversation: Conversation) -> Conversation:
    """The conversation with of each answer only what stands out. The user's turns are unchanged.

    Of an answer with citations that is the shortest answer, if it is a name: its other text is that
    of a document, whose words say little about what the user means. Of another answer it is the
    first sentence.
    """
    turns: list[Turn] = []
    asked = conversation.question
    for turn in conversation.history:
        if turn.role == "user":
            asked = turn
        elif turn.citations:
            turn = replace(turn, text=_name(turn, asked))
        else:
            turn = replace(turn, text=_first_sentence(turn, conversation.lang))
        turns.append(turn)
    return replace(conversation, turns=(*turns, conversation.question))


def _name(answer: Turn, question: Turn) -> str:
    """The shortest answer to a question if it is a name, or else nothing."""
    lang = question.lang or UNKNOWN
    cited = answer.citations[0]
    name = cited.answer.strip()
    if _NO_NAME.search(name) or question_type(question.text, lang) not in _NAMED:
        return ""
    size, most = len(name.split()), _NAME_WORDS
    if counts_characters(lang):
        size, most = len(name), _NAME_CHARACTERS
    in_code = any(
        block.kind == "code" and block.start <= cited.span[0] - cited.start < block.end
        for block in cited.blocks
        if cited.span
    )
    return "" if size > most or in_code else name


def _first_sentence(turn: Turn, lang: str) -> str:
    text = without_markup(turn.text[: 20 * _MAX_CHARACTERS])
    first = next(
        (
            text[start:end]
            for start, end in sentences(text, turn.lang or lang)
            if _LETTER.search(text, start, end)
        ),
        "",
    )
    return first[:_MAX_CHARACTERS]
