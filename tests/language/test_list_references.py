"""References to the items of a list by number, in all languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import TARGETS

from anaphora.language.list_references import LAST, list_reference, pair

SAID = [
    ("en", "what does the third do", 3, "the third"),
    ("en", "and the last one?", LAST, "the last one"),
    ("en", "whats the second one good for", 2, "the second one"),
    ("en", "what is step 3 for", 3, "step 3"),
    ("de", "was macht das dritte", 3, "das dritte"),
    ("de", "und die letzte Option?", LAST, "die letzte Option"),
    ("de", "ausgabeformate vom zweiten?", 2, "vom zweiten"),
    ("de", "was brauche ich um ersteres zu werden", 1, "ersteres"),
    ("en", "why use the latter?", LAST, "the latter"),
    ("es", "y el precio del segundo?", 2, "del segundo"),
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


@pytest.mark.parametrize(
    ("lang", "text", "two"),
    [
        ("en", "is stable or testing better for me", ("stable", "testing")),
        ("en", "whats the difference between a footnote and an endnote?", ("footnote", "endnote")),
        ("en", "apt vs. aptitude", ("apt", "aptitude")),
        ("de", "debdiff oder diffoscope, was machen die jeweils", ("debdiff", "diffoscope")),
        ("de", "Entwickler und Betreuer, wo ist der Unterschied", ("Entwickler", "Betreuer")),
        ("fr", "note de bas de page ou vignette", ("page", "vignette")),
        ("fr", "différence entre apt et dpkg", ("apt", "dpkg")),
        ("es", "qué diferencia hay entre copiar y enlazar", ("copiar", "enlazar")),
        ("it", "apt o dpkg, quale uso", ("apt", "dpkg")),
        ("pt", "diferença entre apt e dpkg", ("apt", "dpkg")),
        ("ru", "apt или dpkg", ("apt", "dpkg")),
        ("tr", "apt ile dpkg arasındaki fark nedir", ("apt", "dpkg")),
        ("vi", "apt khác dpkg thế nào, apt hay dpkg", ("apt", "dpkg")),
        ("fi", "apt vai dpkg", ("apt", "dpkg")),
        ("ar", "apt أو dpkg", ("apt", "dpkg")),
        ("hi", "apt या dpkg", ("apt", "dpkg")),
        ("ko", "apt와 dpkg의 차이", ("apt", "dpkg")),
        ("zh", "脚注和尾注有什么区别", ("脚注", "尾注")),
        ("ja", "グレースケールと白黒の違いは", ("グレースケール", "白黒")),
        ("th", "apt กับ dpkg ต่างกันอย่างไร", ("apt", "dpkg")),
    ],
)
def test_a_question_about_two_things(lang, text, two):
    assert pair(text, lang) == two


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "print and save"),
        ("en", "or what"),
        ("en", "is it this or that"),
        ("de", "und dann"),
        ("zh", "脚注和尾注"),
        ("ja", "印刷と保存"),
        ("xx", "a or b"),
    ],
)
def test_other_questions_are_about_one_thing(lang, text):
    assert pair(text, lang) is None


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
