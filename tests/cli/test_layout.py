"""Lists and code on a terminal."""

import pytest
from rich.cells import cell_len
from support.screens import lines, structured, terminal

from anaphora.cli.terminal import Screen
from anaphora.records import Answer

CODE = "docker build --tag service:latest --file deploy/Containerfile --build-arg VERSION=3.12 ."
SENTENCE = (
    "Build the image, which takes a few minutes, and start it with the first of these commands:"
)


def test_code_is_indented_and_keeps_its_lines():
    code = f"{CODE}\n    docker run service  # ready"
    citation, trace = structured(f"{SENTENCE}\n{code}", ("paragraph", SENTENCE), ("code", code))
    screen = Screen()
    screen.out = terminal(60)
    shown = "\n".join(f"    {line}" for line in code.split("\n"))
    screen.answer(Answer(f"{SENTENCE}\n\n{shown} [1]", "en", 0.9, (citation,), trace=trace))
    printed = lines(screen)
    assert " ".join(printed[:2]) == SENTENCE
    assert printed[2:5] == ["", f"    {CODE}", "        docker run service  # ready [1]"]
    screen.out = terminal(60)
    screen.sources(Answer(f"{SENTENCE} [1]", "en", 0.9, (citation,), trace=trace))
    assert f"      {CODE}" in lines(screen)


LISTS = {
    "en": ["Stop the container and wait until all requests have been answered.", "Copy it."],
    "zh": ["带上身份证或护照到图书馆一楼的服务台，工作人员会给您一张需要填写的申请表。", "拍照。"],
    "ja": [
        "図書館の一階にある受付に身分証明書を持って行き、申込書を受け取ります。",
        "撮影。",
    ],
    "th": ["นำบัตรประชาชนไปที่เคาน์เตอร์บริการชั้นหนึ่งของห้องสมุดเพื่อรับแบบฟอร์มใบสมัคร", "ถ่ายรูป"],
    "ar": [
        "لا تلمس المعروضات ولا تتكئ على الواجهات الزجاجية أثناء التصوير في القاعات.",
        "لا فلاش.",
    ],
    "vi": [
        "Mang chứng minh thư đến quầy dịch vụ ở tầng một của thư viện để nhận đơn.",
        "Chụp ảnh.",
    ],
    "ru": ["Остановите контейнер и подождите, пока не будут даны все ответы на запросы.", "Пуск."],
    "tr": ["Kapsayıcıyı durdurun ve süren bütün isteklerin yanıtlanmasını bekleyin.", "Başlatın."],
}


@pytest.mark.parametrize("lang", LISTS)
def test_items_of_a_list_hang_and_no_line_is_wider_than_the_terminal(lang):
    first, second = LISTS[lang]
    citation, trace = structured(f"{first}\n{second}", ("item", first), ("item", second), lang=lang)
    answer = Answer(f"1. {first}\n2. {second} [1]", lang, 0.9, (citation,), trace=trace)
    for show, margin in ((Screen.answer, 0), (Screen.sources, 4)):
        screen = Screen()
        screen.out = terminal(40)
        show(screen, answer)
        printed = lines(screen)
        at = next(at for at, line in enumerate(printed) if line.startswith(" " * margin + "1. "))
        end = next(at for at, line in enumerate(printed) if line.startswith(" " * margin + "2. "))
        inner = margin + 3
        assert end - at > 1
        assert all(line.startswith(" " * inner) for line in printed[at + 1 : end])
        assert all(cell_len(line) <= 40 for line in printed)
        joined = "".join(line[inner:].strip() for line in printed[at:end])
        assert joined.replace(" ", "") == first.replace(" ", "")


def test_a_pipe_gets_the_text_as_it_is(capsys):
    first, second = LISTS["zh"]
    Screen().answer(Answer(f"1. {first * 5}\n2. {second}\n\n{CODE * 3}", "zh", 0.9))
    assert capsys.readouterr().out == f"1. {first * 5}\n2. {second}\n\n{CODE * 3}\n"
