"""Historical query expansion (HQE): Lin et al. (2020), "Query Reformulation using Query History for
Passage Retrieval in Conversational Search"; the baseline HistoricalQE in Ferreira et al. (2021),
"Open-Domain Conversational Search Assistant with Transformers", Table 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.records import UNKNOWN, Conversation, Edit, Rewrite
from anaphora.rewrite.content_words import content_words, earlier_user_turns

RelativeIdf = Callable[[Sequence[str]], Sequence[float]]
"""The inverse document frequency of each word as a fraction of the largest possible, in 0..1; see
`anaphora.index.idf`."""


@dataclass(frozen=True, slots=True)
class HistoricalExpansion:
    """Adds keywords of the session to the question, and to an ambiguous question those of the turns
    just before it.

    Lin et al. compare BM25 scores with thresholds; those depend on the size of the collection, so
    that relative IDF stands in for them.

    Args:
        relative_idf: of words in the index.
        session: the least relative IDF of a word of any earlier user turn that is added.
        query: the least relative IDF of a word of the last `window` user turns that is added to an
            ambiguous question.
        ambiguous: a question is ambiguous when all of its words have a lower relative IDF.
        window: how many user turns are searched for an ambiguous question.
    """

    relative_idf: RelativeIdf
    session: float = 0.45
    query: float = 0.3
    ambiguous: float = 0.5
    window: int = 3

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._rewrite(one) for one in conversations]

    def _rewrite(self, conversation: Conversation) -> Rewrite:
        question = conversation.question.text
        own = content_words(question, conversation.lang)
        ambiguous = max(self.relative_idf(own), default=0.0) < self.ambiguous
        added: dict[str, int] = {}
        for distance, (number, turn) in enumerate(earlier_user_turns(conversation)):
            least = self.query if ambiguous and distance < self.window else self.session
            words = content_words(turn.text, turn.lang or UNKNOWN)
            for word, idf in zip(words, self.relative_idf(words), strict=True):
                if idf >= least and word not in own:
                    added.setdefault(word, number)
        edits = tuple(Edit("insert", word, at, len(question)) for word, at in added.items())
        return Rewrite(" ".join([question, *added]), conversation.lang, edits)
