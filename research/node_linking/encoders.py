"""The protocol of the encoders that turn conversations into vectors of their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from torch import Tensor, nn

from anaphora.protocols import Progress
from anaphora.records import Conversation
from anaphora.rewrite.linking.sequence import Layout


class Encoder(Protocol):
    """A torch module from layouts to node vectors.

    Attributes:
        width: of a node's vector, d.
        rate: the learning rate of its parameters.
        dropout: of the node vectors and in the heads.
    """

    width: int
    rate: float
    dropout: float

    def lay_out(self, conversation: Conversation) -> Layout:
        """The conversation in this encoder's tokens."""

    def cache(self, layouts: Sequence[Layout], folder: Path, progress: Progress) -> None:
        """Computes the hidden states of the frozen layers, and keeps them in `folder`."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """All parameters; the frozen ones require no gradient."""

    def __call__(self, layouts: Sequence[Layout]) -> Tensor:
        """Vectors [b, n, d] of <s>, each word, and the last </s>; padded."""


def encoder(name: str, texts: Iterable[str], hidden: int) -> Encoder:
    """The encoder called `name`: "backbone", "bilstm", or a Hugging Face model by name or folder.

    Args:
        texts: those of the training part, for the vocabulary of the BiLSTM.
        hidden: the BiLSTM's units in each direction.

    Raises:
        ModelUnavailable: it cannot be loaded.
    """
    if name == "backbone":
        from research.node_linking.pretrained import BackboneEncoder

        return BackboneEncoder()
    if name == "bilstm":
        from research.node_linking.bilstm import BiLSTM
        from research.node_linking.tokens import Words

        known = list(texts)
        return BiLSTM(Words.of(known), sorted(set("".join(known))), hidden)
    from research.node_linking.pretrained import HubEncoder

    return HubEncoder(name)
