"""Horses, animals, bystanders and wagons as a scenario names them: which hexes they take up, who rides whom,
and what they need.

What else a scenario says is read by ``scenario``; where its seats may place them is ``setup``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.geometry.hex import NotAPlace, neighbour, opposite, side_between
from pbem.rulesets.siege.state.field import Force, Person, Terrain
from pbem.rulesets.siege.state.state import Thing
from pbem.rulesets.siege.things.mounting import rides
from pbem.text.similar import did_you_mean

HORSE, WAGON, SIDES = "horse", "wagon", ("n", "ne", "se", "s", "sw", "nw")
NAME: Final = regex(r"[a-z][a-z0-9-]{0,23}")
"""What figures and things may be called."""
NEEDS: Final[Mapping[str, str]] = {
    "horse_alone": "riders",
    "draught_horse": "wagons",
    "ox": "wagons",
    "pack_donkey": "wagons",
}
"""Class of an animal -> the module its rules belong to."""


def two_hexes(words: Sequence[str], facing: str) -> tuple[str, ...]:
    """Return head and tail of ``0712 0713``, ``0712 facing n`` or ``0712`` with a facing beside it; nothing
    for anything else.
    """
    if len(words) == 3 and words[1] == "facing":
        words, facing = words[:1], words[2]
    try:
        if len(words) == 2 and not facing and side_between(words[1], words[0]):
            return (words[0], words[1])
        if len(words) == 1 and facing in SIDES and (tail := neighbour(words[0], opposite(facing))):
            return (words[0], tail)
    except NotAPlace:
        return ()
    return ()


def needs(
    said: Mapping[str, Any], who: Person | None, modules: Collection[str], path: Path
) -> Iterator[Problem]:
    """Yield what a unit has that no module of the scenario brings: horses and riders, draught animals,
    bystanders.
    """
    module = NEEDS.get(who.class_, "") if who is not None else ""
    wanted: list[tuple[str, str, tuple[str, ...]]] = (
        [("person", who.name if who else "", (module,))] if module else []
    )
    wanted += [("on", "riding", ("riders",))] if said.get("on") not in (None, "") else []
    led = ("riders", "wagons")
    wanted += [
        (key, "a bystander", led)
        for key in ("neutral", "held-by")
        if said.get(key) not in (None, "", "false", False)
    ]
    for key, what, some in wanted:
        if not set(some) & set(modules):
            yield Problem("scenario.not-in-force", {"what": what, "module": " or ".join(some)}, (*path, key))
    two = who is not None and who.kind == HORSE
    if said.get("facing") not in (None, "") and not two:
        yield Problem(
            "scenario.facing", {"unit": str(said.get("id", ""))}, (*path, "facing"), help="leave it out"
        )


def riders(
    forces: Sequence[Force], people: Mapping[str, Person], paths: Mapping[str, Path]
) -> Iterator[Problem]:
    """Yield who is put on a horse that is none, or none of his side's, or another's; or who does not ride at
    all.
    """
    by_id = {force.id: force for force in forces}
    ridden: dict[str, str] = {}
    for force in forces:
        if not force.on:
            continue
        path = (*paths[force.id], "on")
        horse, rider = by_id.get(force.on), people.get(force.person)
        names = {"unit": force.id, "horse": force.on}
        own = [(other.id, people.get(other.person)) for other in forces if other.side == force.side]
        known = [id_ for id_, who in own if who is not None and who.kind == HORSE]
        if horse is None or force.on not in known:
            help_ = did_you_mean(force.on, known) or (
                "horses of his side are " + ", ".join(known) if known else "his side has no horse"
            )
            yield Problem("scenario.no-horse", names, path, help=help_)
        elif force.on in ridden:
            yield Problem("scenario.ridden", {**names, "other": ridden[force.on]}, path)
        elif rider is not None and not rides(rider):
            yield Problem("scenario.no-rider", names, path, rule="S3.33c", help="only knights ride")
        ridden.setdefault(force.on, force.id)


def wagons(
    entries: Sequence[tuple[Path, Mapping[str, Any]]],
    ground: Mapping[str, Terrain],
    forces: Sequence[Force],
    people: Mapping[str, Person],
    standing: Mapping[str, str],
    say: Callable[[Problem], None],
) -> tuple[Thing, ...]:
    """Return the wagons of a scenario, each in two hexes with the animals before it; say what is wrong with
    one.
    """
    found: list[Thing] = []
    taken = dict(standing)
    by_id = {force.id: force for force in forces}
    for path, said in entries:
        id_, value = str(said.get("id", "")), said.get("at", "")
        words = [str(word) for word in value] if isinstance(value, list | tuple) else str(value).split()
        at = two_hexes(words, str(said.get("facing", "") or ""))
        if not at or any(hex_ not in ground for hex_ in at):
            say(
                Problem(
                    "scenario.two-hexes",
                    {"unit": id_},
                    (*path, "at"),
                    help="such as 0712 0713, or 0712 facing n",
                )
            )
            continue

        for hex_ in at:
            if ground[hex_].mp_horse is None:
                say(
                    Problem(
                        "scenario.ground",
                        {"unit": id_, "hex": hex_, "terrain": ground[hex_].title},
                        (*path, "at"),
                    )
                )
            elif hex_ in taken:
                say(
                    Problem(
                        "scenario.occupied", {"unit": id_, "hex": hex_, "other": taken[hex_]}, (*path, "at")
                    )
                )
            taken.setdefault(hex_, id_)

        hitched = said.get("hitched") or ()
        team = tuple(
            str(name) for name in (hitched if isinstance(hitched, list | tuple) else str(hitched).split())
        )

        for name in team:
            force = by_id.get(name)
            who = people.get(force.person) if force else None
            if force is None or who is None or who.kind not in (HORSE, "ox"):
                say(
                    Problem(
                        "scenario.no-draught",
                        {"wagon": id_, "name": name},
                        (*path, "hitched"),
                        help="oxen and horses draw wagons",
                    )
                )
            elif not before(at, force.at):
                say(
                    Problem(
                        "wagons.out-of-place", {"led": name, "wagon": id_}, (*path, "hitched"), rule="S5.11b"
                    )
                )

        found.append(Thing(id_, WAGON, at, side_between(at[1], at[0]) or "", hitched=team))
    return tuple(found)


def before(wagon: Sequence[str], animal: Sequence[str]) -> bool:
    """Tell whether an animal stands with its rear in a hex before a wagon."""
    ahead = SIDES.index(side_between(wagon[1], wagon[0]) or "n")
    return bool(animal) and animal[-1] in {
        neighbour(wagon[0], SIDES[(ahead + turn) % 6]) for turn in (-1, 0, 1)
    }
