"""Indexes, or opens an index again and again, once a file appears; run by test_processes.py.

`index_together.py write|read FOLDER INDEX START`. It prints the errors that a user would see.
"""

import sys
import time
from pathlib import Path

from hash_encoder import HashEncoder

from anaphora.errors import AnaphoraError
from anaphora.index import BM25, open_index
from anaphora.ingest.update import update
from anaphora.records import Query


def read(index):
    opened = open_index(index)
    hits = opened.search([Query("server")], 3, BM25())[0]
    opened.close()
    return hits


def main(task, folder, index, start):
    print("ready", flush=True)
    while not start.exists():
        time.sleep(0.001)
    if task == "write":
        attempts = [lambda: update(index, [folder], HashEncoder())]
    else:
        attempts = [lambda: read(index)] * 200
    for attempt in attempts:
        try:
            attempt()
        except AnaphoraError as error:
            print(f"{type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
