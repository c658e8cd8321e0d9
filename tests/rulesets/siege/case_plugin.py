"""Cases: rules as small battles in ``*.case.yaml``, each an item of its own named after its rule.

One list of cases a file. All scalars are text, as in every file of a game, so that 0712 stays 0712. A case
gives a battle (``given``), what is ordered, what the dice show, and what must come of it: ``check``,
``events``, ``never``, ``state``,
``question``, ``then``, ``values``, ``problems``. What is absent is not compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from msgspec.structs import replace

from pbem.core.dice import ScriptedDice
from pbem.core.play import Answer, Question, resolve_phase
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset, choose
from pbem.core.sequence import parse_cursor
from pbem.geometry.hex import hex_of, side_between
from pbem.rulesets.siege.ground import character, maps
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.scenario import scenario, scheme, setup
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import plain
from pbem.rulesets.siege.state.field import Field, Force, Person, SideInfo, Siege, Values
from pbem.rulesets.siege.state.state import Battle, Feature, Instructions, Job, Thing, Unit
from pbem.rulesets.siege.turn import sequence

KEYS = {
    "rule", "rules", "name", "given", "orders", "later", "through", "dice", "answers", "check", "events", "never", "state", "question",
    "then", "values", "problems", "why", "winner", "score",
}  # fmt: skip
GIVEN = {
    "map", "key", "map-sides", "marks", "things", "units", "options", "at", "standing", "first", "setup", "scenario", "enters", "leaves",
    "silent", "tables", "length", "score", "modules", "victory", "scales", "areas", "days", "features", "bridges", "supplies",
    "siege", "part",
}  # fmt: skip
UNIT = {
    "side", "owner", "class", "person", "at", "state", "since", "attack", "defence", "move", "missile", "armoured", "did", "fought",
    "checked", "kind", "on", "enters", "in", "turn", "left", "leader", "mood", "heals", "job",
    "captive_of", "disarmed", "hurled", "fire_arrows", "neutral", "skill", "wakes", "stood", "printed", "seen_within",
}  # fmt: skip
OPEN_FIELD = [" ".join(["."] * 12)] * 10
WORDS = {".": "flat", "s": "scrub", "t": "tree", "/": "slope", "~": "deep_water", "f": "ford", "h": "house"}
LANDS = Path(__file__).parent / "lands"
"""Maps that only cases are played on."""
SCENARIOS = Path(__file__).resolve().parents[3] / "scenarios" / "cry_havoc"
SIEGES = SCENARIOS.parent / "siege"
ANARCHIES = SCENARIOS.parent / "anarchy"


class CaseError(Exception):
    """What a case wants and what it got; shown without a traceback."""


class NoDie(CaseError, KeyError):
    """A die that the case says nothing of."""


class Line(dict):  # type: ignore[type-arg]
    """A mapping that knows the line it begins on."""

    line = 0


class _Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
    """Reads every scalar as text and refuses a key given twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        found = Line()
        found.line = node.start_mark.line + 1
        for key, value in node.value:
            name = self.construct_object(key, deep=True)
            if name in found:
                raise CaseError(f"line {key.start_mark.line + 1}: {name} is given twice")
            found[name] = self.construct_object(value, deep=True)
        for name, inner in found.pop(
            "<<", {}
        ).items():  # what another case gives, where this one gives nothing of its own
            found.setdefault(name, inner)
        return found


_Loader.add_constructor(
    "tag:yaml.org,2002:map", lambda loader, node: loader.construct_mapping(node, deep=True)
)


@cache
def cases(path: Path) -> list[Line]:
    """Return the cases of a file, each with its line; read once in a worker, for nobody changes them."""
    with path.open(encoding="utf-8") as file:
        found = yaml.load(file, Loader=_Loader)
    if not isinstance(found, list) or not all(isinstance(case, Line) for case in found):
        raise CaseError(f"{path.name}: a list of cases is wanted")
    return found


def rules_of_case(case: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the rules a case is of."""
    if "rule" in case:
        return tuple(case["rule"]) if isinstance(case["rule"], list) else (case["rule"],)
    return tuple(case["rules"])


def every_case(folder: Path = Path(__file__).parent) -> Iterator[tuple[Path, Line]]:
    """Yield every case below a folder, with its file."""
    for path in sorted(folder.glob("*.case.yaml")):
        for case in cases(path):
            yield path, case


def full_rules() -> Ruleset[Battle]:
    """Return Cry Havoc with everything it knows."""
    from pbem.rulesets.siege.ruleset import CRY_HAVOC

    return CRY_HAVOC


# --- pytest


class CaseFile(pytest.File):
    """A file of cases."""

    item: type[CaseItem]

    def collect(self) -> Iterator[CaseItem]:
        for case in cases(self.path):
            ids = " ".join(rules_of_case(case)) if case.keys() & {"rule", "rules"} else "?"
            yield self.item.from_parent(self, name=f"{ids}: {case.get('name', 'without a name')}", case=case)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Line, **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case

    def runtest(self) -> None:
        run(self.case)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseError):
            return f"{self.path.name}:{self.case.line}: {self.name}\n  {excinfo.value}"
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.line - 1, self.name


CaseFile.item = CaseItem


# --- running one case


def run(case: Line, rules: Ruleset[Battle] | None = None) -> None:
    """Play one case; raise CaseError where something else comes of it than it says."""
    if unknown := sorted(set(case) - KEYS):
        raise CaseError(f"{', '.join(unknown)}: no such key of a case; known are {', '.join(sorted(KEYS))}")
    given = case.get("given") or {}
    if unknown := sorted(set(given) - GIVEN):
        raise CaseError(f"given {', '.join(unknown)}: no such key; known are {', '.join(sorted(GIVEN))}")
    rules = chosen(rules or full_rules(), given)
    if "problems" in case:
        _compare("problems", case["problems"], _codes(field_problems(rules, given)))
        if case["problems"]:
            return
    battle = battle_of(rules, given)
    files = _files(rules, battle, case)
    if "check" in case:
        _check(rules, battle, files, case["check"])
    after, events, question = _play(rules, battle, files, case)
    if question and "question" not in case:
        raise CaseError(
            f"asked {question.seat} about {question.about} of {question.unit}, and the case has no answer "
            f"{question.id}"
        )
    _happened(case.get("events") or [], events)
    _never(case.get("never") or [], events)
    for unit, wanted in (case.get("state") or {}).items():
        _compare(f"state of {unit}", wanted, _unit_plain(after, unit))
    for unit, wanted in (case.get("values") or {}).items():
        _compare(f"values of {unit}", wanted, _values(rules, after, unit))
    if "question" in case:
        asked = (
            {} if question is None else {name: getattr(question, name) for name in question.__struct_fields__}
        )
        asked["choices"] = [choice.value for choice in asked.get("choices", ())]
        _compare("question", case["question"], asked)
    if "then" in case:
        _compare("then", case["then"], str(rules.interface.cursor(after)))
    if "winner" in case:
        _compare("winner", case["winner"], after.winner)
    if "score" in case:
        _compare("score", case["score"], after.score)


def mixed(rules: Ruleset[Battle]) -> list[str]:
    """Return every module there is, but for those that are not played together with others before them."""
    kept: list[str] = []
    for name in rules.known_modules:
        if rules.mixing is None or not rules.mixing(rules, [*kept, name]):
            kept.append(name)
    return sorted(kept)


def chosen(rules: Ruleset[Battle], given: Mapping[str, Any]) -> Ruleset[Battle]:
    """Return the rules with the options of a case, and of its scenario, and every module that mixes."""
    said = given.get("scenario", {})
    own = (_file(scenario_path(said)) if isinstance(said, str) else said).get("options") or {}
    asked = (given.get("modules"), {**own, **(given.get("options") or {})}, given.get("tables"))
    if not any(rules is shipped for shipped in _shipped()):
        return _chosen(rules, *asked)
    return KEPT.rules(rules, asked)


@cache
def _shipped() -> tuple[Ruleset[Battle], ...]:
    from pbem.rulesets.anarchy.ruleset import ANARCHY
    from pbem.rulesets.siege.ruleset import CRY_HAVOC, SIEGE

    return CRY_HAVOC, SIEGE, ANARCHY


def _chosen(rules: Ruleset[Battle], modules: Any, options: Mapping[str, str], tables: Any) -> Ruleset[Battle]:
    found, problems = choose(rules, mixed(rules) if modules is None else modules, options)
    if found is None:
        raise CaseError("options: " + _told(problems))
    if tables is not None:
        from pbem.rulesets.tables import with_tables

        laid, problems = with_tables(found, tables)
        if laid is None:
            raise CaseError("tables: " + _told(problems))
        found = laid
    return found


class Kept:
    """What cases ask for again and again: the rules that come with pbem, with the same options, and the same
    maps by them. Of rules from which something was taken away nothing is kept.
    """

    most: Final = 512

    def __init__(self) -> None:
        self._rules: dict[tuple[int, str], Ruleset[Battle]] = {}
        self._known: set[int] = set()
        self._maps: dict[tuple[int, str], maps.MapPart] = {}

    def rules(self, rules: Ruleset[Battle], asked: tuple[Any, ...]) -> Ruleset[Battle]:
        """Return rules that come with pbem with some modules, options and tables."""
        key = id(rules), json.dumps(asked, default=repr)
        if key not in self._rules:
            self._rules[key] = _chosen(rules, *asked)
            self._known.add(id(self._rules[key]))
        return self._rules[key]

    def map(self, rules: Ruleset[Battle], data: Mapping[str, Any]) -> maps.MapPart:
        """Return a map as some rules read it."""
        if id(rules) not in self._known:
            return _read_map(rules, data)
        key = id(rules), json.dumps(data, default=repr)
        if key not in self._maps:
            if len(self._maps) == self.most:
                del self._maps[next(iter(self._maps))]
            self._maps[key] = _read_map(rules, data)
        return self._maps[key]


KEPT: Final = Kept()


def map_data(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the map of a case as a map file would say it."""
    map_ = given.get("map", OPEN_FIELD)
    if isinstance(map_, Mapping):
        return _file(
            _first(f"{map_['file']}.yaml", LANDS, SCENARIOS / "maps", SIEGES / "maps", ANARCHIES / "maps")
        )
    rows = [row.split() for row in map_]
    data: dict[str, Any] = {
        "map": "case",
        "size": f"{len(rows[0])} x {len(rows)}",
        "key": {
            word: ground
            for word, ground in {**WORDS, **(given.get("key") or {})}.items()
            if any(word in row for row in rows)
        },
        "terrain": "\n".join(map_),
        "marks": given.get("marks") or {},
        "sides": given.get("map-sides") or {},
        "things": given.get("bridges") or [],
        "areas": given.get("areas") or [],
    }
    return data


def scenario_path(name: str) -> Path:
    """Return the file of a scenario that comes with pbem."""
    return _first(f"{name}.yaml", SCENARIOS, SIEGES, ANARCHIES)


def _first(name: str, *folders: Path) -> Path:
    """Return a file in the first of some folders that has it; in the last, if none does."""
    return next((folder / name for folder in folders if (folder / name).exists()), folders[-1] / name)


def _file(path: Path) -> dict[str, Any]:
    return dict(_read_file(path))


@cache
def _read_file(path: Path) -> Mapping[str, Any]:
    with path.open(encoding="utf-8") as file:
        found: Mapping[str, Any] = yaml.load(file, Loader=_Loader)
    return found


def field_problems(rules: Ruleset[Battle], given: Mapping[str, Any]) -> list[Problem]:
    """Return what is wrong with the scenario and the map of a case."""
    if "scenario" not in given:
        part, problems = maps.read_map(rules, map_data(given))
        return (
            problems
            + [problem for module, problem in part.needs if setup.not_in_force(rules.modules, module)]
            if part
            else problems
        )
    said = given["scenario"]
    data = _file(scenario_path(said)) if isinstance(said, str) else said
    _, of_scenario, of_map = rules.interface.read_field(rules, data, map_data(given))
    return [*of_scenario, *of_map]


def battle_of(rules: Ruleset[Battle], given: Mapping[str, Any]) -> Battle:
    """Return the battle a case begins with."""
    if "scenario" in given:
        return _battle_of_scenario(rules, given)
    part = _part(rules, given)
    units = _in_the_saddle(
        {id_: _unit(id_, said) for id_, said in sorted((given.get("units") or {}).items())}
    )
    hidden = _hidden(given.get("units") or {})
    units |= {id_: replace(units[id_], at=(), hides=units[id_].at) for id_ in hidden}
    people = {id_: _person(rules, id_, said) for id_, said in (given.get("units") or {}).items()}
    named = list(dict.fromkeys(said["side"] for said in (given.get("units") or {}).values()))
    at = replace(parse_cursor(given.get("at", "t1.east.melee")), part=given.get("part", ""))
    sides = list(dict.fromkeys([*sorted({"east", "west"} | set(named))]))
    first = given.get("first", sides[0])
    silent, enters, leaves = (given.get(key) or {} for key in ("silent", "enters", "leaves"))
    file = scenario._Reader(rules, given, part)
    infos = tuple(
        SideInfo(
            side,
            side.title(),
            "",
            side == first,
            enters.get(side, ""),
            silent.get(side, "hold"),
            leaves.get(side, ""),
        )
        for side in sides
    )
    forces = tuple(_force(id_, said) for id_, said in sorted((given.get("units") or {}).items()))
    scales = scheme.scales(file)
    at_end, at_once = (
        scheme.scheme(file, list(infos), list(forces), scales) if "victory" in given else ([], [])
    )
    margins, level = scheme.winner(file, list(infos))
    steps = file.setup(list(infos), list(forces))
    if file.problems:
        raise CaseError("victory: " + _told(file.problems))
    field = Field(
        map_id=part.id,
        map_title=part.title,
        map_digest="sha256:" + "0" * 64,
        scenario_id="case",
        scenario_title="A case",
        scenario_digest="sha256:" + "0" * 64,
        columns=part.columns,
        rows=part.rows,
        ground=part.ground,
        sides_of_hexes=part.sides_of_hexes,
        side_features=part.side_features,
        marks=part.marks,
        grounds=part.grounds,
        fixtures=part.fixtures,
        supplies={
            side: {what: int(n) for what, n in of.items()}
            for side, of in (given.get("supplies") or {}).items()
        },
        areas=part.areas,
        area_kinds=part.area_kinds,
        people=people,
        sides=sequence.playing_order(infos),
        forces=forces,
        setup=tuple(steps),
        length=int(given.get("length", "0").split()[0]),
        days=int(given.get("days", "0")),
        siege=_siege(given),
        at_end=tuple(at_end),
        at_once=tuple(at_once),
        margins=margins,
        scales=scales,
        level_winner=level,
        floors=family.floors(rules),
        hidden=hidden,
    )
    built_in = {fixture.id: fixture.thing for fixture in part.fixtures.values()}
    things = {**built_in, **{entry["id"]: _thing(entry) for entry in given.get("things") or []}}
    features = {(feature.at, feature.is_): feature for feature in map(_feature, given.get("features") or [])}
    score = {side: int(n) for side, n in (given.get("score") or {}).items()}
    return Battle(
        field,
        at,
        units,
        dict(sorted(things.items())),
        dict(sorted(features.items())),
        standing=_standing(given),
        score=score,
    )


def _part(rules: Ruleset[Battle], given: Mapping[str, Any]) -> maps.MapPart:
    """Return the map of a case; a small one may be cut in two, have a door without a wall or a castle without
    an outside, on purpose.
    """
    return KEPT.map(rules, map_data(given))


def _read_map(rules: Ruleset[Battle], data: Mapping[str, Any]) -> maps.MapPart:
    part, problems = maps.read_map(rules, data)
    if part is not None:
        return part
    if wrong := [
        problem
        for problem in problems
        if problem.code not in ("map.cut-off", "map.door-alone", "map.no-outside")
    ]:
        raise CaseError("map: " + _told(wrong))
    return maps._Reader(rules, data).part()


def _told(problems: Sequence[Problem]) -> str:
    return "; ".join(f"{problem.code} {dict(problem.args)}" for problem in problems)


def _battle_of_scenario(rules: Ruleset[Battle], given: Mapping[str, Any]) -> Battle:
    said = given["scenario"]
    data = _file(scenario_path(said)) if isinstance(said, str) else said
    map_ = map_data(given if "map" in given else {"map": {"file": data["map"]}})
    field, of_scenario, of_map = rules.interface.read_field(rules, data, map_)
    if field is None:
        raise CaseError("scenario: " + _told([*of_scenario, *of_map]))
    battle = rules.interface.setup(rules, field, {side.id: side.id for side in field.sides})
    changed = {
        id_: replace(battle.units[id_], **_fields(said)) for id_, said in (given.get("units") or {}).items()
    }
    battle = battle.with_units(*changed.values())
    features = {(feature.at, feature.is_): feature for feature in map(_feature, given.get("features") or [])}
    said = {
        entry["id"]: replace(battle.things[entry["id"]], **_thing_changes(entry))
        for entry in given.get("things") or []
    }
    battle = battle.changed(
        things={**battle.things, **said}, features=dict(sorted({**battle.features, **features}.items()))
    )
    return (
        battle.changed(at=replace(parse_cursor(given["at"]), part=given.get("part", "")))
        if "at" in given
        else battle
    )


def _fields(said: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in said.items():
        if key == "at":
            found[key] = tuple(value.split()) if isinstance(value, str) else tuple(value)
        elif key == "did":
            found[key] = tuple(value)
        elif key == "stood":
            found[key] = tuple(value.split())
        elif key in ("left", "disarmed", "hurled"):
            found[key] = value == "true"
        elif key in ("skill", "heals", "fire_arrows"):
            found[key] = int(value)
        elif key == "job":
            do, _, what = value.partition(" ")
            found[key] = Job(do, what, "t1.east.movement")
        elif key in Unit.__struct_fields__:
            found[key] = value
    return found


def _unit(id_: str, said: Mapping[str, Any]) -> Unit:
    if unknown := sorted(set(said) - UNIT):
        raise CaseError(f"unit {id_}: {', '.join(unknown)} is no key; known are {', '.join(sorted(UNIT))}")
    kind = character.ANIMALS.get(said.get("class", ""), "man")
    plain_: dict[str, Any] = {
        "kind": kind,
        "state": "healthy",
        "owner": said["side"],
        **_fields(said),
        "id": id_,
        "person": id_,
    }
    if plain_["state"] != "healthy" and "since" not in plain_:
        plain_["since"] = "t1.east.first_missile"
    return Unit(**plain_)


def _in_the_saddle(units: Mapping[str, Unit]) -> dict[str, Unit]:
    """Return the units of a case, every rider where his horse is."""
    return {id_: replace(unit, at=units[unit.on].at) if unit.on else unit for id_, unit in units.items()}


def _hidden(units: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Return who of a case lies hidden where it says that he is, horses with their riders, with within how
    many hexes he is seen.
    """
    found = {id_: int(said["seen_within"]) for id_, said in units.items() if "seen_within" in said}
    return found | {units[id_]["on"]: hexes for id_, hexes in found.items() if "on" in units[id_]}


def _siege(given: Mapping[str, Any]) -> Siege | None:
    """Return the siege of a case: ``siege: {besieger: east, assaults: 3}``."""
    said = given.get("siege")
    counts = (int((said or {}).get(key, 0)) for key in ("assaults", "fight"))
    return Siege(said["besieger"], *counts) if said else None


def _thing(said: Mapping[str, Any]) -> Thing:
    """Return a thing of a case: words for places and names, numbers where a thing counts."""
    named = {key: said[key] for key in ("at", "by", "crew", "hitched", "burnt") if key in said}
    lists = {key: tuple(of.split() if isinstance(of, str) else of) for key, of in named.items()}
    counts = {key: int(said[key]) for key in ("loaded", "lost", "repair_until") if key in said}
    rest = {
        key: value for key, value in said.items() if key not in lists and key not in counts and key != "away"
    }
    if said["kind"] == "wagon" and "facing" not in said:
        rest["facing"] = side_between(lists["at"][1], lists["at"][0]) or ""
    return Thing(**{**rest, **lists, **counts, "away": said.get("away") == "true"})


def _thing_changes(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a case says of a thing that its scenario has."""
    made = _thing({"kind": "", **said})
    return {name: getattr(made, name) for name in said if name != "id"}


def _feature(said: Mapping[str, Any]) -> Feature:
    """Return what became of a hex in a case."""
    counts = {key: int(said[key]) for key in ("damage", "turns", "last") if key in said}
    words = {key: said[key] for key in ("lit_by", "check") if key in said}
    return Feature(said["at"], said["is"], **counts, **words, bombarded=said.get("bombarded") == "true")


def _force(id_: str, said: Mapping[str, Any]) -> Force:
    at = tuple(said.get("at", "").split()) if "setup" not in said else ()
    enters = said.get("enters", "")
    within = said.get("in", "") or (enters if enters not in ("", "true") else "")
    neutral = said.get("neutral") == "true"
    turn = int(said.get("turn", 1))
    return Force(
        id_,
        id_,
        said["side"],
        said.get("owner", ""),
        at,
        within,
        bool(enters),
        turn,
        said.get("on", ""),
        neutral=neutral,
        wakes=int(said.get("wakes", 0)),
    )


def _person(rules: Ruleset[Battle], id_: str, said: Mapping[str, Any]) -> Person:
    if "person" in said:
        who = character.roster(rules.tables)[said["person"].replace("-", "_")]
    else:
        try:
            who = character.of_class(rules.tables, said["class"], id_)
        except KeyError as missing:
            raise CaseError(f"unit {id_}: the roster has no class {missing}") from None
    state_ = ("mounted_" if "on" in said else "") + said.get("state", "healthy")
    for side, changes in {
        state_: _printed(said),
        **{name: _printed(of) for name, of in said.get("printed", {}).items()},
    }.items():
        if changes and side not in who.states:
            raise CaseError(
                f"unit {id_}: nothing is printed of who is {side}, but of {', '.join(who.states)}"
            )
        if changes:
            values: Values = replace(who.states[side], **changes)
            who = replace(who, states={**who.states, side: values})
    if "missile" in said:
        who = replace(who, missile="" if said["missile"] == "none" else said["missile"])
    for flag in ("armoured", "leader"):
        if flag in said:
            who = replace(who, **{flag: said[flag] == "true"})
    return replace(who, id=id_, kind=said.get("kind", who.kind))


def _printed(said: Mapping[str, Any]) -> dict[str, int]:
    return {key: int(said[key]) for key in ("attack", "defence", "move") if key in said}


def _standing(given: Mapping[str, Any]) -> dict[str, Instructions]:
    found = {}
    for seat, said in (given.get("standing") or {}).items():
        everyone = said.get("everyone", {})
        figures = tuple(
            {"unit": unit, **orders} for unit, orders in said.items() if unit not in ("everyone",)
        )
        found[seat] = Instructions(seat, "sha512:" + "0" * 128, everyone, figures)
    return found


# --- orders and phases


def _files(rules: Ruleset[Battle], battle: Battle, case: Mapping[str, Any]) -> dict[str, Any]:
    files = {}
    last = case.get("through", battle.at.phase)
    for seat, text in (case.get("orders") or {}).items():
        orders, problems = _read(rules, _known(rules, battle, seat), seat, text)
        if problems or orders is None:
            if "check" in case and case["check"] == _codes(problems):
                return {}
            raise CaseError(
                f"orders of {seat} cannot be read: " + "; ".join(f"{p.code} {dict(p.args)}" for p in problems)
            )
        if last == battle.at.phase and not orders.only:
            orders = replace(orders, only=last)
        files[seat] = orders
    return files


def _known(rules: Ruleset[Battle], battle: Battle, seat: str) -> Battle:
    """Return a battle as a seat knows it, where somebody hides."""
    return rules.interface.view(rules, battle, battle.side_of_seat[seat]) if battle.field.hidden else battle


def _read(rules: Ruleset[Battle], battle: Battle, seat: str, text: Any) -> Any:
    """Return the order file of a case, and what is wrong with its words."""
    return rules.interface.read_orders(
        rules, battle, seat, yaml.load(text, Loader=_Loader) if isinstance(text, str) else text
    )


def _later(rules: Ruleset[Battle], battle: Battle, case: Mapping[str, Any]) -> dict[str, Any]:
    """Return the orders that a case gives for the phase that is open, each read as for that alone."""
    found = {}
    for seat, text in ((case.get("later") or {}).get(str(battle.at)) or {}).items():
        orders, problems = _read(rules, battle, seat, text)
        if problems or orders is None:
            raise CaseError(
                f"orders of {seat} in {battle.at} cannot be read: "
                + "; ".join(f"{p.code} {dict(p.args)}" for p in problems)
            )
        found[seat] = replace(orders, only=battle.at.phase)
    return found


def _codes(problems: Sequence[Problem]) -> list[str]:
    return [f"{problem.code} {problem.rule}".strip() for problem in problems]


def _check(rules: Ruleset[Battle], battle: Battle, files: Mapping[str, Any], wanted: Sequence[str]) -> None:
    found = [
        said
        for seat in sorted(files)
        for said in _codes(
            rules.interface.check(rules, _known(rules, battle, seat), files[seat], ()).problems
        )
    ]
    if not files:
        return
    short = [said if " " in want else said.split()[0] for said, want in zip(found, wanted, strict=False)]
    _compare("check", sorted(wanted), sorted([*short, *found[len(short) :]]))


def _play(
    rules: Ruleset[Battle], battle: Battle, files: Mapping[str, Any], case: Mapping[str, Any]
) -> tuple[Battle, list[Any], Question | None]:
    """Play the phases of the case, and what follows the last of them."""
    dice = CaseDice(_dice(case.get("dice") or {}))
    answers = {id_: Answer(value, "answer") for id_, value in (case.get("answers") or {}).items()}
    events: list[Any] = []
    for seat, orders in sorted(files.items()):
        for event in rules.interface.instruct(rules, battle, seat, orders, "sha512:" + "0" * 128):
            battle = rules.interface.apply(battle, event)
            events.append(event)
    last = case.get("through", battle.at.phase)
    still = {*(case.get("later") or {})}
    while True:
        at = rules.interface.cursor(battle)
        files = {**files, **_later(rules, battle, case)}
        still.discard(str(at))
        covering = {seat: (orders,) for seat, orders in files.items() if orders.covers(at)}
        done = rules.steps[at.phase]
        result = resolve_phase(
            lambda play, done=done, covering=covering: done(rules, play, covering),
            battle,
            str(at),
            rules.interface.apply,
            dice,
            answers,
        )
        events += result.events
        if result.question is not None:
            return battle, events, result.question
        battle = result.state
        for event in rules.interface.advance(rules, battle):
            battle = rules.interface.apply(battle, event)
            events.append(event)
        if last in (at.phase, str(at)) or rules.interface.over(battle):
            if still:
                raise CaseError(
                    f"later: the case ends with {at}, and has orders for {', '.join(sorted(still))}"
                )
            return battle, events, None


class CaseDice:
    """The dice of a case: one that it does not name is a fault of the case."""

    def __init__(self, script: Mapping[str, tuple[int, ...]]) -> None:
        self.script = ScriptedDice(script)

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return the faces for a label."""
        short = label.partition("/")[2]
        if not {label, short} & set(self.script.script):
            raise NoDie(f"dice: {short} is rolled, and the case does not say what it shows")
        return self.script.values(label, sides, count)


def _dice(said: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {
        label: tuple(int(face) for face in (value if isinstance(value, list) else [value]))
        for label, value in said.items()
    }


# --- comparing


def _text(value: Any) -> Any:
    """Return a value as a case would write it: every scalar as text."""
    if isinstance(value, Mapping):
        return {str(key): _text(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_text(inner) for inner in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _fits(wanted: Any, found: Any) -> bool:
    """Tell whether what was found has everything that is wanted; a wanted text also fits a list of one."""
    if isinstance(wanted, Mapping):
        return isinstance(found, Mapping) and all(
            key in found and _fits(value, found[key])
            if value not in ("", [])
            else found.get(key, "") in ("", [])
            for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(found) == len(wanted)
            and all(_fits(a, b) for a, b in zip(wanted, found, strict=True))
        )
    return bool(
        wanted == found
        or [wanted] == found
        or (isinstance(found, list) and wanted == " ".join(map(str, found)))
    )


def _compare(what: str, wanted: Any, found: Any) -> None:
    wanted, found = _text(wanted), _text(found)
    if wanted == [] and found != []:
        raise CaseError(f"{what}: want nothing, got {found}")
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        wrong = {
            key: found.get(key, "nothing") for key, value in wanted.items() if not _fits({key: value}, found)
        }
        if wrong:
            raise CaseError(f"{what}: want {dict(wanted)}, got {wrong}")
    elif not _fits(wanted, found):
        raise CaseError(f"{what}: want {wanted}, got {found}")


def _happened(wanted: Sequence[Mapping[str, Any]], events: Sequence[Any]) -> None:
    found = [_text(plain(event)) for event in events]
    at = 0
    for want in wanted:
        place = next((index for index in range(at, len(found)) if _fits(_text(want), found[index])), None)
        if place is None:
            same = [event for event in found if event["type"] == want.get("type")]
            told = same or [event["type"] for event in found]
            raise CaseError(
                f"events: want {dict(want)}{' after number ' + str(at - 1) if at else ''}, got {told}"
            )
        at = place + 1


def _never(unwanted: Sequence[Mapping[str, Any]], events: Sequence[Any]) -> None:
    for want in unwanted:
        for event in (_text(plain(event)) for event in events):
            if _fits(_text(want), event):
                raise CaseError(f"never: want no {dict(want)}, got {event}")


def _unit_plain(battle: Battle, id_: str) -> dict[str, Any]:
    if id_ in battle.things:
        thing = battle.things[id_]
        return {name: getattr(thing, name) for name in thing.__struct_fields__}
    if id_ not in battle.units:
        raise CaseError(f"state: there is no {id_}")
    unit = battle.units[id_]
    found = {name: getattr(unit, name) for name in unit.__struct_fields__}
    found["hex"] = [hex_of(place) for place in unit.at]
    return found


def _values(rules: Ruleset[Battle], battle: Battle, id_: str) -> dict[str, Any]:
    unit = battle.units[id_]
    shown = character.values(rules, battle, unit)
    return {
        "attack": shown.attack,
        "defence": shown.defence,
        "move": shown.move,
        "allowance": step.printed_allowance(rules, battle, unit),
        "points": step.points(rules, battle, unit),
    }


__all__ = [
    "CaseError",
    "CaseFile",
    "CaseItem",
    "Line",
    "battle_of",
    "cases",
    "chosen",
    "every_case",
    "rules_of_case",
    "run",
]
