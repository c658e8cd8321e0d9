"""Every vector of pd1.json, also those that must be refused."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pbem.proof import dice_protocol as dp
from pbem.proof.canonical import NotCanonical, decode, encode, record_id
from pbem.proof.orderfile import parse
from pbem.proof.records import check_form
from pbem.proof.resulting import beacon_round
from pbem.proof.signing import parse_public, public_of, sign, verify

V: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "pd1.json").read_text("utf-8"))
GAME = V["game"]


@pytest.mark.parametrize("who", sorted(V["chains"]))
def test_chains(who: str) -> None:
    want = V["chains"][who]
    chain = dp.Chain(bytes.fromhex(want["secret"]), GAME, who)
    assert chain.anchor == want["x0"]
    for slot in (1, 2, 3, 4, 9999, 10000):
        assert chain.value(slot) == want[f"x{slot}"]
    assert V["chain_length"] == dp.CHAIN_LENGTH
    assert dp.link(GAME, who, 1, want["x1"]) == want["x0"]
    assert dp.leads_to(GAME, who, 10000, want["x10000"], 0, want["x0"])


def test_salt() -> None:
    assert dp.salt(GAME, V["salt"]["manifest"], V["salt"]["joins"]).hex() == V["salt"]["salt"]


@pytest.mark.parametrize("want", V["seeds"], ids=lambda want: f"slot {want['slot']}")
def test_seeds(want: dict[str, Any]) -> None:
    values = dict(want["values"])
    beacon = None if want["beacon"] == "-" else want["beacon"]
    made = dp.seed(bytes.fromhex(want["key"]), GAME, want["slot"], values.pop("gm"), values, beacon)
    assert made.hex() == want["seed"]


def test_how_a_beacon_stands_in_a_seed() -> None:
    drand = V["drand_quicknet"]
    assert dp.beacon_text(drand["chain"], 657413, drand["rounds"]["657413"]) == V["seeds"][3]["beacon"]
    rule = V["beacon_rule"]
    assert beacon_round(rule["lock_at"], rule) == rule["round"]


@pytest.mark.parametrize("want", V["dice"], ids=lambda want: want["label"])
def test_dice(want: dict[str, Any]) -> None:
    dice = dp.SeededDice(bytes.fromhex(want["seed"]))
    assert dice.values(want["label"], want["sides"], want["n"]) == tuple(want["values"])


@pytest.mark.parametrize("want", V["function"]["dice"], ids=lambda want: f"d{want['sides']}")
def test_the_function_alone(want: dict[str, Any]) -> None:
    assert (
        dp.die(bytes.fromhex(V["function"]["key"]), want["label"], want["sides"], want["i"]) == want["value"]
    )


@pytest.mark.parametrize("want", V["function"]["rejection"], ids=lambda want: f"i={want['i']}")
def test_words_refused(want: dict[str, Any]) -> None:
    drawn = dp.draw(bytes.fromhex(V["function"]["key"]), want["label"], want["sides"], want["i"])
    assert (drawn.value, len(drawn.refused)) == (want["value"], want["words_rejected"])


def test_shuffle() -> None:
    want = V["function"]["shuffle"]
    key = bytes.fromhex(V["function"]["key"])
    assert dp.shuffle(key, want["label"], want["items"]) == tuple(want["order"])
    assert dp.shuffle(key, want["label"], reversed(want["items"])) == tuple(want["order"])


@pytest.mark.parametrize("want", V["luck"], ids=lambda want: want["words"])
def test_luck(want: dict[str, Any]) -> None:
    assert dp.normal_words(want["typed"]) == want["words"]
    assert dp.luck_value(GAME, want["seat"], want["slot"], want["words"]) == want["value"]


@pytest.mark.parametrize("typed", V["luck_refused"], ids=repr)
def test_luck_refused(typed: str) -> None:
    with pytest.raises(dp.BadWords):
        dp.normal_words(typed)


def test_orders_and_their_signature() -> None:
    want = V["orders"]
    data = want["file"].encode()
    key = parse_public(want["key"])
    assert parse(data).sha512 == want["sha512"]
    verify(key, want["namespace"], bytes.fromhex(want["sha512"]), want["sig"])
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(want["key_seed"]))
    assert public_of(private) == key
    assert sign(private, want["namespace"], data) == want["sig"]


def test_record_and_its_signature() -> None:
    want = V["record"]
    data = want["file"].encode()
    record = decode(data)
    assert encode(record) == data
    assert record_id(data) == want["id"]
    assert check_form(record) is None
    verify(parse_public(want["key"]), want["namespace"], hashlib.sha512(data).digest(), want["sig"])


@pytest.mark.parametrize("text", V["refused_records"], ids=repr)
def test_refused_records(text: str) -> None:
    with pytest.raises(NotCanonical):
        decode(text.encode())


def test_a_signature_is_no_seed() -> None:
    want = V["signature_as_seed"]
    signature = bytes.fromhex(want["sig"])
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(want["pk"])).verify(signature, want["msg"].encode())
    words = hashlib.sha256(signature).digest()
    assert [int.from_bytes(words[at : at + 4], "big") % 6 + 1 for at in range(0, 24, 4)] == want["dice"]


def test_the_hmac_is_what_openssl_would_say() -> None:
    seed = bytes.fromhex(V["seeds"][0]["seed"])
    digest = hmac.new(seed, b"pd1/die\nt1.blue.melee/fight/gunter/1\n10\n0\n0\n", "sha256").hexdigest()
    assert digest.startswith("7a60e40a")
