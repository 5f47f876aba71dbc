"""Streams whose clients leave at random: no turn may leak, and memory may not grow.

    python -m bench.serve_streams --work WORK [--turns 10000] [--at-once 16] [--passages 1000]

Each turn is a stream of the native or of the OpenAI route. Its client reads some bytes, none or all
of them, and closes the connection. At the end no turn may run or wait, every turn must have ended
in one way, and the server must answer. The memory after each tenth of the turns is printed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
from collections import Counter
from pathlib import Path

import anyio
import httpx

from bench.serving import Question, Running, make_index, questions, served


async def stream(
    http: httpx.AsyncClient, key: str, question: Question, chance: random.Random
) -> str:
    """One stream; says how it ended."""
    headers = {"Authorization": f"Bearer {key}", "Accept": "text/event-stream"}
    body: dict[str, object] = {"question": question.text, "store": False}
    path, end = "/api/v1/ask", b"event: done"
    if chance.random() < 0.5:
        body = {"messages": [{"role": "user", "content": question.text}], "stream": True}
        path, end = "/v1/chat/completions", b"data: [DONE]"
    most = chance.choice((0, 1, chance.randrange(2_000), chance.randrange(50_000), sys.maxsize))
    patience = chance.choice((0.001, 0.01, 0.1, 60.0))
    read = b""
    try:
        with anyio.fail_after(patience):
            async with http.stream("POST", path, json=body, headers=headers) as response:
                if response.status_code != 200:
                    return f"status {response.status_code}"
                async for part in response.aiter_raw():
                    read += part
                    if len(read) >= most:
                        break
    except TimeoutError:
        return "left"
    except httpx.HTTPError as error:
        return f"error {type(error).__name__}"
    return "complete" if end in read else "left"


async def figures(http: httpx.AsyncClient, key: str) -> dict[str, float]:
    """What the server counts of turns."""
    response = await http.get("/metrics", headers={"Authorization": f"Bearer {key}"})
    response.raise_for_status()
    found = re.findall(r"^(anaphora_turns\S*) (\S+)$", response.text, re.M)
    return {name: float(value) for name, value in found}


async def fuzz(server: Running, asked: list[Question], turns: int, at_once: int) -> bool:
    """Runs the turns and prints what happened; whether nothing leaked."""
    chance = random.Random(18)
    ends: Counter[str] = Counter()
    left = turns
    done = 0
    limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    async with httpx.AsyncClient(
        base_url=server.address, timeout=120, trust_env=False, limits=limits
    ) as http:

        async def client(number: int) -> None:
            nonlocal left, done
            while left > 0:
                left -= 1
                one = await stream(http, server.keys[number], chance.choice(asked), chance)
                ends[one] += 1
                done += 1
                if done % max(1, turns // 10) == 0:
                    print(f"  {done:,} turns, {server.memory / 1e6:,.0f} MB")

        await asyncio.gather(*(client(number) for number in range(at_once)))
        counts = await figures(http, server.keys[-1])
        for _ in range(100):
            if not counts["anaphora_turns_running"] + counts["anaphora_turns_waiting"]:
                break
            await asyncio.sleep(0.1)
            counts = await figures(http, server.keys[-1])
        print("  clients:", dict(ends))
        print("  server:", counts)
        alive = await http.get("/readyz")
    leaked = counts["anaphora_turns_running"] + counts["anaphora_turns_waiting"]
    failed = counts.get('anaphora_turns_total{outcome="failed"}', 0)
    return not leaked and not failed and alive.status_code == 200


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.serve_streams", description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--passages", type=int, default=1_000)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    index = make_index(options.work, options.passages)
    asked = questions(options.passages, 200)
    with served(index, options.work, options.at_once) as server:
        whole = asyncio.run(fuzz(server, asked, options.turns, options.at_once))
    print("nothing leaked" if whole else "FAILED")
    sys.exit(not whole)


if __name__ == "__main__":
    main()
