"""A small siege for tests: a wall, a keep behind it, two engines, a few men on either side,
and three days.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.ruleset import Ruleset, choose
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state.state import Battle
from pbem.text.source import FILES, read

MAP = """\
map: little-castle
title: A little castle
size: 10 x 8
key: {".": flat, B: battlement, ",": courtyard, s: stairs, K: keep, D: keep-doorway}
terrain: |
  col 01 02 03 04 05 06 07 08 09 10
  01  .  .  .  .  .  .  .  .  .  .
  02  .  .  .  .  .  .  .  .  .  .
  03  B  B  B  B  B  B  B  B  .  .
  04  ,  ,  ,  s  ,  ,  ,  ,  .  .
  05  ,  ,  ,  ,  ,  ,  ,  ,  .  .
  06  ,  ,  K  K  K  D  ,  ,  .  .
  07  ,  ,  ,  K  ,  ,  ,  ,  .  .
  08  ,  ,  ,  ,  ,  ,  ,  ,  .  .
sides:
  parapet: {n: 0103 0203 0303 0403 0503 0603 0703 0803}
  wall: {n: 0606, s: 0606}
marks:
  field: 0101 0201 0301 0401 0501 0601
  keep: 0306 0406 0506 0407
  yard: 0105 0205 0305 0405 0505 0705
"""

SCENARIO = """\
scenario: little-siege
title: A little siege
ruleset: siege
modules: [open-ground, houses, castle, works, camp, battering, days]
map: little-castle
length: 2 turns
days: 3
siege: {besieger: baron, assaults: 1}
sides:
  baron: {first: true, colour: vermilion}
  garrison: {colour: blue}
units:
  baron:
  - {id: hugo, person: hugo-brisefer, in: field}
  - {id: raoul, person: raoul-le-balafre, in: field}
  - {id: huard, person: huard-le-roux, at: 0902}
  garrison:
  - {id: aelfgar, person: aelfgar-oakhand, in: yard}
  - {id: osgar, person: osgar-millward, at: 0303}
  - {id: dunn, person: dunn-hogward, in: yard}
things:
- {id: mangonel1, kind: mangonel, side: baron, away: true}
- {id: trebuchet1, kind: trebuchet, side: baron, away: true}
- {id: trebuchet2, kind: trebuchet, side: baron, away: true}
setup:
- {seat: garrison, may: [place]}
- {seat: baron, may: [place]}
silent: {baron: hold, garrison: hold}
victory:
  at-once:
  - {side: baron, when: keep is held at the end of an assault}
  - {side: baron, when: fewer than 1 unwounded soldier on a morning}
  - {side: garrison, when: day 3 is over}
  winner: {most: points, level: garrison}
"""


def laid(
    scenario: str = SCENARIO, options: Mapping[str, str] | None = None
) -> tuple[Ruleset[Battle], Battle]:
    """Return the rules of the little siege and the battle it begins with."""
    data = read(scenario.encode(), "scenario.yaml", limits=FILES).data
    map_ = read(MAP.encode(), "map.yaml", limits=FILES).data
    assert isinstance(data, Mapping) and isinstance(map_, Mapping)
    rules, problems = choose(SIEGE, data["modules"], options or {})
    assert rules is not None, problems
    field, of_scenario, of_map = rules.interface.read_field(rules, data, map_)
    assert field is not None, [*of_scenario, *of_map]
    return rules, rules.interface.setup(rules, field, {"baron": "baron", "garrison": "garrison"})


def files(rules: Ruleset[Battle], battle: Battle, **said: Any) -> dict[str, tuple[Any, ...]]:
    """Return order files as the seats wrote them."""
    found = {}
    for seat, data in said.items():
        told, problems = rules.interface.read_orders(rules, battle, seat, data)
        assert told is not None, problems
        found[seat] = (told,)
    return found
