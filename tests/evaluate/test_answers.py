"""Usefulness of answers, on tiny collections in several scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import endpoint

from anaphora.datasets.answer_turns import load_answer_turns, normalized
from anaphora.errors import MalformedData, UsageError
from anaphora.evaluate.answer_figures import (
    Result,
    Shown,
    calibration_error,
    figures,
    groups_table,
    nuggets_found,
    summary_table,
)
from anaphora.evaluate.answers import AnswerEvaluation
from anaphora.evaluate.systems import parse_system
from anaphora.evaluate.tables import as_text
from anaphora.ingest import read

PAGES = {
    "en/mothers.md": "# The Mothers\n\nThe Mothers of Invention were a band. They ended in 1969.\n",
    "en/harbour.md": "# Harbour\n\nThe harbour opens at nine. Boats pay 12 euros a night.\n",
    "zh/beijing.md": "# 北京\n\n北京是中国的首都。故宫建于1420年。\n",
    "ar/cairo.md": "# القاهرة\n\nالقاهرة عاصمة مصر. تأسست المدينة سنة 969.\n",
    "vi/hanoi.md": "# Hà Nội\n\nHà Nội là thủ đô của Việt Nam. Hồ Hoàn Kiếm nằm ở trung tâm.\n",
}
TURNS = [
    {"id": "en-1", "collection": "world", "question": "How much do boats pay in the harbour?",
     "lang": "en", "kind": "table", "split": "report", "nuggets": [["ten euros", "12 EUROS"]],
     "sources": ["en/harbour.md"]},
    {"id": "en-2", "collection": "world", "question": "When did they end?",
     "history": [{"role": "user", "text": "Who were the Mothers of Invention?"},
                 {"role": "assistant", "text": "A band. [1]"}],
     "lang": "en", "kind": "fact", "split": "report", "nuggets": [["1969"]],
     "sources": ["en/mothers.md"]},
    {"id": "en-3", "collection": "world", "question": "how heavy is a zeppelin", "lang": "en",
     "kind": "fact", "split": "report", "nuggets": [], "answerable": False},
    {"id": "zh-1", "collection": "world", "question": "故宫建于哪一年？", "lang": "zh",
     "kind": "fact", "split": "report", "nuggets": [["１４２０年"]], "sources": ["zh/beijing.md"]},
    {"id": "ar-1", "collection": "world", "question": "ما هي عاصمة مصر؟", "lang": "ar",
     "kind": "fact", "split": "tune", "nuggets": [["القاهرة"]], "sources": ["ar/cairo.md"]},
    {"id": "vi-1", "collection": "world", "question": "Thủ đô của Việt Nam là gì?", "lang": "vi",
     "kind": "fact", "split": "tune", "nuggets": [["hà nội"]], "sources": ["vi/hanoi.md"]},
    {"id": "ko-1", "collection": "moon", "question": "달은 얼마나 멀어요", "nuggets": [["384"]]},
]  # fmt: skip


def write(path: Path, turns) -> Path:
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns), "utf-8")
    return path


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answers") / "world"
    for name, text in PAGES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def evaluation(world):
    turns = load_answer_turns([write(world.parent / "turns.jsonl", TURNS)])
    return AnswerEvaluation(turns, {"world": world}, world.parent / "out")


@pytest.fixture(scope="module")
def results(evaluation):
    return evaluation.run([parse_system("default")])


def test_turns_are_asked_with_their_history_and_measured(results):
    assert list(results) == ["default", "best passage", "best three"]
    by_id = {one.turn.id: one for one in results["default"]}
    assert list(by_id) == [turn["id"] for turn in TURNS if turn["collection"] == "world"]
    for id in ("en-1", "en-2", "zh-1", "ar-1", "vi-1"):
        assert by_id[id].useful, (id, by_id[id].shown)
        assert by_id[id].right_source
        assert by_id[id].answering_rank == 1
    assert by_id["en-2"].rewrite != "When did they end?"
    assert not by_id["en-3"].useful
    assert by_id["en-3"].right == by_id["en-3"].shown.abstained


def test_the_baselines_show_whole_passages(results):
    one, three = (
        {result.turn.id: result.shown for result in results[name]}
        for name in ("best passage", "best three")
    )
    assert one["zh-1"].text == "北京是中国的首都。故宫建于1420年。"
    for result in results["best three"]:
        passages = [hit.passage for hit in result.hits[:3]]
        assert result.shown.documents == tuple(passage.doc_id for passage in passages)
        assert all(passage.text in result.shown.text for passage in passages)
    assert len(three["en-2"].documents) == 3
    assert one["vi-1"].documents == ("world/vi/hanoi.md",)
    assert one["en-3"].confidence is None
    assert not one["en-3"].abstained


def test_a_file_holds_every_answer(results, evaluation):
    file = evaluation.out / "answers" / "default.json"
    form = json.loads(file.read_text("utf-8"))
    assert form["figures"] == figures(results["default"])
    turn = next(one for one in form["turns"] if one["id"] == "zh-1")
    assert turn["nuggets"] == [{"alternatives": ["１４２０年"], "found": True}]
    assert turn["answer"] in file.read_text("utf-8")
    assert turn["cited"][0] == "world/zh/beijing.md"
    assert turn["hits"][0].startswith("world/zh/beijing.md")


def test_the_same_again_from_the_kept_index(results, evaluation):
    again = evaluation.run([parse_system("default")])
    assert again == results


def test_the_tables(results):
    found = {name: figures(one) for name, one in results.items()}
    assert found["default"]["useful"] == 1
    assert found["default"]["groups"]["turn"] == {
        "first question": {"turns": 4, "useful": 1},
        "follow-up": {"turns": 1, "useful": 1},
    }
    assert found["default"]["right_abstention"] in (0, 1)
    assert found["best passage"]["right_abstention"] == 0
    assert found["best passage"]["calibration_error"] is None
    text = as_text(summary_table(found))
    assert "6 turns, 5 of them answerable" in text
    assert [line.split("  ")[0] for line in text.splitlines()[2:5]] == list(results)
    groups = as_text(groups_table(found))
    assert all(name in groups for name in ("follow-up", "table", "zh", "ar", "vi"))


def test_several_pipelines_have_their_own_baselines(evaluation, tmp_path):
    one = AnswerEvaluation(evaluation.turns, evaluation.folders, tmp_path, True, limit=1)
    systems = [parse_system("default"), parse_system("plain: rewrite.method=none")]
    found = one.run(systems)
    assert list(found)[3:] == ["plain", "plain: best passage", "plain: best three"]
    assert {len(results) for results in found.values()} == {1}
    with pytest.raises(UsageError, match="two pipelines are called 'default'"):
        one.run([systems[0], systems[0]])


def test_collections_without_documents_are_skipped_in_one_line(evaluation, world, caplog):
    caplog.set_level("INFO", "anaphora")
    with pytest.raises(UsageError, match=r"no turn is left: .* one of world, moon"):
        AnswerEvaluation(evaluation.turns, {}, world.parent / "none").run([parse_system("default")])
    assert [record.getMessage() for record in caplog.records] == [
        "turns on collections without --documents are skipped: world (6), moon (1)"
    ]


@pytest.mark.parametrize(
    ("nugget", "text"),
    [
        ("save as", "Press\nSave \t AS[1] now"),
        ("ｃｔｒｌ＋Ｓ", "Ctrl+S"),
        ("自动筛选", "数据 - 自动[1]筛选"),
        ("STRASSE", "die Straße"),
        ("İNDEKS", "indeks kur: i̇ndeks"),
        ("القاهرة", "عاصمة مصر هي القاهرة [2]."),
        ("Hà Nội", "thủ đô là ha\u0300 no\u0323\u0302i"),
    ],
)
def test_nuggets_are_found_in_every_script(nugget, text):
    assert nuggets_found([["absent", nugget], ["absent"]], text) == (True, False)


def test_normalizing_twice_changes_nothing():
    text = "Ｄie  STRAẞE [1]\u00a0ﬁ ΐ 한국 İ"
    assert normalized(normalized(text)) == normalized(text)


def test_a_nugget_may_be_a_pattern(tmp_path):
    assert nuggets_found([["re:(zwölf|12) tage"]], "Nach ELF\nTagen") == (False,)
    assert nuggets_found([["re:(zwölf|12) tage"]], "Nach ZWÖLF\nTage.") == (True,)
    assert nuggets_found([["re:\\d+月"]], "到１２月为止") == (True,)
    path = tmp_path / "turns.jsonl"
    turn = {"id": "a", "collection": "c", "question": "q", "nuggets": [["re:("]]}
    path.write_text(json.dumps(turn), "utf-8")
    with pytest.raises(MalformedData, match="pattern"):
        load_answer_turns([path])


ROOT = Path(__file__).parents[2]


def test_the_projects_own_set():
    """Its facts about the guide are still in the pages that it names."""
    turns = load_answer_turns(sorted((ROOT / "evaluation" / "answers").glob("*.jsonl")))
    assert len(turns) >= 400
    assert len({turn.lang for turn in turns}) == 10
    assert {turn.split for turn in turns} == {"tune", "report"}
    pages: dict[Path, str] = {}
    lost = []
    for turn in turns:
        name, _, lang = turn.collection.partition("-")
        if name == "guide":
            text = ""
            for source in turn.sources:
                page = ROOT / "docs" / lang / source
                if page not in pages:
                    pages[page] = "\n".join(one.text for one in read(page, source))
                text += pages[page]
            lost += [turn.id] * (not all(nuggets_found(turn.nuggets, text)))
    assert pages
    assert lost == []


def result(turn, text="", confidence=None, abstained=False, documents=()):
    found = nuggets_found(turn.nuggets, "" if abstained else text)
    return Result(turn, Shown(text, documents, confidence, abstained), (), turn.question, found)


def test_an_abstention_is_useful_to_nobody_and_right_where_there_is_no_answer(evaluation):
    turns = {turn.id: turn for turn in evaluation.turns}
    wrong = result(turns["en-2"], "Near: 1969.", 0.4, abstained=True)
    assert (wrong.useful, wrong.right, wrong.found) == (False, False, (False,))
    right = result(turns["en-3"], "Nothing.", 0.1, abstained=True)
    assert (right.useful, right.right) == (False, True)
    bluff = result(turns["en-3"], "Nine tons.", 0.9)
    assert (bluff.useful, bluff.right) == (False, False)
    one = figures([wrong, right, bluff])
    assert (one["right_abstention"], one["wrong_abstention"]) == (0.5, 1)
    assert (one["nugget_recall"], one["mean_length"], one["longest"]) == (0, 10, 10)


def test_sources_are_whole_parts_of_the_path(evaluation):
    turn = next(turn for turn in evaluation.turns if turn.id == "en-1")
    sources = [
        (("world/en/harbour.md", "x.md"), (True, True)),
        (("x.md", "en/harbour.md"), (False, True)),
        (("harbour.md", "seven/harbour.md", "en/harbour.md.txt"), (False, False)),
        ((), (False, False)),
    ]
    for documents, expected in sources:
        one = result(turn, "12 euros", documents=documents)
        assert (one.right_source, one.any_right_source) == expected


def test_calibration_error(evaluation):
    turns = {turn.id: turn for turn in evaluation.turns}
    useful = result(turns["en-2"], "1969", 0.85)
    useless = result(turns["en-2"], "1970", 0.85)
    assert calibration_error([useful, useless]) == pytest.approx(0.35)
    # The documents hold the answer with probability 0.1: that there is none has 0.9.
    right = result(turns["en-3"], "", 0.1, abstained=True)
    assert calibration_error([right]) == pytest.approx(0.1)
    assert calibration_error([useful, useless, right]) == pytest.approx((2 * 0.35 + 0.1) / 3)
    assert calibration_error([result(turns["en-2"], "1969", 1.0)]) == 0
    assert calibration_error([result(turns["en-2"], "1969")]) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"comment": ""}, '"comment" is not a field'),
        ({"id": None}, '"id" must be a string or a whole number'),
        ({"collection": " "}, '"collection" is empty'),
        ({"question": 3}, '"question" must be a string'),
        ({"nuggets": None}, '"nuggets" is missing'),
        ({"nuggets": ["1969"]}, '"nuggets" must be a list of lists of strings; 1 is not'),
        ({"nuggets": [["1969"], []]}, '"nuggets" has an empty alternative or none in 2'),
        ({"nuggets": [["1969", " [1] "]]}, '"nuggets" has an empty alternative'),
        ({"nuggets": []}, '"sources" must be empty'),
        ({"answerable": False}, '"answerable" is false, but has nuggets'),
        ({"answerable": "yes"}, '"answerable" must be true or false'),
        ({"sources": "en/mothers.md"}, '"sources" must be a list of strings'),
        ({"sources": ["/"]}, '"sources" holds an empty path'),
        ({"history": [{"role": "system", "text": "Be brief."}]}, 'history 1: "role" must be'),
        ({"history": [{"role": "user", "text": ""}]}, 'history 1: "text" is empty'),
        ({"id": "en-1"}, "\"id\" 'en-1' is already that of .*line 1"),
    ],
    ids=str,
)
def test_an_error_names_file_line_and_field(tmp_path, change, message):
    file = write(tmp_path / "turns.jsonl", [TURNS[0], {**TURNS[1], **change}])
    with pytest.raises(MalformedData, match=rf"turns\.jsonl, line 2.*{message}"):
        load_answer_turns([file])


def test_the_command(world, tmp_path, anaphora):
    file = write(tmp_path / "turns.jsonl", TURNS)
    options = ("--documents", f"world={world}", "--lexical", "--out", tmp_path / "out")
    done = anaphora("eval", "answers", file, *options, "--split", "tune")
    assert done.code == 0, done.err
    assert "best three" in done.out
    assert "2 turns, 2 of them answerable" in done.out
    forms = anaphora("eval", "answers", file, *options, "--limit", "1", "--json").json
    assert [(one["name"], one["turns"]) for one in forms] == [
        ("default", 1),
        ("best passage", 1),
        ("best three", 1),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("answers", "{}", "--documents", "world"), "is not NAME=FOLDER"),
        (("answers", "{}", "--documents", "world=nowhere"), "nowhere does not exist"),
        (("answers", "{}", "--split", "dev"), "of the split 'dev'; there are report, tune"),
        (("answers", "{}", "--metric", "F1"), "--metric is not an option of 'eval answers'"),
        (("answers", "nowhere.jsonl"), "nowhere.jsonl cannot be read"),
        (("{}", "--split", "report"), "--split is an option of 'eval answers FILE...'"),
    ],
)
def test_a_wrong_command_says_what_is_wrong(tmp_path, anaphora, arguments, message):
    file = str(write(tmp_path / "turns.jsonl", TURNS))
    done = anaphora("eval", *(one.replace("{}", file) for one in arguments), "--lexical")
    assert done.code == 2
    assert message in " ".join(done.err.split())


def test_grounding_and_a_judge(world, tmp_path, anaphora):
    server = endpoint.start(tmp_path / "log", {"do": "answer", "text": "yes"})
    file = str(write(tmp_path / "turns.jsonl", TURNS))
    try:
        done = anaphora(
            "eval", "answers", file, "--documents", f"world={world}", "--lexical", "--json",
            "--grounding", "--judge", f"judge@{server.url}", "--out", str(tmp_path / "out"),
        )  # fmt: skip
    finally:
        server.stop()
    assert done.code == 0
    first, baseline, _ = json.loads(done.out)
    assert first["citation_recall"] == first["citation_precision"] == 1
    assert first["unsupported"] == 0
    assert baseline["citation_recall"] is None
    assert first["judged_right"] == baseline["judged_right"] == 1
    assert first["judge_kappa"] is None
    assert 0 < first["judge_agreement"] <= 1


@pytest.mark.parametrize("judge", ["judge", "@http://localhost:1/v1", "judge@"])
def test_a_judge_has_a_model_and_an_address(tmp_path, anaphora, judge):
    file = str(write(tmp_path / "turns.jsonl", TURNS))
    done = anaphora("eval", "answers", file, "--documents", "world=.", "--judge", judge)
    assert done.code == 2
    assert "is not MODEL@URL" in done.err
