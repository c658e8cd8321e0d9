"""Chains, salt, seeds, luck words and dice of the protocol pd1 (docs/protocol.md, sections 3 and 4): pure
functions over bytes.

Who may give which value when, and whether a value is to be believed, is decided in ``ledger`` and ``verify``.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from pbem.core.normal import is_crowded, is_hidden, nfc
from pbem.core.regex import regex

CHAIN_LENGTH = 10_000
MAX_SLOT = 10_000
MAX_DICE = 1_000
MAX_SIDES = 2**32
NOTHING = "-"

GAME = regex(r"[a-z0-9-]{8,40}")
SEAT = regex(r"[a-z][a-z0-9]{0,15}")
RESERVED = frozenset({"gm", "early", "go", "none", "player", "beacon", "drand"})
CURSOR = regex(r"[a-z0-9_]+(\.[a-z0-9_]+)*")
LABEL = regex(r"[a-z0-9][a-z0-9._:@+-]*(?:/[a-z0-9._:@+-]+)*")
MAX_LABEL = 120
HEX64 = regex(r"[0-9a-f]{64}")

# Unicode property White_Space. str.split() would also take U+001C to U+001F, which no other language does.
_SPACE = regex("[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
MIN_WORDS, MAX_WORDS = 8, 100


def is_seat(name: str) -> bool:
    """Tell whether a seat or a side may have this name."""
    return SEAT.fullmatch(name) is not None and name not in RESERVED


def link(game: str, who: str, k: int, x: str) -> str:
    """Return the chain value at ``k - 1`` below the value ``x`` (64 hex digits) at position ``k``."""
    return hashlib.sha256(f"pd1/chain\n{game}\n{who}\n{k}\n{x}\n".encode()).hexdigest()


def leads_to(game: str, who: str, k: int, x: str, last_k: int, last_x: str) -> bool:
    """Tell whether ``x`` at position ``k`` hashes down to the last verified value ``last_x`` at ``last_k``
    below it.
    """
    if not 0 <= last_k < k <= CHAIN_LENGTH or not HEX64.fullmatch(x):
        return False
    for position in range(k, last_k, -1):
        x = link(game, who, position, x)
    return x == last_x


class Chain:
    """A hash chain of 10000 values; it is built when the first value is asked for, in about 17 ms."""

    def __init__(self, secret: bytes, game: str, who: str) -> None:
        if len(secret) != 32:
            raise ValueError("a chain secret has 32 bytes")
        self._secret = secret
        self.game = game
        self.who = who

    @property
    def anchor(self) -> str:
        """Return the value at position 0, which is published when joining."""
        return self.position(0)

    def reaches(self, position: int, x: str) -> bool:
        """Tell whether the chain has a value at a position: 0 is the anchor, and a rekey begins a chain
        further up.
        """
        return self.position(position) == x

    def position(self, k: int) -> str:
        """Return the value at a position from 0, the anchor: what is published when a chain begins at the
        slot after it.
        """
        if not 0 <= k <= MAX_SLOT:
            raise ValueError(f"{k} is not a position from 0 to {MAX_SLOT}")
        down = CHAIN_LENGTH - k
        return _from_the_top(self._secret, self.game, self.who)[32 * down : 32 * down + 32].hex()

    def value(self, slot: int) -> str:
        """Return the value for a slot from 1 to 10000; give it out only under rule R8."""
        if not 1 <= slot <= MAX_SLOT:
            raise ValueError(f"slot {slot} is not a number from 1 to {MAX_SLOT}")
        return self.position(slot)


@lru_cache(maxsize=8)
def _from_the_top(secret: bytes, game: str, who: str) -> bytes:
    """Return the values of a chain, from its top down to its anchor; remembered, for each slot asks for it
    several times.
    """
    x = hmac.digest(secret, f"pd1/chain-top\n{game}\n{who}\n{CHAIN_LENGTH}\n".encode(), "sha256").hex()
    values = [x]
    for k in range(CHAIN_LENGTH, 0, -1):
        x = link(game, who, k, x)
        values.append(x)
    return bytes.fromhex("".join(values))


def salt(game: str, manifest_id: str, joins: Mapping[str, str]) -> bytes:
    """Return the salt of a game from the ids of its manifest and of the join of each outside seat
    (docs/protocol.md, section 4).
    """
    lines = "".join(f"{seat} {joins[seat]}\n" for seat in sorted(joins))
    return hashlib.sha256(f"pd1/salt\n{game}\n{manifest_id}\n{lines}".encode()).digest()


def beacon_text(chain: str, number: int, signature: str) -> str:
    """Return how a drand round stands in the text of a seed."""
    return f"drand {chain} {number} {signature}"


def seed(
    previous: bytes,
    game: str,
    slot: int,
    gm_x: str,
    seat_values: Mapping[str, str],
    beacon: str | None = None,
) -> bytes:
    """Return the seed of a slot; the key is the seed of the newest slot with a result before it, at first the
    salt.

    ``seat_values`` has one value or ``-`` for each outside seat; luck words are already turned into a value.
    """
    lines = "".join(f"{seat} {seat_values[seat]}\n" for seat in sorted(seat_values))
    text = f"pd1/seed\n{game}\n{slot}\ngm {gm_x}\n{lines}beacon {NOTHING if beacon is None else beacon}\n"
    return hmac.digest(previous, text.encode(), "sha256")


class BadWords(Exception):
    """Luck words that may not be used; ``reason`` is ``too-short``, ``too-long`` or ``letters``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def normal_words(typed: str) -> str:
    """Return luck words in normal form; raise BadWords if they are too short, too long or hold what cannot be
    seen.
    """
    if is_crowded(typed):
        raise BadWords("letters")
    words = _SPACE.sub(" ", nfc(typed)).strip(" ")
    if is_hidden(words):
        raise BadWords("letters")
    if len(words) < MIN_WORDS:
        raise BadWords("too-short")
    if len(words) > MAX_WORDS:
        raise BadWords("too-long")
    return words


def luck_value(game: str, seat: str, slot: int, words: str) -> str:
    """Return the value that luck words in normal form stand for."""
    return hashlib.sha256(f"pd1/luck\n{game}\n{seat}\n{slot}\n{words}\n".encode()).hexdigest()


class Keyed:
    """HMAC-SHA256 of many texts that begin alike, under one key: what they share is worked in once, which is
    half of the time.
    """

    def __init__(self, key: bytes, begun: bytes = b"") -> None:
        if len(key) > 64:
            raise ValueError("a key of at most one block")
        self._inner, self._outer = (
            hashlib.sha256(bytes(byte ^ pad for byte in key.ljust(64, b"\0"))) for pad in (0x36, 0x5C)
        )
        self._inner.update(begun)

    def digest(self, rest: bytes) -> bytes:
        """Return the HMAC of a text that goes on like this."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(rest)
        outer.update(inner.digest())
        return outer.digest()


@lru_cache(maxsize=8)
def dice_of(seed: bytes) -> Keyed:
    """Return what makes the dice of a seed."""
    return Keyed(seed, b"pd1/die\n")


def is_label(label: str) -> bool:
    """Tell whether a roll may have this name."""
    return len(label) <= MAX_LABEL and LABEL.fullmatch(label) is not None


def die_message(label: str, sides: int, i: int, ctr: int) -> str:
    """Return the text whose HMAC gives the ``ctr``-th eight words of one die."""
    return f"pd1/die\n{label}\n{sides}\n{i}\n{ctr}\n"


def check_name(label: str, sides: int) -> None:
    """Raise ValueError unless a roll may have this name, and a die so many sides."""
    if not is_label(label):
        raise ValueError(f"{label!r:.140} is not the name of a roll")
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"a die has 2 to 2^32 sides, not {sides}")


class Draw(Struct, frozen=True):
    """How one die came to its face: ``ctr`` of the digest, the words refused in all, and the word that was
    used.
    """

    value: int
    ctr: int
    digest: bytes
    refused: tuple[int, ...]
    word: int


def draw(seed: bytes, label: str, sides: int, i: int) -> Draw:
    """Roll one die and keep the arithmetic (docs/protocol.md, section 4); ValueError for a name or number out
    of range.
    """
    check_name(label, sides)
    if not 0 <= i < MAX_DICE:
        raise ValueError(f"a roll has at most {MAX_DICE} dice")
    bound = MAX_SIDES // sides * sides
    refused: list[int] = []
    ctr = 0
    while True:
        digest = hmac.digest(seed, die_message(label, sides, i, ctr).encode(), "sha256")
        for place in range(0, 32, 4):
            word = int.from_bytes(digest[place : place + 4], "big")
            if word < bound:
                return Draw(word % sides + 1, ctr, digest, tuple(refused), word)
            refused.append(word)
        ctr += 1


def die(seed: bytes, label: str, sides: int, i: int = 0) -> int:
    """Return the face, 1 to ``sides``, of die number ``i`` of the roll with this label."""
    return draw(seed, label, sides, i).value


_first_word = struct.Struct(">I").unpack_from


class SeededDice(Struct, frozen=True):
    """The dice of a slot: ``core.dice.Dice`` computed from its seed."""

    seed: bytes

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return the faces of ``count`` dice; the same for the same name, in whatever order
        they are asked.
        """
        if not 1 <= count <= MAX_DICE:
            raise ValueError(f"a roll has 1 to {MAX_DICE} dice, not {count}")
        check_name(label, sides)
        return faces(self.seed, label, sides, count)


def faces(seed: bytes, label: str, sides: int, count: int) -> tuple[int, ...]:
    """Return the faces of a roll whose name and numbers are known to be right."""
    bound = MAX_SIDES // sides * sides
    made, digest = [], dice_of(seed).digest
    for i in range(count):
        # The first word of the first digest serves, but for one die in a billion or so.
        word = _first_word(digest(f"{label}\n{sides}\n{i}\n0\n".encode()))[0]
        made.append(word % sides + 1 if word < bound else die(seed, label, sides, i))
    return tuple(made)


def shuffle(seed: bytes, label: str, items: Iterable[str]) -> tuple[str, ...]:
    """Return the items in the order of their HMAC, whatever order they came in; ValueError if one is there
    twice.
    """
    given: Sequence[str] = tuple(items)
    if len(set(given)) != len(given):
        raise ValueError("an item is there twice")
    if not is_label(label):
        raise ValueError(f"{label!r:.140} is not the name of a roll")
    return tuple(
        sorted(
            given, key=lambda item: hmac.digest(seed, f"pd1/shuffle\n{label}\n{item}\n".encode(), "sha256")
        )
    )
