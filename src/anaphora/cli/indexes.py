"""What is said of an index: what a run of indexing did, what the index holds, what it lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from anaphora.cli.common import number
from anaphora.index import Adapted, Index, Upgradable, Upgrade, Watched
from anaphora.ingest import Skipped
from anaphora.ingest.contents import IndexedFile
from anaphora.ingest.update import Report

_MOST_NAMES = 3


def print_report(out: Console, folder: Path, report: Report) -> None:
    """What an indexing run did, and what it skipped and why."""
    parts = [
        f"{number(report.documents, 'document')} read into {number(report.passages, 'passage')}",
        f"{number(report.unchanged, 'file')} unchanged",
    ]
    if report.removed:
        parts.append(f"{number(report.removed, 'file')} removed")
    if report.encoded:
        parts.append(f"{number(report.encoded, 'passage')} encoded")
    if report.weighed:
        parts.append(f"{number(report.weighed, 'passage')} given sparse weights")
    out.print(f"Index {escape(str(folder))}: {', '.join(parts)}.")
    if not report.skipped:
        return
    out.print(f"Skipped {len(report.skipped)}:")
    for reason, names in _by_reason(report.skipped):
        shown = ", ".join(names[:_MOST_NAMES])
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        out.print(Text(f"  {reason}: {shown}{more}"))


def print_contents(out: Console, index: Index, files: Sequence[IndexedFile]) -> None:
    """The files of an index by the folder that they are in, and what it holds in all."""
    for root, group in groupby(sorted(files, key=_by_root), _by_root):
        inside = list(group)
        documents = sum(file.documents for file in inside)
        counted = f"{number(len(inside), 'file')}, {number(documents, 'document')}"
        out.print(Text(f"{root}: {counted}", style="bold"))
        for file in inside:
            line = Text(f"  {file.path}")
            if file.problem:
                line.append(f" (not read: {file.problem})", style="dim")
            elif file.documents != 1:
                line.append(f" ({number(file.documents, 'document')})", style="dim")
            out.print(line, soft_wrap=True)
    documents, passages = index.counts()
    missing = index.without_vectors()
    vectors = f"vectors of {index.encoder}" if index.encoder else "no vectors"
    if missing:
        vectors += f", missing for {number(missing, 'passage')}"
    if upgrade := _upgrade(index):
        vectors += (
            f", until {number(upgrade.missing, 'more passage')} "
            f"{'has' if upgrade.missing == 1 else 'have'} those of {upgrade.encoder}"
        )
    if index.sparse_encoder:
        vectors += f"; sparse weights of {index.sparse_encoder}"
    if unweighed := index.without_sparse_weights():
        vectors += f", missing for {number(unweighed, 'passage')}"
    languages = ", ".join(index.languages) or "no language"
    out.print(
        f"The index in {escape(index.location)}: {number(len(files), 'file')}, "
        f"{number(documents, 'document')}, {number(passages, 'passage')} in {languages}; "
        f"{vectors}.",
        soft_wrap=True,
    )
    adapter = index.adapter if isinstance(index, Adapted) else None
    if adapter and (one := adapter.comparison):
        out.print(
            f"Its adapter raised nDCG@10 by {100 * (one.after - one.before):.1f} points on "
            f"{number(one.questions, 'question')}; 'anaphora adapt --remove' removes it.",
            soft_wrap=True,
        )


def report_to_dict(folder: Path, report: Report) -> dict[str, Any]:
    return {
        "index": str(folder),
        "documents": report.documents,
        "passages": report.passages,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "encoded": report.encoded,
        "weighed": report.weighed,
        "skipped": [{"name": item.name, "reason": item.reason} for item in report.skipped],
    }


def completeness(index: Index) -> Iterator[str]:
    """Notes on the vectors and sparse weights that the index was left without."""
    missing, unweighed = index.without_vectors(), index.without_sparse_weights()
    if missing:
        lacks = (
            "has no vector and is found by its words alone"
            if missing == 1
            else "have no vectors and are found by their words alone"
        )
        yield _incomplete(index, missing, lacks)
    elif upgrade := _upgrade(index):
        writing = isinstance(index, Watched) and index.being_written()
        more = (
            "they are being made"
            if writing
            else f"'anaphora index FOLDER... --index {index.location}' makes them"
        )
        yield (
            f"Note: searched by fast vectors until {number(upgrade.missing, 'more passage')} "
            f"{'has' if upgrade.missing == 1 else 'have'} vectors of {upgrade.encoder}; {more}."
        )
    if unweighed:
        lacks = f"{'has' if unweighed == 1 else 'have'} no sparse weights"
        yield _incomplete(index, unweighed, lacks)


def _incomplete(index: Index, missing: int, lacks: str) -> str:
    return (
        f"Note: {missing:,} of {number(index.counts().passages, 'passage')} {lacks}; "
        f"run 'anaphora index FOLDER... --index {index.location}' on your documents again "
        "to complete the index."
    )


def _upgrade(index: Index) -> Upgrade | None:
    return index.upgrade if isinstance(index, Upgradable) else None


def _by_root(file: IndexedFile) -> str:
    return file.root


def _by_reason(skipped: Sequence[Skipped]) -> list[tuple[str, list[str]]]:
    """Reason -> the names it holds for, the most frequent reason last."""
    names: dict[str, list[str]] = {}
    for item in skipped:
        names.setdefault(item.reason, []).append(item.name)
    return sorted(names.items(), key=lambda group: len(group[1]))
