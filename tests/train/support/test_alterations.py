"""Supported statements are altered in the words that are marked, and only there."""

import random

import pytest

from anaphora.train.support.alterations import (
    Context,
    added,
    altered,
    exchanged,
    name,
    negation,
    number,
)

STATEMENTS = {
    "ar": ("افتتح الجسر سنة 1932، كان طويلا.", "Linux"),
    "en": ("The bridge in Sydney was opened in 1932.", "Perth"),
    "ja": ("橋は1932年に開通した。シドニーにある。", "パース"),
    "ru": ("Этот мост в Сиднее был открыт в 1932 году.", "Перт"),
    "th": ("สะพาน Sydney เปิดในปี 1932 และเป็นสะพานเหล็ก", "Perth"),
    "tr": ("Köprü 1932'de Sidney'de açıldı.", "Perth"),
    "vi": ("Cây cầu ở Sydney là cầu thép, mở năm 1932.", "Perth"),
    "zh": ("悉尼的桥是1932年通车的。", "Perth"),
}


def context(lang):
    statement, other = STATEMENTS[lang]
    passage = f"{statement} 1918, 1975."
    return Context(passage, f"{statement[:12]} {other} {other}", f"{other} {other} {other}.", lang)


@pytest.mark.parametrize("lang", STATEMENTS)
@pytest.mark.parametrize("way", [number, name, negation, added])
def test_the_words_outside_the_ranges_are_kept(lang, way):
    statement, _ = STATEMENTS[lang]
    for seed in range(20):
        found = way(statement, context(lang), random.Random(seed))
        if found is None:
            continue
        assert found.text != statement
        ((start, end),) = found.unsupported
        assert statement.startswith(found.text[:start].rstrip())
        assert statement.endswith(found.text[end:])
        assert found.text[start:end].strip()


@pytest.mark.parametrize("lang", STATEMENTS)
def test_a_number_is_replaced_by_another_one(lang):
    statement, _ = STATEMENTS[lang]
    found = [number(statement, context(lang), random.Random(seed)) for seed in range(8)]
    texts = {one.text[one.unsupported[0][0] : one.unsupported[0][1]] for one in found if one}
    assert texts
    assert "1932" not in texts
    assert all(len(text) == 4 and text.isdecimal() for text in texts)


@pytest.mark.parametrize("lang", STATEMENTS)
def test_what_is_said_is_denied(lang):
    statement, _ = STATEMENTS[lang]
    found = negation(statement, context(lang), random.Random(0))
    assert found
    assert found.kind == "negation"


def test_two_names_change_their_places():
    found = exchanged("It runs from Perth to Sydney.", context("en"), random.Random(0))
    assert found
    assert found.text == "It runs from Sydney to Perth."
    assert [found.text[start:end] for start, end in found.unsupported] == ["Sydney", "Perth"]


def test_the_same_seed_makes_the_same_alteration():
    statement, _ = STATEMENTS["en"]
    one, other = (altered(statement, context("en"), random.Random(5)) for _ in range(2))
    assert one == other
    assert one


def test_nothing_to_alter_gives_nothing():
    plain = Context("So.", "So.", "", "en")
    assert altered("so it goes", plain, random.Random(0)) is None
