"""Cases as data: what is given, what is ordered, what the dice show, and what has to come of it.

One list of cases a file, ``*.case.yaml``; every scalar is text, as in a player's own file. A case names the rule (or rules) it proves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from pbem.core.dice import ScriptedDice
from pbem.core.play import Answer
from pbem.core.problem import Problem
from pbem.core.ruleset import Ruleset, choose, play_slot
from pbem.core.sequence import parse_cursor
from pbem.rulesets.siege.events import plain
from pbem.rulesets.siege.field import Field, Person, Values
from pbem.rulesets.siege.orders import OrderFile
from pbem.rulesets.siege.state import Battle, Instructions
from pbem.text.source import read

WORDS = {".": "flat", "s": "scrub", "t": "tree", "h": "house", "/": "slope", "w": "deep_water", "f": "ford", "r": "road"}
COLUMNS, ROWS = 12, 10
SIDES = ("east", "west")


class WrongCase(AssertionError):
    """A case that did not come out as it says."""


class _Loader(yaml.BaseLoader):
    """Keeps scalars as text and remembers the line of every case."""


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[str, Any]:
    found = loader.construct_mapping(node, deep=True)
    return {str(key): value for key, value in found.items()} | {"__line__": node.start_mark.line + 1}


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def cases(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file, each with the line where it begins."""
    found: list[dict[str, Any]] = []
    for raw in yaml.load(path.read_text("utf-8"), _Loader) or []:
        case = _clean(raw)
        case["line"], case["file"] = raw["__line__"], path.name
        case["ids"] = case["rules"] if "rules" in case else [case["rule"]]
        found.append(case)
    return found


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _clean(inner) for key, inner in value.items() if key != "__line__"}
    return [_clean(inner) for inner in value] if isinstance(value, list) else value


def rules_of_case(given: Mapping[str, Any], base: Ruleset[Battle]) -> Ruleset[Battle]:
    """Return the ruleset with the options of a case in force."""
    rules, problems = choose(base, given.get("modules", ["open-ground", "houses"]), given.get("options", {}))
    if rules is None:
        raise WrongCase(f"the options of the case: {problems}")
    return rules


def battle_of_case(given: Mapping[str, Any], rules: Ruleset[Battle]) -> Battle:
    """Return the battle a case begins with."""
    field = _field(given, rules)
    people, units = dict(field.people), {}
    battle = rules.doors.setup(rules, field, {seat: side for seat, side in _seats(given).items()})
    for id_, said in given["units"].items():
        person, unit = people[battle.units[id_].person], battle.units[id_]
        state = said.get("state", "healthy")
        at = said.get("at", ())
        unit = replace(
            unit,
            state=state,
            at=tuple(at.split()) if isinstance(at, str) else tuple(at),
            since=said.get("since", ""),
            owner=said.get("owner", unit.owner),
            did=tuple(said.get("did", ())),
            fought=said.get("fought", ""),
            checked=said.get("checked", ""),
            left=said.get("left", "false") == "true",
            skill=int(said.get("skill", "0")),
        )
        people[person.id] = _changed(person, said, state)
        units[id_] = unit
    sides = field.sides
    if "first" in given:
        sides = tuple(replace(side, first=side.id == given["first"]) for side in sides)
    silent = given.get("silent", {})
    sides = tuple(replace(side, silent=silent.get(side.id, side.silent)) for side in sides)
    field = replace(field, people=people, sides=sides)
    standing = {
        seat: Instructions(seat, "", block.get("everyone", {}), tuple(block.get("figures", ())))
        for seat, block in given.get("standing", {}).items()
    }
    return battle.changed(
        field=field, units=dict(sorted(units.items())), at=parse_cursor(given.get("at", "t1.east.movement")), standing=standing
    )


def _changed(person: Person, said: Mapping[str, Any], state: str) -> Person:
    now = person.states[state] if state in person.states else person.states["healthy"]
    now = Values(*(int(said.get(key, getattr(now, key))) for key in ("attack", "defence", "move")))
    person = replace(person, states={**person.states, state: now})
    if "missile" in said:
        person = replace(person, missile=said["missile"])
    if "armoured" in said:
        person = replace(person, armoured_later=said["armoured"] == "true", armoured=said["armoured"] == "true")
    if "missile-class" in said:
        person = replace(person, missile_class=said["missile-class"])
    return person


def _seats(given: Mapping[str, Any]) -> dict[str, str]:
    seats = {side: side for side in SIDES}
    for said in given["units"].values():
        if "owner" in said:
            seats[said["owner"]] = said["side"]
    return seats


def _field(given: Mapping[str, Any], rules: Ruleset[Battle]) -> Field:
    rows = [row.split() for row in given.get("map", [" ".join("." * COLUMNS)] * ROWS)]
    words = {**WORDS, **given.get("key", {})}
    used = sorted({word for row in rows for word in row})
    marks = {"anywhere": "0101", **given.get("marks", {})}
    map_data: dict[str, Any] = {
        "map": "case",
        "title": "A case",
        "size": f"{len(rows[0])} x {len(rows)}",
        "key": {word: words[word] for word in used},
        "terrain": _terrain(rows),
        "marks": marks,
    }
    if "map-sides" in given:
        map_data["sides"] = given["map-sides"]
    persons = _Persons(rules)
    scenario: dict[str, Any] = {
        "scenario": "case",
        "title": "A case",
        "ruleset": rules.id,
        "modules": list(rules.modules),
        "map": "case",
        "length": given.get("length", "10 turns"),
        "sides": {
            "east": {"name": "East", "first": "true", "enters": given.get("enters", "anywhere")},
            "west": {"name": "West", "enters": given.get("enters", "anywhere")},
        },
        "units": {
            side: [
                {"id": id_, "person": persons.next(said.get("person", said.get("class", "spearman"))), "enters": "true"}
                for id_, said in given["units"].items()
                if said["side"] == side
            ]
            for side in SIDES
        },
        "victory": given.get("victory", {"at-end": [], "winner": {"most": "points"}, "at-once": []}),
    }
    if "scales" in given:
        scenario["scales"] = given["scales"]
    field, wrong, wrong_map = rules.doors.read_field(rules, scenario, map_data)
    if field is None:
        raise WrongCase(f"the map or the forces of the case: {wrong} {wrong_map}")
    return field


def _terrain(rows: list[list[str]]) -> str:
    head = "col " + " ".join(f"{column:02d}" for column in range(1, len(rows[0]) + 1))
    return "\n".join([head, *(f"{number:02d} " + " ".join(row) for number, row in enumerate(rows, 1))]) + "\n"


class _Persons:
    """Gives out people of the roster by class, nobody twice."""

    def __init__(self, rules: Ruleset[Battle]) -> None:
        roster = rules.tables["roster"]["characters"]
        entries = roster.items() if isinstance(roster, Mapping) else [(entry["id"], entry) for entry in roster]
        self._by_class: dict[str, list[str]] = {}
        for id_, entry in entries:
            self._by_class.setdefault(entry["class"], []).append(str(id_).replace("_", "-"))

    def next(self, wanted: str) -> str:
        for class_ in (wanted, "peasant", "spearman"):
            if self._by_class.get(class_):
                return self._by_class[class_].pop(0)
        return wanted


def files_of_case(case: Mapping[str, Any], rules: Ruleset[Battle], battle: Battle) -> tuple[dict[str, OrderFile], list[Problem]]:
    """Return the order files of a case by seat, and the problems of reading and judging them."""
    files: dict[str, OrderFile] = {}
    found: list[Problem] = []
    for seat, text in case.get("orders", {}).items():
        text = text if isinstance(text, str) else yaml.safe_dump(text)
        if "turn:" not in text and "through" not in case:
            text = f"turn: {battle.at}\n{text}"
        source = read(text.encode(), f"{seat}.yaml")
        if source.problems:
            raise WrongCase(f"the orders of the case: {source.problems}")
        orders, problems = rules.doors.read_orders(rules, battle, seat, source.data)
        if orders is not None:
            problems = [*problems, *rules.doors.check(rules, battle, orders, ())]
            files[seat] = orders
        found.extend(problems)
    return files, found


def run(case: Mapping[str, Any], base: Ruleset[Battle]) -> None:
    """Play a case and raise WrongCase for the first thing that is not as it says."""
    rules = rules_of_case(case["given"], base)
    battle = battle_of_case(case["given"], rules)
    files, problems = files_of_case(case, rules, battle)
    if "check" in case:
        got = sorted(f"{problem.code} {problem.rule}".strip() for problem in problems)
        _same(case, "check", sorted(case["check"]), got)
    if not {"events", "never", "state", "question", "then", "winner", "score"} & set(case):
        return
    dice = ScriptedDice({label: _faces(value) for label, value in case.get("dice", {}).items()})
    answers = {id_: Answer(value, "answer") for id_, value in case.get("answers", {}).items()}
    result = play_slot(rules, battle, {seat: (file,) for seat, file in files.items()}, {}, dice, (), answers)
    events = [_texts(plain(event)) for event in result.events]
    if "question" in case:
        asked = result.question
        got_question = {} if asked is None else {key: getattr(asked, key) for key in ("about", "unit", "seat", "default", "kind", "rule")}
        if not _within(case["question"], got_question):
            raise WrongCase(f"{_where(case)}: the question: want {case['question']} got {got_question or 'none'}")
    rest = iter(events)
    for wanted in case.get("events", []):
        if not any(_within(wanted, event) for event in rest):
            raise WrongCase(f"{_where(case)}: want the event {wanted}\n  got " + "\n      ".join(str(event) for event in events))
    for unwanted in case.get("never", []):
        if found := [event for event in events if _within(unwanted, event)]:
            raise WrongCase(f"{_where(case)}: never {unwanted}, got {found[0]}")
    for id_, wanted in case.get("state", {}).items():
        unit = result.state.units[id_]
        got_unit = {key: " ".join(unit.at) if key == "at" else str(getattr(unit, key)) for key in wanted}
        _same(case, id_, wanted, got_unit)
    if "then" in case:
        _same(case, "then", case["then"], str(result.state.at))
    if "winner" in case:
        _same(case, "winner", case["winner"], result.state.winner)
    if "score" in case:
        _same(case, "score", case["score"], {side: str(points) for side, points in result.state.score.items()})


def _faces(value: Any) -> tuple[int, ...]:
    return tuple(int(face) for face in (value if isinstance(value, list) else [value]))


def _same(case: Mapping[str, Any], what: str, want: object, got: object) -> None:
    if want != got:
        raise WrongCase(f"{_where(case)}: {what}: want {want} got {got}")


def _where(case: Mapping[str, Any]) -> str:
    return f"{case['file']}:{case['line']}"


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _texts(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_texts(inner) for inner in value]
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _within(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(key in got and _within(value, got[key]) for key, value in wanted.items())
    if isinstance(wanted, list):
        return isinstance(got, list) and len(wanted) == len(got) and all(_within(a, b) for a, b in zip(wanted, got, strict=True))
    return bool(wanted == got)
