"""A game as a scene, and a scene as a picture: the renderer is chosen by the suffix of the file that is
wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from msgspec.structs import replace

from pbem.core.scene import Plan, Scene
from pbem.proof.archive import content, events_path
from pbem.referee.explain.look import THEMES, Look
from pbem.referee.game.differing import read_events
from pbem.referee.game.game import Game, mending
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.replay import Ground
from pbem.referee.game.turns import map_title
from pbem.referee.game.views import known_events, known_state, side_of
from pbem.store import shelf

SUFFIXES: Mapping[str, str] = {".png": "png", ".svg": "svg", ".txt": "text"}
"""Suffix of the file -> module in ``renderers/``."""
PLANS = (".png", ".txt")
"""What a sheet can be made as."""
ON_PAPER = "print"
"""The look of a sheet that somebody fills in, unless another is named."""
SHEET = "sheet"
"""What the name of a picture ends in that is not of the map, but of what is kept beside it."""


def renderer(suffix: str) -> Any:
    """Return the function that draws for a suffix; Refused where there is none."""
    module = SUFFIXES.get(suffix)
    if module is None:
        raise refuse("draw.suffix", suffix=suffix, help="one of " + ", ".join(SUFFIXES))
    return painter(module).render


def painter(module: str = "png") -> Any:
    """Return a module that draws; what it paints of the ground is kept on the user's shelf."""
    if module != "text":
        shelves()
    return import_module(f"pbem.renderers.{module}")


def shelves() -> Any:
    """Return the module that keeps what was painted and drawn, with the user's shelves."""
    keeping = import_module("pbem.renderers.keeping")
    keeping.use(shelf.own(), shelf.own(shelf.FINISHED))
    return keeping


def scene_of(
    ground: Ground, state: Any, events: Sequence[Mapping[str, Any]], title: str = "", side: str | None = None
) -> Scene:
    """Return the scene of a state after some events, as a side sees it; ``side`` None is what the umpire
    sees.
    """
    known, learnt = known_state(ground, state, side), known_events(ground, state, events, side)
    scene: Scene = ground.rules.interface.scene(ground.rules, known, learnt, side=side, title=title)
    return scene


def drawn(scene: Scene, suffix: str, look: Look | None = None) -> bytes:
    """Return a scene as the bytes of a file; characters have no look."""
    if suffix == ".txt" or suffix not in SUFFIXES:
        return str(renderer(suffix)(scene)).encode()
    asked = look or Look()
    theme = import_module("pbem.renderers.themes").theme_of(asked.theme)
    width = (
        import_module("pbem.renderers.frame").width_for(asked.scale)
        if suffix == ".png" or asked.scale != 1
        else None
    )

    def made() -> bytes:
        file = renderer(suffix)(scene, theme=theme, width=width)
        return file.encode() if isinstance(file, str) else bytes(file)

    # the very same map once more, for a letter or another program, is found without all that draws
    file: bytes = shelves().file_once((suffix, asked, scene), made)
    return file


def details(scene: Scene, theme: str = THEMES[0]) -> list[tuple[bytes, str]]:
    """Return pictures of where things happened, each with its alt text: at most three, legible on a phone."""
    crops = painter().render_crops(scene, theme=import_module("pbem.renderers.themes").theme_of(theme))
    return [(crop.png, crop.alt) for crop in crops]


def plan_of(
    ground: Ground,
    state: Any,
    title: str = "",
    events: Sequence[Mapping[str, Any]] | None = None,
    side: str | None = None,
) -> Plan | None:
    """Return what is kept beside the map on a sheet of its own; None where there is nothing, or ``events``
    changed nothing on it.
    """
    learnt = None if events is None else known_events(ground, state, events, side)
    plan: Plan | None = ground.rules.interface.plan(
        ground.rules, known_state(ground, state, side), title=title, events=learnt
    )
    return plan


def plan_drawn(plan: Plan, suffix: str, theme: str = ON_PAPER) -> bytes:
    """Return such a sheet as the bytes of a file; characters have no theme.

    Refused where a sheet has no such form.
    """
    forms = (*PLANS, ".svg") if plan.dials else PLANS
    if suffix not in forms:
        raise refuse("draw.suffix", suffix=suffix, help="one of " + ", ".join(forms))
    if suffix == ".svg":
        theme_ = import_module("pbem.renderers.themes").theme_of(theme)
        return str(import_module("pbem.renderers.dials").drawn(plan, theme_)).encode()
    if suffix == ".txt":
        return str(import_module("pbem.renderers.text").describe_plan(plan)).encode()
    return bytes(painter("plan").render(plan, theme=import_module("pbem.renderers.themes").theme_of(theme)))


def sheet(
    game: Game, suffix: str, slot: int | None = None, theme: str = ON_PAPER, seat: str | None = None
) -> bytes:
    """Return the record sheet of a game after a slot, as a seat knows it; Refused where its
    rules keep none.
    """
    number, state = state_of(game, slot)
    plan = plan_of(game.ground, state, map_title(game, number), side=side_of(game, seat))
    if plan is None:
        raise refuse(
            "draw.no-sheet",
            ruleset=game.ground.rules.id,
            help="there is one of a siege, and of a game with dials",
        )
    return plan_drawn(plan, suffix, theme)


def measured(
    game: Game,
    scene: Scene,
    pairs: Sequence[tuple[str, str]],
    names: Sequence[str],
    slot: int | None = None,
    seat: str | None = None,
) -> Scene:
    """Return a scene in which it is shown how far it is between each pair, and how far each of ``names``
    moves and shoots, as a seat knows it; Refused where nothing is measured, or nobody has such a name.
    """
    measuring = game.ground.rules.interface.measuring
    if measuring is None:
        raise refuse("draw.no-table", ruleset=game.ground.rules.id)
    known = known_state(game.ground, state_of(game, slot)[1], side_of(game, seat))
    spans, sectors, missing = measuring(game.ground.rules, known, pairs, names)
    if missing:
        raise refuse("draw.nobody", names=", ".join(missing))
    return replace(scene, spans=spans, sectors=sectors)


def measures(scene: Scene, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return in words what a scene shows as measured, first between each pair."""
    said = str(import_module("pbem.renderers.placing").measured(scene))
    lines = [line.removeprefix("- ") for line in said.split("\n")[1:]]
    named = [f"{a} to {b}: {line.partition(': ')[2]}" for (a, b), line in zip(pairs, lines, strict=False)]
    return [*named, *lines[len(pairs) :]]


def events_of(game: Game, slot: int) -> tuple[Mapping[str, Any], ...]:
    """Return the events of a slot as they lie in the archive; Refused (cannot decide) where they are missing
    or cannot be read.
    """
    path = events_path(slot)
    data = content(game.archive, path)
    listed = read_events(data)
    if listed is None or not all(isinstance(event.get("type"), str) for event in listed):
        raise refuse("game.events", answer=UNDECIDED, path=path, slot=slot, help=mending(game.where))
    return tuple(listed)


def state_of(game: Game, slot: int | None) -> tuple[int, Any]:
    """Return a slot (the newest with a result unless one is named; 0 is the start) and the state after it."""
    game_started(game)
    ledger = game.ledger
    if slot is None:
        return ledger.state_slot, game.state
    if slot == 0:
        return 0, game.state_after(0, str(ledger.records[1].record["state"]))
    found = ledger.slots.get(slot)
    if found is None or found.result is None:
        raise refuse("game.no-slot", answer=UNDECIDED, slot=slot, newest=ledger.state_slot)
    return slot, game.state_after(slot, str(found.result["state"]))


def game_started(game: Game) -> None:
    """Refused (cannot decide) where a game has not started."""
    if not game.ledger.started:
        raise refuse("game.not-started", answer=UNDECIDED, seats=", ".join(game.not_joined))


def shown(game: Game, slot: int | None = None, seat: str | None = None) -> Scene:
    """Return the scene after a slot, with what happened in it, as a seat sees it; without one as the umpire
    does.
    """
    number, state = state_of(game, slot)
    events = events_of(game, number) if number else ()
    return scene_of(game.ground, state, events, map_title(game, number), side_of(game, seat))


def render(game: Game, suffix: str, slot: int | None = None) -> bytes:
    """Return the map after a slot, with what happened in it."""
    return drawn(shown(game, slot), suffix)
