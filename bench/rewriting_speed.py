"""How fast rewriters are: Figure 4 of Li et al. (2025), "Dialogue-RAG: Enhancing Retrieval for LLMs
via Node-Linking Utterance Rewriting".

    python -m bench.rewriting_speed DATA [--turns 200] [--times 5]
        [-p "seq2seq: rewrite.method=seq2seq,rewrite.model=FOLDER"]
        [-p "llm: rewrite.method=llm,rewrite.endpoint=URL,rewrite.model=NAME"]

DATA is a data set of conversations; the paper's is REWRITE, of which `anaphora data list` names the
source. "linking, base" is the linker alone, "linking, full" the default rewriter with its gate, the
variant that is searched too, and requests such as "why?". Turns are rewritten one by one, as in a
chat, on one thread, and their languages are known. CPU time is that of this process, so that the
time of a model behind an endpoint is in the elapsed time alone; elapsed times of one run can be
compared with each other.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from time import perf_counter, process_time

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.systems import parse_systems
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import Rewriter
from anaphora.records import Conversation
from anaphora.registry import build
from anaphora.rewrite.linking.rewriter import LinkingRewriter


@dataclass(frozen=True)
class Speed:
    """Means over the repetitions, for one turn: seconds of the processor and on the clock."""

    cpu: float
    elapsed: float


def measured(rewriter: Rewriter, conversations: Sequence[Conversation], times: int) -> Speed:
    """The first turn is rewritten once before, so that models are loaded."""
    rewriter.rewrite(conversations[:1])
    cpu, elapsed = [], []
    for _ in range(times):
        began, began_cpu = perf_counter(), process_time()
        for one in conversations:
            rewriter.rewrite([one])
        cpu.append((process_time() - began_cpu) / len(conversations))
        elapsed.append((perf_counter() - began) / len(conversations))
    return Speed(fmean(cpu), fmean(elapsed))


def rewriters(pipelines: Sequence[str]) -> dict[str, Rewriter]:
    """Those of the table, and those of further pipelines, by name."""
    found: dict[str, Rewriter] = {
        "history": _built(Config.of({"rewrite": {"method": "history"}})),
        "linking, base": LinkingRewriter(shared_backbone()),
        "linking, full": _built(Config()),
    }
    return found | {one.name: _built(one.config) for one in parse_systems(pipelines)}


def _built(config: Config) -> Rewriter:
    rewriter: Rewriter = build(config.rewrite, Assistant(None, config))
    return rewriter


def table(found: dict[str, Speed]) -> str:
    """A row for each rewriter, with its speed as a multiple of the default rewriter's."""
    full = found["linking, full"]
    lines = ["rewriter              CPU ms   turns/CPU s   × CPU   × elapsed"]
    for name, one in found.items():
        lines.append(
            f"{name:20} {1000 * one.cpu:7.2f} {1 / max(one.cpu, 1e-9):13.1f}"
            f" {full.cpu / max(one.cpu, 1e-9):7.2f} {full.elapsed / one.elapsed:11.2f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("-p", "--pipeline", action="append", default=[])
    options = parser.parse_args()
    examples = islice(open_dataset(options.data).examples(), options.turns)
    understood = Assistant(None, Config()).understander.understand(
        [one.conversation for one in examples]
    )
    conversations = [one.conversation for one in understood if one.intent == "question"]
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    found = {
        name: measured(one, conversations, options.times)
        for name, one in rewriters(options.pipeline).items()
    }
    print(f"{len(conversations)} turns, {options.times} times")
    print(table(found))


if __name__ == "__main__":
    main()
