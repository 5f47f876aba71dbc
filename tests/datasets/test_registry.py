"""Which format a path is in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from anaphora.datasets.registry import datasets_in, find_format, formats, open_dataset
from anaphora.errors import MalformedData, UsageError

SQUAD = {"data": [{"title": "A", "paragraphs": [{"context": "T.", "qas": []}]}]}
CANARD = [
    {
        "History": ["A", "B"],
        "QuAC_dialog_id": "C_1_0",
        "Question": "who?",
        "Question_no": 1,
        "Rewrite": "who was A?",
    }
]
QED = {"example_id": 1, "question_text": "q", "paragraph_text": "p", "annotation": {}}
CLAPNQ = {"id": "1", "input": "q", "passages": [], "output": []}
MKQA = {"id": "7_th", "lang": "th", "question": "เมื่อไร", "answers": ["1890"]}
XORTYDI = {"id": "7", "lang": "ja", "question": "いつ?", "answers": ["1890"], "split": "dev"}
OWN = {"id": "1", "turns": [{"role": "user", "text": "Khi nào?"}]}
PASSAGE = {"_id": "p", "text": "Cây cầu."}


def dumped(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path


def texts(folder: Path, contents: Iterable[tuple[str, str]]) -> None:
    for name, text in contents:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


FILES = [
    ("xquad.hi.json", SQUAD, "xquad"),
    ("dev-context-hi-question-tr.json", SQUAD, "mlqa"),
    ("mine.json", SQUAD, "squad"),
    ("dev.json", CANARD, "canard"),
    ("qed-train.jsonlines", QED, "qed"),
    ("clapnq_dev_answerable.jsonl", CLAPNQ, "clapnq"),
    ("mkqa-th.jsonl", MKQA, "mkqa"),
    ("xor_dev_full.jsonl", XORTYDI, "xortydi"),
    ("talks.jsonl", OWN, "records"),
]


@pytest.mark.parametrize(("name", "record", "format"), FILES)
def test_each_file_is_in_one_format(tmp_path: Path, name: str, record: Any, format: str) -> None:
    path = dumped(tmp_path / name, record)
    assert [one.name for one in formats() if one.recognises(path)] == [format]
    assert find_format(path).name == format
    assert open_dataset(path, format).format.name == format


FOLDERS = {
    "beir": [
        ("queries.jsonl", json.dumps(PASSAGE)),
        ("corpus.jsonl", json.dumps(PASSAGE)),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\np\tp\t1\n"),
    ],
    "trec": [("topics.tsv", "1\tWhen?\n"), ("qrels.txt", "1 0 d 1\n")],
    "cranfield": [
        ("cran.qry.xml", "<xml>\n<top><num>1</num><title>x</title></top>\n</xml>"),
        ("cranqrel.trec.txt", "1 0 1 1\n"),
        ("cran.all.1400.xml", "<doc><docno>1</docno><text>x</text></doc>"),
    ],
    "mkqa": [("mkqa-th.jsonl", json.dumps(MKQA)), ("mkqa-ja.jsonl", json.dumps(MKQA))],
    "clapnq": [("a.jsonl", json.dumps(CLAPNQ)), ("b.jsonl", json.dumps(CLAPNQ))],
}


@pytest.mark.parametrize("format", FOLDERS)
def test_each_folder_is_in_one_format(tmp_path: Path, format: str) -> None:
    texts(tmp_path, FOLDERS[format])
    assert [one.name for one in formats() if one.recognises(tmp_path)] == [format]
    assert [one.path for one in datasets_in(tmp_path)] == [tmp_path]


def test_names_are_unique_and_say_enough() -> None:
    names = [one.name for one in formats()]
    assert len(set(names)) == len(names)
    for one in formats():
        assert one.title
        assert one.licence
        assert one.home.startswith("https://") or one.name == "records"


def test_only_set_of_a_folder(tmp_path: Path) -> None:
    path = dumped(tmp_path / "talks.jsonl", OWN)
    dumped(tmp_path / "passages.jsonl", PASSAGE)
    (tmp_path / ".hidden.jsonl").write_bytes(path.read_bytes())
    (tmp_path / "README.md").write_text("…", "utf-8")
    dataset = open_dataset(tmp_path)
    assert (dataset.path, dataset.name) == (path, "records-talks")
    assert [one.id for one in dataset.examples()] == ["1"]
    assert [one.doc_id for one in dataset.documents()] == ["p"]


def test_only_set_of_a_folder_in_it(tmp_path: Path) -> None:
    texts(tmp_path / "data", FOLDERS["trec"])
    assert open_dataset(tmp_path).path == tmp_path / "data"


def test_several_sets_of_a_folder(tmp_path: Path) -> None:
    dumped(tmp_path / "xquad.ar.json", SQUAD)
    dumped(tmp_path / "inner" / "talks.jsonl", OWN)
    with pytest.raises(UsageError) as error:
        open_dataset(tmp_path)
    assert str(error.value) == (
        f"{tmp_path} holds several data sets, so name one of them: "
        "xquad.ar.json (xquad), inner/talks.jsonl (records)"
    )
    assert open_dataset(tmp_path, "records").path == tmp_path / "inner" / "talks.jsonl"


@pytest.mark.parametrize(
    ("name", "format", "named"),
    [
        ("xquad.zh.json", "xquad", "xquad.zh"),
        ("dev.json", "squad", "squad-dev"),
        ("MKQA.jsonl", "mkqa", "MKQA"),
    ],
)
def test_names(tmp_path: Path, name: str, format: str, named: str) -> None:
    path = dumped(tmp_path / name, MKQA if format == "mkqa" else SQUAD)
    assert open_dataset(path, format).name == named


def test_nothing_recognises_it(tmp_path: Path) -> None:
    path = dumped(tmp_path / "other.json", {"a": 1})
    for place in (path, tmp_path):
        with pytest.raises(UsageError) as error:
            open_dataset(place)
        assert str(error.value) == (
            f"no known format recognises {place}, or anything in it; "
            '"anaphora data list" names the formats'
        )


def test_no_such_path(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.json cannot be read: No such file or directory"):
        open_dataset(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("xqad", "there is no format called 'xqad'; did you mean 'xquad'?"),
        ("SQuAD", "there is no format called 'SQuAD'; did you mean 'squad'?"),
        ("???", "there is no format called '???'; \"anaphora data list\" names the formats"),
    ],
)
def test_unknown_name(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        find_format(tmp_path, name)
    assert str(error.value) == message


def test_named_format_says_what_is_wrong(tmp_path: Path) -> None:
    path = dumped(tmp_path / "talks.jsonl", {"turns": []})
    with pytest.raises(MalformedData, match='line 1: "id" is missing'):
        list(open_dataset(path, "records").examples())
    with pytest.raises(UsageError, match="holds nothing in the format 'qed'"):
        open_dataset(tmp_path, "qed")
