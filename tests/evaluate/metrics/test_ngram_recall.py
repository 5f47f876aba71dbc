from __future__ import annotations

import unicodedata

import pytest
from support.procedures import QUESTIONS, steps, visits

from anaphora.evaluate.metrics.ngram_recall import CAP, capped_ngram_recall, ngram_recall


@pytest.mark.parametrize(
    ("prediction", "reference", "lang", "expected"),
    [
        # Table 3 of the paper.
        ("sofia kovalevskaia", "sofya kovalevskaya", "en", 9 / 13),
        # By the paper's own code (BERGEN), which is for writing with spaces.
        ("It opened in 1999 in Oslo.", "1999", "en", 1.0),
        ("It opened in Oslo", "in Osl", "en", 1.0),
        ("because", "us", "en", 0.0),
        ("la Seine", "Seine-et-Marne", "fr", 3 / 7),
        # And without.
        ("日本的首都是东京。", "东京", "zh", 1.0),
        ("日本の首都は東京です。", "京", "ja", 1.0),
        ("日本的首都是东京。", "北京", "zh", 0.0),
        ("서울은 한국의 수도이다", "서울", "ko", 1.0),
        ("เมืองหลวงคือกรุงเทพมหานคร", "กรุงเทพ", "th", 1.0),
        ("Столица - МОСКВА", "Москва", "ru", 1.0),
        ("عاصمة مصر القَاهِرة", "القاهرة", "ar", 1.0),
    ],
)
def test_values(prediction: str, reference: str, lang: str, expected: float) -> None:
    assert ngram_recall(prediction, [reference], lang) == pytest.approx(expected)


def test_composition_and_case_make_no_difference() -> None:
    gold = "Nguyễn Trãi"
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, "ĐÓ LÀ NGUYỄN TRÃI")
        assert ngram_recall(text, [gold], "vi") == 1.0
        assert ngram_recall(text, [unicodedata.normalize("NFD", gold)], "vi") == 1.0


def test_a_gram_needed_twice_must_be_there_twice() -> None:
    assert ngram_recall("Bora", ["Bora Bora"], "en") == 0.5


def test_the_best_reference_counts() -> None:
    assert ngram_recall("Köln", ["Berlin", "Köln"], "de") == 1.0


def test_what_says_nothing() -> None:
    assert ngram_recall("", ["Köln"], "de") == 0.0
    assert ngram_recall("Köln", [""], "de") is None
    assert ngram_recall("so 👍 there", ["👍"], "en") == 0.0
    assert ngram_recall("👍", ["👍"], "en") == 1.0
    assert ngram_recall("5", ["5"], "en") == 1.0


@pytest.mark.parametrize("lang", QUESTIONS)
def test_a_short_reference_is_asked_for_whole(lang: str) -> None:
    gold = steps(lang, 60)
    assert len(gold) <= CAP
    for text in (gold, gold[: len(gold) // 2], visits(lang, 60)):
        assert capped_ngram_recall(text, [gold], lang) == ngram_recall(text, [gold], lang)


@pytest.mark.parametrize("lang", QUESTIONS)
def test_of_a_long_reference_a_part_is_enough(lang: str) -> None:
    gold = steps(lang, 3 * CAP)
    part, other = gold[: len(gold) // 4], visits(lang, len(gold) // 4)
    recall, none = (ngram_recall(text, [gold], lang) or 0.0 for text in (part, other))
    capped = capped_ngram_recall(part, [gold], lang)
    assert recall < 0.5 < (capped or 0.0)
    assert capped == pytest.approx(recall * len(unicodedata.normalize("NFC", gold)) / CAP)
    assert (capped_ngram_recall(other, [gold], lang) or 0.0) < 0.5
    assert none < recall
    assert capped_ngram_recall(unicodedata.normalize("NFD", part), [gold], lang) == capped
    decomposed = unicodedata.normalize("NFD", gold)
    assert capped_ngram_recall(part, [decomposed], lang) == capped
    assert capped_ngram_recall(gold, [gold], lang) == 1.0


def test_each_reference_has_its_own_cap() -> None:
    long, short = steps("zh", 3 * CAP), visits("zh", 20)
    assert capped_ngram_recall(short, [long, short], "zh") == 1.0
    assert capped_ngram_recall(long[:CAP], [long, short], "zh") == pytest.approx(1, abs=0.1)
    assert capped_ngram_recall("", [long], "zh") == 0.0
    assert capped_ngram_recall("水泵", [""], "zh") is None
    with pytest.raises(TypeError, match="not a string"):
        capped_ngram_recall("水泵", "水泵", "zh")
