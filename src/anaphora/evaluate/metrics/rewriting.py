"""The figures of a rewriter over a data set, by the protocol of Li et al., "Dialogue-RAG: Enhancing
Retrieval for LLMs via Node-Linking Utterance Rewriting".

Exact match, ROUGE-1/2/L, corpus BLEU-1..4 and the restoration scores of its Tables 3, 4, 8 and 9,
all on `paper_tokens`, punctuation included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from anaphora.evaluate.metrics.bleu import corpus_bleu
from anaphora.evaluate.metrics.restoration import restoration
from anaphora.evaluate.metrics.rouge import Kind, rouge_overlap
from anaphora.evaluate.metrics.scores import NOTHING, mean
from anaphora.evaluate.metrics.tokens import paper_tokens

PROTOCOL: Final = "node-linking"
"""The name of the protocol. Its figures do not compare with those of another tokenisation."""

_KINDS: Final[tuple[Kind, ...]] = ("1", "2", "L")


def rewrite_report(
    predictions: Sequence[str],
    references: Sequence[str],
    questions: Sequence[str],
    langs: Sequence[str],
) -> dict[str, float | None]:
    """The figures by name, for n rewrites against one reference each.

    EM and ROUGE ("ROUGE-1 P", "ROUGE-1 R", "ROUGE-1" for F, …) are means over turns, BLEU and
    restoration ("restoration P1", …, "restoration F3") are over the whole corpus. Turns without a
    reference are left out; a figure that nothing could be measured for is None.

    Raises:
        ValueError: the four are not equally long.
        AnaphoraError: sacrebleu is not installed.
    """
    turns = [
        (*texts, paper_tokens(texts[0], texts[3]), gold)
        for texts in zip(predictions, references, questions, langs, strict=True)
        if (gold := paper_tokens(texts[1], texts[3]))
    ]
    mine = [turn[4] for turn in turns]
    golds = [turn[5] for turn in turns]
    report = {"EM": mean(float(text == gold) for text, gold in zip(mine, golds, strict=True))}
    for order in range(1, 5):
        report[f"BLEU-{order}"] = corpus_bleu(mine, golds, order)
    for kind in _KINDS:
        counts = [rouge_overlap(text, gold, kind) for text, gold in zip(mine, golds, strict=True)]
        report[f"ROUGE-{kind}"] = mean(count.f1 for count in counts)
        # An empty rewrite is no better than a wrong one.
        report[f"ROUGE-{kind} P"] = mean(count.precision or 0.0 for count in counts)
        report[f"ROUGE-{kind} R"] = mean(count.recall for count in counts)
    for n in range(1, 4):
        restored = sum((restoration(*turn[:4], n) for turn in turns), NOTHING)
        report[f"restoration P{n}"] = restored.precision
        report[f"restoration R{n}"] = restored.recall
        report[f"restoration F{n}"] = restored.f1
    return report
