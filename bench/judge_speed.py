"""Pairs per second of the cross-encoder and the baseline, alternating, on the same pairs."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from anaphora.crossencoder.model import CrossEncoder
from anaphora.crossencoder.sequence import Sequencer
from anaphora.models.backbone import processors, shared_backbone
from anaphora.records import Passage
from bench.judge_work import MiniLM, Pair, questions
from bench.table import format_table

TOKENS = 150
BATCH = 20
ROUNDS = 9


def pairs(options: argparse.Namespace) -> tuple[list[Pair], list[Pair]]:
    """Questions, each with 20 paragraphs: cut so that the judge sees `TOKENS` tokens, and uncut."""
    examples, passages = questions(options.data / "xquad/xquad.en.json")
    sequencer = Sequencer(shared_backbone().tokenizer)
    cut: list[Pair] = []
    whole: list[Pair] = []
    texts = list(passages.values())
    for number, example in enumerate(examples[:: len(examples) // ROUNDS][:ROUNDS]):
        for place in range(BATCH):
            passage = texts[(number * BATCH + place) % len(texts)]
            whole.append((example.question, passage))
            cut.append((example.question, _cut(sequencer, example.question, passage)))
    return cut, whole


def _cut(sequencer: Sequencer, question: str, passage: Passage) -> Passage:
    """Its text, repeated where it is too short, cut where the window has `TOKENS` tokens."""
    text = f"{passage.text} {passage.text} {passage.text} {passage.text}"
    [window, *_] = sequencer.windows(question, "", text)
    kept = TOKENS - window.first - 1
    return Passage(passage.passage_id, passage.doc_id, "", text[: window.ranges[kept - 1][1]], "en")


def interleaved(
    runners: dict[str, Callable[[Sequence[Pair]], Any]], given: Sequence[Pair]
) -> dict[str, list[tuple[float, float]]]:
    """Seconds and processor seconds of each batch, runner by runner on the same batch; the first
    batch only warms up."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in runners}
    for at in range(0, len(given), BATCH):
        for name, runner in runners.items():
            began, worked = time.perf_counter(), time.process_time()
            runner(given[at : at + BATCH])
            times[name].append((time.perf_counter() - began, time.process_time() - worked))
    return {name: seconds[1:] for name, seconds in times.items()}


def run(options: argparse.Namespace) -> dict[str, Any]:
    judge = CrossEncoder(shared_backbone(), options.weights)
    layers = 3 + sum(1 for _ in _own_layers(options))
    runners: dict[str, Callable[[Sequence[Pair]], Any]] = {f"judge, {layers} layers": judge.score}
    if MiniLM.there(options.work):
        peer = MiniLM(options.work, processors())
        runners[f"{peer.name}, 12 layers"] = lambda part: _peer(peer, part, False)
        runners[f"{peer.name}, as many tokens"] = lambda part: _peer(peer, part, True)
    cut, whole = pairs(options)
    rows = []
    for title, given in ((f"{TOKENS} tokens", cut), ("whole paragraphs", whole)):
        for name, times in interleaved(runners, given).items():
            if title == "whole paragraphs" and name.endswith("tokens"):
                continue
            seconds = [taken for taken, _ in times]
            # What a machine that does nothing else would reach: all processors at work.
            free = processors() * BATCH / median(worked for _, worked in times)
            rows.append([f"{name}; {title}", BATCH / median(seconds), BATCH / min(seconds), free])
    columns = ["", "pairs/s, median", "best", "by processor time"]
    print(f"{processors()} processors, batches of {BATCH}, {ROUNDS - 1} rounds in turns")
    print(format_table(columns, rows), end="\n\n")
    return {"columns": columns, "table": rows}


def _own_layers(options: argparse.Namespace) -> set[str]:
    import onnx

    graph = onnx.load(options.weights / "judge.onnx").graph
    names = {tensor.name.split(".")[0] for tensor in graph.initializer}
    return {name for name in names if name.startswith("judge")}


def _peer(peer: MiniLM, part: Sequence[Pair], filled: bool) -> None:
    """With its own tokens, of which English has fewer; or `filled` up to `TOKENS`."""
    ids, kinds = peer.model.encode(part)
    if filled:
        ids = [(one * 3)[:TOKENS] for one in ids]
        kinds = [(one * 3)[:TOKENS] for one in kinds]
    peer.model.run(ids, kinds)
