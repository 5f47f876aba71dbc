"""A whole turn: its latency by stage, the cold start of `ask`, memory, and dense indexing.

    python -m bench.turn --data DATA --work WORK [--pipeline SETTINGS]...

Dense indexing is timed on a small set, with the real encoder. The latency is taken on the large
one: encoding that would take the better part of an hour, so its vectors are those of the small set
drawn again and again with a little noise. The search has the same work to do with them; everything
else (text, postings, encoding of the question, reading) is real. The turns are mtRAG's
conversations, each with the user's turns before it. Several pipelines, such as default and
rerank.method=none, answer them one after the other.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from bench import lexical
from bench.corpora import make_corpus, read_lines
from bench.engines.run import folder_size, percentile
from bench.table import format_table, machine, save
from bench.workers import ROOT

DENSE_PASSAGES = 1000
TURN_PASSAGES = 100_000
TURNS = 200
COLD_STARTS = 7
QUESTION = "What are the benefits of keeping documents in the cloud?"


class StepFailedError(Exception):
    """A command of Anaphora's failed; the message is its last line."""


def anaphora(*arguments: str) -> str:
    """Run the command line as a user would and return what it prints."""
    script = Path(sys.executable).with_name("anaphora")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "anaphora.cli"]
    done = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise StepFailedError(f"anaphora {arguments[0]}: {lines[-1]}")
    return done.stdout


def conversations(data: Path, count: int) -> list[list[str]]:
    """Return real conversations as the list of the user's turns up to the question."""
    found = []
    for path in sorted(data.glob("mtrag/*/*_questions.jsonl")):
        for record in read_lines(path):
            turns = record["text"].split("|user|:")
            found.append([" ".join(turn.split()) for turn in turns if turn.strip()])
    step = max(1, len(found) // count)
    return found[::step][:count]


def take(source: Path, target: Path, count: int) -> None:
    """Copy the first lines of a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8") as out:
        out.writelines(islice(lines, count))


def work(command: str, **settings: Any) -> dict[str, Any]:
    """Run one step of `bench.turn_worker` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.turn_worker", command, json.dumps(settings)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise StepFailedError(f"{command}: {lines[-1]}")
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def dense_indexing(corpus: Path, folder: Path) -> dict[str, Any]:
    """Index a small set with vectors through the command line."""
    shutil.rmtree(folder, ignore_errors=True)
    take(corpus, folder / "tiny" / "passages.jsonl", 5)
    take(corpus, folder / "small" / "passages.jsonl", DENSE_PASSAGES)
    # The first call ever converts the encoder; that is not indexing.
    anaphora("index", str(folder / "tiny"), "--index", str(folder / "tiny-index"))
    start = time.perf_counter()
    anaphora("index", str(folder / "small"), "--index", str(folder / "index"))
    seconds = time.perf_counter() - start
    return {"passages": DENSE_PASSAGES, "seconds": seconds, "rate": DENSE_PASSAGES / seconds}


def cold_start(index: Path) -> list[float]:
    """Time `anaphora ask` from the shell, several times."""
    times = []
    for _ in range(COLD_STARTS):
        start = time.perf_counter()
        answer = json.loads(anaphora("ask", QUESTION, "--index", str(index), "--json"))
        times.append(time.perf_counter() - start)
        if "timings" not in answer:
            raise StepFailedError("anaphora ask --json: its answer holds no timings")
    return times


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return all figures of a turn."""
    folder = options.work / "turn"
    large = folder / "large-index"
    result: dict[str, Any] = {}
    if options.reuse != "all":
        corpus = make_corpus(options.data, options.work, TURN_PASSAGES)
        result["dense_indexing"] = dense_indexing(corpus.raw, folder)
        result["large_indexing"] = work(
            "index", corpus=str(corpus.raw), small=str(folder / "index"), index=str(large)
        )
    result["cold_start_small"] = cold_start(folder / "index")
    result["disk_bytes"] = folder_size(large)
    result["cold_start_large"] = cold_start(large)
    turns = conversations(options.data, TURNS)
    pipelines = options.pipeline or ["default"]
    result["turns"] = {
        pipeline: work("turns", index=str(large), conversations=turns, pipeline=pipeline)
        for pipeline in pipelines
    }
    # The same turns, so that what the model touches and the caches hold is the same.
    tiny = folder / "tiny-index"
    tiny_turns = work("turns", index=str(tiny), conversations=turns, pipeline=pipelines[0])
    result["memory_tiny"] = tiny_turns["memory"]
    return result


def latency(turns: list[dict[str, float]]) -> str:
    """Return the table of the stages of one pipeline's turns."""
    stages = list(dict.fromkeys(stage for turn in turns for stage in turn))
    rows: list[list[Any]] = []
    for stage in [*stages, "whole turn"]:
        times = [
            sum(turn.values()) if stage == "whole turn" else turn[stage]
            for turn in turns
            if stage == "whole turn" or stage in turn
        ]
        rows.append(
            [stage, len(times), percentile(times, 0.5) * 1e3, percentile(times, 0.95) * 1e3]
        )
    return format_table(("stage", "turns", "p50 ms", "p95 ms"), rows)


def report(result: dict[str, Any]) -> str:
    """Return the tables of a turn."""
    large, tiny = next(iter(result["turns"].values()))["memory"], result["memory_tiny"]
    extra = {key: (large[key] - tiny[key]) / TURN_PASSAGES for key in large if key in tiny}
    facts = [
        ["dense indexing, passages/s", result.get("dense_indexing", {}).get("rate")],
        ["cold ask, small index, s", median(result["cold_start_small"])],
        [f"cold ask, {TURN_PASSAGES:,} passages, s", median(result["cold_start_large"])],
        ["index on disk, bytes a passage", result["disk_bytes"] / TURN_PASSAGES],
        *([f"memory: {key}, bytes a passage", value] for key, value in extra.items()),
        ["memory: resident, MB", large["resident"] / 1e6],
    ]
    return "\n".join(
        [
            *(
                f"One turn, {TURN_PASSAGES:,} passages, {name}\n{latency(one['timings'])}\n"
                for name, one in result["turns"].items()
            ),
            format_table(("figure", "value"), facts),
        ]
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Measure and print."""
    try:
        result = measure(options)
    except StepFailedError as error:
        print(f"failed: {error}", end="\n\n")
        return {"note": str(error)}
    print(report(result), end="\n\n")
    return result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the peers' benchmarks, and the pipelines whose turns are timed."""
    lexical.add_arguments(parser)
    parser.add_argument("--pipeline", action="append", help="settings as `anaphora eval -p` has")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    add_arguments(parser)
    options = parser.parse_args()
    facts = machine()
    print(f"written: {save('turn', {'machine': facts, 'turn': run(options)})}")


if __name__ == "__main__":
    main()
