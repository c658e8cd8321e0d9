"""Verifying a whole game, rules not replayed, against the bare cost of the signature checks and hashes it has
to make.
"""

from __future__ import annotations

import hashlib
import hmac
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

from cryptography.hazmat.primitives.asymmetric import ed25519 as library

from benchmarks.bare import ed25519
from benchmarks.example import NAME, Example
from benchmarks.measure import Growth, Result, amount, least
from pbem.proof import curve, dice_protocol, luck, signing
from pbem.proof.verify import verify as verdict_over
from pbem.referee.proving.verify import verify
from pbem.store import zips

LONG = 60
"""Slots of the long game."""


class Recorder:
    """What a verification asks of the libraries, noted while they do it."""

    def __init__(self) -> None:
        self.signatures: list[ed25519.Signature] = []
        self.hashes: list[ed25519.Hash] = []
        self.macs: list[ed25519.Mac] = []

    def during(self, work: Callable[[], Any]) -> Any:
        """Do the work and return what it returns."""
        recorder, real_key, real_mac = self, library.Ed25519PublicKey, hmac.digest

        class Key:
            def __init__(self, raw: bytes) -> None:
                self.raw = raw

            @classmethod
            def from_public_bytes(cls, raw: bytes) -> Key:
                return cls(raw)

            def verify(self, signature: bytes, data: bytes) -> None:
                recorder.signatures.append((self.raw, signature, data))
                real_key.from_public_bytes(self.raw).verify(signature, data)

        def hashing(name: str) -> Callable[[bytes], Any]:
            real = getattr(hashlib, name)

            def made(data: bytes) -> Any:
                recorder.hashes.append((name, data))
                return real(data)

            return made

        def mac(key: bytes, message: bytes, name: Any) -> bytes:
            recorder.macs.append((key, message))
            return real_mac(key, message, name)

        class Keyed(dice_protocol.Keyed):
            def __init__(self, key: bytes, begun: bytes = b"") -> None:
                super().__init__(key, begun)
                self.begun = key, begun

            def digest(self, rest: bytes) -> bytes:
                recorder.macs.append((self.begun[0], self.begun[1] + rest))
                return super().digest(rest)

        with (
            mock.patch.object(library, "Ed25519PublicKey", Key),
            mock.patch.object(hashlib, "sha256", hashing("sha256")),
            mock.patch.object(hashlib, "sha512", hashing("sha512")),
            mock.patch.object(hmac, "digest", mac),
            mock.patch.object(dice_protocol, "Keyed", Keyed),
        ):
            return work()


def anew(work: Callable[[], Any]) -> Callable[[], Any]:
    """Return work that begins with nothing remembered of signatures and keys, as a new process does."""

    def begun() -> Any:
        for known in (signing._holds, curve.is_prime_order, luck._counted, dice_protocol.dice_of):
            known.cache_clear()
        return work()

    return begun


def results(example: Example, seconds: float) -> Iterator[Result]:
    """Yield the benchmark, and beside it the time with the rules replayed."""
    asked = Recorder()
    verdict = asked.during(anew(lambda: verify(example.game, with_rules=False)))
    if verdict.failures or not len(asked.signatures) == verdict.signatures > 0:
        raise AssertionError(f"the recorded game should hold: {verdict.lines}")
    mine, bare = least(
        anew(lambda: verify(example.game, with_rules=False)),
        lambda: ed25519.check(asked.signatures, asked.hashes, asked.macs),
        seconds=seconds,
    )
    bare_of = f"{len(asked.signatures)} Ed25519 checks, {len(asked.hashes) + len(asked.macs)} hashes"
    yield Result(
        "verify", f"verify {NAME}: {verdict.slots} slots, rules not replayed", bare_of, mine, bare, 4.0
    )
    (whole,) = least(anew(lambda: verify(example.game)), seconds=seconds, rounds=3)
    yield Result("replay", f"verify {NAME}, rules replayed", "", whole, None, None)


def long_game(slots: int = LONG) -> bytes:
    """Return the pack of a game of 8 seats, 300 dice a slot, three receipts a slot: the one that the tests of
    the verifiers use.
    """
    for folder in ("proof", "verifiers"):
        path = str(Path(__file__).resolve().parents[1] / "tests" / folder)
        if path not in sys.path:
            sys.path.append(path)
    return zips.write_zip(import_module("verifier_big").big_game(slots))


def long_results(seconds: float) -> Iterator[Result]:
    """Yield the same benchmark for a long game with many dice, against the same calls and against its
    signatures alone.
    """
    data = long_game()
    asked = Recorder()
    verdict = asked.during(anew(lambda: verdict_over(zips.ZipArchive(data), replay=None)))
    if verdict.failures or len(asked.signatures) != verdict.signatures:
        raise AssertionError(f"the long game should hold: {verdict.lines}")
    mine, bare, alone = least(
        anew(lambda: verdict_over(zips.ZipArchive(data), replay=None)),
        lambda: ed25519.check(asked.signatures, asked.hashes, asked.macs),
        lambda: ed25519.check(asked.signatures, (), ()),
        seconds=seconds,
        rounds=3,
    )
    what = f"verify {verdict.slots} slots, 8 seats, {verdict.dice} dice, rules not replayed"
    bare_of = f"{len(asked.signatures)} Ed25519 checks, {len(asked.hashes) + len(asked.macs)} hashes"
    yield Result("long", what, bare_of, mine, bare, 2.0)
    yield Result("long-signatures", what, f"{len(asked.signatures)} Ed25519 checks alone", mine, alone, None)


def memory() -> Iterator[Result]:
    """Yield the most memory that verifying a game takes at any moment, by its number of slots."""
    for slots in (LONG // 4, LONG // 2, LONG):
        data = long_game(slots)
        verdict_over(zips.ZipArchive(data), replay=None)
        tracemalloc.start()
        verdict_over(zips.ZipArchive(data), replay=None)
        most = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        yield amount("long memory", f"memory for verifying {slots} slots", most, "MB")


def growth(example: Example, seconds: float) -> Growth:
    """Return how the time grows with the length of the game."""
    sizes = [verdict_over(archive, replay=None).slots for archive in example.parts]
    works = [anew(lambda archive=archive: verdict_over(archive, replay=None)) for archive in example.parts]
    return Growth("verify", "slots", sizes, least(*works, seconds=seconds))
