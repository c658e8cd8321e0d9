"""Every archive that the tests of the proof tamper with by hand, honest turns of undo, rekey and beacon among them."""

from __future__ import annotations

from collections.abc import Callable

import test_proof_amending as amending
import test_proof_attacks as attacks
from proof_simulator import Referee, friends, line, played_in, player

from pbem.proof import archive as names
from pbem.proof.archive import MemoryArchive
from pbem.proof.known import CHAINS, TREES

MELEE = amending.MELEE


def _three(act: Callable[[Referee], object]) -> Callable[[], Referee]:
    def build() -> Referee:
        game = amending.three()
        act(game)
        return game

    return build


def _not_the_newest() -> Referee:
    game = amending.three()
    amending.UNDOS["not the newest"][1](game)
    for end in ("", ".sig"):
        game.archive["ledger/00007-s0001-undo.json" + end] = game.archive.pop("ledger/00007-s0002-undo.json" + end)
    return game


def _waiting(*goes: str, undo: bool = True, spoil: bool = False) -> Callable[[], Referee]:
    def build() -> Referee:
        game = amending.waiting()
        for seat in goes:
            game.go(seat)
        if spoil:
            game.archive["seats/green/go-s0003.json"] += b"\n"
        if undo:
            game.undo(3, amending.both(game, to=3), MELEE, ["blue"])
        return game

    return build


def _undone_and_rolled_again(label: str) -> Callable[[], Referee]:
    def build() -> Referee:
        game = amending.three()
        game.undo(2, amending.both(game, to=2), MELEE, ["green"])
        game.order("green", x=True)
        game.lock()
        game.result([(f"{MELEE}/{label}", 6, 1)])
        return game

    return build


def _gm_rekeyed() -> Referee:
    game = amending.rekeyed(amending.three(), ("blue", "green"), "gm", key=line("gm2"))
    game.order("blue", x=True)
    game.lock()
    return game


def _blue_without_a_key() -> Referee:
    game = amending.rekeyed(amending.three(), key="ssh-rsa AAAA")
    amending.turn(game, "blue")
    amending.turn(game, "blue")
    return game


def _blue_with_other_values() -> Referee:
    game = amending.three()
    amending.rekeyed(game, ("blue", "green"), **game.renew("blue"))
    game.renewed.clear()
    amending.turn(game, "green")
    amending.turn(game, "blue")
    return game


def _consent_not_canonical() -> Referee:
    game = amending.three()
    consents = amending.both(game, to=2)
    path = names.consent_path("green", game.head)
    game.put(path, game.archive[path] + b" ", "green", names.consent_namespace(game.game, "green", game.head))
    game.undo(2, consents, MELEE, ["green"])
    return game


def _record_above_every_limit() -> Referee:
    game = friends()
    game.archive["ledger/00002-start.json"] = bytes(16 * 1024 * 1024 + 1)
    return game


def _seat_of_the_gm_rekeyed() -> Referee:
    game = friends()
    game.rekey("red", game.consents(["blue"], **{"of": "red", "from": 1, "key": line("red")}), key=line("red"))
    return game


def _profile_gm(**new: str) -> Callable[[], Referee]:
    def build() -> Referee:
        return amending.rekeyed(Referee([player("blue"), player("green")], "gm").open(MELEE, ["blue"]), ("green",), **new)

    return build


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


_ALL: dict[str, Callable[[], Referee]] = {
    **{f"attack: {name}": build for name, (_, build) in attacks.ATTACKS.items()},
    **{f"undo: {name}": _three(act) for name, (_, act) in amending.UNDOS.items()},
    **{f"rekey: {name}": _three(act) for name, (_, act) in amending.REKEYS.items()},
    "undo: not the newest": _not_the_newest,
    "undo: one go is there": _waiting("blue"),
    "undo: all goes are there": _waiting("blue", "green"),
    "undo: a go is spoilt": _waiting("blue", "green", spoil=True),
    "waiting for goes": _waiting("blue", undo=False),
    "rolled again after an undo": _undone_and_rolled_again("a2"),
    "rolled again, not undone": _undone_and_rolled_again("a1"),
    "rekey: signed with the old key of the gm": _gm_rekeyed,
    "rekey: to no key": _blue_without_a_key,
    "rekey: the old values after it": _blue_with_other_values,
    "undo: a consent that is not canonical": _consent_not_canonical,
    "a record above every limit": _record_above_every_limit,
    "rekey: a seat of the gm": _seat_of_the_gm_rekeyed,
    "rekey: red gets a key": _three(lambda game: amending.rekeyed(game, ("blue", "green"), "red", key=line("red"), **game.renew("red"))),
    "rekey: an anchor in profile gm": _profile_gm(anchor="ab" * 32),
    "rekey: a root in profile gm": _profile_gm(root="ab" * 32),
    "rekey: old values under a new key": _three(lambda game: amending.rekeyed(game, ("blue", "green"), key=line("blue2"))),
    "rekey: a root in place of an anchor": _three(
        lambda game: amending.turn(amending.rekeyed(game, ("blue", "green"), **game.renew("blue", revision=TREES)), "green")
    ),
    "rekey: a key in profile gm": _profile_gm(key=line("blue2")),
    "beacon: right round": lambda: amending.with_beacon(change=amending.right_round()),
    "beacon: later round": lambda: amending.with_beacon(change=amending.right_round() + 1),
    "beacon: none": lambda: amending.with_beacon(given=False),
    "beacon: without a die": lambda: amending.with_beacon(dice=False, change=amending.right_round()),
    "beacon: neither": lambda: amending.with_beacon(dice=False, given=False),
    "a value of who fixed none": _value_of_who_fixed_none,
}


BUILDERS = {name: _in(TREES, build) for name, build in _ALL.items()}
BUILDERS |= {f"{name}, pd1.0": _in(CHAINS, build) for name, build in _ALL.items()}


def tampered() -> dict[str, MemoryArchive]:
    """Return the archives, each also as the pack that its GM would make of it."""
    made = {name: build().archive for name, build in BUILDERS.items()}
    return made | {f"{name}, packed": BUILDERS[name]().pack() for name in list(BUILDERS)[::9]}
