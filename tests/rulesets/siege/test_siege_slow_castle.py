"""The lines of fire of the program against a second, slow working-out of the same rules that shares no code
with it.

Every so many pairs of places of three castles, twelve times as many in the longer check; every pair with
``make sight``.
"""

from __future__ import annotations

import os
from copy import deepcopy
from pathlib import Path

import case_plugin
import pytest
from msgspec.structs import replace
from slow_castle import Castle, Law
from thorough import deeper, tries

from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.state.line import Aim

LANDS = Path(__file__).parent / "lands"
ALL = os.environ.get("PBEM_SIGHT") == "1"
MEN = "0108 0306 0504 0607 0711 0906 1107 1204 0901"
WORKS = {
    "plain": {},
    "men": {"men": MEN},
    "breach": {"rubble": "0604 0905", "men": "0604 0606"},
    "tower": {"tower": "0607 0608 0707", "men": "0404 0606 0607@top"},
}
CASES = [
    ("moat", {}, Law(), 17),
    ("moat", {"men": "0304 0405 0603 0707 0907"}, Law(), 19),
    *(("siege-works", WORKS[name], Law(), 197) for name in WORKS),
    ("siege-works", WORKS["men"], Law(of_targets=True), 301),
    ("siege-works", WORKS["men"], Law(tower_radius=0), 301),
    ("siege-works", WORKS["men"], Law(any_line_to_slits=True), 301),
    ("keep-and-tower", {}, Law(), 211),
]


@deeper
@pytest.mark.parametrize(("land", "works", "law", "stride"), CASES)
def test_every_pair_of_places_is_seen_alike(
    land: str, works: dict[str, str], law: Law, stride: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = deepcopy(case_plugin._file(LANDS / f"{land}.yaml"))
    if land == "keep-and-tower":  # without its doors
        data["sides"]["wall"]["sw"] += " " + data["sides"].pop("door")["sw"]
        data["key"]["D"] = "keep"
    monkeypatch.setattr(case_plugin, "map_data", lambda given: data)
    castle = Castle(data, law=law, **works)
    rules, battle = _battle(data, castle)
    places = castle.places()
    pairs = [(a, b) for a in places for b in places if a != b and a not in castle.men and b not in castle.men]
    tried = pairs[:: 1 if ALL else tries(3 * stride, max(1, stride // 4))]
    wrong = []
    for a, b in tried:
        ann, ben = replace(battle.units["ann"], at=(a,)), replace(battle.units["ben"], at=(b,))
        now = battle.with_units(ann, ben)
        found = aiming.aim(rules, now, ann, ben)
        said = found.cover if isinstance(found, Aim) else ""
        if said != (wanted := castle.cover(a, b)):
            wrong.append((a, b, said or getattr(found, "rule", ""), wanted or "not seen"))
    assert not wrong, f"{len(wrong)} of {len(tried)}: {wrong[:20]}"


def _battle(data, castle: Castle):
    men = {
        f"man{number}": {"side": "west", "class": "spearman", "at": at}
        for number, at in enumerate(castle.men)
    }
    free = [place for place in castle.places() if place not in castle.men]
    given = {
        "at": "t1.east.first_missile",
        "units": {
            "ann": {"side": "east", "class": "crossbowman", "at": free[0]},
            "ben": {"side": "west", "class": "crossbowman", "at": free[1]},
            **men,
        },
        "options": {
            "plunging_radius_applies_to": "targets" if castle.law.of_targets else "obstacles",
            "tower_slit_plunging_range": str(castle.law.tower_radius),
            "arrow_slit_line": "any_line_through_aperture_side"
            if castle.law.any_line_to_slits
            else "hex_row_through_aperture",
        },
        "features": [{"at": hex_, "is": "rubble"} for hex_ in castle.rubble],
        "things": [{"id": "tower1", "kind": "siege-tower", "side": "east", "at": " ".join(castle.tower)}]
        if castle.tower
        else [],
    }
    rules = case_plugin.chosen(case_plugin.full_rules(), given)
    return rules, case_plugin.battle_of(rules, given)
