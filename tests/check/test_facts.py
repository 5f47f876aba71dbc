"""Numbers, dates and names that no evidence holds, in every script."""

import pytest

from anaphora.check.facts import joined, unsupported_facts
from anaphora.records import Claim


def _unsupported(statement: str, evidence: str, question: str = "") -> list[str]:
    claim = Claim(statement, (evidence,), question)
    return [statement[start:end] for start, end in unsupported_facts(claim)]


@pytest.mark.parametrize(
    ("statement", "evidence", "missing"),
    [
        ("The bridge opened in 1932.", "In 1931 the bridge was opened.", ["1932"]),
        ("Die Brücke ist 1.250 m lang.", "Sie misst 1250 Meter.", []),
        ("Il pèse 1,5 kg.", "Son poids est de 1.5 kilogramme.", []),
        ("这座桥长三百二十米。", "桥全长320米。", []),
        ("这座桥长三百五十米。", "桥全长320米。", ["三百五十米"]),
        ("人口は3万5千人です。", "人口35,000人の町。", []),
        ("인구는 3만 5천 명이다.", "인구 35000명의 도시.", []),
        ("人口は4万人です。", "人口35,000人の町。", ["4万"]),
        ("اكتمل البناء عام ١٩٣٢.", "بني الجسر سنة 1932.", []),
        ("اكتمل البناء عام ١٩٣٥.", "بني الجسر سنة 1932.", ["١٩٣٥"]),
        ("สร้างเมื่อ พ.ศ. ๒๔๗๕", "สะพานนี้สร้างใน พ.ศ. 2475", []),
        ("ราคา 5 ล้านบาท", "ราคา 5,000,000 บาท", []),
        ("कीमत ५ लाख रुपये है।", "इसकी कीमत 500000 रुपये है।", []),
        ("В 1932 году мост открыли 5 марта.", "Мост открыт 05.03.1932.", []),
        ("В 1932 году мост открыли 5 мая.", "Мост открыт 5 марта 1932 года.", ["мая"]),
        ("Köprü 5 Mart 1932'de açıldı.", "1932-03-05 tarihinde açıldı.", []),
        ("Cầu mở ngày 5 tháng 4 năm 1932.", "Ngày 5 tháng 3 năm 1932, cầu mở.", ["tháng 4"]),
        ("Silta on 5 km pitkä.", "Sillan pituus on 5 mailia.", ["5 km"]),
        ("Das Gerät braucht 5 W.", "Das Gerät braucht 5.", []),
        ("La tasa es del 12 %.", "La tasa es del 12 por ciento.", []),
        ("Needs version 3.10.2.", "It needs version 3.10.1.", ["3.10.2"]),
        ("It starts at 2:30.", "It starts at 14:30.", []),
        ("Seven people came.", "There were six people.", ["Seven"]),
        ("Построен в XIX веке.", "Построен в 19-м веке.", []),
    ],
)
def test_numbers_are_compared_by_value(statement, evidence, missing):
    assert _unsupported(statement, evidence) == missing


@pytest.mark.parametrize(
    ("statement", "evidence", "missing"),
    [
        ("He moved to Paris with Ray.", "Ray moved to London.", ["Paris"]),
        ("Он переехал в Москву.", "Его город — Москва.", []),
        ("Он переехал в Самару.", "Его город — Москва.", ["Самару"]),
        ("Hän asuu Helsingissä.", "Kotikaupunki on Helsinki.", []),
        ("Hän asuu Turussa.", "Kotikaupunki on Helsinki.", ["Turussa"]),
        ("Şair 1932'de İstanbul'da doğdu.", "İSTANBUL, 1932: şair doğdu.", []),
        ("Şair 1932'de Ankara'da doğdu.", "İstanbul, 1932: şair doğdu.", ["Ankara"]),
        ("Vua Nguyễn Huệ thắng trận.", "Nguyễn Huệ thắng trận.", []),
        ("Vua Nguyễn Ánh thắng trận.", "Nguyễn Huệ thắng trận.", ["Ánh"]),
        ("Es wurde von Konrad Zuse gebaut.", "Konrad Schulz baute es.", ["Zuse"]),
        ("Ein Haus mit Garten steht dort.", "Dort befindet sich ein Gebäude.", []),
        ("安装 Nginx 只需一步。", "安装 Apache 只需一步。", ["Nginx"]),
        ("他写了《红楼梦》。", "他写了《西游记》。", ["红楼梦"]),
        ("設定は PostgreSQL で行う。", "ＰｏｓｔｇｒｅＳＱＬの設定です。", []),
        ("ใช้ Docker ได้", "ใช้ Podman ได้", ["Docker"]),
        ("يعمل مع Linux فقط.", "يعمل مع Windows فقط.", ["Linux"]),
        ("서버는 Nginx로 실행한다.", "서버는 Apache로 실행한다.", ["Nginx"]),
        ("Run `apt purge` first.", "Run `apt remove` first.", ["apt purge"]),
        ("See https://a.example/x now.", "See https://a.example/y now.", ["https://a.example/x"]),
        ("L'Italia ha vinto.", "Vinse l’Italia.", []),
    ],
)
def test_names_are_compared_with_their_inflection(statement, evidence, missing):
    assert _unsupported(statement, evidence) == missing


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("The United Kingdom signed in 1932.", "El Reino Unido firmó en 1932."),
        ("Москва подписала договор.", "Moscow signed the treaty."),
        ("Nagoya is a city in Japan.", "名古屋は日本の都市です。"),
    ],
)
def test_names_of_another_language_are_not_compared(statement, evidence):
    assert _unsupported(statement, evidence) == []


def test_numbers_are_compared_across_languages():
    assert _unsupported("It has 60 million people.", "人口は6000万人です。") == []
    assert _unsupported("It has 60 million people.", "人口は5000万人です。") == ["60 million"]


def test_words_of_the_question_may_be_used():
    asked = "Who won in 1932?"
    assert _unsupported("In 1932 Ray won.", "The winner was Ray.") == ["1932"]
    assert _unsupported("In 1932 Ray won.", "The winner was Ray.", asked) == []


def test_ranges_are_joined_over_spaces():
    assert joined([(4, 7), (0, 3)], "Ray Kay") == ((0, 7),)
    assert joined([], "Ray") == ()
