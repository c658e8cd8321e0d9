"""Fetching a round of the drand beacon: one small GET to each relay until one answers, within bounds of time and size.

What a relay says is believed by nobody: whether it is the round wanted, and signed, is decided by who asked.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence

RELAYS = ("https://api.drand.sh", "https://drand.cloudflare.com", "https://api2.drand.sh", "https://api3.drand.sh")
PATIENCE = 10.0
"""Seconds for one relay, from the first byte sent to the last one read."""
MOST = 4096
"""Bytes of an answer; a round has about 350."""


class _NoDetour(urllib.request.HTTPRedirectHandler):
    """A relay answers itself or not at all."""

    def redirect_request(self, *_: object) -> None:
        """Follow nothing."""


def answers(chain: str, number: int, relays: Sequence[str] = RELAYS, patience: float = PATIENCE) -> Iterator[tuple[str, bytes | str]]:
    """Yield each relay with the bytes that it answers for a round, or in words why it does not; asked one by one, as they are wanted."""
    for relay in relays:
        yield relay, _get(f"{relay.rstrip('/')}/{chain}/public/{number}", patience)


def _get(address: str, patience: float) -> bytes | str:
    if not address.startswith(("https://", "http://")):
        return "not an address of the web"
    end = time.monotonic() + patience
    try:
        request = urllib.request.Request(address, headers={"Accept": "application/json", "User-Agent": "pbem"})
        with urllib.request.build_opener(_NoDetour).open(request, timeout=patience) as answer:
            data = b""
            while chunk := answer.read1(MOST):
                data += chunk
                if len(data) > MOST:
                    return f"it answers more than {MOST} bytes"
                if time.monotonic() > end:
                    return "it takes too long"
            return data
    except urllib.error.HTTPError as error:
        error.close()
        return f"it answers {error.code}"
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        return f"it cannot be reached ({reason!s:.100})" if not isinstance(reason, TimeoutError) else "it takes too long"
