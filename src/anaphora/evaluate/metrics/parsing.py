"""How well predicted links agree with the gold ones: Tables 6 of the node-linking paper.

The paper names its figures without defining them. Here, as unlabelled and labelled scores of a
dependency parser: "parsing" counts a link whose two ends are right, "link triplet" one whose
relation is right as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from anaphora.evaluate.metrics.scores import NOTHING, Overlap, overlap

Link = tuple[int, int, Hashable]
"""Start node, end node, relation."""


def parsing(predicted: Iterable[Link], gold: Iterable[Link]) -> Overlap:
    """Links of one turn whose ends agree; a link counts once, whatever its relations.

    >>> parsing([(3, 4, "span")], [(3, 4, "insertion"), (4, 9, "insertion")])
    Overlap(matched=1, predicted=1, reference=2)
    """
    return overlap({link[:2] for link in predicted}, {link[:2] for link in gold})


def link_triplets(predicted: Iterable[Link], gold: Iterable[Link]) -> Overlap:
    """Links of one turn whose ends and relation agree."""
    return overlap(set(predicted), set(gold))


def parsing_report(
    predicted: Sequence[Sequence[Link]], gold: Sequence[Sequence[Link]]
) -> dict[str, float | None]:
    """PP, PR, PF, TP, TR and TF over the links of all turns; a share of no links is None.

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
