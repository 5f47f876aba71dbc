"""The whole of training the rewriter, on data sets of a few turns each."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.conversations import understood

pytest.importorskip("torch")
pytest.importorskip("sacrebleu")

from anaphora.errors import UsageError
from anaphora.models.backbone import shared_backbone
from anaphora.records import Conversation, Turn
from anaphora.rewrite.linking.model import read_gate
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.train.examples import check
from anaphora.train.rewriter import Recipe, rate, train_rewriter

RECIPE = Recipe(epochs=1, phrase_at_least=2, tokens=600, limit=24)


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in (".jsonl", ".jsonlines"):
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in value)
    else:
        text = json.dumps(value, ensure_ascii=False, indent=1)
    path.write_text(text, "utf-8")


def canard(number: int) -> list[dict[str, Any]]:
    name, said = f"Band {number}", [f"Who was Band {number}?", "A group of musicians."]
    common = {"QuAC_dialog_id": f"C_{number:032x}_0"}
    first = {"History": [name, "Life"], "Question": said[0], "Rewrite": said[0]}
    asked = {"Question": "When did they end?", "Rewrite": f"When did {name} end?"}
    return [
        {**common, "Question_no": 1, **first},
        {**common, "Question_no": 2, **asked, "History": [name, "Life", *said]},
    ]


def keywords(number: int) -> list[dict[str, Any]]:
    name = f"Choir {number}"
    common = {"QuAC_dialog_id": f"C_{number + 500:032x}_0"}
    first = {"Question": "who founded it", "Rewrite": f"who founded {name}"}
    later = {"Question": "where did it sing", "Rewrite": f"where did {name} sing"}
    asked = {"PrevQuestions": ["who founded it"], "PrevAnswerKeywords": ["ann | bo"]}
    return [
        {**common, "Question_no": 1, **first, "PrevQuestions": [], "PrevAnswerKeywords": []},
        {**common, "Question_no": 2, **later, **asked},
    ]


def squad(*texts: tuple[str, str, str]) -> dict[str, Any]:
    """Articles of one paragraph, with the two questions on it."""
    return {
        "data": [
            {
                "title": f"{text[:2]}{number}",
                "paragraphs": [
                    {
                        "context": text,
                        "qas": [
                            {
                                "id": f"a{number}p0q{place}",
                                "question": question,
                                "answers": [{"text": text[:2], "answer_start": 0}],
                            }
                            for place, question in enumerate(questions)
                        ],
                    }
                ],
            }
            for number, (text, *questions) in enumerate(texts)
        ]
    }


ZH = [(f"平遥{n}是一座城。", f"平遥{n}在哪里？", f"平遥{n}的人口有多少？") for n in range(30)]
JA = [(f"鎌倉{n}は町である。", f"鎌倉{n}はどこ？", f"鎌倉{n}の人口は？") for n in range(30)]
AR = [
    (f"الإسكندرية {n} مدينة", f"من أسس الإسكندرية {n}؟", f"متى بنيت الإسكندرية {n}؟")
    for n in range(30)
]
USER = {"transcript_complete": "I want cheap food.", "transcript_with_ellipsis": "Cheap."}
ASKED = {"transcript_complete": "Where is the Nandos?", "transcript_with_ellipsis": "Where?"}
PLAIN = {"transcript": "", "slu": [], "transcript_with_coreference": ""}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write(folder / "canard/dev.json", [one for n in range(40) for one in canard(n)])
    partial = [one for n in range(30) for one in keywords(n)]
    write(folder / "canard/train_partial_history.jsonl", partial)
    turns = [
        {"turn": number, "usr": {**PLAIN, **user}, "sys": {"sent": "Nandos.", "DA": []}}
        for number, user in enumerate((USER, ASKED))
    ]
    task = [{"dialogue_id": 1, "finished": True, "goal": {}, "dial": turns}]
    write(folder / "gecor_camrest676/CamRest676_annotated.json", task)
    said = [
        {"turn": "driver", "data": {"utterance": "where is the bank"}},
        {"turn": "assistant", "data": {"utterance": "Which bank?"}},
        {
            "turn": "driver",
            "data": {"utterance": "the near one"},
            "reformulation": {"reformulated_utt": "where is the near bank", "base_utt_idx": 1},
        },
    ]
    for part in ("dev", "test"):
        write(folder / f"alexa_cqr_kvret/cqr_kvret_{part}_public.json", [{"dialogue": said}])
    for year in ("evaluation/evaluation", "training/train"):
        topics = [{"number": 1, "title": "x", "turn": [{"number": 1, "raw_utterance": "Why?"}]}]
        write(folder / f"treccast/2019/data/{year}_topics_v1.0.json", topics)
    rewritten = {"manual_rewritten_utterance": "Is throat cancer treatable?"}
    topic = {"number": 2, "turn": [{"number": 1, "raw_utterance": "Is it treatable?", **rewritten}]}
    write(folder / "treccast/2020/2020_manual_evaluation_topics_v1.0.json", [topic])
    qed = {
        "example_id": 1,
        "title_text": "Lighthouse",
        "question_text": "who built the lighthouse of the cape",
        "paragraph_text": "Ann Bo built it .",
        "original_nq_answers": [[{"string": "Ann Bo"}]],
        "annotation": {"explanation_type": "single_sentence"},
    }
    write(folder / "qed_en/qed-dev.jsonlines", [qed])
    for part, answer in (("answerable", "With a key."), ("unanswerable", "")):
        lock = {
            "id": part,
            "input": "how does the old lock work",
            "passages": [{"title": "Lock", "text": "Brass .", "sentences": ["Brass ."]}],
            "output": [{"answer": answer, "meta": None}],
        }
        write(folder / f"clapnq_en/clapnq_dev_{part}.jsonl", [lock])
    covid = squad(
        ("The virus spreads by air.", "How does the virus spread in rooms?", "What is it?")
    )
    write(folder / "covidqa_en/200423_covidQA.json", covid)
    for name in ("cmrc2018_dev", "cmrc2018_trial"):
        write(folder / f"cmrc2018_zh/{name}.json", squad(*ZH))
    for name in ("DRCD_dev", "DRCD_test"):
        write(folder / f"drcd_zh_tw/{name}.json", squad(*ZH))
    for name in ("valid", "test"):
        write(folder / f"jsquad_ja/{name}-v1.3.json", squad(*JA))
    for name in ("train", "test"):
        write(folder / f"arcd_ar/arcd-{name}.json", squad(*AR))
    return folder


@pytest.fixture(scope="module")
def trained(
    data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str], set[str]]:
    told: list[str] = []
    done: set[str] = set()
    out = tmp_path_factory.mktemp("out")
    weights = train_rewriter(data, out, RECIPE, told.append, lambda what, *_: done.add(what))
    assert weights == out / "weights"
    return out, told, done


def test_training_leaves_weights_that_rewrite(trained: tuple[Path, list[str], set[str]]) -> None:
    out, told, done = trained
    assert {"training", "encoding partial", "encoding made"} <= done
    assert told[-1].startswith("BLEU-4 ")
    talk = Conversation((Turn("user", "Who was Ann?"), Turn("user", "And when?")))
    gate = read_gate(out / "weights")
    [made] = LinkingRewriter(shared_backbone(), out / "weights", gate=gate).rewrite(
        [understood(talk)]
    )
    assert made.text
    assert gate != read_gate()
    events = [json.loads(line)["event"] for line in (out / "log.jsonl").read_text().splitlines()]
    assert events[0] == "labelled"
    assert "tune" in events


def test_a_finished_training_goes_on_with_more_epochs(
    data: Path, trained: tuple[Path, list[str], set[str]]
) -> None:
    out, _, _ = trained
    done: list[tuple[str, int, int]] = []
    longer = replace(RECIPE, epochs=2)
    train_rewriter(data, out, longer, progress=lambda *now: done.append(now))
    steps = [(step, of) for what, step, of in done if what == "training"]
    assert steps[-1][0] == steps[-1][1]
    assert steps[0][0] == steps[-1][1] // 2 + 1
    assert not any(what.startswith("encoding") for what, _, _ in done)


def test_another_recipe_wants_another_folder(
    data: Path, trained: tuple[Path, list[str], set[str]]
) -> None:
    with pytest.raises(UsageError, match=r"holds a training with seed 7; name another folder"):
        train_rewriter(data, trained[0], replace(RECIPE, seed=8))


def test_other_data_want_another_folder(
    data: Path, trained: tuple[Path, list[str], set[str]], tmp_path: Path
) -> None:
    other = shutil.copytree(data, tmp_path / "data")
    path = other / "alexa_cqr_kvret/cqr_kvret_dev_public.json"
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(UsageError, match=r"holds a training with other data; name another folder"):
        train_rewriter(other, trained[0], RECIPE)


def test_what_is_missing_is_named(data: Path, tmp_path: Path) -> None:
    check(data)
    with pytest.raises(UsageError, match=r"lacks canard/dev\.json, canard/train_partial"):
        check(tmp_path)


def test_the_rate_falls_at_the_end_of_every_epoch() -> None:
    shares = [rate(step, (10, 20), 2, 0.4) for step in range(20)]
    assert shares[0] == 0.5
    assert shares[1:7] == [1.0] * 6
    assert shares[6:10] == [1.0, 0.75, 0.5, 0.25]
    assert shares[10:13] == [1.0] * 3
    assert shares[13:] == sorted(shares[13:], reverse=True)
    assert shares[19] == 1 / 8
    assert rate(20, (10, 20), 2, 0.4) == 0
    # A run of one epoch goes the same way.
    assert [rate(step, (10,), 2, 0.4) for step in range(10)] == shares[:10]
