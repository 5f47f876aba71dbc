"""Pronoun substitution: the entity that a talk is about in the place of the question's pronoun."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from anaphora.language import counts_characters, identify_question
from anaphora.records import Conversation, Rewrite
from anaphora.rewrite.edits import Said, aligned_edits
from anaphora.rewrite.entities import mentioned, salient_entity
from anaphora.rewrite.linking.words import fold, word_ranges
from anaphora.rewrite.pronoun_forms import Write, forms
from anaphora.rewrite.words import content_words

_LONGEST = 1000
_WORDS_BEFORE = 3
_RELATIVE = re.compile(r"\b(?:الذي|التي|الذين|اللذين|اللتين|اللواتي|اللاتي)\b")
"""Behind these Arabic words a pronoun stands for what the question itself names."""


@dataclass(frozen=True, slots=True)
class PronounRewriter:
    """Writes the most salient entity of the talk in the place of the question's first pronoun, with
    the possessive or the case ending that the language asks for.

    A question is left alone that has no pronoun, names the entity already, or before the pronoun
    names another one or says enough for it to stand for that. The question as asked is searched
    too, as a variant.
    """

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._one(talk) for talk in conversations]

    def _one(self, talk: Conversation) -> Rewrite:
        lang = identify_question(talk)
        question = talk.question.text
        left = Rewrite(question, lang)
        text = unicodedata.normalize("NFC", question)
        found = _pronoun(text, lang) if len(text) <= _LONGEST else None
        entity = salient_entity(talk, lang) if found else None
        if not found or not entity or _names(text, entity.text):
            return left
        match, write = found
        if lang == "ar" and _RELATIVE.search(text, 0, match.start()):
            return left
        if _says_enough(text[: match.start()], lang):
            return left
        if any(start > 0 and end <= match.start() for start, end in mentioned(text, lang)):
            return left
        placed = write(match, entity.text)
        if match.start() == 0:
            placed = placed[:1].upper() + placed[1:]
        changed = f"{text[: match.start()]}{placed}{text[match.end() :]}"
        edits = aligned_edits(question, changed, lang, [Said(entity.text, entity.turn)])
        return replace(
            left, text=changed, edits=edits, variants=(question,), confidence=entity.share
        )


def _pronoun(text: str, lang: str) -> tuple[re.Match[str], Write] | None:
    """The first pronoun, and how to write an entity in its place."""
    found = [(match, write) for pattern, write in forms(lang) if (match := pattern.search(text))]
    return min(found, key=lambda one: one[0].start(), default=None)


def _says_enough(before: str, lang: str) -> bool:
    """Whether a question says so much before its pronoun that this may mean what is said there."""
    if counts_characters(lang) or lang == "ko":
        return False
    return len(content_words(before, lang)) > (_WORDS_BEFORE if lang != "vi" else 2 * _WORDS_BEFORE)


def _names(text: str, entity: str) -> bool:
    """Whether a text has all the words of an entity."""
    words = {fold(text[start:end]) for start, end in word_ranges(text)}
    own = [fold(entity[start:end]) for start, end in word_ranges(entity)]
    return all(word in words for word in own)
