"""The probing features of dialogue-rag-node-linking §3.2 from a causal language model.

For a place p of the question, before its word p, and word k of an earlier utterance:

- CSF (equations 8 and 9): the divergence KL(P(· | question before p) || P(· | utterance before k));
- RCF (equation 10): P(k | question before p), of the first token of word k.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from anaphora.rewrite.linking.sequence import Layout
from anaphora.train.linking.causal import Causal
from anaphora.train.linking.model import Probe

logger = logging.getLogger(__name__)

FEATURES = ("CSF", "RCF")
_AT_ONCE = 16
_TOLD_EVERY = 2048


def probes(layouts: Sequence[Layout], causal: Causal, folder: Path) -> list[Probe]:
    """CSF and RCF of every layout, float16 [2, g, c]; what `folder` keeps of the same layouts and
    model is read again."""
    shapes = [(len(FEATURES), *_shape(layout)) for layout in layouts]
    offsets = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)]).tolist()
    path, mark = folder / "probes.f16", folder / "probes.sha256"
    digest = sha256(causal.identity.encode())
    for layout in layouts:
        digest.update(repr([(one.text) for one in layout.utterances]).encode())
        digest.update(repr([(word.utterance, word.start) for word in layout.words]).encode())
    if not (mark.exists() and mark.read_text() == digest.hexdigest()):
        values = np.memmap(path, np.float16, "w+", shape=(max(1, offsets[-1]),))
        # Those of like length together, so that little is padding.
        order = sorted(range(len(layouts)), key=lambda number: len(layouts[number].ids))
        for at in range(0, len(order), _AT_ONCE):
            rows = order[at : at + _AT_ONCE]
            group = [layouts[row] for row in rows]
            for row, probe in zip(rows, features(group, causal), strict=True):
                values[offsets[row] : offsets[row + 1]] = probe.reshape(-1)
            if at % _TOLD_EVERY == 0:
                logger.info(f"probes: {at} of {len(order)}")
        values.flush()
        mark.write_text(digest.hexdigest())
    values = np.memmap(path, np.float16, "r", shape=(max(1, offsets[-1]),))
    return [
        values[a:b].reshape(shape) for (a, b), shape in zip(pairwise(offsets), shapes, strict=True)
    ]


def features(layouts: Sequence[Layout], causal: Causal) -> Iterator[Probe]:
    """CSF and RCF of a few layouts: their utterances go through the model together."""
    texts = list(dict.fromkeys(one.text for layout in layouts for one in layout.utterances))
    coded = [causal.tokens(text) for text in texts]
    said = dict(zip(texts, causal.distributions([ids for ids, _ in coded]), strict=True))
    tokens = dict(zip(texts, coded, strict=True))
    for layout in layouts:
        told: list[Tensor] = []
        next_ids: list[int] = []
        for word in layout.words[: layout.context]:
            text = layout.utterances[word.utterance].text
            ids, ranges = tokens[text]
            at = _token(ranges, word.start)
            told.append(said[text][at])
            next_ids.append(ids[at] if at < len(ids) else 0)
        question = layout.utterances[-1].text
        ids, ranges = tokens[question]
        starts = [_token(ranges, word.start) for word in layout.words[layout.context :]]
        asked = said[question][torch.tensor([*starts, len(ids)])]
        if not told:
            yield np.zeros((len(FEATURES), *_shape(layout)), np.float16)
            continue
        chances = asked.exp()
        own = (chances * asked).sum(dim=1, keepdim=True)
        divergence = (own - chances @ torch.stack(told).T).clamp(min=0)
        consistency = chances[:, torch.tensor(next_ids)]
        yield torch.stack([divergence, consistency]).numpy().astype(np.float16)


def _token(ranges: Sequence[tuple[int, int]], start: int) -> int:
    """The first token that goes beyond the character `start`; the number of all where none does."""
    return next((number for number, (_, end) in enumerate(ranges) if end > start), len(ranges))


def _shape(layout: Layout) -> tuple[int, int]:
    return len(layout.words) - layout.context + 1, layout.context
