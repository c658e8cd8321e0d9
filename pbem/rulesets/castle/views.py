"""What a game looks like: the table as a scene, and what is said of how it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isqrt
from typing import Any

from pbem.core.briefing import Aim, Chapter, Member
from pbem.core.briefing import Said as Phrase
from pbem.core.problem import Problem
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
    SideLook,
    Thing,
    Token,
    Trace,
)
from pbem.core.sequence import parse_cursor
from pbem.geometry.plane import TURN, Point, hundredths, inches
from pbem.rulesets.castle.actions import allowance, extra
from pbem.rulesets.castle.arcs import toward
from pbem.rulesets.castle.dial import Rules, can, clicks_said, row, starts, window
from pbem.rulesets.castle.movement import planked
from pbem.rulesets.castle.portals import is_open, line_of, names
from pbem.rulesets.castle.setup import map_problems, size_of, terrain_of
from pbem.rulesets.castle.space import radius
from pbem.rulesets.castle.state import Board, Figure, Ladder, Plank, Section, Terrain, Told, War
from pbem.rulesets.castle.victory import at_the_end, score
from pbem.text.codec import from_plain, to_plain

SHAPES = ("round", "cut", "square")


def measure(width: int, depth: int) -> Measure:
    """Return how the table is measured."""
    return Measure((0, 0, width, depth))


def areas(on: Measure, terrain: Sequence[Terrain]) -> tuple[Area, ...]:
    """Return the ground."""
    found = []
    for piece in terrain:
        corners = tuple(on.spot(*corner) for corner in piece.shape)
        middle = (sum(x for x, _ in corners) // len(corners), sum(y for _, y in corners) // len(corners))
        form = Circle(piece.radius) if piece.radius else None
        found.append(
            Area(
                piece.id,
                middle,
                () if form else corners,
                piece.look,
                piece.name,
                passable=piece.kind != "blocking",
                form=form,
            )
        )
    return tuple(found)


def _form(rules: Rules, section: Section) -> Form:
    size = row(rules, section)
    if size["shape"] == "round":
        return Circle(size["radius"])
    return Rectangle(size["width"], size["depth"])


def things(rules: Rules, war: War, on: Measure) -> Iterator[Thing]:
    """Yield the sections that stand, their portals, and the ladders at them."""
    for one in war.standing:
        kind, shown = str(row(rules, one)["name"]), window(rules, one)
        left = len(row(rules, one)["dial"]) - one.click
        yield Thing(
            one.id,
            "wall section" if row(rules, one)["wall"] else kind,
            (place(one),),
            (on.spot(one.x, one.y),),
            one.side,
            description=f"{one.name}, {kind}, fortification {shown.first}, {clicks_said(left)} left",
            form=_form(rules, one),
            angle=one.facing,
            ground=_ground(rules, one),
            dial=clicks(rules, one),
        )
    wide: int = rules.tables["measures"]["ladder_width"]
    for one in war.standing:
        for portal in names(rules, one):
            (ax, ay), (bx, by) = line_of(rules, one, portal)
            stands = "open" if is_open(rules, one, portal) else "closed"
            yield _piece(
                on,
                f"{one.id}-{portal}",
                "portal",
                ((ax + bx) // 2, (ay + by) // 2),
                one,
                (row(rules, one)["passage"] or wide, wide // 2),
                stands,
                0 if row(rules, one)["portals"][portal] == "front" else TURN // 2,
            )
    for ladder in war.ladders:
        if ladder.at:
            wall = war.section(ladder.at)
            size = (wide // 2, wide + wide // 2)
            yield _piece(
                on, ladder.id, "ladder at a wall", (ladder.x, ladder.y), wall, size, f"at {ladder.at}"
            )
    for plank in war.planks:
        if planked(war, plank.joins):
            yield _laid(on, plank)


def _ground(rules: Rules, section: Section) -> str:
    """Return what the top of a section looks like."""
    if row(rules, section)["citadel"]:
        return "keep"
    return "tower" if row(rules, section)["shape"] == "round" else "wall-top"


def _piece(
    on: Measure,
    id_: str,
    kind: str,
    at: Point,
    section: Section,
    size: tuple[int, int],
    stands: str,
    turned: int = 0,
) -> Thing:
    """Return something at a section that has no dial of its own: of wood, an open portal of flags."""
    where = f"{inches(at[0])},{inches(at[1])}"
    ground = "doorway" if stands == "open" else "floor"
    form = Rectangle(*size)
    said = f"{kind.partition(' ')[0]}, {stands}"
    spot = (on.spot(*at),)
    return Thing(
        id_,
        kind,
        (where,),
        spot,
        section.side,
        stands,
        description=said,
        form=form,
        angle=(section.facing + turned) % TURN,
        ground=ground,
    )


def _laid(on: Measure, plank: Plank) -> Thing:
    """Return planks over a gap, which are an oblong: their first side runs across."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = plank.shape
    middle = ((ax + bx + cx + dx) // 4, (ay + by + cy + dy) // 4)
    form = Rectangle(isqrt((bx - ax) ** 2 + (by - ay) ** 2), isqrt((cx - bx) ** 2 + (cy - by) ** 2))
    said = f"plank, from {plank.joins[0]} to {plank.joins[1]}"
    at = f"{inches(middle[0])},{inches(middle[1])}"
    angle = toward((bx, by), (ax, ay)) + TURN // 4
    return Thing(
        plank.id,
        "plank",
        (at,),
        (on.spot(*middle),),
        description=said,
        form=form,
        angle=angle % TURN,
        ground="floor",
    )


def place(one: Figure | Section) -> str:
    """Return where somebody is, as players write it."""
    return f"{inches(one.x)},{inches(one.y)}"


def clicks(rules: Rules, one: Figure | Section) -> tuple[int, int]:
    """Return how many clicks a dial has left before its end, and how many it began with."""
    whole = len(row(rules, one)["dial"])
    return max(0, whole - one.click), whole - starts(rules, one)


def look(rules: Rules, one: Figure) -> str:
    """Return how a warrior is drawn."""
    if one.out:
        return OUT
    if one.captor:
        return DOWN
    return HURT if one.click > starts(rules, one) else UP


def token(rules: Rules, war: War, one: Figure, on: Measure) -> Token:
    """Return a warrior as it is drawn."""
    shown = window(rules, one)
    size = radius(rules, one)
    capsule = rules.tables["measures"]["capsule"]
    form: Form = Rectangle(2 * size, 2 * (size + capsule)) if can(rules, one, "mounted") else Circle(size)
    values = (shown.first, shown.attack, shown.defence, shown.damage)
    state = "out" if one.out else "captive" if one.captor else "hurt" if one.click else ""
    badges = ("acted",) * one.tokens
    return Token(
        one.id,
        one.name,
        one.side,
        str(row(rules, one)["symbol"]),
        (place(one),),
        (on.spot(one.x, one.y),),
        tuple(map(str, values)),
        state,
        look(rules, one),
        badges[:1],
        description=str(row(rules, one)["name"]),
        form=form,
        facing=one.facing,
        dial=clicks(rules, one),
        level=int(bool(one.on)),
    )


def traces(war: War, events: Sequence[Mapping[str, Any]], on: Measure) -> Iterator[Trace]:
    """Yield what happened, as arrows: ways, shots and blows."""
    for event in events:
        if event["type"] == "Moved" and len(event["path"]) > 1:
            path = tuple(
                on.spot(*(hundredths(number) for number in spot.split(","))) for spot in event["path"]
            )
            yield Trace("move", war.figure(event["figure"]).side, path, (event["figure"],))
        elif event["type"] == "Attacked":
            one, other = war.one(event["attackers"][0]), war.one(event["target"])
            kind = "shot" if "shot" in event["how"] else "fight"
            ends = (on.spot(*one.at), on.spot(*other.at))
            text = f"{event['total']}: {event['outcome']}"
            hit = "hit" in event["outcome"]
            yield Trace(
                kind, one.side, ends, tuple(event["attackers"]), (other.id,), text, event["outcome"], 3 * hit
            )


def scene(
    rules: Rules, war: War, events: Sequence[Mapping[str, Any]], side: str | None = None, title: str = ""
) -> Scene:
    """Return the table as it looks."""
    board = war.board
    on = measure(board.width, board.depth)
    ruins = tuple(
        Area(
            f"{one.id}-rubble",
            on.spot(one.x, one.y),
            (),
            "stone",
            f"rubble of {one.name}",
            form=_form(rules, one),
            angle=one.facing,
        )
        for one in war.sections
        if one.out
    )
    ground = areas(on, board.terrain)
    looks = tuple(
        SideLook(one.id, one.name, one.colour, SHAPES[n % len(SHAPES)]) for n, one in enumerate(board.sides)
    )
    return Scene(
        title or board.title,
        subtitle(war),
        (*ground, *ruins),
        tokens=tuple(token(rules, war, one, on) for one in war.figures if not one.out),
        traces=tuple(traces(war, events, on)),
        things=tuple(things(rules, war, on)),
        sides=looks,
        summary=_summary(war),
        measure=on,
        values=("speed", "attack", "defence", "damage"),
        grounds={area.ground: area.name for area in ground},
        static_key=board.digest,
        others={one.id: one.name for one in war.all},
    )


def subtitle(war: War) -> str:
    """Return when it is."""
    if war.winner:
        return "over"
    if war.at.is_setup:
        return "armies are built"
    return f"Turn {war.at.turn}, {war.board.side(war.at.side).name}"


def _summary(war: War) -> str:
    counts = [
        f"{side.name}: {sum(one.side == side.id for one in war.up)} warriors" for side in war.board.sides
    ]
    return "; ".join(counts) + "."


def map_scene(rules: Rules, data: Mapping[str, Any]) -> tuple[Scene | None, list[Problem]]:
    """Return a map with nobody on it."""
    wrong = list(map_problems(data))
    if wrong:
        return None, wrong
    on = measure(*size_of(data))
    ground = areas(on, terrain_of(data))
    names = {area.ground: area.name for area in ground}
    return Scene(str(data["title"]), "", ground, measure=on, grounds=names, summary="A table."), []


def outcome(rules: Rules, war: War) -> dict[str, Any]:
    """Return how it went, or how it stands."""
    found = score(rules, war)
    sides = [
        {
            "side": side.id,
            "score": found[side.id],
            "left": sum(one.side == side.id for one in war.up),
            "out": sum(one.side == side.id and one.out for one in war.figures),
        }
        for side in war.board.sides
    ]
    now = {} if war.winner else {"leads": at_the_end(rules, war).winner}
    return {"winner": war.winner, "grade": war.grade, "why": war.why, "sides": sides, **now}


# --- states as they are hashed


def state_to_plain(rules: Rules, war: War) -> dict[str, Any]:
    """Return a game as it is hashed."""
    plain: dict[str, Any] = {
        "at": str(war.at),
        "figures": [to_plain(one) for one in war.figures],
        "sections": [to_plain(one) for one in war.sections],
        "ladders": [to_plain(one) for one in war.ladders],
        "board": war.board.digest,
    }
    more = {
        "told": {seat: to_plain(told) for seat, told in war.told.items()},
        "more": war.more,
        "spent": war.spent,
        "winner": war.winner,
        "why": war.why,
        "grade": war.grade,
        "seats": dict(war.seats),
        "planks": [to_plain(one) for one in war.laid],
    }
    return {**plain, **{key: value for key, value in more.items() if value}}


def state_from_plain(rules: Rules, board: Board, data: Mapping[str, Any]) -> War:
    """Return a game from what was hashed."""
    name = str(data["at"])
    return War(
        board,
        parse_cursor(name),
        tuple(from_plain(one, Figure) for one in data["figures"]),
        tuple(from_plain(one, Section) for one in data["sections"]),
        tuple(from_plain(one, Ladder) for one in data["ladders"]),
        {str(seat): from_plain(told, Told) for seat, told in data.get("told", {}).items()},
        int(data.get("more", 0)),
        int(data.get("spent", 0)),
        str(data.get("winner", "")),
        str(data.get("why", "")),
        str(data.get("grade", "")),
        {str(side): str(seat) for side, seat in data.get("seats", {}).items()},
        tuple(from_plain(one, Plank) for one in data.get("planks", ())),
    )


# --- what a newcomer is told


def aim(rules: Rules, war: War) -> Aim:
    """Return what is played for."""
    board = war.board
    said = board.victory
    wins: list[tuple[str, Phrase]] = []
    at_end = said.get("at-end", {})
    if "winner" in at_end:
        wins.append((str(at_end["winner"]), Phrase("aim.time", {"turns": board.length})))
    else:
        counted = "aim.survivors" if at_end.get("survivors") == "yes" else "aim.points"
        wins.append(("any", Phrase(counted, {"lead": int(at_end.get("lead", 1))})))
    once = tuple(
        (
            str(line["side"]),
            Phrase("aim.destroyed", {"section": line["destroyed"]})
            if "destroyed" in line
            else Phrase("aim.holds", {"section": line["holds"]}),
        )
        for line in said.get("at-once", ())
    )
    length = (Phrase("aim.length", {"turns": board.length, "first": board.sides[0].name}),)
    return Aim(length=length, wins=tuple(wins), at_once=once, letters=board.length)


def primer(rules: Rules, war: War) -> tuple[Chapter, ...]:
    """Return the rules in short."""
    side = war.board.castle or war.board.sides[0].id
    counts = {"most": allowance(rules, war, side), "more": extra(rules, war, side)}
    chapters = {
        "turn": ("actions", "tokens", "portals"),
        "moving": ("moves", "contact", "access"),
        "fighting": ("roll", "close", "ranged", "walls"),
    }
    return tuple(
        Chapter(Phrase(f"primer.{name}"), tuple(Phrase(f"primer.{name}-{line}", counts) for line in lines))
        for name, lines in chapters.items()
    )


def roll_call(rules: Rules, war: War, seat: str) -> tuple[Member, ...]:
    """Return everybody, and every section."""
    found = []
    for one in war.all:
        shown = window(rules, one)
        values = tuple(map(str, (shown.first, shown.attack, shown.defence, shown.damage)))
        what = str(row(rules, one)["name"])
        if isinstance(one, Section):
            what = f"{one.weight} {what}"
        found.append(Member(one.id, one.name, what, one.side, one.owner, (place(one),), values, gone=one.out))
    return tuple(found)
