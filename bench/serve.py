"""The service under load: latency, throughput, refusals, mixed-up answers and memory.

    python -m bench.serve --work WORK [--passages 100000] [--turns 200] [--clients 1 8 64]
                          [--minutes 60] [--json FILE]

A synthetic collection is indexed in WORK, where it is kept. The library answers every question
first, in this process; then a server of its own process is asked over HTTP by some clients at once,
each with a key of its own. Each client checks that every answer is the library's answer to its own
question, with its own document as first citation. Figures are ratios against the library's turns of
the same run, so that the machine's load matters less. `--minutes` lets the last level of clients
run on and prints the server's memory every minute.

A collection of more than 5,000 passages is indexed without vectors; the rest of the turn is real.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

import anaphora
from bench.engines.run import percentile
from bench.serving import Question, Running, make_index, questions, served
from bench.table import format_table, machine

QUESTIONS = 32
LONGEST_WAIT = 2.0
"""Seconds that a refused client waits at most, whatever Retry-After says."""


@dataclass
class Level:
    """What some clients at once experienced."""

    clients: int
    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    errors: list[str] = field(default_factory=list)
    mixed: int = 0
    wall: float = 0.0
    memory: list[int] = field(default_factory=list)

    def figures(self, single: list[float]) -> dict[str, Any]:
        """Latencies as multiples of the library's, throughput as a multiple of its own."""
        return {
            "clients": self.clients,
            "turns": len(self.seconds),
            "p50": percentile(self.seconds, 0.5) / percentile(single, 0.5),
            "p95": percentile(self.seconds, 0.95) / percentile(single, 0.95),
            "throughput": len(self.seconds) / self.wall * sum(single) / len(single),
            "refused": self.refused,
            "errors": len(self.errors),
            "mixed": self.mixed,
            "memory": self.memory,
        }


def library(index: Path, asked: list[Question]) -> tuple[dict[str, str], list[float]]:
    """The library's answers, and the seconds of each turn after one round of all."""
    answers = {}
    seconds = []
    with anaphora.open(index) as assistant:
        for question in asked:
            answers[question.text] = assistant.ask(question.text).text
        for question in asked * 2:
            began = time.perf_counter()
            assistant.ask(question.text)
            seconds.append(time.perf_counter() - began)
    return answers, seconds


async def level(
    server: Running,
    clients: int,
    asked: list[Question],
    expected: Mapping[str, str],
    turns: int,
    minutes: float = 0.0,
) -> Level:
    """Lets clients ask until `turns` are answered and the minutes are over."""
    found = Level(clients)
    began = time.perf_counter()

    def over() -> bool:
        done = len(found.seconds) + len(found.errors) >= turns
        return done and time.perf_counter() - began >= 60 * minutes

    async def client(number: int) -> None:
        headers = {"Authorization": f"Bearer {server.keys[number]}"}
        limits = httpx.Limits(max_connections=1)
        async with httpx.AsyncClient(
            base_url=server.address, headers=headers, timeout=120, trust_env=False, limits=limits
        ) as http:
            at = number
            while not over():
                question = asked[at % len(asked)]
                await ask(http, question)
                at += 1

    async def ask(http: httpx.AsyncClient, question: Question) -> None:
        start = time.perf_counter()
        try:
            response = await http.post(
                "/api/v1/ask", json={"question": question.text, "store": False}
            )
        except httpx.HTTPError as error:
            found.errors.append(repr(error))
            return
        if response.status_code == 429:
            found.refused += 1
            await asyncio.sleep(min(LONGEST_WAIT, float(response.headers["Retry-After"])))
            return
        if response.status_code != 200:
            found.errors.append(response.text)
            return
        found.seconds.append(time.perf_counter() - start)
        answer = response.json()
        own = answer["question"] == question.text and answer["answer"] == expected[question.text]
        found.mixed += not own

    async def watch() -> None:
        while True:
            found.memory.append(server.memory)
            if minutes:
                print(f"  {found.memory[-1] / 1e6:,.0f} MB, {len(found.seconds):,} turns")
            await asyncio.sleep(60)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(client(number) for number in range(clients)))
    watching.cancel()
    found.wall = time.perf_counter() - began
    found.memory.append(server.memory)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.serve", description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=200, help="answered turns of each level")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--minutes", type=float, default=0.0, help="of the last level at least")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    index = make_index(options.work, options.passages)
    asked = questions(options.passages, QUESTIONS)
    expected, single = library(index, asked)
    right = sum(f"{1800 + int(one.doc_id[1:]) % 220}" in expected[one.text] for one in asked)
    print(
        f"The library: {percentile(single, 0.5) * 1e3:.0f} ms at the median, "
        f"{percentile(single, 0.95) * 1e3:.0f} ms at p95; {right} of {len(asked)} answers right."
    )
    results = []
    with served(index, options.work, max(options.clients)) as server:
        asyncio.run(level(server, 1, asked, expected, len(asked)))  # warms the caches
        for clients in options.clients:
            minutes = options.minutes if clients == options.clients[-1] else 0.0
            one = asyncio.run(level(server, clients, asked, expected, options.turns, minutes))
            results.append(one.figures(single))
            for error in sorted(set(one.errors))[:3]:
                print(f"  error: {error}")
    columns = ("clients", "turns", "p50", "p95", "throughput", "refused", "errors", "mixed")
    rows = [[str(one["clients"]), *(one[column] for column in columns[1:])] for one in results]
    print("Latency and throughput as multiples of the library's own turn:")
    print(format_table(columns, rows))
    if options.json:
        facts = {"machine": machine(), "load": os.getloadavg(), "levels": results}
        options.json.write_text(json.dumps(facts, indent=1), "utf-8")


if __name__ == "__main__":
    main()
