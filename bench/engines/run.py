"""The worker: one engine in a process of its own, driven by JSON lines on standard input.

    PYTHON -m bench.engines.run ENGINE FOLDER TEXT CORPUS QUERIES

Commands: {"do": "build"} · {"do": "open"} · {"do": "time", "model", "threads", "k"} ·
{"do": "latency", "model", "k", "count"} · {"do": "rank", "model", "k"}. Each is answered by one
JSON line; `{"error": …}` means that the engine failed and `{"skipped": …}` that it is not here.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from bench.engines.base import MODELS, Index, MissingEngineError, read_corpus

ENGINES = {
    "anaphora": ("bench.engines.anaphora", "Anaphora"),
    "bm25s": ("bench.engines.bm25s", "Bm25s"),
    "rank_bm25": ("bench.engines.rank_bm25", "RankBm25"),
    "tantivy": ("bench.engines.tantivy", "Tantivy"),
    "pisa": ("bench.engines.pisa", "Pisa"),
    "lucene": ("bench.engines.lucene", "Lucene"),
}


def engine_class(name: str) -> type[Index]:
    """Return the class of the engine of this name; its library is not loaded yet."""
    module, class_name = ENGINES[name]
    found: type[Index] = getattr(importlib.import_module(module), class_name)
    return found


def memory() -> dict[str, int]:
    """Return this process's resident bytes: now, the peak, and now without mapped files."""
    fields = {"VmRSS": "resident", "VmHWM": "peak", "RssAnon": "anonymous"}
    found = {}
    try:
        with open("/proc/self/status") as status:
            for line in status:
                name, _, value = line.partition(":")
                if name in fields:
                    found[fields[name]] = int(value.split()[0]) * 1024
    except OSError:
        import resource

        unit = 1 if platform.system() == "Darwin" else 1024
        found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return found


def folder_size(folder: Path) -> int:
    """Return the bytes of all files below the folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Worker:
    """Answers the commands for one engine on one corpus."""

    def __init__(self, engine: Index, folder: Path, text: str, corpus: Path, queries: Path):
        self.engine = engine
        self.folder = folder
        self.text = text
        self.corpus = corpus
        self.queries = [query for _, query in read_corpus(queries)]
        self.queries = self.queries[: engine.most_queries]

    def build(self, _: dict[str, Any]) -> dict[str, Any]:
        self.folder.mkdir(parents=True, exist_ok=True)
        start = time.perf_counter()
        count = self.engine.build(self.corpus, self.folder, self.text)
        seconds = time.perf_counter() - start
        size = folder_size(self.folder)
        return {"passages": count, "seconds": seconds, "bytes": size, "memory": memory()}

    def open(self, _: dict[str, Any]) -> dict[str, Any]:
        start = time.perf_counter()
        self.engine.open(self.folder, self.text, self.corpus)
        opened = time.perf_counter() - start
        for kind in self.engine.models:
            for threads in self.engine.thread_counts:
                self.engine.search(self.queries[:50], 100, MODELS[kind], threads)
        ready = time.perf_counter() - start
        return {
            "seconds": opened,
            "warm_seconds": ready,
            "models": self.engine.models,
            "thread_counts": self.engine.thread_counts,
            "version": self.engine.version(),
        }

    def time(self, command: dict[str, Any]) -> dict[str, Any]:
        model = MODELS[command["model"]]
        start, cpu_start = time.perf_counter(), time.process_time()
        found = self.engine.search(self.queries, command["k"], model, command["threads"])
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
        return {
            "queries": len(self.queries),
            "seconds": seconds,
            "cpu_seconds": cpu,
            "hits": sum(map(len, found)),
            "memory": memory(),
        }

    def latency(self, command: dict[str, Any]) -> dict[str, Any]:
        model = MODELS[command["model"]]
        times = []
        for query in self.queries[: command["count"]]:
            start = time.perf_counter()
            self.engine.search([query], command["k"], model, 1)
            times.append(time.perf_counter() - start)
        return {"p50": percentile(times, 0.5), "p95": percentile(times, 0.95)}

    def rank(self, command: dict[str, Any]) -> dict[str, Any]:
        model = MODELS[command["model"]]
        return {"rankings": self.engine.search(self.queries, command["k"], model, 1)}


def main() -> None:
    name, folder, text, corpus, queries = sys.argv[1:]
    # Libraries print to standard output, some below Python: answers go to a private copy of it.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(value: dict[str, Any]) -> None:
        print(json.dumps(value), file=answers, flush=True)

    try:
        engine = engine_class(name)()
    except (MissingEngineError, ImportError) as error:
        answer({"skipped": str(error)})
        return
    worker = Worker(engine, Path(folder), text, Path(corpus), Path(queries))
    answer({"ready": True})
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer(getattr(worker, command["do"])(command))
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
