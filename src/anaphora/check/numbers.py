"""Numbers, dates and measures of a text, in every script and in the words of sixteen languages.

A `Fact` has one or several readings, since "1.234" is a thousand in German and a little more than
one in English. A reading is a set of items, and a text holds a fact if all items of one of the
fact's readings are among the items of the text.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from anaphora.check.lexicon import Lexicon, words
from anaphora.language import scripts

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Item: TypeAlias = tuple[str, str]
"""The kind of an item, "number", "measure", "month" or "version", and its value."""
Reading: TypeAlias = frozenset[Item]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number, date or measure at a place of a text.

    Attributes:
        readings: what it may mean, the most likely reading first.
        sure: whether it is certainly one; the word "sei" is also no number.
    """

    start: int
    end: int
    readings: tuple[Reading, ...]
    sure: bool = True


_HAN_DIGITS: Final = {
    **{char: value for value, char in enumerate("〇一二三四五六七八九")},
    "零": 0, "○": 0, "两": 2, "兩": 2, "壱": 1, "弐": 2, "参": 3,
}  # fmt: skip
_SMALL: Final = {"十": 10, "百": 100, "千": 1000, "십": 10, "백": 100, "천": 1000}
_LARGE: Final = {
    "万": 10**4, "萬": 10**4, "만": 10**4, "亿": 10**8, "億": 10**8, "억": 10**8,
    "兆": 10**12, "조": 10**12,
}  # fmt: skip
_NO_NUMBERS: Final = "十分 千万 万一 一一 三三两两 七七八八 四方 百分 一定 十字 百姓 万物 千百"
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_DIGITS: Final = r"[0-9]+(?:[.,'’٬٫][0-9]+)*(?:(?<![0-9])|(?:[ \u00a0\u202f][0-9]{3}(?![0-9]))*)"
_COUNTERS: Final = (
    "年月日号號時时分秒世代个個人名位座次回倍岁歳家种種年條条项項章节節台本枚冊册级級层階"
    "米克吨公里元円票年"
)
_CLOCK: Final = re.compile(r"([01]?\d|2[0-4])[.h]([0-5]\d)")
_HALF_DAY: Final = 12
_DAY: Final = re.compile(r"\d\W*\w{0,3}\W*$")
_YEAR: Final = re.compile(r"\W*\w{0,2}\W*\d")


def numbers(text: str) -> list[Fact]:
    """The numbers, dates and measures of a text, in their order.

    >>> [fact.readings[0] for fact in numbers("三百二十")]
    [frozenset({('number', '320')})]
    """
    text = _same_length(text)
    found: list[Fact] = []
    taken = [False] * (len(text) + 1)
    for fact in _all(text):
        if not any(taken[fact.start : fact.end]):
            taken[fact.start : fact.end] = [True] * (fact.end - fact.start)
            found.append(fact)
    return sorted(found, key=lambda fact: fact.start)


def items(texts: Iterable[str]) -> frozenset[Item]:
    """All items of all readings of the facts of several texts."""
    return frozenset(
        item
        for text in texts
        for fact in numbers(text)
        for reading in fact.readings
        for one in reading
        for item in _weaker(one)
    )


def _weaker(item: Item) -> tuple[Item, ...]:
    """What a text with this item holds: with "5 km" also "5"."""
    kind, value = item
    if kind != "measure":
        return (item, ("plain", value)) if kind == "number" else (item,)
    return item, ("number", value.split()[0])


def _all(text: str) -> Iterator[Fact]:
    patterns = _patterns()
    for match in patterns.date.finditer(text):
        yield Fact(*match.span(), tuple(_dates(*map(int, match.group("a", "b", "c")))))
    for match in patterns.month.finditer(text):
        number = _whole(match["number"] or match["after"])
        if 1 <= number <= 12:
            yield Fact(*match.span(), (frozenset({("month", str(number))}),))
    for match in patterns.version.finditer(text):
        yield Fact(*match.span(), (frozenset({("version", match[0])}),))
    for match in patterns.time.finditer(text):
        yield Fact(*match.span(), tuple(_times(*map(int, match.groups()))))
    yield from _figures(text)
    for match in patterns.roman.finditer(text):
        value = _roman(match[0])
        if value:
            yield Fact(*match.span(), (_number(value),), sure=False)
    yield from _named(text)


def _named(text: str) -> Iterator[Fact]:
    """Months and numbers in words."""
    patterns = _patterns()
    for start, _ in words(text):
        if start and text[start - 1] in "'’":
            continue  # an ending, as in "1995'ten"
        if found := patterns.months.at(text, start):
            (value, *_), end = found
            sure = bool(_DAY.search(text[max(0, start - 8) : start]) or _YEAR.match(text, end))
            yield Fact(start, end, (frozenset({("month", value)}),), sure)
        elif found := patterns.numbers.at(text, start):
            yield Fact(start, found[1], tuple(_number(Decimal(one)) for one in found[0]))
        elif found := patterns.unsure_numbers.at(text, start):
            readings = tuple(_number(Decimal(one)) for one in found[0])
            yield Fact(start, found[1], readings, sure=False)


def _figures(text: str) -> Iterator[Fact]:
    """Numbers in digits or Han numerals, with the scale and the unit that follow."""
    patterns = _patterns()
    for match in patterns.number.finditer(text):
        start, end = match.span()
        sure = True
        if re.search(r"[0-9]", match[0]):
            values = _mixed(match[0])
        else:
            sure = _is_han_number(text, start, end)
            values = [Decimal(_whole(match[0]))]
        while scale := patterns.scales.at(text, _next(text, end)):
            factors, end = scale
            values = [value * Decimal(factor) for value in values for factor in factors]
        unit = ""
        if after := patterns.units.at(text, _next(text, end)):
            (unit, *_), end = after
        elif before := patterns.sign.search(text, 0, start):
            start = before.start(1)
            ((unit, *_), _) = patterns.units.at(text, start) or ((before[1],), 0)
        readings = [_measure(value, unit) for value in values]
        if clock := _CLOCK.fullmatch(match[0]):
            readings.append(frozenset({("time", f"{int(clock[1])}:{clock[2]}")}))
        yield Fact(start, end, tuple(readings), sure)


def _next(text: str, end: int) -> int:
    """Where a word after a number begins: a space or a hyphen may stand between them."""
    return end + (text[end : end + 1] in tuple(" \u00a0\u202f-"))


def _measure(value: Decimal, unit: str) -> Reading:
    return frozenset({("measure", f"{_plain(value)} {unit}")}) if unit else _number(value)


def _number(value: Decimal | int) -> Reading:
    return frozenset({("number", _plain(value))})


def _plain(value: Decimal | int) -> str:
    return f"{Decimal(value).normalize():f}"


def held(fact: Fact, known: frozenset[Item]) -> bool:
    """Whether one of a fact's readings is among the items of a text.

    A measure is held by the same measure and by the same number without a known unit.
    """
    return any(
        all(
            item in known or (item[0] == "measure" and ("plain", item[1].split()[0]) in known)
            for item in reading
        )
        for reading in fact.readings
    )


def _dates(a: int, b: int, c: int) -> Iterator[Reading]:
    year, pairs = (a, [(b, c)]) if a > 31 else (c, [(b, a), (a, b)])
    for month, day in pairs:
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield frozenset({("month", str(month)), ("number", str(day)), ("number", str(year))})
    yield frozenset(("number", str(one)) for one in (a, b, c))


def _times(hours: int, minutes: int) -> Iterator[Reading]:
    own = ("number", str(hours)), ("number", str(minutes))
    yield frozenset({("time", f"{hours}:{minutes:02}")})
    if not minutes:
        yield frozenset(own[:1])
    yield frozenset(own)
    other = hours - _HALF_DAY if hours > _HALF_DAY else hours + _HALF_DAY
    yield frozenset({("time", f"{other}:{minutes:02}")})


def _decimals(text: str) -> list[Decimal]:
    """The values that figures with separators may have, the most likely first.

    >>> _decimals("1.234"), _decimals("1,234.5")
    ([Decimal('1234'), Decimal('1.234')], [Decimal('1234.5')])
    """
    text = re.sub(r"['’٬ \u00a0\u202f]", ",", text).replace("٫", ".")
    marks = re.sub(r"\d", "", text)
    if not marks:
        return [Decimal(text)]
    together = re.sub("[.,]", "", text)
    whole, _, part = text.replace(",", ".").rpartition(".")
    decimal = Decimal(f"{re.sub('[.,]', '', whole)}.{part}")
    grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}", text) is not None
    if len(set(marks)) == 1 and grouped:
        return [Decimal(together)] if len(marks) > 1 else [Decimal(together), decimal]
    if marks.count(marks[-1]) > 1:
        return [Decimal(together)]
    return [decimal]


def _mixed(text: str) -> list[Decimal]:
    """Values of figures that Han or Korean numerals may follow: "3万5千", "1.2億"."""
    parts = re.findall(rf"({_DIGITS})\s?([^\d\s]*)", text)
    if len(parts) == 1 and not parts[0][1]:
        return _decimals(parts[0][0])
    total = Decimal(0)
    for figures, multipliers in parts:
        value = _decimals(figures)[0]
        for char in multipliers:
            value *= _SMALL.get(char) or _LARGE.get(char) or 1
        total += value
    return [total]


def _whole(text: str) -> int:
    """The value of digits or of Han numerals, positional ("一九九八") or not ("三百二十").

    >>> _whole("一九九八"), _whole("三百二十"), _whole("两万五千")
    (1998, 320, 25000)
    """
    if text.isdecimal():
        return int(text)
    if all(char in _HAN_DIGITS for char in text):
        return int("".join(str(_HAN_DIGITS[char]) for char in text))
    total = section = digit = 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _SMALL:
            section += (digit or 1) * _SMALL[char]
            digit = 0
        else:
            total += (section + digit or 1) * _LARGE.get(char, 1)
            section = digit = 0
    return total + section + digit


def _is_han_number(text: str, start: int, end: int) -> bool:
    """Whether Han numerals count something: 一 is also a part of many words."""
    own = text[start:end]
    if any(text.startswith(word, start) for word in _NO_NUMBERS.split()):
        return False
    if text[start - 1 : start] in tuple("几幾数數若第"):
        return False
    if text[end : end + 1] in tuple("几幾多余餘数") or own == "一":
        return False
    return len(own) > 1 or text[end : end + 1] in tuple(_COUNTERS)


def _roman(text: str) -> int:
    values = [_ROMAN[char] for char in text]
    value = sum(
        -one if one < max(values[at + 1 :], default=0) else one for at, one in enumerate(values)
    )
    return value if re.fullmatch("C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})", text) else 0


def _same_length(text: str) -> str:
    """The text with each character normalised, if that gives one character, and ASCII digits."""
    if text.isascii():
        return text
    return "".join(map(_one, text))


@lru_cache(maxsize=8192)
def _one(char: str) -> str:
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    form = unicodedata.normalize("NFKC", char)
    return form if len(form) == 1 else char


class _Patterns:
    """The patterns and word lists, built on first use."""

    def __init__(self) -> None:
        tables = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
        self.months = Lexicon(tables["months"])
        self.scales = Lexicon(tables["scales"])
        self.units = Lexicon(tables["units"])
        self.numbers = Lexicon(_chosen(tables["numbers"], sure=True))
        self.unsure_numbers = Lexicon(_chosen(tables["numbers"], sure=False))
        han = "".join([*_HAN_DIGITS, *_SMALL, *_LARGE])
        multipliers = "".join([*_SMALL, *_LARGE])
        letters = f"{scripts.inside('Latin')}{scripts.inside('Cyrillic')}"
        begin = rf"(?<!\d[.,])(?:(?<![{letters}\d_])|(?<=\b[vV]))"
        self.date = re.compile(
            r"(?<![\d.,/-])(?=\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})"
            r"(?P<a>\d+)[-/.](?P<b>\d+)[-/.](?P<c>\d+)(?![/-]?\d|[.,]\d)"
        )
        self.version = re.compile(r"(?<![\d.])\d+(?:\.\d+){2,}(?![\d.]*\d)(?!,\d)")
        self.time = re.compile(r"(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?!\d)")
        self.month = re.compile(
            rf"(?<![\d{han}])(?P<number>\d{{1,2}}|十[一二]?|[一二三四五六七八九])\s?[月월](?!間)"
            r"|\btháng\s(?P<after>\d{1,2})(?!\d)"
        )
        self.number = re.compile(
            rf"{begin}{_DIGITS}(?:\s?[{multipliers}]+(?:\s?\d[\d.,]*[{multipliers}]+)*)?|[{han}]+"
        )
        self.roman = re.compile(r"\b(?:[IVXLC]{2,}|[VX])\b")
        self.sign = re.compile(r"([$€£¥₹฿₩₽%]|\b(?:USD|EUR|GBP))\s?$")


def _chosen(table: Mapping[str, str], sure: bool) -> dict[str, str]:
    return {
        value: " ".join(word.rstrip("?") for word in found.split() if word.endswith("?") != sure)
        for value, found in table.items()
    }


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    return _Patterns()
