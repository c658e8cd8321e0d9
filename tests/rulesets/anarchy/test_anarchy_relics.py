"""A chest is taken up, carried at a price, and out of the game's bounds it is stolen."""

from __future__ import annotations

from typing import Any

from case_plugin import Line, run

from pbem.rulesets.anarchy.ruleset import ANARCHY

GIVEN: dict[str, Any] = {
    "units": {"odo": {"side": "east", "class": "spearman", "at": "0505", "move": "6"}},
    "options": {"movement_allowances": "printed"},
    "things": [{"id": "chest", "kind": "chest", "side": "west", "at": "0505"}],
    "at": "t1.east.movement",
}


def _held(**more: Any) -> dict[str, Any]:
    return {**GIVEN, "things": [{**GIVEN["things"][0], "by": "odo"}], **more}


def test_whoever_stands_where_it_lies_takes_the_chest() -> None:
    run(
        Line(
            given=GIVEN,
            orders={"east": "move:\n- odo takes chest"},
            check=[],
            events=[{"type": "ThingChanged", "thing": "chest", "by": "odo"}],
        ),
        ANARCHY,
    )


def test_with_a_chest_he_has_two_points_less_and_it_goes_where_he_goes() -> None:
    run(Line(given=_held(), values={"odo": {"points": "4"}}), ANARCHY)
    run(
        Line(
            given=_held(),
            orders={"east": "move:\n- odo to 0503"},
            check=[],
            state={"chest": {"at": "0503", "by": ["odo"]}},
        ),
        ANARCHY,
    )


def test_who_falls_lets_go_of_it() -> None:
    units = {"odo": {**GIVEN["units"]["odo"], "state": "stunned"}}
    run(Line(given=_held(units=units, at="t1.west.recovery"), state={"chest": {"by": []}}), ANARCHY)
