"""How much a question says itself."""

import pytest

from anaphora.language.completeness import completeness, goes_on_alone, is_tail, may_refer_beyond


@pytest.mark.parametrize(
    ("lang", "question", "expected"),
    [
        ("en", "how do i crop an image", 2),
        ("en", "what is preseeding", 2),
        ("en", "whats the default", 1),
        ("en", "and the paintbrush?", 0),
        ("en", "how do i delete it", 0),
        ("en", "how do i host two sites on one server", 2),
        ("en", "can i allow only one address", 2),
        ("en", "how do i add one", 0),
        ("en", "is there one for windows", 0),
        ("en", "which one is faster?", 0),
        ("en", "resize a picture without making it blurry", 2),
        ("en", "how do i crop a photo and save it", 2),
        ("en", "can i close my account while it is open", 2),
        ("en", "add a border to it", 0),
        ("en", "is there a way to stop before it prints", 0),
        ("en", "is there a dark mode", 2),
        ("en", "are there shortcuts for zoom?", 2),
        ("en", "how do i go there", 0),
        ("en", "is there a way to undo it", 0),
        ("en", "do i need another account for the server", 2),
        ("en", "is there another way", 0),
        ("fr", "y a-t-il un mode sombre", 2),
        ("fr", "est-ce qu’il y a une limite de taille", 2),
        ("fr", "où est-il", 0),
        ("en", "by 90 degrees", 0),
        ("en", "s the default changed", 2),
        ("fr", "avant de s en servir", 1),
        ("en", "what if i forget the passphrase", 2),
        ("en", "remove red eyes", 2),
        ("de", "was ist eine ebenenmaske", 2),
        ("de", "und welche taste", 0),
        ("fr", "comment recadrer une image", 2),
        ("ru", "как настроить raid", 2),
        ("ru", "а без рабочего стола", 0),
        ("zh", "怎么删除它", 0),
        ("zh", "怎么把选区扩大十个像素？", 2),
        ("ja", "行を固定するにはどうすればいいですか", 2),
        ("th", "ตรึงแถวแรกทำอย่างไร", 2),
        ("vi", "làm sao tạo usb khởi động", 2),
        ("ar", "وهذا؟", 0),
        ("tr", "yazdırma alanı nasıl ayarlanır", 2),
        ("ko", "행을 어떻게 고정하나요?", 2),
    ],
)
def test_completeness(lang, question, expected):
    assert completeness(question, lang) == expected


@pytest.mark.parametrize(
    ("lang", "question", "expected"),
    [
        ("en", "does it run on windows", True),
        ("en", "how do i delete it", False),
        ("en", "and does it run on windows", False),
        ("en", "how do i run sigil on windows", False),
        ("de", "läuft er unter windows", True),
        ("fr", "est-ce qu’elle lit les fichiers pdf", True),
        ("ru", "она работает в windows", True),
        ("ru", "как её удалить", False),
        ("zh", "它可以在电脑上运行吗", True),
        ("zh", "怎么删除它", False),
        ("ar", "هل يقرأ هذا ملفات pdf", True),
        ("tr", "bu windows üzerinde çalışıyor mu", True),
        ("vi", "nó có chạy trên windows không", True),
    ],
)
def test_what_it_is_may_be_named_nowhere(lang, question, expected):
    assert may_refer_beyond(question, lang) == expected


@pytest.mark.parametrize(
    ("lang", "long", "short"),
    [
        ("en", "and ask the developers for a new feature", "and for a feature"),
        ("de", "und reiter umsortieren per tastatur", "und per tastatur"),
        ("fr", "et pour chercher un mot dans la sortie", "et dans la sortie"),
        ("es", "y mover una pestaña a otra ventana", "¿y Málaga?"),
        ("pt", "e o menu arquivo com alt+a", "e o menu"),
        ("it", "e come si cambia il browser predefinito", "e il browser"),
        ("ru", "а как включить проверку правописания", "а обновить"),
        ("tr", "ve varsayılan tarayıcıyı değiştirmek", "ve tarayıcı"),
        ("ar", "وكيف أغير المتصفح الافتراضي", "والمتصفح"),
        ("vi", "và làm sao đổi trình duyệt mặc định", "và Huế"),
        ("hi", "और डिफ़ॉल्ट ब्राउज़र कैसे बदलें", "और ब्राउज़र"),
        ("ko", "그리고 기본 브라우저는 어떻게 바꾸나요", "그리고 브라우저는"),
        ("fi", "ja miten oletusselain vaihdetaan asetuksista", "ja selain"),
    ],
)
def test_a_question_that_goes_on_with_and_may_say_enough(lang, long, short):
    assert goes_on_alone(long, lang)
    assert not goes_on_alone(short, lang)
    assert completeness(long, lang) == completeness(short, lang) == 0


@pytest.mark.parametrize(
    ("lang", "question"),
    [
        ("en", "ask the developers for a new feature"),
        ("zh", "怎么更改默认浏览器"),
        ("ja", "既定のブラウザーを変更するには"),
        ("th", "เปลี่ยนเบราว์เซอร์เริ่มต้นอย่างไร"),
    ],
)
def test_a_question_without_and_goes_on_with_nothing(lang, question):
    assert not goes_on_alone(question, lang)


@pytest.mark.parametrize(
    ("lang", "tail", "alone"),
    [
        ("en", "to another machine", "no sound"),
        ("de", "nur mit Tastatur", "kein Ton"),
        ("fr", "avec une clé", "où est le menu"),
        ("es", "con otra clave", "no hay sonido"),
        ("pt", "para outro computador", "alterar a senha"),
        ("it", "con una chiave", "nessun suono"),
        ("ru", "на другой компьютер", "нет звука"),
        ("vi", "trên máy khác", "không có tiếng"),
        ("fi", "mutta ilman hiirtä", "ei ääntä"),
        ("ar", "على ويندوز", "لا يوجد صوت"),
        ("en", "with a mask", "default port"),
        ("en", "without the mouse", "in which folder is the file kept"),
        ("en", "for windows", "can i print"),
    ],
)
def test_a_tail_is_a_fragment_that_begins_with_a_function_word(lang, tail, alone):
    assert is_tail(tail, lang)
    assert not is_tail(alone, lang)


@pytest.mark.parametrize(
    ("lang", "text"), [("zh", "在另一台电脑上"), ("ja", "他のPCに"), ("th", "กับเครื่องอื่น")]
)
def test_writing_without_spaces_has_no_tails(lang, text):
    assert not is_tail(text, lang)
