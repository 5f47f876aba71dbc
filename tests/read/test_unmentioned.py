"""The words of a question that occur in none of the documents."""

import pytest

from anaphora.index import open_index, open_writer
from anaphora.ingest import split
from anaphora.read.unmentioned import unmentioned
from anaphora.records import Document

TEXTS = {
    "en": "GnuCash runs on your computer and keeps its books in files. Printers print them.",
    "de": "Das Programm läuft auf dem Rechner. Drucker drucken die Seiten.",
    "fr": "L'imprimante imprime les pages du document sur l'ordinateur.",
    "ru": "Программа работает на компьютере. Принтеры печатают страницы.",
    "tr": "Program bilgisayarda çalışır. Yazıcılar sayfaları Ankara'da yazdırır.",
    "ar": "يعمل البرنامج على الحاسوب. الطابعات تطبع الصفحات.",
    "vi": "Chương trình chạy trên máy tính và in các trang.",
    "ja": "プログラムはコンピューターで動きます。プリンターで印刷します。",
    "ko": "프로그램은 컴퓨터에서 실행됩니다. 프린터로 인쇄합니다.",
    "zh": "该程序在计算机上运行，打印机打印页面。",
    "th": "โปรแกรมทำงานบนคอมพิวเตอร์",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    with open_writer(folder) as writer:
        for lang, text in TEXTS.items():
            document = Document(lang, "", text, lang)
            writer.upsert(document, split(document))
        writer.commit()
    opened = open_index(folder)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("lang", "question", "expected"),
    [
        ("en", "does gnucash run on an ipad", ("ipad",)),
        ("en", "does the printer print books", ()),
        (
            "en",
            "Printing on Android, iPad, Chromebook or Kindle?",
            ("Android", "iPad", "Chromebook"),
        ),
        ("de", "kann der drucker das ipad", ("ipad",)),
        ("fr", "l'imprimante et l'ipad", ("ipad",)),
        ("ru", "работает ли программа на айпаде", ("айпаде",)),
        ("ru", "какие принтеры", ()),
        ("tr", "İstanbul'da yazıcılar", ("İstanbul",)),
        ("ar", "هل يعمل البرنامج على ipad", ("ipad",)),
        ("vi", "có chạy trên ipad không", ("ipad",)),
        ("ja", "ラズベリーパイで動きますか", ("ラズベリーパイ",)),
        ("ja", "プリンターで印刷するには", ()),
        ("ko", "라즈베리파이에서도 되나요", ("라즈베리파이",)),
        ("ko", "프로그램은 어디에서 실행", ()),
        ("zh", "能在ipad上运行吗", ("ipad",)),
        ("zh", "能用微信吗", ()),
        ("th", "ใช้กับ ipad ได้ไหม", ("ipad",)),
        ("en", "3.14159 42 x", ()),
        ("en", "", ()),
        ("unknown", "ipad", ("ipad",)),
    ],
)
def test_words_that_no_document_has(index, lang, question, expected):
    assert unmentioned(index, question, lang) == expected
