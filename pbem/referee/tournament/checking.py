"""Working a tournament out again: lots, rounds, games and results, and what is not as it has to be."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pbem.club.tournament import FORFEIT, Pairing
from pbem.referee.tournament.opening import Tournament
from pbem.referee.tournament.record import game_of, unfair
from pbem.referee.tournament.telling import changes
from pbem.store.library import common_words


class Found(Struct, frozen=True):
    """Something that was found: its code, a sentence, and whether it is no honest tournament then."""

    code: str
    said: str
    bad: bool = True


def check(found: Tournament) -> tuple[Found, ...]:
    """Return everything that was found. That signatures and the bound secret hold was judged when the record
    was read.
    """
    return tuple(_found(found))


def _found(found: Tournament) -> Iterator[Found]:
    words, draws = common_words(), found.draws
    for number in unfair(draws):
        yield Found("tournament.found-pairs", words.phrase("tournament.found-pairs", round=number))
    if found.office is None:
        return
    pairing = {one.key: one for one in draws.pairings}
    for key, was, number in changes(found):
        game = found.game(pairing[key])
        invented = was.how != FORFEIT and game is not None and not game.opened_again
        code = "tournament.found-invented" if invented else "tournament.found-since"
        yield Found(code, words.phrase(code, of=key[0], table=key[1], round=number), bad=invented)
    manifests = {
        (number, game.table): game.manifest for number, made in draws.made.items() for game in made.games
    }
    for one in draws.pairings:
        if one.key in manifests:
            yield from _game(found, one, manifests[one.key])
    known = {game_of(found.id, one) for one in draws.pairings}
    for id_ in sorted(found.games):
        if id_.startswith(f"{found.id}-r") and id_ not in known:
            yield Found("tournament.found-stray", words.phrase("tournament.found-stray", game=id_))


def _game(found: Tournament, one: Pairing, manifest: str) -> Iterator[Found]:
    """Yield what is wrong with the game of a pairing."""
    words, id_, game, closed = common_words(), game_of(found.id, one), found.game(one), found.draws.closed
    assert closed is not None
    if game is None:
        yield Found("tournament.found-missing", words.phrase("tournament.found-missing", game=id_))
        return
    if game.manifest != manifest:
        yield Found("tournament.found-anew", words.phrase("tournament.found-anew", game=id_))
    for side, player in zip(closed.sides, (one.first, one.second), strict=True):
        plays = game.players.get(side, "")
        if plays != player:
            said = words.phrase(
                "tournament.found-other",
                game=id_,
                side=side,
                player=found.name(player),
                plays=found.name(plays) if plays else words.phrase("tournament.somebody"),
            )
            yield Found("tournament.found-other", said, bad=False)
