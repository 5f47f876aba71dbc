"""Historical query expansion (HQE): keywords of the session, and for a vague question those of
the turns just before it (Lin et al. 2020; HistoricalQE in the abstractive paper's Table 4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.conversation import Conversation, Edit, Rewrite
from anaphora.language import analyzer, identify_question, tokenize

Keyness = Callable[[Sequence[str]], Sequence[float]]
"""Surface words -> how much each says, in 0..1; see `anaphora.index.keyness`."""


@dataclass(frozen=True, slots=True)
class HistoricalExpansion:
    """Adds earlier words to the question, chosen by the index's own term statistics.

    A word's keyness is its BM25 weight as a share of the largest possible; Lin et al. use the
    scores themselves, whose size depends on the collection.

    Args:
        keyness: the index's judgement of words.
        session: words of any earlier user turn at least this keen are added.
        query: words of the last `window` user turns at least this keen are added to a vague
            question.
        vague: a question is vague when its keenest word stays below this.
        window: how many user turns back a vague question looks.
    """

    keyness: Keyness
    session: float = 0.45
    query: float = 0.3
    vague: float = 0.5
    window: int = 3

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        return [self._one(talk) for talk in conversations]

    def _one(self, talk: Conversation) -> Rewrite:
        lang = identify_question(talk)
        question = talk.question.text
        own = _words(question, lang)
        vague = max(self.keyness(own), default=0.0) < self.vague
        asked = [(at, turn) for at, turn in enumerate(talk.history) if turn.role == "user"]
        recent = {at for at, _ in asked[-self.window :]} if vague else set()
        added: dict[str, int] = {}
        for at, turn in reversed(asked):
            words = _words(turn.text, lang)
            for word, keen in zip(words, self.keyness(words), strict=True):
                bar = self.query if at in recent else self.session
                if keen >= bar and word not in own:
                    added.setdefault(word, at)
        edits = tuple(Edit("insert", word, at, len(question)) for word, at in added.items())
        return Rewrite(" ".join([question, *added]), lang, edits)


def _words(text: str, lang: str) -> list[str]:
    """The words that are not stop words of the language, each once."""
    own = analyzer(lang).term
    return list(dict.fromkeys(word for word in tokenize(text) if own(word)))
