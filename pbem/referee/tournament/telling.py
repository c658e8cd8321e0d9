"""A tournament in words and as plain data: tables, rounds, why somebody is before somebody else, counts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from pbem.club.course import Open
from pbem.club.pairing import NoPairing
from pbem.club.standings import Line, Value, why
from pbem.club.tournament import DRAW, FIRST, LOT, NOBODY, PLAYED, Outcome, Pairing
from pbem.post.write.cover import one_line
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.desk import LONGEST, TROUBLE, Need
from pbem.referee.mail.office import said
from pbem.referee.mail.stats_table import columns
from pbem.referee.tournament.opening import Tournament, folders, opened
from pbem.referee.tournament.record import Closed, Entry, Lots, Made, Round, game_of
from pbem.store.library import common_words

BEST = 6
"""How many are named as the best."""


class Counts(Struct, frozen=True):
    """How many entered, how many of them began a game, how often (each player of each game), games that began
    and that are over, and the best of the table.
    """

    entrants: int
    players: int
    starts: int
    begun: int
    over: int
    top: tuple[Line, ...]


def counts(found: Tournament) -> Counts:
    """Return what there is to count."""
    began: list[Pairing] = []
    over = 0
    for one in found.draws.pairings:
        game = found.game(one)
        if game is not None and game.started:
            began.append(one)
            over += bool(game.how)
    who = {player for one in began for player in (one.first, one.second)}
    top = found.course.standings if found.draws.lots is not None else ()
    return Counts(
        len(found.names),
        len(who),
        2 * len(began),
        len(began),
        over,
        tuple(line for line in top if line.place <= BEST),
    )


def counts_said(told: Counts) -> str:
    """Return the counts in words."""
    return common_words().phrase(
        "tournament.counts",
        entrants=told.entrants,
        players=told.players,
        starts=told.starts,
        begun=told.begun,
        over=told.over,
    )


# --- plain data


def count_facts(found: Tournament) -> dict[str, Any]:
    """Return the counts for programs."""
    told = counts(found)
    return {
        "tournament": found.id,
        "entrants": told.entrants,
        "players": told.players,
        "starts": told.starts,
        "games_begun": told.begun,
        "games_over": told.over,
        "top": [{"place": line.place, "player": line.player} for line in told.top],
    }


def facts(found: Tournament) -> dict[str, Any]:
    """Return tables and rounds for programs."""
    drawn = found.draws.lots is not None
    return {
        "tournament": found.id,
        "name": found.settings.name,
        "format": found.settings.terms.format,
        "scenario": found.settings.scenario,
        "head": found.draws.head,
        "state": state(found),
        "players": [{"player": who, "name": name} for who, name in found.names.items()],
        "standings": [_line(line) for line in found.course.standings] if drawn else [],
        "pools": {
            letter: [_line(line) for line in found.course.pool(letter)]
            for letter in (found.course.pool_letters if drawn else "")
        },
        "rounds": [
            {"round": one.round, "pairings": [_pairing(found, pairing) for pairing in one.pairings]}
            for one in found.draws.rounds
        ],
        "changed": list(changed(found)),
    }


def _line(line: Line) -> dict[str, Any]:
    said: dict[str, Any] = to_builtins(
        {key: getattr(line, key) for key in line.__struct_fields__ if key != "values"}
    )
    ties = [{"by": name, "value": None if value is None else str(value)} for name, value in line.values]
    return {**said, "ties": ties}


def _pairing(found: Tournament, one: Pairing) -> dict[str, Any]:
    said: dict[str, Any] = {"table": one.table, "first": one.first, "second": one.second, "pool": one.pool}
    outcome = found.course.outcomes.get(one.key)
    if not one.is_bye:
        said["game"] = game_of(found.id, one)
    if outcome is not None:
        score = {} if outcome.score is None else {"score": list(outcome.score)}
        said |= {"winner": outcome.winner, "how": outcome.how, "void": outcome.void, **score}
    return said


# --- words


def state(found: Tournament, *, typed: bool = True) -> str:
    """Return where it stands; ``typed``: with what its director types next."""
    return _state(found, _stage(found), str(found.folder) if typed else "")


def _stage(found: Tournament) -> str:
    """Return where it stands, by the name of the sentence that says so."""
    if found.draws.closed is None:
        return "open"
    if found.draws.lots is None:
        return "lots"
    try:
        if found.course.next():
            return "pair"
    except Open:
        pass
    except NoPairing:
        return "stuck"
    return "going" if found.course.open() else "over"


def _state(found: Tournament, stage: str, folder: str = "") -> str:
    words, rounds = common_words(), len(found.draws.rounds)
    if stage == "open":
        return words.phrase("tournament.state-open", count=len(found.settings.entrants), folder=folder)
    return words.phrase(
        f"tournament.state-{stage}",
        round=rounds if stage == "going" else rounds + 1,
        rounds=rounds,
        count=0 if stage == "lots" else len(found.course.open()) or "",
        folder=folder,
    )


def needs(env: Environment, root: Path) -> Iterator[Need]:
    """Yield what a tournament of an office needs its director for: lots to be drawn, a round to be paired, or
    one that cannot be; one that cannot be opened is trouble.
    """
    for folder in folders(root):
        try:
            found = opened(env, folder)
            stage = _stage(found)
        except Refused as refusal:
            yield Need(TROUBLE, "", f"{folder.name}: {one_line(said(refusal), LONGEST)}")
            continue
        if stage in ("lots", "pair", "stuck"):
            pair = "" if stage == "stuck" else shlex.join(["pbem", "tournament", "pair", str(folder)])
            yield Need("tournament", "", f"{folder.name}: {_state(found, stage)}", pair)


def changes(found: Tournament) -> Iterator[tuple[tuple[int, int], Outcome, int]]:
    """Yield which results are not what they were when a later round was paired: of which pairing, what it
    was, and which round that was.
    """
    if not found.draws.rounds or found.office is None:
        return
    now = found.course.played
    for round_ in found.draws.rounds:
        for key, outcome in round_.outcomes.items():
            if now.get(key) != outcome:
                yield key, outcome, round_.round


def changed(found: Tournament) -> Iterator[str]:
    """Yield the same in words."""
    for (of, table), _, number in changes(found):
        yield common_words().phrase("tournament.found-since", of=of, table=table, round=number)


def fixed(found: Tournament, entry: Entry) -> str:
    """Return what a line of the record fixes."""
    words = common_words()
    if isinstance(entry, Closed):
        return words.phrase("tournament.site-closed")
    if isinstance(entry, Lots):
        lines = [
            words.phrase("tournament.site-line", words=one.words, player=found.name(one.player))
            for one in entry.lines
        ]
        return words.phrase("tournament.site-lots", lines=lines)
    if isinstance(entry, Round | Made):
        kind = "round" if isinstance(entry, Round) else "made"
        return words.phrase(f"tournament.site-{kind}", round=entry.round)
    return words.phrase("tournament.site-begun")


def tie(name: str) -> str:
    """Return what tells players apart, in words."""
    return common_words().phrase(f"tournament.tie-{name.replace(' ', '-')}")


def value(by: str, said: Value) -> str:
    """Return what somebody has of it."""
    if said is None:
        return common_words().phrase("tournament.no-value")
    if isinstance(said, str):
        return said[:8] if by == LOT else said
    return fraction(abs(said))


def fraction(said: Fraction) -> str:
    """Return a number as people write it: whole, halves as decimals, else a fraction."""
    if said.denominator == 1:
        return str(said.numerator)
    return f"{said.numerator / 2:.1f}" if said.denominator == 2 else f"{said.numerator}/{said.denominator}"


def apart(line: Line) -> str:
    """Return what told somebody apart from those with as many points."""
    asked = [(by, said) for by, said in line.values[1:] if said is not None]
    return ", ".join(f"{tie(by)} {value(by, said)}" for by, said in asked)


HEADS = ("place", "player", "points", "games", "won", "drawn", "lost", "apart")


def heads(names: Sequence[str] = HEADS) -> list[str]:
    """Return the heads of the columns of a table."""
    return [common_words().phrase(f"tournament.column-{name}") for name in names]


def cells(found: Tournament, line: Line) -> list[str]:
    """Return the cells of a line of a table."""
    numbers = (line.points, line.games, line.won, line.drawn, line.lost)
    return [str(line.place), found.name(line.player), *map(str, numbers), apart(line)]


def table_lines(found: Tournament, listed: Sequence[Line]) -> list[str]:
    """Return a table for the terminal."""
    return list(columns([heads(), *(cells(found, line) for line in listed)]))


def result(found: Tournament, one: Pairing) -> str:
    """Return how a pairing stands, in words."""
    words = common_words()
    if one.is_bye:
        return words.phrase("tournament.bye")
    outcome = found.course.outcomes.get(one.key)
    if outcome is not None:
        return _ended(found, one, outcome)
    game = found.game(one)
    return words.phrase("tournament.going" if game is not None and game.started else "tournament.to-begin")


def _ended(found: Tournament, one: Pairing, outcome: Outcome) -> str:
    words = common_words()
    if outcome.winner == DRAW:
        said = words.phrase("tournament.was-drawn")
    elif outcome.winner == NOBODY:
        said = words.phrase("tournament.nobody-won")
    else:
        winner = one.first if outcome.winner == FIRST else one.second
        said = words.phrase("tournament.won-by", player=found.name(winner))
    more = [":".join(map(str, outcome.score))] if outcome.score is not None else []
    if outcome.how != PLAYED:
        more.append(words.phrase(f"tournament.how-{outcome.how}"))
    if outcome.void:
        more.append(words.phrase("tournament.void"))
    return f"{said} ({', '.join(more)})" if more else said


def paired(found: Tournament, one: Pairing) -> str:
    """Return who plays whom."""
    pool = f"{one.pool}: " if one.pool else ""
    return pool + " – ".join(found.name(who) for who in (one.first, one.second) if who)


def round_lines(found: Tournament, pairings: Sequence[Pairing]) -> list[str]:
    """Return the pairings of a round for the terminal."""
    rows = [
        [
            f"  {one.table}",
            paired(found, one),
            result(found, one),
            "" if one.is_bye else game_of(found.id, one),
        ]
        for one in pairings
    ]
    return list(columns(rows))


def why_said(found: Tournament, listed: Sequence[Line], one: str, other: str) -> str:
    """Return why one of two players is before the other."""
    words, told = common_words(), why(listed, one, other)
    before, behind = found.name(told.before), found.name(told.behind)
    equal = [tie(name) for name in told.equal]
    same = words.phrase("tournament.why-equal", equal=equal) if equal else ""
    if not told.by:
        place = next(line.place for line in listed if line.player == told.before)
        said = words.phrase("tournament.why-nothing", before=before, behind=behind, place=place)
    else:
        said = words.phrase(
            "tournament.why",
            before=before,
            behind=behind,
            by=tie(told.by),
            mine=value(told.by, told.mine),
            theirs=value(told.by, told.theirs),
        )
    return f"{said} {same}".strip()
