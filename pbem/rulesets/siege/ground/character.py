"""Characters: who somebody is, and his attack and defence as his counter shows them.

How far he goes is ``movement``; what turns his counter over is ``counter``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.ground import counter
from pbem.rulesets.siege.state.field import Person, Values
from pbem.rulesets.siege.state.state import Battle, Unit

Rules = Ruleset[Battle]
KNIGHTS, OTHERS = "knights", "others"
NOTHING: Final = Values(0, 0, 0)
CIVILIAN = "civilian"
ANIMALS: Final = {"horse_alone": "horse", "draught_horse": "horse", "ox": "ox", "pack_donkey": "donkey"}
"""Animal of the roster -> its kind as a unit."""


def person(battle: Battle, unit: Unit) -> Person:
    """Return who a unit is; KeyError if the battle knows nobody of that name."""
    return battle.field.people[unit.person]


@rule("CH0.1a")
def own_values(who: Person, side: str) -> Values:
    """Return attack, defence and movement of one individual on a side of his counters: his own, not those of
    his class.
    """
    return who.states[side]


def values(rules: Rules, battle: Battle, unit: Unit) -> Values:
    """Return attack, defence and movement as printed on the side of the counter that lies up; what is not
    printed there is 0.
    """
    known, asked = battle.field.shown, (unit.person, unit.state, unit.on, unit.disarmed)
    if asked not in known:
        known[asked] = _shown(battle, unit)
    return known[asked]


def _shown(battle: Battle, unit: Unit) -> Values:
    printed = counter.printed(unit.state)
    if not printed:
        return NOTHING
    own = own_values(person(battle, unit), counter.side_up(unit))
    return (
        own if printed == counter.ALL else replace(NOTHING, **{name: getattr(own, name) for name in printed})
    )


@rule("CH0.1m")
def harmless(battle: Battle, unit: Unit) -> bool:
    """Tell whether somebody takes no part in fighting: a bystander, or any townsman or woman."""
    return unit.id in battle.field.bystanders or person(battle, unit).class_ == CIVILIAN


@rule("CH0.1m")
def spared(battle: Battle, unit: Unit) -> bool:
    """Tell whether nobody strikes or shoots at somebody, because he is a bystander whom no side holds, and so
    nobody's enemy.
    """
    return not battle.allegiance(unit)


def dangerous(battle: Battle, one: Unit, other: Unit) -> bool:
    """Tell whether one figure has to fear another: an enemy who fights, no animal and nobody harmless."""
    return other.kind == "man" and battle.foes(one, other) and not harmless(battle, other)


# --- the roster


MORE: Final = "roster_more"
"""The table in which a game names those whom it has beside the roster."""


def roster(tables: Mapping[str, Any]) -> dict[str, Person]:
    """Return everybody of the roster, and every animal, by id."""
    table = tables["roster"]
    people = {
        id_: individual(sheet, id_, row)
        for sheet in sheets(tables)
        for id_, row in sheet["characters"].items()
    }
    return people | {
        id_: replace(animal(table, row["animal"], id_), name=row["name"])
        for id_, row in table.get("herd", {}).items()
    }


def sheets(tables: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the roster, and whom a game has beside it."""
    yield tables["roster"]
    if MORE in tables:
        yield tables[MORE]


def classes(tables: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the classes of men, each with the values that are usual in it."""
    return {id_: row for sheet in sheets(tables) for id_, row in sheet["class_defaults"].items()}


def of_class(tables: Mapping[str, Any], class_: str, id_: str) -> Person:
    """Return somebody, or an animal, with the values that are usual in his class; KeyError for a class the
    roster has not.
    """
    table = tables["roster"]
    if class_ in ANIMALS:
        return animal(table, class_, id_)
    row = classes(tables)[class_]
    healthy, wounded = row["states"]["healthy"], row["states"]["wounded"]
    move = list(table["state_columns"]).index("move")
    return individual(
        table,
        id_,
        {
            "name": id_,
            "weapon": "",
            "leader": False,
            "move_later": (healthy[move], wounded[move]),
            **row,
            "class": class_,
        },
    )


def animal(table: Mapping[str, Any], class_: str, id_: str) -> Person:
    """Return an animal of the roster: it has a defence alone, and goes as far as its leader."""
    states = {state: Values(*numbers) for state, numbers in table["animals"][class_]["states"].items()}
    return Person(id_, id_, class_, "", "", False, False, "", False, states, (0, 0), OTHERS, ANIMALS[class_])


def individual(table: Mapping[str, Any], id_: str, row: Mapping[str, Any]) -> Person:
    """Return one row of the roster as a person."""
    columns = table["state_columns"]
    states = {
        state: Values(**dict(zip(columns, numbers, strict=True))) for state, numbers in row["states"].items()
    }
    return Person(
        id=id_,
        name=row["name"],
        class_=row["class"],
        weapon=row["weapon"],
        missile=row["missile"] or "",
        armoured=row["armoured"],
        armoured_later=row.get("armoured_later", row["armoured"]),
        panic_group=row["panic_group"],
        leader=row["leader"],
        states=states,
        move_later=tuple(row["move_later"]),
        missile_class=KNIGHTS if row["panic_group"] == "knight" else OTHERS,
        kind=row.get("kind", "man"),
        points=row.get("points", 0),
        move_later_mounted=tuple(row["move_later_mounted"]) if "move_later_mounted" in row else None,
    )
