"""Parses XML as events, without a tree, so that depth, size and entities are harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from xml.parsers import expat

from anaphora.errors import UnreadableFile

Start = Callable[[str, Mapping[str, str]], None]


def parse_xml(
    chunks: Iterable[bytes], start: Start, end: Callable[[str], None], text: Callable[[str], None]
) -> None:
    """Calls back for each element and text. Names have no namespace prefix.

    Raises:
        UnreadableFile: the XML is not well-formed, or it defines entities, which office files and
            e-books never need and attacks do.

    >>> parse_xml([b"<w:p w:id='1'>Hi</w:p>"], lambda *a: print(*a), print, print)
    p {'id': '1'}
    Hi
    p
    """

    def start_element(name: str, attributes: dict[str, str]) -> None:
        start(_local(name), {_local(key): value for key, value in attributes.items()})

    def refuse(*_: object) -> None:
        raise UnreadableFile("defines XML entities of its own, which is not safe to read")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start_element
    parser.EndElementHandler = lambda name: end(_local(name))
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    try:
        for chunk in chunks:
            parser.Parse(chunk)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise UnreadableFile(f"holds broken XML ({error})") from error


def _local(name: str) -> str:
    return name.rpartition(":")[2]
