"""Numbers with nouns, and short lists, for warnings and reports."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice


def counted(number: int, one: str, many: str) -> str:
    """
    >>> counted(1, "query", "queries"), counted(1200, "query", "queries")
    ('1 query', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else many}"


def some(names: Sequence[str], most: int = 3) -> str:
    """The first names, and a sign that there are more.

    >>> some(["a", "b", "c", "d"])
    'a, b, c, …'
    """
    shown = ", ".join(islice(names, most))
    return f"{shown}, …" if len(names) > most else shown
