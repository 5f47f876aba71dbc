"""Carrying a topic over: a question that leans on the talk gets the words that set its topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anaphora.language import identify_question, is_context_dependent
from anaphora.records import Conversation, Edit, Rewrite
from anaphora.rewrite.expansion import RelativeIdf
from anaphora.rewrite.words import carried_words, content_words, user_turns
from anaphora.understand import classify_intent

_LENT = 300
"""How many characters of a turn may lend words; a longer question says enough itself."""


@dataclass(frozen=True, slots=True)
class ContextRewriter:
    """Adds the words of the user's earlier questions, back to the last one that stood alone, or to
    the title of the conversation.

    A question leans on the talk when it has a pronoun or a pointing word, begins with "and", or
    has few words and none of them keen. Any other question is left alone, because it may begin a
    new topic. The question as asked is searched too, as a variant.

    Args:
        relative_idf: the index's judgement of words; see `anaphora.index.idf`.
        few: a question of at most this many words, none of them keen, leans.
        keen: the relative_idf from which a word says enough to stand alone.
    """

    relative_idf: RelativeIdf
    few: int = 3
    keen: float = 0.6

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._one(talk) for talk in conversations]

    def _one(self, talk: Conversation) -> Rewrite:
        lang = identify_question(talk)
        question = talk.question.text
        if len(question) > _LENT or not self._leans(question, lang):
            return Rewrite(question, lang)
        known = {word.casefold() for word in content_words(question, lang)}
        edits: list[Edit] = []
        for number, text, spoken in self._said(talk, lang):
            for word in carried_words(text, spoken):
                if word.casefold() not in known:
                    known.add(word.casefold())
                    edits.append(Edit("insert", word, number, len(question)))
        if not edits:
            return Rewrite(question, lang)
        text = " ".join([question, *(edit.text for edit in edits)])
        return Rewrite(text, lang, tuple(edits), (question,))

    def _said(self, talk: Conversation, lang: str) -> Iterator[tuple[int | None, str, str]]:
        """What may lend words, the newest first, with its turn and language: the user's turns back
        to one that stood alone; where none did, the title that the talk is about. Of long ones the
        beginning, and nothing of greetings."""
        for number, turn, spoken in user_turns(talk):
            if classify_intent(turn.text) != "question":
                continue
            yield number, _beginning(turn.text), spoken
            if not self._leans(turn.text, spoken):
                return
        if talk.title:
            yield None, _beginning(talk.title), lang

    def _leans(self, question: str, lang: str) -> bool:
        if is_context_dependent(question, lang):
            return True
        words = content_words(question, lang)
        return len(words) <= self.few and max(self.relative_idf(words), default=0.0) < self.keen


def _beginning(text: str) -> str:
    """At most `_LENT` characters, and no part of a word that spaces mark off."""
    if len(text) <= _LENT:
        return text
    whole, _, cut = text[: _LENT + 1].rpartition(" ")
    return whole or cut[:_LENT]
