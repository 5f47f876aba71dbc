"""Answers on a terminal."""

import re
import time
from dataclasses import replace
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from anaphora.cli.terminal import Screen
from anaphora.ingest.update import update
from anaphora.records import (
    Answer,
    Block,
    Citation,
    Conversation,
    Done,
    Hit,
    Passage,
    Reranked,
    Retrieved,
    Rewrite,
    Rewritten,
    Stage,
    Statement,
    Support,
    Text,
    Trace,
    Turn,
    Understanding,
    Understood,
    Writing,
)

MARK, PLAIN = "\x1b[1;32m", "\x1b[0m"


def citation(quote: str, span: str, at: int = 0) -> Citation:
    start = quote.index(span, at)
    return Citation("p", "d", "", quote, 7, 7 + len(quote), (7 + start, 7 + start + len(span)))


def terminal(width: int = 200) -> Console:
    return Console(
        file=StringIO(), force_terminal=True, color_system="standard", highlight=False, width=width
    )


def shown(text: str, *citations: Citation) -> str:
    screen = Screen()
    screen.out = terminal()
    screen.answer(Answer(text, "en", 0.9, citations))
    return screen.out.file.getvalue().split("\n")[0]


def lines(screen: Screen) -> list[str]:
    """What is shown, without colours and links."""
    return re.sub(r"\x1b(\[[\d;?]*\w|\]8;.*?\x1b\\)", "", screen.out.file.getvalue()).split("\n")


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("It opened in 1974.", "1974"),
        ("سعر التذكرة عشرون ريالا.", "عشرون ريالا"),
        ("茶馆的主人是李明华先生。", "李明华先生"),
        ("ค่าเข้าชมห้าสิบบาท", "ห้าสิบบาท"),
        ("किला सोमवार को बंद रहता है।", "सोमवार"),
    ],
)
def test_the_span_is_marked_in_its_sentence(quote, span):
    marked = quote.replace(span, f"{MARK}{span}{PLAIN}")
    assert shown(f"{quote} [1]", citation(quote, span)) == f"{marked} [1]"


def test_the_span_is_marked_where_it_stands_and_not_where_it_is_said_first():
    quote = "Of 27 rooms 7 are open."
    assert shown(f"{quote} [1]", citation(quote, "7", 8)) == (
        f"Of 27 rooms {MARK}7{PLAIN} are open. [1]"
    )


def test_line_breaks_of_the_quote_do_not_move_the_mark():
    quote = "Open\n  daily from\n nine  o'clock."
    assert shown("Open daily from nine o'clock. [1]", citation(quote, "nine  o'clock")) == (
        f"Open daily from {MARK}nine o'clock{PLAIN}. [1]"
    )


def test_every_statement_has_its_mark_and_those_that_agree_one():
    first, second = citation("Red tea.", "Red tea"), citation("There is red tea.", "red tea")
    third = citation("Green tea and red tea.", "Green tea")
    assert shown("Red tea. [1][2] Green tea and red tea. [3]", first, second, third) == (
        f"{MARK}Red tea{PLAIN}. [1][2] {MARK}Green tea{PLAIN} and red tea. [3]"
    )


def structured(text: str, *blocks: tuple[str, str], lang: str = "en", doc_id: str = "g/a.html"):
    """An answer that quotes a whole passage: its blocks by kind and text."""
    found, at = [], 0
    for kind, part in blocks:
        start = text.index(part, at)
        at = start + len(part)
        marker = f"{sum(one.kind == 'item' for one in found) + 1}." if kind == "item" else ""
        found.append(Block(kind, start, at, int(kind == "item"), marker, (), "steps"))
    passage = Passage(f"{doc_id}#1", doc_id, "Guide", text, lang, (), 0, len(text), tuple(found))
    citation = Citation(f"{doc_id}#1", doc_id, "Guide", text, 0, len(text), None, tuple(found))
    stages = (
        Stage("understand", Understanding(Conversation((Turn("user", "?", lang),)), lang), 0.0),
        Stage("retrieve", (Hit(passage, 1.0, 1),), 0.0),
    )
    return citation, Trace(stages)


CODE = "docker build --tag service:latest --file deploy/Containerfile --build-arg VERSION=3.12 ."
SENTENCE = (
    "Build the image, which takes a few minutes, and start it with the first of these commands:"
)


def test_code_is_indented_and_keeps_its_lines():
    code = f"{CODE}\n    docker run service  # ready"
    citation, trace = structured(f"{SENTENCE}\n{code}", ("paragraph", SENTENCE), ("code", code))
    screen = Screen()
    screen.out = terminal(60)
    shown = "\n".join(f"    {line}" for line in code.split("\n"))
    screen.answer(Answer(f"{SENTENCE}\n\n{shown} [1]", "en", 0.9, (citation,), trace=trace))
    printed = lines(screen)
    assert " ".join(printed[:2]) == SENTENCE
    assert printed[2:5] == ["", f"    {CODE}", "        docker run service  # ready [1]"]
    screen.out = terminal(60)
    screen.sources(Answer(f"{SENTENCE} [1]", "en", 0.9, (citation,), trace=trace))
    assert f"      {CODE}" in lines(screen)


LISTS = {
    "en": ["Stop the container and wait until all requests have been answered.", "Copy it."],
    "zh": ["带上身份证或护照到图书馆一楼的服务台，工作人员会给您一张需要填写的申请表。", "拍照。"],
    "ja": [
        "図書館の一階にある受付に身分証明書を持って行き、申込書を受け取ります。",
        "撮影。",
    ],
    "th": ["นำบัตรประชาชนไปที่เคาน์เตอร์บริการชั้นหนึ่งของห้องสมุดเพื่อรับแบบฟอร์มใบสมัคร", "ถ่ายรูป"],
    "ar": [
        "لا تلمس المعروضات ولا تتكئ على الواجهات الزجاجية أثناء التصوير في القاعات.",
        "لا فلاش.",
    ],
    "vi": [
        "Mang chứng minh thư đến quầy dịch vụ ở tầng một của thư viện để nhận đơn.",
        "Chụp ảnh.",
    ],
    "ru": ["Остановите контейнер и подождите, пока не будут даны все ответы на запросы.", "Пуск."],
    "tr": ["Kapsayıcıyı durdurun ve süren bütün isteklerin yanıtlanmasını bekleyin.", "Başlatın."],
}


@pytest.mark.parametrize("lang", LISTS)
def test_items_of_a_list_hang_and_no_line_is_wider_than_the_terminal(lang):
    first, second = LISTS[lang]
    citation, trace = structured(f"{first}\n{second}", ("item", first), ("item", second), lang=lang)
    answer = Answer(f"1. {first}\n2. {second} [1]", lang, 0.9, (citation,), trace=trace)
    for show, margin in ((Screen.answer, 0), (Screen.sources, 4)):
        screen = Screen()
        screen.out = terminal(40)
        show(screen, answer)
        printed = lines(screen)
        at = next(at for at, line in enumerate(printed) if line.startswith(" " * margin + "1. "))
        end = next(at for at, line in enumerate(printed) if line.startswith(" " * margin + "2. "))
        inner = margin + 3
        assert end - at > 1
        assert all(line.startswith(" " * inner) for line in printed[at + 1 : end])
        assert all(cell_len(line) <= 40 for line in printed)
        joined = "".join(line[inner:].strip() for line in printed[at:end])
        assert joined.replace(" ", "") == first.replace(" ", "")


def test_a_pipe_gets_the_text_as_it_is(capsys):
    first, second = LISTS["zh"]
    Screen().answer(Answer(f"1. {first * 5}\n2. {second}\n\n{CODE * 3}", "zh", 0.9))
    assert capsys.readouterr().out == f"1. {first * 5}\n2. {second}\n\n{CODE * 3}\n"


def test_the_span_is_marked_in_a_list_after_another_statement():
    first, second = citation("The pump stops.", "stops"), citation("Wait.\nTake 2 of 12.", "12")
    text = "The pump stops. [1] 1. Wait.\n12. Take 2 of 12. [2]"
    screen = Screen()
    screen.out = terminal()
    screen.answer(Answer(text, "en", 0.9, (first, second)))
    marked = screen.out.file.getvalue().split("\n")
    assert f"12. Take 2 of {MARK}12{PLAIN}." in marked[1]


@pytest.mark.parametrize("name", ["größe.html", "图书馆.html", "دليل المتحف.html"])
def test_a_source_is_a_link_to_its_place_in_the_file(tmp_path, name):
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / name).write_text("<h1>Guide</h1><p id=steps>Stop it.</p>", "utf-8")
    update(tmp_path / "i", [tmp_path / "g"], None)
    citation, trace = structured("Stop it.", ("paragraph", "Stop it."), doc_id=f"g/{name}")
    answer = Answer("Stop it. [1]", "en", 0.9, (citation,), trace=trace)
    screen = Screen(tmp_path / "i")
    screen.out = terminal()
    screen.answer(answer)
    (link,) = re.findall(r"\x1b\]8;[^;]*;(file:[^\x1b]+)", screen.out.file.getvalue())
    assert link == (tmp_path / "g" / name).as_uri() + "#steps"
    assert lines(screen)[2] == f"[1] Guide — g/{name}#steps"
    screen = Screen(tmp_path / "none")
    screen.out = terminal()
    screen.answer(answer)
    assert "\x1b]8" not in screen.out.file.getvalue()


def stages_of(answer: Answer, before_text):
    hits = answer.trace.hits
    yield Understood(answer.trace.understanding)
    yield Rewritten(Rewrite("?", "en"))
    yield Retrieved(hits)
    yield Reranked(hits)
    before_text()
    yield Text(answer.text)
    yield Done(answer)


def test_a_slow_turn_shows_its_stage_until_the_answer_comes():
    citation, trace = structured("Stop it.", ("paragraph", "Stop it."))
    answer = Answer("Stop it. [1]", "en", 0.9, (citation,), trace=trace)
    screen = Screen()
    screen.err, screen.out = terminal(), terminal()

    def slowly():
        while "Reading the passages" not in screen.err.file.getvalue():
            time.sleep(0.01)

    assert screen.stream(stages_of(answer, slowly)) == answer
    assert screen.err.file.getvalue().endswith("\x1b[2K")
    assert lines(screen)[0] == "Stop it. [1]"


def test_nothing_is_shown_of_the_stages_in_a_pipe(capsys):
    citation, trace = structured("Stop it.", ("paragraph", "Stop it."))
    answer = Answer("Stop it. [1]", "en", 0.9, (citation,), trace=trace)
    Screen().stream(stages_of(answer, lambda: None))
    assert capsys.readouterr() == ("Stop it. [1]\n\n[1] Guide — g/a.html#steps\n", "")


@pytest.mark.parametrize(
    ("lang", "other", "offer"),
    [
        ("en", "how to undo an image", "Did you mean: how to undo an image"),
        ("de", "wie lösche ich {sie}", "Oder meinten Sie: wie lösche ich {sie}"),
        ("zh", "怎么删除图层蒙版", "您是不是想问：怎么删除图层蒙版"),
        ("th", "ลบเลเยอร์อย่างไร", "หรือคุณหมายถึง: ลบเลเยอร์อย่างไร"),
        ("ar", "كيف أحذف الطبقة", "هل تقصد: كيف أحذف الطبقة"),
    ],
)
def test_another_reading_is_offered_below_the_answer(lang, other, offer):
    asked = Understanding(Conversation((Turn("user", "how to undo it", lang),)))
    trace = Trace((Stage("understand", asked, 0.0),))
    answer = Answer("So.", lang, 0.9, second_reading=other, trace=trace)
    screen = Screen()
    screen.out = terminal()
    screen.stream(iter([Understood(asked), Text("So."), Done(answer)]))
    shown = [line for line in lines(screen) if line]
    assert shown == ["So.", offer]


def test_why_shows_what_became_of_each_written_sentence(capsys):
    citation = Citation("p", "d.md", "Ferry", "It leaves at noon.", 0, 18)
    bad = Support(False, 0.2, (), ((14, 15),))
    writing = Writing(
        "small",
        (
            Statement("It leaves at noon.", (citation,), "shown", None, Support(True, 0.9, (0,))),
            Statement("It leaves at 5.", (citation,), "struck", "unsupported", bad),
            Statement("渡船中午开航。", (), "struck", "uncited"),
        ),
        "",
        ("the worst 1 passage of 3 did not fit",),
        2,
    )
    understanding = Understanding(Conversation((Turn("user", "When?", "en"),)))
    trace = Trace((Stage("understand", understanding, 0.0),))
    answer = Answer("It leaves at noon. [1]", "en", 0.9, (citation,), writing=writing, trace=trace)
    screen = Screen()
    screen.why(answer)
    screen.writing(replace(writing, fallback="the model failed"))
    printed = capsys.readouterr()
    for line in (
        "Written by small, 2 requests:",
        "shown: (90%) It leaves at noon.",
        "struck, its sources do not support it: (20%) It leaves at 5.",
        "struck, it cites nothing: 渡船中午开航。",
        "Note: the worst 1 passage of 3 did not fit",
    ):
        assert line in printed.out
    assert "Note: the answer is quoted, not written: the model failed." in printed.err
