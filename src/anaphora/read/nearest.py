"""The hits that a reader considers."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.records import Hit, Query


def best_passages(query: Query, hits: Sequence[Hit], count: int) -> list[Hit]:
    """The `count` best hits; one in the question's language counts as if its rank were halved.

    Without this, translations of one passage fill all places where documents exist in many
    languages.
    """
    return sorted(hits, key=lambda hit: hit.rank / (1 + (hit.passage.lang == query.lang)))[:count]
