"""Bombardment: which engines throw stones at which wall on a day, what that does to them, and their repair.

What a blow does to a wall is ``battering``; when engines are given their orders is ``campaign``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from pbem.core.play import Choice, Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.days import Aimed
from pbem.rulesets.siege.state.events import Asked, Bombarded, Chosen, EngineAimed, Repaired, ThingChanged
from pbem.rulesets.siege.state.state import Battle, Thing
from pbem.rulesets.siege.things import battering
from pbem.rulesets.siege.turn import siege_days

Rules = Ruleset[Battle]

ENGINES: Final = ("mangonel", "trebuchet")
"""Kinds of things that throw stones from afar."""
LOSE: Final = "engines-lose"
"""Key of the standing instruction that says which engines lose points first."""


def engines(battle: Battle, side: str) -> list[Thing]:
    """Return the engines of a side that throw stones, by id."""
    return [
        thing for _, thing in sorted(battle.things.items()) if thing.kind in ENGINES and thing.side == side
    ]


def points(rules: Rules, thing: Thing) -> int:
    """Return the destruction points that an engine has left."""
    return max(worth(rules, thing.kind) - thing.lost, 0)


def worth(rules: Rules, kind: str) -> int:
    """Return the destruction points of a whole engine of a kind."""
    own = family.of(rules).days.worth
    return own(rules, kind) if own is not None else int(rules.tables["battering"]["points"][kind])


def unserved(rules: Rules, battle: Battle, names: Sequence[str]) -> Problem | None:
    """Return why some engines are not all served on a day, beside those that are; None if they are."""
    return first_problem(served(rules, battle, names) for served in family.of(rules).days.served)


# --- what an engine may do


@rule("S4.11c")
def strikes_at_the_wall(thing: Thing) -> bool:
    """Tell whether an engine does its work in an assault, at the foot of the wall, and not
    from afar: a ram.
    """
    return thing.kind == "ram"


@rule("S4.23d")
def burnt(battle: Battle, thing: Thing) -> bool:
    """Tell whether fire has destroyed an engine, if only a part of it: then it is out of use for good."""
    return any((hex_, "burnt") in battle.features for hex_ in thing.at)


@rule("S4.23c")
def under_repair(thing: Thing, day: int) -> bool:
    """Tell whether an engine is being repaired on a day, so that its points do not count."""
    return thing.repair_until > day


@rule("S4.21a")
def bound(thing: Thing, day: int) -> bool:
    """Tell whether an engine has its hex for a day, which is but one."""
    return thing.struck == today(day)


def today(day: int) -> str:
    """Return the cursor of the phase in which a day is planned, which an engine notes when it is given its
    hex.
    """
    return f"d{day}.{siege_days.DAY.id}"


def out_of_use(rules: Rules, battle: Battle, thing: Thing) -> Problem | None:
    """Return why an engine does nothing on this day; None if it can."""
    names = {"engine": thing.id}
    if strikes_at_the_wall(thing):
        return Problem(
            "bombardment.ram", names, rule="S4.11c", help="in an assault: " + f"{thing.id} strikes 0404"
        )
    if thing.kind not in ENGINES:
        args = {**names, "kind": thing.title}
        return Problem(
            "bombardment.no-engine", args, rule="S4.11a", help="mangonels and trebuchets throw stones"
        )
    if burnt(battle, thing):
        return Problem("bombardment.burnt", names, rule="S4.23d")
    if under_repair(thing, battle.at.day):
        return Problem("bombardment.repaired", {**names, "day": thing.repair_until}, rule="S4.23c")
    return None


def why_not(rules: Rules, battle: Battle, thing: Thing, hex_: str) -> Problem | None:
    """Return why an engine cannot be given a hex to bombard on this day; None if it can."""
    if problem := out_of_use(rules, battle, thing):
        return problem
    if not points(rules, thing):
        return Problem("bombardment.damaged", {"engine": thing.id}, rule="S4.23a", help=f"repair {thing.id}")
    if bound(thing, battle.at.day):
        return Problem(
            "bombardment.once",
            {"engine": thing.id, "hex": thing.aim},
            rule="S4.21a",
            help="another hex on another day",
        )
    if beside_walls(rules, battle, hex_) is not None:
        return None
    days = family.of(rules).days
    known = days.walls is not None and hex_ in days.walls.hexes(rules, battle)
    problem = None if known else battering.why_not(rules, battle, hex_)
    return problem or first_problem(shield(rules, battle, hex_) for shield in days.shields)


def beside_walls(rules: Rules, battle: Battle, hex_: str) -> Aimed | None:
    """Return what stands in a hex that is no wall and is bombarded too; None where nothing does."""
    return next((aimed for aimed in family.of(rules).days.aims if hex_ in aimed.hexes(battle)), None)


def open_to(rules: Rules, battle: Battle) -> tuple[str, ...]:
    """Return every hex that an engine could be given, the walls first."""
    days = family.of(rules).days
    walls = battering.walls(battle) if days.walls is None else days.walls.hexes(rules, battle)
    others = (hex_ for aimed in days.aims for hex_ in aimed.hexes(battle))
    return tuple(dict.fromkeys((*walls, *others)))


def what_stands(rules: Rules, battle: Battle, hex_: str) -> str:
    """Return what it is called that is bombarded in a hex."""
    aimed, walls = beside_walls(rules, battle, hex_), family.of(rules).days.walls
    if aimed is not None:
        return aimed.what
    return battering.kind_of(battle, hex_) if walls is None else walls.what(rules, battle, hex_)


def chances(rules: Rules, battle: Battle, hex_: str, total: int) -> tuple[int, int]:
    """Return on how many faces of the die so many points take a step from a wall, and on how many they cost
    the engines points.
    """
    own = family.of(rules).days.walls
    asked = battering.chances if own is None else own.chances
    return asked(rules, battle, hex_, total)


def why_no_repair(rules: Rules, battle: Battle, thing: Thing) -> Problem | None:
    """Return why an engine cannot be repaired on this day; None if it can."""
    if problem := out_of_use(rules, battle, thing):
        return problem
    if not thing.lost:
        return Problem("bombardment.whole", {"engine": thing.id}, rule="S4.23b", help="take the line out")
    if bound(thing, battle.at.day):
        return Problem(
            "bombardment.busy",
            {"engine": thing.id, "hex": thing.aim},
            rule="S4.23c",
            help="choose one of the two",
        )
    return None


def aim(play: Play[Battle], name: str, hex_: str) -> None:
    """Give an engine its hex for this day."""
    play.happen(EngineAimed(name, hex_, today(play.state.at.day)))


def repair(play: Play[Battle], name: str) -> None:
    """Take an engine out of use for this day, so that it is whole when that is over."""
    play.happen(ThingChanged(name, repair_until=ready_on(play.state.at.day), rule="S4.23b"))


@rule("S4.23b")
def ready_on(day: int) -> int:
    """Return the day on whose morning an engine is whole that is repaired on a day: the next one, however
    many are repaired.
    """
    return day + 1


def finish_repairs(rules: Rules, play: Play[Battle]) -> None:
    """Make whole, in the morning, what was repaired on the day before."""
    for name, thing in sorted(play.state.things.items()):
        if 0 < thing.repair_until <= play.state.at.day:
            play.happen(Repaired(name, play.state.at.day, "S4.23b"))


# --- the day's work


def bombard(rules: Rules, play: Play[Battle]) -> None:
    """Roll once for each hex that was bombarded on this day, in the order of the hexes, and share out what
    the engines lose.
    """
    for hex_, names in targets(play.state).items():
        counted = [(name, points(rules, play.state.things[name])) for name in names]
        total = together([count for _, count in counted])
        play.happen(Bombarded(hex_, names, total))
        lost, cause = _strike(rules, play, hex_, total)
        if lost:
            lose(rules, play, dict(counted), lost, hex_, cause)


def _strike(rules: Rules, play: Play[Battle], hex_: str, total: int) -> tuple[int, int]:
    """Roll for what stands in a hex, and return the points that the engines lose, and because of what."""
    aimed = beside_walls(rules, play.state, hex_)
    if aimed is not None:
        return aimed.strike(rules, play, hex_, total)
    walls = family.of(rules).days.walls
    if walls is not None:
        return walls.strike(rules, play, hex_, total)
    blow = battering.strike(rules, play, hex_, total, name=f"bombard/{hex_}")
    return blow.lost, blow.cause


@rule("S4.21d")
def targets(battle: Battle) -> Mapping[str, tuple[str, ...]]:
    """Return hex -> the engines that were given it on this day: each hex is rolled for once, however many
    they are.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name, thing in sorted(battle.things.items(), key=lambda entry: (entry[1].aim, entry[0])):
        if thing.kind in ENGINES and bound(thing, battle.at.day):
            found[thing.aim] = (*found.get(thing.aim, ()), name)
    return found


@rule("S4.21b")
def together(counts: Sequence[int]) -> int:
    """Return the points with which engines strike that bombard the same hex: they are added up."""
    return sum(counts)


# --- what the engines lose


def lose(rules: Rules, play: Play[Battle], left: Mapping[str, int], lost: int, hex_: str, cause: int) -> None:
    """Share out the points that a roll costs the engines that bombarded a hex, as their commander wishes."""
    for name, part in shares(left, _order(rules, play, left, lost, hex_), lost):
        before = play.state.things[name].lost
        play.happen(ThingChanged(name, lost=before + part, rule="S4.23a", cause=cause))


@rule("S4.23a")
def shares(left: Mapping[str, int], order: Sequence[str], lost: int) -> list[tuple[str, int]]:
    """Return what each engine loses: as much as it has, one after the other, until nothing
    is left to lose.
    """
    found = []
    for name in order:
        part = min(left[name], lost)
        lost -= part
        if part:
            found.append((name, part))
    return found


def fewest(left: Mapping[str, int], lost: int) -> tuple[str, ...]:
    """Return the fewest engines that can bear a loss; of several such choices the weakest engines, then the
    first names.
    """
    names = sorted(name for name, count in left.items() if count)
    for count in range(1, len(names) + 1):
        able = [some for some in combinations(names, count) if sum(left[name] for name in some) >= lost]
        if able:
            return min(able, key=lambda some: (sum(left[name] for name in some), some))
    return tuple(names)


def _order(
    rules: Rules, play: Play[Battle], left: Mapping[str, int], lost: int, hex_: str
) -> tuple[str, ...]:
    """Return the engines in the order in which they lose points: as instructed or answered, else so that the
    fewest are hurt.
    """
    names = sorted(name for name, count in left.items() if count)
    default = (family.of(rules).days.bears or fewest)(left, lost)
    seat = next(iter(siege_days.commander(play.state)), "")
    standing = play.state.standing.get(seat)
    said = standing.everyone.get(LOSE, "") if standing else ""
    if len(names) < 2 or not seat:
        return default
    if choices.asks(rules, said):
        play.happen(Asked("", seat, LOSE, "", "S4.23a"))
        lettered = tuple(Choice("abcdefghijklmnopqrstuvwxyz"[i], name) for i, name in enumerate(names[:26]))
        why = f"the bombardment of {hex_} costs its engines {lost} points"
        answer = play.ask(
            seat=seat, about=LOSE, unit="", rule="S4.23a", choices=lettered, default=", ".join(default),
            why=why, kind="some", least=1,
            most=len(names),
        )  # fmt: skip
        by_letter = {choice.id: choice.value for choice in lettered}
        named, by = [by_letter.get(part.strip(), part.strip()) for part in answer.value.split(",")], answer.by
    else:
        named = [part.strip() for part in said.split(",")]
        by = "standing" if set(named) & set(names) else "default"
    fit = [name for name in dict.fromkeys(named) if name in names]
    order = tuple(_filled(fit, default, names)) if by != "default" else default
    play.happen(
        Chosen(seat, LOSE, "", ", ".join(name for name, _ in shares(left, order, lost)), by, "S4.23a")
    )
    return order


def _filled(fit: Sequence[str], default: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    yield from dict.fromkeys((*fit, *default, *names))
