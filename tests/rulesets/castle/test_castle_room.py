"""Wherever formations, riders and single warriors are ordered on boards made by chance, nobody who moved stands
in another, in stone, or half on a wall; and a formation is still one.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from castle_cases import war_of
from thorough import tries

from pbem.core.play import resolve_phase
from pbem.rulesets.castle.formations import no_formation
from pbem.rulesets.castle.movement import has_room
from pbem.rulesets.castle.ruleset import CASTLE
from pbem.rulesets.castle.state import War

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")


class Fours:
    """Dice that all show a four: everybody breaks away."""

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        return (4,) * count


def board(chance: random.Random) -> tuple[War, int]:
    """Return a formation, on walls or on the ground, among enemies and before a rock."""
    count = chance.randrange(3, 6)
    top = chance.random() < 0.4
    kind = chance.choice(["footman", "lancer", "ogre"]) if count == 3 else "footman"
    walls = {f"w{n}": {"kind": "wall", "at": f"{20 + 6 * n} 14"} for n in range(3 if top else 1)}
    warriors: dict[str, Any] = {}
    for n in range(count):
        if top:
            warriors[f"a{n}"] = {
                "side": "keep",
                "kind": "footman",
                "at": f"{17.7 + 1.2 * n:.2f} 14",
                "on": "w0",
            }
        else:
            at = f"{20 + 1.2 * n:.2f} 20"
            warriors[f"a{n}"] = {"side": "keep", "kind": kind, "at": at, "facing": chance.choice("nesw")}
    for n in range(6):
        at = f"{chance.uniform(12, 34):.2f} {chance.uniform(16, 30):.2f}"
        warriors[f"f{n}"] = {"kind": chance.choice(["footman", "rolling_titan", "lancer"]), "at": at}
    if top:
        at = f"{chance.uniform(26.6, 28.4):.2f} {chance.choice(['14', '13.7', '14.4'])}"
        warriors["bar"] = {"side": "keep", "kind": "footman", "at": at, "on": "w1"}
    rock = {"id": "rock", "kind": "blocking", "at": f"{chance.uniform(15, 30):.2f} 25", "radius": "1"}
    return war_of(
        CASTLE, {"at": "t1.keep", "sections": walls, "warriors": warriors, "terrain": [rock]}
    ), count


def order(chance: random.Random, count: int) -> str:
    names = ", ".join(f"a{n}" for n in range(count))
    far, way = chance.choice(["6", "3.3", "4.75"]), chance.choice(COMPASS)
    return chance.choice(
        [
            f"{names} move {far} {way}",
            f"{names} form up behind a{chance.randrange(count)} and move {far} {way}",
            "a0 moves toward f0 until contact",
            f"a1 moves {far} {way}",
            f"a0 turns to {chance.randrange(360)}",
        ]
    )


@pytest.mark.parametrize("part", range(4))
def test_whoever_moved_has_room_where_he_stands(part: int) -> None:
    moves = 0
    for seed in range(tries(60, 2000)):
        chance = random.Random(f"{part} {seed}")
        war, count = board(chance)
        if not all(has_room(CASTLE, war, one) for one in war.up):
            continue
        line = order(chance, count)
        sheet, unread = CASTLE.interface.read_orders(CASTLE, war, "keep", {"actions": [line]})
        assert unread == []
        played = resolve_phase(
            lambda play, sheet=sheet: CASTLE.steps["actions"](CASTLE, play, {"keep": (sheet,)}),  # type: ignore[misc]
            war,
            str(war.at),
            CASTLE.interface.apply,
            Fours(),
        )
        after: War = played.state
        changed = [one for one in after.up if one != war.figure(one.id)]
        moves += bool(changed)
        for one in changed:
            assert has_room(CASTLE, after, one), (part, seed, line, one.id)
        if line.startswith("a0, "):
            men = [after.figure(f"a{n}") for n in range(count)]
            assert no_formation(CASTLE, after, men) is None, (part, seed, line)
    assert moves
