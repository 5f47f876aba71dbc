"""A server that is killed while many conversations go on, and what is left of these."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from support.server import served

from anaphora.ingest.update import update
from anaphora.serve.store.conversations import Conversations
from anaphora.serve.store.database import NAME, Database

TALKERS = 4
PAUSE = 0.1
"""Seconds, about as long as a few turns."""
QUESTIONS = (
    "How much does a day ticket for the ferry cost?",
    "Where can I pay for it?",
    "灯塔建于哪一年？",
    "متى بنيت المنارة؟",
    "Ngọn hải đăng được xây năm nào?",
)


@dataclass
class Told:
    """The turns of which a client was told that they are done, by conversation."""

    turns: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, answer: dict) -> None:
        with self.lock:
            said = answer["turn"], answer["question"], answer["answer"]
            self.turns.setdefault(answer["conversation"], []).append(said)

    @property
    def count(self) -> int:
        return sum(map(len, self.turns.values()))


def prepare(corpus: Path, folder: Path) -> None:
    """An index without vectors, and settings without models: the turns are short, so that many
    kills meet the store."""
    update(folder / "index", [corpus], None)
    (folder / "settings.toml").write_text(
        '[rerank]\nmethod = "none"\n[rewrite]\nmethod = "none"\n'
        f"[serve]\nfolder = {str(folder / 'data')!r}\nrequests_per_minute = 0\n",
        "utf-8",
    )


def kill_once(folder: Path, told: Told, rng: random.Random, most: int = 40) -> None:
    """Starts a server, and kills it while `TALKERS` clients ask it: a random moment after a random
    number of turns, at most `most`."""
    arguments = ["--index", str(folder / "index"), "--config", str(folder / "settings.toml")]
    with served(arguments, folder) as server:
        cookies = dict(server.client.cookies)
        wrong: list[str] = []

        def talk(seed: int) -> None:
            asking = random.Random(seed)
            own = [None, *told.turns][seed % (len(told.turns) + 1)]
            with httpx.Client(
                base_url=server.address, cookies=cookies, timeout=60, trust_env=False
            ) as client:
                while True:
                    body = {"question": asking.choice(QUESTIONS), "conversation": own}
                    try:
                        response = client.post("/api/v1/ask", json=body)
                    except httpx.TransportError:
                        return
                    if response.status_code != 200:
                        wrong.append(response.text)
                        return
                    own = response.json()["conversation"]
                    told.add(response.json())

        talkers = [
            threading.Thread(target=talk, args=(rng.randrange(1_000_000),)) for _ in range(TALKERS)
        ]
        for talker in talkers:
            talker.start()
        enough = told.count + rng.randint(1, most)
        while told.count < enough and any(talker.is_alive() for talker in talkers):
            time.sleep(0.001)
        time.sleep(rng.random() * PAUSE)
        server.process.kill()
        for talker in talkers:
            talker.join()
    assert wrong == []


def check(folder: Path, told: Told) -> None:
    """Every turn that was told is stored as it was told, after a turn of its conversation or at its
    beginning; nothing is damaged."""
    path = folder / "data" / NAME
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    database = Database(folder / "data")
    conversations = Conversations(database)
    for conversation, turns in told.turns.items():
        stored = {turn["id"]: turn for turn in conversations.turns("local", conversation)}
        for id, question, answer in turns:
            found = stored[id]
            assert (found["question"], found["answer"]["answer"]) == (question, answer)
        for turn in stored.values():
            assert turn["parent"] is None or turn["parent"] in stored
    database.close()
