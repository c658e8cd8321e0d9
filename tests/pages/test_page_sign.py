"""Keys and signatures made in a browser are those of OpenSSH and pbem: held against both, and played with in a real game."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from hunting_table import HuntingTable
from page_watch import Watched
from playwright.sync_api import Browser, Page
from table import Table, pull

from pbem.cli import cli
from pbem.post import armour
from pbem.proof import orderfile, signing
from pbem.proof.dice_protocol import Chain, normal_words
from pbem.referee.admit import admit
from pbem.referee.game import open_game
from pbem.referee.go import take_go
from pbem.referee.new import INVITATION
from pbem.referee.packet import packet_of
from pbem.referee.refusal import Refused
from pbem.referee.resolve import resolve
from pbem.referee.signing_page import answer_page, ledger_of, signing_of
from pbem.referee.submit import submit
from pbem.referee.verify import verify
from pbem.renderers import page as shell
from pbem.store.library import english

SCRIPTS = ("sign.js", "sign_chain.js", "sign_panel.js")
HEADER = {"game": "tug-0a1b2c", "slot": 3, "seat": "south", "head": "ab" * 32}
NAMESPACE = "pd1-orders/tug-0a1b2c/3/south/" + "ab" * 32


@pytest.fixture(scope="module")
def bare(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a page with nothing on it but what signs; it has to stay quiet."""
    file = tmp_path_factory.mktemp("sign") / "sign.html"
    file.write_bytes(shell.whole_page("sign", styles=(), scripts=SCRIPTS, body="<main></main>", data={}))
    context = chromium.new_context()
    page = context.new_page()
    noise: list[str] = []
    page.on("console", lambda said: noise.append(said.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.goto(file.as_uri())
    yield page
    assert noise == []
    context.close()


CALL = """async ([name, given]) => {
  try { const made = await window.pbemSign[name](...given); return {made: made instanceof Uint8Array ? Array.from(made) : made}; }
  catch (error) { return {code: error.code || String(error), args: error.args}; }
}"""


def call(page: Page, name: str, *given: Any) -> Any:
    found = page.evaluate(CALL, [name, list(given)])
    assert "code" not in found, found
    return found["made"]


def code(page: Page, name: str, *given: Any) -> str:
    return str(page.evaluate(CALL, [name, list(given)]).get("code"))


def key_of(table: Table, name: str) -> str:
    return signing.private_to_openssh(table.key(name)).decode()


def armoured(data: bytes, namespace: str, table: Table, name: str = "south") -> str:
    return signing.sign(table.key(name), namespace, data)


# --- keys


def test_a_key_made_here_is_one_of_openssh(bare: Page, need: Callable[[str], str], tmp_path: Path) -> None:
    assert call(bare, "support") == {"signs": True, "keeps": True}
    key = call(bare, "make", "Ann’s phone\n")
    file = tmp_path / "id"
    file.write_text(key["file"])
    file.chmod(0o600)
    private = signing.load_private(file.read_bytes())
    assert signing.public_of(private).line == key["line"]
    assert signing.fingerprint(signing.parse_public(key["line"])) == key["fingerprint"]
    told = subprocess.run([need("ssh-keygen"), "-y", "-f", str(file)], capture_output=True, text=True, check=True)
    assert told.stdout == f"{key['line']} Anns phone\n"
    shown = subprocess.run([need("ssh-keygen"), "-l", "-f", str(file)], capture_output=True, text=True, check=True)
    assert key["fingerprint"] in shown.stdout
    again = call(bare, "load", key["file"])
    assert again == {**key, "file": None}


@pytest.mark.parametrize("comment", ["", "a", "ab@cd", "x" * 60])
def test_a_key_file_of_any_length_comes_back(bare: Page, comment: str) -> None:
    key = call(bare, "make", comment)
    assert signing.public_of(signing.load_private(key["file"].encode())).line == key["line"]
    assert call(bare, "load", key["file"])["comment"] == comment


def test_a_key_of_ssh_keygen_is_taken(bare: Page, need: Callable[[str], str], tmp_path: Path) -> None:
    file = tmp_path / "id"
    subprocess.run([need("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", "bob", "-f", str(file)], check=True)
    key = call(bare, "load", file.read_text())
    assert f"{key['line']} bob\n" == (tmp_path / "id.pub").read_text()


def test_a_key_stays_when_the_page_is_opened_again_and_cannot_be_read_out(bare: Page) -> None:
    key = call(bare, "make", "kept")
    bare.reload()
    assert {**key, "file": None} in call(bare, "kept")
    assert "SSH SIGNATURE" in call(bare, "sign", key["fingerprint"], NAMESPACE, "text")
    read = """async (fingerprint) => {
      const opening = indexedDB.open("pbem-sign", 1);
      const base = await new Promise((done) => { opening.onsuccess = () => done(opening.result); });
      const asked = base.transaction("keys").objectStore("keys").get(fingerprint);
      const found = await new Promise((done) => { asked.onsuccess = () => done(asked.result); });
      base.close();
      const tries = await Promise.allSettled([crypto.subtle.exportKey("pkcs8", found.private), crypto.subtle.exportKey("raw", found.root)]);
      return tries.map(({status}) => status);
    }"""
    assert bare.evaluate(read, key["fingerprint"]) == ["rejected", "rejected"]
    call(bare, "forget", key["fingerprint"])
    bare.reload()
    assert key["fingerprint"] not in {one["fingerprint"] for one in call(bare, "kept")}
    assert code(bare, "sign", key["fingerprint"], NAMESPACE, "text") == "sign-no-key"


def openssh(private: Any, password: bytes | None = None) -> str:
    lock = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return str(private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock).decode())


def test_other_files_are_refused_and_said_what_they_are(bare: Page, tmp_path: Path, need: Callable[[str], str]) -> None:
    table = Table(tmp_path)
    good = key_of(table, "south")
    lines = good.split("\n")
    harmed = "\n".join([lines[0], lines[1], lines[2][:40] + ("A" if lines[2][40] != "A" else "B") + lines[2][41:], *lines[3:]])
    locked = tmp_path / "locked"
    subprocess.run([need("ssh-keygen"), "-q", "-t", "ed25519", "-N", "secret", "-f", str(locked)], check=True)
    pem = table.key("south").private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    wrong = {
        "": "sign-key-form",
        "hello": "sign-key-form",
        "x" * 100_000: "sign-key-form",
        "\n".join(lines[:2]): "sign-key-type",
        good[:120] + "*" + good[121:]: "sign-key-type",
        "\n".join([*lines[:2], *lines[-2:]]): "sign-key-form",
        harmed: "sign-key-harmed",
        locked.read_text(): "sign-key-locked",
        pem.decode(): "sign-key-type",
        openssh(rsa.generate_private_key(65537, 2048)): "sign-key-type",
        openssh(ec.generate_private_key(ec.SECP256R1())): "sign-key-type",
        signing.public_of(table.key("south")).line: "sign-key-public",
    }
    for text, expected in wrong.items():
        assert code(bare, "load", text) == expected, text[:80]
        assert english().knows("phrases", f"packet.{expected}")


def test_every_code_has_its_words() -> None:
    codes = set()
    for name in SCRIPTS:
        text = shell.part(name)
        codes |= {word for word in text.replace("`", '"').split('"') if word.startswith("sign-") and word.replace("-", "").isalpha()}
    ids = {"sign-said", "sign-key", "sign-armour", "sign-open", "sign-go", "sign-secret", "sign-value"}
    missing = {one for one in codes - ids if not english().knows("phrases", f"packet.{one}") and not one.endswith("-")}
    assert missing == set()
    assert len(codes) > 40


# --- files


def test_a_file_signed_here_is_one_of_pbem_and_of_ssh_keygen(bare: Page, need: Callable[[str], str], tmp_path: Path) -> None:
    key = call(bare, "load", key_of(Table(tmp_path), "south"))
    signed = call(bare, "signedOrders", key["fingerprint"], HEADER, "fight:\r\n- south-team pulls\n# Grüße\n")
    data = signed["file"].encode()
    read = orderfile.parse(data)
    assert (read.game, read.slot, read.seat, read.head, read.has_value) == (*HEADER.values(), False)
    assert read.yaml == "fight:\n- south-team pulls\n# Grüße\n".encode()
    assert data == orderfile.write(**HEADER, salt=read.salt, yaml=read.yaml)  # type: ignore[arg-type]
    signing.verify(signing.parse_public(key["line"]), NAMESPACE, hashlib.sha512(data).digest(), signed["signature"])
    unpacked = armour.decode(signed["armour"])
    assert (unpacked.data, unpacked.signature) == (data, signed["signature"].encode())
    assert armour.encode(data, signed["signature"].encode()) == signed["armour"]
    assert (signed["name"], signed["final"]) == ("orders-s0003-south.txt", False)
    (tmp_path / "signers").write_text(f"south {key['line']}\n")
    (tmp_path / "orders.sig").write_text(signed["signature"])
    line = [need("ssh-keygen"), "-Y", "verify", "-f", "signers", "-I", "south", "-n", NAMESPACE, "-s", "orders.sig"]
    told = subprocess.run(line, input=data, cwd=tmp_path, capture_output=True)
    assert told.returncode == 0, told.stderr
    spoilt = subprocess.run(line, input=data + b" ", cwd=tmp_path, capture_output=True)
    assert spoilt.returncode != 0


def test_two_files_have_two_salts(bare: Page, tmp_path: Path) -> None:
    key = call(bare, "load", key_of(Table(tmp_path), "south"))
    salts = {orderfile.parse(call(bare, "signedOrders", key["fingerprint"], HEADER, "x\n")["file"].encode()).salt for _ in range(2)}
    assert len(salts) == 2


SEEN = "cd" * 32 + " 2026-02-01T10:00:00Z"


@pytest.mark.parametrize(
    "more",
    [
        {"luck": "seven  drunken\u00a0herons"},
        {"x": "0" * 64},
        {"seen": SEEN},
        {"luck": "Zażółć gęślą \U0001f409"},
        {"x": "f" * 64, "seen": SEEN},
    ],
)
def test_what_else_stands_in_a_header(bare: Page, more: dict[str, str]) -> None:
    data = bytes(call(bare, "orders", {**HEADER, **more}, "a: b\n"))
    read = orderfile.parse(data)
    luck = normal_words(more["luck"]) if "luck" in more else None
    seen = tuple(more["seen"].split(" ")) if "seen" in more else None
    assert (read.luck, read.x, read.seen) == (luck, more.get("x"), seen)
    assert data == orderfile.write(**HEADER, salt=read.salt, yaml=b"a: b\n", luck=luck, x=more.get("x"), seen=seen)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"game": "Tug"}, "sign-form"),
        ({"slot": 0}, "sign-form"),
        ({"slot": 10_001}, "sign-form"),
        ({"slot": "3"}, "sign-form"),
        ({"seat": "gm"}, "sign-form"),
        ({"seat": "south\n#x " + "0" * 64}, "sign-form"),
        ({"head": "AB" * 32}, "sign-form"),
        ({"x": "0" * 63}, "sign-form"),
        ({"x": "0" * 64, "luck": "seven drunken herons"}, "sign-form"),
        ({"seen": "then"}, "sign-form"),
        ({"luck": "seven"}, "sign-luck-short"),
        ({"luck": "x" * 101}, "sign-luck-long"),
        ({"luck": "seven \u202e herons"}, "sign-luck-letters"),
    ],
)
def test_a_header_that_pbem_would_not_read_is_not_written(bare: Page, more: dict[str, Any], expected: str) -> None:
    assert code(bare, "orders", {**HEADER, **more}, "a: b\n") == expected


def test_a_file_that_is_too_long_is_not_written(bare: Page) -> None:
    assert code(bare, "orders", HEADER, "x" * orderfile.MAX_ORDERS) == "sign-too-long"


def test_signatures_are_verified_as_pbem_does(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path)
    line = signing.public_of(table.key("south")).line
    data = b"some text\n"
    good = armoured(data, "pd1-gm/tug-0a1b2c", table)
    check = "async ([line, use, text, armored]) => window.pbemSign.verify(line, use, window.pbemSign.utf8(text), armored)"
    other = signing.public_of(table.key("north")).line
    cases = [
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", good), True),
        ((other, "pd1-gm/tug-0a1b2c", "some text\n", good), False),
        ((line, "pd1-gm/other", "some text\n", good), False),
        ((line, "pd1-gm/tug-0a1b2c", "some texts\n", good), False),
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", good.replace("A", "B", 1)), False),
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", ""), False),
        ((line, "pd1-gm/tug-0a1b2c", "some text\n", good[:200]), False),
    ]
    for given, expected in cases:
        assert bare.evaluate(check, list(given)) is expected, given


# --- games


def lock_asked(table: Table, seat: str = "south") -> dict[str, Any]:
    """Return what a page needs to answer the lock of the open slot."""
    game = table.open()
    slot = game.ledger.locked
    assert slot is not None
    assert seat in slot.asked
    return {"game": game.id, "seat": seat, "slot": slot.number, "lock": slot.lock_id, "records": ledger_of(game)}


def test_a_game_of_profile_gm_takes_what_the_page_signs(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new(profile="gm")
    key = call(bare, "load", key_of(table, "south"))
    game = table.open()
    place = {"game": game.id, "seat": "south", "manifest": game.ledger.manifest_id, "profile": "gm", "words": "yes,  I play – gern"}
    assert admit(table.desk, table.game, call(bare, "join", key["fingerprint"], place).encode()).started
    table.turn()
    how = signing_of(table.open(), "south")
    assert (how["key"], how["fingerprint"], how["value"], how["records"]) == (key["line"], key["fingerprint"], "", [])
    signed = call(bare, "signedOrders", key["fingerprint"], {name: how[name] for name in HEADER}, pull("south"))
    taken = submit(table.desk, table.game, signed["name"], signed["file"].encode(), signed["signature"].encode())
    assert taken.receipt.seat == "south"
    table.lock()
    assert table.resolve().slot == how["slot"]


@pytest.fixture(scope="module")
def joint(bare: Page, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Return a game in which south has joined in the browser, answered a lock there, and is to order: slot 2."""
    table = Table(tmp_path_factory.mktemp("joint"))
    table.new()
    game = table.open()
    key = call(bare, "load", key_of(table, "south"))
    place = {"game": game.id, "seat": "south", "manifest": game.ledger.manifest_id, "profile": "joint"}
    admit(table.desk, table.game, call(bare, "join", key["fingerprint"], place).encode())
    table.orders("north", pull("north"), auto_lock=False)
    table.lock()
    take_go(table.game, call(bare, "go", key["fingerprint"], lock_asked(table)).encode())
    table.resolve()
    return table


def fingerprint_of(table: Table) -> str:
    return signing.fingerprint(signing.public_of(table.key("south")))


def test_a_whole_turn_of_a_joint_game_is_signed_in_the_page(bare: Page, joint: Table, tmp_path: Path) -> None:
    game = joint.open()
    how = signing_of(game, "south")
    assert (how["slot"], how["value"], len(how["records"])) == (2, "chain", 4)
    x = call(bare, "value", fingerprint_of(joint), how)
    assert x == call(bare, "value", fingerprint_of(joint), how), "for the same history it may leave again"
    signed = call(bare, "signedOrders", fingerprint_of(joint), {**{name: how[name] for name in HEADER}, "x": x}, pull("south"))
    assert signed["final"]
    copy = shutil.copytree(joint.game, tmp_path / "game")
    taken = submit(joint.desk, copy, signed["name"], signed["file"].encode(), signed["signature"].encode())
    assert (taken.receipt.file, taken.lock is not None) == ("final", True)
    assert resolve(joint.desk, copy, pictures=False).slot == 2


def test_a_value_leaves_for_the_slot_that_a_verified_history_opens_and_no_other(bare: Page, joint: Table) -> None:
    how, print_ = signing_of(joint.open(), "south"), fingerprint_of(joint)
    records = how["records"]
    tampered = [records[0], records[1], records[2], [records[3][0].replace('"slot":2', '"slot":9'), records[3][1]]]
    cases = {
        "another slot": ({**how, "slot": 9}, "sign-not-open"),
        "another head": ({**how, "head": "0" * 64}, "sign-not-open"),
        "another seat": ({**how, "seat": "north"}, "sign-not-open"),
        "an older history": ({**how, "records": records[:2]}, "sign-not-open"),
        "a hole": ({**how, "records": [records[0], *records[2:]]}, "sign-ledger"),
        "not signed": ({**how, "records": [*records[:3], [records[3][0], records[2][1]]]}, "sign-ledger-signature"),
        "changed": ({**how, "records": tampered}, "sign-ledger-signature"),
        "nothing": ({**how, "records": []}, "sign-ledger"),
        "no record": ({**how, "records": [["{", ""], ["x", ""]]}, "sign-ledger"),
        "another game": ({**how, "game": "tug-other1"}, "sign-ledger"),
    }
    for name, (place, expected) in cases.items():
        assert code(bare, "value", print_, place) == expected, name
    call(bare, "value", print_, how)


def test_another_history_of_the_same_slots_is_refused(bare: Page, joint: Table, tmp_path: Path) -> None:
    """The umpire plays the game anew from its start and shows the page that: it has seen the first one."""
    how = signing_of(joint.open(), "south")
    call(bare, "value", fingerprint_of(joint), how)
    other = Table(tmp_path)
    other.desk = joint.desk
    begun = ("ledger/00001", "ledger/00002", "seats/south/join", "scenario/", "keys/", "state/s0000", "tables/")
    for path, data in joint.files().items():
        if path.startswith(begun):
            (other.game / path).parent.mkdir(parents=True, exist_ok=True)
            (other.game / path).write_bytes(data)
    other.orders("north", "fight:\n- north-team rests\n", auto_lock=False)
    other.lock()
    other.resolve()
    anew = signing_of(other.open(), "south")
    assert (anew["slot"], anew["head"] == how["head"]) == (2, False)
    assert code(bare, "value", fingerprint_of(joint), anew) == "sign-forked"
    forget(bare, "heads")
    assert code(bare, "value", fingerprint_of(joint), anew) == "sign-given", "the value of this slot has left for the other one"


def forget(page: Page, store: str) -> None:
    page.evaluate("async (name) => { await window.pbemSign.stored(name, 'readwrite', (store) => store.clear()); }", store)


def test_a_chain_of_pbem_can_be_given(bare: Page, tmp_path: Path) -> None:
    table = Table(tmp_path).started()
    call(bare, "load", key_of(table, "south"))
    table.orders("north", pull("north"), auto_lock=False)
    table.lock()
    secret = table.player.keyring.chain_file("tug-0a1b2c", "south").read_text()
    chain = Chain(bytes.fromhex(secret.strip()), "tug-0a1b2c", "south")
    assert call(bare, "chain", "", "tug-0a1b2c", "south", secret) == {"anchor": chain.anchor}
    forget(bare, "heads")
    forget(bare, "given")
    asked = lock_asked(table)
    assert code(bare, "go", fingerprint_of(table), asked) == "sign-other-chain", "the seat did not join with the key's own chain"
    take_go(table.game, call(bare, "go", fingerprint_of(table), asked, secret).encode())
    assert table.resolve().slot == 1
    assert code(bare, "chain", "", "tug-0a1b2c", "south", "no chain") == "sign-chain-form"


def test_a_signature_by_another_key_is_refused_by_pbem(bare: Page, joint: Table) -> None:
    other = call(bare, "make", "other")
    how = signing_of(joint.open(), "south")
    signed = call(bare, "signedOrders", other["fingerprint"], {name: how[name] for name in HEADER}, pull("south"))
    with pytest.raises(Refused) as refusal:
        submit(joint.desk, joint.game, signed["name"], signed["file"].encode(), signed["signature"].encode())
    assert [problem.code for problem in refusal.value.problems] == ["proof.signature"]


def test_a_history_that_could_tell_is_not_given(tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    assert ledger_of(table.open()) == []


# --- what a page shows of it


PLACE = """
const data = JSON.parse(document.getElementById("data").textContent);
const put = (said, args) => said.replace(/\\{([a-z_]+)\\}/g, (all, name) => (name in args ? String(args[name]) : all));
const words = (key, args = {}) => put(data.words[key] || key, args);
const tell = (said) => { document.getElementById("live").textContent = said; };
window.pbemSign.place(document.getElementById("signing"), { data, text: () => data.text, words, tell });
"""
BODY = '<main><h1>Sign</h1><div id="signing" class="signing"></div><p id="live" aria-live="polite"></p></main>'


def page_of(where: Path, how: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    words = english()
    said = {key.removeprefix("packet."): words.phrase(key) for key in words.keys("phrases") if key.startswith("packet.")}
    said |= {key: raw_phrase(key) for key in said}
    data = {"signing": how, "text": text, "words": said, "to": "umpire@example.org", "subject": "tug-0a1b2c, turn 1"}
    part = shell.part
    monkeypatch.setattr(shell, "part", lambda name: PLACE if name == "place.js" else part(name))
    styles = [name for name in ("page.css", "packet.css", "sign.css") if (shell.PAGES / name).is_file()]
    file = where / "signing.html"
    file.write_bytes(shell.whole_page("Sign", styles=styles, scripts=(*SCRIPTS, "place.js"), body=BODY, data=data))
    return file


def raw_phrase(key: str) -> str:
    return str(english()._sentences["phrases"][f"packet.{key}"])


def test_a_player_loads_his_key_signs_and_pbem_takes_the_files(
    opened: Callable[..., Watched], joint: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = signing_of(joint.open(), "south")
    watched = opened(page_of(tmp_path, how, "# as typed\n" + pull("south"), monkeypatch), phone=True)
    page = watched.page
    page.set_input_files("#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "north").encode()}])
    page.wait_for_selector("#sign-said:not([hidden])")
    assert "is not the one that your seat has" in (page.text_content("#sign-said") or "")
    page.set_input_files("#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "south").encode()}])
    page.wait_for_selector("#sign-go")
    watched.accessible()
    page.click("#sign-go")
    page.wait_for_selector("#signed")
    watched.accessible()
    assert page.text_content("#sign-done") == english().phrase("packet.sign-done-final")
    saved = {}
    for link in ("#sign-file", "#sign-sig"):
        with page.expect_download() as got:
            page.click(link)
        saved[got.value.suggested_filename] = Path(got.value.path()).read_bytes()
    assert sorted(saved) == ["orders-s0002-south.txt", "orders-s0002-south.txt.sig"]
    in_one = armour.decode(page.input_value("#sign-armour"))
    assert (in_one.data, in_one.signature) == tuple(saved[name] for name in sorted(saved))
    address = page.get_attribute("#sign-mail", "href") or ""
    assert address.startswith("mailto:umpire@example.org?subject=tug-0a1b2c%2C%20turn%201&body=-----BEGIN%20PD1%20ORDERS-----")
    folder = tmp_path / "saved"
    folder.mkdir()
    for name, data in saved.items():
        (folder / name).write_bytes(data)
    copy = shutil.copytree(joint.game, tmp_path / "game")
    told = CliRunner().invoke(cli, ["submit", str(folder / "orders-s0002-south.txt"), "--game", str(copy), "--no-lock"])
    assert told.exit_code == 0, told.output
    page.reload()
    page.wait_for_selector("#sign-go")
    assert how["fingerprint"] in (page.text_content("#sign-with") or ""), "the browser has kept the key"
    page.click("#sign-forget")
    page.wait_for_selector("#sign-key")


def test_without_a_value_the_file_is_a_draft(
    opened: Callable[..., Watched], joint: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(page_of(tmp_path, signing_of(joint.open(), "south"), pull("south"), monkeypatch)).page
    page.set_input_files("#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "south").encode()}])
    page.uncheck("#sign-value")
    page.click("#sign-go")
    page.wait_for_selector("#signed")
    assert page.text_content("#sign-done") == english().phrase("packet.sign-done-draft")
    assert not orderfile.parse(armour.decode(page.input_value("#sign-armour")).data).has_value


def test_a_seat_without_a_key_can_make_one_for_the_next_game(
    opened: Callable[..., Watched], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path).started()
    how = signing_of(table.open(), "north")
    assert how["key"] == ""
    watched = opened(page_of(tmp_path, how, "", monkeypatch))
    page = watched.page
    page.click("summary")
    page.fill("#sign-comment", "nora")
    page.click("#sign-make")
    page.wait_for_selector("#sign-save")
    watched.accessible()
    with page.expect_download() as got:
        page.click("#sign-save")
    private = signing.load_private(Path(got.value.path()).read_bytes())
    assert page.input_value("textarea.line") == signing.public_of(private).line + " nora"


def test_a_browser_that_cannot_sign_says_so(
    opened: Callable[..., Watched], joint: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = page_of(tmp_path, signing_of(joint.open(), "south"), pull("south"), monkeypatch)
    watched = opened(file)
    broken = "SubtleCrypto.prototype.generateKey = () => Promise.reject(new DOMException('no', 'NotSupportedError'))"
    watched.page.context.add_init_script(broken)
    watched.page.reload()
    watched.page.wait_for_selector("#signing .doubt")
    assert english().phrase("packet.sign-no-ed25519") in (watched.page.text_content("#signing") or "")
    assert watched.page.query_selector("#sign-key") is None


def test_the_packet_of_a_seat_with_a_key_signs_its_orders(opened: Callable[..., Watched], joint: Table, tmp_path: Path) -> None:
    file = tmp_path / "turn.html"
    file.write_bytes(packet_of(joint.open(), "south", to="umpire@example.org"))
    watched = opened(file)
    page = watched.page
    page.locator("[role=tab]").last.click()
    assert page.query_selector("#mail") is None, "what is not signed is of no use to the umpire"
    page.fill("#field-message", "hello there")
    page.set_input_files("#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "south").encode()}])
    page.click("#sign-go")
    page.wait_for_selector("#signed")
    watched.accessible()
    signed = armour.decode(page.input_value("#sign-armour"))
    copy = shutil.copytree(joint.game, tmp_path / "game")
    taken = submit(joint.desk, copy, "orders.txt", signed.data, signed.signature, auto_lock=False)
    assert taken.receipt.file == "final"
    assert b"message: 'hello there'" in signed.data
    page.fill("#field-message", "on second thoughts")
    assert page.query_selector("#signed") is None, "what was signed is not what would be sent now"


def test_what_is_typed_last_goes_out_too(opened: Callable[..., Watched], tmp_path: Path) -> None:
    """The link that opens the mail, and the file to save, have in them what was typed after they were shown."""
    table = Table(tmp_path)
    table.started(keyed=())
    table.orders("north", pull("north"), auto_lock=False)
    table.lock()
    table.go("south", "seven drunken herons")
    table.resolve()
    file = tmp_path / "turn.html"
    file.write_bytes(packet_of(table.open(), "south", to="umpire@example.org"))
    page = opened(file).page
    page.locator("[role=tab]").last.click()
    page.fill("#field-luck", "eight sober storks")
    assert "eight%20sober%20storks" in (page.get_attribute("#mail", "href") or "")
    with page.expect_download() as got:
        page.click("#download")
    assert "luck: 'eight sober storks'" in Path(got.value.path()).read_text()


# --- the page that answers an invitation or a lock


def answered(opened: Callable[..., Watched], where: Path, page_: bytes, key: str) -> tuple[str, bytes]:
    """Return the letter that a player signs on such a page with his key: its name and its bytes."""
    file = where / "answer.html"
    file.write_bytes(page_)
    watched = opened(file, phone=True)
    page = watched.page
    page.set_input_files("#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key.encode()}])
    page.wait_for_selector("#sign-go")
    watched.accessible()
    page.click("#sign-go")
    page.wait_for_selector("#signed")
    watched.accessible()
    with page.expect_download() as got:
        page.click("#sign-file")
    data = Path(got.value.path()).read_bytes()
    assert page.input_value("#sign-armour") == data.decode()
    return got.value.suggested_filename, data


def test_a_player_joins_and_goes_with_nothing_but_a_browser(
    opened: Callable[..., Watched], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(table.desk.keyring.root))
    table.new()
    key = key_of(table, "south")
    name, letter = answered(opened, tmp_path, answer_page(open_game(table.game / INVITATION)), key)
    assert name == "join-south.txt"
    (tmp_path / name).write_bytes(letter)
    told = CliRunner().invoke(cli, ["admit", str(table.game), str(tmp_path / name)])
    assert told.exit_code == 0, told.output
    with pytest.raises(Refused) as refusal:
        answer_page(table.open())
    assert refusal.value.problems[0].code == "go.no-lock"
    table.orders("north", pull("north"), auto_lock=False)
    table.lock()
    name, letter = answered(opened, tmp_path, answer_page(table.open(), "south"), key)
    assert name == "go-south.txt"
    (tmp_path / name).write_bytes(letter)
    told = CliRunner().invoke(cli, ["submit", str(tmp_path / name), "--game", str(table.game)])
    assert told.exit_code == 0, told.output
    assert table.resolve().slot == 1
    assert verify(table.game).verdict == "pass"


def test_pbem_packet_of_an_invitation_and_of_a_lock_is_the_page_to_answer_with(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new()
    page_ = tmp_path / "answer.html"
    for asked in (table.game / INVITATION, table.game):  # the game is locked by then
        told = CliRunner().invoke(cli, ["packet", str(asked), "-o", str(page_), "--to", "umpire@example.org"])
        assert told.exit_code == 0, told.output
        assert page_.read_bytes() == answer_page(open_game(asked), "south", "umpire@example.org")
        if asked != table.game:
            table.join_all()
            table.orders("north", pull("north"), auto_lock=False)
            table.lock()


def test_a_page_to_answer_with_is_for_those_who_are_asked_and_have_a_key(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new(keyed=())
    with pytest.raises(Refused) as refusal:
        answer_page(table.open())
    assert refusal.value.problems[0].code == "sign.no-key"
    locked = Table(tmp_path / "locked")
    locked.started()
    locked.orders("north", pull("north"), auto_lock=False)
    locked.lock()
    with pytest.raises(Refused) as refusal:
        answer_page(locked.open(), "north")
    assert refusal.value.problems[0].code in ("go.not-asked", "sign.no-key")


def test_a_hostile_title_does_no_harm(opened: Callable[..., Watched], tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.new()
    game = table.open()
    title = "</script><script>document.title='taken'</script>{{why}}\u202egnp"
    game.__dict__["ground"] = replace(game.ground, title=title)
    file = tmp_path / "answer.html"
    file.write_bytes(answer_page(game))
    page = opened(file).page
    assert title in (page.text_content("h1") or "")
    assert page.title().startswith("</script>")
