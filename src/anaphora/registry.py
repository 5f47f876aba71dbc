"""Parts by name: built in, from an installed package, or `package.module:factory`.

A factory is called with the settings of its part as keyword arguments. What it returns is the part,
or an object whose `build(resources)` makes the part. A dataclass that is itself the part, such as
`anaphora.rewrite.history.HistoryRewriter`, is the shortest form.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from anaphora.errors import UsageError

if TYPE_CHECKING:
    from anaphora.protocols import Resources

Kind: TypeAlias = Literal[
    "rewriter",
    "retriever",
    "reranker",
    "reader",
    "checker",
    "translator",
    "encoder",
    "sparse_encoder",
    "index",
]
Factory: TypeAlias = Callable[..., Any]

_BUILT_IN: Final[Mapping[str, Mapping[str, str]]] = {
    "rewriter": {
        "none": "anaphora.rewrite.history:NoRewriter",
        "history": "anaphora.rewrite.history:HistoryRewriter",
        "expansion": "anaphora.rewrite.settings:ExpansionSettings",
        "context": "anaphora.rewrite.settings:ContextSettings",
        "pronouns": "anaphora.rewrite.pronouns:PronounRewriter",
        "linking": "anaphora.rewrite.settings:LinkingSettings",
        "seq2seq": "anaphora.rewrite.settings:Seq2SeqSettings",
        "llm": "anaphora.rewrite.settings:LLMSettings",
    },
    "retriever": {
        **dict.fromkeys(
            ("hybrid", "dense", "sparse", "bm25", "lmd", "lmjm"),
            "anaphora.retrieve.settings:RetrieverSettings",
        ),
        "none": "anaphora.retrieve.settings:NoRetriever",
    },
    "reranker": {
        "none": "anaphora.rerank.settings:NoReranker",
        "judge": "anaphora.rerank.settings:JudgeSettings",
        "crossencoder": "anaphora.rerank.settings:CrossEncoderSettings",
        "late": "anaphora.rerank.settings:LateInteractionSettings",
        "llm": "anaphora.rerank.settings:LLMSettings",
    },
    "reader": {
        "spans": "anaphora.read.settings:ExtractiveSettings",
        "llm": "anaphora.read.settings:LLMSettings",
        "seq2seq": "anaphora.read.checkpoints:Seq2SeqSettings",
        "fid": "anaphora.read.checkpoints:FusionSettings",
        "causal": "anaphora.read.checkpoints:CausalSettings",
        "passages": "anaphora.read.passages:PassageReader",
    },
    "checker": {
        "none": "anaphora.check.settings:NoChecker",
        "support": "anaphora.check.settings:SupportSettings",
        "nli": "anaphora.check.settings:NliSettings",
    },
    "translator": {
        "none": "anaphora.translate.settings:NoTranslator",
        "seq2seq": "anaphora.translate.settings:Seq2SeqSettings",
        "llm": "anaphora.translate.settings:LLMSettings",
    },
    "encoder": {
        "multilingual-e5-small": "anaphora.retrieve.encoders:default_encoder",
        "fast-1": "anaphora.retrieve.encoders:fast_encoder",
    },
    "sparse_encoder": {},
    "index": {"local": "anaphora.index.local:LocalEngine"},
}


def names(kind: Kind) -> list[str]:
    """The names of a kind's parts: the built-in ones, then those of installed packages."""
    return [*_BUILT_IN[kind], *(name for name in _installed(kind) if name not in _BUILT_IN[kind])]


def find(kind: Kind, name: str) -> Factory:
    """The factory of a part.

    Args:
        name: of a built-in part; of an entry point in the group `anaphora.KINDs`, such as
            `anaphora.rewriters`; or `package.module:factory`.

    Raises:
        UsageError: there is no such part, or it cannot be imported.

    >>> find("rewriter", "history").__name__
    'HistoryRewriter'
    """
    if name in _BUILT_IN[kind]:
        return _imported(_BUILT_IN[kind][name], kind, name)
    if name in _installed(kind):
        return _imported(_installed(kind)[name], kind, name)
    if ":" in name:
        return _imported(name, kind, name)
    raise UsageError(f"there is no {kind} {name!r}; {suggestion(name, names(kind))}")


def build(settings: Any, resources: Resources) -> Any:
    """The part that settings describe; an object without `build` is the part itself."""
    return settings.build(resources) if hasattr(settings, "build") else settings


def name_of(kind: Kind, part: object) -> str:
    """The name under which `find` gives the factory of a part or of its settings."""
    target = f"{type(part).__module__}:{type(part).__qualname__}"
    known = {**_installed(kind), **_BUILT_IN[kind]}
    return next((name for name, place in known.items() if place == target), target)


def suggestion(name: str, known: Sequence[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, or all of them.

    >>> suggestion("linkng", ["history", "linking"])
    "did you mean 'linking'?"
    """
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"


@lru_cache(maxsize=len(get_args(Kind)))
def _installed(kind: str) -> dict[str, str]:
    # Only needed for a name that is not built in, and slow to import.
    from importlib.metadata import entry_points

    group = "anaphora.indexes" if kind == "index" else f"anaphora.{kind}s"
    return {point.name: point.value for point in entry_points(group=group)}


def _imported(place: str, kind: str, name: str) -> Factory:
    module, _, attribute = place.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"the {kind} {name!r} cannot be imported: {error}") from error
    if not callable(found):
        raise UsageError(f"the {kind} {name!r} is not a factory: {place} cannot be called")
    factory: Factory = found
    return factory


def parameters(factory: Factory) -> list[str]:
    """The names of a factory's settings."""
    return [
        name
        for name, one in inspect.signature(factory).parameters.items()
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    ]
