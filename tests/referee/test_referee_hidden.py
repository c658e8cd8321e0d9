"""Nothing that goes to a seat tells of what it cannot see: the same bytes for two games that differ in
nothing else.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import hidden_ruleset as fox
import pytest
from click.testing import CliRunner
from hidden_ruleset import HEXES, Beast, Hunt
from hunting_table import FIRST, FOXES, HOUNDS, HuntingTable
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from thorough import deeper, tries
from what_a_seat_gets import differing, pictures, words

from pbem.cli import cli
from pbem.core.sequence import Cursor
from pbem.geometry.hex import distance, neighbours
from pbem.post.write.parts import About, Until
from pbem.referee.explain.draw import events_of, scene_of
from pbem.referee.explain.options import sheet_for
from pbem.referee.game.game import Game
from pbem.referee.game.opening import Overlay
from pbem.referee.game.views import known_events
from pbem.referee.mail.letters import turn_of
from pbem.referee.pages import letter_pictures
from pbem.referee.pages.packet import packet_of
from pbem.referee.pages.showing import Wish, replay_bytes
from pbem.referee.turn.check import check
from pbem.text.codec import defaults

Event = Mapping[str, Any]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Return a game of which the first turn of both sides has been played; the hounds are to move."""
    table = HuntingTable(tmp_path_factory.mktemp("hunt")).hunt()
    table.play(HOUNDS, FIRST)
    table.play(FOXES, "pad:\n- fox pads to 0604\n")
    return table.open()


def as_if(game: Game, state: Hunt, events: Sequence[Event] = (), rules: Any = fox.HUNT) -> Game:
    """Return a game as it would be if its newest slot had led to another state."""
    letter_pictures._KEPT.clear()
    slot = game.ledger.state_slot
    lines = "".join(
        json.dumps({"n": n, "phase": state.at.phase, **event}) + "\n" for n, event in enumerate(events, 1)
    )
    made = replace(game, archive=Overlay(game.archive, {f"events/s{slot:04d}.jsonl": lines.encode()}))
    made.__dict__["ground"] = replace(game.ground, rules=rules)
    made.__dict__["state"] = state
    made.__dict__["state_after"] = lambda slot, sha256: state
    return made


def test_the_invitation_that_goes_to_everybody_places_nobody(game: Game, tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    readme = zipfile.ZipFile(table.game / "outbox" / "invitation.zip").read("README.txt").decode()
    assert readme.startswith("This archive is the invitation to ")
    assert not any(f"{beast.at}" in readme for beast in game.state.beasts)
    assert "vixen" not in readme


ASKED = (
    b"pad:\n- bran pads to 0303\n- rolf pads to 0304\nstare:\n- bran stares at vixen\n",
    b"stare:\n- bran stares at fox\n",
    b"pad:\n- fox pads to 0101\n- nobody pads to 0101\n",
)
answered = partial(pictures, asked=ASKED)


def hunt_of(game: Game, places: Sequence[str], dead: Sequence[bool], at: Cursor) -> Hunt:
    beasts = tuple(
        replace(beast, at=place, dead=gone, shown=False)
        for beast, place, gone in zip(game.state.beasts, places, dead, strict=True)
    )
    return Hunt(game.ground.field, at, beasts)


def hidden(state: Hunt) -> bool:
    return not fox.sees(state, HOUNDS, state.beast("fox"))


def moved(state: Hunt, unit: str, was: str) -> Event:
    return {"type": "Moved", "unit": unit, "path": [was, state.beast(unit).at]}


@st.composite
def two_hunts(draw: st.DrawFn, game: Game) -> tuple[tuple[Hunt, list[Event]], tuple[Hunt, list[Event]]]:
    """Draw two positions, and how they came about, that differ in nothing but a fox whom the hounds do not
    see.
    """
    places = draw(st.lists(st.sampled_from(HEXES), min_size=5, max_size=5, unique=True))
    dead = [False, draw(st.booleans()), False, draw(st.booleans())]
    at = Cursor(
        draw(st.sampled_from(["padding", "staring"])),
        draw(st.integers(1, 5)),
        draw(st.sampled_from([FOXES, HOUNDS])),
    )
    here = hunt_of(game, places[:4], dead, at)
    there = hunt_of(game, [places[4], *places[1:4]], dead, at)
    assume(hidden(here) and hidden(there))
    public: list[Event] = [moved(here, "bran", draw(st.sampled_from(neighbours(places[2])[:2])))]
    if draw(st.booleans()):
        label, face = f"{at}/stare/vixen/rolf/1", draw(st.integers(1, 6))
        public.append({"type": "Rolled", "label": label, "sides": 6, "values": [face]})
        shot = {
            "shooter": "vixen",
            "target": "rolf",
            "roll": face,
            "line": [places[1], places[3]],
            "weapon": "a look",
        }
        public.append({"type": "Shot", **shot})
    step = moved(here, "fox", draw(st.sampled_from(neighbours(places[0])[:2])))
    return (here, [step, *public]), (there, public)


@deeper
@settings(max_examples=tries(60, 200), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_word_tells_of_the_hidden(game: Game, data: st.DataObject) -> None:
    one, other = data.draw(two_hunts(game))
    here, there = as_if(game, *one), as_if(game, *other)
    assert differing(here, there, HOUNDS, words) == set()
    assert {"map in words", "scene", "report as text"} <= differing(here, there, None, words), (
        "the umpire sees where he is"
    )
    assert {"map in words", "scene", "events"} <= differing(here, there, FOXES, words), (
        "his own side sees where he is"
    )


def apart(game: Game, **more: Any) -> tuple[Game, Game]:
    """Return two games of which the hounds know the same: a fox in one place, and in another where he has
    walked to.
    """
    at = Cursor("padding", 2, HOUNDS)
    shot = {"shooter": "vixen", "target": "rolf", "roll": 2, "line": ["0505", "0204"], "weapon": "a look"}
    here = hunt_of(game, ("0603", "0505", "0203", "0204"), (False,) * 4, at)
    there = hunt_of(game, ("0404", "0505", "0203", "0204"), (False,) * 4, at)
    public: list[Event] = [
        {"type": "Moved", "unit": "vixen", "path": ["0605", "0505"]},
        {"type": "Shot", **shot},
    ]
    assert hidden(here) and hidden(there) and distance("0404", "0203") == 2
    return as_if(game, here, public, **more), as_if(
        game, there, [moved(there, "fox", "0503"), *public], **more
    )


def test_no_picture_and_no_letter_tells_of_the_hidden(game: Game) -> None:
    here, there = apart(game)
    assert differing(here, there, HOUNDS, words, answered) == set()
    assert {"PNG", "SVG", "crops"} <= differing(here, there, None, answered)
    assert {"PNG", "SVG", "letter of the turn"} <= differing(here, there, FOXES, answered)


def test_what_is_seen_is_told() -> None:
    """A fox beside a hound, and one who has shot, is on the hounds' map."""
    wood = fox.Wood(4, "")
    state = fox.setup(None, wood, {FOXES: FOXES, HOUNDS: HOUNDS})
    assert [beast.id for beast in fox.view(None, state, HOUNDS).beasts] == ["vixen", "bran", "rolf"]
    near = fox._with(state, "bran", at="0503")
    assert {beast.id for beast in fox.view(None, near, HOUNDS).beasts} == {"fox", "vixen", "bran", "rolf"}
    came = {"type": "Moved", "unit": "fox", "path": ["0703", "0603"], "n": 1}
    assert fox.seen(None, near, [came], HOUNDS) == [{**came, "path": ["0603"]}], (
        "where he came from is not told"
    )
    shot = fox.apply(state, fox.Shot("fox", "bran", 3, ("0603", "0102")))
    assert fox.sees(shot, HOUNDS, shot.beast("fox"))
    later = fox.apply(shot, fox.Began("padding", 2, FOXES))
    assert not fox.sees(later, HOUNDS, later.beast("fox"))


LEAKS = {
    "view": {
        "PNG",
        "SVG",
        "packet",
        "scene",
        "map in characters",
        "map in words",
        "letter of the turn",
        "report as text",
    },
    "seen": {"report as html", "events", "letter of the turn"},
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_caught(game: Game, name: str) -> None:
    """The same comparison as above fails where a ruleset forgets to leave the fox out."""
    here, there = apart(game, rules=fox.leaky(fox.HUNT, name))
    if name == "seen":  # he comes to where he is seen, and only his way there differs
        here, there = (
            as_if(one, one.state, list(events_of(one, one.ledger.state_slot)), fox.leaky(fox.HUNT, name))
            for one in (here, there)
        )
        for one in (here, there):
            near = fox._with(fox._with(one.state, "fox", at="0404"), "bran", at="0304")
            one.__dict__["state"] = near
            one.__dict__["state_after"] = lambda slot, sha256, near=near: near
    assert LEAKS[name] <= differing(here, there, HOUNDS, words, answered)


def test_an_answer_names_nobody_whom_the_seat_does_not_see(game: Game) -> None:
    state = hunt_of(game, ("0603", "0505", "0203", "0204"), (False,) * 4, Cursor("padding", 2, HOUNDS))
    answer = check(as_if(game, state), "orders.yaml", ASKED[1], HOUNDS)
    assert [(problem.code, problem.help) for problem in answer.problems] == [
        ("name.unknown", "one of bran, rolf, vixen")
    ]


def test_two_games_with_another_walk_of_the_fox_send_the_hounds_the_same(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Played from the first letter on: what goes to the hounds differs in the seal of the newest record
    alone.
    """
    sent, pages, packets = [], [], []
    for walk in ("fox pads to 0604", "fox pads to 0602"):
        table = HuntingTable(tmp_path_factory.mktemp("walk")).hunt()
        table.play(HOUNDS, FIRST)
        table.play(FOXES, f"pad:\n- {walk}\n")
        seal = table.open().ledger.head_digest
        found = {
            path.name: path.read_text() for path in sorted((table.game / "outbox").glob(f"*-{HOUNDS}.*"))
        }
        now = table.open()
        found["sheet"] = sheet_for(now, HOUNDS, now.state, now.announced())
        sent.append({name: text.replace(seal, "SEAL") for name, text in found.items()})
        assert seal in "".join(found.values())
        assert "fox to" not in "".join(found.values())
        page = {
            seat: replay_bytes(table.open(), ".html", Wish(seat=seat)).decode() for seat in (HOUNDS, FOXES)
        }
        assert seal in page[HOUNDS]
        pages.append({seat: text.replace(seal, "SEAL") for seat, text in page.items()})
        packets.append({seat: packet_of(table.open(), seat) for seat in (HOUNDS, FOXES)})
    assert sent[0] == sent[1]
    assert len(sent[0]) == 4, "an invitation, an order sheet and two reports"
    assert pages[0][HOUNDS] == pages[1][HOUNDS]
    assert pages[0][FOXES] != pages[1][FOXES]
    assert packets[0][HOUNDS] == packets[1][HOUNDS]
    assert packets[0][FOXES] != packets[1][FOXES]


def test_the_report_for_a_seat_is_asked_for_by_name(tmp_path: Path) -> None:
    table = HuntingTable(tmp_path).hunt()
    table.play(HOUNDS, FIRST)
    table.play(FOXES, "pad:\n- fox pads to 0604\n")
    for seat, knows in ((None, True), (FOXES, True), (HOUNDS, False)):
        told = CliRunner().invoke(cli, ["report", str(table.game), *(("--seat", seat) if seat else ())])
        assert told.exit_code == 0, told.output
        assert ("Fox moves to 0604" in told.output) is knows


def test_the_archive_waits_for_the_end(game: Game) -> None:
    """An archive has the state in it: nobody is sent one as long as something is hidden."""
    about, until = About(game.id, seat=HOUNDS), Until(None, "UTC", datetime(2026, 2, 2, tzinfo=UTC))
    assert (
        turn_of(game, game.ledger.state_slot, HOUNDS, about, until, archive=True, pictures=False).archive
        is None
    )
    plain = fox.HUNT.amend(interface=replace(fox.INTERFACE, **_fields()))
    open_ = as_if(game, game.state, rules=plain)
    assert (
        turn_of(open_, game.ledger.state_slot, HOUNDS, about, until, archive=True, pictures=False).archive
        is not None
    )


def _fields() -> dict[str, Any]:
    return {name: default for name, default in defaults(type(fox.INTERFACE)) if name in ("view", "seen")}


def test_events_are_numbered_without_gaps(game: Game) -> None:
    state = hunt_of(game, ("0603", "0505", "0203", "0204"), (False,) * 4, Cursor("padding", 2, HOUNDS))
    events = [{"n": 1, **moved(state, "fox", "0703")}, {"n": 2, **moved(state, "vixen", "0605")}]
    assert [event["n"] for event in known_events(game.ground, state, events, HOUNDS)] == [1]
    assert [event["n"] for event in known_events(game.ground, state, events, None)] == [1, 2]
    assert isinstance(state.beast("fox"), Beast)
    assert len(scene_of(game.ground, state, events, "", HOUNDS).tokens) == 3
