"""How fast files of each format are indexed: HTML, PDF, Markdown and whatever else a folder holds.

    python -m bench.indexing FOLDER... [--encoder NAME] [--rounds N] [--json OUT]

For each format that the folders hold, `anaphora index` runs in a process of its own over links to
the files of that format, into a new index, and the command's wall time, processor time and largest
resident memory are measured, the start of Python included. Rates are per second of processor time,
which other work on the machine disturbs least. The index is lexical unless --encoder names the
encoder of its vectors. Figures are the medians over the rounds. The peer of HTML is selectolax,
which parses the same pages and takes the text of their bodies, and does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anaphora.ingest import Found, find_files
from anaphora.ingest.kinds import HEAD, SUFFIXES, sniff

from .table import format_table, machine

_COMMAND = "import sys; from anaphora.cli import main; sys.argv[0] = 'anaphora'; main()"


def files_by_format(folders: Sequence[Path]) -> dict[str, list[Found]]:
    """Return the files that Anaphora reads, by format; each file once."""
    formats: dict[str, list[Found]] = {}
    for found in find_files(folders, skip=Path(os.devnull)):
        if isinstance(found, Found):
            with found.path.open("rb") as file:
                kind = sniff(SUFFIXES.get(found.path.suffix.lower(), "text"), file.read(HEAD))
            formats.setdefault(kind, []).append(found)
    return formats


def index_files(files: Sequence[Found], encoder: str | None) -> dict[str, Any]:
    """Index the files once and return what was measured."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "files"
        folder.mkdir()
        for number, file in enumerate(files):
            (folder / f"{number}{file.path.suffix}").symlink_to(file.path)
        options = ["--encoder", encoder] if encoder else ["--lexical"]
        index = Path(name) / "index"
        arguments = ["index", folder, "--index", index, "--json", *options]
        start = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", _COMMAND, *map(str, arguments)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            printed = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        if not printed:
            raise SystemExit(f"anaphora index ended with code {process.returncode}")
        report = json.loads(printed)
        size = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    return {
        "seconds": seconds,
        "processor_seconds": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2),
        "documents": report["documents"],
        "passages": report["passages"],
        "skipped": Counter(item["reason"] for item in report["skipped"]),
        "index_mb": size / 1e6,
    }


def measure(files: Sequence[Found], encoder: str | None, rounds: int) -> dict[str, Any]:
    """Return a format's figures: counts, and medians over the rounds."""
    results = [index_files(files, encoder) for _ in range(rounds)]
    median = {
        key: statistics.median(result[key] for result in results)
        for key in ("seconds", "processor_seconds", "peak_mb")
    }
    megabytes = sum(file.size for file in files) / 1e6
    seconds = median["processor_seconds"]
    return {
        "files": len(files),
        "mb": megabytes,
        **results[-1],
        **median,
        "files_per_second": len(files) / seconds,
        "mb_per_second": megabytes / seconds,
        "passages_per_second": results[-1]["passages"] / seconds,
    }


def text_only(files: Sequence[Found]) -> dict[str, float]:
    """Return the rates at which selectolax alone extracts the text of HTML pages."""
    from selectolax.lexbor import LexborHTMLParser

    start = time.process_time()
    for file in files:
        body = LexborHTMLParser(file.path.read_bytes()).body
        if body is not None:
            body.text(separator=" ", strip=True)
    seconds = time.process_time() - start
    megabytes = sum(file.size for file in files) / 1e6
    return {"files_per_second": len(files) / seconds, "mb_per_second": megabytes / seconds}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--encoder", help="also encode the passages with this encoder")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures to this file")
    options = parser.parse_args()
    formats = files_by_format(options.folders)
    if not formats:
        parser.error("the folders hold no files that Anaphora reads")
    figures = {
        name: measure(formats[name], options.encoder, options.rounds) for name in sorted(formats)
    }
    columns = ("format", "files", "MB", "passages", "seconds", "CPU s", "files/s", "MB/s")
    rows = [
        (
            name,
            *(found[key] for key in ("files", "mb", "passages", "seconds", "processor_seconds")),
            *(found[key] for key in ("files_per_second", "mb_per_second", "passages_per_second")),
            found["peak_mb"],
        )
        for name, found in figures.items()
    ]
    print(format_table((*columns, "passages/s", "peak MB"), rows))
    if "html" in formats:
        figures["html"]["peer"] = peer = text_only(formats["html"])
        print(
            "selectolax, the text of the HTML pages only: "
            f"{peer['files_per_second']:,.0f} files/s, "
            f"{peer['mb_per_second']:,.1f} MB/s"
        )
    if options.json:
        result = {"machine": machine(), "encoder": options.encoder, "formats": figures}
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
