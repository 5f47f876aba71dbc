"""What a person sees in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from threading import Timer
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBars
from rich.text import Text

from anaphora.cli.citations import SPAN, cited_passage, code_lines, marked, source_line
from anaphora.cli.indexes import completeness
from anaphora.cli.layout import INDENT, print_blocks, print_paragraph, print_prose
from anaphora.cli.statements import lines_of
from anaphora.index import Index
from anaphora.language.messages import message
from anaphora.protocols import Progress
from anaphora.records import (
    Answer,
    Checked,
    Citation,
    Claim,
    Cut,
    Done,
    Event,
    Hit,
    Reranked,
    Retrieved,
    Rewritten,
    Support,
    Understood,
    Writing,
)
from anaphora.records import Text as TextPart

_SNIPPET = 240
_DELAY = 0.5
"""Seconds after which a terminal shows which stage is running."""
_AFTER = {
    Understood: "Rewriting the question…",
    Rewritten: "Searching…",
    Retrieved: "Ranking the passages…",
    Reranked: "Reading the passages…",
}
"""What begins after an event."""


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
        """Notes what the index was left without."""
        for note in completeness(index) if index is not None else ():
            self.notify(note)

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
        print_prose(self.out, marked(answer), code_lines(answer), answer.citations[1:])
        self._sources(answer)

    def _second_reading(self, answer: Answer) -> None:
        if answer.second_reading and answer.trace:
            lang = answer.trace.understanding.lang
            offer = message("did_you_mean", lang).format(answer.second_reading)
            self.out.print()
            print_paragraph(self.out, Text(offer, style="italic"), Text())

    def _sources(self, answer: Answer) -> None:
        if answer.citations:
            self.out.print()
        for place, citation in enumerate(answer.citations, 1):
            self._source(f"[{place}]", citation)
        if answer.other_sections and answer.trace:
            lang = answer.trace.understanding.lang
            self.out.print()
            print_paragraph(self.out, Text(message("other_sections", lang)), Text())
        for citation in answer.other_sections:
            self._source("•", citation)

    def _source(self, mark: str, citation: Citation) -> None:
        print_paragraph(self.out, source_line(mark, citation, self._folder), Text(), indent=INDENT)

    def sources(self, answer: Answer) -> None:
        """Each cited passage in full, the quotes marked."""
        if not answer.citations:
            self.out.print("The last answer has no sources.")
        for place, citation in enumerate(answer.citations, 1):
            self._source(f"[{place}]", citation)
            about = f"{citation.passage_id}, characters {citation.start} to {citation.end}"
            self.out.print(Text(" " * INDENT + about, style="dim"))
            passage = cited_passage(answer, citation)
            if passage is None:
                print_paragraph(self.out, Text(citation.quote), Text(" " * INDENT))
            else:
                text = Text(passage.text)
                text.stylize("green", citation.start, citation.end)
                text.stylize(SPAN, *(citation.span or (citation.start, citation.end)))
                print_blocks(self.out, text, passage.blocks)
            self.out.print()

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
            print_paragraph(self.out, Text(text), Text(" " * 5))

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
                print_paragraph(self.out, text, first, indent=INDENT)
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
