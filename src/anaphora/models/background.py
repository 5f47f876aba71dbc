"""Work in a thread of its own, waited for until a deadline.

A socket's own time-out restarts with every byte that arrives, so an endpoint that sends a byte now
and then would never time out. A thread that is left behind is a daemon.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def within(seconds: float, work: Callable[[], T]) -> T:
    """Returns or raises what `work` does.

    Raises:
        TimeoutError: it did not end in time.
    """

    def one() -> Generator[None, None, T]:
        return work()
        yield

    return _last(items_within(seconds, one()))


def items_within(seconds: float, items: Generator[T, None, R]) -> Generator[T, None, R]:
    """Yields and returns what a generator does, which runs in another thread.

    Closing it closes the other generator after its next item.

    Raises:
        TimeoutError: the generator did not end in time.
    """
    deadline = time.monotonic() + seconds
    queue: SimpleQueue[tuple[str, T | R | BaseException]] = SimpleQueue()
    closed = threading.Event()

    def run() -> None:
        try:
            while not closed.is_set():
                queue.put(("item", next(items)))
        except StopIteration as end:
            queue.put(("result", end.value))
        except BaseException as error:  # raised in the waiting thread
            queue.put(("error", error))
        finally:
            items.close()

    if seconds <= 0:
        raise TimeoutError
    threading.Thread(target=run, daemon=True).start()
    try:
        while True:
            try:
                kind, found = queue.get(timeout=max(0.0, deadline - time.monotonic()))
            except Empty:
                raise TimeoutError from None
            if kind == "error":
                raise found  # type: ignore[misc]
            if kind == "result":
                return found  # type: ignore[return-value]
            yield found  # type: ignore[misc]
    finally:
        closed.set()


def _last(items: Generator[None, None, R]) -> R:
    while True:
        try:
            next(items)
        except StopIteration as end:
            result: R = end.value
            return result
