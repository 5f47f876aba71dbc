"""What a question asks for, determined from its question word.

Where a language puts the question word first, the leftmost one counts, since the same words join
clauses further on ("What did the man who …"). Where a language leaves the word in place, a question
has only one. The words and patterns of each language are in its file; see `tables`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from anaphora.language.analysis import normalize
from anaphora.language.sentences import sentences
from anaphora.language.tables import table
from anaphora.records import UNKNOWN

QuestionType = Literal[
    "who", "what", "which", "when", "where", "why", "how", "how many", "yes/no", "other"
]

# Three words or more and a question mark: "¿Y en 2013?" is not a yes-or-no question.
_STATEMENT: Final = r"(?:\S+\s+){2,}\S+\s*\?$"

_UNSPACED: Final = frozenset({"ja", "th", "zh"})
_LETTER: Final = r"[\w\u0300-\u036f\u0900-\u0963]"
_CLAUSE: Final = re.compile(r"(?:^|[¿¡,;:،、–—(\"“«]+)\s*")
_OUTSIDE: Final = " \t\r\n\"'“”„«»‹›()[]¿¡-–—"
_NEVER: Final = r"(?!)"

# Letters with several spellings; traditional characters become simplified ones.
_LETTERS: Final = {
    "ar": str.maketrans("أإآىة", "ااايه"),
    "ru": str.maketrans("ё", "е"),
    "zh": str.maketrans(
        "誰麼甚為時處裡裏兒幾種點個樣長遠嗎沒會對無號間紀歲國寬",
        "谁么什为时处里里儿几种点个样长远吗没会对无号间纪岁国宽",
    ),
}


def question_type(text: str, lang: str) -> QuestionType:
    """What the question asks for; "other" for a question without a question word, or in a language
    without a table.

    Quantities are "how many": how long, how old, how much. Years and days are "when": in which
    year. Of several sentences the last one with a question mark counts. A question whose language
    is unknown is looked up in English.

    >>> question_type("In which year did they disband?", "en"), question_type("首都在哪里？", "zh")
    ('when', 'where')
    >>> question_type("Peki Ankara?", "tr")
    'other'
    """
    if lang == UNKNOWN:
        lang = "en"
    if not table(lang, "questions"):
        return "other"
    return _compiled(lang).type_of(_asked(text, lang))


def compared(text: str, lang: str) -> str:
    """What the question compares: its words, folded, without those that ask for the difference;
    empty for a question that asks for none.

    >>> compared("What is the difference between remove and purge?", "en")
    'what is the   between remove and purge?'
    >>> compared("remove と purge の違いは", "ja"), compared("Why purge?", "en")
    ('remove と purge の は', '')
    """
    asked = _asked(text, lang)
    rest = _comparison(lang).sub(" ", asked)
    return "" if rest == asked else rest


@lru_cache(maxsize=64)
def _comparison(lang: str) -> re.Pattern[str]:
    return re.compile(table(lang, "questions").get("comparison", _NEVER))


def _asked(text: str, lang: str) -> str:
    """The last sentence of a text with a question mark, or the text, folded."""
    questions = [
        text[start:end]
        for start, end in sentences(text, lang)
        if set("?？؟") & set(text[start:end])
    ]
    return folded_question(questions[-1] if questions else text, lang)


def folded_question(text: str, lang: str) -> str:
    text = normalize(text).replace("’", "'").replace("؟", "?")
    if lang == "tr":
        text = text.replace("İ", "i").replace("I", "ı")
    text = text.casefold().replace("i\u0307", "i")
    return text.translate(_LETTERS.get(lang, {})).strip(_OUTSIDE)


Found = tuple[int, int, QuestionType]
"""The position of a question word, its negated length, and its type: the smallest one is taken."""


@dataclass(frozen=True)
class _Words:
    """A pattern with one group for each word, and the type of each group."""

    pattern: re.Pattern[str]
    types: tuple[str, ...]

    def found(self, match: re.Match[str] | None) -> Found | None:
        if match is None or match.lastindex is None:
            return None
        start, end = match.span(match.lastindex)
        type = self.types[match.lastindex - 1]
        return None if type == "skip" else (start, start - end, cast(QuestionType, type))


@dataclass(frozen=True)
class _Compiled:
    """The patterns of one language; `yes_no_otherwise` is for questions without a question word."""

    when_may_join: bool
    anywhere: _Words
    initial: _Words
    yes_no: re.Pattern[str]
    yes_no_otherwise: re.Pattern[str]

    def type_of(self, question: str) -> QuestionType:
        if self.yes_no.search(question):
            return "yes/no"
        starts = [clause.end() for clause in _CLAUSE.finditer(question)]
        first = self._first(question, starts)
        if first:
            place, _, type = first
            if type == "when" and place == starts[0] and self.when_may_join:
                # "When the war ended, who …": the first clause says when, the second one asks.
                later = [self._at(question, start) for start in starts[1:]]
                return next((found[2] for found in later if found), type)
            return type
        return "yes/no" if self.yes_no_otherwise.search(question) else "other"

    def _first(self, question: str, starts: Sequence[int]) -> Found | None:
        anywhere = map(self.anywhere.found, self.anywhere.pattern.finditer(question))
        found = [each for each in anywhere if each][:1]
        for start in starts:
            initial = self.initial.found(self.initial.pattern.match(question, start))
            if initial:
                found.append(initial)
        return min(found, default=None)

    def _at(self, question: str, start: int) -> Found | None:
        """The question word that a clause begins with."""
        found = [
            words.found(words.pattern.match(question, start))
            for words in (self.anywhere, self.initial)
        ]
        return min((each for each in found if each), default=None)


@lru_cache(maxsize=64)
def _compiled(lang: str) -> _Compiled:
    tables = table(lang, "questions")
    listed = [
        (folded_question(word, lang), type)
        for type, words in tables["words"].items()
        for word in words.split()
    ]
    listed.sort(key=lambda entry: -len(entry[0]))
    anywhere = [(word, type) for word, type in listed if word[0] != "^"]
    initial = [(word[1:], type) for word, type in listed if word[0] == "^"]
    before = _either(tables.get("may_precede", ""), lang)
    # The bound keeps hostile input from taking quadratic time.
    begins = f"(?:{before}[\\s,]+){{0,3}}"
    prefix = tables.get("prefix", "")
    indirect = f"(?!{tables['indirect']})" if "indirect" in tables else ""
    verbs = f"{begins}{indirect}{_either(tables.get('yes_no_verbs', ''), lang)}"
    otherwise = tables.get("yes_no_otherwise", _NEVER)
    if tables.get("statement_is_yes_no"):
        otherwise = f"^(?!{before}){_STATEMENT}"
    return _Compiled(
        tables.get("when_may_join", False),
        _words(anywhere, lang, prefix),
        _words(initial, lang, begins + prefix),
        re.compile(f"^{verbs}|{tables.get('yes_no', _NEVER)}"),
        # "Besides the bridge, is there …"
        re.compile(rf"[,;:]\s*{verbs}|{otherwise}"),
    )


def _words(listed: Sequence[tuple[str, str]], lang: str, before: str) -> _Words:
    """A pattern for words sorted from long to short: the first alternative that fits is taken."""
    words = "|".join(f"({_expression(word, lang)})" for word, _ in listed) or _NEVER
    within = "" if lang in _UNSPACED else f"(?<!{_LETTER})"
    return _Words(re.compile(f"{within}{before}(?:{words})"), tuple(type for _, type in listed))


def _either(words: str, lang: str) -> str:
    """A pattern for any of the words; one that matches nothing where there are no words."""
    listed = sorted((folded_question(word, lang) for word in words.split()), key=len, reverse=True)
    return f"(?:{'|'.join(_expression(word, lang) for word in listed) or _NEVER})"


def _expression(word: str, lang: str) -> str:
    expression = re.escape(word).replace("_", r"[\s-]*" if lang in _UNSPACED else r"[\s-]+")
    expression = expression.replace(r"\*", f"{_LETTER}*")
    return expression if lang in _UNSPACED else f"{expression}(?!{_LETTER})"
