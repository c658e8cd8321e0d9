"""Looking into a game for its status: everything that is told of it, once."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.post.offices.office import FILE
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.mail import glance
from pbem.referee.mail.glance import Glance, Waited
from pbem.referee.mail.notices import notices
from pbem.referee.mail.stands import Stands, served_game, stands
from pbem.referee.turn.seen_heads import look_at
from pbem.referee.turn.status import Status, status
from pbem.rulesets import BUILT_IN


class Looked(Struct, frozen=True):
    """A game that was looked into: where it stands, for people and for programs, and what is worth knowing of
    it.
    """

    here: Stands
    known: Status
    notices: tuple[str, ...]

    @property
    def game(self) -> Game:
        """Return the game."""
        return self.here.game

    @property
    def glance(self) -> Glance:
        """Return what is told of it to people."""
        here, known = self.here, self.known
        return Glance(
            id=here.id,
            title=here.title,
            said=here.said,
            over=here.over,
            waits=tuple(Waited(one.kind, one.who) for one in here.waits),
            since=here.since,
            until=here.until,
            zone=str((here.until.tzinfo if here.until is not None else None) or "UTC"),
            held=here.held,
            score=here.score,
            winner=here.winner,
            why=here.why,
            notes=(*known.record, *known.own_rules, *self.notices),
            newest=datetime.fromisoformat(str(self.game.ledger.records[-1].record["at"])),
        )


def look_into(env: Environment, where: Path) -> Looked:
    """Look into a game: whose values for it lie here has seen it now. What is told to people is kept until
    anything is written.
    """
    files = glance.of_files(where) if where.is_dir() else None
    served, office = served_game(where)
    game = served.game
    keys = glance.of_keys(env.keyring, game.id)
    looked = Looked(stands(served), status(game), notices(env, game))
    seen = look_at(env, game)
    if seen and office is None and str(game.ledger.manifest["ruleset"]["id"]) in BUILT_IN:
        glance.keep(env.keyring, where, where.resolve().parent / FILE, files, keys, looked.glance)
    return looked
