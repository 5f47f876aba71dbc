"""What a talk is about: its most salient entity, found without a model.

In writing with capital letters an entity is a run of capitalised words. In other writing it is
quoted, or written in other letters (katakana, Latin), or else what is left of a user's question
between its function words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from anaphora.language import scripts, stop_words
from anaphora.records import Conversation
from anaphora.rewrite.linking.words import Range, fold, word_ranges
from anaphora.rewrite.pronoun_cases import without_particle

_USER, _ASSISTANT, _TITLE = 1.0, 0.8, 2.5
_FADING = 0.9
_LOOKED_AT = 1500
_TURNS = 12
"""Weights of a mention by where it is, and how it fades with every question since, both chosen on
the training part of CANARD; how many characters of a turn, and how many turns, are looked at."""

_CASED: Final = frozenset({"de", "en", "es", "fi", "fr", "it", "pt", "ru", "tr", "vi"})
_INSIDE: Final = re.compile(
    "of|the|and|&|del?|della|delle|degli|di|da|do|dos|das|du|des|la|le|les|el|van|von|der|den|bin"
    "|al|y|[-.’']"
)
_LONGEST = 8
_QUOTED: Final = re.compile(r"[「『《“«\"]([^「『《“«\"」』》”»]{2,40})[」』》”»\"]")
_ASKING: Final = {
    "ar": "متى أين كيف كم ماذا لماذا هل أي",
    "hi": "कौन क्या कब कहाँ कहां कैसे कितना कितने कितनी क्यों किस किसने किसका किसकी किसके किसे",
    "ja": "何人 何時 何年 何処 何故 何 誰 幾 教 今 日本語",
    "ko": "누구 누가 무엇 무엇을 언제 어디 어디에 어디서 어떻게 왜 얼마나 몇 어느 어떤 있나요",
    "th": "เมื่อไร เมื่อไหร่ ที่ไหน อย่างไร ทำไม เท่าไร เท่าไหร่ ใคร อะไร อยู่ที่ไหน คืออะไร",
    "zh": "为什么 什么时候 怎么样 怎样 多少 多大 多高 多久 多远 知道 告诉 请问 喜欢 觉得 认识 "
    "评价 介绍 听说 好看 真的",
}
_BEFORE_VERBS: Final = frozenset({"متى", "أين", "كيف", "لماذا", "هل", "من", "ماذا"})
_ARTICLES: Final = {
    "de": "der die das",
    "en": "the",
    "es": "el la los las",
    "fr": "le la les",
    "it": "il lo la i gli le",
    "pt": "o a os as",
}
"""With a capital inside a sentence, the beginning of a title: "Las meninas"."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as it was last written in full, and the turn it is from (None: the title).

    `share` is how much of the salience of all that was mentioned is its own, in 0..1.
    """

    text: str
    turn: int | None
    share: float


@dataclass(slots=True)
class _Mention:
    text: str
    turn: int | None
    key: tuple[str, ...]
    weight: float


def salient_entity(talk: Conversation, lang: str) -> Entity | None:
    """The entity that was mentioned most, most recently, and by the user rather than in answers.

    >>> from anaphora.records import Turn
    >>> talk = Conversation((Turn("user", "Who founded the Mothers of Invention?"),
    ...                      Turn("assistant", "It was Ray Collins."), Turn("user", "When?")))
    >>> salient_entity(talk, "en").text
    'Mothers of Invention'
    """
    found: list[_Mention] = []
    for mention in _mentions(talk, lang):
        same = next((one for one in found if _same(one.key, mention.key)), None)
        if same is None:
            found.append(mention)
            continue
        same.weight += mention.weight
        if len(mention.key) > len(same.key):
            same.text, same.turn, same.key = mention.text, mention.turn, mention.key
    if not found:
        return None
    best = max(found, key=lambda one: one.weight)
    return Entity(best.text, best.turn, best.weight / sum(one.weight for one in found))


def mentioned(text: str, lang: str) -> list[Range]:
    """Where a text names entities with capital letters; nowhere in writing without."""
    return list(_capitalised(text, lang, frozenset())) if lang in _CASED else []


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one name is the other or a part of it: "Zappa" and "Frank Zappa"."""
    short, long = sorted((one, other), key=len)
    return any(
        tuple(long[at : at + len(short)]) == tuple(short)
        for at in range(len(long) - len(short) + 1)
    )


def _mentions(talk: Conversation, lang: str) -> Iterator[_Mention]:
    """Every mention, the newest turn's first, and of one turn the first first."""
    turns = list(enumerate(talk.history))[-_TURNS:]
    texts = {number: _composed(turn.text) for number, turn in turns}
    seen = _inner_names(texts.values()) if lang in _CASED else _NONE
    if talk.title:
        title = re.split(r"[:：|(（]| [-–—] ", _composed(talk.title))[0].strip()
        if title:
            yield _mention(title, None, _TITLE)
    weight = 1.0
    for number, turn in reversed(turns):
        user = turn.role == "user"
        names = _names(texts[number], lang, seen, user)
        if scripts.counts_characters(lang):
            others = [text for other, text in texts.items() if other != number]
            names = [_shared(name, others) for name in names]
        for place, name in enumerate(names):
            share = weight / (1 + place)
            yield _mention(name, number, share * (_USER if user else _ASSISTANT))
        if user:
            weight *= _FADING


_NONE: Final[frozenset[str]] = frozenset()


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text[:_LOOKED_AT])


def _mention(text: str, turn: int | None, weight: float) -> _Mention:
    words = [fold(text[start:end]) for start, end in word_ranges(text)]
    return _Mention(text, turn, tuple(word for word in words if word[-1:].isalnum()), weight)


def _names(text: str, lang: str, seen: frozenset[str], user: bool) -> list[str]:
    if lang in _CASED:
        return [text[start:end] for start, end in _capitalised(text, lang, seen)]
    quoted = [match[1] for match in _QUOTED.finditer(text)]
    if quoted:
        return quoted
    if lang == "ja":
        return [name for name in _japanese().findall(text) if not _asks(name, lang)]
    return list(_topics(text, lang)) if user else []


def _capitalised(text: str, lang: str, seen: frozenset[str]) -> Iterator[Range]:
    """Titles in quotation marks, and runs of capitalised words. The first word of a sentence is one
    only within a longer run, or where it is `seen` capitalised elsewhere, or where it is nearly all
    that is said."""
    words = word_ranges(text)
    empty = stop_words(lang)
    articles = _ARTICLES.get(lang, "").split()
    quoted = [match.span(1) for match in _QUOTED.finditer(text) if match[1][0].isupper()]
    short = len(words) <= 4
    at = 0
    while at < len(words):
        start, end = words[at]
        if quoted and start >= quoted[0][0]:
            yield quoted[0]
            while at < len(words) and words[at][0] < quoted[0][1]:
                at += 1
            quoted.pop(0)
            continue
        word = text[start:end]
        first = _begins(text, start)
        article = word.lower() in articles and not first
        if not word[0].isupper() or (first and word.lower() in empty):
            at += 1
            continue
        if len(word) < 2 and not article:
            at += 1
            continue
        last = at
        titled = article and at + 1 < len(words) and text[words[at + 1][0]].islower()
        for reach in range(at + 1, min(at + _LONGEST, len(words))):
            gap = text[words[reach - 1][1] : words[reach][0]]
            following = text[words[reach][0] : words[reach][1]]
            named = following[0].isupper() or (
                titled and following[0].isalpha() and following not in empty
            )
            if gap not in ("", " ", "\u00a0") or not (named or _INSIDE.fullmatch(following)):
                break
            if named:
                last = reach
        single = last == at
        if not (single and (article or (first and not short and fold(word) not in seen))):
            yield start, words[last][1]
        at = last + 1


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins here."""
    before = text[:at].rstrip(" \u00a0\"'“«¿¡(")
    return not before or before[-1] in ".!?…:;\n\r"


def _inner_names(texts: Iterable[str]) -> frozenset[str]:
    """Capitalised words that stand within sentences."""
    return frozenset(
        fold(text[start:end])
        for text in texts
        for start, end in word_ranges(text)
        if text[start].isupper() and not _begins(text, start)
    )


def _shared(name: str, texts: Sequence[str]) -> str:
    """The longest part of a name that another turn has too, if that is two characters or more:
    where words are not written apart, a verb may stick to a name, but seldom twice."""
    for text in texts:
        match = SequenceMatcher(None, name, text, autojunk=False).find_longest_match()
        if match.size >= 2:
            return name[match.a : match.a + match.size]
    return name


def _topics(text: str, lang: str) -> Iterator[str]:
    """What stands between the function words of a question: the first run, and then the others."""
    if scripts.counts_characters(lang):
        for run in _between(lang).split(text):
            run = re.sub(r"^\W+|\W+$", "", run)
            if len(run) >= (2 if lang == "zh" else 4):
                yield run
        return
    empty = stop_words(lang)
    words: list[str] = []
    verb = False
    for match in re.finditer(r"[^\s?？؟!,،.।]+|[?？؟!,،.।]", text):
        word = match[0]
        bare = without_particle(word) if lang == "ko" else word
        if word.lower() in empty or _asks(word, lang) or not word[0].isalnum():
            if words:
                yield " ".join(words)
            words = []
            verb = word in _BEFORE_VERBS
            continue
        if verb:
            verb = False
            continue
        words.append(bare)
        if len(words) == 3 or bare != word:
            yield " ".join(words)
            words = []
    if words:
        yield " ".join(words)


def _asks(word: str, lang: str) -> bool:
    return word in _ASKING.get(lang, "").split()


@lru_cache(maxsize=8)
def _between(lang: str) -> re.Pattern[str]:
    known = {*stop_words(lang), *_ASKING.get(lang, "").split()} - {"中", "上"}
    if lang == "th":
        known = {word for word in known if len(word) > 2}
    words = sorted(map(re.escape, known), key=len, reverse=True)
    return re.compile("|".join([*words, r"[\s?？!！,，。、的]+"]))


@lru_cache(maxsize=1)
def _japanese() -> re.Pattern[str]:
    """Runs of kanji, katakana and Latin letters, of two characters or more."""
    return re.compile(rf"[{scripts.HAN}\u30a0-\u30ffー々A-Za-z0-9]{{2,}}")
