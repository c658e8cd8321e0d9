"""What the umpire says beside time: a word to all or some, another player for a seat, the end of a game, and
that it goes on after all.

Each is a signed record of the ledger with its reason, and the next round tells it to every seat; only a word
to some, or about several games, is a letter and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.club.due import deadline, is_paused
from pbem.club.terms import NOTHING
from pbem.post.offices.office import FILE
from pbem.post.write import official
from pbem.post.write.parts import About
from pbem.proof.archive import orders_path
from pbem.proof.spoken import AGREED, BOT, DRAW, END, REOPEN, RESIGNED, SAY, SUBSTITUTE
from pbem.referee.game import ending
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game, own_folder
from pbem.referee.game.refusal import refuse
from pbem.referee.game.results import RESULTS, results_bytes
from pbem.referee.game.sealing import publish
from pbem.referee.game.turns import side_names
from pbem.referee.mail.incoming import about
from pbem.referee.mail.office import alone, open_house, player_of, settings
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.referee.mail.troubles import Troubles
from pbem.referee.mail.umpire_speaking import Spoken, office_of, speak, written_at
from pbem.referee.turn.bot_orders import bot_for
from pbem.referee.turn.go import missing_goes
from pbem.store.library import common_words
from pbem.store.outbox import Outbox
from pbem.text.words import speaking

AS_IT_STANDS: Final = "as it stands"
"""In the place of a winner: whoever leads."""


def say(env: Environment, where: Path, text: str) -> Spoken:
    """Say something to everybody of a game: it stands in the ledger."""
    return speak(env, where, SAY, text, lambda served: {})


def write_to(env: Environment, where: Path, text: str, seats: Sequence[str] = ()) -> tuple[str, ...]:
    """Queue a word to some seats of a game, or to every player with a game that is not over, of an office;
    return who gets it. Nothing of it stands in a ledger.
    """
    whole = (where / FILE).is_file()
    root = where if whole else office_of(where)
    with alone(root) as post:
        house = open_house(env, root, only="" if whole else where.resolve().name)
        if not whole:
            served = next(iter(house.games.values()), None)
            if served is None:
                raise refuse("game.none", file=str(where), path=str(where))
            _known(served, seats)
        box, now = Outbox(post), parsed(env.clock())
        queue = Queue(house, box, Troubles.read(house.post), now)
        found = []
        if whole:
            going = {
                seat.addresses[0] for seat in house.seats if seat.addresses and not house.is_over(seat.game)
            }
            for player in house.office.players.values():
                if player.address in going:
                    with speaking(player.language):
                        letter = official.said(official.Official(About(), text), common_words())
                    queue.letter(f"say-{now:%Y%m%d%H%M%S}-{player.id}", letter, "", player.address)
                    found.append(player.name)
        for seat in house.seats if not whole else ():
            if seat.seat in seats and seat.addresses:
                with speaking(seat.language):
                    told = official.Official(about(house, seat), text, alone=True)
                    letter = official.said(told, common_words())
                key = f"say-{seat.game}-{now:%Y%m%d%H%M%S}-{seat.seat}"
                queue.letter(key, letter, seat.game, seat.addresses[0], thread=queue.thread(seat.game, seat))
                found.append(seat.seat)
    if not found:
        raise refuse("word.nobody")
    return tuple(found)


def substitute(env: Environment, where: Path, why: str, seat: str, player: str) -> Spoken:
    """Give a seat to another player of the office, or to a bot (``bot-`` and its name). Where the open slot
    waits for it a player has the whole length of it again.

    Refused where there is no such player or bot, it is his already, he plays for another side, or the seat
    has a key that is the old player's.
    """
    root = office_of(where)
    office = settings(root)

    def worked_out(served: OfficeGame) -> Mapping[str, Any]:
        game = served.game
        _known(served, [seat])
        coming, before = player_of(office, player.lower()), served.players.get(seat)
        if coming is None:
            raise refuse(
                "word.no-player",
                player=player,
                players=", ".join(office.players),
                settings=str(root / FILE),
                section=f"[players.{player}]",
            )
        if before is not None and before.id == coming.id:
            raise refuse("word.same-player", player=coming.name, seat=seat)
        was = {"was": before.id} if before is not None else {}
        if coming.is_bot:
            bot_for(game, seat, coming.id.removeprefix(BOT))
            return {"seat": seat, "player": coming.id, **was}
        sides = {game.sides[one] for one, who in served.players.items() if who.id == coming.id}
        if sides - {game.sides[seat]}:
            raise refuse("word.both-sides", player=coming.name, seat=seat)
        renewed = any(
            one.of == seat and int(one.record["from"]) == game.ledger.newest_slot + 1
            for one in game.ledger.rekeys
        )
        if game.ledger.seats[seat].key is not None and not renewed:
            raise refuse("word.has-key", seat=seat, help=f"pbem keys rekey {where} FILE")
        until = _fresh_time(env, served, seat)
        return {"seat": seat, "player": coming.id, **was, **({"until": until} if until else {})}

    return speak(env, where, SUBSTITUTE, why, worked_out)


def _fresh_time(env: Environment, served: OfficeGame, seat: str) -> str:
    """Return until when a new player has the whole length of the open slot; nothing where it does not wait
    for him, or gives him as much already.
    """
    terms, status, end = served.settings.deadlines, served.status(), served.deadline()
    if terms is None or status is None or end is None or status.waits_for_all or is_paused(status.move):
        return ""
    if seat not in {*status.missing, *status.drafts}:
        return ""
    anew = deadline(replace(status.move, since=parsed(env.clock()), acts=NOTHING), terms)
    return written_at(anew) if anew is not None and anew.timestamp() > end.timestamp() else ""


def end(env: Environment, where: Path, why: str, how: str, winner: str, by: Sequence[str] = ()) -> Spoken:
    """End a game that goes on: ``how`` is ``agreed``, ``resigned`` or ``adjudicated``, ``winner`` a side,
    ``draw`` or ``AS_IT_STANDS``; of a resignation empty: the side that is left. ``by`` are the seats that
    agreed or resigned.

    Refused where it is over, a locked slot can be played first, or nobody can tell who has won.
    """

    def worked_out(served: OfficeGame) -> Mapping[str, Any]:
        game = served.game
        locked = game.ledger.locked
        if locked is not None and not missing_goes(game) and not game.ledger.has_beacon:
            raise refuse("word.resolve-first", slot=locked.number, help=f"pbem resolve {where}")
        _known(served, by)
        won = winner
        if how == RESIGNED and not won:
            left = {game.sides[seat] for seat in game.ledger.seats} - {game.sides[seat] for seat in by}
            if len(left) != 1:
                raise refuse("word.who-won", sides=", ".join(sorted(left)))
            won = left.pop()
        if won == AS_IT_STANDS:
            won = ending.leads(game)
        sides = sorted(set(game.sides.values()))
        if won not in (DRAW, *sides):
            raise refuse("word.no-side", side=won, sides=", ".join(sides))
        return {"how": how, "by": sorted(set(by)), **({} if won == DRAW else {"winner": won})}

    return speak(env, where, END, why, worked_out, _lay_open, alone=True)


def end_by_players(env: Environment, where: Path, why: str, resigned: str, result: str) -> Spoken:
    """End a game because a seat ``resigned``, or all seats agreed on a ``result``."""
    if resigned:
        return end(env, where, why, RESIGNED, result, [resigned])
    return end(env, where, why, AGREED, result, sorted(open_game(where).ledger.seats))


def _lay_open(game: Game, record: Mapping[str, Any]) -> None:
    """Put the files that are in force where everybody sees them (R7), and the result beside them."""
    folder = own_folder(game)
    for seat, number in game.ledger.kept:
        if orders_path(seat, number) not in folder:
            publish(folder, game, seat, number)
    folder.put(RESULTS, results_bytes(game, game.state, record))


def reopen(env: Environment, where: Path, why: str) -> Spoken:
    """Let a game go on that a word ended; Refused where none did, or a lock was lost with it."""

    def worked_out(served: OfficeGame) -> Mapping[str, Any]:
        ended = served.game.ledger.ended
        if ended is None:
            raise refuse("word.not-ended")
        if not ended.can_reopen:
            raise refuse("word.lock-lost", help=f"pbem undo {where} --to {served.game.ledger.state_slot}")
        return {}

    def before(game: Game, record: Mapping[str, Any]) -> None:
        own_folder(game).put(RESULTS, results_bytes(game, game.state, record))

    return speak(env, where, REOPEN, why, worked_out, before, alone=True)


class Standing(Struct, frozen=True):
    """How an unfinished game would end: each side with its name and points, and who would win (or nobody)."""

    game: str
    score: tuple[tuple[str, str, int], ...]
    leads: str


def standing_of(where: Path) -> Standing:
    """Return how a game would end as it stands; Refused where it has not begun, or is over."""
    game = open_game(where)
    if not game.ledger.started or game.ledger.over:
        raise refuse("time.over" if game.ledger.started else "time.not-begun", game=game.id)
    names = side_names(game.ground, game.state)
    score = tuple(
        (str(entry["side"]), names.get(entry["side"], str(entry["side"])), int(entry["score"]))
        for entry in ending.outcome_of(game)["sides"]
    )
    return Standing(game.id, score, ending.leads(game))


def names_of(where: Path) -> Mapping[str, str]:
    """Return how the sides of a game are called."""
    game = open_game(where)
    return side_names(game.ground, game.state)


def _known(served: OfficeGame, seats: Sequence[str]) -> None:
    outside = served.game.ledger.outside
    for seat in seats:
        if seat not in served.game.ledger.seats:
            raise refuse("time.no-seat", seat=seat, seats=", ".join(outside))
