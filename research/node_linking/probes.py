"""The probing features of the paper's section 3.2, from a causal language model.

For a place p in the question, before its word p, and word k of an earlier utterance:

- CSF (equations 8 and 9): the divergence KL(P(· | question before p) || P(· | utterance before k));
- RCF (equation 10): P(k | question before p), of the first token of word k.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from anaphora.rewrite.linking.sequence import Layout
from anaphora.train.cache import cached_arrays
from research.node_linking.causal import Causal
from research.node_linking.model import Probe

logger = logging.getLogger(__name__)

FEATURES = ("CSF", "RCF")
_AT_ONCE = 16
_LOG_INTERVAL = 2048


def probes(layouts: Sequence[Layout], causal: Causal, folder: Path) -> list[Probe]:
    """CSF and RCF of every layout, float16 [2, g, c]. They are kept in `folder`, and read again for
    the same layouts and model."""
    digest = sha256(causal.identity.encode())
    for layout in layouts:
        digest.update(repr([(one.text) for one in layout.utterances]).encode())
        digest.update(repr([(word.utterance, word.start) for word in layout.words]).encode())

    def fill(values: Sequence[Probe]) -> None:
        # Layouts of similar length together need little padding.
        order = sorted(range(len(layouts)), key=lambda number: len(layouts[number].ids))
        for at in range(0, len(order), _AT_ONCE):
            rows = order[at : at + _AT_ONCE]
            group = [layouts[row] for row in rows]
            for row, probe in zip(rows, features(group, causal), strict=True):
                values[row][:] = probe
            if at % _LOG_INTERVAL == 0:
                logger.info(f"probes: {at} of {len(order)}")

    shapes = [(len(FEATURES), *_shape(layout)) for layout in layouts]
    return cached_arrays(folder / "probes.f16", digest.hexdigest(), shapes, fill)


def features(layouts: Sequence[Layout], causal: Causal) -> Iterator[Probe]:
    """CSF and RCF of a few layouts: their utterances go through the model together."""
    texts = list(dict.fromkeys(one.text for layout in layouts for one in layout.utterances))
    coded = [causal.tokens(text) for text in texts]
    known = dict(zip(texts, causal.distributions([ids for ids, _ in coded]), strict=True))
    tokens = dict(zip(texts, coded, strict=True))
    for layout in layouts:
        earlier: list[Tensor] = []
        next_ids: list[int] = []
        for word in layout.words[: layout.context]:
            text = layout.utterances[word.utterance].text
            ids, ranges = tokens[text]
            at = _token(ranges, word.start)
            earlier.append(known[text][at])
            next_ids.append(ids[at] if at < len(ids) else 0)
        question = layout.utterances[-1].text
        ids, ranges = tokens[question]
        starts = [_token(ranges, word.start) for word in layout.words[layout.context :]]
        places = known[question][torch.tensor([*starts, len(ids)])]
        if not earlier:
            yield np.zeros((len(FEATURES), *_shape(layout)), np.float16)
            continue
        probabilities = places.exp()
        negative_entropy = (probabilities * places).sum(dim=1, keepdim=True)
        divergence = (negative_entropy - probabilities @ torch.stack(earlier).T).clamp(min=0)
        consistency = probabilities[:, torch.tensor(next_ids)]
        yield torch.stack([divergence, consistency]).numpy().astype(np.float16)


def _token(ranges: Sequence[tuple[int, int]], start: int) -> int:
    """The first token that ends after the character `start`; the number of tokens if none does."""
    return next((number for number, (_, end) in enumerate(ranges) if end > start), len(ranges))


def _shape(layout: Layout) -> tuple[int, int]:
    return len(layout.words) - layout.context + 1, layout.context
