"""The thresholds of the gate: the quality of retrieval with each.

    python -m bench.gate_thresholds --data DATA --runs RUNS

On CANARD's tuning part, whose passages are the answers in its histories: mean nDCG@5 of follow-ups,
of the same questions in full, and of questions in full after a conversation about another article.
RUNS is the folder that was given to `anaphora eval` with --out; its encoded passages are reused.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.collection import index_documents
from anaphora.evaluate.metrics.retrieval import score_run
from anaphora.index import open_index
from anaphora.models.backbone import shared_backbone, workers
from anaphora.protocols import Retriever
from anaphora.records import Query, Rewrite
from anaphora.retrieve.encoders import load_encoder
from anaphora.rewrite.gate import Gate, unchanged
from anaphora.rewrite.linking.model import read_gate
from anaphora.rewrite.linking.rewriter import Candidate, LinkingRewriter, with_variant
from anaphora.train import corpora
from anaphora.train.corpora import with_question
from anaphora.train.rewriter.gate import subject
from bench.table import format_table

THRESHOLDS = (0.5, 0.6, 0.65, 0.7, 0.8)
NEW_TOPIC = (0.5, 0.8, 0.9, 1.0)
TURNS = 110
"""Of each kind."""


def turns(examples: Sequence[Example], rng: random.Random) -> dict[str, list[Example]]:
    """The three kinds, each with the passages that its question is answered by."""
    deep = [one for one in examples if one.conversation.history]
    switches = []
    for one in rng.sample(deep, TURNS):
        other = rng.choice([other for other in deep if subject(other) != subject(one)])
        switches.append(replace(with_question(one, other.rewrites[0]), relevant=other.relevant))
    return {
        "follow-up": rng.sample(list(examples), TURNS),
        "in full": [with_question(one, one.rewrites[0]) for one in rng.sample(deep, TURNS)],
        "new topic": switches,
    }


def scored(
    retriever: Retriever, gate: Gate, cases: Sequence[tuple[Example, Candidate | None, Rewrite]]
) -> float:
    """Mean nDCG@5 of the gate's rewrites, with those of the variant rewriter as variants."""
    queries = []
    for example, one, other in cases:
        if one is None:
            rewrite = unchanged(example.conversation, 1.0, "")
        else:
            rewrite = gate.apply(example.conversation, one.text, one.edits, one.features)
        if rewrite.decision != "new topic":
            rewrite = with_variant(rewrite, other.text)
        queries.append(Query(rewrite.text, rewrite.lang, rewrite.variants))
    rankings = {
        example.id: [(hit.passage.passage_id, hit.score) for hit in hits]
        for (example, *_), hits in zip(cases, retriever.retrieve(queries, 5), strict=True)
    }
    qrels = {example.id: example.relevant for example, *_ in cases}
    found = score_run(rankings, qrels, ["nDCG@5"]).values["nDCG@5"]
    return sum(found.values()) / len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True)
    options = parser.parse_args()
    official = {one.id: one for one in corpora.canard_official(options.data, "tune")}
    records = json.loads((options.data / "canard" / "dev.json").read_text("utf-8"))
    tuning = options.runs / "canard-tune.json"
    kept = [r for r in records if f"{r['QuAC_dialog_id']}#{r['Question_no']}" in official]
    tuning.write_text(json.dumps(kept, ensure_ascii=False), "utf-8")
    dataset = open_dataset(tuning)
    found = [
        replace(official[one.id], relevant=one.relevant)
        for one in dataset.examples()
        if one.relevant
    ]
    home = options.runs / "cache" / "collections"
    folder = index_documents(home, dataset.documents(), load_encoder())
    assert folder
    index = open_index(folder)
    assistant = Assistant(index)
    variants = Assistant(index, Config.of({"rewrite": {"method": "context"}})).rewriter
    linker = LinkingRewriter(shared_backbone())
    gate = read_gate()
    rows = []
    for kind, examples in turns(found, random.Random(0)).items():
        understood = assistant.understander.understand([one.conversation for one in examples])
        conversations = [one.conversation for one in understood]
        cases = list(
            zip(
                [replace(a, conversation=b) for a, b in zip(examples, conversations, strict=True)],
                workers().map(linker.candidate, conversations),
                variants.rewrite(conversations),
                strict=True,
            )
        )
        for threshold in THRESHOLDS:
            gates = [
                replace(gate, thresholds={"en": threshold}, new_topic=new_topic)
                for new_topic in NEW_TOPIC
            ]
            cells = [scored(assistant.retriever, one, cases) for one in gates]
            rows.append([kind, threshold, *(f"{cell:.4f}" for cell in cells)])
    print(format_table(["turns", "threshold", *(f"new topic {one}" for one in NEW_TOPIC)], rows))


if __name__ == "__main__":
    main()
