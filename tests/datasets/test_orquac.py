import pytest

from anaphora.datasets.orquac import FORMAT
from anaphora.errors import MalformedData
from anaphora.records import Turn


def turn(number, answer="في الصين", **changes):
    past = {"question": "ما هو الشاي؟", "answer": {"text": "مشروب", "answer_start": 0}}
    return {
        "qid": f"C_5_0_q#{number}",
        "question": "أين نشأ؟",
        "rewrite": "أين نشأ الشاي؟",
        "history": [past] * number,
        "answer": {"text": answer, "answer_start": 3},
        "evidences": [],
        "retrieval_labels": [],
        **changes,
    }


def test_judgements_and_passages_lie_one_folder_up(write, write_lines):
    path = write_lines("orquac/preprocessed/dev.txt", [turn(0), turn(1, "CANNOTANSWER")])
    write("orquac/qrels.txt", {"C_5_0_q#0": {"b1": 1, "b2": 1}})
    write_lines("orquac/all_blocks.txt", [{"id": "b1", "title": "شاي", "text": "نشأ\u2028هنا"}])
    first, second = FORMAT.examples(path)
    assert FORMAT.recognises(path)
    assert first.id == "C_5_0_q#0"
    assert (first.answers, first.answerable) == (("في الصين",), True)
    assert (second.answers, second.answerable) == ((), False)
    assert (first.relevant, second.relevant) == ({"b1": 1, "b2": 1}, {})
    assert first.rewrites == ("أين نشأ الشاي؟",)
    assert second.conversation.turns == (
        Turn("user", "ما هو الشاي؟"),
        Turn("assistant", "مشروب"),
        Turn("user", "أين نشأ؟"),
    )
    assert second.tags == {"dialogue": "C_5_0"}
    [document] = FORMAT.documents(path)
    assert (document.doc_id, document.title, document.whole) == ("b1", "شاي", True)


def test_without_them(write_lines):
    path = write_lines("dev.txt", [turn(0)])
    [example] = FORMAT.examples(path)
    assert example.relevant == {}
    assert list(FORMAT.documents(path)) == []


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (turn(0), "line 2: \"qid\" gives the id 'C_5_0_q#0' for the second time"),
        (turn(1, answer=None), 'line 2, answer: "text" must be a string'),
        (turn(1, history=[{"question": "?"}]), 'line 2, history 1: "answer" is missing'),
        (turn(1, rewrite=""), 'line 2: "rewrite" is empty'),
        ('{"qid": "C', "line 2: is not JSON, or cut short"),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(write_lines, bad, said):
    path = write_lines("dev.txt", [turn(0), bad])
    found = FORMAT.examples(path)
    assert next(found).depth == 1
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(f"{path}, {said}")


@pytest.mark.parametrize("grades", [["b1"], {"b1": "1"}, {"b1": True}])
def test_judgements_that_are_none(write, write_lines, grades):
    path = write_lines("dev.txt", [turn(0)])
    write("qrels.txt", {"q": grades})
    with pytest.raises(MalformedData, match=r"qrels\.txt, q: must be an object of whole numbers"):
        list(FORMAT.examples(path))


def test_other_files_are_not_taken_for_it(write_lines, tmp_path):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(write_lines("a.txt", [{"qid": "1", "question": "?"}]))
