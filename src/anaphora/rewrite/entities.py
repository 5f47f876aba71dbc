"""The most salient entity of a conversation, found without a model.

In languages that capitalize names an entity is a run of capitalized words. In others it is quoted,
or written in katakana or Latin letters, or else a part of a user's question between function words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from anaphora.language import scripts, stop_words
from anaphora.normal_form import normal_form
from anaphora.records import Conversation
from anaphora.rewrite.inflection import without_particle
from anaphora.rewrite.language_data import section
from anaphora.rewrite.tokenization import Range, fold, folded_words, word_ranges

_USER_WEIGHT, _ASSISTANT_WEIGHT, _TITLE_WEIGHT = 1.0, 0.8, 2.5
_DECAY = 0.9
"""The weight of a mention by its source, and the factor for every later turn of the user's; both
chosen on the training part of CANARD."""
_MAX_CHARACTERS = 1500
_MAX_TURNS = 12
"""How much of a turn is searched for mentions, and how many turns."""

_INSIDE: Final = re.compile(
    "of|the|and|&|del?|della|delle|degli|di|da|do|dos|das|du|des|la|le|les|el|van|von|der|den|bin"
    "|al|y|[-.’']"
)
"""Between capitalized words they are a part of the name."""
_MAX_NAME_WORDS = 8
_QUOTED: Final = re.compile(r"[「『《“«\"]([^「『《“«\"」』》”»]{2,40})[」』》”»\"]")


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as it was last written in full, and its turn (None: the title).

    `salience` is the fraction of the weight of all mentions that its own have, in 0..1.
    """

    text: str
    turn: int | None
    salience: float


@dataclass(slots=True)
class _Mention:
    text: str
    turn: int | None
    key: tuple[str, ...]
    weight: float


def salient_entity(conversation: Conversation, lang: str) -> Entity | None:
    """The entity whose mentions weigh most: recent ones more than older ones, the user's more than
    the assistant's. None where nothing was mentioned.

    >>> from anaphora.records import Turn
    >>> conversation = Conversation((
    ...     Turn("user", "Who founded the Mothers of Invention?"),
    ...     Turn("assistant", "It was Ray Collins."), Turn("user", "When?")))
    >>> salient_entity(conversation, "en").text
    'Mothers of Invention'
    """
    found: list[_Mention] = []
    for mention in _mentions(conversation, lang):
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


def named_entities(text: str, lang: str) -> list[Range]:
    """The ranges of capitalized names in a text; none in a language that does not capitalize."""
    return list(_capitalized(text, lang, frozenset())) if _capitalizes(lang) else []


def _capitalizes(lang: str) -> bool:
    return "capitalized_names" in section(lang, "entities")


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one name is the other or a part of it: "Zappa" and "Frank Zappa"."""
    short, long = sorted((one, other), key=len)
    return any(
        tuple(long[at : at + len(short)]) == tuple(short)
        for at in range(len(long) - len(short) + 1)
    )


def _mentions(conversation: Conversation, lang: str) -> Iterator[_Mention]:
    """All mentions, those of the newest turn first, within a turn in order."""
    turns = list(enumerate(conversation.history))[-_MAX_TURNS:]
    texts = {number: _composed(turn.text) for number, turn in turns}
    seen = _names_inside_sentences(texts.values()) if _capitalizes(lang) else frozenset()
    if conversation.title:
        title = re.split(r"[:：|(（]| [-–—] ", _composed(conversation.title))[0].strip()
        if title:
            yield _mention(title, None, _TITLE_WEIGHT)
    weight = 1.0
    for number, turn in reversed(turns):
        user = turn.role == "user"
        names = _names(texts[number], lang, seen, user)
        if scripts.counts_characters(lang):
            others = [text for other, text in texts.items() if other != number]
            names = [_longest_repeated_part(name, others) for name in names]
        for rank, name in enumerate(names):
            own = weight / (1 + rank)
            yield _mention(name, number, own * (_USER_WEIGHT if user else _ASSISTANT_WEIGHT))
        if user:
            weight *= _DECAY


def _composed(text: str) -> str:
    return normal_form("NFC", text[:_MAX_CHARACTERS])


def _mention(text: str, turn: int | None, weight: float) -> _Mention:
    key = tuple(word for word in folded_words(text) if word[-1:].isalnum())
    return _Mention(text, turn, key, weight)


def _names(text: str, lang: str, seen: frozenset[str], user: bool) -> list[str]:
    if _capitalizes(lang):
        return [text[start:end] for start, end in _capitalized(text, lang, seen)]
    quoted = [match[1] for match in _QUOTED.finditer(text)]
    if quoted:
        return quoted
    if lang == "ja":
        return [
            name for name in _japanese().findall(text) if name not in _words(lang, "question_words")
        ]
    return list(_topics(text, lang)) if user else []


def _capitalized(text: str, lang: str, seen: frozenset[str]) -> Iterator[Range]:
    """Titles in quotation marks, and runs of capitalized words. The first word of a sentence counts
    only in a longer run, in a text of few words, or if it is in `seen`, the words that are
    capitalized inside other sentences."""
    words = word_ranges(text)
    function_words = stop_words(lang)
    articles = _words(lang, "articles")
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
        first = _begins_sentence(text, start)
        article = word.lower() in articles and not first
        if not word[0].isupper() or (first and word.lower() in function_words):
            at += 1
            continue
        if len(word) < 2 and not article:
            at += 1
            continue
        last = at
        titled = article and at + 1 < len(words) and text[words[at + 1][0]].islower()
        for reach in range(at + 1, min(at + _MAX_NAME_WORDS, len(words))):
            gap = text[words[reach - 1][1] : words[reach][0]]
            following = text[words[reach][0] : words[reach][1]]
            named = following[0].isupper() or (
                titled and following[0].isalpha() and following not in function_words
            )
            if gap not in ("", " ", "\u00a0") or not (named or _INSIDE.fullmatch(following)):
                break
            if named:
                last = reach
        single = last == at
        if not (single and (article or (first and not short and fold(word) not in seen))):
            yield start, words[last][1]
        at = last + 1


def _begins_sentence(text: str, at: int) -> bool:
    before = text[:at].rstrip(" \u00a0\"'“«¿¡(")
    return not before or before[-1] in ".!?…:;\n\r"


def _names_inside_sentences(texts: Iterable[str]) -> frozenset[str]:
    """Capitalized words that do not begin a sentence, folded."""
    return frozenset(
        fold(text[start:end])
        for text in texts
        for start, end in word_ranges(text)
        if text[start].isupper() and not _begins_sentence(text, start)
    )


def _longest_repeated_part(name: str, texts: Sequence[str]) -> str:
    """The longest part of a name that another turn has too, if that has two characters or more.

    Without spaces, a candidate may include a verb next to the name, but seldom in two turns.
    """
    for text in texts:
        match = SequenceMatcher(None, name, text, autojunk=False).find_longest_match()
        if match.size >= 2:
            return name[match.a : match.a + match.size]
    return name


def _topics(text: str, lang: str) -> Iterator[str]:
    """The runs of content words in a question, in order."""
    if scripts.counts_characters(lang):
        for run in _separators(lang).split(text):
            run = re.sub(r"^\W+|\W+$", "", run)
            if len(run) >= (2 if lang == "zh" else 4):
                yield run
        return
    separators = {*stop_words(lang), *_words(lang, "question_words")}
    before_verbs = _words(lang, "words_before_verbs")
    words: list[str] = []
    verb = False
    for match in re.finditer(r"[^\s?？؟!,،.।]+|[?？؟!,،.।]", text):
        word = match[0]
        bare = without_particle(word) if lang == "ko" else word
        if word.lower() in separators or word in separators or not word[0].isalnum():
            if words:
                yield " ".join(words)
            words = []
            verb = word in before_verbs
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


@lru_cache(maxsize=64)
def _words(lang: str, key: str) -> frozenset[str]:
    return frozenset(section(lang, "entities").get(key, "").split())


@lru_cache(maxsize=8)
def _separators(lang: str) -> re.Pattern[str]:
    known = {*stop_words(lang), *_words(lang, "question_words")} - {"中", "上"}
    if lang == "th":
        known = {word for word in known if len(word) > 2}
    words = sorted(map(re.escape, known), key=len, reverse=True)
    return re.compile("|".join([*words, r"[\s?？!！,，。、的]+"]))


@lru_cache(maxsize=1)
def _japanese() -> re.Pattern[str]:
    """Runs of kanji, katakana and Latin letters, of two characters or more."""
    return re.compile(rf"[{scripts.HAN}\u30a0-\u30ffー々A-Za-z0-9]{{2,}}")
