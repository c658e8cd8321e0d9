"""Slots as players know them: by their turn."""

from __future__ import annotations

from pbem.referee.game.game import Game
from pbem.referee.game.replay import Ground
from pbem.text import when


def side_names(ground: Ground, state: object) -> dict[str, str]:
    """Return how the sides of a game are called."""
    scene = ground.rules.interface.scene(ground.rules, state, ())
    return {look.side: look.name for look in scene.sides}


def names_of_seats(game: Game) -> dict[str, str]:
    """Return how the side of each seat is called."""
    names = side_names(game.ground, game.state_after(0, ""))
    return {seat: names.get(side, seat) for seat, side in game.sides.items()}


def of_phase(ground: Ground, state: object, phase: str) -> str:
    """Return the turn that a phase belongs to, with the phase where a turn does not begin with it."""
    phases = ground.rules.sequence.phases
    return when.said(ground.words, phase, side_names(ground, state), phases[0].id if phases else "")


def of_slot(game: Game, slot: int) -> str:
    """Return the turn that a slot began with: ``turn 3, West``; of 0 the beginning."""
    found = game.ledger.slots.get(slot)
    if found is None:
        return game.words.phrase("when.beginning")
    return of_phase(game.ground, game.state_after(0, ""), found.phase)


def map_title(game: Game, slot: int) -> str:
    """Return what stands over the map after a slot."""
    words = game.words
    turn = words.phrase("when.after", turn=of_slot(game, slot)) if slot else words.phrase("when.begins")
    return words.phrase("map.title", title=game.ground.title, turn=turn)
