"""Lexical search: Anaphora and its peers on the same passages, in the same run.

    python -m bench.lexical --data DATA --work WORK --peer-python PYTHON

Every engine works in a process of its own. Builds come first, one engine at a time; then all
searchers stay open and are timed in turn, round after round, so that a slow minute of the machine
touches all of them; the table shows medians over the rounds. `raw` lets each engine analyse the
text in its own way; `terms` hands all of them the same finished terms. Queries per second of
processor time (one thread) are shown in addition to wall-clock time: they suffer less from other
load.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from bench.corpora import Corpus, make_corpus
from bench.engines.run import ENGINES, engine_class
from bench.table import format_table, machine, save
from bench.workers import EngineFailedError, EngineProcess, interpreter

K = 100
LATENCY_QUERIES = 200
COLUMNS = (
    "engine model",
    "index/s",
    "build MB",
    "disk MB",
    "q/s 1 thread",
    "q/s 2 threads",
    "q/cpu s",
    "p50 ms",
    "p95 ms",
    "search MB",
    "load s",
)
MB = 1e6


class Comparison:
    """One table: a passage set in one text form, all engines."""

    def __init__(
        self,
        corpus: Corpus,
        text: str,
        engines: Sequence[str],
        work: Path,
        peer_python: str,
        rounds: int,
        build_rounds: int,
        reuse: str | None,
        log: Any = None,
    ) -> None:
        self.corpus = corpus
        self.text = text
        self.work = work
        self.peer_python = peer_python
        self.rounds = rounds
        self.build_rounds = build_rounds
        self.reuse = reuse
        self.log = log
        self.notes: list[str] = []
        self.builds: dict[str, dict[str, Any]] = {}
        self.searches: dict[str, dict[str, Any]] = {}
        self.engines = [name for name in engines if self._offered(name)]

    def _offered(self, name: str) -> bool:
        engine = engine_class(name)
        if self.text not in engine.texts:
            return False
        if engine.largest is not None and self.corpus.size > engine.largest:
            self.notes.append(f"skipped: {name}: too slow beyond {engine.largest:,} passages")
            return False
        return True

    def _folder(self, name: str) -> Path:
        return self.work / f"index-{self.corpus.size}-{self.text}-{name}"

    def _start(self, name: str) -> EngineProcess:
        return EngineProcess(
            name,
            interpreter(name, self.peer_python),
            self._folder(name),
            self.text,
            self.corpus.passages(self.text),
            self.corpus.queries(self.text),
            self.log,
        )

    def _drop(self, name: str, reason: str) -> None:
        self.engines.remove(name)
        self.notes.append(reason)

    def _reusable(self, name: str) -> bool:
        return self.reuse == "all" or (self.reuse == "peers" and name != "anaphora")

    def build(self) -> None:
        """Index with every engine, `build_rounds` times in turn; the last index is kept."""
        for round_number in range(self.build_rounds):
            for name in list(self.engines):
                figures = self._folder(name).with_suffix(".json")
                if self._reusable(name) and figures.exists() and self._folder(name).exists():
                    self.builds[name] = json.loads(figures.read_text()) | {"reused": True}
                    continue
                shutil.rmtree(self._folder(name), ignore_errors=True)
                figures.unlink(missing_ok=True)
                try:
                    with self._start(name) as process:
                        if process.skipped:
                            self._drop(name, f"skipped: {name}: {process.skipped}")
                            continue
                        built = process.ask("build")
                except EngineFailedError as error:
                    self._drop(name, f"failed: {error}")
                    continue
                seconds = [*self.builds.get(name, {}).get("rounds", []), built["seconds"]]
                self.builds[name] = {**built, "rounds": seconds, "seconds": median(seconds)}
                if round_number == self.build_rounds - 1:
                    figures.write_text(json.dumps(self.builds[name]))

    def search(self) -> None:
        """Open all indexes and time the engines in turn."""
        with ExitStack() as stack:
            processes: dict[str, EngineProcess] = {}
            for name in list(self.engines):
                try:
                    process = processes[name] = stack.enter_context(self._start(name))
                    if process.skipped:
                        self._drop(name, f"skipped: {name}: {process.skipped}")
                        continue
                    self.searches[name] = {"open": process.ask("open"), "runs": []}
                except EngineFailedError as error:
                    self._drop(name, f"failed: {error}")
            for round_number in range(self.rounds):
                for name in list(self.engines):
                    try:
                        self._time(name, processes[name], round_number)
                    except EngineFailedError as error:
                        self._drop(name, f"failed: {error}")

    def _time(self, name: str, process: EngineProcess, round_number: int) -> None:
        engine = engine_class(name)
        runs = self.searches[name]["runs"]
        for model in engine.models:
            run: dict[str, Any] = {"model": model, "round": round_number}
            for threads in engine.thread_counts:
                timed = process.ask("time", model=model, threads=threads, k=K)
                run[f"rate_{threads}"] = timed["queries"] / timed["seconds"]
                run[f"cpu_rate_{threads}"] = timed["queries"] / timed["cpu_seconds"]
                run["memory"] = timed["memory"]
            run.update(process.ask("latency", model=model, k=K, count=LATENCY_QUERIES))
            runs.append(run)

    def rows(self) -> list[list[Any]]:
        """Return the table's rows, medians over the rounds."""
        rows = []
        for name in self.engines:
            build, search = self.builds[name], self.searches[name]
            for model in search["open"]["models"]:
                runs = [run for run in search["runs"] if run["model"] == model]

                def middle(key: str, runs: list[dict[str, Any]] = runs) -> float | None:
                    values = [run[key] for run in runs if key in run]
                    return median(values) if values else None

                rows.append(
                    [
                        f"{name} {model}",
                        build["passages"] / build["seconds"],
                        build["memory"]["peak"] / MB,
                        build["bytes"] / MB,
                        middle("rate_1"),
                        middle("rate_2"),
                        middle("cpu_rate_1"),
                        (middle("p50") or 0) * 1e3,
                        (middle("p95") or 0) * 1e3,
                        max(run["memory"]["peak"] for run in runs) / MB,
                        search["open"]["seconds"],
                    ]
                )
        return rows

    def ratios(self) -> list[str]:
        """Return Anaphora's single-thread throughput over each peer's, round against round."""
        if "anaphora" not in self.engines:
            return []

        def rates(name: str, model: str) -> dict[int, float]:
            runs = self.searches[name]["runs"]
            return {run["round"]: run["rate_1"] for run in runs if run["model"] == model}

        lines = []
        for name in self.engines:
            for model in self.searches[name]["open"]["models"]:
                ours, theirs = rates("anaphora", model), rates(name, model)
                shared = ours.keys() & theirs.keys()
                if name != "anaphora" and shared:
                    ratio = median(ours[number] / theirs[number] for number in shared)
                    lines.append(f"anaphora / {name}, {model}, one thread: {ratio:.2f}")
        return lines

    def report(self) -> str:
        """Return the table with its notes."""
        title = f"{self.corpus.size:,} passages, text: {self.text}, top {K}"
        table = format_table(COLUMNS, self.rows())
        notes = [*self.ratios(), *self.notes]
        reused = [name for name in self.engines if self.builds[name].get("reused")]
        if reused:
            # Another run, another load on the machine: these rates compare with no other row's.
            notes.append(f"index/s and build MB are an earlier run's for: {', '.join(reused)}")
        return "\n".join([title, table, *notes])

    def result(self) -> dict[str, Any]:
        """Return everything measured, for the JSON file."""
        return {
            "passages": self.corpus.size,
            "text": self.text,
            "k": K,
            "builds": self.builds,
            "searches": self.searches,
            "notes": self.notes,
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that every benchmark with peers understands."""
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--work", type=Path, required=True, help="folder for corpora and indexes")
    parser.add_argument(
        "--peer-python", default=sys.executable, help="Python interpreter that has the peers"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--texts", nargs="+", choices=["raw", "terms"], default=["raw", "terms"])
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--reuse",
        choices=["peers", "all"],
        nargs="?",
        const="peers",
        help="take the indexes of an earlier run: the peers' (the default), or Anaphora's as well",
    )
    parser.add_argument("--verbose", action="store_true", help="show what the engines print")


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Run all comparisons, printing each table when it is done."""
    results = []
    for size in options.sizes:
        corpus = make_corpus(options.data, options.work, size)
        for text in options.texts:
            comparison = Comparison(
                corpus,
                text,
                options.engines,
                options.work,
                options.peer_python,
                options.rounds,
                3 if size <= 100_000 else 1,
                options.reuse,
                sys.stderr if options.verbose else None,
            )
            comparison.build()
            comparison.search()
            print(comparison.report(), end="\n\n", flush=True)
            results.append(comparison.result())
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser)
    options = parser.parse_args()
    facts = machine()
    results = run(options)
    print(f"written: {save('lexical', {'machine': facts, 'lexical': results})}")


if __name__ == "__main__":
    main()
