"""Strongholds: a small priory beside a castle wall with everything on it that The Anarchy knows, made from a
chance as the ``given`` of a case.

Walls, moat, door and windows are always the same; who and what stands where, and how, is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.bots.chance import Chance
from pbem.geometry.hex import NotAPlace, neighbour, neighbours, opposite
from pbem.rulesets.anarchy import oxen, roofs
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.rulesets.siege.state.state import Thing
from pbem.rulesets.siege.things.engines import footprint

PLAN = (
    ". . . . . . . .",
    ". . . . . . . .",
    ". . . . . . . .",
    ". . . . . . . .",
    ". . . . . . . .",
    ". . . . . . . .",
    ". . . . ~ ~ ~ ~",
    "h V d h B B B B",
    "r r r h , s , ,",
)
KEY = {
    ".": "flat", "s": "stairs", "~": "moat", "h": "building_wall", "V": "church_window", "d": "doorway", "r": "building_interior",
    "u": "furniture", "B": "battlement", ",": "courtyard", "t": "tree", "b": "scrub", "/": "slope", "x": "tent", "P": "platform",
}  # fmt: skip
ROUGH = ".......tb/x"
DOOR, OUT = "0308", "nw n ne"
STAGING = ("0207", "0307")
BRIDGE = "0707"
PLATFORM = "0808"
HUNG = ("0507", "0607")
MEN = (
    "sergeant",
    "spearman",
    "man_at_arms",
    "peasant",
    "crossbowman",
    "shortbowman",
    "staff_slinger",
    "spear_thrower",
    "technician",
    "average_knight",
)
STATES = ("healthy",) * 5 + ("wounded", "stunned", "dead")
PHASES = ("movement", "offensive_fire", "melee")
SIDES = ("n", "ne", "se", "s", "sw", "nw")


def stronghold(chance: Chance, phase: str, most: int = 7) -> dict[str, Any]:
    """Return one, in which east orders in its second turn: at most so many men and oxen, and what they have
    with them.
    """
    board = _Stronghold(chance)
    board.engine()
    board.woodwork()
    board.loads()
    board.fires()
    if board.often(3) == 0:
        board.knight()
    board.men(most)
    board.prisoner()
    if board.often(3) == 0:
        board.newcomer()
    board.planks()
    counted = {"east": {"fire-arrows": chance.one_of("02")}} if board.often(3) == 0 else {}
    rows = [" ".join(board.words[f"{c:02}{r:02}"] for c in range(1, 9)) for r in range(1, len(PLAN) + 1)]
    return {
        "map": rows,
        "key": {word: ground for word, ground in KEY.items() if any(word in row.split() for row in rows)},
        "map-sides": {"parapet": {"n": "0508 0608 0708 0808", "ne": "0508 0708", "nw": "0508 0708"}},
        "bridges": [{"great-door": "door", "hexes": DOOR, "sides": OUT, "starts": "closed"}],
        "units": board.units,
        "things": board.things,
        "features": board.features,
        "supplies": counted,
        "marks": {"edge": "0101 0201 0301", "gate": "0101 0801"},
        "at": f"t2.east.{phase}",
        "enters": {"east": "edge", "west": "edge"},
    }


class _Stronghold:
    """Where somebody or something may still be put."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.words = {
            f"{c:02}{r:02}": word for r, row in enumerate(PLAN, 1) for c, word in enumerate(row.split(), 1)
        }
        self.words |= {
            place: chance.one_of(ROUGH)
            for place, word in self.words.items()
            if word == "." and place not in STAGING
        }
        self.units: dict[str, dict[str, Any]] = {}
        self.things: list[dict[str, Any]] = []
        self.features: list[dict[str, str]] = []
        self.taken: set[str] = set()

    def often(self, of: int = 2) -> bool:
        """Tell whether something is there: once in so many times it is not."""
        return self.chance.below(of) > 0

    def open(self, words: str = ".tbrdu,sBV~") -> list[str]:
        """Return the places where a man may be put."""
        return sorted(p for p, word in self.words.items() if word in words and p not in self.taken)

    def put(self, side: str, place: str, class_: str = "", state: str = "", **more: Any) -> str:
        """Put somebody in a place; return his name, by which each side comes first now and then."""
        id_ = f"{self.chance.one_of('abc')}{len(self.units)}"
        class_ = class_ or self.chance.one_of(MEN)
        said = {"side": side, "class": class_, "at": place, "state": state or self.chance.one_of(STATES)}
        self.units[id_] = {**said, **more}
        self.taken.add(place)
        return id_

    def planks(self) -> None:
        """Let the end of the wall be a platform now and then, which may burn or have lost its planks."""
        if self.often():
            return
        self.words[PLATFORM] = "P"
        free = PLATFORM not in self.taken
        became = self.chance.one_of(("", "", "fire", *(("stripped",) if free else ())))
        if became == "fire":
            self.features.append({"at": PLATFORM, "is": became, "turns": "1", "lit_by": "west"})
        elif became:
            self.features.append({"at": PLATFORM, "is": became})

    def woodwork(self) -> None:
        """Hang the door, and put up scaffold, ladder and bridge."""
        stands = self.chance.one_of(("closed", "closed", "closed", "open", "broken"))
        door = {"id": "great-door", "kind": "door", "at": DOOR, "stands": stands}
        if stands == "closed" and self.often():
            crew = [self.put("east", p, state="healthy") for p in self.some(("0207", "0307", "0407"), 2)]
            door |= {"crew": " ".join(crew), "struck": "t1.east.recovery"} if self.often() else {}
        elif stands != "broken" and self.often():
            self.put("east", DOOR, state="healthy")
        self.things.append(door)
        if self.often():
            at = " ".join(STAGING)
            self.things.append({"id": "scaffold", "kind": "scaffold", "side": "east", "at": at})
            if self.often():
                self.put("east", f"{self.chance.one_of(STAGING)}@top")
        self.ladder()
        if self.often():
            self.hoarding()
        for place in self.some((BRIDGE,), self.often(3)):
            self.bridge(place)

    def hoarding(self) -> None:
        """Hang a hoarding before the wall, with somebody on it, somebody beneath, and stones to throw."""
        at = [place for place in HUNG if place not in self.taken and not self.holds(place)]
        if not at:
            return
        side = self.chance.one_of(("east", "east", "west"))
        self.things.append({"id": "hoarding", "kind": "hoarding", "side": side, "at": " ".join(at)})
        if self.often():
            self.put(side, f"{self.chance.one_of(at)}@top")
        for beneath in self.some(at, self.often()):
            self.put("west", beneath)
        for stones in self.some(self.open("B"), self.often(3)):
            self.things.append({"id": "stones1", "kind": "stones", "side": "east", "at": stones})
            for beside in self.some((stones, *neighbours(stones)), 2):
                self.put("east", beside, state="healthy")

    def holds(self, place: str) -> bool:
        """Tell whether a thing stands in a place already."""
        return any(place in str(thing["at"]).split() for thing in self.things)

    def bridge(self, place: str) -> None:
        """Put a bridge over the moat, whole or destroyed, and two men beside it."""
        bridge = {
            "id": "bridge1",
            "kind": "bridge",
            "side": self.chance.one_of(("east", "west")),
            "at": place,
        }
        if self.often():
            self.taken.add(place)
            bridge["stands"] = "destroyed"
        self.things.append(bridge)
        for beside in self.some(neighbours(place), 2):
            self.put("east", beside, state="healthy")

    def some(self, places: Sequence[str], count: int) -> Iterator[str]:
        """Yield so many of some places that are open."""
        left = [place for place in places if place in self.open()]
        for _ in range(min(count, len(left))):
            yield left.pop(self.chance.below(len(left)))

    def ladder(self) -> None:
        """Lean a ladder on the wall or the scaffold, lay one down, or have it carried."""
        how = self.chance.below(4)
        ladder = {"id": "ladder1", "kind": "ladder", "side": "east"}
        if how == 1:
            foot = self.chance.one_of(("0507", "0607", "0807"))
            self.things.append({**ladder, "at": foot, "stands": "raised", "facing": "s"})
            if self.often():
                self.put("east", foot)
        elif how:
            for one in self.some(self.open(".~"), 1):
                for other in self.some(neighbours(one), 1):
                    if other not in self.open(".~"):
                        continue
                    held = how == 3
                    there = held or self.often()
                    by = [self.put("east", p, state="healthy") for p in (one, other)] if there else []
                    carried = {"by": " ".join(by), "stands": "carried"} if held else {}
                    self.things.append({**ladder, "at": f"{one} {other}", **carried})

    def loads(self) -> None:
        """Put down a cauldron by the wall, or in the field where two can bear it, chest and mantlet, or give them to
        men.
        """
        pot = self.chance.one_of(("0608", "0609", "0709", "0708", "0304"))
        pairs = [
            (one, other)
            for side in SIDES
            if (one := _beside(pot, side)) and (other := _beside(pot, opposite(side)))
        ]
        pairs = [pair for pair in pairs if {*pair} <= {*self.open()}]
        if pairs and self.often(3):
            men = [self.put("east", place, state="healthy") for place in self.chance.one_of(pairs)]
            by = {"by": " ".join(men), "crew": " ".join(men)} if self.often(3) == 0 else {}
            self.taken.add(pot)
            self.things.append({"id": "cauldron1", "kind": "cauldron", "side": "east", "at": pot, **by})
        for kind, words in (("chest", "r.,"), ("mantlet", ".")):
            for place in self.some(self.open(words), self.often()):
                look = {"facing": self.chance.one_of(SIDES)} if kind == "mantlet" else {}
                man = self.put("east", place, state="healthy") if self.often(3) else ""
                by = {"by": man} if man and self.often() else {}
                self.things.append({"id": kind, "kind": kind, "side": "east", "at": place, **look, **by})

    def engine(self) -> None:
        """Put a ram or a tower on the field with oxen before it, a cart, or a ballista."""
        kind = self.chance.one_of(
            ("ram", "siege-tower", "ram", "siege-tower", "wagon", "ballista", "ballista", "")
        )
        if kind == "ballista":
            for place in self.some(self.open("."), 1):
                loaded = str(self.chance.below(4))
                self.taken.add(place)
                engine = {"id": "ballista1", "kind": kind, "side": "east", "at": place}
                self.things.append({**engine, "facing": "s", "loaded": loaded})
                for number, beside in enumerate(self.some(neighbours(place), 4 if self.often() else 2)):
                    self.put("east", beside, "" if number else "technician", "healthy")
        elif kind == "wagon":
            self.team("cart", kind, ("0501", "0502"), "n", ("0401",))
        elif kind:
            spots = list(self.spots(kind))
            if spots:
                self.team("engine1", kind, *self.chance.one_of(spots))

    def spots(self, kind: str) -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
        """Yield where an engine may stand on the field, to which side, with two oxen before it."""
        field = [place for place in self.open(".tb/x") if place not in (*STAGING, "0507", "0607", "0807")]
        for front in field:
            for facing in SIDES:
                try:
                    at = footprint(ANARCHY, kind, front, facing)
                except NotAPlace:
                    continue
                before = oxen.before(Thing("", kind, at, facing=facing)) if at else ()
                if at and len(before) > 1 and {*at, *before[:2]} <= {*field}:
                    yield at, facing, before[:2]

    def team(self, id_: str, kind: str, at: tuple[str, ...], facing: str, team: tuple[str, ...]) -> None:
        """Put a thing with its team, harnessed or beside it, and somebody with them."""
        if not self.taken.isdisjoint((*at, *team)):
            return
        self.words |= dict.fromkeys((*at, *team), ".")
        beasts = [self.put("east", place, "ox", "healthy") for place in team]
        hitched = " ".join(beasts if self.often() else beasts[: self.chance.below(len(beasts) + 1)])
        beam = roofs.middle(Thing(id_, kind, at, facing=facing)) if kind == "ram" else ()
        self.taken |= {*beam}
        for place in (
            *(at if kind != "wagon" else ()),
            *(beside for ox in team for beside in neighbours(ox)),
        ):
            if place not in self.taken and self.words.get(place) == "." and self.often():
                self.put("east", place, state="healthy")
        self.taken |= {*at}
        engine = {"id": id_, "kind": kind, "side": "east", "at": " ".join(at), "facing": facing}
        self.things.append({**engine, "hitched": hitched})

    def fires(self) -> None:
        """Set fire to a tent now and then."""
        for place in sorted(place for place, word in self.words.items() if word == "x"):
            if place not in self.taken and self.often():
                self.features.append({"at": place, "is": "fire", "turns": "1", "lit_by": "west"})
                self.taken.add(place)

    def knight(self) -> None:
        """Let a knight of the west stand alone between two strong men of the east."""
        for place in self.some(self.open(".,r"), 1):
            ring = list(self.some(neighbours(place), 6))
            if len(ring) > 1 and not any(said["at"] in neighbours(place) for said in self.units.values()):
                self.put("west", place, "average_knight", "healthy")
                for beside in ring[:2]:
                    self.put("east", beside, "sergeant", "healthy", attack=40)

    def men(self, most: int) -> None:
        """Put in whoever is left, most of them near somebody; at least two enemies."""
        for number in range(max(2, most - len(self.units))):
            near = [p for p in self.open() if any(p in neighbours(u["at"][:4]) for u in self.units.values())]
            side = "west" if number < 2 else self.chance.one_of(("east", "west", "west"))
            for place in self.some(near if near and self.often(4) else self.open(), 1):
                self.put(side, place)

    def newcomer(self) -> None:
        """Let somebody come onto the map in this turn."""
        self.units["newcomer"] = {
            "side": "east",
            "class": self.chance.one_of(MEN),
            "enters": "true",
            "turn": "2",
        }

    def prisoner(self) -> None:
        """Let somebody be a prisoner, or without his arms."""
        men = [id_ for id_, said in sorted(self.units.items()) if said["class"] != "ox"]
        held = {by for thing in self.things for by in str(thing.get("by", "")).split()}
        id_ = self.chance.one_of([*(id_ for id_ in men if id_ not in held), ""])
        if id_ and self.units[id_]["state"] in ("healthy", "wounded") and self.often():
            said = self.units[id_]
            other = "east" if said["side"] == "west" else "west"
            said |= {"disarmed": "true", **({"captive_of": other} if self.often() else {})}
            for place in self.some(neighbours(said["at"][:4]), 1):
                self.put("west", place, state="dead")


def _beside(place: str, side: str) -> str:
    try:
        return neighbour(place, side) or ""
    except NotAPlace:
        return ""
