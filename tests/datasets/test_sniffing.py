"""The beginnings of files."""

from __future__ import annotations

import gzip
from pathlib import Path

from anaphora.datasets.building import distinct, language, tidy
from anaphora.datasets.sniffing import files, first_line, first_record, folders, head


def test_what_cannot_be_read_is_empty(tmp_path: Path) -> None:
    damaged = tmp_path / "a.gz"
    damaged.write_bytes(gzip.compress(b"{}")[:-3][:12])
    for path in (tmp_path, tmp_path / "none", damaged):
        assert head(path) == first_line(path) == ""
        assert first_record(path) == {}
    assert files(tmp_path / "none") == folders(damaged) == []


def test_first_record(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    text = '\ufeff{"id": "ประตู"}\r\n{"id": 2}\n'.encode()
    plain.write_bytes(text)
    packed.write_bytes(gzip.compress(text))
    assert first_record(plain) == first_record(packed) == {"id": "ประตู"}
    plain.write_text("[1]\n", "utf-8")
    assert first_record(plain) == {}


def test_head_cuts_no_file_into_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("橋" * 30_000, "utf-8")
    assert head(path).startswith("橋橋")
    assert len(head(path)) < 30_000


def test_texts() -> None:
    assert tidy(" Cafe\u0301\r\n") == "Café"
    assert distinct(["Ho\u0302\u0300", " Hồ", "hồ"]) == ("Hồ", "hồ")
    assert [language(code) for code in ("zh_CN", "pt-BR", " AR ")] == ["zh", "pt", "ar"]
