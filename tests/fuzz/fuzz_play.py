"""Fuzz by play: bots play thousands of games, and after every event the battle must still make sense.

``python tests/fuzz/fuzz_play.py --games 2000`` is the long run (``make fuzz``); ``test_fuzz_play.py`` plays a
few. A game is made from a number: a scenario with some edition and options, or a brawl, a small board with
everything on it where the sides stand close to each other. A game that breaks an invariant is kept as a zip
with its beginning, its order files and its rolls;
``--replay FILE`` plays it again from those, whatever bots have learnt since.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec import Struct, field
from msgspec.structs import replace

sys.path[:0] = [
    str(Path(__file__).resolve().parents[1] / "rulesets" / "siege"),
    str(Path(__file__).resolve().parents[1] / "rulesets" / "anarchy"),
    str(Path(__file__).resolve().parent),
    str(Path(__file__).resolve().parents[2]),
]

import case_plugin
import rulebook_anarchy
import rulebook_siege as rulebook
from brawls import brawl
from castle_watch import Castle
from storms import storm
from strongholds import stronghold

from benchmarks.means import means_of, with_means
from pbem.bots import bot as bots
from pbem.bots import paper
from pbem.bots.chance import Chance, SeedDice
from pbem.core.dice import Dice, NoDice, RecordedDice
from pbem.core.play import Answer
from pbem.core.ruleset import Ruleset, choose, play_slot
from pbem.fleet.door import spread
from pbem.fleet.task import Task
from pbem.geometry.hex import distance, hex_of, side_between
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.ground.terrain import terrain_at
from pbem.rulesets.siege.ruleset import CRY_HAVOC, SIEGE
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STUNNED, WOUNDED, Battle

RULES: dict[str, Ruleset[Battle]] = {"cry_havoc": CRY_HAVOC, "siege": SIEGE, "anarchy": ANARCHY}
"""The rules that games are played by; in a long run with every call of a rule counted."""
FOLDERS = (case_plugin.SCENARIOS, case_plugin.SIEGES, case_plugin.ANARCHIES)
SCENARIOS = sorted(path.stem for folder in FOLDERS for path in folder.glob("*.yaml"))
LONGEST = 60
"""So many slots a game is followed; a scenario ends sooner by itself."""
ENOUGH = 20
"""So often everything that can happen must have happened in a long run."""
STATES: Mapping[str, tuple[str, ...]] = {
    HEALTHY: (STUNNED, WOUNDED, DEAD),
    STUNNED: (HEALTHY, DEAD),
    WOUNDED: (HEALTHY, DEAD),
    DEAD: (),
}
"""State -> what it may change to; a wound heals only over night."""
SELDOM = {"mounted_geometry": 12, "line_of_fire": 8}
"""Options that make games slow are chosen once in so many games."""
PLACED_BESIDE = ("S5.11d", "A4.2.9g")
"""The rules by which somebody is put down, not moved: the second animal of a team before its wagon again, and
who gets out of a siege tower that comes down.
"""
DRAWN = ("A1.3b", "A1.3e")
"""The rules by which oxen and drivers go along with an engine, one after the other."""
MOST_POINTS = 12
"""No figure of any edition has more movement points."""


class Broken(AssertionError):
    """An invariant that does not hold, and the event after which it did not."""


# --- beginnings


class Beginning(Struct, frozen=True):
    """How a game begins, as plain data: a scenario or the ``given`` of a case, its options, and who plays."""

    seed: str
    scenario: str = ""
    ruleset: str = "siege"
    given: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    players: Mapping[str, str] = field(default_factory=dict)

    def battle(self) -> tuple[Ruleset[Battle], Battle]:
        """Return the rules and the battle."""
        if self.given:
            rules = case_plugin.chosen(RULES[self.ruleset], self.given)
            return rules, case_plugin.battle_of(rules, self.given)
        given = {"scenario": self.scenario, "options": self.options, "modules": self.modules()}
        rules = case_plugin.chosen(RULES[self.ruleset], given)
        return rules, case_plugin.battle_of(rules, given)

    def modules(self) -> list[str]:
        """Return the modules of the scenario."""
        return [str(name) for name in case_plugin._file(case_plugin.scenario_path(self.scenario))["modules"]]


def scenarios_of(ruleset: str) -> list[str]:
    """Return the scenarios of a ruleset."""
    paths = {name: case_plugin.scenario_path(name) for name in SCENARIOS}
    return [name for name, path in paths.items() if path.parent.name == ruleset]


def options(chance: Chance, rules: Ruleset[Battle] = CRY_HAVOC) -> dict[str, str]:
    """Return an edition, where a game has any, and some options at random that go together."""
    wanted = {"edition": chance.one_of(sorted(rules.editions))} if rules.editions else {}
    for name, option in sorted(rules.options.items()):
        if chance.below(SELDOM.get(name, 3)) == 0:
            tried = {**wanted, name: chance.one_of(option.values)}
            if choose(rules, [], tried)[0] is not None:
                wanted = tried
    return wanted


def beginning(number: int, seed: str = "play", of: str = "") -> Beginning:
    """Return the beginning of a game of some number: of eight two are scenarios, two storms of a small
    castle, one is a stronghold of The Anarchy, the others are brawls. ``of`` is a ruleset, if only its
    scenarios are to be played, one after the other, in three rounds of four by the quick bot on both sides.
    """
    text = f"{of or seed} {number}"
    chance = Chance(text)
    alone = scenarios_of(of)
    if alone:
        scenario = alone[number % len(alone)]
    else:
        scenario = SCENARIOS[number // 4 % len(SCENARIOS)] if number % 4 == 0 else ""
    said = case_plugin._file(case_plugin.scenario_path(scenario)) if scenario else {}
    ruleset = said["ruleset"] if said else KINDS[number % len(KINDS)]
    found = options(chance, ANARCHY if ruleset == "anarchy" else CRY_HAVOC)
    players = [chance.one_of(("random", "random", "sergeant")) for _ in range(2)]
    if alone and number // len(alone) % 4:
        players = ["random"] * 2
    if scenario:
        sides, own = sorted(said["sides"]), said.get("options", {})
        found = {name: value for name, value in found.items() if name not in own}
        return Beginning(
            text, scenario, ruleset, options=found, players=dict(zip(sides, players, strict=False))
        )
    given = MAKERS[ruleset](chance, found)
    return Beginning(
        text,
        ruleset=ruleset,
        given=given,
        options=found,
        players=dict(zip(("east", "west"), players, strict=True)),
    )


def besieged(chance: Chance, options: Mapping[str, str]) -> dict[str, Any]:
    """Return a stronghold of The Anarchy, from the first turn of one side or the other."""
    given = stronghold(chance, "movement", MANY)
    return {
        **given,
        "at": f"t2.{chance.one_of(('east', 'west'))}.movement",
        "options": dict(options),
        "length": f"{4 + chance.below(5)} turns",
        "victory": {
            "at-end": [{"side": "any", "points": "losses of the enemy", "scale": "lp"}],
            "at-once": [],
            "winner": {"most": "points", "level": "draw"},
        },
        "scales": {"lp": {"peasant": "1", "other": "2"}},
    }


MANY = 14
"""So many men and oxen are in a stronghold."""
KINDS = ("", "cry_havoc", "siege", "anarchy", "", "cry_havoc", "siege", "cry_havoc")
"""By whose rules the games are played that are no scenarios, number by number."""
MAKERS: Mapping[str, Callable[[Chance, Mapping[str, str]], dict[str, Any]]] = {
    "cry_havoc": brawl,
    "siege": storm,
    "anarchy": besieged,
}


# --- invariants


class Watch:
    """Looks at every event as it is applied, counts it, and at the battle after it."""

    def __init__(self, rules: Ruleset[Battle]) -> None:
        self.counts: Counter[str] = Counter()
        self.rolled: set[str] = set()
        """The labels of the dice so far: a slot is played twice, and a phase anew after each answer."""
        self.together: frozenset[str] = frozenset()
        """A leader and those who come along: between his event and theirs they may share a hex."""
        self.crossing: tuple[str, str] | None = None
        """Who passes somebody at the edge of the map, which he has to leave with the next event; else that is
        broken.
        """
        self.stacks: frozenset[frozenset[str]] = frozenset()
        """Who lie on each other since one of them fell."""
        self.last: Battle | None = None
        self.rules = rules.amend(
            interface=replace(rules.interface, apply=self.applied(rules.interface.apply))
        )
        self.castle = Castle(rules)

    def applied(self, apply: Callable[[Battle, object], Battle]) -> Callable[[Battle, object], Battle]:
        """Return ``apply``, watched."""

        def watched(before: Battle, event: object) -> Battle:
            after = apply(before, event)
            plain = self.rules.interface.event_to_plain(event)
            if plain.get("with"):
                carried = (before.things[id_].by for id_ in plain["with"] if id_ in before.things)
                self.together = frozenset(
                    (plain["unit"], *plain["with"], *(id_ for by in carried for id_ in by))
                )
            elif plain["type"] not in ("Moved", "ThingMoved"):
                self.together = frozenset()
            if self.crossing and not (plain["type"] == "Left" and plain["unit"] == self.crossing[0]):
                raise Broken(self.crossing[1])
            self.crossing = None
            if before is not self.last:  # a slot begins, or a phase is played again
                self.stacks = frozenset(map(frozenset, sharing(before)))
            self.last = after
            shared = {frozenset(pair) for pair in sharing(after)}
            self.stacks = frozenset(shared if plain["type"] == "Fell" else shared & self.stacks)
            whole = not on_its_way(after, plain)
            for wrong in (
                *of_event(before, event, after),
                *(of_battle(after, self.together, self.stacks, self.rules) if whole else ()),
                *self.castle.wrong(before, plain, after),
            ):
                said = f"{before.at}: {wrong} after {event}"
                if "both at" not in wrong or plain["type"] not in ("Moved", "Routed", "Panicked"):
                    raise Broken(said)
                self.crossing = plain["unit"], said
            self.count(event)
            return after

        return watched

    def count(self, event: object) -> None:
        """Note what happened, for the account of a long run."""
        plain = self.rules.interface.event_to_plain(event)
        self.counts[f"event {plain['type']}"] += 1
        if plain["type"] == "Rolled" and plain["label"] not in self.rolled:
            self.rolled.add(plain["label"])
            self.counts[f"die of {plain['rule']}"] += 1
        if plain["type"] == "Rolled" and plain.get("table"):
            of = f"{plain['table']} {plain['column']}" if plain["table"] == "fire" else plain["table"]
            self.counts[f"result {of} {plain.get('result', '')}"] += 1


def on_its_way(battle: Battle, plain: Mapping[str, Any]) -> bool:
    """Tell whether an engine has gone on, and its oxen and drivers may still have to follow."""
    if plain["type"] == "ThingMoved":
        return bool(battle.things[plain["thing"]].hitched)
    return plain["type"] == "Moved" and plain.get("rule") in DRAWN


def of_event(before: Battle, event: object, after: Battle) -> Iterator[str]:
    """Yield what is wrong with an event where it happened."""
    plain = CRY_HAVOC.interface.event_to_plain(event)
    kind = plain["type"]
    if kind == "StateChanged":
        was = before.units[plain["unit"]].state
        if was != plain["was"]:
            yield f"{plain['unit']} was {was}"
        if plain["is"] not in STATES[plain["was"]]:
            yield f"nobody who is {plain['was']} becomes {plain['is']}"
    if kind in ("Moved", "Turned", "Entered", "Advanced"):
        # the first hex may be entered whatever it costs (S1.73i)
        free = kind == "Advanced" and len(plain["path"]) == 2
        if not free and not 0 <= plain.get("cost", 0) <= plain.get("of", 0) <= MOST_POINTS:
            yield f"{plain.get('cost')} points are spent of {plain.get('of')}"
    if kind in ("Moved", "Turned", "Retreated", "Advanced", "Panicked", "Routed"):
        yield from _way(before, plain)
    if kind not in ("GameEnded", "Placed", "Entered", "Left") and len(_dead(after)) - len(_dead(before)) != (
        kind == "StateChanged" and plain["is"] == DEAD
    ):
        yield "the dead do not add up"


def _dead(battle: Battle) -> list[str]:
    return [unit.id for unit in battle.units.values() if unit.state == DEAD]


def _way(before: Battle, plain: Mapping[str, Any]) -> Iterator[str]:
    path, tails = list(plain["path"]), list(plain.get("tails", ()))
    unit = before.units[plain["unit"]]
    if plain["type"] != "Entered" and path[0] not in unit.at:
        yield f"a way begins at {path[0]}, and {unit.id} is at {unit.at}"
    for one, other in pairwise(path):
        if (
            one != other
            and distance(hex_of(one), hex_of(other)) > (2 if tails else 1)
            and plain.get("rule") not in PLACED_BESIDE
        ):
            yield f"a step from {one} to {other}"
    if tails and (
        len(tails) != len(path) or any(side_between(a, b) is None for a, b in zip(path, tails, strict=True))
    ):
        yield "a head without its tail"


def sharing(battle: Battle) -> Iterator[tuple[str, str]]:
    """Yield the pairs of living figures that are in one place."""
    places: dict[str, str] = {}
    for unit in battle.units.values():
        if unit.living and unit.id not in battle.rider_of:
            for place in unit.at:
                if place in places:
                    yield places[place], unit.id
                places[place] = unit.id


def of_battle(
    battle: Battle,
    together: frozenset[str] = frozenset(),
    stacks: frozenset[frozenset[str]] = frozenset(),
    rules: Ruleset[Battle] = CRY_HAVOC,
) -> Iterator[str]:
    """Yield what is wrong with a battle; who are on their way together, or fell on each other, may be in one
    hex.
    """
    places: dict[str, str] = {}
    for unit in battle.units.values():
        if unit.on:
            horse = battle.units[unit.on]
            if horse.state == DEAD or unit.state in (DEAD, STUNNED):
                yield f"{unit.id}, {unit.state}, sits on {horse.id}, {horse.state}"
            if horse.at != unit.at:
                yield f"{unit.id} is at {unit.at} and {horse.id} at {horse.at}"
        if not unit.living or unit.id in battle.rider_of:
            continue
        two = bool(unit.on) or unit.kind == "horse"
        if len(unit.at) != (2 if two else 1):
            yield f"{unit.id} has {len(unit.at)} places"
        if two and len(unit.at) == 2 and side_between(unit.hexes[0], unit.hexes[1]) is None:
            yield f"{unit.id} is torn apart: {unit.at}"
        for place in unit.at:
            pair = {unit.id, places.get(place, "")}
            if place in places and not pair <= together and pair not in stacks:
                yield f"{unit.id} and {places[place]} are both at {place}"
            places[place] = unit.id
            ground = terrain_at(rules, battle, place)
            if (ground.mp_horse if two or unit.kind != "man" else ground.mp_foot) is None:
                yield f"{unit.id} stands in {ground.title} at {place}"
    if not together and not stacks and places != dict(battle.standing_at):
        yield "who stands where is not what the battle thinks"


# --- a game


class Game(Struct):
    """A game as it is played: what it began with, the files and rolls so far, and what was counted."""

    begin: Beginning
    slots: list[dict[str, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def keep(self, folder: Path, why: str) -> Path:
        """Write the game as a zip that can be played again; return its path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.begin.seed.replace(' ', '-')}.zip"
        begin = {name: getattr(self.begin, name) for name in Beginning.__slots__}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("why.txt", why + "\n")
            archive.writestr("begin.json", json.dumps(begin, indent=1))
            for number, slot in enumerate(self.slots, 1):
                archive.writestr(f"slot-{number:03}.json", json.dumps(slot, indent=1))
        return path


def kept(path: Path) -> Game:
    """Return a game that was kept."""
    with zipfile.ZipFile(path) as archive:
        begin = Beginning(**json.loads(archive.read("begin.json")))
        slots = [
            json.loads(archive.read(name)) for name in sorted(archive.namelist()) if name.startswith("slot-")
        ]
    return Game(begin, slots)


def play(game: Game, again: Sequence[Mapping[str, Any]] = (), most: int = LONGEST) -> Game:
    """Play a game to its end, from its beginning or from the files and rolls of slots that were kept; raise
    Broken.
    """
    plain, state = game.begin.battle()
    watch = Watch(plain)
    # bots rehearse with the plain rules: what they only imagine is not looked at
    rules, interface = (watch.rules, watch.rules.interface)
    names = {unit.owner for unit in state.units.values()}
    players = {seat: bots.find(game.begin.players.get(seat, "random"), rules.id) for seat in sorted(names)}
    chances = {seat: Chance(f"{game.begin.seed}\n{seat}") for seat in players}
    held: dict[str, tuple[Any, ...]] = {}
    answers: dict[str, Answer] = {}
    game.slots, game.counts = [], watch.counts
    number = 0
    question = None
    while not interface.over(state) and number < (len(again) or most):
        old = again[number] if again else None
        number += 1
        slot: dict[str, Any] = {"files": {}, "answers": {}, "rolls": []}
        game.slots.append(slot)
        if question is None:
            answers, new = {}, {}
            for seat in interface.seats_to_order(rules, state):
                known = interface.view(plain, state, state.side_of_seat[seat])
                data = (
                    old["files"].get(seat, {})
                    if old
                    else players[seat].orders(plain, known, seat, chances[seat])
                )
                slot["files"][seat] = data
                new[seat] = (paper.read(rules, state, seat, data), f"{number} {seat}")
                held[seat] = (*held.get(seat, ()), new[seat][0])
        else:
            said = (
                old["answers"][question.id]
                if old
                else players[question.seat].answer(
                    plain,
                    interface.view(plain, state, state.side_of_seat[question.seat]),
                    question,
                    chances[question.seat],
                )
            )
            slot["answers"] = {question.id: said}
            answers, new = {**answers, question.id: Answer(said, "answer")}, {}
        dice = _Noted(_Old(old["rolls"]) if old else SeedDice(game.begin.seed), slot["rolls"])
        written = _bytes(rules, state)
        result = play_slot(rules, state, held, new, dice, (), answers)
        if _bytes(rules, state) != written:
            raise Broken(f"slot {number} changed the state it was given")
        second = play_slot(rules, state, held, new, RecordedDice(result.rolls, NoDice()), (), answers)
        if [interface.event_to_plain(e) for e in second.events] != [
            interface.event_to_plain(e) for e in result.events
        ]:
            raise Broken(f"slot {number} came out otherwise the second time")
        if (
            interface.state_from_plain(rules, state.field, interface.state_to_plain(rules, result.state))
            != result.state
        ):
            raise Broken(f"the state after slot {number} cannot be read back")
        asked_before = question is not None and interface.cursor(result.state) == interface.cursor(state)
        question = result.question
        if question is not None and not asked_before:
            answers = {}
        state, held = result.state, dict(result.kept)
    return game


class _Noted:
    """Dice that note what they show as they show it, so that a slot that breaks off can be played again."""

    def __init__(self, dice: Dice, log: list[Any]) -> None:
        self.dice = dice
        self.log = log

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        values = self.dice.values(label, sides, count)
        self.log.append([label, sides, list(values)])
        return values


class _Old:
    """The rolls that were kept with a slot."""

    def __init__(self, rolls: Sequence[Any]) -> None:
        self.known = {(label, sides): tuple(values) for label, sides, values in rolls}

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        return self.known[label, sides][:count]


def _bytes(rules: Ruleset[Battle], state: Battle) -> bytes:
    return json.dumps(rules.interface.state_to_plain(rules, state), sort_keys=True).encode()


# --- the account


CALLS: Counter[str] = Counter()
"""Rule id -> how often a function that carries it out was called."""


def count_calls() -> None:
    """Count from now on every call of a function that carries a rule out."""
    for function in {function for functions in marked().values() for function in functions}:
        _count(function, function.rules)


def marked() -> dict[str, tuple[Any, ...]]:
    """Return rule id -> functions that carry it out, of both books."""
    return {**rulebook.marked(), **rulebook_anarchy.marked()}


def _count(function: Any, ids: Sequence[str]) -> None:
    @wraps(function)
    def counted(*args: Any, **more: Any) -> Any:
        CALLS.update(ids)
        return function(*args, **more)

    for module in (*rulebook.modules(), *rulebook_anarchy.modules()):
        for name, value in list(vars(module).items()):
            if not name.startswith("__"):
                changed = rulebook._replaced(value, function, counted)
                if changed is not value:
                    setattr(module, name, changed)
    for id_, rules in RULES.items():
        names = ("steps", "checks", "modifiers", "follows", "known_modules", "family", "deeds")
        RULES[id_] = rules.amend(
            **{name: rulebook._replaced(getattr(rules, name), function, counted) for name in names}
        )


def wanted() -> set[str]:
    """Return everything that has to happen in a long run: event types, results of tables, rules with a
    function.
    """
    from pbem.rulesets.anarchy.events import EVENTS as OF_THE_ANARCHY
    from pbem.rulesets.siege.state.events import EVENTS

    tables = CRY_HAVOC.tables
    found = {f"event {name}" for name in (*EVENTS, *OF_THE_ANARCHY)} - NEVER
    for name in ("combat_foot", "combat_mounted"):
        found |= {f"result {name} {code}" for code in tables[name]["grid"].key}
    for name in ("shooting_knights", "shooting_others"):
        for weapon in ("short_bow", "long_bow", "crossbow"):
            cells = {str(cell) for row in tables[name]["weapons"][weapon]["rows"].values() for cell in row}
            found |= {f"result {name} {code}" for code in cells}
    for name in ("misfire", "panic", "infiltration", "ladders", "stunned_in_fire"):
        found |= {f"result {name} {row['result']}" for row in tables[name]["rows"]}
    for name in OF_DIFFERENCE:
        found |= {f"result {name} {code}" for code in ANARCHY.tables[name]["grid"].key}
    found |= {f"result capture {row['result']}" for row in ANARCHY.tables["capture"]["rows"]}
    found |= {f"result battering {code}" for code in tables["battering"]["key"]}
    found |= {
        f"result healing {days or 'never'}" for row in tables["healing"]["rows"].values() for days in row
    }
    found |= {f"result fire {what} {whether}" for what in FIRES for whether in ("yes", "no")}
    return found


OF_DIFFERENCE = ("combat_difference_foot", "combat_difference_mounted", "missile_foot", "missile_mounted")
FIRES = (
    "spread",
    "put out",
    "oil",
    *(f"fire arrow at a {what}" for what in ("tent", "siege tower", "ram", "ballista")),
)
"""What is rolled for in the table of fire."""
ABSENT: Mapping[str, Mapping[str, str]] = {
    "anarchy": {
        "EN1.73c": "an option of advances that hardly ever comes into play",
        "S1.94d": "nobody topples a ladder there; the storms of Siege reach it",
        "S3.54c": "nobody lies stunned in a fire there; the storms of Siege reach it",
        "S4.13b": "The Anarchy batters by a rule of its own (A7.3.3b)",
        "S5.32f": "The Anarchy has cauldrons in the place of barrels (A4.3.3)",
        "S5.32g": "The Anarchy has cauldrons in the place of barrels (A4.3.3)",
        "S6.21d": "an option of shots beside friends that hardly ever comes into play",
    }
}
"""Ruleset -> rules that roll a die and hardly ever do in its scenarios -> why, in words."""
A_RULE = re.compile(r"(A|S|CH|EN)\d[\w.]*")
NEVER = {f"event {name}" for name in ("Said", "Resigned", "DrawOffered", "FileEnded", "Skilled")}
"""Events of what bots do not write: skills are legal only together, and no bot gives them."""
NOT_PLAYED = {"rule S6.22a", "rule CH6.22g"}
"""Rules of the giving of skills."""


def rolling() -> set[str]:
    """Return the rules that roll a die: each that is named where a roll is told, in the code of Siege and of
    The Anarchy.
    """
    found: set[str] = set()
    for module in (*rulebook.modules(), *rulebook_anarchy.modules()):
        for node in ast.walk(ast.parse(rulebook.source(module))):
            if not isinstance(node, ast.Call) or not ast.unparse(node.func).lower().endswith("rolled"):
                continue
            for said in node.args:
                if isinstance(said, ast.Subscript) and isinstance(said.value, ast.Name):
                    found |= {*getattr(module, said.value.id, {}).values()}
                elif isinstance(said, ast.Constant):
                    found.add(said.value)
    return {id_ for id_ in found if isinstance(id_, str) and A_RULE.fullmatch(id_)}


def on_its_boards(id_: str) -> Counter[str]:
    """Play the boards of the cases of a rule of The Anarchy, with dice by chance and every event looked at,
    until the rule has rolled often enough or no case of it does; return what was counted. Raise Broken.
    """
    found: Counter[str] = Counter()
    die = f"die of {id_}"
    cases = [case for _, case in rulebook_anarchy.cases_of().get(id_, ()) if "problems" not in case]
    for number in range(2 * ENOUGH):
        for index, case in enumerate(cases if number == 0 or found[die] else ()):
            dice = SeedDice(f"{id_} {number} {index}")
            watch = Watch(case_plugin.chosen(ANARCHY, case["given"]))
            battle = case_plugin.battle_of(watch.rules, case["given"])
            if any(of_battle(battle, rules=watch.rules)):
                continue  # somebody begins where nobody could be
            with patch.object(case_plugin, "CaseDice", lambda said, dice=dice: dice):
                case_plugin._play(watch.rules, battle, case_plugin._files(watch.rules, battle, case), case)
            found += watch.counts
        if found[die] >= ENOUGH:
            break
    return found


def dice_of(ruleset: str, counts: Counter[str]) -> list[str]:
    """Print how often each rule rolled a die in the scenarios of a ruleset, and on the boards of its cases if
    that is too seldom; return those that did so too seldom without a reason.
    """
    absent, seldom = ABSENT.get(ruleset, {}), []
    found = {name.removeprefix("die of ") for name in counts if name.startswith("die of ")}
    for id_ in sorted(rolling() | found):
        times = counts[f"die of {id_}"]
        more = on_its_boards(id_)[f"die of {id_}"] if times < ENOUGH and ruleset == "anarchy" else 0
        print(f"{times:7} {more or '':>4} {id_:10} {absent.get(id_, '')}".rstrip())
        if id_ not in absent and times + more < ENOUGH:
            seldom.append(id_)
    return seldom


def one(number: int, of: str = "") -> tuple[int, str, Counter[str]]:
    """Play one game; return its number, what broke, and what happened. A game that broke is kept."""
    CALLS.clear()
    game = Game(beginning(number, of=of))
    why = ""
    try:
        play(game)
    except Exception as broken:  # whatever goes wrong is a find
        why = f"{type(broken).__name__}: {broken}"
        why += f" (kept as {game.keep(Path('build/fuzz'), why)})"
    return number, why, game.counts + Counter({f"rule {id_}": times for id_, times in CALLS.items()})


def of_a_task(number: int, code: str, of: str = "") -> list[Any]:
    """Do a task of the fleet: play one game, every call of a rule counted. ValueError where the games here are
    others than for who asked.
    """
    if code != own_code():
        raise ValueError("the fuzz by play is another one here than for who asked")
    if not COUNTED:
        count_calls()
        COUNTED.append(True)
    _, why, found = one(number, of)
    return [why, dict(found)]


COUNTED: list[bool] = []
"""Whether every call of a rule is counted in this process."""


@cache
def own_code() -> str:
    """Return the SHA-256 of what makes and watches games here, which is no part of the program."""
    around = (Path(__file__).parent, Path(case_plugin.__file__).parent)
    files = sorted(path for folder in around for path in folder.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def main() -> int:
    """Play, count, and say what broke and what never happened."""
    parser = argparse.ArgumentParser(description="fuzz by play")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument(
        "--step",
        type=int,
        default=1,
        help="4 from number 2 on: storms alone; from number 0 on: scenarios alone",
    )
    parser.add_argument(
        "--of",
        choices=sorted(RULES),
        default="",
        help="the scenarios of one ruleset alone, and its dice counted",
    )
    parser.add_argument("--minutes", type=int, default=0, help="stop after so many, whatever is left")
    parser.add_argument("--jobs", type=int, default=2, help="so many games at the same time")
    parser.add_argument("--replay", type=Path)
    with_means(parser)
    arguments = parser.parse_args()
    if arguments.replay:
        game = kept(arguments.replay)
        play(game, list(game.slots))
        print(f"{arguments.replay} is played again, and nothing breaks")
        return 0
    counts: Counter[str] = Counter()
    broken = []
    numbers = range(arguments.first, arguments.first + arguments.games * arguments.step, arguments.step)
    ends = time.monotonic() + 60 * arguments.minutes
    tasks = [Task.of("fuzz", number=number, code=own_code(), of=arguments.of) for number in numbers]
    jobs = None if arguments.workers or arguments.scheduler else arguments.jobs
    going = spread(tasks, means_of(arguments, jobs))
    for count, done in enumerate(going, 1):
        number, (why, found) = done.task.arguments["number"], done.answer or (done.failure, {})
        counts += Counter(found)
        if why:
            broken.append((number, why))
            print(f"\ngame {number}: {why}", flush=True)
        print(f"\r{count} of {arguments.games} games, {len(broken)} broken", end="", flush=True)
        if arguments.minutes and time.monotonic() > ends:
            break
    print()
    if arguments.of:
        seldom = dice_of(arguments.of, counts)
        print("fewer than", ENOUGH, "and no reason:", ", ".join(seldom) or "none")
        return 1 if broken or seldom else 0
    rules = {f"rule {id_}" for id_ in marked()} - NOT_PLAYED
    rare = sorted((counts[name], name) for name in wanted() | rules if counts[name] < ENOUGH)
    for times, name in rare:
        print(f"{times:4} times: {name}")
    return 1 if broken or rare else 0


if __name__ == "__main__":
    sys.exit(main())
