"""Decodes text of any encoding."""

from __future__ import annotations

import codecs
import re

from anaphora.errors import UnreadableFile
from anaphora.ingest.encodings import guess_encoding

_SAMPLE = 65_536
"""The number of bytes from which an undeclared encoding is detected."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is a prefix of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ISO_2022_JP = (b"\x1b$B", b"\x1b$@")  # the escape sequences for Japanese in a 7-bit encoding
_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1b\x1a\b")) + b"\x7f"


def decode(data: bytes, declared: str = "") -> str:
    """Decodes a file's bytes.

    A byte-order mark decides first, then validity as UTF-8 or UTF-16, then the encoding that the
    file declares (such as an HTML page's), then a guess from a sample. Invalid bytes become U+FFFD.
    Line ends and control characters are kept.

    Raises:
        UnreadableFile: the bytes are not text.

    >>> decode("naïve".encode()), decode("日本語".encode("utf-16"))
    ('naïve', '日本語')
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        if "\0" not in text:
            _refuse_binary(data[:_SAMPLE])
            shifted = any(shift in data for shift in _ISO_2022_JP)
            return data.decode("iso2022_jp", "replace") if shifted else text
    encoding = _wide(data[:_SAMPLE])
    if encoding:
        return data.decode(encoding, "replace")
    _refuse_binary(data[:_SAMPLE])
    if not _known(declared) and _mostly_utf8(data):
        return data.decode("utf-8", "replace")
    return data.decode(_known(declared) or guess_encoding(data), "replace")


def _refuse_binary(sample: bytes) -> None:
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    if controls > max(1, len(sample) // 100):
        raise UnreadableFile("is not text")


def _wide(sample: bytes) -> str:
    """The name of UTF-16 or UTF-32 without a byte-order mark, or an empty string.

    Their spaces and line ends contain zero bytes, which no other text does. The encoding that
    yields the most ASCII characters, and almost only printable ones, is the right one.
    """
    if sample.count(0) < max(1, len(sample) // 200):
        return ""
    sample = sample[: len(sample) & ~3]
    best, most = "", 0
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        text = sample.decode(encoding, "replace")
        odd = sum(not (char.isprintable() or char.isspace()) or char == "\ufffd" for char in text)
        ascii_characters = sum(char < "\x7f" for char in text)
        if odd * 50 <= len(text) and ascii_characters > most:
            best, most = encoding, ascii_characters
    return best


def _mostly_utf8(data: bytes) -> bool:
    """Whether this is UTF-8 with a few damaged bytes.

    Bytes of other encodings are a valid UTF-8 sequence only by coincidence, and in fewer than half
    of the cases. So text with twice as many valid characters as invalid ones is UTF-8.
    """
    sample = data[: 16 * _SAMPLE]
    broken = sample.decode("utf-8", "replace").count("\ufffd")
    if len(data) > len(sample) and broken == 0:
        sample = data
        broken = sample.decode("utf-8", "replace").count("\ufffd")
    whole = len(_MULTIBYTE.findall(sample))
    return whole >= 2 * broken


def _known(name: str) -> str:
    """Python's name of the declared encoding, or "" if it is unknown or not a text encoding."""
    try:
        info = codecs.lookup(name) if name.isascii() and "\0" not in name else None
        "".encode(info.name) if info else None
    except (LookupError, ValueError):
        return ""
    if info is None:
        return ""
    # Browsers read these labels as their supersets, and pages are tested with browsers.
    supersets = {
        "iso8859-1": "cp1252",
        "ascii": "cp1252",
        "iso8859-9": "cp1254",
        "gb2312": "gb18030",
        "gbk": "gb18030",
        "shift_jis": "cp932",
        "euc_kr": "cp949",
        "tis-620": "cp874",
    }
    return "" if info.name.startswith("utf") else supersets.get(info.name, info.name)
