"""Small battles for tests: by hand, or at random from a number."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.core.play import resolve_phase
from pbem.core.ruleset import Ruleset
from pbem.core.sequence import Cursor
from pbem.geometry.hex import distance, neighbours
from pbem.rulesets.siege.deeds import reading
from pbem.rulesets.siege.ground import character, terrain
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state import happening
from pbem.rulesets.siege.state.field import Field, SetupStep, SideInfo
from pbem.rulesets.siege.state.orders import Item, OrderFile, When
from pbem.rulesets.siege.state.state import Battle, Unit

RULES: Ruleset[Battle] = CRY_HAVOC
TABLES = RULES.tables
GROUNDS = terrain.grounds(RULES)
HEADINGS = {"first_missile": "shoot", "movement": "move", "second_archery": "shoot-again", "melee": "fight"}
ARMS = (
    "sergeant",
    "rich_knight",
    "spearman",
    "peasant",
    "halberdier",
    "shortbowman",
    "longbowman",
    "crossbowman",
)


def field(words: Mapping[str, str] | None = None, columns: int = 12, rows: int = 10, **more: Any) -> Field:
    """Return a field of flat ground, but for some hexes."""
    words = words or {}
    ground = {
        f"{c:02}{r:02}": GROUNDS[words.get(f"{c:02}{r:02}", "flat")]
        for r in range(1, rows + 1)
        for c in range(1, columns + 1)
    }
    sides = (SideInfo("east", "East", "blue", True), SideInfo("west", "West", "red", False))
    return Field(
        "meadow", "the meadow", "sha256:0", "brawl", "A brawl", "sha256:0", columns, rows, ground, {}, terrain.side_features(TABLES),
        {"ford": ("0101", "0102")}, sides=sides, setup=(SetupStep(("west",), ("place",), "ford"),), **more,
    )  # fmt: skip


def battle(
    men: Mapping[str, tuple[Any, ...]], phase: str = "first_missile", ground: Field | None = None, **more: Any
) -> Battle:
    """Return a battle in east's turn 3; ``men``: name -> (side, class, place, state or mapping of fields of
    the unit).
    """
    ground = ground or field()
    people, units = {}, {}
    for name, (side, class_, place, *rest) in sorted(men.items()):
        people[name] = character.of_class(TABLES, class_, name)
        units[name] = Unit(name, name, "man", side, side, "healthy", (place,) if place else ())
        for extra in rest:
            units[name] = replace(units[name], **({"state": extra} if isinstance(extra, str) else extra))
    return Battle(replace(ground, people=people), Cursor(phase, 3, "east"), units, **more)


def orders(
    where: Battle, data: Mapping[str, Any], seat: str = "east", rules: Ruleset[Battle] = RULES
) -> OrderFile:
    """Return an order file without a problem of wording."""
    file, problems = reading.read_orders(rules, where, seat, data)
    assert problems == []
    assert file is not None
    return file


class Chance:
    """Dice that follow a number."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        return tuple(self._random.randint(1, sides) for _ in range(count))


def play(
    start: Battle, files: Mapping[str, tuple[OrderFile, ...]], dice: Any, rules: Ruleset[Battle] = RULES
) -> tuple[Battle, list[object]]:
    """Play the rest of the player turn, each phase with the files that cover it; return the end and all
    events.
    """
    happened: list[object] = []
    state = start
    phases = [phase.id for phase in rules.sequence.phases][:-1]
    for phase in phases[phases.index(start.at.phase) :]:
        state = state.changed(at=replace(state.at, phase=phase))
        covering = {
            seat: held
            for seat, all_ in files.items()
            if (held := tuple(file for file in all_ if file.covers(state.at)))
        }
        result = resolve_phase(
            lambda p, covering=covering: rules.steps[p.state.at.phase](rules, p, covering),
            state,
            str(state.at),
            happening.apply,
            dice,
        )  # type: ignore[misc]
        assert result.question is None
        state = result.state
        happened += result.events
    return state, happened


def sources(items: Sequence[Item]) -> Iterator[Item]:
    """Yield all items, those of branches too."""
    for item in items:
        yield item
        if isinstance(item, When):
            yield from sources((*item.then, *item.otherwise))


# --- at random


def random_battle(seed: int) -> Battle:
    """Return a skirmish of four against four, close together on broken ground."""
    chance = random.Random(seed)
    columns, rows = 7, 7
    places = [f"{c:02}{r:02}" for r in range(1, rows + 1) for c in range(1, columns + 1)]
    words = {place: chance.choice(["scrub", "tree", "slope"]) for place in chance.sample(places, 12)}
    men: dict[str, tuple[Any, ...]] = {}
    for number, place in enumerate(chance.sample(places, 8)):
        name = "abcdwxyz"[number]
        state = chance.choice(["healthy"] * 6 + ["wounded", "stunned"])
        fought = {"fought": "t2.west.melee"} if chance.random() < 0.2 else {}
        men[name * 2] = ("east" if number < 4 else "west", chance.choice(ARMS), place, state, fought)
    for number in range(chance.randint(0, 6)):
        men[f"dead{number}"] = (
            chance.choice(["east", "west"]),
            "peasant",
            chance.choice(places[:20]),
            "dead",
        )
    return battle(
        men,
        chance.choice(["first_missile", "first_missile", "movement", "melee"]),
        field(words, columns, rows),
    )


def random_orders(where: Battle, seed: int) -> dict[str, Any]:
    """Return a file with orders for many figures, sensible and other ones."""
    chance = random.Random(f"orders {seed}")
    own = [u.id for u in where.units.values() if u.side == "east" and u.state != "dead"]
    foes = [u.id for u in where.units.values() if u.side == "west" and u.state != "dead"]
    places = list(where.field.ground)

    def near(unit: str, steps: int) -> list[str]:
        way = [where.units[unit].at[0]]
        for _ in range(steps):
            way.append(chance.choice(neighbours(way[-1])))
        return [place for place in way[1:] if place in where.field.ground] or [chance.choice(places)]

    def shot(unit: str) -> str:
        targets = chance.sample([*foes, "nearest"], chance.randint(1, 2))
        return f"{unit} at {' or '.join(targets)}"

    goes: dict[str, str] = {unit: where.units[unit].at[0] for unit in own}

    def move(unit: str) -> str:
        if chance.random() < 0.5:
            goal = chance.choice(neighbours(where.units[chance.choice(foes)].at[0]))
            if goal in where.field.ground and distance(goal, goes[unit]) <= 4:
                goes[unit] = goal
                return f"{unit} to {goal}"
        if chance.random() < 0.4:
            return f"{unit} by {' '.join(near(unit, chance.randint(1, 4)))}"
        goals = dict.fromkeys(near(unit, chance.randint(1, 4))[-1] for _ in range(chance.randint(1, 2)))
        if chance.random() < 0.3:
            goals = dict.fromkeys([where.units[chance.choice(foes)].at[0], *goals])
        return f"{unit} to {' or '.join(goals)}"

    def attack(*units: str) -> str:
        close = [foe for foe in foes if distance(goes[units[0]], where.units[foe].at[0]) == 1] or foes
        targets = chance.sample(close, min(len(close), 2 if len(units) == 1 and chance.random() < 0.2 else 1))
        least = f" at least {chance.randint(1, 3)}:1" if chance.random() < 0.2 else ""
        return f"{', '.join(units)} attack {', '.join(targets)}{least}"

    def lines(make: Any) -> list[Any]:
        found: list[Any] = []
        todo = chance.sample(own, chance.randint(1, len(own)))
        if make is shot:
            todo = [
                unit
                for unit in todo
                if character.person(where, where.units[unit]).missile or chance.random() < 0.1
            ]
        while todo:
            if make is attack and len(todo) > 1 and chance.random() < 0.4:
                found.append(make(todo.pop(), todo.pop()))
                continue
            unit = todo.pop()
            if chance.random() < 0.2:
                about = chance.choice([
                    f"{chance.choice(foes)} is "
                    f"{chance.choice(['stunned or wounded', 'healthy', 'dead', 'not dead'])}",
                    f"{unit} can attack {chance.choice(foes)}", f"{unit} is next to an enemy", "turn is at least 4",
                    f"{unit} is at {where.units[unit].at[0]}",
                ])  # fmt: skip
                found.append(
                    {
                        "when": about,
                        "then": [make(unit)],
                        "otherwise": [make(unit)] if chance.random() < 0.5 else [],
                    }
                )
            else:
                found.append(make(unit))
        return found

    makers = {"first_missile": shot, "movement": move, "second_archery": shot, "melee": attack}
    phases = list(makers)
    coming = phases[phases.index(where.at.phase) :]
    return {HEADINGS[phase]: lines(makers[phase]) for phase in coming if chance.random() < 0.85}
