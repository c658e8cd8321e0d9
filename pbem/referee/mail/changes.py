"""What the umpire changed in the settings of a game: who plays, until when, whether it stands still. Each
change is told once.

Decides whom a change concerns: who comes in for another gets the whole turn and a code of his own, who goes
out and those who stay are told so, and all are told of a new deadline or a hold. It is found by what was
known of a game in the round before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from pbem.post.mail.sender import SeatAt
from pbem.post.offices.office import ZIP
from pbem.post.offices.timing import at_time
from pbem.post.write import news
from pbem.post.write.official import Ended, ended
from pbem.post.write.parts import About, Until
from pbem.post.write.short import Short, short
from pbem.post.write.writing import Letter
from pbem.proof.spoken import REOPEN, SAY, SUBSTITUTE
from pbem.referee.mail import letters
from pbem.referee.mail.acts_of_time import words_of
from pbem.referee.mail.incoming import about, until
from pbem.referee.mail.office import House, language_at
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.time_said import said_of, title_of
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import chosen_letter
from pbem.store import disk
from pbem.text.codec import from_json
from pbem.text.words import speaking

BOOK: Final = "settings.json"


class Known(Struct, frozen=True):
    """What was known of a game: how often it changed, whether it was held, what was open until when, who
    played (id, name, address), and how many words the umpire had given.
    """

    count: int = 0
    held: bool = False
    open: str = ""
    deadline: str = ""
    players: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    words: int = 0
    watching: tuple[str, ...] = ()
    """The names of those who watch."""


class ChangeNotice(Struct, frozen=True):
    """A letter about a change: its name, the letter, its seat, whom it goes to."""

    key: str
    letter: Letter
    seat: str
    to: str


class Settings:
    """What was known of each game, in a file of the folder such as ``DIR/post``; the caller holds the office
    alone.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / BOOK
        self.games: dict[str, Known] = {}
        try:
            for game, said in from_json(self.path.read_text("utf-8")).items():
                players = {
                    str(seat): (str(who[0]), str(who[1]), str(who[2]))
                    for seat, who in said["players"].items()
                }
                self.games[str(game)] = Known(
                    int(said["count"]), bool(said["held"]), str(said["open"]), str(said["deadline"]), players,
                    int(said.get("words", 0)), tuple(map(str, said.get("watching", ()))),
                )  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
            self.games = {}

    def before(self, game: str) -> Known | None:
        """Return what was known of a game; None where it is seen for the first time."""
        return self.games.get(game)

    def note(self, game: str, known: Known) -> None:
        """Write down what is known of a game now."""
        if self.games.get(game) != known:
            self.games[game] = known
            said = {name: to_builtins(one) for name, one in self.games.items()}
            disk.replace(self.path, json.dumps(said, sort_keys=True, indent=1).encode() + b"\n", private=True)


def known_of(served: OfficeGame, before: Known | None) -> Known:
    """Return what is to be known of a game from now on; who played a seat that nobody plays now is not
    forgotten.
    """
    since, end = served.open_since, served.deadline()
    players = {seat: (player.id, player.name, player.address) for seat, player in served.players.items()}
    found = Known(
        before.count if before is not None else 0,
        served.held,
        f"{since[0]} {since[1].isoformat()}" if since is not None else "",
        end.isoformat() if end is not None else "",
        {**(before.players if before is not None else {}), **players},
        len(words_of(served.game.ledger)),
        tuple(one.name for one in served.watchers),
    )
    return found if before is None or not _differs(before, found) else replace(found, count=before.count + 1)


def _differs(before: Known, now: Known) -> bool:
    moved = now.open == before.open and now.deadline != before.deadline
    return (
        moved
        or now.held != before.held
        or now.watching != before.watching
        or now.words > before.words
        or any(before.players.get(seat, who) != who for seat, who in now.players.items())
    )


def told_of(
    house: House, served: OfficeGame, before: Known, now: Known, at: datetime, *, pictures: bool
) -> Iterator[ChangeNotice]:
    """Yield the letters about what changed in a game that is not over; nothing where nothing did."""
    if now.count == before.count:
        return
    key = f"change-{served.game.id}-c{now.count:04d}"
    spoken = words_of(served.game.ledger)[before.words :]
    seats = [seat for seat in house.seats if seat.game == served.game.id and seat.addresses]
    new = {
        seat: was for seat, was in before.players.items() if seat in now.players and now.players[seat] != was
    }
    for seat in seats:
        with speaking(seat.language):
            told = list(_to_seat(house, served, seat, before, now, new, at, spoken, pictures=pictures))
        yield from (
            ChangeNotice(f"{key}-{seat.seat}{end}", letter, seat.seat, seat.addresses[0])
            for end, letter in told
        )
    for name, (id_, _, address) in new.items():
        if id_ != now.players[name][0] and address:
            with speaking(language_at(house.office, address)):
                letter = _left(served, name, now.players[name][1], spoken)
            yield ChangeNotice(f"{key}-{name}-before", letter, name, address)


def _to_seat(
    house: House,
    served: OfficeGame,
    seat: SeatAt,
    before: Known,
    now: Known,
    new: Mapping[str, tuple[str, str, str]],
    at: datetime,
    spoken: Sequence[Mapping[str, Any]],
    *,
    pictures: bool,
) -> Iterator[tuple[str, Letter]]:
    """Yield what a seat is told, each with the end of its name."""
    limit = until(house, seat, at)
    if served.game.ledger.over:
        yield "", _ended(house, served, seat, spoken)
    elif seat.seat in new:
        yield from _came(house, served, seat, new[seat.seat], limit, spoken, pictures=pictures)
    elif (letter := _stays(house, served, seat, before, now, new, limit)) is not None:
        yield "", letter


def for_everybody(house: House, served: OfficeGame, before: Known, now: Known, at: datetime) -> Letter | None:
    """Return what everybody is told of a change in a game, whoever he is; None where nothing concerns all."""
    nobody = SeatAt(served.game.id, "", served.title)
    new = {
        seat: was for seat, was in before.players.items() if seat in now.players and now.players[seat] != was
    }
    return _stays(house, served, nobody, before, now, new, until(house, nobody, at))


def _came(
    house: House,
    served: OfficeGame,
    seat: SeatAt,
    was: tuple[str, str, str],
    limit: Until,
    spoken: Sequence[Mapping[str, Any]],
    *,
    pictures: bool,
) -> Iterator[tuple[str, Letter]]:
    """Yield what somebody is told who takes a seat over, or has another address: all that he needs to play
    on.
    """
    game, words, to = served.game, served.game.words, seat.addresses[0]
    if not game.ledger.started:
        if seat.seat in game.not_joined:
            invited = letters.invitation_of(
                game, seat.seat, about(house, seat), house.office.name, house.packets_to
            )
            yield "", news.invitation(invited, words)
        return
    said = [words.phrase("letter.took-over", side=served.side_name(seat.seat), before=was[1])]
    if was[0] == served.players[seat.seat].id:
        said = [words.phrase("letter.moved-here", address=to)]
    elif (
        game.ledger.next is not None
        and chosen_letter(game, int(game.ledger.next["slot"]), seat.seat) is not None
    ):
        said.append(words.phrase("letter.took-over-orders", before=was[1]))
    if not house.games[seat.game].game.ledger.seats[seat.seat].key and was[0] != served.players[seat.seat].id:
        said.append(words.phrase("letter.took-over-code", code=seat.code))
    said += [
        one
        for word in spoken
        if word["does"] in (SUBSTITUTE, SAY)
        for one in said_of(served, word, seat.seat, words)
    ]
    slot = game.ledger.state_slot
    turn = letters.turn_of(
        game, slot, seat.seat, about(house, seat), limit, pictures=pictures, packet_to=house.packets_to
    )
    yield "", news.turn(replace(turn, notices=(*said, *turn.notices)), words)
    if seat.seat in missing_goes(game):
        request = letters.go_request_of(game, seat.seat, about(house, seat), limit, house.packets_to)
        yield "-go", news.go_request(request, words)


def _stays(
    house: House,
    served: OfficeGame,
    seat: SeatAt,
    before: Known,
    now: Known,
    new: Mapping[str, tuple[str, str, str]],
    limit: Until,
) -> Letter | None:
    """Return what somebody is told whose own seat is as it was; None where nothing of it concerns him."""
    words, started = served.game.words, served.game.ledger.started
    spoken = words_of(served.game.ledger)[before.words :]
    title = next((title_of(served, word, words) for word in spoken), "")
    others = {
        name: words.phrase(
            "letter.other-player", side=served.side_name(name), before=was_played[1], now=now.players[name][1]
        )
        for name, was_played in new.items()
        if was_played[0] != now.players[name][0]
    }
    parts: list[str] = []
    for word in spoken:
        who = [others.pop(word["seat"])] if word["does"] == SUBSTITUTE and word["seat"] in others else []
        parts.append(" ".join([*who, *said_of(served, word, seat.seat, words)]))
    said: list[str] = []
    if spoken:
        limit = replace(limit, because=())  # the words say it themselves
    if started and now.held != before.held:
        title = title or words.phrase("letter.held-title" if now.held else "letter.goes-on-title")
        said.append(limit.said(words))
    elif any(word["does"] == REOPEN for word in spoken):
        said.append(limit.said(words))
    elif started and not now.held and now.open == before.open and now.deadline != before.deadline:
        title = title or words.phrase("letter.deadline-title")
        said.append(limit.said(words))
        if before.deadline:
            was = at_time(datetime.fromisoformat(before.deadline), limit.zone, words)
            said.append(words.phrase("letter.deadline-was", was=was))
    for key, some in (
        ("letter.watches", set(now.watching) - set(before.watching)),
        ("letter.watches-no-more", set(before.watching) - set(now.watching)),
    ):
        if some and started:
            title = title or words.phrase("letter.watches-title")
            said.append(words.phrase(key, names=sorted(some), count=len(some)))
    if others:
        title = title or words.phrase("letter.other-player-title", side=served.side_name(next(iter(others))))
    if spoken and not now.held and (silent := _silent(served, seat.seat)):
        said.append(words.phrase(f"letter.otherwise-{silent}"))
    # One word and what follows from it stay together; several are told one below the other.
    parts = [" ".join([*parts, *said])] if len(parts) < 2 else [*parts, " ".join(said)]
    first, *more = [one for one in (*parts, *others.values()) if one] or [""]
    if not first:
        return None
    told = Short(about(house, seat), title, first, more=tuple(more))
    return replace(short(told, words), replied=False)


def _silent(served: OfficeGame, seat: str) -> str:
    """Return the end of the key for what happens if a seat stays silent of which nothing is there; empty of
    others.
    """
    status = served.status()
    if status is None or seat not in status.missing or served.game.ledger.locked is not None:
        return ""
    return letters.otherwise(served.game, seat, served.deadline())


def _left(served: OfficeGame, seat: str, now: str, spoken: Sequence[Mapping[str, Any]]) -> Letter:
    """Return what somebody is told whose seat another one plays now."""
    words, side = served.game.words, served.side_name(seat)
    of = About(served.game.id, served.title, stands=served.stands())
    why = [
        one
        for word in spoken
        if word["does"] == SUBSTITUTE and word["seat"] == seat
        for one in said_of(served, word, seat, words)
    ]
    said = " ".join([words.phrase("letter.left-said", side=side, now=now), *why])
    told = Short(of, words.phrase("letter.left-title", side=side), said)
    return replace(short(told, words), replied=False)


def _ended(house: House, served: OfficeGame, seat: SeatAt, spoken: Sequence[Mapping[str, Any]]) -> Letter:
    """Return the last letter of a game that a word ended, with whatever else was said before."""
    game, words = served.game, served.game.words
    said = [one for word in spoken for one in said_of(served, word, seat.seat, words)]
    archive = letters.archive_of(game) if house.office.archive == ZIP else None
    can_reopen = game.ledger.ended is not None and game.ledger.ended.can_reopen
    told = Ended(
        about(house, seat), served.stands(), tuple(said), letters.outcome_of(game), can_reopen, archive
    )
    return ended(told, words)
