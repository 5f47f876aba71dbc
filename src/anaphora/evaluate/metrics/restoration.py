"""How much of what a question left out its rewrite restores.

Pan et al., "Improving Open-Domain Dialogue Systems via Multi-Turn Incomplete Utterance
Restoration" (2019): precision, recall and F of the n-grams that hold a restored word, which is one
that the question does not have.
"""

from __future__ import annotations

from anaphora.evaluate.metrics.scores import NOTHING, Overlap, overlap
from anaphora.evaluate.metrics.tokens import paper_tokens


def restoration(prediction: str, reference: str, question: str, lang: str, n: int) -> Overlap:
    """Counts of one turn, to be added up over a corpus; each n-gram counts once.

    As in the evaluation of Liu et al. (2020), with whose figures Li et al. ("Dialogue-RAG")
    compare, a turn whose reference restores nothing is not counted.

    >>> restoration("Is Zappa alive?", "Is Frank Zappa alive?", "Is he alive?", "en", 1)
    Overlap(matched=1, predicted=1, reference=2)
    """
    said = frozenset(paper_tokens(question, lang))
    gold = paper_tokens(reference, lang)
    if said.issuperset(gold):
        return NOTHING
    mine = paper_tokens(prediction, lang)
    return overlap(_restored(mine, said, n), _restored(gold, said, n))


def _restored(tokens: list[str], said: frozenset[str], n: int) -> set[tuple[str, ...]]:
    grams = zip(*(tokens[start:] for start in range(n)), strict=False)
    return {gram for gram in grams if not said.issuperset(gram)}
