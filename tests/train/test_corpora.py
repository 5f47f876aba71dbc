"""CANARD is split by the title of the article, whatever the QuAC id of a dialogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora.train.corpora import canard_official, canard_partial, title_parts


def official(article: int, title: str) -> dict[str, Any]:
    return {
        "QuAC_dialog_id": f"C_{article:032x}_0",
        "Question_no": 1,
        "History": [title, "Life"],
        "Question": "When did they end?",
        "Rewrite": f"When did {title} end?",
    }


def partial(article: int, title: str) -> list[dict[str, Any]]:
    return [
        {
            "QuAC_dialog_id": f"C_{article:032x}_0",
            "Question_no": number,
            "PrevQuestions": [],
            "PrevAnswerKeywords": [],
            "Question": question,
            "Rewrite": question.replace("it", title),
        }
        for number, question in enumerate(["who founded it", "where did it sing"], 1)
    ]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Bands of one id each, two ids of each duo, and choirs that occur with keywords too."""
    folder = tmp_path / "canard"
    folder.mkdir()
    turns = [official(n, f"Band {n}") for n in range(60)]
    turns += [official(100 + n, f"Duo {n % 30}") for n in range(60)]
    turns += [official(200 + n, f"Choir {n}") for n in range(60)]
    keywords = [one for n in range(60) for one in partial(300 + n, f"Choir {n}")]
    keywords += [one for n in range(60) for one in partial(n, f"Band {n}")]
    (folder / "dev.json").write_text(json.dumps(turns), "utf-8")
    lines = map(json.dumps, keywords)
    (folder / "train_partial_history.jsonl").write_text("\n".join(lines), "utf-8")
    return tmp_path


def test_no_article_is_in_two_parts(data: Path) -> None:
    titles = {
        part: {one.conversation.title for one in canard_official(data, part)}
        for part in ("train", "tune", "report")
    }
    assert all(titles.values())
    assert not titles["train"] & titles["tune"]
    assert not titles["train"] & titles["report"]
    assert not titles["tune"] & titles["report"]
    assert set().union(*titles.values()) == {f"{one.title()}: Life" for one in title_parts(data)}


def test_what_is_reported_on_was_not_trained_on_under_another_id(data: Path) -> None:
    trained = {one.conversation.title for one in canard_partial(data)}
    for part in ("tune", "report"):
        held_out = {one.conversation.title for one in canard_official(data, part)}
        assert not {(title or "").removesuffix(": Life") for title in held_out} & trained
    assert {part for title, part in title_parts(data).items() if "choir" in title} == {"train"}
