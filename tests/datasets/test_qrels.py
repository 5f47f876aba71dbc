"""Judgements and runs."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from anaphora.datasets.qrels import ranked, read_qrels, read_run
from anaphora.errors import AnaphoraError, MalformedData


def file(folder: Path, text: str) -> Path:
    path = folder / "file.txt"
    path.write_bytes(text.encode())
    return path


def test_trec_qrels(tmp_path: Path) -> None:
    path = file(tmp_path, "1_2 0 MARCO_7 2\r\n1_2\t0\tتقرير-1\t0\n\n東京 Q0 MARCO_7 -1\n")
    assert read_qrels(path) == {"1_2": {"MARCO_7": 2, "تقرير-1": 0}, "東京": {"MARCO_7": -1}}


def test_beir_qrels(tmp_path: Path) -> None:
    path = file(tmp_path, "query-id\tcorpus-id\tscore\nq 1\td 1\t1\nq 1\td2\t0\n")
    assert read_qrels(path) == {"q 1": {"d 1": 1, "d2": 0}}


def test_beir_qrels_without_a_header(tmp_path: Path) -> None:
    assert read_qrels(file(tmp_path, "q1\td1\t1\n")) == {"q1": {"d1": 1}}


def test_a_judgement_twice(tmp_path: Path) -> None:
    assert read_qrels(file(tmp_path, "q 0 d 1\nq 0 d 1\n")) == {"q": {"d": 1}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q 0 d 1\nq 0 e x\n", 'line 2: the grade "x" must be a whole number'),
        ("q 0 d 0.5\n", 'line 1: the grade "0.5" must be a whole number'),
        ("q 0 d 1\nq 0 e\n", "line 2: needs four columns: query, 0, passage, grade; it has 3"),
        ("q\td\t1\nq\td\n", "line 2: needs three columns: query, passage, grade; it has 2"),
        ("q 0 d 1\nq 0 d 2\n", 'line 2: passage "d" of query "q" was judged 1 before'),
    ],
)
def test_qrels_errors(tmp_path: Path, text: str, message: str) -> None:
    path = file(tmp_path, text)
    with pytest.raises(MalformedData) as error:
        read_qrels(path)
    assert str(error.value) == f"{path}, {message}"


def test_run_is_ordered_as_trec_eval_does(tmp_path: Path) -> None:
    lines = ["q Q0 a 1 1.0 t", "q Q0 c 2 1.0 t", "q Q0 b 9 2e0 t", "p Q0 é 1 -1 t", "q Q0 d 3 0 t"]
    path = file(tmp_path, "\n".join(lines) + "\n")
    assert read_run(path) == {
        "q": [("b", 2.0), ("c", 1.0), ("a", 1.0), ("d", 0.0)],
        "p": [("é", -1.0)],
    }


def test_scores_equal_in_single_precision_are_a_tie() -> None:
    assert ranked({"a": 1.0000000001, "b": 1.0}) == [("b", 1.0), ("a", 1.0000000001)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q Q0 a 1 1 t\nq Q0 a 2 0 t\n", 'line 2: passage "a" stands there for query "q" already'),
        ("q Q0 a 1 nan t\n", 'line 1: the score "nan" must be a finite number'),
        ("q Q0 a 1 -inf t\n", 'line 1: the score "-inf" must be a finite number'),
        ("q Q0 a 1 high t\n", 'line 1: the score "high" must be a finite number'),
        (
            "q Q0 a 1 1 t\nq Q0 b 2 0.\n",
            "line 2: needs six columns: query, Q0, passage, rank, score, tag; it has 5",
        ),
    ],
)
def test_run_errors(tmp_path: Path, text: str, message: str) -> None:
    path = file(tmp_path, text)
    with pytest.raises(MalformedData) as error:
        read_run(path)
    assert str(error.value) == f"{path}, {message}"


def test_other_encoding(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes("q Q0 a 1 1 t\nq Q0 ж 1 1 t\n".encode("cp1251"))
    with pytest.raises(MalformedData, match="line 2: is not UTF-8"):
        read_run(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(AnaphoraError, match=r"none\.txt cannot be read: No such file"):
        read_qrels(tmp_path / "none.txt")


@given(st.dictionaries(st.text(min_size=1), st.sampled_from([0.0, 0.5, 0.5 + 1e-12, 3.0])))
def test_ranked_agrees_with_trec_eval(scores: dict[str, float]) -> None:
    names = {f"{key.encode().hex()}": score for key, score in scores.items()}
    ranking = [name for name, _ in ranked(names)]
    for rank, name in enumerate(ranking, 1):
        measured = pytrec_eval.RelevanceEvaluator({"q": {name: 1}}, {"recip_rank"})
        assert measured.evaluate({"q": names})["q"]["recip_rank"] == pytest.approx(1 / rank)
