"""Rounds of the beacon that the world knows, and a toy game whose dice wait for one of them."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from table import Table, pull

VECTORS = Path(__file__).resolve().parents[1] / "proof" / "vectors" / "pd1.json"
ROUNDS: dict[str, str] = json.loads(VECTORS.read_text("utf-8"))["drand_quicknet"]["rounds"]
AT = {"657413": datetime(2023, 9, 15, 10, 0, 0), "1000": datetime(2023, 8, 23, 14, 59, 21)}
"""When a lock has to be written for its dice to come with a round, an hour later."""


def answer(number: int, signature: str) -> bytes:
    return json.dumps({"round": number, "signature": signature, "randomness": "00"}).encode()


def locked(table: Table, number: str = "657413", **more: Any) -> Table:
    """Lock north's pull so that its die comes with a known round; the clock then stands
    right after the lock.
    """
    table.moment = AT[number] - timedelta(hours=2)
    table.count = 40  # a pull in which nobody is asked
    table.started(beacon=3600, **more)
    table.orders("north", pull("north"), auto_lock=False)
    table.moment = AT[number] - timedelta(minutes=1)
    table.lock()
    return table
