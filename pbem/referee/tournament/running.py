"""Running a tournament: making it, closing entries, drawing lots, pairing a round and making its games.

Each line of the record counts from the moment it is written; games and letters follow from it, so that what
was broken off is done when it is asked for again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.club import lots
from pbem.club.course import Open
from pbem.club.pairing import NoPairing
from pbem.club.tournament import KNOCKOUT, POOLS, SWISS, Pairing
from pbem.core.normal import nfc
from pbem.core.problem import Problem
from pbem.post.offices.office import Office
from pbem.post.offices.tournament_file import FILE
from pbem.post.write.cover import one_line
from pbem.proof.canonical import NotCanonical
from pbem.proof.dice_protocol import normal_words
from pbem.proof.signing import load_private, private_from, private_to_openssh, public_of
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import open_game
from pbem.referee.game.intake import unfit_words
from pbem.referee.game.refusal import UNDECIDED, Refused, in_use, refuse
from pbem.referee.game.scenario import find_scenario, judge
from pbem.referee.mail.office import settings
from pbem.referee.tournament.letters import lines_said, tell_closed, tell_round
from pbem.referee.tournament.opening import Tournament, draws_of, file_of, opened
from pbem.referee.tournament.record import (
    Begun,
    Closed,
    Draws,
    Entrant,
    Entry,
    Game,
    Lots,
    Made,
    Result,
    Round,
    Said,
    game_of,
    line,
)
from pbem.referee.tournament.record import read as read_draws
from pbem.referee.turn.new import SeatWish, game_name, new
from pbem.store import disk
from pbem.store import draws as store

_SAMPLES = {SWISS: "rounds = 3\n", POOLS: "pools = 2\nthrough = 2\n"}


class Paired(Struct, frozen=True):
    """A round that was paired, and the tournament with it: its games, and who was written to."""

    found: Tournament
    number: int
    pairings: tuple[Pairing, ...]
    made: tuple[str, ...]
    told: tuple[str, ...]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a tournament alone; Refused (cannot decide) while another program is at it."""
    try:
        with disk.exclusive(folder):
            yield
    except disk.Busy as busy:
        raise in_use(busy, folder) from None


def make(
    env: Environment, folder: Path, name: str, scenario: str, format_: str, entrants: Sequence[str]
) -> Path:
    """Make a tournament in a new folder of an office, and return its file; without entrants all players of
    the office enter.

    The director's secret and key are his from here on, and the record begins with what binds the secret.
    """
    if folder.exists():
        raise refuse("tournament.exists", file=str(folder), path=str(folder))
    office = settings(folder.resolve().parent)
    _sides(scenario)
    listed = [player.lower() for player in entrants] or list(office.players)
    if unknown := [player for player in listed if player not in office.players]:
        raise Refused(
            [Problem("tournament.no-player", {"player": player}) for player in unknown], file="--entrant"
        )
    id_ = game_name(folder.with_name(folder.name[:20]), env.entropy(3))
    private, secret = private_from(env.entropy(32)), env.entropy(32)
    env.keyring.keep_secret(id_, "gm", secret)
    env.keyring.keep_key(id_, private_to_openssh(private))
    disk.make_folder(folder)
    said = [
        f"name = {json.dumps(name, ensure_ascii=False)}",
        f"scenario = {json.dumps(scenario, ensure_ascii=False)}",
        f'format = "{format_}"',
        _SAMPLES.get(format_, "") + 'ties = ["head to head", "sonneborn-berger", "wins", "lot"]',
        f"entrants = {json.dumps(listed)}",
        "",
    ]
    disk.create(folder / FILE, "\n".join(said).encode())
    begun = Begun(id_, 1, "", env.clock(), public_of(private).line, lots.commitment(id_, secret))
    data = line(private, begun)
    store.append(folder, data, env.keyring.folder(id_), read_draws(data).digests)
    return folder / FILE


def _sides(scenario: str) -> tuple[str, str]:
    """Return the sides of a scenario; Refused where there are not two."""
    found = find_scenario(scenario)
    judge(found)
    sides = tuple(map(str, found.data["sides"]))
    if len(sides) != 2:
        raise refuse("tournament.sides", scenario=scenario, count=len(sides))
    return sides[0], sides[1]


def _add(env: Environment, folder: Path, draws: Draws, entry: Entry) -> Draws:
    """Write a line of the record. Refused where the key is not here, or this copy of the record is older than
    what was written on this computer.
    """
    keyring = env.keyring
    place = keyring.folder(draws.id)
    keys = keyring.keys(draws.id)
    private = load_private(keys[0]) if keys else None
    if private is None or public_of(private).line != draws.begun.key:
        raise refuse(
            "tournament.secret", answer=UNDECIDED, file=str(folder), path=str(keyring.key_file(draws.id))
        )
    known = store.known(place)
    if draws.digests[: len(known)] != known:
        raise refuse("tournament.older", answer=UNDECIDED, file=str(folder), path=str(folder / store.FILE))
    entry = replace(entry, tournament=draws.id, n=len(draws.digests) + 1, prev=draws.head, at=env.clock())
    try:
        data = line(private, entry)
    except NotCanonical as odd:
        raise refuse("tournament.odd", file=str(folder / FILE), why=str(odd)) from None
    after = read_draws((store.read(folder) or b"") + data)
    store.append(folder, data, place, after.digests)
    return after


def close(env: Environment, folder: Path) -> tuple[Tournament, tuple[str, ...]]:
    """Close the entries, and return the tournament and who was told. Where they are closed those are told who
    were not yet; Refused where there is nobody left to tell.
    """
    with _alone(_there(folder)):
        draws, office = draws_of(folder), settings(folder.resolve().parent)
        found = file_of(folder, office, draws)
        if draws.closed is not None:
            tournament = Tournament(folder, found, draws, office)
            told = tell_closed(env, tournament) if draws.lots is None else ()
            if not told:
                raise refuse("tournament.closed", file=str(folder), at=draws.closed.at)
            return tournament, told
        count = len(found.entrants)
        least = 2 * found.terms.pools if found.terms.format == POOLS else 3
        if count < (2 if found.terms.format == KNOCKOUT else least):
            raise refuse("tournament.few", file=str(folder / FILE), count=count)
        entrants = tuple(Entrant(who, _called(office, who)) for who in found.entrants)
        closed = Closed(
            *_later(), nfc(found.name), nfc(found.scenario), _sides(found.scenario), found.terms, entrants
        )
        draws = _add(env, folder, draws, closed)
        tournament = Tournament(folder, found, draws, office)
        return tournament, tell_closed(env, tournament)


def _later() -> tuple[str, int, str, str]:
    """Return what ``_add`` fills in."""
    return "", 0, "", ""


def _there(folder: Path) -> Path:
    if not folder.is_dir():
        raise refuse("tournament.none", answer=UNDECIDED, file=str(folder), path=str(folder))
    return folder


def _called(office: Office, player: str) -> str:
    """Return a player's name as people read it; the short one where two have the same."""
    name = nfc(one_line(office.players[player].name, 80))
    others = [one for one in office.players.values() if one.id != player]
    shared = any(name.casefold() in (one.name.casefold(), one.id.casefold()) for one in others)
    return player if shared or not name else name


def pair(env: Environment, folder: Path, said: Sequence[tuple[str, str]] = ()) -> Paired:
    """Pair the next round, make its games and tell the players; number 0 where nothing is left to pair.

    Before the first round lots are drawn: ``said`` are players and their lines that did not come by letter.
    """
    with _alone(_there(folder)):
        found = _drawn(env, opened(env, folder), said)
        if found.office is None:
            raise refuse("tournament.no-office", file=str(folder), path=str(folder))
        draws = found.draws
        if len(draws.rounds) in draws.made or not draws.rounds:
            number, pairings = len(draws.rounds) + 1, _next(found)
            if not pairings:
                return Paired(found, 0, (), (), ())
            results = tuple(Result(*key, outcome) for key, outcome in sorted(found.course.played.items()))
            round_ = Round(*_later(), number, results, found.gone, pairings)
            found = replace(found, draws=_add(env, folder, draws, round_))
        latest = found.draws.rounds[-1]
        games = {
            one.table: _game(env, found, one)
            for one in latest.pairings
            if not one.is_bye and one.key not in found.course.outcomes
        }
        told = tell_round(env, found)
        made = Made(*_later(), latest.round, tuple(Game(*game) for game in games.items()))
        found = replace(found, draws=_add(env, folder, found.draws, made))
        names = tuple(game_of(found.id, one) for one in latest.pairings if one.table in games)
        return Paired(found, latest.round, latest.pairings, names, told)


def _drawn(env: Environment, found: Tournament, said: Sequence[tuple[str, str]]) -> Tournament:
    """Return a tournament whose lots are drawn, from the director's secret and the lines of entrants: those
    that ``said`` has, and those that came by letter.

    Refused where entries are open, nobody has said a line, or it was done and there are more.
    """
    folder, draws, closed = found.folder, found.draws, found.draws.closed
    if closed is None:
        raise refuse("tournament.open", file=str(folder))
    if draws.lots is not None:
        if said:
            raise refuse("tournament.drawn", file=str(folder))
        return found
    words: dict[str, str] = {}
    problems = []
    for player, typed in said:
        if player.lower() not in found.names:
            problems.append(Problem("tournament.no-entrant", {"player": player}))
        elif player.lower() in words:
            problems.append(Problem("tournament.twice", {"player": player}))
        elif (unfit := unfit_words(typed)) is not None:
            problems.append(unfit)
        else:
            words[player.lower()] = normal_words(typed)
    if problems:
        raise Refused(problems, file="--line")
    secrets = env.keyring.secrets(draws.id, "gm")
    if not secrets or lots.commitment(draws.id, secrets[0]) != draws.begun.commitment:
        path = str(env.keyring.chain_file(draws.id, "gm"))
        raise refuse("tournament.secret", answer=UNDECIDED, file=str(folder), path=path)
    words = {**lines_said(env, found, others=bool(words)), **words}
    if not words:
        raise refuse("tournament.no-lots", file=str(folder))
    lines = tuple(Said(one.player, words[one.player]) for one in closed.entrants if one.player in words)
    return replace(found, draws=_add(env, folder, draws, Lots(*_later(), secrets[0].hex(), lines)))


def _next(found: Tournament) -> tuple[Pairing, ...]:
    """Return the next pairings; Refused where games are open that they depend on, or there are none."""
    if found.troubles:
        said = "; ".join(f"{one.where}: {one.said}" for one in found.troubles)
        raise refuse("tournament.trouble", answer=UNDECIDED, file=str(found.folder), said=said)
    try:
        return found.course.next()
    except Open as waits:
        games = ", ".join(game_of(found.id, one) for one in waits.pairings[:8])
        count = len(waits.pairings)
        raise refuse("tournament.not-over", file=str(found.folder), count=count, games=games) from None
    except NoPairing:
        number = len(found.draws.rounds) + 1
        raise refuse("tournament.no-pairs", file=str(found.folder), round=number) from None


def _game(env: Environment, found: Tournament, one: Pairing) -> str:
    """Make the game of a pairing where it is not there yet, and return the digest of its manifest."""
    closed = found.draws.closed
    assert closed is not None
    name = game_of(found.id, one)
    folder = found.folder.resolve().parent / name
    if not any((folder / "ledger").glob("*.json")):
        if not env.keyring.told_file(name).exists():
            # Making it was broken off before there was a manifest, so nobody knows anything of it.
            env.keyring.forget(name)
        players = zip(closed.sides, (one.first, one.second), strict=True)
        wishes = [SeatWish(side, side, found.name(player)) for side, player in players]
        new(env, closed.scenario, folder, wishes, umpire=True, name=name)
    return open_game(folder).ledger.records[0].id
