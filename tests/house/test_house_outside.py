"""A game that stands outside pbem, with words, places, states, files and schemas of its own, is played as any
other.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from farm_table import DUSK, FLUTTER, PROWL, FarmTable

import pbem
from pbem.rulesets import find
from pbem.store.library import words_of
from pbem.text.words import speaking

ROOT = Path(pbem.__file__).resolve().parents[1]
OF_SIEGE = re.compile(
    r"\b(hex(es)?|shot|fought|fights?|melee|wounded|stunned|healthy|dead|killed|men|enem(y|ies)|attack"
    r"|defence|missile|recovery)\b",
    re.I,
)
"""Words that belong to battles, and not to a farmyard."""


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> FarmTable:
    """Return a game of which the first dusk and the foxes' part of the first night are over."""
    table = FarmTable(tmp_path_factory.mktemp("farm")).begin()
    for seat, orders in DUSK.items():
        table.send(seat, orders)
    table.slot()
    table.send("foxes", PROWL)
    table.slot()
    table.answer()
    return table


def text_of(said: str) -> str:
    """Return a text without the names of files and commands."""
    return re.sub(r"\S*[/.]\S*", "", said)


def test_what_it_says_otherwise_is_said_in_another_language_as_it_says_it_or_in_english() -> None:
    words = words_of("farmyard")
    with speaking("de"):
        assert words.phrase("when.day", day=3) == "night 3"
        assert words.phrase("letter.weekday-1") == "Montag"


def test_it_shares_no_word_with_the_games_that_come_along() -> None:
    own, theirs = (
        yaml.safe_load((ROOT / path).read_text())
        for path in ("tests/outside/farmyard/words.yaml", "pbem/rulesets/siege/words.yaml")
    )
    assert not set(own["events"]) & set(theirs["events"])
    assert not set(own["problems"]) & set(theirs["problems"])
    rules, siege = find("farmyard").sequence, find("siege").sequence
    parts = {word for phase in (*rules.phases, *rules.between) for word in (phase.id, phase.heading)}
    assert not parts & {
        word for phase in (*siege.phases, *siege.between) for word in (phase.id, phase.heading)
    }


def test_what_happened_is_told_in_its_own_words(farm: FarmTable) -> None:
    told = farm.fine("report", "game")
    assert (
        "Hetty Speckle is carried off by Rusty" in told
        or "Rusty pounces on Hetty Speckle, needs 5: die" in told
    )
    assert "Foxes: the foxes stalk, night 1\n" in told
    assert "?" not in text_of(told)
    assert not OF_SIEGE.findall(text_of(told))
    first = farm.fine("report", "game", "--slot", "1")
    assert "Nothing decisive happened." in first
    assert "> cluck" in first


def test_a_die_is_told_with_what_it_decided(farm: FarmTable) -> None:
    told = farm.fine("report", "game")
    faces = re.findall(r"/pounce/rusty/hetty/2; die (\d) of 6", told)
    assert faces == re.findall(r"Rusty pounces on Hetty Speckle, needs 5: die (\d)\n", told) != []
    assert "- Whether" not in told, "it is told once"


def test_sheet_check_and_status_speak_of_the_farm(farm: FarmTable) -> None:
    sheet = farm.fine("options", "game", "--seat", "hens", "-o", "sheet.yaml")
    assert "sheet.yaml" in sheet
    lines = (farm.root / "sheet.yaml").read_text()
    assert "\nscratch:\n" in lines
    assert "#- agnes flutters to orchard" in lines
    assert not OF_SIEGE.findall(lines)
    (farm.root / "uncommented.yaml").write_text(
        lines.replace("#- agnes flutters to orchard", "- agnes flutters to orchard")
    )
    assert "agnes flutters to orchard" in farm.fine(
        "check", "uncommented.yaml", "--game", "game", "--seat", "hens"
    )
    for words in (
        ("status", "game"),
        ("next", "game"),
        ("brief", "game", "--seat", "hens"),
        ("brief", "game"),
    ):
        said = farm.fine(*words)
        assert not OF_SIEGE.findall(text_of(said)), words
    assert "Night 1, watch 1" in farm.fine("status", "game")


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ("scratch:\n- agnes flutters to hedge\n", "2:3: farm.far: no path leads from barn to hedge (F2)"),
        (
            "scratch:\n- agnes swims\n",
            "2:3: farm.gibberish: 'agnes swims' is not something an animal does here (F1)",
        ),
        ("prowl:\n- agnes listens\n", "2:3: farm.not-now: nothing is ordered under prowl: now (F1)"),
        ("scratch:\n- agnes roosts\n- agnes roosts\n", "3:3: farm.tired: agnes does 1 thing at most (F2)"),
        (
            "standing: {everyone: {startled: faints}}\n",
            "1:33: farm.nerves: a hen that is startled faints? It bolts or freezes",
        ),
        ("standing: {everyone: {retreat: cover}}\n", "schema.unknown-key: 'retreat' is not a key here"),
    ],
)
def test_what_is_wrong_with_orders_is_told_in_its_own_words(farm: FarmTable, orders: str, told: str) -> None:
    (farm.root / "wrong.yaml").write_text(orders)
    result = farm.typed("check", "wrong.yaml", "--game", "game", "--seat", "hens")
    assert result.exit_code == 1
    assert told in result.output
    assert not OF_SIEGE.findall(re.sub(r"'[^']*'|^    .*$", "", result.output, flags=re.M))


def test_scenario_and_map_have_a_form_of_their_own(tmp_path: Path) -> None:
    table = FarmTable(tmp_path)
    text = (ROOT / "tests/outside/scenarios/henhouse.yaml").read_text()
    (tmp_path / "bad.yaml").write_text(
        text.replace("nights: 3", "nights: many")
        .replace("where: mill-pond", "where: moon")
        .replace("steading", "bad")
    )
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps/bad.yaml").write_text(
        (ROOT / "tests/outside/scenarios/maps/steading.yaml").read_text().replace("steading", "bad")
    )
    result = table.typed("scenario", "check", "bad.yaml")
    assert result.exit_code == 1
    assert "farm.no-place: there is no place called moon (F2)" in result.output or "nights" in result.output
    assert "schema.type" in result.output


def test_maps_replay_packet_and_archive_come_of_it(farm: FarmTable) -> None:
    assert (farm.game / "maps/s0002.png").read_bytes().startswith(b"\x89PNG")
    farm.fine("replay", "game", "-o", "farm.html")
    farm.fine("packet", "game", "--seat", "hens", "-o", "packet.html")
    page = (farm.root / "packet.html").read_text()
    assert "scratch" in page
    assert "What a hen does that a fox has missed" in page
    assert "where a beaten man goes" not in page
    farm.fine("pack", "game", "farm.zip")
    assert "0 failures" in farm.fine("verify", "farm.zip")


def test_hens_play_on(tmp_path: Path) -> None:
    table = FarmTable(tmp_path).begin("--option", "moon=full")
    for seat, orders in DUSK.items():
        table.send(seat, orders)
    table.slot()
    table.send("foxes", "nobody:\n")
    table.slot()
    table.send("hens", FLUTTER)
    table.slot()
    assert "Agnes is in the orchard now" in table.fine("report", "game")
    assert str(table.open().ground.rules.interface.cursor(table.open().state)) == "d2.dusk"


def test_its_words_are_whole() -> None:
    assert list(words_of("farmyard").faults()) == []
