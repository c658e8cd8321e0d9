"""Making a game: scenario, seats, invitation, joins, start; and everything that is refused before anything is
stored.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from table import SCENARIOS, Table, pull

from pbem.proof.archive import join_namespace
from pbem.proof.canonical import encode
from pbem.proof.known import CHAINS
from pbem.proof.records import join as join_record
from pbem.proof.signing import public_of, sign
from pbem.proof.trees import Tree
from pbem.referee.explain.mapping import check_map, staggered
from pbem.referee.game.game import open_game, writing
from pbem.referee.game.refusal import Refused
from pbem.referee.game.scenario import find_scenario, judge
from pbem.referee.game.sealing import gm_key, value_of
from pbem.referee.turn.admit import admit, admit_words
from pbem.referee.turn.join import join
from pbem.referee.turn.new import INVITATION, SeatWish, game_name, new
from pbem.store import disk
from pbem.store.zips import open_zip


def refused(act: object, *args: object, **more: object) -> Refused:
    with pytest.raises(Refused) as refusal:
        act(*args, **more)  # type: ignore[operator]
    return refusal.value


def codes(refusal: Refused) -> list[str]:
    return [problem.code for problem in refusal.problems] + [found.code for found in refusal.located]


# --- new


def test_what_a_new_game_holds(table: Table) -> None:
    made = table.new()
    assert (made.game, made.gm_seats, made.invited, made.started) == (
        "tug-0a1b2c",
        ("north",),
        ("south",),
        False,
    )
    assert sorted(table.files()) == [
        "game.toml",
        "keys/allowed_signers",
        "ledger/00001-manifest.json",
        "ledger/00001-manifest.json.sig",
        "outbox/invitation-south.txt",
        "outbox/invitation.zip",
        "scenario/maps/yard.yaml",
        "scenario/tug.yaml",
    ]
    manifest = json.loads(table.files()["ledger/00001-manifest.json"])
    assert manifest["ruleset"] == {"id": "toy", "modules": ["yard"], "options": {}, "revision": 1}
    assert manifest["seats"] == [
        {"by": "gm", "seat": "north", "side": "north"},
        {"by": "player", "key": public_of(table.key("south")).line, "seat": "south", "side": "south"},
    ]
    assert [entry["path"] for entry in manifest["files"]] == ["scenario/maps/yard.yaml", "scenario/tug.yaml"]
    assert manifest["engine"]["name"] == "pbem"
    settings = tomllib.loads(table.files()["game.toml"].decode())
    assert settings == {
        "title": "A rope across the yard",
        "seats": {"north": {"name": "North"}, "south": {"name": "South"}},
    }
    invitation = open_zip(table.game / INVITATION)
    assert sorted(invitation) == [
        "README.txt",
        *(path for path in sorted(table.files()) if not path.startswith(("outbox/", "game.toml"))),
    ]
    letter = table.files()["outbox/invitation-south.txt"].decode()
    assert "pbem join invitation.zip --key KEY -o join.txt" in letter


def test_seats_that_are_not_named_are_the_sides(table: Table) -> None:
    made = new(table.env, str(SCENARIOS / "tug.yaml"), table.root / "my game")
    assert (made.gm_seats, made.invited) == (("north",), ("south",))
    assert made.game.startswith("my-game-")
    assert len(made.game) == len("my-game-") + 6
    assert "You need no program" in (made.folder / "outbox/invitation-south.txt").read_text()


def test_the_name_of_a_game_comes_from_its_folder() -> None:
    assert game_name(Path("x/Größe & Glück"), bytes(3)) == "gr-e-gl-ck-000000"
    assert game_name(Path("x/--"), bytes(3)) == "game-000000"
    assert len(game_name(Path("x" * 99), bytes(3))) == 40


@pytest.mark.parametrize(
    ("wishes", "more", "wanted"),
    [
        ([SeatWish("north", "north", "A")], {}, ["seat.nobody", "seat.alone"]),
        (
            [SeatWish("north", "north", "A"), SeatWish("north", "south", "B")],
            {},
            ["seat.name", "seat.name", "seat.alone"],
        ),
        ([SeatWish("gm", "north", "A"), SeatWish("south", "south", "B")], {}, ["seat.name"]),
        ([SeatWish("north", "east", "A"), SeatWish("south", "south", "B")], {}, ["seat.side", "seat.nobody"]),
        (
            [SeatWish("north", "north", "A"), SeatWish("south", "south", "B", "ssh-rsa AAAA")],
            {},
            ["seat.key"],
        ),
        ([SeatWish("north", "north", "A"), SeatWish("south", "south", "B")], {"me": "east"}, ["game.seat"]),
        ([], {"name": "short"}, ["game.name"]),
        ([], {"options": {"knots": "none"}}, ["rules.value"]),
        ([], {"options": {"nots": "few"}}, ["rules.option"]),
    ],
)
def test_seats_and_options_that_are_refused(
    table: Table, wishes: list[SeatWish], more: dict[str, object], wanted: list[str]
) -> None:
    refusal = refused(
        new, table.env, str(SCENARIOS / "tug.yaml"), table.game, wishes, **{"name": "tug-0a1b2c", **more}
    )
    assert codes(refusal) == wanted
    assert not table.game.exists()
    assert not (table.root / "home").exists()


def test_two_seats_with_one_key(table: Table) -> None:
    wishes = [table.wish("north", keyed=True), table.wish("south", keyed=True)]
    wishes[1] = SeatWish("south", "south", "B", wishes[0].key)
    refusal = refused(new, table.env, str(SCENARIOS / "tug.yaml"), table.game, wishes, umpire=True)
    assert codes(refusal) == ["seat.same-key"]


def test_a_name_is_used_once(table: Table) -> None:
    table.new()
    again = refused(new, table.env, str(SCENARIOS / "tug.yaml"), table.game)
    assert codes(again) == ["game.exists"]
    elsewhere = refused(new, table.env, str(SCENARIOS / "tug.yaml"), table.root / "other", name="tug-0a1b2c")
    assert codes(elsewhere) == ["game.name-used"]
    (table.root / "file").write_text("x")
    assert codes(
        refused(new, table.env, str(SCENARIOS / "tug.yaml"), table.root / "file", name="tug-1a1b2c")
    ) == ["game.exists"]


def test_an_umpire_who_plays_every_seat_begins_at_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = [SeatWish("north", "north", "A"), SeatWish("south", "south", "B")]
    made = new(
        table.env,
        str(SCENARIOS / "tug.yaml"),
        table.game,
        wishes,
        profile="gm",
        me="north",
        name="tug-0a1b2c",
    )
    assert not made.started
    admit_words(table.env, table.game, "south", "yes")
    assert table.open().ledger.started


# --- scenarios


def scenario(tmp_path: Path, text: str, map_: str | None = None) -> str:
    (tmp_path / "maps").mkdir(exist_ok=True)
    (tmp_path / "s.yaml").write_text(text)
    (tmp_path / "maps/yard.yaml").write_text(
        map_ if map_ is not None else (SCENARIOS / "maps/yard.yaml").read_text()
    )
    return str(tmp_path / "s.yaml")


def test_a_scenario_with_everything_wrong(tmp_path: Path) -> None:
    good = (SCENARIOS / "tug.yaml").read_text()
    refusal = refused(
        judge, find_scenario(scenario(tmp_path, good.replace("4 turns", "soon"), "map: yard\nsize: 9 x 1\n"))
    )
    assert sorted(codes(refusal)) == [
        "schema.missing",
        "schema.missing",
        "schema.pattern",
        "toy.length",
        "toy.size",
    ]
    refusal = refused(
        judge, find_scenario(scenario(tmp_path, good.replace("modules: [yard]", "modules: [yard, moat]")))
    )
    assert [(found.code, found.line) for found in refusal.located] == [("rules.module", 4)]
    assert codes(refused(find_scenario, scenario(tmp_path, "- a\n"))) == ["scenario.form"]
    assert codes(refused(find_scenario, scenario(tmp_path, "map: [a]\n"))) == ["scenario.map"]
    assert codes(refused(find_scenario, scenario(tmp_path, "map: ../x\n"))) == ["scenario.map"]
    assert codes(refused(find_scenario, scenario(tmp_path, "map: a\nmap: b\n"))) == ["yaml.twice"]
    assert codes(refused(find_scenario, scenario(tmp_path, "map: elsewhere\n"))) == ["file.missing"]
    refusal = refused(
        judge, find_scenario(scenario(tmp_path, good.replace("ruleset: toy", "ruleset: chess")))
    )
    assert (codes(refusal), refusal.answer) == (["rules.unknown"], 3)
    assert [found.line for found in refusal.located] == [3]
    refusal = refused(judge, find_scenario(scenario(tmp_path, good.replace("ruleset: toy\n", ""))))
    assert codes(refusal) == ["schema.missing"]
    refusal = refused(
        judge, find_scenario(scenario(tmp_path, good.replace("ruleset: toy", "ruleset: toy\nrevision: 9")))
    )
    assert (codes(refusal), refusal.answer) == (["rules.revision"], 3)


def test_a_scenario_by_name() -> None:
    found = find_scenario("windle-hill")
    assert sorted(path for path in found.files if path.startswith("scenario/")) == [
        "scenario/maps/windle-hill.yaml",
        "scenario/windle-hill.yaml",
    ]
    assert "tables/combat_foot.yaml" in found.files
    refusal = refused(find_scenario, "windle-hil")
    assert (refusal.answer, refusal.problems[0].help) == (3, "did you mean 'windle-hill'?")
    assert refused(find_scenario, "nowhere/x.yaml").answer == 3


def test_tables_of_ones_own(table: Table, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    assert codes(refused(find_scenario, str(SCENARIOS / "tug.yaml"), tmp_path / "tables")) == ["tables.none"]
    (tmp_path / "tables/knots.yaml").write_text("basis: complete\n")
    refusal = refused(judge, find_scenario(str(SCENARIOS / "tug.yaml"), tmp_path / "tables"))
    assert codes(refusal) == ["tables.unknown"]
    (tmp_path / "tables/knots.yaml").write_text("a: b\na: c\n")
    assert codes(refused(judge, find_scenario(str(SCENARIOS / "tug.yaml"), tmp_path / "tables"))) == [
        "yaml.twice"
    ]


def test_maps(tmp_path: Path) -> None:
    yard = SCENARIOS / "maps/yard.yaml"
    assert check_map(yard, "toy") == ("toy", ())
    assert staggered(yard) == " 01 .     .     .     .\n       .     .     ."
    (tmp_path / "m.yaml").write_text(yard.read_text().replace("7 x 1", "8 x 1"))
    assert codes(refused(check_map, tmp_path / "m.yaml", "toy")) == ["toy.size"]
    (tmp_path / "m.yaml").write_text("map: x\n")
    assert set(codes(refused(check_map, tmp_path / "m.yaml", "toy"))) == {"schema.missing", "toy.size"}
    assert set(codes(refused(staggered, tmp_path / "m.yaml"))) == {"schema.missing"}
    (tmp_path / "m.yaml").write_text("map: [\n")
    assert codes(refused(staggered, tmp_path / "m.yaml"))[0].startswith("yaml.")
    assert codes(refused(check_map, tmp_path / "m.yaml", "toy"))[0].startswith("yaml.")
    assert codes(refused(check_map, tmp_path / "m.yaml", "chess")) == ["rules.unknown"]


# --- join and admit


def test_a_join_starts_the_game(table: Table) -> None:
    table.new()
    joined = join(table.player, table.game / INVITATION, table.key("south"))
    assert (joined.game, joined.seat) == ("tug-0a1b2c", "south")
    (secret,) = table.player.keyring.secrets("tug-0a1b2c", "south")
    assert secret is not None
    assert json.loads(joined.letter.partition(b"\n")[0])["root"] == Tree(secret, "tug-0a1b2c", "south").root
    taken = admit(table.env, table.game, joined.letter.replace(b"\n", b"\r\n"))
    assert (taken.seat, taken.started, taken.missing) == ("south", True, ())
    again = admit(table.env, table.game, joined.letter)
    assert again.started
    assert codes(refused(join, table.player, table.game / INVITATION, table.key("south"))) == [
        "game.name-used"
    ]


def test_joins_that_are_refused(table: Table) -> None:
    table.new()
    invitation = table.game / INVITATION
    assert codes(refused(join, table.player, invitation, table.key("nobody"))) == ["join.no-seat"]
    assert codes(refused(join, table.player, invitation, table.key("south"), "north")) == ["join.no-seat"]
    assert codes(refused(join, table.player, invitation, None)) == ["join.which"]
    assert codes(refused(join, table.player, invitation, None, "south")) == ["join.needs-key"]
    assert codes(refused(join, table.player, invitation, None, "east")) == ["game.seat"]
    (table.root / "bad.zip").write_bytes(b"PK")
    assert codes(refused(join, table.player, table.root / "bad.zip", None, "south")) == ["zip.no-zip"]
    assert codes(refused(join, table.player, table.root / "none.zip", None, "south")) == ["game.missing"]
    assert not (table.root / "player").exists()


def test_a_forged_invitation_is_refused(table: Table) -> None:
    from pbem.store.zips import write_zip

    table.new()
    archive = open_zip(table.game / INVITATION)
    files = {path: archive[path] for path in archive}
    name = "ledger/00001-manifest.json"
    files[name] = files[name].replace(b'"profile":"joint"', b'"profile":"gm"')
    (table.root / "forged.zip").write_bytes(write_zip(files))
    refusal = refused(join, table.player, table.root / "forged.zip", table.key("south"))
    assert refusal.problems[0].args["finding"] == "E02"


def test_words_join_where_there_is_no_key(table: Table) -> None:
    table.new(keyed=())
    joined = join(table.player, table.game / INVITATION, None, "south", "yes, I play")
    assert (joined.chain_file, joined.fingerprint) == (None, "")
    assert admit(table.env, table.game, joined.letter).started


def test_a_key_joins_with_words_in_the_other_profile(table: Table) -> None:
    table.new(profile="gm")
    joined = join(table.player, table.game / INVITATION, table.key("south"))
    assert joined.chain_file is None
    assert admit(table.env, table.game, joined.letter).started


def letter(table: Table, key: str = "south", **more: object) -> bytes:
    fields = {
        "game": "tug-0a1b2c",
        "seat": "south",
        "manifest_id": table.open().ledger.manifest_id,
        "root": "ab" * 32,
        **more,
    }
    data = encode(join_record(**fields))  # type: ignore[arg-type]
    return data + sign(table.key(key), join_namespace("tug-0a1b2c", str(fields["seat"])), data).encode()


def test_letters_that_are_no_joins(table: Table) -> None:
    table.new()
    before = table.files()
    root = json.loads(before["ledger/00001-manifest.json"])["root"]
    for data, wanted in (
        (b"", "join.form"),
        (b"x" * 70_000, "join.form"),
        (b'{"type":"go"}\n', "join.form"),
        (b'{"type":"join"}\n', "join.form"),
        (letter(table, game="other-0a1b2c"), "join.other-game"),
        (letter(table, manifest_id="0" * 64), "join.other-game"),
        (letter(table, seat="east"), "join.seat"),
        (letter(table, seat="north"), "join.seat"),
        (letter(table, key="north"), "proof.signature"),
        (letter(table).partition(b"-----")[0], "proof.unsigned"),
        (letter(table, root=root), "join.same-anchor"),
        (letter(table, revision=CHAINS), "join.anchor"),
    ):
        assert codes(refused(admit, table.env, table.game, data)) == [wanted], data[:80]
    assert table.files() == before
    assert codes(refused(admit_words, table.env, table.game, "south", "a\x01b")) == ["record.text"]
    assert codes(refused(admit_words, table.env, table.game, "south", "yes")) == ["proof.unsigned"]


def test_a_root_where_none_may_be(table: Table) -> None:
    table.new(profile="gm")
    assert codes(refused(admit, table.env, table.game, letter(table))) == ["join.anchor"]


def test_joining_twice_or_late(table: Table) -> None:
    table.new(umpire=True, keyed=("south",))
    assert admit(table.env, table.game, letter(table)).missing == ("north",)
    assert codes(refused(admit, table.env, table.game, letter(table, root="cd" * 32))) == ["join.twice"]
    assert table.open().not_joined == ("north",)
    assert refused(lambda: table.open().announced()).problems[0].code == "game.not-started"
    admit_words(table.env, table.game, "north", "yes, I play")
    assert table.open().ledger.started


# --- opening


def test_games_that_cannot_be_opened(table: Table, tmp_path: Path) -> None:
    assert (codes(refused(open_game, tmp_path / "none")), refused(open_game, tmp_path / "none").answer) == (
        ["game.missing"],
        3,
    )
    (tmp_path / "empty").mkdir()
    assert codes(refused(open_game, tmp_path / "empty")) == ["game.none"]
    table.started()
    (table.game / "keys/allowed_signers").unlink()
    open_game(table.game)
    (table.game / "scenario/tug.yaml").unlink()
    missing = refused(open_game, table.game)
    assert (missing.answer, missing.problems[0].args["finding"]) == (3, "E00")
    (table.game / "scenario/tug.yaml").write_text("x")
    assert refused(open_game, table.game).answer == 1


def test_writing_needs_the_folder_and_to_be_alone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    monkeypatch.setattr(disk, "PATIENCE", 0.0)
    monkeypatch.setattr(disk.exclusive.__wrapped__, "__defaults__", (0.0,))  # type: ignore[attr-defined]
    with disk.exclusive(table.game):
        busy = refused(table.orders, "north", pull("north"))
    assert (busy.answer, codes(busy)) == (3, ["game.busy"])
    invitation = table.game / INVITATION
    assert codes(refused(lambda: writing(invitation).__enter__())) == ["game.read-only"]
    assert codes(refused(lambda: writing(table.root / "none").__enter__())) == ["game.missing"]


def test_the_secrets_of_the_gm(table: Table) -> None:
    from msgspec.structs import replace

    from pbem.proof.signing import private_to_openssh
    from pbem.store.keys import Keyring

    table.started()
    game = table.open()
    stranger = replace(table.env, keyring=Keyring(table.root / "stranger"))
    assert codes(refused(gm_key, stranger, game)) == ["keys.no-gm"]
    assert codes(refused(value_of, stranger, game, "gm", 1)) == ["keys.no-chain"]
    stranger.keyring.keep_key("tug-0a1b2c", b"no key")
    assert codes(refused(gm_key, stranger, game)) == ["keys.unreadable"]
    other = replace(table.env, keyring=Keyring(table.root / "other"))
    other.keyring.keep_key("tug-0a1b2c", private_to_openssh(table.key("south")))
    assert codes(refused(gm_key, other, game)) == ["keys.other-gm"]
