"""Whose something is, in languages that say it behind the noun: "sus obras" is "las obras de" and
the name.

The linker only learned to put a name where the pronoun was, or at the end of the question.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Final

from anaphora.rewrite.linking.decoding import Choice, Placed
from anaphora.rewrite.linking.sequence import Layout
from anaphora.rewrite.pronoun_forms import possessed

_BEFORE_NOUNS: Final = {
    "es": "primer primera primeros primeras segundo segunda último última últimos últimas mejor "
    "mejores mayor mayores gran grandes nuevo nueva nuevos nuevas principal principales",
    "fr": "premier première premiers premières second seconde dernier dernière derniers dernières "
    "meilleur meilleure meilleurs meilleures grand grande grands grandes nouveau nouvel nouvelle "
    "nouveaux nouvelles principal principale principaux principales propre propres plus",
    "it": "primo prima primi prime secondo seconda ultimo ultima ultimi ultime migliore migliori "
    "maggiore maggiori grande grandi nuovo nuova nuovi nuove principale principali più",
    "pt": "primeiro primeira primeiros primeiras segundo segunda último última últimos últimas "
    "melhor melhores maior maiores grande grandes novo nova novos novas principal principais",
}
_DEFINITE: Final[dict[str, frozenset[str]]] = {
    "es": frozenset({"el", "la", "los", "las"}),
    "fr": frozenset({"le", "la", "les", "l’", "l'"}),
    "it": frozenset({"il", "lo", "la", "i", "gli", "le", "l’", "l'"}),
    "pt": frozenset({"o", "a", "os", "as"}),
}
_ARTICLES: Final = frozenset(
    {"el", "la", "los", "las", "le", "les", "il", "lo", "i", "gli", "o", "a", "os", "as"}
)
_CONTRACTED: Final[dict[str, dict[str, str]]] = {
    "es": {"de el": "del", "a el": "al"},
    "fr": {"de le": "du", "de les": "des"},
    "it": {
        "di il": "del",
        "di lo": "dello",
        "di la": "della",
        "di i": "dei",
        "di gli": "degli",
        "di le": "delle",
        "a il": "al",
        "a la": "alla",
        "a lo": "allo",
        "a i": "ai",
        "a gli": "agli",
        "a le": "alle",
    },
    "pt": {
        "de o": "do",
        "de a": "da",
        "de os": "dos",
        "de as": "das",
        "em o": "no",
        "em a": "na",
        "em os": "nos",
        "em as": "nas",
    },
}
FUNCTION_WORDS: Final = frozenset(
    {"el", "la", "los", "las", "le", "les", "l’", "o", "a", "os", "as", "de", "d’", "di"}
    | {word for pairs in _CONTRACTED.values() for word in pairs.values()}
)
"""What they put in beside names."""


def with_owner(
    placed: Sequence[Placed],
    deleted: set[int],
    layout: Layout,
    lang: str,
    number: Mapping[str, int],
) -> tuple[list[Placed], set[int]]:
    """The edits with the name behind what is its own, where it was put for a possessive, or at the
    end of the question and its only possessive stayed.

    Args:
        deleted: numbers of words.
        number: of each text of the closed set.
    """
    if lang not in _BEFORE_NOUNS:
        return list(placed), deleted
    words = range(layout.context, len(layout.words))
    texts = [layout.text(word, word) for word in words]
    if len(placed) == 2:
        return [_with_article(one, texts, lang, number) for one in placed], deleted
    if len(placed) != 1 or not placed[0].spans:
        return list(placed), deleted
    (one,) = placed
    at = _possessive(one, deleted, texts, lang)
    if at is None:
        return [one], deleted
    noun = at + 1
    while noun < len(texts) - 1 and texts[noun].lower() in _BEFORE_NOUNS[lang].split():
        noun += 1
    name = layout.text(one.spans[0].first - 1, one.spans[0].last - 1)
    found = possessed(texts[at], texts[noun], name, lang)
    if not found or noun in deleted:
        return [one], deleted
    article, of = found
    if lang == "fr" and noun > at + 1:
        # Whether the article is "l’" is for the next word to say.
        article = (possessed(texts[at], texts[at + 1], name, lang) or found)[0]
    # The article stays that stands before the possessive: "il suo".
    if at and at - 1 not in deleted and texts[at - 1].lower() in _ARTICLES:
        article = ""
    # Behind words that are the noun's too, where the linker put it there itself.
    owner = replace(one, gap=max(one.gap, noun + 1), phrases=(number[of], one.phrases[1], 0))
    first = at - 1 if at - 1 in deleted else at
    head = [Placed(first, (), (number[article], 0, 0), one.chance)] if article else []
    return [*head, owner], deleted | {at}


def _with_article(
    one: Placed, texts: Sequence[str], lang: str, number: Mapping[str, int]
) -> Placed:
    """An article that the linker put for a possessive as the noun behind it has it."""
    if one.spans or one.gap + 1 >= len(texts):
        return one
    found = possessed(texts[one.gap], texts[one.gap + 1], "", lang)
    articles = {number[text] for text in _ARTICLES if text in number}
    if not found or not found[0] or one.phrases[0] not in articles:
        return one
    return replace(one, phrases=(number[found[0]], 0, 0))


def _possessive(one: Placed, deleted: set[int], texts: list[str], lang: str) -> int | None:
    """The number of the possessive that a name was put for."""
    own = [
        number
        for number in range(len(texts) - 1)
        if possessed(texts[number], texts[number + 1], "", lang)
    ]
    own = [number for number in own if number in deleted] or own
    if len(own) != 1:
        return None
    run = {number for number in deleted if one.gap <= number <= own[0]}
    article = len(run) == 2 and texts[one.gap].lower() in _ARTICLES
    if deleted == run and own[0] in run and (len(run) == 1 or article):
        return own[0]
    behind = "".join(texts[one.gap :])
    if not deleted and one.gap > own[0] and not any(char.isalnum() for char in behind):
        return own[0]
    return None


def contracted(one: Placed, layout: Layout, lang: str, number: Mapping[str, int]) -> Placed:
    """The edit with the article that the talk has before what comes after a preposition, and the
    two in one word where the language writes them so: "du Louvre", "de la tour Eiffel"."""
    pairs = _CONTRACTED.get(lang, {})
    prepositions = {number[word]: word for word in {pair.split(" ")[0] for pair in pairs}}
    preposition = prepositions.get(one.phrases[0])
    if not one.spans or preposition is None:
        return one
    span, phrases = one.spans[0], one.phrases
    if _begins(span, layout) == preposition and span.first < span.last:
        span = replace(span, first=span.first + 1)
    span = _from_article(span, layout, _DEFINITE[lang])
    both = pairs.get(f"{preposition} {_begins(span, layout)}")
    if both and span.first < span.last:
        span, phrases = replace(span, first=span.first + 1), (number[both], *phrases[1:])
    return replace(one, spans=(span, *one.spans[1:]), phrases=phrases)


def _begins(span: Choice, layout: Layout) -> str:
    return layout.text(span.first - 1, span.first - 1).lower()


def _from_article(span: Choice, layout: Layout, articles: Container[str]) -> Choice:
    word = span.first - 1
    for size in (1, 2):  # "l’" is two words
        first = word - size
        together = first >= 0 and layout.words[first].utterance == layout.words[word].utterance
        if together and layout.text(first, word - 1).lower() in articles:
            return replace(span, first=span.first - size)
    return span
