"""Reading of text and JSON whose errors name the file, the place and the field."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TextIO, TypeVar, cast

from anaphora.errors import MalformedData, UsageError

_CHUNK = 1 << 16
_TOKEN = 16
"""More characters than any token but a string or a number has."""
_BLACK = re.compile(r"[^ \t\n\r]")


class Record:
    """A JSON object and its place in a file; a field that is missing or
    of the wrong type raises MalformedData."""

    def __init__(self, values: Mapping[str, Any], path: Path, place: str) -> None:
        self.values = values
        self.path = path
        self.place = place

    def __contains__(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """A string; `default`, where given, stands for a field that is missing or null."""
        if default is not None and name not in self:
            return default
        value = self._get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "must be a string")
        return value

    def filled(self, name: str) -> str:
        """A string with more than white space in it, without that around it."""
        value = self.text(name).strip()
        if not value:
            raise self.wrong(name, "is empty")
        return value

    def identity(self, name: str) -> str:
        """A string or a whole number, as a string that is not empty."""
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            raise self.wrong(name, "must be a string or a whole number")
        return str(value)

    def number(self, name: str) -> int:
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(name, "must be a whole number")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, "must be a list of strings")
        return tuple(value)

    def record(self, name: str) -> Record:
        value = self._get(name)
        if not isinstance(value, dict):
            raise self.wrong(name, "must be an object")
        return Record(value, self.path, f"{self.place}, {name}")

    def records(self, name: str) -> list[Record]:
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(name, "must be a list of objects")
        return [
            Record(item, self.path, f"{self.place}, {name} {number}")
            for number, item in enumerate(value, 1)
        ]

    def wrong(self, name: str, what: str) -> MalformedData:
        """The error that says what is wrong with a field: `raise record.wrong("id", "is …")`."""
        return malformed(self.path, self.place, f'"{name}" {what}')

    def _get(self, name: str) -> Any:
        if name not in self.values:
            raise self.wrong(name, "is missing")
        return self.values[name]


def malformed(path: Path, place: str, what: str) -> MalformedData:
    """The error for `place` ("line 3") of a file."""
    return MalformedData(f"{path}, {place}: {what}")


def opened(path: Path) -> IO[bytes]:
    """The bytes of a file, unpacked where its name ends in ".gz"."""
    return cast(IO[bytes], gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not blank; only "\\n" ends a line.

    Raises:
        UsageError: the file cannot be opened.
        MalformedData: a line is not UTF-8, or the file is packed and cut short.
    """
    number = 0
    try:
        with opened(path) as file:
            for number, raw in enumerate(file, 1):
                try:
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise malformed(path, f"line {number}", "is not UTF-8") from None
                if line.strip():
                    yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise malformed(path, f"after line {number}", "is cut short, or no gzip file") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def json_lines(path: Path) -> Iterator[Record]:
    """The object of each line.

    Raises:
        MalformedData: a line is not a JSON object; the last one may be cut short.
    """
    for number, line in lines(path):
        place = f"line {number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise malformed(path, place, "is not JSON, or cut short") from None
        if not isinstance(value, dict):
            raise malformed(path, place, "is not a JSON object")
        yield Record(value, path, place)


def json_items(path: Path, key: str | None = None) -> Iterator[Record]:
    """The objects of a JSON array, one at a time: the file's own, or the one under `key` of the
    object that the file is.

    Raises:
        MalformedData: the file is not such an array of objects, or cut short.
    """
    for number, value in enumerate(_stream(path, key, _Values.items), 1):
        if not isinstance(value, dict):
            raise malformed(path, f"item {number}", "is not a JSON object")
        yield Record(value, path, f"item {number}")


def json_texts(path: Path) -> Iterator[str]:
    """The strings of the JSON array that the file is, one at a time.

    Raises:
        MalformedData: the file is not such an array of strings, or cut short.
    """
    for number, value in enumerate(_stream(path, None, _Values.items), 1):
        if not isinstance(value, str):
            raise malformed(path, f"item {number}", "is not a string")
        yield value


def json_members(path: Path, key: str | None = None) -> Iterator[tuple[str, Any]]:
    """Names and values of a JSON object, one at a time: the file's own, or the one under `key` of
    the object that the file is.

    Raises:
        MalformedData: the file is not such an object, or cut short.
    """
    yield from _stream(path, key, _Values.members)


_Item = TypeVar("_Item")


def _stream(
    path: Path, key: str | None, read: Callable[[_Values], Iterator[_Item]]
) -> Iterator[_Item]:
    try:
        with io.TextIOWrapper(opened(path), encoding="utf-8-sig", newline="") as file:
            values = _Values(file)
            if key is not None and not values.enter(key):
                raise malformed(path, "its outermost object", f'"{key}" is missing')
            yield from read(values)
            values.leave(key is not None)
    except UnicodeDecodeError:
        raise malformed(path, f"byte {_undecodable(path)}", "is not UTF-8") from None
    except _CutError as error:
        raise malformed(path, f"character {error.at}", f"{error}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise malformed(path, "its end", "is cut short, or no gzip file") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _undecodable(path: Path) -> int:
    """The place of the first byte that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    passed = 0
    with opened(path) as file:
        while True:
            chunk = file.read(_CHUNK)
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                return passed + len(chunk) - len(error.object) + error.start
            passed += len(chunk)


class _CutError(Exception):
    """The text does not go on as JSON does; `at` is the character where it stopped making sense."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at


class _Values:
    """Reads JSON values off a stream, holding one of them at a time."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text = ""
        self._at = 0
        self._passed = 0
        self._decoder = json.JSONDecoder()

    def enter(self, key: str) -> bool:
        """Goes to the value under `key` of the object that begins here, if there is one."""
        for name in self._names():
            if name == key:
                return True
            self._value()
        return False

    def leave(self, entered: bool) -> None:
        """Reads on to the end of the file, which must be that of the outermost value."""
        while entered and self._peek() != "}":
            self._expect(",")
            self._value()
            self._expect(":")
            self._value()
        if entered:
            self._expect("}")
        if self._peek():
            raise _CutError(self._place, "should be the end of the file")

    def members(self) -> Iterator[tuple[str, Any]]:
        """Names and values of the object that begins here."""
        for name in self._names():
            yield name, self._value()

    def items(self) -> Iterator[Any]:
        """The values of the array that begins here."""
        self._expect("[")
        while self._peek() != "]":
            yield self._value()
            if self._peek() != "]":
                self._expect(",")
        self._expect("]")

    def _names(self) -> Iterator[str]:
        """Each name of the object that begins here; whoever gets it reads the value behind it."""
        self._expect("{")
        while self._peek() != "}":
            if self._peek() != '"':
                raise _CutError(self._place, "should be a name, or the file is cut short")
            name: str = self._value()
            self._expect(":")
            yield name
            if self._peek() != "}":
                self._expect(",")
        self._expect("}")

    def _value(self) -> Any:
        self._peek()
        size = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
                # A number at the end of what was read may go on behind it: "-0." with "5".
                if self._text[end : end + 1].strip("+-.eE0123456789") or not self._more(size):
                    self._at = end
                    return value
            except RecursionError:
                raise _CutError(self._place, "is nested too deep") from None
            except json.JSONDecodeError as error:
                at = self._passed + error.pos
                # What is wrong before the end of what was read stays wrong, however it goes on.
                cut = error.pos > len(self._text) - _TOKEN or error.msg.startswith("Unterminated")
                if not cut or not self._more(size):
                    raise _CutError(at, f"is not JSON, or cut short ({error.msg})") from None
            size *= 2

    @property
    def _place(self) -> int:
        return self._passed + self._at

    def _expect(self, char: str) -> None:
        if self._peek() != char:
            raise _CutError(self._place, f"should be {char!r}, or the file is cut short")
        self._at += 1

    def _peek(self) -> str:
        """The next character that is not white space; "" at the end."""
        while True:
            found = _BLACK.search(self._text, self._at)
            self._at = found.start() if found else len(self._text)
            if self._at < len(self._text) or not self._more(_CHUNK):
                return self._text[self._at : self._at + 1]

    def _more(self, size: int) -> bool:
        """Reads on, and forgets what was passed."""
        read = self._file.read(size)
        if not read:
            return False
        self._passed += self._at
        self._text = self._text[self._at :] + read
        self._at = 0
        return True
