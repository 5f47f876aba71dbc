"""Compare ways to store vectors and to find the nearest: quality, latency, memory.

    python -m bench.vectors --xquad FOLDER --work WORK [--mtrag FOLDER] [--sizes 10000 100000]

Quality is measured on real questions and passages: XQuAD (every language's questions against its
240 paragraphs), and one domain of MTRAG against its pooled passages (the first 500 characters of
each). Speed is measured on those vectors, mixed in pairs and perturbed until there are enough.
WORK keeps the vectors between runs. Times are the best of several: wall clock, and the processor's,
which other work on the machine disturbs less. A C compiler is needed; faiss is left out with a line
where it is not installed.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.models.backbone import processors
from anaphora.retrieve.encoders import load_encoder
from bench.table import format_table, machine, save

Array = npt.NDArray[Any]
K = 100
BLOCK = 4096
QUERY_MAX = 8191


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.vectors")
    parser.add_argument("--xquad", type=Path, required=True)
    parser.add_argument("--mtrag", type=Path, help="a domain's folder, such as mtrag/clapnq")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--graph", type=int, default=100_000, help="rows of the approximate index")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    xquad = encoded(options.work / "xquad.npz", read_xquad, options.xquad)
    sets = {"xquad": xquad}
    if options.mtrag:
        sets["mtrag"] = encoded(options.work / "mtrag.npz", read_mtrag, options.mtrag)
    results: dict[str, Any] = {"machine": machine(), "quality": compare_quality(sets)}
    base = np.concatenate([one["passages"] for one in sets.values()])
    queries = xquad["queries"][:: len(xquad["queries"]) // 64][:64]
    results["exact"] = compare_exact(base, queries, options)
    results["approximate"] = compare_approximate(base, queries, options.graph)
    print("written:", save("vectors", results))


def encoded(path: Path, read: Callable[[Path], tuple[Any, ...]], folder: Path) -> dict[str, Array]:
    """Vectors of one data set; `gold` is [question, passage] pairs, `pool` the passages' sets."""
    if not path.exists():
        passages, questions, gold, pool = read(folder)
        encoder = load_encoder()
        np.savez(
            path,
            passages=encoder.encode_passages(passages),
            queries=encoder.encode_queries(questions),
            gold=np.array(gold),
            pool=np.array(pool),
        )
    return dict(np.load(path))


def read_xquad(folder: Path) -> tuple[list[str], list[str], list[tuple[int, int]], list[int]]:
    passages: list[str] = []
    questions: list[str] = []
    gold: list[tuple[int, int]] = []
    pool: list[int] = []
    for number, path in enumerate(sorted(folder.glob("xquad.*.json"))):
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                for qa in paragraph["qas"]:
                    gold.append((len(questions), len(passages)))
                    questions.append(qa["question"])
                passages.append(paragraph["context"])
                pool.append(number)
    return passages, questions, gold, pool


def read_mtrag(folder: Path) -> tuple[list[str], list[str], list[tuple[int, int]], list[int]]:
    with (folder / "pooled_passages.jsonl").open(encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    places = {record["_id"]: row for row, record in enumerate(records)}
    with next(folder.glob("*_rewrite.jsonl")).open(encoding="utf-8") as file:
        asked = [json.loads(line) for line in file]
    numbers = {record["_id"]: row for row, record in enumerate(asked)}
    lines = (folder / "qrels" / "dev.tsv").read_text(encoding="utf-8").splitlines()[1:]
    pairs = [line.split("\t") for line in lines]
    gold = [(numbers[q], places[p]) for q, p, _ in pairs if q in numbers and p in places]
    questions = [record["text"].removeprefix("|user|: ") for record in asked]
    return [record["text"][:500] for record in records], questions, gold, [0] * len(records)


def stored_forms(vectors: Array) -> Iterator[tuple[str, Array]]:
    """Vectors as they come back from each form of storage."""
    yield "float32", vectors
    yield "float16", vectors.astype(np.float16).astype(np.float32)
    for scale in (127, 512):
        yield f"int8, times {scale}", np.clip(np.rint(vectors * scale), -127, 127) / scale
    rows = by_row(vectors).astype(np.float32)
    yield "int8, by row", rows / np.linalg.norm(rows, axis=1, keepdims=True)


def by_row(vectors: Array) -> Array:
    """int8 rows whose largest component is 127 each; their own length makes them unit again."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    rows: Array = np.rint(vectors / largest * 127).astype(np.int8)
    return rows


def compare_quality(sets: dict[str, dict[str, Array]]) -> list[dict[str, Any]]:
    rows = []
    for name, data in sets.items():
        gold: dict[int, set[int]] = {}
        for question, passage in data["gold"].tolist():
            gold.setdefault(question, set()).add(passage)
        exact: dict[int, list[int]] = {}
        for form, passages in stored_forms(data["passages"]):
            ndcg, recall, same = [], [], []
            scores = data["queries"] @ passages.T
            for question, right in gold.items():
                mine = np.flatnonzero(data["pool"] == data["pool"][next(iter(right))])
                order = np.argsort(-scores[question, mine], kind="stable")[:K]
                best = mine[order].tolist()
                gains = [1 / np.log2(n + 2) for n, row in enumerate(best[:10]) if row in right]
                ideal = sum(1 / np.log2(n + 2) for n in range(min(10, len(right))))
                ndcg.append(sum(gains) / ideal)
                recall.append(len(right & set(best)) / len(right))
                same.append(len(set(best) & set(exact.setdefault(question, best))) / len(best))
            rows.append(
                {
                    "data": name,
                    "stored as": form,
                    "nDCG@10": f"{np.mean(ndcg):.4f}",
                    f"recall@{K}": f"{np.mean(recall):.4f}",
                    f"of float32's top {K}": f"{np.mean(same):.4f}",
                }
            )
    print(format_table(tuple(rows[0]), [list(row.values()) for row in rows]), end="\n\n")
    return rows


def grown(base: Array, size: int) -> Array:
    """As many unit vectors as asked for: real ones mixed in pairs, with noise."""
    random = np.random.default_rng(20)
    made = np.empty((size, base.shape[1]), dtype=np.float32)
    for at in range(0, size, 1 << 16):
        part = made[at : at + (1 << 16)]
        first, second = random.integers(0, len(base), (2, len(part)))
        share = random.uniform(0, 0.6, (len(part), 1)).astype(np.float32)
        part[:] = (1 - share) * base[first] + share * base[second]
        part += random.normal(0, 0.01, part.shape).astype(np.float32)
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return made


def top(scores: Array) -> Array:
    best: Array = np.argpartition(-scores, K, axis=1)[:, :K]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
    return np.take_along_axis(best, order, axis=1)


def shared(found: Array, exact: Array) -> float:
    pairs = zip(np.atleast_2d(found).tolist(), exact.tolist(), strict=True)
    return float(np.mean([len(set(a) & set(b)) / K for a, b in pairs]))


class Loop:
    """bench/dot.c over rows stored "by row", on one thread or several."""

    def __init__(self, work: Path) -> None:
        library = work / "dot.so"
        source = Path(__file__).with_name("dot.c")
        command = ["cc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o"]
        subprocess.run([*command, str(library)], check=True)
        self._dot = ctypes.CDLL(str(library.resolve())).dot
        self._threads = ThreadPoolExecutor(processors())

    def __call__(self, rows: Array, lengths: Array, queries: Array, threads: bool) -> Array:
        whole = np.rint(queries / np.abs(queries).max(axis=1, keepdims=True) * QUERY_MAX)
        whole = np.ascontiguousarray(whole.astype(np.int16))
        factors = (1 / lengths).astype(np.float32)
        scores = np.empty((len(queries), len(rows)), dtype=np.float32)

        def fill(at: int) -> None:
            part = rows[at : at + BLOCK]
            self._dot(
                ctypes.c_void_p(part.ctypes.data),
                ctypes.c_void_p(factors[at:].ctypes.data),
                ctypes.c_int64(len(part)),
                ctypes.c_int64(rows.shape[1]),
                ctypes.c_void_p(whole.ctypes.data),
                ctypes.c_int64(len(whole)),
                ctypes.c_void_p(scores[:, at:].ctypes.data),
                ctypes.c_int64(len(rows)),
            )

        blocks = range(0, len(rows), BLOCK)
        for _ in self._threads.map(fill, blocks) if threads else map(fill, blocks):
            pass
        return top(scores)


def timed(search: Callable[[], Array], rounds: int = 5) -> tuple[Array, float, float]:
    """What is found, and the least milliseconds of the clock and of the processor."""
    wall, own = [], []
    for _ in range(rounds):
        clock, processor = time.perf_counter(), time.process_time()
        found = search()
        own.append((time.process_time() - processor) * 1000)
        wall.append((time.perf_counter() - clock) * 1000)
    return found, min(wall), min(own)


def compare_exact(base: Array, asked: Array, options: argparse.Namespace) -> list[dict[str, Any]]:
    loop = Loop(options.work)
    rows = []
    for size in options.sizes:
        vectors = grown(base, size)
        for count in (1, 32):
            queries = asked[:count]
            exact = top(queries @ vectors.T)
            for way, width, find in exact_ways(vectors, queries, loop):
                found, wall, own = timed(find)
                rows.append(
                    {
                        "search": way,
                        "rows": size,
                        "queries": count,
                        "ms": wall,
                        "processor ms": own,
                        "MB of rows": size * base.shape[1] * width / 1e6,
                        f"of float32's top {K}": f"{shared(found, exact):.4f}",
                    }
                )
    print(format_table(tuple(rows[0]), [list(row.values()) for row in rows]), end="\n\n")
    return rows


def exact_ways(
    vectors: Array, queries: Array, loop: Loop
) -> Iterator[tuple[str, int, Callable[[], Array]]]:
    """Each way's name, bytes a component, and search."""
    from usearch.index import MetricKind, search

    threads = processors()
    whole = by_row(vectors)
    lengths = np.linalg.norm(whole.astype(np.float32), axis=1)
    yield "numpy float32", 4, lambda: top(queries @ vectors.T)
    yield "C int8, 1 thread", 1, lambda: loop(whole, lengths, queries, False)
    yield f"C int8, {threads} threads", 1, lambda: loop(whole, lengths, queries, True)

    def by_usearch(stored: Array, asked: Array) -> Array:
        found: Array = search(stored, asked, K, MetricKind.Cos, exact=True, threads=threads).keys
        return found

    yield "usearch int8", 1, lambda: by_usearch(whole, by_row(queries))
    half = vectors.astype(np.float16)
    yield "usearch float16", 2, lambda: by_usearch(half, queries.astype(np.float16))
    flat = faiss_flat(vectors, threads)
    if flat is not None:
        yield "faiss float32", 4, lambda: flat.search(queries, K)[1]


def faiss_flat(vectors: Array, threads: int) -> Any:
    try:
        import faiss
    except ImportError:
        print("faiss: left out, it is not installed", file=sys.stderr)
        return None
    faiss.omp_set_num_threads(threads)
    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)
    return flat


def compare_approximate(base: Array, queries: Array, size: int) -> list[dict[str, Any]]:
    from usearch.index import Index, MetricKind

    vectors = grown(base, size)
    exact = top(queries @ vectors.T)
    whole = by_row(vectors)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    index = Index(ndim=base.shape[1], metric=MetricKind.Cos, dtype="i8", connectivity=16)
    clock, own = time.perf_counter(), time.process_time()
    index.add(np.arange(size), whole, threads=processors())
    built, worked = time.perf_counter() - clock, time.process_time() - own
    grew = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"usearch HNSW, {size} rows: built in {built:.0f} s ({worked:.0f} s of processor time),")
    print(f"{index.serialized_length / 1e6:.0f} MB serialised, memory grew by {grew:.0f} MiB")
    rows = []
    for breadth in (64, 128, 256, 512):
        index.expansion_search = breadth
        found, wall, spent = timed(lambda: index.search(by_row(queries), K, threads=1).keys, 3)
        rows.append(
            {
                "search": f"HNSW int8, breadth {breadth}",
                "ms a query": wall / len(queries),
                "processor ms a query": spent / len(queries),
                f"of float32's top {K}": f"{shared(found, exact):.4f}",
            }
        )
    print(format_table(tuple(rows[0]), [list(row.values()) for row in rows]), end="\n\n")
    return [{"build s": built, "processor s": worked, "bytes": index.serialized_length}, *rows]


if __name__ == "__main__":
    main()
