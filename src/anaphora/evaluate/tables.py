"""Tables as text, CSV, LaTeX and HTML, and a comparison as a table.

The best of a column and marks of significance show in all four: in LaTeX and HTML as bold and a
superscript, in text as characters behind the value, in CSV in a column of their own.
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len

from anaphora.evaluate.compare import Comparison

Format = Literal["text", "csv", "latex", "html"]
Value = str | int | float | None

LEVELS = ((0.01, "‡"), (0.05, "†"))
"""Marks of a corrected p under each level, the strictest first."""
BEST = "*"

_TEST_NAMES = {"randomisation": "paired randomisation test", "bootstrap": "paired bootstrap test"}
_CORRECTION_NAMES = {
    "holm": "Holm's correction for {}",
    "bonferroni": "Bonferroni's correction for {}",
    "bh": "Benjamini and Hochberg's correction for {}",
    "none": "no correction for {}",
}
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # A row that begins with a bracket would be read as an argument of the line break before it.
        "[": "{[}",
        "]": "{]}",
        "†": r"$^{\dagger}$",
        "‡": r"$^{\ddagger}$",
        **{char: rf"\{char}" for char in "&%$#_{}"},
    }
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A name, a number or nothing; `mark` stands behind it, such as "†"."""

    value: Value
    best: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of as many cells as the header has columns."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Of each column, whether it holds no text."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        return tuple(not any(isinstance(cell.value, str) for cell in cells) for cells in columns)

    @property
    def marked(self) -> tuple[bool, ...]:
        """Of each column, whether some cell is the best or has a mark."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        return tuple(any(cell.best or cell.mark for cell in cells) for cells in columns)

    @property
    def has_best(self) -> bool:
        return any(cell.best for row in self.rows for cell in row)


def summary(comparison: Comparison) -> Table:
    """A row a system, a column a metric: the means."""
    rows = []
    for system in comparison.systems:
        cells = [Cell(system)]
        for metric in comparison.metrics:
            cells.append(_mean(comparison, metric, system))
        rows.append(tuple(cells))
    fewest, most = min(comparison.turns.values()), max(comparison.turns.values())
    turns = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
    caption = f"Means over {turns} turns. {_explained(comparison)}"
    return Table(("system", *comparison.metrics), tuple(rows), caption)


def details(comparison: Comparison) -> Table:
    """A row a metric and system: everything that is known of it."""
    rows = []
    for metric, of_metric in comparison.results.items():
        for system, result in of_metric.items():
            cells = [Cell(metric), Cell(system), Cell(comparison.turns[metric])]
            cells += [_mean(comparison, metric, system), Cell(result.low), Cell(result.high)]
            one = result.difference
            if one is None:
                cells += [Cell(None)] * 7
            else:
                values = (one.mean, one.effect, one.p, one.corrected, one.wins, one.ties)
                cells += [Cell(value) for value in (*values, one.losses)]
            rows.append(tuple(cells))
    header = ("metric", "system", "turns", "mean", "low", "high", "difference", "effect", "p")
    caption = f"Means with their 95% bootstrap intervals. {_explained(comparison)}"
    return Table((*header, "corrected p", "wins", "ties", "losses"), tuple(rows), caption)


def as_text(table: Table) -> str:
    """Aligned columns; a wide character counts as the two columns that a terminal gives it."""
    grid = [[_plain(name) for name in table.header]]
    for row in table.rows:
        grid.append([_plain(_shown(cell.value)) for cell in row])
    marks = [[BEST * cell.best + cell.mark for cell in row] for row in table.rows]
    columns = []
    for at, numeric in enumerate(table.numeric):
        tail = max((cell_len(line[at]) for line in marks), default=0)
        bodies = [line[at] for line in grid]
        # Marks are padded so that values stay in line; the header stands over both.
        tails = ["", *(line[at] + " " * (tail - cell_len(line[at])) for line in marks)]
        cells = [body + end for body, end in zip(bodies, tails, strict=True)]
        width = max(map(cell_len, cells))
        gaps = [" " * (width - cell_len(cell)) for cell in cells]
        columns.append(
            [gap + cell if numeric else cell + gap for gap, cell in zip(gaps, cells, strict=True)]
        )
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    lines.insert(1, "  ".join("─" * cell_len(column[0]) for column in columns))
    notes = [f"{BEST} Best."] if table.has_best else []
    notes += [table.caption] if table.caption else []
    return "\n".join([*lines, "", *notes] if notes else lines) + "\n"


def as_csv(table: Table) -> str:
    """RFC 4180; behind a column with marks stands another that holds them.

    >>> as_csv(Table(("system", "MRR"), ((Cell("a"), Cell(0.5, best=True, mark="†")),)))
    'system,MRR,MRR mark\\r\\na,0.5,*†\\r\\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    marked = table.marked
    header = []
    for name, extra in zip(table.header, marked, strict=True):
        header += [name, f"{name} mark"] if extra else [name]
    writer.writerow(header)
    for row in table.rows:
        fields: list[Value] = []
        for cell, extra in zip(row, marked, strict=True):
            value = round(cell.value, 6) if isinstance(cell.value, float) else cell.value
            fields += [value, BEST * cell.best + cell.mark] if extra else [value]
        writer.writerow(fields)
    return out.getvalue()


def as_latex(table: Table) -> str:
    """A table environment for the package booktabs."""
    caption = _latex(" ".join(_sentences(table)))
    lines = [r"\begin{table}", r"\centering"]
    lines += [rf"\caption{{{caption}}}"] if caption else []
    alignment = "".join("r" if numeric else "l" for numeric in table.numeric)
    lines += [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    lines += [" & ".join(map(_latex, table.header)) + r" \\", r"\midrule"]
    for row in table.rows:
        cells = []
        for cell in row:
            text = _latex(_shown(cell.value))
            if not isinstance(cell.value, str) and text.startswith("-"):
                text = f"${text[0]}${text[1:]}"
            cells.append((rf"\textbf{{{text}}}" if cell.best else text) + _latex(cell.mark))
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]) + "\n"


def as_html(table: Table) -> str:
    """A `<table>` to put into a page; names take the direction of their own script."""
    lines = ["<table>"]
    caption = " ".join(_sentences(table))
    lines += [f'<caption dir="auto">{html.escape(caption)}</caption>'] if caption else []
    heads = "".join(f'<th scope="col" dir="auto">{html.escape(name)}</th>' for name in table.header)
    lines += [f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
    for row in table.rows:
        lines.append(f"<tr>{''.join(_html(cell, not at) for at, cell in enumerate(row))}</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"]) + "\n"


RENDERERS: Mapping[Format, Callable[[Table], str]] = {
    "text": as_text,
    "csv": as_csv,
    "latex": as_latex,
    "html": as_html,
}


def _mean(comparison: Comparison, metric: str, system: str) -> Cell:
    result = comparison.results[metric][system]
    p = result.difference.corrected if result.difference else 1.0
    mark = next((mark for level, mark in LEVELS if p < level), "")
    return Cell(result.mean, system in comparison.best(metric), mark)


def _explained(comparison: Comparison) -> str:
    levels = " and ".join(f"p < {level}" for level, _ in reversed(LEVELS))
    marks = " and ".join(mark for _, mark in reversed(LEVELS))
    count = f"{comparison.tests} test" + "s" * (comparison.tests > 1)
    correction = _CORRECTION_NAMES[comparison.correction].format(count)
    return (
        f"{marks}: differs from “{comparison.baseline}” at {levels} "
        f"({_TEST_NAMES[comparison.test]}, {correction})."
    )


def _sentences(table: Table) -> list[str]:
    bold = ["Bold: best."] if table.has_best else []
    return [table.caption, *bold] if table.caption else bold


def _shown(value: Value) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _latex(text: str) -> str:
    return _plain(text).translate(_LATEX)


def _html(cell: Cell, first: bool) -> str:
    text = html.escape(_shown(cell.value))
    text = f"<strong>{text}</strong>" if cell.best else text
    text += f"<sup>{html.escape(cell.mark)}</sup>" if cell.mark else ""
    direction = ' dir="auto"' if isinstance(cell.value, str) else ""
    return f'<th scope="row"{direction}>{text}</th>' if first else f"<td{direction}>{text}</td>"
