"""Historical query expansion (HQE): Lin et al. (2020), "Query Reformulation using Query History for
Passage Retrieval in Conversational Search"; the baseline HistoricalQE in Ferreira et al. (2021),
"Open-Domain Conversational Search Assistant with Transformers", Table 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from anaphora.index import BM25, Index
from anaphora.records import UNKNOWN, Conversation, Edit, Query, Rewrite
from anaphora.rewrite.content_words import content_words, earlier_user_turns

RelativeIdf = Callable[[Sequence[str]], Sequence[float]]
"""The inverse document frequency of each word as a fraction of the largest possible, in 0..1; see
`anaphora.index.idf`."""


class Scores(Protocol):
    """How telling words and questions are."""

    def words(self, words: Sequence[str], lang: str) -> Sequence[float]:
        """The score of each word."""
        ...

    def question(self, text: str, lang: str) -> float:
        """The score of a question; a low one is ambiguous."""
        ...


@dataclass(frozen=True, slots=True)
class IdfScores:
    """Relative IDF, which does not depend on the size of the collection. A question has that of its
    most telling word."""

    relative_idf: RelativeIdf

    def words(self, words: Sequence[str], lang: str) -> Sequence[float]:
        return self.relative_idf(words)

    def question(self, text: str, lang: str) -> float:
        return max(self.relative_idf(content_words(text, lang)), default=0.0)


@dataclass(frozen=True, slots=True)
class BM25Scores:
    """The BM25 score of the best passage, as in Lin et al."""

    index: Index

    def words(self, words: Sequence[str], lang: str) -> Sequence[float]:
        mode = BM25(k1=0.82, b=0.68)
        found = self.index.search([Query(word, lang) for word in words], 1, mode)
        return [hits[0].score if hits else 0.0 for hits in found]

    def question(self, text: str, lang: str) -> float:
        return self.words([text], lang)[0]


@dataclass(frozen=True, slots=True)
class HistoricalExpansion:
    """Adds keywords of the session to the question, and to an ambiguous question those of the turns
    just before it.

    Lin et al. take nouns and adjectives, here all words but stop words. Their thresholds for BM25
    are in `of_the_paper`.

    Args:
        session: the least score of a word of any earlier user turn that is added.
        query: the least score of a word of the last `window` user turns that is added to an
            ambiguous question.
        ambiguous: a question with a lower score is ambiguous.
        window: how many user turns are searched for an ambiguous question.
    """

    scores: Scores
    session: float = 0.45
    query: float = 0.3
    ambiguous: float = 0.5
    window: int = 3

    @classmethod
    def of_the_paper(cls, index: Index) -> HistoricalExpansion:
        """With the scores and thresholds of Lin et al., chosen on TREC CAsT."""
        return cls(BM25Scores(index), session=4.5, query=3.5, ambiguous=10.0, window=5)

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._rewrite(one) for one in conversations]

    def _rewrite(self, conversation: Conversation) -> Rewrite:
        question = conversation.question.text
        own = content_words(question, conversation.lang)
        ambiguous = self.scores.question(question, conversation.lang) < self.ambiguous
        added: dict[str, int] = {}
        for distance, (number, turn) in enumerate(earlier_user_turns(conversation)):
            least = self.query if ambiguous and distance < self.window else self.session
            lang = turn.lang or UNKNOWN
            words = content_words(turn.text, lang)
            for word, score in zip(words, self.scores.words(words, lang), strict=True):
                if score >= least and word not in own:
                    added.setdefault(word, number)
        edits = tuple(Edit("insert", word, at, len(question)) for word, at in added.items())
        return Rewrite(" ".join([question, *added]), conversation.lang, edits)
