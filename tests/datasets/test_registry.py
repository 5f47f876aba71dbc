"""Which format a path is in."""

from __future__ import annotations

import json
import sys
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
QRECC = [{"Context": [], "Question": "q", "Conversation_no": 1, "Turn_no": 1, "Rewrite": "q"}]
TOPIOCQA = [{"Conversation_no": 1, "Turn_no": 1, "Topic": "t", "Question": "q", "Context": []}]
ORQUAC = {"qid": "C_1_q#0", "question": "q", "rewrite": "q", "history": [], "evidences": []}
COQA = {"data": [{"id": "1", "story": "s", "questions": [{"input_text": "q", "turn_id": 1}]}]}
TASK = [
    {
        "dialogue_id": 0,
        "dial": [
            {
                "usr": {
                    "transcript_complete": "a",
                    "transcript_with_ellipsis": "b",
                    "transcript_with_coreference": "c",
                }
            }
        ],
    }
]
MULTIDOC2DIAL = {"dial_data": {"dmv": [{"dial_id": "1", "turns": []}]}}
DIALOGUE_RAG = [{"lang": "th", "dialogue": [{"user": "ใคร", "assistant": "สมชาย"}]}]
DIALDOC = [{"query": "<last_turn> Khi nào?", "positive": "1890 // cầu", "negative": "x"}]
CAST = [{"number": 1, "title": "t", "turn": [{"number": 1, "raw_utterance": "q"}]}]
OWN = {"id": "1", "turns": [{"role": "user", "text": "Khi nào?"}]}
PAIRS = {"query": "Khi nào?", "positives": ["1890"]}
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
    ("towns.jsonl", PAIRS, "pairs"),
    ("qrecc_test.json", QRECC, "qrecc"),
    ("topiocqa_dev.json", TOPIOCQA, "topiocqa"),
    ("dev.txt", ORQUAC, "orquac"),
    ("coqa-dev-v1.0.json", COQA, "coqa"),
    ("CamRest676_annotated.json", TASK, "task"),
    ("multidoc2dial_dial_train.json", MULTIDOC2DIAL, "multidoc2dial"),
    ("dialogues.json", DIALOGUE_RAG, "dialogue-rag-multi"),
    ("ViDoc2BotRetrieval_val.json", DIALDOC, "dialdoc"),
    ("evaluation_topics_v1.0.json", CAST, "cast"),
]


@pytest.mark.parametrize(("name", "record", "format"), FILES)
def test_each_file_is_in_one_format(tmp_path: Path, name: str, record: Any, format: str) -> None:
    path = dumped(tmp_path / name, record)
    assert [one.name for one in formats() if one.recognises(path)] == [format]
    assert open_dataset(path).format.name == format
    assert open_dataset(path, format).format.name == format


TEXTS = {
    "rewrite": {"dev.txt": "谁修的桥\t\t老王\t\t什么时候修的\t\t老王什么时候修的桥\n"},
    "multi": {"t.sr": "谁 修 的 <split> 老 王 || 何 时 | 修\n", "t.tr": "老 王 何 时 修 的\n"},
    "trec": {"topics.tsv": "1\tเมื่อไร\n", "qrels.txt": "1 0 d 1\n"},
}


@pytest.mark.parametrize("format", TEXTS)
def test_each_text_is_in_one_format(tmp_path: Path, format: str) -> None:
    texts(tmp_path, TEXTS[format].items())
    path = tmp_path / next(iter(TEXTS[format]))
    assert [one.name for one in formats() if one.recognises(path)] == [format]
    for other in list(TEXTS[format])[1:]:
        assert not [one.name for one in formats() if one.recognises(tmp_path / other)]


FOLDERS = {
    "mtrag": [
        ("cloud_lastturn.jsonl", '{"_id": "a<::>1", "text": "|user|: When?"}'),
        ("qrels/dev.tsv", "query-id\tcorpus-id\tscore\n"),
    ],
    "cast": [("evaluation_topics_v1.0.json", json.dumps(CAST)), ("2019qrels.txt", "1_1 0 a 1\n")],
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
        assert one.home


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
        open_dataset(tmp_path, name)
    assert str(error.value) == message


def test_named_format_says_what_is_wrong(tmp_path: Path) -> None:
    path = dumped(tmp_path / "talks.jsonl", {"turns": []})
    with pytest.raises(MalformedData, match='line 1: "id" is missing'):
        list(open_dataset(path, "records").examples())
    with pytest.raises(UsageError, match="holds nothing in the format 'qed'"):
        open_dataset(tmp_path, "qed")


OWN_FORMAT = """
from anaphora.datasets import Example, Format
from anaphora.records import Conversation, Turn


def examples(path):
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        yield Example(Conversation((Turn("user", line),), id=str(number)))


FORMAT = Format("plain", "A question a line", "yours", "here", lambda p: p.suffix == ".q", examples)
NOTHING = "not a format"
"""


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module with a format, outside of the package."""
    (tmp_path / "own_format.py").write_text(OWN_FORMAT, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_format", raising=False)
    return "own_format"


def test_a_format_by_module_and_name(own_module: str, tmp_path: Path) -> None:
    (tmp_path / "questions.q").write_text("Где?\nどこ？\n", "utf-8")
    dataset = open_dataset(tmp_path / "questions.q", f"{own_module}:FORMAT")
    assert [one.question for one in dataset.examples()] == ["Где?", "どこ？"]
    assert dataset.name == "plain-questions.q"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("own_format:NOTHING", "is not a format"),
        ("own_format:MISSING", "cannot be imported: .*MISSING"),
        ("no_such_module:FORMAT", "cannot be imported: No module named"),
    ],
)
def test_a_module_without_the_format_is_one_sentence(
    own_module: str, place: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        find_format(place)


def test_a_format_of_an_installed_package_is_recognised(
    own_module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "own_format-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-format\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[anaphora.datasets]\nplain = own_format:FORMAT\n")
    formats.cache_clear()
    try:
        (tmp_path / "questions.q").write_text("متى؟\n", "utf-8")
        assert open_dataset(tmp_path / "questions.q").format.name == "plain"
        assert find_format("plain").title == "A question a line"
        with pytest.raises(UsageError, match="did you mean 'plain'"):
            find_format("plian")
    finally:
        formats.cache_clear()
