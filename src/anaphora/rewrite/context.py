"""Carrying a topic over: the words that set it are added to a question that depends on context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anaphora.language import is_context_dependent
from anaphora.language.intent import classify_intent
from anaphora.records import UNKNOWN, Conversation, Edit, Rewrite
from anaphora.rewrite.content_words import content_words, earlier_user_turns, topic_phrases
from anaphora.rewrite.expansion import RelativeIdf

_MAX_CHARACTERS = 300
"""Words are taken from the beginning of a longer turn; a longer question is self-contained."""


@dataclass(frozen=True, slots=True)
class ContextRewriter:
    """Adds the words of the user's earlier questions, back to the last self-contained one, or else
    those of the conversation's title.

    A question depends on context when it has a pronoun or a demonstrative, begins with "and", or
    has few words, all of a low relative IDF. Any other question is left as it is, because it may
    begin a new topic. The question as asked is searched too, as a variant.

    Args:
        relative_idf: of words in the index; see `anaphora.index.idf`.
        max_words: a question of at most this many words, all of a low relative IDF, depends on
            context.
        min_idf: the least relative IDF of a word that makes a short question self-contained.
    """

    relative_idf: RelativeIdf
    max_words: int = 3
    min_idf: float = 0.6

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._rewrite(one) for one in conversations]

    def _rewrite(self, conversation: Conversation) -> Rewrite:
        question, lang = conversation.question.text, conversation.lang
        if len(question) > _MAX_CHARACTERS or not self._is_dependent(question, lang):
            return Rewrite(question, lang)
        known = {word.casefold() for word in content_words(question, lang)}
        edits: list[Edit] = []
        for number, text, text_lang in self._sources(conversation):
            for phrase in topic_phrases(text, text_lang):
                if phrase.casefold() not in known:
                    known.add(phrase.casefold())
                    edits.append(Edit("insert", phrase, number, len(question)))
        if not edits:
            return Rewrite(question, lang)
        text = " ".join([question, *(edit.text for edit in edits)])
        return Rewrite(text, lang, tuple(edits), (question,))

    def _sources(self, conversation: Conversation) -> Iterator[tuple[int | None, str, str]]:
        """Texts that set the topic with their turns and languages, the newest first: the user's
        turns back to a self-contained one, courtesies aside; if there is none, then the title."""
        for number, turn in earlier_user_turns(conversation):
            if classify_intent(turn.text) != "question":
                continue
            lang = turn.lang or UNKNOWN
            yield number, _beginning(turn.text), lang
            if not self._is_dependent(turn.text, lang):
                return
        if conversation.title:
            yield None, _beginning(conversation.title), conversation.lang

    def _is_dependent(self, question: str, lang: str) -> bool:
        if is_context_dependent(question, lang):
            return True
        words = content_words(question, lang)
        if len(words) > self.max_words:
            return False
        return max(self.relative_idf(words), default=0.0) < self.min_idf


def _beginning(text: str) -> str:
    """At most `_MAX_CHARACTERS` characters, cut at a space where there is one."""
    if len(text) <= _MAX_CHARACTERS:
        return text
    whole, _, cut = text[: _MAX_CHARACTERS + 1].rpartition(" ")
    return whole or cut[:_MAX_CHARACTERS]
