"""Mending: what was lost is made again, byte for byte; what was changed is set aside and told; nothing that
is signed is touched.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from killing import everywhere
from msgspec.structs import replace
from table import Table

from pbem.proof.inside import is_proof
from pbem.proof.signing import sign
from pbem.proof.verify import PASS
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.mend import Mended, mend
from pbem.referee.proving.verify import verify
from pbem.store import disk
from pbem.store.keys import Keyring
from pbem.store.zips import open_zip, write_zip


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A game of four slots, played once for all tests here: seats with a key and without, a go, a map for
    each slot.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda number: None)
        table = Table(tmp_path_factory.mktemp("once"))
        table.started(keyed=("south",))
        for number in range(4):
            (seat,) = table.open().announced()["waits"]
            table.orders(seat, f"pull:\n- {seat}-team pulls\n")
            if table.open().ledger.locked is None:
                table.lock()
            locked = table.open().ledger.locked
            for asked in locked.asked if locked is not None else ():
                table.go(asked)
            table.resolve(pictures=number == 3)
        yield table


@pytest.fixture
def game(once: Table, tmp_path: Path) -> Table:
    """A copy of that game, to be damaged."""
    shutil.copytree(once.game, tmp_path / "game")
    table = Table(tmp_path)
    table.env = replace(table.env, keyring=once.env.keyring)
    return table


def lose(game: Table, *paths: str) -> None:
    for path in paths:
        (game.game / path).unlink()


def done(game: Table, **more: bool) -> Mended:
    return mend(game.env, game.game, **more)


def as_it_was(game: Table, once: Table) -> bool:
    return {
        path: data for path, data in game.files().items() if not path.startswith("aside/")
    } == once.files()


def deeds(mended: Mended) -> list[tuple[str, str]]:
    return [(one.what, one.path) for one in mended.deeds]


def test_a_game_in_which_nothing_is_wrong_is_left_alone(game: Table, once: Table) -> None:
    found = done(game)
    assert (found.deeds, found.left, found.answer) == ((), (), 0)
    assert game.files() == once.files()


FOLLOWS = [
    ["state/s0004.json"],
    ["state/s0000.json"],
    ["rolls/s0001.jsonl"],
    ["rolls/s0001.jsonl", "rolls/s0002.jsonl", "rolls/s0003.jsonl", "rolls/s0004.jsonl"],
    ["state/s0002.json", "rolls/s0002.jsonl", "events/s0002.jsonl", "reports/s0002.txt"],
    ["events/s0003.jsonl"],
    ["reports/s0001.txt"],
    ["reports/s0004.txt"],
    ["maps/s0004.png"],
    ["keys/allowed_signers"],
]


@pytest.mark.parametrize("paths", FOLLOWS, ids=lambda paths: " ".join(paths))
def test_what_follows_from_the_ledger_is_made_again_byte_for_byte(
    game: Table, once: Table, paths: list[str]
) -> None:
    lose(game, *paths)
    found = done(game)
    assert sorted(deeds(found)) == sorted(("made again", path) for path in paths)
    assert as_it_was(game, once)
    assert (found.answer, done(game).deeds) == (0, ())


def test_a_slot_that_lost_map_and_report_gets_its_map_where_all_others_have_theirs(
    game: Table, once: Table
) -> None:
    for slot in (1, 2, 3):
        shutil.copy(game.game / "maps/s0004.png", game.game / f"maps/s000{slot}.png")
    lose(game, "maps/s0004.png", "reports/s0004.txt")
    assert deeds(done(game)) == [("made again", "maps/s0004.png"), ("made again", "reports/s0004.txt")]
    assert game.files()["reports/s0004.txt"] == once.files()["reports/s0004.txt"]


def test_a_picture_and_a_report_that_were_cut_short_are_made_again(game: Table, once: Table) -> None:
    for path in ("maps/s0004.png", "reports/s0004.txt"):
        (game.game / path).write_bytes((game.game / path).read_bytes()[:300])
    assert [one.aside for one in done(game).deeds] == ["aside/1/maps/s0004.png", "aside/1/reports/s0004.txt"]
    assert as_it_was(game, once)


def test_a_report_in_other_words_is_the_one_that_was_sent(game: Table) -> None:
    path = game.game / "reports/s0002.txt"
    path.write_text(path.read_text() + "\nWell played, both of you.\n")
    assert done(game).deeds == ()


SOUTH = "seats/south/orders-s0002.txt"


@pytest.mark.parametrize(
    "paths", [[SOUTH], [f"{SOUTH}.sig"], [SOUTH, f"{SOUTH}.sig"]], ids=lambda paths: " ".join(paths)
)
def test_published_orders_that_still_lie_in_the_mail_are_published_again(
    game: Table, once: Table, paths: list[str]
) -> None:
    lose(game, *paths)
    assert verify(game.game).verdict != "pass"
    found = done(game)
    assert sorted(deeds(found)) == sorted(("published", path) for path in paths)
    assert as_it_was(game, once)
    assert found.answer == 0


def test_orders_that_lie_nowhere_any_more_are_told_and_what_follows_from_them_is_not_guessed(
    game: Table,
) -> None:
    lose(game, SOUTH, "mail/s0002-south-01.txt", "state/s0002.json")
    found = done(game)
    assert found.answer == 3
    assert deeds(found) == []
    assert found.left == (
        "state/s0002.json cannot be made again: an order file that slot 2 needs is not here",
    )
    assert {one.code for one in found.verdict.failures} == {"E00"}
    assert found.verdict.failures[0].where == SOUTH


# --- changed on purpose


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("rolls/s0001.jsonl", "made again"),
        ("state/s0003.json", "made again"),
        ("events/s0003.jsonl", "made again"),
        (SOUTH, "published"),
    ],
)
def test_what_was_changed_is_kept_under_a_name_that_is_told(
    game: Table, once: Table, path: str, what: str
) -> None:
    changed = (game.game / path).read_bytes().replace(b"1", b"2", 1)
    (game.game / path).write_bytes(changed)
    (only,) = done(game).deeds
    assert (only.what, only.path, only.aside) == (what, path, f"aside/1/{path}")
    assert (game.game / only.aside).read_bytes() == changed
    assert as_it_was(game, once)
    assert verify(game.game).failures == ()
    (game.game / path).write_bytes(changed)
    assert done(game).deeds[0].aside == f"aside/1/{path}"
    (game.game / path).write_bytes(b"something else")
    assert done(game).deeds[0].aside == f"aside/2/{path}"


def test_a_newest_record_that_was_changed_is_set_aside_where_its_signature_fits_what_the_orders_give(
    game: Table, once: Table
) -> None:
    path = newest(game)
    path.write_bytes(path.read_bytes().replace(b'"phases":["t2', b'"phases":["t3'))
    (only,) = done(game).deeds
    assert (only.what, only.aside) == ("made again", f"aside/1/ledger/{path.name}")
    assert as_it_was(game, once)


def forget(game: Table) -> None:
    """Let nobody know any more what went out."""
    (game.game / "told.json").unlink(missing_ok=True)
    game.env.keyring.told_file(game.open().ledger.game).unlink(missing_ok=True)


def test_a_newest_record_that_was_changed_is_made_again_where_it_is_known_to_have_gone_out(
    game: Table, once: Table
) -> None:
    path = newest(game)
    path.write_bytes(path.read_bytes().replace(b'"at":"2026', b'"at":"2027'))
    (only,) = done(game).deeds
    assert (only.what, only.path, only.aside) == (
        "made again",
        f"ledger/{path.name}",
        f"aside/1/ledger/{path.name}",
    )
    assert path.read_bytes() == (once.game / "ledger" / path.name).read_bytes()


def test_a_record_whose_time_was_changed_is_left_and_told(game: Table) -> None:
    forget(game)
    path = newest(game)
    path.write_bytes(path.read_bytes().replace(b'"at":"2026', b'"at":"2027'))
    before = game.files()
    found = done(game)
    assert game.files() == before
    assert found.answer == 1
    assert found.verdict.failures[0].code == "E02"
    assert "it was changed, or damaged" in found.left[0]


def test_a_changed_record_in_the_middle_is_never_signed(game: Table) -> None:
    path = next((game.game / "ledger").glob("*-s0003-lock.json"))
    path.write_bytes(path.read_bytes().replace(b'"at":"2026', b'"at":"2025'))
    path.with_name(path.name + ".sig").unlink()
    before = game.files()
    assert done(game).answer == 1
    assert game.files() == before


def test_what_lies_behind_a_link_is_left(game: Table, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (game.game / "events").rename(elsewhere)
    (elsewhere / "s0001.jsonl").unlink()
    (game.game / "events").symlink_to(elsewhere)
    found = done(game)
    assert not (elsewhere / "s0001.jsonl").exists()
    assert found.left[0] == "events/s0001.jsonl is left: events is a link, and leads out of the game"


# --- the ledger itself


def newest(game: Table) -> Path:
    return max(path for path in (game.game / "ledger").glob("*.json"))


def test_the_newest_record_without_its_signature_is_the_same_record_again(game: Table, once: Table) -> None:
    lose(game, f"ledger/{newest(game).name}.sig")
    found = done(game)
    assert deeds(found) == [("signed again", f"ledger/{newest(game).name}.sig")]
    assert as_it_was(game, once)


def test_the_newest_record_cut_short_beside_its_signature_is_the_same_record_again(
    game: Table, once: Table
) -> None:
    newest(game).write_bytes(newest(game).read_bytes()[:300])
    found = done(game)
    assert [(one.what, one.aside) for one in found.deeds] == [
        ("made again", f"aside/1/ledger/{newest(game).name}")
    ]
    assert as_it_was(game, once)


def test_a_newest_record_that_was_changed_and_lost_its_signature_is_not_signed(game: Table) -> None:
    forget(game)
    path = newest(game)
    path.write_bytes(path.read_bytes().replace(b'"phases":["t2', b'"phases":["t3'))
    path.with_name(path.name + ".sig").unlink()
    (only,) = done(game).deeds
    assert (only.what, only.path, only.aside) == (
        "set aside",
        f"ledger/{path.name}",
        f"aside/1/ledger/{path.name}",
    )
    assert only.why == "it was never signed; now: pbem resolve GAME"
    assert game.open().ledger.locked is not None


@pytest.mark.parametrize("kind", ["start", "s0001-lock", "s0003-result"])
def test_a_signature_in_the_middle_is_made_again_where_the_next_record_names_the_file(
    game: Table, once: Table, kind: str
) -> None:
    (path,) = (game.game / "ledger").glob(f"*-{kind}.json")
    path.with_name(path.name + ".sig").unlink()
    assert deeds(done(game)) == [("signed again", f"ledger/{path.name}.sig")]
    assert as_it_was(game, once)


def test_without_the_umpires_key_nothing_is_signed(game: Table, tmp_path: Path) -> None:
    forget(game)
    lose(game, f"ledger/{newest(game).name}.sig")
    before = game.files()
    found = mend(replace(game.env, keyring=Keyring(tmp_path / "nobody")), game.game)
    assert game.files() == before
    assert found.left == (
        f"ledger/{newest(game).name} has lost its signature, and this computer "
        "does not have the umpire's key",
    )


def test_a_lock_without_its_signature_is_the_same_lock_again(once: Table, tmp_path: Path) -> None:
    game = Table(tmp_path).started(keyed=("south",))
    game.orders("north", "pull:\n- north-team pulls\n")
    game.lock()
    before = game.files()
    lose(game, f"ledger/{newest(game).name}.sig")
    assert deeds(done(game)) == [("signed again", f"ledger/{newest(game).name}.sig")]
    assert game.files() == before
    game.go("south")
    assert game.resolve().slot == 1


def test_copies_that_a_cloud_left_in_the_ledger_are_set_aside(game: Table, once: Table) -> None:
    shutil.copy(newest(game), newest(game).with_name(newest(game).stem + " (conflicted copy).json"))
    assert [one.what for one in done(game).deeds] == ["set aside"]
    assert as_it_was(game, once)
    newest(game).rename(newest(game).with_name(newest(game).stem + " (1).json"))
    assert [one.what for one in done(game).deeds] == ["made again", "set aside"]
    assert as_it_was(game, once)


# --- line ends


def test_a_game_that_git_gave_other_line_ends_is_as_it_was(game: Table, once: Table) -> None:
    for path, data in game.files().items():
        if not path.endswith(".png"):
            (game.game / path).write_bytes(data.replace(b"\n", b"\r\n"))
    assert verify(game.game).verdict == "undecided"
    found = done(game)
    assert {one.what for one in found.deeds} == {"line ends"}
    assert {one.aside for one in found.deeds} == {""}
    assert found.answer == 0
    proof = ("ledger", "seats", "rolls", "state", "scenario", "keys", "events")
    assert [
        path
        for path, data in game.files().items()
        if path.partition("/")[0] in proof and once.files()[path] != data
    ] == []


def test_orders_that_a_player_signed_with_other_line_ends_stay_as_he_signed_them(tmp_path: Path) -> None:
    game = Table(tmp_path).started(umpire=True, keyed=("north",))
    signed = game.signed("north", "pull:\n- north-team pulls\n")
    data = signed.data.replace(b"\n", b"\r\n")
    head = signed.data.partition(b"#head ")[2][:64].decode()
    from pbem.proof.archive import orders_namespace
    from pbem.referee.turn.submit import submit

    signature = sign(game.key("north"), orders_namespace("tug-0a1b2c", 1, "north", head), data).encode()
    submit(game.env, game.game, "north.txt", data, signature)
    game.resolve()
    path = game.game / "seats/north/orders-s0001.txt"
    assert path.read_bytes() == data
    assert done(game).deeds == ()
    path.write_bytes(data.replace(b"\r\n", b"\n"))
    (game.game / "mail/s0001-north-01.txt").unlink()
    assert deeds(done(game)) == [("line ends", "seats/north/orders-s0001.txt")]
    assert path.read_bytes() == data


def test_a_locked_slot_whose_orders_lie_in_the_mail_goes_on_after_git_changed_all_line_ends(
    tmp_path: Path,
) -> None:
    game = Table(tmp_path).started(umpire=True, keyed=("north",))
    game.orders("north", "pull:\n- north-team pulls\n")
    before = game.files()
    for path, data in before.items():
        if not path.endswith(".zip"):
            (game.game / path).write_bytes(data.replace(b"\n", b"\r\n"))
    assert done(game).deeds
    files = game.files()
    assert [
        path
        for path in before
        if not path.startswith("outbox/")
        and path not in ("game.toml", "told.json")
        and files[path] != before[path]
    ] == []
    assert game.resolve().slot == 1


# --- an archive in one file


def packed(game: Table, to: Path, **changed: bytes | None) -> Path:
    found = {
        path: data
        for path, data in game.files().items()
        if not path.startswith(("mail/", "outbox/", "game.toml"))
    }
    for path in [path for path, data in changed.items() if data is None]:
        del found[path]
    to.write_bytes(write_zip({**found, **{path: data for path, data in changed.items() if data is not None}}))
    return to


def test_an_archive_is_mended_into_another_file(game: Table, once: Table, tmp_path: Path) -> None:
    state = once.files()["state/s0002.json"]
    old = packed(
        game,
        tmp_path / "old.zip",
        **{"state/s0002.json": state.replace(b"2", b"3"), "rolls/s0003.jsonl": None},
    )
    data = old.read_bytes()
    found = mend(game.env, old, out=tmp_path / "new.zip")
    assert deeds(found) == [("made again", "state/s0002.json"), ("made again", "rolls/s0003.jsonl")]
    assert (found.answer, old.read_bytes()) == (0, data)
    new = open_zip(tmp_path / "new.zip")
    assert new["state/s0002.json"] == state
    assert new["rolls/s0003.jsonl"] == once.files()["rolls/s0003.jsonl"]


def test_an_archive_in_which_nothing_is_wrong_is_not_written_again(game: Table, tmp_path: Path) -> None:
    fine = packed(game, tmp_path / "fine.zip")
    assert mend(game.env, fine, out=tmp_path / "new.zip").deeds == ()
    assert not (tmp_path / "new.zip").exists()


def test_of_an_archive_nothing_is_signed_anew_and_it_is_not_changed_in_its_place(
    game: Table, tmp_path: Path
) -> None:
    unsigned = packed(game, tmp_path / "unsigned.zip", **{f"ledger/{newest(game).name}.sig": None})
    found = mend(game.env, unsigned, out=tmp_path / "new.zip")
    assert (found.deeds, found.answer) == ((), 1)
    with pytest.raises(Refused, match=r"mend\.out"):
        mend(game.env, unsigned)


# --- how it works


def test_a_dry_run_says_the_same_and_changes_nothing(game: Table) -> None:
    lose(game, "state/s0004.json", "rolls/s0002.jsonl")
    (game.game / "events/s0001.jsonl").write_bytes(b"{}\n")
    (game.game / "state/.s0005.json.tmp").write_bytes(b"half")
    before = {path: path.stat().st_mtime_ns for path in sorted(game.game.rglob("*")) if path.is_file()}
    dry = done(game, dry_run=True)
    assert {
        path: path.stat().st_mtime_ns for path in sorted(game.game.rglob("*")) if path.is_file()
    } == before
    assert dry.answer == 0
    assert deeds(dry) == deeds(done(game))


def test_mending_that_is_killed_is_gone_on_with(
    game: Table, once: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = once.files()["rolls/s0001.jsonl"].replace(b"1", b"2", 1)

    def begin() -> None:
        shutil.rmtree(game.game)
        shutil.copytree(once.game, game.game)
        (game.game / "rolls/s0001.jsonl").write_bytes(changed)
        lose(game, "state/s0004.json")

    def look() -> None:
        done(game)
        assert as_it_was(game, once)
        assert (game.game / "aside/1/rolls/s0001.jsonl").read_bytes() == changed

    assert everywhere(monkeypatch, lambda: done(game), begin, look, ("rename", "move")) == 3


def test_what_killed_programs_left_is_removed(game: Table, once: Table) -> None:
    for path in (
        "state/.s0005.json.tmp",
        "ledger/.00007-s0003-lock.json.sig.tmp",
        ".results.json.tmp",
        ".lock.999999999",
        ".lock",
    ):
        (game.game / path).write_text(
            "999999999 nowhere\n" if path != ".lock" else f"999999999 {os.uname().nodename}\n"
        )
    found = done(game)
    assert [one.path for one in found.deeds] == [
        ".lock.999999999",
        ".results.json.tmp",
        "ledger/.00007-s0003-lock.json.sig.tmp",
        "state/.s0005.json.tmp",
    ]
    assert as_it_was(game, once)


def test_nothing_is_mended_while_another_program_works_in_the_game(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(folder: Path) -> None:
        raise disk.Busy(folder / ".lock", "1 here")

    monkeypatch.setattr(disk, "exclusive", busy)
    lose(game, "state/s0004.json")
    with pytest.raises(Refused, match=r"game\.busy"):
        done(game)
    assert not (game.game / "state/s0004.json").exists()


def in_a_letter(data: bytes, name: str = "toll.zip") -> bytes:
    message = EmailMessage()
    message["Subject"] = "Your move"
    message.set_content("What happened is in the archive.\n")
    message.add_attachment(data, maintype="application", subtype="zip", filename=name)
    return message.as_bytes()


def test_of_the_archives_in_letters_the_one_that_knows_most_counts(game: Table, tmp_path: Path) -> None:
    packed = {path: (game.game / path).read_bytes() for path in proof_of(game)}
    old = {
        path: data for path, data in packed.items() if not path.startswith(("ledger/00010", "ledger/00011"))
    }
    box = tmp_path / "box"
    box.mkdir()
    (box / "1.eml").write_bytes(in_a_letter(write_zip(packed)))
    (box / "2.eml").write_bytes(in_a_letter(write_zip(old)))
    (box / "3.eml").write_bytes(in_a_letter(b"PK\x03\x04 but no zip at all"))
    (box / "4.eml").write_bytes(b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n" * 5_000)
    changed = dict(packed)
    rolls = next(path for path in changed if path.startswith("rolls/"))
    changed[rolls] = changed[rolls].replace(b"1", b"2", 1)
    (box / "5.eml").write_bytes(in_a_letter(write_zip(changed)))
    shutil.rmtree(game.game)
    done = mend(game.env, game.game, copy=box)
    assert done.verdict.verdict == PASS and done.answer == 0
    assert {path: (game.game / path).read_bytes() for path in packed} == packed


def test_letters_without_an_archive_that_holds_are_refused(game: Table, tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_bytes(in_a_letter(b"PK\x03\x04 but no zip at all"))
    with pytest.raises(Refused) as refused:
        mend(game.env, game.game, copy=tmp_path / "one.eml")
    assert refused.value.problems[0].code == "mend.no-letters"
    with pytest.raises(Refused):
        mend(game.env, game.game, copy=tmp_path / "nothing-here")


def proof_of(game: Table) -> list[str]:
    found = [path.relative_to(game.game).as_posix() for path in game.game.rglob("*") if path.is_file()]
    return [path for path in found if is_proof(path)]
