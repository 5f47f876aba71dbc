"""A whole evaluation: from a data set's file to runs on disk."""

import json
from dataclasses import replace

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.registry import open_dataset
from anaphora.errors import AnaphoraError, MalformedData, UsageError
from anaphora.evaluate import harness as harness_module
from anaphora.evaluate.harness import Harness, load_examples
from anaphora.evaluate.run_folder import read_figures, read_run
from anaphora.evaluate.scoring import Success
from anaphora.evaluate.systems import System, parse_systems
from anaphora.index import open_index
from anaphora.pipeline import Pipeline
from anaphora.records import Rewrite
from anaphora.understand import LanguageAndIntent

PIPELINES = (System(), System("bare words", Config.of({"rewrite": {"method": "none"}})))


@pytest.fixture(scope="module")
def done(conversations, tmp_path_factory):
    """Runs of two pipelines, without vectors."""
    out = tmp_path_factory.mktemp("runs")
    runs = Harness(out, lexical=True).run(open_dataset(conversations), PIPELINES)
    return out, runs


def test_a_run_is_a_folder_that_tells_everything(done):
    out, runs = done
    for (folder, run), name in zip(runs, ("default", "bare-words"), strict=True):
        assert folder == out / "records-turns" / name
        assert {path.name for path in folder.iterdir()} == {
            "about.json",
            "answers.jsonl",
            "human-first-stage.run",
            "human.run",
            "metrics.json",
            "original-first-stage.run",
            "original.run",
            "passages.jsonl",
            "qrels.txt",
            "report.html",
            "rewrites.jsonl",
            "rewritten-first-stage.run",
            "rewritten.run",
            "scores.jsonl",
            "timings.jsonl",
            "turns.jsonl",
        }
        assert read_run(folder) == run
    assert "<html" in (out / "records-turns" / "report.html").read_text("utf-8")


def test_every_turn_has_its_scores_under_each_phrasing(done):
    _, [(folder, run), (_, bare)] = done
    turns = {one.example.id: one for one in run.outcomes}
    assert list(turns) == [json.loads(line)["id"] for line in (folder / "scores.jsonl").open()]
    assert set(turns["en-2"].results) == {"original", "rewritten", "human"}
    assert set(turns["ja-1"].results) == {"original", "rewritten"}
    assert turns["en-1"].unchanged is True
    assert turns["en-2"].unchanged is False
    assert turns["ja-1"].unchanged is None
    for id in ("ja-1", "ar-1", "ru-1", "th-1"):
        scores = turns[id].results["rewritten"].scores
        assert scores["R@5"] == scores["3-gram recall"] == 1.0, id
        # An answer too short to tell its language leaves sum and count.
        assert scores.get("language", 1.0) == 1.0, id
    assert turns["no-1"].results["rewritten"].scores["abstention"] == 1.0
    assert "R@5" not in turns["no-1"].results["rewritten"].scores
    for one in bare.outcomes:
        if one.results["rewritten"].rewrite.search:
            assert one.results["rewritten"].hits == one.results["original"].hits


def test_what_people_and_pipeline_asked_is_compared(done):
    _, [(_, run), _] = done
    for one in run.outcomes:
        assert set(one.similarity) == (
            {"question", "meaning", "hits", "answer"} if "human" in one.results else set()
        )
        assert all(0 <= value <= 1.000001 for value in one.similarity.values())
    first = next(one for one in run.outcomes if one.example.id == "en-1")
    assert first.similarity == pytest.approx({"question": 1, "meaning": 1, "hits": 1, "answer": 1})


def test_the_figures_are_the_means_of_the_scores(done):
    _, [(folder, run), _] = done
    figures = json.loads((folder / "metrics.json").read_text("utf-8"))
    values = [one.results["human"].scores["R@5"] for one in run.outcomes if "human" in one.results]
    found = figures["scores"]["human"]["R@5"]
    assert found["mean"] == pytest.approx(sum(values) / len(values), abs=1e-6)
    assert found["turns"] == len(values)
    assert found["low"] <= found["mean"] <= found["high"]
    assert set(figures["groups"]["language"]) == {"en", "ja", "zh", "ar", "ru", "vi", "th", "tr"}
    assert figures["groups"]["topic_switch"]["yes"]["turns"] == 1


def test_warnings_count_what_is_missing(done):
    _, [(_, run), _] = done
    assert any("7 of 12 turns have no human rewrite" in one for one in run.warnings)
    assert any("2 of 12 turns have no passage judged" in one for one in run.warnings)


def test_nothing_is_worked_out_twice(done, conversations, monkeypatch):
    out, runs = done

    def never(*_):
        pytest.fail("this was worked out already")

    monkeypatch.setattr("anaphora.rewrite.linking.rewriter.LinkingRewriter.rewrite", never)
    monkeypatch.setattr("anaphora.retrieve.fusion.Fusion.retrieve", never)
    monkeypatch.setattr("anaphora.read.extractive.ExtractiveReader.read", never)
    again = Harness(out, lexical=True).run(open_dataset(conversations), PIPELINES)
    assert [run.outcomes for _, run in again] == [run.outcomes for _, run in runs]


def test_a_failed_turn_gets_a_culprit(conversations, tmp_path):
    blind = System("blind", Config.of({"rewrite": {"method": "none"}}))
    harness = Harness(tmp_path, lexical=True, success=Success.parse("MRR@1=1"))
    [(_, run)] = harness.run(open_dataset(conversations), [blind])
    culprits = {one.example.id: one.cause for one in run.outcomes}
    scores = {one.example.id: one.results["rewritten"].scores.get("MRR@1") for one in run.outcomes}
    failed = {id for id, score in scores.items() if score == 0}
    assert failed
    assert {id for id, culprit in culprits.items() if culprit} == failed
    assert culprits["en-2"] == "rewriting"


def test_stopping_before_reading(conversations, tmp_path):
    harness = Harness(tmp_path, last="retrieve", lexical=True, limit=3)
    [(folder, run)] = harness.run(open_dataset(conversations), [System()])
    assert len(run.outcomes) == 3
    assert run.success == ("R@5", ">0")
    assert all(one.results["rewritten"].answer is None for one in run.outcomes)
    assert (folder / "answers.jsonl").read_text().count("{") == 3


def test_rewriting_alone_needs_no_passages(conversations, tmp_path):
    harness = Harness(tmp_path, last="rewrite")
    [(folder, run)] = harness.run(open_dataset(conversations), [System()])
    assert all(name.startswith("rewrite ") for name in run.metrics)
    assert not (folder / "rewritten.run").exists()
    assert "Nothing was searched: only rewriting was measured." in run.warnings
    failed = {one.cause for one in run.outcomes if one.cause}
    assert failed == {"rewriting"}


def test_a_run_replaces_the_one_before_it_whole(conversations, tmp_path):
    dataset = open_dataset(conversations)
    Harness(tmp_path, lexical=True, limit=2).run(dataset, [System()])
    [(folder, run)] = Harness(tmp_path, last="rewrite").run(dataset, [System()])
    assert not list(folder.glob("*.run"))
    assert read_run(folder) == run


def test_what_cannot_be_measured_is_said_before_any_work(conversations, tmp_path, monkeypatch):
    monkeypatch.setattr(harness_module, "index_documents", lambda *_: pytest.fail("indexed"))
    for last, metric, said in (
        ("rewrite", "R@5", "'R@5' cannot be measured: nothing is searched"),
        ("retrieve", "F1", "'F1' cannot be measured: nothing is read"),
    ):
        harness = Harness(tmp_path, last=last, metrics=[metric])
        with pytest.raises(UsageError, match=said):
            harness.run(open_dataset(conversations), [System()])


def test_a_missing_extra_is_named_first(conversations, tmp_path, monkeypatch):
    monkeypatch.setattr(harness_module, "find_spec", lambda name: None)
    with pytest.raises(AnaphoraError, match=r"pip install \"anaphora\[eval\]\""):
        Harness(tmp_path / "runs").run(open_dataset(conversations), [System()])
    assert not (tmp_path / "runs").exists()


def test_a_fault_is_best_at_none(conversations, tmp_path):
    harness = Harness(tmp_path, lexical=True, metrics=["code-switching"], limit=4)
    [(_, run)] = harness.run(open_dataset(conversations), [System()])
    assert run.success == ("code-switching", "=0")
    assert not any(one.cause for one in run.outcomes)


def test_automatic_rewrites_stand_in_only_when_asked(conversations):
    dataset = open_dataset(conversations)
    with pytest.raises(UsageError, match=r"no turn of .* by 'gpt'; there are none"):
        load_examples(dataset, reference="gpt")
    [example] = [one for one in dataset.examples() if one.id == "en-2"]
    told = replace(example, automatic={"t5": "When did the Mothers end?"})
    fake = replace(dataset, format=replace(dataset.format, examples=lambda _: iter([told])))
    [found] = load_examples(fake, reference="t5")
    assert found.rewrites == ("When did the Mothers end?",)
    with pytest.raises(UsageError, match="there are those by t5"):
        load_examples(fake, reference="gpt")


def test_an_index_of_ones_own_is_searched(done, conversations, tmp_path):
    out, _ = done
    [index] = (out / "cache" / "collections").glob("*/index")
    harness = Harness(tmp_path, last="retrieve", index=index)
    [(_, run)] = harness.run(open_dataset(conversations), [System()])
    assert next(one for one in run.outcomes if one.example.id == "ar-1").results["rewritten"].hits


@pytest.mark.parametrize(
    ("records", "kind", "said"),
    [
        ([], AnaphoraError, "there is no turn in"),
        (
            [{"id": "a", "turns": [{"role": "user", "text": "q"}], "relevant": ["elsewhere"]}],
            AnaphoraError,
            "not one passage that is judged relevant is in the index",
        ),
        (
            [{"id": "a", "turns": [{"role": "user", "text": "q"}]}],
            AnaphoraError,
            "nothing can be measured",
        ),
        (
            [{"id": "a", "turns": [{"role": "user", "text": "q"}]}] * 2,
            MalformedData,
            "line 2",
        ),
    ],
)  # fmt: skip
def test_data_that_cannot_be_measured_are_one_sentence(tmp_path, records, kind, said):
    file = tmp_path / "turns.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    (tmp_path / "passages.jsonl").write_text(
        '{"_id": "p", "text": "東京は日本の首都です。"}\n', "utf-8"
    )
    dataset = open_dataset(file, "records")
    with pytest.raises(kind, match=said):
        Harness(tmp_path / "runs", lexical=True).run(dataset, [System()])


def test_pipelines_of_one_name_are_refused(conversations, tmp_path):
    with pytest.raises(UsageError, match="two pipelines are called 'default'"):
        Harness(tmp_path).run(open_dataset(conversations), [System(), System()])


class Topical:
    """A rewriter of the user's own: the words of the first question are put before the last."""

    def __init__(self):
        self.calls = 0

    def rewrite(self, conversations):
        self.calls += 1
        return [Rewrite(f"{one.turns[0].text} {one.question.text}", "en") for one in conversations]


def test_a_pipeline_of_ones_own_is_measured_like_any_other(done, conversations, tmp_path):
    out, [(_, configured), _] = done
    [index] = (out / "cache" / "collections").glob("*/index")
    assistant = Assistant(open_index(index))
    rewriter = Topical()
    own = System("own", replace(assistant.pipeline, rewriter=rewriter))
    harness = Harness(tmp_path, index=index)
    [(folder, run)] = harness.run(open_dataset(conversations), [own])
    turns = {one.example.id: one for one in run.outcomes}
    for id in ("en-2", "zh-2", "vi-2"):
        talk = turns[id].example.conversation
        text = turns[id].results["rewritten"].rewrite.text
        assert text == f"{talk.turns[0].text} {talk.question.text}"
        assert turns[id].results["rewritten"].hits
        assert turns[id].results["rewritten"].answer
    assert "Topical" in run.about["pipeline"]["rewriter"]
    assert read_run(folder) == run
    # The stages that it shares with a configuration give the same results.
    for id in ("ar-1", "ru-1", "th-1", "tr-1"):
        (other,) = (one for one in configured.outcomes if one.example.id == id)
        assert turns[id].results["original"].hits == other.results["original"].hits
        assert turns[id].results["original"].answer == other.results["original"].answer
    # Nothing says when its code has changed, so it runs anew each time.
    calls = rewriter.calls
    harness.run(open_dataset(conversations), [own])
    assert rewriter.calls == 2 * calls
    assistant.index.close()


def test_a_rewriter_of_ones_own_needs_no_index(conversations, tmp_path):
    own = System("own", Pipeline(LanguageAndIntent(), Topical(), None, None))
    [(_, run)] = Harness(tmp_path, last="rewrite").run(open_dataset(conversations), [own])
    turns = {one.example.id: one.results["rewritten"].rewrite.text for one in run.outcomes}
    assert turns["en-2"] == "Who were the Mothers of Invention? When did they end?"


def test_the_files_of_a_run_keep_their_fields(done):
    _, [(folder, _), _] = done
    turn = json.loads((folder / "turns.jsonl").read_text("utf-8").splitlines()[0])
    assert set(turn) == {"example", "tried", "culprit", "search_failed", "likeness"}
    assert set(json.loads((folder / "scores.jsonl").open().readline())) >= {"id", "culprit"}
    assert {"culprits", "seconds", "success"} <= read_figures(folder).keys()


def test_an_oracle_gives_the_reader_the_relevant_passages_alone(conversations, tmp_path):
    harness = Harness(tmp_path, lexical=True, oracle=True)
    ((_, run),) = harness.run(open_dataset(conversations), [System()])
    judged = [one for one in run.outcomes if any(g > 0 for g in one.example.relevant.values())]
    assert len(judged) >= 8
    for one in judged:
        relevant = {id for id, grade in one.example.relevant.items() if grade > 0}
        for result in one.results.values():
            if result.rewrite.search:
                assert {id for id, _ in result.ranking} == relevant
        assert one.cause in (None, "reading", "data", "language")
    assert run.about["oracle"] is True


def test_without_retrieval_the_reader_receives_nothing(conversations, tmp_path):
    system = System("closed book", Config.of({"retrieve": {"model": "none"}}))
    ((_, run),) = Harness(tmp_path, lexical=True).run(open_dataset(conversations), [system])
    for one in run.outcomes:
        result = one.results["rewritten"]
        assert result.ranking == ()
        assert result.answer is None or result.answer.abstained or not result.rewrite.search


def test_a_folder_of_pipelines(tmp_path):
    (tmp_path / "b.toml").write_text('rewrite.method = "none"')
    (tmp_path / "a.toml").write_text('retrieve.model = "lmd"')
    (tmp_path / "notes.txt").write_text("no pipeline")
    assert [one.name for one in parse_systems([str(tmp_path), "default"])] == ["a", "b", "default"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="has no TOML file"):
        parse_systems([str(tmp_path / "empty")])


def test_passages_of_a_grade_are_the_answers(conversations, tmp_path):
    harness = Harness(tmp_path, lexical=True, answer_grade=1, metrics=["ROUGE-L"])
    ((_, run),) = harness.run(open_dataset(conversations), [System()])
    for one in run.outcomes:
        texts = {run.passages[id].text for id, grade in one.example.relevant.items() if grade > 0}
        assert set(one.example.answers) == texts
    with pytest.raises(UsageError, match="no passage of grade 7 or more"):
        replace(harness, answer_grade=7).run(open_dataset(conversations), [System()])


def test_settings_for_every_pipeline_that_has_them(tmp_path):
    (tmp_path / "written.toml").write_text('read.method = "llm"')
    texts = [str(tmp_path), "default"]
    with pytest.raises(UsageError, match="read\\.model"):
        parse_systems(texts)
    written, plain = parse_systems(texts, "read.model=m,read.endpoint=http://localhost:1/v1")
    assert (written.name, written.config.read.model) == ("written", "m")
    assert plain.config == Config.of({"read": {"model": "m"}})
    with pytest.raises(UsageError, match="no pipeline has the setting"):
        parse_systems(texts, "rewrite.endpoint=http://localhost:1/v1")
    with pytest.raises(UsageError, match="there is no setting 'raed'"):
        parse_systems(texts, "raed.model=m")
