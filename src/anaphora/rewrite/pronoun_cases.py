"""An entity's name with the ending or the word that its place in a sentence asks for."""

from __future__ import annotations

import re
from typing import Final, Literal

TurkishCase = Literal["genitive", "accusative", "dative", "locative", "ablative"]

_SIBILANTS: Final = ("s", "ß", "x", "z", "ce")
_HARMONY: Final = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_VOICELESS: Final = "fstkçşhp"
_JOSA: Final = {josa: pair for pair in ("은는", "이가", "을를", "과와") for josa in pair}
_FEMININE: Final = (
    "base calle capital catedral clase fase flor frase fuente gente imagen ley luz madre mano "
    "mujer muerte noche parte red sede serie torre voz"
)
_MASCULINE: Final = "clima día drama idioma mapa planeta poema problema programa sistema tema"
_RIEUL: Final = 8
# Without 도, which ends the names of islands and provinces oftener than it means "too".
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
    """The article of a noun by its ending, which is right for most; of frequent others by a list.

    >>> [spanish_article(*one) for one in (("capital", "su"), ("clima", "su"), ("obras", "sus"))]
    ['la', 'el', 'las']
    """
    many = possessive.lower() == "sus"
    one = re.sub("e?s$", "", noun.lower()) if many else noun.lower()
    if {one, f"{one}e"} & set(_FEMININE.split()):
        return "las" if many else "la"
    if one in _MASCULINE.split():
        return "los" if many else "el"
    ending = (
        r"(?:a|dad|tad|ción|sión|tud|umbre)$" if not many else r"(?:as|dades|tades|ciones|siones)$"
    )
    if re.search(ending, noun.lower()):
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


def korean(name: str, particle: str) -> str:
    """The name with the form of a particle that its last sound asks for.

    >>> korean("서울", "는"), korean("부산", "가"), korean("제주도", "은"), korean("서울", "으로")
    ('서울은', '부산이', '제주도는', '서울로')
    """
    if particle in ("로", "으로"):
        return name + ("으로" if _final(name) not in (0, _RIEUL) else "로")
    pair = _JOSA.get(particle)
    return name + (pair[0 if _final(name) else 1] if pair else particle)


def without_particle(word: str) -> str:
    """A Korean word without the particle at its end, which must be the form that the sound before
    it asks for.

    >>> [without_particle(word) for word in ("서울에는", "김연아가", "세종로", "제주도")]
    ['서울', '김연아', '세종로', '제주도']
    """
    match = _PARTICLE.search(word)
    if not match or match.start() < (1 if len(match[0]) > 1 else 2):
        return word
    name = word[: match.start()]
    return name if korean(name, match[0]) == word else word


def _final(name: str) -> int:
    """The number of the consonant that a name's last syllable ends with, 0 for none."""
    code = ord(name[-1:] or " ") - 0xAC00
    return code % 28 if 0 <= code < 11172 else 0


def turkish(name: str, case: TurkishCase) -> str:
    """The name with the ending of a case, after an apostrophe as names have it.

    >>> turkish("Atatürk", "genitive"), turkish("Ankara", "dative"), turkish("İstanbul", "locative")
    ("Atatürk'ün", "Ankara'ya", "İstanbul'da")
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
