"""What is shown of a passage, and that nothing shown begins or ends inside a grapheme."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.language import continues_grapheme
from anaphora.read.extracts import ENOUGH, blocks_of, extract, is_cut, shown_blocks, whole
from anaphora.records import Block, Passage, Span

BUDGET = 420

# The range that is asked for, and what it must become.
WITHIN = {
    "th": ("ที่น้ำตก", (3, 4), "น้ำ"),
    "hi": ("यह नि है", (3, 4), "नि"),
    "ar": ("كَتَبَ", (2, 3), "تَ"),
    "vi": (unicodedata.normalize("NFD", "chợ"), (2, 3), unicodedata.normalize("NFD", "ợ")),
    "ko": (unicodedata.normalize("NFD", "집에"), (1, 2), unicodedata.normalize("NFD", "집")),
    "ja": (unicodedata.normalize("NFD", "がく"), (0, 1), unicodedata.normalize("NFD", "が")),
    "ru": (unicodedata.normalize("NFD", "мой"), (2, 3), unicodedata.normalize("NFD", "й")),
    "tr": (unicodedata.normalize("NFD", "şu"), (1, 2), unicodedata.normalize("NFD", "ş")),
    "zh": ("老茶馆", (1, 2), "茶"),
    "emoji": ("a👨🏽\u200d🚀b", (2, 3), "👨🏽\u200d🚀"),
}


@pytest.mark.parametrize("kind", WITHIN)
def test_a_range_grows_to_whole_graphemes(kind):
    text, asked, expected = WITHIN[kind]
    start, end = whole(text, *asked)
    assert text[start:end] == expected
    assert whole(text, start, end) == (start, end)


def test_whole_words_stay_as_they_are():
    assert whole("in the year", 3, 6) == (3, 6)


@pytest.mark.parametrize("lang", ["en", "ru", "hi", "ar", "ko"])
def test_of_a_long_sentence_whole_words_are_shown(lang):
    word = {"en": "lighthouse", "ru": "маяки", "hi": "किला", "ar": "القلعة", "ko": "등대는"}[lang]
    text = " ".join([word] * 400)
    start, end = extract(Passage("p", "d", "", text, lang), [Span(1200, 1210, 1.0)], BUDGET)
    assert start <= 1200 < 1210 <= end
    assert BUDGET - 100 <= end - start <= BUDGET
    assert not text[start].isspace()
    assert set(text[start:end].split()) == {word}


SENTENCES = {
    "en": "The harbour is old and has a wall of stone. ",
    "zh": "港口很旧，有一堵石墙，墙外停着许多小渔船，夜里灯塔亮着。",
    "ja": "港は古く、石の壁があり、その外に小さな漁船が並んでいます。",
    "th": "ท่าเรือเก่าและมีกำแพงหินซึ่งมีเรือประมงจอดอยู่ด้านนอก ",
    "ar": "الميناء قديم وله جدار من الحجر ترسو خارجه القوارب. ",
    "vi": "Bến cảng cũ và có một bức tường đá ở phía ngoài. ",
    "ru": "Гавань старая, и у неё есть каменная стена. ",
    "tr": "Liman eskidir ve taştan bir duvarı vardır. ",
}


@pytest.mark.parametrize("lang", SENTENCES)
def test_an_extract_has_all_that_answers_and_little_more(lang):
    one = SENTENCES[lang].strip() + "\n\n"
    text = (one * (2000 // len(one))).strip()
    passage = Passage("p", "d", "", text, lang)
    at = len(one) * (600 // len(one))
    spans = [Span(at + 2, at + 4, 1.0)]
    answering = (at, at + 6 * len(one))
    start, end = extract(passage, spans, 560, extent=answering)
    assert start <= answering[0] < answering[1] - len(one) < end
    assert end - start <= 560
    short = extract(passage, spans, 560, extent=(at, at + 5))
    assert short[0] <= at < short[1]
    assert short[1] - short[0] <= ENOUGH < extract(passage, spans, 560)[1]
    # What does not fit is as long as without it, and the best span is always shown.
    assert extract(passage, spans, 560, extent=(0, len(text))) == extract(passage, spans, 560)
    far = extract(passage, [Span(len(text) - 4, len(text) - 2, 1.0)], 560, extent=answering)
    assert far[1] >= len(text) - 2


def test_what_belongs_together_is_completed_though_a_part_answers():
    steps = [f"Turn the wheel {count} times to the left and then wait." for count in range(9)]
    lead = "To open the sluice:"
    after = "\n\n".join(["The sluice was built by the town."] * 20)
    text = "\n".join([lead, *steps]) + "\n\n" + after
    blocks, at = [], 0
    for line in (lead, *steps):
        kind, depth = ("paragraph", 0) if line == lead else ("item", 1)
        blocks.append(Block(kind, at, at + len(line), depth))
        at += len(line) + 1
    at += 1
    while at < len(text):
        blocks.append(Block("paragraph", at, min(at + 33, len(text))))
        at += 35
    passage = Passage("p", "d", "", text, "en", blocks=tuple(blocks))
    third = (text.index(steps[2]), text.index(steps[2]) + len(steps[2]))
    start, end = extract(passage, [Span(*third, 1.0)], 560, extent=third)
    assert (start, end) == (0, text.index(steps[-1]) + len(steps[-1]))
    assert ENOUGH < end <= 560


def test_a_short_passage_is_shown_whole_though_a_part_answers():
    text = "Press F5. It reloads the page."
    passage = Passage("p", "d", "", text, "en")
    assert extract(passage, [Span(6, 8, 1.0)], 420, extent=(0, 9)) == (0, len(text))


def test_a_long_sentence_without_spaces_is_cut_where_it_must():
    text = "น้ำ" * 500
    start, end = extract(Passage("p", "d", "", text, "th"), [Span(900, 904, 1.0)], BUDGET)
    assert BUDGET <= end - start <= BUDGET + 4
    assert len(text[start:end]) % 3 == 0
    assert text[start:end].startswith("น้ำ")


@settings(max_examples=80, deadline=None)
@given(
    st.text(alphabet="aก้ำि\u0301\u200d👩🏽🇯\u1161\u1100 .。\n|", max_size=120),
    st.integers(1, 60),
    st.data(),
)
def test_an_extract_holds_the_span_and_parts_no_grapheme(text, budget, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if start == end or text[start].isspace() or text[end - 1].isspace():
        return
    span = whole(text, start, end)
    passage = Passage("p", "d", "", text, "th")
    shown = extract(passage, [Span(start, end, 1.0)], budget)
    assert shown[0] <= span[0] <= start < end <= span[1] <= shown[1]
    for place in shown:
        if 0 < place < len(text) and place in span:
            assert not continues_grapheme(text[place - 1], text[place])
    for block in shown_blocks(passage, *shown):
        assert 0 <= block.start < block.end <= shown[1] - shown[0]


def listed(lead: str, items: int) -> Passage:
    lines = [lead, *(f"Step {number} turns the red handle." for number in range(items))]
    blocks = []
    at = 0
    for number, line in enumerate(lines):
        kind = "item" if number else "paragraph"
        blocks.append(Block(kind, at, at + len(line), int(number > 0), f"{number}." * (number > 0)))
        at += len(line) + 1
    return Passage("p", "p", "", "\n".join(lines), "en", blocks=tuple(blocks))


def test_of_a_long_list_the_relevant_part_is_shown_with_the_lead_in():
    passage = listed("To open the gate, do this:", 60)
    at = passage.text.index("Step 40")
    start, end = extract(passage, [Span(at, at + 7, 1.0)], BUDGET)
    quote = passage.text[start:end]
    assert quote.startswith("Step ")
    assert quote.endswith("handle.")
    assert "Step 40 " in quote
    assert end - start <= BUDGET
    first = shown_blocks(passage, start, end)[0]
    assert first.header == ("To open the gate, do this:",)
    assert first.marker.endswith(".")


@pytest.mark.parametrize("begun", [False, True])
def test_of_a_list_in_a_description_the_term_is_shown_too(begun):
    lines = ["save FILE", "It writes one of these formats:", *["A format " * 20] * 9]
    kinds = [("term", 1), ("description", 1), *[("item", 2)] * 9]
    text = "\n".join(lines)
    blocks, at = [], 0
    for line, (kind, depth) in zip(lines, kinds, strict=True):
        blocks.append(Block(kind, at, at + len(line), depth))
        at += len(line) + 1
    if begun:  # the term is in the passage before
        first = blocks[1].start
        blocks = [one.within(first, len(text)) for one in blocks[1:]]
        blocks[0] = replace(blocks[0], header=(lines[0],))
        text = text[first:]
    passage = Passage("p", "p", "", text, "en", blocks=tuple(blocks))
    span = Span(blocks[-2].start, blocks[-2].start + 8, 1.0)
    start, end = extract(passage, [span], 300)
    assert shown_blocks(passage, start, end)[0].header == tuple(lines[:2])


@pytest.mark.parametrize(
    ("kinds", "shown", "header"),
    [
        ([("item", 1), ("item", 1), ("item", 1)], 2, ("选项", "包括：")),
        ([("item", 1), ("item", 2), ("item", 2)], 2, ("选项", "包括：", "0:")),
        ([("description", 1), ("description", 1)], 1, ("选项", "包括：")),
        ([("description", 1), ("term", 1), ("description", 1)], 2, ("1:",)),
        ([("item", 1), ("paragraph", 0), ("item", 1)], 2, ("1:",)),
        ([("item", 2), ("item", 1)], 1, ()),
        ([("paragraph", 0), ("paragraph", 0)], 1, ()),
        ([("code", 0), ("code", 0)], 1, ("选项", "包括：")),
    ],
)
def test_a_later_part_of_what_began_before_the_passage_has_its_introduction(kinds, shown, header):
    lines = [f"{number}:" for number in range(len(kinds))]
    at, blocks = 0, []
    for line, (kind, depth) in zip(lines, kinds, strict=True):
        blocks.append(Block(kind, at, at + len(line), depth))
        at += len(line) + 1
    blocks[0] = replace(blocks[0], header=("选项", "包括："))
    passage = Passage("p", "p", "", "\n".join(lines), "zh", blocks=tuple(blocks))
    first = shown_blocks(passage, blocks[shown].start, at - 1)[0]
    assert first.header == header


def test_a_command_is_shown_with_its_sentence():
    before, sentence, code = "Nothing here. " * 40, "Then run this command:", "make\nmake install"
    text = f"{before.strip()}\n\n{sentence}\n\n{code}\n\n{before.strip()}"
    places = [text.index(part) for part in (sentence, code)]
    blocks = (
        Block("paragraph", 0, len(before) - 1),
        Block("paragraph", places[0], places[0] + len(sentence)),
        Block("code", places[1], places[1] + len(code)),
        Block("paragraph", places[1] + len(code) + 2, len(text)),
    )
    passage = Passage("p", "p", "", text, "en", blocks=blocks)
    at = text.index("make install")
    start, end = extract(passage, [Span(at, at + 4, 1.0)], 46)
    assert text[start:end] == f"{sentence}\n\n{code}"


def test_without_blocks_paragraphs_and_rows_are_found():
    text = "One.\nTwo.\n\nKey | Effect\nF2 | Edit\nDone."
    found = [(b.kind, text[b.start : b.end]) for b in blocks_of(Passage("p", "p", "", text, "en"))]
    assert found == [
        ("paragraph", "One.\nTwo."),
        ("row", "Key | Effect"),
        ("row", "F2 | Edit"),
        ("paragraph", "Done."),
    ]


@pytest.mark.parametrize("title", ["Note", "注意", "ملاحظة", "Примечание"])
def test_no_extract_ends_with_what_only_introduces(title):
    sentence, note = "The red handle opens the gate.", f"{title}\n{'It may be hot. ' * 20}"
    text = f"{sentence}\n\n{note.strip()}"
    blocks = (Block("paragraph", 0, len(sentence)), Block("note", len(sentence) + 2, len(text)))
    passage = Passage("p", "p", "", text, "en", blocks=blocks)
    start, end = extract(passage, [Span(4, 14, 1.0)], len(sentence) + 14)
    assert text[start:end] == sentence


@pytest.mark.parametrize(
    ("lead", "item"),
    [
        ("To enable the gate without any delay:", "Turn the red handle and wait until it moves:"),
        ("要立即启用闸门：", "转动红色手柄，等到它动起来："),
        ("เปิดใช้งานประตูทันที:", "หมุนด้ามจับสีแดงแล้วรอจนกว่าจะขยับ:"),
        ("لتفعيل البوابة فورا:", "أدر المقبض الأحمر وانتظر حتى يتحرك:"),
    ],
)
def test_an_extract_that_only_introduces_gets_what_it_introduces(lead, item):
    code = "\n".join(f"gate.{number} = open" for number in range(20))
    parts = [lead, item, code]
    text = "\n".join(parts)
    places = [(text.index(part), text.index(part) + len(part)) for part in parts]
    kinds = ("paragraph", "item", "code")
    blocks = tuple(
        Block(kind, *place, depth=int(kind != "paragraph"))
        for kind, place in zip(kinds, places, strict=True)
    )
    passage = Passage("p", "p", "", text, "en", blocks=blocks)
    span = [Span(0, len(lead), 1.0)]
    assert extract(passage, span, 200) == (0, len(text))
    assert extract(passage, span, 100, longest=100) == places[0]  # the command would be too long


BEGINNINGS = {
    "en": "Figure 2.3. The gate",
    "de": "Abbildung 4: Das Tor",
    "zh": "图 2-3 闸门",
    "ja": "図2 水門",
    "ko": "그림 3. 수문",
    "th": "รูปที่ 2 ประตูน้ำ",
    "ar": "الشكل 5 البوابة",
    "vi": "Hình 1. Cửa cống",
    "ru": "Рис. 7. Затвор",
    "tr": "Şekil 3. Kapak",
    "mark": "[D]",
}


def captioned(caption: str, text: str, kind: str = "paragraph") -> Passage:
    own = f"{caption}\n\n{text}"
    at = len(caption) + 2
    blocks = (Block(kind, 0, len(caption)), Block("paragraph", at, len(own)))
    return Passage("p", "p", "", own, "en", blocks=blocks)


@pytest.mark.parametrize("name", BEGINNINGS)
def test_no_extract_begins_with_a_caption(name):
    caption, text = BEGINNINGS[name], "The red handle opens the gate."
    passage = captioned(caption, text)
    at = passage.text.index("red handle")
    start, end = extract(passage, [Span(at, at + 3, 1.0)], BUDGET)
    assert passage.text[start:end] == text
    # Where the caption itself answers, it is shown.
    assert extract(passage, [Span(0, 2, 1.0)], BUDGET) == (0, len(passage.text))


@pytest.mark.parametrize("own", ["Figures are numbered.", "Table 2 lists all gates.", "Gate"])
def test_an_extract_may_begin_with_other_short_paragraphs(own):
    passage = captioned(own, "The red handle opens the gate.")
    at = passage.text.index("red handle")
    assert extract(passage, [Span(at, at + 3, 1.0)], BUDGET)[0] == 0
    captions = captioned(own, "The red handle opens the gate.", "caption")
    assert extract(captions, [Span(at, at + 3, 1.0)], BUDGET)[0] > 0


@pytest.mark.parametrize("title", ["Note", "注意", "ملاحظة", "Примечание", "หมายเหตุ", "Lưu ý"])
def test_no_extract_begins_with_the_title_of_a_note(title):
    text = f"{title}\nThe red handle is hot."
    passage = Passage("p", "p", "", text, "en", blocks=(Block("note", 0, len(text)),))
    at = text.index("red handle")
    start, end = extract(passage, [Span(at, at + 3, 1.0)], BUDGET)
    assert text[start:end] == "The red handle is hot."


@pytest.mark.parametrize(
    "text", ["It is hot.", "它很热。", "إنه ساخن.", "มันร้อน", "Горячо.", "Nó nóng."]
)
def test_no_extract_begins_with_the_number_of_a_footnote(text):
    passage = Passage("p", "p", "", f"[4] {text}", "en")
    start, end = extract(passage, [Span(6, 7, 1.0)], BUDGET)
    assert passage.text[start:end] == text
    assert extract(passage, [Span(0, 3, 1.0)], BUDGET) == (0, len(passage.text))


TWO = {
    "en": ("The lock is automatic.", "It opens with the master key."),
    "ru": ("Замок закрывается сам.", "Он открывается ключом."),
    "tr": ("Kilit kendiliğinden kapanır.", "Anahtarla açılır."),
    "vi": ("Khóa tự động đóng.", "Nó mở bằng chìa khóa chính."),
    "ar": ("القفل تلقائي.", "يفتح بالمفتاح الرئيسي."),
    "zh": ("锁会自动关闭。", "用主密钥打开。"),
    "ja": ("鍵は自動で閉まります。", "主鍵で開きます。"),
}


@pytest.mark.parametrize("lang", TWO)
def test_an_extract_is_cut_inside_a_sentence_and_not_between_two(lang):
    first, second = TWO[lang]
    space = "" if lang in ("zh", "ja") else " "
    text = f"{first}{space}{second}"
    passage = Passage("p", "p", "", text, lang)
    middle = len(first) + len(space)
    for at in (0, len(first), middle, len(text)):
        assert not is_cut(passage, at)
    for at in (3, middle + 3):
        assert is_cut(passage, at)


def test_items_and_the_text_after_a_title_or_a_footnote_begin_whole():
    text = "Note\nSave first.\n[12] See above.\n\nOpen it"
    item = text.index("Open")
    blocks = (Block("note", 0, item - 2), Block("item", item, len(text), 1))
    passage = Passage("p", "p", "", text, "en", blocks=blocks)
    assert not is_cut(passage, text.index("Save"))
    assert not is_cut(passage, text.index("See"))
    assert not is_cut(passage, item)
    assert is_cut(passage, text.index("it"))
