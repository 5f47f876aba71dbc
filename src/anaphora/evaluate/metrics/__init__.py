"""The metrics, one file each. All are in 0..1, higher is better, and valid in every script.

Only `code_switching` is better when lower, and so not among the metrics of answers but in `FAULTS`.
A metric is None where it has nothing to measure, such as an empty reference; an empty prediction
is wrong, and gets 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from anaphora.evaluate.metrics.abstention import Operating, abstention, auroc, risk_coverage
from anaphora.evaluate.metrics.bertscore import bertscore, bertscore_f1
from anaphora.evaluate.metrics.bleu import bleu, corpus_bleu
from anaphora.evaluate.metrics.citations import Grounding, grounding
from anaphora.evaluate.metrics.code_switching import code_switching
from anaphora.evaluate.metrics.correct_language import correct_language
from anaphora.evaluate.metrics.exact_match import exact_match, exact_rewrite
from anaphora.evaluate.metrics.f1 import f1
from anaphora.evaluate.metrics.meteor import meteor, meteor_with_synonyms
from anaphora.evaluate.metrics.ngram_recall import capped_ngram_recall, ngram_recall
from anaphora.evaluate.metrics.parsing import link_triplets, parsing, parsing_report
from anaphora.evaluate.metrics.rb_alg import rb_alg
from anaphora.evaluate.metrics.restoration import restoration
from anaphora.evaluate.metrics.rewriting import PROTOCOL, rewrite_report
from anaphora.evaluate.metrics.rouge import rouge
from anaphora.evaluate.metrics.scores import Overlap, mean
from anaphora.evaluate.metrics.tokens import paper_tokens

__all__ = [
    "ANSWER_METRICS",
    "FAULTS",
    "PROTOCOL",
    "REWRITE_METRICS",
    "Grounding",
    "Metric",
    "Operating",
    "Overlap",
    "abstention",
    "auroc",
    "bertscore",
    "bertscore_f1",
    "bleu",
    "capped_ngram_recall",
    "code_switching",
    "corpus_bleu",
    "correct_language",
    "exact_match",
    "exact_rewrite",
    "f1",
    "grounding",
    "link_triplets",
    "mean",
    "meteor",
    "meteor_with_synonyms",
    "ngram_recall",
    "parsing",
    "parsing_report",
    "rb_alg",
    "restoration",
    "rewrite_report",
    "risk_coverage",
    "rouge",
]

Metric = Callable[[str, Sequence[str], str], float | None]
"""Prediction, references and their language to a score of one turn."""


def _correct_language(prediction: str, references: Sequence[str], lang: str) -> float | None:
    return correct_language(prediction, lang)


def _code_switching(prediction: str, references: Sequence[str], lang: str) -> float | None:
    return code_switching(prediction, lang)


ANSWER_METRICS: Final[Mapping[str, Metric]] = {
    "EM": exact_match,
    "F1": f1,
    "BLEU-1": partial(bleu, order=1),
    "BLEU-2": partial(bleu, order=2),
    "BLEU-3": partial(bleu, order=3),
    "BLEU-4": partial(bleu, order=4),
    "ROUGE-1": partial(rouge, kind="1"),
    "ROUGE-1 R": partial(rouge, kind="1", part="recall"),
    "ROUGE-2": partial(rouge, kind="2"),
    "ROUGE-L": partial(rouge, kind="L"),
    "METEOR": meteor,
    "BERTScore": bertscore_f1,
    "3-gram recall": ngram_recall,
    "capped 3-gram recall": capped_ngram_recall,
    "language": _correct_language,
}
"""Of one answer against its references: "language" looks at the answer alone."""

REWRITE_METRICS: Final[Mapping[str, Metric]] = {
    "EM": exact_rewrite,
    "BLEU-1": partial(bleu, order=1, split=paper_tokens),
    "BLEU-2": partial(bleu, order=2, split=paper_tokens),
    "BLEU-3": partial(bleu, order=3, split=paper_tokens),
    "BLEU-4": partial(bleu, order=4, split=paper_tokens),
    "ROUGE-1": partial(rouge, kind="1", split=paper_tokens),
    "ROUGE-1 R": partial(rouge, kind="1", part="recall", split=paper_tokens),
    "ROUGE-2": partial(rouge, kind="2", split=paper_tokens),
    "ROUGE-L": partial(rouge, kind="L", split=paper_tokens),
    "BERTScore": bertscore_f1,
}
"""Of one rewrite against its references, on the tokens of `rewrite_report`, whose EM and ROUGE are
the means of these; its BLEU is the corpus's own."""

FAULTS: Final[Mapping[str, Metric]] = {"code-switching": _code_switching}
"""Metrics of which lower is better."""
