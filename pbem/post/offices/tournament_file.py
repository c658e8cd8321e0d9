"""A tournament as its director sets it up in ``tournament.toml``: what is played, how it is paired, who
enters.

Pure: bytes in, values or problems out, each with its place. What a file may hold stands in
``schemas/tournament.schema.json``; here stands what its values mean to each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, convert
from msgspec.structs import replace

from pbem.club.tournament import KNOCKOUT, LOT, POOLS, SWISS, Points, Terms, Withdrawal
from pbem.core.problem import Problem
from pbem.text import toml
from pbem.text.places import Source
from pbem.text.shape import Shape
from pbem.text.similar import did_you_mean

FILE: Final = "tournament.toml"
_NEEDS: Final = {SWISS: ("rounds",), POOLS: ("pools", "through")}


class Forfeit(Struct, frozen=True):
    """Somebody does not play his game of a round, or not on: he has lost it."""

    player: str
    round: int
    why: str


class Settings(Struct, frozen=True):
    """What the file says. What was agreed on is fixed when entries close; who withdraws or forfeits a game
    is written down later.
    """

    name: str
    scenario: str
    terms: Terms
    entrants: tuple[str, ...]
    withdrawn: tuple[Withdrawal, ...] = ()
    forfeits: tuple[Forfeit, ...] = ()
    reasons: Mapping[str, str] = {}
    """Why players have withdrawn."""


def read(
    data: bytes, name: str, form: Shape, players: Collection[str] | None
) -> tuple[Settings | None, Source]:
    """Return what a file says, and the file with its problems; nothing where there is one.

    ``players`` are the short names of an office, None where there is none.
    """
    source = toml.read(data, name)
    if not isinstance(source.data, Mapping):
        return None, source
    problems = form.check(source.data) or list(_faults(source.data, players))
    return (None if problems else _settings(source.data)), replace(source, problems=problems)


def _settings(data: Mapping[str, Any]) -> Settings:
    agreed = {key: data[key] for key in ("ties", "rounds", "pools", "through", "games") if key in data}
    points = convert(data.get("points", {}), type=Points)
    seeded = tuple(map(str.lower, data.get("seeded", ())))
    return Settings(
        name=data["name"],
        scenario=data["scenario"],
        terms=convert({"format": data["format"], **agreed, "points": points, "seeded": seeded}, type=Terms),
        entrants=tuple(map(str.lower, data["entrants"])),
        withdrawn=tuple(Withdrawal(one["player"].lower(), one["after"]) for one in data.get("withdrawn", ())),
        forfeits=tuple(
            Forfeit(one["player"].lower(), one["round"], one["why"]) for one in data.get("forfeits", ())
        ),
        reasons={one["player"].lower(): one["why"] for one in data.get("withdrawn", ())},
    )


def _faults(data: Mapping[str, Any], players: Collection[str] | None) -> Iterator[Problem]:
    """Yield what is wrong with values that are each well by themselves."""
    entrants: Sequence[str] = data["entrants"]
    known = [player.lower() for player in entrants]
    yield from _twice(entrants, "entrants")
    for n, player in enumerate(entrants):
        if players is not None and player.lower() not in players:
            help_ = did_you_mean(player.lower(), players)
            yield Problem("tournament.no-player", {"player": player}, ("entrants", n), help=help_)
    yield from _twice(data.get("seeded", ()), "seeded")
    named = [(player, ("seeded", n)) for n, player in enumerate(data.get("seeded", ()))]
    for key in ("withdrawn", "forfeits"):
        named += [(one["player"], (key, n, "player")) for n, one in enumerate(data.get(key, ()))]  # type: ignore[misc]
    for player, path in named:
        if player.lower() not in known:
            yield Problem(
                "tournament.no-entrant", {"player": player}, path, help=did_you_mean(player.lower(), known)
            )
    yield from _twice([one["player"] for one in data.get("withdrawn", ())], "withdrawn", "player")
    yield from _format(data, len(known))


def _twice(players: Sequence[str], *path: str) -> Iterator[Problem]:
    known: set[str] = set()
    for n, player in enumerate(players):
        if player.lower() in known:
            yield Problem("tournament.twice", {"player": player}, (path[0], n, *path[1:]))
        known.add(player.lower())


def _format(data: Mapping[str, Any], count: int) -> Iterator[Problem]:
    """Yield what does not go with the format, or with so many entrants."""
    format_ = str(data["format"])
    needs = _NEEDS.get(format_, ())
    for key in needs:
        if key not in data:
            yield Problem("tournament.needs", {"format": format_, "key": key}, ("format",))
    for key in ("rounds", "pools", "through"):
        if key in data and key not in needs:
            yield Problem("tournament.needless", {"format": format_, "key": key}, (key,), key=True)
    if format_ in (KNOCKOUT, POOLS) and LOT not in data.get("ties", Terms(format_).ties):
        yield Problem("tournament.needs-lot", {"format": format_}, ("ties",))
    if not count:
        return
    if format_ == SWISS and "rounds" in data and data["rounds"] > count - 1 + count % 2:
        yield Problem("tournament.many-rounds", {"rounds": data["rounds"], "count": count}, ("rounds",))
    if format_ == POOLS and {*needs} <= data.keys() and count // data["pools"] < max(2, data["through"]):
        yield Problem("tournament.small-pools", {"count": count, "pools": data["pools"]}, ("pools",))
