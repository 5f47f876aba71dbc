"""The fast encoder: sums over tokens."""

import numpy as np
import pytest

from anaphora.assistant import Assistant
from anaphora.errors import UsageError
from anaphora.index import Dense, open_index
from anaphora.ingest.update import update
from anaphora.records import Query
from anaphora.retrieve.encoders import DEFAULT, fast_encoder, first_encoder, load_encoder

QUESTIONS = {
    "ar": ("متى تفتح المكتبة أبوابها؟", "تفتح المكتبة أبوابها في الساعة التاسعة صباحًا."),
    "de": ("Wann öffnet die Bücherei?", "Die Bücherei öffnet morgens um neun Uhr."),
    "en": ("When does the library open?", "The library opens at nine in the morning."),
    "es": ("¿Cuándo abre la biblioteca?", "La biblioteca abre a las nueve de la mañana."),
    "fi": ("Milloin kirjasto avataan?", "Kirjasto avataan aamulla kello yhdeksän."),
    "fr": ("Quand ouvre la bibliothèque ?", "La bibliothèque ouvre à neuf heures du matin."),
    "hi": ("पुस्तकालय कब खुलता है?", "पुस्तकालय सुबह नौ बजे खुलता है।"),
    "it": ("Quando apre la biblioteca?", "La biblioteca apre alle nove del mattino."),
    "ja": ("図書館は何時に開きますか。", "図書館は午前九時に開きます。"),
    "ko": ("도서관은 언제 문을 엽니까?", "도서관은 오전 아홉 시에 문을 엽니다."),
    "pt": ("Quando abre a biblioteca?", "A biblioteca abre às nove da manhã."),
    "ru": ("Когда открывается библиотека?", "Библиотека открывается в девять часов утра."),
    "th": ("ห้องสมุดเปิดกี่โมง", "ห้องสมุดเปิดเวลาเก้าโมงเช้า"),
    "tr": ("Kütüphane saat kaçta açılıyor?", "Kütüphane sabah saat dokuzda açılıyor."),
    "vi": ("Thư viện mở cửa lúc mấy giờ?", "Thư viện mở cửa lúc chín giờ sáng."),
    "zh": ("图书馆几点开门？", "图书馆早上九点开门。"),
}


@pytest.fixture(scope="module")
def encoder():
    return fast_encoder()


@pytest.mark.parametrize("lang", QUESTIONS)
def test_a_question_is_near_to_the_passage_that_answers_it(encoder, lang):
    question, _ = QUESTIONS[lang]
    answers = [answer for _, answer in QUESTIONS.values()]
    cosines = (encoder.encode_queries([question]) @ encoder.encode_passages(answers).T)[0]
    # Spanish and Portuguese have words in common.
    assert list(QUESTIONS).index(lang) in cosines.argsort()[-2:]


def test_vectors_have_length_one_and_depend_on_the_text_alone(encoder):
    texts = [answer for _, answer in QUESTIONS.values()]
    together = encoder.encode_passages([*texts, *texts])
    assert together.shape == (2 * len(texts), encoder.dimensions)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for at, text in enumerate(texts):
        assert np.allclose(encoder.encode_passages([text])[0], together[at], atol=1e-5)


def test_progress_counts_the_passages(encoder, monkeypatch):
    monkeypatch.setattr("anaphora.retrieve.fast._AT_ONCE", 2)
    seen = []
    encoder.encode_passages(["один", "二", "สาม"], seen.append)
    assert seen == [2, 3]


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "🙂"])
def test_a_text_without_tokens_has_a_vector_without_a_direction_or_of_its_own(encoder, text):
    (vector,) = encoder.encode_passages([text])
    assert np.isfinite(vector).all()
    assert encoder.encode_passages([]).shape == (0, encoder.dimensions)


def test_vectors_are_those_of_earlier_versions(encoder):
    """An index records the name of its encoder: other vectors need another name."""
    assert encoder.name == "fast-1"
    (vector,) = encoder.encode_passages(["The library opens at nine in the morning. 図書館"])
    expected = [0.00348, 0.01493, 0.03084, 0.0149, 0.01728]
    assert np.allclose(vector[[0, 1, 2, 1024, 2047]], expected, atol=1e-4)


def test_it_is_loaded_by_name_and_searches_its_index_alone(tmp_path):
    (tmp_path / "a.md").write_text("Die Bücherei öffnet um neun.", "utf-8")
    encoder = load_encoder("fast-1")
    update(tmp_path / "index", [tmp_path / "a.md"], encoder)
    index = open_index(tmp_path / "index")
    (hits,) = index.search([Query("Wann öffnet die Bücherei?")], 3, Dense(encoder))
    assert len(hits) == 1
    with pytest.raises(UsageError, match="vectors of fast-1"):
        index.search([Query("Wann?")], 3, Dense(load_encoder(DEFAULT)))
    index.close()


@pytest.mark.parametrize(("name", "weight"), [("fast-1", 0.375), (DEFAULT, 1.5)])
def test_its_vectors_weigh_less_beside_lexical_search(tmp_path, name, weight):
    (tmp_path / "a.md").write_text("図書館は午前九時に開きます。", "utf-8")
    update(tmp_path / "index", [tmp_path / "a.md"], load_encoder(name))
    with Assistant(open_index(tmp_path / "index")) as assistant:
        assert assistant.retriever.weights == {"lexical": 1.0, "dense": weight}
        assert [hit.rank for hit in assistant.search("図書館は何時に開きますか。")] == [1]


def test_an_index_is_first_made_with_it(encoder):
    first = first_encoder()
    assert first is not None
    assert first.name == encoder.name
