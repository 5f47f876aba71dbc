"""What translation models call the languages; the names are in `languages.toml`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def english_name(lang: str) -> str:
    """The English name of a language, or its code where the table does not have it.

    >>> english_name("vi"), english_name("nl")
    ('Vietnamese', 'nl')
    """
    name: str = _table().get(lang, {}).get("name", lang)
    return name


def language_token(lang: str, known: Callable[[str], bool]) -> str | None:
    """The token that stands for a language; None where there is none.

    NLLB has `deu_Latn`, M2M-100 `__de__`, mBART-50 `de_DE`, multilingual Marian models `>>deu<<`.

    Args:
        known: whether a vocabulary has a token.

    >>> language_token("de", {"deu_Latn", "eng_Latn"}.__contains__)
    'deu_Latn'
    """
    codes = _table().get(lang, {})
    marian = [f">>{one}<<" for one in codes.get("marian", [lang])]
    names = [codes.get("nllb"), f"__{lang}__", codes.get("mbart"), *marian]
    return next((name for name in names if name and known(name)), None)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, Any]]:
    table: Mapping[str, Mapping[str, Any]] = tomllib.loads(
        Path(__file__).with_name("languages.toml").read_text("utf-8")
    )
    return table
