"""The JSON forms and input files are as docs/json.md says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.guide import anaphora as run
from support.json_forms import FORMS, TYPES, shape

import anaphora
from anaphora.records import Citation, Statement, Support, Turn, Writing
from anaphora.serialization import trace_to_dict, writing_to_dict
from tools.pages import table

INPUTS = {
    file.name: [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for file in Path(__file__).parent.glob("inputs/*.jsonl")
}


@pytest.mark.parametrize(
    ("heading", "command"),
    [
        ("Output of ask", 'anaphora ask "What is the capital of Mongolia?" --json'),
        ("Output of search", 'anaphora search "supported languages" --json'),
        ("Output of rewrite", "anaphora rewrite --json --best 3 < conversations.jsonl"),
        ("Output of rerank", "anaphora rerank --json < asked.jsonl"),
        ("Output of read", "anaphora read --json < asked.jsonl"),
        ("Output of check", "anaphora check --json < claims.jsonl"),
        ("Output of index", "anaphora index docs picture.png --index other --lexical --json"),
        ("Output of index list", "anaphora index list --json"),
        (
            "Output of index remove",
            "anaphora index remove docs/en/training.md --index example-index --json",
        ),
        ("Output of index verify", "anaphora index verify --json"),
        ("Output of index repair", "anaphora index repair --json"),
        ("Output of data list", "anaphora data list --json"),
        ("Output of data check", "anaphora data check turns.jsonl --json"),
        ("Output of eval", "anaphora eval turns.jsonl --json"),
        (
            "Output of eval answers",
            "anaphora eval answers facts.jsonl --documents guide=docs --lexical --json",
        ),
        (
            "Output of score",
            "anaphora score runs/records-turns/default/rewritten.run --json "
            "--qrels runs/records-turns/default/qrels.txt",
        ),
        ("Output of blame", "anaphora blame --scores scores.jsonl --threshold '=1' --json"),
    ],
)
def test_json_has_the_documented_fields(place, heading, command):
    Path("picture.png").write_bytes(b"\x89PNG")
    documented = table(FORMS, heading)
    done = run(command)
    assert done.code == 0, done.err
    printed = list(shape(json.loads(done.out)))
    assert list(dict.fromkeys(name for name, _ in printed)) == list(documented)
    for name, value in printed:
        assert isinstance(value, TYPES[documented[name][0]]), (name, value)
        assert isinstance(value, bool) <= ("boolean" in documented[name][0]), (name, value)


def test_json_of_a_written_answer_has_the_documented_fields():
    documented = table(FORMS, "Writing")
    citation = Citation("1", "a.md", "A", "It is red.", 0, 10)
    support = Support(False, 0.25, (), ((0, 4),))
    struck = Statement("Blue.", (citation,), "struck", "unsupported", support)
    for fallback, probability in ("", None), ("the model failed", 0.25):
        statement = struck if probability else replace(struck, fault="uncited", support=None)
        form = writing_to_dict(Writing("m", (statement,), fallback, ("a note",), 2))
        printed = list(shape(form))
        assert [name for name, _ in printed] == list(documented)
        assert (form["fallback"], form["statements"][0]["probability"]) == (
            fallback or None,
            probability,
        )
        for name, value in printed:
            assert isinstance(value, TYPES[documented[name][0]]), (name, value)


def test_json_of_a_trace_has_the_documented_fields(place):
    documented = table(FORMS, "Trace")
    conversation = "Which languages are supported?", "English and French.", "And their codes?"
    history = [Turn("assistant" if at % 2 else "user", one) for at, one in enumerate(conversation)]
    found: dict[str, object] = {}
    with anaphora.open() as assistant:
        for question in ("And their codes?", "Good morning"):
            answer = assistant.ask(question, history[:2])
            form = trace_to_dict(answer.trace)
            assert list(form) == [name for name in documented if not re.search(r"\W", name)]
            found |= {name: value for name, value in shape(form) if value is not None}
            for name, value in shape(form):
                assert isinstance(value, TYPES[documented[name][0]]), (name, value)
    missing = {"writing", "stages[].cut"} | {n for n in documented if n.endswith("].relevance")}
    assert documented.keys() - found.keys() <= missing


@pytest.mark.parametrize("question", ["Good morning", "What is the capital of Mongolia?"])
def test_json_of_ask_without_an_answer_has_the_same_fields(place, question):
    documented = table(FORMS, "Output of ask")
    form = json.loads(run(f'anaphora ask "{question}" --json').out)
    assert list(form) == [name for name in documented if "[" not in name]
    assert len(form["citations"]) == (3 if form["abstained"] else 0)


@pytest.mark.parametrize(
    ("heading", "name", "command"),
    [
        ("Input: earlier turns", "history.jsonl", 'anaphora ask "Hello" --history {}'),
        ("Input: queries", "queries.jsonl", "anaphora search --queries {} --run o.run"),
        ("Input: conversations", "conversations.jsonl", "anaphora rewrite < {}"),
        ("Input: questions with passages", "asked.jsonl", "anaphora rerank < {}"),
        ("Input: questions with passages", "asked.jsonl", "anaphora read < {}"),
        ("Input: statements", "claims.jsonl", "anaphora check < {}"),
    ],
)
def test_input_needs_the_documented_fields(place, heading, name, command):
    documented = table(FORMS, heading)
    whole = INPUTS[name][0]
    assert {field for field, _ in shape(whole)} == set(documented)
    for field, (kind, *_) in documented.items():
        part = json.loads(json.dumps(whole))
        outer, _, inner = field.rpartition("[].")
        del (part[outer][0] if outer else part)[inner]
        Path("part.jsonl").write_text(json.dumps(part), "utf-8")
        done = run(command.format("part.jsonl"))
        assert done.code == (0 if kind.endswith("optional") else 2), (field, done.err)


DATA = {field: kind for field, (kind, *_) in table(FORMS, "Input: data sets").items()}


def data_check(record) -> int:
    Path("part.jsonl").write_text(json.dumps(record), "utf-8")
    return run("anaphora data check part.jsonl --format records --json").code


@pytest.mark.parametrize("whole", INPUTS["turns.jsonl"][:2], ids=["one", "several"])
def test_a_data_set_needs_the_documented_fields(place, whole):
    assert {field for field, _ in shape(whole)} <= set(DATA)
    assert data_check(whole) == 0
    for field, kind in DATA.items():
        outer, _, inner = field.rpartition("[].")
        if inner in (whole[outer][0] if outer else whole):
            without, null = (json.loads(json.dumps(whole)) for _ in range(2))
            del (without[outer][0] if outer else without)[inner]
            (null[outer][0] if outer else null)[inner] = None
            expected = 0 if kind.endswith("optional") else 1
            assert (data_check(without), data_check(null)) == (expected, expected), field


def test_every_field_of_a_data_set_is_tried():
    assert {field for record in INPUTS["turns.jsonl"] for field, _ in shape(record)} == set(DATA)


@pytest.mark.parametrize(
    "change",
    [
        {"comment": ""},
        {"id": "two words"},
        {"id": 1.5},
        {"turns": []},
        {"turns": [{"role": "user", "text": "Who?"}, {"role": "assistant", "text": "They."}]},
        {"turns": [{"role": "user", "text": " "}]},
        {"turns": [{"role": "system", "text": "Be brief."}, {"role": "user", "text": "Who?"}]},
        {"rewrites": ["beside the other"]},
        {"answers": ["beside the other"]},
        {"answerable": False},
        {"answerable": "yes"},
        {"relevant": {"p2": 0.5}},
        {"relevant": {"p2": True}},
        {"relevant": "p2"},
        {"relevant": ["not among the passages"]},
        {"tags": {"depth": 2}},
    ],
    ids=str,
)
def test_a_data_set_against_the_documented_rules_is_refused(place, change):
    assert data_check({**INPUTS["turns.jsonl"][0], **change}) == 1


def test_answers_need_the_documented_fields(place):
    documented = table(FORMS, "Input: answers")
    whole = INPUTS["facts.jsonl"][1]
    assert {field for field, _ in shape(whole)} == set(documented)
    for field, (kind, *_) in documented.items():
        part = json.loads(json.dumps(whole))
        outer, _, inner = field.rpartition("[].")
        del (part[outer][0] if outer else part)[inner]
        Path("part.jsonl").write_text(json.dumps(part), "utf-8")
        done = run("anaphora eval answers part.jsonl --split none --documents guide=docs")
        # Whole turns are read and none is of that split; a malformed one is not read.
        assert done.code == (2 if kind.endswith("optional") else 1), (field, done.err)


def test_scores_need_the_documented_fields(place):
    documented = table(FORMS, "Input: scores")
    whole, _, least = INPUTS["scores.jsonl"]
    assert set(whole) == set(documented)
    for record in (whole, least):
        for field, (kind, *_) in documented.items():
            if field in record:
                part = {key: value for key, value in record.items() if key != field}
                Path("part.jsonl").write_text(json.dumps(part), "utf-8")
                done = run("anaphora blame --scores part.jsonl")
                assert done.code == (0 if kind.endswith("optional") else 1), (field, done.err)


def test_documents_as_json_lines_need_the_documented_fields(place):
    documented = table(FORMS, "Input: documents")
    whole = {
        "_id": "d1",
        "text": "It opens at nine.",
        "title": "Hours",
        "lang": "en",
        "metadata": {},
    }
    assert set(whole) == set(documented)
    for field, (kind, *_) in documented.items():
        part = {key: value for key, value in whole.items() if key != field}
        Path("part.jsonl").write_text(json.dumps(part), "utf-8")
        done = run(f"anaphora index part.jsonl --lexical --index only-{field} --json")
        assert done.code in (0, 1), done.err
        optional = kind.endswith("optional")
        form = json.loads(done.out)
        assert (form["documents"], len(form["skipped"])) == ((1, 0) if optional else (0, 1)), field


def test_run_files_are_as_documented(place):
    run("anaphora search --queries queries.jsonl --run out.run -k 5")
    lines = Path("out.run").read_text("utf-8").splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"q[12] Q0 docs/\S+\.md [1-5] [\d.]+ anaphora", line), line
