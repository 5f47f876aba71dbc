"""Reads the members of zip files that may be damaged or zip bombs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from zipfile import BadZipFile, ZipFile

from anaphora.errors import UnreadableFile

MAX_BYTES = 512 * 2**20
"""The maximum number of uncompressed bytes that are read of one archive."""

MAX_RATIO = 200
"""The maximum ratio of uncompressed to compressed size; that of XML is about 10, rarely 50."""

_ALWAYS_ALLOWED = 8 * 2**20  # uncompressed bytes, whatever the ratio
_CHUNK = 2**16
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class Archive:
    """A zip file whose members are read up to both limits, by the bytes that are really read.

    Raises:
        UnreadableFile: the file is not a zip file, or is truncated. While reading: a member is
            damaged or encrypted, or a limit is exceeded.
    """

    def __init__(self, path: Path, format_name: str) -> None:
        self._format = format_name
        self._read = 0
        self._limit = max(_ALWAYS_ALLOWED, min(MAX_BYTES, path.stat().st_size * MAX_RATIO))
        try:
            self._zip = ZipFile(path)
        except (BadZipFile, EOFError, ValueError, NotImplementedError) as error:
            with path.open("rb") as file:
                ole = file.read(8) == _OLE
            raise UnreadableFile(
                f"is encrypted, or of the format before {format_name}"
                if ole
                else f"is cut short or is not a {format_name} file"
            ) from error
        self._names = set(self._zip.namelist())

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def chunks(self, name: str) -> Iterator[bytes]:
        """The member's bytes, in chunks."""
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & 1:
                raise UnreadableFile("is encrypted")
            with self._zip.open(info) as member:
                while chunk := member.read(_CHUNK):
                    self._read += len(chunk)
                    if self._read > self._limit:
                        raise UnreadableFile("unpacks to far more than it should (a zip bomb?)")
                    yield chunk
        except KeyError as error:
            raise UnreadableFile(f"is not a {self._format} file: it lacks {name}") from error
        except (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error) as error:
            raise UnreadableFile(f"is damaged in {name}") from error

    def read(self, name: str) -> bytes:
        """The member's bytes."""
        return b"".join(self.chunks(name))
