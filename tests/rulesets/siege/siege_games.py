"""Whole games of a scenario, ordered at random from what is legal, with dice that follow a number."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from pbem.bots import paper
from pbem.core.ruleset import Ruleset, SlotResult, choose, play_slot
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.orders import Act, Attack
from pbem.rulesets.siege.state.state import Battle

SCENARIOS = Path(__file__).resolve().parents[3] / "scenarios" / "cry_havoc"
HEADINGS = {
    "setup": "setup",
    "first_missile": "shoot",
    "movement": "move",
    "second_archery": "shoot-again",
    "melee": "fight",
}
STANDING = (
    {"retreat": "away", "advance": "into", "wound": "weakest"},
    {"retreat": "cover", "advance": "if-safe", "wound": "strongest"},
    {"retreat": "away", "advance": "never"},
)


class Chance:
    """Dice whose faces follow a number and the label, and nothing else."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return faces for a label."""
        chance = random.Random(f"{self.seed} {label}")
        return tuple(chance.randint(1, sides) for _ in range(count))


class Slot(Struct, frozen=True):
    """One slot of a game: what it began with, who ordered what, and what came of it."""

    rules: Ruleset[Battle]
    before: Battle
    files: dict[str, tuple[Any, ...]]
    new: dict[str, tuple[Any, str]]
    dice: Chance
    result: SlotResult[Battle]

    def again(self) -> SlotResult[Battle]:
        """Play the slot once more."""
        return play_slot(self.rules, self.before, self.files, self.new, self.dice)


def plain(path: Path) -> dict[str, Any]:
    """Return a YAML file with all its scalars as text."""
    return dict(yaml.load(path.read_text("utf-8"), yaml.BaseLoader))


def begin(name: str, **options: str) -> tuple[Ruleset[Battle], Battle]:
    """Return the rules and the first state of a scenario, with its own options but for
    those that are given.
    """
    scenario = plain(SCENARIOS / f"{name}.yaml")
    rules, problems = choose(CRY_HAVOC, scenario["modules"], {**scenario["options"], **options})
    assert rules is not None, problems
    field, wrong, wrong_map = rules.interface.read_field(
        rules, scenario, plain(SCENARIOS / "maps" / f"{scenario['map']}.yaml")
    )
    assert field is not None, (wrong, wrong_map)
    return rules, rules.interface.setup(rules, field, {side.id: side.id for side in field.sides})


def slots(name: str, seed: int, count: int, **options: str) -> Iterator[Slot]:
    """Yield so many slots of a game, each of one phase, until it ends."""
    rules, battle = begin(name, **options)
    chance, dice = random.Random(seed), Chance(seed)
    for number in range(count):
        if rules.interface.over(battle):
            return
        seats = rules.interface.seats_to_order(rules, battle)
        files, new = {}, {}
        for seat in seats:
            data = paper.accepted(rules, battle, seat, _orders(rules, battle, seat, chance))
            file, problems = rules.interface.read_orders(rules, battle, seat, data)
            assert file is not None, (data, problems)
            assert [
                problem
                for problem in rules.interface.check(rules, battle, file, ()).problems
                if not problem.is_doubt
            ] == [], data
            files[seat], new[seat] = (file,), (file, "sha512:" + f"{number:0128x}")
        result = play_slot(rules, battle, files, new, dice)
        yield Slot(rules, battle, files, new, dice, result)
        assert result.question is None
        battle = result.state


def _orders(rules: Ruleset[Battle], battle: Battle, seat: str, chance: random.Random) -> dict[str, Any]:
    """Return a file for the open phase: for most figures one of their legal deeds, together with standing
    instructions.
    """
    deeds: dict[str, list[Any]] = {}
    for order in rules.interface.legal(rules, battle, seat):
        if isinstance(order, Act) and order.do in ("leave", "stay"):
            continue
        who = order.who if isinstance(order.who, str) else order.who[0]
        deeds.setdefault(who, []).append(order)
    lines, used, places = [], set(), set()
    for who in sorted(deeds):
        order = chance.choice(deeds[who])
        names = set(order.who if isinstance(order, Attack) else (who,))
        place = getattr(order, "to", None) or (getattr(order, "at", ()) if battle.at.phase == "setup" else ())
        if chance.random() < 0.2 or names & used or (place and place in places):
            continue
        used |= names
        places.add(place)
        lines.append(rules.interface.say(order))
    heading = HEADINGS[battle.at.phase]
    data: dict[str, Any] = {"turn": str(battle.at), "standing": {"everyone": dict(chance.choice(STANDING))}}
    return {**data, heading: lines} if lines else data
