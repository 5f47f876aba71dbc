"""What an abstention says of words that no document has."""

import pytest

import anaphora

QUESTIONS = {
    "en": ("does it run on a chromebook", "Mentioned nowhere in the documents: chromebook."),
    "de": ("läuft das auf einem chromebook", "In den Dokumenten kommt nicht vor: chromebook."),
    "ru": ("работает ли это на chromebook", "В документах не упоминается: chromebook."),
    "zh": ("能在chromebook上运行吗", "文档中没有提到：chromebook。"),
    "ja": ("chromebookで動きますか", "文書に出てこない語：chromebook。"),
    "tr": ("chromebook ile çalışır mı", "Belgelerde geçmiyor: chromebook."),
}
PAGES = {
    "en": "Water the garden in the evening. Cut the roses in March. A mower runs on petrol.",
    "de": "Gießen Sie den Garten am Abend. Rosen schneiden im März. Ein Mäher läuft mit Benzin.",
    "ru": "Поливайте сад вечером. Обрезайте розы в марте. Газонокосилка работает на бензине.",
    "zh": "请在傍晚给花园浇水。三月修剪玫瑰，五月施肥。割草机用汽油运行。",
    "ja": "庭には夕方に水をやります。バラは三月に剪定します。芝刈り機はガソリンで動きます。",
    "tr": "Bahçeyi akşamları sulayın. Gülleri martta budayın. Biçme makinesi benzinle çalışır.",
}


@pytest.fixture(scope="module")
def assistant(tmp_path_factory):
    folder = tmp_path_factory.mktemp("garden")
    for lang, text in PAGES.items():
        (folder / f"{lang}.md").write_text(text, "utf-8")
    with anaphora.build(folder, index=folder / ".index") as built:
        yield built


@pytest.mark.parametrize("lang", QUESTIONS)
def test_an_abstention_names_them_in_a_line_of_its_own(assistant, lang):
    question, line = QUESTIONS[lang]
    answer = assistant.ask(question)
    assert answer.abstained
    assert answer.unmentioned == ("chromebook",)
    assert answer.text.split("\n")[0] == line
    assert answer.citations


def test_an_answer_names_none(assistant):
    answer = assistant.ask("when do i cut the roses")
    assert not answer.abstained
    assert answer.unmentioned == ()
