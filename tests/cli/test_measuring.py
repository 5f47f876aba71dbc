"""The commands that measure, as a person types them."""

import json

import pytest


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    passages = {
        "m": ("The Mothers", "The Mothers of Invention were a band. It ended in 1969."),
        "s": ("Столица", "Москва — столица России."),
        "c": ("北京", "北京是中国的首都。"),
    }
    turns = [
        ("t1", ["Who were the Mothers?"], "Who were the Mothers?", "a band", "m"),
        ("t2", ["Who were the Mothers?", "A band.", "When did they end?"],
         "When did the Mothers end?", "1969", "m"),
        ("t3", ["Какой город — столица России?"], "Какой город — столица России?", "Москва", "s"),
        ("t4", ["中国的首都在哪里？"], "中国的首都在哪里？", "北京", "c"),
    ]  # fmt: skip
    with (folder / "passages.jsonl").open("w", encoding="utf-8") as file:
        for id, (title, text) in passages.items():
            file.write(json.dumps({"_id": id, "title": title, "text": text}) + "\n")
    with (folder / "turns.jsonl").open("w", encoding="utf-8") as file:
        for id, said, rewrite, answer, gold in turns:
            roles = ["user", "assistant", "user"]
            record = {
                "id": id,
                "turns": [
                    {"role": role, "text": text} for role, text in zip(roles, said, strict=False)
                ],
                "rewrite": rewrite,
                "answer": answer,
                "relevant": [gold],
            }
            file.write(json.dumps(record) + "\n")
    return folder / "turns.jsonl"


@pytest.fixture
def runs(records, tmp_path, anaphora):
    done = anaphora(
        "eval", records, "--lexical", "--out", tmp_path, "--json",
        "-p", "default", "-p", "裸: rewrite.method=none",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert [one["name"] for one in done.json] == ["default", "裸"]
    assert str(tmp_path / "records-turns" / "report.html") in done.err.replace("\n", "")
    return tmp_path / "records-turns"


def test_eval_prints_a_report_and_json(records, tmp_path, anaphora):
    done = anaphora("eval", "retrieve", records, "--lexical", "--out", tmp_path, "--limit", "2")
    assert done.code == 0, done.err
    assert "nDCG@5" in done.out
    assert "Human" in done.out


def test_compare(runs, anaphora):
    both = (runs / "default", runs / "裸")
    text = anaphora("compare", *both, "--metric", "r@5", "--metric", "F1")
    assert text.code == 0, text.err
    assert "裸" in text.out
    assert "paired randomisation test" in text.out
    csv = anaphora("compare", *both, "--as", "csv", "--full", "--test", "bootstrap")
    assert csv.out.splitlines()[0].startswith("metric,system,turns,mean")
    for style, mark in (("latex", r"\begin{tabular}"), ("html", "<table>")):
        assert mark in anaphora("compare", *both, "--as", style).out


def test_compare_as_json(runs, anaphora):
    form = anaphora("compare", runs / "default", runs / "裸", "--metric", "R@5", "--json").json
    assert form["baseline"] == "default"
    assert form["tests"] == 1
    found = form["results"]["R@5"]["裸"]
    assert found["difference"]["wins"] + found["difference"]["ties"] <= form["turns"]["R@5"]
    unmeasured = anaphora("compare", runs / "default", runs / "裸", "--metric", "nDCG@7")
    assert unmeasured.code == 2
    assert "has no rewritten nDCG@7; it has" in unmeasured.err


def test_blame_of_a_run(runs, anaphora):
    done = anaphora("blame", runs / "裸", "--metric", "R@5", "--threshold", ">0")
    assert done.code == 0, done.err
    assert "R@5 >0" in done.out
    forms = anaphora("blame", runs / "裸", "--threshold", ">0", "--threshold", "=1", "--json").lines
    assert len(forms) == 2
    assert sum(row["count"] for row in forms[0]["table"]) == 4


def test_blame_of_scores(tmp_path, anaphora):
    file = tmp_path / "scores.jsonl"
    rows = [(0, 1, 1, False), (1, 1, 1, True), (0, 0, 1, False), (0, 0, 0, False)]
    file.write_text(
        "".join(
            json.dumps({"id": str(n), "original": o, "rewritten": r, "human": h, "unchanged": u})
            + "\n"
            for n, (o, r, h, u) in enumerate(rows)
        )
    )
    form = anaphora("blame", "--scores", file, "--threshold", "=1", "--json").json
    assert list(form) == [
        "table",
        "qa_error_rate",
        "rewriting_error_rate",
        "answerable_without_rewriting",
        "answerable_without_rewriting_changed_only",
    ]
    assert form["qa_error_rate"] == form["rewriting_error_rate"] == 0.25
    assert form["answerable_without_rewriting"] == pytest.approx(1 / 3)
    assert form["answerable_without_rewriting_changed_only"] == 0
    assert [row["count"] for row in form["table"]] == [1, 0, 0, 0, 1, 0, 1, 1]


def test_score_of_run_files(runs, anaphora):
    qrels = runs / "default" / "qrels.txt"
    one = anaphora("score", runs / "default" / "rewritten.run", "--qrels", qrels, "--json")
    assert one.code == 0, one.err
    figures = json.loads((runs / "default" / "metrics.json").read_text("utf-8"))
    found = one.json[0]["scores"]
    assert found["R@5"] == pytest.approx(figures["scores"]["rewritten"]["R@5"]["mean"], abs=1e-6)
    two = anaphora(
        "score", runs / "default" / "rewritten.run", runs / "裸" / "rewritten.run",
        "--qrels", qrels, "--metric", "MRR@10",
    )  # fmt: skip
    assert "differs from" in two.out


def test_report(runs, tmp_path, anaphora):
    page = tmp_path / "page.html"
    assert anaphora("report", runs / "default", runs / "裸", "--html", page).code == 0
    assert "中国的首都在哪里" in page.read_text("utf-8")
    assert "R@5" in anaphora("report", runs / "default").out


def test_data(records, anaphora, tmp_path):
    listed = anaphora("data", "list", "--json").json
    assert {"canard", "cast", "mtrag", "dialdoc", "xquad", "beir"} <= {
        one["name"] for one in listed
    }
    checked = anaphora("data", "check", records)
    assert checked.code == 0
    assert "whole" in checked.out
    cut = tmp_path / "turns.jsonl"
    cut.write_bytes(records.read_bytes()[:-40])
    broken = anaphora("data", "check", cut)
    assert broken.code == 1
    assert "line 4" in broken.out


def test_files_that_no_run_wrote(runs, anaphora):
    (runs / "default" / "about.json").write_text('{"name": "x"}')
    (runs / "裸" / "turns.jsonl").write_text('{"id": "x"}\n')
    for folder, said in (("default", "is damaged; run the evaluation again"), ("裸", "line 1")):
        done = anaphora("report", runs / folder)
        assert done.code == 1
        assert said in done.err


def test_a_folder_that_cannot_be_made(records, anaphora):
    done = anaphora("eval", records, "--out", records)
    assert done.code == 2
    assert "cannot be created" in done.err


def test_stopping_says_so(monkeypatch, anaphora):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("anaphora.serialization.read_lines", interrupted)
    done = anaphora("rewrite")
    assert done.code == 1
    assert "stopped; what was committed is kept" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["eval", "nowhere"], 2, "nowhere cannot be read"),
        (["eval", "rerun", "DATA"], 2, "'rerun' is not a stage; there are rewrite, retrieve, read"),
        (["eval", "DATA", "-p", "retrieve.modle=lmd"], 2, "did you mean 'model'?"),
        (["eval", "DATA", "-p", "lmd"], 2, "is neither a file nor settings"),
        (["eval", "DATA", "--metric", "nDGC@5"], 2, "did you mean 'nDCG@5'?"),
        (["eval", "DATA", "--success", "R@5"], 2, "is not a metric and a threshold"),
        (["eval", "DATA", "--format", "conard"], 2, "did you mean 'canard'?"),
        (["eval", "DATA", "--reference", "gpt"], 2, "no turn of"),
        (["compare", "nowhere", "nowhere"], 2, "there is no finished run in nowhere"),
        (["blame"], 2, "give either a run's folder or --scores FILE"),
        (["blame", "nowhere"], 2, "there is no finished run in nowhere"),
        (["blame", "--scores", "nowhere"], 2, "nowhere cannot be read"),
        (["blame", "--scores", "DATA"], 1, "line 1"),
        (["report", "nowhere"], 2, "there is no finished run in nowhere"),
        (["score", "nowhere", "--qrels", "nowhere"], 2, "nowhere cannot be read"),
        (["data", "check", "nowhere"], 2, "nowhere cannot be read"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    records, tmp_path, monkeypatch, anaphora, arguments, code, said
):
    monkeypatch.chdir(tmp_path)
    done = anaphora(*(records if word == "DATA" else word for word in arguments))
    assert done.code == code, done.err
    assert said in done.err
    assert done.err.strip().splitlines()[-1].startswith("anaphora: ")
    assert "Traceback" not in done.err
