"""The rules of pd1 that both the referee and verify apply: who gives a value when, who is asked to go
(docs/protocol.md, section 6).

Pure functions of what was announced and locked; they read no archive. Why an order file cannot be used is in
``intake``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pbem.proof.signing import PublicKey

EARLY, GO, NONE = "early", "go", "none"


class Seat(Struct, frozen=True):
    """A seat as manifest, joins and rekeys have it.

    ``key`` is None without a key or where the key is no key.
    """

    name: str
    side: str
    by: str
    key_line: str | None
    key: PublicKey | None
    always: bool

    @property
    def outside(self) -> bool:
        """Tell whether somebody other than the one who runs the program plays it."""
        return self.by == "player"


class Entry(Struct, frozen=True):
    """What a lock says of one seat: the hash of its file, if it has one, and early, go or none."""

    x: str
    sha512: str | None = None


def outside_seats(seats: Mapping[str, Seat]) -> tuple[str, ...]:
    """Return the names of the outside seats, sorted."""
    return tuple(name for name in sorted(seats) if seats[name].outside)


def value_kind(waits: Iterable[str], seats: Mapping[str, Seat]) -> str:
    """Return when the values of a slot are given: ``go`` if it waits for a seat played by the GM, else
    ``early`` (R3).
    """
    return GO if any(not seats[name].outside for name in waits) else EARLY


def is_fresh(seats: Mapping[str, Seat], entries: Mapping[str, Entry]) -> bool:
    """Tell whether a lock has a value given when nothing was left for the GM to choose (R9)."""
    given = {entry.x for name, entry in entries.items() if seats[name].outside}
    gm_has_file = any(entry.sha512 for name, entry in entries.items() if not seats[name].outside)
    return GO in given or (EARLY in given and not gm_has_file)


def goes_needed(
    seats: Mapping[str, Seat],
    profile: str,
    waits: Iterable[str],
    entries: Mapping[str, Entry],
    dice_wanted: bool,
) -> tuple[str, ...]:
    """Return the seats that the lock has to ask for a go, sorted (R10); entries that already say go are not
    counted.

    ``entries`` has every seat with its file and ``early`` or ``none``. In profile gm, and where no die will
    be wanted, nobody is asked. A seat that was waited for and has no file let the slot lapse; it is asked
    only if nobody else is left.
    """
    if profile == "gm" or not dice_wanted:
        return ()
    outside = outside_seats(seats)
    asked = {name for name in outside if seats[name].always and entries[name].x != EARLY}
    given = {
        name: Entry(GO if name in asked else EARLY if entry.x == EARLY else NONE, entry.sha512)
        for name, entry in entries.items()
    }
    if not is_fresh(seats, given):  # then nobody is asked yet: one go would have made it fresh
        awaited = frozenset(waits)
        asked = {name for name in outside if name not in awaited or entries[name].sha512} or set(outside)
    return tuple(sorted(asked))
