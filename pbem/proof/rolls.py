"""The lines of a roll log, as bytes: one that is what the seed gives is known by that; any other is read as
the record it may be.
"""

from __future__ import annotations

from typing import Final

from pbem.core.dice import Roll
from pbem.core.regex import regex
from pbem.proof.canonical import NotCanonical, decode
from pbem.proof.dice_protocol import CURSOR, LABEL, MAX_DICE, MAX_LABEL, MAX_SIDES, dice_of, faces, is_label
from pbem.proof.records import ROLL

_NAME: Final = LABEL.pattern.removesuffix("*")
_CURSOR: Final = CURSOR.pattern.replace("(", "(?:")
_LINE: Final = regex(
    rb'\{"l":"(?=[^"]{1,%d}")(?=(%b)/)(%b+)","n":([1-9][0-9]{0,3}),"s":([1-9][0-9]{0,9}),"v":\[([0-9,]+)\]\}\n'
    % (MAX_LABEL, _CURSOR.encode(), _NAME.encode())
)
"""A line whose label has a phase and a name in it."""


Line = tuple[str, str, int, tuple[int, ...]]
"""A line of a log: the label, its phase, the size of the dice, and what they showed."""


def right_line(line: bytes, seed: bytes) -> Line | None:
    """Return a line that is, byte for byte, what the seed gives for its label: of an honest
    log each one is.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    cursor, label, count, sides, values = found.groups()
    many = int(sides)
    if not 2 <= many <= MAX_SIDES:
        return None
    if count == b"1":
        # The first word of the first digest serves, but for one die in a billion or so.
        word = int.from_bytes(dice_of(seed).digest(b"%b\n%b\n0\n0\n" % (label, sides))[:4], "big")
        if word < MAX_SIDES // many * many:
            face = word % many + 1
            return (label.decode(), cursor.decode(), many, (face,)) if b"%d" % face == values else None
    elif int(count) > MAX_DICE:
        return None
    name = label.decode()
    rolled = faces(seed, name, many, int(count))
    return (
        (name, cursor.decode(), many, rolled)
        if b",".join(b"%d" % face for face in rolled) == values
        else None
    )


def read_line(line: bytes) -> Roll | str:
    """Return the roll of any line, right or wrong, or what is wrong with its form; raise NotCanonical for
    what is no record.
    """
    record = decode(line)
    reason = ROLL.wrong(record, "roll")
    if reason is None and (len(record["v"]) != record["n"] or not is_label(record["l"])):
        reason = "the roll has another number of dice than it says, or a label that is none"
    return Roll(record["l"], record["s"], tuple(record["v"])) if reason is None else reason


def read_log(data: bytes) -> tuple[Roll, ...]:
    """Return the rolls of a log, right or wrong, up to the first line that is no record."""
    rolls: list[Roll] = []
    for line in data.splitlines(keepends=True):
        try:
            roll = read_line(line)
        except NotCanonical:
            break
        if isinstance(roll, Roll):
            rolls.append(roll)
    return tuple(rolls)
