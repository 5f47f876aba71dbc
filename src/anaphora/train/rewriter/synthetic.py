"""Follow-ups made of questions that stand alone.

Questions on one paragraph share names. A later one whose shared name goes, or becomes a pronoun, is
a follow-up, and what it was before is its rewrite. Where not even such questions are at hand, the
sentences of `templates.toml` stand in.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, NamedTuple

from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.language import sentences, stop_words
from anaphora.records import Conversation, Turn
from anaphora.rewrite.tokenization import fold, word_ranges

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
"""A run of words in the questions on more paragraphs than this is no name."""
_LONGEST_NAME = 14
_KINDS = ("person", "group", "place")


class Asked(NamedTuple):
    """A question, its answer, and the id of the document that has it."""

    question: str
    answer: str
    doc_id: str


@dataclass(frozen=True)
class Passage:
    """A paragraph, its title, and the questions on it."""

    title: str
    text: str
    questions: tuple[Asked, ...]


def passages(path: Path) -> list[Passage]:
    """The paragraphs of a set in SQuAD's format that have a question."""
    found = open_dataset(path)
    asked: dict[str, list[Asked]] = defaultdict(list)
    for example in found.examples():
        for passage in example.relevant:
            # ARCD numbers its questions with a dash.
            question = re.sub(r"^[\s-]+|\s+ال$", "", example.question).strip()
            asked[passage].append(Asked(question, example.answers[0], passage))
    return [
        Passage(document.title, document.text, tuple(asked[document.doc_id]))
        for document in found.documents()
        if asked[document.doc_id]
    ]


def from_passages(found: Sequence[Passage], lang: str, rng: random.Random) -> Iterator[Example]:
    """Up to two follow-ups a paragraph, and questions that need no rewriting: some in the same
    talk, some in a talk about another paragraph."""
    counts = Counter(
        run
        for passage in found
        for run in {run for one in passage.questions for run in _runs(one.question)}
    )
    for number, passage in enumerate(found):
        order = list(passage.questions)
        rng.shuffle(order)
        title = passage.title if passage.title and rng.random() < 0.6 else None
        made = 0
        for place, (question, _, gold) in enumerate(order):
            history = _history(passage, order[max(0, place - 2) : place], lang, rng)
            told = [*(turn.text for turn in history), *([title] if title else [])]
            name = _name(question, told, passage, counts, lang)
            if name and made < 2:
                short = _shortened(question, name, lang, rng)
                if short:
                    made += 1
                    yield _example(lang, number, place, history, short, title, question, gold)
            elif not name and history and rng.random() < 0.15:
                yield _example(lang, number, place, history, question, title, question, gold)
        if rng.random() < 0.25:
            history = _history(passage, order[:2], lang, rng)
            other, _, gold = rng.choice(rng.choice(found).questions)
            yield _example(lang, number, 99, history, other, title, other, gold)


def _history(
    passage: Passage, asked: Sequence[Asked], lang: str, rng: random.Random
) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    text = passage.text
    whole = sentences(text, lang)
    for question, answer, _ in asked:
        around = next((text[a:b] for a, b in whole if answer in text[a:b]), answer)
        full = around.strip() if rng.random() < 0.6 and len(around) < 160 else answer
        turns += [Turn("user", question), Turn("assistant", full)]
    return tuple(turns)


def _name(
    question: str, told: Sequence[str], passage: Passage, counts: Mapping[str, int], lang: str
) -> str | None:
    """The longest run of words in the question that was said before and names something."""
    title = fold(passage.title)
    best = ""
    earlier = [fold(text) for text in told]
    for run in _runs(question):
        if len(run) <= len(best) or not _stands_apart(question, run, lang):
            continue
        key = fold(run)
        if counts[run] > _COMMON and key != title:
            continue
        said = any(key in text for text in earlier)
        if said and _is_name(run, lang, title) and (key == title or key in fold(passage.text)):
            best = run
    return best or None


_AROUND = {
    "zh": (
        "在由对對为為被把让讓和与與以于於从從是的了年月日，,、：；《「“ ",
        "的是在于於有被将將从從和与與由了为為对對中，,、：；？?》」” ",
    ),
    "ja": ("はがをにでとものや、。，：「『（ ", "はがをにでとものや、。，：」』）？? "),
}
"""What may stand before and after a name: writing without spaces does not show where it ends."""


_WIDER = re.compile(r"[\w)] [A-ZÀ-ÞА-ЯĐ][^ ]* $|[-&]\s?$"), re.compile(r" [A-ZÀ-ÞА-ЯĐ&]|[-&]")
"""What before and after a run shows that it is a part of a longer name."""


def _stands_apart(question: str, run: str, lang: str) -> bool:
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
    """Whether a run of words may name something; `title` is folded."""
    if lang not in _EDGES:
        empty = stop_words(lang)
        words = run.split()
        ends = (words[0], words[-1])
        if any(word.lower() in empty for word in ends) or len(run) <= 4:
            return False
        # Names begin with a capital; what does not is one if the title has it.
        if lang == "ar" or any(len(word) > 3 and fold(word) in title for word in words):
            return True
        return all(word[0].isupper() or word[0].isdigit() for word in ends) and not run.isdigit()
    return len(run) > 1 and not _EDGES[lang].search(run) and not _ASKING.search(run)


def _runs(text: str) -> Iterator[str]:
    """Every run of words of a text."""
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
"""Where spaces part words: what goes with a name that goes, its article, what may stand for it."""


def _shortened(question: str, name: str, lang: str, rng: random.Random) -> str | None:
    """The question without the name, or with a pronoun for it; None where nothing is left."""
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
    """Quotation marks around the name go with it."""
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
    talk = Conversation(
        (*history, Turn("user", text, lang)), title, f"made-{lang}-{number}-{place}"
    )
    relevant = {gold: 1} if gold else {}
    return Example(talk, rewrites=(full,), relevant=relevant, tags={"lang": lang})


@lru_cache(maxsize=1)
def _templates() -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    path = Path(__file__).with_name("templates.toml")
    table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return table


def from_templates(rng: random.Random, each: int) -> Iterator[Example]:
    """`each` talks a language: one or two questions, answers that name something else, and a
    follow-up; one in five asks in full and has nothing to be rewritten."""
    table = _templates()
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
                whole = full.replace("{x}", rng.choice([name, other]))
                yield _example(lang, number, 0, history, whole, title, whole)
            else:
                yield _example(lang, number, 0, history, short, title, full.replace("{x}", name))


def made(data: Path, rng: random.Random, part: Literal["train", "held out"]) -> list[Example]:
    """Examples made of the licensed sets; the paragraphs of one article in ten are held out."""
    found: list[Example] = []
    for lang, names in SETS.items():
        for name in names:
            kept = [one for one in passages(data / name) if part_of(one) == part]
            found += from_passages(kept, lang, rng)
    return found


def part_of(passage: Passage) -> str:
    """Which part the article of a paragraph is in: "train" or "held out"."""
    number = int.from_bytes(blake2b(passage.title.encode(), digest_size=4).digest(), "big")
    return "held out" if number % 10 == 0 else "train"
