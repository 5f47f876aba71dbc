from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import FIRST_QUESTIONS, FOLLOW_UPS, TARGETS, joined

from anaphora.language.intent import classify_courtesy, classify_intent
from anaphora.language.tables import table

KINDS = ("greeting", "thanks", "farewell", "assent")

# By language: a greeting, thanks, a farewell, assent.
COURTESIES = {
    "ar": ("مرحبا", "شكرًا جزيلًا!", "مع السلامة", "حسنًا"),
    "de": ("Guten Tag", "Vielen Dank!", "Danke, tschüss!", "Alles klar"),
    "en": ("hello there", "Thanks a lot!", "OK, thank you. Bye! 👋", "okay"),
    "es": ("¡Hola!", "Muchas gracias", "Adiós", "De acuerdo"),
    "fi": ("Hyvää päivää", "Kiitos paljon", "Näkemiin", "Selvä"),
    "fr": ("Bonjour", "D’accord, merci", "Au revoir", "Très bien"),
    "hi": ("नमस्ते", "बहुत धन्यवाद!", "अलविदा", "ठीक है"),
    "it": ("Ciao!", "Grazie mille", "Arrivederci", "Va bene"),
    "ja": ("こんにちは", "ありがとうございます。", "さようなら", "はい、分かりました。"),
    "ko": ("안녕하세요!", "감사합니다.", "안녕히 가세요", "네, 알겠습니다"),
    "pt": ("Olá!", "Muito obrigada", "Até logo", "Está bem"),
    "ru": ("Здравствуйте", "Большое спасибо", "До свидания", "Хорошо"),
    "th": ("สวัสดีครับ", "ขอบคุณมากค่ะ", "ลาก่อน", "โอเค"),
    "tr": ("İYİ GÜNLER", "Teşekkür ederim", "Hoşça kal", "Tamam"),
    "vi": ("xin chào", "Cảm ơn bạn nhiều!", "Tạm biệt", "Vâng"),
    "zh": ("你好", "謝謝！", "谢谢，再见。", "好的"),
}

# Remarks to the assistant that are searched like any question: who it is, a joke, an insult.
OTHER_REMARKS = {
    "ar": ["من أنت؟", "قل لي نكتة", "أنت غبي!"],
    "de": ["Wer bist du?", "Erzähl mir einen Witz!", "Du bist dumm."],
    "en": ["Who are you?", "Tell me a joke", "You're stupid!"],
    "es": ["¿Quién eres?", "Cuéntame un chiste", "¡Eres tonto!"],
    "fi": ["Kuka sinä olet?", "Kerro vitsi!", "Olet tyhmä"],
    "fr": ["Qui es-tu ?", "Raconte-moi une blague", "Tu es nul !"],
    "hi": ["आप कौन हैं?", "एक चुटकुला सुनाओ", "तुम बेवकूफ हो"],
    "it": ["Chi sei?", "Raccontami una barzelletta", "Sei stupido!"],
    "ja": ["あなたは誰ですか？", "冗談を言ってください", "黙れ！"],
    "ko": ["너는 누구야?", "농담 하나 해줘", "너 바보야!"],
    "pt": ["Quem é você?", "Me conte uma piada", "Você é burro!"],
    "ru": ["Кто ты?", "Расскажи анекдот", "Ты тупой!"],
    "th": ["คุณคือใคร", "เล่าเรื่องตลกหน่อย", "คุณโง่"],
    "tr": ["Sen kimsin?", "Bana bir fıkra anlat", "Aptalsın!"],
    "vi": ["Bạn là ai?", "Kể một câu chuyện cười", "Đồ ngốc!"],
    "zh": ["你是谁？", "给我讲个笑话", "你真笨！"],
}

# Questions that contain courtesies.
QUESTIONS = {
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

# By language: several courtesies in a row, and what has the same words but is not a courtesy.
SEQUENCES = {
    "ar": (
        ["شكرًا على الشرح يا دكتور، كل شيء واضح", "طيب، فهمت", "لا شكرا، هذا يكفي"],
        ["لا أفهم", "شكرا على الهدية كتاب لمن؟", "هل هذا مفيد؟", "قصدت المدينة الأخرى"],
    ),
    "de": (
        [
            "Lieben Dank für den Tipp, jetzt verstehe ich!",
            "Ach so, alles klar, sorry",
            "Top, danke",
        ],
        ["Danke Anke", "Wofür danke?", "Top 10", "Klappt das?", "Das meinte ich nicht"],
    ),
    "en": (
        [
            "Cheers mate, that makes sense now!",
            "No, that'll be all. Thanks again, bye now",
            "Ah ok, my bad. Makes sense",
            "THANKS!!! Got it 👍",
        ],
        [
            "Thank You for Smoking",
            "Thanks to whom?",
            "Fine?",
            "ok and then",
            "I meant the other city",
            "that's not what I meant",
        ],
    ),
    "es": (
        ["Gracias, muy amable.", "Ah vale, ya lo entiendo. Adios!", "No, gracias. Eso es todo"],
        [
            "Gracias a la vida",
            "¿Gracias a quién se hizo?",
            "No entiendo",
            "¿Funciona?",
            "No, la otra",
        ],
    ),
    "fi": (
        ["Kiitos selityksestä, nyt ymmärrän!", "Ahaa, hyvä tietää", "Ei, kiitos"],
        ["Ei toimi", "Toimiiko?", "Kiitos suomeksi", "Tarkoitin toista kaupunkia"],
    ),
    "fr": (
        ["ok merci c'est clair", "Ah d'accord, désolé. C'est tout !", "Merci quand même"],
        ["Merci patron", "Ça marche ?", "Je parlais de l'autre ville"],
    ),
    "hi": (
        ["बताने के लिए धन्यवाद, अब समझ गई!", "वाह, बहुत उपयोगी", "जी, ठीक है"],
        ["समझ नहीं आया", "ठीक नहीं", "धन्यवाद का अर्थ", "मैं दूसरे शहर की बात कर रहा था"],
    ),
    "it": (
        ["Grazie della risposta, ora ho capito", "Ottimo, tutto chiaro", "No, grazie davvero"],
        ["Grazie a chi?", "Non ho capito", "È chiaro il testo?", "Intendevo l'altra città"],
    ),
    "ja": (
        [
            "ありがとうございます、助かりました",
            "なるほど納得しました",
            "丁寧に教えていただきありがとうございました！",
            "了解です。いいですね",
        ],
        ["ありがとうの語源", "説明お願いします", "本当に？", "大丈夫ですか", "別の町のことです"],
    ),
    "ko": (
        ["자세한 설명 정말 감사합니다!", "아 그렇구나, 이제 이해됐어요", "네, 괜찮아요"],
        ["감사의 뜻", "이해가 안 돼요", "도움이 안 됐어요", "맞아요?", "다른 도시 말이에요"],
    ),
    "pt": (
        ["Obrigada pela dica, muito útil!", "Ah, agora entendi. Valeu, até mais", "Nao, obrigado"],
        ["Obrigado a quem?", "Não entendi", "Não funciona", "Obrigado, Portugal"],
    ),
    "ru": (
        [
            "Спасибо за совет, очень полезно",
            "ага, теперь все понятно",
            "Нет, на этом всё. Хорошего дня!",
        ],
        ["Не понял", "Это не помогло", "Спасибо деду", "Понятно ли это?", "Я про другой город"],
    ),
    "th": (
        ["ขอบคุณมากครับเข้าใจแล้ว", "โอเคค่ะ รับทราบค่ะ", "ไม่เป็นไร มีประโยชน์มากเลย"],
        ["ไม่เข้าใจ", "ได้ไหมคะ", "ชัดเจนไหม", "ขอบคุณแปลว่าอะไร", "หมายถึงอีกเมืองหนึ่ง"],
    ),
    "tr": (
        [
            "Açıklama için teşekkürler, çok faydalı",
            "tamam hocam, anladım",
            "Tesekkurler, gorusuruz",
        ],
        ["Anlamadım", "İşe yaramadı", "Net mi?", "Teşekkür konuşması", "Öteki şehri kastettim"],
    ),
    "vi": (
        [
            "Cảm ơn bạn nhiều nhé",
            "dạ em cảm ơn chị ạ, em hiểu rồi",
            "không, vậy là đủ",
            "cam on ban",
        ],
        ["được không", "có không?", "Có hay không", "cảm ơn tiếng Anh", "ý tôi là thành phố kia"],
    ),
    "zh": (
        ["多谢，明白了", "太感谢您了我明白了", "嗯嗯，那好吧，辛苦了", "不用了，谢谢老师啦"],
        ["谢谢用日语怎么说", "是不是", "可以不可以", "好用吗", "请解答", "我说的是另一座城市"],
    ),
}


@pytest.mark.parametrize("lang", TARGETS)
def test_courtesies_of_each_kind(lang: str) -> None:
    for text, kind in zip(COURTESIES[lang], KINDS, strict=True):
        assert classify_courtesy(text) == kind, text
        assert classify_intent(text) == ("thanks" if kind == "assent" else kind), text


@pytest.mark.parametrize("lang", TARGETS)
def test_every_listed_phrase_is_a_courtesy(lang: str) -> None:
    for kind in (*KINDS, "alone"):
        for phrase in phrases(lang, kind):
            assert classify_intent(phrase) != "question", phrase


@pytest.mark.parametrize("lang", TARGETS)
def test_particles_accompany_courtesies(lang: str) -> None:
    for phrase in phrases(lang, "particles"):
        # A particle may be a courtesy of another language, or also one of its own.
        if classify_courtesy(phrase) is None:
            assert classify_courtesy(f"{COURTESIES[lang][1]} {phrase}") == "thanks", phrase


def phrases(lang: str, kind: str) -> list[str]:
    listed = table(lang, "courtesies").get(kind, "").replace("\n", " ").split(",")
    return [phrase.strip() for phrase in listed if phrase.strip()]


@pytest.mark.parametrize("lang", TARGETS)
def test_courtesies_in_sequence(lang: str) -> None:
    courtesies, questions = SEQUENCES[lang]
    thanks = COURTESIES[lang][1]
    for text in courtesies:
        assert classify_intent(text) != "question", text
    for text in questions:
        assert classify_intent(text) == "question", text
        assert classify_intent(f"{thanks} {text}") == "question", text


@pytest.mark.parametrize("lang", TARGETS)
def test_questions_and_other_remarks_are_searched(lang: str) -> None:
    greeting = COURTESIES[lang][0]
    texts = (FIRST_QUESTIONS[lang], *FOLLOW_UPS[lang], joined(lang))
    for text in (*texts, *QUESTIONS[lang], *OTHER_REMARKS[lang]):
        assert classify_intent(text) == "question", text
        assert classify_intent(f"{greeting} {text}") == "question", text


@pytest.mark.parametrize(
    "text", ["hiiii", "Thank youuuu", "THANKS!!!", "ok, ok", "Hi again", "¡adios!", "Tres bien"]
)
def test_spelling_does_not_matter(text: str) -> None:
    assert classify_intent(text) != "question"


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
        "works",
        "the fine",
        "no entiendo",
        "nao entendi",
        "pour l'information",
        "ครับ" * 30,
    ],
)
def test_not_a_courtesy(text: str) -> None:
    assert classify_intent(text) == "question"


@given(st.text())
def test_any_text_has_an_intent(text: str) -> None:
    assert (classify_intent(text) == "question") == (classify_courtesy(text) is None)
