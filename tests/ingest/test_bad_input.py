"""What bad input gets: sane blocks, exact offsets, and time in proportion to its size.

The time is measured in calls of functions. Where a function of C could take time quadratic in its
argument, as a regular expression can, the input is so large that such a test would not end.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.blocks import check_passages
from support.ingest_files import pdf

from anaphora.ingest.content import Composed
from anaphora.ingest.reading import read
from anaphora.ingest.splitting import split
from anaphora.read.extracts import extract, shown_blocks
from anaphora.read.rendering import rendered
from anaphora.records import Document, Span

ROW = "<tr><td>{0}</td><td>{0}</td></tr>"
WIDE = "<td>cell</td>"
SOURCES: dict[str, tuple[int, Callable[[int], str]]] = {
    "wide table.html": (500, lambda n: f"<table>{f'<tr>{WIDE * n}</tr>' * 8}</table>"),
    "page that is a table.html": (300, lambda n: f"<table>{ROW.format('the value') * n}</table>"),
    "table from the right.html": (
        300,
        lambda n: f"<html dir=rtl><table>{ROW.format('القيمة')[:-5] * n}</table>",
    ),
    "tables in tables.html": (100, lambda n: "<table><tr><td>a</td><td>" * n),
    "list nested deep.html": (50, lambda n: "<ul><li>An item here." * n),
    "long list.html": (300, lambda n: f"<p>Do:</p><ol>{'<li>Do the next step.' * n}</ol>"),
    "long code.html": (2_000, lambda n: f"<p>Run:</p><pre>{'int x = 1; // one' * n}</pre>"),
    "lines of code.html": (500, lambda n: "<p>Run:</p><pre>" + "int x = 1;\n" * n),
    "no block.html": (300, lambda n: "The pump stops. กรุงเทพ 水泵停止。 " * n),
    "breaks.html": (300, lambda n: "The pump<br>" * n),
    "headings.html": (200, lambda n: "<h1>A</h1><h2>B</h2>" * n + "<p>The pump"),
    "lists of links.html": (200, lambda n: "<ul><li><a href=a>A</a></ul>" * n + "<p>The pump"),
    "terms.html": (200, lambda n: f"<dl>{'<dt>pump<dd>It lifts water.' * n}</dl>"),
    "notes.html": (200, lambda n: "<div class=note><h3>Note</h3><p>Hot.</p></div>" * n),
    "terms in a table.html": (200, lambda n: f"<table>{'<tr><td>pump<td>It is<ul><li>a' * n}"),
    "prose in pre.html": (100, lambda n: f"<pre>{'Water is lifted. It is hot then.  ' * 9 * n}"),
    "links.html": (200, lambda n: "<p>1 <a href=a>A</a><p><a href=a>A</a> <a href=b>B</a>" * n),
    "wide table.md": (300, lambda n: f"|{'a|' * n}\n|{'-|' * n}\n" + f"|{'b|' * n}\n" * 4),
    "long table.md": (300, lambda n: "|a|b|\n|-|-|\n" + "|pump|水泵|\n" * n),
    "nested lists.md": (
        20,
        lambda n: "".join(f"{'  ' * level}- item\n" for level in range(50)) * n,
    ),
    "brackets.md": (300, lambda n: "[a](*b **c " * n),
    "long list.txt": (300, lambda n: "Do:\n\n" + "- ปั๊มหยุดทำงาน\n" * n),
    "lines.txt": (300, lambda n: "A line of words that is as long as an editor wraps it\n" * n),
    "lines without stops.txt": (300, lambda n: "打开文件时使用的快捷键组合是 Ctrl+O\n" * n),
    "underlined.txt": (200, lambda n: "Title\n=====\n\nТекст раздела.\n\n" * n),
    "fences.txt": (200, lambda n: "```\nx\n\n" * n),
    "grids.txt": (200, lambda n: "+---+---+\n| a | 水 |\n+---+---+\n\n" * n),
    "one grid.txt": (200, lambda n: "+---+---+\n| a | 水 |\n" * n),
    "bars.txt": (200, lambda n: "| a | b |\n| a | b | c |\n" * n),
    "columns.txt": (200, lambda n: "=== ===\nปั๊ม  b\n\n" * n),
    "wiki.txt": (200, lambda n: "== ปั๊ม ==\n\n'''\n[[x]]\n'''\n\n**It** lifts.\n\n" * n),
    "footnotes.txt": (200, lambda n: ".. [#] It lifts\n   water.\n\n" * n),
    "one word.txt": (5_000, lambda n: "ก" * n),
    "marks.txt": (20_000, lambda n: "a" + "\u0301" * n),
}


def whole_way(path: Path) -> None:
    """Reads, splits and shows a file, and checks the offsets."""
    for document in read(path, path.name):
        assert isinstance(document, Document)
        passages = split(document)
        for passage in passages:
            assert document.text[passage.start : passage.end] == passage.text
        middle = passages[len(passages) // 2]
        start, end = extract(middle, [Span(0, 1, 1.0)], 300)
        assert rendered(middle.text[start:end], shown_blocks(middle, start, end))


def calls(work: Callable[[], None]) -> int:
    """How many functions of Python and of C were called."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", SOURCES)
def test_twice_the_input_is_twice_the_work(tmp_path: Path, name: str) -> None:
    size, make = SOURCES[name]
    path = tmp_path / name
    path.write_text(make(size), "utf-8")
    whole_way(path)  # the first time patterns are compiled
    counts = []
    for factor in (1, 2, 4):
        path.write_text(make(factor * size), "utf-8")
        counts.append(calls(lambda: whole_way(path)))
    assert counts[2] - counts[1] < 2.2 * (counts[1] - counts[0]) + 500


@pytest.mark.parametrize("name", SOURCES)
def test_its_blocks_hold_its_text(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(SOURCES[name][1](40), "utf-8")
    for document in read(path, name):
        assert isinstance(document, Document)
        check_passages(Composed(document.text, document.sections, document.blocks))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("code.html", "<p>Run:</p><pre>" + "x" * 2_000_000),
        ("lines.html", "<p>Run:</p><pre>" + "int x = 1;\n" * 180_000),
        ("tag.html", "<?xml?><p>One.</p>" + "<a " * 300_000),
        ("data.html", "<?xml?><html xmlns='x'><p>One." + "<![CDATA[" * 500_000),
        ("meta.html", "<p>One.</p>" + "<meta " * 300_000),
        ("dots.txt", "One.\n" + "." * 2_000_000),
        ("spaces.txt", "a" + " " * 2_000_000 + "b"),
        ("marks.md", "*a_" * 3_000),
    ],
)
def test_large_input_ends(tmp_path: Path, name: str, source: str) -> None:
    path = tmp_path / name
    path.write_text(source, "utf-8")
    documents = [one for one in read(path, name) if isinstance(one, Document)]
    assert all(len(passage.text) <= 2_000 for one in documents for passage in split(one))


def test_a_large_page_of_a_pdf(tmp_path: Path) -> None:
    rows = ["\t".join(["cell"] * 12)] * 20
    hyphens = ["A long line that ends in a hyphen-", "ated word and goes on to its hyphen-"] * 20

    def work(factor: int) -> Callable[[], None]:
        pages = [rows * factor, ["الأقلام لا الكتب"[::-1]] * 20 * factor, hyphens * factor]
        path = pdf(tmp_path / f"{factor}.pdf", pages)
        return lambda: whole_way(path)

    work(1)()
    counts = [calls(work(factor)) for factor in (2, 4, 8)]
    assert counts[2] - counts[1] < 2.2 * (counts[1] - counts[0])
