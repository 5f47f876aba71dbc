"""How well predicted links agree with the gold ones: Table 6 of Li et al., "Dialogue-RAG:
Enhancing Retrieval for LLMs via Node-Linking Utterance Rewriting".

The paper names its figures without defining them. An insertion is two links (its section 3.2):
an insertion link from a place in the question to the first word of a span, and a span link from
there to its last word. "Parsing" counts links; "link triplets" count a place, a first and a last
word that are right together. That a triplet were a link with its relation is the other reading;
but which of the two relations a link has follows from where its ends are, so that these figures
could not lie six points apart, as the paper's do (79.6 and 73.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anaphora.evaluate.metrics.scores import NOTHING, Overlap, overlap

Insertion = tuple[int, int, int]
"""A place in the question, and the first and last words of the span that goes there."""


def parsing(predicted: Iterable[Insertion], gold: Iterable[Insertion]) -> Overlap:
    """Insertion links and span links of one turn; a link that two insertions share counts once.

    >>> parsing([(0, 3, 4)], [(0, 3, 5), (2, 3, 4)])
    Overlap(matched=2, predicted=2, reference=4)
    """
    return overlap(_links(predicted), _links(gold))


def link_triplets(predicted: Iterable[Insertion], gold: Iterable[Insertion]) -> Overlap:
    """Insertions of one turn whose place and whole span agree."""
    return overlap(set(predicted), set(gold))


def parsing_report(
    predicted: Sequence[Sequence[Insertion]], gold: Sequence[Sequence[Insertion]]
) -> dict[str, float | None]:
    """PP, PR, PF, TP, TR and TF over all turns; a fraction of nothing is None.

    Raises:
        ValueError: there are not as many turns on both sides.
    """
    turns = list(zip(predicted, gold, strict=True))
    report: dict[str, float | None] = {}
    for letter, count in (("P", parsing), ("T", link_triplets)):
        total = sum((count(mine, right) for mine, right in turns), NOTHING)
        report |= {
            f"{letter}P": total.precision,
            f"{letter}R": total.recall,
            f"{letter}F": total.f1,
        }
    return report


def _links(insertions: Iterable[Insertion]) -> set[tuple[str, int, int]]:
    found: set[tuple[str, int, int]] = set()
    for place, first, last in insertions:
        found |= {("insertion", place, first), ("span", first, last)}
    return found
