"""A small data set of conversations in several languages, on passages that hold their answers."""

import json

import pytest

PASSAGES = {
    "mothers": (
        "en",
        "The Mothers",
        "The Mothers of Invention were a band. They disbanded in 1969.",
    ),
    "zappa": ("en", "Frank Zappa", "Frank Zappa was born in Baltimore in 1940."),
    "tokyo": ("ja", "東京", "東京は日本の首都です。人口は約1400万人です。"),
    "beijing": ("zh", "北京", "北京是中国的首都。故宫建于1420年。"),
    "cairo": ("ar", "القاهرة", "القاهرة عاصمة مصر. تأسست المدينة سنة 969."),
    "moscow": ("ru", "Москва", "Москва — столица России. Кремль построен в 1495 году."),
    "hanoi": (
        "vi",
        "Hà Nội",
        "Hà Nội là thủ đô của Việt Nam. Hồ Hoàn Kiếm nằm ở trung tâm.",
    ),
    "bangkok": ("th", "กรุงเทพ", "กรุงเทพเป็นเมืองหลวงของประเทศไทย ก่อตั้งในปี 2325"),
    "ankara": ("tr", "Ankara", "Ankara Türkiye'nin başkentidir. Anıtkabir 1953 yılında açıldı."),
}

TURNS = [
    {
        "id": "en-1",
        "turns": ["Who were the Mothers of Invention?"],
        "rewrite": "Who were the Mothers of Invention?",
        "answer": "a band",
        "relevant": ["mothers"],
    },
    {
        "id": "en-2",
        "turns": ["Who were the Mothers of Invention?", "A band.", "When did they end?"],
        "rewrite": "When did the Mothers of Invention end?",
        "answer": "1969",
        "relevant": ["mothers"],
    },
    {
        "id": "en-3",
        "turns": ["When did the Mothers end?", "In 1969.", "Where was Frank Zappa born?"],
        "rewrite": "Where was Frank Zappa born?",
        "answer": "Baltimore",
        "relevant": {"zappa": 2, "mothers": 0},
        "tags": {"topic_switch": "yes"},
    },
    {"id": "ja-1", "turns": ["日本の首都はどこですか？"], "answer": "東京", "relevant": ["tokyo"]},
    {
        "id": "zh-2",
        "turns": ["中国的首都在哪里？", "北京。", "那里的故宫建于哪一年？"],
        "rewrite": "北京的故宫建于哪一年？",
        "answer": "1420年",
        "relevant": ["beijing"],
    },
    {"id": "ar-1", "turns": ["ما هي عاصمة مصر؟"], "answer": "القاهرة", "relevant": ["cairo"]},
    {"id": "ru-1", "turns": ["Какой город — столица России?"], "answer": "Москва",
     "relevant": ["moscow"]},
    {
        "id": "vi-2",
        "turns": ["Thủ đô của Việt Nam là gì?", "Hà Nội.", "Hồ nào nằm ở trung tâm thành phố đó?"],
        "rewrite": "Hồ nào nằm ở trung tâm Hà Nội?",
        "answer": "Hồ Hoàn Kiếm",
        "relevant": ["hanoi"],
    },
    {"id": "th-1", "turns": ["เมืองหลวงของประเทศไทยคือที่ไหน"], "answer": "กรุงเทพ",
     "relevant": ["bangkok"]},
    {"id": "tr-1", "turns": ["Türkiye'nin başkenti neresidir?"], "answer": "Ankara",
     "relevant": ["ankara"]},
    {"id": "no-1", "turns": ["What does a zeppelin weigh?"], "answerable": False},
    {"id": "hi-1", "turns": ["Hello!"], "answerable": False},
]  # fmt: skip


@pytest.fixture(scope="session")
def conversations(tmp_path_factory):
    """The data set's file."""
    folder = tmp_path_factory.mktemp("conversations")
    with (folder / "passages.jsonl").open("w", encoding="utf-8") as file:
        for id, (lang, title, text) in PASSAGES.items():
            record = {"_id": id, "title": title, "text": text, "lang": lang}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    with (folder / "turns.jsonl").open("w", encoding="utf-8") as file:
        for turn in TURNS:
            roles = ["user", "assistant"] * len(turn["turns"])
            said = [
                {"role": role, "text": text}
                for role, text in zip(roles, turn["turns"], strict=False)
            ]
            record = {**turn, "turns": said, "lang": turn["id"][:2]}
            if turn["id"][:2] in ("no", "hi"):
                record["lang"] = "en"
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return folder / "turns.jsonl"
