"""An office: a folder of games served by mail. Opens what lies in it; one broken game is told and stops
nothing.

DIR/pbem.toml     whose office it is, its mailbox, the players, the deadlines (post.office)
DIR/<game>/       a game folder each
DIR/post/         letters kept, letters to send, and the book of both (store.postbag, store.outbox)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.post.mail.sender import SeatAt, code_of
from pbem.post.offices.office import FILE, Office, Player, read
from pbem.proof.spoken import BOT, SUBSTITUTE
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import UNDECIDED, Refused, in_use, is_of_the_game, refuse
from pbem.referee.game.scenario import open_file
from pbem.referee.game.seat_names import names_in
from pbem.referee.game.vocabularies import keys_of
from pbem.referee.mail.acts_of_time import words_of
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.sleeping import Games, seats_in, sleeper_of, sleeps_on
from pbem.store import disk
from pbem.store.asleep import Sleeper
from pbem.store.library import common_words, languages, schema
from pbem.text import shape
from pbem.text.located import locate
from pbem.text.similar import nearest

if TYPE_CHECKING:
    from pbem.text.source import Source

POST = "post"
NOBODY: Final[Mapping[str, Sleeper]] = MappingProxyType({})
_NUMBER: Final = re.compile(r"\d+")


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


class House(Struct, frozen=True):
    """An office as it was found: its settings, its games by their ids, and what was wrong with others."""

    root: Path
    office: Office
    games: MutableMapping[str, OfficeGame]
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
        self.games[id_] = replace(before, game=open_game(before.game.where))
        return self.games[id_]

    @property
    def awake(self) -> list[str]:
        """Return the games that are open."""
        return [id_ for id_ in self.games if sleeper_of(self.games, id_) is None]

    def is_over(self, id_: str) -> bool:
        """Tell whether a game is over, and leave it asleep."""
        sleeper = sleeper_of(self.games, id_)
        return self.games[id_].game.ledger.over if sleeper is None else sleeper.over

    def cutoff(self, id_: str) -> float | None:
        """Return after when orders for what is open in a game no longer count, in seconds of the epoch, and
        leave it asleep.
        """
        sleeper = sleeper_of(self.games, id_)
        if sleeper is not None:
            return sleeper.cutoff
        end = self.games[id_].cutoff()
        return None if end is None else end.timestamp()

    def is_due(self, id_: str, at: datetime) -> bool:
        """Tell whether a game has to go on before a letter is read that came at a time: its orders were to be
        there by then, or it is locked and complete.
        """
        end, sleeper = self.cutoff(id_), sleeper_of(self.games, id_)
        if end is None:
            return False
        settled = self.games[id_].is_settled() if sleeper is None else sleeper.settled
        return at.timestamp() > end or settled

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
    office, source = _read(open_file(path), str(path), languages())
    if office is None:
        raise Refused(located=locate(source, source.problems, common_words()))
    return office


@lru_cache(maxsize=1)
def _read(data: bytes, name: str, known: tuple[str, ...]) -> tuple[Office | None, Source]:
    """Read the settings once of the same bytes: a round asks for them several times."""
    return read(data, name, _form(), known)


@cache
def _form() -> shape.Shape:
    """Return the form of the settings, compiled once: every round reads them again."""
    return shape.load(schema("office"), text=False)


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
        raise in_use(busy, root) from None


def open_house(
    env: Environment,
    root: Path,
    office: Office | None = None,
    asleep: Mapping[str, Sleeper] = NOBODY,
    *,
    only: str = "",
) -> House:
    """Return an office with all its games; Refused where its own file cannot be used.

    ``office``: its settings, read already. ``only``: the folder of the one game that is opened. ``asleep``
    has the games that may sleep on, by the names of their folders: where nothing was written in them they are
    opened when somebody asks for them.
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

    secret = secret_of(env)
    games = Games(lambda folder, sleeper: _woken(env, office, folder, sleeper))
    troubles: list[Trouble] = []
    held: dict[str, Problem] = {}
    broken = False
    for folder in folders(root, only):
        sleeper = asleep.get(folder.name)
        if sleeper is not None and sleeper.id not in games and sleeps_on(env, folder, sleeper):
            games.leave(folder, sleeper)
            continue
        try:
            game = open_game(folder)
            served = served_in(office, game, folder)
            # A game whose files make no field, or whose words no sense, is told here.
            _ = (served.title, keys_of(game))
        except Exception as error:
            # Whatever it is: the other games go on, and the umpire is told.
            troubles.append(trouble_of(folder.name, error))
            broken = True
            continue

        if game.id in games:
            troubles.append(
                Trouble(
                    folder.name,
                    common_words().phrase("round.twice", game=game.id, folder=games.folder(game.id).name),
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

    if not (only or broken):
        troubles += misspelt(root, office, {id_: games.folder(id_).name for id_ in games})
    seats = [seat for id_ in games for seat in _seats(games, id_, office, secret)]
    return House(root, office, games, tuple(seats), tuple(troubles), held, broken)


def _woken(env: Environment, office: Office, folder: Path, sleeper: Sleeper) -> OfficeGame:
    """Open a game that slept; Refused where it is another one by now, or must not be gone on with."""
    game = open_game(folder)
    problem = story.problem_of(env, folder, game.ledger)
    if problem is not None:
        raise Refused([problem])
    if game.id != sleeper.id:
        raise refuse("game.none", answer=UNDECIDED, file=str(folder), path=str(folder))
    return served_in(office, game, folder)


def _seats(games: Games, id_: str, office: Office, secret: bytes) -> Iterator[SeatAt]:
    """Yield the seats of a game that somebody else plays, and leave it asleep."""
    sleeper = games.sleeper(id_)
    if sleeper is not None:
        title, seats = sleeper.title, sleeper.seats
    else:
        served = games[id_]
        title, seats = served.title, seats_in(served)
    for name, player, keyed in seats:
        if player.startswith(BOT):
            continue
        addresses = office.players[player].addresses if player else ()
        language = office.players[player].language if player else office.language
        yield SeatAt(id_, name, title, addresses, code_of(secret, id_, name, player), keyed, language)


def folders(root: Path, only: str = "") -> Iterator[Path]:
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
    place = served.settings.place
    for seat in served.game.ledger.outside:
        if seat in served.players or (place is not None and seat in place.authors):
            continue
        name = written.get(seat, seat)
        short = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:30] or seat
        yield common_words().phrase(
            "round.nobody" if players else "round.nobody-yet",
            seat=seat,
            title=served.title,
            name=name,
            players=players,
            section=f"[players.{short}]",
            game=f"[games.{served.game.id}]",
            line=f'seats = {{ {seat} = "{players[0] if players else short}" }}',
        )


def misspelt(root: Path, office: Office, games: Mapping[str, str]) -> Iterator[Trouble]:
    """Yield which settings in the file of an office belong to no game of it, where one that has none is
    called nearly so; ``games``: id -> folder. Numbers are not misspelt: of a game that was put away its
    settings may stay.
    """
    names = {name for both in games.items() for name in both}
    unknown = [name for name in sorted(office.games.keys() - names) if not (root / name / "ledger").is_dir()]
    if not unknown:
        return
    bare = {name for both in games.items() if office.games.keys().isdisjoint(both) for name in both}
    for name in unknown:
        meant = nearest(name, [one for one in bare if _NUMBER.findall(one) == _NUMBER.findall(name)])
        if meant:
            told, there = f"[games.{name}]", f"[games.{meant}]"
            yield Trouble("", common_words().phrase("round.no-game", section=told, meant=there))


def served_in(office: Office, game: Game, folder: Path) -> OfficeGame:
    """Return a game as an office serves it."""
    settings_, players = office.game(game.id, folder.name), _players(office, game, folder)
    seated = {player.id for player in players.values()}
    watchers = tuple(office.players[id_] for id_ in settings_.observers if id_ not in seated)
    return OfficeGame(game, settings_, players, watchers)


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
            player_of(office, named[seat]) if seat in named else by_name.get(written.get(seat, "").casefold())
        )
        player = _after(game, seat, player, office)
        if player is not None:
            found[seat] = player
    return found


def _after(game: Game, seat: str, player: Player | None, office: Office) -> Player | None:
    """Return who plays a seat after the substitutes of the ledger: each takes the place of him whom its word
    names, so that another player in the settings is not undone by an older word.
    """
    id_ = player.id if player is not None else ""
    for word in words_of(game.ledger):
        if word["does"] == SUBSTITUTE and word["seat"] == seat and word.get("was", "") == id_:
            id_ = str(word["player"])
            player = player_of(office, id_)
    return player


def player_of(office: Office, id_: str) -> Player | None:
    """Return a player of an office, or a bot, by the id; None where there is none."""
    if id_.startswith(BOT):
        name = common_words().phrase("bot.player", bot=id_.removeprefix(BOT))
        return Player(id_, name, (), office.zone)
    return office.players.get(id_)


def language_at(office: Office, address: str) -> str:
    """Return the language of who reads the letters to an address."""
    read_by = (player.language for player in office.players.values() if address in player.addresses)
    return next(read_by, office.language)


def secret_of(env: Environment) -> bytes:
    """Return the secret of the office, made where there is none; Refused where its file holds none."""
    try:
        return env.keyring.office_secret(env.entropy(32))
    except ValueError:
        place = str(env.keyring.root / "office.secret")
        raise refuse(
            "office.secret-broken",
            answer=UNDECIDED,
            path=place,
            help="put it back from a copy; a new one makes new codes",
        ) from None


def said(refusal: Refused) -> str:
    """Return what a refusal says, on one line."""
    words = common_words()
    plain = [words.problem(problem.code, problem.args) for problem in refusal.problems]
    if is_of_the_game(refusal):
        plain += [words.put(problem.help) for problem in refusal.problems if problem.help]
    return "; ".join([*plain, *(found.message for found in refusal.located)])


def trouble_of(where: str, error: Exception) -> Trouble:
    """Return what stopped the work at one game as the umpire is told it: a refusal and the system (a full
    disk) say what it is, anything else is a fault of pbem.
    """
    if isinstance(error, Refused):
        return Trouble(where, said(error))
    words = common_words()
    if isinstance(error, disk.Busy):
        return Trouble(where, words.phrase("round.busy"))
    if isinstance(error, OSError) and error.filename is not None:
        path, why = str(error.filename), error.strerror or ""
        return Trouble(where, words.phrase("round.system", path=path, why=why))
    return Trouble(where, words.phrase("round.fault", kind=type(error).__name__, error=f"{error!s:.200}"))
