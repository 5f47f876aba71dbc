"""The figures of a trained linker, as in Li et al., "Dialogue-RAG: Enhancing Retrieval for LLMs via
Node-Linking Utterance Rewriting"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anaphora.evaluate.metrics.exact_match import exact_rewrite
from anaphora.evaluate.metrics.parsing import Insertion, parsing_report
from anaphora.evaluate.metrics.rewriting import rewrite_report
from anaphora.rewrite.linking.decoding import Decoded, Thresholds
from anaphora.rewrite.linking.detokenization import separator
from anaphora.rewrite.linking.heads import Heads, Links
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.train.rewriter.alignment import apply
from anaphora.train.rewriter.evaluation import Scored
from anaphora.train.rewriter.features import Prepared, context_words, question_words
from anaphora.train.rewriter.network import head_arrays
from research.node_linking.model import Model, Probe

_AT_ONCE = 64
GRID: Mapping[str, Sequence[float]] = {
    "span": (0.2, 0.3, 0.4, 0.5, 0.6),
    "replacing": (0.05, 0.15, 0.25, 0.4),
    "second": (0.3, 0.4, 0.5, 0.6, 0.7),
    "phrase": (0.4, 0.5, 0.6, 0.7),
    "deletion": (0.3, 0.4, 0.5, 0.6),
}


def scored(
    model: Model,
    prepared: Sequence[Prepared],
    probes: Sequence[Probe] | None,
    phrases: Sequence[str],
) -> Scored:
    """Examples with the scores of their links. There are none for a question that is too long for
    the encoder, or that has no context."""
    heads = Heads(head_arrays(model))
    links: list[Links | None] = [None] * len(prepared)
    order = sorted(range(len(prepared)), key=lambda number: len(prepared[number].layout.ids))
    for at in range(0, len(order), _AT_ONCE):
        rows = order[at : at + _AT_ONCE]
        used = None if probes is None else [probes[row] for row in rows]
        layouts = [prepared[row].layout for row in rows]
        for row, one in zip(rows, model.scores(layouts, used, heads), strict=True):
            layout = prepared[row].layout
            if layout.whole and layout.context and layout.context < len(layout.words):
                links[row] = one
    closed = PhraseSet(phrases, {prepared[0].lang: phrases})
    return Scored(prepared, links, heads, closed)


def exact_matches(examples: Scored, thresholds: Thresholds) -> float:
    pairs = zip(examples.rewrites(thresholds), examples.prepared, strict=True)
    return sum(
        exact_rewrite(text, one.example.rewrites[:1], one.lang) or 0.0 for text, one in pairs
    )


def figures(examples: Scored, thresholds: Thresholds) -> dict[str, Any]:
    """The rewriting and the parsing figures of the linker."""
    decoded = examples.decoded(thresholds)
    found = _rewriting([text for text, _ in decoded], examples.prepared)
    pairs = list(zip(decoded, examples.prepared, strict=True))
    mine = [[] if one is None else list(_decided(one, right)) for (_, one), right in pairs]
    gold = [list(_right(one)) for one in examples.prepared]
    return found | parsing_report(mine, gold)


def unrewritten(prepared: Sequence[Prepared]) -> dict[str, Any]:
    """The figures of the original questions."""
    return _rewriting([one.example.question for one in prepared], prepared)


def ceiling(prepared: Sequence[Prepared]) -> dict[str, Any]:
    """The figures of the rewrites that the labels express: the upper bound for a linker.

    A turn is covered if the labels express every inserted word.
    """
    texts = []
    for one in prepared:
        context = [word for utterance in context_words(one.layout) for word in utterance]
        text = ""
        for word in apply(question_words(one.layout), context, one.labels):
            text += separator(text, word) + word
        texts.append(text)
    labels = [one.labels for one in prepared]
    inserted = sum(one.inserted for one in labels)
    return _rewriting(texts, prepared) | {
        "words covered": 1 - sum(one.missed for one in labels) / max(1, inserted),
        "turns covered": sum(not one.missed for one in labels) / len(labels),
    }


def _rewriting(texts: Sequence[str], prepared: Sequence[Prepared]) -> dict[str, Any]:
    return rewrite_report(
        texts,
        [one.example.rewrites[0] for one in prepared],
        [one.example.question for one in prepared],
        [one.lang for one in prepared],
    )


def _right(one: Prepared) -> Iterator[Insertion]:
    """The latest of several places with the same text represents all of them."""
    for insertion in one.labels.insertions:
        for places in insertion.spans:
            yield insertion.gap, *places[-1]


def _decided(decoded: Decoded, one: Prepared) -> Iterator[Insertion]:
    same = {
        (insertion.gap, place): places[-1]
        for insertion in one.labels.insertions
        for places in insertion.spans
        for place in places
    }
    for placed in decoded.insertions:
        for span in placed.spans:
            place = (span.first - 1, span.last - 1)
            yield placed.gap, *same.get((placed.gap, place), place)
