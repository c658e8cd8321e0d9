"""What a page shows of signing, clicked in a browser: in the packet, and in the page that answers an
invitation or a lock.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from page_watch import Watched
from sign_page import SCRIPTS, key_of
from table import Table, pull

from pbem.cli import cli
from pbem.post.orders import armour
from pbem.proof import orderfile, signing
from pbem.proof.recovery import read_code, recovery_key
from pbem.proof.signing import public_of
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.pages.packet import packet_of
from pbem.referee.pages.signing_page import answer_page, signing_of
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit
from pbem.referee.turn.new import INVITATION
from pbem.referee.turn.submit import submit
from pbem.renderers import page as shell
from pbem.store.library import common_words

# --- what a page shows of it


PLACE = """
const data = JSON.parse(document.getElementById("data").textContent);
const put = (said, args) => said.replace(/\\{([a-z_]+)\\}/g, (all, name) => (name in args ? String(args[name]) : all));
const words = (key, args = {}) => put(data.words[key] || key, args);
const tell = (said) => { document.getElementById("live").textContent = said; };
window.pbemSign.place(document.getElementById("signing"), { data, text: () => data.text, words, tell });
"""
BODY = (
    '<main><h1>Sign</h1><div id="signing" class="signing"></div><p id="live" aria-live="polite"></p></main>'
)


def page_of(where: Path, how: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    words = common_words()
    said = {
        key.removeprefix("packet."): words.phrase(key)
        for key in words.keys("phrases")
        if key.startswith("packet.")
    }
    said |= {key: raw_phrase(key) for key in said}
    data = {
        "signing": how,
        "text": text,
        "words": said,
        "to": "umpire@example.org",
        "subject": "tug-0a1b2c, turn 1",
    }
    part = shell.part
    monkeypatch.setattr(shell, "part", lambda name: PLACE if name == "place.js" else part(name))
    styles = [name for name in ("page.css", "packet.css", "sign.css") if (shell.PAGES / name).is_file()]
    file = where / "signing.html"
    file.write_bytes(
        shell.whole_page("Sign", styles=styles, scripts=(*SCRIPTS, "place.js"), body=BODY, data=data)
    )
    return file


def raw_phrase(key: str) -> str:
    return str(common_words()._sentences["phrases"][f"packet.{key}"])


def test_a_player_loads_his_key_signs_and_pbem_takes_the_files(
    opened: Callable[..., Watched], joint: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    how = signing_of(joint.open(), "south")
    watched = opened(page_of(tmp_path, how, "# as typed\n" + pull("south"), monkeypatch), phone=True)
    page = watched.page
    page.set_input_files(
        "#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "north").encode()}]
    )
    page.wait_for_selector("#sign-said:not([hidden])")
    assert "is not the one of your seat" in (page.text_content("#sign-said") or "")
    page.set_input_files(
        "#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "south").encode()}]
    )
    page.wait_for_selector("#sign-go")
    watched.accessible()
    page.click("#sign-go")
    page.wait_for_selector("#signed")
    watched.accessible()
    assert page.text_content("#sign-done") == common_words().phrase("packet.sign-done-final")
    saved = {}
    for link in ("#sign-file", "#sign-sig"):
        with page.expect_download() as got:
            page.click(link)
        saved[got.value.suggested_filename] = Path(got.value.path()).read_bytes()
    assert sorted(saved) == ["orders-s0002-south.txt", "orders-s0002-south.txt.sig"]
    in_one = armour.decode(page.input_value("#sign-armour"))
    assert (in_one.data, in_one.signature) == tuple(saved[name] for name in sorted(saved))
    address = page.get_attribute("#sign-mail", "href") or ""
    assert address.startswith(
        "mailto:umpire@example.org?subject=tug-0a1b2c%2C%20turn%201&body=-----BEGIN%20PD1%20ORDERS-----"
    )
    folder = tmp_path / "saved"
    folder.mkdir()
    for name, data in saved.items():
        (folder / name).write_bytes(data)
    copy = shutil.copytree(joint.game, tmp_path / "game")
    typed = ["submit", str(folder / "orders-s0002-south.txt"), "--game", str(copy), "--no-lock"]
    told = CliRunner().invoke(cli, typed, env={"PBEM_HOME": str(tmp_path / "home")})
    assert told.exit_code == 0, told.output
    page.reload()
    page.wait_for_selector("#sign-go")
    assert how["fingerprint"] in (page.text_content("#sign-with") or ""), "the browser has kept the key"
    page.click("#sign-forget")
    page.wait_for_selector("#sign-key")


def test_what_is_given_is_said_and_what_is_far_on_is_asked_about(
    opened: Callable[..., Watched], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path / "table")
    table.new(umpire=True)
    key, page_ = key_of(table, "south"), tmp_path / "answer.html"
    _, letter = answered(opened, tmp_path, answer_page(open_game(table.game / INVITATION), "south"), key)
    admit(table.env, table.game, letter)
    table.join_all()
    for _ in range(7):
        table.lock(deadline=True)
        table.resolve()
    page_ = page_of(tmp_path, signing_of(table.open(), "south"), pull("south"), monkeypatch)
    watched = opened(page_, phone=True)
    page = watched.page
    page.set_input_files("#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key.encode()}])
    page.click("#sign-go")
    page.wait_for_selector("#sign-means:visible")
    watched.accessible()
    assert "The open slot is 8" in (page.text_content("#sign-said") or "")
    assert "played without you: 2, 4, 6" in (page.text_content("#sign-said") or "")
    assert page.query_selector("#signed") is None, "nothing has left"
    page.click("#sign-means")
    page.wait_for_selector("#signed")
    assert page.text_content("#sign-gave") == "Your value for slot 8 is in it, the first that you give."
    watched.accessible()


def test_without_a_value_the_file_is_a_draft(
    opened: Callable[..., Watched], joint: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(page_of(tmp_path, signing_of(joint.open(), "south"), pull("south"), monkeypatch)).page
    page.set_input_files(
        "#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "south").encode()}]
    )
    page.uncheck("#sign-value")
    page.click("#sign-go")
    page.wait_for_selector("#signed")
    assert page.text_content("#sign-done") == common_words().phrase("packet.sign-done-draft")
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
    broken = (
        "SubtleCrypto.prototype.generateKey = () => Promise.reject(new DOMException('no', "
        "'NotSupportedError'))"
    )
    watched.page.context.add_init_script(broken)
    watched.page.reload()
    watched.page.wait_for_selector("#signing .doubt")
    assert common_words().phrase("packet.sign-no-ed25519") in (watched.page.text_content("#signing") or "")
    assert watched.page.query_selector("#sign-key") is None


def test_the_packet_of_a_seat_with_a_key_signs_its_orders(
    opened: Callable[..., Watched], joint: Table, tmp_path: Path
) -> None:
    file = tmp_path / "turn.html"
    file.write_bytes(packet_of(joint.open(), "south", to="umpire@example.org"))
    watched = opened(file)
    page = watched.page
    page.locator("[role=tab]").last.click()
    assert page.query_selector("#mail") is None, "what is not signed is of no use to the umpire"
    page.fill("#field-message", "hello there")
    page.set_input_files(
        "#sign-key", files=[{"name": "id", "mimeType": "", "buffer": key_of(joint, "south").encode()}]
    )
    page.click("#sign-go")
    page.wait_for_selector("#sign-said:not([hidden])")
    assert page.text_content("#sign-said") == common_words().phrase("packet.sign-nobody"), (
        "it is asked whether nobody is meant"
    )
    assert page.query_selector("#signed") is None
    page.click("#field-meant")
    page.click("#sign-go")
    page.wait_for_selector("#signed")
    watched.accessible()
    signed = armour.decode(page.input_value("#sign-armour"))
    copy = shutil.copytree(joint.game, tmp_path / "game")
    taken = submit(joint.env, copy, "orders.txt", signed.data, signed.signature, auto_lock=False)
    assert taken.receipt.file == "final"
    assert b"message: 'hello there'" in signed.data
    assert b"nobody: moves\n" in signed.data
    page.fill("#field-message", "on second thoughts")
    assert page.query_selector("#signed") is None, "what was signed is not what would be sent now"


def test_what_is_typed_last_goes_out_too(opened: Callable[..., Watched], tmp_path: Path) -> None:
    """The link that opens the mail, and the file to save, have in them what was typed after
    they were shown.
    """
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
    if page.query_selector("#sign-noted"):
        assert page.query_selector("#sign-file") is None, "the letter waits until the code is written down"
        (where / "code").write_text(page.text_content("#sign-code") or "")
        page.check("#sign-noted")
        page.wait_for_selector("#sign-file")
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
    monkeypatch.setenv("PBEM_HOME", str(table.env.keyring.root))
    table.new()
    key = key_of(table, "south")
    name, letter = answered(opened, tmp_path, answer_page(open_game(table.game / INVITATION)), key)
    assert name == "join-south.txt"
    code = (tmp_path / "code").read_text()
    assert code.encode() not in letter
    line = public_of(recovery_key("tug-0a1b2c", "south", read_code(code))).line
    assert f'"recovery":"{line}"'.encode() in letter
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
    found = verify(table.game)
    assert (found.failures, found.replayed) == (
        (),
        not table.open().questions,
    )  # dice of a key that was just made


def test_pbem_packet_of_an_invitation_and_of_a_lock_is_the_page_to_answer_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(table.env.keyring.root))
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
