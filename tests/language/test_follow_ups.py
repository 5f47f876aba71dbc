"""Follow-ups that say nothing of their own, in the sixteen languages."""

import pytest

from anaphora.language import listed_languages
from anaphora.language.follow_ups import bare_follow_up, language_instruction
from anaphora.language.tables import table

BARE = {
    "ar": ["لماذا؟", "كيف؟", "مثال؟", "وماذا بعد؟"],
    "de": ["Warum?", "wieso nicht", "Zum Beispiel?", "und dann?", "wie viel?"],
    "en": ["why?", "How?", "example?", "how much?", "And then?", "tell me more"],
    "es": ["¿Por qué?", "¿cómo?", "¿Un ejemplo?", "¿y luego?"],
    "fi": ["Miksi?", "miten?", "esimerkki?", "kuinka paljon?"],
    "fr": ["Pourquoi ?", "comment ?", "un exemple ?", "et ensuite ?", "combien ?"],
    "hi": ["क्यों?", "कैसे?", "उदाहरण?", "और फिर?"],
    "it": ["Perché?", "come?", "un esempio?", "e poi?"],
    "ja": ["なぜ？", "どうやって？", "例えば？", "それから？"],
    "ko": ["왜?", "어떻게요?", "예를 들면?", "그리고 나서?"],
    "pt": ["Por quê?", "como?", "um exemplo?", "e depois?"],
    "ru": ["Почему?", "а как?", "пример?", "а потом?", "сколько?"],
    "th": ["ทำไม", "ยังไง", "ตัวอย่าง?", "แล้วยังไงต่อ"],
    "tr": ["Neden?", "nasıl?", "örnek?", "peki sonra?"],
    "vi": ["Tại sao?", "như thế nào?", "ví dụ?", "sau đó thì sao?"],
    "zh": ["为什么？", "怎么做？", "例子？", "然后呢？", "多少？"],
}

INSTRUCTIONS = {
    "ar": [("بالفرنسية", "fr"), ("أجب باللغة الإنجليزية من فضلك", "en")],
    "de": [("auf Deutsch", "de"), ("und auf Französisch bitte?", "fr"),
           ("Antworte auf Englisch.", "en")],
    "en": [("in French", "fr"), ("And in German?", "de"), ("ok, back to English please", "en"),
           ("Can you answer in Chinese?", "zh"), ("what about in Thai?", "th")],
    "es": [("en español", "es"), ("¿y en inglés, por favor?", "en"), ("Responde en ruso", "ru")],
    "fi": [("suomeksi", "fi"), ("entä ruotsiksi", None), ("vastaa englanniksi, kiitos", "en")],
    "fr": [("en français", "fr"), ("et en allemand ?", "de"),
           ("réponds en anglais s'il te plaît", "en")],
    "hi": [("हिंदी में", "hi"), ("कृपया अंग्रेज़ी में उत्तर दें", "en")],
    "it": [("in italiano", "it"), ("e in inglese?", "en"),
           ("rispondi in tedesco per favore", "de")],
    "ja": [("日本語で", "ja"), ("英語で答えてください", "en"), ("フランス語でお願いします", "fr")],
    "ko": [("한국어로", "ko"), ("영어로 답해 주세요", "en"), ("그럼 일본어로는?", "ja")],
    "pt": [("em português", "pt"), ("e em espanhol?", "es"),
           ("responda em inglês, por favor", "en")],
    "ru": [("по-русски", "ru"), ("а на английском?", "en"),
           ("ответь на немецком языке, пожалуйста", "de")],
    "th": [("ภาษาไทย", "th"), ("ตอบเป็นภาษาอังกฤษ", "en"), ("ขอเป็นภาษาจีนได้ไหม", "zh")],
    "tr": [("Türkçe", "tr"), ("İngilizce cevap ver lütfen", "en"), ("peki Almanca?", "de")],
    "vi": [("bằng tiếng Việt", "vi"), ("trả lời bằng tiếng Anh nhé", "en"),
           ("còn tiếng Pháp thì sao?", "fr")],
    "zh": [("用中文回答", "zh"), ("请用英语再说一遍", "en"), ("法语呢？", "fr"), ("用日文", "ja")],
}  # fmt: skip

COMPLETE = [
    ("Why is the sky blue?", "en"),
    ("How do I install it?", "en"),
    ("Is there a manual in French?", "en"),
    ("In which languages can it answer?", "en"),
    ("Who speaks English in India?", "en"),
    ("Warum ist der Himmel blau?", "de"),
    ("Gibt es das Handbuch auf Deutsch?", "de"),
    ("为什么天空是蓝色的？", "zh"),
    ("有中文手册吗？", "zh"),
    ("日本語で検索できますか？", "ja"),
    ("なぜ空は青いのですか？", "ja"),
    ("한국어로 검색할 수 있나요?", "ko"),
    ("Почему небо голубое?", "ru"),
    ("Есть ли руководство на русском?", "ru"),
    ("ทำไมท้องฟ้าจึงเป็นสีฟ้า", "th"),
    ("มีคู่มือภาษาไทยไหม", "th"),
    ("لماذا السماء زرقاء؟", "ar"),
    ("Türkçe kılavuz var mı?", "tr"),
    ("Có sách hướng dẫn tiếng Việt không?", "vi"),
    ("ok", "en"),
    ("", "en"),
    ("?", "zh"),
]


@pytest.mark.parametrize(("lang", "texts"), BARE.items())
def test_bare_follow_ups_are_kept_as_typed(lang, texts):
    assert [bare_follow_up(text, lang) for text in texts] == texts


@pytest.mark.parametrize(("lang", "texts"), BARE.items())
def test_in_another_conversation_they_are_said_in_its_language(lang, texts):
    other = "fr" if lang == "zh" else "zh"
    kinds = ("why", "how", "example", "amount", "next", "more")
    listed = ",".join(table(other, "follow_ups")[kind] for kind in kinds)
    spoken = listed.replace("\n", ",").split(",")
    known = {phrase.strip() for phrase in spoken}
    for text in texts:
        found = bare_follow_up(text, other)
        assert found == text or found in known


@pytest.mark.parametrize(
    ("text", "lang"), [pair for pairs in INSTRUCTIONS.values() for pair in pairs]
)
def test_instructions(text, lang):
    found = language_instruction(text)
    assert (found and found.lang) == lang
    assert not found or found.rest == ""


def test_every_language_is_named_in_every_language():
    codes = listed_languages()
    for lang in codes:
        assert set(table(lang, "language_names")) == codes
        form = table(lang, "follow_ups")["in_language"].replace("\n", ",").split(",")[0].strip()
        for code, names in table(lang, "language_names").items():
            for name in names.split(","):
                found = language_instruction(form.replace("{}", name.strip()))
                assert found == (code, ""), (lang, code, name)


@pytest.mark.parametrize(
    ("text", "lang", "rest"),
    [
        ("ok back to english, and the sponsor?", "en", "and the sponsor?"),
        ("What is a sponsor? In German, please.", "de", "What is a sponsor?"),
        ("auf deutsch: was ist ein sponsor?", "de", "was ist ein sponsor?"),
        ("用英文回答：什么是赞助者？", "en", "什么是赞助者？"),
        ("赞助者是什么？请用法语回答。", "fr", "赞助者是什么？"),
        ("что такое спонсор? по-английски", "en", "что такое спонсор?"),
        ("スポンサーとは何ですか。英語でお願いします。", "en", "スポンサーとは何ですか。"),
        ("why, in French?", "fr", "why"),
    ],
)
def test_an_instruction_beside_a_question(text, lang, rest):
    assert language_instruction(text) == (lang, rest)


@pytest.mark.parametrize(("text", "lang"), COMPLETE)
def test_questions_are_neither(text, lang):
    assert bare_follow_up(text, lang) is None
    assert language_instruction(text) is None
