"""What a scenario says of a siege that is planned day by day: who besieges, how often he may assault, and
what ends it.

All else of a scenario is ``scenario``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.rulesets.siege.scenario import campaign, setup
from pbem.rulesets.siege.scenario.scenario_file import ScenarioFile
from pbem.rulesets.siege.state.field import SideInfo, Siege, Term

MODULES: Final = ("battering", "days")
"""Modules whose rules a siege from day to day needs."""
TERMS: Final = (
    "keep is held at the end of an assault",
    "fewer than 4 unwounded soldiers on a morning",
    "day 19 is over",
    "losses of the enemy reach 40",
    "dead of the enemy reach 40",
    "yard is reached at the end of an assault",
    "an assault is over",
    "no wall is down",
)
"""What a line of the scheme of victory can say of a siege only, each with names and numbers in it."""
TERM: Final = regex(
    r"(?P<held>[a-z][a-z0-9-]{0,31}) is held at the end of an assault|day (?P<day>[1-9][0-9]{0,2}) is over"
    r"|fewer than (?P<fit>[1-9][0-9]{0,2}) unwounded soldiers? on a morning"
    r"|(?P<what>losses|dead) of the enemy reach (?P<least>[1-9][0-9]{0,3})"
    r"|(?P<reached>[a-z][a-z0-9-]{0,31}) is reached at the end of an assault"
    r"|(?P<over>an assault is over)|(?P<whole>no wall is down)"
)


def read(file: ScenarioFile, sides: list[SideInfo], days: int) -> Siege | None:
    """Read who besieges and how many assaults he may make; None where the days are not those of a siege."""
    if "siege" not in file.data:
        return None
    said = file.mapping(file.data["siege"], ("siege",))
    for module in MODULES:
        if setup.not_in_force(file.modules, module):
            file.say(
                "scenario.not-in-force", ("siege",), what="a siege from day to day", module=module, key=True
            )
    if not days:
        file.say("scenario.siege-days", ("siege",), help="such as  days: 19", key=True)
    who = said.get("besieger")
    file.is_side(who, sides, ("siege", "besieger") if "besieger" in said else ("siege",))
    file.problems += _prepared(file.data.get("setup"))
    counts = (file.number(said.get(key), ("siege", key), 0) for key in ("assaults", "fight"))
    return Siege(str(who), *counts)


def _prepared(steps: object) -> list[Problem]:
    """Return a problem for every step of the setup in which something may be prepared that comes of itself in
    a siege.
    """
    found = []
    for index, step in enumerate(steps if isinstance(steps, list | tuple) else ()):
        may = step.get("may") if isinstance(step, Mapping) else ()
        for kind in may if isinstance(may, list | tuple) else ():
            if campaign.only_where_walls_fall(siege=True, may=str(kind)):
                found.append(
                    Problem(
                        "scenario.siege-rubble",
                        path=("setup", index, "may"),
                        rule="S2.31b",
                        help="leave it out",
                    )
                )
    return found


def term(
    file: ScenarioFile, match: re.Match[str], path: Path, side: str, points: int, scale: str, said: str
) -> Term:
    """Return a line of the scheme that only a siege can meet; elsewhere it is a problem."""
    place = (*path, "when")
    if "siege" not in file.data:
        file.say(
            "scenario.no-siege", place, when=match[0], help="siege: with the besieger below it makes one"
        )
    if match["held"]:
        return Term("held-after", side, points, mark=file.mark(match["held"], place), said=said)
    if match["reached"]:
        return Term("reached-after", side, points, mark=file.mark(match["reached"], place), said=said)
    if match["over"] or match["whole"]:
        return Term("assault-over" if match["over"] else "unbreached", side, points, said=said)
    if match["day"]:
        return Term("day", side, points, turn=int(match["day"]), said=said)
    if match["fit"]:
        return Term("unwounded", side, points, least=int(match["fit"]), said=said)
    kind = "losses-reach" if match["what"] == "losses" else "deaths-reach"
    return Term(kind, side, points, scale=scale, least=int(match["least"]), said=said)
