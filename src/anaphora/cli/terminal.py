"""What a person sees in the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, groupby
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import quote

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBars
from rich.style import Style
from rich.text import Text

from anaphora.cli.statements import lines_of
from anaphora.index import Adapted, Index, Upgradable, Upgrade, Watched
from anaphora.ingest import Skipped
from anaphora.ingest.contents import IndexedFile
from anaphora.ingest.ledger import owners
from anaphora.ingest.update import Report
from anaphora.language.messages import message
from anaphora.protocols import Progress
from anaphora.records import (
    Answer,
    Block,
    Checked,
    Citation,
    Claim,
    Cut,
    Done,
    Event,
    Hit,
    Passage,
    Reranked,
    Retrieved,
    Rewritten,
    Support,
    Understood,
    Writing,
)
from anaphora.records import Text as TextPart

_MOST_NAMES = 3
_SNIPPET = 240
_SPAN = "bold green"
_CODE = "cyan"
_INDENT = 4
_DELAY = 0.5
"""Seconds after which a terminal shows which stage is running."""
_AFTER = {
    Understood: "Rewriting the question…",
    Rewritten: "Searching…",
    Retrieved: "Ranking the passages…",
    Reranked: "Reading the passages…",
}
"""What begins after an event."""
_MARKER = re.compile(r"(?m)^[^\S\n]*(?:(?:\d{1,3}[.)]|[•◦▪‣–-])[^\S\n]+)?")
"""The margin of a line, and the marker of an item."""
_CITED = re.compile(r"(?:\s*\[\d+\])+")


class Screen:
    """Results go to standard output; progress and notes to standard error.

    Args:
        folder: of the index, where sources are shown as links to their files.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self.out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
        self.err = Console(stderr=True, highlight=False)
        self._first_encoded = False

    def notify(self, line: str) -> None:
        """A note in one line, such as that something slow has begun."""
        self.err.print(f"[dim]{escape(line)}[/dim]", soft_wrap=True)

    def cut(self, cut: Cut | None) -> None:
        """A note where a time limit ended a stage early."""
        if cut:
            self.notify(f"Note: {cut}.")

    def writing(self, writing: Writing | None) -> None:
        """Notes why an answer is quoted that should have been written, and what else happened."""
        if writing and writing.fallback:
            self.notify(f"Note: the answer is quoted, not written: {writing.fallback}.")
        for note in writing.notes if writing else ():
            self.notify(f"Note: {note}.")

    def support(self, claim: Claim, passages: Sequence[str], support: Support) -> None:
        """A statement whose unsupported words are underlined, and whether it is supported."""
        text = Text(claim.statement)
        for start, end in support.unsupported:
            text.stylize("underline red", start, end)
        self.out.print(text)
        if support.supported:
            said = f"supported by {', '.join(passages[at] for at in support.citations)}"
        else:
            said = " … ".join(claim.statement[start:end] for start, end in support.unsupported)
            said = f"not supported: {said}"
        self.out.print(f"  {said} ({support.probability:.2f})", markup=False)
        self.out.print()

    def completeness(self, index: Index | None) -> None:
        """A note if the index was left without some of its vectors or sparse weights."""
        if index is None:
            return
        missing, unweighed = index.without_vectors(), index.without_sparse_weights()
        if missing:
            lacks = (
                "has no vector and is found by its words alone"
                if missing == 1
                else "have no vectors and are found by their words alone"
            )
            self._incomplete(index, missing, lacks)
        elif upgrade := _upgrade(index):
            writing = isinstance(index, Watched) and index.being_written()
            more = (
                "they are being made"
                if writing
                else f"'anaphora index FOLDER... --index {index.location}' makes them"
            )
            self.notify(
                f"Note: searched by fast vectors until {number(upgrade.missing, 'more passage')} "
                f"{'has' if upgrade.missing == 1 else 'have'} vectors of {upgrade.encoder}; {more}."
            )
        if unweighed:
            lacks = f"{'has' if unweighed == 1 else 'have'} no sparse weights"
            self._incomplete(index, unweighed, lacks)

    def _incomplete(self, index: Index, missing: int, lacks: str) -> None:
        self.notify(
            f"Note: {missing:,} of {number(index.counts().passages, 'passage')} {lacks}; "
            f"run 'anaphora index FOLDER... --index {index.location}' on your documents again "
            "to complete the index."
        )

    @contextmanager
    def _working(self) -> Iterator[Callable[[str], None]]:
        """Shows what is being done when it takes long; nothing if standard error is no terminal."""
        if not self.err.is_terminal:
            yield lambda what: None
            return
        status = self.err.status("Reading the question…")
        timer = Timer(_DELAY, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield status.update
        finally:
            timer.cancel()
            timer.join()
            status.stop()

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """A bar for each kind of work; nothing where standard error is not a terminal."""
        if not self.err.is_terminal:
            yield self._searchable
            return
        with ProgressBars(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            _Rate(),
            TimeRemainingColumn(),
            console=self.err,
        ) as bars:
            tasks: dict[str, Any] = {}

            def advance(what: str, done: int, total: int) -> None:
                if what not in tasks:
                    tasks[what] = bars.add_task(what, total=total)
                bars.update(tasks[what], completed=done, total=total)
                self._searchable(what, done, total)

            yield advance

    def _searchable(self, what: str, done: int, total: int) -> None:
        """A note, once, when the vectors of a first encoder are complete."""
        if (what, done) == ("encoding", 0) and self._first_encoded:
            self._first_encoded = False
            self.notify(
                "The index can be searched now, by fast vectors. Better ones follow: Ctrl-C stops, "
                "and the next 'anaphora index' goes on."
            )
        elif what == "first encoding":
            self._first_encoded = done == total

    def report(self, folder: Path, report: Report) -> None:
        """What an indexing run did, and what it skipped and why."""
        parts = [
            f"{number(report.documents, 'document')} read into "
            f"{number(report.passages, 'passage')}",
            f"{number(report.unchanged, 'file')} unchanged",
        ]
        if report.removed:
            parts.append(f"{number(report.removed, 'file')} removed")
        if report.encoded:
            parts.append(f"{number(report.encoded, 'passage')} encoded")
        if report.weighed:
            parts.append(f"{number(report.weighed, 'passage')} given sparse weights")
        self.out.print(f"Index {escape(str(folder))}: {', '.join(parts)}.")
        if not report.skipped:
            return
        self.out.print(f"Skipped {len(report.skipped)}:")
        for reason, names in _by_reason(report.skipped):
            shown = ", ".join(names[:_MOST_NAMES])
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            self.out.print(Text(f"  {reason}: {shown}{more}"))

    def contents(self, index: Index, files: Sequence[IndexedFile]) -> None:
        """The files of an index by the folder that they are in, and what it holds in all."""
        for root, group in groupby(sorted(files, key=_by_root), _by_root):
            inside = list(group)
            documents = sum(file.documents for file in inside)
            counted = f"{number(len(inside), 'file')}, {number(documents, 'document')}"
            self.out.print(Text(f"{root}: {counted}", style="bold"))
            for file in inside:
                line = Text(f"  {file.path}")
                if file.problem:
                    line.append(f" (not read: {file.problem})", style="dim")
                elif file.documents != 1:
                    line.append(f" ({number(file.documents, 'document')})", style="dim")
                self.out.print(line, soft_wrap=True)
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
        self.out.print(
            f"The index in {escape(index.location)}: {number(len(files), 'file')}, "
            f"{number(documents, 'document')}, {number(passages, 'passage')} in {languages}; "
            f"{vectors}.",
            soft_wrap=True,
        )
        adapter = index.adapter if isinstance(index, Adapted) else None
        if adapter and (one := adapter.comparison):
            self.out.print(
                f"Its adapter raised nDCG@10 by {100 * (one.after - one.before):.1f} points on "
                f"{number(one.questions, 'question')}; 'anaphora adapt --remove' removes it.",
                soft_wrap=True,
            )

    def report_to_dict(self, folder: Path, report: Report) -> dict[str, Any]:
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

    def stream(self, events: Iterator[Event]) -> Answer:
        """Prints the answer of a stream as its parts arrive, and returns it."""
        with self._working() as working:
            first = next(events)
            written = False
            while not isinstance(first, TextPart | Done):
                if type(first) in _AFTER:
                    working(_AFTER[type(first)])
                written = isinstance(first, Checked) and first.statement.fate != "struck"
                first = next(events)
        parts: list[str] = []
        for event in chain([first], events):
            if isinstance(event, TextPart):
                parts.append(event.text)
                if written or len(parts) > 1:  # a reader that streams
                    new = "".join(parts) if len(parts) == 2 and not written else event.text
                    self.out.print(new, end="", markup=False)
            elif isinstance(event, Done):
                if written or len(parts) > 1:
                    self.out.print()
                    self._sources(event.answer)
                else:
                    self.answer(event.answer)
                self._second_reading(event.answer)
                self.cut(event.answer.trace.cut if event.answer.trace else None)
                self.writing(event.answer.writing)
                return event.answer
        raise AssertionError("a stream ends with Done")

    def answer(self, answer: Answer) -> None:
        """The answer with its numbered sources."""
        self._prose(_marked(answer), _code_lines(answer))
        self._sources(answer)

    def _second_reading(self, answer: Answer) -> None:
        if answer.second_reading and answer.trace:
            lang = answer.trace.understanding.lang
            offer = message("did_you_mean", lang).format(answer.second_reading)
            self.out.print()
            self._hanging(Text(offer, style="italic"), Text())

    def _prose(self, text: Text, code: frozenset[str]) -> None:
        """Lines of text: those of code indented and never wrapped, those of lists hanging."""
        if not self.out.is_terminal:
            self.out.print(text)
            return
        for line in text.split("\n", allow_blank=True):
            if _CITED.sub("", line.plain).strip() in code:
                self._code(line, 0)
            else:
                margin = _MARKER.match(line.plain)
                at = margin.end() if margin else 0
                self._hanging(line[at:], line[:at])

    def _sources(self, answer: Answer) -> None:
        if answer.citations:
            self.out.print()
        for place, citation in enumerate(answer.citations, 1):
            self._source(place, citation)

    def _source(self, place: int, citation: Citation) -> None:
        line = Text().append(f"[{place}] {citation.title or citation.doc_id}", style="bold")
        file = owners(self._folder, [citation.doc_id]) if self._folder else {}
        link = _uri(file[citation.doc_id], citation.place) if file else None
        line.append(" — ")
        line.append(
            citation.doc_id + _shown_place(citation.place), style=Style(link=link, dim=True)
        )
        self._hanging(line, Text(), indent=4)

    def sources(self, answer: Answer) -> None:
        """Each cited passage in full, the quotes marked."""
        if not answer.citations:
            self.out.print("The last answer has no sources.")
        for place, citation in enumerate(answer.citations, 1):
            self._source(place, citation)
            about = f"{citation.passage_id}, characters {citation.start} to {citation.end}"
            self.out.print(Text(" " * _INDENT + about, style="dim"))
            passage = _passage(answer, citation)
            if passage is None:
                self._hanging(Text(citation.quote), Text(" " * _INDENT))
            else:
                text = Text(passage.text)
                text.stylize("green", citation.start, citation.end)
                text.stylize(_SPAN, *(citation.span or (citation.start, citation.end)))
                self._structured(text, passage.blocks)
            self.out.print()

    def _structured(self, text: Text, blocks: Sequence[Block]) -> None:
        """A passage's text, indented, by its blocks."""
        before = 0
        for block in blocks or [Block("paragraph", 0, len(text))]:
            if "\n\n" in text.plain[before : block.start]:
                self.out.print()
            before = block.end
            part = text[block.start : block.end]
            margin = " " * (_INDENT + 2 * max(0, block.depth - 1))
            if block.kind == "code":
                self._code(part, len(margin) + 2)
                continue
            if block.kind in ("heading", "header", "term"):
                part.stylize("bold")
            marker = Text(f"{margin}{block.marker} " if block.marker else margin)
            for line in part.split("\n", allow_blank=True):
                self._hanging(line, marker)
                marker = Text(" " * cell_len(marker.plain))

    def _code(self, code: Text, indent: int) -> None:
        """Lines that keep their width: the terminal breaks them, so that they can be copied."""
        for line in code.split("\n", allow_blank=True):
            line.stylize_before(_CODE)
            margin = Text(" " * indent)
            self.out.print(margin.append_text(line), no_wrap=True, overflow="ignore", crop=False)

    def _hanging(self, text: Text, first: Text, indent: int = 0) -> None:
        """A paragraph after its marker; the other lines are indented as far as the marker is wide.

        Lines are broken where the terminal ends; nothing is where the output is no terminal.
        """
        indent = indent or cell_len(first.plain)
        if not self.out.is_terminal:
            self.out.print(first + text)
            return
        for at, line in enumerate(text.wrap(self.out, max(20, self.out.width - indent)) or [text]):
            line.rstrip()
            self.out.print((Text(" " * indent) if at else first) + line, soft_wrap=True)

    def hits(self, hits: Sequence[Hit]) -> None:
        """A ranked list: score, source and the beginning of the text."""
        if not hits:
            self.out.print("Nothing was found.")
        for hit in hits:
            line = Text(f"{hit.rank:>3}  ", style="bold")
            line.append(hit.passage.heading or hit.passage.doc_id, style="bold")
            scores = ", ".join(f"{name} {score:.3f}" for name, score in hit.sources.items())
            line.append(f"  {hit.score:.4f} ({scores})", style="dim")
            self.out.print(line)
            self.out.print(Text(f"     {hit.passage.passage_id} · {hit.passage.lang}", style="dim"))
            text = " ".join(hit.passage.text.split())
            if len(text) > _SNIPPET:
                text = text[:_SNIPPET].rstrip() + "…"
            self._hanging(Text(text), Text(" " * 5))

    def why(self, answer: Answer) -> None:
        """How an answer came about: the rewrite and its edits, the hits, the seconds."""
        trace = answer.trace
        assert trace
        rewrite = trace.rewrite
        if rewrite:
            self.out.print(
                Text("Searched for: ", style="bold").append(rewrite.text, style="not bold")
            )
            for edit in rewrite.edits:
                origin = "" if edit.source_turn is None else f" (turn {edit.source_turn + 1})"
                verb = {"insert": "inserted", "replace": "inserted", "delete": "deleted"}[edit.kind]
                line = Text(f"  {verb} “{edit.text}”", style="green")
                line.append(f" for “{edit.replaced}”" if edit.replaced else "")
                self.out.print(line.append(origin, style="dim"))
            for variant in rewrite.variants:
                self.out.print(Text(f"  and for: {variant}", style="dim"))
            if rewrite.decision:
                decided = f"Decided: {rewrite.decision} ({rewrite.confidence:.0%})"
                self.out.print(Text(f"{decided}, {rewrite.reason}"))
        else:
            self.out.print(f"Nothing was searched: the intent is {trace.understanding.intent}.")
        self.out.print(Text(f"Language: {trace.understanding.lang}"))
        if trace.hits:
            adapted = ", with the adapter of the index" if trace.adapted else ""
            self.out.print(Text(f"Found{adapted}:", style="bold"))
            self.hits(trace.hits)
        if answer.writing:
            for first, text in lines_of(answer.writing):
                self._hanging(text, first, indent=_INDENT)
        seconds = ", ".join(f"{name} {1000 * s:.0f} ms" for name, s in trace.timings.items())
        self.out.print(Text(seconds, style="dim"))


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("")
        if task.description == "reading":
            return Text(f"{speed / 1e6:.1f} MB/s", style="dim")
        return Text(f"{speed:.0f}/s", style="dim")


def _marked(answer: Answer) -> Text:
    """The answer's text with the shortest answers in it marked.

    The statement of a citation is the text from the end of the mark before up to its own mark.
    """
    text = Text(answer.text, style="italic" if answer.abstained else "")
    bare = _MARKER.sub(lambda marker: "\0" * len(marker[0]), answer.text)
    start = end = 0
    for place, citation in enumerate(answer.citations, 1):
        at = answer.text.find(f"[{place}]", end)
        if at < 0:
            break
        if answer.text[end:at].strip():
            start = end
        end = at + len(f"[{place}]")
        found = _shortest(citation, bare[start:at])
        if found:
            text.stylize(_SPAN, start + found.start(), start + found.end())
    return text


def _shortest(citation: Citation, statement: str) -> re.Match[str] | None:
    """Where a statement that holds the quote has its shortest answer."""
    if not citation.span or not citation.answer:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, citation.answer.split())))
    found = list(pattern.finditer(statement))
    if _squeezed(citation.quote) not in _squeezed(statement):
        # The cells of a row stand after their headers.
        return found[0] if len(found) == 1 else None
    earlier = pattern.findall(citation.quote[: citation.span[0] - citation.start])
    return next(iter(found[len(earlier) :]), None)


def _upgrade(index: Index | None) -> Upgrade | None:
    return index.upgrade if isinstance(index, Upgradable) else None


def _squeezed(text: str) -> str:
    return "".join(text.replace("\0", "").split())


def _passage(answer: Answer, citation: Citation) -> Passage | None:
    hits = answer.trace.hits if answer.trace else ()
    passages = (hit.passage for hit in hits if hit.passage.passage_id == citation.passage_id)
    return next(passages, None)


def _code_lines(answer: Answer) -> frozenset[str]:
    """The lines of code in the quotes, without their margins."""
    return frozenset(
        line.strip()
        for citation in answer.citations
        for block in citation.blocks
        if block.kind == "code"
        for line in citation.quote[block.start : block.end].split("\n")
        if line.strip()
    )


def _uri(path: str, fragment: str) -> str:
    posix = Path(path).as_posix()
    root = "" if posix.startswith("/") else "/"
    return f"file://{root}{quote(posix, safe='/:')}" + (
        f"#{quote(fragment, '=')}" if fragment else ""
    )


def _shown_place(fragment: str) -> str:
    """
    >>> _shown_place("L12"), _shown_place("page=3"), _shown_place("install"), _shown_place("")
    (':12', ', page 3', '#install', '')
    """
    if re.fullmatch(r"L\d+", fragment):
        return f":{fragment[1:]}"
    if re.fullmatch(r"page=\d+", fragment):
        return f", page {fragment[5:]}"
    return f"#{fragment}" if fragment else ""


def _by_root(file: IndexedFile) -> str:
    return file.root


def _by_reason(skipped: Sequence[Skipped]) -> list[tuple[str, list[str]]]:
    """Reason -> the names it holds for, the most frequent reason last."""
    names: dict[str, list[str]] = {}
    for item in skipped:
        names.setdefault(item.reason, []).append(item.name)
    return sorted(names.items(), key=lambda group: len(group[1]))


def number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
