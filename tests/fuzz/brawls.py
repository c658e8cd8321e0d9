"""Brawls: small boards with everything on them, where both sides stand close together, made from a chance as
the ``given`` of a case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.bots.chance import Chance
from pbem.geometry.hex import NotAPlace, neighbour, neighbours

GROUNDS = {
    ".": "flat", "r": "road", "p": "hilltop", "s": "scrub", "t": "tree", "/": "slope", "e": "hedge", "l": "low_wall", "n": "fence",
    "w": "ford",
    "~": "deep_water", "g": "garden_or_crop", "h": "house", "B": "building_wall", "I": "building_interior", "D": "doorway", "G": "gateway",
    "o": "window", "c": "building_corner", "u": "furniture", "y": "courtyard",
}  # fmt: skip
FOR_MEN = frozenset(".rpst/elnwgIDGocuy")
FOR_HORSES = frozenset(".rps/nwgy")
OFTEN = "." * 30 + "r" * 2 + "ssss" + "tt" + "//////" + "ppp" + "elnwg" + "~h" + "BIDGoc" + "uyy"
MEN = (
    "sergeant", "halberdier", "spearman", "spearman", "man_at_arms", "crossbowman", "longbowman", "shortbowman", "peasant",
    "peasant", "civilian",
)  # fmt: skip
"""Classes of those who fight on foot; knights may ride."""
KNIGHTS = ("rich_knight", "average_knight")
SIDES = ("n", "ne", "se", "s", "sw", "nw")
FEATURES = ("wall", "door", "window", "crest", "arch")
STATES = ("healthy",) * 5 + ("wounded", "stunned")
SAYS: Mapping[str, tuple[str, ...]] = {
    "wound": ("weakest", "strongest", "ask"),
    "retreat": ("away", "cover", "ask", "toward 0505"),
    "advance": ("never", "into", "if-safe", "ask", "ask"),
    "advance-who": ("strongest", "weakest", "ask"),
    "doorway": ("inside", "outside", "most", "ask"),
    "land": ("away", "toward 0404", "ask"),
    "panic-who": ("weakest", "ask"),
    "panic-way": ("away", "toward 0101", "ask"),
}


def brawl(chance: Chance, options: Mapping[str, str]) -> dict[str, Any]:
    """Return a brawl: at most eleven figures a side within a few hexes of each other, some hurt, some
    mounted, and their animals.
    """
    columns, rows = 8 + chance.below(5), 7 + chance.below(4)
    places = [f"{c:02}{r:02}" for r in range(1, rows + 1) for c in range(1, columns + 1)]
    words = {place: chance.one_of(OFTEN) for place in places}
    if chance.below(3) == 0:
        words = dict.fromkeys(places, ".") | {
            place: word for place, word in words.items() if chance.below(3) == 0
        }
    board = _Board(chance, words)
    units: dict[str, dict[str, Any]] = {}
    standing: dict[str, dict[str, Any]] = {}
    for side in ("east", "west"):
        for n in range(3 + chance.below(7)):
            units |= board.figure(f"{side[0]}{n}", side)
        units |= board.animals(side)
        units |= board.latecomers(side)
        standing[side] = {
            "everyone": {key: chance.one_of(said) for key, said in sorted(SAYS.items()) if chance.below(2)}
        }
    things = board.wagon(units)
    if options.get("shooter_skill") == "true":
        skills(units)
    return {
        "map": [" ".join(words[f"{c:02}{r:02}"] for c in range(1, columns + 1)) for r in range(1, rows + 1)],
        "key": {word: ground for word, ground in GROUNDS.items() if word in words.values()},
        "map-sides": board.features(),
        "units": units,
        "things": things,
        "marks": {"edge": " ".join(place for place in places if place[2:] in ("01", f"{rows:02}"))},
        "standing": standing,
        "options": dict(options),
        **({"days": "2", "length": "2 turns"} if chance.below(4) == 0 else {"length": f"{3 + chance.below(4)} turns"}),
        "at": f"t1.{chance.one_of(('east', 'west'))}.first_missile",
        "enters": {"east": "edge", "west": "edge"},
        "victory": {
            "at-end": [{"side": "any", "points": "losses of the enemy", "scale": "lp"}],
            "at-once": [],
            "winner": {"most": "points", "level": "draw"},
        },
        "scales": {"lp": {"peasant": "1", "other": "2"}},
    }  # fmt: skip


def skills(units: dict[str, dict[str, Any]]) -> None:
    """Give the first two bowmen of each side skills that balance."""
    for side in ("east", "west"):
        bows = sorted(
            id_
            for id_, said in units.items()
            if said["side"] == side and said["class"] in ("longbowman", "shortbowman")
        )
        for id_, skill in zip(bows, ("-2", "2"), strict=False) if len(bows) > 1 else ():
            units[id_]["skill"] = skill


class _Board:
    """Where something may still be put."""

    def __init__(self, chance: Chance, words: Mapping[str, str]) -> None:
        self.chance = chance
        self.words = words
        self.taken: set[str] = set()
        free = sorted(place for place in words if words[place] in FOR_MEN)
        heart = chance.one_of(free) if free else "0404"
        self.near = sorted(free, key=lambda place: (_far(place, heart), place))

    def free(self, fit: frozenset[str]) -> Iterator[str]:
        """Yield places that are free, those near the heart of the brawl first, a little mixed."""
        left = [place for place in self.near if place not in self.taken and self.words[place] in fit]
        while left:
            yield left.pop(self.chance.below(min(len(left), 7)))

    def one(self) -> list[str]:
        """Return a free place for one figure on foot, or nothing."""
        place = next(self.free(FOR_MEN), "")
        self.taken.add(place)
        return [place] if place else []

    def two(self) -> list[str]:
        """Return two free places beside each other for a horse, or nothing."""
        for head in self.free(FOR_HORSES):
            for tail in neighbours(head):
                if tail in self.words and self.words[tail] in FOR_HORSES and tail not in self.taken:
                    self.taken |= {head, tail}
                    return [head, tail]
        return []

    def figure(self, id_: str, side: str) -> dict[str, dict[str, Any]]:
        """Return somebody, on foot or on a horse of his own."""
        chance = self.chance
        if chance.below(4) == 0:
            class_, at = chance.one_of(KNIGHTS), self.two()
            if at and chance.below(4):
                state = chance.one_of(("healthy", "healthy", "wounded"))
                return {
                    id_: {"side": side, "class": class_, "on": f"{id_}-horse", "state": state},
                    f"{id_}-horse": {"side": side, "class": "horse_alone", "at": " ".join(at)},
                }
            if at:
                self.taken -= set(at)
        else:
            class_ = chance.one_of(MEN)
        at = self.one()
        return (
            {id_: {"side": side, "class": class_, "at": " ".join(at), "state": chance.one_of(STATES)}}
            if at
            else {}
        )

    def animals(self, side: str) -> dict[str, dict[str, Any]]:
        """Return a loose horse, a donkey or an ox of a side, now and then."""
        found: dict[str, dict[str, Any]] = {}
        if self.chance.below(2) and (at := self.two()):
            found[f"{side[0]}-loose"] = {"side": side, "class": "horse_alone", "at": " ".join(at)}
        if self.chance.below(4) == 0 and (at := self.one()) and self.words[at[0]] in FOR_HORSES:
            found[f"{side[0]}-donkey"] = {
                "side": side,
                "class": self.chance.one_of(("pack_donkey", "ox")),
                "at": " ".join(at),
            }
        return found

    def latecomers(self, side: str) -> dict[str, dict[str, Any]]:
        """Return one or two who come onto the map later, now and then."""
        many = self.chance.below(3) if self.chance.below(3) == 0 else 0
        return {
            f"{side[0]}-late{n}": {"side": side, "class": self.chance.one_of(MEN), "enters": "true"}
            for n in range(many)
        }

    def wagon(self, units: dict[str, dict[str, Any]]) -> list[dict[str, str]]:
        """Return a wagon with oxen before it, hitched or not, now and then; each ox is one more unit."""
        if self.chance.below(3) or not (at := self.two()):
            return []
        facing = SIDES[next(n for n, side in enumerate(SIDES) if neighbour(at[1], side) == at[0])]
        side = self.chance.one_of(("east", "west"))
        cart = {"id": "cart", "kind": "wagon", "at": " ".join(at)}
        team = []
        for n, turned in enumerate((0, 1)):
            before = neighbour(at[0], SIDES[(SIDES.index(facing) + turned) % len(SIDES)])
            if (
                before in self.words
                and self.words[before] in FOR_HORSES
                and before not in self.taken
                and self.chance.below(4)
            ):
                self.taken.add(before)
                units[f"draught{n}"] = {"side": side, "class": "ox", "at": before}
                team.append(f"draught{n}")
        if team and self.chance.below(3):
            cart["hitched"] = " ".join(team)
        return [cart]

    def features(self) -> dict[str, dict[str, str]]:
        """Return what stands on some hexsides, each named once and from one of its hexes."""
        found: dict[str, dict[str, list[str]]] = {}
        seen: set[frozenset[str]] = set()
        for place in sorted(self.words):
            if self.chance.below(12):
                continue
            side = self.chance.one_of(SIDES)
            try:
                other = neighbour(place, side)
            except NotAPlace:
                continue
            if other not in self.words or frozenset((place, other)) in seen:
                continue
            seen.add(frozenset((place, other)))
            kind = self.chance.one_of(FEATURES)
            if kind == "crest" and (self.words[place] != "p" or self.words[other] != "/"):
                kind = "wall"
            found.setdefault(kind, {}).setdefault(side, []).append(place)
        return {
            kind: {side: " ".join(hexes) for side, hexes in sides.items()} for kind, sides in found.items()
        }


def _far(one: str, other: str) -> int:
    from pbem.geometry.hex import distance

    return distance(one, other)
