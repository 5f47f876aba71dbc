"""Conversations and tiny models that the tests of the node-linking study share."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.records import Conversation, Turn

DIALOGUES = [
    ("en", "Who were the Mothers?", "A band.", "When did they end?", "When did the Mothers end?"),
    ("zh", "鲁迅是谁？", "作家。", "他的代表作？", "鲁迅的代表作？"),
    ("ja", "夏目漱石は誰ですか", "作家です", "代表作は", "夏目漱石の代表作は"),
    ("th", "วัดโพธิ์อยู่ที่ไหน", "กรุงเทพ", "สร้างเมื่อไร", "วัดโพธิ์สร้างเมื่อไร"),
    ("ar", "من هو نجيب محفوظ؟", "كاتب.", "متى ولد؟", "متى ولد نجيب محفوظ؟"),
    ("vi", "Hồ Gươm ở đâu?", "Ở Hà Nội.", "Nó sâu bao nhiêu?", "Hồ Gươm sâu bao nhiêu?"),
    ("ru", "Кто такой Гагарин?", "Космонавт.", "Когда он родился?", "Когда Гагарин родился?"),
    ("tr", "İzmir nerede?", "Ege'de.", "Nüfusu kaç?", "İzmir nüfusu kaç?"),
    ("hi", "ताज महल कहाँ है?", "आगरा में।", "कब बना?", "ताज महल कब बना?"),
    ("ko", "한라산은 어디에 있나요?", "제주도.", "높이는?", "한라산 높이는?"),
]


def conversation(dialogue: tuple[str, ...]) -> Conversation:
    lang, first, answer, asked, _ = dialogue
    return Conversation((Turn("user", first), Turn("assistant", answer), Turn("user", asked, lang)))


def texts() -> list[str]:
    return [text for dialogue in DIALOGUES for text in dialogue[1:]]


def tiny_bert(folder: Path, layers: int = 6) -> Path:
    """A random BERT of so many layers with a tokenizer that can spell the dialogues."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    import tokenizers

    characters = sorted({char for text in texts() for char in text.casefold()} - {" "})
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *characters,
        *(f"##{char}" for char in characters),
    ]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    fast = tokenizers.Tokenizer(tokenizers.models.WordPiece(numbers, unk_token="[UNK]"))
    fast.normalizer = tokenizers.normalizers.BertNormalizer(strip_accents=False)
    fast.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(0)
    transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(pieces),
            hidden_size=32,
            num_hidden_layers=layers,
            num_attention_heads=4,
            intermediate_size=48,
        )
    ).save_pretrained(folder)
    return folder
