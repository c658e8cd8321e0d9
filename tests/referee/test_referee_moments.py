"""A game moment by moment: the sentences of the report, the states that the archive has, nothing twice, and
nothing a seat may not see.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from hunting_table import FIRST, FOXES, HOUNDS, HuntingTable
from msgspec.structs import replace
from pbem.renderers.page import part
from table import Table, pull

from pbem.core.scene import Scene
from pbem.referee.explain.draw import events_of, scene_of, state_of
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.pages.moments import SAID, Moment, Story, turn_title
from pbem.referee.pages.replay_page import BOARD_WORDS, BODY, LONGEST, SCRIPTS, clean, page_of, page_words
from pbem.referee.pages.showing import Wish, frames, replay_bytes
from pbem.referee.proving import replayed_slots
from pbem.referee.proving.replayed_slots import played_again, slots_of
from pbem.referee.turn.report import gave_in, report_document
from pbem.referee.turn.undo import undo
from pbem.store.library import common_words
from pbem.text.report import Heading, Items

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WITH_QUESTIONS = "alder-ford"


def story_of(game: Game, seat: str | None = None) -> list[Moment]:
    story = Story(game, seat)
    return [moment for run in story.runs() for moment in story.moments(run)]


def refused(act: object, *args: object) -> tuple[str, int]:
    with pytest.raises(Refused) as refusal:
        act(*args)  # type: ignore[operator]
    return refusal.value.problems[0].code, refusal.value.answer


def sentences(game: Game, slot: int) -> list[str]:
    """Return what the report of a slot tells, phase by phase."""
    of = game.ledger.slots[slot]
    document = report_document(
        game, slot, of.phase, events_of(game, slot), state_of(game, slot)[1], gave_in(game, slot)
    )
    blocks = [*document.blocks]
    short = next((n for n, block in enumerate(blocks) if isinstance(block, Heading)), 0)
    if blocks[short] == Heading("In short"):
        del blocks[short : short + 2]
    beside = next(
        (n for n, block in enumerate(blocks) if block == Heading("Kept beside the map")), len(blocks)
    )
    return [item for block in blocks[:beside] if isinstance(block, Items) for item in block.items]


def data_of(page: bytes) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.decode().partition('id="data">')[2].partition("</script>")[0])
    return found


@pytest.mark.parametrize("example", ["alder-ford", "six-days"])
def test_a_recorded_game_is_told_as_its_reports_tell_it(example: str) -> None:
    game = open_game(EXAMPLES / example / "archive.zip")
    moments = story_of(game)
    for slot in slots_of(game):
        told = [
            moment.telling.text
            for moment in moments
            if moment.slot == slot and moment.telling and moment.event["type"] != SAID
        ]
        assert told == sentences(game, slot), slot
        assert [moment.number for moment in moments if moment.slot == slot] == list(
            range(1, sum(one.slot == slot for one in moments) + 1)
        )
    last = scene_of(game.ground, game.state, (), game.ground.title)
    assert {token.id: token.at for token in moments[-1].scene.tokens} == {
        token.id: token.at for token in last.tokens
    }


def test_every_state_and_event_is_the_archives() -> None:
    game = open_game(EXAMPLES / WITH_QUESTIONS / "archive.zip")
    for played in played_again(game, game.ledger.state_slot):
        events = [happened.event for happened in played.happened]
        assert events == list(events_of(game, played.number)), played.number
        for before, after in zip(played.happened, played.happened[1:], strict=False):
            assert before.after is after.before


def test_what_came_of_a_shot_is_written_on_its_line_from_the_first() -> None:
    game = open_game(EXAMPLES / "windle-hill" / "archive.zip")
    moments = story_of(game)
    thrown = next(n for n, moment in enumerate(moments) if moment.event["type"] == "Thrown")
    while moments[thrown].event["type"] not in ("Shot", "Fought"):
        thrown -= 1
    assert "thrown" in moments[thrown].scene.traces[-1].text
    assert moments[thrown].telling is not None
    assert moments[thrown].telling.roll is not None
    assert len(moments[thrown].scene.traces) == 1, "what was told before lies on the map no longer"


def test_who_falls_off_a_ladder_is_seen_to_fall() -> None:
    game = open_game(EXAMPLES / "millers-ladders" / "archive.zip")
    fell = next(moment for moment in story_of(game) if moment.event["type"] == "Fell")
    hexes = {area.centre: area.at for area in fell.scene.areas}
    (fall,) = [trace for trace in fell.scene.traces if trace.kind == "fall"]
    assert ([hexes[point] for point in fall.path], fall.actors) == (["0307", "0207"], ("aelfgar",))


@pytest.fixture
def stopped(table: Table) -> Table:
    """A game that has stopped with a question, and gone on after its answer."""
    table.count = 11  # a game in which somebody is asked before it is over
    table.started(umpire=True, keyed=())
    table.count = 7
    for slot in range(1, 30):
        if table.open().questions:
            break
        (seat,) = table.open().announced()["waits"]
        table.orders(seat, pull(seat, f"luck: words of slot {slot}\nmessage: pull {slot}\n"), auto_lock=False)
        table.resolve()
    (question,) = table.open().questions
    table.orders(
        question["seat"], "luck: some other words\nmessage: We hold.\nanswers: {q1: a}\n", auto_lock=False
    )
    table.resolve()
    return table


def test_a_phase_that_stopped_with_a_question_is_told_once(stopped: Table) -> None:
    game = stopped.open()
    last = game.ledger.state_slot
    twice = [event["label"] for event in events_of(game, last) if event["type"] == "Rolled"]
    before = [event["label"] for event in events_of(game, last - 1) if event["type"] == "Rolled"]
    assert twice[0] in before, "the phase was played again from its start"
    rolled = [moment.event["label"] for moment in story_of(game) if moment.event["type"] == "Rolled"]
    assert len(rolled) == len(set(rolled))
    texts = [moment.telling.text for moment in story_of(game) if moment.telling and moment.slot == last]
    assert texts[0] == "We hold."
    assert any(text.startswith("Chosen") or "hold" in text for text in texts[1:])


def test_slots_that_were_taken_back_stay_out(table: Table) -> None:
    table.started(umpire=True, keyed=())
    for slot in range(1, 4):
        (seat,) = table.open().announced()["waits"]
        table.orders(seat, pull(seat, f"luck: words of slot {slot}\nmessage: pull {slot}\n"), auto_lock=False)
        table.resolve()
        if table.open().questions or table.open().ledger.over:
            break
    newest = table.open().ledger.state_slot
    undo(table.env, table.game, newest, "wrong map")
    game = table.open()
    assert slots_of(game) == list(range(1, newest))
    assert {moment.slot for moment in story_of(game)} <= set(range(1, newest))
    seeds = [one["slot"] for one in data_of(page_of(Story(game)))["proof"]["slots"]]  # type: ignore[index]
    assert seeds == list(range(1, newest + 1)), "the seed of what was taken back is the key of the next"


def test_only_some_slots(stopped: Table) -> None:
    game = stopped.open()
    story = Story(game, None, Wish(first=2, last=3).wants)
    assert {moment.slot for run in story.runs() for moment in story.moments(run)} == {2, 3}
    assert story.start.slot == 1
    assert refused(Story, game, None, Wish(first=99).wants) == ("replay.no-slots", 3)
    watched: list[int] = []
    replay_bytes(game, ".html", Wish(last=2), watched.append)
    assert watched == [1, 2]


@pytest.mark.parametrize("by", ["phase", "slot", "event"])
def test_frames_of_a_moving_picture(by: str) -> None:
    game = open_game(EXAMPLES / "alder-ford" / "archive.zip")
    story = Story(game, None, Wish(first=2, last=5).wants)
    found = list(frames(story, by))
    runs = list(Story(game, None, Wish(first=2, last=5).wants).runs())
    wanted = {"phase": len(runs), "slot": 4, "event": sum(len(run.told) for run in runs)}
    assert len(found) == wanted[by]
    assert all(isinstance(scene, Scene) for scene in found)
    if by == "slot":
        assert sum(len(scene.traces) for scene in found) == sum(
            len(scene.traces) for scene in frames(story, "phase")
        )


def test_what_is_missing_is_said(stopped: Table) -> None:
    game = stopped.open()
    path = next(iter(sorted((stopped.game / "seats").glob("*/orders-s0001.txt"))))
    data = path.read_bytes()
    path.unlink()
    shutil.rmtree(stopped.game / "mail")
    assert refused(lambda: story_of(stopped.open())) == ("game.no-file", 3)
    path.write_bytes(data)
    for events in (stopped.game / "events").iterdir():
        events.unlink()
    for state in (stopped.game / "state").iterdir():
        if state.name != "s0000.json":
            state.unlink()
    assert [moment.telling for moment in story_of(stopped.open())] == [
        moment.telling for moment in story_of(game)
    ]


def test_rules_that_lead_elsewhere_are_not_shown(stopped: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    game = stopped.open()
    ground = game.ground

    def spoilt(rules: object, play: object, files: object) -> None:
        raise KeyError("what the rules stumble over")

    for steps in (
        {**ground.rules.steps, "pulling": spoilt},
        {**ground.rules.steps, "pulling": ground.rules.steps["breath"]},
    ):
        made = stopped.open()
        made.__dict__["ground"] = replace(ground, rules=ground.rules.amend(steps=steps))
        assert refused(story_of, made) == ("replay.other", 3)
    monkeypatch.setattr(replayed_slots, "enveloped", lambda *_: (_ for _ in ()).throw(MemoryError))
    with pytest.raises(MemoryError):
        story_of(game)


def test_a_game_that_has_not_begun(table: Table) -> None:
    table.new()
    assert refused(replay_bytes, table.open(), ".html") == ("game.not-started", 3)
    table.join_all()
    assert refused(replay_bytes, table.open(), ".html") == ("report.nothing", 3)
    assert refused(replay_bytes, table.open(), ".webp") == ("report.nothing", 3)
    assert refused(replay_bytes, table.open(), ".mp4") == ("draw.suffix", 1)


def hunted(root: Path, goes: str) -> Game:
    root.mkdir()
    table = HuntingTable(root).hunt()
    table.play(HOUNDS, FIRST)
    table.play(FOXES, f"pad:\n- fox pads to {goes}\n- vixen pads to 0704\n")
    table.play(HOUNDS, "pad:\n- bran pads to 0303\n")
    return table.open()


def test_a_seat_is_shown_nothing_that_it_does_not_see(tmp_path: Path) -> None:
    one, other = hunted(tmp_path / "one", "0604"), hunted(tmp_path / "other", "0602")
    pages = {}
    for seat in (None, HOUNDS, FOXES):
        for game in (one, other):
            page = data_of(replay_bytes(game, ".html", Wish(seat)))
            del page["proof"]["head"]  # type: ignore[attr-defined]  # everybody gets the head; it holds the sealed orders without telling them
            pages[seat, game is one] = page
    assert pages[HOUNDS, True] == pages[HOUNDS, False]
    assert "token/fox" not in json.dumps(pages[HOUNDS, True])
    assert "0604" not in json.dumps([phase["moments"] for phase in pages[HOUNDS, True]["phases"]])  # type: ignore[union-attr, index]
    for seat in (None, FOXES):
        assert pages[seat, True] != pages[seat, False]
    frames_ = [list(frames(Story(game, HOUNDS), "event")) for game in (one, other)]
    assert frames_[0] == frames_[1]
    assert len(list(frames(Story(one), "event"))) == len(frames_[0]) + 1
    assert refused(Story, one, "badger") == ("game.seat", 1)


def test_headings_of_turns() -> None:
    from pbem.core.sequence import parse_cursor

    for cursor, said in (
        ("t5.west.melee", "Turn 5"),
        ("d2.t3.west.melee", "Day 2, turn 3"),
        ("d4.evening", "Day 4"),
        ("setup.2.west", "Setup"),
        ("d6.setup.1", "Day 6, setup"),
    ):
        assert turn_title(parse_cursor(cursor), common_words()) == said


def test_texts_of_strangers_are_short_and_plain() -> None:
    assert clean("a\u202eb\x00c\u2028d") == "abc d"
    assert len(clean("x" * 10_000)) == LONGEST


def test_every_word_of_the_page_is_there_and_used() -> None:
    script = "".join(part(name) for name in SCRIPTS if name.startswith("replay"))
    found = {
        one or other
        for one, other in re.findall(r"(?:data\.|(?<![.\w]))words(?:\.([a-z]+)|\[\"([a-z-]+)\"\])", script)
    }
    found |= set(re.findall(r"\{\{([a-z-]+)\}\}", part(BODY)))
    found |= {f"map-{name}" for name in BOARD_WORDS} | {
        "title",
        "table",
        "column",
        "base",
        "modifiers",
        "row",
        "result",
        "rule",
    }
    assert found == set(page_words(common_words()))
    assert not [
        said for said in page_words(common_words()).values() if "?" in said.replace("?", "", said == "?")
    ]
