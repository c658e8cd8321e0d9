"""Looking at a game: status, options, map, report, replay, archive, dice, difference; the rulebook and the
tables.
"""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from table import SCENARIOS, Table, pull

from pbem.core.sheet import Choices, Entry
from pbem.referee.explain.draw import events_of, render, state_of
from pbem.referee.explain.options import PAGE, laid_out, options, order_sheet, which_seat
from pbem.referee.game import rulebook, tables
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.pages.showing import replay_bytes
from pbem.referee.proving.mend import mend
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import compare, roll, verify
from pbem.referee.turn.diff import diff
from pbem.referee.turn.report import report_of
from pbem.referee.turn.status import reconstructed, status
from pbem.referee.turn.undo import undo
from pbem.rulesets import UnknownRuleset, catalogue, find, known, package_of
from pbem.store.library import common_words, schema
from pbem.store.zips import open_zip


def code(act: object, *args: object) -> tuple[str, int]:
    with pytest.raises(Refused) as refusal:
        act(*args)  # type: ignore[operator]
    return refusal.value.problems[0].code, refusal.value.answer


@pytest.fixture
def played(table: Table) -> Table:
    """A game with an umpire whose first slot is resolved."""
    table.started(umpire=True, keyed=("north", "south"))
    table.orders("north", pull("north", "message: Heave!\n"))
    table.resolve()
    return table


def test_status_at_every_stage(table: Table) -> None:
    table.new(umpire=True, keyed=())
    now = status(table.open())
    assert (now.slot, now.not_joined, now.phase, now.ruleset) == (0, ("north", "south"), "", "toy 1")
    table.join_all()
    now = status(table.open())
    assert (now.slot, now.turn, now.phase, now.waiting_for) == (
        1,
        "t1.north",
        "t1.north.jeering",
        (("north", "orders"),),
    )
    table.orders("north", pull("north", "luck: seven drunken herons\n"), auto_lock=False)
    assert status(table.open()).waiting_for == ()
    table.lock()
    assert status(table.open()).locked


def test_the_end_of_a_game(table: Table) -> None:
    table.started(umpire=True, keyed=())
    for slot in range(1, 60):
        game = table.open()
        if game.ledger.over:
            break
        seat = game.announced()["waits"][0]
        text = "answers: {q1: b}\n" if game.questions else pull(seat)
        table.orders(seat, f"luck: words of slot {slot}\n{text}", auto_lock=False)
        table.resolve()
    now = status(table.open())
    assert (now.over, now.waiting_for) == (True, ())
    results = json.loads((table.game / "results.json").read_text())
    assert results["winner"] in ("north", "south", "draw")
    assert results["slots"] == now.slot
    assert results["mails"] == 2 + now.slot
    jsonschema.validate(results, dict(schema("results")))
    assert [entry["side"] for entry in results["score"]] == ["north", "south"]
    assert verify(table.game).verdict == "pass"
    assert code(table.lock) == ("game.over", 1)
    assert code(render, table.open(), ".gif")[0] == "draw.suffix"
    # an undo, or a correction, opens it again: then nobody has won any more
    undo(table.env, table.game, now.slot, "the last turn was the wrong one")
    opened = (table.game / "results.json").read_bytes()
    assert json.loads(opened)["winner"] == "" and json.loads(opened)["slots"] == now.slot - 1
    (table.game / "results.json").write_text(json.dumps(results))  # as a program before this one left it
    mend(table.env, table.game)
    assert (table.game / "results.json").read_bytes() == opened


def test_options_are_what_the_rules_allow(table: Table) -> None:
    table.started()
    seat, phase, units = options(table.open(), None)
    assert (seat, phase) == ("north", "t1.north.jeering")
    assert [(unit.id, unit.orders) for unit in units] == [
        ("north-team", ({"who": "north-team", "do": "jeers"},))
    ]
    game = table.open()
    sheet = order_sheet(game.ground, game.id, game.state, game.announced(), "north", "orders.schema.json")
    assert sheet.startswith(
        "# yaml-language-server: $schema=orders.schema.json\n# A rope across the "
        "yard: orders for turn 1, North\n"
    )
    filled = sheet.replace("#- north-team jeers", "- north-team jeers")
    table.orders("north", filled)
    assert "nothing can be ordered" in order_sheet(
        game.ground, game.id, game.state, game.announced(), "south"
    )


def test_whose_options(table: Table) -> None:
    table.started("dig")
    assert code(which_seat, table.open(), None) == ("options.which", 1)
    assert which_seat(table.open(), "south") == "south"
    assert "setup:\n\n# north-team: 0 jeers\n#- north-team digs\n" in order_sheet(
        table.open().ground, "g", table.open().state, table.open().announced(), "north"
    )


def test_a_sheet_is_laid_out_for_a_narrow_page() -> None:
    hexes = tuple(str(number) for number in range(1101, 1131))
    goes = (("1 MP", hexes[:2]), ("2 MP", hexes[2:]))
    odo = Entry(
        "odo",
        "a spearman of a rather long description, 1102, 6 MP",
        (Choices("odo to 1101", (), goes), Choices("odo stays")),
    )
    hob = Entry(
        "hob",
        "",
        (
            Choices("hob to 1101", (), goes),
            Choices("hob attacks hal", ("2:1", "may join: odo"), (("", ("hal",)),)),
        ),
    )
    wat = Entry(
        "wat",
        "",
        (
            Choices("wat at hal", (), (("any of", ("hal", "ned")),)),
            Choices("wat to 1101 facing n", (), (("1 MP", ("1101 n s",)),)),
        ),
    )
    assert list(laid_out([odo, hob, wat], common_words(), {})) == [
        "",
        "# odo: a spearman of a rather long description, 1102, 6 MP",
        "#- odo to 1101",
        "#    1 MP: 1101 1102",
        "#    2 MP: 1103 1104 1105 1106 1107 1108 1109 1110 1111 1112",
        "#      1113 1114 1115 1116 1117 1118 1119 1120 1121 1122",
        "#      1123 1124 1125 1126 1127 1128 1129 1130",
        "#- odo stays",
        "",
        "# hob",
        "#- hob to 1101",
        "#    the same as for odo",
        "#- hob attacks hal",
        "#    2:1",
        "#    may join: odo",
        "",
        "# wat",
        "#- wat at hal",
        "#    any of: hal, ned",
        "#- wat to 1101 facing n",
        "#    1 MP: 1101 n s",
    ]
    assert list(laid_out([odo], common_words(), {("odo", odo.choices): "shoot"})) == [
        "",
        "# odo: the same as under shoot",
    ]


def test_a_figure_has_a_page_at_most() -> None:
    crowd = Entry("odo", "", tuple(Choices(f"odo attacks n{number}", ("1:1",)) for number in range(30)))
    lines = list(laid_out([crowd], common_words(), {}))
    assert len(lines) == 2 + PAGE + 1
    assert lines[-2:] == ["#    1:1", "#    and 10 more: pbem options --json has them all"]
    long = Entry("odo", "", (Choices("odo to 0101", tuple(map(str, range(50)))), Choices("odo stays")))
    assert list(laid_out([long], common_words(), {}))[-2:] == [
        "#    49",
        "#    and 1 more: pbem options --json has them all",
    ]


def test_maps_of_every_kind(played: Table) -> None:
    game = played.open()
    assert render(game, ".png").startswith(b"\x89PNG")
    assert b"A rope across the yard, as it begins" in render(game, ".txt", 0)
    assert b"A rope across the yard, after turn 1, North" in render(game, ".txt")
    assert code(render, game, ".txt", 9) == ("game.no-slot", 3)
    assert state_of(game, 1)[0] == 1
    assert code(render, open_game(played.game), "") == ("draw.suffix", 1)


def test_a_game_that_has_not_begun_shows_nothing(table: Table) -> None:
    table.new()
    assert code(render, table.open(), ".txt") == ("game.not-started", 3)
    table.join_all()
    assert code(report_of, table.open(), None, "text") == ("report.nothing", 3)
    assert code(replay_bytes, table.open(), ".txt") == ("report.nothing", 3)


def test_a_renderer_that_is_not_there(table: Table) -> None:
    table.started()
    assert code(render, table.open(), ".tiff")[0] == "draw.suffix"


@pytest.mark.parametrize("format_", ["text", "markdown", "bbcode", "html"])
def test_reports(played: Table, format_: str) -> None:
    text = report_of(played.open(), None, format_)
    value = played.open().ledger.slots[1].values["north"][:4]
    published = () if played.open().questions else ("orders: seats/north/orders-s0001.txt",)
    for part in ("Heave!", f"value for the dice: {value}…", "tug-0a1b2c", *published):
        assert part in text or format_ in ("markdown", "bbcode"), part
    if format_ == "text":
        made = (played.game / "reports/s0001.txt").read_text()
        assert text == made, "a report can be made again"


def test_events_that_are_spoilt(played: Table) -> None:
    for junk in (b"{", b'"x"\n', b"{}\n", b"\xff"):
        (played.game / "events/s0001.jsonl").write_bytes(junk)
        assert code(events_of, played.open(), 1) == ("game.events", 3)


def test_a_state_that_is_missing(played: Table) -> None:
    (played.game / "state/s0001.json").unlink()
    assert code(lambda: played.open().state) == ("game.no-state", 3)
    (played.game / "state/s0000.json").unlink()
    assert b"as it begins" in render(played.open(), ".txt", 0)


def test_a_whole_game_in_one_file(played: Table) -> None:
    text = replay_bytes(played.open(), ".txt").decode()
    assert text.index("as it begins") < text.index("turn 1, North")
    assert replay_bytes(played.open(), ".html").startswith(b"<!doctype html>")
    assert code(replay_bytes, played.open(), ".doc") == ("draw.suffix", 1)


def test_packs(played: Table) -> None:
    to = played.root / "a.zip"
    count = pack(played.env, played.game, to)
    pack(played.env, played.game, played.root / "b.zip")
    assert to.read_bytes() == (played.root / "b.zip").read_bytes()
    archive = open_zip(to)
    assert (len(list(archive)), "FILES" in archive, "FILES.sig" in archive) == (count, True, True)
    assert verify(to).failures == ()
    assert verify(to).verdict in ("pass", "undecided")


def test_a_spoilt_pack_is_told(played: Table) -> None:
    from pbem.store.zips import write_zip

    pack(played.env, played.game, played.root / "a.zip")
    archive = open_zip(played.root / "a.zip")
    files = {path: archive[path] for path in archive}
    for path in sorted(files):
        spoilt = {**files, path: files[path] + b" "}
        (played.root / "spoilt.zip").write_bytes(write_zip(spoilt))
        verdict = verify(played.root / "spoilt.zip")
        spaces_are_transport = path == "FILES.sig"
        assert (
            spaces_are_transport
            or verdict.failures
            or verdict.warnings != verify(played.root / "a.zip").warnings
        ), path


def test_two_copies_of_one_game(played: Table) -> None:
    pack(played.env, played.game, played.root / "early.zip")
    played.orders("south", "answers: {q1: hold}\n" if played.open().questions else pull("south"))
    found = compare(played.root / "early.zip", played.game)
    assert (found.same, found.shared, found.lengths) == (True, 4, (4, 5))
    other = Table(played.root / "elsewhere")
    (played.root / "elsewhere").mkdir()
    other.count = 100
    other.started(umpire=True, keyed=("north", "south"))
    found = compare(played.game, other.game)
    assert (found.same, found.shared) == (False, 0)
    assert found.heads[0] != found.heads[1]
    (played.root / "nothing").mkdir()
    assert not compare(played.game, played.root / "nothing").same


def test_differences(played: Table) -> None:
    pack(played.env, played.game, played.root / "a.zip")
    assert diff(played.root / "a.zip", played.game) == ()
    path = played.game / "events/s0001.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0].replace("Heave!", "Ho!"), *lines[1:-1]]) + "\n")
    found = diff(played.root / "a.zip", played.game)
    assert [(at.slot, at.n, bool(at.one), bool(at.other)) for at in found] == [
        (1, 1, True, True),
        (1, len(lines), True, False),
    ]
    assert "Heave!" in found[0].one


def test_one_die_with_its_arithmetic(played: Table) -> None:
    of = played.open().ledger.slots[1]
    label = of.rolls[0].label
    shown = roll(played.game, 1, label)
    assert (shown.sides, shown.values) == (6, of.rolls[0].values)
    assert shown.seed == of.seed.hex()  # type: ignore[union-attr]
    assert shown.openssl == (
        f"printf 'pd1/die\\n{label}\\n6\\n0\\n0\\n' | openssl dgst -sha256 -mac HMAC -macopt "
        f"hexkey:{shown.seed}"
    )
    assert any(line.endswith(f" mod 6 + 1 = {shown.values[0]}") for line in shown.lines), shown.lines
    assert shown.lines[-1].startswith("north: a value fixed before, in seats/north/orders-s0001.txt")
    assert roll(played.game, 1, label.partition("/")[2]) == shown
    assert code(roll, played.game, 1, "fight/x") == ("roll.none", 3)
    assert code(roll, played.game, 7, label) == ("game.no-slot", 3)


def test_openssl_gives_the_same_die(played: Table, need: object) -> None:
    import subprocess

    openssl = need("openssl")  # type: ignore[operator]
    label = played.open().ledger.slots[1].rolls[0].label
    shown = roll(played.game, 1, label)
    command = shown.openssl.replace("| openssl", f"| {openssl}")
    printed = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    assert printed.split()[-1] in shown.lines[1]


# --- rulesets, rulebook, tables


def test_rulesets_are_found() -> None:
    assert set(known()) >= {"cry_havoc", "toy"}
    assert find("toy").title == "Tug of war"
    assert find("toy", 1) is find("toy")
    assert package_of("cry_havoc") == "pbem.rulesets.siege.ruleset"
    assert set(catalogue()["toy"]) == {1}
    with pytest.raises(UnknownRuleset) as unknown:
        find("toy", 2)
    assert (unknown.value.revision, unknown.value.known, str(unknown.value)) == (2, ("1",), "toy revision 2")
    with pytest.raises(UnknownRuleset) as unknown:
        find("chess")
    assert "toy" in unknown.value.known


RULES = """
- id: T1.1
  topic: rope
  basis: explicit
  rule: Nobody pulls for the others.
  status: done
- id: T1.2
  rule: Who pulls is tired.
  status: data
- id: T1.3
  rule: A knot is a question.
  status: partly
  why: only one knot
"""


def test_the_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pbem.store.library.rulebook", lambda module: RULES.encode() if module.startswith("toy") else None
    )
    found = rulebook.coverage("toy")
    assert (found.total, found.done) == (3, 2)
    assert found.not_done == ({"id": "T1.3", "status": "partly", "why": "only one knot"},)
    assert rulebook.rule("t1.1").entry["rule"] == "Nobody pulls for the others."
    assert code(rulebook.rule, "T1.9") == ("rulebook.no-rule", 3)
    assert code(rulebook.entries, "cry_havoc") == ("rulebook.none", 3)
    assert code(rulebook.entries, "chess") == ("rules.unknown", 3)
    monkeypatch.setattr("pbem.store.library.rulebook", lambda module: b"rules: none\n")
    assert code(rulebook.entries, "toy") == ("rulebook.form", 3)
    monkeypatch.setattr("pbem.store.library.rulebook", lambda module: f"rules:{RULES}".encode())
    assert len(rulebook.entries("toy")) == 3
    assert rulebook.sequence("toy")[0] == "1. Jeering (jeering): orders under `jeer:`"
    assert "toy" in [rules.id for rules in rulebook.all_rulesets()]


def test_the_code_and_the_cases_of_a_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code_ = list(rulebook._code("pbem.rulesets.siege.ruleset", "S1.2a"))
    assert len(code_) == 1
    assert code_[0].startswith("sequence.py:")
    assert code_[0].endswith(" following")
    (tmp_path / "tests/rulesets/siege").mkdir(parents=True)
    (tmp_path / "tests/rulesets/siege/x.case.yaml").write_text(
        "- rule: S1.2a\n  name: x\n- rules: [S1.2b, S1.2a]\n- rule: S1.2ab\n"
    )
    monkeypatch.setattr(rulebook, "folder", lambda kind: tmp_path / kind)
    assert list(rulebook._tests("S1.2a")) == [
        "tests/rulesets/siege/x.case.yaml:1",
        "tests/rulesets/siege/x.case.yaml:3",
    ]


def test_the_tables(tmp_path: Path) -> None:
    names = [one.name for one in tables.tables("cry_havoc")]
    assert "combat_foot" in names
    assert tables.table("cry_havoc", "combat_foot").basis == "reconstructed"
    assert code(tables.table, "cry_havoc", "combat_food") == ("tables.unknown", 3)
    assert tables.tables("toy") == ()
    assert tables.export("cry_havoc", tmp_path / "mine") == tuple(names)
    assert code(tables.export, "cry_havoc", tmp_path / "mine") == ("tables.there", 1)
    assert tables.check("cry_havoc", tmp_path / "mine") == tuple(names)
    assert code(tables.check, "cry_havoc", tmp_path / "none") == ("tables.none", 3)
    (tmp_path / "mine/combat_foot.yaml").write_text("source: my sheet\nbasis: complete\nrows: [1]\n")
    with pytest.raises(Refused) as refusal:
        tables.check("cry_havoc", tmp_path / "mine")
    assert refusal.value.located[0].file == "tables/combat_foot.yaml"


def test_a_siege_can_be_made(table: Table) -> None:
    from pbem.referee.turn.new import new

    made = new(table.env, "windle-hill", table.game, name="hill-0a1b2c")
    assert made.gm_seats == ("red",)
    assert SCENARIOS.is_dir()
    assert "combat_foot" in reconstructed(table.open().ground.rules)
