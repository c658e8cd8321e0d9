"""Scenes made by hand: a ford with a stream, two copses, scrub, a hill, a field and a house, and twenty-four
figures in action.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.scene import DOWN, HURT, OUT, UP, Area, Edge, Note, Point, Scene, SideLook, Token, Trace

SIDES = ("n", "ne", "se", "s", "sw", "nw")
_CORNERS = ((289, -500), (577, 0), (289, 500), (-289, 500), (-577, 0), (-289, -500))


def centre(at: str) -> Point:
    """Return the centre of a hex; odd columns stand half a hex higher."""
    column, row = int(at[:2]), int(at[2:4])
    return 577 + 866 * (column - 1), 500 + 1000 * (row - 1) + (500 if column % 2 == 0 else 0)


def corners(at: str) -> tuple[Point, ...]:
    """Return the six corners, clockwise from the one between n and ne."""
    x, y = centre(at)
    return tuple((x + dx, y + dy) for dx, dy in _CORNERS)


def edge(kind: str, at: str, side: str) -> Edge:
    """Return a side feature of a hex."""
    points = corners(at)
    number = SIDES.index(side)
    return Edge(kind, at, side, points[(number - 1) % 6], points[number], centre(at))


def neighbour(at: str, side: str) -> str:
    """Return the hex across a side."""
    column, row = int(at[:2]), int(at[2:4])
    odd = column % 2
    step = {
        "n": (0, -1),
        "ne": (1, -1 if odd else 0),
        "se": (1, 0 if odd else 1),
        "s": (0, 1),
        "sw": (-1, 0 if odd else 1),
        "nw": (-1, -1 if odd else 0),
    }[side]
    return f"{column + step[0]:02d}{row + step[1]:02d}"


ROWS = """
. . . . . . . . . . ~ ~ . . . . t t t t
. . t t . . . . . . ~ ~ . . . t t t t t
. t t t . . . . . ~ ~ . . . . . t t t t
. . t t . ^ ^ . . ~ ~ . . . . . . t t .
. . . . ^ ^ ^ ^ . ~ ~ . . . . . . . . .
. . . ^ ^ ^ ^ ^ . ~ ~ . . , , . . . . .
. . . ^ ^ ^ ^ ^ . ~ ~ . . , . # # . . .
- - - - - - - - - f f - - - . # # , . .
. . . . . . . , . f f . . - - - # - - -
. , , . . . . . . ~ ~ . . . . . . . . .
. , . . . . . . ~ ~ . . . . = = = . . .
. . . . . t . . ~ ~ . . . , = = = . . .
. . . t t t . . ~ ~ . . . , = = = . . .
. . . t t . . . ~ ~ . . . . . . . . . .
""".strip().splitlines()
GROUNDS = {
    ".": ("flat", "open ground"),
    "~": ("water", "stream"),
    "f": ("ford", "ford"),
    "t": ("tree", "trees"),
    ",": ("scrub", "scrub"),
    "^": ("slope", "slope"),
    "-": ("road", "road"),
    "=": ("crop", "crops"),
    "#": ("floor", "inside the house"),
}
HILL = ("0505", "0605", "0506", "0606", "0706")
HOUSE = ("1607", "1707", "1608", "1708")


def areas() -> tuple[Area, ...]:
    """Return the 280 hexes of the ford map."""
    found = []
    for row, line in enumerate(ROWS, 1):
        for column, letter in enumerate(line.split(), 1):
            at = f"{column:02d}{row:02d}"
            ground, name = GROUNDS[letter]
            if at in HILL:
                ground, name = "hill", "hilltop"
            house = "toll-house" if at in HOUSE else ""
            if ground == "floor" and not house:
                ground, name = "road", "road"
            found.append(
                Area(
                    at,
                    centre(at),
                    corners(at),
                    ground,
                    name,
                    height=1 if ground == "hill" else 0,
                    building=house,
                    marks=("ford",) if ground == "ford" else (),
                    changed=at in ("1208", "0909"),
                    passable=ground != "water",
                )
            )
    return tuple(found)


def edges() -> tuple[Edge, ...]:
    """Return walls round the house, with a door, two windows and an arch, and the crest of the hill."""
    special = {
        ("1608", "sw"): "door",
        ("1607", "nw"): "window",
        ("1708", "se"): "window",
        ("1608", "s"): "wall",
        ("1707", "ne"): "arch",
    }
    found = []
    for at in HOUSE:
        for side in SIDES:
            if neighbour(at, side) not in HOUSE:
                found.append(edge(special.get((at, side), "wall"), at, side))
    for at in HILL:
        found.extend(edge("crest", at, side) for side in SIDES if neighbour(at, side) not in HILL)
    found.extend(edge("hedge", at, "n") for at in ("1511", "1611", "1711"))
    found.extend(edge("low-wall", at, "s") for at in ("1513", "1613", "1713"))
    return tuple(found)


LOOKS = {"healthy": UP, "wounded": HURT, "stunned": DOWN, "dead": OUT}


def token(name: str, side: str, symbol: str, at: str, numbers: str, **more: object) -> Token:
    """Return a figure."""
    places = at.split()
    made = Token(
        name.lower().replace(" ", "-"),
        name,
        side,
        symbol,
        tuple(places),
        tuple(centre(place) for place in places),
        tuple(numbers.split("-")),
        description={"halberd": "halberdier", "spear": "spearman", "shortbow": "short bowman"}.get(
            symbol, symbol
        ),
    )
    state = str(more.setdefault("state", "healthy"))
    return replace(made, look=LOOKS[state], **more)  # type: ignore[arg-type]


def tokens() -> tuple[Token, ...]:
    """Return twenty-four figures and a riderless horse."""
    return (
        token("Hob", "east", "sergeant", "1208", "12-9-5", moved=True, badges=("fought",)),
        token("Odo", "east", "spear", "1109", "7-6-6", moved=True, badges=("fought",)),
        token("Tam", "east", "spear", "1309", "7-6-6", moved=True),
        token("Wat", "east", "halberd", "1308", "10-6-6"),
        token("Ned", "east", "man-at-arms", "1408", "5-3-6"),
        token("Alric", "east", "shortbow", "1307", "4-3-7", badges=("shot",)),
        token("Emma", "east", "longbow", "1607", "4-3-6", badges=("shot",)),
        token("Bran", "east", "crossbow", "1706", "5-4-5"),
        token("Piers", "east", "technician", "1708", "3-3-5"),
        token("Sir Hugh", "east", "mounted", "1510 1609", "24-12-10", moved=True),
        token("Maud", "east", "civilian", "1707", "0-1-5"),
        token("Giles", "east", "peasant", "1811", "2-2-5"),
        token("Wulf", "west", "sergeant", "1108", "6-4-2", state="wounded", badges=("fought",)),
        token("Gunter", "west", "halberd", "0909", "10-6-6", moved=True),
        token("Osric", "west", "spear", "0809", "0-1-0", state="stunned"),
        token("Hal", "west", "halberd", "0910", "10-6-6"),
        token("Rafe", "west", "man-at-arms", "0708", "5-3-6"),
        token("Col", "west", "shortbow", "0706", "4-3-7", badges=("shot",)),
        token("Dunstan", "west", "longbow", "0605", "4-3-6", badges=("shot", "checked")),
        token("Edric", "west", "crossbow", "0908", "5-4-5"),
        token("Sir Guy", "west", "knight", "0608", "16-12-4"),
        token("Bayard", "west", "horse", "0510 0410", "0-1-0"),
        token("Fulk", "west", "peasant", "0711", "2-2-5", badges=("panic",)),
        token("Leofric", "west", "spear", "1108", "0-0-0", state="dead", weight=2),
        token("Ulf", "west", "spear", "1110", "0-0-0", state="dead"),
        token("Kit", "east", "man-at-arms", "1209", "0-0-0", state="dead", weight=3),
    )


def path(*places: str) -> tuple[Point, ...]:
    """Return the centres of some hexes."""
    return tuple(centre(place) for place in places)


def traces() -> tuple[Trace, ...]:
    """Return moves, shots, a fight, a retreat and an advance."""
    return (
        Trace("move", "east", path("1508", "1408", "1308", "1208"), ("hob",)),
        Trace("move", "east", path("1310", "1209", "1109"), ("odo",)),
        Trace("move", "east", path("1512", "1411", "1410", "1309"), ("tam",)),
        Trace("move", "east", path("1910", "1810", "1710", "1610", "1510"), ("sir-hugh",)),
        Trace("shot", "east", path("1307", "0908"), ("alric",), ("edric",), "4: miss", "none"),
        Trace("shot", "east", path("1607", "1108"), ("emma",), ("wulf",), "8: hit", "wounded", harm=5),
        Trace("shot", "west", path("0706", "1307"), ("col",), ("alric",), "5: miss", "none"),
        Trace(
            "fight",
            "east",
            path("1208", "1108"),
            ("hob", "odo"),
            ("wulf",),
            "2:1, 8: retreat",
            "retreat",
            harm=2,
        ),
        Trace("retreat", "west", path("1009", "0909"), ("gunter",)),
        Trace("advance", "east", path("1309", "1209"), ("tam",)),
    )


def ford(**more: object) -> Scene:
    """Return the whole scene; keywords replace its fields."""
    scene = Scene(
        "Toll at the Alder Ford",
        "Turn 3, after East’s melee",
        areas(),
        edges(),
        tokens(),
        traces(),
        (
            Note(centre("1802"), "Home wood"),
            Note(centre("1606"), "Toll house"),
            Note(centre("0507"), "Gallow hill"),
        ),
        (
            SideLook("east", "Lord of the Mill", "blue", "round"),
            SideLook("west", "The Free Company", "vermilion", "cut"),
        ),
        (
            path(
                *(f"{column:02d}08" for column in range(1, 14)),
                "1408",
                "1409",
                "1509",
                "1609",
                "1709",
                "1809",
                "1909",
                "2009",
            ),
        ),
        scale="1 hex is about 2 m",
        seed=7,
        grounds=dict(GROUNDS.values()) | {"hill": "hilltop"},
        summary="Hob and Odo drive Wulf from the ford.",
        static_key="ford-map-1",
        cell=("hex", "hexes"),
        values=("attack", "defence", "movement"),
    )
    return replace(scene, **more)  # type: ignore[arg-type]
