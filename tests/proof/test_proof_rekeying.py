"""New keys, new values and recovery codes: whose word they stand on, what is told of them, and each way to
get them without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from proof_simulator import (
    GAME,
    SMALL_ORDER,
    Change,
    Referee,
    digest,
    friends,
    gm_seat,
    in_trees,
    line,
    played_in,
    player,
)
from test_proof_amending import MELEE, becomes, both, first_code, judged, recovering, three, turn

from pbem.proof import archive as names
from pbem.proof.canonical import encode
from pbem.proof.known import CHAINS, TREES
from pbem.proof.ledger import read_ledger
from pbem.proof.trees import Tree
from pbem.proof.verdict_words import unproven

BEGUN = pytest.mark.parametrize("begun", [CHAINS, TREES])
BEGUN_AND_RENEWED = pytest.mark.parametrize(
    ("begun", "renewed"), [(CHAINS, CHAINS), (CHAINS, TREES), (TREES, TREES)]
)
HELD = "whoever holds the new key may be the GM"


def rekeyed(
    game: Referee,
    seats: tuple[str, ...] = ("green",),
    of: str = "blue",
    *,
    changed: Change = None,
    consented: Change = None,
    **new: str,
) -> Referee:
    """Change keys or values of a seat; ``seats`` consent, ``changed`` and ``consented`` tamper with the
    record and the consents.
    """
    what: dict[str, Any] = {"of": of, "from": game.slot + 1, **new}
    game.rekey(of, game.consents(seats, consented, **what), changed, **new)
    return game


def pair(recovery: bool = False) -> Referee:
    """Two friends with one outside seat between them, blue; one slot is done and blue is to order again."""
    seats = [player("blue"), gm_seat("red")]
    game = Referee(seats, chains=["blue"], recovering=["blue"] if recovery else []).open(MELEE, ["blue"])
    turn(game, "blue", following="blue")
    return game


def keyless() -> Referee:
    """An umpire and two seats, neither of which has a key."""
    return Referee([player("blue", key=False), player("green", key=False)]).open(MELEE, ["blue"])


def acts(game: Referee) -> list[str]:
    return [act.said for act in judged(game).acts]


def warned(game: Referee) -> list[str]:
    return [found.message for found in judged(game).warnings if found.where.endswith("rekey.json")]


def taken_back(key: str) -> Referee:
    """Blue has lost his key while it is his turn: others say yes to a new one, and he consents to an undo
    with ``key``.
    """
    game = rekeyed(three(), key=line("blue2"))
    game.signs["blue"] = key
    game.undo(game.slot, both(game, to=game.slot))
    return game


# honest ones


@BEGUN
def test_who_has_only_his_new_key_consents_to_the_undo_with_which_it_comes_into_force(begun: int) -> None:
    with played_in(begun):
        assert judged(taken_back("blue2")).failures == ()


@BEGUN
def test_a_new_key_on_the_own_word_is_enough_between_friends(begun: int) -> None:
    with played_in(begun):
        game = rekeyed(pair(), ("blue",), key=line("blue2"))
    assert read_ledger(game.archive).seats["blue"].key_line == line("blue")
    assert acts(game) == ["rekey of blue, from what is announced next: signed with his old key"]
    turn(game, "blue", following="blue")
    assert read_ledger(game.archive).seats["blue"].key_line == line("blue2")
    turn(game, "blue", following="blue")
    assert (first_code(game), warned(game)) == (None, [])
    assert acts(game) == ["rekey of blue, from slot 3: signed with his old key"]


def test_a_lost_key_is_replaced_with_the_recovery_code() -> None:
    game = rekeyed(pair(recovery=True), ("blue:recovery",), key=line("blue2"))
    for _ in range(2):
        turn(game, "blue", following="blue")
    assert (first_code(game), warned(game)) == (None, [])
    assert acts(game) == ["rekey of blue, from slot 3: signed with his recovery code"]


def test_a_recovery_code_serves_again_unless_there_is_a_new_one() -> None:
    game = rekeyed(pair(recovery=True), ("blue:recovery",), key=line("blue2"))
    turn(game, "blue", following="blue")
    rekeyed(game, ("blue:recovery",), key=line("blue3"), recovery=line("blue paper"))
    turn(game, "blue", following="blue")
    rekeyed(game, ("blue:paper",), key=line("blue4"))
    turn(game, "blue", following="blue")
    assert first_code(game) is None
    turn(game, "blue", following="blue")
    rekeyed(game, ("blue:recovery",), key=line("blue5"))
    assert first_code(game) == "E20"


@BEGUN
def test_a_recovery_code_can_come_alone(begun: int) -> None:
    with played_in(begun):
        game = rekeyed(pair(), ("blue",), recovery=line("blue recovery"))
    turn(game, "blue", following="blue")
    rekeyed(game, ("blue:recovery",), key=line("blue2"))
    assert first_code(game) is None
    other = rekeyed(three(), recovery=line("gm plays blue"))
    assert acts(other)[0].endswith("whoever holds the new recovery code may be the GM")


@BEGUN
def test_the_first_recovery_code_can_come_with_new_values(begun: int) -> None:
    with played_in(begun):
        game = pair()
    rekeyed(game, ("blue",), **game.renew("blue", revision=TREES), recovery=line("blue recovery"))
    turn(game, "blue", following="blue")
    rekeyed(game, ("blue:recovery",), key=line("blue2"))
    assert first_code(game) is None


@BEGUN
def test_a_seat_that_did_not_sign_is_told_of_at_the_top(begun: int) -> None:
    with played_in(begun):
        game = rekeyed(three(), key=line("blue2"))
    turn(game, "blue")
    turn(game, "blue")
    verdict = judged(game)
    assert verdict.failures == ()
    assert acts(game) == [f"rekey of blue, from slot 4: NOT signed by blue, on the word of gm, green: {HELD}"]
    assert verdict.lines[3] == acts(game)[0]
    assert warned(game) == ["a rekey that the seat did not sign: whoever holds what is new may be the GM"]
    assert (
        "That blue is who it was: from slot 4 on it has new keys that it did not "
        "sign, on the word of gm, green." in unproven(verdict)
    )


def test_new_values_that_the_seat_did_not_sign() -> None:
    game = three()
    rekeyed(game, **game.renew("blue"))
    turn(game, "green")
    assert acts(game) == [
        "rekey of blue, from slot 4: NOT signed by blue, on the word of gm, green: whoever holds the new "
        "values may be the GM"
    ]


@BEGUN
def test_a_seat_that_had_no_key_gets_one_on_the_word_of_others(begun: int) -> None:
    with played_in(begun):
        game = three()
        rekeyed(game, ("blue", "green"), "red", key=line("red"), **game.renew("red"))
    turn(game, "blue", following="red")
    turn(game, "red")
    assert (first_code(game), warned(game)) == (
        None,
        ["a rekey of a seat that had no key: whoever holds what is new may be the GM"],
    )
    assert acts(game) == [
        f"rekey of red, from slot 4: NOT signed by red, on the word of gm, blue, green: {HELD}"
    ]


@BEGUN
def test_a_new_key_of_the_gm_signs_from_the_next_record_on(begun: int) -> None:
    with played_in(begun):
        game = rekeyed(three(), ("blue", "green"), "gm", key=line("gm2"))
    turn(game, "blue")
    game.archive.update(game.pack())
    assert (first_code(game), warned(game)) == (None, [])
    assert len(read_ledger(game.archive).gm_keys) == 2
    assert acts(game) == ["rekey of gm, from slot 4: consents of blue, green"]


def test_a_receipt_may_be_signed_with_the_old_key_of_the_gm() -> None:
    game = three()
    sha512 = read_ledger(game.archive).slots[1].entries["blue"].sha512 or ""
    record = {"type": "receipt", "at": "2026-02-01T00:01:00Z", "file": "final", "game": game.game}
    record |= {"seat": "blue", "sha512": sha512, "slot": 1}
    game.put(names.receipt_path(1, "blue", sha512), encode(record), "gm", names.gm_namespace(game.game))
    rekeyed(game, ("blue", "green"), "gm", key=line("gm2"))
    assert first_code(game) is None


@BEGUN_AND_RENEWED
def test_new_values(begun: int, renewed: int) -> None:
    with played_in(begun):
        game = three()
    rekeyed(game, ("blue", "green"), **game.renew("blue", revision=renewed))
    turn(game, "green")
    turn(game, "blue")
    assert first_code(game) is None
    assert judged(game).trust[3].foreknowledge == "could have been chosen by gm+blue"
    del game.sources["blue"]
    turn(game, "blue")
    assert first_code(game) == "E09"


def test_keys_of_all_times_are_in_the_list_for_checks_by_hand() -> None:
    game = rekeyed(recovering(), ("blue", "green"), key=line("blue2"), recovery=line("blue paper"))
    listed = game.archive[names.SIGNERS].decode()
    assert all(
        line(name) in listed
        for name in ("gm", "blue", "blue2", "green", "blue recovery", "blue paper", "green recovery")
    )
    assert first_code(game) is None
    ledger = read_ledger(game.archive)
    assert listed == names.allowed_signers(game.game, ledger.signers, ledger.recoverers)
    game.archive[names.SIGNERS] = listed.splitlines(keepends=True)[0].encode()
    assert first_code(game) is None


# from which slot on somebody could have chosen


@BEGUN_AND_RENEWED
def test_a_rekey_counts_from_the_slot_that_is_announced_after_it(begun: int, renewed: int) -> None:
    """Slot 3 is open when blue's values are renewed: what blue holds for it is old, and may lie with the GM
    while new ones are tried.
    """
    with played_in(begun):
        game = three()
    rekeyed(game, ("blue", "green"), **game.renew("blue", revision=renewed))
    turn(game, "green", following="blue")
    turn(game, "blue")
    turn(game, "green", following="blue")
    turn(game, "blue")
    assert [one.foreknowledge for one in judged(game).trust] == [
        "could have been chosen by gm+blue",
        "known beforehand only to gm+green",
        "known beforehand only to gm+green",
        "could have been chosen by gm+blue",
        "known beforehand only to gm+green",
        "known beforehand only to gm+blue",
    ]


def test_a_locked_slot_is_not_counted_either() -> None:
    game = three()
    game.order("blue", x=True)
    game.lock()
    rekeyed(game, ("blue", "green"), "gm", **game.renew("gm"))
    game.result([(f"{MELEE}/a3", 6, 1)], following=(MELEE, ["green"]))
    turn(game, "green")
    assert (first_code(game), acts(game)) == (None, ["rekey of gm, from slot 4: consents of blue, green"])
    assert [one.foreknowledge for one in judged(game).trust[2:]] == [
        "known beforehand only to gm+blue",
        "could have been chosen by gm+green",
    ]


@BEGUN
def test_two_friends_could_have_chosen_after_a_rekey(begun: int) -> None:
    with played_in(begun):
        game = pair()
    rekeyed(game, ("blue",), "gm", **game.renew("gm", revision=TREES))
    turn(game, "blue", following="blue")
    turn(game, "blue", following="blue")
    assert first_code(game) is None
    assert [one.foreknowledge for one in judged(game).trust] == [
        "known beforehand only to both sides together",
        "known beforehand only to both sides together",
        "could have been chosen by both sides together",
    ]


def test_an_undo_announces_too() -> None:
    game = three()
    rekeyed(game, ("blue", "green"), "gm", **game.renew("gm"))
    game.undo(2, both(game, to=2))
    turn(game, "green")
    assert (first_code(game), acts(game)[0]) == (None, "rekey of gm, from slot 3: consents of blue, green")
    assert acts(game)[1] == "undo of slot 2, consents of blue, green: wrong map"


# attacks


def stolen(**new: str) -> Referee:
    """The GM takes the seat of the only one who plays against him."""
    return rekeyed(pair(), (), **(new or {"key": line("gm plays blue")}))


def same_key_for_two() -> Referee:
    game = three()
    rekeyed(game, ("blue", "green"), key=line("new"))
    return rekeyed(game, ("blue", "green"), "green", key=line("new"))


def twice(first: dict[str, str], second: dict[str, str]) -> Referee:
    return rekeyed(rekeyed(three(), ("blue", "green"), **first), ("blue", "green"), **second)


def new_values_too_early() -> Referee:
    """Slot 3 was announced under the old values of blue."""
    game = three()
    rekeyed(game, ("blue", "green"), **game.renew("blue"))
    game.sources |= game.renewed
    game.last["blue"] = None
    turn(game, "blue")
    return game


def old_values_too_late() -> Referee:
    game = three()
    rekeyed(game, ("blue", "green"), **game.renew("blue"))
    turn(game, "green", following="blue")
    del game.sources["blue"]
    game.last["blue"] = 1
    turn(game, "blue")
    return game


def path_as_before_the_rekey() -> Referee:
    """The first value under a new root brings every hash; one with as few as the old tree
    would need is none.
    """
    game = three()
    rekeyed(game, ("blue", "green"), **game.renew("blue"))
    turn(game, "green", following="blue")
    game.last["blue"] = 1
    turn(game, "blue")
    return game


def old_recovery_after_a_rekey_without_own() -> Referee:
    game = rekeyed(recovering(), key=line("blue2"))
    turn(game, "blue")
    return rekeyed(game, ("blue:recovery", "green"), key=line("blue3"))


def recovery_replaced_by_who_does_not_own_the_seat() -> Referee:
    game = rekeyed(recovering(), key=line("blue2"), recovery=line("blue paper"))
    turn(game, "blue")
    return rekeyed(game, ("blue:recovery", "green"), key=line("blue3"))


def retired_key_consents() -> Referee:
    """Green's key was renewed; blue's rekey has the consent of green's old one."""
    game = rekeyed(three(), ("blue", "green"), "green", key=line("green2"))
    turn(game, "blue")
    del game.signs["green"]
    return rekeyed(game, ("blue", "green"), key=line("blue2"))


def gm_signs_with_his_old_key() -> Referee:
    game = rekeyed(three(), ("blue", "green"), "gm", key=line("gm2"))
    game.signs.clear()
    turn(game, "blue")
    return game


def blue_signs_with_his_old_key() -> Referee:
    game = rekeyed(three(), ("blue", "green"), key=line("blue2"))
    turn(game, "blue", following="blue")
    game.signs.clear()
    turn(game, "blue")
    return game


def other_consent(**fields: Any) -> Referee:
    return rekeyed(
        recovering(),
        ("blue", "green"),
        consented=becomes(**fields),
        key=line("blue2"),
        recovery=line("blue paper"),
    )


def hidden(field: str) -> Referee:
    """The others consent to a new key; the record has more."""
    more = {"root": Tree(digest("more"), GAME, "blue").root, "recovery": line("blue paper")}[field]
    return rekeyed(recovering(), ("blue", "green"), changed=becomes(**{field: more}), key=line("blue2"))


def profile_gm(**new: str) -> Referee:
    return rekeyed(Referee([player("blue"), player("green")], "gm").open(MELEE, ["blue"]), ("green",), **new)


def of_the_gm(**new: str) -> Referee:
    game = friends()
    game.rekey("red", game.consents(["blue"], **{"of": "red", "from": 1, **new}), **new)
    return game


def signers(more: str) -> Referee:
    game = three()
    game.archive[names.SIGNERS] += more.format(
        east=line("stranger"), gm=line("gm"), green=line("green")
    ).encode()
    return game


def joined(build: Callable[[], Referee] = recovering, **fields: Any) -> Referee:
    """Blue joins with another recovery key."""
    seats = [player("blue"), player("green"), player("red", key=False)]
    game = Referee(seats, chains=["blue", "green"], recovering=["green"])
    return game.open(MELEE, ["blue"], join={"blue": becomes(**fields)})


def joined_without_a_key() -> Referee:
    return Referee([player("blue"), player("red", key=False)], chains=["blue"]).open(
        MELEE, ["blue"], join={"red": becomes(recovery=line("red recovery"))}
    )


REKEYS: dict[str, tuple[str, Callable[[], Referee]]] = {
    "the seat of the only opponent": ("E20", stolen),
    "the values of the only opponent": ("E20", lambda: stolen(root="ab" * 32)),
    "the key of the only opponent, who has a recovery code": ("E20", lambda: rekeyed(pair(recovery=in_trees()), (), key=line("blue2"))),
    "keys for seats that have none": ("E20", lambda: rekeyed(keyless(), (), key=line("blue2"), root="ab" * 32)),
    "an undo under a key that no rekey brought": ("E20", lambda: taken_back("x")),
    "nobody consents": ("E20", lambda: rekeyed(three(), (), key=line("blue2"))),
    "only the old key": ("E20", lambda: rekeyed(three(), ("blue",), key=line("blue2"))),
    "of a seat without a key, on the word of one": ("E20", lambda: rekeyed(three(), ("blue",), "red", key=line("red"))),
    "of a seat without a key, with its own word": ("E20", lambda: rekeyed(three(), ("blue", "green", "red"), "red", key=line("red"))),
    "gm without blue": ("E20", lambda: rekeyed(three(), ("green",), "gm", key=line("gm2"))),
    "another key": ("E20", lambda: rekeyed(three(), changed=becomes(key=line("y")), key=line("x"))),
    "values nobody was told of": ("E20", lambda: hidden("root")),
    "a recovery key nobody was told of": ("E20", lambda: hidden("recovery")),
    "another recovery key": ("E20", lambda: other_consent(recovery=line("x"))),
    "a consent to more": ("E20", lambda: other_consent(root="ab" * 32)),
    "a consent to another slot": ("E20", lambda: other_consent(**{"from": 4})),
    "a consent to a rekey of another": ("E20", lambda: other_consent(of="green")),
    "a consent to an undo": ("E20", lambda: rekeyed(three(), consented=lambda made: (made.clear(), made.update(
        {"type": "consent", "game": GAME, "seat": "green", "head": "0" * 64, "to": 2})), key=line("x"))),
    "a key that is no more consents": ("E20", retired_key_consents),
    "a recovery code of another seat": ("E20", lambda: rekeyed(recovering(), ("green:recovery",), key=line("blue2"))),
    "a recovery code that is none": ("E20", lambda: rekeyed(recovering(), ("blue:paper", "green"), key=line("blue2"))),
    "the recovery code after a rekey without him": ("E20", old_recovery_after_a_rekey_without_own),
    "the old recovery code where there is a new one": ("E20", recovery_replaced_by_who_does_not_own_the_seat),
    "of nobody": ("E27", lambda: rekeyed(three(), ("blue", "green"), "pink", key=line("x"))),
    "of nothing": ("E27", lambda: rekeyed(three())),
    "of a seat of the gm": ("E27", lambda: of_the_gm(key=line("red"))),
    "a recovery code of the gm": ("E27", lambda: rekeyed(three(), ("blue", "green"), "gm", key=line("gm2"), recovery=line("x"))),
    "a recovery code without a key": ("E27", lambda: rekeyed(three(), ("blue", "green"), "red", root="ab" * 32, recovery=line("x"))),
    "values without a key": ("E27", lambda: rekeyed(three(), ("blue", "green"), "red", root="ab" * 32)),
    "anchor and root": ("E27", lambda: rekeyed(three(), anchor="ab" * 32, root="ab" * 32)),
    "a root in profile gm": ("E27", lambda: profile_gm(root="ab" * 32)),
    "an anchor in profile gm": ("E27", lambda: profile_gm(anchor="ab" * 32)),
    "from another slot": ("E27", lambda: rekeyed(three(), changed=becomes(**{"from": 9}), key=line("blue2"))),
    "the key of green": ("E03", lambda: rekeyed(three(), key=line("green"))),
    "the key of the gm": ("E03", lambda: rekeyed(three(), key=line("gm"))),
    "an old key of the gm": ("E03", lambda: rekeyed(rekeyed(three(), ("blue", "green"), "gm", key=line("gm2")), key=line("gm"))),
    "the key of a recovery code": ("E03", lambda: rekeyed(recovering(), key=line("green recovery" if in_trees() else "green"))),
    "the key of his recovery code": ("E03", lambda: rekeyed(recovering(), key=line("blue recovery" if in_trees() else "blue"))),
    "one key for two": ("E03", same_key_for_two),
    "no key at all": ("E03", lambda: rekeyed(three(), key="ssh-rsa AAAA")),
    "a key of small order": ("E03", lambda: rekeyed(three(), key=SMALL_ORDER)),
    "a recovery key that is the new key": ("E03", lambda: rekeyed(three(), key=line("blue2"), recovery=line("blue2"))),
    "a recovery key that is the old key": ("E03", lambda: rekeyed(three(), key=line("blue2"), recovery=line("blue"))),
    "a recovery key that is green's key": ("E03", lambda: rekeyed(three(), key=line("blue2"), recovery=line("green"))),
    "a recovery key of the gm": ("E03", lambda: rekeyed(three(), key=line("blue2"), recovery=line("gm"))),
    "a recovery key of small order": ("E03", lambda: rekeyed(three(), key=line("blue2"), recovery=SMALL_ORDER)),
    "the root of green": ("E09", lambda: rekeyed(three(), root=three().fixed("green"))),
    "the own root again": ("E09", lambda: rekeyed(three(), root=three().fixed("blue"))),
    "the root of the gm": ("E09", lambda: rekeyed(three(), root=three().fixed("gm"))),
    "a value of green as root": ("E09", lambda: rekeyed(three(), root=three().value("green", 2).x)),
    "an old value of blue as root": ("E09", lambda: rekeyed(three(), root=three().value("blue", 1).x)),
    "one root twice": ("E09", lambda: twice({"root": "ab" * 32}, {"root": "ab" * 32})),
    "one root for two": ("E09", lambda: rekeyed(rekeyed(three(), root="ab" * 32), ("blue", "green"), "gm", root="ab" * 32)),
    "new values in the slot still open": ("E09", new_values_too_early),
    "old values in a slot of the new ones": ("E09", old_values_too_late),
    "orders signed with the old key": ("E02", blue_signs_with_his_old_key),
    "records signed with the old key of the gm": ("E02", gm_signs_with_his_old_key),
    "a stranger among the signers": ("E08", lambda: signers('green@siege-0a1b2c namespaces="pd1-orders/siege-0a1b2c/*" {east}\n')),
    "the gm among the signers as green": ("E08", lambda: signers(
        'green@siege-0a1b2c namespaces="pd1-join/siege-0a1b2c/*,pd1-orders/siege-0a1b2c/*,'
        'pd1-go/siege-0a1b2c/*,pd1-consent/siege-0a1b2c/*" {gm}\n')),
    "a signer for every use": ("E08", lambda: signers("* {green}\n")),
    "signers with a remark": ("E08", lambda: signers("# green is right\n")),
}  # fmt: skip

IN_TREES: dict[str, tuple[str, Callable[[], Referee]]] = {
    "an anchor in a game with trees": ("E27", lambda: rekeyed(three(), anchor="ab" * 32)),
    "a path as before the rekey": ("E09", path_as_before_the_rekey),
    "join: the own key as recovery key": ("E03", lambda: joined(recovery=line("blue"))),
    "join: the key of the gm as recovery key": ("E03", lambda: joined(recovery=line("gm"))),
    "join: the key of green as recovery key": ("E03", lambda: joined(recovery=line("green"))),
    "join: the recovery key of green": ("E03", lambda: joined(recovery=line("green recovery"))),
    "join: a recovery key of small order": ("E03", lambda: joined(recovery=SMALL_ORDER)),
    "join: a recovery key that is none": ("E03", lambda: joined(recovery="seven drunken herons")),
    "join: a recovery key without a key": ("E07", joined_without_a_key),
}
IN_CHAINS: dict[str, tuple[str, Callable[[], Referee]]] = {
    "the anchor of green": ("E09", lambda: rekeyed(three(), anchor=three().fixed("green"))),
    "the last value of green as anchor": (
        "E09",
        lambda: rekeyed(three(), anchor=three().value("green", 2).x),
    ),
    "the first value of blue as anchor": ("E09", lambda: rekeyed(three(), anchor=three().value("blue", 1).x)),
    "join: a recovery key in a game with chains": ("E07", lambda: joined(recovery=line("blue recovery"))),
}


EVERY = {f"{name}, pd1.1": (TREES, *what) for name, what in {**REKEYS, **IN_TREES}.items()}
EVERY |= {f"{name}, pd1.0": (CHAINS, *what) for name, what in {**REKEYS, **IN_CHAINS}.items()}


@pytest.mark.parametrize("name", EVERY)
def test_rekeys_that_do_not_hold(name: str) -> None:
    revision, code, build = EVERY[name]
    with played_in(revision):
        assert first_code(build()) == code


def test_a_key_that_is_none_verifies_nothing() -> None:
    game = rekeyed(three(), key="ssh-rsa AAAA")
    turn(game, "blue")
    turn(game, "blue")
    assert [finding.code for finding in judged(game).failures] == ["E03", "E02"]


def test_games_of_the_gm_alone_may_have_new_keys() -> None:
    assert first_code(profile_gm(key=line("blue2"))) is None
