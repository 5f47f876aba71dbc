"""Historical query expansion (HQE): keywords of the session, and for a vague question those of
the turns just before it (Lin et al. 2020; HistoricalQE in the abstractive paper's Table 4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.language import identify_question
from anaphora.records import Conversation, Edit, Rewrite
from anaphora.rewrite.words import content_words, user_turns

RelativeIdf = Callable[[Sequence[str]], Sequence[float]]
"""Surface words -> how much each says, in 0..1; see `anaphora.index.idf`."""


@dataclass(frozen=True, slots=True)
class HistoricalExpansion:
    """Adds earlier words to the question, chosen by the index's own term statistics.

    A word's relative_idf is its BM25 weight as a share of the largest possible; Lin et al. use the
    scores themselves, whose size depends on the collection.

    Args:
        relative_idf: the index's judgement of words.
        session: words of any earlier user turn at least this keen are added.
        query: words of the last `window` user turns at least this keen are added to a vague
            question.
        vague: a question is vague when its keenest word stays below this.
        window: how many user turns back a vague question looks.
    """

    relative_idf: RelativeIdf
    session: float = 0.45
    query: float = 0.3
    vague: float = 0.5
    window: int = 3

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._one(talk) for talk in conversations]

    def _one(self, talk: Conversation) -> Rewrite:
        lang = identify_question(talk)
        question = talk.question.text
        own = content_words(question, lang)
        vague = max(self.relative_idf(own), default=0.0) < self.vague
        added: dict[str, int] = {}
        for back, (number, turn, spoken) in enumerate(user_turns(talk)):
            bar = self.query if vague and back < self.window else self.session
            words = content_words(turn.text, spoken)
            for word, keen in zip(words, self.relative_idf(words), strict=True):
                if keen >= bar and word not in own:
                    added.setdefault(word, number)
        edits = tuple(Edit("insert", word, at, len(question)) for word, at in added.items())
        return Rewrite(" ".join([question, *added]), lang, edits)
