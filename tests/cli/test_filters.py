"""`rerank` and `read` as filters: JSON lines in, JSON lines out, without an index."""

import json
import re

import pytest

ASKED = {
    "en": ("When was the lighthouse built?", "The lighthouse was built in 1887.", "1887"),
    "de": ("Wann wurde der Leuchtturm gebaut?", "Der Leuchtturm wurde 1887 gebaut.", "1887"),
    "zh": ("灯塔建于哪一年？", "灯塔建于1887年，漆成红色。", "1887"),
    "ja": ("灯台はいつ建てられましたか？", "灯台は1887年に建てられました。", "1887"),
    "th": ("ประภาคารสร้างเมื่อใด", "ประภาคารสร้างขึ้นในปี 1887", "1887"),
    "ar": ("متى بُنيت المنارة؟", "بُنيت المنارة عام 1887.", "1887"),
    "vi": ("Ngọn hải đăng được xây năm nào?", "Ngọn hải đăng được xây năm 1887.", "1887"),
    "ru": ("Когда построили маяк?", "Маяк построили в 1887 году.", "1887"),
    "tr": ("Deniz feneri ne zaman yapıldı?", "Deniz feneri 1887'de yapıldı.", "1887"),
    "hi": ("प्रकाशस्तंभ कब बना?", "प्रकाशस्तंभ 1887 में बना।", "1887"),
    "ko": ("등대는 언제 세워졌습니까?", "등대는 1887년에 세워졌습니다.", "1887"),
}
OTHERS = [
    "The ferry leaves at noon.",
    "Pears ripen in September.",
    "",
    "猫が寝ている。",
    "**—** | 7",
]


def line(question, texts, **more):
    passages = [{"_id": f"p{at}", "title": "", "text": text} for at, text in enumerate(texts)]
    return json.dumps({"question": question, "passages": passages, **more}, ensure_ascii=False)


def asked(lang, **more):
    question, text, _ = ASKED[lang]
    return line(question, [*OTHERS[:3], text, *OTHERS[3:]], **more)


def test_rerank_puts_the_answer_first_in_every_language(anaphora):
    ran = anaphora("rerank", "--json", stdin="\n".join(asked(lang, id=lang) for lang in ASKED))
    assert ran.code == 0, ran.err
    forms = ran.lines
    assert [form["id"] for form in forms] == list(ASKED)
    for form in forms:
        assert list(form) == ["id", "ranking"]
        assert sorted(one["_id"] for one in form["ranking"]) == [f"p{at}" for at in range(6)]
        assert form["ranking"][0]["_id"] == "p3", form["id"]
        assert form["ranking"][-1]["_id"] == "p2"
        scores = [one["score"] for one in form["ranking"]]
        assert scores == sorted(scores, reverse=True)


def test_read_cites_what_it_says(anaphora):
    ran = anaphora("read", "--json", stdin="\n".join(asked(lang, id=lang) for lang in ASKED))
    assert ran.code == 0, ran.err
    answered = 0
    for form in ran.lines:
        assert list(form) == [
            "id",
            "span",
            "answer",
            "lang",
            "confidence",
            "abstained",
            "citations",
            "writing",
        ]
        assert 0 <= form["confidence"] <= 1
        texts = [*OTHERS[:3], ASKED[form["id"]][1], *OTHERS[3:]]
        for citation in form["citations"]:
            text = texts[int(citation["passage_id"][1:])]
            assert text[citation["start"] : citation["end"]] == citation["quote"]
        assert form["citations"]
        assert (form["span"] in form["answer"]) or form["abstained"]
        answered += "1887" in form["span"]
    assert answered > len(ASKED) / 2


def test_read_finds_the_answer_among_many(anaphora):
    question, text, answer = ASKED["en"]
    ran = anaphora("read", "--json", stdin=line(question, [*OTHERS * 4, text]))
    assert answer in ran.json["span"]
    assert ran.json["citations"][0]["passage_id"] == f"p{len(OTHERS) * 4}"


def test_ids_titles_and_languages_are_optional(anaphora):
    stdin = '{"question": "Who?", "passages": [{"_id": 7, "text": "Ms Okafor."}, '
    stdin += '{"_id": "b", "title": null, "text": "A ferry.", "lang": "en"}], "lang": "en"}'
    (form,) = anaphora("rerank", "--json", stdin=stdin).lines
    assert form["id"] == ""
    assert {one["_id"] for one in form["ranking"]} == {"7", "b"}
    (form,) = anaphora("read", "--json", stdin=f"\n{stdin}\n\n").lines
    assert form["id"] == ""


def test_nothing_to_judge(anaphora):
    lines = [line("", ["a", "b"]), line("Who?", []), line("?!", ["a"]), line("Who?", ["", "…"])]
    forms = anaphora("rerank", "--json", stdin="\n".join(lines)).lines
    found = [[one["_id"] for one in form["ranking"]] for form in forms]
    assert found == [["p0", "p1"], [], ["p0"], ["p0", "p1"]]
    forms = anaphora("read", "--json", stdin="\n".join(lines)).lines
    assert [form["abstained"] for form in forms[1::2]] == [True, True]
    assert all(form["citations"] == [] and form["span"] == "" for form in forms[1::2])


@pytest.mark.parametrize("command", ["rerank", "read"])
@pytest.mark.parametrize(
    "wrong",
    [
        "{",
        "[]",
        "[" * 100_000,
        "{}",
        '{"question": "x"}',
        '{"question": 3, "passages": []}',
        '{"passages": []}',
        '{"question": "x", "passages": ["y"]}',
        '{"question": "x", "passages": {"_id": "a"}}',
        '{"question": "x", "passages": [{"text": "y"}]}',
        '{"question": "x", "passages": [{"_id": true, "text": "y"}]}',
        '{"question": "x", "passages": [{"_id": "a"}]}',
        '{"question": "x", "passages": [{"_id": "a", "text": 5}]}',
        '{"question": "x", "passages": [{"_id": "a", "title": 5, "text": "y"}]}',
        '{"question": "x", "passages": [{"_id": 1, "text": "y"}, {"_id": "1", "text": "z"}]}',
        '{"question": "x", "lang": "klingon", "passages": []}',
        '{"question": "\\ud800", "passages": []}',
        '{"question": "x", "passages": [{"_id": "a", "text": "\\udc00"}]}',
    ],
)
def test_a_wrong_line_is_named(anaphora, command, wrong):
    ran = anaphora(command, "--json", stdin=f"{line('Who?', [])}\n{wrong}\n{line('Who?', [])}\n")
    assert ran.code == 2
    assert len(ran.lines) == 1
    assert "standard input, line 2" in ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("command", ["rerank", "read", "rewrite"])
def test_a_line_that_is_not_utf_8_is_named(anaphora, command):
    ran = anaphora(command, "--json", stdin='{"question": "caf\udce9 ?", "passages": []}\n')
    assert (ran.code, ran.err) == (2, "anaphora: standard input, line 1: is not UTF-8\n")


def test_input_as_some_programs_write_it(anaphora):
    given = line("Who?", [], id=None)
    forms = anaphora("read", "--json", stdin=f"\ufeff{given}\r\n{given}\n").lines
    assert [form["id"] for form in forms] == ["", ""]


@pytest.mark.parametrize(
    ("said", "passage"),
    [
        ("你好", "你好是一句问候语。"),
        ("Thanks!", "Thanks go to the sponsors."),
        ("Bonjour", "Bonjour est un salut."),
        ("مرحبا", "مرحبا تحية."),
    ],
)
def test_courtesies_are_not_answered_from_a_passage(anaphora, said, passage):
    (form,) = anaphora("read", "--json", stdin=line(said, [passage])).lines
    assert form["citations"] == []
    assert form["span"] == ""
    assert passage not in form["answer"]


def test_no_lines_no_output(anaphora):
    for command in ("rerank", "read"):
        ran = anaphora(command, "--json", stdin="")
        assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_the_readable_form(anaphora):
    ran = anaphora("rerank", stdin=asked("en"))
    assert ran.code == 0
    first, second = ran.out.splitlines()[:2]
    assert first == ASKED["en"][0]
    assert second.startswith("  1  p3")
    ran = anaphora("read", stdin=asked("en"))
    assert ran.code == 0
    assert ran.out.startswith(ASKED["en"][0])


def test_a_thousand_passages_within_the_time(anaphora, tmp_path):
    (tmp_path / "s.toml").write_text("[rerank]\nrerank_ms = 200\n", "utf-8")
    texts = [f"The ferry number {at} leaves at noon. " * 5 for at in range(1000)]
    anaphora("rerank", "--json", stdin=line("Who?", ["to load the model"]))
    stdin = line("When does the ferry leave?", texts)
    (form,) = anaphora("rerank", "--json", "--config", tmp_path / "s.toml", stdin=stdin).lines
    order = [one["_id"] for one in form["ranking"]]
    assert len(set(order)) == 1000
    assert order[-500:] == [f"p{at}" for at in range(500, 1000)]
    ran = anaphora("rerank", "--config", tmp_path / "s.toml", stdin=stdin)
    assert re.search(r"scored \d+ of 1000 hits within its limit of 200 ms", ran.err)


def test_long_passages(anaphora):
    texts = [
        "x" * 100_000,
        "It was built in 1887." + " word" * 20_000,
        "7" * 100_000,
        "<p>" * 30_000,
    ]
    for command in ("rerank", "read"):
        ran = anaphora(command, "--json", stdin=line("When was it built?", texts))
        assert ran.code == 0, ran.err
        assert ran.json


def test_another_reranker_by_settings(anaphora, tmp_path, endpoint):
    served = endpoint({"do": "answer", "text": "[2] > [1]"})
    settings = f'[rerank]\nmethod = "llm"\nmodel = "m"\nendpoint = "{served.url}"\ntop = 1\n'
    (tmp_path / "s.toml").write_text(settings, "utf-8")
    ran = anaphora("rerank", "--json", "--config", tmp_path / "s.toml", stdin=line("Who?", "ab"))
    assert [one["_id"] for one in ran.json["ranking"]] == ["p1", "p0"]
    assert ran.json["ranking"][0]["score"] == 1.0
