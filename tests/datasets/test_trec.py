"""Plain TREC collections, and Cranfield."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.datasets.trec import CRANFIELD, FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Document

TOP = """
<top>
<num> Number: 301
<title> Topic: lighthouse
keepers
<desc> Description:
Who kept them?
</top>

<top><num>302</num><title>港 &amp; 灯台</title></top><top>
<num> 303 <query> a <em>late</em> ship </query> </top>
"""
DOCS = """<DOC>
<DOCNO> d-1 </DOCNO>
<TITLE>Keepers</TITLE>
<TEXT>
<P>Ann kept the
light.</P> 1 < 2
</TEXT>
</DOC>
<DOC><DOCNO>d-2</DOCNO><TEXT>منارة قديمة</TEXT></DOC>
"""


def folder(path: Path, **contents: str) -> Path:
    for name, text in contents.items():
        (path / name.replace("__", ".")).write_text(text, "utf-8")
    return path


def test_tsv_topics(tmp_path: Path) -> None:
    folder(
        tmp_path,
        topics__tsv="1_1\tKiedy powstał most?\n1_2\tА кто его построил?\n1_3\tไม่มีใครตัดสิน\n",
        qrels__txt="1_2 0 d1 2\n1_1 0 d1 0\n1_1 0 d2 1\n",
        corpus__jsonl='{"_id": "d1", "text": "Most."}\n',
    )
    for path in (tmp_path, tmp_path / "topics.tsv"):
        assert FORMAT.recognises(path)
        first, second = FORMAT.examples(path)
        assert (first.id, first.question, first.answerable) == ("1_1", "Kiedy powstał most?", True)
        assert first.relevant == {"d1": 0, "d2": 1}
        assert (second.id, second.question) == ("1_2", "А кто его построил?")
        assert FORMAT.documents is not None
        assert [one.doc_id for one in FORMAT.documents(path)] == ["d1"]
    assert not FORMAT.recognises(tmp_path / "qrels.txt")


def test_marked_topics_and_documents(tmp_path: Path) -> None:
    qrels = "301 0 d-1 1\n302 0 d-2 1\n303 0 d-1 0\n"
    folder(tmp_path, topics__301=TOP, disk__sgml=DOCS, qrels__301=qrels)
    assert FORMAT.recognises(tmp_path)
    assert [(one.id, one.question) for one in FORMAT.examples(tmp_path)] == [
        ("301", "lighthouse keepers"),
        ("302", "港 & 灯台"),
        ("303", "a late ship"),
    ]
    assert FORMAT.documents is not None
    assert list(FORMAT.documents(tmp_path)) == [
        Document("d-1", "Keepers", "Ann kept the light. 1 < 2", whole=True),
        Document("d-2", "", "منارة قديمة", whole=True),
    ]


def test_without_documents(tmp_path: Path) -> None:
    folder(tmp_path, queries__tsv="1\tWhen?\n", qrels__tsv="query-id\tcorpus-id\tscore\n1\td\t1\n")
    assert [dict(one.relevant) for one in FORMAT.examples(tmp_path)] == [{"d": 1}]
    assert FORMAT.documents is not None
    assert list(FORMAT.documents(tmp_path)) == []


@pytest.mark.parametrize(
    "contents",
    [
        {"topics__tsv": "1\tWhen?\n"},
        {"qrels__txt": "1 0 d 1\n"},
        {"topics__tsv": "1\tWhen?\n", "a__qrels": "1 0 d 1\n", "b__qrels": "1 0 d 1\n"},
        {"notes__tsv": "1\tWhen?\n", "qrels__txt": "1 0 d 1\n"},
        {"README__md": "It has `<top>` elements.\n", "qrels__txt": "1 0 d 1\n"},
    ],
)
def test_not_recognised(tmp_path: Path, contents: dict[str, str]) -> None:
    folder(tmp_path, **contents)
    for path in (tmp_path, *tmp_path.iterdir()):
        assert not FORMAT.recognises(path)
        assert not CRANFIELD.recognises(path)


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ("1\tWhen?\n2 Where?\n", "topics.tsv, line 2: must be an id, a tab and a text"),
        ("1\tWhen?\n2\t \n", "topics.tsv, line 2: must be an id, a tab and a text"),
        ("1\tWhen?\n1\tWhy?\n", 'topics.tsv, line 2: the topic "1" is there for the second time'),
        ("3\tWhen?\n", '2 of its topics are not in {}/topics.tsv, such as "1"'),
        ("<top>\n<num>1\n</top>\n", "topics.tsv, line 1: <title> is missing or empty"),
        ("<top>\n<title>Why\n</top>\n", "topics.tsv, line 1: <num> is missing or empty"),
        (
            "<top>\n<num>1<title>Why</top>\n<top>\n<num>2<ti",
            "topics.tsv, line 3: <top> has no end, or the file is cut short",
        ),
    ],
)
def test_errors(tmp_path: Path, topics: str, message: str) -> None:
    folder(tmp_path, topics__tsv=topics, qrels__txt="1 0 d 1\n2 0 d 1\n")
    with pytest.raises(MalformedData) as error:
        list(FORMAT.examples(tmp_path))
    assert message.format(tmp_path) in str(error.value)


def test_document_errors(tmp_path: Path) -> None:
    docs = "<DOC><DOCNO>d</DOCNO><TEXT>x</TEXT></DOC>\n<DOC><DOCNO>e</DOCNO><TEXT> </TEXT></DOC>\n"
    folder(tmp_path, topics__tsv="1\tWhen?\n", qrels__txt="1 0 d 1\n", docs__xml=docs)
    assert FORMAT.documents is not None
    found = FORMAT.documents(tmp_path)
    assert next(found).doc_id == "d"
    with pytest.raises(MalformedData, match=r'docs\.xml, line 2: document "e" is empty'):
        next(found)


def test_cranfields_topics_count(tmp_path: Path) -> None:
    topics = "".join(
        f"<top>\n<num> {n}</num>\n<title>\nflow {n} .\n</title>\n</top>\n" for n in (1, 4, 8)
    )
    docs = (
        "<doc>\n<docno>9</docno>\n<title>thin\nwings .</title>\n"
        "<text>thin\nwings .\n  they bend .</text>\n</doc>\n"
        "<doc>\n<docno>995</docno>\n<title></title>\n<text></text>\n</doc>\n"
    )
    folder(
        tmp_path,
        cran__qry__xml=f"<?xml version='1.0'?>\n<xml>\n{topics}</xml>\n",
        cran__all__xml=docs,
        cranqrel__txt="1 0 9 1\n3 0 9 0\n3 0 995 1\n",
    )
    assert CRANFIELD.recognises(tmp_path)
    assert not FORMAT.recognises(tmp_path)
    first, third = CRANFIELD.examples(tmp_path)
    assert (first.id, first.question, first.relevant) == ("1", "flow 1 .", {"9": 1})
    assert (third.id, third.question, third.relevant) == ("3", "flow 8 .", {"9": 0})
    assert third.conversation.question.lang == "en"
    assert CRANFIELD.documents is not None
    assert list(CRANFIELD.documents(tmp_path)) == [
        Document("9", "thin wings .", "they bend .", "en", whole=True)
    ]
