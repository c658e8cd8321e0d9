"""Every archive that the tests of the proof tamper with by hand, honest turns of undo, rekey and beacon among
them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import test_proof_amending as amending
import test_proof_attacks as attacks
import test_proof_paths as paths
import test_proof_rekeying as rekeying
import test_proof_rulings as ruling
import test_proof_time as timing
import test_proof_word as words
from proof_simulator import Referee, friends, line, played_in, player

from pbem.proof import archive as names
from pbem.proof.archive import MemoryArchive
from pbem.proof.known import CHAINS, TREES
from pbem.proof.verify import Verdict, verify

MELEE = amending.MELEE


def _waiting(*goes: str, undo: bool = True, spoil: bool = False) -> Callable[[], Referee]:
    def build() -> Referee:
        game = amending.waiting()
        for seat in goes:
            game.go(seat)
        if spoil:
            game.archive["seats/green/go-s0003.json"] += b"\n"
        if undo:
            game.undo(3, amending.both(game, to=3))
        return game

    return build


def _undone_and_rolled_again(label: str) -> Callable[[], Referee]:
    def build() -> Referee:
        game = amending.three()
        game.undo(2, amending.both(game, to=2))
        game.order("green", x=True)
        game.lock()
        game.result([(f"{MELEE}/{label}", 6, 1)])
        return game

    return build


def _blue_without_a_key() -> Referee:
    game = rekeying.rekeyed(amending.three(), key="ssh-rsa AAAA")
    amending.turn(game, "blue")
    amending.turn(game, "blue")
    return game


def _renewed(of: str, **more: str) -> Referee:
    game = amending.three()
    rekeying.rekeyed(game, ("blue", "green"), of, **game.renew(of), **more)
    amending.turn(game, "green", following="blue")
    amending.turn(game, "blue")
    return game


def _with_recovery_code() -> Referee:
    game = rekeying.rekeyed(amending.recovering(), ("blue:recovery", "green"), key=line("blue2"))
    amending.turn(game, "blue")
    return game


def _consent_not_canonical() -> Referee:
    game = amending.three()
    consents = amending.both(game, to=2)
    path = names.consent_path("green", game.head)
    game.put(path, game.archive[path] + b" ", "green", names.consent_namespace(game.game, "green", game.head))
    game.undo(2, consents)
    return game


def _record_above_every_limit() -> Referee:
    game = friends()
    game.archive["ledger/00002-start.json"] = bytes(16 * 1024 * 1024 + 1)
    return game


def _value_of_who_fixed_none() -> Referee:
    game = Referee([player("blue"), player("green")], chains=["blue"]).open(MELEE, ["green"])
    game.order("green", x=game.value("green", 1))
    game.lock()
    game.result([(f"{MELEE}/a", 6, 1)])
    return game


def _in(revision: int, build: Callable[[], Referee]) -> Callable[[], Referee]:
    def played() -> Referee:
        with played_in(revision):
            return build()

    return played


_EITHER: dict[str, Callable[[], Referee]] = {
    **{f"attack: {name}": build for name, (_, build) in attacks.ATTACKS.items()},
    **{f"undo: {name}": build for name, (_, build) in amending.UNDOS.items()},
    **{f"rekey: {name}": build for name, (_, build) in rekeying.REKEYS.items()},
    **{f"time: {name}": build for name, (_, build) in timing.TIMES.items()},
    **{f"word: {name}": build for name, (_, build) in words.WORDS.items()},
    **{f"ruling: {name}": build for name, (_, build) in ruling.RULINGS.items()},
    **{f"receipt: {name}": build for name, build in attacks.PAPERS.items()},
    "undo: with the new key": lambda: rekeying.taken_back("blue2"),
    "undo: one go is there": _waiting("blue"),
    "undo: all goes are there": _waiting("blue", "green"),
    "undo: a go is spoilt": _waiting("blue", "green", spoil=True),
    "undo: a question again": lambda: amending.undone(None, build=amending.asked),
    "waiting for goes": _waiting("blue", undo=False),
    "rolled again after an undo": _undone_and_rolled_again("a2"),
    "rolled again, not undone": _undone_and_rolled_again("a1"),
    "rekey: to no key": _blue_without_a_key,
    "rekey: the last record": lambda: rekeying.rekeyed(amending.three(), key=line("blue2")),
    "rekey: between friends": lambda: rekeying.rekeyed(rekeying.pair(), ("blue",), key=line("blue2")),
    "rekey: new values of blue": lambda: _renewed("blue"),
    "rekey: new values of the gm": lambda: _renewed("gm", key=line("gm2")),
    "rekey: a key and values for red": lambda: _renewed("red", key=line("red")),
    "undo: a consent that is not canonical": _consent_not_canonical,
    "a record above every limit": _record_above_every_limit,
    "rekey: a key in profile gm": lambda: rekeying.profile_gm(key=line("blue2")),
    "beacon: right round": lambda: amending.with_beacon(change=amending.right_round()),
    "beacon: later round": lambda: amending.with_beacon(change=amending.right_round() + 1),
    "beacon: none": lambda: amending.with_beacon(given=False),
    "beacon: without a die": lambda: amending.with_beacon(dice=False, change=amending.right_round()),
    "beacon: neither": lambda: amending.with_beacon(dice=False, given=False),
    "a value of who fixed none": _value_of_who_fixed_none,
}
_TREES: dict[str, Callable[[], Referee]] = {
    **{f"value: {name}": build for name, (_, build) in paths.ATTACKS.items()},
    **{f"rekey: {name}": build for name, (_, build) in rekeying.IN_TREES.items()},
    "recovery codes": amending.recovering,
    "rekey: with a recovery code": _with_recovery_code,
}
_CHAINS: dict[str, Callable[[], Referee]] = {
    **{f"value: {name}": build for name, (_, build) in paths.IN_CHAINS.items()},
    **{f"rekey: {name}": build for name, (_, build) in rekeying.IN_CHAINS.items()},
    "rekey: a root in place of an anchor": lambda: rekeying.rekeyed(
        amending.three(), ("blue", "green"), root="ab" * 32
    ),
}
BUILDERS = {name: _in(TREES, build) for name, build in {**_EITHER, **_TREES}.items()}
BUILDERS |= {f"{name}, pd1.0": _in(CHAINS, build) for name, build in {**_EITHER, **_CHAINS}.items()}


@cache
def tampered() -> dict[str, MemoryArchive]:
    """Return the archives, made once, each also as the pack that its GM would make of it."""
    made = {name: build().archive for name, build in BUILDERS.items()}
    return made | {f"{name}, packed": BUILDERS[name]().pack() for name in list(BUILDERS)[::9]}


@cache
def verdicts() -> dict[str, Verdict]:
    """Return what pbem finds in each of them, the rules not replayed."""
    return {name: verify(files, replay=None) for name, files in tampered().items()}
