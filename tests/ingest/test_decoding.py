from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.errors import UnreadableFile
from anaphora.ingest.decoding import decode

ENGLISH = (
    "The pump stops when the tank is full – don’t open the lid before the “ready” light shows.\n"
)
FRENCH = (
    "La pompe s’arrête dès que le réservoir est plein. N’ouvrez pas le couvercle avant que le "
    "voyant soit allumé : l’eau reste très chaude à l’intérieur, même après plusieurs heures.\n"
)
GERMAN = (
    "Die Pumpe schaltet ab, sobald der Behälter gefüllt ist. Öffnen Sie den Deckel nicht früher.\n"
)
POLISH = "Pompa wyłącza się, gdy zbiornik jest pełny. Nie otwierać pokrywy, bo woda wciąż wrze.\n"
TURKISH = "Depo dolduğunda pompa durur. Işık yanmadan kapağı açmayınız, çünkü su çok sıcaktır.\n"
RUSSIAN = (
    "Насос выключается, когда бак полон. Не открывайте крышку раньше: вода внутри ещё горячая.\n"
)
GREEK = "Η αντλία σταματά όταν γεμίσει η δεξαμενή. Μην ανοίγετε το καπάκι νωρίτερα.\n"
ARABIC = "تتوقف المضخة عندما يمتلئ الخزان. لا تفتح الغطاء قبل أن يضيء المصباح لأن الماء ساخن جدا.\n"
THAI = "ปั๊มจะหยุดทำงานเมื่อถังเต็ม ห้ามเปิดฝาก่อนที่ไฟจะติด เพราะน้ำข้างในยังร้อนอยู่มาก\n"
JAPANESE = (
    "タンクが満水になるとポンプは自動的に停止します。ランプが点灯する前に蓋を開けないでください。\n"
)
SIMPLIFIED = "水箱装满以后，水泵会自动停止。指示灯亮起之前请不要打开盖子，因为里面的水仍然很热。\n"
TRADITIONAL = "水箱裝滿以後，水泵會自動停止。指示燈亮起之前請不要打開蓋子，因為裡面的水仍然很熱。\n"
KOREAN = (
    "물탱크가 가득 차면 펌프가 자동으로 멈춥니다. 표시등이 켜지기 전에는 뚜껑을 열지 마십시오.\n"
)

LEGACY = [
    (ENGLISH, "cp1252"),
    (FRENCH, "cp1252"),
    (FRENCH.replace("’", "'"), "latin-1"),
    (GERMAN, "latin-1"),
    (POLISH, "cp1250"),
    (POLISH, "iso8859-2"),
    (TURKISH, "cp1254"),
    (RUSSIAN, "cp1251"),
    (RUSSIAN, "koi8-r"),
    (RUSSIAN, "cp866"),
    (GREEK, "cp1253"),
    (ARABIC, "cp1256"),
    (ARABIC, "iso8859-6"),
    (THAI, "cp874"),
    (JAPANESE, "cp932"),
    (JAPANESE, "euc_jp"),
    (JAPANESE, "iso2022_jp"),
    (SIMPLIFIED, "gb18030"),
    (TRADITIONAL, "big5"),
    (KOREAN, "cp949"),
]


@pytest.mark.parametrize(("text", "encoding"), LEGACY, ids=[f"{e}-{t[:6]}" for t, e in LEGACY])
def test_the_encoding_is_found(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    assert decode(data) == text
    assert decode(data * 300) == text * 300


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", [ENGLISH, ARABIC, JAPANESE])
def test_a_byte_order_mark_decides(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [ENGLISH, RUSSIAN, JAPANESE, KOREAN])
def test_wide_encodings_need_no_mark(text: str, encoding: str) -> None:
    assert decode((text * 3).encode(encoding)) == text * 3


@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, THAI, JAPANESE, SIMPLIFIED, KOREAN])
def test_broken_utf8_stays_utf8(text: str) -> None:
    data = (text * 3).encode()
    middle = len(text.encode())
    broken = data[:middle] + b"\xff" + data[middle:-2]  # a foreign byte, and a cut at the end
    decoded = decode(broken)
    assert decoded.startswith(text + "\ufffd" + text)
    assert decoded.count("\ufffd") <= 3


def test_a_declared_encoding_counts_where_the_bytes_do_not_decide() -> None:
    assert decode(b"caf\xe9", "iso-8859-1") == "café"
    assert decode(b"caf\xe9", "no-such-encoding") == "café"
    assert decode("café".encode(), "iso-8859-1") == "café"


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
        b"\x7fELF\x02\x01\x01" + bytes(64),
        b"\x00\x01\x02\x03" * 100,
        bytes(range(1, 9)) * 10,
    ],
)
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="is not text"):
        decode(data)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_utf8_is_always_itself(text: str) -> None:
    data = text.encode()
    if not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode(data) == text


@given(st.binary(max_size=400))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    with contextlib.suppress(UnreadableFile):
        assert isinstance(decode(data), str)
