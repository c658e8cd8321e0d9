"""The office as its owner set it up in ``pbem.toml``: its address, the mailbox, who plays what, how long
everybody has.

Pure: bytes in, an ``Office`` or problems out, each with its place. What a file may hold stands in
``schemas/office.schema.json``; here stands what its values mean to each other. No secret is here: an account
only says how its password is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.club.days import NoSuchDays
from pbem.club.reading import LONGEST, days_off, minutes
from pbem.club.terms import EVERY_DAY, ClockTerms, LeaveTerms, MissedTerms, Terms
from pbem.core.problem import Path, Problem, worst
from pbem.core.regex import regex
from pbem.post.offices import forums
from pbem.post.offices.forums import KEY_ENV, Credential, Forum, Place, is_near
from pbem.proof.spoken import BOT
from pbem.text import toml
from pbem.text.places import Source
from pbem.text.shape import Shape
from pbem.text.similar import did_you_mean
from pbem.text.words import ENGLISH

__all__ = [
    "FILE",
    "Account",
    "Credential",
    "Forum",
    "GameSettings",
    "Office",
    "Place",
    "Player",
    "did_you_mean_zone",
    "is_near",
    "minutes",
    "read",
]

FILE: Final = "pbem.toml"
TLS, STARTTLS, PLAIN = "tls", "starttls", "none"
KEEP, SEEN, MOVE = "keep", "seen", "move:"
HEAD, ZIP = "head", "zip"
HOLD, AGAIN = "hold", "again"
COMMAND, ENVIRONMENT, TOKEN = "password_command", "password_env", "token_command"
NO_DEADLINES = "none"
WHOLE_DAYS: Final = "whole days"
UMPIRE: Final = "the umpire"
"""Who decides about a request where nothing else was agreed on."""
BY_HAND = "by hand"

_PORTS: Final = {"imap": {TLS: 993, STARTTLS: 143, PLAIN: 143}, "smtp": {TLS: 465, STARTTLS: 587, PLAIN: 25}}
_SECRET_KEY: Final = r"(?!\w*_command\b)(?:[\w-]*(?:pass|secret|token|api[_-]?key)[\w-]*|key(?:_env)?)"
_SECRET: Final = regex(rf"((?:^|[\s{{,.\"'])[\"']?{_SECRET_KEY}[\"']?\s*=).*", re.IGNORECASE)
"""What stands behind such a key may be a password, so no message shows that line."""
_IN_ADDRESS: Final = regex(r"(?<=://)[^/\s\"']*@")
"""Who logs in, and perhaps with which password, in an address."""
_YOURSELF: Final = (
    "if that is you: whoever runs pbem is not a player here; put your own orders in with pbem submit"
)
_TOML_HELP: Final = {
    "a text": "a text stands in quotes",
    "a list": 'write a list as ["one", "two"]',
    "keys with values": "write it as { key = value }, or as a [section] with its keys below",
}


class Account(Struct, frozen=True):
    """A mailbox or a way out: ``security`` is tls, starttls or none.

    ``folder`` and ``after`` count where letters come in.
    """

    host: str
    port: int
    user: str = ""
    security: str = TLS
    credential: Credential | None = None
    folder: str = "INBOX"
    after: str = KEEP


class Player(Struct, frozen=True):
    """One player.

    Letters go to the first of ``addresses``, orders may come from each; they and ``id`` are in small letters.
    """

    id: str
    name: str
    addresses: tuple[str, ...]
    zone: str
    language: str = ENGLISH

    @property
    def address(self) -> str:
        """Return where letters go; empty of a bot."""
        return self.addresses[0] if self.addresses else ""

    @property
    def is_bot(self) -> bool:
        """Tell whether it is a program."""
        return self.id.startswith(BOT)


class GameSettings(Struct, frozen=True):
    """What is special about one game: its players by seat, whether it stands still, its deadlines as they
    hold for it, its forum.
    """

    seats: Mapping[str, str] = field(default_factory=dict)
    """Seat -> the id of its player, of a bot ``bot-`` and its name."""
    hold: bool = False
    deadlines: Terms | None = None
    place: Place | None = None
    witness: bool = True
    """Whether its heads go into the log of the office."""
    by_hand: bool = False
    """Whether a turn waits for the umpire's release when all is in."""
    observers: tuple[str, ...] = ()
    """The ids of players who get its public letters."""


class RequestTerms(Struct, frozen=True):
    """What follows from a letter without the umpire: leave by the agreement, once in a turn so many minutes
    more, a draw on which all agree, a resignation.
    """

    leave: bool = False
    time: int = 0
    draw: bool = True
    resign: bool = True


class Office(Struct, frozen=True):
    """One folder of games served by mail. Its address, the umpire's and the players' are in small letters.

    Of an office that serves forums alone ``name`` and ``address`` may be empty.
    """

    name: str
    address: str
    umpire: str = ""
    zone: str = "UTC"
    language: str = ENGLISH
    receipts: bool = True
    dkim: bool = False
    archive: str = HEAD
    packets: bool = False
    in_doubt: str = HOLD
    digest: tuple[int, int] | None = None
    """When the umpire is told each day what needs him: hour and minute in the zone of the office; None:
    never.
    """
    deadlines: Terms | None = None
    imap: Account | None = None
    smtp: Account | None = None
    players: Mapping[str, Player] = field(default_factory=dict)
    games: Mapping[str, GameSettings] = field(default_factory=dict)
    forums: Mapping[str, Forum] = field(default_factory=dict)
    requests: RequestTerms = RequestTerms()
    log: str = ""
    """The folder of the log that heads of the games go into, seen from the office; empty: none."""
    stamps: str = ""
    """The address of who stamps locks with the time; empty: nobody."""

    def game(self, *names: str) -> GameSettings:
        """Return the settings of a game by the first of its names that stands in the file: its id, the name
        of its folder.
        """
        found = next((self.games[name] for name in names if name in self.games), None)
        return GameSettings(deadlines=self.deadlines) if found is None else found

    def players_at(self, address: str) -> tuple[str, ...]:
        """Return the short names of those who write from an address, sorted; two people may
        share a mailbox.
        """
        wanted = address.lower()
        return tuple(sorted(name for name, player in self.players.items() if wanted in player.addresses))


def read(data: bytes, name: str, form: Shape, languages: Sequence[str]) -> tuple[Office | None, Source]:
    """Return the office that a file describes, and the file with its problems; no office where one of them is
    no mere doubt. ``languages`` are those that there are.
    """
    source = toml.read(data, name)
    source = replace(
        source, lines=tuple(_IN_ADDRESS.sub("...@", _SECRET.sub(r"\1 ...", line)) for line in source.lines)
    )
    if not isinstance(source.data, Mapping):
        return None, source
    problems = [_plainer(problem) for problem in form.check(source.data)]
    if problems:
        return None, replace(source, problems=problems)
    problems = [*_doubts_and_faults(source.data), *_languages(source.data, languages)]
    office = None if worst(problems) else _office(source.data)
    return office, replace(source, problems=problems)


def _plainer(problem: Problem) -> Problem:
    """Return a problem of form in the terms of this file, and without a secret that stands where none
    belongs.
    """
    last = problem.path[-1] if problem.path else ""
    if (
        problem.code == "schema.unknown-key"
        and re.fullmatch(_SECRET_KEY, str(last), re.IGNORECASE)
        and "command" not in problem.help
    ):
        code = "office.forum-secret-here" if problem.path[0] == "forums" else "office.secret-here"
        return Problem(code, {"key": str(last)}, problem.path, key=True)
    if last in (ENVIRONMENT, KEY_ENV) and problem.code.startswith("schema.") and not problem.key:
        return Problem("office.env-name", {"key": str(last)}, problem.path)
    if problem.code == "schema.type" and (instead := _TOML_HELP.get(str(problem.args.get("wanted")))):
        return replace(problem, help=instead)
    return problem


def _doubts_and_faults(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with values that are each well by themselves."""
    yield from _own(data)
    yield from _accounts(data)
    yield from _players(data)
    yield from forums.problems(data)
    yield from _games(data)


def _own(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is missing of the office itself, which only one of forums alone may leave out."""
    office = data.get("office", {})
    if "forums" not in data or any(key in data for key in ("imap", "smtp", "players")):
        where: Path = ("office",)
        if "office" in data:
            missing = [key for key in ("name", "address") if key not in office]
        else:
            missing, where = ["office"], ()
        yield from (Problem("office.no-own", {"key": key}, where, key=bool(office)) for key in missing)
    if "digest" in office and "umpire" not in office:
        yield Problem("office.digest-nobody", {}, ("office", "digest"), help='umpire = "you@example.org"')
    yield from _zone(office, ("office",))
    yield from _lengths(data.get("deadlines", {}), ("deadlines",))


def _languages(data: Mapping[str, Any], known: Sequence[str]) -> Iterator[Problem]:
    """Yield where a language is asked for that there are no sentences in."""
    there_are = ", ".join(known)
    players = [(("players", name), player) for name, player in data.get("players", {}).items()]
    for path, said in ((("office",), data.get("office", {})), *players):
        if (language := said.get("language", ENGLISH)) not in known:
            yield Problem("office.language", {"language": language, "known": there_are}, (*path, "language"))


def _accounts(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with the ways to mailboxes."""
    for kind in ("imap", "smtp"):
        account = data.get(kind, {})
        if account.get("security") == PLAIN and not is_near(account["host"]):
            yield Problem("office.plain-far", {"host": account["host"]}, (kind, "security"))
    imap = data.get("imap", {})
    if imap.get("after") == f"{MOVE}{imap.get('folder', 'INBOX')}":
        yield Problem("office.move-nowhere", {}, ("imap", "after"))


def _players(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield players who are there twice, or have the address of the office."""
    own = data.get("office", {}).get("address", "").lower()
    players = data.get("players", {})
    known = [name.lower() for name in players]
    for name, player in players.items():
        if known.count(name.lower()) > 1:
            yield Problem("office.same-player", {"player": name}, ("players", name), key=True)
        if name.lower().startswith(BOT):
            yield Problem("office.player-bot", {"player": name}, ("players", name), key=True)
        yield from _zone(player, ("players", name))
        if own and own in (address.lower() for address in _addresses(player)):
            place = ("players", name, "address" if "address" in player else "addresses")
            yield Problem("office.own-address", {"who": name}, place, help=_YOURSELF)


def _games(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield seats of nobody who is known, and deadlines without a length."""
    players = data.get("players", {})
    known = [name.lower() for name in players]
    for name, game in data.get("games", {}).items():
        for seat, player in game.get("seats", {}).items():
            if player.lower() not in known:
                where = ("games", name, "seats", seat)
                near = did_you_mean(player, players)
                yield Problem("office.no-player", {"player": player}, where, help=near)

        for number, player in enumerate(game.get("observers", ())):
            if player.lower() not in known:
                where = ("games", name, "observers", number)
                yield Problem(
                    "office.no-player", {"player": player}, where, help=did_you_mean(player, players)
                )
        for seat in game.get("bots", {}):
            if seat in game.get("seats", {}):
                yield Problem("office.bot-too", {"seat": seat}, ("games", name, "bots", seat), key=True)

        terms = game.get("deadlines", {})
        if terms != NO_DEADLINES:
            yield from _lengths(terms, ("games", name, "deadlines"))
            if terms and "length" not in {**data.get("deadlines", {}), **terms}:
                yield Problem("office.no-length", {}, ("games", name, "deadlines"), key=True)


def _zone(data: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    if "zone" not in data:
        return
    try:
        ZoneInfo(data["zone"])
    # A folder of the zone data opens as no file can, on each system with an error of its own; a missing one
    # is a KeyError.
    except (KeyError, ValueError, OSError):
        yield Problem(
            "office.zone", {"zone": data["zone"]}, (*path, "zone"), help=did_you_mean_zone(data["zone"])
        )


def did_you_mean_zone(zone: str) -> str:
    """Return the zone that somebody probably meant: cities are known by their last part too."""
    known = {name.lower(): name for name in available_timezones()}
    city = zone.rpartition("/")[2].lower()
    if near := next((name for name in sorted(known.values()) if name.rpartition("/")[2].lower() == city), ""):
        return f"did you mean '{near}'?"
    return (
        ""
        if any(name.startswith(f"{zone}/") for name in known.values())
        else did_you_mean(zone, known.values())
    )


def _lengths(terms: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    """Yield the times that are longer than any game should wait."""
    given: list[tuple[Path, str]] = [((key,), terms[key]) for key in ("length", "grace") if key in terms]
    given += [(("lengths", phase), length) for phase, length in terms.get("lengths", {}).items()]
    remind = terms.get("remind", ())
    given += (
        [(("remind",), remind)]
        if isinstance(remind, str)
        else [(("remind", number), one) for number, one in enumerate(remind)]
    )
    if "notice" in terms.get("leave", {}):
        given.append((("leave", "notice"), terms["leave"]["notice"]))
    clock = terms.get("clock", {})
    given += [
        (("clock", key), clock[key]) for key in ("start", "increment", "most", "doubles") if key in clock
    ]
    for place, text in given:
        if minutes(text) > LONGEST:
            yield Problem("office.too-long", {}, (*path, *place))
    for number, text in enumerate(terms.get("days_off", ())):
        try:
            days_off([text])
        except NoSuchDays as wrong:
            yield Problem(f"office.days-{wrong.reason}", {"what": wrong.what}, (*path, "days_off", number))
            return
    try:
        days_off(terms.get("days_off", ()))
    except NoSuchDays as wrong:
        yield Problem(f"office.days-{wrong.reason}", {"what": wrong.what}, (*path, "days_off"))


def _addresses(player: Mapping[str, Any]) -> list[str]:
    return [player["address"]] if "address" in player else list(player["addresses"])


def _office(data: Mapping[str, Any]) -> Office:
    """Return the office of data that is well."""
    said = data.get("office", {})
    zone, language = said.get("zone", "UTC"), said.get("language", ENGLISH)
    terms: Mapping[str, Any] = data.get("deadlines", {})
    return Office(
        name=said.get("name", ""),
        address=said.get("address", "").lower(),
        umpire=said.get("umpire", "").lower(),
        zone=zone,
        language=language,
        receipts=said.get("receipts", True),
        dkim=said.get("dkim", False),
        archive=said.get("archive", HEAD),
        packets=said.get("packets", False),
        in_doubt=said.get("in_doubt", HOLD),
        digest=_time_of_day(said["digest"]) if "digest" in said else None,
        deadlines=_deadlines(terms, zone) if terms else None,
        imap=_account("imap", data["imap"]) if "imap" in data else None,
        smtp=_account("smtp", data["smtp"]) if "smtp" in data else None,
        players={
            name.lower(): Player(
                name.lower(),
                player.get("name", name),
                tuple(dict.fromkeys(map(str.lower, _addresses(player)))),
                player.get("zone", zone),
                player.get("language", language),
            )
            for name, player in data.get("players", {}).items()
        },
        games={name: _game(game, terms, zone) for name, game in data.get("games", {}).items()},
        forums=forums.forums_of(data),
        requests=_requests(data.get("requests", {})),
        log=data.get("witness", {}).get("log", ""),
        stamps=data.get("witness", {}).get("stamps", ""),
    )


def _game(said: Mapping[str, Any], terms: Mapping[str, Any], zone: str) -> GameSettings:
    own = said.get("deadlines", {})
    seats = {seat: player.lower() for seat, player in said.get("seats", {}).items()}
    seats |= {seat: f"{BOT}{bot}" for seat, bot in said.get("bots", {}).items()}
    hold, place, witness = said.get("hold", False), forums.place_of(said), said.get("witness", True)
    by_hand = said.get("release") == BY_HAND
    watch = tuple(dict.fromkeys(map(str.lower, said.get("observers", ()))))
    if own == NO_DEADLINES:
        return GameSettings(seats, hold, None, place, witness, by_hand, watch)
    lengths = {**terms.get("lengths", {}), **own.get("lengths", {})}
    together = {**terms, **own, "lengths": lengths}
    deadlines = _deadlines(together, zone) if "length" in together else None
    return GameSettings(seats, hold, deadlines, place, witness, by_hand, watch)


def _deadlines(terms: Mapping[str, Any], zone: str) -> Terms:
    return Terms(
        length=minutes(terms["length"]),
        lengths={phase: minutes(length) for phase, length in terms.get("lengths", {}).items()},
        time=_time_of_day(terms["time"]) if "time" in terms else None,
        remind=_reminders(terms.get("remind", ())),
        grace=minutes(terms["grace"]) if "grace" in terms else 0,
        zone=zone,
        days=days_off(terms["days_off"]) if terms.get("days_off") else EVERY_DAY,
        leave=_leave(terms["leave"]) if "leave" in terms else None,
        missed=MissedTerms(**terms.get("missed", {})),
        reserve=terms.get("reserve", {}).get("days", 0),
        clock=_clock(terms["clock"]) if "clock" in terms else None,
    )


def _clock(said: Mapping[str, Any]) -> ClockTerms:
    def of(key: str) -> int | None:
        return minutes(said[key]) if key in said else None

    return ClockTerms(
        minutes(said["start"]),
        of("increment") or 0,
        said.get("moves", 1),
        of("most"),
        said.get("charges") == WHOLE_DAYS,
        of("doubles"),
    )


def _requests(said: Mapping[str, Any]) -> RequestTerms:
    time = said.get("time", UMPIRE)
    return RequestTerms(
        leave=said.get("leave", UMPIRE) != UMPIRE,
        time=minutes(time) if time != UMPIRE else 0,
        draw=said.get("draw", "") != UMPIRE,
        resign=said.get("resign", "") != UMPIRE,
    )


def _time_of_day(text: str) -> tuple[int, int]:
    """Return the hour and the minute of ``07:00``."""
    hour, _, minute = text.partition(":")
    return int(hour), int(minute)


def _reminders(said: str | Sequence[str]) -> tuple[int, ...]:
    """Return how many minutes before a deadline reminders go out, the first of them first."""
    every = [said] if isinstance(said, str) else said
    return tuple(sorted({minutes(one) for one in every}, reverse=True))


def _leave(said: Mapping[str, Any]) -> LeaveTerms:
    return LeaveTerms(said["days"], minutes(said["notice"]) if "notice" in said else 0)


def _account(kind: str, said: Mapping[str, Any]) -> Account:
    security = said.get("security", TLS)
    credential = next(
        (Credential(key, said[key]) for key in (COMMAND, ENVIRONMENT, TOKEN) if key in said), None
    )
    return Account(
        host=said["host"],
        port=said.get("port", _PORTS[kind][security]),
        user=said.get("user", ""),
        security=security,
        credential=credential,
        folder=said.get("folder", "INBOX"),
        after=said.get("after", KEEP),
    )
