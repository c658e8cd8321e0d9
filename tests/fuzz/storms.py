"""Storms: a small castle with everything that is done at one, made from a chance as the ``given`` of a case.

The wall, its tower, gate and keep are always the same; ground before it, figures, ladders, engines, fires and
breaches are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from brawls import KNIGHTS, SAYS, STATES

from pbem.bots.chance import Chance
from pbem.geometry.hex import SIDES, NotAPlace, neighbour, neighbours

CASTLE = (
    ". . . . . . . . . . . .",
    ". . . . . . . . . . . .",
    ". . . . . . . . . . . .",
    "~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~ ~",
    "B B B B G T T B B B B B",
    ", s , , , T T , , s , ,",
    ", , , , , , , , , K K ,",
    ", , , , , , , , , K K ,",
    ", , , , , , , , , , , ,",
)
KEY = {
    ".": "flat", "~": "moat", "B": "battlement", "G": "gateway", "T": "tower", "K": "keep", ",": "courtyard", "s": "stairs",
    "b": "scrub", "t": "tree", "/": "slope", "x": "tent", "h": "trench",
}  # fmt: skip
FIELD = "." * 14 + "bbt/xxxh"
INTERFACE = ("0605 sw", "0706 se", "0606 s", "1008 sw")
SLITS = ("0705 n", "1007 n", "1007 nw", "1108 ne")
BRIDGE = {"bridge": "drawbridge", "hexes": "0504", "gate": "0505 n", "winch": "0606"}
BUILT = frozenset("TK")
OUTSIDE = ("0101", "1201")
ATTACKERS = (
    "sergeant",
    "halberdier",
    "spearman",
    "spearman",
    "man_at_arms",
    "technician",
    "crossbowman",
    "shortbowman",
    *KNIGHTS,
)
DEFENDERS = (
    "sergeant",
    "spearman",
    "halberdier",
    "crossbowman",
    "longbowman",
    "peasant",
    "peasant",
    "man_at_arms",
)


def storm(chance: Chance, options: Mapping[str, str]) -> dict[str, Any]:
    """Return a storm: attackers before the wall and on it, defenders on it and behind it, and what both have
    with them.
    """
    words = {
        f"{c:02}{r:02}": word for r, row in enumerate(CASTLE, 1) for c, word in enumerate(row.split(), 1)
    }
    words |= {place: chance.one_of(FIELD) for place in words if place[2:] in ("01", "02", "03")}
    board = _Storm(chance, words)
    board.prepare()
    board.engines()
    board.ladders()
    board.men("east", ATTACKERS, 6 + chance.below(6), lambda place: place[2:] <= "04")
    board.men("west", DEFENDERS, 5 + chance.below(5), lambda place: place[2:] >= "05")
    board.loads()
    board.fires()
    return {
        "map": [" ".join(words[f"{c:02}{r:02}"] for c in range(1, 13)) for r in range(1, 10)],
        "key": {word: ground for word, ground in KEY.items() if word in words.values()},
        "map-sides": sides(words),
        "bridges": [{**BRIDGE, "starts": chance.one_of(("raised", "raised", "lowered"))}],
        "units": board.units,
        "things": board.things,
        "features": board.features,
        "marks": {
            "edge": "0101 0201 0301",
            "no-ladder": "0405 0605",
            "gate-flank": "0405 0605",
            "outside": " ".join(OUTSIDE),
        },
        "standing": {
            side: {
                "everyone": {
                    key: chance.one_of(said) for key, said in sorted(SAYS.items()) if chance.below(2)
                }
            }
            for side in ("east", "west")
        },
        "options": dict(options),
        "length": f"{3 + chance.below(5)} turns",
        "at": f"t1.{chance.one_of(('east', 'west'))}.first_missile",
        "enters": {"east": "edge", "west": "edge"},
        "victory": {
            "at-end": [{"side": "any", "points": "losses of the enemy", "scale": "lp"}],
            "at-once": [],
            "winner": {"most": "points", "level": "draw"},
        },
        "scales": {"lp": {"peasant": "1", "other": "2"}},
    }


def said(chance: Chance) -> dict[str, str]:
    """Return some standing instructions."""
    return {key: chance.one_of(values) for key, values in sorted(SAYS.items()) if chance.below(2)}


def sides(words: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return what stands on the hexsides of the castle: parapets to the moat, walls round tower and keep,
    doors and slits in them.
    """
    found: dict[str, dict[str, list[str]]] = {}

    def put(kind: str, place: str, side: str) -> None:
        found.setdefault(kind, {}).setdefault(side, []).append(place)

    for place, word in words.items():
        for side in SIDES:
            other = _beside(place, side)
            if other not in words:
                continue
            said = f"{place} {side}"
            if said in INTERFACE or said in SLITS:
                put("door" if said in INTERFACE else "slit", place, side)
            elif word == "B" and words[other] == "~":
                put("parapet", place, side)
            elif word in BUILT and words[other] not in BUILT:
                put("wall", place, side)
    found["wall"].setdefault("nw", []).append("0505")
    found["wall"].setdefault("ne", []).append("0505")
    return {kind: {side: " ".join(places) for side, places in of.items()} for kind, of in found.items()}


def _beside(place: str, side: str) -> str:
    try:
        return neighbour(place, side) or ""
    except NotAPlace:
        return ""


class _Storm:
    """Where somebody or something may still be put."""

    def __init__(self, chance: Chance, words: dict[str, str]) -> None:
        self.chance = chance
        self.words = words
        self.units: dict[str, dict[str, Any]] = {}
        self.things: list[dict[str, str]] = []
        self.features: list[dict[str, str]] = []
        self.filled: set[str] = set()
        self.rubble: set[str] = set()
        self.taken: set[str] = set()

    def some(self, places: list[str], count: int) -> Iterator[str]:
        """Yield so many of some places that are free, and take them."""
        left = sorted(place for place in places if place not in self.taken)
        for _ in range(min(count, len(left))):
            place = left.pop(self.chance.below(len(left)))
            self.taken.add(place)
            yield place

    def of(self, words: str) -> list[str]:
        """Return the places with some words."""
        return [place for place, word in self.words.items() if word in words]

    def prepare(self) -> None:
        """Fill some of the moat, break down a wall now and then, and damage others."""
        for place in ("0304", "0804", "0904"):
            if self.chance.below(3):
                self.filled.add(place)
                self.features.append({"at": place, "is": "filled"})
        for place in ("0305", "0805", "1005"):
            if self.chance.below(4) == 0:
                self.rubble.add(place)
                self.features.append({"at": place, "is": "rubble"})
            elif self.chance.below(3) == 0:
                self.features.append({"at": place, "is": "wall", "damage": str(1 + self.chance.below(3))})

    def engines(self) -> None:
        """Put a siege tower and a ram on level ground, some with their crews, and a ballista."""
        from pbem.rulesets.siege.ruleset import SIEGE
        from pbem.rulesets.siege.things.engines import footprint

        for kind, front in (("siege-tower", "0803"), ("ram", "0303")):
            if self.chance.below(2):
                at = footprint(SIEGE, kind, front, "s")
                self.words.update(dict.fromkeys(at, "."))
                self.taken |= {*at}
                id_ = kind.rpartition("-")[2] + "1"
                self.things.append(
                    {"id": id_, "kind": kind, "side": "east", "at": " ".join(at), "facing": "s"}
                )
                for n, place in enumerate(at):
                    if self.chance.below(4):
                        self.man(f"{id_[0]}c{n}", "east", place, ATTACKERS)
                    if kind == "siege-tower" and self.chance.below(3) == 0:
                        self.man(f"{id_[0]}p{n}", "east", f"{place}@top", ATTACKERS)
        if self.chance.below(2):
            for place in self.some(self.of("."), 1):
                loaded = str(self.chance.below(4))
                self.things.append(
                    {
                        "id": "ballista1",
                        "kind": "ballista",
                        "side": "east",
                        "at": place,
                        "facing": "s",
                        "loaded": loaded,
                    }
                )

    def ladders(self) -> None:
        """Lean ladders against the wall, some with a man on them, and let others lie or be carried."""
        for n, (foot, facing) in enumerate((("0104", "s"), ("0204", "s"), ("1104", "s"), ("1004", "s"))):
            if self.chance.below(2) and foot not in self.taken and _beside(foot, facing) not in self.rubble:
                self.taken.add(foot)
                ladder = {
                    "id": f"up{n}",
                    "kind": "ladder",
                    "side": "east",
                    "at": foot,
                    "stands": "raised",
                    "facing": facing,
                }
                self.things.append(ladder)
                if self.chance.below(2):
                    self.man(f"l{n}", "east", foot, ATTACKERS)
        if self.chance.below(2):
            for one in self.some(self.of(".~"), 1):
                for other in self.some(
                    [place for place in neighbours(one) if self.words.get(place, "") in ("~", ".")], 1
                ):
                    held = self.chance.below(3) > 0
                    for name, place in (("one", one), ("other", other)) if held else ():
                        self.man(name, "east", place, ATTACKERS, sound=True)
                    by = {"by": "one other", "stands": "carried"} if held else {}
                    self.things.append(
                        {"id": "long1", "kind": "ladder", "side": "east", "at": f"{one} {other}", **by}
                    )

    def man(self, id_: str, side: str, place: str, classes: tuple[str, ...], sound: bool = False) -> None:
        """Put somebody in a place."""
        state = "healthy" if sound else self.chance.one_of(STATES)
        self.units[id_] = {"side": side, "class": self.chance.one_of(classes), "at": place, "state": state}

    def men(self, side: str, classes: tuple[str, ...], count: int, mine: Any) -> None:
        """Put figures of a side on its own ground, those near the wall first."""
        near = sorted(
            (place for place in self.words if mine(place)), key=lambda place: (abs(int(place[2:]) - 5), place)
        )
        near = [
            place
            for place in near
            if self.words[place] != "t" and not (self.words[place] == "G" and side == "east")
        ]
        for n, place in enumerate(self.some(near[: 3 * count], count)):
            self.man(f"{side[0]}{n}", side, place, classes)

    def loads(self) -> None:
        """Give barrels of oil to men on the wall, and mantlets to men before it."""
        for n, id_ in enumerate(self.sound("west", "B")[: self.chance.below(3)]):
            self.things.append(
                {"id": f"barrel{n}", "kind": "oil", "side": "west", "at": self.units[id_]["at"], "by": id_}
            )
        for n, id_ in enumerate(self.sound("east", ".")[: self.chance.below(3)]):
            facing, at = self.chance.one_of(SIDES), self.units[id_]["at"]
            self.things.append(
                {
                    "id": f"mantlet{n}",
                    "kind": "mantlet",
                    "side": "east",
                    "at": at,
                    "by": id_,
                    "facing": facing,
                }
            )

    def sound(self, side: str, word: str) -> list[str]:
        """Return the sound figures of a side, of those that came by themselves, on one kind of ground."""
        own = [
            (id_, said_)
            for id_, said_ in sorted(self.units.items())
            if said_["side"] == side and id_[0] == side[0]
        ]
        return [
            id_ for id_, said_ in own if self.words.get(said_["at"]) == word and said_["state"] == "healthy"
        ]

    def fires(self) -> None:
        """Set fire to a tent now and then."""
        stood = {unit["at"][:4] for unit in self.units.values()}
        for place in sorted(self.of("x")):
            if self.chance.below(4) == 0 and place not in stood:
                fire = {
                    "at": place,
                    "is": "fire",
                    "turns": str(1 + self.chance.below(2)),
                    "lit_by": self.chance.one_of(("east", "west")),
                }
                self.features.append(fire)
