"""What an umpire changed is told to whoever joins, reads or verifies: own tables, an edited scenario or map,
other options.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from table import ENGINE, Table

from pbem.cli import cli
from pbem.post.write.parts import About, Until
from pbem.referee.game.own_rules import LONGEST, MOST, own_rules
from pbem.referee.game.scenario import Found, find_scenario, judge
from pbem.referee.mail.letters import invitation_of, turn_of
from pbem.store import releases
from pbem.store.library import common_words, map_file, scenario_file, shipped_tables

ROOT = Path(__file__).resolve().parents[2]
OTHERS = "tables/shooting_others.yaml"
ONE_CELL = "own tables: shooting_others (1 cell differs from the shipped)"


def manifest(found: Found, options: Mapping[str, str] | None = None) -> dict[str, Any]:
    return {"ruleset": judge(found, options)[0], "engine": ENGINE, "files": []}


@cache
def ford() -> tuple[dict[str, Any], Mapping[str, bytes]]:
    """The game of a shipped scenario, unedited: what its manifest says, and its files."""
    found = find_scenario("alder-ford")
    return manifest(found), found.files


def told(path: str = "", old: str = "", new: str = "", **more: bytes) -> tuple[str, ...]:
    """Return what is told of that game where a file says something else."""
    record, files = ford()
    if path:
        data = files[path].decode()
        assert old in data
        files = {**files, path: data.replace(old, new, 1).encode()}
    return own_rules(record, {**files, **more})


def one_cell(data: bytes) -> bytes:
    changed = data.replace(b"1: [D, D, D, C]", b"1: [E, D, D, C]", 1)
    assert changed != data
    return changed


@pytest.mark.parametrize("path", sorted((ROOT / "scenarios").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_of_a_scenario_as_it_comes_along_nothing_is_told(path: Path) -> None:
    found = find_scenario(path.stem)
    assert own_rules(manifest(found), found.files) == ()


def test_one_cell_of_a_table_is_told() -> None:
    assert told(OTHERS, "1: [D, D, D, C]", "1: [E, D, D, C]") == (ONE_CELL,)
    assert told(OTHERS, "1: [D, D, D, C]", "1: [E, E, E, C]") == (
        "own tables: shooting_others (3 cells differ from the shipped)",
    )


def test_what_only_tells_of_a_table_or_a_scenario_is_no_change() -> None:
    assert told(OTHERS, "basis: reconstructed", "basis: complete  # from my own copy") == ()
    assert told("scenario/alder-ford.yaml", "the autumn market", "the spring market") == ()
    assert told("scenario/alder-ford.yaml", "# Two reeves", "# Two other reeves") == ()


def test_a_table_that_replaces_one_row_alone_differs_in_that_row_alone() -> None:
    record, files = ford()
    row = (
        b"basis: complete\nsource: [mine]\nrows:\n- {die: [1, 5], result: toppled}\n- {die: [6, 10], "
        b"result: stays}\n"
    )
    assert own_rules(record, {**files, "tables/ladders.yaml": row}) == (
        "own tables: ladders (2 cells differ from the shipped)",
    )


def test_sections_of_an_edited_scenario_are_named() -> None:
    assert told("scenario/alder-ford.yaml", "length: 10 turns", "length: 4 turns") == (
        "scenario differs from the shipped alder-ford: length",
    )
    record, files = ford()
    text = (
        files["scenario/alder-ford.yaml"]
        .decode()
        .replace("length: 10 turns", "length: 4 turns")
        .replace("at: 1307", "at: 1308")
    )
    assert own_rules(record, {**files, "scenario/alder-ford.yaml": text.encode()}) == (
        "scenario differs from the shipped alder-ford: length and units",
    )
    hidden = {path: data for path, data in files.items() if path != "scenario/alder-ford.yaml"} | {
        "scenario/a.yaml": text.encode()
    }
    assert own_rules(record, hidden) == ("scenario differs from the shipped alder-ford: length and units",), (
        "under another file name"
    )


def test_an_edited_map_is_told() -> None:
    record, files = ford()
    path = "scenario/maps/alder-ford.yaml"
    shipped = files[path].decode()
    changed = shipped.replace("title:", "title: A narrower", 1)
    assert changed != shipped
    (line,) = own_rules(record, {**files, path: changed.encode()})
    assert line == "map differs from the shipped alder-ford: title"


def test_an_own_scenario_is_called_so() -> None:
    record, files = ford()
    text = files["scenario/alder-ford.yaml"].replace(b"scenario: alder-ford", b"scenario: my-ford")
    own = {path: data for path, data in files.items() if path != "scenario/alder-ford.yaml"} | {
        "scenario/my-ford.yaml": text
    }
    assert own_rules(record, own) == ("own scenario: my-ford",)


def test_options_that_differ_are_told_with_the_edition_they_differ_from() -> None:
    found = find_scenario("alder-ford")

    def chosen(**options: str) -> tuple[str, ...]:
        return own_rules(manifest(found, options), found.files)

    assert chosen(panic_and_rout="true") == (
        "options that differ from the usual ones of the edition french: panic_and_rout true",
    )
    assert chosen(panic_and_rout="false") == (), "the default, written out"
    assert chosen(edition="french") == ()
    assert chosen(edition="english") == ("edition: english",)
    assert chosen(edition="english", line_of_fire="any_part") == ("edition: english",)
    assert chosen(edition="english", panic_and_rout="true") == (
        "edition: english",
        "options that differ from the usual ones of the edition english: panic_and_rout true",
    )


def test_options_of_a_shipped_scenario_are_its_own() -> None:
    found = find_scenario("abbey-road")
    assert own_rules(manifest(found, {"panic_and_rout": "false"}), found.files) == (
        "options that differ from the shipped abbey-road: panic_and_rout false",
    )


def test_modules_that_a_manifest_adds_are_told() -> None:
    record, files = ford()
    more = {**record, "ruleset": {**record["ruleset"], "modules": ["open-ground"]}}
    assert own_rules(more, files) == ("modules other than those of the scenario: open-ground",)


def test_what_comes_out_of_a_file_cannot_move_the_cursor_and_is_short() -> None:
    record, files = ford()
    scenario = files["scenario/alder-ford.yaml"]
    other = {path: data for path, data in files.items() if path != "scenario/alder-ford.yaml"}
    long = "x" * 5000
    named = scenario.replace(b"scenario: alder-ford", b'scenario: "\\u202Eevil' + long.encode() + b'"')
    (line,) = own_rules(record, {**other, "scenario/a.yaml": named})
    assert line.isprintable()
    assert len(line) < LONGEST + 40
    many = "".join(f"section{number}: x\n" for number in range(900)).encode()
    (line,) = own_rules(record, {**other, "scenario/alder-ford.yaml": scenario + many})
    assert line.endswith(f" and {900 - MOST} more")
    every = {path: b"junk" for path in files if path.startswith("tables/")}
    (line,) = own_rules(record, {**files, **every})
    assert line.endswith(f" and {len(every) - MOST} more")


@pytest.mark.parametrize(
    "junk", [b"", b"\xff", b"[", b"- a\n", b"rows: {1: [[[[]]]]}\n", b"basis: x\nsource: y\nrows: 7\n"]
)
def test_files_that_are_nothing_stop_nobody(junk: bytes) -> None:
    record, files = ford()
    for path in (OTHERS, "scenario/alder-ford.yaml", "scenario/maps/alder-ford.yaml"):
        assert len(own_rules(record, {**files, path: junk})) >= 1
    assert own_rules({**record, "ruleset": {**record["ruleset"], "id": "chess"}}, files) == ()
    assert own_rules(record, {}) == ()


def test_a_file_of_another_release_is_nobody_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    record, files = ford()
    old = one_cell(files[OTHERS])
    digest = hashlib.sha256(old).hexdigest()
    entry = releases.release({"version": "0.0.9", "engine": "09" * 32, "files": {OTHERS: [digest]}})
    monkeypatch.setattr(releases, "releases", lambda: (entry,))
    game = {**files, OTHERS: old}
    assert own_rules({**record, "engine": {**ENGINE, "sha256": "09" * 32}}, game) == ()
    assert own_rules(record, game) == (
        "as in pbem 0.0.9, and not as in the one that began this game: shooting_others",
    )
    assert own_rules(record, {**files, "tables/panic.yaml": old})[0].startswith("own tables: panic"), (
        "a file counts under its own name"
    )


# --- where it is told


@pytest.fixture(scope="module")
def own_game(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A game with one cell changed, made with ``new --tables``: two seats without keys."""
    table = Table(tmp_path_factory.mktemp("own"))
    mine = table.root / "mine"
    mine.mkdir()
    (mine / "shooting_others.yaml").write_bytes(
        one_cell(shipped_tables("pbem.rulesets.siege.ruleset")["shooting_others.yaml"])
    )
    with pytest.MonkeyPatch.context() as patch:
        table.at_the_terminal(patch)
        key = table.key_file("west").with_suffix(".key.pub")
        made = CliRunner().invoke(
            cli,
            [
                "new",
                "alder-ford",
                "game",
                "--tables",
                "mine",
                "--seat",
                "east=Ann",
                "--seat",
                f"west=Ben,{key}",
            ],
        )
        assert made.exit_code == 0, made.output
        assert f"Not as it comes with pbem:\n  {ONE_CELL}\n" in made.stdout
    return table


def typed(table: Table, patch: pytest.MonkeyPatch, *words: str, code: int = 0) -> str:
    table.at_the_terminal(patch)
    done = CliRunner().invoke(cli, list(words))
    assert done.exit_code == code, done.output
    return done.stdout


def test_the_invitation_says_it(own_game: Table) -> None:
    files = own_game.files()
    assert f" {ONE_CELL} " in " ".join(files["outbox/invitation-west.txt"].decode().split())
    letter = invitation_of(own_game.open(), "west", About("toll", "Toll", "west", ""))
    assert ONE_CELL in str(letter.game)


def test_who_joins_reads_it(own_game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(own_game.root / "player"))
    table = Table(own_game.root)
    table.env = table.player
    words = ("join", "game/outbox/invitation.zip", "--key", "west.key")
    assert f"Not as it comes with pbem:\n  {ONE_CELL}\n" in typed(table, monkeypatch, *words)
    shutil.rmtree(own_game.root / "player")
    assert json.loads(typed(table, monkeypatch, *words, "--json"))["own_rules"] == [ONE_CELL]


def test_status_brief_and_verify_say_it(own_game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert f"\n  {ONE_CELL}\n" in typed(own_game, monkeypatch, "status", "game")
    assert json.loads(typed(own_game, monkeypatch, "status", "game", "--json"))["own_rules"] == [ONE_CELL]
    assert ONE_CELL in typed(own_game, monkeypatch, "brief", "game", "--seat", "west")
    assert f"\n!    {ONE_CELL}\n" in typed(own_game, monkeypatch, "verify", "game", code=3)
    found = json.loads(typed(own_game, monkeypatch, "verify", "game", "--json", code=3))
    jsonschema.validate(
        found, json.loads((ROOT / "schemas" / "cli" / "verify.schema.json").read_text("utf-8"))
    )
    assert found["own_rules"] == [ONE_CELL]


def test_the_first_letter_and_the_first_report_say_it_and_later_ones_do_not(table: Table) -> None:
    """The toy's scenario is nobody's but its own."""
    table.started(umpire=True, keyed=())
    line = "own scenario: tug; own map: yard"
    about, until = About("tug", "A rope", "north", ""), Until(None, "UTC", table.moment)
    begins = turn_of(table.open(), 0, "north", about, until, pictures=False)
    assert "own scenario: tug" in str(begins.opening)
    for seat in ("north", "south"):
        table.orders(seat, f"luck: some words of {seat}\npull:\n- {seat}-team rests\n")
        table.resolve()
    reports = [table.files()[f"reports/s000{number}.txt"].decode() for number in (1, 2)]
    assert [f"Not as it comes with pbem: {line}." in " ".join(report.split()) for report in reports] == [
        True,
        False,
    ]


def test_a_game_as_it_comes_along_says_nothing_anywhere(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead = common_words().phrase("own.lead")
    made = typed(table, monkeypatch, "new", "alder-ford", "game", "--seat", "east=Ann", "--seat", "west=Ben")
    shown = [made, typed(table, monkeypatch, "status", "game"), typed(table, monkeypatch, "brief", "game")]
    shown += [
        data.decode()
        for path, data in table.files().items()
        if path.startswith("outbox/") and path.endswith(".txt")
    ]
    shown.append(typed(table, monkeypatch, "verify", "game", code=3))
    for text in shown:
        assert lead not in text
        assert "shipped" not in text


def test_an_edited_scenario_under_the_shipped_name_is_told_from_the_first(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, of_map = scenario_file("alder-ford"), map_file("alder-ford")
    assert shipped is not None
    assert of_map is not None
    (table.root / "alder-ford.yaml").write_text(
        shipped.read_text("utf-8").replace("length: 10 turns", "length: 3 turns")
    )
    line = "scenario differs from the shipped alder-ford: length"
    made = typed(
        table,
        monkeypatch,
        "new",
        "alder-ford.yaml",
        "game",
        "--seat",
        "east=Ann",
        "--seat",
        "west=Ben",
        "--json",
    )
    assert json.loads(made)["own_rules"] == [line]
    assert line in " ".join(table.files()["outbox/invitation-west.txt"].decode().split())
    assert f"\n!    {line}\n" in typed(table, monkeypatch, "verify", "game", code=3)
