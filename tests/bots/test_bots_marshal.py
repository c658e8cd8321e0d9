"""The marshal plays castle sections: he beats ``random`` from each side, and does what is sensible on small
boards.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulesets" / "castle"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"))

import pytest
from castle_cases import chosen, war_of
from thorough import deeper, thorough, tries

from benchmarks.balance import knows, pairings
from pbem.bots.bot import find
from pbem.bots.chance import Chance
from pbem.fleet.studies import Pairing, Study, played, sides, tasks
from pbem.rulesets.castle.judge import followed
from pbem.rulesets.castle.orders import parse
from pbem.rulesets.castle.ruleset import CASTLE

GAMES = 20
MATCHES = [
    (scenario, pair)
    for scenario in ("kestrel-tower", "the-long-curtain")
    for pair in (("marshal", "random"), ("random", "marshal"))
]
NOT_SHOWN = [("the-long-curtain", ("random", "marshal"))]
"""Where he does not win nine of ten: he waits for an enemy whom only chance leads."""
MATCHES = [match for match in MATCHES if match not in NOT_SHOWN]
QUICK = [("kestrel-tower", ("random", "marshal"))]


@pytest.mark.parametrize(
    ("scenario", "pair"),
    [
        pytest.param(*match, marks=deeper if match in QUICK else thorough, id="-".join([match[0], *match[1]]))
        for match in MATCHES
    ],
)
def test_the_marshal_beats_random(scenario: str, pair: tuple[str, str]) -> None:
    games = tries(1, GAMES)
    pairing = Pairing(scenario, pair)
    (task,) = tasks(Study((pairing,), games, "balance", each=games))
    won = [row[0] for row in played(**task.arguments)]
    lost = GAMES // 10 if games > 1 else 0
    assert won.count(sides(pairing)[pair.index("marshal")]) >= games - lost, won


def test_balance_plays_him_where_the_sergeant_knows_nothing() -> None:
    assert knows("kestrel-tower") == "marshal"
    assert knows("alder-ford") == "sergeant"
    found = [one.bots for one in pairings(["the-long-curtain"])]
    assert found == [("marshal", "random"), ("random", "marshal"), ("marshal", "marshal")]


def ordered(**given: object) -> list[str]:
    rules = chosen(CASTLE, given)
    war = war_of(rules, given)
    data = find("marshal", "castle").orders(rules, war, war.at.side, Chance("a board"))
    return list(data.get("actions", ()))


def test_sappers_at_a_wall_strike_as_one() -> None:
    found = ordered(
        sections={"wall1": {"kind": "wall", "at": "20 14"}},
        warriors={
            "pick": {"kind": "sapper", "at": "18.8 15.6", "facing": "s"},
            "spade": {"kind": "sapper", "at": "20 15.6", "facing": "s"},
            "mattock": {"kind": "sapper", "at": "21.2 15.6", "facing": "s"},
            "joss": {"side": "keep", "kind": "captain", "at": "40 5"},
        },
    )
    assert found[0] in {
        f"{', '.join(who)} attack wall1"
        for who in (("mattock", "pick", "spade"), ("pick", "spade", "mattock"), ("mattock", "spade", "pick"))
    }


def test_who_is_at_a_wall_and_looks_away_turns_to_it() -> None:
    board: dict[str, Any] = {
        "sections": {"wall1": {"kind": "wall", "at": "20 14"}},
        "warriors": {
            "pick": {"kind": "sapper", "at": "22.5 15.6", "facing": "w"},
            "joss": {"side": "keep", "kind": "captain", "at": "40 5"},
        },
    }
    (found,) = ordered(**board)
    order = parse(found)
    assert order is not None
    after, _ = followed(CASTLE, war_of(CASTLE, board), order)
    assert (after.figure("pick").x, after.figure("pick").facing) == (2250, 1800)


def test_who_harms_no_stone_goes_in_by_a_door_that_has_sprung_open() -> None:
    board: dict[str, Any] = {
        "victory": {"at-once": [{"side": "hill", "holds": "keep1"}], "at-end": {"winner": "keep"}},
        "sections": {"keep1": {"kind": "citadel", "at": "24 9", "click": 8, "open": "front rear"}},
        "warriors": {
            "alf": {"kind": "footman", "at": "24 14.2", "facing": "s"},
            "joss": {"side": "keep", "kind": "captain", "at": "24 9", "on": "keep1"},
        },
    }
    assert ordered(**board) == ["alf enters keep1 facing 180"]
    board["sections"]["keep1"] |= {"click": 3, "open": ""}
    assert ordered(**board) == []


def test_who_is_beaten_more_easily_than_killed_is_captured() -> None:
    board: dict[str, Any] = {
        "warriors": {
            "brask": {"kind": "captain", "at": "20 20", "facing": "s"},
            "joss": {"side": "keep", "kind": "crossbow", "at": "20 18.8", "facing": "w"},
        }
    }
    assert ordered(**board) == ["brask attacks joss"]
    assert ordered(**board, options={"capture": "yes"}) == ["brask captures joss"]
    board["warriors"]["joss"]["click"] = "3"
    assert ordered(**board, options={"capture": "yes"}) == ["brask attacks joss"]


def test_abilities_are_used_where_they_are_worth_an_action() -> None:
    def done(ability: str, **warriors: dict[str, str]) -> list[str]:
        row = {"id": "crossbow", "abilities": [ability]}
        tables = {"warriors": {"source": "a board", "basis": "reconstructed", "rows": [row]}}
        mira = {"kind": "crossbow", "at": "20 30", "facing": "s"}
        return ordered(tables=tables, build="100", warriors={"mira": mira, **warriors})

    foe = {"side": "keep", "kind": "ogre", "at": "20 26"}
    far = {"side": "keep", "kind": "footman", "at": "40 5"}
    odo = {"kind": "captain", "at": "20 28.8"}
    assert done("healing", odo={**odo, "click": "4"}, far=far) == ["mira heals odo"]
    assert done("healing", odo=odo, far=far) != ["mira heals odo"]
    two = {"side": "keep", "kind": "footman", "at": "23 28", "click": "4"}
    one = {"side": "keep", "kind": "footman", "at": "17 28", "click": "4"}
    assert done("shockwave", one=one, two=two) == ["mira sends out a shockwave"]
    assert done("necromancy", odo={**odo, "out": "true"}, far=far) == ["mira brings back odo"]
    assert done("freeze", foe={**foe, "at": "20 21"}) == ["mira freezes foe"]


def test_the_garrison_shoots_at_who_harms_stone_first() -> None:
    found = ordered(
        at="t1.keep",
        victory={"at-once": [{"side": "hill", "destroyed": "keep1"}], "at-end": {"winner": "keep"}},
        sections={"keep1": {"kind": "citadel", "at": "24 9"}},
        warriors={
            "alf": {"kind": "footman", "at": "22 19", "facing": "s"},
            "pick": {"kind": "sapper", "at": "26 19", "facing": "s"},
            "lutz": {"side": "keep", "kind": "crossbow", "at": "24 11", "on": "keep1", "facing": "n"},
        },
    )
    assert found[0] == "keep1 shoots pick"
    assert not any("moves" in line for line in found)


def test_a_ladder_is_set_up_where_its_carriers_touch_a_wall() -> None:
    found = ordered(
        sections={"wall1": {"kind": "wall", "at": "20 14"}},
        ladders={"ladder2": {"side": "hill", "by": "alf, bero, cuno"}},
        warriors={
            "alf": {"kind": "footman", "at": "18.8 15.6", "facing": "s"},
            "bero": {"kind": "footman", "at": "20 15.6", "facing": "s"},
            "cuno": {"kind": "footman", "at": "21.2 15.6", "facing": "s"},
            "joss": {"side": "keep", "kind": "captain", "at": "20 14", "on": "wall1"},
        },
    )
    assert any("set up ladder2 at wall1" in line for line in found)


def test_a_door_is_opened_for_a_fight_on_the_stairs_that_pays() -> None:
    board: dict[str, Any] = {
        "at": "t1.keep",
        "sections": {"keep1": {"kind": "citadel", "at": "24 9"}},
        "warriors": {
            "grul": {"kind": "ogre", "at": "24 12.6", "facing": "s", "click": "5"},
            "joss": {"side": "keep", "kind": "captain", "at": "24 11", "on": "keep1", "facing": "n"},
            "paul": {"side": "keep", "kind": "ogre", "at": "22.5 11", "on": "keep1", "facing": "n"},
        },
    }
    found = ordered(**board)
    assert "keep1-front opens" in found
    assert any("attacks grul" in line for line in found)
    board["warriors"] = {**board["warriors"], "grul": {"kind": "ogre", "at": "24 40", "facing": "s"}}
    assert "keep1-front opens" not in ordered(**board)
    board["sections"] = {"keep1": {"kind": "citadel", "at": "24 9", "open": "front"}}
    assert "keep1-front closes" in ordered(**board)
