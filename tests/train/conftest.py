"""Data sets of a few turns each, and a folder of training text, for the trainers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.real_manuals import CODE, LONG, ON, REAL, SAW

import anaphora
from anaphora.train.text import TrainingText

CONVERSATION = """# {name}
U: Who founded {name}?
A: Ann did.
U: When did it end?
R: When did {name} end?
U: Who was Bo?
R: =
"""
PASSAGE = """# {name}
The mill of {name} was built in {year}.
? When was the mill of {name} built? => {year} => vi: Cối xay ở {name} được xây khi nào?
~ What is known of the mill of {name}? => The mill of… => zh: {name}的磨坊怎么样？
! Who owns {name}?
"""
PAGES = """# {name} Guide › Mill
The mill of {name} grinds:⏎1. wheat⏎2. rye⏎It opens in {year}.
+ What does the mill grind? => The mill of {name} … 2. rye => vi: Cối xay nghiền gì?
! Who owns the mill?

# {name} Guide › Oven
The oven of {name} bakes {year} loaves an hour.
? How many loaves does the oven bake? => {year} loaves => zh: 烤炉每小时烤多少面包？
"""
STATEMENTS = """# {name}
+ The building of {name}'s mill was in {year}.
=> de: Die Mühle von {name} stammt von {year}.
? When was it built? => In {year}.
- date: The mill of {name} was built in {{{later}}}.
~ When was it built? => In {{{later}}}.
"""
TRANSLATION = {"question": "平遥0在哪里？", "lang": "en", "text": "Where is Pingyao 0?"}
TEMPLATES = """
[names]
person = ["Ada", "Bo"]
group = ["Chor", "Rat"]
place = ["Ulm", "Bonn"]
[de]
person = {open = ["Wer war {x}?"], ask = [["Wann starb er?", "Wann starb {x}?"]]}
"""


@pytest.fixture(scope="session")
def text(tmp_path_factory: pytest.TempPathFactory) -> TrainingText:
    folder = tmp_path_factory.mktemp("text")
    names = [f"Town {number}" for number in range(40)]
    for lang in ("en", "de"):
        (folder / "conversations").mkdir(exist_ok=True)
        blocks = "\n".join(CONVERSATION.format(name=f"{name} {lang}") for name in names)
        (folder / f"conversations/{lang}.txt").write_text(blocks, "utf-8")
    shutil.copytree(folder / "conversations", folder / "follow-ups")
    (folder / "passages").mkdir()
    blocks = "\n".join(PASSAGE.format(name=name, year=1800 + at) for at, name in enumerate(names))
    (folder / "passages/en.txt").write_text(blocks, "utf-8")
    (folder / "manuals").mkdir()
    pages = "\n".join(PAGES.format(name=name, year=1800 + at) for at, name in enumerate(names))
    (folder / "manuals/en.txt").write_text(pages, "utf-8")
    (folder / "statements").mkdir()
    blocks = "\n".join(
        STATEMENTS.format(name=name, year=1800 + at, later=1900 + at)
        for at, name in enumerate(names)
    )
    (folder / "statements/en.txt").write_text(blocks, "utf-8")
    (folder / "translations.jsonl").write_text(json.dumps(TRANSLATION) + "\n", "utf-8")
    (folder / "templates.toml").write_text(TEMPLATES, "utf-8")
    return TrainingText(folder)


@pytest.fixture(scope="session")
def real_manuals(text: TrainingText, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with indexes of manuals; the training text has questions on them."""
    from anaphora.train.crossencoder.real_manuals import digest

    folder, homes = tmp_path_factory.mktemp("manuals"), tmp_path_factory.mktemp("indexes")
    text.questions.mkdir()
    text.dialogues.mkdir()
    text.grades.mkdir()
    for lang, (title, page, question) in REAL.items():
        thing, answer = LONG[lang]
        lines, talks, grades = [], [], []
        for manual in ("mill", "totem", "eog"):
            pages = {
                "brake": f"{page} ({manual})",
                "wheel": f"{thing}: {', '.join([CODE] * 16)}. {answer} ({manual})",
                "other": f"{thing}: {CODE} ({manual})",
            }
            for name, content in pages.items():
                path = folder / lang / manual / f"{name}.md"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"# {title} {manual}\n\n{content}\n", "utf-8")
            asked = [(lang, question, "brake"), (lang, SAW[lang], "wheel"), ("vi", "Cối?", "brake")]
            lines += [
                {
                    "question": f"{words} {manual}",
                    "lang": code,
                    "manual": manual,
                    "document": f"{lang}/{manual}/{name}.md",
                    "passage": digest(pages[name]),
                }
                for code, words, name in asked
            ]
            lines.append(
                {**lines[-1], "lang": lang, "question": "7?", "document": None, "passage": None}
            )
            brake, wheel = ({"passage": digest(pages[name])} for name in ("brake", "wheel"))
            typed, alone = ON[lang]
            turns = [
                {"question": question, **brake},
                {"question": typed, "standalone": alone, **wheel},
                {"question": SAW[lang], **wheel},
            ]
            talks.append({"lang": lang, "manual": manual, "turns": turns})
            hits = [digest(pages[name]) for name in ("brake", "wheel", "other")]
            graded = {"lang": lang, "manual": manual, "passages": [*hits, digest("gone")]}
            grades.append({"question": SAW[lang], **graded, "grades": "1320"})
        write(text.questions / f"{lang}.jsonl", lines)
        write(text.dialogues / f"{lang}.jsonl", talks)
        write(text.grades / f"{lang}.jsonl", grades)
        anaphora.build(folder / lang, index=homes / lang)
    return homes


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


@pytest.fixture(scope="session")
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
