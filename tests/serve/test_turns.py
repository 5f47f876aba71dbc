"""The queue before the models."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from anaphora.serve.problems import Problem
from anaphora.serve.turns import Queued, Turn, Turns


class Gate:
    """Work that waits until it is let through."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()
        self.closed = threading.Event()

    def work(self) -> Iterator[str]:
        try:
            self.begun.set()
            yield "a"
            assert self.open.wait(30)
            yield "b"
        finally:
            self.closed.set()


def say(text: str) -> Callable[[], Iterator[str]]:
    def work() -> Iterator[str]:
        yield text

    return work


async def all_of(turn: Turn[str]) -> list[Any]:
    return [one async for one in turn.results()]


async def texts_of(turn: Turn[str]) -> list[Any]:
    return [one for one in await all_of(turn) if not isinstance(one, Queued)]


def play(
    scenario: Callable[[Turns], Coroutine[Any, Any, None]],
    threads: int = 1,
    waiting: int = 8,
    seconds: float = 60.0,
) -> Turns:
    """Runs a scenario; in the end nothing waits or runs."""
    turns = Turns(threads, waiting, seconds)
    asyncio.run(scenario(turns))
    turns.close()
    assert (turns.waiting, turns.running) == (0, 0)
    return turns


def test_results_come_in_order() -> None:
    async def scenario(turns: Turns) -> None:
        turn = turns.submit("a", lambda: iter("文本 text"))
        assert "".join(await texts_of(turn)) == "文本 text"

    assert play(scenario).outcomes == {"done": 1}


def test_clients_are_served_in_rotation() -> None:
    """One that asks four questions does not delay the one that asks a single one behind them."""
    order: list[str] = []

    async def scenario(turns: Turns) -> None:
        gate = Gate()
        first = turns.submit("busy", gate.work)
        await asyncio.to_thread(gate.begun.wait)

        def noted(name: str) -> Callable[[], Iterator[str]]:
            def work() -> Iterator[str]:
                order.append(name)
                yield name

            return work

        others = [turns.submit("busy", noted(f"busy {number}")) for number in range(4)]
        others.append(turns.submit("阮", noted("阮")))
        gate.open.set()
        await asyncio.gather(*map(texts_of, [first, *others]))

    play(scenario)
    assert order.index("阮") == 1


def test_a_waiting_turn_hears_its_place() -> None:
    async def scenario(turns: Turns) -> None:
        gate = Gate()
        first = turns.submit("a", gate.work)
        await asyncio.to_thread(gate.begun.wait)
        second, third = (turns.submit("b", say("second")), turns.submit("b", say("third")))
        gate.open.set()
        found = await asyncio.gather(all_of(first), all_of(second), all_of(third))
        assert found[0] == ["a", "b"]
        assert found[1] == [Queued(0), "second"]
        assert found[2] == [Queued(1), Queued(0), "third"]

    play(scenario)


def test_a_full_queue_refuses_and_says_when_to_come_back() -> None:
    async def scenario(turns: Turns) -> None:
        gate = Gate()
        running = turns.submit("a", gate.work)
        await asyncio.to_thread(gate.begun.wait)
        waiting = [turns.submit(owner, say(owner)) for owner in "aabb"]
        with pytest.raises(Problem, match="the server has as many") as refused:
            turns.submit("c", say("c"))
        assert refused.value.status == 429
        assert int(refused.value.headers["Retry-After"]) >= 1
        gate.open.set()
        await asyncio.gather(*map(texts_of, [running, *waiting]))

    assert play(scenario, waiting=4).outcomes == {"done": 5, "refused": 1}


def test_one_client_takes_half_of_the_places() -> None:
    async def scenario(turns: Turns) -> None:
        gate = Gate()
        running = turns.submit("a", gate.work)
        await asyncio.to_thread(gate.begun.wait)
        own = [turns.submit("a", say("a")) for _ in range(2)]
        with pytest.raises(Problem, match="you have as many"):
            turns.submit("a", say("a"))
        other = turns.submit("b", say("b"))
        gate.open.set()
        await asyncio.gather(*map(texts_of, [running, *own, other]))

    play(scenario, waiting=4)


def test_a_turn_is_cancelled_in_the_queue() -> None:
    ran = []

    async def scenario(turns: Turns) -> None:
        gate = Gate()
        running = turns.submit("a", gate.work)
        await asyncio.to_thread(gate.begun.wait)
        waiting = turns.submit("b", lambda: iter([str(ran.append(1))]))
        waiting.cancel()
        assert turns.waiting == 0
        gate.open.set()
        await texts_of(running)

    assert play(scenario).outcomes == {"done": 1, "cancelled": 1}
    assert ran == []


def test_a_turn_is_cancelled_between_two_results() -> None:
    gate = Gate()

    async def scenario(turns: Turns) -> None:
        results = turns.submit("a", gate.work).results()
        assert await results.__anext__() == "a"
        await results.aclose()  # type: ignore[attr-defined]
        gate.open.set()

    assert play(scenario).outcomes == {"cancelled": 1}
    assert gate.closed.is_set()


def test_a_turn_that_takes_too_long_is_ended() -> None:
    gate = Gate()

    async def scenario(turns: Turns) -> None:
        with pytest.raises(Problem, match=r"took longer than 0\.05 seconds") as ended:
            await texts_of(turns.submit("a", gate.work))
        assert ended.value.status == 503
        gate.open.set()
        # The thread is free again.
        assert await texts_of(turns.submit("a", say("next"))) == ["next"]

    assert play(scenario, seconds=0.05).outcomes["late"] == 1
    assert gate.closed.is_set()


def test_the_error_of_a_turn_reaches_its_client_alone() -> None:
    def fail() -> Iterator[str]:
        yield "before"
        raise KeyError("文")

    async def scenario(turns: Turns) -> None:
        failing, other = turns.submit("a", fail), turns.submit("b", say("b"))
        with pytest.raises(KeyError):
            await texts_of(failing)
        assert await texts_of(other) == ["b"]

    assert play(scenario).outcomes == {"failed": 1, "done": 1}


def test_a_stop_lets_running_turns_finish_and_refuses_others() -> None:
    async def scenario(turns: Turns) -> None:
        gate = Gate()
        running = turns.submit("a", gate.work)
        await asyncio.to_thread(gate.begun.wait)
        waiting = turns.submit("b", say("b"))
        turns.stop()
        with pytest.raises(Problem, match="stopping"):
            turns.submit("c", say("c"))
        with pytest.raises(Problem, match="stopping"):
            await texts_of(waiting)
        gate.open.set()
        assert await texts_of(running) == ["a", "b"]

    assert play(scenario).outcomes == {"done": 1, "refused": 2}


def test_a_patient_client_is_told_that_nothing_came() -> None:
    async def scenario(turns: Turns) -> None:
        gate = Gate()
        found = []
        async for one in turns.submit("a", gate.work).results(0.01):
            found.append(one)
            if one is None:
                gate.open.set()
        assert [one for one in found if one] == ["a", "b"]
        assert None in found

    play(scenario)


def test_a_client_that_does_not_read_its_results_ends_its_turn() -> None:
    async def scenario(turns: Turns) -> None:
        turn = turns.submit("a", lambda: (str(number) for number in itertools.count()))
        while not turn.over:
            await asyncio.sleep(0.01)
        with pytest.raises(Problem, match="faster than it was read"):
            await texts_of(turn)

    assert play(scenario).outcomes == {"cancelled": 1}


def test_many_turns_of_many_clients_are_not_mixed_up() -> None:
    async def scenario(turns: Turns) -> None:
        submitted = {
            (owner, number): turns.submit(str(owner), say(f"{owner}-{number}"))
            for number in range(8)
            for owner in range(16)
        }
        found = await asyncio.gather(*map(texts_of, submitted.values()))
        assert found == [[f"{owner}-{number}"] for owner, number in submitted]

    assert play(scenario, threads=4, waiting=200).outcomes == {"done": 128}
