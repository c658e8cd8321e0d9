"""Fetching a round of the drand beacon: one small GET to each relay until one answers, within bounds of time
and size.

What a relay says is believed by nobody: whether it is the round wanted, and signed, is decided by who asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.store.fetch import PATIENCE, Unanswered, fetch

RELAYS = (
    "https://api.drand.sh",
    "https://drand.cloudflare.com",
    "https://api2.drand.sh",
    "https://api3.drand.sh",
)
MOST = 4096
"""Bytes of an answer; a round has about 350."""


def answers(
    chain: str, number: int, relays: Sequence[str] = RELAYS, patience: float = PATIENCE
) -> Iterator[tuple[str, bytes | str]]:
    """Yield each relay with the bytes that it answers for a round, or in words why it does not; asked one by
    one, as they are wanted.
    """
    for relay in relays:
        address = f"{relay.rstrip('/')}/{chain}/public/{number}"
        try:
            yield relay, fetch(address, MOST, patience, accept="application/json")
        except Unanswered as why:
            yield relay, str(why)
