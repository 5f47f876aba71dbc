"""Possessive pronouns in languages where the possessor follows the noun: "sus obras" becomes "las
obras de" and the name.

The linker has learned to insert a name only in the place of the pronoun, or at the end of the
question.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from anaphora.rewrite.language_data import languages, section
from anaphora.rewrite.linking.decoding import Insertion, Span
from anaphora.rewrite.linking.sequence import Layout
from anaphora.rewrite.pronoun_forms import possessed


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """What these rules may insert next to a name, in all languages."""
    tables = [section(lang, "possessives") for lang in languages()]
    words = {word for table in tables for word in table.get("function_words", "").split()}
    return frozenset(words.union(*(table.get("contractions", {}).values() for table in tables)))


@lru_cache(maxsize=1)
def _articles() -> frozenset[str]:
    """The definite articles of all languages, without elided ones."""
    found = {word for lang in languages() for word in _definite_articles(lang)}
    return frozenset(word for word in found if word.isalpha())


@lru_cache(maxsize=32)
def _definite_articles(lang: str) -> frozenset[str]:
    return frozenset(section(lang, "possessives").get("definite_articles", "").split())


def move_possessor(
    insertions: Sequence[Insertion],
    deleted: set[int],
    layout: Layout,
    lang: str,
    number: Mapping[str, int],
) -> tuple[list[Insertion], set[int]]:
    """The edits with the name after the noun that it possesses, if the linker inserted it in the
    place of a possessive, or at the end of the question without deleting its only possessive.

    Args:
        deleted: numbers of words.
        number: of each text of the closed set.
    """
    table = section(lang, "possessives")
    if not table:
        return list(insertions), deleted
    words = range(layout.context, len(layout.words))
    texts = [layout.text(word, word) for word in words]
    if len(insertions) == 2:
        return [_with_article(one, texts, lang, number) for one in insertions], deleted
    if len(insertions) != 1 or not insertions[0].spans:
        return list(insertions), deleted
    (one,) = insertions
    at = _possessive(one, deleted, texts, lang)
    if at is None:
        return [one], deleted
    noun = at + 1
    adjectives = table["adjectives_before_nouns"].split()
    while noun < len(texts) - 1 and texts[noun].lower() in adjectives:
        noun += 1
    name = layout.text(one.spans[0].first - 1, one.spans[0].last - 1)
    found = possessed(texts[at], texts[noun], name, lang)
    if not found or noun in deleted:
        return [one], deleted
    article, of = found
    if lang == "fr" and noun > at + 1:
        # Whether the article is "l’" depends on the next word.
        article = (possessed(texts[at], texts[at + 1], name, lang) or found)[0]
    # An article before the possessive stays: "il suo".
    if at and at - 1 not in deleted and texts[at - 1].lower() in _articles():
        article = ""
    # After the noun, or after words that belong to it, where the linker inserted the name there.
    owner = replace(one, gap=max(one.gap, noun + 1), phrases=(number[of], one.phrases[1], 0))
    first = at - 1 if at - 1 in deleted else at
    head = [Insertion(first, (), (number[article], 0, 0), one.probability)] if article else []
    return [*head, owner], deleted | {at}


def _with_article(
    one: Insertion, texts: Sequence[str], lang: str, number: Mapping[str, int]
) -> Insertion:
    """An article that the linker inserted for a possessive, in the form that the noun after it
    needs."""
    if one.spans or one.gap + 1 >= len(texts):
        return one
    found = possessed(texts[one.gap], texts[one.gap + 1], "", lang)
    articles = {number[text] for text in _articles() if text in number}
    if not found or not found[0] or one.phrases[0] not in articles:
        return one
    return replace(one, phrases=(number[found[0]], 0, 0))


def _possessive(one: Insertion, deleted: set[int], texts: list[str], lang: str) -> int | None:
    """The number of the possessive that a name was inserted for."""
    own = [
        number
        for number in range(len(texts) - 1)
        if possessed(texts[number], texts[number + 1], "", lang)
    ]
    own = [number for number in own if number in deleted] or own
    if len(own) != 1:
        return None
    run = {number for number in deleted if one.gap <= number <= own[0]}
    article = len(run) == 2 and texts[one.gap].lower() in _articles()
    if deleted == run and own[0] in run and (len(run) == 1 or article):
        return own[0]
    after = "".join(texts[one.gap :])
    if not deleted and one.gap > own[0] and not any(char.isalnum() for char in after):
        return own[0]
    return None


def contract(one: Insertion, layout: Layout, lang: str, number: Mapping[str, int]) -> Insertion:
    """The insertion with the article that a name has in the conversation, after a preposition, as
    one word where the language contracts them: "du Louvre", "de la tour Eiffel"."""
    pairs = section(lang, "possessives").get("contractions", {})
    prepositions = {number[word]: word for word in {pair.split(" ")[0] for pair in pairs}}
    preposition = prepositions.get(one.phrases[0])
    if not one.spans or preposition is None:
        return one
    span, phrases = one.spans[0], one.phrases
    if _first_word(span, layout) == preposition and span.first < span.last:
        span = replace(span, first=span.first + 1)
    span = _from_article(span, layout, _definite_articles(lang))
    both = pairs.get(f"{preposition} {_first_word(span, layout)}")
    if both and span.first < span.last:
        span, phrases = replace(span, first=span.first + 1), (number[both], *phrases[1:])
    return replace(one, spans=(span, *one.spans[1:]), phrases=phrases)


def _first_word(span: Span, layout: Layout) -> str:
    return layout.text(span.first - 1, span.first - 1).lower()


def _from_article(span: Span, layout: Layout, articles: Container[str]) -> Span:
    """The span from the article before it, if there is one."""
    word = span.first - 1
    for size in (1, 2):  # "l’" is two words
        first = word - size
        together = first >= 0 and layout.words[first].utterance == layout.words[word].utterance
        if together and layout.text(first, word - 1).lower() in articles:
            return replace(span, first=span.first - size)
    return span
