"""The formats of data sets by name, and the data set in a file or folder."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from anaphora.datasets.example import Example, Format
from anaphora.datasets.sniffing import files, folders
from anaphora.errors import UsageError
from anaphora.records import Document

_BUILT_IN: Final = (
    "canard:FORMAT",
    "qrecc:FORMAT",
    "cast:FORMAT",
    "utterances:REWRITE",
    "utterances:MULTI",
    "camrest:FORMAT",
    "mtrag:FORMAT",
    "dialdoc:FORMAT",
    "multidoc2dial:FORMAT",
    "dialogue_rag:FORMAT",
    "topiocqa:FORMAT",
    "orquac:FORMAT",
    "coqa:FORMAT",
    "squad:FORMATS",
    "qed:FORMAT",
    "clapnq:FORMAT",
    "mkqa:FORMAT",
    "xortydi:FORMAT",
    "trec:CRANFIELD",
    "own_records:FORMAT",
    "pairs:FORMAT",
    "beir:FORMAT",
    "trec:FORMAT",
)
"""Modules of this package and their formats. The generic formats are last, because a data set of a
more special format may contain their files."""

_GROUP: Final = "anaphora.datasets"
_SUFFIXES = frozenset({".gz", ".json", ".jsonl", ".jsonlines", ".tsv", ".txt", ".xml"})
_LIST = '"anaphora data list" names the formats'


@dataclass(frozen=True)
class Dataset:
    """A data set: where it is and how it is read.

    `name` is usable as the name of a folder: that of the file or folder, after the format's name
    where it does not contain it ("xquad.zh", "canard-dev").
    """

    name: str
    path: Path
    format: Format

    def examples(self) -> Iterator[Example]:
        """Streams the turns.

        Raises:
            MalformedData: a file is not as its format says.
            AnaphoraError: a file cannot be read.
        """
        return self.format.examples(self.path)

    def documents(self) -> Iterator[Document]:
        """Streams the passages; none where the set comes without.

        Raises:
            MalformedData: a file is not as its format says.
            AnaphoraError: a file cannot be read.
        """
        return self.format.documents(self.path) if self.format.documents else iter(())


@cache
def formats() -> tuple[Format, ...]:
    """All formats, those of installed packages (entry points `anaphora.datasets`) before the
    built-in ones; the first that recognises a path is the one that it is in."""
    places = [point.value for point in entry_points(group=_GROUP)]
    places += [f"anaphora.datasets.{place}" for place in _BUILT_IN]
    return tuple(one for place in places for one in _loaded(place))


def find_format(name: str) -> Format:
    """A format by its name, or by `package.module:NAME`.

    Raises:
        UsageError: there is no such format, or it cannot be imported.
    """
    known = {one.name: one for one in formats()}
    if name in known:
        return known[name]
    if ":" in name:
        return _loaded(name)[0]
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else _LIST
    raise UsageError(f"there is no format called {name!r}; {hint}")


def _loaded(place: str) -> tuple[Format, ...]:
    module, _, attribute = place.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"the format {place!r} cannot be imported: {error}") from error
    found = found if isinstance(found, tuple) else (found,)
    if not found or not all(isinstance(one, Format) for one in found):
        raise UsageError(f"{place!r} is not a format: it must be an anaphora.datasets.Format")
    return found


def open_dataset(path: Path, name: str | None = None) -> Dataset:
    """The data set in a file or folder, in the format called `name` or in the one that
    recognises it; for a folder also the only set among its files and its folders' files.

    Raises:
        UsageError: there is no such path or format, no format recognises it, or it contains
            several data sets.
    """
    wanted = None if name is None else find_format(name)
    try:
        path.stat()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    found = datasets_in(path, [wanted] if wanted else None)
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(f"{one.path.relative_to(path)} ({one.format.name})" for one in found)
        raise UsageError(f"{path} holds several data sets, so name one of them: {listed}")
    if wanted and not path.is_dir():
        # Reading it as the named format says what is wrong with the file.
        return _dataset(path, wanted)
    if wanted:
        raise UsageError(f"{path} holds nothing in the format {wanted.name!r}")
    raise UsageError(f"no known format recognises {path}, or anything in it; {_LIST}")


def datasets_in(path: Path, wanted: Iterable[Format] | None = None) -> list[Dataset]:
    """The data sets in a path: the one that it is, or else those among its files and folders and
    among the files of these folders."""
    wanted = formats() if wanted is None else tuple(wanted)
    if one := _recognised(path, wanted):
        return [one]
    found: list[Dataset] = []
    for inner in (*files(path), *folders(path)):
        if one := _recognised(inner, wanted):
            found.append(one)
        else:
            found += filter(None, (_recognised(file, wanted) for file in files(inner)))
    return found


def _recognised(path: Path, wanted: Iterable[Format]) -> Dataset | None:
    return next((_dataset(path, one) for one in wanted if one.recognises(path)), None)


def _dataset(path: Path, found: Format) -> Dataset:
    stem = path.resolve().name
    while Path(stem).suffix in _SUFFIXES:
        stem = Path(stem).stem
    named = found.name in stem.lower()
    return Dataset(stem if named else f"{found.name}-{stem}", path, found)
