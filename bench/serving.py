"""A synthetic collection, and a server over it in a process of its own, for the benchmarks of the
service."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.workers import ROOT

WORDS = (
    "anchor",
    "bridge",
    "cabin",
    "captain",
    "cargo",
    "channel",
    "coal",
    "copper",
    "crew",
    "deck",
    "engine",
    "evening",
    "ferry",
    "forest",
    "garden",
    "gate",
    "glass",
    "grain",
    "harbour",
    "hospital",
    "inspection",
    "island",
    "ladder",
    "library",
)
SUBJECTS = {
    "en": ("When was the station {name} opened?", "The station {name} was opened in {year}."),
    "zh": ("{name}车站是哪一年启用的？", "{name}车站于{year}年启用。"),
    "vi": ("Trạm {name} mở cửa năm nào?", "Trạm {name} mở cửa vào năm {year}."),
    "ar": ("متى افتتحت محطة {name}؟", "افتتحت محطة {name} عام {year}."),
}


@dataclass(frozen=True)
class Question:
    """A question, and the id of the one document that answers it."""

    text: str
    doc_id: str


@dataclass(frozen=True)
class Running:
    """A server and keys of its own for each client; the last key is an administrator's."""

    address: str
    keys: Sequence[str]
    pid: int

    @property
    def memory(self) -> int:
        """Bytes that the process holds in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return 1024 * int(found[1])


def name_of(number: int) -> str:
    """A name that occurs once in the collection."""
    letters = "bdfgklmnprstvz"
    syllables = []
    for _ in range(5):
        number, letter = divmod(number, len(letters))
        number, vowel = divmod(number, 5)
        syllables.append(letters[letter] + "aeiou"[vowel])
    return "".join(syllables).capitalize()


def make_collection(folder: Path, passages: int) -> Path:
    """Writes the passages as records: each says when a station of its own name was opened, and
    then other words."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "passages.jsonl"
    chance = random.Random(passages)
    langs = list(SUBJECTS)
    with path.open("w", encoding="utf-8") as out:
        for number in range(passages):
            lang = langs[number % len(langs)]
            fact = SUBJECTS[lang][1].format(name=name_of(number), year=1800 + number % 220)
            rest = " ".join(chance.choices(WORDS, k=60))
            record = {"_id": f"d{number}", "text": f"{fact} {rest}.", "lang": lang}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    return path


def questions(passages: int, count: int) -> list[Question]:
    """Questions about `count` of the passages, in all languages."""
    langs = list(SUBJECTS)
    chosen = random.Random(count).sample(range(passages), count)
    return [
        Question(SUBJECTS[langs[number % len(langs)]][0].format(name=name_of(number)), f"d{number}")
        for number in chosen
    ]


def make_index(work: Path, passages: int) -> Path:
    """The index of the collection, built where it is missing. Vectors are left out of a large one:
    they would take the better part of an hour."""
    folder = work / f"serve-{passages}"
    index = folder / "index"
    if not index.exists():
        records = make_collection(folder / "documents", passages)
        lexical = ["--lexical"] if passages > 5_000 else []
        command = ["-m", "anaphora.cli", "index", str(records), "--index", str(index), *lexical]
        subprocess.run([sys.executable, *command], check=True, cwd=ROOT)
    return index


@contextmanager
def served(index: Path, work: Path, clients: int) -> Iterator[Running]:
    """A server over an index, with its log in the folder `work`."""
    from anaphora.serve.settings import ServeSettings
    from anaphora.serve.store.store import Store

    data = work / "serve-data"
    with closing(Store.open(ServeSettings(folder=data))) as store:
        for key in store.keys.listed():
            store.keys.revoke(key.name)
        keys = [store.keys.add(f"client {number}", ["ask"]) for number in range(clients)]
        keys.append(store.keys.add("the bench", ["admin"]))
    settings = work / "serve.toml"
    settings.write_text(
        f"[serve]\nfolder = {json.dumps(str(data))}\nrequests_per_minute = 0\n", "utf-8"
    )
    command = ["serve", "--index", f"bench={index}", "--port", "0", "--config", str(settings)]
    with (work / "serve.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "anaphora.cli", *command],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=dict(os.environ),
        )
        try:
            assert process.stdout
            found = None
            for line in process.stdout:
                found = re.search(r"(http://\S+)/start\?token=", line)
                if found:
                    break
            assert found, f"the server did not start; see {log.name}"
            yield Running(found[1], keys, process.pid)
        finally:
            process.terminate()
            process.wait()
