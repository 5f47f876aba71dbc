"""How many requests a client, or an address, may send in a time."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

REMEMBERED: Final = 10_000
"""Names whose last requests are remembered."""


class Limit:
    """At most so many requests a minute from each name; unused ones are saved up for a minute.

    Args:
        per_minute: 0 for no limit.
        clock: seconds; one that never goes back.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._rate = per_minute / 60
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> float:
        """Counts a request. Returns 0, or the seconds after which the next one is allowed."""
        wait = self.wait(name)
        if not wait and self._rate:
            now = self._clock()
            self._left[name] = self._saved(name, now) - 1, now
            self._left.move_to_end(name)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        return wait

    def wait(self, name: str) -> float:
        """As `take`, without counting a request."""
        if not self._rate:
            return 0.0
        return max(0.0, (1 - self._saved(name, self._clock())) / self._rate)

    def _saved(self, name: str, now: float) -> float:
        left, since = self._left.get(name, (self._most, now))
        return min(self._most, left + (now - since) * self._rate)


def network_of(address: str) -> str:
    """What an address is counted under: the network of an IPv6 address, which one customer of a
    provider has as a whole.

    >>> network_of("2001:db8::1:2:3:4"), network_of("::ffff:192.0.2.7"), network_of("192.0.2.7")
    ('2001:db8::/64', '192.0.2.7', '192.0.2.7')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
