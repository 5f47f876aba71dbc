import pytest

from anaphora.datasets.mtrag import FORMAT, REWRITER
from anaphora.errors import AnaphoraError, MalformedData
from anaphora.records import Turn

TALK = [
    ("user", "Was ist ein Moor?"),
    ("agent", "Ein nasses Gebiet."),
    ("user", "Wie entsteht es?"),
    ("agent", "Aus Torf."),
    ("user", "Danke!"),
]


def said(count):
    return [{"speaker": speaker, "text": text} for speaker, text in TALK[:count]]


def ours(turn, target, domain="wiki"):
    task = f"t1<::>{turn}"
    return {
        "task_id": task,
        "domain": domain,
        "input": said(2 * turn - 1),
        "target": target,
        "qrels": [],
    }


def official(turn, target, answerable, kind):
    return {
        "task_id": f"t1<::>{turn}",
        "input": said(2 * turn - 1),
        "targets": [{"speaker": "agent", "text": target}],
        "Collection": "mt-rag-wiki-elser-512",
        "Answerability": [answerable],
        "Question Type": [kind, "Explanation"],
        "Multi-Turn": ["Follow-up"],
    }


@pytest.fixture
def domain(write, write_lines):
    """Writes a domain's queries and judgements below a folder; gives the domain's folder."""

    def domain(below):
        rewrites = ["Was ist ein Moor?", "Wie entsteht ein Moor?"]
        questions = ["|user|: Was ist ein Moor?", "|user|: Was ist ein Moor?\n|user|: Wie … es?"]
        for kind, texts in (
            ("lastturn", ["|user|: Was ist ein Moor?", "|user|: Wie entsteht es? "]),
            ("questions", questions),
            ("rewrite", [f"|user|: {text}" for text in rewrites]),
        ):
            records = [{"_id": f"t1<::>{n}", "text": text} for n, text in enumerate(texts, 1)]
            write_lines(f"{below}/wiki/wiki_{kind}.jsonl", records)
        grades = "query-id\tcorpus-id\tscore\nt1<::>1\td_1-9-0-5\t1\nt1<::>2\td_1-9-5-9\t1\n"
        return write(f"{below}/wiki/qrels/dev.tsv", grades).parents[1]

    return domain


def test_our_tasks(domain, write_lines):
    folder = domain("mtrag")
    tasks = [
        ours(1, "Ein nasses Gebiet."),
        ours(2, "Aus Torf."),
        ours(3, "Gern!"),
        ours(1, "Andere", "fiqa"),
    ]
    write_lines("mtrag/tasks.jsonl", tasks)
    first, second, third = FORMAT.examples(folder)
    assert FORMAT.recognises(folder)
    assert FORMAT.recognises(folder.parent)
    assert second.id == "t1<::>2"
    assert second.conversation.turns == (
        Turn("user", "Was ist ein Moor?"),
        Turn("assistant", "Ein nasses Gebiet."),
        Turn("user", "Wie entsteht es?"),
    )
    assert second.rewrites == ()
    assert second.automatic == {REWRITER: "Wie entsteht ein Moor?"}
    assert (second.answers, second.relevant, second.answerable) == (
        ("Aus Torf.",),
        {"d_1-9-5-9": 1},
        True,
    )
    assert first.tags == {"dialogue": "t1"}
    assert second.tags == {"dialogue": "t1", "topic_switch": "no"}
    assert (third.answers, third.relevant, third.answerable) == ((), {}, None)


def test_official_layout(domain, write_lines):
    folder = domain("mt/human/retrieval_tasks")
    tasks = [
        official(1, "Ein nasses Gebiet.", "PARTIAL", "Factoid"),
        official(2, "Das weiß ich nicht.", "UNANSWERABLE", "How-To"),
        official(3, "Gern!", "CONVERSATIONAL", "Non-Question"),
    ]
    write_lines("mt/human/generation_tasks/reference.jsonl", tasks)
    passages = [{"_id": "d_1-9-0-5", "title": "Moor", "text": "Moor\nnass"}]
    write_lines("mt/corpora/passage_level/wiki.jsonl", passages)
    first, second, third = FORMAT.examples(folder)
    assert [e.answerable for e in (first, second, third)] == [True, False, None]
    assert [e.answers for e in (first, second, third)] == [("Ein nasses Gebiet.",), (), ()]
    assert first.tags == {
        "dialogue": "t1",
        "answerability": "partial",
        "question_type": "factoid, explanation",
        "multi_turn": "follow-up",
    }
    [document] = FORMAT.documents(folder)
    assert (document.doc_id, document.title, document.whole) == ("d_1-9-0-5", "Moor", True)


def test_without_tasks_only_the_users_turns_are_known(domain):
    _, second = FORMAT.examples(domain("mtrag"))
    assert second.conversation.turns == (
        Turn("user", "Was ist ein Moor?"),
        Turn("user", "Wie … es?"),
    )
    assert (second.answers, second.answerable) == ((), True)


def test_pooled_passages_stand_in_the_folder(domain, write_lines):
    folder = domain("mtrag")
    assert list(FORMAT.documents(folder)) == []
    records = [{"_id": "b", "text": "Torf"}, {"_id": "b", "text": "Moos"}]
    write_lines("mtrag/wiki/pooled_passages.jsonl", records)
    found = FORMAT.documents(folder)
    assert next(found).doc_id == "b"
    with pytest.raises(MalformedData, match=r"line 2: .*'b' for the second time"):
        next(found)


def test_a_packed_corpus_is_an_error_that_says_so(domain, write):
    folder = domain("mt/human/retrieval_tasks")
    write("mt/corpora/passage_level/wiki.jsonl.zip", "PK")
    with pytest.raises(AnaphoraError, match=r"wiki\.jsonl\.zip is packed; unpack it"):
        list(FORMAT.documents(folder))


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ({"input": []}, 'line 2: "input" is empty'),
        ({"input": said(2)}, 'line 2: "input" must end with a question'),
        ({"input": [{"speaker": "bot", "text": "?"}]}, 'line 2, input 1: "speaker" must be'),
        ({"task_id": "t1<::>1"}, "the id 't1<::>1' for the second time"),
        ({"target": 7}, 'line 2: "target" must be a string'),
    ],
)
def test_what_is_wrong_is_named_when_it_is_reached(domain, write_lines, bad, what):
    folder = domain("mtrag")
    path = write_lines("mtrag/tasks.jsonl", [ours(1, "Nass."), {**ours(2, "Aus Torf."), **bad}])
    found = FORMAT.examples(folder)
    assert next(found).id == "t1<::>1"
    with pytest.raises(MalformedData) as error:
        next(found)
    assert str(error.value).startswith(str(path.resolve()))
    assert what in str(error.value)


def test_tasks_cut_short(domain, write_lines):
    folder = domain("mtrag")
    write_lines("mtrag/tasks.jsonl", [ours(1, "Nass."), '{"task_id": "t1<::>2", "inp'])
    with pytest.raises(MalformedData, match="line 2: is not JSON, or cut short"):
        list(FORMAT.examples(folder))


def test_other_paths_are_not_taken_for_it(tmp_path, write):
    assert not FORMAT.recognises(tmp_path)
    assert not FORMAT.recognises(tmp_path / "none")
    assert not FORMAT.recognises(write("tasks.jsonl", "{}"))
