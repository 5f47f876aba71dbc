"""How many threads should answer, and whether questions of several clients gain from one batch.

    python -m bench.serving_threads

Eight clients ask an index of the English guide through the queue of the service, in turn with one
and with two threads. Then four questions are searched, reranked and encoded in one call and in four
calls. The medians of the ratios of alternating rounds are printed, because a busy machine changes
all times together; CPU seconds are of all threads.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from anaphora.assistant import Assistant, build
from anaphora.records import Query
from anaphora.serve.turns import Turns
from tools.pages import GUIDE

QUESTIONS = (
    "Which languages are supported?",
    "How do I check an index?",
    "Where is the index kept?",
    "What does the judge do?",
    "Comment choisir la langue de la réponse ?",
    "索引保存在哪里？",
    "Cài đặt chương trình như thế nào?",
    "كيف أحذف ملفًا من الفهرس؟",
)
ROUNDS = 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        assistant = build(GUIDE, index=Path(folder) / "index")
        for question in QUESTIONS:
            assistant.ask(question)
        one, two = [], []
        for _ in range(ROUNDS):
            one.append(served(assistant, 1))
            two.append(served(assistant, 2))
        for name, at in ("turns a second", 0), ("95th percentile", 1), ("CPU seconds", 2):
            ratio = statistics.median(b[at] / a[at] for a, b in zip(one, two, strict=True))
            print(f"two threads / one thread, {name}: {ratio:.2f}")
        batches(assistant)


def served(assistant: Assistant, threads: int) -> tuple[float, float, float]:
    """Turns a second, the 95th percentile of their seconds, CPU seconds; three turns a client."""
    turns = Turns(threads, 2 * len(QUESTIONS), 600)
    seconds: list[float] = []

    async def client(owner: int) -> None:
        for number in range(3):
            question = QUESTIONS[(owner + number) % len(QUESTIONS)]
            began = perf_counter()
            turn = turns.submit(str(owner), lambda text=question: assistant.stream(text))
            async for _ in turn.results():
                pass
            seconds.append(perf_counter() - began)

    async def all_clients() -> None:
        await asyncio.gather(*(client(owner) for owner in range(len(QUESTIONS))))

    began, cpu = perf_counter(), process_time()
    asyncio.run(all_clients())
    whole, cpu = perf_counter() - began, process_time() - cpu
    turns.close()
    return len(seconds) / whole, sorted(seconds)[int(0.95 * len(seconds))], cpu


def batches(assistant: Assistant) -> None:
    queries = [Query(text, "en") for text in QUESTIONS[:4]]
    retriever, reranker, encoder = assistant.retriever, assistant.reranker, assistant.encoder
    assert reranker
    assert encoder
    hits = retriever.retrieve(queries, 14)
    inner: Any = getattr(encoder, "_encoder")  # noqa: B009, without its cache
    texts = [query.text for query in queries]
    tasks: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "rerank": (
            lambda: reranker.rerank(queries, hits, 10),
            lambda: [reranker.rerank([q], [h], 10) for q, h in zip(queries, hits, strict=True)],
        ),
        "encode": (
            lambda: inner.encode_queries(texts),
            lambda: [inner.encode_queries([text]) for text in texts],
        ),
    }
    for name, (together, apart) in tasks.items():
        ratios = [cpu_of(together) / cpu_of(apart) for _ in range(ROUNDS)]
        print(f"one batch of four / four calls, {name}, CPU: {statistics.median(ratios):.2f}")


def cpu_of(work: Callable[[], Any]) -> float:
    began = process_time()
    work()
    return process_time() - began


if __name__ == "__main__":
    main()
