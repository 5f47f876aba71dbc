"""What the rewriters know of each language: `languages/LANG.toml`.

`[pronouns]` is read by `pronoun_forms`:

- `patterns`, `words`: regular expressions, and lists of words (`_` stands for a space inside one),
  each with the `replacement` of a match: a template with the fields `name` (the entity), the groups
  of the pattern, and the inflected forms that `pronoun_forms` defines;
- `not_after`, `not_before`: lookbehind and lookahead assertions for all `words`;
- `case_sensitive`: whether `words` are compared with their case.

`[entities]` is read by `entities`:

- `capitalized_names`: whether names begin with a capital letter and other words do not;
- `articles`: with a capital letter inside a sentence they begin a title: "Las meninas";
- `question_words`: words that are neither function words nor a part of a name;
- `words_before_verbs`: function words that a verb follows.

`[linking]` is read by `linking.language_rules`:

- `delete_any_word`: whether the linker may delete content words: in languages with training data
  written by people, or where a word of the linker is a single character;
- `indivisible`: what the linker sees as several words and a reader as one;
- `kept_adpositions`: adpositions that the linker deletes together with the pronoun after them;
- `move_final_name_to_pronoun`: whether a name that the linker inserted at the end of the question
  is moved to its only pronoun, unless that is one of `pronouns_in_another_case`, where the name
  would need another case;
- `agreement`: groups of pronouns that may refer to the same entity.

`[possessives]` is read by `linking.possessives`: `adjectives_before_nouns`, `definite_articles`,
`function_words` (what the rules insert next to a name), and `contractions` of a preposition and an
article. `[nouns]` lists nouns whose gender their ending does not show.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FOLDER = Path(__file__).with_name("languages")


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The languages that have a file, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@lru_cache(maxsize=128)
def section(lang: str, name: str) -> dict[str, Any]:
    """A section of a language's file, empty where there is none."""
    found: dict[str, Any] = _file(lang).get(name, {})
    return found


@lru_cache(maxsize=32)
def _file(lang: str) -> dict[str, Any]:
    return load_toml(_FOLDER / f"{lang}.toml") if lang in languages() else {}


def load_toml(path: Path) -> dict[str, Any]:
    """The table of a TOML file that comes with Anaphora."""
    table: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return table
