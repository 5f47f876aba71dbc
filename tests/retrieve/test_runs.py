"""TREC run files."""

import pytest

from anaphora.errors import AnaphoraError
from anaphora.records import Hit, Passage, Query
from anaphora.retrieve.runs import run_lines, write_run


class Many:
    """Ten documents of six passages each, best first, the first document's passages first."""

    def retrieve(self, queries, k):
        passages = [
            Passage(f"d{d}#{p}", f"d{d}", "", "文", "zh") for d in range(10) for p in range(6)
        ]
        hits = [Hit(one, 100.0 - rank, rank, {}) for rank, one in enumerate(passages, 1)]
        return [hits[:k] for _ in queries]


@pytest.mark.parametrize("k", [1, 3, 10, 50])
def test_k_documents_even_where_one_has_many_passages(tmp_path, k):
    write_run(tmp_path / "run", Many(), [Query("q", id="1")], k)
    rows = [line.split() for line in (tmp_path / "run").read_text("utf-8").splitlines()]
    assert [row[2] for row in rows] == [f"d{d}" for d in range(min(k, 10))]
    assert [int(row[3]) for row in rows] == list(range(1, len(rows) + 1))
    scores = [float(row[4]) for row in rows]
    assert scores == sorted(scores, reverse=True)


def test_passages(tmp_path):
    write_run(tmp_path / "run", Many(), [Query("q", id="1"), Query("q", id="2")], 7, passages=True)
    rows = [line.split() for line in (tmp_path / "run").read_text("utf-8").splitlines()]
    assert [row[2] for row in rows[:7]] == [*(f"d0#{p}" for p in range(6)), "d1#0"]
    assert len(rows) == 14


def test_ids_with_spaces_stay_one_column():
    hit = Hit(Passage("my file.md#1", "my file.md", "", "x", "en"), 1.0, 1, {})
    assert next(run_lines("1", [hit], 1, False)).split() == [
        *("1", "Q0", "my_file.md", "1", "1.000000", "anaphora")
    ]


def test_a_folder_that_cannot_be_written(tmp_path):
    with pytest.raises(AnaphoraError, match="cannot be written"):
        write_run(tmp_path / "none" / "run", Many(), [], 3)
