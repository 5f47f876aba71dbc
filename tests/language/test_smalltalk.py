from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.language import is_small_talk, small_talk
from tests.language.corpus import FIRST_QUESTIONS, FOLLOW_UPS, TARGETS, joined

# By language: a greeting, thanks, a farewell, assent; who the assistant is and what it can do;
# a joke asked for, a feeling, an insult.
REPLIED = {
    "ar": (
        "مرحبا",
        "شكرًا جزيلًا!",
        "مع السلامة",
        "حسنًا",
        ["من أنت؟", "ما اسمك؟", "هل أنت روبوت؟"],
        ["قل لي نكتة", "أنا أحبك", "أنت غبي!"],
    ),
    "de": (
        "Guten Tag",
        "Vielen Dank!",
        "Danke, tschüss!",
        "Alles klar",
        ["Wer bist du?", "Was kannst du für mich tun?", "Hallo! Wie heißt du?"],
        ["Erzähl mir einen Witz!", "Ich liebe dich", "Du bist dumm."],
    ),
    "en": (
        "hello there",
        "Thanks a lot!",
        "OK, thank you. Bye! 👋",
        "okay",
        ["Who are you?", "hi, what can you do?", "What's your name?"],
        ["Tell me a joke", "I love you ❤️", "You're stupid!"],
    ),
    "es": (
        "¡Hola!",
        "Muchas gracias",
        "Adiós",
        "De acuerdo",
        ["¿Quién eres?", "¿Qué puedes hacer?", "¿Cómo te llamas?"],
        ["Cuéntame un chiste", "Te quiero", "¡Eres tonto!"],
    ),
    "fi": (
        "Hyvää päivää",
        "Kiitos paljon",
        "Näkemiin",
        "Selvä",
        ["Kuka sinä olet?", "Mitä osaat tehdä?", "Oletko robotti?"],
        ["Kerro vitsi!", "Rakastan sinua", "Olet tyhmä"],
    ),
    "fr": (
        "Bonjour",
        "D’accord, merci",
        "Au revoir",
        "Très bien",
        ["Qui es-tu ?", "Que pouvez-vous faire ?", "Comment t’appelles-tu ?"],
        ["Raconte-moi une blague", "Je t'aime", "Tu es nul !"],
    ),
    "hi": (
        "नमस्ते",
        "बहुत धन्यवाद!",
        "अलविदा",
        "ठीक है",
        ["आप कौन हैं?", "आपका नाम क्या है?", "आप क्या कर सकते हैं?"],
        ["एक चुटकुला सुनाओ", "मैं बोर हो रहा हूँ", "तुम बेवकूफ हो"],
    ),
    "it": (
        "Ciao!",
        "Grazie mille",
        "Arrivederci",
        "Va bene",
        ["Chi sei?", "Che cosa sai fare?", "Come ti chiami?"],
        ["Raccontami una barzelletta", "Ti amo", "Sei stupido!"],
    ),
    "ja": (
        "こんにちは",
        "ありがとうございます。",
        "さようなら",
        "はい、分かりました。",
        ["あなたは誰ですか？", "こんにちは。あなたは何ができますか？", "あなたはロボットですか"],
        ["冗談を言ってください", "愛してる", "黙れ！"],
    ),
    "ko": (
        "안녕하세요!",
        "감사합니다.",
        "안녕히 가세요",
        "네, 알겠습니다",
        ["너는 누구야?", "당신은 무엇을 할 수 있나요?", "당신은 로봇인가요?"],
        ["농담 하나 해줘", "사랑해요", "너 바보야!"],
    ),
    "pt": (
        "Olá!",
        "Muito obrigada",
        "Até logo",
        "Está bem",
        ["Quem é você?", "O que você pode fazer?", "Como você se chama?"],
        ["Me conte uma piada", "Eu te amo", "Você é burro!"],
    ),
    "ru": (
        "Здравствуйте",
        "Большое спасибо",
        "До свидания",
        "Хорошо",
        ["Кто ты?", "Что вы умеете?", "Как тебя зовут?"],
        ["Расскажи анекдот", "Я тебя люблю", "Ты тупой!"],
    ),
    "th": (
        "สวัสดีครับ",
        "ขอบคุณมากค่ะ",
        "ลาก่อน",
        "โอเค",
        ["คุณคือใคร", "คุณทำอะไรได้บ้างครับ", "คุณชื่ออะไรคะ"],
        ["เล่าเรื่องตลกหน่อย", "ฉันรักคุณ", "คุณโง่"],
    ),
    "tr": (
        "İYİ GÜNLER",
        "Teşekkür ederim",
        "Hoşça kal",
        "Tamam",
        ["Sen kimsin?", "NE YAPABİLİRSİN?", "Adın ne?"],
        ["Bana bir fıkra anlat", "Seni seviyorum", "Aptalsın!"],
    ),
    "vi": (
        "xin chào",
        "Cảm ơn bạn nhiều!",
        "Tạm biệt",
        "Vâng",
        ["Bạn là ai?", "Bạn có thể làm gì?", "Bạn tên là gì?"],
        ["Kể một câu chuyện cười", "Tôi yêu bạn", "Đồ ngốc!"],
    ),
    "zh": (
        "你好",
        "謝謝！",
        "谢谢，再见。",
        "好的",
        ["你是谁？", "你好，你能做什么？", "你叫什么名字"],
        ["给我讲个笑话", "我爱你", "你真笨！"],
    ),
}

# What holds such words and asks about the documents.
SEARCHED = {
    "ar": ["من أنت بحسب الدليل؟", "ما معنى كلمة مرحبا؟", "من هي؟", "نكتة الملك"],
    "de": ["Wer bist du laut Handbuch?", "Wer sind sie?", "Was heißt Guten Tag auf Finnisch?"],
    "en": [
        "Hello World program",
        "Who are you according to the handbook?",
        "Who are they?",
        "What can it do?",
        "thank you for the music",
        "What is the joke in chapter two?",
        "tell me a joke about apt",
    ],
    "es": ["¿Quién eres según el manual?", "¿Cómo se llama?", "¿Qué puede hacer?", "Hola Mundo"],
    "fi": ["Kuka olet käsikirjan mukaan?", "Mikä hänen nimensä on?", "kiitos-kortin hinta"],
    "fr": ["Qui es-tu selon le manuel ?", "Comment s'appelle-t-il ?", "Bonjour tristesse"],
    "hi": ["वे कौन हैं?", "इसका नाम क्या है?", "नमस्ते का अर्थ क्या है?"],
    "it": ["Chi sei secondo il manuale?", "Come si chiama?", "Che cosa può fare?", "Ciao mondo"],
    "ja": ["マニュアルによるとあなたは誰ですか", "何ができますか", "名前は何ですか", "冗談の意味"],
    "ko": ["설명서에 따르면 당신은 누구입니까?", "무엇을 할 수 있나요?", "이름이 뭐예요?"],
    "pt": ["Quem é você segundo o manual?", "Como se chama?", "Olá Mundo"],
    "ru": ["Кто ты согласно справочнику?", "Кто они?", "Как его зовут?", "роман Идиот"],
    "th": ["ตามคู่มือคุณคือใคร", "เขาชื่ออะไร", "สวัสดีแปลว่าอะไร"],
    "tr": ["El kitabına göre sen kimsin?", "Onun adı ne?", "Merhaba Dünya"],
    "vi": ["Theo sổ tay, bạn là ai?", "Anh ấy tên là gì?", "Nó có thể làm gì?"],
    "zh": ["根据手册，你是谁？", "他是谁？", "它能做什么？", "你好世界程序"],
}

COURTESY = ("greeting", "thanks", "farewell", "assent")


@pytest.mark.parametrize("lang", TARGETS)
def test_small_talk_is_told_by_kind(lang: str) -> None:
    *courtesies, about, chat = REPLIED[lang]
    for text, kind in zip(courtesies, COURTESY, strict=True):
        assert small_talk(str(text)) == kind, text
    for text in about:
        assert small_talk(text) == "about", text
    for text in chat:
        assert small_talk(text) == "chat", text
    assert small_talk(f"{courtesies[0]}. {about[0]}") == "about"


@pytest.mark.parametrize("lang", TARGETS)
def test_questions_are_not_small_talk(lang: str) -> None:
    greeting = REPLIED[lang][0]
    for text in (FIRST_QUESTIONS[lang], *FOLLOW_UPS[lang], joined(lang), *SEARCHED[lang]):
        assert not is_small_talk(text), text
        assert not is_small_talk(f"{greeting} {text}"), text


@pytest.mark.parametrize("text", ["hiiii", "Thank youuuu", "THANKS!!!", "ok, ok", "Hi again"])
def test_how_it_is_written_does_not_matter(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "?!",
        "😀",
        "2023",
        "hi, what is apt?",
        "Bonjour, qui est-ce ?",
        "Danke Merkel",
        "you",
        "there",
        "ครับ" * 30,
    ],
)
def test_not_small_talk(text: str) -> None:
    assert small_talk(text) is None


@given(st.text())
def test_never_raises(text: str) -> None:
    assert is_small_talk(text) == (small_talk(text) is not None)
