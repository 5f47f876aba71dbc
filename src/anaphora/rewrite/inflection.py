"""Inflection: names with the case ending, preposition or particle that their place needs."""

from __future__ import annotations

import re
from typing import Final, Literal

from anaphora.rewrite.language_data import section

TurkishCase = Literal["genitive", "accusative", "dative", "locative", "ablative"]

_SIBILANTS: Final = ("s", "ß", "x", "z", "ce")
_HARMONY: Final = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_VOICELESS: Final = "fstkçşhp"
_JOSA: Final = {josa: pair for pair in ("은는", "이가", "을를", "과와") for josa in pair}
_RIEUL: Final = 8
# Without 도, which more often ends the name of an island or a province than it means "too".
_PARTICLE: Final = re.compile(
    "(?:에서는|에서도|에서|에게서|에게|에는|에도|으로는|으로|까지|부터|께서는|께서|한테|처럼|보다|"
    "은|는|이|가|을|를|의|에|와|과|로)$"
)


def german_genitive(name: str) -> str:
    """
    >>> german_genitive("Zappa"), german_genitive("Marx")
    ('Zappas', 'Marx’')
    """
    return f"{name}’" if name.lower().endswith(_SIBILANTS) else f"{name}s"


def finnish_genitive(name: str) -> str:
    """
    >>> [finnish_genitive(name) for name in ("Zappa", "Sibelius", "Virtanen", "Windows")]
    ['Zappan', 'Sibeliuksen', 'Virtasen', 'Windowsin']
    """
    if name.endswith("us"):
        return f"{name[:-1]}ksen"
    if name.endswith("nen"):
        return f"{name[:-3]}sen"
    return f"{name}n" if name[-1:].lower() in "aeiouyäö" else f"{name}in"


def spanish_article(noun: str, possessive: str) -> str:
    """The definite article of a noun by its ending, and of frequent exceptions by a list.

    >>> [spanish_article(*one) for one in (("capital", "su"), ("clima", "su"), ("obras", "sus"))]
    ['la', 'el', 'las']
    """
    many = possessive.lower() == "sus"
    one = re.sub("e?s$", "", noun.lower()) if many else noun.lower()
    nouns = section("es", "nouns")
    if {one, f"{one}e"} & set(nouns["feminine"].split()):
        feminine = True
    elif one in nouns["masculine"].split():
        feminine = False
    else:
        ending = "as|dades|tades|ciones|siones" if many else "a|dad|tad|ción|sión|tud|umbre"
        feminine = re.search(f"(?:{ending})$", noun.lower()) is not None
    if feminine:
        return "las" if many else "la"
    return "los" if many else "el"


def french_of(name: str) -> str:
    """
    >>> french_of("Émile Zola"), french_of("Paris")
    ('d’Émile Zola', 'de Paris')
    """
    return f"d’{name}" if begins_with_vowel(name) else f"de {name}"


def begins_with_vowel(word: str) -> bool:
    return word[:1].lower() in tuple("aeiouyàâéèêîïôœû")


def arabic_to(name: str) -> str:
    """
    >>> arabic_to("القاهرة"), arabic_to("مصر")
    ('للقاهرة', 'لمصر')
    """
    return f"لل{name[2:]}" if name.startswith("ال") else f"ل{name}"


def korean_particle(name: str, particle: str) -> str:
    """The name with the form of a particle that its last sound needs.

    >>> [korean_particle(*one) for one in (("서울", "는"), ("부산", "가"), ("서울", "으로"))]
    ['서울은', '부산이', '서울로']
    """
    if particle in ("로", "으로"):
        return name + ("으로" if _final(name) not in (0, _RIEUL) else "로")
    pair = _JOSA.get(particle)
    return name + (pair[0 if _final(name) else 1] if pair else particle)


def without_particle(word: str) -> str:
    """A Korean word without the particle at its end, if that has the form that the sound before it
    needs.

    >>> [without_particle(word) for word in ("서울에는", "김연아가", "세종로", "제주도")]
    ['서울', '김연아', '세종로', '제주도']
    """
    match = _PARTICLE.search(word)
    if not match or match.start() < (1 if len(match[0]) > 1 else 2):
        return word
    name = word[: match.start()]
    return name if korean_particle(name, match[0]) == word else word


def _final(name: str) -> int:
    """The index of the consonant at the end of a name's last syllable, 0 for none."""
    code = ord(name[-1:] or " ") - 0xAC00
    return code % 28 if 0 <= code < 11172 else 0


def turkish_case(name: str, case: TurkishCase) -> str:
    """The name with a case ending, after an apostrophe.

    >>> turkish_case("Atatürk", "genitive"), turkish_case("Ankara", "dative")
    ("Atatürk'ün", "Ankara'ya")
    """
    name = re.split("['’]", name)[0]
    lower = name.replace("I", "ı").replace("İ", "i").lower()
    vowel = next((char for char in reversed(lower) if char in _HARMONY), "e")
    high, low = _HARMONY[vowel], "a" if vowel in "aıou" else "e"
    open_ = lower[-1:] in _HARMONY
    if case == "genitive":
        return f"{name}'{'n' if open_ else ''}{high}n"
    if case == "accusative":
        return f"{name}'{'y' if open_ else ''}{high}"
    if case == "dative":
        return f"{name}'{'y' if open_ else ''}{low}"
    stop = "t" if lower[-1:] in _VOICELESS else "d"
    return f"{name}'{stop}{low}{'n' if case == 'ablative' else ''}"
