"""The form of an upload, written to files as its bytes arrive."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from anaphora.ingest.kinds import HEAD, SUFFIXES
from anaphora.serve.problems import Problem
from anaphora.serve.uploads.filenames import safe_path
from anaphora.serve.uploads.files import megabytes

MOST_FILES: Final = 1_000
"""Files in one request."""

_LONGEST = 10  # bytes of the value of a field


@dataclass(slots=True)
class _Received:
    """A file of a request, in the folder for what comes in."""

    name: PurePosixPath
    path: Path
    size: int = 0
    problem: str = ""
    head: bytes = b""
    digest: bytes = b""

    @property
    def declared(self) -> Any:
        return SUFFIXES.get(self.name.suffix.lower(), "text")


class Form:
    """The files of a form (RFC 7578) as its bytes come in.

    Attributes:
        received: bytes of the request so far; `stored` of them are in files.

    Raises:
        Problem: the bytes are no such form.
    """

    def __init__(self, content_type: str, folder: Path, most_bytes: int) -> None:
        kind, options = parse_options_header(content_type)
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise Problem(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                "documents are uploaded as a form: send 'multipart/form-data' with files",
            )
        self.files: list[_Received] = []
        self.received = 0
        self.replace = False
        self.stored = 0
        self._folder = folder
        self._most_bytes = most_bytes
        self._file: BinaryIO | None = None
        self._total = hashlib.blake2b(digest_size=16)
        self._field = b""
        self._value = b""
        self._headers: dict[bytes, bytes] = {}
        self._complete = False
        self._is_file = False
        self._answer = b""
        try:
            self._parser = MultipartParser(
                options[b"boundary"],
                {
                    "on_part_begin": self._begin,
                    "on_header_field": self._header_field,
                    "on_header_value": self._header_value,
                    "on_header_end": self._header_end,
                    "on_headers_finished": self._open,
                    "on_part_data": self._data,
                    "on_part_end": self._close_file,
                    "on_end": self._end,
                },
            )
        except FormParserError as error:
            raise _malformed(error) from error

    def feed(self, chunk: bytes) -> None:
        self.received += len(chunk)
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise _malformed(error) from error

    def finish(self) -> None:
        if not self._complete:
            raise Problem(HTTPStatus.BAD_REQUEST, "the upload is cut short; nothing was stored")
        if not self.files:
            raise Problem(HTTPStatus.BAD_REQUEST, "the form holds no file")

    def close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self._headers = {}

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._field.lower()] = self._value
        self._field = self._value = b""

    def _open(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition"))
        name = options.get(b"filename")
        self._is_file = name is not None
        if name is None:
            self._answer = b""
            field = options.get(b"name", b"").decode(errors="replace")
            if field != "replace":
                raise Problem(
                    HTTPStatus.UNPROCESSABLE_ENTITY, f"the form's field {field!r} is not a file"
                )
            return
        if len(self.files) == MOST_FILES:
            raise Problem(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"a request may hold {MOST_FILES} files: upload the others in another one",
            )
        path = self._folder / str(len(self.files))
        self.files.append(_Received(safe_path(name.decode(errors="replace")), path))
        self._file = path.open("wb")
        self._total = hashlib.blake2b(digest_size=16)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if not self._is_file:
            self._answer = (self._answer + data[start:end])[:_LONGEST]
            return
        one, part = self.files[-1], data[start:end]
        one.size += len(part)
        self.stored += len(part)
        if one.size > self._most_bytes:
            if self._file and not one.problem:
                self._file.truncate(0)
            one.problem = f"is larger than {megabytes(self._most_bytes)}"
            return
        if len(one.head) < HEAD:
            one.head = (one.head + part)[:HEAD]
        self._total.update(part)
        assert self._file
        self._file.write(part)

    def _close_file(self) -> None:
        if not self._is_file:
            if self._answer not in (b"true", b"false"):
                raise Problem(
                    HTTPStatus.UNPROCESSABLE_ENTITY,
                    "the form's field 'replace' must be 'true' or 'false'",
                )
            self.replace = self._answer == b"true"
            return
        one = self.files[-1]
        one.digest = self._total.digest()
        if not one.size:
            one.problem = "is empty"
        self.close()

    def _end(self) -> None:
        self._complete = True


def _malformed(error: FormParserError) -> Problem:
    return Problem(HTTPStatus.BAD_REQUEST, f"the form cannot be read ({error})")
