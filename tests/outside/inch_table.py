"""A table measured in inches, made by hand: six feet by four, with a wood, a hill, a pond, a field, a keep of wall
sections and round towers, and twelve figures on round and oblong bases that look somewhere.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.scene import (
    DOWN,
    HURT,
    OUT,
    UP,
    Area,
    Circle,
    Form,
    Measure,
    Rectangle,
    Scene,
    Sector,
    SideLook,
    Span,
    Thing,
    Token,
    Trace,
)

TABLE = Measure((0, 0, 7200, 4800))
ROUND, LARGE, HORSE = Circle(60), Circle(100), Rectangle(120, 240)
LOOKS = {"": UP, "hurt": HURT, "down": DOWN, "slain": OUT}


def spot(x: float, y: float) -> tuple[int, int]:
    """Return the point so many inches from the left and the lower edge."""
    return TABLE.spot(round(x * 100), round(y * 100))


def area(at: str, ground: str, name: str, *corners: tuple[float, float]) -> Area:
    """Return an area with corners in inches."""
    points = tuple(spot(*corner) for corner in corners)
    middle = sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points)
    return Area(at, middle, points, ground, name)


def figure(
    id_: str,
    side: str,
    symbol: str,
    at: tuple[float, float],
    facing: int | None,
    form: Form = ROUND,
    state: str = "",
    values: str = "4-3-2",
    **more: object,
) -> Token:
    """Return a figure; ``facing`` in degrees."""
    x, y = at
    made = Token(
        id_,
        id_.capitalize(),
        side,
        symbol,
        (f"{x:g},{y:g}",),
        (spot(x, y),),
        tuple(values.split("-")),
        state,
        LOOKS[state],
        description={"horse": "rider"}.get(symbol, symbol),
        form=form,
        facing=None if facing is None else facing * 10,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def areas() -> tuple[Area, ...]:
    """Return the terrain."""
    return (
        area("north-wood", "tree", "wood", (3, 34), (9, 45), (20, 44), (23, 37), (17, 31), (9, 30)),
        area("gallows-hill", "hill", "hill", (50, 30), (54, 41), (63, 44), (69, 38), (67, 29), (58, 26)),
        Area("pond", spot(60, 10), (), "water", "pond", form=Circle(600)),
        Area("barley", spot(13, 9), (), "crop", "field", form=Rectangle(1500, 1000), angle=150),
        area("thicket", "scrub", "scrub", (28, 4), (33, 9), (40, 8), (41, 3), (34, 1)),
        Area("barn", spot(46, 17), (), "roof", "roof", passable=False, form=Rectangle(700, 450), angle=3400),
        Area("yard", spot(36, 29), (), "courtyard", "courtyard", form=Rectangle(1500, 1300), angle=150),
    )


def wall(id_: str, at: tuple[float, float], width: float, angle: int, kind: str = "wall section") -> Thing:
    """Return a piece of a castle."""
    form: Form = Circle(round(width * 50)) if kind == "tower" else Rectangle(round(width * 100), 200)
    return Thing(
        id_,
        kind,
        (f"{at[0]:g},{at[1]:g}",),
        (spot(*at),),
        description=f"{kind}, 10 clicks left",
        form=form,
        angle=angle,
        ground="tower" if kind == "tower" else "wall-top",
    )


def things() -> tuple[Thing, ...]:
    """Return the keep."""
    return (
        wall("wall-1", (28.8, 31), 10, 2850),
        wall("wall-2", (37.7, 35.3), 12, 150),
        wall("wall-3", (43.2, 27), 10, 1050),
        wall("tower-1", (30.6, 37.3), 4, 0, "tower"),
        wall("tower-2", (44.9, 33.4), 4, 0, "tower"),
    )


def tokens() -> tuple[Token, ...]:
    """Return the figures."""
    return (
        figure("odo", "west", "sergeant", (35, 30), 220),
        figure("hal", "west", "crossbow", (37, 35.2), 15),
        figure("wat", "west", "spear", (40, 27), 100, badges=("fought",)),
        figure("gunter", "west", "halberd", (31, 25), 200, state="hurt"),
        figure("osric", "west", "spear", (33, 22), 180, state="down"),
        figure("ulf", "west", "spear", (27, 20.5), 180, state="slain"),
        figure("hob", "east", "sergeant", (32, 20.4), 10, LARGE, values="6-5-4"),
        figure("alric", "east", "shortbow", (20, 24), 45, badges=("shot",)),
        figure("emma", "east", "longbow", (17, 20), 60),
        figure("hugh", "east", "horse", (50, 21), 315, HORSE, values="8-6-10"),
        figure("guy", "east", "horse", (24.5, 12.5), 20, HORSE),
        figure("tam", "east", "peasant", (10, 37), None),
    )


def table(**more: object) -> Scene:
    """Return the whole table; keywords replace its fields."""
    scene = Scene(
        "The Keep at Alder Cross",
        "Turn 2, East’s second action",
        areas(),
        tokens=tokens(),
        things=things(),
        traces=(
            Trace("move", "east", (spot(58, 15), spot(50, 21)), ("hugh",)),
            Trace("shot", "east", (spot(20, 24), spot(31, 25)), ("alric",), ("gunter",), "9: hit", "wounded"),
            Trace("fight", "east", (spot(32, 20.4), spot(33, 22)), ("hob",), ("osric",), "11: down"),
        ),
        sides=(
            SideLook("east", "Lord of the Mill", "blue", "round"),
            SideLook("west", "The Free Company", "vermilion", "cut"),
        ),
        roads=((spot(0, 15), spot(20, 16), spot(38, 14), spot(52, 19), spot(72, 22)),),
        seed=11,
        summary="Hob breaks into the yard.",
        grounds={"tree": "wood", "water": "pond", "crop": "field"},
        values=("speed", "attack", "defence"),
        measure=TABLE,
        sectors=(Sector(spot(20, 24), 1200, "east", 450, 900, text='bow 12"', of="alric"),),
        spans=(Span(spot(24.5, 12.5), spot(32, 20.4), "charge"),),
    )
    return replace(scene, **more)  # type: ignore[arg-type]
