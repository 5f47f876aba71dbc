"""The files of TREC evaluation: judgements (qrels) and runs."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from anaphora.datasets.json_stream import lines, malformed


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """The grades of each query's judged passages, in the file's order.

    Takes the four columns of TREC, `query 0 passage grade`, and the three of BEIR, parted by tabs,
    `query passage grade` below a header. A repeated judgement counts once.

    Raises:
        AnaphoraError: the file cannot be opened.
        MalformedData: a line is not such a judgement, or contradicts one before it.
    """
    qrels: dict[str, dict[str, int]] = {}
    for number, columns in _judgements(path):
        place = f"line {number}"
        query, passage, written = columns
        try:
            grade = int(written)
        except ValueError:
            what = f'the grade "{written}" must be a whole number'
            raise malformed(path, place, what) from None
        grades = qrels.setdefault(query, {})
        if grades.setdefault(passage, grade) != grade:
            what = f'passage "{passage}" of query "{query}" was judged {grades[passage]} before'
            raise malformed(path, place, what)
    return qrels


def _judgements(path: Path) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """Number and query, passage and grade of each line; a header is left out."""
    beir = None
    for number, line in lines(path):
        columns = line.split("\t") if line.count("\t") == 2 else line.split()
        if beir is None:
            beir = len(columns) == 3
            if beir and not any(map(str.isdigit, columns[2])):
                continue
        if len(columns) != (3 if beir else 4):
            needed = "three columns: query, passage" if beir else "four columns: query, 0, passage"
            what = f"needs {needed}, grade; it has {len(columns)}"
            raise malformed(path, f"line {number}", what)
        query, passage, grade = columns if beir else (columns[0], columns[2], columns[3])
        yield number, (query.strip(), passage.strip(), grade.strip())


def read_run(path: Path) -> dict[str, list[tuple[str, float]]]:
    """Each query's passages with their scores, best first, from `query Q0 passage rank score tag`.

    Orders as trec_eval does: by score, in single precision, and among equal scores by passage id,
    last id first. The rank in the file is ignored.

    Raises:
        AnaphoraError: the file cannot be opened.
        MalformedData: a line does not have six columns, has a score that is not a finite number,
            or repeats a passage of the query.
    """
    run: dict[str, dict[str, float]] = {}
    for number, line in lines(path):
        place = f"line {number}"
        columns = line.split()
        if len(columns) != 6:
            what = f"needs six columns: query, Q0, passage, rank, score, tag; it has {len(columns)}"
            raise malformed(path, place, what)
        query, _, passage, _, written, _ = columns
        try:
            score = float(written)
        except ValueError:
            score = float("nan")
        if not isfinite(score):
            raise malformed(path, place, f'the score "{written}" must be a finite number')
        scores = run.setdefault(query, {})
        if passage in scores:
            what = f'passage "{passage}" stands there for query "{query}" already'
            raise malformed(path, place, what)
        scores[passage] = score
    return {query: ranked(scores) for query, scores in run.items()}


def ranked(scores: dict[str, float]) -> list[tuple[str, float]]:
    """Passages with their scores in the order in which trec_eval sees them.

    >>> ranked({"a": 1.0, "b": 2.0, "c": 1.0})
    [('b', 2.0), ('c', 1.0), ('a', 1.0)]
    """
    single = array("f", scores.values())
    order = sorted(zip(single, scores.items(), strict=True), reverse=True)
    return [item for _, item in order]
