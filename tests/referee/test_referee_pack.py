"""What goes into an archive, and what stays in the folder whatever it is called."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest
from table import Table

from pbem.referee.game.game import open_archive
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verify
from pbem.store.library import example

STAYS = (
    *(
        "gm.key",
        "gm.chain",
        "id_ed25519",
        "pbem.toml",
        "game.toml.bak",
        "notes.txt",
        "Mail/1.eml",
        "mail-old/x.txt",
    ),
    *(
        "seats/south/drafts/a.txt",
        "ledger/00003-s0001-lock - Kopie.json",
        "maps/s0001.png",
        "maps/holiday.png",
    ),
    *("reports/private.txt", "scenario/of-another-game.yaml"),
)


@pytest.fixture
def played(table: Table) -> Table:
    table.started(keyed=("north", "south"), umpire=True)
    table.turn()
    return table


def names(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as packed:
        return set(packed.namelist())


def test_only_what_is_of_the_game_is_packed(played: Table) -> None:
    for path in STAYS:
        (played.game / path).parent.mkdir(parents=True, exist_ok=True)
        (played.game / path).write_bytes(b"password = secret\n")
    archive = played.root / "toll.zip"
    pack(played.env, played.game, archive)
    assert not names(archive) & set(STAYS)
    assert {
        "ledger/00001-manifest.json",
        "rolls/s0001.jsonl",
        "events/s0001.jsonl",
        "reports/s0001.txt",
        "FILES",
    } <= names(archive)
    verdict = verify(archive)
    assert (verdict.failures, verdict.verdict) == ((), "pass")


def test_pictures_go_along_where_they_are_asked_for(played: Table) -> None:
    (played.game / "maps").mkdir(exist_ok=True)
    (played.game / "maps" / "s0001.png").write_bytes(b"\x89PNG")
    pack(played.env, played.game, played.root / "small.zip")
    pack(played.env, played.game, played.root / "large.zip", pictures=True)
    assert names(played.root / "large.zip") - names(played.root / "small.zip") >= {"maps/s0001.png"}


def test_no_pack_gives_away_what_signs_or_makes_dice(played: Table) -> None:
    report = played.game / "reports" / "s0001.txt"
    (secret,) = played.env.keyring.secrets(played.open().id, "gm")
    for leak in (b"-----BEGIN OPENSSH PRIVATE KEY-----", secret, secret.hex().encode()):
        report.write_bytes(b"see here: " + leak)
        with pytest.raises(Refused) as refusal:
            pack(played.env, played.game, played.root / "toll.zip")
        assert refusal.value.problems[0].code == "pack.secret"
        assert not (played.root / "toll.zip").exists()


def test_letters_are_nobody_elses_on_a_shared_machine(played: Table) -> None:
    unread = list((played.game / "mail").rglob("*"))
    assert unread
    assert all(
        not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO) for path in [played.game / "mail", *unread]
    )


def test_the_archive_of_a_whole_game_is_small_for_pictures_are_drawn_from_it() -> None:
    packed = example("alder-ford") / "archive.zip"
    archive, _ = open_archive(packed)
    assert not [path for path in archive if path.endswith((".png", ".svg"))]
    assert packed.stat().st_size < 300_000
