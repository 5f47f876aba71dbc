"""The work of requests waits in a bounded queue before the models, and a few threads do it.

The clients that wait are served in rotation: one that asks much delays itself, not the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import math
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from anaphora.serve.problems import Problem

T = TypeVar("T")

Work: TypeAlias = Callable[[], Iterator[T]]
"""Its results are sent as they come. Closing the iterator between two of them cancels the rest."""
Outcome = Literal["done", "failed", "cancelled", "late", "refused"]
THREADS: Final = 2
_BEHIND: Final = 10_000
"""Results that a client may leave unread before its turn is ended."""
_SMOOTHING = 0.2


@dataclass(frozen=True, slots=True)
class Queued:
    """The turn waits until `ahead` others have begun."""

    ahead: int


@dataclass(frozen=True, slots=True)
class _End:
    error: Exception | None


class Turn(Generic[T]):
    """The work of one request, as its route sees it: in the thread of the event loop."""

    def __init__(self, turns: Turns, owner: str, work: Work[T], seconds: float) -> None:
        self.owner = owner
        self.work = work
        self.seconds = seconds
        self.over = False
        self.ahead = -1
        self.context = contextvars.copy_context()
        self._turns = turns
        self._loop = asyncio.get_running_loop()
        self._results: asyncio.Queue[Queued | T | _End] = asyncio.Queue()

    async def results(self, patience: float | None = None) -> AsyncIterator[Queued | T | None]:
        """Its place in the queue each time that changes, then the results of its work.

        None where nothing came for `patience` seconds. Closing this iterator cancels the turn.

        Raises:
            Problem: 503 where the turn took too long, or the server stops.
            Exception: whatever its work raises.
        """
        try:
            while True:
                try:
                    result = await asyncio.wait_for(self._results.get(), patience)
                except asyncio.TimeoutError:
                    yield None
                    continue
                if isinstance(result, _End):
                    if result.error:
                        raise result.error
                    return
                yield result
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Takes the turn from the queue, or ends its work after the current step."""
        self._turns.end(self, "cancelled")

    # Called by the threads that work.

    def put(self, result: Queued | T | _End) -> None:
        if self._results.qsize() > _BEHIND and not isinstance(result, _End):
            self._turns.end(self, "cancelled", _too_slow())
            return
        # The loop is closed where the server was stopped by force: nobody waits any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._results.put_nowait, result)

    def begin(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.call_later, self.seconds, self._expire)

    def _expire(self) -> None:
        error = Problem(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"the turn took longer than {self.seconds:g} seconds and was ended; ask something "
            "shorter, or raise serve.turn_seconds",
        )
        self._turns.end(self, "late", error)


class Turns:
    """The queue and its threads.

    Args:
        threads: turns that run at once.
        waiting: turns that may wait; one client may take half of these places, rounded up.
        seconds: the longest time of a turn, from its beginning.

    Attributes:
        outcomes: how many turns ended how.
    """

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self._most = waiting
        self._seconds = seconds
        self._changed = threading.Condition()
        self._queues: OrderedDict[str, deque[Turn[Any]]] = OrderedDict()
        self._running = 0
        self._usual = 1.0
        self._open = True
        self._threads = [
            threading.Thread(target=self._serve, name=f"anaphora-turns-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def open(self) -> bool:
        """Whether it takes turns."""
        return self._open

    @property
    def waiting(self) -> int:
        with self._changed:
            return self._length()

    @property
    def running(self) -> int:
        return self._running

    def submit(self, owner: str, work: Work[T]) -> Turn[T]:
        """Puts work into the queue.

        Args:
            owner: the client, between which places are shared.

        Raises:
            Problem: 429 where no place is left, 503 where the server stops.
        """
        turn = Turn(self, owner, work, self._seconds)
        with self._changed:
            if not self._open:
                self.outcomes["refused"] += 1
                raise _stopping()
            own = self._queues.get(owner, deque())
            full = self._length() >= self._most
            if full or len(own) >= -(-self._most // 2):
                self.outcomes["refused"] += 1
                raise self._full(full)
            self._queues.setdefault(owner, own).append(turn)
            idle = self._running + self._length() <= len(self._threads)
            if not idle:
                self._tell_places()
            self._changed.notify()
        return turn

    def end(self, turn: Turn[Any], outcome: Outcome, error: Exception | None = None) -> None:
        """Ends a turn, unless it has ended."""
        with self._changed:
            if turn.over:
                return
            turn.over = True
            self.outcomes[outcome] += 1
            own = self._queues.get(turn.owner)
            if own and turn in own:
                own.remove(turn)
                if not own:
                    del self._queues[turn.owner]
                self._tell_places()
        turn.put(_End(error))

    def stop(self) -> None:
        """Refuses what waits and what comes; what runs goes on."""
        with self._changed:
            self._open = False
            left = [turn for queue in self._queues.values() for turn in queue]
            self._changed.notify_all()
        for turn in left:
            self.end(turn, "refused", _stopping())

    def close(self) -> None:
        """Stops, and waits for the turns that run as long as they may take."""
        self.stop()
        until = monotonic() + self._seconds
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))

    def _serve(self) -> None:
        while (turn := self._next()) is not None:
            began = monotonic()
            turn.context.run(self._run, turn)  # logs and spans belong to its request
            with self._changed:
                self._running -= 1
                self._usual += _SMOOTHING * (monotonic() - began - self._usual)

    def _next(self) -> Turn[Any] | None:
        with self._changed:
            while not self._queues:
                if not self._open:
                    return None
                self._changed.wait()
            owner, queue = next(iter(self._queues.items()))
            turn = queue.popleft()
            self._queues.move_to_end(owner)
            if not queue:
                del self._queues[owner]
            self._running += 1
            self._tell_places()
            return turn

    def _run(self, turn: Turn[Any]) -> None:
        turn.begin()
        try:
            results = turn.work()
            try:
                for result in results:
                    if turn.over:
                        return
                    turn.put(result)
            finally:
                if isinstance(results, Generator):
                    results.close()
        except Exception as error:
            self.end(turn, "failed", error)
        else:
            self.end(turn, "done")

    def _length(self) -> int:
        return sum(map(len, self._queues.values()))

    def _tell_places(self) -> None:
        for place, queue in enumerate(self._queues.values()):
            for at, turn in enumerate(queue):
                ahead = at + sum(
                    min(len(other), at + (before < place))
                    for before, other in enumerate(self._queues.values())
                    if before != place
                )
                if ahead != turn.ahead:
                    turn.ahead = ahead
                    turn.put(Queued(ahead))

    def _full(self, everywhere: bool) -> Problem:
        seconds = max(1, math.ceil(self._usual * self._length() / len(self._threads)))
        who = "the server has as many questions" if everywhere else "you have as many questions"
        return Problem(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"{who} waiting as it takes; try again in {seconds} s",
            {"Retry-After": str(seconds)},
        )


def _too_slow() -> Problem:
    return Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "the answer came faster than it was read, and the turn was ended; ask without streaming",
    )


def _stopping() -> Problem:
    return Problem(
        HTTPStatus.SERVICE_UNAVAILABLE, "the server is stopping; ask again when it is back"
    )
