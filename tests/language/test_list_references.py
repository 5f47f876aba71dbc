"""References to the items of a list by number, in all languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import TARGETS

from anaphora.language.list_references import LAST, list_reference

SAID = [
    ("en", "what does the third do", 3, "the third"),
    ("en", "and the last one?", LAST, "the last one"),
    ("en", "whats the second one good for", 2, "the second one"),
    ("en", "what is step 3 for", 3, "step 3"),
    ("de", "was macht das dritte", 3, "das dritte"),
    ("de", "und die letzte Option?", LAST, "die letzte Option"),
    ("fr", "que fait le deuxième", 2, "le deuxième"),
    ("fr", "et l'option 2 ?", 2, "l'option 2"),
    ("es", "¿y el segundo?", 2, "el segundo"),
    ("it", "e l'ultimo?", LAST, "l'ultimo"),
    ("pt", "e a terceira?", 3, "a terceira"),
    ("ru", "а вторая для чего", 2, "вторая"),
    ("ru", "что делает последний", LAST, "последний"),
    ("tr", "ikincisi ne işe yarar", 2, "ikincisi"),
    ("tr", "son seçenek nedir", LAST, "son seçenek"),
    ("fi", "entä toinen?", 2, "toinen"),
    ("hi", "दूसरा वाला क्या है", 2, "दूसरा वाला"),
    ("ar", "ماذا عن الخيار الثاني؟", 2, "الخيار الثاني"),
    ("ar", "والأخير؟", LAST, "الأخير"),
    ("ko", "두 번째는 뭐예요", 2, "두 번째"),
    ("zh", "第三个是干什么的", 3, "第三个"),
    ("zh", "最后一个呢", LAST, "最后一个"),
    ("ja", "二番目は何ですか", 2, "二番目"),
    ("th", "อันที่สองคืออะไร", 2, "อันที่สอง"),
    ("vi", "cái thứ hai dùng để làm gì", 2, "cái thứ hai"),
]


@pytest.mark.parametrize(("lang", "text", "number", "said"), SAID)
def test_an_item_is_named_by_its_number(lang, text, number, said):
    found = list_reference(text, lang)
    assert found
    assert (found.number, text[found.start : found.end]) == (number, said)


def test_every_language_has_references():
    assert {lang for lang, *_ in SAID} == set(TARGETS)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "how do I freeze the first row"),
        ("en", "does the 2 matter"),
        ("de", "wie lösche ich die letzte ebene"),
        ("es", "cómo fijo la primera fila"),
        ("ru", "как удалить последний слой"),
        ("tr", "son satır nasıl silinir"),
        ("zh", "第二个文件怎么打开"),
        ("ja", "最後に何をする"),
        ("ko", "마지막 파일 열기"),
        ("vi", "thứ hai tuần sau"),
        ("xx", "the second one"),
        ("en", "the second one " * 100),
    ],
)
def test_other_numbers_refer_to_no_item(lang, text):
    assert list_reference(text, lang) is None


@given(st.sampled_from(TARGETS), st.text(max_size=40))
def test_a_reference_is_a_part_of_the_text(lang, text):
    found = list_reference(text, lang)
    assert found is None or 0 <= found.start < found.end <= len(text)
