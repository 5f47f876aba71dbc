"""Indexes a folder again and again in processes that are killed at random moments.

Run as a script by test_killed.py: `killed.py FOLDER INDEX KILLS SEED`. It forks, so that a child
starts in the middle of the work, changes some files before each run, and goes on until KILLS runs
were killed unfinished; after each the index must verify and hold every document it held before.
"""

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

import numpy as np

from anaphora.index.local import writer
from anaphora.index.local.index import LocalIndex
from anaphora.ingest.update import update

writer.COMMIT_PASSAGES = 40


class HashEncoder:
    """Vectors that depend on the text alone and cost nothing: the storage is what is tested."""

    name = "hash"
    dimensions = 16

    def encode_queries(self, texts):
        return self.encode_passages(texts)

    def encode_passages(self, texts, progress=None):
        rows = [
            np.random.default_rng(list(text.encode())).standard_normal(self.dimensions)
            for text in texts
        ]
        vectors = np.array(rows, dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def main(folder, index, kills, seed):
    rng = random.Random(seed)
    began = time.perf_counter()
    update(index.with_name("timing"), [folder], HashEncoder())
    whole = time.perf_counter() - began
    pages = sorted(folder.glob("*.md"))
    killed = committed = 0
    while killed < kills:
        for page in rng.sample(pages, 12):
            page.write_text(f"{page.read_text('utf-8')}\n\nKill {killed} changed this.", "utf-8")
        child = os.fork()
        if not child:
            update(index, [folder], HashEncoder())
            os._exit(0)
        time.sleep(rng.random() * whole * 0.4)
        os.kill(child, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])
        committed = check(index, committed, rng)


def check(index, committed, rng):
    if not (index / "truth.sqlite").exists():
        return 0
    with writer.Writer(index) as held:
        problems = held.verify()
        documents, passages = held.store.counts()
    assert not problems, problems
    assert documents >= committed, "a committed document is gone"
    if rng.random() < 0.3:  # now and then everything is found, not only stored
        opened = LocalIndex(index)
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
