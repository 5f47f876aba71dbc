"""Pronoun resolution: the most salient entity of the conversation replaces the first pronoun."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.language import counts_characters
from anaphora.normal_form import normal_form
from anaphora.records import Conversation, Rewrite
from anaphora.rewrite.content_words import content_words
from anaphora.rewrite.context_turns import stressed
from anaphora.rewrite.edits import ContextText, aligned_edits
from anaphora.rewrite.entities import named_entities, salient_entity
from anaphora.rewrite.pronoun_forms import Substitute, forms
from anaphora.rewrite.tokenization import folded_words

_MAX_CHARACTERS = 1000
_MAX_WORDS_BEFORE = 3
_ARABIC_RELATIVE = re.compile(r"\b(?:الذي|التي|الذين|اللذين|اللتين|اللواتي|اللاتي)\b")
"""A pronoun after one of these relative pronouns refers to something in the question itself."""


@dataclass(frozen=True, slots=True)
class PronounRewriter:
    """Replaces the question's first pronoun with the most salient entity of the conversation, with
    the possessive or the case ending that the language needs.

    A question is left as it is that has no pronoun, that names the entity already, or in which the
    pronoun may refer to something before it in the question. The question as asked is searched too,
    as a variant.
    """

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._rewrite(one) for one in conversations]

    def _rewrite(self, conversation: Conversation) -> Rewrite:
        question, lang = conversation.question.text, conversation.lang
        unchanged = Rewrite(question, lang)
        text = normal_form("NFC", question)
        found = _first_pronoun(text, lang) if len(text) <= _MAX_CHARACTERS else None
        entity = salient_entity(stressed(conversation), lang) if found else None
        if not found or not entity or _names(text, entity.text):
            return unchanged
        if _may_refer_within(text, found[0].start(), lang):
            return unchanged
        rewritten = _replaced(text, *found, entity.text)
        source = ContextText(entity.text, entity.turn)
        edits = aligned_edits(question, rewritten, lang, [source])
        return Rewrite(rewritten, lang, edits, (question,), entity.salience)


def with_name(question: str, name: str, lang: str) -> str:
    """The question with a name in the place of its first pronoun; empty if it has none.

    >>> with_name("how do I delete it?", "a profile", "en"), with_name("why?", "a profile", "en")
    ('how do I delete a profile?', '')
    """
    text = normal_form("NFC", question)
    found = _first_pronoun(text, lang) if len(text) <= _MAX_CHARACTERS else None
    if not found or _names(text, name) or _may_refer_within(text, found[0].start(), lang):
        return ""
    return _replaced(text, *found, name)


def open_pronoun(question: str, lang: str) -> str:
    """The first pronoun of a question, in small letters; empty if it may refer within the question.

    >>> open_pronoun("What port does it use?", "en"), open_pronoun("What is a port?", "en")
    ('it', '')
    """
    text = normal_form("NFC", question)
    found = _first_pronoun(text, lang) if len(text) <= _MAX_CHARACTERS else None
    if not found or _may_refer_within(text, found[0].start(), lang):
        return ""
    return found[0][0].casefold()


def _replaced(text: str, match: re.Match[str], substitute: Substitute, name: str) -> str:
    replacement = substitute(match, name)
    if match.start() == 0:
        replacement = replacement[:1].upper() + replacement[1:]
    return f"{text[: match.start()]}{replacement}{text[match.end() :]}"


def _first_pronoun(text: str, lang: str) -> tuple[re.Match[str], Substitute] | None:
    found = [(match, write) for pattern, write in forms(lang) if (match := pattern.search(text))]
    return min(found, key=lambda one: one[0].start(), default=None)


def _may_refer_within(text: str, pronoun: int, lang: str) -> bool:
    """Whether a pronoun at an offset of the question may refer to something before it there: a
    relative clause's noun, a named entity, or one of many content words."""
    if lang == "ar" and _ARABIC_RELATIVE.search(text, 0, pronoun):
        return True
    if not counts_characters(lang) and lang != "ko":
        # Vietnamese writes a space between syllables.
        most = _MAX_WORDS_BEFORE * (2 if lang == "vi" else 1)
        if len(content_words(text[:pronoun], lang)) > most:
            return True
    return any(start > 0 and end <= pronoun for start, end in named_entities(text, lang))


def _names(text: str, entity: str) -> bool:
    """Whether a text has all the words of an entity."""
    return set(folded_words(entity)) <= set(folded_words(text))
