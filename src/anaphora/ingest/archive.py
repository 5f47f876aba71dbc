"""Reading members of a zip file that may be damaged or a bomb."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from zipfile import BadZipFile, ZipFile

from anaphora.errors import UnreadableFile

MOST_BYTES = 512 * 2**20
"""Uncompressed bytes that are read of one archive, in all its members together."""

MOST_RATIO = 200
"""Times that an archive may grow; text in XML compresses to a tenth, rarely to a fiftieth."""

_FREE = 8 * 2**20  # bytes under which the ratio does not matter
_CHUNK = 2**16
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class Archive:
    """A zip file whose members are read under the two limits, as counted and not as declared.

    Raises:
        UnreadableFile: it is no zip file, or is cut short; and when reading, also when a member is
            damaged or encrypted or a limit is passed.
    """

    def __init__(self, path: Path, format_name: str) -> None:
        self._format = format_name
        self._read = 0
        self._most = max(_FREE, min(MOST_BYTES, path.stat().st_size * MOST_RATIO))
        try:
            self._zip = ZipFile(path)
        except (BadZipFile, EOFError, ValueError, NotImplementedError) as error:
            with path.open("rb") as file:
                ole = file.read(8) == _OLE
            raise UnreadableFile(
                f"is encrypted, or of the format before {format_name}"
                if ole
                else f"is cut short or is no {format_name} file"
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
        """The member's bytes, some at a time."""
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & 1:
                raise UnreadableFile("is encrypted")
            with self._zip.open(info) as member:
                while chunk := member.read(_CHUNK):
                    self._read += len(chunk)
                    if self._read > self._most:
                        raise UnreadableFile("unpacks to far more than it should (a zip bomb?)")
                    yield chunk
        except KeyError as error:
            raise UnreadableFile(f"is no {self._format} file: it lacks {name}") from error
        except (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error) as error:
            raise UnreadableFile(f"is damaged in {name}") from error

    def read(self, name: str) -> bytes:
        """The member's bytes."""
        return b"".join(self.chunks(name))
