from __future__ import annotations

from pathlib import Path

import pytest
from support.ingest_files import pdf

from anaphora.ingest.reading import read

PAIRS = [
    ("Q", "A", "How do I stop the pump?", "Press the red key."),
    ("Frage 1", "Antwort", "Wie halte ich die Pumpe an?", "Drücken Sie die rote Taste."),
    ("Q", "R", "Comment arrêter la pompe ?", "Appuyez sur la touche rouge."),
    ("Pregunta", "Respuesta", "¿Cómo paro la bomba?", "Pulse la tecla roja."),
    ("Вопрос", "Ответ", "Как остановить насос?", "Нажмите красную кнопку."),
    ("Soru", "Cevap", "Pompayı nasıl durdururum?", "Kırmızı tuşa basın."),
    ("Hỏi", "Đáp", "Làm sao để dừng máy bơm?", "Nhấn phím đỏ."),
    ("问", "答", "怎么停止水泵？", "按红色按钮。"),
    ("Q1", "A1", "ポンプを止めるには？", "赤いボタンを押します。"),
    ("질문", "답변", "펌프를 어떻게 멈추나요?", "빨간 버튼을 누르세요."),
    ("س", "ج", "كيف أوقف المضخة؟", "اضغط الزر الأحمر."),
    ("ถาม", "ตอบ", "หยุดปั๊มอย่างไร", "กดปุ่มสีแดง"),
    ("प्रश्न", "उत्तर", "पंप कैसे रोकें?", "लाल बटन दबाएँ।"),
]


@pytest.mark.parametrize(("asks", "answers", "question", "answer"), PAIRS)
@pytest.mark.parametrize("name", ["a.html", "a.md", "a.txt"])
def test_a_marked_question_is_the_heading_of_its_answer(
    tmp_path: Path, name: str, asks: str, answers: str, question: str, answer: str
) -> None:
    pairs = [
        (f"{asks}: {question}", f"{answers}: {answer}"),
        (f"{asks}: X?", f"{answers}：{answer}"),
    ]
    if name == "a.html":
        text = "".join(f"<p><b>{one}</b></p><p>{other}</p>" for one, other in pairs)
    else:
        text = "\n\n".join(f"{one}\n\n{other}\n\nMore of it." for one, other in pairs)
    (tmp_path / name).write_text(text, "utf-8")
    [document] = read(tmp_path / name, name)
    assert [section.path[-1] for section in document.sections] == [question, "X?"]
    assert question not in document.text


def test_lines_of_one_paragraph_and_other_formats(tmp_path: Path) -> None:
    lines = ["Q: Is it free?", "A: Yes, and it will be.", "", "Q: For ever?", "A: Nobody knows."]
    (tmp_path / "a.txt").write_text("FAQ\n===\n\n" + "\n".join(lines))
    html = "".join(
        f"<p>{one}<br>{other}</p>" for one, other in [tuple(lines[:2]), tuple(lines[3:])]
    )
    (tmp_path / "a.html").write_text(f"<h1>FAQ</h1>{html}")
    pdf(tmp_path / "a.pdf", [["\fFAQ", *lines]])
    for name in ("a.txt", "a.html", "a.pdf"):
        [document] = read(tmp_path / name, name)
        paths = [section.path for section in document.sections]
        assert [path[-1] for path in paths] == ["Is it free?", "For ever?"], name


@pytest.mark.parametrize(
    "text",
    [
        "Q: Is it free?\n\nA: Yes.",  # one alone may be a quotation
        "Q: first letter\n\nR: second letter\n\nS: third letter",
        "D. Knuth wrote it.\n\nR. Stallman too.\n\nP. Smith read it.\n\nR. Roe too.",
        "A: one\n\nQ: two\n\nNothing.\n\nQ: three",
        f"Q: {'long ' * 80}?\n\nA: Yes.\n\nQ: {'long ' * 80}?\n\nA: Yes.",
    ],
)
def test_other_letters_mark_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(text)
    [document] = read(tmp_path / "a.md", "a.md")
    assert document.sections == ()
