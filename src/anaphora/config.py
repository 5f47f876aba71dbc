"""One typed configuration, from TOML or a dict; and the assistant it describes."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from anaphora.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LONGEST_WAIT = 3600
"""Seconds."""
_MOST_REQUESTS = 64


@dataclass(frozen=True, slots=True)
class RewriteConfig:
    """How a follow-up is made to stand alone.

    `method`: "none"; "history", the turns before in `order`, the latest `turns` of them or with 0
    all; "expansion", keywords of the history chosen by the index's term statistics; "context",
    the words that set the topic, for a question that leans on the talk; "pronouns", what the talk
    is about in the place of a pronoun; "linking", words of the talk put where a trained model links
    them to, by the weights in the folder `model` where one is named; "seq2seq", by the
    sequence-to-sequence checkpoint `model`, a name on the Hugging Face hub or a folder; "llm", by
    the `model` behind the OpenAI-compatible `endpoint`, such as http://localhost:8000/v1.

    For "llm", `order` is that of the turns in the prompt, `shots` the number of worked examples
    before them, `timeout` the seconds that an answer may take, all tries together, and `parallel`
    how many requests are under way at once.

    Raises:
        UsageError: a setting that the method needs is missing, or a number is out of range.
    """

    method: Literal[
        "none", "history", "expansion", "context", "pronouns", "linking", "seq2seq", "llm"
    ] = "linking"
    order: Literal["newest", "oldest"] = "newest"
    turns: int = 0
    model: str = ""
    endpoint: str = ""
    shots: Literal[0, 3] = 0
    timeout: float = 20.0
    parallel: int = 4

    def __post_init__(self) -> None:
        _check_ranges(self, "rewrite", turns=(self.turns >= 0, "0 or more"), **_requests(self))
        needed = {"seq2seq": ("model",), "llm": ("endpoint", "model")}.get(self.method, ())
        _check_needed(self, "rewrite", f"the rewriter {self.method!r}", needed)


@dataclass(frozen=True, slots=True)
class RetrieveConfig:
    """How passages are found.

    `model`: "hybrid" is `lexical` and dense fused; on an index without vectors it is `lexical`
    alone. `k` passages go on to the reader.
    """

    model: Literal["hybrid", "dense", "bm25", "lmd", "lmjm"] = "hybrid"
    lexical: Literal["bm25", "lmd", "lmjm"] = "bm25"
    k: int = 10
    k1: float = 0.9
    b: float = 0.4
    mu: float = 1000.0
    lam: float = 0.1
    fusion: Literal["rrf", "weighted"] = "weighted"
    depth: int = 100
    lexical_weight: float = 1.0
    dense_weight: float = 1.5
    variant_weight: float = 0.5


@dataclass(frozen=True, slots=True)
class RerankConfig:
    """How the best hits are put in a better order.

    `method`: "none"; "judge", Anaphora's own cross-encoder, with its own weights or those in the
    folder `model`; "crossencoder", the Hugging Face cross-encoder `model`, a name on the hub or a
    folder; "late", late interaction by the token vectors of the Hugging Face encoder `model`;
    "llm", the order that the `model` behind the OpenAI-compatible `endpoint` names.

    The first `top` hits are judged, for at most `rerank_ms` milliseconds a question (0: without a
    limit), and no longer than until `patience` of them in a row did not come among the five best
    (0: all). `weight` is what the reranker's score counts beside the first stage's, from 0 to 1.

    For "llm", `timeout` is the seconds that an answer may take, all tries together, instead of
    `rerank_ms`, and `parallel` how many requests are under way at once.

    Raises:
        UsageError: a setting that the method needs is missing, or a number is out of range.
    """

    method: Literal["none", "judge", "crossencoder", "late", "llm"] = "judge"
    model: str = ""
    endpoint: str = ""
    top: int = 20
    rerank_ms: int = 1000
    patience: int = 0
    weight: float = 0.5
    timeout: float = 20.0
    parallel: int = 4

    def __post_init__(self) -> None:
        _check_ranges(
            self,
            "rerank",
            top=(self.top >= 1, "1 or more"),
            rerank_ms=(0 <= self.rerank_ms <= 1000 * _LONGEST_WAIT, "0 or more, up to 3600000"),
            patience=(self.patience >= 0, "0 or more"),
            weight=(0 <= self.weight <= 1, "from 0 to 1"),
            **_requests(self),
        )
        hugging_face = dict.fromkeys(("crossencoder", "late"), ("model",))
        needed = {**hugging_face, "llm": ("endpoint", "model")}.get(self.method, ())
        _check_needed(self, "rerank", f"the reranker {self.method!r}", needed)


@dataclass(frozen=True, slots=True)
class ReadConfig:
    """How the answer is read: from the best `passages`, at most `sentences` of them.

    `method`: "spans", the judge finds the shortest answer and quotes the sentence around it;
    "sentences", the sentences that share words and meaning with the question. `model` is for
    "spans": a folder of weights other than the shipped ones.
    """

    method: Literal["spans"] = "spans"
    model: str = ""
    passages: int = 5
    sentences: int = 3


@dataclass(frozen=True, slots=True)
class Config:
    rewrite: RewriteConfig = field(default_factory=RewriteConfig)
    retrieve: RetrieveConfig = field(default_factory=RetrieveConfig)
    rerank: RerankConfig = field(default_factory=RerankConfig)
    read: ReadConfig = field(default_factory=ReadConfig)


def _requests(settings: RewriteConfig | RerankConfig) -> dict[str, tuple[bool, str]]:
    """The ranges of the settings of an endpoint."""
    timeout, parallel = settings.timeout, settings.parallel
    return {
        "timeout": (0 < timeout <= _LONGEST_WAIT, f"more than 0, up to {_LONGEST_WAIT}"),
        "parallel": (1 <= parallel <= _MOST_REQUESTS, f"from 1 to {_MOST_REQUESTS}"),
    }


def _check_ranges(settings: object, table: str, **ranges: tuple[bool, str]) -> None:
    for name, (fits, wanted) in ranges.items():
        if not fits:
            value = getattr(settings, name)
            raise UsageError(f"the setting '{table}.{name}' must be {wanted}, not {value!r}")


def _check_needed(settings: object, table: str, who: str, names: Sequence[str]) -> None:
    missing = [f"'{table}.{name}'" for name in names if not getattr(settings, name).strip()]
    if missing:
        raise UsageError(f"{who} needs {' and '.join(missing)} to be set")


def language_code(text: str) -> str:
    """A language code as a user gives it, in lower case.

    Raises:
        UsageError: it does not have the form of one.
    """
    if not (2 <= len(text) <= 3 and text.isascii() and text.isalpha()):
        raise UsageError(f"{text!r} is not a language code such as en, fr or zh")
    return text.lower()


def load(path: Path) -> Config:
    """Reads a TOML file.

    Raises:
        UsageError: the file cannot be read, is not TOML, or holds an unknown key or a wrong value.
    """
    try:
        with path.open("rb") as file:
            return of(tomllib.load(file))
    except OSError as error:
        raise UsageError(f"the configuration {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the configuration {path} is not TOML: {error}") from error


def of(values: Mapping[str, Any]) -> Config:
    """A configuration from nested mappings; what is left out has its default.

    Raises:
        UsageError: an unknown key, with the nearest valid one, or a value of the wrong type.

    >>> of({"retrieve": {"model": "lmd", "mu": 500}}).retrieve.mu
    500.0
    """
    config: Config = _build(Config, values, "")
    return config


def _build(kind: type, values: Any, where: str) -> Any:
    if not isinstance(values, Mapping):
        raise UsageError(f"the setting {where!r} must be a table of settings, not {values!r}")
    hints = get_type_hints(kind)
    names = [item.name for item in fields(kind)]
    given: dict[str, Any] = {}
    for key, value in values.items():
        place = f"{where}.{key}" if where else key
        if key not in names:
            near = difflib.get_close_matches(str(key), names, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
            raise UsageError(f"there is no setting {place!r}; {hint}")
        given[key] = _value(hints[key], value, place)
    return kind(**given)


def _value(hint: Any, value: Any, place: str) -> Any:
    if is_dataclass(hint):
        return _build(hint, value, place)  # type: ignore[arg-type]
    if get_origin(hint) is Literal:
        # 0, 0.0 and false are equal, but only the first is the setting 0.
        if not any(type(value) is type(one) and value == one for one in get_args(hint)):
            choices = ", ".join(map(repr, get_args(hint)))
            raise UsageError(f"the setting {place!r} must be one of {choices}, not {value!r}")
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise UsageError(f"the setting {place!r} is too large a number") from None
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise UsageError(f"the setting {place!r} must be of type {hint.__name__}, not {value!r}")
    return value
