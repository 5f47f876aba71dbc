"""What a person sees in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBars
from rich.text import Text

from anaphora.ingest import Skipped
from anaphora.ingest.update import Report
from anaphora.protocols import Progress, no_progress
from anaphora.records import Answer, Citation, Cut, Done, Event, Hit
from anaphora.records import Text as TextPart

_MOST_NAMES = 3
_SNIPPET = 240
_SPAN = "bold green"


class Screen:
    """Results go to standard output; progress and notes to standard error."""

    def __init__(self) -> None:
        self.out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
        self.err = Console(stderr=True, highlight=False)

    def notify(self, line: str) -> None:
        """A note in one line, such as that something slow has begun."""
        self.err.print(f"[dim]{escape(line)}[/dim]", soft_wrap=True)

    def cut(self, cut: Cut | None) -> None:
        """A note where a time limit ended a stage early."""
        if cut:
            self.notify(f"Note: {cut}.")

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """A bar for each kind of work; nothing where standard error is not a terminal."""
        if not self.err.is_terminal:
            yield no_progress
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

            yield advance

    def report(self, folder: Path, report: Report) -> None:
        """What an indexing run did, and what it skipped and why."""
        parts = [
            f"{_number(report.documents, 'document')} read into "
            f"{_number(report.passages, 'passage')}",
            f"{_number(report.unchanged, 'file')} unchanged",
        ]
        if report.removed:
            parts.append(f"{_number(report.removed, 'file')} removed")
        if report.encoded:
            parts.append(f"{_number(report.encoded, 'passage')} encoded")
        self.out.print(f"Index {escape(str(folder))}: {', '.join(parts)}.")
        if not report.skipped:
            return
        self.out.print(f"Skipped {len(report.skipped)}:")
        for reason, names in _by_reason(report.skipped):
            shown = ", ".join(names[:_MOST_NAMES])
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            self.out.print(Text(f"  {reason}: {shown}{more}"))

    def report_to_dict(self, folder: Path, report: Report) -> dict[str, Any]:
        return {
            "index": str(folder),
            "documents": report.documents,
            "passages": report.passages,
            "unchanged": report.unchanged,
            "removed": report.removed,
            "encoded": report.encoded,
            "skipped": [{"name": item.name, "reason": item.reason} for item in report.skipped],
        }

    def stream(self, events: Iterator[Event]) -> Answer:
        """Prints the answer of a stream as its parts arrive, and returns it."""
        parts: list[str] = []
        for event in events:
            if isinstance(event, TextPart):
                parts.append(event.text)
                if len(parts) > 1:  # a reader that streams
                    new = "".join(parts) if len(parts) == 2 else event.text
                    self.out.print(new, end="", markup=False)
            elif isinstance(event, Done):
                if len(parts) > 1:
                    self.out.print()
                    self._sources(event.answer)
                else:
                    self.answer(event.answer)
                self.cut(event.answer.trace.cut if event.answer.trace else None)
                return event.answer
        raise AssertionError("a stream ends with Done")

    def answer(self, answer: Answer) -> None:
        """The answer with its numbered sources."""
        self.out.print(_marked(answer))
        self._sources(answer)

    def _sources(self, answer: Answer) -> None:
        if answer.citations:
            self.out.print()
        for number, citation in enumerate(answer.citations, 1):
            self._source(number, citation)

    def _source(self, number: int, citation: Citation) -> None:
        line = Text(f"[{number}] ", style="bold")
        line.append(citation.title or citation.doc_id, style="bold")
        line.append(f"  {citation.passage_id} · {citation.start}–{citation.end}", style="dim")
        self.out.print(line)

    def sources(self, answer: Answer) -> None:
        """Each cited passage in full, the quotes marked."""
        hits = answer.trace.hits if answer.trace else ()
        if not answer.citations:
            self.out.print("The last answer has no sources.")
        texts = {hit.passage.passage_id: hit.passage.text for hit in hits}
        for number, citation in enumerate(answer.citations, 1):
            self._source(number, citation)
            text = Text(texts.get(citation.passage_id, citation.quote))
            if citation.passage_id in texts:
                text.stylize("green", citation.start, citation.end)
                text.stylize(_SPAN, *(citation.span or (citation.start, citation.end)))
            self._indented(text, 4)
            self.out.print()

    def _indented(self, text: Text, by: int) -> None:
        if self.out.is_terminal:
            self.out.print(Padding(text, (0, 0, 0, by)))
        else:
            for line in text.split("\n"):
                self.out.print(Text(" " * by).append_text(line))

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
            self._indented(Text(text), 5)

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
            self.out.print(Text("Found:", style="bold"))
            self.hits(trace.hits)
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
    """The answer's text with the shortest answers in it marked."""
    text = Text(answer.text, style="italic" if answer.abstained else "")
    after = 0
    for citation in answer.citations:
        quote = _one_line(citation.quote)
        at = answer.text.find(quote, after)
        if citation.span and at >= 0:
            before = citation.quote[: citation.span[0] - citation.start]
            start = at + len(_one_line(before + ".")) - 1
            text.stylize(_SPAN, start, start + len(_one_line(citation.answer)))
            after = at + len(quote)
    return text


def _one_line(quote: str) -> str:
    """A quote as the text of an answer has it."""
    return " ".join(quote.split())


def _by_reason(skipped: Sequence[Skipped]) -> list[tuple[str, list[str]]]:
    """Reason -> the names it holds for, the most frequent reason last."""
    names: dict[str, list[str]] = {}
    for item in skipped:
        names.setdefault(item.reason, []).append(item.name)
    return sorted(names.items(), key=lambda group: len(group[1]))


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
