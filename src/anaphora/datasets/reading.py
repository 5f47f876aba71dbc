"""JSON that knows where it stands, so that an error can name file, place and field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from anaphora.errors import AnaphoraError, MalformedData

_CHUNK = 1 << 16


class Record:
    """A JSON object and its place in a file; a field asked for is there and of its type, or
    MalformedData says which is not."""

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


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not blank; only "\\n" ends a line.

    Raises:
        AnaphoraError: the file cannot be opened.
        MalformedData: a line is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                try:
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise malformed(path, f"line {number}", "is not UTF-8") from None
                if line.strip():
                    yield number, line
    except OSError as error:
        raise AnaphoraError(f"{path} cannot be read: {error.strerror}") from error


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
    for number, value in enumerate(_array(path, key), 1):
        if not isinstance(value, dict):
            raise malformed(path, f"item {number}", "is not a JSON object")
        yield Record(value, path, f"item {number}")


def _array(path: Path, key: str | None) -> Iterator[Any]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            values = _Values(file)
            if key is not None and not values.enter(key):
                raise malformed(path, "its outermost object", f'"{key}" is missing')
            yield from values.items()
    except OSError as error:
        raise AnaphoraError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise malformed(path, f"byte {error.start}", "is not UTF-8") from None
    except _CutError as error:
        raise malformed(path, f"character {error.at}", f"{error}") from None


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
        self._passed = 0
        self._decoder = json.JSONDecoder()

    def enter(self, key: str) -> bool:
        """Goes to the value under `key` of the object that begins here, if there is one."""
        self._expect("{")
        while self._peek() != "}":
            name = self._value()
            self._expect(":")
            if name == key:
                return True
            self._value()
            if self._peek() == ",":
                self._expect(",")
        return False

    def items(self) -> Iterator[Any]:
        """The values of the array that begins here."""
        self._expect("[")
        while self._peek() != "]":
            yield self._value()
            if self._peek() != "]":
                self._expect(",")

    def _value(self) -> Any:
        self._peek()
        size = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text)
                # A number at the end of what was read may go on behind it.
                if end < len(self._text) or not self._more(size):
                    self._drop(end)
                    return value
            except RecursionError:
                raise _CutError(self._passed, "is nested too deep") from None
            except json.JSONDecodeError as error:
                if not self._more(size):
                    at = self._passed + error.pos
                    raise _CutError(at, f"is not JSON, or cut short ({error.msg})") from None
            size *= 2

    def _expect(self, char: str) -> None:
        if self._peek() != char:
            raise _CutError(self._passed, f"should be {char!r}, or the file is cut short")
        self._drop(1)

    def _peek(self) -> str:
        """The next character that is not white space; "" at the end."""
        while True:
            rest = self._text.lstrip()
            self._drop(len(self._text) - len(rest))
            if rest or not self._more(_CHUNK):
                return rest[:1]

    def _more(self, size: int) -> bool:
        read = self._file.read(size)
        self._text += read
        return bool(read)

    def _drop(self, count: int) -> None:
        self._text = self._text[count:]
        self._passed += count
