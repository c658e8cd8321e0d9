"""The record of a tournament: a chain of signed lines, each with the digest of the one before.

begun     the key of the director, and what binds his secret
closed    who takes part and what was agreed on
lots      the secret, and the lines of entrants that lots follow from together with it
round     how games stood when it was paired, who plays no more, and the pairings
made      the games of a round, by the digests of their manifests

Pure: bytes in, values out, and back. Whether pairings follow from what stands before them is asked in
``course``.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from pbem.club import lots
from pbem.club.course import LETTERS, Course, Open
from pbem.club.pairing import NoPairing
from pbem.club.tournament import (
    ADJUDICATED,
    AGREED,
    DRAW,
    FIRST,
    FORFEIT,
    FORMATS,
    KNOCKOUT,
    LOT,
    NOBODY,
    PLAYED,
    POOLS,
    RESIGNED,
    SECOND,
    SWISS,
    TIES,
    Outcome,
    Outcomes,
    Pairing,
    Terms,
    Withdrawal,
)
from pbem.core.regex import regex
from pbem.proof.canonical import NotCanonical, decode, encode, record_id
from pbem.proof.dice_protocol import GAME
from pbem.proof.signing import BadKey, BadSignature, armor, parse_public, sign, unarmor, verify

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MOST: Final = 500
"""Lines of a record that are read."""
MOST_ENTRANTS: Final = 128
_MOST_ROUNDS, _MOST_POOLS, _MOST_THROUGH, _MOST_POINTS = 30, 26, 16, 100
_PLAYER: Final = regex(r"[a-z][a-z0-9-]{0,31}")
_WINNERS: Final = (FIRST, SECOND, DRAW, NOBODY)
_WAYS: Final = (PLAYED, AGREED, RESIGNED, ADJUDICATED, FORFEIT)


class Broken(Exception):
    """A record that is not as it was written: in which line (from 1), and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(line, why)
        self.line, self.why = line, why


class Entry(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """A line: of which tournament, its number from 1, the digest of the line before (empty in the first), and
    when it was written.
    """

    tournament: str
    n: int
    prev: str
    at: str


class Begun(Entry, frozen=True, tag="begun"):
    """It was made: the director's public key, and what his secret is bound by."""

    key: str
    commitment: str


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who takes part: his short name, and what he is called."""

    player: str
    name: str


class Closed(Entry, frozen=True, tag="closed"):
    """Entries were closed: what it is called, what is played, its two sides, what was agreed on, who takes
    part.
    """

    name: str
    scenario: str
    sides: tuple[str, str]
    terms: Terms
    entrants: tuple[Entrant, ...]


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """The line of an entrant, in normal form."""

    player: str
    words: str


class Lots(Entry, frozen=True, tag="lots"):
    """Lots were drawn: the secret in 64 hex digits, and the lines, in the order of the entries."""

    secret: str
    lines: tuple[Said, ...]


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game of a pairing had ended."""

    round: int
    table: int
    outcome: Outcome


class Round(Entry, frozen=True, tag="round"):
    """A round was paired: by which results, without whom, and how."""

    round: int
    results: tuple[Result, ...]
    gone: tuple[Withdrawal, ...]
    pairings: tuple[Pairing, ...]

    @property
    def outcomes(self) -> Outcomes:
        """Return the results by their pairings."""
        return {(one.round, one.table): one.outcome for one in self.results}


class Game(Struct, frozen=True, forbid_unknown_fields=True):
    """The game of a table, by the digest of its manifest."""

    table: int
    manifest: str


class Made(Entry, frozen=True, tag="made"):
    """The games of a round were made."""

    round: int
    games: tuple[Game, ...]


_KINDS = Begun | Closed | Lots | Round | Made


class Draws(Struct, frozen=True, dict=True):
    """The record, read: what it began with, and as far as it came. ``digests`` are those of its lines."""

    begun: Begun
    digests: tuple[str, ...]
    entries: tuple[Entry, ...] = ()
    closed: Closed | None = None
    lots: Lots | None = None
    rounds: tuple[Round, ...] = ()
    made: Mapping[int, Made] = {}

    @property
    def id(self) -> str:
        """Return the name of the tournament."""
        return self.begun.tournament

    @property
    def head(self) -> str:
        """Return the digest of the newest line."""
        return self.digests[-1]

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return everything that was paired."""
        return tuple(one for round_ in self.rounds for one in round_.pairings)

    @property
    def seed(self) -> bytes:
        """Return the seed of the lots; only where they were drawn."""
        assert self.lots is not None
        said = [(one.player, one.words) for one in self.lots.lines]
        return lots.seed(self.id, self.digests[1], bytes.fromhex(self.lots.secret), said)

    def course(
        self, played: Outcomes, gone: tuple[Withdrawal, ...] = (), before: int | None = None
    ) -> Course:
        """Return how it goes by these results; with ``before`` as it was when that round was to be paired."""
        assert self.closed is not None
        return Course(
            self.closed.terms,
            tuple(one.player for one in self.closed.entrants),
            self.seed,
            tuple(one for one in self.pairings if before is None or one.round < before),
            played,
            gone,
        )


def game_of(tournament: str, one: Pairing) -> str:
    """Return the name of the game of a pairing."""
    return f"{tournament}-r{one.round}t{one.table}"


def namespace(tournament: str) -> str:
    """Return what the director's signatures are for."""
    return f"pbem-tournament/{tournament}"


def line(private: Ed25519PrivateKey, entry: Entry) -> bytes:
    """Return a line with its signature."""
    plain: dict[str, Any] = to_builtins(entry)
    signature = unarmor(sign(private, namespace(entry.tournament), encode(plain)))
    return encode({"entry": plain, "signature": base64.b64encode(signature).decode()})


def read(data: bytes) -> Draws:
    """Return a record; Broken at the first line that is not what it has to be there."""
    found: Draws | None = None
    listed = data.split(b"\n")
    if listed.pop() or not listed or len(listed) > MOST:
        raise Broken(len(listed) + 1, "form")
    for number, raw in enumerate(listed, 1):
        try:
            said = decode(raw + b"\n")
            plain = encode(said["entry"])
            entry = convert(said["entry"], type=_KINDS)
            datetime.strptime(entry.at, "%Y-%m-%dT%H:%M:%SZ")
            signature = armor(base64.b64decode(said["signature"], validate=True))
        except (NotCanonical, ValidationError, KeyError, TypeError, ValueError):
            raise Broken(number, "form") from None
        if found is None and not isinstance(entry, Begun):
            raise Broken(number, "order")
        if entry.n != number or entry.prev != (found.head if found is not None else ""):
            raise Broken(number, "chain")
        try:
            key = parse_public(found.begun.key if found is not None else entry.key)
            verify(key, namespace(entry.tournament), hashlib.sha512(plain).digest(), signature)
        except (BadKey, BadSignature):
            raise Broken(number, "signature") from None
        found = _on(found, entry, record_id(plain))
    assert found is not None
    return found


def _on(found: Draws | None, entry: Entry, digest: str) -> Draws:
    """Return a record with one more line; Broken where it does not belong there."""
    if found is None:
        assert isinstance(entry, Begun)
        if not GAME.fullmatch(entry.tournament):
            raise Broken(1, "form")
        return Draws(entry, (digest,), (entry,))
    found = replace(found, digests=(*found.digests, digest), entries=(*found.entries, entry))
    waits = len(found.rounds) in found.made or not found.rounds
    if entry.tournament != found.id:
        raise Broken(entry.n, "order")
    if isinstance(entry, Closed) and found.closed is None:
        if not _is_sound(entry):
            raise Broken(entry.n, "form")
        return replace(found, closed=entry)
    if isinstance(entry, Lots) and found.closed is not None and found.lots is None:
        _judge_lots(found, found.closed, entry)
        return replace(found, lots=entry)
    if isinstance(entry, Round) and found.lots and waits and entry.round == len(found.rounds) + 1:
        if not _is_possible(found, entry):
            raise Broken(entry.n, "form")
        return replace(found, rounds=(*found.rounds, entry))
    if isinstance(entry, Made) and not waits and entry.round == len(found.rounds):
        return replace(found, made={**found.made, entry.round: entry})
    raise Broken(entry.n, "order")


def _is_sound(closed: Closed) -> bool:
    """Tell whether terms and entrants are such as a file may have: nothing else is worked with."""
    terms, who = closed.terms, [one.player for one in closed.entrants]
    points = (terms.points.win, terms.points.draw, terms.points.loss, terms.points.bye)
    fewest = len(who) // terms.pools if terms.pools > 0 else 0
    return (
        terms.format in FORMATS
        and set(terms.ties) <= set(TIES)
        and len(set(terms.ties)) == len(terms.ties)
        and (LOT in terms.ties or terms.format not in (KNOCKOUT, POOLS))
        and all(0 <= one <= _MOST_POINTS for one in points)
        and (1 if terms.format == SWISS else 0) <= terms.rounds <= _MOST_ROUNDS
        and 0 <= terms.pools <= _MOST_POOLS
        and 0 <= terms.through <= _MOST_THROUGH
        and (terms.format != POOLS or (terms.through >= 1 and fewest >= max(2, terms.through)))
        and terms.games in (1, 2)
        and 2 <= len(who) == len(set(who)) <= MOST_ENTRANTS
        and all(_PLAYER.fullmatch(player) for player in who)
        and len(set(terms.seeded)) == len(terms.seeded)
        and set(terms.seeded) <= set(who)
        and len(set(closed.sides)) == 2
    )


def _is_possible(found: Draws, entry: Round) -> bool:
    """Tell whether a round is one at all: of entrants, at its own tables, with results of earlier rounds."""
    assert found.closed is not None
    who = {one.player for one in found.closed.entrants}
    before = {one.key for one in found.pairings if not one.is_bye}
    tables = [one.table for one in entry.pairings]
    return (
        tables == list(range(1, len(tables) + 1))
        and bool(tables)
        and all(one.round == entry.round and one.pool in ("", *LETTERS) for one in entry.pairings)
        and all(one.first in who and one.second in who | {""} for one in entry.pairings)
        and all(one.first != one.second and 1 <= one.match <= one.table for one in entry.pairings)
        and set(entry.outcomes) <= before
        and len(entry.outcomes) == len(entry.results)
        and all(_is_result(one.outcome) for one in entry.results)
        and {one.player for one in entry.gone} <= who
        and all(0 <= one.after <= _MOST_POINTS for one in entry.gone)
    )


def _is_result(said: Outcome) -> bool:
    return (
        said.winner in _WINNERS
        and said.how in _WAYS
        and not said.void
        and (said.score is None or min(said.score) >= 0)
    )


def _judge_lots(found: Draws, closed: Closed, entry: Lots) -> None:
    """Raise Broken unless the secret is the one that was bound, and lines are those of entrants, in their
    order.
    """
    try:
        secret = bytes.fromhex(entry.secret)
    except ValueError:
        raise Broken(entry.n, "form") from None
    if lots.commitment(found.id, secret) != found.begun.commitment:
        raise Broken(entry.n, "secret")
    spoke = [one.player for one in entry.lines]
    if not spoke or spoke != [one.player for one in closed.entrants if one.player in spoke]:
        raise Broken(entry.n, "form")


def unfair(draws: Draws) -> tuple[int, ...]:
    """Return the rounds that were paired otherwise than what stands before them says."""
    found = []
    for one in draws.rounds:
        try:
            right = draws.course(one.outcomes, one.gone, one.round).next()
        except (Open, NoPairing):
            right = ()
        if not right or right != one.pairings:
            found.append(one.round)
    return tuple(found)
