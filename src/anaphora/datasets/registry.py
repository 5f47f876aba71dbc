"""Which format a file or folder is in, and the data set it holds."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from anaphora.datasets import (
    beir,
    camrest,
    canard,
    cast,
    clapnq,
    coqa,
    dialdoc,
    dialogue_rag,
    mkqa,
    mtrag,
    multidoc2dial,
    orquac,
    qed,
    qrecc,
    records,
    squad,
    topiocqa,
    trec,
    utterances,
    xortydi,
)
from anaphora.datasets.example import Example, Format
from anaphora.datasets.heads import files, folders
from anaphora.errors import UsageError
from anaphora.records import Document

_FORMATS = (
    canard.FORMAT,
    qrecc.FORMAT,
    cast.FORMAT,
    utterances.REWRITE,
    utterances.MULTI,
    camrest.FORMAT,
    mtrag.FORMAT,
    dialdoc.FORMAT,
    multidoc2dial.FORMAT,
    dialogue_rag.FORMAT,
    topiocqa.FORMAT,
    orquac.FORMAT,
    coqa.FORMAT,
    *squad.FORMATS,
    qed.FORMAT,
    clapnq.FORMAT,
    mkqa.FORMAT,
    xortydi.FORMAT,
    trec.CRANFIELD,
    records.FORMAT,
    beir.FORMAT,
    trec.FORMAT,
)
"""The plain formats come last: a set of its own may be made of their files."""

_SUFFIXES = frozenset({".gz", ".json", ".jsonl", ".jsonlines", ".tsv", ".txt", ".xml"})
_LIST = '"anaphora data list" names the formats'


@dataclass(frozen=True)
class Dataset:
    """A data set: where it is and how it is read.

    `name` can name a folder: that of the file or folder, behind the format's where it does not
    tell which set it is ("xquad.zh", "canard-dev").
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


def formats() -> tuple[Format, ...]:
    """All formats; the first that recognises a path is the one it is in."""
    return _FORMATS


def open_dataset(path: Path, name: str | None = None) -> Dataset:
    """The data set in a file or folder, in the format called `name` or in the one that
    recognises it; for a folder also the only set among its files and its folders' files.

    Raises:
        UsageError: there is no such path or format, nothing recognises it, or it holds several.
    """
    named = None if name is None else _named(name)
    try:
        path.stat()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    found = datasets_in(path, [named] if named else formats())
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(f"{one.path.relative_to(path)} ({one.format.name})" for one in found)
        raise UsageError(f"{path} holds several data sets, so name one of them: {listed}")
    if named and not path.is_dir():
        # Whoever names the format wants to be told what is wrong with the file.
        return _dataset(path, named)
    if named:
        raise UsageError(f"{path} holds nothing in the format {named.name!r}")
    raise UsageError(f"no known format recognises {path}, or anything in it; {_LIST}")


def datasets_in(path: Path, wanted: Iterable[Format] | None = None) -> list[Dataset]:
    """The data sets that a path holds: the one it is, or else those among the files and folders
    in it, and among the files of these folders."""
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
    told = found.name in stem.lower()
    return Dataset(stem if told else f"{found.name}-{stem}", path, found)


def _named(name: str) -> Format:
    known = {one.name: one for one in formats()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    meant = f"did you mean {near[0]!r}?" if near else _LIST
    raise UsageError(f"there is no format called {name!r}; {meant}")
