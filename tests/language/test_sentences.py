from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import PARAGRAPHS, TARGETS, joined

from anaphora.language import sentences


def cut(text: str, lang: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, lang)]


@pytest.mark.parametrize("lang", TARGETS)
def test_a_paragraph_of_each_language(lang: str) -> None:
    assert cut(joined(lang), lang) == PARAGRAPHS[lang]


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        (
            "en",
            ["It costs 3.5 million.", "See https://example.com/a.html?b=c. for more.", "Yes..."],
        ),
        ("en", ["J. R. R. Tolkien wrote it.", "He lived in the U.K. until 1973.", "Then he died."]),
        (
            "en",
            [*["He worked for Acme Inc. He liked it."][:0], "He left the U.S. in May.", "Why?!"],
        ),
        ("en", ["(He left.)", "[So did she.]", "“Really?” he asked.", "See No. 5 and p. 3."]),
        ("en", ["This is proven.[12]", "That is not.[3]"]),
        ("en", ["Wait… what?", "Well… He left."][:1]),
        ("de", ["Am 24. Dezember 1990 kam er usw. zurück.", "Nr. 5 lebt!", "„Gut.“", "Er ging."]),
        ("fr", ["Né en 44 av. J.-C. à Rome.", "« Oui. »", "Elle part."]),
        ("es", ["El Sr. Pérez vive en EE. UU. desde 1990.", "¿Por qué?", "¡No sé!"]),
        ("it", ["Il sig. Rossi, cfr. pag. 3, è qui.", "Bene."]),
        ("pt", ["O Sr. Silva mora na Av. Paulista.", "Fim."]),
        ("ru", ["Он родился в 1990 г. в г. Москве, т. е. в столице.", "Потом уехал."]),
        ("tr", ["Prof. Dr. Ali 3. gün geldi.", "Sonra gitti."]),
        ("fi", ["Se oli ns. testi 6. joulukuuta 1917.", "Loppu."]),
        ("hi", ["पं. शर्मा आए।", "क्या वे रुके?", "नहीं॥"]),
        ("ar", ["هل هذا صحيح؟", "نعم.", "انتهى!"]),
        ("ur", ["یہ ایک جملہ ہے۔", "یہ دوسرا ہے۔"]),
        ("vi", ["TP. Hồ Chí Minh rất lớn.", "Đúng không?"]),
        ("ko", ["버전 3.5입니다.", "맞습니까?", "네."]),
    ],
)
def test_hard_cases(lang: str, expected: list[str]) -> None:
    assert cut(" ".join(expected), lang) == expected


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("zh", ["今天是3.5度。", "“真的吗？”", "他问……", "对！"][:2]),
        ("ja", ["「行く。」と言った。", "本当！？", "はい。"]),
        ("zh", ["你好!", "再见。"]),
    ],
)
def test_without_spaces(lang: str, expected: list[str]) -> None:
    assert cut("".join(expected), lang) == expected


def test_lines() -> None:
    wrapped = "This line was wrapped by an editor at a width that\npeople like. Next sentence."
    assert cut(wrapped, "en") == [wrapped[:63], "Next sentence."]
    assert cut("A title\nThe text.", "en") == ["A title", "The text."]
    assert cut("One\n\nTwo\r\n\r\nThree", "en") == ["One", "Two", "Three"]
    assert cut("Buy:\n- milk and a great many other things from the shop,\n- eggs", "en") == [
        "Buy:",
        "- milk and a great many other things from the shop,",
        "- eggs",
    ]
    assert cut("1. First thing\n2. Second thing", "en") == ["1. First thing", "2. Second thing"]


def test_thai_spaces() -> None:
    first = "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย"
    second = "เป็นศูนย์กลางการปกครอง การศึกษา"
    assert cut(f"{first} {second}", "th") == [first, second]


@pytest.mark.parametrize("text", ["", " \n ", "\u2028"])
def test_nothing_to_cut(text: str) -> None:
    assert sentences(text, "en") == []


@pytest.mark.parametrize("char", [".", "a", "\n", "。", "「", " ", "…”", "! ", "ก ", "1.", "a."])
def test_one_character_over_and_over(char: str) -> None:
    text = char * 200_000
    assert_covers(text, sentences(text, "th"))


@given(
    st.text(
        st.one_of(st.sampled_from(".!?。！？…\n\r 「」”“»A一aกไ1-*"), st.characters()), max_size=80
    ),
    st.sampled_from([*TARGETS, "unknown"]),
)
def test_ranges_are_valid_and_cover(text: str, lang: str) -> None:
    assert_covers(text, sentences(text, lang))


def assert_covers(text: str, found: list[tuple[int, int]]) -> None:
    last = 0
    for start, end in found:
        assert last <= start < end <= len(text)
        assert not text[last:start].strip()
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        last = end
    assert not text[last:].strip()


NARROW = {
    "en": "The lighthouse at the cape was built in 1874 by the harbour board and is in use.",
    "de": "Der Leuchtturm am Kap wurde 1874 von der Hafenbehörde gebaut und ist in Betrieb.",
    "ru": "Маяк на мысе был построен в 1874 году портовым управлением и ещё действует.",
    "ar": "بُنيت المنارة في رأس أورين سنة 1874 على يد هيئة الميناء وما زالت تعمل.",
    "vi": "Ngọn hải đăng ở mũi được xây năm 1874 bởi ban quản lý cảng và vẫn hoạt động.",
    "tr": "Burundaki fener 1874'te liman idaresi tarafından yapıldı ve hâlâ çalışıyor.",
    "hi": "अंतरीप का प्रकाशस्तंभ 1874 में बंदरगाह मंडल ने बनवाया था और वह अब भी चालू है।",
}


@pytest.mark.parametrize("lang", NARROW)
@pytest.mark.parametrize("width", [24, 30, 38])
def test_a_narrow_paragraph_is_not_cut_where_its_lines_end(lang: str, width: int) -> None:
    lines = "\n".join(textwrap.wrap(NARROW[lang], width))
    text = f"Cape Orrin\n\n{lines}\n\nThe end"
    assert cut(text, lang) == ["Cape Orrin", lines, "The end"]


@pytest.mark.parametrize(
    "lines",
    [
        ["anaphora index docs", "anaphora index verify", "anaphora index repair"],
        ["Opening hours", "from Monday to Friday, nine to five."],
        ["apples and pears", "salt", "bread of the day."],
        ["The house of the keeper", "The house is open."],
    ],
)
def test_short_lines_that_are_not_filled_stay_apart(lines: list[str]) -> None:
    assert cut("\n".join(lines), "en") == lines


TABLES = {
    "zh": [
        "打开文件时使用的快捷键组合是 Ctrl+O",
        "保存当前文件的快捷键是 Ctrl+S",
        "关闭窗口 Alt+F4",
    ],
    "ja": ["ファイルを開くためのショートカット Ctrl+O", "上書き保存のショートカット Ctrl+S"],
    "ko": [
        "파일을 여는 데 사용하는 단축키는 컨트롤과 오를 함께 누르는 것",
        "저장하는 단축키는 컨트롤과 에스",
    ],
    "th": ["ปุ่มลัดสำหรับเปิดแฟ้มที่มีอยู่แล้ว Ctrl+O", "ปุ่มลัดสำหรับบันทึก Ctrl+S", "ปุ่มลัดสำหรับปิด Alt+F4"],
    "ar": [
        "اختصار فتح الملف الموجود على القرص الصلب | Ctrl+O",
        "اختصار حفظ الملف المفتوح | Ctrl+S",
    ],
    "vi": ["Phím tắt để mở một tệp đã có trên ổ đĩa cứng\tCtrl+O", "Phím tắt để lưu tệp\tCtrl+S"],
    "ru": ["Сочетание клавиш для открытия существующего файла | Ctrl+O", "Сохранить файл | Ctrl+S"],
    "tr": ["Diskte bulunan bir dosyayı açmak için kısayol | Ctrl+O", "Dosyayı kaydet | Ctrl+S"],
}


@pytest.mark.parametrize("lang", TABLES)
def test_the_lines_of_a_table_stay_apart(lang: str) -> None:
    assert cut("\n".join(TABLES[lang]), lang) == TABLES[lang]


WRAPPED = {
    "zh": [
        "这座灯塔是一八七四年由港务局在海角上建造的，",
        "直到今天仍然在使用，每年都有许多游客前来参观",
        "并且可以登上塔顶眺望大海。",
    ],
    "ja": [
        "この灯台は千八百七十四年に港湾局によって岬に建",
        "てられ、今日でも使われており、多くの観光客が訪",
        "れて塔の上から海を眺める。",
    ],
    "ko": [
        "이 등대는 천팔백칠십사년에 항만청이 곶에",
        "세웠으며 오늘날에도 쓰이고 있고 해마다",
        "많은 관광객이 찾아와 바다를 바라본다.",
    ],
}


@pytest.mark.parametrize("lang", WRAPPED)
def test_a_wrapped_paragraph_of_wide_characters_is_one_sentence(lang: str) -> None:
    wrapped = "\n".join(WRAPPED[lang])
    assert cut(wrapped, lang) == [wrapped]
