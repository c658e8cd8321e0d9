"""Orders that were accepted come back from the letters of whoever sent them, when the umpire's folder is lost
before their turn is played; nobody else was told of them, and nothing is believed that proves nothing.
"""

from __future__ import annotations

import shutil
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from killing import each_step
from office_table import OfficeTable
from table import pull

from pbem.proof.orderfile import parse
from pbem.referee.proving.mend import mend
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verify
from pbem.referee.turn.lock import chosen_letter
from pbem.store import disk

LUCK = "luck: seven drunken herons\n"
KEPT = "kept-orders.pbem"


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    office.round()
    return office


def waits(office: OfficeTable) -> str:
    return str(office.open().announced()["waits"][0])


def stored(office: OfficeTable) -> bytes:
    game = office.open()
    letter = chosen_letter(game, int(game.announced()["slot"]), waits(office))
    return b"" if letter is None else letter.data


def parts(data: bytes) -> dict[str, bytes]:
    message = message_from_bytes(data, policy=policy.default)
    return {
        str(part.get_filename()): part.get_payload(decode=True)
        for part in message.walk()
        if part.get_filename()
    }


def lose(office: OfficeTable, *, all_of_it: bool = False) -> Path:
    """Lose what lies in the game's folder that is in no archive, or all of it; return a folder with what the
    players hold: the letters that went to them, and an archive of the last moment.
    """
    held = office.root / "held"
    held.mkdir()
    for path in office.outbox():
        shutil.copy(path, held / path.name)
    pack(office.env, office.game, office.root / "sent.zip")
    sent = EmailMessage()
    sent["From"], sent["To"], sent["Subject"] = "orders@example.org", "nora@example.net", "Your move"
    sent.set_content("What happened is in the archive.\n")
    sent.add_attachment(
        (office.root / "sent.zip").read_bytes(), maintype="application", subtype="zip", filename="tug.zip"
    )
    (held / "sent.eml").write_bytes(sent.as_bytes())
    shutil.rmtree(office.game if all_of_it else office.game / "mail")
    return held


def locked(office: OfficeTable) -> None:
    """Have a turn locked at its deadline, for which a draft came by letter."""
    office.letter(waits(office), pull(waits(office)))
    office.round()
    office.later(days=9)
    assert "locked" in [step.what for step in office.round()]


def goes_on(office: OfficeTable) -> None:
    """Go on as the umpire's settings say who plays, with everybody's words of luck."""
    settings = office.root / "pbem.toml"
    settings.write_text(
        settings.read_text() + '[games.tug-0a1b2c]\nseats = { north = "nora", south = "sam" }\n'
    )
    for seat, luck in (("north", LUCK), ("south", "luck: one sober stork\n")):
        office.letter(seat, luck)
    assert "resolved" in [step.what for step in office.round()]


@pytest.mark.parametrize("all_of_it", [False, True])
def test_a_turn_that_is_locked_and_not_played_comes_back_and_is_played_as_it_would_have_been(
    office: OfficeTable, all_of_it: bool
) -> None:
    locked(office)
    seat = str(next(iter(office.open().ledger.slots.values())).waits[0])
    held = lose(office, all_of_it=all_of_it)
    done = mend(office.env, office.game, copy=held)
    assert "it came back with the receipt" in [deed.why for deed in done.deeds]
    goes_on(office)
    assert verify(office.game).failures == ()
    file = office.open().ledger.slots[1].files[seat]
    assert file.yaml == pull(seat).encode()


def dice(office: OfficeTable) -> dict[str, object]:
    """Return what the newest slot came to, and its dice."""
    slot = office.open().ledger.slots[1]
    assert slot.result is not None
    return {"rolls": slot.rolls, "state": slot.result["state"], "lock": slot.lock_id}


@pytest.mark.parametrize("keyed", [(), ("north", "south")])
def test_it_is_played_with_the_dice_that_it_would_have_had(tmp_path: Path, keyed: tuple[str, ...]) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=keyed, umpire=True)
    office.round()
    seat = waits(office)
    if keyed:
        signed = office.signed(seat, pull(seat), draft=True)
        office.letter(seat, signed.data.decode() + signed.signature)
        office.round()
        office.later(days=9)
        assert "locked" in [step.what for step in office.round()]
    else:
        locked(office)
    whole, home = tmp_path / "whole", office.env.keyring.root
    shutil.copytree(office.game, whole / "game")
    shutil.copytree(home, whole / "home")

    def played() -> dict[str, object]:
        for one in office.open().ledger.locked.asked if office.open().ledger.locked is not None else ():
            office.go(one, f"the luck of {one} herons")
        office.resolve()
        return dice(office)

    would_have = played()
    for place, name in ((office.game, "game"), (home, "home")):
        shutil.rmtree(place)
        shutil.copytree(whole / name, place)
    held = lose(office, all_of_it=True)
    mend(office.env, office.game, copy=held)
    assert played() == would_have and verify(office.game).failures == ()


def without_receipt(office: OfficeTable) -> None:
    """Have a turn locked whose orders came by hand: nobody has a letter that holds them."""
    office.orders(waits(office), pull(waits(office)))
    office.later(days=9)
    office.round()


def test_orders_without_a_receipt_come_back_from_the_mailbox_of_the_umpire(office: OfficeTable) -> None:
    without_receipt(office)
    seat = str(office.open().ledger.slots[1].waits[0])
    (sent,) = office.queued("locked-")
    assert "cass@example.org" in sent.to and "mend tug-0a1b2c --from LETTERS" in " ".join(sent.text.split())
    assert office.round() == []
    held = lose(office, all_of_it=True)
    mend(office.env, office.game, copy=held)
    goes_on(office)
    assert verify(office.game).failures == ()
    assert office.open().ledger.slots[1].files[seat].yaml == pull(seat).encode()


def test_who_has_receipts_needs_no_such_letter(office: OfficeTable) -> None:
    locked(office)
    assert not office.queued("locked-")


def test_what_was_accepted_for_the_open_slot_comes_back_and_the_newest_counts(office: OfficeTable) -> None:
    seat = waits(office)
    for note in ("first", "second"):
        office.letter(seat, f"{pull(seat)}note: {note}\n")
        office.round()
        office.later(hours=1)
    before = stored(office)
    assert b"second" in before
    held = lose(office)
    assert stored(office) == b""
    assert mend(office.env, office.game, copy=held).answer == 0
    assert stored(office) == before
    again = mend(office.env, office.game, copy=held)
    assert again.deeds == ()


def test_letters_without_an_archive_are_enough_where_the_game_lies(office: OfficeTable) -> None:
    office.letter(waits(office), pull(waits(office)))
    office.round()
    before = stored(office)
    held = lose(office)
    (held / "sent.eml").unlink()
    mend(office.env, office.game, copy=held)
    assert stored(office) == before != b""


def test_wherever_mending_is_killed_it_is_done_again(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked(office)
    held = lose(office, all_of_it=True)
    steps = list(each_step(lambda: mend(office.env, office.game, copy=held), monkeypatch, disk))
    assert len(steps) > 10
    goes_on(office)


def test_the_file_goes_to_its_sender_alone(office: OfficeTable) -> None:
    seat = waits(office)
    office.letter(seat, pull(seat))
    office.round()
    data = stored(office)
    for path in office.outbox():
        files = parts(path.read_bytes())
        if path.stem.startswith("reply-"):
            assert files[KEPT] == data and parse(files[KEPT]).seat == seat
        else:
            assert data not in files.values() and parse(data).salt.encode() not in path.read_bytes()


@pytest.mark.parametrize("change", ["orders", "no receipt", "other receipt"])
def test_what_no_receipt_of_the_umpire_names_is_not_taken(office: OfficeTable, change: str) -> None:
    seat = waits(office)
    office.letter(seat, pull(seat))
    office.round()
    (path,) = office.outbox("reply-")
    files = parts(path.read_bytes())
    held = lose(office)
    shutil.rmtree(held)
    held.mkdir()
    if change == "orders":
        files[KEPT] += b"note: something else\n"
    elif change == "no receipt":
        del files["receipt.json"]
    else:
        files["receipt.json"] = files["receipt.json"].replace(b'"draft"', b'"final"')
    forged = EmailMessage()
    forged["From"] = "mallory@example.net"
    forged.set_content("Look what I had!\n")
    for name, data in files.items():
        forged.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    (held / "forged.eml").write_bytes(forged.as_bytes())
    mend(office.env, office.game, copy=held)
    assert stored(office) == b""


def test_who_sends_the_file_back_orders_the_same_again(office: OfficeTable) -> None:
    seat = waits(office)
    office.letter(seat, pull(seat))
    office.round()
    before = stored(office)
    (path,) = office.outbox("reply-")
    message = message_from_bytes(office.letter(seat, "Here it is again.\n"), policy=policy.default)
    assert isinstance(message, EmailMessage)
    for name, data in parts(path.read_bytes()).items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    for waiting in (office.root / "post" / "new").rglob("*.eml"):
        waiting.write_bytes(message.as_bytes())
    office.round()
    assert stored(office) == before
