"""An entity's name with the ending or the word that its place in a sentence asks for."""

from __future__ import annotations

import re
from typing import Final, Literal

TurkishCase = Literal["genitive", "accusative", "dative", "locative", "ablative"]

_SIBILANTS: Final = ("s", "ß", "x", "z", "ce")
_HARMONY: Final = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_VOICELESS: Final = "fstkçşhp"
_JOSA: Final = {josa: pair for pair in ("은는", "이가", "을를", "과와") for josa in pair}


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
    """The article of a noun by its ending, which is right for most.

    >>> spanish_article("capital", "su"), spanish_article("obras", "sus")
    ('el', 'las')
    """
    many = possessive.lower() == "sus"
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

    >>> korean("서울", "는"), korean("부산", "가"), korean("제주도", "은")
    ('서울은', '부산이', '제주도는')
    """
    code = ord(name[-1:] or " ") - 0xAC00
    closed = 0 <= code < 11172 and code % 28 > 0
    pair = _JOSA.get(particle)
    return name + (pair[0 if closed else 1] if pair else particle)


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
