"""Synthetic follow-up questions, from self-contained ones.

Questions about one paragraph share names. A later question from which a shared name is deleted, or
in which a pronoun replaces it, is a follow-up; the original question is its rewrite. Languages that
have no such questions use the templates of `training/templates.toml`.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.language import sentences, stop_words
from anaphora.records import Conversation, Turn
from anaphora.rewrite.tokenization import fold, word_ranges
from anaphora.train.corpora import bucket

SETS: Mapping[str, tuple[str, ...]] = {
    "zh": (
        "cmrc2018_zh/cmrc2018_dev.json",
        "cmrc2018_zh/cmrc2018_trial.json",
        "drcd_zh_tw/DRCD_dev.json",
        "drcd_zh_tw/DRCD_test.json",
    ),
    "ja": ("jsquad_ja/valid-v1.3.json", "jsquad_ja/test-v1.3.json"),
    "ar": ("arcd_ar/arcd-train.json", "arcd_ar/arcd-test.json"),
}
_COMMON = 6
"""A sequence of words in the questions about more paragraphs than this is not a name."""
_LONGEST_NAME = 14
_KINDS = ("person", "group", "place")

Part = Literal["train", "held out"]


class Question(NamedTuple):
    """A question, its answer, and the id of the document that contains it."""

    text: str
    answer: str
    doc_id: str


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, its title, and the questions about it."""

    title: str
    text: str
    questions: tuple[Question, ...]


def paragraphs(path: Path) -> list[Paragraph]:
    """The paragraphs of a data set in SQuAD's format that have a question."""
    found = open_dataset(path)
    questions: dict[str, list[Question]] = defaultdict(list)
    for example in found.examples():
        for doc_id in example.relevant:
            # ARCD numbers its questions with a dash.
            text = re.sub(r"^[\s-]+|\s+ال$", "", example.question).strip()
            questions[doc_id].append(Question(text, example.answers[0], doc_id))
    return [
        Paragraph(document.title, document.text, tuple(questions[document.doc_id]))
        for document in found.documents()
        if questions[document.doc_id]
    ]


def from_paragraphs(found: Sequence[Paragraph], lang: str, rng: random.Random) -> Iterator[Example]:
    """Up to two follow-ups for each paragraph, and questions that need no rewriting: some in the
    same conversation, some in a conversation about another paragraph."""
    counts = Counter(
        run
        for paragraph in found
        for run in {run for one in paragraph.questions for run in _runs(one.text)}
    )
    for number, paragraph in enumerate(found):
        order = list(paragraph.questions)
        rng.shuffle(order)
        title = paragraph.title if paragraph.title and rng.random() < 0.6 else None
        follow_ups = 0
        for place, (question, _, gold) in enumerate(order):
            history = _history(paragraph, order[max(0, place - 2) : place], lang, rng)
            context = [*(turn.text for turn in history), *([title] if title else [])]
            name = _name(question, context, paragraph, counts, lang)
            if name and follow_ups < 2:
                short = _shortened(question, name, lang, rng)
                if short:
                    follow_ups += 1
                    yield _example(lang, number, place, history, short, title, question, gold)
            elif not name and history and rng.random() < 0.15:
                yield _example(lang, number, place, history, question, title, question, gold)
        if rng.random() < 0.25:
            history = _history(paragraph, order[:2], lang, rng)
            other, _, gold = rng.choice(rng.choice(found).questions)
            yield _example(lang, number, 99, history, other, title, other, gold)


def _history(
    paragraph: Paragraph, questions: Sequence[Question], lang: str, rng: random.Random
) -> tuple[Turn, ...]:
    """Questions and their answers: the short answer or the sentence that contains it."""
    turns: list[Turn] = []
    text = paragraph.text
    ranges = sentences(text, lang)
    for question, answer, _ in questions:
        sentence = next((text[a:b] for a, b in ranges if answer in text[a:b]), answer)
        reply = sentence.strip() if rng.random() < 0.6 and len(sentence) < 160 else answer
        turns += [Turn("user", question), Turn("assistant", reply)]
    return tuple(turns)


def _name(
    question: str,
    context: Sequence[str],
    paragraph: Paragraph,
    counts: Mapping[str, int],
    lang: str,
) -> str | None:
    """The longest name in the question that occurs in the context."""
    title = fold(paragraph.title)
    best = ""
    earlier = [fold(text) for text in context]
    for run in _runs(question):
        if len(run) <= len(best) or not _is_complete(question, run, lang):
            continue
        key = fold(run)
        if counts[run] > _COMMON and key != title:
            continue
        known = any(key in text for text in earlier)
        if known and _is_name(run, lang, title) and (key == title or key in fold(paragraph.text)):
            best = run
    return best or None


_AROUND = {
    "zh": (
        "在由对對为為被把让讓和与與以于於从從是的了年月日，,、：；《「“ ",
        "的是在于於有被将將从從和与與由了为為对對中，,、：；？?》」” ",
    ),
    "ja": ("はがをにでとものや、。，：「『（ ", "はがをにでとものや、。，：」』）？? "),
}
"""Characters that may come before and after a name, in writing without spaces."""
_WIDER = re.compile(r"[\w)] [A-ZÀ-ÞА-ЯĐ][^ ]* $|[-&]\s?$"), re.compile(r" [A-ZÀ-ÞА-ЯĐ&]|[-&]")
"""Text before and after a sequence of words that shows it to be a part of a longer name."""


def _is_complete(question: str, run: str, lang: str) -> bool:
    """Whether a sequence of words is not a part of a longer name."""
    start = question.index(run)
    end = start + len(run)
    if lang in _AROUND:
        before, after = _AROUND[lang]
        return (start == 0 or question[start - 1] in before) and (
            end == len(question) or question[end] in after
        )
    if lang == "ar":
        return True
    ahead, behind = _WIDER
    return not (ahead.search(question[:start]) or behind.match(question[end:]))


_JOINS = "的是在于於了和与與由對对為为有被將将從从誰谁哪什麼么何几幾"
_EDGES = {
    "zh": re.compile(f"^[{_JOINS}中上下多第]|[{_JOINS}]$"),
    "ja": re.compile("^[ー、]|[ぁ-んを、](?<!の)"),
}
_SIGN = re.compile(r"[^\w\s·・'’.-]")
_ASKING = re.compile("什|谁|誰|哪|几|幾|多少|何|么|麼|吗|嗎|どこ|いつ|なに|だれ|[？?，,。、]")


def _is_name(run: str, lang: str, title: str) -> bool:
    """Whether a sequence of words may be a name; `title` is folded."""
    if lang not in _EDGES:
        function_words = stop_words(lang)
        words = run.split()
        ends = (words[0], words[-1])
        if any(word.lower() in function_words for word in ends) or len(run) <= 4:
            return False
        # Names begin with a capital letter, or are in the title.
        if lang == "ar" or any(len(word) > 3 and fold(word) in title for word in words):
            return True
        return all(word[0].isupper() or word[0].isdigit() for word in ends) and not run.isdigit()
    return len(run) > 1 and not _EDGES[lang].search(run) and not _ASKING.search(run)


def _runs(text: str) -> Iterator[str]:
    """Every sequence of words in a text, without punctuation."""
    ranges = word_ranges(text)
    signs = [bool(_SIGN.search(text[start:end])) for start, end in ranges]
    for first, (start, _) in enumerate(ranges):
        for last in range(first, min(first + _LONGEST_NAME, len(ranges))):
            if signs[last]:
                break
            yield text[start : ranges[last][1]]


_SPACED: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "ar": ("", "", ("هو", "هي", "ذلك", "هذا")),
    "de": (
        r"(?:\b(?:von|vom|in|im|an|am|bei|beim|für|mit|aus|zum?|zur|nach|über|durch|auf)\s+)?",
        r"(?:\b(?:der|die|das|dem|den|des)\s+)?",
        ("er", "sie", "es"),
    ),
    "es": (
        r"(?:\b(?:de|del|en|al?|con|por|para|sobre)\s+)?",
        r"(?:\b(?:el|la|los|las)\s+)?",
        ("él", "ella", "eso"),
    ),
    "fr": (
        r"(?:\b(?:de|du|des|d['’]|en|aux?|à|dans|par|pour|sur|avec)\s*)?",
        r"(?:\b(?:le\s+|la\s+|les\s+|l['’]))?",
        ("il", "elle", "cela"),
    ),
    "ru": (
        r"(?:\b(?:в|во|на|об?|у|из|от|со?|к|по|для|до|за)\s+)?",
        "",
        ("он", "она", "это"),
    ),
    "vi": (r"(?:\b(?:của|ở|tại|về|trong|cho|với|do)\s+)?", "", ("nó", "ông ấy", "họ", "đó")),
}
"""For languages with spaces: the preposition that is deleted with a name, the name's article, and
the pronouns that may replace it."""


def _shortened(question: str, name: str, lang: str, rng: random.Random) -> str | None:
    """The question without the name or with a pronoun for it; None if too little is left."""
    start = question.index(name)
    before, after = question[:start], question[start + len(name) :]
    drops = rng.random() < 0.5
    if lang == "zh":
        before, after = _close_marks(before, after)
        if after.startswith("的"):
            short = before + rng.choice(["", "", "它的", "他的", "她的", "其"]) + after[1:]
        elif drops:
            short = before + after
        else:
            word = rng.choice(["它", "他", "她", "它", "那里" if before.endswith("在") else "它"])
            short = before + word + after
    elif lang == "ja":
        before, after = _close_marks(before, after)
        if after.startswith("の"):
            short = before + rng.choice(["", "", "その", "彼の", "それの"]) + after[1:]
        elif drops and after[:1] in "はがをにで":
            short = before + after[1:].lstrip("、")
        elif after[:1] in "にで":
            short = before + "そこ" + after
        else:
            short = before + rng.choice(["それ", "彼", "彼女", "これ"]) + after
    else:
        leading, article, pronouns = _SPACED[lang]
        word = "" if drops else rng.choice(pronouns)
        before = re.sub(rf"(?:{leading if drops else ''}{article})$", "", before, flags=re.I)
        short = re.sub(r"\s+", " ", f"{before} {word} {after}").replace(" ؟", "؟").strip()
        if lang != "ar":
            short = re.sub(r"(?<! ) ([,.?’'])", r"\1", short[:1].upper() + short[1:])
    short = short.strip()
    return short if len(short) > max(3, len(question) // 5) else None


def _close_marks(before: str, after: str) -> tuple[str, str]:
    """The question around the name, without quotation marks around it."""
    if before[-1:] in ("《", "「", "“", "『") and after[:1] in ("》", "」", "”", "』"):
        return before[:-1], after[1:]
    return before, after


def _example(
    lang: str,
    number: int,
    place: int,
    history: Sequence[Turn],
    text: str,
    title: str | None,
    full: str,
    gold: str | None = None,
) -> Example:
    turns = (*history, Turn("user", text, lang))
    conversation = Conversation(turns, title, f"synthetic-{lang}-{number}-{place}")
    relevant = {gold: 1} if gold else {}
    return Example(conversation, rewrites=(full,), relevant=relevant, tags={"lang": lang})


def from_templates(path: Path, rng: random.Random, each: int) -> Iterator[Example]:
    """`each` conversations a language: one or two questions, answers with another name, and a
    follow-up; one in five ends in a self-contained question instead."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    names = table["names"]
    for lang, kinds in table.items():
        if lang == "names":
            continue
        own = names.get(lang, names)
        for number in range(each):
            kind = rng.choice(list(kinds))
            name, other = rng.sample(own[kind], 2)
            history = [Turn("user", rng.choice(kinds[kind]["open"]).replace("{x}", name))]
            if rng.random() < 0.8:
                noise = [f"{rng.randint(1500, 2020)}.", f"{name}.", f"{other}, {name}.", "…"]
                noise.append(f"{name}: {rng.choice(own[rng.choice(_KINDS)])}.")
                history.append(Turn("assistant", rng.choice(noise)))
            if rng.random() < 0.4:
                between, _ = rng.choice(kinds[kind]["ask"])
                history.append(Turn("user", between))
                history.append(Turn("assistant", f"{other}, {rng.randint(1500, 2020)}."))
            title = name if rng.random() < 0.3 else None
            short, full = rng.choice(kinds[kind]["ask"])
            if rng.random() < 0.2:
                complete = full.replace("{x}", rng.choice([name, other]))
                yield _example(lang, number, 0, history, complete, title, complete)
            else:
                yield _example(lang, number, 0, history, short, title, full.replace("{x}", name))


def synthetic(data: Path, rng: random.Random, part: Part) -> list[Example]:
    """Examples from the data sets whose licences permit it."""
    found: list[Example] = []
    for lang, names in SETS.items():
        for name in names:
            kept = [one for one in paragraphs(data / name) if part_of(one) == part]
            found += from_paragraphs(kept, lang, rng)
    return found


def part_of(paragraph: Paragraph) -> Part:
    """The part that the article of a paragraph is in; one article in ten is held out."""
    return "held out" if bucket(paragraph.title, 10) == 0 else "train"
