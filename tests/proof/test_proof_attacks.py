"""A GM who holds his keys tampers and signs again all he can; each archive must raise its code first
(docs/protocol.md, section 8).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from proof_simulator import (
    GAME,
    SMALL_ORDER,
    Change,
    Referee,
    friends,
    gm_seat,
    in_trees,
    line,
    played_in,
    player,
    private,
    secret,
    umpire,
)

from pbem.proof import archive as names
from pbem.proof.archive import MemoryArchive
from pbem.proof.canonical import decode, encode
from pbem.proof.curve import L
from pbem.proof.dice_protocol import salt
from pbem.proof.known import CHAINS, TREES, Value, fixes
from pbem.proof.records import FIXED, Record
from pbem.proof.signing import _parse, armor, sign
from pbem.proof.verify import verify

ROLL = ("t1.blue.melee/fight/gunter/1", 10, 1)
RED_ROLL = ("t1.red.melee/fight/hob/1", 6, 2)
RED_TURN = ("t1.red.melee", ["red"])
BLUE_TURN = ("t2.blue.melee", ["blue"])
Attack = Callable[[], Referee]
KEYS = ("key_of_small_order", "key_of_the_gm_unreadable")
ATTACKS: dict[str, tuple[str, Attack]] = {}


def attack(code: str) -> Callable[[Attack], Attack]:
    def register(build: Attack) -> Attack:
        ATTACKS[build.__name__] = (code, build)
        return build

    return register


def change(**fields: Any) -> Change:
    return lambda record: record.update(fields)


def sub(key: str, place: int, /, **fields: Any) -> Change:
    return lambda record: record[key][place].update(fields)


def takes(who: str) -> Change:
    """Fix by what fixes the values of another."""

    revision = TREES if in_trees() else CHAINS
    return change(**{FIXED[revision]: fixes(secret(who), GAME, who, revision)})


def ordered() -> Referee:
    """Two friends; blue has ordered in slot 1."""
    game = friends()
    game.order("blue", x=True)
    return game


def locked() -> Referee:
    game = ordered()
    game.lock()
    return game


def first_slot(**how: Any) -> Referee:
    """Two friends; slot 1 is resolved as told."""
    game = locked()
    game.result(**{"rolls": [ROLL], "following": RED_TURN, **how})
    return game


def red_locked(**how: Any) -> Referee:
    """Two friends; the second slot, red's, is locked and blue is asked to go."""
    game = first_slot(**how)
    game.order("red")
    game.lock(blue="go")
    return game


def second_slot(**how: Any) -> Referee:
    game = red_locked()
    game.go("blue")
    game.result(**{"rolls": [RED_ROLL], "following": BLUE_TURN, **how})
    return game


# records


@attack("E00")
def no_manifest() -> Referee:
    return Referee([player("blue"), gm_seat("red")])


@attack("E00")
def join_missing() -> Referee:
    game = friends()
    del game.archive["seats/blue/join.json"]
    return game


@attack("E00")
def scenario_missing() -> Referee:
    game = friends()
    del game.archive["scenario/brackwater.yaml"]
    return game


@attack("E00")
def roll_log_missing() -> Referee:
    game = first_slot()
    del game.archive["rolls/s0001.jsonl"]
    return game


@attack("E00")
def orders_held_back() -> Referee:
    game = first_slot()
    del game.archive["seats/blue/orders-s0001.txt"]
    return game


@attack("E00")
def orders_held_back_when_the_game_is_over() -> Referee:
    game = first_slot(following=None, kept=[("blue", 1)])
    del game.archive["seats/blue/orders-s0001.txt"]
    return game


@attack("E01")
def record_with_spaces() -> Referee:
    game = first_slot()
    path = "ledger/00004-s0001-result.json"
    data = game.archive[path].replace(b'"slot":1', b'"slot": 1')
    game.put(path, data, "gm", names.gm_namespace(game.game))
    return game


@attack("E01")
def record_with_a_key_twice() -> Referee:
    game = first_slot()
    path = "ledger/00004-s0001-result.json"
    game.put(
        path,
        game.archive[path].replace(b'"slot":1', b'"slot":1,"slot":1'),
        "gm",
        names.gm_namespace(game.game),
    )
    return game


@attack("E01")
def join_not_canonical() -> Referee:
    game = friends()
    path = "seats/blue/join.json"
    game.put(path, game.archive[path] + b"\n", "blue", names.join_namespace(game.game, "blue"))
    return game


@attack("E27")
def unknown_field() -> Referee:
    return first_slot(change=change(reroll=1))


@attack("E27")
def no_start() -> Referee:
    game = friends()
    del game.archive["ledger/00002-start.json"]
    game.n -= 1
    game.order("blue", x=True)
    game.lock()
    return game


@attack("E27")
def manifest_removed() -> Referee:
    game = friends()
    del game.archive["ledger/00001-manifest.json"]
    return game


@attack("E27")
def a_second_start() -> Referee:
    game = friends()
    record = decode(game.archive["ledger/00002-start.json"])
    game.ledger({**record, "n": 3, "prev": game.head})
    return game


@attack("E27")
def a_second_manifest() -> Referee:
    game = friends()
    game.ledger(decode(game.archive["ledger/00001-manifest.json"]))
    return game


@attack("E27")
def a_go_in_the_ledger() -> Referee:
    game = friends()
    made = {"type": "go", "game": game.game, "seat": "blue", "slot": 1, "lock": "0" * 64, "x": "0" * 64}
    game.ledger(made, path="ledger/00003-s0001-lock.json")
    return game


@attack("E27")
def a_seat_twice() -> Referee:
    return friends(manifest=lambda record: record["seats"].append(record["seats"][0]))


@attack("E27")
def no_seats() -> Referee:
    return friends(manifest=change(seats=[]))


@attack("E27")
def a_seat_of_the_gm_with_a_key() -> Referee:
    return friends(manifest=sub("seats", 1, key=line("red")))


@attack("E27")
def a_seat_of_the_gm_with_go() -> Referee:
    return friends(manifest=sub("seats", 1, go="always"))


@attack("E27")
def a_file_listed_twice() -> Referee:
    return friends(manifest=lambda record: record["files"].append(record["files"][0]))


@attack("E02")
def result_signed_by_blue() -> Referee:
    game = first_slot()
    path = "ledger/00004-s0001-result.json"
    game.put(path, game.archive[path], "blue", names.gm_namespace(game.game))
    return game


@attack("E02")
def signature_missing() -> Referee:
    game = first_slot()
    del game.archive["ledger/00004-s0001-result.json.sig"]
    return game


@attack("E02")
def manifest_signed_for_a_pack() -> Referee:
    game = friends()
    path = "ledger/00001-manifest.json"
    game.put(path, game.archive[path], "gm", names.pack_namespace(game.game))
    return game


@attack("E02")
def s_plus_l() -> Referee:
    game = friends()
    path = "ledger/00002-start.json.sig"
    parsed = _parse(game.archive[path].decode())
    s = int.from_bytes(parsed.signature[32:], "little") + L
    changed = parsed.signature[:32] + s.to_bytes(32, "little")
    blob = game.archive[path]
    raw = base64.b64decode(b"".join(blob.split(b"\n")[1:-2]))
    game.archive[path] = armor(raw.replace(parsed.signature, changed)).encode()
    return game


@attack("E05")
def record_of_another_game() -> Referee:
    return first_slot(change=change(game="other-0a1b2c"))


@attack("E04")
def record_removed() -> Referee:
    game = second_slot()
    del game.archive["ledger/00003-s0001-lock.json"]
    return game


@attack("E04")
def wrong_number() -> Referee:
    return first_slot(change=change(n=5))


@attack("E04")
def wrong_predecessor() -> Referee:
    return first_slot(change=change(prev="0" * 64))


@attack("E04")
def wrong_file_name() -> Referee:
    game = locked()
    path = "ledger/00003-s0001-lock.json"
    for end in ("", ".sig"):
        game.archive["ledger/00003-s0002-lock.json" + end] = game.archive.pop(path + end)
    return game


# manifest and start


@attack("E03")
def key_shared_by_seats() -> Referee:
    seats = [player("blue"), {**player("green"), "key": line("blue")}]
    return Referee(seats, chains=["blue"]).open("t1.blue.melee", ["blue"])


@attack("E03")
def key_of_the_gm_used_by_a_seat() -> Referee:
    return Referee([{**player("blue"), "key": line("gm")}]).open("t1.blue.melee", ["blue"])


@attack("E03")
def key_of_small_order() -> Referee:
    return Referee([{**player("blue"), "key": SMALL_ORDER}]).open("t1.blue.melee", ["blue"])


@attack("E03")
def key_of_the_gm_unreadable() -> Referee:
    return friends(manifest=change(key="ssh-rsa AAAA"))


@attack("E08")
def scenario_exchanged() -> Referee:
    game = friends()
    game.put("scenario/brackwater.yaml", b"# other\n")
    return game


@attack("E08")
def table_exchanged() -> Referee:
    game = friends()
    game.put("tables/combat.yaml", b"# other\n")
    return game


@attack("E02")
def key_of_blue_exchanged() -> Referee:
    game = Referee([{**player("blue"), "key": line("mallory")}, gm_seat("red")], chains=["blue"])
    return game.open("t1.blue.melee", ["blue"])


@attack("E02")
def join_for_another_seat_signed() -> Referee:
    game = friends()
    path = "seats/blue/join.json"
    game.put(path, game.archive[path], "blue", names.join_namespace(game.game, "red"))
    return game


@attack("E07")
def join_of_another_manifest() -> Referee:
    return friends(join={"blue": change(manifest="0" * 64)})


@attack("E07")
def join_of_another_game() -> Referee:
    return friends(join={"blue": change(game="other-0a1b2c")})


@attack("E07")
def join_of_another_seat() -> Referee:
    return friends(join={"blue": change(seat="green")})


@attack("E27")
def join_without_form() -> Referee:
    return friends(join={"blue": change(words="both")})


@attack("E27")
def join_of_another_type() -> Referee:
    game = friends()
    made = {"type": "go", "game": game.game, "seat": "blue", "slot": 1, "lock": "0" * 64, "x": "0" * 64}
    game.put("seats/blue/join.json", encode(made), "blue", names.join_namespace(game.game, "blue"))
    return game


@attack("E07")
def anchor_that_nobody_signed() -> Referee:
    game = Referee([player("blue", key=False), gm_seat("red")], chains=["blue"])
    return game.open("t1.blue.melee", ["blue"])


@attack("E07")
def anchor_in_profile_gm() -> Referee:
    return Referee([player("blue")], "gm", ["blue"]).open("t1.blue.melee", ["blue"])


@attack("E09")
def anchor_copied_from_the_gm() -> Referee:
    return friends(join={"blue": takes("gm")})


@attack("E09")
def anchor_copied_from_a_player() -> Referee:
    seats = [player("blue"), player("green")]
    copied = {"green": takes("blue")}
    return Referee(seats, chains=["blue", "green"]).open("t1.blue.melee", ["blue"], join=copied)


@attack("E08")
def start_lists_another_join() -> Referee:
    return friends(start=sub("joins", 0, join="0" * 64))


@attack("E08")
def start_lists_no_join() -> Referee:
    return friends(start=change(joins=[]))


@attack("E08")
def start_lists_a_join_twice() -> Referee:
    return friends(start=lambda record: record["joins"].append(record["joins"][0]))


@attack("E08")
def first_state_exchanged() -> Referee:
    game = friends()
    game.archive["state/s0000.json"] += b" "
    return game


@attack("E06")
def start_announces_slot_2() -> Referee:
    return friends(start=lambda record: record["next"].update(slot=2))


@attack("E27")
def start_waits_for_a_stranger() -> Referee:
    return friends(start=lambda record: record["next"].update(waits=["green"]))


@attack("E27")
def start_waits_for_a_seat_twice() -> Referee:
    return friends(start=lambda record: record["next"].update(waits=["blue", "blue"]))


@attack("E15")
def values_asked_at_the_wrong_time() -> Referee:
    return friends(start=lambda record: record["next"].update(value="go"))


@attack("E15")
def values_asked_early_of_the_gm() -> Referee:
    return first_slot(change=lambda record: record["next"].update(value="early"))


# locks


@attack("E06")
def lock_of_a_slot_not_announced() -> Referee:
    game = ordered()
    game.slot = 1
    game.lock()
    return game


@attack("E06")
def lock_while_another_is_open() -> Referee:
    game = locked()
    game.slot = 0
    game.lock()
    return game


@attack("E06")
def lock_after_the_end() -> Referee:
    game = first_slot(following=None)
    game.lock()
    return game


@attack("E06")
def slot_number_used_again() -> Referee:
    game = first_slot(change=lambda record: record["next"].update(slot=1))
    game.slot = 0
    game.lock(blue="none")
    return game


@attack("E08")
def lock_leaves_out_a_seat() -> Referee:
    game = ordered()
    game.lock(lambda record: record["entries"].pop())
    return game


@attack("E08")
def lock_lists_a_seat_twice() -> Referee:
    game = ordered()
    game.lock(lambda record: record["entries"].append(record["entries"][1]))
    return game


@attack("E08")
def lock_lists_a_stranger() -> Referee:
    game = ordered()
    game.lock(lambda record: record["entries"].append({"seat": "green", "x": "none"}))
    return game


@attack("E15")
def seat_of_the_gm_gives_a_value() -> Referee:
    game = ordered()
    game.lock(red="go")
    return game


@attack("E15")
def instructions_nobody_waited_for() -> Referee:
    game = ordered()
    game.order("red")
    game.lock()
    return game


@attack("E15")
def value_in_profile_gm() -> Referee:
    game = umpire("gm")
    game.order("blue")
    game.lock(blue="go")
    return game


@attack("E15")
def early_value_in_a_slot_of_go() -> Referee:
    game = first_slot()
    game.order("red")
    game.order("blue", x=True)
    game.lock()
    return game


@attack("E15")
def early_value_without_a_file() -> Referee:
    game = friends()
    game.lock(blue="early")
    return game


@attack("E08")
def orders_exchanged_after_the_lock() -> Referee:
    game = first_slot()
    game.archive["seats/blue/orders-s0001.txt"] += b"- hob 0413\n"
    return game


@attack("E02")
def orders_edited_and_locked() -> Referee:
    game = ordered()
    path = "seats/blue/orders-s0001.txt"
    game.archive[path] += b"- hob 0413\n"
    game.files["blue"] = game.archive[path]
    game.lock()
    return game


@attack("E02")
def orders_edited_and_not_published() -> Referee:
    game = orders_edited_and_locked()
    del game.archive["seats/blue/orders-s0001.txt"]
    return game


@attack("E02")
def orders_signed_by_the_gm() -> Referee:
    game = ordered()
    path = "seats/blue/orders-s0001.txt"
    game.put(path, game.archive[path], "gm", names.orders_namespace(game.game, 1, "blue", game.next_id))
    game.lock()
    return game


@attack("E02")
def orders_of_another_slot() -> Referee:
    game = friends()
    game.order("blue", slot=2)
    path = "seats/blue/orders-s0001.txt"
    game.put(path, game.files["blue"], "blue", names.orders_namespace(game.game, 2, "blue", game.next_id))
    game.lock()
    return game


@attack("E02")
def orders_signed_for_a_longer_head() -> Referee:
    game = ordered()
    path = "seats/blue/orders-s0001.txt"
    game.put(
        path, game.archive[path], "blue", names.orders_namespace(game.game, 1, "blue", game.next_id + "0")
    )
    game.lock()
    return game


@attack("E07")
def header_of_another_slot() -> Referee:
    game = friends()
    game.order("blue", x=True, slot=2)
    game.archive["seats/blue/orders-s0001.txt"] = game.files["blue"]
    game.lock()
    return game


@attack("E07")
def header_of_another_game() -> Referee:
    game = friends()
    game.order("blue", x=True, game="other-0a1b2c")
    path = "seats/blue/orders-s0001.txt"
    game.put(path, game.files["blue"], "blue", names.orders_namespace(game.game, 1, "blue", game.next_id))
    game.lock()
    return game


@attack("E07")
def header_of_another_seat() -> Referee:
    game = friends()
    data = game.order("blue", x=True).replace(b"#seat blue", b"#seat green")
    game.files["blue"] = data
    game.put(
        "seats/blue/orders-s0001.txt",
        data,
        "blue",
        names.orders_namespace(game.game, 1, "blue", game.next_id),
    )
    game.lock()
    return game


@attack("E07")
def header_with_another_head_than_signed() -> Referee:
    game = friends()
    data = game.order("blue", x=True).replace(game.next_id.encode(), b"0" * 64)
    game.files["blue"] = data
    game.put(
        "seats/blue/orders-s0001.txt",
        data,
        "blue",
        names.orders_namespace(game.game, 1, "blue", game.next_id),
    )
    game.lock()
    return game


@attack("E07")
def header_with_something_odd() -> Referee:
    game = friends()
    data = game.order("blue", x=True).replace(b"#salt", b"#odd 1\n#salt")
    game.files["blue"] = data
    game.put(
        "seats/blue/orders-s0001.txt",
        data,
        "blue",
        names.orders_namespace(game.game, 1, "blue", game.next_id),
    )
    game.lock()
    return game


@attack("E25")
def past_rewritten() -> Referee:
    game = friends()
    game.order("blue", x=True, head="0" * 64)
    game.lock()
    return game


@attack("E25")
def past_rewritten_and_orders_not_published() -> Referee:
    game = past_rewritten()
    del game.archive["seats/blue/orders-s0001.txt"]
    return game


@attack("E25")
def past_rewritten_under_a_seat_without_a_key() -> Referee:
    game = Referee([player("blue", key=False), gm_seat("red")]).open("t1.blue.melee", ["blue"])
    game.order("blue", luck="seven herons", head="0" * 64)
    game.lock()
    return game


@attack("E15")
def value_in_the_file_not_counted() -> Referee:
    game = ordered()
    game.lock(blue="none")
    return game


@attack("E15")
def value_in_the_file_counted_as_go() -> Referee:
    game = ordered()
    game.lock(blue="go")
    return game


@attack("E15")
def draft_counted_as_final() -> Referee:
    game = friends()
    game.order("blue")
    game.lock(blue="early")
    return game


@attack("E15")
def value_in_a_file_of_the_gm() -> Referee:
    game = first_slot()
    game.order("red", luck="my own lucky words")
    game.lock(blue="go", red="none")
    return game


# results


@attack("E06")
def result_without_a_lock() -> Referee:
    game = ordered()
    game.entries = {"blue": (None, "early"), "red": (None, "none")}
    game.slot = 1
    game.result([ROLL])
    return game


@attack("E21")
def a_second_result() -> Referee:
    game = first_slot()
    first = decode(game.archive["ledger/00004-s0001-result.json"])
    game.ledger({**first, "n": 5, "prev": game.head}, None, 1)
    return game


def wrong(who: str, slot: int) -> Value:
    """The value of another slot, with its own path."""
    return friends().value(who, slot)


def values(edit: Callable[[dict[str, Any], dict[str, str]], Any]) -> Referee:
    return first_slot(values=edit)


@attack("E15")
def value_of_blue_left_out() -> Referee:
    return values(lambda given, words: given.pop("blue"))


@attack("E15")
def value_of_a_stranger() -> Referee:
    return values(lambda given, words: given.update(green=None))


@attack("E15")
def value_of_blue_twice() -> Referee:
    return first_slot(change=lambda record: record["values"].append(record["values"][0]))


@attack("E15")
def value_of_blue_not_used() -> Referee:
    return values(lambda given, words: given.update(blue=None))


@attack("E15")
def value_of_blue_other_than_in_his_file() -> Referee:
    return values(lambda given, words: given.update(blue=wrong("blue", 2)))


@attack("E15")
def no_value_of_the_gm() -> Referee:
    return first_slot(change=lambda record: record["values"].__setitem__(1, {"who": "gm", "x": "-"}))


@attack("E15")
def words_of_the_gm() -> Referee:
    game = locked()
    game.result(
        [ROLL], change=lambda record: record["values"].__setitem__(1, {"who": "gm", "luck": "my lucky words"})
    )
    return game


@attack("E15")
def value_for_a_silent_seat() -> Referee:
    game = umpire()
    game.order("blue", x=True)
    game.lock()
    game.result(
        [("t1.blue.melee/a", 6, 1)],
        values=lambda given, words: (given.pop("red"), words.update(red="some lucky words")),
    )
    return game


@attack("E09")
def gm_swaps_his_value() -> Referee:
    return values(lambda given, words: given.update(gm=replace(given["gm"], x="0" * 64)))


@attack("E09")
def gm_uses_the_value_of_another_slot() -> Referee:
    return values(lambda given, words: given.update(gm=wrong("gm", 2)))


@attack("E09")
def false_value_locked() -> Referee:
    game = friends()
    game.order("blue", x="0" * 64)
    game.lock()
    game.result([ROLL])
    return game


@attack("E09")
def chain_value_of_a_seat_without_a_chain() -> Referee:
    game = umpire()
    game.order("green", x="0" * 64)
    game.lock()
    game.result()
    return game


def words_twice(second: str, **how: Any) -> Referee:
    game = friends(words=True)
    game.order("blue", luck="seven drunken herons")
    game.lock()
    game.result([ROLL], following=BLUE_TURN)
    game.order("blue", luck=second)
    game.lock()
    game.result([("t2.blue.melee/a", 6, 1)], **how)
    return game


@attack("E09")
def same_words_again() -> Referee:
    return words_twice(" seven drunken  herons")


@attack("E09")
def words_not_in_normal_form() -> Referee:
    return words_twice("eight sober owls", values=lambda given, words: words.update(blue="eight  sober owls"))


@attack("E09")
def words_too_short() -> Referee:
    return words_twice("eight sober owls", values=lambda given, words: words.update(blue="eight"))


@attack("E15")
def words_other_than_in_the_file() -> Referee:
    return words_twice("eight sober owls", values=lambda given, words: words.update(blue="nine sober owls"))


@attack("E10")
def resolved_without_the_go() -> Referee:
    game = red_locked()
    game.given["blue"] = (game.value("blue", 2), None)
    game.result([RED_ROLL])
    return game


@attack("E15")
def go_replaced_by_nothing() -> Referee:
    game = red_locked()
    game.result([RED_ROLL])
    return game


@attack("E02")
def one_lock_shown_another_used() -> Referee:
    game = red_locked()
    game.go("blue", lock_id="0" * 64)
    game.result([RED_ROLL])
    return game


@attack("E10")
def go_that_names_another_lock() -> Referee:
    game = red_locked()
    game.go("blue", change=change(lock="0" * 64))
    game.result([RED_ROLL])
    return game


@attack("E10")
def go_with_another_value() -> Referee:
    game = red_locked()
    game.go("blue", change=change(x="0" * 64))
    game.result([RED_ROLL])
    return game


@attack("E10")
def go_with_other_words() -> Referee:
    game = friends(words=True)
    game.order("blue", luck="seven drunken herons")
    game.lock()
    game.result([ROLL], following=RED_TURN)
    game.order("red")
    game.lock(blue="go")
    game.go("blue", "eight sober owls", change=change(luck="nine sober owls"))
    game.result([RED_ROLL])
    return game


@attack("E01")
def go_not_canonical() -> Referee:
    game = red_locked()
    game.go("blue")
    game.archive["seats/blue/go-s0002.json"] = b" " + game.archive["seats/blue/go-s0002.json"]
    game.result([RED_ROLL])
    return game


@attack("E27")
def go_without_form() -> Referee:
    game = red_locked()
    game.go("blue", change=change(note="hi"))
    game.result([RED_ROLL])
    return game


@attack("E27")
def join_in_place_of_the_go() -> Referee:
    game = red_locked()
    game.go("blue")
    game.archive["seats/blue/go-s0002.json"] = game.archive["seats/blue/join.json"]
    game.result([RED_ROLL])
    return game


@attack("E11")
def seed_invented() -> Referee:
    return first_slot(change=change(seed="0" * 64))


@attack("E11")
def salt_as_key_of_every_slot() -> Referee:
    game = red_locked()
    game.go("blue")
    record = decode(game.archive["ledger/00001-manifest.json"])
    assert record["type"] == "manifest"
    joins = {
        entry["seat"]: entry["join"] for entry in decode(game.archive["ledger/00002-start.json"])["joins"]
    }
    game.result([RED_ROLL], key=salt(game.game, game.manifest_id, joins))
    return game


@attack("E14")
def log_edited_by_an_outsider() -> Referee:
    game = first_slot()
    game.archive["rolls/s0001.jsonl"] = game.archive["rolls/s0001.jsonl"].replace(b'"n":1', b'"n":2')
    return game


def log(edit: Callable[[list[Record]], Any], **how: Any) -> Referee:
    return first_slot(log=edit, **how)


@attack("E12")
def die_edited() -> Referee:
    return log(lambda lines: lines[0].update(v=[lines[0]["v"][0] % 10 + 1]))


@attack("E12")
def number_of_dice_wrong() -> Referee:
    return log(lambda lines: lines[0].update(n=2))


@attack("E12")
def label_that_is_none() -> Referee:
    return log(lambda lines: lines[0].update(l="t1.blue.melee/Fight"))


@attack("E12")
def roll_with_another_field() -> Referee:
    return log(lambda lines: lines[0].update(m=1))


@attack("E12")
def label_of_a_phase_not_played() -> Referee:
    return first_slot(rolls=[("t1.blue.shoot/a", 6, 1)])


@attack("E12")
def label_of_a_phase_alone() -> Referee:
    return first_slot(rolls=[("t1.blue.melee", 6, 1)])


@attack("E12")
def label_longer_by_a_cursor() -> Referee:
    return first_slot(rolls=[("t1.blue.melee.x/a", 6, 1)])


@attack("E13")
def label_twice_in_a_slot() -> Referee:
    return first_slot(rolls=[ROLL, ROLL])


@attack("E13")
def label_rolled_again_in_the_continuation() -> Referee:
    game = first_slot(following=("t1.blue.melee", ["blue"]))
    game.order("blue", x=True)
    game.lock()
    game.result([ROLL])
    return game


@attack("E01")
def log_not_canonical() -> Referee:
    game = first_slot()
    path, where = "rolls/s0001.jsonl", "ledger/00004-s0001-result.json"
    game.archive[path] = game.archive[path][:-1]
    record = {**decode(game.archive[where]), "rolls": hashlib.sha256(game.archive[path]).hexdigest()}
    game.put(where, encode(record), "gm", names.gm_namespace(game.game))
    return game


@attack("E23")
def dice_without_a_value() -> Referee:
    game = friends()
    game.order("blue")
    game.lock()
    game.result([ROLL])
    return game


@attack("E23")
def dice_in_the_own_turn_without_a_go() -> Referee:
    game = first_slot()
    game.order("red")
    game.lock()
    game.result([RED_ROLL])
    return game


@attack("E15")
def seat_that_always_goes_not_asked() -> Referee:
    seats = [player("blue"), player("green", go="always")]
    game = Referee(seats, chains=["blue", "green"]).open("t1.blue.melee", ["blue"])
    game.order("blue", x=True)
    game.lock()
    game.result([ROLL])
    return game


@attack("E15")
def only_the_friend_of_the_gm_asked() -> Referee:
    seats = [player("blue"), player("green"), gm_seat("red")]
    game = Referee(seats, chains=["blue", "green"]).open("t1.red.melee", ["red"])
    game.order("red")
    game.lock(blue="go")
    game.go("blue")
    game.result([("t1.red.melee/a", 6, 1)])
    return game


@attack("E18")
def beacon_where_there_is_none() -> Referee:
    return first_slot(change=change(beacon={"round": 1, "sig": "ab"}))


@attack("E08")
def state_exchanged() -> Referee:
    game = first_slot()
    game.archive["state/s0001.json"] += b" "
    return game


@attack("E08")
def keeps_a_file_of_a_slot_that_is_not_there() -> Referee:
    return first_slot(kept=[("blue", 9)])


@attack("E08")
def keeps_a_file_of_a_stranger() -> Referee:
    return first_slot(kept=[("green", 1)])


@attack("E08")
def keeps_a_file_that_was_not_locked() -> Referee:
    return first_slot(kept=[("red", 1)])


@attack("E06")
def result_announces_an_old_slot() -> Referee:
    return first_slot(change=lambda record: record["next"].update(slot=1))


@attack("E06")
def result_skips_a_slot() -> Referee:
    return first_slot(change=lambda record: record["next"].update(slot=3))


# receipts


def with_receipt(edit: Change = None, who: str = "gm", **fields: Any) -> Referee:
    game = first_slot()
    sha512 = hashlib.sha512(game.archive["seats/blue/orders-s0001.txt"]).hexdigest()
    base = {
        "at": "2026-02-01T00:05:00Z",
        "file": "final",
        "game": game.game,
        "seat": "blue",
        "sha512": sha512,
        "slot": 1,
    }
    record: Record = {**base, "type": "receipt", **fields}
    path = names.receipt_path(record["slot"], record["seat"], record["sha512"])
    game.put(path, encode(record), who, names.gm_namespace(game.game))
    return game


@attack("E24")
def orders_dropped_after_a_receipt() -> Referee:
    return with_receipt(sha512="0" * 128)


@attack("E24")
def receipt_for_a_seat_without_a_file() -> Referee:
    return with_receipt(seat="red")


@attack("E24")
def receipt_for_a_stranger() -> Referee:
    return with_receipt(seat="green")


def too_long(game: Referee) -> None:
    game.archive[the_receipt(game)] = b"x" * (64 * 1024 + 1)


def not_canonical(game: Referee) -> None:
    game.archive[the_receipt(game)] += b" "


def unsigned(game: Referee) -> None:
    del game.archive[f"{the_receipt(game)}.sig"]


def the_receipt(game: Referee) -> str:
    return next(path for path in game.archive if path.startswith("receipts/") and path.endswith(".json"))


def spoilt(spoil: Callable[[Referee], None]) -> Attack:
    def build() -> Referee:
        game = with_receipt(sha512="0" * 128)
        spoil(game)
        return game

    return build


def signed_by_a_retired_key() -> Referee:
    """Blue has the key that the GM had before, and makes himself a promise with it."""
    game = with_receipt()
    sha512 = hashlib.sha512(game.archive["seats/blue/orders-s0001.txt"]).hexdigest()
    del game.archive[names.receipt_path(1, "blue", sha512)]
    add_receipt(game, "2026-02-01T00:05:00Z", "final", "0" * 128)
    game.rekey("gm", game.consents(["blue"], **{"of": "gm", "from": 2, "key": line("gm2")}), key=line("gm2"))
    return game


PAPERS: dict[str, Attack] = {
    "signed by blue": lambda: with_receipt(who="blue", sha512="0" * 128),
    "of another game": lambda: with_receipt(game="other-0a1b2c", sha512="0" * 128),
    "without form": lambda: with_receipt(note="hi", sha512="0" * 128),
    "too long": spoilt(too_long),
    "not canonical": spoilt(not_canonical),
    "unsigned": spoilt(unsigned),
    "signed by a retired key": signed_by_a_retired_key,
}
"""Receipts that anybody could have laid there: they promise nothing, and accuse nobody."""


@pytest.mark.parametrize("name", PAPERS)
def test_a_receipt_that_anybody_could_have_made_is_a_warning(name: str) -> None:
    verdict = verify(PAPERS[name]().archive, replay=lambda game: ())
    assert (verdict.verdict, verdict.failures) == ("pass", ())
    (said,) = verdict.warnings
    if name == "signed by a retired key":
        whose = "whoever had that key could have made it"
        assert said.message == (
            "promises another file than the lock has, but is signed with a key that was retired in "
            f"slot 2: {whose}"
        )
    else:
        assert said.message == "no receipt that the GM signed for this game: it promises nothing"


def test_a_promise_that_was_kept_stays_kept_when_the_gm_gets_a_new_key() -> None:
    game = with_receipt()
    game.rekey("gm", game.consents(["blue"], **{"of": "gm", "from": 2, "key": line("gm2")}), key=line("gm2"))
    verdict = verify(game.archive, replay=lambda game: ())
    assert (verdict.verdict, verdict.warnings) == ("pass", ())


def test_a_bad_key_is_told_from_a_bad_line() -> None:
    small, unreadable = (verify(ATTACKS[name][1]().archive, replay=None) for name in KEYS)
    assert small.failures[0].message == "the key of blue is not of prime order"
    assert unreadable.failures[0].message == "the key of the GM is not a line ssh-ed25519 AAAA…"


def test_orders_with_a_bad_signature_are_not_also_of_another_history() -> None:
    verdict = verify(orders_edited_and_not_published().archive, replay=None)
    assert [finding.code for finding in verdict.failures] == ["E02"]


def test_what_is_wrong_with_a_log_is_said_in_full() -> None:
    missing = verify(roll_log_missing().archive, replay=None)
    assert missing.lines[0] == (
        "CANNOT DECIDE  siege-0a1b2c   rules not replayed   4 records, 6 signatures, 0 dice, 0 "
        "warnings, 1 failure"
    )
    assert (missing.failures[0].where, missing.failures[0].message) == ("rolls/s0001.jsonl", "missing")
    edited = verify(log_edited_by_an_outsider().archive, replay=None)
    assert (
        edited.lines[0]
        == "FAIL  siege-0a1b2c   rules not replayed   4 records, 6 signatures, 0 dice, 0 warnings, 1 failure"
    )
    unknown = verify(log(lambda lines: lines[0].update(m=1)).archive, replay=None).failures[0]
    assert (unknown.where, unknown.message) == ("rolls/s0001.jsonl:1", "roll.m is not known")


@pytest.mark.parametrize("revision", [CHAINS, TREES])
@pytest.mark.parametrize("name", ATTACKS)
def test_each_attack_raises_its_code_first(name: str, revision: int) -> None:
    code, build = ATTACKS[name]
    with played_in(revision):
        archive = build().archive
    verdict = verify(archive, replay=lambda game: ())
    assert [finding.code for finding in verdict.failures[:1]] == [code], verdict.failures
    assert verdict.verdict == ("undecided" if code == "E00" else "fail")
    assert verdict.exit_code == (3 if code == "E00" else 1)
    assert all(finding.where and finding.message for finding in verdict.failures)
    assert verdict.lines[0].startswith("CANNOT DECIDE" if code == "E00" else "FAIL")


def test_a_receipt_that_was_kept() -> None:
    assert verify(with_receipt().archive, replay=lambda game: ()).exit_code == 0
    later = with_receipt(slot=9)
    assert verify(later.archive, replay=lambda game: ()).exit_code == 0


def add_receipt(game: Referee, at: str, file: str, sha512: str) -> None:
    base = {
        "type": "receipt",
        "at": at,
        "file": file,
        "game": game.game,
        "seat": "blue",
        "sha512": sha512,
        "slot": 1,
    }
    game.put(names.receipt_path(1, "blue", sha512), encode(base), "gm", names.gm_namespace(game.game))


def test_the_final_receipt_counts_else_the_newest() -> None:
    game = with_receipt(at="2026-02-01T00:01:00Z")
    add_receipt(game, "2026-02-01T00:09:00Z", "draft", "0" * 128)
    assert verify(game.archive, replay=lambda game: ()).exit_code == 0
    drafts = with_receipt(file="draft", at="2026-02-01T00:05:00Z")
    add_receipt(drafts, "2026-02-01T00:04:00Z", "draft", "0" * 128)
    assert verify(drafts.archive, replay=lambda game: ()).exit_code == 0
    add_receipt(drafts, "2026-02-01T00:06:00Z", "draft", "1" * 128)
    assert verify(drafts.archive, replay=lambda game: ()).failures[0].code == "E24"


# what is no fault of the GM


def test_a_go_that_nobody_asked_for_is_a_warning() -> None:
    game = first_slot()
    game.go("blue")
    verdict = verify(game.archive, replay=lambda game: ())
    assert verdict.exit_code == 0
    assert [(finding.code, finding.where) for finding in verdict.warnings] == [
        ("W", "seats/blue/go-s0001.json")
    ]


def test_time_that_goes_back_is_a_warning() -> None:
    verdict = verify(first_slot(change=change(at="2026-01-31T00:00:00Z")).archive, replay=lambda game: ())
    assert verdict.exit_code == 0
    assert [finding.message.partition(":")[0] for finding in verdict.warnings] == ["the time goes back"]


def test_findings_end_somewhere() -> None:
    game = locked()
    game.result([(f"t1.other.melee/a{number}", 6, 1) for number in range(1100)])
    verdict = verify(game.archive, replay=None)
    assert len(verdict.failures) == 1000
    assert verdict.exit_code == 1


def test_warnings_end_somewhere() -> None:
    game = first_slot()
    for number in range(1100):
        game.archive[f"seats/blue/go-s{number + 2:04d}.json"] = b""
    assert len(verify(game.archive, replay=None).warnings) == 1000


# packs


def packed() -> MemoryArchive:
    game = second_slot()
    game.archive["reports/s0001.txt"] = b"report\n"
    return game.pack()


def first_code(archive: MemoryArchive) -> str:
    verdict = verify(archive, replay=lambda game: ())
    return verdict.failures[0].code if verdict.failures else f"W{len(verdict.warnings)}"


def test_a_pack_of_an_honest_game() -> None:
    assert first_code(packed()) == "W0"


def test_a_pack_with_a_file_too_many_or_missing() -> None:
    for path, code in (
        ("keys/extra", "W1"),
        ("state/s0009.json", "W1"),
        ("maps/s0001.png", "W1"),
        ("seats/blue/drafts/1.txt", "W1"),
    ):
        archive = packed()
        archive[path] = b"x"
        assert first_code(archive) == code, path
    for path, code in (("keys/allowed_signers", "E00"), ("reports/s0001.txt", "W1")):
        archive = packed()
        del archive[path]
        assert first_code(archive) == code, path


def test_files_that_differ_come_before_files_that_are_missing() -> None:
    archive = packed()
    del archive["keys/allowed_signers"]
    archive["scenario/brackwater.yaml"] += b"#"
    found = [finding.code for finding in verify(archive, replay=lambda game: ()).failures]
    assert found == ["E08", "E08", "E00"]


def test_a_pack_with_a_file_changed() -> None:
    archive = packed()
    archive["keys/allowed_signers"] += b"#"
    assert first_code(archive) == "E08"
    archive = packed()
    del archive["FILES"], archive["FILES.sig"]
    archive["keys/allowed_signers"] = archive["keys/allowed_signers"].replace(b"\n", b"\r\n")
    assert first_code(archive) == "W0", "line ends that Git changed"
    archive["keys/allowed_signers"] = archive["keys/allowed_signers"].replace(b"\r\n", b"\r")
    assert first_code(archive) == "E08", "as the two verifiers say"
    archive = packed()
    archive["reports/s0001.txt"] += b"!"
    verdict = verify(archive, replay=lambda game: ())
    assert verdict.exit_code == 0
    said = [(finding.where, finding.message) for finding in verdict.warnings]
    assert said == [
        ("FILES", "1 file that can be made again, other than FILES says or missing: reports/s0001.txt")
    ]


def test_what_was_added_to_a_pack_is_told_in_one_line() -> None:
    archive = packed()
    for number in range(20):
        archive[f"maps/s{number:04d}.png"] = b"x"
    archive["seats/blue/go-s0001.json"] = b"x"
    archive["keys/extra"] = b"x"
    verdict = verify(archive, replay=lambda game: ())
    assert verdict.failures == ()
    assert [(found.where, found.message.partition(":")[0]) for found in verdict.warnings] == [
        ("FILES", "21 files that FILES does not name, added after packing"),
        ("seats/blue/go-s0001.json", "a go that no lock asked for"),
        ("1 file", "not of the game, and passed over"),
    ]


def resigned(data: bytes, who: str = "gm") -> MemoryArchive:
    archive = packed()
    archive["FILES"] = data
    archive["FILES.sig"] = sign(private(who), names.pack_namespace("siege-0a1b2c"), data).encode()
    return archive


def test_the_list_of_a_pack_is_signed_and_exact() -> None:
    good = packed()["FILES"]
    assert first_code(resigned(good)) == "W0"
    assert first_code(resigned(good, "blue")) == "E02"
    assert first_code(resigned(good + b"x")) == "E08"
    archive = packed()
    del archive["FILES.sig"]
    assert first_code(archive) == "E02"
    archive = packed()
    del archive["FILES"]
    assert first_code(archive) == "E00"
