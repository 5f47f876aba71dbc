"""Under which names the server is reached: others are refused.

A page of an attacker's domain may let that domain's name point to this server's address (DNS
rebinding). For the browser the page is then of the same origin as the server. What the attacker
cannot change is the name in the header `Host`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from anaphora.serve.problems import Problem, problem_response

LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
PROBES: Final = frozenset({"/healthz", "/readyz"})
"""They tell nothing, and a container's manager asks under any name."""
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:@/\\\[\]]+))(?::\d{1,5})?")


class Hosts:
    """Middleware that refuses requests under another name than the server's.

    Args:
        names: besides those of this computer, and the address at which a connection arrived.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app = app
        self.names = LOCAL | {name.lower().strip("[]") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        if scope["type"] != "http" or scope["path"] in PROBES or self._known(scope):
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("host", "")
        refusal = Problem(
            HTTPStatus.MISDIRECTED_REQUEST,
            f"this server is not known as {given[:100]!r}; "
            "if it should be, add the name to the setting 'serve.hosts'",
        )
        await problem_response(refusal)(scope, receive, send)

    def _known(self, scope: Scope) -> bool:
        name = host_name(scope)
        return name in self.names or (name is not None and name == _arrived_at(scope))


def host_name(scope: Scope) -> str | None:
    """The name in the header `Host` without the port; None if there is not exactly one."""
    given = Headers(scope=scope).getlist("host")
    found = _HOST.fullmatch(given[0]) if len(given) == 1 else None
    return (found[1] or found[2]).lower() if found else None


def _arrived_at(scope: Scope) -> str | None:
    """The server's own address of this connection: no name of a domain can equal it."""
    try:
        return str(ipaddress.ip_address((scope.get("server") or ("", 0))[0]))
    except ValueError:
        return None
