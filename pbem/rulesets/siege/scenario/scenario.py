"""Scenarios: sides, people and where they begin, setup, length and the scheme of victory; everything a game
is told in data.

What the map says is read by ``maps``; how a scheme is counted is ``victory``. Nothing is left out in silence:
what this ruleset, or the modules that are in force, cannot do is a problem with the module that can.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from pbem.core.problem import Path, Problem
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import character, maps
from pbem.rulesets.siege.ground.maps import MapPart
from pbem.rulesets.siege.scenario import gear, setup, siege_scenario, stable
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.field import Field, Force, Gear, Person, SetupStep, SideInfo, Term
from pbem.rulesets.siege.state.state import HEALTHY, Battle, Thing
from pbem.rulesets.siege.state.told import Enough, Told
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
TERMS: Final = (
    "ford is held",
    "in ford",
    "3 healthy in wall-walk",
    "burnt in tents",
    "wagon1, wagon2 in trench-line",
    "odo is dead",
    "odo, hob left the map",
    "ned, mabil led off the map",
    "ned, mabil are freed",
    "fewer than 3 figures",
    "turn is at least 8",
    "points: losses of the enemy",
    *siege_scenario.TERMS,
)
"""The closed list of what a line of the scheme can say, each with names in it."""

_SIDE = re.compile(r"[a-z][a-z0-9]{0,15}")
_HEX = re.compile(r"[0-9]{4}")
_LENGTH = re.compile(r"([1-9][0-9]{0,2}) turns?")
_NUMBER = re.compile(r"[0-9]{1,4}")
_NAME = r"[a-z][a-z0-9-]{0,31}"
_NAMES = rf"{_NAME}(?: *, *{_NAME})*"
_HELD = re.compile(rf"({_NAME}) is held")
_GATHERED = re.compile(rf"([1-9][0-9]?) healthy in ({_NAME})")
_BURNT = re.compile(rf"burnt in ({_NAME})")
_BROUGHT = re.compile(rf"({_NAMES}) in ({_NAME})")
_IN = re.compile(rf"in ({_NAME})")
_DEAD = re.compile(rf"({_NAMES}) (?:is|are) (dead|destroyed)")
_LED = re.compile(rf"({_NAMES}) led off the map")
_FREED = re.compile(rf"({_NAMES}) (?:is|are) freed")
_LEFT = re.compile(rf"(?:({_NAMES}) )?left the map")
_FEWER = re.compile(r"fewer than ([1-9][0-9]{0,2}) figures?")
_TURN = re.compile(r"turn is (?:at least )?([1-9][0-9]{0,2})")
_LOSSES = "losses of the enemy"


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
    return (
        "in the scenario: modules: "
        f"[{', '.join([*map(str, named if isinstance(named, list) else ()), module])}]"
    )


def plain_digest(data: object) -> str:
    """Return ``sha256:`` and the hash of plain data, whatever the layout of its file was."""
    said = json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
    return "sha256:" + hashlib.sha256(said.encode()).hexdigest()


class _Reader:
    """One scenario on its way from plain data to a field."""

    def __init__(self, rules: Rules, data: Mapping[str, Any], part: MapPart | None) -> None:
        self.rules = rules
        self.data = data
        self.part = part
        self.problems = Told()
        self.modules = {*rules.modules, *(str(module) for module in self.listed("modules", ("modules",)))}
        self.people = character.roster(rules.tables)
        self.used: dict[str, str] = {}
        self.paths: dict[str, Path] = {}
        self.standing: dict[str, str] = {}

    def say(self, code: str, path: Path, help: str = "", key: bool = False, **args: str | int) -> None:
        """Note one problem."""
        self.problems.append(Problem(code, args, path, help=help, key=key))

    def field(self, map_digest: str, scenario_digest: str) -> Field | None:
        """Return the field as far as it could be read."""
        sides = self.sides()
        forces = self.forces(sides)
        self.problems += skill.unbalanced(self.rules, sides, forces, self.people)
        wagons, things, supplies = self.things(sides, forces)
        setup = self.setup(sides, forces)
        self.problems += gear.unplaced(things, setup)
        scales = self.scales()
        at_end, at_once = self.scheme(sides, forces, scales)
        margins, level = self.winner(sides)
        length = self.length()
        days = self.days(length)
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
            setup=tuple(setup),
            length=length,
            days=days,
            siege=siege,
            at_end=tuple(at_end),
            at_once=tuple(at_once),
            margins=margins,
            scales=scales,
            level_winner=level,
        )

    # --- plain data

    def text(self, key: str) -> str:
        """Return a scalar of the file as text; empty if there is none."""
        return _word(self.data.get(key))

    def mapping(self, value: object, path: Path) -> Mapping[str, Any]:
        """Return a mapping; what is none is a problem."""
        if value is None or value == "":
            return {}
        if isinstance(value, Mapping):
            return value
        self.say("scenario.shape", path, what=str(path[-1]), wanted="keys with values")
        return {}

    def listed(self, value: object, path: Path) -> list[Any]:
        """Return a list, given or under a key; what is none is a problem."""
        value = self.data.get(value) if isinstance(value, str) and path == (value,) else value
        if value is None or value == "":
            return []
        if isinstance(value, list | tuple):
            return list(value)
        self.say("scenario.shape", path, what=str(path[-1]), wanted="a list")
        return []

    def entries(self, value: object, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """Yield the mappings of a list, each with its path."""
        for index, entry in enumerate(self.listed(value, path)):
            if isinstance(entry, Mapping):
                yield (*path, index), entry
            else:
                self.say("scenario.shape", (*path, index), what="this entry", wanted="keys with values")

    def number(self, value: object, path: Path, default: int) -> int:
        """Return a whole number from 0 to 9999."""
        if value is None:
            return default
        if _NUMBER.fullmatch(str(value)):
            return int(str(value))
        self.say("scenario.number", path, help="a whole number such as 10", value=_word(value))
        return default

    def mark(self, name: object, path: Path) -> str:
        """Return the name of a mark of the map; another is a problem."""
        word = _word(name)
        if self.part is not None and word not in self.part.marks:
            marks = self.part.marks
            help_ = did_you_mean(word, marks) or (
                "the map has " + ", ".join(sorted(marks)) if marks else "the map has no marks"
            )
            self.say("scenario.mark", path, help=help_, mark=word)
            return ""
        return word

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
            first = _word(info.get("first")) == "true"
            if first:
                firsts.append(id_)
            marks = {
                key: self.mark(info[key], ("sides", id_, key)) if key in info else ""
                for key in ("enters", "leaves")
            }
            quiet = _word(silent.get(id_)) or SILENT[0]
            if quiet not in SILENT:
                self.say(
                    "scenario.silent", ("silent", id_), help="write: " + " or ".join(SILENT), value=quiet
                )
            name = _word(info.get("name")) or str(id_).title()
            found.append(
                SideInfo(
                    str(id_), name, _word(info.get("colour")), first, marks["enters"], quiet, marks["leaves"]
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
                self.say("scenario.unknown-side", ("silent", id_), key=True, side=str(id_), help=_of(found))
        return found

    def is_side(self, name: object, sides: list[SideInfo], path: Path, key: bool = False) -> bool:
        """Tell whether a name is that of a side; another is a problem."""
        known = any(side.id == name for side in sides)
        if not known:
            self.say("scenario.unknown-side", path, help=_of(sides), key=key, side=_word(name))
        return known

    # --- people

    def forces(self, sides: list[SideInfo]) -> list[Force]:
        """Read who fights, and where everybody begins."""
        found: list[Force] = []
        seats = {
            str(seat): _word(side) for seat, side in self.mapping(self.data.get("seats"), ("seats",)).items()
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
        part = self.part
        ground, fixtures = (part.ground, part.fixtures) if part is not None else ({}, {})
        scene = gear.Scene(
            self.rules,
            self.modules,
            sides,
            forces,
            self.people,
            self.standing,
            ground,
            fixtures,
            self.mark,
            self.problems.append,
        )
        wagons, rest = gear.read(scene, list(self.entries(self.data.get("things"), ("things",))))
        supplies = gear.supplies(self.mapping(self.data.get("supplies"), ("supplies",)), scene, self.mapping)
        return wagons, rest, supplies

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
        id_ = _word(said.get("id"))
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
        on = "" if setup.not_in_force(self.modules, "riders") else _word(said.get("on"))
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
        elif enters and _word(said["enters"]) != "true":
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
        owner = _word(said.get("owner"))
        if owner and seats.get(owner, side if owner == side else "") != side:
            self.say("scenario.owner", (*path, "owner"), unit=id_, owner=owner, side=side)
        number = skill.read(self.rules, id_, self.people.get(person), _word(said.get("skill")))
        if isinstance(number, Problem):
            self.problems.append(number.at(*path, "skill"))
            number = 0
        neutral, held_by = _word(said.get("neutral")) == "true", _word(said.get("held-by"))
        if held_by:
            self.is_side(held_by, sides, (*path, "held-by"))
        wakes = self.number(said.get("wakes"), (*path, "wakes"), 0)
        return Force(id_, person, side, owner, at, within, enters, turn, on, number, neutral, held_by, wakes)

    def person(self, said: Mapping[str, Any], path: Path, id_: str) -> str:
        """Return the id of a person of the roster; nobody appears twice."""
        name = _word(said.get("person")).replace("-", "_")
        if name not in self.people:
            help_ = did_you_mean(name, self.people) or "the persons are those of the roster, such as " + next(
                iter(self.people)
            )
            self.say("scenario.person", (*path, "person"), help=help_, person=_word(said.get("person")))
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
        if _word(said.get("state")) not in ("", HEALTHY):
            self.say(
                "scenario.state",
                (*path, "state"),
                help="everybody begins healthy",
                unit=id_,
                state=_word(said["state"]),
            )

    def at(self, said: Mapping[str, Any], path: Path, id_: str, person: str) -> tuple[str, ...]:
        """Return where a unit stands, if it can stand there."""
        value = said["at"]
        words = [_word(word) for word in value] if isinstance(value, list | tuple) else _word(value).split()
        place = (*path, "at")
        who = self.people.get(person)
        if who is not None and who.kind == stable.HORSE:
            at = stable.two_hexes(words, _word(said.get("facing")))
            if not at:
                self.say("scenario.two-hexes", place, help="such as 0712 0713, or 0712 facing n", unit=id_)
            return tuple(hex_ for hex_ in at if self.stands(hex_, place, id_, horse=True))
        if len(words) != 1:
            self.say("scenario.one-hex", place, unit=id_)
            return ()
        return tuple(hex_ for hex_ in words if self.stands(hex_, place, id_))

    def stands(self, hex_: str, place: Path, id_: str, horse: bool = False) -> bool:
        """Tell whether a hex is one at all; note why a unit cannot stand in it."""
        if not _HEX.fullmatch(hex_):
            self.say("scenario.hex", place, help="a hex is four digits, column first: 0712", value=hex_)
            return False
        if self.part is None:
            return True
        ground = self.part.ground.get(hex_)
        if ground is None:
            help_ = f"the hexes run from 0101 to {self.part.columns:02}{self.part.rows:02}, column first"
            self.say("scenario.off-map", place, help=help_, unit=id_, hex=hex_)
        elif (ground.mp_horse if horse else ground.mp_foot) is None:
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
            str(seat): _word(side) for seat, side in self.mapping(self.data.get("seats"), ("seats",)).items()
        }
        for path, said in self.entries(self.data.get("setup"), ("setup",)):
            names = [_word(name) for name in self.listed(said.get("seats"), (*path, "seats"))] or [
                _word(said.get("seat"))
            ]
            who = [seats.get(name, name) for name in names]
            key = "seats" if "seats" in said else "seat"
            known = [side for side in who if self.is_side(side, sides, (*path, key))]
            if len(who) > 1 and _word(said.get("sealed")) != "true":
                self.say("scenario.unsealed", path, help="write  sealed: true, or a step for each of them")
            may = tuple(_word(kind) for kind in self.listed(said.get("may"), (*path, "may")))
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

    # --- the end

    def length(self) -> int:
        """Read how many game turns there are; 0: no limit."""
        said = self.text("length")
        match = _LENGTH.fullmatch(said)
        if said and match is None:
            self.say("scenario.length", ("length",), help="such as: length: 10 turns", value=said)
        return int(match[1]) if match else 0

    def days(self, length: int) -> int:
        """Read how many days the game lasts, each of as many turns as its length says; 0 for a game of one
        day.
        """
        days = self.number(self.data.get("days"), ("days",), 1)
        if days <= 1:
            return 0
        if setup.not_in_force(self.modules, "days"):
            self.say("scenario.not-in-force", ("days",), what="a game of several days", module="days")
        if not length:
            self.say(
                "scenario.day-length",
                ("days",),
                help="such as  length: 6 turns  for the turns of each day",
                days=days,
            )
        return days

    def scales(self) -> dict[str, dict[str, int]]:
        """Read the points for each class; ``other`` stands for every class of men that is not named, and
        animals count where they are.
        """
        classes = tuple(self.rules.tables["roster"]["class_defaults"])
        animals = tuple(self.rules.tables["roster"]["animals"])
        found = {}
        for name, said in self.mapping(self.data.get("scales"), ("scales",)).items():
            points = {}
            for class_, value in self.mapping(said, ("scales", name)).items():
                if class_ != "other" and class_ not in (*classes, *animals):
                    help_ = did_you_mean(str(class_), (*classes, *animals)) or "known are " + ", ".join(
                        (*classes, *animals)
                    )
                    self.say(
                        "scenario.class", ("scales", name, class_), help=help_, key=True, value=str(class_)
                    )
                points[str(class_)] = self.number(value, ("scales", name, class_), 0)
            rest = points.pop("other", 0)
            found[str(name)] = {class_: points.get(class_, rest) for class_ in classes} | {
                animal: points[animal] for animal in animals if animal in points
            }
        return found

    def scheme(
        self, sides: list[SideInfo], forces: list[Force], scales: Mapping[str, Mapping[str, int]]
    ) -> tuple[list[Term], list[Term]]:
        """Read what gives points at the end, and what ends the game at once."""
        victory = self.mapping(self.data.get("victory"), ("victory",))
        if not victory:
            self.say("scenario.no-victory", (), help="victory: with at-end, winner or at-once below it")
        found: dict[str, list[Term]] = {"at-end": [], "at-once": []}
        for key, terms in found.items():
            for path, said in self.entries(victory.get(key), ("victory", key)):
                term = self.term(said, path, sides, forces, scales)
                if term is not None:
                    terms.append(term)
        return found["at-end"], found["at-once"]

    def term(
        self,
        said: Mapping[str, Any],
        path: Path,
        sides: list[SideInfo],
        forces: list[Force],
        scales: Mapping[str, Mapping[str, int]],
    ) -> Term | None:
        """Read one line of the scheme."""
        side, when, scale = _word(said.get("side")), _word(said.get("when")), _word(said.get("scale"))
        if side != "any" and not self.is_side(side, sides, (*path, "side")):
            return None
        if scale and scale not in scales:
            help_ = did_you_mean(scale, scales) or "scales: with this name and the points of each class"
            self.say("scenario.scale", (*path, "scale"), help=help_, scale=scale)
        words = _word(said.get("why"))
        if _word(said.get("points")) == _LOSSES:
            if not scale:
                self.say("scenario.no-scale", path, help="add  scale: lp  and its points under scales:")
            return Term("losses", side, 1, scale=scale, said=words or _LOSSES)
        points = self.number(said.get("points"), (*path, "points"), 1)
        return self.when(when, path, side, points, scale, words or when, {force.id for force in forces})

    def when(
        self, when: str, path: Path, side: str, points: int, scale: str, said: str, units: set[str]
    ) -> Term | None:
        """Read the condition of a line: one of a closed list."""
        place = (*path, "when")
        things = {_word(thing.get("id")) for _, thing in self.entries(self.data.get("things"), ("things",))}
        if match := _HELD.fullmatch(when):
            return Term("held", side, points, mark=self.mark(match[1], place), said=said)
        if match := _IN.fullmatch(when):
            return Term("in", side, points, mark=self.mark(match[1], place), scale=scale, said=said)
        if match := _GATHERED.fullmatch(when):
            return Term(
                "gathered", side, points, mark=self.mark(match[2], place), least=int(match[1]), said=said
            )
        if match := _BURNT.fullmatch(when):
            return Term("burnt", side, points, mark=self.mark(match[1], place), said=said)
        if match := _BROUGHT.fullmatch(when):
            return Term(
                "brought",
                side,
                points,
                mark=self.mark(match[2], place),
                units=self.named(match[1], place, things),
                said=said,
            )
        if match := _FEWER.fullmatch(when):
            return Term("count", side, points, least=int(match[1]), said=said)
        if match := _TURN.fullmatch(when):
            return Term("turn", side, points, turn=int(match[1]), said=said)
        if match := siege_scenario.TERM.fullmatch(when):
            return siege_scenario.term(self, match, path, side, points, scale, said)
        if match := _LED.fullmatch(when):
            return Term("led-off", side, points, units=self.named(match[1], place, units), said=said)
        if match := _FREED.fullmatch(when):
            return Term("freed", side, points, units=self.named(match[1], place, units), said=said)
        if match := _LEFT.fullmatch(when):
            return Term(
                "left-the-map", side, points, units=self.named(match[1] or "", place, units), said=said
            )
        if match := _DEAD.fullmatch(when):
            return Term(match[2], side, points, units=self.named(match[1], place, units | things), said=said)
        self.say("scenario.when", place if when else path, help="such as: " + " · ".join(TERMS), when=when)
        return None

    def named(self, names: str, path: Path, units: set[str]) -> tuple[str, ...]:
        """Return the units that a line names."""
        found = tuple(name.strip() for name in names.split(",") if name.strip())
        for name in found:
            if name not in units:
                self.say("name.unknown", path, help=did_you_mean(name, units), name=name)
        return found

    def winner(self, sides: list[SideInfo]) -> tuple[dict[str, int], str]:
        """Read by how much a side must lead, and who wins a level score."""
        said = self.mapping(
            self.mapping(self.data.get("victory"), ("victory",)).get("winner"), ("victory", "winner")
        )
        path: Path = ("victory", "winner")
        if _word(said.get("most")) not in ("", "points"):
            self.say("scenario.most", (*path, "most"), help="most: points", value=_word(said["most"]))
        margins = {}
        for side, value in self.mapping(said.get("margin"), (*path, "margin")).items():
            if self.is_side(side, sides, (*path, "margin", side), key=True):
                margins[str(side)] = self.number(value, (*path, "margin", side), 1)
        level = _word(said.get("level")) or "draw"
        if level not in ("draw", "other") and all(side.id != level for side in sides):
            self.say("scenario.level", (*path, "level"), help="draw, other, or a side", value=level)
        return margins, level

    def unread(self) -> None:
        """Refuse what this ruleset would leave unread."""
        if self.text("roster"):
            self.say(
                "scenario.roster",
                ("roster",),
                help="leave it out; an own sheet is laid over the table roster",
            )
        if self.data.get("standing"):
            self.say(
                "scenario.standing",
                ("standing",),
                help="leave it out; each seat sends its own standing: in an order file",
            )


def _word(value: object) -> str:
    """Return a scalar as text; empty for nothing and for what is none."""
    return "" if value is None or isinstance(value, Mapping | list | tuple) else str(value)


def _of(sides: list[SideInfo]) -> str:
    return "the sides are " + ", ".join(side.id for side in sides)


__all__ = ["plain_digest", "read_field"]
