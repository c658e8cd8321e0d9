"""A wall with a moat nowhere and a yard behind it: where bots storm and hold castles in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot_boards import battle, field
from msgspec.structs import replace

from pbem.bots.aims import aims
from pbem.bots.siegecraft import Siegecraft
from pbem.bots.survey import Survey
from pbem.core.ruleset import Ruleset, choose
from pbem.geometry.hex import hexside
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state.field import Field, OnSide, Term
from pbem.rulesets.siege.state.state import Battle, Thing

WALL = ("0106", "0206", "0306", "0406", "0506", "0606", "0706", "0806")
SALIENT = "0506"
"""The battlement over three sides of which ladders can lean; over the others it is one."""


def rules() -> Ruleset[Battle]:
    found, problems = choose(SIEGE, sorted(SIEGE.known_modules), {})
    assert found is not None, problems
    return found


CASTLES = rules()


def walled(*terms: Term, **more: Any) -> Field:
    """Return a field in front of a wall in the sixth row, with a yard behind it."""
    words = dict.fromkeys(WALL, "battlement")
    words |= {f"{column:02}{row:02}": "courtyard" for column in range(1, 9) for row in (7, 8)}
    sides = [("n", hex_) for hex_ in WALL] + [("ne", SALIENT), ("nw", SALIENT)]
    parapets = {hexside(hex_, side): (OnSide("parapet", hex_, side),) for side, hex_ in sides}
    bare = field(words, columns=8, rows=8, at_end=terms, **more)
    return replace(
        bare, grounds=terrain.grounds(CASTLES), sides_of_hexes=parapets, marks={**bare.marks, "walk": WALL}
    )


def ladder(number: int, *at: str, **more: Any) -> Thing:
    return Thing(f"ladder{number}", "ladder", at, side="east", **{"stands": "lying", **more})


def castle(
    men: Mapping[str, tuple[Any, ...]],
    things: Sequence[Thing] = (),
    phase: str = "first_missile",
    **more: Any,
) -> Battle:
    """Return a battle at the wall: east storms, west holds it."""
    ground = more.pop("ground", None) or walled(Term("in", "east", 2, mark="walk"))
    return battle(men, phase, ground=ground, things={thing.id: thing for thing in things}, **more)


def craft(state: Battle, side: str = "east") -> Siegecraft:
    """Return what a side does with its things in a movement phase, everybody being free."""
    survey = Survey(CASTLES, state, side)
    found = Siegecraft(survey, aims(CASTLES, state, side), side, survey.own)
    found.plan()
    return found
