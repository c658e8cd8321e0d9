"""Accidents in an office: what is wrong with a game's own folder is told to its umpire, and no letter is used
up or answered for it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from office_table import OfficeTable
from table import pull

from pbem.referee.mail.figures import figures
from pbem.referee.mail.office import Trouble
from pbem.referee.mail.round import run
from pbem.referee.proving.mend import mend
from pbem.referee.proving.verify import verify
from pbem.store.gamedir import GameDir


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    """An office whose game has played a slot, told to both players."""
    office = OfficeTable(tmp_path, "")
    office.started(keyed=(), umpire=True)
    office.round()
    office.letter("north", pull("north") + "luck: seven drunken herons\n")
    office.round()
    assert office.open().ledger.newest_slot == 1
    return office


def waiting(office: OfficeTable) -> int:
    return len(list((office.root / "post" / "new").glob("*.eml")))


def troubles(steps: list[object]) -> list[str]:
    return [step.said for step in steps if step.what == "trouble"]  # type: ignore[attr-defined]


def test_a_lost_state_is_told_to_the_umpire_and_the_letter_waits_for_the_cure(office: OfficeTable) -> None:
    (office.game / "state/s0001.json").unlink()
    office.letter("south", pull("south") + "luck: one sober stork\n")
    before = len(office.queued("reply-"))
    said = troubles(office.round())  # type: ignore[arg-type]
    assert any("state/s0001.json) is missing; pbem mend " in one for one in said)
    assert waiting(office) == 1
    assert len(office.queued("reply-")) == before
    assert any("is missing" in letter.text for letter in office.queued("trouble-"))
    mend(office.env, office.game)
    office.round()
    assert waiting(office) == 0
    assert office.open().ledger.newest_slot == 2
    assert verify(office.game).failures == ()


@pytest.mark.parametrize("name", ["answered.json", "games.json", "reminded.json"])
@pytest.mark.parametrize("noted", ["[]", "3", '{"sam@example.net": 3}', '{"toy": "x"}', "{", "\x00"])
def test_a_book_of_the_office_that_holds_something_else_is_begun_anew(
    office: OfficeTable, name: str, noted: str
) -> None:
    (office.root / "post" / name).write_text(noted.replace("toy", office.open().id))
    office.letter("south", "hello?\n")
    assert troubles(office.round()) == []  # type: ignore[arg-type]
    assert waiting(office) == 0
    assert troubles(office.round()) == []  # type: ignore[arg-type]


def test_no_note_nested_without_end_is_a_fault(office: OfficeTable) -> None:
    notes = [path for path in office.root.parent.rglob("*.json") if "ledger" not in path.parts]
    names = {path.name for path in notes}
    assert {"told.json", "answered.json", "games.json", "asleep.json"} <= names
    assert any(path.parent.name == "envelopes" for path in notes)
    for path in notes:
        before = path.read_bytes()
        path.write_bytes(b'{"a":' + b"[" * 100_000)
        found: list[Trouble] = []
        list(figures(office.env, office.root, found))
        said = [*troubles(office.round()), *(one.said for one in found)]  # type: ignore[arg-type]
        assert not [one for one in said if "a fault of pbem" in one], path
        path.write_bytes(before)


def test_a_letter_of_which_the_note_cannot_be_read_is_told_to_the_umpire_until_it_is_put_away(
    office: OfficeTable,
) -> None:
    post = office.root / "post"
    letter = next((post / "out").glob("*.eml"))
    note = post / "envelopes" / f"{letter.stem}.json"
    before = note.read_bytes()
    note.write_bytes(bytes(len(before)))
    (said,) = troubles(office.round())  # type: ignore[arg-type]
    assert said == f"the letter {letter.stem} does not go out: post/envelopes/{note.name} cannot be read"
    (told,) = office.queued("trouble-")
    assert f"send post/out/{letter.name} yourself, and move it to post/sent" in " ".join(told.text.split())
    (post / "sent").mkdir(exist_ok=True)
    letter.rename(post / "sent" / letter.name)
    assert troubles(office.round()) == []  # type: ignore[arg-type]


def test_a_full_disk_is_no_fault_of_pbem_and_the_letter_waits(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.letter("south", pull("south") + "luck: one sober stork\n")
    place = str(office.game / "mail" / "s0002-south-01.txt")

    def full(self: GameDir, path: str, data: bytes, **how: object) -> None:
        raise OSError(28, "No space left on device", place)

    with monkeypatch.context() as patch:
        patch.setattr(GameDir, "put", full)
        said = troubles(office.round())  # type: ignore[arg-type]
    assert said == [f"the system cannot use {place}: No space left on device; the other games went on"]
    assert waiting(office) == 1
    office.round()
    assert waiting(office) == 0
    assert office.open().ledger.newest_slot == 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")
def test_a_folder_whose_name_is_no_text_holds_a_game_as_any_other(office: OfficeTable) -> None:
    office.game = office.game.rename(office.root / os.fsdecode(b"f\xf6rd"))
    office.letter("south", pull("south") + "luck: one sober stork\n")
    assert troubles(office.round()) == []  # type: ignore[arg-type]
    assert office.open().ledger.newest_slot == 2
    assert verify(office.game).failures == ()


def test_the_desk_tells_a_lost_state_as_the_round_does(office: OfficeTable) -> None:
    (office.game / "state/s0001.json").unlink()
    found: list[Trouble] = []
    list(figures(office.env, office.root, found))
    (told,) = [one.said for one in found]
    assert told.startswith("the state after slot 1 (state/s0001.json) is missing; pbem mend ")


def test_a_letter_for_a_game_that_cannot_be_opened_is_not_a_strangers(office: OfficeTable) -> None:
    code = office.code("south")
    (office.game / "rolls/s0001.jsonl").unlink()
    office.letter("south", pull("south") + "luck: one sober stork\n", f"Re: your move (code {code})")
    said = troubles(office.round())  # type: ignore[arg-type]
    assert any("E00 rolls/s0001.jsonl: missing; pbem mend " in one for one in said)
    assert waiting(office) == 1
    assert [
        letter
        for letter in office.queued()
        if letter.to == "sam@example.net" and letter.key.startswith("reply-")
    ] == []
    mend(office.env, office.game)
    office.round()
    assert waiting(office) == 0
    assert office.open().ledger.newest_slot == 2


def test_an_older_copy_is_told_and_neither_played_nor_written_about(office: OfficeTable) -> None:
    shutil.copytree(office.game, office.root.parent / "backup")
    office.letter("south", pull("south") + "luck: one sober stork\n")
    office.round()
    assert office.open().ledger.newest_slot == 2
    shutil.rmtree(office.game)
    shutil.move(office.root.parent / "backup", office.game)
    office.letter("south", pull("south") + "luck: two sober storks\n")
    files = office.files()
    sent = {letter.key for letter in office.queued() if not letter.key.startswith("trouble-")}
    said = troubles(office.round())  # type: ignore[arg-type]
    assert any("ends at slot 1 (head" in one and "slot 2 went out to north and south" in one for one in said)
    assert office.files() == files
    assert {letter.key for letter in office.queued() if not letter.key.startswith("trouble-")} == sent
    assert waiting(office) == 1
    asking, office.env = office.env, replace(office.env, insists=True)
    list(run(office.env, office.root, None, pictures=False))
    office.env = asking
    assert waiting(office) == 0
    assert office.open().ledger.newest_slot == 2
    assert troubles(office.round()) == []  # type: ignore[arg-type]
