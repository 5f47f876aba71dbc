"""Language identification.

The script identifies a language that has one of its own. `eldc`, a compiled n-gram model of sixty
languages, distinguishes languages that share a script. Function words help where a text is too
short for n-grams, and a conversation's earlier turns where it is ambiguous. Measurements are in
docs/decisions/language-identification.md.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from anaphora.language import scripts
from anaphora.language.analysis import tokenize
from anaphora.language.stopwords import stop_words
from anaphora.language.tables import listed_languages
from anaphora.language.tables import text as entry
from anaphora.records import UNKNOWN, Conversation

if TYPE_CHECKING:
    from eldc import Instance

_SAMPLE: Final = 390
_STRIDE: Final = 3
_SHORT: Final = 16
_LONG: Final = 72
"""Numbers of letters: from `_LONG` on n-grams alone decide; below `_SHORT` they are unreliable."""

_MIN_SCORE_SHORT: Final = 0.75
_MIN_SCORE: Final = 0.35
"""The n-gram score (0..1) that identifies a language without further evidence, in a text below
`_SHORT` and in any other."""

_INHERITED: Final = 0.2
_PER_VOTE: Final = 0.1
_TARGET: Final = 0.05
"""What is added to the n-gram score for the language of the earlier turns, for each function word,
and for a target language."""

_BY_SCRIPT: Final = {
    "Greek": "el", "Hebrew": "he", "Gurmukhi": "pa", "Gujarati": "gu", "Oriya": "or", "Tamil": "ta",
    "Telugu": "te", "Kannada": "kn", "Malayalam": "ml", "Sinhala": "si", "Thai": "th", "Lao": "lo",
    "Tibetan": "bo", "Myanmar": "my", "Georgian": "ka", "Armenian": "hy", "Ethiopic": "am",
    "Khmer": "km", "Hangul": "ko",
}  # fmt: skip

_OTHERS: Final = {
    "Cyrillic": frozenset({"uk", "bg", "be", "sr", "mk", "kk", "ky", "mn", "tg"}),
    "Arabic": frozenset({"fa", "ur", "ku", "ps", "ug", "sd"}),
    "Devanagari": frozenset({"mr", "ne", "sa"}),
    "Bengali": frozenset({"bn"}),
}
"""Languages without stop words that `eldc` can identify, by script; in Latin script, all others."""

_WEIGHT: Final = {"Han": 3, "Kana": 2, "Hangul": 2}
"""How many Latin letters a character of a denser script counts as."""

# Frequent characters of Chinese that Japanese does not use.
_CHINESE: Final = frozenset(
    "吗呢吧么这们没谁哪您说对时问为从还让给过进开关见车东马鱼龙书长门间发实样种经济产业是"
    "嗎麼這們沒說讓嘛啊跟很你"
)
_HIRAGANA: Final = "[\u3041-\u3096]"
_PARTICLE: Final = "[A-Za-z0-9」』]\\s?(?:[はがをのにでと]|[\uac00-\ud7a3])"


def identify(text: str) -> str:
    """The language code of a text, or "unknown" where it cannot be identified.

    Of a long text only the beginning, middle and end are examined. In addition to the sixteen
    target languages, other languages are returned where the evidence is strong ("nl", "uk", "fa").

    >>> identify("Qui était le premier empereur de Rome ?"), identify("12:30 – 14:00")
    ('fr', 'unknown')
    """
    return _identify(text, UNKNOWN)


def identify_question(conversation: Conversation) -> str:
    """The language of the conversation's last turn, or "unknown".

    A `lang` that the turn already carries is kept. A turn that is too short or too ambiguous
    ("And 2023?", "Quando?", only Han characters, only digits) inherits the language of the latest
    earlier turn of the user, else of the assistant.

    >>> from anaphora.records import Turn
    >>> identify_question(Conversation((Turn("user", "Chi era il primo imperatore di Roma?"),
    ...                                 Turn("assistant", "Augusto."), Turn("user", "Quando?"))))
    'it'
    """
    question = conversation.question
    if question.lang is not None and question.lang != UNKNOWN:
        return question.lang
    return _identify_turn(question.text, _inherited_language(conversation))


def _inherited_language(conversation: Conversation) -> str:
    for role in ("user", "assistant"):
        for turn in reversed(conversation.history):
            if turn.role == role:
                lang = turn.lang or _identify_turn(turn.text, UNKNOWN)
                if lang != UNKNOWN:
                    return lang
    return UNKNOWN


@lru_cache(maxsize=2048)
def _identify_turn(text: str, inherited: str) -> str:
    """`_identify` for turns: each occurs again in the history of the turns that follow it."""
    return _identify(text, inherited)


def _identify(text: str, inherited: str) -> str:
    if len(text) > _SAMPLE:
        text = _sampled(text)
    patterns = _patterns()
    other = None if text.isascii() else patterns.other.search(text)
    if other is None:
        return _latin(text, inherited)
    script = scripts.script_of(other[0])
    # Every third character of a long text is enough to determine its script.
    some = text[::_STRIDE] if len(text) > _LONG * _STRIDE else text
    if script is None or _count(script, some) * 3 < len(some):
        # The first script other than Latin covers too little of the text: count all scripts.
        counts = scripts.script_counts(text)
        latin = counts.pop("Latin", 0)
        if not counts:
            return _latin(text, inherited) if latin else inherited
        script = max(counts, key=lambda name: counts[name] * _WEIGHT.get(name, 1))
        others = counts[script] * _WEIGHT.get(script, 1)
        if script in ("Han", "Kana"):
            others = 3 * counts.get("Han", 0) + 2 * counts.get("Kana", 0)
        rare = 4 if latin < _LONG and script in _BY_SCRIPT else 2
        if latin > rare * others and not (latin < _LONG and _has_function_words(text, script)):
            return _latin(text, inherited)
    if script in ("Han", "Kana"):
        return _chinese_or_japanese(some, inherited)
    alone = _BY_SCRIPT.get(script)
    if alone is not None:
        return alone
    letters = _count(script, some)
    if patterns.latin.search(text):
        text = patterns.latin.sub(" ", text)
    return _shared_script(text, letters, script, inherited)


def _count(script: str, text: str) -> int:
    return sum(map(len, _script_pattern(script).findall(text)))


@lru_cache(maxsize=32)
def _script_pattern(script: str) -> re.Pattern[str]:
    return re.compile(f"[{scripts.inside(script)}]+")


def _sampled(text: str) -> str:
    third = _SAMPLE // 3
    middle = len(text) // 2
    return f"{text[:third]} {text[middle : middle + third]} {text[-third:]}"


def _latin(text: str, inherited: str) -> str:
    if len(text) >= 2 * _LONG:
        letters = _LONG
    else:
        letters = sum(map(str.isalpha, text))
        if not letters:
            return inherited
    return _shared_script(text, letters, "Latin", inherited)


def _shared_script(text: str, letters: int, script: str, inherited: str) -> str:
    """Distinguishes languages of one script by n-grams, function words and the earlier turns."""
    model = _model()
    if letters >= _LONG:
        lang = model.detect(text)
        return lang if lang != "und" and _possible(lang, script) else inherited
    scores: dict[str, float] = {
        lang: score
        for lang, score in model.detect_details(text).scores.items()
        if _possible(lang, script)
    }
    votes = _votes(text, script)
    if letters < 2 or (not votes and (letters < 3 or (letters < 6 and text.isupper()))):
        return inherited
    per_vote = _PER_VOTE if letters < _SHORT else _PER_VOTE / 3
    targets = listed_languages()
    totals = {
        lang: scores.get(lang, 0.0) + per_vote * min(votes[lang], 4) + _TARGET * (lang in targets)
        for lang in {*scores, *votes}
    }
    best = max(totals, key=totals.__getitem__, default=UNKNOWN)
    if best == UNKNOWN:
        return inherited
    if inherited == UNKNOWN:
        minimum = _MIN_SCORE_SHORT if letters < _SHORT else _MIN_SCORE
        return best if votes[best] or scores.get(best, 0.0) >= minimum else UNKNOWN
    if not _possible(inherited, script):
        # Words in Latin letters may be names within another script; the reverse is rare.
        minimum = _MIN_SCORE_SHORT if script == "Latin" else 0.0
        return best if votes[best] or scores.get(best, 0.0) >= minimum else inherited
    if totals.get(inherited, 0.0) + _INHERITED >= totals[best]:
        return inherited
    if letters < _SHORT and not votes[best] and scores.get(best, 0.0) < _MIN_SCORE_SHORT:
        return inherited
    return best


def _possible(lang: str, script: str) -> bool:
    if script == "Latin":
        return lang not in _non_latin()
    return lang in _sharing().get(script, ()) or lang in _OTHERS.get(script, ())


@lru_cache(maxsize=1)
def _sharing() -> dict[str, tuple[str, ...]]:
    """The languages with stop words by script, for scripts that several languages use."""
    shared: dict[str, tuple[str, ...]] = {}
    for lang in sorted(listed_languages()):
        script = entry(lang, "script")
        if script not in ("Han", "Kana", *_BY_SCRIPT):
            shared[script] = (*shared.get(script, ()), lang)
    return shared


@lru_cache(maxsize=1)
def _non_latin() -> frozenset[str]:
    listed = {lang for script, langs in _sharing().items() if script != "Latin" for lang in langs}
    return frozenset({"zh", "ja", *_BY_SCRIPT.values(), *listed}.union(*_OTHERS.values()))


def _votes(text: str, script: str) -> Counter[str]:
    words = _function_words()
    votes: Counter[str] = Counter()
    sharing = _sharing().get(script, ())
    for token in tokenize(text.casefold().replace("’", "'")):
        langs = words.get(token)
        if langs is None and "'" in token:
            langs = words.get(token.partition("'")[0])
        votes.update(lang for lang in langs or () if lang in sharing)
    if script == "Latin" and ("¿" in text or "¡" in text):
        votes["es"] += 2
    return votes


@lru_cache(maxsize=1)
def _function_words() -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for langs in _sharing().values():
        for lang in langs:
            for word in stop_words(lang):
                words[word] = (*words.get(word, ()), lang)
    return words


def _has_function_words(text: str, script: str) -> bool:
    if script in ("Han", "Kana", "Hangul"):
        return re.search(_PARTICLE, text) is not None or not _CHINESE.isdisjoint(text)
    return bool(_votes(text, script))


def _chinese_or_japanese(text: str, inherited: str) -> str:
    kana, han = _count("Kana", text), _count("Han", text)
    chinese = not _CHINESE.isdisjoint(text)
    if kana and not (chinese and kana * 3 < han):
        if re.search(_HIRAGANA, text):
            return "ja" if kana * 12 >= han else "zh"
        if kana * 2 >= han:
            return "ja"
    if inherited == "zh" or (inherited == "ja" and not chinese):
        return inherited
    return "zh"


class _Patterns:
    def __init__(self) -> None:
        self.latin = re.compile(f"[{scripts.inside('Latin')}]+")
        self.other = re.compile(scripts.any_but_latin())


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    return _Patterns()


@lru_cache(maxsize=1)
def _model() -> Instance:
    import eldc

    eldc.init()
    model = eldc.instance()
    model.set_scores(20)
    return model
