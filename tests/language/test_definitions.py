"""Questions that ask what something is, in sixteen languages, and questions that only look so."""

from __future__ import annotations

import pytest

from anaphora.language import is_context_dependent, without_and
from anaphora.language.definitions import defined_term


@pytest.mark.parametrize(
    ("lang", "question", "term"),
    [
        ("en", "What is a boot loader?", "boot loader"),
        ("en", "whats a vpn", "vpn"),
        ("en", "what is the difference", ""),
        ("en", "what is it", ""),
        ("de", "was ist ein legatobogen", "legatobogen"),
        ("de", "was ist das", ""),
        ("fr", "c'est quoi un vpn", "vpn"),
        ("fr", "qu'est-ce que la persistance ?", "persistance"),
        ("fr", "qu'est-ce que c'est", ""),
        ("es", "¿Qué es un VPN?", "vpn"),
        ("it", "cos'è un vpn", "vpn"),
        ("pt", "o que é um vpn", "vpn"),
        ("ru", "что такое зона контроля", "зона контроля"),
        ("tr", "vpn nedir", "vpn"),
        ("tr", "bu nedir", ""),
        ("vi", "vùng kiểm soát là gì", "vùng kiểm soát"),
        ("vi", "nó là gì", ""),
        ("zh", "什么是debian", "debian"),
        ("zh", "debian是什么", "debian"),
        ("zh", "这是什么", ""),
        ("ja", "永続化とは", "永続化"),
        ("ja", "debianとは何ですか", "debian"),
        ("ja", "それは何ですか", ""),
        ("ko", "페르소나란 무엇인가요?", "페르소나"),
        ("ar", "ما هو الجدار الناري", "الجدار الناري"),
        ("hi", "vpn क्या है", "vpn"),
        ("fi", "mikä on vpn", "vpn"),
        ("th", "vpnคืออะไร", "vpn"),
    ],
)
def test_definitions(lang: str, question: str, term: str) -> None:
    assert defined_term(question, lang) == term


@pytest.mark.parametrize(
    ("lang", "question", "refers"),
    [
        ("fr", "est-ce que je peux imprimer un document", False),
        ("fr", "est-ce que c'est utile", True),
        ("fr", "pourquoi c'est utile", True),
        ("fr", "c'est quoi un vpn", False),
        ("fr", "lesquels je peux enlever", True),
        ("de", "wie lösche ich die wieder", True),
        ("de", "wie drucke ich die seite", False),
        ("es", "como lo vuelvo a activar", True),
        ("es", "que es lo que guarda el programa", False),
        ("ja", "永続化とは", False),
        ("ja", "違いは", True),
    ],
)
def test_what_refers_to_an_earlier_turn(lang: str, question: str, refers: bool) -> None:
    assert is_context_dependent(question, lang) == refers


@pytest.mark.parametrize(
    ("lang", "question", "rest"),
    [
        ("en", "what about the dvd", "the dvd"),
        ("fr", "et /usr en lecture seule", "/usr en lecture seule"),
        ("es", "¿Y en 1998?", "en 1998?"),
        ("ar", "وكيف اغير المنفذ", "كيف اغير المنفذ"),
        ("en", "and", "and"),
        ("zh", "那多段的呢", "那多段的呢"),
    ],
)
def test_without_and(lang: str, question: str, rest: str) -> None:
    assert without_and(question, lang) == rest
