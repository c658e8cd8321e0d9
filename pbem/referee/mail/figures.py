"""What each game of an office comes to in numbers: how soon players answered, what they missed and wrote, how
it ended, how the dice fell.

How soon somebody answered is the time from the turn being open to the arrival of the orders that were used,
or of his words after a lock, without pauses and his leave; nights and days off are in it. What was handed in
at the terminal counts by when its file was written, if that is believable. Turns that were taken back do not
count, nor what somebody else did in a seat before he was substituted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec import Struct

from pbem.club.due import taken
from pbem.proof.history import Slot
from pbem.proof.luck import SizeLuck, luck
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.seat_names import seat_names
from pbem.referee.game.views import hides
from pbem.referee.mail.bot_seats import bots_of
from pbem.referee.mail.costs import history, plays_since
from pbem.referee.mail.kept_games import each_game
from pbem.referee.mail.office import POST, Trouble
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.referee.mail.stands import stands
from pbem.referee.turn.status import mails
from pbem.store.gamedir import GameDir
from pbem.store.postbag import Postbag
from pbem.store.received import came_of, letters, words_path


class SeatFigures(Struct, frozen=True):
    """What a seat comes to: who plays it (the id of a player of the office, or empty; his name), its side,
    the seconds that each answer of his took, his misses, the files and words that he sent, the dice of his
    side.
    """

    seat: str
    player: str
    name: str
    side: str
    answers: tuple[int, ...]
    misses: int
    sent: int
    dice: tuple[SizeLuck, ...]


class GameFigures(Struct, frozen=True):
    """What a game comes to; ``winner`` is the name of a side, empty where nobody has won."""

    id: str
    title: str
    seats: tuple[SeatFigures, ...]
    over: bool
    winner: str


def figures(env: Environment, root: Path, troubles: list[Trouble]) -> Iterator[GameFigures]:
    """Yield what each game of an office comes to, by folder; what cannot be opened is told among
    ``troubles``.
    """
    arrivals = Postbag(root / POST).arrivals()
    yield from each_game(env, root, "figures", GameFigures, partial(figures_of, arrivals=arrivals), troubles)


def figures_of(served: OfficeGame, arrivals: Mapping[str, str]) -> GameFigures:
    """Return what a game comes to; ``arrivals`` says when letters arrived, by their ids."""
    game, here, bots = served.game, stands(served), bots_of(served)
    seats: tuple[SeatFigures, ...] = ()
    if game.ledger.started:
        written = seat_names(game)
        sent = {one.seat: one.letters for one in mails(game)}
        # While something is hidden not even how many dice fell is told.
        secret = hides(game.ground.rules) and not here.over
        rolled = () if secret else luck(game.ledger)
        dice = {one.seats[0]: one.sizes for one in rolled if len(one.seats) == 1}
        seats = tuple(
            SeatFigures(
                seat,
                served.players[seat].id if seat in served.players else "",
                served.players[seat].name if seat in served.players else written.get(seat, ""),
                served.side_name(seat),
                () if seat in bots else tuple(_answers(served, seat, arrivals)),
                sum(history(game, seat, game.ledger.newest_slot)),
                sent.get(seat, 0),
                dice.get(seat, ()),
            )
            for seat in game.ledger.seats
        )
    return GameFigures(here.id, here.title, seats, here.over, here.winner)


def _answers(served: OfficeGame, seat: str, arrivals: Mapping[str, str]) -> Iterator[int]:
    """Yield how many seconds each answer of a seat took: of its orders, and of its words after locks."""
    for opened, came in _spans(served.game, seat, arrivals):
        yield taken(seat, opened, came, served.acts)


def _spans(game: Game, seat: str, arrivals: Mapping[str, str]) -> Iterator[tuple[datetime, datetime]]:
    """Yield from when on a seat was waited for, and when its answer came, of each."""
    folder = game.folder
    if folder is None:
        return
    at = {read.id: parsed(str(read.record["at"])) for read in game.ledger.records}
    since = plays_since(game, seat)
    for number, slot in sorted(game.ledger.slots.items()):
        if number < since or slot.undone:
            continue
        locked = parsed(slot.locked_at)
        if seat in slot.waits and (path := _used(folder, slot, seat)) and slot.head in at:
            yield from _took(folder, path, at[slot.head], locked, arrivals)
        path = words_path(number, seat)
        if seat in slot.asked and slot.result is not None and folder.read(path) is not None:
            yield from _took(folder, path, locked, parsed(str(slot.result["at"])), arrivals)


def _used(folder: GameDir, slot: Slot, seat: str) -> str:
    """Return the name of the file of a seat that was used in a slot; empty where none was, or it is gone."""
    wanted = slot.entries[seat].sha512
    found = [one for one in letters(folder, slot.number) if one.seat == seat and one.sha512 == wanted]
    return found[0].path if found else ""


def _took(
    folder: GameDir, path: str, opened: datetime, closed: datetime, arrivals: Mapping[str, str]
) -> Iterator[tuple[datetime, datetime]]:
    """Yield from when until when it took until a file came; nothing where that is not known."""
    arrived = arrivals.get(came_of(folder, path).mail)
    if arrived is not None:
        came = datetime.fromisoformat(arrived)
    else:
        came = datetime.fromtimestamp(int((folder.root / path).stat().st_mtime), UTC)
        if not opened <= came <= closed:
            return
    yield opened, came
