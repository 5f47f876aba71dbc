"""Tunes the thresholds of a trained linker, exports its weights and fits its gate.

The thresholds of English are those with the best BLEU-4 and ROUGE-1 on the tuning parts of CANARD
and of our English conversations, which contain self-contained questions too. Chinese, Japanese and
Arabic have the default ones, but the threshold of spans is the one with the most exact matches on
held-out synthetic questions. Other languages have the default thresholds.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from anaphora.datasets.example import Example
from anaphora.evaluate.metrics.rewriting import rewrite_report
from anaphora.language import counts_characters, stop_words
from anaphora.models.backbone import Backbone
from anaphora.rewrite.linking.decoding import Thresholds
from anaphora.rewrite.linking.model import CARD, HEADS, LAYERS
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.tokenization import word_ranges
from anaphora.train.corpora import canard_official
from anaphora.train.export import write_card, write_layers
from anaphora.train.rewriter.conversations import conversations
from anaphora.train.rewriter.evaluation import Scored, best_thresholds, scored
from anaphora.train.rewriter.features import Features, Labeller, prepare
from anaphora.train.rewriter.gate import fit_gate
from anaphora.train.rewriter.network import Linker, head_arrays
from anaphora.train.rewriter.synthetic import synthetic
from anaphora.train.text import TrainingText

logger = logging.getLogger(__name__)

_GRID: Mapping[str, Sequence[float]] = {
    "span": (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6),
    "replacing": (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
    "second": (0.2, 0.3, 0.4, 0.5, 0.6),
    "phrase": (0.4, 0.5, 0.6, 0.7),
    "deletion": (0.3, 0.4, 0.5),
}
"""Lower thresholds for phrases and higher ones for deletion gain a little BLEU-4, but give
ungrammatical questions such as "When was Ada Lovelace she born?"."""
_ROUNDS = 2
_SPAN_GRID = (0.45, 0.55, 0.65, 0.75, 0.85, 0.9, 0.95)
_HELD_OUT = 400
_FUNCTION_WORDS: Mapping[str, str] = {
    "ar": "وكم وهل",
    "en": "besides aside addition regards regarding along together relation ever happened",
    "fi": "vai",
    "tr": "ın",
}
"""Words of the closed sets that are not stop words and carry no content either."""


def tune_and_export(
    model: Linker,
    known: Sequence[str],
    phrases: Mapping[str, Sequence[str]],
    data: Path,
    text: TrainingText,
    folder: Path,
) -> Path:
    """Writes the weights with tuned thresholds and a fitted gate.

    Args:
        known: the phrases that the network has numbers for, in their order.
        phrases: the closed set of each language.

    Returns:
        `folder`.
    """
    languages = {
        lang: [phrase for phrase in texts if is_function_phrase(phrase, lang)]
        for lang, texts in phrases.items()
    }
    closed = PhraseSet(known, languages)
    backbone = Backbone()
    labeller = Labeller(backbone.tokenizer)

    def score(examples: Sequence[Example]) -> Scored:
        prepared = prepare(examples, labeller, None)
        hidden = [backbone.hidden([one.layout.ids.tolist()])[0] for one in prepared]
        return scored(model, Features(prepared, hidden), closed)

    canard = score(canard_official(data, "tune"))
    english = [
        one
        for folder in (text.conversations, text.follow_ups)
        for one in conversations("tune", folder)
        if one.conversation.question.lang == "en"
    ]
    tuned = (canard, score(english))
    thresholds = best_thresholds(
        lambda candidate: sum(sum(_bleu_and_rouge(one, candidate)) for one in tuned), _GRID, _ROUNDS
    )
    examples = synthetic(data, random.Random(0), "held out")
    others = score(random.Random(0).sample(examples, min(_HELD_OUT, len(examples))))
    by_language = {"en": thresholds}
    for lang in sorted({one.lang for one in others.prepared}):
        by_language[lang] = _best_span(others, lang)
    export(folder, model, known, languages, by_language)
    fit_gate(data, text, folder)
    bleu, rouge = _bleu_and_rouge(canard, thresholds)
    logger.info(f"BLEU-4 {bleu:.3f}, ROUGE-1 {rouge:.3f} on CANARD's tuning part: {thresholds}")
    return folder


def export(
    folder: Path,
    model: Linker,
    known: Sequence[str],
    languages: Mapping[str, Sequence[str]],
    thresholds: Mapping[str, Thresholds],
) -> None:
    """Writes the files that `anaphora.rewrite.linking.model.Linker` reads, without a gate."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: value.float().numpy() for name, value in model.state_dict().items()}
    write_layers(folder / LAYERS, tensors, "linker")
    marks = {name: tensors[f"marks.{name}"] for name in ("roles", "distances", "places")}
    arrays = head_arrays(model) | marks
    np.savez(folder / HEADS, **{name: one.astype(np.float16) for name, one in arrays.items()})
    write_card(
        folder / CARD,
        (LAYERS, HEADS),
        phrases=list(known),
        languages={lang: list(texts) for lang, texts in languages.items() if texts},
        thresholds={lang: asdict(one) for lang, one in thresholds.items()},
    )


def is_function_phrase(phrase: str, lang: str) -> bool:
    """Whether a phrase consists of function words. Other frequent phrases are things that many
    conversations share or, in writing without spaces, parts of names.

    >>> is_function_phrase("の", "ja"), is_function_phrase("ラ オ ス", "ja")
    (True, False)
    >>> is_function_phrase("in addition to", "en"), is_function_phrase("to the grocery store", "en")
    (True, False)
    """
    if not counts_characters(lang):
        function_words = stop_words(lang) | frozenset(_FUNCTION_WORDS.get(lang, "").split())
        words = (phrase[start:end] for start, end in word_ranges(phrase))
        return all(word.lower() in function_words for word in words if word[0].isalnum())
    return all("ぁ" <= char <= "ん" or char in "的之" or not char.isalnum() for char in phrase)


def _bleu_and_rouge(examples: Scored, thresholds: Thresholds) -> tuple[float, float]:
    """BLEU-4 and ROUGE-1 of English rewrites, in 0..1."""
    report = rewrite_report(
        examples.rewrites({"en": thresholds}),
        [one.example.rewrites[0] for one in examples.prepared],
        [one.example.question for one in examples.prepared],
        ["en"] * len(examples.prepared),
    )
    return report["BLEU-4"] or 0.0, report["ROUGE-1"] or 0.0


def _best_span(examples: Scored, lang: str) -> Thresholds:
    """The default thresholds with the one for spans that gives most exact matches in a language."""

    def exact_matches(span: float) -> int:
        rewrites = examples.rewrites({lang: replace(Thresholds(), span=span)})
        return sum(
            rewrite == one.example.rewrites[0]
            for one, rewrite in zip(examples.prepared, rewrites, strict=True)
            if one.lang == lang
        )

    return replace(Thresholds(), span=max(_SPAN_GRID, key=exact_matches))
