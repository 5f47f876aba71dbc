"""What turns conversations into vectors of their words, behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from torch import Tensor, nn

from anaphora.records import Conversation
from anaphora.rewrite.linking.sequence import Layout

Tell = Callable[[int, int], None]


class Encoder(Protocol):
    """A torch module from layouts to node vectors.

    Attributes:
        width: of a node's vector, d.
        rate: the learning rate of its parameters.
        dropout: of node vectors and of what the heads make of them.
    """

    width: int
    rate: float
    dropout: float

    def lay_out(self, talk: Conversation) -> Layout:
        """The conversation in this encoder's tokens."""

    def remember(self, layouts: Sequence[Layout], folder: Path, tell: Tell) -> None:
        """Computes what training never changes for these layouts, and keeps it in `folder`."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """All of them; those that are frozen take no gradient."""

    def __call__(self, layouts: Sequence[Layout]) -> Tensor:
        """Vectors [b, n, d] of <s>, each word, and the last </s>; padded."""


def encoder(name: str, texts: Iterable[str], hidden: int) -> Encoder:
    """The encoder called `name`: "backbone", "bilstm", or a Hugging Face model by name or folder.

    Args:
        texts: those of the training part, of which the BiLSTM takes its vocabulary.
        hidden: the BiLSTM's units in each direction.

    Raises:
        ModelUnavailable: it cannot be loaded.
    """
    if name == "backbone":
        from anaphora.train.linking.pretrained import BackboneEncoder

        return BackboneEncoder()
    if name == "bilstm":
        from anaphora.train.linking.bilstm import BiLSTM
        from anaphora.train.linking.tokens import Words

        told = list(texts)
        return BiLSTM(Words.of(told), sorted(set("".join(told))), hidden)
    from anaphora.train.linking.pretrained import HubEncoder

    return HubEncoder(name)
