"""JSON lines with one document in each line, as in the BEIR data sets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anaphora.errors import UnreadableFile, UsageError
from anaphora.ingest.content import Skipped, clean
from anaphora.language import identify, language_code
from anaphora.records import UNKNOWN, Document

_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def read_records(path: Path, name: str) -> Iterator[Document | Skipped]:
    """Reads each line `{"_id", "title"?, "text", "lang"?, "metadata"?}` as a document.

    The document is one passage. Its language is that of the record, or else the identified one. A
    line that is not such a record yields a `Skipped` with `name` and the line's number.

    Raises:
        UnreadableFile: no line is a record.
        OSError: the file cannot be opened.
    """
    good = bad = 0
    for number, line in enumerate(_lines(path), 1):
        if line.isspace():
            continue
        try:
            document = _document(line)
        except (ValueError, RecursionError) as error:
            bad += 1
            if bad == 1 and not good and path.suffix.lower() == ".json":
                raise UnreadableFile("is JSON, but not one record a line") from None
            yield Skipped(f"{name}, line {number}", _reason(error))
        else:
            good += 1
            yield document
    if not good and not bad:
        raise UnreadableFile("holds no text")


def _lines(path: Path) -> Iterator[str]:
    """The lines. Only "\\n" ends a line: U+2028 and similar characters are part of a text."""
    with path.open("rb") as file:
        encoding = _MARKS.get(file.read(2), "")
        file.seek(0)
        if encoding:
            with path.open(encoding=encoding, errors="replace", newline="\n") as wide:
                for line in wide:
                    yield line.lstrip("\ufeff")
            return
        for number, raw in enumerate(file):
            line = raw.decode("utf-8", "replace")
            yield line.lstrip("\ufeff") if not number else line


def _document(line: str) -> Document:
    record = json.loads(line)
    if not isinstance(record, dict):
        raise _BadRecordError("is not a JSON object")
    identity = record.get("_id")
    if isinstance(identity, int) and not isinstance(identity, bool):
        identity = str(identity)
    identity = clean(identity) if isinstance(identity, str) else ""
    if not identity.strip():
        raise _BadRecordError('has no "_id"')
    text = record.get("text")
    if not isinstance(text, str):
        raise _BadRecordError('has no "text"')
    title = record.get("title")
    title = " ".join(clean(title).split()) if isinstance(title, str) else ""
    text = _without_title(clean(text).strip(), title)
    if not text:
        if not title:
            raise _BadRecordError("holds no text")
        text = title
    return Document(
        doc_id=identity,
        title=title,
        text=text,
        lang=_language(record) or identify(text),
        metadata=_metadata(record),
        whole=True,
    )


def _language(record: dict[str, Any]) -> str:
    lang = record.get("lang")
    if not isinstance(lang, str) or lang in ("", UNKNOWN):
        return ""
    try:
        return language_code(lang)
    except UsageError as error:
        raise _BadRecordError(f'has a wrong "lang": {error}') from error


def _without_title(text: str, title: str) -> str:
    """Removes a title that the text repeats in its first line, where it would count twice."""
    first, end, rest = text.partition("\n")
    return rest.strip() if end and title and first.strip() == title and rest.strip() else text


def _metadata(record: dict[str, Any]) -> dict[str, str]:
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        return {}
    return {
        clean(key): clean(
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        )
        for key, value in metadata.items()
    }


class _BadRecordError(ValueError):
    """The message completes a sentence whose subject is the line."""


def _reason(error: Exception) -> str:
    if isinstance(error, _BadRecordError):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON ({error.msg}, column {error.colno})"
    return "is not JSON (nested too deep)" if isinstance(error, RecursionError) else "is not JSON"
