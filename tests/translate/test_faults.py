from __future__ import annotations

import pytest

from anaphora.translate.faults import fault, numbers

BRIDGE = "The old bridge was built in 1932 and is 1,503 metres long."
RIGHT = {
    "ar": "بُني الجسر القديم عام ١٩٣٢ ويبلغ طوله ١٥٠٣ أمتار.",
    "de": "Die alte Brücke wurde 1932 gebaut und ist 1.503 Meter lang.",
    "fr": "Le vieux pont a été construit en 1932 et mesure 1 503 mètres.",
    "ja": "古い橋は1932年に建てられ、長さは1503メートルです。",
    "ru": "Старый мост построен в 1932 году, его длина 1503 метра.",
    "th": "สะพานเก่าสร้างในปี 1932 และยาว 1503 เมตร",
    "tr": "Eski köprü 1932 yılında yapıldı ve 1.503 metre uzunluğundadır.",
    "vi": "Cây cầu cũ được xây năm 1932 và dài 1.503 mét.",
    "zh": "这座旧桥建于1932年，长1503米。",
}


@pytest.mark.parametrize("lang", RIGHT)
def test_a_right_translation_has_none(lang):
    assert fault(BRIDGE, RIGHT[lang], "en", lang) is None
    assert fault(RIGHT[lang], BRIDGE, lang, "en") is None


@pytest.mark.parametrize("lang", RIGHT)
def test_the_original_and_another_number_are_faults(lang):
    assert fault(BRIDGE, BRIDGE, "en", lang) == f"it is not in the language {lang}"
    other = RIGHT[lang].replace("1932", "1923").replace("١٩٣٢", "١٩٢٣")
    assert fault(BRIDGE, other, "en", lang) == "it lacks the number 1932"


def test_an_empty_and_a_long_translation():
    assert fault("Where is it?", " \n", "en", "fr") == "it is empty"
    assert (
        fault("Where is it?", "Où est-ce ? " * 30, "en", "fr") == "it is far longer than the text"
    )


def test_numbers_of_every_script():
    assert numbers("1’200 and 12,5") == ["1200", "12", "5"]
