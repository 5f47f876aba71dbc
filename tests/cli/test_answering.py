"""The command line on a small real index with the real encoder, and on bad input."""

import json
import os
import re
import resource
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from anaphora.index import open_writer
from anaphora.language import message
from anaphora.serialization import citation_to_dict, parse_turn

PAGES = {
    "en/heating.md": "# Heating\n\n## Boiler\n\nThe boiler stands in the cellar behind the wine "
    "rack. The red valve closes the gas pipe. It was installed by Ms Okafor in 2014.\n\n## Stove"
    "\n\nThe stove in the kitchen burns wood pellets. One sack of pellets lasts three days.",
    "en/garden.md": "# Garden\n\nThe roses need water twice a week in July. The old pear tree was "
    "planted in 1931.",
    "de/haus.md": "# Das Dach\n\nDas Dach wurde 1998 mit Schiefer neu gedeckt. Die Regenrinne muss "
    "im Herbst gereinigt werden.",
    "fr/maison.md": "# La cave\n\nLa cave à vin garde une température de douze degrés toute l'année"
    ". La clé de la cave est dans le tiroir de la cuisine.",
    "zh/house.md": "# 车库\n\n车库的门可以用遥控器打开。备用钥匙放在花盆下面。",
    "ja/house.md": "# 屋根裏\n\n屋根裏部屋には古い写真が保管されています。はしごは物置にあります。",
    "th/house.md": "# สระว่ายน้ำ\n\nสระว่ายน้ำลึกสองเมตร ต้องเปลี่ยนน้ำทุกปีในเดือนเมษายน",
    "ar/house.md": "# الشرفة\n\nتطل الشرفة على البحر. تم طلاء الجدران باللون الأزرق في الربيع.",
    "vi/house.md": "# Mái hiên\n\nMái hiên được lợp ngói đỏ. Thợ mộc đã sửa cửa sổ vào tháng ba.",
    "ru/house.md": "# Баня\n\nБаня топится берёзовыми дровами. Дрова лежат под навесом у забора.",
    "tr/house.md": "# Çatı\n\nÇatı katında eski bir piyano duruyor. Anahtar komşuda kalıyor.",
}
ASKED = [
    ("Who installed the boiler?", "en", "Okafor"),
    ("Wann wurde das Dach neu gedeckt?", "de", "1998"),
    ("Quelle est la température de la cave ?", "fr", "douze degrés"),
    ("备用钥匙在哪里？", "zh", "花盆"),
    ("屋根裏部屋には何が保管されていますか？", "ja", "写真"),
    ("สระว่ายน้ำลึกเท่าไร", "th", "สองเมตร"),
    ("بأي لون تم طلاء الجدران؟", "ar", "الأزرق"),
    ("Mái hiên được lợp bằng gì?", "vi", "ngói đỏ"),
    ("Какими дровами топится баня?", "ru", "берёзовыми"),
    ("Çatı katında ne var?", "tr", "piyano"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    for name, text in PAGES.items():
        (home / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "house" / name).write_text(text, "utf-8")
    return home


@pytest.fixture(scope="module")
def index(home, cache):
    from anaphora.ingest.update import update
    from anaphora.retrieve.encoders import load_encoder

    update(home / "index", [home / "house"], load_encoder())
    return home / "index"


@pytest.mark.parametrize(("question", "lang", "expected"), ASKED, ids=[a[1] for a in ASKED])
def test_a_question_in_each_language_is_answered_in_it_from_its_page(
    anaphora, index, question, lang, expected
):
    form = anaphora("ask", question, "--index", index, "--json").json
    assert (form["lang"], form["answer_lang"], form["abstained"]) == (lang, lang, False)
    assert unicodedata.normalize("NFC", expected) in form["answer"]
    texts = {hit["passage_id"]: hit["text"] for hit in form["hits"]}
    for citation in form["citations"]:
        quoted = texts[citation["passage_id"]][citation["start"] : citation["end"]]
        assert quoted == citation["quote"]


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("Wo ist der Schlüssel zum Weinkeller?", "fr/maison.md"),
        ("How deep is the swimming pool?", "th/house.md"),
        ("What colour were the walls of the balcony painted?", "ar/house.md"),
        ("Когда перекрыли крышу шифером?", "de/haus.md"),
        ("花园里的玫瑰什么时候需要浇水？", "en/garden.md"),
    ],
)
def test_a_question_in_one_language_finds_the_page_in_another(anaphora, index, question, page):
    hits = anaphora("search", question, "--index", index, "--json").json["hits"]
    assert page in {hit["doc_id"].removeprefix("house/") for hit in hits[:2]}


def test_ask_json_has_the_documented_keys(anaphora, index):
    form = anaphora("ask", "Who installed the boiler?", "--index", index, "--json").json
    assert list(form) == [
        "question",
        "rewrite",
        "lang",
        "intent",
        "answer",
        "span",
        "answer_lang",
        "confidence",
        "abstained",
        "second_reading",
        "unmentioned",
        "citations",
        "other_sections",
        "writing",
        "hits",
        "adapted",
        "cut",
        "timings",
    ]
    assert form["cut"] is form["writing"] is None
    assert set(form["citations"][0]) == {
        "passage_id",
        "doc_id",
        "title",
        "quote",
        "span",
        "start",
        "end",
        "place",
        "blocks",
    }
    assert set(form["timings"]) == {"understand", "rewrite", "retrieve", "rerank", "read"}


def test_the_citations_of_an_answer_come_back_with_the_history(anaphora, index, tmp_path):
    first = anaphora("ask", "Who installed the boiler?", "--index", index, "--json").json
    assert first["citations"]
    assert first["second_reading"] == ""
    turns = [
        {"role": "user", "text": first["question"]},
        {"role": "assistant", "text": first["answer"], "citations": first["citations"]},
    ]
    read = [parse_turn(turn) for turn in turns]
    (citation,) = read[1].citations[:1]
    given = first["citations"][0]
    back = citation_to_dict(citation)
    del given["place"], back["place"]
    assert back == given
    history = tmp_path / "history.jsonl"
    history.write_text("\n".join(map(json.dumps, turns)), "utf-8")
    again = anaphora("ask", "and where?", "--history", history, "--index", index, "--json").json
    assert again["question"] == "and where?"


@pytest.mark.parametrize(
    "citations",
    [
        "x",
        ["x"],
        [{}],
        [{"passage_id": "p", "quote": "q", "start": "1"}],
        [{"passage_id": "p", "quote": "q", "start": 1, "blocks": [{}]}],
    ],
)
def test_citations_that_are_none_are_refused(citations):
    with pytest.raises(ValueError, match=r"citation|quote|passage_id"):
        parse_turn({"role": "assistant", "text": "", "citations": citations})


def test_a_follow_up_with_its_history(anaphora, index, tmp_path):
    history = tmp_path / "history.jsonl"
    turns = [
        {"role": "user", "text": "Where does the boiler stand?"},
        {"role": "assistant", "text": "In the cellar."},
    ]
    history.write_text("\n".join(map(json.dumps, turns)), "utf-8")
    form = anaphora(
        "ask", "And who installed it?", "--history", history, "--index", index, "--json"
    ).json
    assert "boiler" in form["rewrite"]
    assert "Okafor" in form["answer"]


@pytest.mark.parametrize("greeting", ["Hello!", "你好", "Merci beaucoup", "สวัสดีครับ", "مرحبا"])
def test_a_greeting_is_not_searched(anaphora, index, greeting):
    form = anaphora("ask", greeting, "--index", index, "--json").json
    assert (form["hits"], form["citations"], set(form["timings"])) == ([], [], {"understand"})
    assert not form["abstained"]


def test_a_time_limit_that_cuts_is_told(anaphora, index, tmp_path):
    (tmp_path / "c.toml").write_text("[rerank]\nrerank_ms = 1\n", "utf-8")
    command = ("ask", "Where is the key?", "--index", index, "--config", tmp_path / "c.toml")
    told = r"the reranker scored \d+ of \d+ hits within its limit of 1 ms"
    assert re.fullmatch(told, anaphora(*command, "--json").json["cut"])
    ran = anaphora(*command)
    assert re.search(f"^Note: {told}\\.$", ran.err, re.M)
    assert "Note" not in ran.out


def test_what_is_not_in_the_documents(anaphora, index):
    form = anaphora(
        "ask", "Which treaty ended the Thirty Years' War?", "--index", index, "--json"
    ).json
    assert form["abstained"]
    assert message("nearest", "en") in form["answer"]
    assert 1 <= len(form["citations"]) <= 3


def test_the_printed_answer_has_numbered_sources(anaphora, index):
    ran = anaphora("ask", "Who installed the boiler?", "--index", index)
    assert ran.code == 0
    assert re.search(r"Okafor in 2014\. \[1\]", ran.out)
    assert re.search(r"^\[1\] Heating › Boiler — house/en/heating\.md\S*$", ran.out, re.M)


@pytest.mark.parametrize("model", ["bm25", "lmd", "lmjm", "dense", "hybrid"])
def test_every_search_model(anaphora, index, model):
    form = anaphora("search", "red valve", "--model", model, "--index", index, "--json").json
    assert list(form) == ["query", "lang", "hits"]
    assert set(form["hits"][0]) == {
        "rank",
        "score",
        "passage_id",
        "doc_id",
        "title",
        "lang",
        "text",
        "sources",
    }
    assert "red valve" in form["hits"][0]["text"]
    assert [hit["rank"] for hit in form["hits"]] == list(range(1, len(form["hits"]) + 1))


def test_a_batch_of_queries_becomes_a_run(anaphora, index, tmp_path):
    queries = [{"_id": f"q{n}", "text": asked[0]} for n, asked in enumerate(ASKED)]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, queries)), "utf-8")
    for flag, name in (((), "house/de/haus.md"), (("--passages",), "house/de/haus.md#1")):
        ran = anaphora(
            *("search", "--queries", tmp_path / "q.jsonl", "--run", tmp_path / "out.run"),
            *("-k", "3", "--index", index, *flag),
        )
        assert ran.code == 0
        rows = [line.split() for line in (tmp_path / "out.run").read_text("utf-8").splitlines()]
        assert {row[0] for row in rows} == {query["_id"] for query in queries}
        assert all(len(row) == 6 and row[1] == "Q0" for row in rows)
        assert [row[3] for row in rows if row[0] == "q1"] == ["1", "2", "3"]
        assert next(row[2] for row in rows if row[0] == "q1") == name


def test_rewrite_is_a_filter(anaphora, index):
    talks = [
        {
            "id": 7,
            "title": "House",
            "turns": [
                {"role": "user", "text": "Who installed the boiler?"},
                {"role": "assistant", "text": "Ms Okafor."},
                {"role": "user", "text": "When?"},
            ],
        },
        {"id": "x", "turns": [{"role": "user", "text": "车库在哪里？"}]},
    ]
    stdin = "\n".join(json.dumps(talk, ensure_ascii=False) for talk in talks)
    forms = anaphora("rewrite", "--json", "--index", index, stdin=stdin).lines
    assert [form["id"] for form in forms] == ["7", "x"]
    assert list(forms[0]) == [
        "id",
        "rewrite",
        "lang",
        "confidence",
        "decision",
        "reason",
        "edits",
        "variants",
    ]
    assert any("boiler" in text for text in (forms[0]["rewrite"], *forms[0]["variants"]))
    assert set(forms[0]["edits"][0]) == {
        "kind",
        "text",
        "source_turn",
        "position",
        "replaced",
    }
    assert forms[1]["rewrite"] == "车库在哪里？"
    assert forms[1]["lang"] == "zh"


def test_rewrite_works_without_an_index(anaphora, tmp_path):
    turns = [("user", "谁建造了故宫？"), ("assistant", "明朝。"), ("user", "它在哪里？")]
    talk = {"id": "a", "turns": [{"role": role, "text": text} for role, text in turns]}
    ran = anaphora("rewrite", "--json", "--index", tmp_path / "none", stdin=json.dumps(talk))
    assert ran.json["rewrite"] == "故宫在哪里？"
    assert ran.json["edits"][0]["source_turn"] == 0
    assert "它在哪里？" in ran.json["variants"]
    (tmp_path / "c.toml").write_text('[rewrite]\nmethod = "expansion"\n', "utf-8")
    ran = anaphora("rewrite", "--config", tmp_path / "c.toml", "--index", tmp_path / "none")
    assert ran.code == 2
    assert "needs an index" in ran.err


def test_the_best_rewrites_need_json_and_the_linker(anaphora, tmp_path):
    given = '{"id": "1", "turns": [{"role": "user", "text": "Who?"}]}'
    none = ("--index", tmp_path / "none")
    ran = anaphora("rewrite", "--best", "3", *none, stdin=given)
    assert (ran.code, ran.err) == (
        2,
        "anaphora: --best needs --json and the rewriter 'linking'\n",
    )
    (tmp_path / "c.toml").write_text('[rewrite]\nmethod = "history"\n', "utf-8")
    config = ("--config", tmp_path / "c.toml")
    assert anaphora("rewrite", "--json", "--best", "3", *none, *config, stdin=given).code == 2


def test_chat_passes_over_a_line_that_is_not_utf_8(anaphora, index):
    ran = anaphora("chat", "--index", index, stdin="caf\udce9 ?\n/quit\n")
    assert ran.code == 0
    assert "line 1 is not UTF-8" in ran.err
    assert "Traceback" not in ran.err


def test_chat_follows_up_explains_and_starts_over(anaphora, index):
    lines = ["/why", "Where does the boiler stand?", "And who installed it?", "/why", "/sources"]
    lines += ["/lang zz9", "/lang fr", "/new", "/nonsense", "", "/help", "/quit", "not asked"]
    ran = anaphora("chat", "--index", index, stdin="\n".join(lines) + "\n")
    assert ran.code == 0
    assert "Nothing has been asked yet." in ran.out
    assert "Okafor" in ran.out
    assert re.search(r"^Searched for: .*boiler", ran.out, re.M)
    assert "(turn 1)" in ran.out
    assert "is not a language code" in ran.err
    assert "There is no command /nonsense" in ran.out
    assert "not asked" not in ran.out


def test_list_shows_what_the_index_holds(anaphora, home, index, tmp_path):
    form = anaphora("index", "list", "--index", index, "--json").json
    assert (form["documents"], form["without_vectors"]) == (len(PAGES), 0)
    assert form["encoder"] == "multilingual-e5-small"
    assert form["languages"] == sorted({name[:2] for name in PAGES})
    assert {file["path"]: file["documents"] for file in form["files"]} == {
        str(home / "house" / name): 1 for name in PAGES
    }
    assert {file["root"] for file in form["files"]} == {str(home / "house")}
    shown = anaphora("index", "list", "--index", index).out
    assert shown.startswith(f"{home / 'house'}: 11 files, 11 documents\n")
    assert f"  {home / 'house' / 'zh' / 'house.md'}\n" in shown
    assert "in ar, de, en, fr, ja, ru, th, tr, vi, zh; vectors of multilingual-e5-small." in shown
    rows = [json.dumps({"_id": str(n), "text": f"word {n}"}) for n in range(3)]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows), "utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    given = [tmp_path / "rows.jsonl", tmp_path / "broken.pdf"]
    anaphora("index", *given, "--lexical", "--index", tmp_path / "i")
    shown = anaphora("index", "list", "--index", tmp_path / "i").out
    assert "rows.jsonl (3 documents)" in shown
    assert re.search(r"broken\.pdf \(not read: .+\)", shown)
    assert "2 files, 3 documents, 3 passages" in shown
    assert "no vectors." in shown


def test_an_index_is_listed_while_it_is_written(anaphora, tmp_path):
    for name in ("насос.md", "水泵.md"):
        (tmp_path / "docs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "docs" / name).write_text("# Pump\n\nIt lifts water.", "utf-8")
    anaphora("index", tmp_path / "docs", "--lexical", "--index", tmp_path / "i")
    with open_writer(tmp_path / "i"):
        shown = anaphora("index", "list", "--index", tmp_path / "i")
        assert anaphora("index", "verify", "--index", tmp_path / "i").code == 1
    assert (shown.code, "水泵.md" in shown.out, "насос.md" in shown.out) == (0, True, True)


def test_a_damaged_ledger_is_named_when_the_index_is_listed(anaphora, tmp_path):
    (tmp_path / "a.md").write_text("Some words.", "utf-8")
    anaphora("index", tmp_path / "a.md", "--lexical", "--index", tmp_path / "i")
    (tmp_path / "i" / "ledger.sqlite").write_bytes(b"no database" * 100)
    ran = anaphora("index", "list", "--index", tmp_path / "i")
    assert ran.code == 1
    assert "the ledger" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("name", ["list", "remove", "verify", "repair"])
def test_a_folder_may_have_the_name_of_a_subcommand(anaphora, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.md").write_text("Some words.", "utf-8")
    ran = anaphora("index", f"./{name}", "--lexical", "--index", "i")
    assert "1 document read" in ran.out


def test_remove_takes_files_and_folders_out_of_the_index_alone(anaphora, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in PAGES.items():
        (tmp_path / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "house" / name).write_text(text, "utf-8")
    anaphora("index", "house", "--lexical", "--index", "i")
    # One of them is wrong: nothing is removed.
    ran = anaphora("index", "remove", "house/zh", "house/zz", "--index", "i")
    assert ran.code == 2
    assert "holds no file at house/zz; 'anaphora index list --index i' shows" in ran.err
    assert "花盆" in anaphora("search", "花盆", "--index", "i").out
    (tmp_path / "house" / "ar" / "house.md").unlink()
    given = ("house/zh", "./house/ar/house.md", tmp_path / "house" / "en")
    ran = anaphora("index", "remove", *given, "--index", "i")
    assert ran.out.startswith("Removed 4 files with 4 documents from the index in i; 7 documents")
    assert (tmp_path / "house" / "zh" / "house.md").read_text("utf-8") == PAGES["zh/house.md"]
    for word in ("花盆", "الشرفة", "boiler"):
        assert anaphora("search", word, "--index", "i", "--json").json["hits"] == []
    assert "1998" in anaphora("search", "1998", "--index", "i").out
    assert "is whole" in anaphora("index", "verify", "--index", "i").out
    form = anaphora("index", "list", "--index", "i", "--json").json
    assert form["languages"] == ["de", "fr", "ja", "ru", "th", "tr", "vi"]
    form = anaphora("index", "remove", "house/fr", "--index", "i", "--json").json
    assert form["removed"] == [str(tmp_path / "house" / "fr" / "maison.md")]
    assert form["documents"] == 6
    # Indexing the folder adds them again.
    assert anaphora("index", "house", "--lexical", "--index", "i", "--json").json["documents"] == 4


def test_an_index_without_some_vectors_says_so_when_it_is_asked(anaphora, tmp_path):
    index = tmp_path / "i"
    (tmp_path / "a.md").write_text("The lighthouse was built in 1887.", "utf-8")
    anaphora("index", tmp_path / "a.md", "--lexical", "--index", index)
    asked = ("When was the lighthouse built?", "--index", index)
    assert anaphora("ask", *asked).err == ""
    with open_writer(index) as writer:
        writer.set_encoder("multilingual-e5-small")
        writer.commit()
    note = (
        "Note: 1 of 1 passage has no vector and is found by its words alone; run 'anaphora index "
        f"FOLDER... --index {index}' on your documents again to complete the index.\n"
    )
    for command in ("ask", "search"):
        ran = anaphora(command, *asked)
        assert (ran.code, ran.err) == (0, note)
        assert "1887" in ran.out
    assert note in anaphora("chat", "--index", index, stdin="/quit\n").err
    assert anaphora("search", *asked, "--model", "bm25").err == ""
    anaphora("index", tmp_path / "a.md", "--index", index)
    assert anaphora("ask", *asked).err == ""


@pytest.mark.parametrize(
    "command",
    [
        (),
        *(("index",), ("ask",), ("chat",), ("search",), ("rewrite",), ("rerank",), ("read",)),
        *(("eval",), ("compare",), ("score",), ("blame",), ("report",)),
        *(("data",), ("data", "list"), ("data", "check"), ("train",), ("train", "rewriter")),
    ],
)
def test_every_command_explains_itself(anaphora, command):
    short, long = anaphora(*command, "-h"), anaphora(*command, "--help")
    assert (short.code, short.err) == (0, "")
    assert short.out == long.out
    assert "-h, --help" in short.out


def test_a_record_with_an_unknown_language_is_reported(anaphora, tmp_path):
    rows = [{"_id": lang, "text": "Some words.", "lang": lang} for lang in ("en", "pt-BR", "xx")]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    ran = anaphora("index", tmp_path / "rows.jsonl", "--lexical", "--index", tmp_path / "i")
    assert ran.code == 0
    assert "2 documents read" in ran.out
    assert """has a wrong "lang": 'xx' is not a language code such as en, fr or zh""" in ran.out
    assert "rows.jsonl, line 3" in ran.out


def test_indexing_again_reports_what_changed(anaphora, home, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nSome words.", "utf-8")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    first = anaphora("index", folder, "--lexical", "--index", tmp_path / "i")
    assert first.code == 0
    assert "1 document read into 1 passage" in first.out
    assert "docs/photo.png" in first.out
    second = anaphora("index", folder, "--lexical", "--index", tmp_path / "i", "--json").json
    assert (second["documents"], second["unchanged"]) == (0, 1)
    assert second["skipped"][0]["name"] == "docs/photo.png"


def test_verify_reports_passages_without_vectors(anaphora, tmp_path):
    index = tmp_path / "i"
    (tmp_path / "a.md").write_text("Some words.", "utf-8")
    anaphora("index", tmp_path / "a.md", "--lexical", "--index", index)
    with open_writer(index) as writer:
        writer.set_encoder("multilingual-e5-small")
        writer.commit()
    ran = anaphora("index", "verify", "--index", index)
    assert ran.code == 1
    assert "incomplete: 1 of 1 passages have no vectors; run 'anaphora index" in ran.err
    form = anaphora("index", "verify", "--index", index, "--json").json
    assert form["problems"] == ["1 of 1 passages have no vectors"]
    assert (form["documents"], form["passages"], form["without_vectors"]) == (1, 1, 1)
    assert anaphora("index", tmp_path / "a.md", "--index", index).code == 0
    assert "is whole" in anaphora("index", "verify", "--index", index).out


def test_verify_and_repair(anaphora, tmp_path):
    (tmp_path / "a.md").write_text("Some words.", "utf-8")
    index = tmp_path / "i"
    anaphora("index", tmp_path / "a.md", "--lexical", "--index", index)
    assert "is whole" in anaphora("index", "verify", "--index", index).out
    postings = next((index / "segments").iterdir())
    postings.write_bytes(postings.read_bytes()[:-9])
    for command in (("index", "verify"), ("search", "words")):
        ran = anaphora(*command, "--index", index)
        assert ran.code == 1
        assert "repair" in ran.err
        assert ran.err.count("\n") == 1
    assert "Rebuilt" in anaphora("index", "repair", "--index", index).out
    assert "is whole" in anaphora("index", "verify", "--index", index).out
    assert "words" in anaphora("search", "words", "--index", index).out


BAD = [
    (("ask", "x", "--index", "{tmp}/none"), 1, "there is no index"),
    (("index", "{tmp}/none"), 2, "does not exist"),
    (("index", "{tmp}/empty", "--index", "{tmp}/i", "--lexical"), 1, "nothing to index"),
    (("search", "--index", "{index}"), 2, "either a query or --queries"),
    (("search", "x", "--model", "bm24", "--index", "{index}"), 2, "'bm25'"),
    (("search", "x", "-k", "0", "--index", "{index}"), 2, "'-k'"),
    (("search", "--queries", "{tmp}/bad.jsonl", "--run", "{tmp}/o", "--index", "{index}"), 2, "1"),
    (
        ("search", "--queries", "{tmp}/h.jsonl", "--run", "{tmp}/o", "--index", "{index}"),
        2,
        "half",
    ),
    (("search", "--queries", "{tmp}/none", "--run", "{tmp}/o", "--index", "{index}"), 2, "none"),
    (("ask", "x", "--history", "{tmp}/bad.jsonl", "--index", "{index}"), 2, "line 1"),
    (("ask", "x", "--config", "{tmp}/bad.toml", "--index", "{index}"), 2, "'model'"),
    (("index", "verify", "--index", "{tmp}/none"), 1, "there is no index"),
    (("index", "verify", "docs", "--index", "{index}"), 2, "takes no folder"),
    (("index", "{tmp}/bad.jsonl", "--index", "{tmp}/i", "--lexical"), 1, "nothing to index"),
    (("ask", "", "--index", "{index}"), 2, "empty"),
    (("ask", "   ", "--index", "{index}"), 2, "empty"),
    (("search", "", "--index", "{index}"), 2, "empty"),
    (("ask", "x", "--lang", "klingon", "--index", "{index}"), 2, "'klingon'"),
    (("ask", "x", "--lang", "xx", "--index", "{index}"), 2, "'xx' is not a language code"),
    (("search", "x", "--lang", "zzz", "--index", "{index}"), 2, "'zzz' is not a language code"),
    (("chat", "--lang", "", "--index", "{index}"), 2, "'' is not a language code"),
    (("index", "list", "docs", "--index", "{index}"), 2, "takes no folder"),
    (("index", "list", "--index", "{tmp}/none"), 1, "there is no index"),
    (("index", "remove", "--index", "{index}"), 2, "needs the files and folders"),
    (("index", "remove", "{tmp}", "--index", "{index}"), 2, "holds no file at"),
]


@pytest.mark.parametrize(("command", "code", "said"), BAD, ids=[" ".join(b[0]) for b in BAD])
def test_bad_input_gets_one_sentence_and_its_exit_code(
    anaphora, index, tmp_path, command, code, said
):
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.jsonl").write_text("{not json\n", "utf-8")
    (tmp_path / "h.jsonl").write_text('{"_id": "1", "text": "\\ud800"}\n', "utf-8")
    (tmp_path / "bad.toml").write_text("[retrieve]\nmodle = 'bm25'\n", "utf-8")
    ran = anaphora(*(part.format(tmp=tmp_path, index=index) for part in command))
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("line", ["[1]", "{}", '{"turns": []}', '{"turns": [{"role": "x"}]}'])
def test_rewrite_names_the_line_that_is_wrong(anaphora, index, line):
    good = '{"id": 1, "turns": [{"role": "user", "text": "hi"}]}'
    ran = anaphora("rewrite", "--json", "--index", index, stdin=f"{good}\n{line}\n")
    assert ran.code == 2
    assert "line 2" in ran.err
    assert len(ran.lines) == 1


@pytest.mark.parametrize(
    "question",
    [
        "?!…。",
        "🎸🎸🎸",
        "x" * 100_000,
        "boiler " * 20_000,
        "\ud800",
        "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺ",
        "\x00",
    ],
    ids=["marks", "emoji", "long", "many", "surrogate", "runes", "nul"],
)
def test_odd_questions_are_answered_or_declined(anaphora, index, question):
    for command in ("ask", "search"):
        ran = anaphora(command, question, "--index", index, "--json")
        assert (ran.code, ran.err) == (0, "")
        assert ran.json
        if not any(map(str.isalnum, question)):
            assert ran.json["hits"] == []


def test_a_full_disk_is_one_sentence_and_loses_nothing(anaphora, tmp_path):
    folder, index = tmp_path / "docs", tmp_path / "i"
    folder.mkdir()
    (folder / "a.md").write_text("The first words.", "utf-8")
    anaphora("index", folder, "--lexical", "--index", index)
    rows = [json.dumps({"_id": str(n), "text": os.urandom(400).hex()}) for n in range(4000)]
    (folder / "b.jsonl").write_text("\n".join(rows), "utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A limit on file sizes fails the same writes as a full disk does.
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, hard))
    try:
        ran = anaphora("index", folder, "--lexical", "--index", index)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    assert "is whole" in anaphora("index", "verify", "--index", index).out
    assert "first words" in anaphora("search", "first", "--index", index).out
    assert anaphora("index", folder, "--lexical", "--index", index).code == 0


def test_a_damaged_model_is_made_anew(anaphora, index, cache):
    for path in cache.rglob("*"):
        if path.is_file() and path.stat().st_size > 100_000:
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
            break
    script = "import sys; from anaphora.cli import main; sys.argv[0] = 'anaphora'; main()"
    ran = subprocess.run(
        [sys.executable, "-c", script, "ask", "Who installed the boiler?", "--index", str(index)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Okafor" in ran.stdout


def test_the_installed_command_and_its_version():
    command = Path(sys.executable).with_name("anaphora")
    ran = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"anaphora \d+\.\d+\.\d+\n", ran.stdout)


def test_importing_is_light():
    script = (
        "import sys, anaphora, anaphora.cli; "
        "heavy = {'numpy', 'onnxruntime', 'onnx', 'tokenizers', 'torch', 'rich.console'}; "
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
