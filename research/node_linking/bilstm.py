"""The BiLSTM of the paper's appendix B; nothing in it is pre-trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora.protocols import Progress
from anaphora.records import Conversation
from anaphora.rewrite.linking.model import node_ranges
from anaphora.rewrite.linking.sequence import DISTANCES, ROLES, Layout, lay_out
from anaphora.train.layers import training_precision
from research.node_linking.tokens import SPECIAL, Words

WORD, CHARACTER, CONVOLVED = 100, 50, 100
LAYERS = 3
_LONGEST_WORD = 20
_PADDING = 1


class BiLSTM(nn.Module):  # type: ignore[misc]
    """Words and a convolution over their characters, then three layers in both directions.

    Args:
        words: the vocabulary.
        characters: the alphabet.
        hidden: units in each direction; the paper's "hidden size 600" does not say whether it is
            that of one direction or of both.
    """

    rate = 1e-3
    dropout = 0.33

    def __init__(self, words: Words, characters: Sequence[str], hidden: int = 600) -> None:
        super().__init__()
        self.width = 2 * hidden
        self._words = words
        # 0 is padding, 1 an unknown character.
        self._numbers = {char: number for number, char in enumerate(characters, 2)}
        self.words = nn.Embedding(len(words.known) + SPECIAL, WORD)
        self.characters = nn.Embedding(len(characters) + 2, CHARACTER, padding_idx=0)
        self.convolution = nn.Conv1d(CHARACTER, CONVOLVED, 3, padding=1)
        self.roles = nn.Embedding(ROLES, WORD)
        self.distances = nn.Embedding(DISTANCES, WORD)
        sizes = [WORD + CONVOLVED] + [2 * hidden] * (LAYERS - 1)
        self.forwards, self.backwards = (
            nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)
            for _ in range(2)
        )

    def lay_out(self, conversation: Conversation) -> Layout:
        return lay_out(conversation, self._words)

    def cache(self, layouts: Sequence[Layout], folder: Path, progress: Progress) -> None:
        """Does nothing: no layer is frozen."""

    def forward(self, layouts: Sequence[Layout]) -> Tensor:
        sizes = torch.tensor([len(layout.ids) for layout in layouts])
        places = torch.arange(int(sizes.max()))[None]
        known = places < sizes[:, None]
        # The order of the backward direction: the end of each row first.
        turned = torch.where(known, sizes[:, None] - 1 - places, places)

        def padded(rows: Sequence[Tensor], value: int) -> Tensor:
            return nn.utils.rnn.pad_sequence(list(rows), batch_first=True, padding_value=value)

        ids = padded([torch.from_numpy(layout.ids) for layout in layouts], _PADDING)
        roles = padded([torch.from_numpy(layout.roles) for layout in layouts], 0)
        distances = padded([torch.from_numpy(layout.distances) for layout in layouts], 0)
        x = self.words(ids) + self.roles(roles) + self.distances(distances)
        x = torch.cat([x, self._character_features(layouts, ids.shape[1])], dim=2)
        x = functional.dropout(x, 0.2, self.training)
        faster = self.training and training_precision(x.device) == torch.bfloat16
        for number, (ahead, back) in enumerate(zip(self.forwards, self.backwards, strict=True)):
            if number:
                x = functional.dropout(x, self.dropout, self.training)
            with torch.autocast("cpu", torch.bfloat16, enabled=faster):
                read, backwards = ahead(x)[0], back(_gathered(x, turned))[0]
            x = torch.cat([read, _gathered(backwards, turned)], dim=2).float()
        # Every word is one token.
        first = padded([torch.from_numpy(node_ranges(layout)[0]) for layout in layouts], 0)
        return _gathered(x, first)

    def _character_features(self, layouts: Sequence[Layout], longest: int) -> Tensor:
        """Features of the characters of each token, [b, t, k]."""
        numbers = {"": 0}
        rows = torch.zeros(len(layouts), longest, dtype=torch.long)
        for row, layout in zip(rows, layouts, strict=True):
            for number, word in enumerate(layout.words):
                text = layout.text(number, number)[:_LONGEST_WORD]
                row[word.first] = numbers.setdefault(text, len(numbers))
        characters = nn.utils.rnn.pad_sequence(
            [
                torch.tensor([self._numbers.get(char, 1) for char in text] or [0])
                for text in numbers
            ],
            batch_first=True,
        )
        found = self.convolution(self.characters(characters).transpose(1, 2)).amax(dim=2)
        return found[rows]


def _gathered(x: Tensor, places: Tensor) -> Tensor:
    """Rows of x [b, t, d] at places [b, n]: [b, n, d]."""
    return x.gather(1, places[..., None].expand(-1, -1, x.shape[2]))
