"""Scenarios: sides, people and where they begin, and the setup; everything a game is told in data.

What the map says is read by ``maps``, how the game ends by ``scheme``, things by ``gear``. Nothing is left
out in silence: what this ruleset, or the modules in force, cannot do is a problem with the module that can.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import hex_of
from pbem.rulesets.siege.ground import maps
from pbem.rulesets.siege.ground.maps import MapPart
from pbem.rulesets.siege.scenario import gear_file, scheme, setup, siege_scenario, stable
from pbem.rulesets.siege.scenario.scenario_file import ScenarioFile, names_of, word
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.field import Field, Force, Gear, Person, SetupStep, SideInfo
from pbem.rulesets.siege.state.problem_log import Enough
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing
from pbem.rulesets.siege.turn import sequence, skill
from pbem.text.similar import did_you_mean

Rules = Ruleset[Battle]

SILENT: Final = ("hold", "shoot-nearest")
PREPARATIONS: Final[Mapping[str, str]] = {
    "ride": "riders",
    "fill": "works",
    "rubble": "works",
    "skill": "the option shooter_skill",
}
"""What else may be ordered in a setup -> what its rules belong to."""

_SIDE = regex(r"[a-z][a-z0-9]{0,15}")
_PLACE = regex(r"[0-9]{4}(@top)?")


def read_field(
    rules: Rules, scenario: object, map_: object, map_digest: str = "", scenario_digest: str = ""
) -> tuple[Field | None, list[Problem], list[Problem]]:
    """Return the field that scenario and map make, or None and what is wrong with the one and with the other.

    Both are plain data with every scalar as typed. A digest that is not given is that of the plain data.
    """
    part, of_map = maps.read_map(rules, map_)
    if not isinstance(scenario, Mapping):
        return None, [Problem("scenario.shape", {"what": "a scenario", "wanted": "keys with values"})], of_map
    reader = _Reader(rules, scenario, part)
    if part is not None:
        of_map += [
            replace(problem, help=_way_out(rules, scenario, module))
            for module, problem in part.needs
            if setup.not_in_force(reader.modules, module)
        ]
    field = None
    with suppress(Enough):
        field = reader.field(map_digest or plain_digest(map_), scenario_digest or plain_digest(scenario))
    wrong = reader.problems or of_map or field is None
    return (None if wrong else field), [*reader.problems], of_map


def _way_out(rules: Rules, scenario: Mapping[str, Any], module: str) -> str:
    """Return what to do about something on a map whose rules are not in force: add them, or leave it out
    where there are none.
    """
    if module not in rules.known_modules:
        return f"no ruleset here has the module {module} yet: leave it off the map"
    named = scenario.get("modules")
    wanted = ", ".join([*map(str, named if isinstance(named, list) else ()), module])
    return f"in the scenario: modules: [{wanted}]"


def plain_digest(data: object) -> str:
    """Return ``sha256:`` and the hash of plain data, whatever the layout of its file was."""
    said = json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
    return "sha256:" + hashlib.sha256(said.encode()).hexdigest()


class _Reader(ScenarioFile):
    """One scenario on its way from plain data to a field."""

    def __init__(self, rules: Rules, data: Mapping[str, Any], part: MapPart | None) -> None:
        super().__init__(rules, data, part)
        self.used: dict[str, str] = {}
        self.paths: dict[str, Path] = {}
        self.standing: dict[str, str] = {}

    def field(self, map_digest: str, scenario_digest: str) -> Field | None:
        """Return the field as far as it could be read."""
        sides = self.sides()
        forces = self.forces(sides)
        self.problems += skill.unbalanced(self.rules, sides, forces, self.people)
        wagons, things, supplies = self.things(sides, forces)
        setup = self.setup(sides, forces)
        self.problems += gear_file.unplaced(things, setup)

        scales = scheme.scales(self)
        at_end, at_once = scheme.scheme(self, sides, forces, scales)
        margins, level = scheme.winner(self, sides)
        length = scheme.length(self)
        days = scheme.days(self, length)
        siege = siege_scenario.read(self, sides, days)

        self.unread()
        part = self.part
        if part is None:
            return None

        return Field(
            map_id=part.id,
            map_title=part.title,
            map_digest=map_digest,
            scenario_id=self.text("scenario"),
            scenario_title=self.text("title") or self.text("scenario"),
            scenario_digest=scenario_digest,
            columns=part.columns,
            rows=part.rows,
            ground=part.ground,
            sides_of_hexes=part.sides_of_hexes,
            side_features=part.side_features,
            marks=part.marks,
            grounds=part.grounds,
            fixtures=part.fixtures,
            areas=part.areas,
            area_kinds=part.area_kinds,
            area_names=part.area_names,
            labels=part.labels,
            roads=part.roads,
            look_seed=part.look_seed,
            people={
                force.person: self.people[force.person] for force in forces if force.person in self.people
            },
            sides=sequence.playing_order(tuple(sides)),
            forces=tuple(forces),
            wagons=wagons,
            gear=things,
            supplies=supplies,
            damaged=scheme.damaged(self),
            setup=tuple(setup),
            length=length,
            days=days,
            siege=siege,
            at_end=tuple(at_end),
            at_once=tuple(at_once),
            margins=margins,
            scales=scales,
            level_winner=level,
            floors=family.floors(self.rules),
        )

    # --- sides

    def sides(self) -> list[SideInfo]:
        """Read the sides, which of them plays first, and what each does in silence."""
        silent = self.mapping(self.data.get("silent"), ("silent",))
        found: list[SideInfo] = []
        firsts = []
        for id_, said in self.mapping(self.data.get("sides"), ("sides",)).items():
            info = self.mapping(said, ("sides", id_))
            if not _SIDE.fullmatch(str(id_)) or id_ in ("any", "draw", "other"):
                self.say(
                    "scenario.side-name",
                    ("sides", id_),
                    help="a short word such as west",
                    key=True,
                    side=str(id_),
                )

            first = word(info.get("first")) == "true"
            if first:
                firsts.append(id_)
            marks = {
                key: self.mark(info[key], ("sides", id_, key)) if key in info else ""
                for key in ("enters", "leaves")
            }

            quiet = word(silent.get(id_)) or SILENT[0]
            if quiet not in SILENT:
                self.say(
                    "scenario.silent", ("silent", id_), help="write: " + " or ".join(SILENT), value=quiet
                )

            name = word(info.get("name")) or str(id_).title()
            found.append(
                SideInfo(
                    str(id_), name, word(info.get("colour")), first, marks["enters"], quiet, marks["leaves"]
                )
            )

        if len(found) != 2:
            self.say("scenario.two-sides", ("sides",), key=True, found=len(found))
        if len(firsts) > 1:
            self.say(
                "scenario.two-firsts", ("sides", firsts[1], "first"), sides=" and ".join(map(str, firsts))
            )
        elif not firsts and found:
            self.say(
                "scenario.no-first",
                ("sides",),
                key=True,
                help=f"write  first: true  for one of them, such as {found[0].id}",
            )

        for id_ in silent:
            if all(side.id != id_ for side in found):
                self.say(
                    "scenario.unknown-side", ("silent", id_), key=True, side=str(id_), help=names_of(found)
                )
        return found

    # --- people

    def forces(self, sides: list[SideInfo]) -> list[Force]:
        """Read who fights, and where everybody begins."""
        found: list[Force] = []
        seats = {
            str(seat): word(side) for seat, side in self.mapping(self.data.get("seats"), ("seats",)).items()
        }
        for seat, side in seats.items():
            self.is_side(side, sides, ("seats", seat))
        named = self.mapping(self.data.get("units"), ("units",))
        for side, units in named.items():
            if not self.is_side(side, sides, ("units", side), key=True):
                continue
            for path, said in self.entries(units, ("units", side)):
                found.append(self.force(str(side), said, path, {force.id for force in found}, sides, seats))
        for info in sides:
            if info.id not in named:
                self.say("scenario.nobody", ("units",), key=True, side=info.id)
        self.problems += stable.riders(found, self.people, self.paths)
        return found

    def things(
        self, sides: list[SideInfo], forces: list[Force]
    ) -> tuple[tuple[Thing, ...], tuple[Gear, ...], dict[str, dict[str, int]]]:
        """Read the wagons, all other things, and what each side may prepare in the setup."""
        ground, fixtures = (self.part.ground, self.part.fixtures) if self.part is not None else ({}, {})
        scene = gear_file.Scene(
            self.rules,
            self.modules,
            sides,
            forces,
            self.people,
            self.standing,
            self.paths,
            ground,
            fixtures,
            self.mark,
            self.problems.append,
        )
        found = gear_file.read(scene, list(self.entries(self.data.get("things"), ("things",))))
        said = self.mapping(self.data.get("supplies"), ("supplies",))
        return *found, gear_file.supplies(said, scene, self.mapping)

    def force(
        self,
        side: str,
        said: Mapping[str, Any],
        path: Path,
        ids: set[str],
        sides: list[SideInfo],
        seats: Mapping[str, str],
    ) -> Force:
        """Read one unit."""
        id_ = word(said.get("id"))
        if not stable.NAME.fullmatch(id_):
            self.say(
                "scenario.name",
                (*path, "id"),
                help="small letters, digits and hyphens, such as odo",
                name=id_,
            )
        elif id_ in deeds(self.rules).reserved:
            self.say("scenario.reserved", (*path, "id"), name=id_)
        elif id_ in ids:
            self.say("scenario.id-twice", (*path, "id"), name=id_)

        person = self.person(said, path, id_)
        self.not_in_force(said, path, id_, self.people.get(person))
        self.paths[id_] = path

        on = "" if setup.not_in_force(self.modules, "riders") else word(said.get("on"))
        where = [key for key in ("at", "in", "enters") if said.get(key) not in (None, "", "false", False)]
        if on and where:
            self.say(
                "scenario.rider-where",
                (*path, where[0]),
                help=f"leave it out, and say it of {on}",
                unit=id_,
                horse=on,
            )
        elif not on and len(where) != 1:
            self.say(
                "scenario.where",
                path,
                help="write one of: at: HEX, in: MARK, enters: true",
                unit=id_,
                found=len(where),
            )

        at = self.at(said, path, id_, person) if where == ["at"] else ()
        within = ""
        enters = where == ["enters"]
        info = next(side_ for side_ in sides if side_.id == side)

        if where == ["in"]:
            within = self.mark(said["in"], (*path, "in"))
        elif enters and word(said["enters"]) != "true":
            within = self.mark(said["enters"], (*path, "enters"))
        elif enters and not info.enters:
            self.say(
                "scenario.no-edge",
                (*path, "enters"),
                help=f"write  enters: MARK  for the side {side}",
                unit=id_,
                side=side,
            )

        turn = self.number(said.get("turn"), (*path, "turn"), 1)
        owner = word(said.get("owner"))
        if owner and seats.get(owner, side if owner == side else "") != side:
            self.say("scenario.owner", (*path, "owner"), unit=id_, owner=owner, side=side)

        number = skill.read(self.rules, id_, self.people.get(person), word(said.get("skill")))
        if isinstance(number, Problem):
            self.problems.append(number.at(*path, "skill"))
            number = 0

        neutral, held_by = word(said.get("neutral")) == "true", word(said.get("held-by"))
        if held_by:
            self.is_side(held_by, sides, (*path, "held-by"))
        wakes = self.number(said.get("wakes"), (*path, "wakes"), 0)

        return Force(id_, person, side, owner, at, within, enters, turn, on, number, neutral, held_by, wakes)

    def person(self, said: Mapping[str, Any], path: Path, id_: str) -> str:
        """Return the id of a person of the roster; nobody appears twice."""
        name = word(said.get("person")).replace("-", "_")
        if name not in self.people:
            help_ = did_you_mean(name, self.people) or "the persons are those of the roster, such as " + next(
                iter(self.people)
            )
            self.say("scenario.person", (*path, "person"), help=help_, person=word(said.get("person")))
        elif name in self.used:
            self.say(
                "scenario.person-twice",
                (*path, "person"),
                person=self.people[name].name,
                unit=self.used[name],
            )
        self.used.setdefault(name, id_)
        return name

    def not_in_force(self, said: Mapping[str, Any], path: Path, id_: str, who: Person | None) -> None:
        """Refuse what only riders, animals, bystanders or skilled shooters have, unless the module is in
        force.
        """
        self.problems += stable.needs(said, who, self.modules, path)
        if said.get("skill") not in (None, "", "0") and not skill.in_force(self.rules):
            self.say(
                "scenario.not-in-force", (*path, "skill"), what="skill", module="the option shooter_skill"
            )
        if word(said.get("state")) not in ("", HEALTHY):
            self.say(
                "scenario.state",
                (*path, "state"),
                help="everybody begins healthy",
                unit=id_,
                state=word(said["state"]),
            )

    def at(self, said: Mapping[str, Any], path: Path, id_: str, person: str) -> tuple[str, ...]:
        """Return where a unit stands, if it can stand there."""
        value = said["at"]
        words = [word(part) for part in value] if isinstance(value, list | tuple) else word(value).split()
        place = (*path, "at")
        who = self.people.get(person)
        if who is not None and who.kind == stable.HORSE:
            at = stable.two_hexes(words, word(said.get("facing")))
            if not at:
                self.say("scenario.two-hexes", place, help="such as 0712 0713, or 0712 facing n", unit=id_)
            return tuple(hex_ for hex_ in at if self.stands(hex_, place, id_, horse=True))
        if len(words) != 1:
            self.say("scenario.one-hex", place, unit=id_)
            return ()
        return tuple(hex_ for hex_ in words if self.stands(hex_, place, id_))

    def stands(self, hex_: str, place: Path, id_: str, horse: bool = False) -> bool:
        """Tell whether a hex is one at all; note why a unit cannot stand in it."""
        if not _PLACE.fullmatch(hex_):
            self.say("scenario.hex", place, help="a hex is four digits, column first: 0712", value=hex_)
            return False
        if self.part is None:
            return True
        ground = self.part.ground.get(hex_of(hex_))
        if ground is None:
            help_ = f"the hexes run from 0101 to {self.part.columns:02}{self.part.rows:02}, column first"
            self.say("scenario.off-map", place, help=help_, unit=id_, hex=hex_)
        elif hex_ == hex_of(hex_) and (ground.mp_horse if horse else ground.mp_foot) is None:
            self.say("scenario.ground", place, unit=id_, hex=hex_, terrain=ground.title)
        elif hex_ in self.standing:
            self.say("scenario.occupied", place, unit=id_, hex=hex_, other=self.standing[hex_])
        self.standing.setdefault(hex_, id_)
        return True

    # --- setup

    def setup(self, sides: list[SideInfo], forces: list[Force]) -> list[SetupStep]:
        """Read the steps in which figures are placed."""
        found: list[SetupStep] = []
        seats = {
            str(seat): word(side) for seat, side in self.mapping(self.data.get("seats"), ("seats",)).items()
        }
        for path, said in self.entries(self.data.get("setup"), ("setup",)):
            names = [word(name) for name in self.listed(said.get("seats"), (*path, "seats"))] or [
                word(said.get("seat"))
            ]
            who = [seats.get(name, name) for name in names]
            key = "seats" if "seats" in said else "seat"
            known = [side for side in who if self.is_side(side, sides, (*path, key))]
            if len(who) > 1 and word(said.get("sealed")) != "true":
                self.say("scenario.unsealed", path, help="write  sealed: true, or a step for each of them")
            may = tuple(word(kind) for kind in self.listed(said.get("may"), (*path, "may")))
            for kind in may:
                if kind == "skill" and skill.in_force(self.rules):
                    continue
                if (
                    kind in PREPARATIONS
                    and PREPARATIONS[kind] not in self.modules
                    and not (kind == "skill" and skill.in_force(self.rules))
                ):
                    self.say("scenario.not-in-force", (*path, "may"), what=kind, module=PREPARATIONS[kind])
                elif kind != "place" and kind not in PREPARATIONS:
                    self.say("scenario.may", (*path, "may"), help="place, ride, skill", value=kind)
            within = self.mark(said["in"], (*path, "in")) if "in" in said else ""
            found.append(SetupStep(tuple(dict.fromkeys(known)), may, within))
        self.placeable(forces, found)
        return found

    def placeable(self, forces: list[Force], steps: list[SetupStep]) -> None:
        """Everybody with no hex of his own is placed in some step, and there is room for all."""
        placing = {side for step in steps if "place" in step.may for side in step.sides}
        counts: dict[str, int] = {}
        for force in forces:
            if force.at or force.enters or not force.within or force.on:
                continue
            if force.side not in placing:
                path = (
                    "units",
                    force.side,
                    [other for other in forces if other.side == force.side].index(force),
                    "in",
                )
                help_ = f"add under setup:  - {{seat: {force.side}, may: [place], in: {force.within}}}"
                self.say("scenario.unplaced", path, help=help_, unit=force.id, side=force.side)
            who = self.people.get(force.person)
            counts[force.within] = counts.get(force.within, 0) + (
                2 if who is not None and who.kind == stable.HORSE else 1
            )
        part = self.part
        if part is None:
            return
        for mark, count in sorted(counts.items()):
            free = [hex_ for hex_ in part.marks[mark] if hex_ not in self.standing]
            room = [hex_ for hex_ in free if part.ground[hex_].mp_foot is not None]
            if len(room) < count:
                self.say("scenario.no-room", ("units",), key=True, mark=mark, room=len(room), count=count)

    def unread(self) -> None:
        """Refuse what this ruleset would leave unread."""
        if self.text("roster"):
            self.say(
                "scenario.roster",
                ("roster",),
                help="leave it out; an own sheet is laid over the table roster",
            )
        if self.data.get("hidden") and setup.not_in_force(self.modules, "hidden"):
            self.say("scenario.not-in-force", ("hidden",), what="hidden", module="hidden", key=True)
        if self.data.get("standing"):
            self.say(
                "scenario.standing",
                ("standing",),
                help="leave it out; each seat sends its own standing: in an order file",
            )


__all__ = ["plain_digest", "read_field"]
