"""Turns on a terminal."""

import time
from dataclasses import replace

import pytest
from support.screens import lines, structured, terminal

from anaphora.cli.terminal import Screen
from anaphora.records import (
    Answer,
    Citation,
    Conversation,
    Done,
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


@pytest.mark.parametrize(
    ("lang", "title", "said"),
    [
        ("en", "Upgrades", "Other sections that were found:"),
        ("ja", "アップグレード", "ほかに見つかった節："),
        ("th", "อัปเกรด", "หัวข้ออื่นที่พบ:"),
        ("ar", "الترقية", "أقسام أخرى عُثر عليها:"),
    ],
)
def test_other_sections_are_named_below_the_sources(capsys, lang, title, said):
    citation, trace = structured("Stop it.", ("paragraph", "Stop it."))
    asked = Understanding(Conversation((Turn("user", "?", lang),)))
    trace = Trace((Stage("understand", asked, 0.0), *trace.stages))
    other = Citation("q", "g/b.html", title, "It.", 0, 3)
    answer = Answer("Stop it. [1]", lang, 0.6, (citation,), other_sections=(other,), trace=trace)
    Screen().stream(stages_of(answer, lambda: None))
    shown = [line for line in capsys.readouterr().out.splitlines() if line]
    assert shown[1:] == ["[1] Guide — g/a.html#steps", said, f"• {title} — g/b.html"]


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
