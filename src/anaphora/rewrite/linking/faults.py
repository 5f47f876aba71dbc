"""What makes a linked rewrite no question in one language."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from anaphora.language import (
    begins_with_and,
    counts_characters,
    dominant_script,
    stop_words,
)
from anaphora.records import UNKNOWN, Conversation, Edit
from anaphora.rewrite.language_data import section
from anaphora.rewrite.tokenization import fold, folded_words, word_ranges

_CLAUSE = re.compile(r"[.!?;:…]\s|[。！？；：؟؛।]")
_SYMBOL = re.compile(r"[=+*/#<>|&^~%$@\\]")
_COMPLEMENT = re.compile(
    r"\w\s(?:d['’]|dell['’]|(?:de|du|des|di|del|dell[aeo]|dei|degli|d[oa]s?)\s(?:l[ao]s?\s|l['’])?)$"
)
"""What stands before the complement of a Romance noun: "capture d'écran", "captura de pantalla"."""
_PARTICLE = "を"
"""Of the object, of which a clause has one."""
_SHORT = 2


def find_fault(conversation: Conversation, text: str, edits: tuple[Edit, ...]) -> str:
    """Why a rewrite is not used as the question; empty where nothing speaks against it.

    Args:
        text: the question with the `edits` applied.
    """
    question, own = conversation.question.text, conversation.lang
    for edit in edits:
        if edit.kind == "delete" or edit.source_turn is None:
            continue
        if _CLAUSE.search(edit.text):
            return "the words of an earlier turn that fit are of two sentences"
        if _is_foreign(edit, conversation):
            return "the words of an earlier turn that fit are in another language"
        if own == "ja" and _PARTICLE in edit.text and _PARTICLE in question:
            return "the words of an earlier turn that fit are a clause of their own"
        if edit.kind == "insert" and edit.position == 0 and _begins_with_verb(question, own):
            return "the words of an earlier turn that fit stand before the verb"
        if edit.replaced and _is_statement(edit.text, own):
            return "the words of an earlier turn that fit are a sentence"
        if edit.replaced and _is_complement(edit.text, conversation.turns[edit.source_turn].text):
            return "the words of an earlier turn that fit are a part of a name"
        if _SYMBOL.search(edit.replaced):
            return "the words of an earlier turn that fit replace a symbol"
    if begins_with_and(question, own) and _begins_later(question, text):
        return "the words of an earlier turn that fit stand before “and”"
    if _repeats(conversation, text) or _stutters(conversation, text):
        return "the words of an earlier turn that fit are in the question already"
    return ""


def _is_foreign(edit: Edit, conversation: Conversation) -> bool:
    """Whether inserted words are in another language than the question. Names in Latin letters fit
    into every language, and so do names that are written in another script than their turn is."""
    assert edit.source_turn is not None
    turn, own = conversation.turns[edit.source_turn], conversation.lang
    script, written = dominant_script(edit.text), dominant_script(conversation.question.text)
    if script not in (dominant_script(turn.text), written):
        return False
    if turn.lang is None or UNKNOWN in (turn.lang, own):
        return written == "Latin" and script not in (None, "Latin")
    words = [edit.text[start:end] for start, end in word_ranges(edit.text)]
    name = all(not word[0].isalpha() or word[0].isupper() for word in words)
    return turn.lang != own and not (name and script == "Latin")


def _begins_with_verb(question: str, lang: str) -> bool:
    """Whether a question is a request, or what is to be done, with the verb first.

    >>> _begins_with_verb("change the font", "en"), _begins_with_verb("which font", "en")
    (True, False)
    """
    pattern = section(lang, "clauses").get("request")
    match = re.match(pattern, question.casefold()) if pattern else None
    return match is not None and match[0].split()[0] not in stop_words(lang)


def _is_statement(inserted: str, lang: str) -> bool:
    """Whether words that replace a pronoun have a finite verb between others.

    >>> _is_statement("the disk is full", "en"), _is_statement("the disk", "en")
    (True, False)
    """
    verbs = section(lang, "clauses").get("finite_verbs", "").split()
    return any(word in verbs for word in inserted.casefold().split()[1:-1])


def _is_complement(inserted: str, said: str) -> bool:
    """Whether words that replace a pronoun are the complement of a noun which they leave out."""
    at = said.find(inserted)
    return at > 0 and inserted[:1].islower() and _COMPLEMENT.search(said[:at]) is not None


def _repeats(conversation: Conversation, text: str) -> bool:
    """Whether a content word in lower case is in the rewrite more often than in the question, where
    it was already."""
    found = [fold(text[start:end]) for start, end in word_ranges(text) if not text[start].isupper()]
    question = conversation.question.text
    own = Counter(fold(question[start:end]) for start, end in word_ranges(question))
    ignored = stop_words(conversation.lang)
    return any(
        count > own[word] > 0
        for word, count in Counter(found).items()
        if len(word) > _SHORT and word.isalpha() and word not in ignored
    )


def _begins_later(question: str, text: str) -> bool:
    """Whether the first word of the question is in the rewrite, and not the first one there."""
    word, (first, *others) = folded_words(question)[0], folded_words(text)
    return first != word and word in others


def _stutters(conversation: Conversation, text: str) -> bool:
    """Whether a function word follows itself in the rewrite and not in the question."""
    if counts_characters(conversation.lang):
        return False
    function_words = stop_words(conversation.lang)
    doubled, own = (
        {a for a, b in pairwise(folded_words(one)) if a == b and a in function_words}
        for one in (text, conversation.question.text)
    )
    return bool(doubled - own)
