"""A scene in words: for screen readers, for plain mail, and for whoever wants to search it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.core.scene import (
    OUT,
    UP,
    Dial,
    Feature,
    Measure,
    Plan,
    Point,
    Rectangle,
    Scene,
    Thing,
    Token,
    Trace,
)

from . import placing
from .chart import FEATURES, character_map, grid, sides
from .lettering import plain
from .palette import look

ALT_LIMIT = 140

_DONE = {
    "move": "moves",
    "retreat": "falls back",
    "advance": "advances",
    "enter": "enters the map",
    "leave": "leaves the map",
    "flee": "flees",
    "lead": "is led",
    "dismount": "gets off",
    "thrown": "is thrown off",
    "fall": "falls",
    "roll": "is moved",
    "strike": "strikes",
    "shot": "shoots",
    "throw": "throws",
    "fight": "fights",
}
EDGES = {
    "crest": "edge of a slope, falling away from the hex named",
    "gate": "gateway",
    "arch": "archway",
    "slit": "arrow slit",
    "low-wall": "low wall",
}
"""What stands on hexsides, where the words are others than the kind."""
STEPS = ("intact", "slightly damaged", "damaged", "heavily damaged", "destroyed")
"""What a wall is after so many steps of damage."""
REGIONS = {"goal": "{name}, which counts for {side}", "zone": "{name}, where {side} may begin"}
"""Kind of region -> what is said of it."""
SHELTERS = {"siege-tower": "in", "ram": "in", "penthouse": "under", "ladder": "on", "drawbridge": "on"}
"""Things whose cells are named after them for who stands there, and how."""


def alt(scene: Scene) -> str:
    """Return the map in one sentence of at most 140 characters, for an ``alt`` attribute."""
    head = ", ".join(part for part in (plain(scene.title), plain(scene.subtitle)) if part)
    said = plain(scene.summary) or _count(scene)
    whole = (
        f"Map: {said}"
        if scene.title and said.startswith(plain(scene.title))
        else f"Map: {head}. {said}"
        if head
        else f"Map. {said}"
    )
    goals = _and(plain(region.name, 24) for region in scene.regions if region.kind == "goal")
    more = f"{whole} Played for: {goals}." if goals else whole
    return plain(more if len(more) <= ALT_LIMIT else whole, ALT_LIMIT)


def describe(scene: Scene, *, figures: bool = True) -> str:
    """Return everything the picture shows, in words: figures by hex, what happened, the ground.

    Without ``figures`` of those only whom a list of names, hexes and values does not tell whole: the dead,
    riders, who is on a ladder.
    """
    parts = [
        _heading(scene),
        _happened(scene),
        placing.measured(scene),
        *(_figures(scene, side, figures) for side in sides(scene)),
        _things(scene),
        _became(scene),
        _regions(scene),
        _ground(scene),
        _features(scene),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def render(scene: Scene) -> str:
    """Return the description and, below it, the map in characters, odd columns half a row higher."""
    drawn = character_map(scene)
    return describe(scene) + (f"\n{drawn}\n" if drawn else "")


def _count(scene: Scene) -> str:
    counts = []
    for side in sides(scene):
        standing = [token for token in scene.tokens if token.side == side and token.look != OUT]
        counts.append(f"{_side_name(scene, side)} {len(standing)}")
    return f"Figures: {', '.join(counts)}." if counts else "No figures."


def _side_name(scene: Scene, side: str) -> str:
    return next(
        (plain(each.name) for each in scene.sides if each.side == side and each.name),
        plain(side) or "Things of no side",
    )


def _heading(scene: Scene) -> str:
    lines = [plain(scene.title), plain(scene.subtitle), plain(scene.summary)]
    size = grid(scene.areas) if scene.cell[0] else None
    if size:
        lines.append(f"The map is {size[0]} hexes wide and {size[1]} high; hex 0101 is at the top left.")
    if scene.measure is not None:
        lines.append(placing.table(scene.measure))
    if scene.scale:
        lines.append(plain(scene.scale) + ".")
    return "\n".join(line for line in lines if line)


def _cell(scene: Scene, many: int = 0) -> str:
    """Return what one cell is called, or several."""
    return plain(scene.cell[many]) or ("place", "places")[many]


def unit_line(token: Token, aboard: str = "", measure: Measure | None = None) -> str:
    """Return a figure in one line: place (of two hexes head, tail and facing), name, class, values, state,
    badges; ``aboard``: of what.
    """
    places = _places(token, measure) + (f", {aboard}" if aboard and measure is None else "")
    name = plain(token.id, 40)
    if plain(token.name) and plain(token.name).lower() not in (name, name.replace("-", " ")):
        name += f" ({plain(token.name, 60)})"
    parts = [name, plain(token.description or token.symbol, 60)]
    if token.look == OUT:
        parts.append(plain(token.state, 20))
        if token.weight > 1:
            parts.append(f"{token.weight} bodies here")
    else:
        if token.numbers:
            parts.append("-".join(plain(number, 6) for number in token.numbers))
        if token.side or token.look != UP:
            parts.append(plain(token.state, 20))
        parts.extend(plain(badge, 20) for badge in token.badges)
        if token.facing is not None:
            parts.append(f"facing {placing.compass(token.facing)}")
        if token.moved:
            parts.append("moved")
        if token.weight:
            parts.append(f"{token.weight} {'body' if token.weight == 1 else 'bodies'} beneath")
    if measure is not None:
        parts.append(aboard)
    return f"{places}: {', '.join(part for part in parts if part)}"


def _places(token: Token, measure: Measure | None = None) -> str:
    """Return where a figure stands; on a table how far from its left and its lower edge."""
    if measure is not None and token.cells:
        return placing.from_edges(measure, token.cells[0])
    if len(token.at) != 2 or len(token.cells) != 2:
        return " and ".join(plain(place, 24) for place in token.at) or "nowhere"
    return f"{plain(token.at[0], 24)}, tail {plain(token.at[1], 24)}, facing {facing(*token.cells)}"


def facing(head: Point, tail: Point) -> str:
    """Return the side to which a figure of two cells looks, from the centres of its cells."""
    x, y = head[0] - tail[0], head[1] - tail[1]
    across = "e" if x > 0 else "w"
    return ("n" if y < 0 else "s") + (across if abs(x) * 2 > abs(y) else "")


def _figures(scene: Scene, side: str, plain_ones: bool) -> str:
    on = aboard(scene)
    tokens = sorted(
        (
            token
            for token in scene.tokens
            if token.side == side and (plain_ones or token.id in on or not _is_plain(token))
        ),
        key=lambda token: (token.look == OUT, token.at, token.level, token.id),
    )
    if not tokens:
        return ""
    return "\n".join(
        [
            f"{_side_name(scene, side)} ({_columns(scene)})",
            *(f"- {unit_line(token, on.get(token.id, ''), scene.measure)}" for token in tokens),
        ]
    )


def _columns(scene: Scene) -> str:
    """Return what the parts of a figure's line are."""
    return ", ".join(
        part for part in (f"{_cell(scene)}: name", "class", "-".join(scene.values), "state") if part
    )


def _is_plain(token: Token) -> bool:
    """Tell whether name, hex, values and state say everything of a figure."""
    told = token.look != OUT and len(token.cells) < 2 and token.facing is None
    return told and not (token.badges or token.moved or token.weight)


def aboard(scene: Scene) -> dict[str, str]:
    """Return figure -> in or on which thing it is: ``in tower1``, ``on top of tower1``, ``on ladder1``; on a
    table in which area.
    """
    if scene.measure is not None:
        return {
            token.id: f"{'on' if token.level else 'in'} {_and(plain(name, 24) for name in places)}"
            for token in scene.tokens
            if token.cells and (places := placing.standing(scene, token.cells[0]))
        }
    by_cell: dict[Point, Thing] = {}
    for thing in scene.things:
        carried = thing.kind == "ladder" and thing.stands != "raised"
        if (
            thing.kind in SHELTERS
            and not carried
            and not (thing.kind == "drawbridge" and thing.stands == "raised")
        ):
            by_cell.update(dict.fromkeys(thing.cells, thing))
    found = {}
    for token in scene.tokens:
        thing_ = by_cell.get(token.cells[0]) if token.cells and token.look != OUT else None
        if token.level < 0:
            found[token.id] = "underground"
        elif thing_ is not None:
            found[token.id] = f"{_whereabouts(token, thing_)} {plain(thing_.id, 40)}"
    return found


def _whereabouts(token: Token, thing: Thing) -> str:
    """Return how a figure stands to a thing: in it, on top of it, on a floor of it that has a number."""
    storey = token.at[0].partition("@")[2] if token.at else ""
    if storey.isdigit():
        return f"on floor {storey} of"
    return "on top of" if token.level else SHELTERS[thing.kind]


def _things(scene: Scene) -> str:
    lines = [f"- {thing_line(scene, thing)}" for thing in scene.things if thing.kind != "winch"]
    return (
        "\n".join([f"Engines and equipment ({_cell(scene, 1)}: name, what it is, whose)", *lines])
        if lines
        else ""
    )


def thing_line(scene: Scene, thing: Thing) -> str:
    """Return a thing in one line: its hexes, the one in front first, its name, what it is and how it stands,
    its side.
    """
    places = _and(plain(place, 24) for place in thing.at) or "off the map"
    if scene.measure is not None and thing.cells:
        places = placing.from_edges(scene.measure, thing.cells[0])
    words = [
        plain(thing.id, 40),
        plain(thing.description or f"{thing.kind} {thing.stands} {thing.facing}", 120),
    ]
    if isinstance(thing.form, Rectangle):
        words.append(f"facing {placing.compass(thing.angle)}")
    if thing.side:
        words.append(f"of {_side_name(scene, thing.side)}")
    return f"{places}: {', '.join(words)}"


def _became(scene: Scene) -> str:
    lines = [f"- {feature.at}: {feature_words(feature)}" for feature in scene.features]
    return "\n".join(["What has become of the ground", *sorted(lines)]) if lines else ""


def feature_words(feature: Feature) -> str:
    """Return what has become of a hex, in words."""
    step = STEPS[min(max(feature.number, 0), len(STEPS) - 1)]
    return FEATURES.get(feature.kind, plain(feature.kind, 20)).format(number=feature.number, step=step)


def _happened(scene: Scene) -> str:
    if not scene.traces:
        return ""
    numbers = places_of(scene)
    return "\n".join(["What happened", *(f"- {trace_line(trace, numbers)}" for trace in scene.traces)])


def places_of(scene: Scene, traces: Sequence[Trace] = ()) -> dict[Point, str]:
    """Return what each point is called that something can happen at: the centres of cells, and on a table
    every point of a way.
    """
    if scene.measure is None:
        return {area.centre: area.at for area in scene.areas}
    points = {point for trace in (traces or scene.traces) for point in (*trace.path, *trace.tails)}
    return {point: placing.from_edges(scene.measure, point) for point in points}


def trace_line(trace: Trace, numbers: dict[tuple[int, int], str]) -> str:
    """Return something that happened in one line; ``numbers`` names the hex at each centre."""
    actors = _and(plain(actor, 40) for actor in trace.actors) or "someone"
    done = _DONE.get(trace.kind, plain(trace.kind, 20))
    if len(trace.actors) > 1:
        done = {
            "fights": "fight",
            "shoots": "shoot",
            "strikes": "bombard",
            "moves": "move",
            "advances": "advance",
            "falls back": "fall back",
        }.get(done, done)
    words = f"{actors} {done}"
    if trace.targets:
        link = {
            "shot": "at",
            "throw": "at",
            "fight": "against",
            "thrown": "",
            "dismount": "",
            "strike": "the wall in",
        }.get(trace.kind, "with")
        words += f" {link} {_and(plain(target, 40) for target in trace.targets)}".replace("  ", " ")
    way = [numbers[point] for point in trace.path if point in numbers]
    if trace.kind in ("shot", "fight", "strike"):
        if len(way) > 1 and trace.kind != "strike":
            words += f" ({way[0]} to {way[-1]})"
    elif way:
        words += f": {' '.join(way) if ' ' not in way[0] else ' to '.join(way)}"
        if trace.tails and trace.tails[-1] in numbers:
            words += f", tail {numbers[trace.tails[-1]]}, facing {facing(trace.path[-1], trace.tails[-1])}"
    if trace.text:
        words += f"; {plain(trace.text, 60)}"
    return words


def _and(words: Iterable[str]) -> str:
    listed = [word for word in words if word]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else ""


def _regions(scene: Scene) -> str:
    lines = []
    for kind, said in REGIONS.items():
        for region in (one for one in scene.regions if one.kind == kind):
            whose = _and(_side_name(scene, side) for side in region.sides)
            lines.append(f"- {said.format(name=plain(region.name, 40), side=whose)}: {runs(region.at)}")
    return "\n".join(["Places that matter", *lines]) if lines else ""


def _ground(scene: Scene) -> str:
    names: dict[str, list[str]] = {}
    for area in scene.areas:
        if look(area.ground) != "flat":
            names.setdefault(
                plain(area.name or scene.grounds.get(area.ground, "") or area.ground, 60), []
            ).append(area.at)
    marks: dict[str, list[str]] = {}
    known = {region.name for region in scene.regions}
    for area in scene.areas:
        for mark in (one for one in area.marks if one not in known):
            marks.setdefault(plain(mark, 40), []).append(area.at)
    called = {area.name for area in scene.areas} if not scene.cell[0] else frozenset[str]()
    told = runs if scene.measure is None else placing.lying(scene)
    lines = [f"- {name}: {told(names[name])}" for name in sorted(names)]
    lines += [f"- the place called {mark}: {runs(marks[mark])}" for mark in sorted(marks)]
    lines += [
        f"- {plain(note.text, 80)} is a name on the map"
        for note in scene.notes
        if plain(note.text) and note.text not in called
    ]
    others = scene.cell[0] or any(look(area.ground) == "flat" for area in scene.areas)
    return (
        "\n".join([f"Ground (all other {_cell(scene, 1)} are open)" if others else "Ground", *lines])
        if lines
        else ""
    )


def _features(scene: Scene) -> str:
    kinds: dict[str, list[str]] = {}
    for edge in scene.edges:
        kinds.setdefault(EDGES.get(edge.kind, plain(edge.kind, 30)), []).append(
            f"{plain(edge.at, 12)} {plain(edge.side, 4)}"
        )
    lines = [f"- {kind}: {', '.join(sorted(kinds[kind]))}" for kind in sorted(kinds)]
    return "\n".join([f"On the sides of {_cell(scene, 1)}", *lines]) if lines else ""


def runs(places: Sequence[str]) -> str:
    """Return hexes column by column, those below one another as ``0203-0206``."""
    found: list[list[str]] = []
    for place in sorted(places):
        last = found[-1][-1] if found else ""
        if (
            last[:2] == place[:2]
            and last[2:].isdigit()
            and place[2:].isdigit()
            and int(place[2:]) == int(last[2:]) + 1
        ):
            found[-1].append(place)
        else:
            found.append([place])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)


def describe_plan(plan: Plan) -> str:
    """Return a record sheet in words: each wall that has lost steps, how many of each kind are whole, and the
    tables line by line.
    """
    hurt = [wall for wall in plan.walls if wall.damage]
    lines = [plain(plan.title), plain(plan.subtitle), plain(plan.summary), ""]
    if plan.dials:
        return "\n".join([*lines[:3], *dials_in_words(plan)]) + "\n"
    lines.append("Walls that are damaged")
    for wall in sorted(hurt, key=lambda each: each.at):
        step = plan.steps[min(wall.damage, len(plan.steps)) - 1] if plan.steps else ""
        lines.append(
            f"- {wall.at}, {plan.kinds.get(wall.kind, wall.kind)}: {wall.damage} of {len(plan.steps)} "
            f"steps, {step}"
        )
    if not hurt:
        lines.append("- none")
    lines += ["", "Walls that are whole"]
    for kind in dict.fromkeys(wall.kind for wall in plan.walls):
        whole = [wall.at for wall in plan.walls if wall.kind == kind and not wall.damage]
        if whole:
            lines.append(f"- {plan.kinds.get(kind, kind)}: {runs(whole)}")
    for table in plan.tables:
        lines += ["", f"{plain(table.title)}: {', '.join(plain(word, 60) for word in table.head)}"]
        lines += [f"- {', '.join(plain(word, 60) for word in row)}" for row in table.rows]
        if table.note:
            lines.append(plain(table.note, 300))
    return "\n".join(line for n, line in enumerate(lines) if line or n > 2) + "\n"


def dials_in_words(plan: Plan) -> list[str]:
    """Return each dial in a line: what it shows, how many clicks are left, what is still to come."""
    found = []
    for side in dict.fromkeys(dial.side for dial in plan.dials):
        found += ["", f"{plain(plan.kinds.get(side, side), 80)}: {', '.join(plan.values)}"]
        for dial in plan.dials:
            if dial.side == side:
                found.append(f"- {_dial_line(dial)}")
    return found


def _dial_line(dial: Dial) -> str:
    who = plain(f"{dial.id}, {dial.name}, {dial.kind}, {dial.note}", 160)
    left = len(dial.windows) - dial.at
    if left <= 0:
        return f"{who}: the dial has come to its end"
    later = [
        "-".join(window) + (f" ({mark})" if mark else "")
        for window, mark in zip(dial.windows, (*dial.marks, *("",) * len(dial.windows)), strict=False)
    ]
    then = f"; then {', '.join(later[dial.at + 1 :])}" if left > 1 else ""
    return f"{who}: {later[dial.at]}, {left} of {len(dial.windows) - dial.begins} clicks left{then}"
