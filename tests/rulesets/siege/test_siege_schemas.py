"""What a game writes, held against the schemas that are made from its classes."""

from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path
from typing import Annotated, Any

import pytest
import siege_games
from msgspec.structs import replace
from recorded import archives

from pbem import resources
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.deeds import schemas as siege_schemas
from pbem.rulesets.siege.ruleset import SIEGE
from pbem.rulesets.siege.state import saved, state
from pbem.rulesets.siege.state.happening import Event
from pbem.text import codec, schemas, shape
from pbem.text.forms import Form

SCHEMAS = resources.folder("schemas")


def load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    return found


def in_panic(unit: str) -> state.Battle:
    _, battle = siege_games.begin("alder-ford")
    return battle.with_units(replace(battle.units[unit], mood="panic"))


@pytest.mark.parametrize("kind", ["state", "events", "orders"])
def test_what_a_game_writes_is_in_the_schema_as_classes_and_deeds_have_it(kind: str) -> None:
    every = {
        **siege_schemas.made(SIEGE, load("orders")),
        "state": siege_schemas.of_state(SIEGE, ANARCHY),
        "events": siege_schemas.of_events(SIEGE, ANARCHY),
    }
    made = schemas.as_file(every[kind])
    assert (SCHEMAS / f"{kind}.schema.json").read_text("utf-8") == made, "make schemas was not run"


@pytest.mark.parametrize("path", archives(), ids=lambda path: path.parent.name)
def test_every_state_and_event_of_a_recorded_game_has_the_form_of_its_schema(path: Path) -> None:
    of_state, of_event = shape.load(load("state"), text=False), shape.load(load("events"), text=False)
    states = events = 0
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("events/"):
                for line in archive.read(name).splitlines():
                    assert of_event.check(json.loads(line)) == [], line
                    events += 1
            elif name.startswith("state"):
                assert of_state.check(json.loads(archive.read(name))) == [], name
                states += 1
    assert states and events


def spoil(data: Any, chance: random.Random) -> Any:
    """Return data with one of its values, wherever it lies, another or gone."""
    spots: list[tuple[Any, Any]] = []
    todo = [data]
    while todo:
        node = todo.pop()
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            spots.append((node, key))
            if isinstance(node[key], dict | list):
                todo.append(node[key])
    node, key = chance.choice(spots)
    value = chance.choice(["", "ceol", "0712", "n", 0, 1, -1, True, None, [], {}, ["odo"]])
    if value is None:
        del node[key]
    else:
        node[key] = value
    return data


def test_what_a_schema_lets_through_is_read() -> None:
    chance, form = random.Random(1), shape.load(load("state"), text=False)
    with zipfile.ZipFile(archives()[-1]) as archive:
        written = archive.read(sorted(name for name in archive.namelist() if name.startswith("state"))[-1])
    passed = 0
    for _ in range(400):
        spoilt = spoil(json.loads(written), chance)
        if form.check(spoilt) == []:
            codec.from_plain(spoilt, saved.Written)
            passed += 1
    assert passed > 10


class Trumpeted(Event, frozen=True):
    """A figure blew a trumpet; whoever fled comes to himself."""

    unit: Annotated[str, Form("id", pattern="^[a-z][a-z0-9-]{0,31}$")]
    calls: Annotated[int, Form(minimum=1, maximum=3)] = 1
    """How often."""

    def applied(self, battle: state.Battle) -> state.Battle:
        return battle.with_units(replace(battle.units[self.unit], mood=""))


def test_an_event_of_an_amendment_is_applied_written_and_in_its_schema() -> None:
    rules = SIEGE.amend(events={**SIEGE.events, "Trumpeted": Trumpeted})
    battle = in_panic("ceol")
    blown = Trumpeted("ceol", 2)
    assert rules.interface.apply(battle, blown).units["ceol"].mood == ""
    plain = rules.interface.event_to_plain(blown)
    assert plain == {"type": "Trumpeted", "unit": "ceol", "calls": 2}
    form = shape.load(siege_schemas.of_events(rules), text=False)
    assert form.check({"n": 1, "phase": "melee", **plain}) == []
    assert [problem.code for problem in form.check({"n": 1, **plain, "calls": 4})] == ["schema.too-large"]
    node = siege_schemas.of_events(rules)["definitions"]["Trumpeted"]
    assert node["description"] == "A figure blew a trumpet; whoever fled comes to himself."
    assert node["properties"]["calls"] == {
        "description": "How often.",
        "type": "integer",
        "minimum": 1,
        "maximum": 3,
    }


def test_an_event_that_does_not_say_what_it_makes_of_the_battle_is_a_fault() -> None:
    class Forgot(Event, frozen=True):
        unit: str

    with pytest.raises(TypeError, match="Forgot does not say"):
        SIEGE.interface.apply(in_panic("ceol"), Forgot("odo"))
