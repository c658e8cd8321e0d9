"""An office: a folder of games served by mail. Opens what lies in it; one broken game is told and stops
nothing.

DIR/pbem.toml     whose office it is, its mailbox, the players, the deadlines (post.office)
DIR/<game>/       a game folder each
DIR/post/         letters kept, letters to send, and the book of both (store.postbag, store.outbox)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field

from pbem.club.due import GameStatus, cutoff, deadline
from pbem.core.problem import Problem
from pbem.core.sequence import parse_cursor
from pbem.post.mail.sender import SeatAt, code_of
from pbem.post.offices.office import FILE, GameSettings, Office, Player, read
from pbem.referee.explain.briefing import pace
from pbem.referee.explain.letter_brief import Company
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import UNDECIDED, Refused, is_of_the_game, refuse
from pbem.referee.game.scenario import open_file
from pbem.referee.game.seat_names import names_in
from pbem.referee.game.turns import side_names
from pbem.referee.game.vocabularies import keys_of
from pbem.referee.mail.letters import headline
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import standing
from pbem.store import disk
from pbem.store.library import english, schema
from pbem.text import shape
from pbem.text.located import locate

POST = "post"


class Trouble(Struct, frozen=True):
    """Something that needs the umpire: where, what in words, and what he can do.

    It ``lasts``, or has happened once. ``about`` tells two of them apart where their words do not. ``mild``:
    it can wait for others.
    ``once``: it is told once though it lasts; ``silent``: each round does not say it again.
    """

    where: str
    said: str
    help: str = ""
    lasts: bool = True
    about: str = ""
    mild: bool = False
    once: bool = False
    silent: bool = False


class OfficeGame(Struct, frozen=True, dict=True):
    """A game of the office: its folder, its settings, and who plays which seat."""

    game: Game
    settings: GameSettings
    players: Mapping[str, Player]

    @property
    def title(self) -> str:
        """Return what the game is called."""
        return self.game.ground.title

    @cached_property
    def side_names(self) -> Mapping[str, str]:
        """Return how the sides are called."""
        return side_names(self.game.ground, self.game.state_after(0, ""))

    def side_name(self, seat: str) -> str:
        """Return how the side of a seat is called."""
        side = self.game.sides[seat]
        return self.side_names.get(side, side.capitalize())

    @cached_property
    def company(self) -> Company:
        """Return who plays, and the pace, as letters tell it."""
        return Company(
            {seat: player.name for seat, player in self.players.items()}, pace(self.settings.deadlines)
        )

    @cached_property
    def made(self) -> datetime:
        """Return when the game was made."""
        return parsed(str(self.game.ledger.records[0].record["at"]))

    def stands(self) -> str:
        """Return where the game stands, in words."""
        return headline(self.game, self.game.words)

    @cached_property
    def open_since(self) -> tuple[str, datetime] | None:
        """Return the phase that is open or locked and since when; None before the game starts and after it is
        over.
        """
        ledger = self.game.ledger
        if not ledger.started or ledger.over or ledger.next is None:
            return None
        if ledger.locked is not None:
            return parse_cursor(ledger.locked.phase).phase, parsed(ledger.locked.locked_at)
        announced = next(read.record for read in reversed(ledger.records) if "next" in read.record)
        return parse_cursor(str(announced["next"]["phase"])).phase, parsed(str(announced["at"]))

    def status(self) -> GameStatus | None:
        """Return where the game stands as far as time goes; None before it starts and after it is over."""
        game = self.game
        if self.open_since is None:
            return None
        if game.ledger.locked is not None:
            return GameStatus(*self.open_since, missing_goes(game), waits_for_all=True)
        now = standing(game)
        friends = game.playing_gm and any(game.ledger.seats[name].outside for name in now.missing)
        return GameStatus(*self.open_since, now.missing, now.drafts, friends)

    def waits_for(self, seat: str) -> bool:
        """Tell whether the open slot waits for a seat, whatever it has sent already."""
        ledger = self.game.ledger
        if not ledger.started or ledger.over or ledger.next is None:
            return False
        return seat in (missing_goes(self.game) if ledger.locked is not None else ledger.next["waits"])

    def waits_for_ever(self) -> bool:
        """Tell whether the open slot is never played without those it waits for: two friends, or words for a
        lock.
        """
        status = self.status()
        return status is not None and status.waits_for_all

    def is_settled(self) -> bool:
        """Tell whether the slot is locked and nobody is asked for anything more."""
        return self.game.ledger.locked is not None and not missing_goes(self.game)

    def cutoff(self) -> datetime | None:
        """Return after when orders for the open slot no longer count; None where they always do, or nothing
        is open.
        """
        terms = self.settings.deadlines
        if self.open_since is None or terms is None or self.settings.hold:
            return None
        phase, since = self.open_since
        return cutoff(since, phase, terms)

    def deadline(self) -> datetime | None:
        """Return when the orders of the open slot are to be there; None where there is no deadline."""
        terms = self.settings.deadlines
        if self.open_since is None or terms is None:
            return None
        phase, since = self.open_since
        return deadline(since, phase, terms)


class House(Struct, frozen=True):
    """An office as it was found: its settings, its games by their ids, and what was wrong with others."""

    root: Path
    office: Office
    games: dict[str, OfficeGame]
    seats: tuple[SeatAt, ...]
    troubles: tuple[Trouble, ...]
    held: Mapping[str, Problem] = field(default_factory=dict)
    """Games that are not gone on with, and why: something of them that this copy lacks went out already."""
    broken: bool = False
    """Whether there is a game that could not be opened: a letter that seems to be nobody's may be of that
    one.
    """

    def refresh(self, id_: str) -> OfficeGame:
        """Open a game of the office again, after something was written in it."""
        before = self.games[id_]
        self.games[id_] = OfficeGame(open_game(before.game.where), before.settings, before.players)
        return self.games[id_]

    @property
    def post(self) -> Path:
        """Return the folder of its letters."""
        return self.root / POST

    @property
    def packets_to(self) -> str:
        """Return the address that pages which go along with letters mail to; empty where none go along."""
        return self.office.address if self.office.packets else ""


def settings(root: Path) -> Office:
    """Return the settings of an office; Refused with everything that is wrong with its file."""
    if not root.is_dir():
        raise refuse("game.missing", answer=UNDECIDED, file=str(root), path=str(root))
    path = root / FILE
    if not path.is_file():
        raise refuse(
            "office.none",
            answer=UNDECIDED,
            file=str(root),
            path=str(root),
            help=f"a file {FILE}: see docs/mail.md",
        )
    office, source = read(open_file(path), str(path), shape.load(schema("office"), text=False))
    if office is None:
        raise Refused(located=locate(source, source.problems, english()))
    return office


@contextmanager
def alone(root: Path) -> Iterator[Path]:
    """Hold the letters of an office alone, and give their folder; Refused (cannot decide) while another
    program is at them.
    """
    post = root / POST
    disk.make_folder(post, private=True)
    try:
        with disk.exclusive(post):
            yield post
    except disk.Busy as busy:
        raise refuse(
            "game.busy", answer=UNDECIDED, file=str(root), owner=busy.owner, path=str(busy.path)
        ) from None


def open_house(env: Environment, root: Path, office: Office | None = None, only: str = "") -> House:
    """Return an office with all its games; Refused where its own file cannot be used.

    ``office``: its settings, read already. ``only``: the folder of the one game that is opened.
    """
    office = office or settings(root)
    if not office.address:
        raise refuse(
            "office.forums-only",
            answer=UNDECIDED,
            file=str(root),
            path=str(root / FILE),
            help="name and address in [office]",
        )

    try:
        secret = env.keyring.office_secret(env.entropy(32))
    except ValueError:
        place = str(env.keyring.root / "office.secret")
        raise refuse(
            "office.secret-broken",
            answer=UNDECIDED,
            path=place,
            help="put it back from a copy; a new one makes new codes",
        ) from None

    games: dict[str, OfficeGame] = {}
    troubles: list[Trouble] = []
    held: dict[str, Problem] = {}
    broken = False
    for folder in _folders(root, only):
        try:
            game = open_game(folder)
            served = served_in(office, game, folder)
            # A game whose files make no field, or whose words no sense, is told here.
            _ = (served.title, keys_of(game))
        except Refused as refusal:
            troubles.append(Trouble(folder.name, said(refusal)))
            broken = True
            continue
        except Exception as error:
            # Whatever it is: the other games go on, and the umpire is told.
            troubles.append(
                Trouble(
                    folder.name,
                    english().phrase("round.fault", kind=type(error).__name__, error=f"{error!s:.200}"),
                )
            )
            broken = True
            continue

        if game.id in games:
            troubles.append(
                Trouble(
                    folder.name,
                    english().phrase("round.twice", game=game.id, folder=games[game.id].game.where.name),
                )
            )
            continue

        games[game.id] = served
        problem = None if env.insists else story.problem_of(env, folder, game.ledger)
        if problem is not None:
            held[game.id] = problem
            troubles.append(Trouble(folder.name, said(Refused([problem]))))
        if not game.ledger.over:
            troubles += [Trouble(folder.name, one) for one in strangers(office, served)]

    seats = [
        SeatAt(
            game=id_,
            seat=name,
            title=served.title,
            addresses=served.players[name].addresses if name in served.players else (),
            code=code_of(secret, id_, name, served.players[name].id if name in served.players else ""),
            keyed=served.game.ledger.seats[name].key is not None,
        )
        for id_, served in games.items()
        for name in served.game.ledger.outside
    ]
    return House(root, office, games, tuple(seats), tuple(troubles), held, broken)


def _folders(root: Path, only: str = "") -> Iterator[Path]:
    """Yield the game folders of an office, sorted, or the one that is asked for; links are not followed."""
    if only:
        listed = [root / only] if Path(only).name == only and not (root / only).is_symlink() else []
    else:
        with os.scandir(root) as entries:
            listed = sorted(root / entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    for name in [folder.name for folder in listed if not folder.name.startswith(".")]:
        if name != POST and (root / name / "ledger").is_dir():
            yield root / name


def strangers(office: Office, served: OfficeGame) -> Iterator[str]:
    """Yield in words which seats of a game have nobody among the players of an office, and the line that
    names somebody.
    """
    written = names_in(served.game.where)
    players = [one.name if one.name.lower() == one.id else one.id for one in office.players.values()]
    for seat in served.game.ledger.outside:
        if seat in served.players:
            continue
        name = written.get(seat, seat)
        short = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:30] or seat
        yield english().phrase(
            "round.nobody" if players else "round.nobody-yet",
            seat=seat,
            title=served.title,
            name=name,
            players=players,
            section=f"[players.{short}]",
            game=f"[games.{served.game.id}]",
            line=f'seats = {{ {seat} = "{players[0] if players else short}" }}',
        )


def served_in(office: Office, game: Game, folder: Path) -> OfficeGame:
    """Return a game as an office serves it."""
    return OfficeGame(game, office.game(game.id, folder.name), _players(office, game, folder))


def _players(office: Office, game: Game, folder: Path) -> dict[str, Player]:
    """Return who plays each outside seat: as the office says, else by the name that the
    game was made with.
    """
    named = office.game(game.id, folder.name).seats
    by_name = {
        name.casefold(): player for player in office.players.values() for name in (player.id, player.name)
    }
    found: dict[str, Player] = {}
    written = names_in(folder)
    for seat in game.ledger.outside:
        player = (
            office.players.get(named[seat])
            if seat in named
            else by_name.get(written.get(seat, "").casefold())
        )
        if player is not None:
            found[seat] = player
    return found


def said(refusal: Refused) -> str:
    """Return what a refusal says, on one line."""
    words = english()
    plain = [words.problem(problem.code, problem.args) for problem in refusal.problems]
    if is_of_the_game(refusal):
        plain += [problem.help for problem in refusal.problems if problem.help]
    return "; ".join([*plain, *(found.message for found in refusal.located)])


def parsed(at: str) -> datetime:
    """Return a time as the ledger writes it."""
    return datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
