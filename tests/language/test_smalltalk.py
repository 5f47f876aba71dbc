from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.language import is_small_talk
from tests.language.corpus import FIRST_QUESTIONS, FOLLOW_UPS, TARGETS, joined

TALK = {
    "ar": ["مرحبا", "السلام عليكم", "شكرًا جزيلًا!", "مع السلامة"],
    "de": ["Hallo!", "Guten Tag", "Danke dir", "Vielen Dank, tschüss!"],
    "en": ["Hi", "hello there", "Thanks a lot!", "OK, thank you. Bye! 👋", "hiiii"],
    "es": ["¡Hola!", "Buenos días", "Muchas gracias", "Adiós"],
    "fi": ["Moi!", "Hyvää päivää", "Kiitos paljon", "Näkemiin"],
    "fr": ["Bonjour", "Merci beaucoup !", "Au revoir", "D’accord, merci"],
    "hi": ["नमस्ते", "बहुत धन्यवाद!", "अलविदा", "ठीक है"],
    "it": ["Ciao!", "Buongiorno", "Grazie mille", "Arrivederci"],
    "ja": ["こんにちは", "ありがとうございます。", "さようなら", "はい、分かりました。"],
    "ko": ["안녕하세요!", "감사합니다.", "안녕히 가세요", "네, 알겠습니다"],
    "pt": ["Olá!", "Bom dia", "Muito obrigada", "Até logo"],
    "ru": ["Привет!", "Здравствуйте", "Большое спасибо", "До свидания"],
    "th": ["สวัสดีครับ", "ขอบคุณมากค่ะ", "ลาก่อน", "โอเค"],
    "tr": ["Merhaba!", "Günaydın", "İYİ GÜNLER", "Teşekkür ederim"],
    "vi": ["xin chào", "Cảm ơn bạn nhiều!", "Tạm biệt", "Vâng"],
    "zh": ["你好", "謝謝！", "再见。", "好的，谢谢你"],
}


@pytest.mark.parametrize("lang", TARGETS)
def test_small_talk(lang: str) -> None:
    for text in TALK[lang]:
        assert is_small_talk(text), text


@pytest.mark.parametrize("lang", TARGETS)
def test_questions_are_not_small_talk(lang: str) -> None:
    for text in (FIRST_QUESTIONS[lang], *FOLLOW_UPS[lang], joined(lang)):
        assert not is_small_talk(text), text
        assert not is_small_talk(f"{TALK[lang][0]} {text}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "?!",
        "😀",
        "2023",
        "hi, what is apt?",
        "thank you for the music",
        "Bonjour, qui est-ce ?",
        "hello world program",
        "Danke Merkel",
        "you",
        "there",
    ],
)
def test_not_small_talk(text: str) -> None:
    assert not is_small_talk(text)


@given(st.text())
def test_never_raises(text: str) -> None:
    is_small_talk(text)
