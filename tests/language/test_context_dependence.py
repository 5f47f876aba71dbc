"""Questions that depend on earlier turns."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.language import is_context_dependent

DEPENDENT = [
    ("ar", "وماذا عن باريس؟"),
    ("ar", "متى تأسس هذا المكان؟"),
    ("de", "Und in Berlin?"),
    ("de", "Wann wurde er gebaut?"),
    ("en", "When did they disband?"),
    ("en", "What about 2013?"),
    ("en", "What's its height?"),
    ("es", "¿Y en francés?"),
    ("es", "¿Quién escribió eso?"),
    ("fi", "Entä Turku?"),
    ("fi", "Milloin se rakennettiin?"),
    ("fr", "Et en 2013 ?"),
    ("fr", "Quand a-t-elle été construite ?"),
    ("hi", "उसकी राजधानी क्या है?"),
    ("hi", "और दिल्ली में?"),
    ("it", "E a Roma?"),
    ("it", "Quando è nato lui?"),
    ("ja", "その人口は何人ですか？"),
    ("ja", "人口は？"),
    ("ko", "그것은 언제 지어졌나요?"),
    ("ko", "그럼 부산은?"),
    ("pt", "E em Lisboa?"),
    ("pt", "Quando ele nasceu?"),
    ("ru", "А в Москве?"),
    ("ru", "Когда он родился?"),
    ("th", "แล้วเชียงใหม่ล่ะ"),
    ("th", "เมืองนั้นอยู่ที่ไหน"),
    ("tr", "Peki Ankara?"),
    ("tr", "Bunu kim yazdı?"),
    ("vi", "Còn ở Hà Nội thì sao?"),
    ("vi", "Người đó sinh năm nào?"),
    ("zh", "它的首都在哪里？"),
    ("zh", "人口呢？"),
]
BY_FORM = [
    ("de", "wo finde ich die"),
    ("de", "kann ich das rückgängig machen?"),
    ("de", "wie erstelle ich eins"),
    ("de", "wie kann ich das löschen"),
    ("es", "¿así puedo sumarlos?"),
    ("es", "borrarlas"),
    ("es", "como lo quito"),
    ("es", "cómo creo uno"),
    ("fr", "comment l'annuler"),
    ("fr", "comment s’y connecter"),
    ("fr", "peut-on la supprimer ?"),
    ("fr", "désactive-le"),
    ("it", "come posso annullarlo"),
    ("it", "vorrei farlo di nuovo"),
    ("pt", "como removê-lo"),
    ("pt", "posso apagá-las?"),
    ("ja", "テスト版との違いは"),
    ("ja", "東京には？"),
    ("ru", "как к нему подключиться"),
    ("ru", "можно ли это делать автоматически"),
]
NOT_BY_FORM = [
    ("de", "kann ich das dokument drucken"),
    ("de", "ist das passwort sicher"),
    ("es", "qué es una perla"),
    ("es", "hacer una charla"),
    ("es", "cómo activo las tablas"),
    ("fr", "imprimer le fichier"),
    ("fr", "comment supprimer le papier"),
    ("it", "come si può parlare"),
    ("pt", "guarda-chuva"),
    ("ja", "通貨を追加するには"),
    ("ja", "aptとdpkgの違いは"),
    ("ja", "アップグレードの方法は？"),
]
SELF_CONTAINED = [
    ("ar", "ما هي عاصمة فرنسا؟"),
    ("de", "Welche Formate liest Anaphora?"),
    ("en", "Who founded the Mothers of Invention?"),
    ("es", "¿Cuál es la capital de Perú?"),
    ("fi", "Mikä on Suomen pääkaupunki?"),
    ("fr", "Comment vérifier un index ?"),
    ("hi", "भारत की राजधानी क्या है?"),
    ("it", "Qual è la capitale della Francia?"),
    ("ja", "東京の人口は何人ですか？"),
    ("ko", "한국의 수도는 어디입니까?"),
    ("pt", "Qual é a capital do Brasil?"),
    ("ru", "Какая столица Франции?"),
    ("th", "เมืองหลวงของประเทศไทยคืออะไร"),
    ("tr", "Türkiye'nin başkenti neresidir?"),
    ("vi", "Thủ đô của Việt Nam là gì?"),
    ("zh", "法国的首都是哪里？"),
]


@pytest.mark.parametrize(("lang", "question"), DEPENDENT)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_questions_that_refer_or_continue_depend_on_context(lang, question, form):
    assert is_context_dependent(unicodedata.normalize(form, question), lang)


@pytest.mark.parametrize(("lang", "question"), BY_FORM)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_pronoun_is_known_by_its_place(lang, question, form):
    assert is_context_dependent(unicodedata.normalize(form, question), lang)


@pytest.mark.parametrize(("lang", "question"), NOT_BY_FORM)
def test_words_that_look_like_a_pronoun_refer_to_nothing(lang, question):
    assert not is_context_dependent(question, lang)


@pytest.mark.parametrize(("lang", "question"), SELF_CONTAINED)
def test_self_contained_questions_do_not(lang, question):
    assert not is_context_dependent(question, lang)


@given(
    st.text(max_size=80), st.sampled_from([lang for lang, _ in SELF_CONTAINED] + ["unknown", "sv"])
)
def test_any_text_has_a_result(text, lang):
    assert is_context_dependent(text, lang) in (True, False)
