"""`anaphora adapt`: an adapter is installed if it finds more, and only then."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from support import manuals
from support.permissions import ordinary_user, public_folder

from anaphora.index import open_index, open_writer
from tools.pages import table

FORMS = Path(__file__).parents[2] / "docs" / "json.md"
ASKED = "阀门金山在哪里"


def fingerprint(folder):
    with closing(open_index(folder)) as index:
        return index.fingerprint


def search(anaphora, folder):
    return anaphora("search", ASKED, "--model", "dense", "--json", "--index", folder).json["hits"]


def test_an_adapter_that_finds_more_is_installed_used_and_removed(anaphora, indexes):
    folder = indexes / "hidden"
    before, hits = fingerprint(folder), search(anaphora, folder)
    ran = anaphora("adapt", "--index", folder)
    assert ran.code == 0, ran.err
    assert f"The adapter was installed in {folder}: it finds more" in ran.out
    assert fingerprint(folder) != before
    assert search(anaphora, folder) != hits

    listed = anaphora("index", "list", "--json", "--index", folder).json["adapter"]
    assert listed.keys() == {"strength", *table(FORMS, "Comparison")}
    assert listed["after"] > listed["before"]
    assert listed["p"] < 0.05
    assert "Its adapter raised nDCG@10" in anaphora("index", "list", "--index", folder).out

    asked = anaphora("ask", ASKED, "--json", "--index", folder).json
    assert asked["adapted"] is True
    assert asked["hits"]
    chatted = anaphora("chat", "--index", folder, stdin=f"{ASKED}\n/why\n")
    assert "Found, with the adapter of the index:" in chatted.out

    ran = anaphora("adapt", "--remove", "--index", folder)
    assert ran.out == f"The adapter was removed from the index in {folder}.\n"
    assert (fingerprint(folder), search(anaphora, folder)) == (before, hits)
    assert anaphora("ask", ASKED, "--json", "--index", folder).json["adapted"] is False
    ran = anaphora("adapt", "--remove", "--json", "--index", folder)
    assert ran.json == {"index": str(folder), "removed": False}


def test_an_adapter_that_finds_no_more_is_not_installed(anaphora, indexes):
    folder = indexes / "plain"
    before = fingerprint(folder)
    ran = anaphora("adapt", "--index", folder)
    assert ran.code == 0, ran.err
    assert "No adapter was installed: " in ran.out
    assert fingerprint(folder) == before
    with closing(open_index(folder)) as index:
        assert index.adapter is None


def test_the_seed_decides_and_json_has_the_documented_fields(anaphora, indexes):
    forms = [
        anaphora("adapt", "--json", "--seed", seed, "--index", indexes / "hidden").json
        for seed in ("3", "3", "4")
    ]
    assert forms[0] == forms[1] != forms[2]
    assert list(forms[0]) == list(table(FORMS, "Output of adapt"))
    assert list(forms[0]["generated"]) == list(table(FORMS, "Comparison"))
    assert forms[0]["people"] is None


def test_another_encoder_drops_the_adapter_with_one_line(anaphora, indexes):
    folder = indexes / "hidden"
    assert anaphora("adapt", "--json", "--index", folder).json["installed"]
    again = "index", indexes / "manuals", "--index", folder, "--encoder"
    kept = anaphora(*again, "support.manuals:hidden")
    assert "adapter" not in kept.err
    ran = anaphora(*again, "support.manuals:plain")
    (line,) = (line for line in ran.err.splitlines() if "adapter" in line)
    assert "its adapter is dropped: run 'anaphora adapt' again" in line
    with closing(open_index(folder)) as index:
        assert index.adapter is None


def questions(path, turns):
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in turns), "utf-8")
    return path


def by_people(folder):
    """A question about every section of the manuals, and one about nothing in them."""
    turns = [{"id": "x", "collection": "m", "question": "why is it blue?", "nuggets": [["blue"]]}]
    with closing(open_index(folder)) as index:
        for document in index.documents():
            for passage in index.passages_of(document.doc_id):
                turns.append(
                    {
                        "id": passage.passage_id,
                        "collection": "m",
                        "question": f"{passage.section[-1]}?",
                        "nuggets": [[passage.section[-1]]],
                        "sources": [passage.doc_id],
                    }
                )
    return turns


def test_questions_by_people_decide(anaphora, indexes, tmp_path):
    file = questions(tmp_path / "asked.jsonl", by_people(indexes / "hidden"))
    form = anaphora("adapt", "--questions", file, "--json", "--index", indexes / "hidden").json
    assert form["people"]["asked"] == "people"
    assert form["people"]["questions"] == len(file.read_text("utf-8").splitlines()) - 1
    assert form["installed"] is True

    few = questions(tmp_path / "few.jsonl", by_people(indexes / "hidden")[:4])
    ran = anaphora("adapt", "--questions", few, "--index", indexes / "hidden")
    assert ran.code == 0, ran.err
    assert "3 questions by people: nDCG@10" in ran.out
    assert "No adapter was installed: " in ran.out
    assert "The adapter that was installed before was removed." in ran.out


def test_questions_may_be_pairs_or_a_beir_set(anaphora, indexes, tmp_path):
    turns = by_people(indexes / "hidden")[1:20]
    with closing(open_index(indexes / "hidden")) as index:
        texts = {id: index.passages([id])[id].text for id in (one["id"] for one in turns)}
    pairs = questions(
        tmp_path / "pairs.jsonl",
        [{"query": one["question"], "positives": [texts[one["id"]]]} for one in turns],
    )
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    questions(folder / "corpus.jsonl", [{"_id": one["id"], "text": "?"} for one in turns])
    questions(
        folder / "queries.jsonl",
        [{"_id": str(at), "text": one["question"]} for at, one in enumerate(turns)],
    )
    lines = [f"{at}\t{one['id']}\t1" for at, one in enumerate(turns)]
    (folder / "qrels" / "test.tsv").write_text(
        "\n".join(["query-id\tcorpus-id\tscore", *lines]) + "\n", "utf-8"
    )
    forms = [
        anaphora("adapt", "--questions", path, "--json", "--index", indexes / "hidden").json
        for path in (pairs, folder)
    ]
    assert [form["people"]["questions"] for form in forms] == [len(turns)] * 2
    assert forms[0]["people"] == forms[1]["people"]


def test_a_language_model_that_fails_is_told_and_the_sentences_remain(
    anaphora, indexes, endpoint, tmp_path
):
    server = endpoint({"do": "status", "code": 400, "message": "no such model"})
    config = tmp_path / "settings.toml"
    config.write_text(f'[read]\nmethod = "llm"\nmodel = "m"\nendpoint = "{server.url}"\n', "utf-8")
    alone = anaphora("adapt", "--json", "--index", indexes / "hidden").json
    ran = anaphora("adapt", "--json", "--config", config, "--index", indexes / "hidden")
    assert ran.json == alone
    assert ran.err.count("the others are sentences of the documents") == 1


def test_what_cannot_be_adapted_is_told_in_one_line(anaphora, indexes, tmp_path):
    page = tmp_path / "one.md"
    page.write_text("# Un seul\n\nUne page courte sur la pompe et sur la vanne rouge.", "utf-8")
    small, lexical = tmp_path / "small", tmp_path / "lexical"
    anaphora("index", page, "--index", small, "--encoder", "support.manuals:plain")
    anaphora("index", page, "--index", lexical, "--lexical")
    words = tmp_path / "words.toml"
    words.write_text('[retrieve]\nmodel = "bm25"\n', "utf-8")
    nothing = questions(tmp_path / "nothing.jsonl", by_people(indexes / "plain")[:1])
    for arguments, code, said in (
        (["--index", tmp_path / "none"], 1, "there is no index in"),
        (["--index", small], 1, "is too small to adapt: 0 questions could be made from 0"),
        (["--index", lexical], 2, "has no vectors to adapt; index it without --lexical"),
        (["--index", indexes / "plain", "--config", words], 2, "compares no vectors"),
        (["--index", indexes / "plain", "--questions", nothing], 1, "answers a question of"),
        (["--index", indexes / "plain", "--questions", tmp_path / "no"], 2, "cannot be read"),
        (["--index", indexes / "plain", "--questions", nothing, "--remove"], 2, "no --questions"),
    ):
        ran = anaphora("adapt", *arguments)
        assert (ran.code, ran.out) == (code, "")
        assert len(ran.err.splitlines()) == 1
        assert said in ran.err


def test_ctrl_c_changes_nothing(anaphora, indexes):
    before = fingerprint(indexes / "stopped")
    ran = anaphora("adapt", "--index", indexes / "stopped")
    assert (ran.code, ran.out) == (1, "")
    assert "stopped" in ran.err
    assert fingerprint(indexes / "stopped") == before
    with open_writer(indexes / "stopped", create=False):
        pass  # it is not locked


def test_an_index_that_is_being_written_is_left_alone(anaphora, indexes):
    with open_writer(indexes / "hidden", create=False):
        ran = anaphora("adapt", "--index", indexes / "hidden")
    assert ran.code == 1
    assert "another process is writing the index" in ran.err
    with closing(open_index(indexes / "hidden")) as index:
        assert index.adapter is None


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_measured(anaphora, indexes):
    with public_folder() as home:
        folder = shutil.copytree(indexes / "stopped", home / "index")
        with closing(sqlite3.connect(folder / "store.sqlite")) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for path in (*folder.rglob("*"), folder):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with ordinary_user():
            ran = anaphora("adapt", "--index", folder)
        assert ran.code == 1
        # Encoding a question would press Ctrl-C.
        assert "stopped" not in ran.err
        assert str(folder) in ran.err
        assert len(ran.err.splitlines()) == 1
        folder.chmod(0o755)
        (folder / "segments").chmod(0o755)


def test_the_encoders_of_these_tests_differ_by_the_direction_that_is_added():
    texts = "阀门", "клапан"
    hidden, plain = (one.encode_queries(texts) for one in (manuals.hidden(), manuals.plain()))
    assert hidden[:, 0].min() > 0.5
    assert plain[:, 0].max() == 0
