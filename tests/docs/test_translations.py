"""The translated pages have the structure of the English ones; their text may be older."""

from __future__ import annotations

import pytest

from anaphora.language import identify
from tools import translations
from tools.pages import GUIDE, sections
from tools.translations import differences, stale, updated

ENGLISH = """# Searching

Search by words.

## BM25

The default. `k1` is 0.9.

```sh
anaphora search "damaged index" --model bm25 --lang en
```

```toml
[retrieve]
model = "bm25"
```
"""
FRENCH = """# Chercher

Chercher par mots.

## BM25

La formule par défaut. `k1` vaut 0,9.

```sh
anaphora search "index endommagé" --model bm25 --lang fr
```

```toml
[retrieve]
model = "bm25"
```
"""
NOTE = "La version anglaise est plus récente."
ACCEPTED = updated(ENGLISH, FRENCH, NOTE, accept=True)


@pytest.mark.parametrize(
    ("original", "page"),
    list(translations.pages()),
    ids=lambda page: f"{page.parent.name}-{page.stem}",
)
def test_a_translation_has_the_structure_of_the_english_page(original, page):
    """`python -m tools.translations` mends old code blocks."""
    assert differences(original.read_text("utf-8"), page.read_text("utf-8")) == []


@pytest.mark.parametrize("lang", ["en", *translations.TRANSLATIONS])
def test_every_page_is_in_its_language(lang):
    pages = sorted((GUIDE.parent / lang).iterdir())
    assert [page.name for page in pages] == sorted(page.name for page in GUIDE.iterdir())
    for page in pages:
        for section in sections(page.read_text("utf-8")):
            lines = section.prose.split("\n")
            text = " ".join(line for line in lines if not line.startswith(("|", "<!--", ">")))
            if len(text) > 200:
                assert identify(text) == lang, f"{page}: {text}"


def test_a_translation_is_accepted_with_the_english_revision():
    assert [section.source for section in sections(FRENCH)] == [None, None]
    assert differences(ENGLISH, FRENCH) == [
        "'Chercher' names no English revision",
        "'BM25' names no English revision",
    ]
    assert differences(ENGLISH, ACCEPTED) == []
    assert stale(ENGLISH, ACCEPTED) == []
    assert updated(ENGLISH, ACCEPTED, NOTE) == ACCEPTED
    assert ACCEPTED.replace(NOTE, "").count("<!-- source: ") == 2


def test_a_changed_sentence_makes_its_section_stale_and_fails_nothing():
    english = ENGLISH.replace("0.9", "1.2")
    assert differences(english, ACCEPTED) == []
    ((_, section),) = stale(english, ACCEPTED)
    assert section.title == "BM25"
    noted = updated(english, ACCEPTED, NOTE)
    assert noted.count(NOTE) == 1
    assert noted.replace(f"> {NOTE}\n\n", "") == ACCEPTED
    assert updated(english, noted, NOTE) == noted
    assert stale(english, updated(english, noted, NOTE, accept=True)) == []
    assert NOTE not in updated(english, noted, NOTE, accept=True)


def test_other_line_breaks_change_nothing():
    assert stale(ENGLISH.replace("The default. ", "The\ndefault.\n"), ACCEPTED) == []


@pytest.mark.parametrize(
    ("old", "new"), [("--model bm25", "--model lmd -k 3"), ('model = "bm25"', 'model = "lmd"')]
)
def test_a_changed_code_block_is_replaced(old, new):
    english = ENGLISH.replace(old, new)
    (difference,) = differences(english, ACCEPTED)
    assert difference.startswith("'BM25' has an old code block")
    mended = updated(english, ACCEPTED, NOTE)
    assert differences(english, mended) == []
    assert stale(english, mended) == []
    assert new in mended


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page.replace("## BM25", "### BM25"),
        lambda page: page + "\n## LM-Dirichlet\n\nAnother.\n",
        lambda page: page.partition("## BM25")[0],
        lambda page: page + "\n```sh\nanaphora chat\n```\n",
        lambda page: page.partition("```toml")[0],
    ],
    ids=["level", "section", "no section", "block", "no block"],
)
def test_another_structure_is_a_difference_on_either_side(change):
    assert differences(ENGLISH, change(ACCEPTED))
    assert differences(change(ENGLISH), ACCEPTED)


@pytest.mark.parametrize(
    ("page", "reason"),
    [("Text.\n\n# Searching\n", "no heading before"), ("# A\n\n```sh\n", "does not end")],
)
def test_a_page_that_cannot_be_taken_apart_is_refused(page, reason):
    with pytest.raises(ValueError, match=reason):
        sections(page)
