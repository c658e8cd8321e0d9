"""Telling the players of a tournament: letters that go out with the next round of the office."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.club.tournament import Pairing
from pbem.post.write.tournaments import NewRound, closed, paired
from pbem.post.write.writing import Letter
from pbem.referee.game.environment import Environment
from pbem.referee.game.scenario import find_scenario
from pbem.referee.mail.line_book import LineBook
from pbem.referee.mail.office import House, alone, secret_of
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.served import parsed
from pbem.referee.mail.troubles import Troubles
from pbem.referee.tournament.opening import Tournament
from pbem.referee.tournament.record import game_of
from pbem.referee.tournament.telling import cells, heads, result
from pbem.referee.tournament.telling import paired as who_plays
from pbem.store.library import common_words
from pbem.store.outbox import Outbox
from pbem.text.words import speaking

_COLUMNS = slice(0, 4)
"""What of a table a letter shows: place, player, points, games."""


def _tell(
    env: Environment, found: Tournament, key: str, letter: Callable[[str, LineBook], Letter | None]
) -> tuple[str, ...]:
    """Queue a letter to each entrant with an address, once; return to whom one is queued now."""
    office = found.office
    if office is None or not office.address:
        return ()
    told = []
    with alone(found.folder.resolve().parent) as post:
        house = House(found.folder.resolve().parent, office, {}, (), ())
        book = LineBook(post, secret_of(env))
        queue = Queue(house, Outbox(post), Troubles.read(post), parsed(env.clock()))
        for player in found.names:
            name = f"{found.id}-{key}-{player}"
            known = player not in office.players or queue.knows(name)
            if known:
                continue
            with speaking(office.players[player].language):
                said = letter(player, book)
            if said is not None:
                queue.letter(name, said, "", office.players[player].address)
                told.append(found.name(player))
    return tuple(told)


def tell_closed(env: Environment, found: Tournament) -> tuple[str, ...]:
    """Tell every entrant that entries are closed, and return whom."""
    name, entrants, digest = found.settings.name, tuple(found.names.values()), found.draws.head

    def letter(player: str, book: LineBook) -> Letter:
        return closed(name, entrants, digest, book.ask(found.id, name, digest, player), common_words())

    return _tell(env, found, "closed", letter)


def lines_said(env: Environment, found: Tournament, *, others: bool) -> Mapping[str, str]:
    """Return player -> line of the entrants who have said one by letter. What comes from now on is too late,
    unless there are neither these nor ``others``: then no lots are drawn.
    """
    if found.office is None:
        return {}
    with alone(found.folder.resolve().parent) as post:
        return LineBook(post, secret_of(env)).draw(found.id, others=others)


def tell_round(env: Environment, found: Tournament) -> tuple[str, ...]:
    """Tell everybody who still plays what the newest round brings, and return whom."""
    draws, course = found.draws, found.course
    latest, closed_, lots = draws.rounds[-1], draws.closed, draws.lots
    assert closed_ is not None and lots is not None
    sides = find_scenario(closed_.scenario).data["sides"]
    names = tuple(str(sides[side].get("name", side)) for side in closed_.sides)
    table = course.standings if latest.round > 1 else ()
    lines = tuple((found.name(one.player), one.words) for one in lots.lines) if latest.round == 1 else ()
    places = {line.player: line.place for line in table}

    def letter(player: str, _: LineBook) -> Letter | None:
        mine = [one for one in latest.pairings if one.has(player)]
        if not mine:
            return None
        said = tuple(_mine(found, player, one, names, places) for one in mine)
        pairings = tuple(_line(found, one) for one in latest.pairings)
        return paired(
            NewRound(
                closed_.name,
                latest.round,
                said,
                pairings,
                tuple(heads()[_COLUMNS]),
                tuple(tuple(cells(found, line)[_COLUMNS]) for line in table),
                lines,
                draws.head,
            ),
            common_words(),
        )

    return _tell(env, found, f"round-{latest.round}", letter)


def _line(found: Tournament, one: Pairing) -> str:
    over = one.is_bye or one.key in found.course.outcomes
    return f"{who_plays(found, one)}: {result(found, one)}" if over else who_plays(found, one)


def _mine(
    found: Tournament, player: str, one: Pairing, sides: tuple[str, ...], places: dict[str, int]
) -> str:
    """Return what somebody plays, against whom, and where that one stands."""
    words = common_words()
    if one.is_bye:
        return words.phrase("tournament.letter-bye")
    other = one.other(player)
    if one.key in found.course.outcomes:
        return words.phrase("tournament.letter-forfeit", other=found.name(other))
    return words.phrase(
        "tournament.letter-pairing",
        side=sides[0 if one.first == player else 1],
        other=found.name(other),
        place=places.get(other, ""),
        game=game_of(found.id, one),
    )
