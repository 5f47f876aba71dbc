"""A run with a turn for every verdict, in every script that the project answers for."""

import unicodedata
from dataclasses import replace

import pytest

from anaphora.datasets.example import Example
from anaphora.evaluate.results import Outcome, PhrasingResult, Run
from anaphora.records import Answer, Citation, Conversation, Edit, Passage, Rewrite, Turn

SAID = {
    "en": ("Who built the harbour?", "Engineers did.", "And when?", "In 1911.", "harbour"),
    "ar": ("من بنى الميناء؟", "بناه المهندسون.", "ومتى؟", "في عام ١٩١١.", "الميناء"),
    "zh": ("谁建造了港口？", "工程师建造的。", "什么时候？", "在一九一一年。", "港口"),
    "ja": ("港を造ったのは誰ですか。", "技師たちです。", "いつですか。", "一九一一年です。", "港"),
    "th": ("ใครสร้างท่าเรือ", "วิศวกรสร้าง", "เมื่อไร", "ในปี พ.ศ. ๒๔๕๔", "ท่าเรือ"),
    "vi": ("Ai đã xây bến cảng?", "Các kỹ sư.", "Còn khi nào?", "Năm 1911.", "bến cảng"),
    "ru": ("Кто построил гавань?", "Инженеры.", "А когда?", "В 1911 году.", "гавань"),
    "tr": ("Limanı kim yaptı?", "Mühendisler.", "Peki ne zaman?", "1911'de.", "Limanı"),
    "hi": ("बंदरगाह किसने बनाया?", "इंजीनियरों ने।", "और कब?", "१९११ में।", "बंदरगाह"),
    "ko": ("누가 항구를 지었나요?", "기술자들입니다.", "언제요?", "1911년입니다.", "항구를"),
}
CAUSES = (None, "rewriting", "retrieval", "reranking", "reading", "language", "data", None)
METRICS = ("F1", "R@5", "rewrite ROUGE-1 R")


def outcome(lang, number, cause, score):
    first, reply, question, gold, topic = SAID[lang]
    talk = (Turn("user", first, lang), Turn("assistant", reply, lang), Turn("user", question, lang))
    depth = number % 2
    id = f"{lang}-{number}"
    example = Example(
        Conversation(talk if depth else (talk[-1],), id=id),
        rewrites=(f"{question} {topic}",),
        answers=(gold,),
        relevant={f"{lang}-gold": 1},
        answerable=True,
        tags={"topic_switch": "yes" if number % 3 else "no"},
    )
    edits = (Edit("insert", topic, 0, len(question)),) if depth else ()
    text = f"{question} {topic}" if depth else question
    answer = Answer(
        f"{gold} [1]",
        lang,
        0.5,
        (Citation(f"{lang}-gold", "harbour", "Harbour", gold, 3, 3 + len(gold)),),
    )
    hits = ((f"{lang}-other", 2.5), (f"{lang}-gold", 2.25))

    def tried(text, score, edits=()):
        scores = {"F1": score, "R@5": 1.0 if score > 0.3 else 0.0, "rewrite ROUGE-1 R": 0.75}
        seconds = {"rewrite": 0.001, "retrieve": 0.02, "rerank": 0.1, "read": 0.05}
        return PhrasingResult(Rewrite(text, lang, edits), hits, hits[::-1], answer, scores, seconds)

    return Outcome(
        example,
        {
            "original": tried(question, score / 2),
            "rewritten": tried(text, score, edits),
            "human": tried(f"{question} {topic}", (score + 1) / 2),
        },
        cause,
        {"question": 0.75, "meaning": 0.5 + score / 2, "hits": 1.0, "answer": score},
        # As the data might say; for data errors, nothing was judged.
        None if cause == "data" else cause == "retrieval" or (cause == "reading" and lang < "j"),
    )


@pytest.fixture
def run():
    """Eighty turns, ten scripts, every cause; those without one are right or unexplained."""
    outcomes, passages = [], {}
    for lang, said in SAID.items():
        for number, cause in enumerate(CAUSES):
            outcomes.append(outcome(lang, number, cause, 0.9 if number == 0 else 0.2))
        gold = Passage(f"{lang}-gold", "harbour", "Harbour", f"🚢: {said[3]} {said[1]}", lang)
        passages[gold.passage_id] = gold
        passages[f"{lang}-other"] = Passage(f"{lang}-other", "other", "Mills", said[0], lang)
    return Run(
        "context",
        "harbours",
        {"started": "2025-01-01", "config": {"rewrite": {"method": "context"}}},
        METRICS,
        ("F1", ">=0.5"),
        tuple(outcomes),
        passages,
        ("2 gold answers are empty and were left out.",),
    )


@pytest.fixture
def decomposed(run):
    """The same with every question in Unicode's decomposed form."""

    def apart(one):
        talk = one.example.conversation
        turns = tuple(replace(t, text=unicodedata.normalize("NFD", t.text)) for t in talk.turns)
        return replace(one, example=replace(one.example, conversation=replace(talk, turns=turns)))

    return replace(run, outcomes=tuple(map(apart, run.outcomes)))
