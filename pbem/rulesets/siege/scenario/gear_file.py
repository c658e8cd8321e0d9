"""Things as a scenario names them: ladders, engines, barrels, mantlets and wagons, where they begin, and what
a side may prepare.

Which hexes a thing takes up is ``gear.shape``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Path, Problem
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import SIDES, hex_of, split_place
from pbem.rulesets.siege.combat import fire_arrows
from pbem.rulesets.siege.scenario import stable
from pbem.rulesets.siege.scenario.gear import BALLISTA, FACING, LADDER, barred, men, shape
from pbem.rulesets.siege.scenario.scenario_file import names_of
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import deeds
from pbem.rulesets.siege.state.field import Force, Gear, Person, SetupStep, SideInfo, Terrain
from pbem.rulesets.siege.state.state import Battle, Thing
from pbem.rulesets.siege.things import ballista, engines, rams

Rules = Ruleset[Battle]

SUPPLIES: Final = {
    "filled": ("works", "filling moats and breaking walls"),
    "rubble": ("works", "filling moats and breaking walls"),
    fire_arrows.SUPPLY: ("wagons-oil", "counting fire arrows"),
}
"""What a scenario counts for a side -> the module it needs, and what that is for."""
KEYS: Final = ("id", "kind", "side", "at", "in", "by", "facing", "away", "loaded")


class Scene(Struct, frozen=True):
    """What of a scenario has been read before its things are."""

    rules: Rules
    modules: Collection[str]
    sides: Sequence[SideInfo]
    forces: Sequence[Force]
    people: Mapping[str, Person]
    standing: Mapping[str, str]
    """Hex -> the unit in it."""
    paths: Mapping[str, Path]
    """Unit -> where the scenario speaks of it."""
    ground: Mapping[str, Terrain]
    fixtures: Collection[str]
    mark: Callable[[object, Path], str]
    say: Callable[[Problem], None]


def read(
    scene: Scene, entries: Sequence[tuple[Path, Mapping[str, Any]]]
) -> tuple[tuple[Thing, ...], tuple[Gear, ...]]:
    """Return the wagons and all other things of a scenario, and say what is wrong with them."""
    wagons: list[tuple[Path, Mapping[str, Any]]] = []
    found: list[Gear] = []
    known = family.of(scene.rules).kinds
    taken: dict[str, str] = {}
    ids: set[str] = {*scene.fixtures, *(force.id for force in scene.forces)}
    for path, said in entries:
        kind = _word(said.get("kind"))
        if kind not in known or known[kind].built_in:
            named = ", ".join(sorted(name for name, one in known.items() if not one.built_in))
            scene.say(Problem("scenario.thing", {"kind": kind}, (*path, "kind"), help=f"known are {named}"))
            continue
        if known[kind].module not in scene.modules:
            scene.say(
                Problem(
                    "scenario.not-in-force", {"what": kind, "module": known[kind].module}, (*path, "kind")
                )
            )
            continue
        if problem := _name(scene.rules, _word(said.get("id")), ids):
            scene.say(problem.at(*path, "id"))
        ids.add(_word(said.get("id")))
        if kind == stable.WAGON:
            wagons.append((path, said))
        else:
            found.append(_gear(scene, path, said, kind, taken))
    drawn = (
        stable.wagons(
            wagons, scene.ground, scene.forces, scene.people, {**scene.standing, **taken}, scene.say
        )
        if scene.ground
        else ()
    )
    paths = {**scene.paths, **{_word(said.get("id")): path for path, said in entries}}
    for id_, problem in unborne(scene, found):
        scene.say(problem.at(*paths[id_], "at"))
    return drawn, tuple(found)


def unborne(scene: Scene, every: Sequence[Gear]) -> Iterator[tuple[str, Problem]]:
    """Yield who and what begins above a hex over which nothing stands that could bear it."""
    known = family.of(scene.rules).kinds
    bearing = {hex_ for one in every if known[one.thing.kind].over is not None for hex_ in one.thing.at}
    placed = [(one.thing.id, one.thing.at) for one in every]
    for id_, at in (*((force.id, force.at) for force in scene.forces), *placed):
        for hex_, storey in map(split_place, at):
            if storey and hex_ not in bearing:
                names = {"thing": id_, "hex": hex_}
                yield id_, Problem("scenario.nothing-there", names, help=f"write {hex_}")


def form(kind: str) -> str:
    """Return how the place of a thing is written."""
    if kind == LADDER:
        return "two hexes next to each other, such as 0301 0401"
    if kind in engines.KINDS:
        return "its front hex and the side it looks to, such as 0712 facing n"
    return "one hex, such as 0712" + (" facing n" if kind in FACING else "")


def _name(rules: Rules, id_: str, ids: Collection[str]) -> Problem | None:
    if not stable.NAME.fullmatch(id_):
        return Problem(
            "scenario.name", {"name": id_}, help="small letters, digits and hyphens, such as ladder1"
        )
    if id_ in deeds(rules).reserved:
        return Problem("scenario.reserved", {"name": id_})
    return Problem("scenario.id-twice", {"name": id_}) if id_ in ids else None


def _gear(scene: Scene, path: Path, said: Mapping[str, Any], kind: str, taken: dict[str, str]) -> Gear:
    """Read one thing that is not a wagon."""
    id_, side = _word(said.get("id")), _word(said.get("side"))
    if all(info.id != side for info in scene.sides):
        help_ = names_of(scene.sides)
        scene.say(
            Problem(
                "scenario.unknown-side",
                {"side": side},
                (*path, "side") if "side" in said else path,
                help=help_,
            )
        )

    by = _words(said.get("by"))
    where = [key for key in ("at", "in") if said.get(key) not in (None, "")]
    loaded = _loaded(scene, path, said, kind)

    nature = family.of(scene.rules).kinds[kind]
    if nature.afar or (nature.far_too and _word(said.get("away")) == "true"):
        if where or by or _word(said.get("away")) == "false":
            key = (where or (["by"] if by else ["away"]))[0]
            scene.say(
                Problem(
                    "scenario.thing-away",
                    {"thing": id_, "kind": kind},
                    (*path, key),
                    rule="S4.11b",
                    help="write  away: true",
                )
            )
        return Gear(Thing(id_, kind, away=True, side=side))

    if _word(said.get("away")) == "true":
        help_ = "only mangonels and trebuchets work from afar"
        scene.say(Problem("scenario.thing-here", {"thing": id_, "kind": kind}, (*path, "away"), help=help_))

    if len(where) != 1 and not (by and not where):
        scene.say(
            Problem(
                "scenario.where",
                {"unit": id_, "found": len(where)},
                path,
                help="write one of: at: HEX, in: MARK",
            )
        )
        return Gear(Thing(id_, kind, side=side))

    if where == ["in"]:
        if by:
            help_ = "leave it out: whoever is placed in its hexes has it in his hands"
            scene.say(Problem("scenario.thing-by-placed", {"thing": id_}, (*path, "by"), help=help_))
        return Gear(Thing(id_, kind, side=side, loaded=loaded), scene.mark(said["in"], (*path, "in")))

    facing, at = _place(scene, path, said, kind, by)
    over = family.of(scene.rules).kinds[kind].over
    for problem in _standing(scene, id_, kind, at, {} if over else taken):
        scene.say(problem.at(*path, "at" if where else "by"))
    if over is None:
        taken.update(dict.fromkeys(at, id_))
    elif at and all(hex_ in scene.ground for hex_ in at) and (problem_ := over(scene.ground, at)):
        scene.say(problem_.at(*path, "at" if where else "by"))
    for problem in carriers(scene, id_, kind, side, at, by):
        scene.say(problem.at(*path, "by"))

    stands = "carried" if by and kind == LADDER else ""
    thing = Thing(id_, kind, at, facing, stands, by, loaded=loaded, side=side)
    if family.of(scene.rules).kinds[kind].drawn and at:
        thing = replace(thing, hitched=_words(said.get("hitched")))
        for problem in in_harness(scene, thing):
            scene.say(problem.at(*path, "hitched"))
    return Gear(thing)


def _loaded(scene: Scene, path: Path, said: Mapping[str, Any], kind: str) -> int:
    """Return how far a ballista is loaded as the game begins; other things are never."""
    word = _word(said.get("loaded")) or "0"
    full = ballista.loaded_with(scene.rules)
    if word not in map(str, range(full + 1)) or (word != "0" and kind != BALLISTA):
        help_ = f"a ballista may be loaded 0 to {full}; leave it out for all else"
        scene.say(
            Problem(
                "scenario.loaded",
                {"thing": _word(said.get("id")), "value": word},
                (*path, "loaded"),
                help=help_,
            )
        )
        return 0
    return int(word)


def _place(
    scene: Scene, path: Path, said: Mapping[str, Any], kind: str, by: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the side that a thing looks to, and its hexes: those that are named, or those
    of its carriers.
    """
    names = {"thing": _word(said.get("id")), "kind": kind}
    words, facing = list(_words(said.get("at"))), _word(said.get("facing"))
    if len(words) > 2 and words[-2] == "facing":
        facing, words = words[-1], words[:-2]
    if not words:
        where = {force.id: force.at for force in scene.forces}
        words = [where[name][0] for name in by if where.get(name)]
        if len(words) < len(by):
            return facing, ()
    if facing and (kind not in FACING or facing not in SIDES):
        code = "scenario.thing-facing" if kind in FACING else "scenario.thing-no-facing"
        help_ = "n, ne, se, s, sw or nw" if kind in FACING else "leave it out"
        scene.say(
            Problem(
                code, {**names, "facing": facing}, (*path, "facing" if "facing" in said else "at"), help=help_
            )
        )
        return "", ()
    if kind in FACING and not facing:
        scene.say(Problem("scenario.thing-facing", {**names, "facing": ""}, (*path, "at"), help=form(kind)))
        return "", ()
    found = shape(scene.rules, kind, words, facing)
    if not found:
        scene.say(
            Problem("scenario.thing-shape", names, (*path, "at" if "at" in said else "by"), help=form(kind))
        )
    return facing, found


def _standing(
    scene: Scene, id_: str, kind: str, at: Sequence[str], taken: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield why a thing cannot begin in some hexes: they are off the map, no ground for it, or another thing
    or a man is there.
    """
    for hex_ in at:
        names = {"unit": id_, "hex": hex_}
        ground = scene.ground.get(hex_of(hex_))
        if ground is None and scene.ground:
            yield Problem("scenario.off-map", names)
        elif ground is not None and hex_of(hex_) == hex_ and barred(kind, ground):
            yield Problem(
                "scenario.thing-ground", {"thing": id_, "kind": kind, "hex": hex_, "terrain": ground.title}
            )
        elif hex_ in taken:
            yield Problem("scenario.occupied", {**names, "other": taken[hex_]})
        elif kind == BALLISTA and hex_ in scene.standing:
            yield Problem("scenario.occupied", {**names, "other": scene.standing[hex_]}, rule="S3.43c")


def carriers(
    scene: Scene, id_: str, kind: str, side: str, at: Sequence[str], by: Sequence[str]
) -> Iterator[Problem]:
    """Yield why some figures do not carry a thing: they are not men of its side, too many or too few, or
    stand elsewhere.
    """
    if not by:
        return
    wanted = men(scene.rules, kind)
    if len(by) != wanted:
        help_ = {0: "nobody carries it", 1: "one man carries it"}.get(wanted, f"{wanted} men carry it")
        yield Problem("scenario.carriers", {"thing": id_, "kind": kind, "count": len(by)}, help=help_)
        return
    forces = {force.id: force for force in scene.forces}
    for name, hex_ in zip(by, at or ("",) * len(by), strict=False):
        force = forces.get(name)
        who = scene.people.get(force.person) if force else None
        if force is None or who is None or who.kind != "man" or force.side != side or force.on:
            yield Problem(
                "scenario.carrier",
                {"thing": id_, "unit": name, "side": side},
                help="name men of its own side, on foot",
            )
        elif force.at != (hex_,) if hex_ else not force.at:
            help_ = "each of its carriers stands in one of its hexes, in the same order"
            yield Problem("scenario.carrier-where", {"thing": id_, "unit": name}, help=help_)


def in_harness(scene: Scene, engine: Thing) -> Iterator[Problem]:
    """Yield why some animals do not begin in harness before an engine: they are no oxen, or stand
    elsewhere.
    """
    forces = {force.id: force for force in scene.forces}
    for name in engine.hitched:
        force = forces.get(name)
        who = scene.people.get(force.person) if force else None
        if force is None or who is None or who.kind != "ox":
            yield Problem("scenario.no-draught", {"wagon": engine.id, "name": name}, help="oxen draw engines")
        elif force.at[-1:] not in [(hex_,) for hex_ in rams.in_front(engine)]:
            yield Problem("wagons.out-of-place", {"led": name, "wagon": engine.id})


def unplaced(gear: Sequence[Gear], steps: Sequence[SetupStep]) -> Iterator[Problem]:
    """Yield the things that begin in a mark of which no step of the setup lets their side place anything."""
    placing = {side for step in steps if "place" in step.may for side in step.sides}
    for entry in gear:
        if entry.within and entry.thing.side not in placing:
            help_ = f"add under setup:  - {{seat: {entry.thing.side}, may: [place]}}"
            yield Problem(
                "scenario.unplaced",
                {"unit": entry.thing.id, "side": entry.thing.side},
                ("setup",),
                help=help_,
                key=True,
            )


def supplies(
    said: Mapping[str, Any], scene: Scene, has: Callable[[object, Path], Mapping[str, Any]]
) -> dict[str, dict[str, int]]:
    """Return side -> how many moats it may fill and walls it may break in the setup, and how many fire arrows
    each of its archers has.
    """
    found: dict[str, dict[str, int]] = {}
    for side, amounts in said.items():
        path: Path = ("supplies", side)
        if all(info.id != side for info in scene.sides):
            help_ = names_of(scene.sides)
            scene.say(Problem("scenario.unknown-side", {"side": str(side)}, path, help=help_, key=True))
            continue
        counted = has(amounts, path)
        for module, why in dict.fromkeys(SUPPLIES[what] for what in counted if what in SUPPLIES):
            if module not in scene.modules:
                scene.say(Problem("scenario.not-in-force", {"what": why, "module": module}, path, key=True))
        for what, count in counted.items():
            if what not in SUPPLIES:
                scene.say(
                    Problem(
                        "scenario.supply",
                        {"what": str(what)},
                        (*path, what),
                        help="filled, rubble and fire-arrows",
                        key=True,
                    )
                )
            elif not str(count).isdigit() or len(str(count)) > 3:
                scene.say(
                    Problem(
                        "scenario.number",
                        {"value": _word(count)},
                        (*path, what),
                        help="a whole number such as 6",
                    )
                )
            else:
                found.setdefault(str(side), {})[what] = int(str(count))
    return found


def _words(value: object) -> tuple[str, ...]:
    """Return the words of a scalar, parted by blanks or commas, or those of a list."""
    if isinstance(value, list | tuple):
        return tuple(_word(word) for word in value)
    return tuple(_word(value).replace(",", " ").split())


def _word(value: object) -> str:
    return "" if value is None or isinstance(value, Mapping | list | tuple) else str(value)
