"""The parser of the statements that were written for training."""

from collections import Counter

import pytest

from anaphora.errors import MalformedData
from anaphora.train.support.statements import KINDS, written_statements
from anaphora.train.text import TrainingText

PASSAGE = "# {0}\n{1}\n? q => {2}\n"
TEXTS = {
    "ar": ("الجسر", "افتتح الجسر سنة 1932.", "1932"),
    "en": ("Bridge", "The bridge opened in 1932.", "1932"),
    "ja": ("橋", "橋は1932年に開通した。", "1932年"),
    "ru": ("Мост", "Мост открыт в 1932 году.", "1932"),
    "th": ("สะพาน", "สะพานเปิดในปี 1932", "1932"),
    "tr": ("Köprü", "Köprü 1932'de açıldı.", "1932"),
    "vi": ("Cầu", "Cầu mở năm 1932.", "1932"),
    "zh": ("桥", "桥于1932年通车。", "1932年"),
}


@pytest.fixture
def folder(tmp_path):
    for name in ("conversations", "follow-ups", "passages", "manuals", "statements"):
        (tmp_path / name).mkdir()
    for name in ("translations.jsonl", "templates.toml"):
        (tmp_path / name).write_text("", "utf-8")
    for lang, values in TEXTS.items():
        (tmp_path / f"passages/{lang}.txt").write_text(PASSAGE.format(*values), "utf-8")
    return tmp_path


def read(folder, lang, *lines):
    text = "\n".join([f"# {TEXTS[lang][0]}", *lines])
    (folder / f"statements/{lang}.txt").write_text(text, "utf-8")
    return written_statements(TrainingText(folder))


@pytest.mark.parametrize("lang", TEXTS)
def test_the_words_in_braces_are_unsupported(folder, lang):
    title, passage, answer = TEXTS[lang]
    found = read(
        folder,
        lang,
        f"+ {passage}",
        f"=> fi: Silta {answer}.",
        f"? {title}？ => {answer}",
        f"- date: {passage.replace(answer, '{1935}')}",
        f"~ {title}？ => {{1935}}",
    )
    assert [one.supported for one in found] == [True, True, True, False, False]
    assert [one.lang for one in found] == [lang, "fi", lang, lang, lang]
    assert [one.kind for one in found] == ["", "", "", "date", "answer"]
    assert {one.passage.text for one in found} == {passage}
    for one in found[3:]:
        assert "{" not in one.text
        assert [one.text[start:end] for start, end in one.unsupported] == ["1935"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("- date: without braces", "braces"),
        ("+ with {braces}", "braces"),
        ("- colour: {red}", "the kind of"),
        ("- date {1935}", "the kind of"),
        ("- date: {1935", "not closed"),
        ("? no answer", "=>"),
        ("=> vi: before any statement", "a translation follows"),
        ("* a mark of another list", "a line begins with"),
        ("+ ", "empty"),
        ("# No such title", "no passage has this title"),
        ("=! fi date: before any statement", "a translation follows"),
    ],
)
def test_a_wrong_line_is_named(folder, line, said):
    with pytest.raises(MalformedData, match=r"en\.txt, line 2") as error:
        read(folder, "en", line)
    assert said in str(error.value)


def test_a_translation_follows_a_supported_statement(folder):
    with pytest.raises(MalformedData, match="a translation follows"):
        read(folder, "en", "- date: It opened in {1935}.", "=> vi: Năm 1935.")


@pytest.mark.parametrize(
    "line", ["=! vi date: Năm 1935.", "=! vi: Năm {1935}.", "=> vi: Năm {1935}.", "=! vi x: {1}"]
)
def test_an_altered_translation_has_a_kind_and_braces(folder, line):
    with pytest.raises(MalformedData, match="a kind and braces"):
        read(folder, "en", "+ It opened in 1932.", line)


def test_pages_of_one_manual_are_in_one_part(folder):
    pages = "# {0} › A\nOne.\n? q => One\n\n# {0} › B\nTwo.\n? q => Two\n"
    names = [f"Manual {number}" for number in range(30)]
    (folder / "manuals/en.txt").write_text("\n".join(map(pages.format, names)), "utf-8")
    blocks = "\n".join(f"# {name} › {page}\n+ One." for name in names for page in "AB")
    (folder / "statements/en.txt").write_text(blocks, "utf-8")
    parts: dict[str, set[str]] = {name: set() for name in names}
    for one in written_statements(TrainingText(folder)):
        parts[one.passage.title.split(" › ")[0]].add(one.part)
    assert {len(part) for part in parts.values()} == {1}
    assert set().union(*parts.values()) == {"train", "tune", "report"}


def test_the_written_statements_are_as_described():
    found = written_statements(TrainingText())
    assert len({one.passage.lang for one in found}) == 16
    assert {one.kind for one in found} == {"", "answer", *KINDS}
    assert 0.38 < sum(one.supported for one in found) / len(found) < 0.42
    every = Counter(one.lang for one in found)
    assert min(every.values()) > 2500


@pytest.mark.parametrize("lang", TEXTS)
def test_a_translation_can_be_altered(folder, lang):
    _, passage, answer = TEXTS[lang]
    true, false = f"=> fi: Silta {answer}.", "=! fi date: Silta {1935}."
    *_, kept, altered = read(folder, lang, f"+ {passage}", true, false)
    assert (kept.supported, kept.kind) == (True, "")
    assert (altered.lang, altered.kind, altered.passage.lang) == ("fi", "date", lang)
    assert [altered.text[start:end] for start, end in altered.unsupported] == ["1935"]
