"""The pronouns of each language, and how an entity is written in the place of each.

The tables are in `languages/LANG.toml`. They leave out pronouns that are as often something else:
"sie" at the beginning of a German sentence, German "es", French "le", Spanish and Portuguese "lo".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from anaphora.normal_form import normal_form
from anaphora.rewrite.inflection import (
    arabic_to,
    begins_with_vowel,
    finnish_genitive,
    french_of,
    german_genitive,
    korean_particle,
    spanish_article,
    turkish_case,
)
from anaphora.rewrite.language_data import languages, section

Substitute = Callable[["re.Match[str]", str], str]
"""The text that takes the place of a match for an entity."""


def _french_article(match: re.Match[str]) -> str:
    noun, possessive = match["noun"], match[0].split()[0].lower()
    if possessive in ("ses", "leurs"):
        return "les "
    if begins_with_vowel(noun):
        return "l’"
    return "la " if possessive == "sa" else "le "


def _korean_particle(match: re.Match[str], name: str) -> str:
    particle = "에서" if match["josa_there"] else match["josa"] or match["josa_he"] or ""
    return korean_particle(name, particle)


def _portuguese_article(match: re.Match[str]) -> str:
    return {"seu": "o", "sua": "a", "seus": "os", "suas": "as"}[match[0].split()[-2].lower()]


_FIELDS: Final[dict[str, Substitute]] = {
    "arabic_to": lambda match, name: arabic_to(name),
    "finnish_genitive": lambda match, name: finnish_genitive(name),
    "french_article": lambda match, name: _french_article(match),
    "french_of": lambda match, name: french_of(name),
    "french_que": lambda match, name: f"qu’{name}" if begins_with_vowel(name) else f"que {name}",
    "german_genitive": lambda match, name: german_genitive(name),
    "korean_particle": _korean_particle,
    "lower_verb": lambda match, name: match["verb"].lower(),
    "portuguese_article": lambda match, name: _portuguese_article(match),
    "spanish_article": lambda match, name: spanish_article(match["noun"], match["poss"]),
    "turkish_ablative": lambda match, name: turkish_case(name, "ablative"),
    "turkish_accusative": lambda match, name: turkish_case(name, "accusative"),
    "turkish_dative": lambda match, name: turkish_case(name, "dative"),
    "turkish_genitive": lambda match, name: turkish_case(name, "genitive"),
    "turkish_locative": lambda match, name: turkish_case(name, "locative"),
}
"""Fields of a replacement besides `name` and the groups of its pattern."""


class _Fields(dict[str, str]):
    """Computes the fields that a template names."""

    def __init__(self, match: re.Match[str], name: str) -> None:
        super().__init__(name=name)
        self._match = match

    def __missing__(self, key: str) -> str:
        if key in _FIELDS:
            return _FIELDS[key](self._match, self["name"])
        return self._match[key] or ""


def _filled(template: str, match: re.Match[str], name: str) -> str:
    return template.format_map(_Fields(match, name))


@lru_cache(maxsize=32)
def forms(lang: str) -> tuple[tuple[re.Pattern[str], Substitute], ...]:
    """The pronouns of a language as patterns, each with how an entity takes its place; none for a
    language without a table."""
    table = section(lang, "pronouns")
    found: list[tuple[re.Pattern[str], Substitute]] = []
    for entry in table.get("patterns", ()):
        pattern = re.compile(entry["pattern"], re.IGNORECASE)
        found.append((pattern, partial(_filled, entry["replacement"])))
    for entry in table.get("words", ()):
        either = "|".join(word.replace("_", r"\s+") for word in entry["words"].split())
        text = (
            rf"{table.get('not_after', '')}(?<![\w\u0900-\u0963-])(?:{either})"
            rf"(?![\w\u0900-\u0963]){table.get('not_before', '')}"
        )
        flags = 0 if table.get("case_sensitive") else re.IGNORECASE
        found.append((re.compile(text, flags), partial(_filled, entry["replacement"])))
    return tuple(found)


def is_pronoun(word: str, lang: str) -> bool:
    """Whether a single word refers to an entity, alone or together with an adposition.

    >>> is_pronoun("उसमें", "hi"), is_pronoun("Sie", "de"), is_pronoun("Он", "ru")
    (True, False, True)
    """
    return _cased(word, lang) in _adpositions(lang)


def adpositions(word: str, lang: str) -> tuple[str, str]:
    """The preposition and the postposition that a pronoun includes.

    >>> adpositions("उसमें", "hi"), adpositions("dela", "pt"), adpositions("он", "ru")
    (('', 'में'), ('de', ''), ('', ''))
    """
    return _adpositions(lang).get(_cased(word, lang), ("", ""))


def possessed(word: str, noun: str, name: str, lang: str) -> tuple[str, str] | None:
    """What replaces a possessive before a noun and what follows the noun, before the name; None for
    a word that is not a possessive.

    >>> possessed("sus", "obras", "Frida Kahlo", "es"), possessed("son", "âge", "Édith", "fr")
    (('las', 'de'), ('l’', 'd’'))
    """
    for pattern, substitute in forms(lang):
        match = pattern.fullmatch(f"{word} {noun}")
        if match and "noun" in match.groupdict():
            text = substitute(match, name).removesuffix(name)
            before, _, behind = text.partition(match["noun"])
            return before.strip(), behind.strip()
    return None


def all_adpositions() -> frozenset[str]:
    """The adpositions that pronouns include, in all languages but English."""
    pairs = [pair for lang in languages() if lang != "en" for pair in _adpositions(lang).values()]
    return frozenset(text for pair in pairs for text in pair if text)


@lru_cache(maxsize=32)
def _adpositions(lang: str) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for entry in section(lang, "pronouns").get("words", ()):
        before, after = entry["replacement"].split("{name}")
        for word in entry["words"].split():
            found[word.replace("_", " ")] = before.strip(), after.strip()
    return found


def _cased(word: str, lang: str) -> str:
    case_sensitive = section(lang, "pronouns").get("case_sensitive")
    return normal_form("NFC", word if case_sensitive else word.lower())
