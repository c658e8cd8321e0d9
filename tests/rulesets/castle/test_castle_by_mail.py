"""Kestrel Tower as players have it: invited, ordered in sentences, reported, drawn, packed and verified."""

from __future__ import annotations

import json
import re

import pytest
from farm_table import FarmTable

MARCH = """\
actions:
- pick, spade, mattock move 6 s
- grul moves toward kestrel as far as he can
- hrod moves by 32 39, 34 34 facing s
standing: {everyone: {spin: newcomer}}
luck: a kestrel hangs in the wind over the hill
"""
WAIT = """\
actions:
- kestrel-rear opens
- seth moves 2 e
- quint turns to n
message: come up and fetch it
luck: every bolt has a name on it today
"""


@pytest.fixture(scope="module")
def tower(tmp_path_factory: pytest.TempPathFactory) -> FarmTable:
    """Return a game of which both sides have played a turn."""
    table = FarmTable(tmp_path_factory.mktemp("tower"))
    seats = ("--seat", "hill=Ann", "--seat", "keep=Bob", "--umpire", "--id", "tower-0a1b2c")
    table.fine("new", "kestrel-tower", "game", *seats)
    for seat in ("hill", "keep"):
        table.fine("admit", "game", "--seat", seat, "--words", "yes, I play")
    for seat, orders in (("hill", MARCH), ("keep", WAIT)):
        (table.root / f"{seat}.yaml").write_text(orders)
        table.fine("submit", f"{seat}.yaml", "--game", "game", "--seat", seat)
        table.slot()
    return table


def test_what_happened_is_told_by_name_and_in_inches(tower: FarmTable) -> None:
    first = " ".join(tower.fine("report", "game", "--slot", "1").split())
    assert "Captain Brask leads:" in first
    assert "Pick moves from 26.8,42.6 to 26.8,36.6" in first
    assert "Hrod moves from 31,42.6 to 33.21,35.97, at the end of his speed" in first
    second = " ".join(tower.fine("report", "game").split())
    assert "The citadel: rear opens" in second
    assert "Quint turns (order)" in second
    assert "> come up and fetch it" in second
    assert "?" not in second.replace("? ", "")


def test_a_turn_is_one_mail_and_the_next_sheet_offers_orders(tower: FarmTable) -> None:
    tower.fine("options", "game", "--seat", "hill", "-o", "sheet.yaml")
    lines = (tower.root / "sheet.yaml").read_text()
    assert "\nactions:\n" in lines
    assert "#- grul moves toward kestrel until contact" in lines
    heads = re.findall(r"^# alf: .*(?:\n#   .*)*", lines, re.MULTILINE)
    assert [head.count("6-8-14-2") for head in heads] == [1]  # his values once
    (tower.root / "far.yaml").write_text("actions:\n- gero shoots kestrel\n")
    told = tower.typed("check", "far.yaml", "--game", "game", "--seat", "hill")
    assert "far.yaml:2:3: castle.no-harm: Gero cannot harm the citadel" in told.output
    (tower.root / "odd.yaml").write_text("actions:\n- grul attacks kestrel\n- grul flies\n")
    told = tower.typed("check", "odd.yaml", "--game", "game", "--seat", "hill")
    assert told.exit_code == 1
    assert "castle.not-touching" in told.output and "castle.gibberish" in told.output


def test_maps_packet_replay_and_proof_come_of_it(tower: FarmTable) -> None:
    assert (tower.game / "maps/s0002.png").read_bytes().startswith(b"\x89PNG")
    tower.fine("packet", "game", "--seat", "hill", "-o", "packet.html")
    assert "kestrel" in (tower.root / "packet.html").read_text()
    tower.fine("replay", "game", "-o", "tower.html")
    tower.fine("pack", "game", "tower.zip")
    assert "0 failures" in tower.fine("verify", "tower.zip")


def test_ranges_rulers_and_dials_are_drawn_for_whoever_asks(tower: FarmTable) -> None:
    asked = ("--measure", "gero", "matz", "--measure", "kestrel", "brask", "--ranges", "gero")
    said = tower.fine("render", "game", "-o", "far.svg", *asked)
    assert "gero to matz: " in said
    assert "out of range" in said
    assert 'gero, 90 degrees facing south, 10" (gero shoots 10)' in said
    assert "gero shoots 10" in (tower.root / "far.svg").read_text("utf-8")
    assert "draw.nobody" in tower.typed("render", "game", "--measure", "gero", "nobody").output
    for name in ("dials.png", "dials.svg", "dials.txt"):
        tower.fine("render", "game", "--sheet", "-o", name)
    assert "- gero, Gero, crossbow, at " in (tower.root / "dials.txt").read_text("utf-8")


def test_a_replay_knows_where_on_the_table_something_happened(tower: FarmTable) -> None:
    tower.fine("replay", "game", "-o", "replay.html")
    page = (tower.root / "replay.html").read_text("utf-8")
    found = re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    moments = [moment for phase in data["phases"] for moment in phase["moments"]]
    (hrod,) = [moment for moment in moments if "Hrod moves" in moment[2]]
    assert "33.21,35.97" in [data["board"]["cells"][place][0] for place in hrod[5]]
    assert len(hrod[6]) > 1
