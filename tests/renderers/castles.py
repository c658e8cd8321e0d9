"""The corner of a castle as a scene made by hand: walls, towers, a keep, a moat, a camp, engines, ladders,
fire and damage.
"""

from __future__ import annotations

from msgspec.structs import replace
from scenes import SIDES, centre, corners, edge, token

from pbem.core.scene import Area, Edge, Feature, Note, Scene, SideLook, Thing, Token, Trace

ROWS = """
. . . . . . . . . . . . a a
. . . . . t . . . n . . e .
~ ~ ~ ~ ~ ~ ~ ~ ~ ~ . . e .
B B T G T B B B T T ~ . . .
, , , , , , s , D ~ ~ . . .
, , , K K , , , B ~ . . . .
, , , K , , , , B ~ . . a .
, , , , , , , , B ~ . . . .
""".strip().splitlines()
GROUNDS = {
    ".": ("flat", "open ground", 0),
    ",": ("courtyard", "courtyard", 0),
    "~": ("moat", "moat", -1),
    "B": ("battlement", "battlement", 2),
    "T": ("tower", "inside a tower", 2),
    "D": ("tower_doorway", "doorway of a tower", 2),
    "G": ("gateway", "gateway", 0),
    "K": ("keep", "inside the keep", 3),
    "s": ("stairs", "stairs", 1),
    "t": ("tree", "trees", 0),
    "a": ("tent", "tent", 0),
    "n": ("trench", "trench", 0),
    "e": ("trench", "trench", 0),
}
ON_SIDES = {
    "parapet": {
        "nw": "0704",
        "n": "0104 0204 0604 0704 0804",
        "ne": "0104 0704 0906 0907 0908",
        "se": "0906 0907 0908",
    },
    "slit": {"n": "0304 0504 0904", "ne": "1004 0506", "w": "", "sw": "0407"},
    "wall": {
        "nw": "0304 0504 0904 0905 0406",
        "ne": "0304 0504 0904",
        "n": "1004 0406 0506",
        "se": "0304 0905 1004 0506 0407",
        "s": "1004 0407 0506",
        "sw": "0504 0406",
    },
    "door": {"s": "0304 0504 0905", "sw": "0904 0905", "nw": "0407"},
    "steps": {"n": "0705"},
}


def areas() -> tuple[Area, ...]:
    """Return the 112 hexes of the castle map."""
    found = []
    for row, line in enumerate(ROWS, 1):
        for column, letter in enumerate(line.split(), 1):
            at = f"{column:02d}{row:02d}"
            ground, name, height = GROUNDS[letter]
            found.append(Area(at, centre(at), corners(at), ground, name, height))
    return tuple(found)


def edges() -> tuple[Edge, ...]:
    """Return what stands on the hexsides of the castle map."""
    return tuple(
        edge(kind, at, side)
        for kind, sides in ON_SIDES.items()
        for side, places in sides.items()
        if side in SIDES
        for at in places.split()
    )


def thing(id_: str, kind: str, at: str, facing: str = "", stands: str = "", **more: object) -> Thing:
    """Return a thing."""
    places = tuple(at.split())
    made = Thing(
        id_, kind, places, tuple(map(centre, places)), "", stands, facing, description=kind.replace("-", " ")
    )
    return replace(made, **more)  # type: ignore[arg-type]


def feature(kind: str, at: str, number: int = 0, sides: str = "") -> Feature:
    """Return what has become of a hex; ``sides`` are those of the wall in it."""
    found = edge("wall", at, "n").inward
    walls = tuple((each.a, each.b) for each in (edge("wall", at, side) for side in sides.split()))
    return Feature(kind, at, found, corners(at), number, walls)


def things(bridge: str = "lowered") -> tuple[Thing, ...]:
    """Return a bridge, two ladders, a siege tower, a ram, a ballista, a mantlet, a barrel and a thrower."""
    return (
        thing("bridge", "drawbridge", "0403", "s", bridge),
        thing("ladder1", "ladder", "0703", "s", "raised", side="company"),
        thing("ladder2", "ladder", "1007 1107", "", "carried", side="company", by=("tom", "wat")),
        thing("ladder3", "ladder", "0202 0302", "", "lying", side="company"),
        thing("tower1", "siege-tower", "0603 0503 0602", "s", side="company"),
        thing("ram1", "ram", "1105 1204 1304", "sw", side="company"),
        thing("ballista1", "ballista", "1208", "nw", side="company", number=2, full=3, by=("bran", "jack")),
        thing("trebuchet1", "trebuchet", "1406", "sw", side="company"),
        thing("mangonel1", "mangonel", "1408", "nw", side="company"),
        thing("mantlet1", "mantlet", "1106", "nw", side="company"),
        thing("barrel1", "oil", "0804", "", side="garrison"),
    )


def features() -> tuple[Feature, ...]:
    """Return damage in all steps, rubble, a filled moat, a fire and burnt ground."""
    return (
        feature("filled", "0603"),
        feature("filled", "0503"),
        feature("filled", "0703"),
        feature("wall", "0604", 1, "n"),
        feature("wall", "0204", 2, "n"),
        feature("wall", "0907", 3, "ne se"),
        feature("rubble", "0908", 4),
        feature("filled", "1008"),
        feature("fire", "1301", 2),
        feature("burnt", "1307"),
    )


def tokens() -> tuple[Token, ...]:
    """Return figures of both sides: on the walls, in towers, on two levels of one hex, on a
    ladder, in a ram.
    """
    return (
        token("Gunter", "garrison", "sergeant", "0604", "12-9-5"),
        token("Wulf", "garrison", "spear", "0704", "7-6-6"),
        token("Hugh", "garrison", "longbow", "0304", "4-3-6", badges=("shot",)),
        token("Emma", "garrison", "crossbow", "0904", "5-4-5"),
        token("Sir Guy", "garrison", "knight", "0406", "16-12-4"),
        token("Ned", "garrison", "peasant", "0906", "2-2-5"),
        token("Kit", "garrison", "man-at-arms", "0804", "5-3-6", badges=("carrying",)),
        token("Odo", "company", "spear", "0703", "7-6-6"),
        token("Hal", "company", "halberd", "0603", "10-6-6"),
        token("Alric", "company", "shortbow", "0603", "4-3-7", level=1),
        token("Rafe", "company", "man-at-arms", "0602", "5-3-6"),
        token("Jack", "company", "spear", "0503", "7-6-6"),
        token("Bran", "company", "crossbow", "0503", "5-4-5", level=1, state="wounded"),
        token("Tom", "company", "spear", "1007", "7-6-6"),
        token("Wat", "company", "spear", "1107", "7-6-6"),
        token("Pip", "company", "man-at-arms", "1204", "5-3-6"),
        token("Piers", "company", "technician", "1308", "3-3-5"),
        token("Ulf", "company", "longbow", "1106", "4-3-6"),
    )


def castle(**more: object) -> Scene:
    """Return the whole scene; keywords replace its fields."""
    scene = Scene(
        "Brackwater, the north-east corner",
        "Turn 4, the company: movement",
        areas(),
        edges(),
        tokens(),
        (
            Trace(
                "shot",
                "garrison",
                (centre("0304"), centre("0503")),
                ("hugh",),
                ("bran",),
                "8: wounded",
                "wounded",
                harm=5,
            ),
        ),
        (Note(centre("0206"), "Outer ward"),),
        (
            SideLook("garrison", "The garrison", "blue", "round"),
            SideLook("company", "The company", "vermilion", "cut"),
        ),
        (tuple(map(centre, ("0401", "0402"))),),
        "1 hex is about 2 m",
        7,
        dict(GROUNDS_NAMED),
        "The company is at the wall.",
        "castle-1",
        features(),
        things(),
        cell=("hex", "hexes"),
        values=("attack", "defence", "movement"),
    )
    return replace(scene, **more)  # type: ignore[arg-type]


GROUNDS_NAMED = tuple((ground, name) for ground, name, _ in GROUNDS.values())
