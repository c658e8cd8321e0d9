"""Plays a game again from its scenario, tables, order files and chain values alone; called as a program by
test_house_example.

    python recompute.py ARCHIVE-FOLDER OUT

Reads neither ``state/`` nor ``rolls/`` nor any seed: seeds are reckoned here from the values with hashlib and
hmac, after section 2 of the protocol. Writes states, roll logs and events as a game folder holds them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pbem.core.dice import Roll
from pbem.proof.dice_protocol import SeededDice
from pbem.proof.rules import Seat
from pbem.referee.game.replay import Ground, Sheet, first_state, lay_ground, play, read_sheet, state_bytes


def seed_of(key: bytes, game: str, slot: int, values: list[dict[str, str]]) -> bytes:
    """Reckon the seed of a slot from what everybody gave."""
    given = {}
    for value in values:
        words = f"pd1/luck\n{game}\n{value['who']}\n{slot}\n{value.get('luck', '')}\n"
        given[value["who"]] = value.get("x") or hashlib.sha256(words.encode()).hexdigest()
    outside = "".join(f"{who} {given[who]}\n" for who in sorted(given) if who != "gm")
    return hmac.digest(
        key, f"pd1/seed\n{game}\n{slot}\ngm {given['gm']}\n{outside}beacon -\n".encode(), "sha256"
    )


def main(archive: Path, out: Path) -> None:
    """Play the game in one folder again, into another."""
    ledger = [(path, json.loads(path.read_bytes())) for path in sorted((archive / "ledger").glob("*.json"))]
    (manifest_path, manifest), (_, start), *rest = ledger
    game = manifest["game"]
    ground = lay_ground(
        manifest["ruleset"],
        {file["path"]: (archive / file["path"]).read_bytes() for file in manifest["files"]},
    )
    assert isinstance(ground, Ground)
    seats = {
        entry["seat"]: Seat(entry["seat"], entry["side"], entry["by"], None, None, False)
        for entry in manifest["seats"]
    }
    outside = sorted(name for name, seat in seats.items() if seat.by == "player")
    joins = "".join(
        f"{name} {hashlib.sha256((archive / f'seats/{name}/join.json').read_bytes()).hexdigest()}\n"
        for name in outside
    )
    first = hashlib.sha256(manifest_path.read_bytes()).hexdigest()
    key = hashlib.sha256(f"pd1/salt\n{game}\n{first}\n{joins}".encode()).digest()
    state = first_state(ground, {name: seat.side for name, seat in seats.items()})
    for folder in ("state", "rolls", "events"):
        (out / folder).mkdir(parents=True)
    (out / "state/s0000.json").write_bytes(state_bytes(ground, state))
    announced, kept, lock = start["next"], [], {}
    line: list[Any] = []
    sheets: dict[tuple[str, int], Sheet] = {}
    for _, record in rest:
        if record["type"] == "lock":
            lock = record
            continue
        slot = record["slot"]
        for entry in lock["entries"]:
            if "sha512" in entry:
                data = (archive / f"seats/{entry['seat']}/orders-s{slot:04d}.txt").read_bytes()
                assert hashlib.sha512(data).hexdigest() == entry["sha512"]
                sheets[entry["seat"], slot] = read_sheet(ground, state, entry["seat"], slot, data)
        key = seed_of(key, game, slot, record["values"])
        force = [sheet for at, sheet in sorted(sheets.items()) if at[1] == slot or at in kept]
        before = [roll for roll in line if roll.label.partition("/")[0] == announced["phase"]]
        made = play(ground, seats, slot, state, announced, force, before, SeededDice(key))
        state = made.state
        line += made.rolls
        kept = list(made.kept)
        announced = made.following or {}
        name = f"s{slot:04d}"
        (out / f"state/{name}.json").write_bytes(made.state_data)
        (out / f"rolls/{name}.jsonl").write_bytes(b"".join(logged(roll) for roll in made.rolls))
        events = "".join(
            json.dumps(event, separators=(",", ":"), ensure_ascii=False) + "\n" for event in made.events
        )
        (out / f"events/{name}.jsonl").write_bytes(events.encode())


def logged(roll: Roll) -> bytes:
    """Return a roll as the log holds it."""
    plain = {"l": roll.label, "n": len(roll.values), "s": roll.sides, "v": list(roll.values)}
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode() + b"\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
