"""The checker with the shipped weights."""

import pytest
from support.lighthouse import TEXTS

from anaphora.check.model import shared_model
from anaphora.check.sequence import STATEMENT
from anaphora.check.support import SupportChecker
from anaphora.config import Config
from anaphora.errors import ModelUnavailable
from anaphora.language import sentences
from anaphora.records import Claim
from anaphora.registry import build

PASSAGES = {
    "ar": "بُني الجسر من الفولاذ عام 1932، وهو يربط الميناء بالمدينة القديمة.",
    "de": "Die Brücke wurde 1932 aus Stahl gebaut und verbindet den Hafen mit der Altstadt.",
    "en": "The bridge was built of steel in 1932 and links the harbour with the old town.",
    "es": "El puente se construyó en acero en 1932 y une el puerto con el casco antiguo.",
    "hi": "पुल 1932 में इस्पात से बना था और बंदरगाह को पुराने शहर से जोड़ता है।",
    "ja": "この橋は1932年に鋼鉄で造られ、港と旧市街を結んでいる。",
    "ko": "이 다리는 1932년에 강철로 지어졌으며 항구와 구시가지를 잇는다.",
    "ru": "Мост построен из стали в 1932 году и соединяет гавань со старым городом.",
    "th": "สะพานสร้างด้วยเหล็กกล้าในปี 1932 และเชื่อมท่าเรือกับเมืองเก่า",
    "tr": "Köprü 1932'de çelikten yapıldı ve limanı eski şehre bağlar.",
    "vi": "Cây cầu được xây bằng thép năm 1932 và nối cảng với phố cổ.",
    "zh": "这座桥于1932年用钢建成，连接港口与老城。",
}


@pytest.fixture(scope="module")
def checker():
    return SupportChecker(shared_model())


@pytest.mark.parametrize("lang", PASSAGES)
def test_a_passage_supports_itself_and_another_one_does_not(checker, lang):
    text = PASSAGES[lang]
    other = PASSAGES["en" if lang != "en" else "de"].replace("1932", "1850")
    same, wrong = checker.check(
        [Claim(text, (text,)), Claim(text.replace("1932", "1935"), (other, text))]
    )
    assert same.supported
    assert same.citations == (0,)
    assert same.unsupported == ()
    assert not wrong.supported
    assert any(
        "1935" in text.replace("1932", "1935")[start:end] for start, end in wrong.unsupported
    )


def test_support_does_not_depend_on_the_other_claims(checker):
    claims = [Claim(text, (PASSAGES["en"], text)) for text in PASSAGES.values()]
    together = checker.check(claims)
    assert together == [checker.check([one])[0] for one in claims]
    assert together == checker.check(claims)


@pytest.mark.parametrize("evidence", [(), ("",), (" \n", "")])
def test_nothing_supports_without_evidence(checker, evidence):
    (found,) = checker.check([Claim("It is red.", evidence)])
    assert (found.supported, found.probability, found.citations) == (False, 0.0, ())
    assert found.unsupported == ((0, 10),)


def test_an_empty_statement_is_not_supported(checker):
    (found,) = checker.check([Claim("", ("It is red.",))])
    assert (found.supported, found.unsupported) == (False, ())


@pytest.mark.parametrize("lang", PASSAGES)
def test_ranges_lie_in_the_statement(checker, lang):
    statement = f"{PASSAGES[lang]} {PASSAGES['en' if lang != 'en' else 'zh']}" * 3
    (found,) = checker.check([Claim(statement, ("Pears ripen in September.",))])
    assert not found.supported
    assert found.unsupported
    places = [place for span in found.unsupported for place in span]
    assert places == sorted(places)
    assert places[-1] <= len(statement)
    assert all(start < end for start, end in found.unsupported)


@pytest.mark.parametrize("lang", ["en", "th", "zh"])
def test_the_end_of_a_long_statement_is_checked(checker, lang):
    text = PASSAGES[lang]
    many = text * (1 + 2 * STATEMENT // 20)
    (found,) = checker.check([Claim(f"{many} 77123", (text,))])
    assert not found.supported
    assert found.unsupported[-1][1] == len(many) + 6


def test_support_at_the_end_of_long_evidence_is_found(checker):
    pears = "Pears ripen in September, and then they are sold at the market. " * 40
    (found,) = checker.check(
        [Claim(PASSAGES["en"], ("Boats leave at noon.", pears + PASSAGES["en"]))]
    )
    assert found.supported
    assert found.citations == (1,)


def test_the_settings_name_the_checker():
    assert build(Config.of({"check": {"method": "none"}}).check, None) is None
    assert isinstance(build(Config().check, None), SupportChecker)
    with pytest.raises(ModelUnavailable, match="train support"):
        build(Config.of({"check": {"model": "no/such/folder"}}).check, None)


@pytest.mark.parametrize("lang", [lang for lang in TEXTS if lang != "th"])
def test_a_sentence_of_the_evidence_is_supported_whatever_was_asked(checker, lang):
    text = TEXTS[lang]
    start, end = sentences(text, lang)[0]
    claim = Claim(text[start:end], ("…", text), "When does the ferry leave?")
    (found,) = checker.check([claim])
    assert (found.supported, found.citations) == (True, (1,))


def _in_a_long_text(lang):
    """The evidence of a language amid five other sentences in it."""
    start, end = sentences(TEXTS[lang], lang)[0]
    first = TEXTS[lang][start:end]
    return f"{first} {first} {PASSAGES[lang]} {first} {first} {first}"


@pytest.mark.parametrize("lang", sorted(PASSAGES.keys() & TEXTS.keys() - {"th"}))
def test_a_statement_is_read_again_with_the_closest_sentences(checker, lang):
    text = _in_a_long_text(lang)
    other = "ru" if lang != "ru" else "en"
    long, short, across = checker.signals(
        [
            Claim(PASSAGES[lang], (text,)),
            Claim(PASSAGES[lang], (PASSAGES[lang],)),
            Claim(PASSAGES[lang], (_in_a_long_text(other),)),
        ]
    )
    assert long.mean != long.network
    assert short.mean == short.network
    assert across.mean == across.network


def test_an_answer_is_not_read_again(checker):
    (found,) = checker.signals([Claim("1932", (_in_a_long_text("en"),), "When was it built?")])
    assert found.answers
    assert found.mean == found.network
