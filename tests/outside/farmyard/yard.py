"""The farmyard as values: places with names, animals and their states, and what can happen to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.sequence import Cursor
from pbem.text.codec import Value

AWAKE, ASLEEP, CAUGHT = "awake", "asleep", "caught"


class Place(Struct, frozen=True):
    """A piece of ground with a name: its corners, what grows there, and where one gets from it."""

    id: str
    name: str
    look: str
    corners: tuple[tuple[int, int], ...]
    paths: tuple[str, ...]

    @property
    def centre(self) -> tuple[int, int]:
        """Return the middle of its corners."""
        n = len(self.corners)
        return sum(x for x, _ in self.corners) // n, sum(y for _, y in self.corners) // n


class Yard(Struct, frozen=True):
    """Everything that never changes in a game."""

    title: str
    nights: int
    places: Mapping[str, Place]
    sides: Mapping[str, str]
    animals: tuple[Animal, ...]
    digest: str


class Animal(Value, frozen=True):
    """A fox or a hen."""

    id: str
    name: str
    kind: str
    side: str
    owner: str
    where: str
    state: str = AWAKE
    startled: str = ""


class Night(Struct, frozen=True):
    """Where a game stands."""

    yard: Yard
    at: Cursor
    animals: tuple[Animal, ...]
    winner: str = ""

    def animal(self, id_: str) -> Animal:
        """Return an animal; StopIteration if there is none."""
        return next(one for one in self.animals if one.id == id_)

    def side(self, side: str) -> tuple[Animal, ...]:
        """Return who is left of a side."""
        return tuple(one for one in self.animals if one.side == side and one.state != CAUGHT)


class Opened(Struct, frozen=True):
    """A part of a night begins."""

    part: str
    night: int
    side: str = ""


class Told(Struct, frozen=True):
    """A standing instruction takes force."""

    seat: str
    startled: str
    animals: tuple[str, ...]


class Said(Struct, frozen=True):
    """A player wrote something to everybody."""

    seat: str
    text: str


class Slunk(Struct, frozen=True):
    """An animal has gone somewhere."""

    animal: str
    to: str


class Listened(Struct, frozen=True):
    """A fox has pricked its ears."""

    animal: str
    heard: int


class Roused(Struct, frozen=True):
    """An animal fell asleep or woke up."""

    animal: str
    into: str


class Pounced(Struct, frozen=True):
    """A fox jumped at a hen."""

    animal: str
    prey: str
    needs: int
    face: int


class Snatched(Struct, frozen=True):
    """A hen is caught."""

    animal: str
    by: str


class Rolled(Struct, frozen=True):
    """A die fell."""

    label: str
    sides: int
    values: tuple[int, ...]


class Skipped(Struct, frozen=True):
    """A sentence of a file came to nothing."""

    line: str
    problem: str
    args: Mapping[str, Any] = field(default_factory=dict)


class Dawned(Struct, frozen=True):
    """The game is over."""

    winner: str


EVENTS = (Opened, Told, Said, Slunk, Listened, Roused, Pounced, Snatched, Rolled, Skipped, Dawned)


def with_animal(night: Night, id_: str, **changes: Any) -> Night:
    """Return the night with one animal changed."""
    return replace(
        night, animals=tuple(replace(one, **changes) if one.id == id_ else one for one in night.animals)
    )


def apply(state: Night, event: object) -> Night:
    """Return the night after an event."""
    match event:
        case Opened("dusk", night):
            return replace(state, at=Cursor("dusk", day=night))
        case Opened(part, night, side):
            return replace(state, at=Cursor(part, 1, side, night))
        case Told(_, startled, animals):
            for id_ in animals:
                state = with_animal(state, id_, startled=startled)
            return state
        case Slunk(animal, to):
            return with_animal(state, animal, where=to)
        case Roused(animal, into):
            return with_animal(state, animal, state=into)
        case Snatched(animal):
            return with_animal(state, animal, state=CAUGHT)
        case Dawned(winner):
            return replace(state, winner=winner)
        case Said() | Rolled() | Listened() | Pounced() | Skipped():
            return state
        case _:
            raise TypeError(event)
