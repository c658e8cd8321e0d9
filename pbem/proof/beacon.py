"""The beacon of a game (rule R17): which network, which round a lock fixes, when that round comes out, and
whether it is signed.

Only drand quicknet is known: its public key, first round and period stand here, so no manifest can name
others under its name. Fetching a round is no matter of the proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

NET = "quicknet"
QUICKNET: Mapping[str, str | int] = {
    "chain": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "pk": (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    "genesis": 1692803367,
    "period": 3,
}
"""The chain hash of drand covers all three others: whoever changes one of them has another network."""


def quicknet(delay: int) -> dict[str, str | int]:
    """Return ``beacon`` of a manifest: quicknet, its round due so many seconds after a lock."""
    return {"net": NET, **QUICKNET, "delay": delay}


def is_known(rule: Mapping[str, Any]) -> bool:
    """Tell whether the beacon of a manifest is one whose rounds can be checked here."""
    return all(rule[key] == value for key, value in QUICKNET.items())


def beacon_round(locked_at: str, rule: Mapping[str, Any]) -> int:
    """Return the round of the beacon that rule R17 fixes for a lock."""
    parts = [
        int(locked_at[at : at + size]) for at, size in ((0, 4), (5, 2), (8, 2), (11, 2), (14, 2), (17, 2))
    ]
    from calendar import timegm

    seconds = timegm((*parts[:3], *parts[3:], 0, 0, 0))
    return int((seconds + rule["delay"] - rule["genesis"]) // rule["period"] + 2)


def round_time(number: int, rule: Mapping[str, Any]) -> str | None:
    """Return when a round comes out, as the ledger writes times; None for a year that cannot be written."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
            seconds=rule["genesis"] + (number - 1) * rule["period"]
        )
    except OverflowError:
        return None
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def is_round(rule: Mapping[str, Any], number: int, signature: str) -> bool:
    """Tell whether this is the signature, in hex, of a round of a known beacon; anything else is False."""
    from pbem.proof.bls import verify_round

    try:
        return is_known(rule) and verify_round(
            bytes.fromhex(str(rule["pk"])), number, bytes.fromhex(signature)
        )
    except ValueError:
        return False
