"""The default pipeline asked about its own documentation: one index of five languages.

    python -m bench.own_docs DOCS --work WORK

An answer is right where it is in the question's language and holds a word that the right one must
hold. The questions were written by us, and looked at while the judge was trained: they show what a
user meets, not how good it is elsewhere.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from anaphora.assistant import Assistant
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.records import Conversation, Turn
from anaphora.retrieve.encoders import load_encoder
from bench.table import format_table

ASKED = {
    "en": [
        ("How do I check an index?", "verify"),
        ("How do I repair a damaged index?", "repair"),
        ("What does --lexical do?", "lexical"),
        ("What is RRF?", "reciprocal"),
        ("Which file formats can be indexed?", "PDF|EPUB|DOCX"),
        ("What happens if indexing is interrupted?", "interrupt|killed|goes on|again"),
        ("Where are the models kept?", "folder|cache|ANAPHORA"),
        ("Is anything sent over the network?", "sent|network|leaves"),
        ("How long is a passage?", "characters|words|tokens|sentences"),
        ("How do I use an LLM for rewriting?", "endpoint|llm"),
        ("What happens when the endpoint fails?", "linking|rewriter|instead"),
        ("How do I turn off reranking?", "none"),
        ("Which languages are supported?", "language|sixteen"),
        ("How are encodings of text files found out?", "UTF-8|encoding|bytes"),
        ("What does verify print when the index is whole?", "whole|passages"),
        ("How can I search without getting an answer?", "search"),
        ("What is the default of k1?", "0.9|k1"),
        ("How do I write a TREC run file?", "run"),
        ("How do I train the judge on my own data?", "train judge"),
        ("What is skipped when indexing a folder?", "hidden|skip"),
    ],
    "es": [
        ("¿Cómo compruebo un índice?", "verify"),
        ("¿Cómo reparo un índice dañado?", "repair"),
        ("¿Qué hace --lexical?", "lexical"),
        ("¿Qué pasa cuando falla el servidor del LLM?", "linking|rewriter|método"),
        ("¿Qué idiomas admite?", "idioma|lengua"),
        ("¿Dónde se guardan los modelos?", "carpeta|ANAPHORA"),
    ],
    "fr": [
        ("Comment vérifier un index ?", "verify"),
        ("Comment réparer un index endommagé ?", "repair"),
        ("Que fait --lexical ?", "lexical"),
        ("Quelles langues sont prises en charge ?", "langue"),
        ("Où sont rangés les modèles ?", "dossier|ANAPHORA"),
        ("Quels formats de fichiers peut-on indexer ?", "PDF|EPUB"),
    ],
    "vi": [
        ("Làm sao kiểm tra chỉ mục?", "verify"),
        ("Làm thế nào để sửa chỉ mục bị hỏng?", "repair"),
        ("--lexical dùng để làm gì?", "lexical"),
        ("Hỗ trợ những ngôn ngữ nào?", "ngôn ngữ|tiếng"),
        ("Các mô hình được lưu ở đâu?", "thư mục|ANAPHORA"),
        ("Có thể lập chỉ mục những định dạng tệp nào?", "PDF|EPUB"),
    ],
    "zh": [
        ("怎样检查索引？", "verify"),
        ("如何修复损坏的索引？", "repair"),
        ("--lexical 有什么用？", "lexical"),
        ("支持哪些语言？", "语言|种"),
        ("模型存放在哪里？", "文件夹|目录|ANAPHORA"),
        ("可以索引哪些文件格式？", "PDF|EPUB"),
    ],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("docs", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    folder = options.work / "own-docs"
    update(folder, [options.docs], load_encoder())
    assistant = Assistant(open_index(folder)).pipeline
    rows = []
    for lang, asked in ASKED.items():
        answers = [
            (assistant.answer(Conversation((Turn("user", question),)))[0], word)
            for question, word in asked
        ]
        said = [(one, word) for one, word in answers if not one.abstained]
        same = [(one, word) for one, word in said if one.lang == lang]
        right = sum(bool(re.search(word, one.text, re.IGNORECASE)) for one, word in same)
        rows.append([lang, len(asked), len(asked) - len(said), len(same), right])
    print(format_table(["questions in", "asked", "refused", "in their language", "right"], rows))


if __name__ == "__main__":
    main()
