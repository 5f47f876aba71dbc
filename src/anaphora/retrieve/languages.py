"""Retrieval across languages: of passages in chosen languages, and with translated questions.

The choices are those of Chirkova et al. (2024), "Retrieval-augmented generation in multilingual
settings", Tables 1 and 7.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from anaphora.errors import ModelUnavailable
from anaphora.protocols import Retriever, Translator
from anaphora.records import UNKNOWN, Hit, Query
from anaphora.retrieve.fusion import Method, fuse

logger = logging.getLogger(__name__)

Languages: TypeAlias = Literal["all", "own", "english", "both"]
"""In which languages passages are searched: all, that of the question, English, or these two."""

_FURTHER = 4
"""By how much more hits are asked for, while too few are in the chosen languages."""
_MOST = 10_000


def chosen(languages: Languages, query: Query) -> frozenset[str] | None:
    """The codes of the languages in which a query's passages are; None for all.

    A question whose language is unknown is not restricted to it.

    >>> sorted(chosen("both", Query("Où ?", "fr")))
    ['en', 'fr']
    """
    if languages == "all" or (languages != "english" and query.lang == UNKNOWN):
        return None
    codes = {"own": {query.lang}, "english": {"en"}, "both": {query.lang, "en"}}
    return frozenset(codes[languages])


@dataclass(frozen=True)
class LanguageRetriever:
    """The best hits in the chosen languages, in the order of another retriever."""

    retriever: Retriever
    languages: Languages

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [self._one(query, k) for query in queries]

    def _one(self, query: Query, k: int) -> list[Hit]:
        codes = chosen(self.languages, query)
        asked = k
        while True:
            (hits,) = self.retriever.retrieve([query], asked)
            kept = [hit for hit in hits if codes is None or hit.passage.lang in codes]
            if len(kept) >= k or len(hits) < asked or asked >= _MOST:
                return _ranked(kept[:k])
            asked *= _FURTHER


@dataclass(frozen=True)
class TranslatingRetriever:
    """Searches with each question and with its translations, and fuses the rankings.

    If the translator fails, the question alone is searched.

    Args:
        targets: the languages into which a query is translated; its own is left out.
        weight: of a translation's ranking, relative to that of the question.
        depth: hits of each ranking.
        only: whether a question that was translated is searched in translation only, for a
            retriever that does not know its language.
    """

    retriever: Retriever
    translator: Translator
    targets: Callable[[Query], Sequence[str]]
    method: Method = "rrf"
    weight: float = 1.0
    depth: int = 100
    only: bool = False

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        searches = [self._searches(query) for query in queries]
        flat = [query for group in searches for query in group]
        found = iter(self.retriever.retrieve(flat, max(k, self.depth)) if flat else ())
        results = []
        for group in searches:
            rankings = [(1.0 if not at else self.weight, next(found)) for at in range(len(group))]
            alone = len(rankings) == 1
            results.append(rankings[0][1][:k] if alone else fuse(rankings, k, self.method))
        return results

    def _searches(self, query: Query) -> list[Query]:
        translated = self._translated(query)
        return translated if translated and self.only else [query, *translated]

    def _translated(self, query: Query) -> list[Query]:
        if query.lang == UNKNOWN or not any(map(str.isalnum, query.text)):
            return []
        made = []
        for lang in self.targets(query):
            if lang in (query.lang, UNKNOWN):
                continue
            try:
                (text,) = self.translator.translate([query.text], query.lang, lang)
            except ModelUnavailable as error:
                logger.warning(f"the question is searched without translation: {error}")
                return []
            if text:
                made.append(Query(text, lang, id=query.id, conversation=query.conversation))
        return made


def _ranked(hits: Sequence[Hit]) -> list[Hit]:
    return [replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)]
