"""The word tables of each language, read from `data/LANG.toml`.

A language has one file. Adding a language means adding a file; each table in it is optional.

`script`
    The script of the language, by its name in `anaphora.language.scripts`.
`stop_words`
    Function words, which searches ignore. For writing without spaces, the pieces that `tokenize`
    cuts. A language with stop words takes part in language identification; see `listed_languages`.
`elisions`
    Clitics that are written before an apostrophe and are not part of the word after it.
`abbreviations`
    Words after which a full stop does not end the sentence.
`[context_dependence]`
    `referring` has words that refer to an earlier turn, `continuing` has words that begin a
    question which continues the one before. `forms` is a regular expression for pronouns that are
    recognised by their place, such as an article at the end, and `not_referring` one
    for phrases whose words refer to nothing. `complete` is one for questions that say their topic
    however short they are. Where words are not
    separated by spaces, `pattern` is a regular expression instead of all these. A word is left out
    where it more often means something else.
`[questions]`
    `[questions.words]` has the question words of each `QuestionType`. "_" stands for a space; "^"
    marks a word that counts only where a clause begins; a final "*" stands for any ending. `skip`
    lists what only looks like a question word. Of two that begin at the same place the longer one
    counts. The other keys are optional:
    `may_precede`, the words that may stand before the word that begins a clause;
    `prefix`, a pattern for what is written together with the question word, before it;
    `when_may_join`, true where the word for "when" also joins clauses;
    `indirect`, a pattern for requests that contain the actual question ("can you tell me who");
    `yes_no_verbs`, the verb forms that begin a yes-or-no question;
    `yes_no`, a pattern of yes-or-no questions that outweighs any question word;
    `yes_no_otherwise`, a pattern of yes-or-no questions without a question word;
    `definition`, a pattern of questions that ask what something is, with the thing in a group;
    `doing`, a pattern of phrases that say what is done ("rotate it"), and `how_to`, the question
    how to do it, with {} for the phrase;
    `comparison`, a pattern of the words by which a question asks for a difference;
    `statement_is_yes_no`, true where a statement of three words or more with a question mark is
    a yes-or-no question.
`[messages]`
    The sentences that Anaphora writes itself; see `anaphora.language.messages`.
`[courtesies]`
    Phrases that ask nothing, separated by commas; see `anaphora.language.intent`.
`[follow_ups]`, `[language_names]`
    Phrases that ask on about the question before, or for an answer in another language; see
    `anaphora.language.follow_ups`.

Word lists are literal strings, which `tomllib` reads many times faster than arrays.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FOLDER: Final = Path(__file__).with_name("data")


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    return {path.stem: path for path in sorted(_FOLDER.glob("*.toml"))}


@lru_cache(maxsize=64)
def tables(lang: str) -> dict[str, Any]:
    """All tables of a language; none for a language without a file.

    The result is shared between callers and must not be changed.
    """
    path = _files().get(lang)
    return {} if path is None else load_toml(path)


def load_toml(path: Path) -> dict[str, Any]:
    """The table of a TOML file that comes with Anaphora."""
    table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return table


def table(lang: str, name: str) -> dict[str, Any]:
    """One table of a language, empty where the language does not have it.

    >>> sorted(table("en", "context_dependence"))
    ['continuing', 'referring']
    """
    found: dict[str, Any] = tables(lang).get(name, {})
    return found


def text(lang: str, name: str) -> str:
    """One string of a language outside any table, such as "script"; empty where it is missing.

    >>> text("fi", "script"), text("xx", "script")
    ('Latin', '')
    """
    found: str = tables(lang).get(name, "")
    return found


@lru_cache(maxsize=1)
def listed_languages() -> frozenset[str]:
    """The languages that have stop words: the sixteen target languages."""
    return frozenset(lang for lang in _files() if "stop_words" in tables(lang))
