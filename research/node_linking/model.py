"""The linker with any encoder, with or without the probing features of a causal language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from anaphora.rewrite.linking.heads import Heads, Links
from anaphora.rewrite.linking.sequence import Layout
from anaphora.train.rewriter.batches import targets
from anaphora.train.rewriter.features import Prepared
from anaphora.train.rewriter.network import LinkHeads
from research.node_linking.encoders import Encoder

Probe = npt.NDArray[np.float16]
"""Features of one example [f, g, c]: f of them, g gaps of the question, c words of context."""


class Model(nn.Module):  # type: ignore[misc]
    """An encoder, the heads, and a factor for each probing feature.

    The paper ("Feature Integration") adds the features to the biaffine scores. Here each has a
    trained factor, which starts at 1: the divergence is small where a link is right, so that its
    factor has to become negative.
    """

    def __init__(self, encoder: Encoder, phrases: int, features: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.heads = LinkHeads(encoder.width, phrases, encoder.dropout)
        self.factors = nn.Parameter(torch.ones(features))

    def losses(
        self,
        prepared: Sequence[Prepared],
        probes: Sequence[Probe] | None,
        phrases: Mapping[str, int],
    ) -> dict[str, Tensor]:
        """The parts of the loss of some examples."""
        expected = targets(prepared, phrases)
        links = None
        if probes is not None:
            padded = torch.zeros(len(self.factors), *expected.left.shape, expected.context.shape[1])
            for at, probe in enumerate(probes):
                _, gaps, words = probe.shape
                padded[:, at, :gaps, 1 : 1 + words] = torch.from_numpy(probe.astype(np.float32))
            links = torch.einsum("f,fbgc->bgc", self.factors, padded)
        return self.heads.losses(self.encoder([one.layout for one in prepared]), expected, links)

    def scores(
        self, layouts: Sequence[Layout], probes: Sequence[Probe] | None, heads: Heads
    ) -> list[Links]:
        """Scores of all links of some examples; `heads` are this model's as matrices."""
        with torch.inference_mode():
            vectors = self.encoder(layouts).float().numpy()
        factors = self.factors.detach().numpy()
        found = []
        for number, layout in enumerate(layouts):
            links = heads.links(vectors[number, : len(layout.words) + 2], layout.context)
            if probes is not None:
                starts = links.starts.copy()
                starts[:, :, 1:] += np.tensordot(factors, probes[number].astype(np.float32), 1)
                links = replace(links, starts=starts)
            found.append(links)
        return found
