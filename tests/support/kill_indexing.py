"""Indexes a folder again and again in processes that are killed at random moments.

Run as a script by test_killed.py: `kill_indexing.py FOLDER INDEX KILLS SEED`. It forks, so that a
child starts without delay. It changes some files before each run, and continues until KILLS
unfinished runs were killed. After each the index must verify and hold every document that it held
before.
"""

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from hash_encoder import FirstHashEncoder, HashEncoder
from hash_sparse import HashSparse

from anaphora.index import open_index, open_writer
from anaphora.index.local import writer as local_writer
from anaphora.ingest import update as ingestion
from anaphora.ingest.update import update

local_writer.COMMIT_PASSAGES = 40
ingestion.FIRST_FROM = 40


def main(folder, index, kills, seed):
    rng = random.Random(seed)
    began = time.perf_counter()
    update(index.with_name("timing"), [folder], HashEncoder(), sparse=HashSparse())
    whole = time.perf_counter() - began
    pages = sorted(folder.glob("*.md"))
    first = {page: page.read_text("utf-8") for page in pages}
    records = folder / "records.jsonl"
    lines = records.read_text("utf-8").splitlines()
    killed = committed = 0
    while killed < kills:
        for page in rng.sample(pages, 12):
            page.write_text(f"{page.read_text('utf-8')}\n\nKill {killed} changed this.", "utf-8")
        # A text that returns must not be taken for the one that the killed run had committed.
        for page in rng.sample(pages, 8):
            page.write_text(first[page], "utf-8")
        changed = rng.random() < 0.5
        records.write_text("\n".join(reversed(lines) if changed else lines), "utf-8")
        child = os.fork()
        if not child:
            update(index, [folder], HashEncoder(), sparse=HashSparse(), first=FirstHashEncoder())
            os._exit(0)
        time.sleep(rng.random() * whole * 0.4)
        os.kill(child, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])
        committed = check(index, committed, rng)


def check(index, committed, rng):
    if not (index / "store.sqlite").exists():
        return 0
    with open_writer(index) as writer:
        problems = writer.verify()
        documents, passages = writer.counts()
    assert not problems, problems
    assert documents >= committed, "a committed document is gone"
    if rng.random() < 0.3:  # sometimes also search for all passages
        opened = open_index(index)
        assert opened.collection.passages == passages
        opened.close()
    # Starting over from nothing every so often keeps the kills in the early stages too.
    if rng.random() < 0.1:
        while index.exists():  # the second process may just be ending a file
            shutil.rmtree(index, ignore_errors=True)
        return 0
    return documents


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
