"""One die from its face back to the signed orders: message, digest, arithmetic, and a line for openssl
(docs/protocol.md, section 4).

Pure text from what the ledger says; whether the ledger holds is said by ``verify``.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.core.dice import Roll
from pbem.proof.archive import go_path, orders_path, rolls_path
from pbem.proof.dice_protocol import MAX_SIDES, NOTHING, beacon_text, die_message, draw
from pbem.proof.history import Ledger, Slot
from pbem.proof.records import FIXED
from pbem.proof.rules import EARLY, GO


class Explanation(Struct, frozen=True):
    """How one die shows what it shows.

    ``printf`` is the message as a shell writes it; ``refused`` the words passed over.
    """

    label: str
    sides: int
    i: int
    seed: str
    message: str
    printf: str
    digest: str
    refused: tuple[int, ...]
    word: int
    value: int
    arithmetic: str
    openssl: str

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the explanation for people."""
        passed = tuple(f"refused: 0x{word:08x}" for word in self.refused)
        return (f"digest: {self.digest}", *passed, self.arithmetic, self.openssl)


def explain(seed: bytes, label: str, sides: int, i: int = 0) -> Explanation:
    """Return how die ``i`` of a roll comes out of the seed; ValueError for a name or number out of range."""
    drawn = draw(seed, label, sides, i)
    message = die_message(label, sides, i, drawn.ctr)
    printf = f"printf '{message}'".replace("\n", "\\n")
    return Explanation(
        label=label,
        sides=sides,
        i=i,
        seed=seed.hex(),
        message=message,
        printf=printf,
        digest=drawn.digest.hex(),
        refused=drawn.refused,
        word=drawn.word,
        value=drawn.value,
        arithmetic=(
            f"0x{drawn.word:08x} = {drawn.word} < {MAX_SIDES // sides * sides}; {drawn.word} mod {sides} + "
            f"1 = {drawn.value}"
        ),
        openssl=f"{printf} | openssl dgst -sha256 -mac HMAC -macopt hexkey:{seed.hex()}",
    )


class RollExplanation(Struct, frozen=True):
    """A roll of the log with the arithmetic of each die, and where the seed of its slot comes from."""

    slot: int
    roll: Roll
    dice: tuple[Explanation, ...]
    origin: tuple[str, ...]


def _origin(ledger: Ledger, slot: Slot) -> tuple[str, ...]:
    """Return how the seed follows from the values of the slot, and which signed files they stand in; in a
    correction those of the slot that was first played.
    """
    if slot.first:
        said = f"slot {slot.number} corrects slot {slot.first} and has its seed"
        return (said, *_origin(ledger, ledger.slots[slot.first]))
    lines = [f"seed of slot {slot.number} = HMAC-SHA256 of the lines below, key {slot.previous_seed.hex()}"]
    lines += ["  pd1/seed", f"  {ledger.game}", f"  {slot.number}", f"  gm {slot.values.get('gm', NOTHING)}"]
    lines += [f"  {name} {slot.values.get(name, NOTHING)}" for name in ledger.outside]
    drand = None if slot.result is None else slot.result.get("beacon")
    rule = ledger.manifest.get("beacon")
    text = (
        NOTHING if drand is None or rule is None else beacon_text(rule["chain"], drand["round"], drand["sig"])
    )
    lines.append(f"  beacon {text}")
    before = "the salt" if slot.number == 1 else "the seed of the newest slot with a result before it"
    lines.append(
        f"the key is {before}; the GM's value was fixed by the {FIXED[ledger.revision]} in the manifest"
    )
    for name in ledger.outside:
        entry = slot.entries[name]
        kind = f"luck words “{slot.luck[name]}”" if name in slot.luck else "a value fixed before"
        if entry.x == EARLY:
            lines.append(
                f"{name}: {kind}, in {orders_path(name, slot.number)}, SHA-512 in the lock {entry.sha512}"
            )
        elif entry.x == GO:
            where = (
                go_path(name, slot.number)
                if ledger.seats[name].key_line
                else "the result (the seat has no key)"
            )
            lines.append(f"{name}: {kind}, given after lock {slot.lock_id}, in {where}")
    return tuple(lines)


def explain_roll(ledger: Ledger, number: int, label: str) -> RollExplanation:
    """Return how a roll of the log of a slot came out; KeyError, naming what is missing,
    where there is none.
    """
    slot = ledger.slots.get(number)
    if slot is None or slot.seed is None:
        raise KeyError(f"slot {number} has no result")
    for roll in slot.rolls:
        if roll.label == label:
            dice = tuple(explain(slot.seed, label, roll.sides, i) for i in range(len(roll.values)))
            return RollExplanation(number, roll, dice, _origin(ledger, slot))
    raise KeyError(f"{rolls_path(number)} has no roll {label}")
