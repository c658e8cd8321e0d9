"""A game explained on paper or on the screen: the briefing of a seat, with the pace of the office that the
game lies in.
"""

from __future__ import annotations

from typing import Final

from pbem.post.offices.office import FILE
from pbem.referee.explain.briefing import briefing_of, document, pace
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.office import settings
from pbem.text import markup

FORMATS: Final = {"text": markup.as_text, "md": markup.as_markdown, "html": markup.as_html}


def brief(game: Game, seat: str | None, format_: str) -> str:
    """Return the briefing of a game, for a seat if one is named, in one of ``FORMATS``."""
    return FORMATS[format_](
        document(briefing_of(game, game.seat_of(seat) if seat is not None else "", pace=pace_of(game)))
    )


def pace_of(game: Game) -> str:
    """Return how long somebody has for a turn in the office that a game lies in; empty where it lies in none
    that can be opened.
    """
    root = game.where.parent
    if game.folder is None or not (root / FILE).is_file():
        return ""
    try:
        return pace(settings(root).game(game.id, game.where.name).deadlines)
    except Refused:
        return ""
