"""The hits that a reader looks at."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.records import Hit, Query


def best_passages(query: Query, hits: Sequence[Hit], count: int) -> list[Hit]:
    """The best hits, where one in the question's language stands as if it were twice as near.

    Documents that exist in many languages else fill all places with translations of one passage.
    """
    return sorted(hits, key=lambda hit: hit.rank / (1 + (hit.passage.lang == query.lang)))[:count]
