from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.ingest.splitting import MAX_CHARACTERS, MAX_UNITS, split
from anaphora.records import Block, BlockKind, Document, Passage, Section, lead_ins


def document(text: str, lang: str = "en", sections: tuple[Section, ...] = ()) -> Document:
    return Document("a.md", "Title", text, lang, sections)


def check(source: Document) -> list[Passage]:
    passages = split(source)
    assert "".join("".join(part.text.split()) for part in passages) == "".join(source.text.split())
    last = 0
    for number, part in enumerate(passages, 1):
        assert part.passage_id == f"{source.doc_id}#{number}"
        assert source.text[part.start : part.end] == part.text
        assert part.text == part.text.strip() != ""
        assert part.start >= last
        assert len(part.text) <= MAX_CHARACTERS
        last = part.end
        for section in source.sections:
            assert not part.start < section.start < part.end
    return passages


def words(count: int, end: str = ".") -> str:
    return "The" + "".join(f" word{number}" for number in range(count - 1)) + end


def test_a_short_document_is_one_passage() -> None:
    [part] = check(document("  One. Two.\n"))
    assert (part.text, part.title, part.lang) == ("One. Two.", "Title", "en")


def test_sentences_stay_whole() -> None:
    text = " ".join(words(30) for _ in range(9))
    parts = check(document(text))
    assert [len(part.text.split()) for part in parts] == [90, 90, 90]


def test_a_tail_joins_the_passage_before_it() -> None:
    parts = check(document(" ".join([words(40), words(45), words(60), words(35), words(10)])))
    assert [len(part.text.split()) for part in parts] == [85, 105]


def test_a_long_sentence_is_cut_at_a_clause() -> None:
    text = words(90, ",") + " " + words(90)
    parts = check(document(text))
    assert parts[0].text.endswith("word88,")
    assert len(parts) == 2


def test_a_long_sentence_without_clauses_is_cut_between_words() -> None:
    parts = check(document(words(250)))
    assert [len(part.text.split()) for part in parts] == [84, 84, 82]


def test_sections_are_borders() -> None:
    text = "Before.\n\nInside one.\n\nInside two."
    sections = (Section(9, ("A",)), Section(22, ("A", "B")))
    parts = check(document(text, sections=sections))
    assert [(part.text, part.section) for part in parts] == [
        ("Before.", ()),
        ("Inside one.", ("A",)),
        ("Inside two.", ("A", "B")),
    ]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("zh", "水箱装满以后，水泵会自动停止。"),
        ("ja", "タンクが満水になるとポンプは自動的に停止します。"),
        ("th", "ปั๊มจะหยุดทำงานเมื่อถังเต็ม "),
        ("en", "水箱装满以后，水泵会自动停止。"),
    ],
)
def test_scripts_without_spaces_are_counted_in_characters(lang: str, sentence: str) -> None:
    parts = check(document(sentence * 30, lang))
    assert all(40 <= len(part.text) <= MAX_UNITS * 1.4 for part in parts)


def test_no_cut_inside_a_grapheme_or_a_latin_word() -> None:
    text = "กำหนดที่นี้ได้" * 60 + "Debian11" + "ที่นี่" * 40
    parts = check(document(text, "th"))
    assert len(parts) > 5
    for part in parts:
        assert unicodedata.category(part.text[0])[0] != "M"
    assert sum("Debian11" in part.text for part in parts) == 1


def test_a_word_longer_than_a_passage_is_cut() -> None:
    parts = check(document("x" * (3 * MAX_CHARACTERS)))
    assert len(parts) == 3


def test_whole_documents_keep_their_id() -> None:
    source = Document("doc7", "T", " " + words(500) + "\n", "en", whole=True)
    [part] = split(source)
    assert part.passage_id == part.doc_id == "doc7"
    assert part.text == source.text.strip()
    assert source.text[part.start : part.end] == part.text


def test_no_text_no_passage() -> None:
    assert split(document(" \n ")) == []
    assert split(Document("d", "T", " ", whole=True)) == []


def test_a_long_line_is_split_in_bounded_windows() -> None:
    text = " ".join(words(12) for _ in range(60_000))
    parts = check(document(text))
    assert len(parts) == -(-60_000 // 8)


SCRIPTS = [
    "Hello world. ",
    "東京は日本の首都。",
    "ที่นี่",
    "نعم، لا. ",
    "हिन्दी में। ",
    "é, ",
    "ー",
    "1.5 ",
]
ODD = [
    "a" * 150,
    words(120),
    "漢" * 130,
    "e\u0301",
    "👩‍👩‍👧",
    "x;",
    "\n\n",
    "\n",
    " ",
    "\u2028",
    "\u3000",
]
FRAGMENTS = st.sampled_from(SCRIPTS + ODD)


@given(
    st.lists(FRAGMENTS | st.text(max_size=12), max_size=40).map("".join),
    st.sampled_from(["en", "zh", "th", "ar", "unknown"]),
    st.lists(st.integers(0, 2_000), max_size=4),
)
def test_every_character_is_in_one_passage(text: str, lang: str, starts: list[int]) -> None:
    marks = sorted({start for start in starts if start < len(text)})
    sections = tuple(Section(start, (f"S{start}",)) for start in marks)
    check(document(text, lang, sections))


@given(st.lists(st.sampled_from(["one", "two,", "three.", "naïve", "الباب", "слово;"]), min_size=1))
def test_no_word_is_cut(tokens: list[str]) -> None:
    text = " ".join(tokens * 30)
    for part in check(document(text)):
        assert part.start == 0 or text[part.start - 1].isspace()
        assert part.end == len(text) or text[part.end].isspace()


def with_blocks(texts: Sequence[str], kinds: Sequence[tuple[BlockKind, int]]) -> Document:
    """A document of lines, each a block of a kind and depth."""
    blocks = []
    at = 0
    for text, (kind, depth) in zip(texts, kinds, strict=True):
        blocks.append(Block(kind, at, at + len(text), depth))
        at += len(text) + 1
    return replace(document("\n".join(texts)), blocks=tuple(blocks))


def test_a_long_list_of_definitions_is_cut_between_them() -> None:
    texts = ["The modes are:"]
    kinds: list[tuple[BlockKind, int]] = [("paragraph", 0)]
    for number in range(20):
        texts += [f"Mode {number}", words(20)]
        kinds += [("term", 1), ("description", 1)]
    parts = check(with_blocks(texts, kinds))
    assert len(parts) > 3
    assert parts[0].blocks[0].kind == "paragraph"
    for part in parts:
        assert part.blocks[-1].kind == "description"
    for part in parts[1:]:
        assert part.blocks[0].kind == "term"
        assert part.blocks[0].header == ("The modes are:",)


@pytest.mark.parametrize(
    ("lead", "term"),
    [
        ("The screen has these parts:", "Eraser"),
        ("画面は次の各部に分けられます:", "けしゴム"),
        ("หน้าจอมีส่วนต่างๆ ดังนี้:", "ยางลบ"),
        ("تنقسم الشاشة إلى:", "ممحاة"),
    ],
)
def test_a_passage_within_a_description_is_below_its_term(lead: str, term: str) -> None:
    texts = [lead, "Brush", words(10), term, "(second name)", *[words(30)] * 12, "Other", words(5)]
    kinds: list[tuple[BlockKind, int]] = [("paragraph", 0), ("term", 1), ("description", 1)]
    kinds += [("term", 1), ("term", 1), ("description", 1), *[("paragraph", 1)] * 11]  # type: ignore[list-item]
    kinds += [("term", 1), ("description", 1)]
    parts = check(with_blocks(texts, kinds))
    within = [part for part in parts if part.blocks[0].kind == "paragraph" and part.start]
    assert len(within) > 1
    for part in within:
        assert part.blocks[0].header == (term,)
        assert part.searched_text.startswith(f"Title\n{term}\n")


@pytest.mark.parametrize(
    ("term", "lead"),
    [
        ("backup file", "It writes one of these formats:"),
        ("备份 文件", "它写入以下格式之一："),
        ("نسخ احتياطي", "يكتب أحد هذه التنسيقات:"),
        ("sao lưu", "Nó ghi một trong các định dạng sau:"),
    ],
)
def test_a_passage_within_a_list_of_a_description_is_below_its_term(term: str, lead: str) -> None:
    texts = ["restore", words(10), term, lead, *[words(30)] * 12]
    kinds: list[tuple[BlockKind, int]] = [("term", 1), ("description", 1)]
    kinds += [("term", 1), ("description", 1), *[("item", 2)] * 12]  # type: ignore[list-item]
    parts = check(with_blocks(texts, kinds))
    within = [part for part in parts if part.blocks[0].kind == "item"]
    assert len(within) > 1
    for part in within:
        assert part.blocks[0].header == (term, lead)
        assert part.full_heading == f"Title › {term} | {lead}"


def test_what_introduces_each_part_of_a_list() -> None:
    kinds = "paragraph0 term1 term1 description1 item2 item2 paragraph1 code1 item1 paragraph0"
    blocks = [
        Block(kind[:-1], 10 * at, 10 * at + 8, int(kind[-1]))  # type: ignore[arg-type]
        for at, kind in enumerate(kinds.split())
    ]
    assert lead_ins("x" * 100, blocks) == [-1, 0, 0, 1, 3, 3, 1, 6, 0, -1]
