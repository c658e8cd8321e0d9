"""Playing an archive again: each thing that can differ from the ledger is a finding of its own."""

from __future__ import annotations

import json
from functools import partial

import pytest
from msgspec.structs import replace
from table import ENGINE, Table, pull

from pbem.core.dice import Roll
from pbem.proof.canonical import decode, encode
from pbem.proof.engines import engine_of
from pbem.proof.history import Finding
from pbem.proof.ledger import read_ledger
from pbem.proof.replaying import FileInForce, GameToReplay, game_to_replay
from pbem.referee.game.differing import other_event, other_state
from pbem.referee.game.replay import read_state
from pbem.referee.game.replaying import replay as replay_by

replay = partial(replay_by, engine=engine_of(ENGINE))


@pytest.fixture
def game(table: Table) -> GameToReplay:
    """Two slots of a game that holds: a die, then no die."""
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: words for slot one\n"))
    table.resolve()
    seat = table.open().announced()["waits"][0]
    answer = "answers: {q1: let-go}\n" if table.open().questions else f"pull:\n- {seat}-team rests\n"
    table.orders(seat, f"luck: words for slot two\n{answer}")
    table.resolve()
    made = game_to_replay(read_ledger(table.open().archive))
    assert list(replay(made)) == []
    assert len(made.slots) == 2
    return made


def said(game: GameToReplay) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in replay(game)]


def details(game: GameToReplay) -> list[str]:
    return [finding.detail for finding in replay(game)]


def first(game: GameToReplay, **changes: object) -> GameToReplay:
    return replace(game, slots=(replace(game.slots[0], **changes), *game.slots[1:]))  # type: ignore[arg-type]


def test_another_start(game: GameToReplay) -> None:
    assert said(replace(game, start={**game.start, "state": "0" * 64})) == [
        ("E28", "the start: the rules give another position for this scenario than the game has")
    ]
    following = {**game.start["next"], "waits": ["south"]}
    assert said(replace(game, start={**game.start, "next": following})) == [
        (
            "E28",
            "the start: the rules give t1.north.jeering for north, the game has t1.north.jeering for south",
        )
    ]
    later = {**game.start["next"], "due": "2026-02-02T10:00:00Z"}
    assert said(replace(game, start={**game.start, "next": later})) == []


def test_files_that_make_no_game(game: GameToReplay) -> None:
    wanted = [("E28", "scenario, map, tables or options are not accepted by the rules")]
    assert (
        said(replace(game, files={**game.files, "scenario/tug.yaml": b"scenario: tug\nmap: yard\n"}))
        == wanted
    )
    assert said(replace(game, files={**game.files, "tables/knots.yaml": b"a: b\n"})) == wanted
    ruleset = {**game.manifest["ruleset"], "options": {"knots": "none"}}
    assert said(replace(game, manifest={**game.manifest, "ruleset": ruleset})) == wanted
    ruleset = {**game.manifest["ruleset"], "revision": 7}
    wanted = [
        (
            "?",
            "this is pbem 0.1.0 (engine 00000000), which does not have the rules "
            "of this game, toy revision 7; "
            "slots 1 to 2 were played by pbem 0.1.0 (engine 00000000)",
        )
    ]
    assert said(replace(game, manifest={**game.manifest, "ruleset": ruleset})) == wanted


def test_a_state_that_is_missing(game: GameToReplay) -> None:
    lost = first(game, state_before=None, state_before_sha256="0" * 64)
    assert said(lost)[0] == ("E00", "the state before the slot is missing and cannot be made again")
    assert said(first(game, state_before=None)) == []


def test_a_state_that_is_none(game: GameToReplay) -> None:
    spoilt = replace(
        game,
        slots=(game.slots[0], replace(game.slots[1], state_before=b"{}\n", state_before_sha256="1" * 64)),
    )
    assert said(spoilt) == [("E28", "slot 2: the rules cannot go on from what the game has there")]
    assert details(spoilt)[0].startswith("ValueError: not a state of this game")


def test_a_file_of_a_slot_that_is_not_played_again(game: GameToReplay) -> None:
    later = replace(game, slots=game.slots[1:])
    odd = FileInForce("north", 1, "seats/north/orders-s0001.txt", b"")
    assert said(replace(later, slots=(replace(later.slots[0], files=(*later.slots[0].files, odd)),)))[0] == (
        "E00",
        "the slot that locked this file cannot be played again",
    )


def test_dice_where_none_may_be_rolled(game: GameToReplay) -> None:
    assert said(first(game, dice_allowed=False))[0] == (
        "E28",
        "slot 1, die t1.north.pulling/pull/north-team/1: the rules roll it, but no die may be rolled there",
    )


def test_other_rolls(game: GameToReplay) -> None:
    roll, *more = game.slots[0].rolls
    other = Roll(roll.label, 6, (roll.values[0] % 6 + 1,))
    dumped = f"{roll.label} d6 [{roll.values[0]}]"
    theirs = f"the rules give {roll.values[0]}, the game has {other.values[0]}"
    assert said(first(game, rolls=(other, *more))) == [("E28", f"slot 1, roll 1, {roll.label}: {theirs}")]
    assert details(first(game, rolls=(other, *more))) == [
        f"roll 1: the rules roll {dumped} (event 3, Rolled), the log has {roll.label} d6 [{other.values[0]}]"
    ]
    right = f"{roll.label} (d6 {roll.values[0]})"
    assert said(first(game, rolls=()))[0] == (
        "E28",
        f"slot 1, roll 1: the rules give {right}, the game has nothing",
    )
    assert (
        details(first(game, rolls=()))[0]
        == f"roll 1: the rules also roll {dumped} (event 3, Rolled), where the log ends"
    )
    extra = Roll("t1.north.pulling/extra", 10, (1, 2))
    assert said(first(game, rolls=(roll, *more, extra))) == [
        (
            "E28",
            f"slot 1, roll {len(more) + 2}: the rules give nothing, the game has "
            "t1.north.pulling/extra (d10 1 2)",
        )
    ]
    odd = Roll(roll.label, 8, roll.values)
    assert said(first(game, rolls=(odd, *more)))[0] == (
        "E28",
        f"slot 1, roll 1: the rules give {right}, the game has {roll.label} (d8 {roll.values[0]})",
    )
    many = Roll("t1.north.pulling/extra", 100, tuple(range(1, 60)))
    assert said(first(game, rolls=(roll, *more, many)))[0][1].endswith("14 15 16 1 …)")


def test_kept_phases_and_next(game: GameToReplay) -> None:
    result = dict(game.slots[0].result)
    assert said(first(game, result={**result, "kept": [{"seat": "south", "slot": 1}]})) == [
        (
            "E28",
            "slot 1, orders that stay in force: the rules give nothing, the game "
            "has those of south from slot 1",
        )
    ]
    assert said(first(game, result={**result, "phases": ["t1.north.pulling"]})) == [
        (
            "E28",
            f"slot 1, phases: the rules give {', '.join(result['phases'])}, the game has t1.north.pulling",
        )
    ]
    following = {**result["next"], "phase": "t9.north.pulling"}
    waits = ", ".join(result["next"]["waits"])
    stops = f"the rules give {result['next']['phase']} for {waits}, the game has t9.north.pulling for {waits}"
    assert said(first(game, result={**result, "next": following})) == [
        ("E28", f"slot 1, who moves next: {stops}")
    ]
    engine = {**result["next"], "engine": {"name": "pbem", "version": "9", "sha256": "0" * 64}}
    assert said(first(game, result={**result, "next": engine})) == []


def test_another_state_is_told_with_its_first_event_and_its_first_place(game: GameToReplay) -> None:
    slot = game.slots[0]
    assert slot.events is not None
    assert slot.state_after is not None
    lines = slot.events.decode().splitlines()
    events = [json.loads(line) for line in lines]
    rolled = next(n for n, event in enumerate(events) if event["type"] == "Rolled")
    events[rolled]["values"] = [9]
    told = "".join(json.dumps(event) + "\n" for event in events).encode()
    state = decode(slot.state_after)
    state["teams"][1]["jeers"] = 7
    wrong = {**slot.result, "state": "0" * 64}
    rules = f"Rolled phase=pulling label={slot.rolls[0].label} sides=6 values="
    assert list(replay(first(game, result=wrong, events=told, state_after=encode(state)))) == [
        Finding(
            "E28",
            slot.result_path,
            "slot 1, south-team, jeers: the rules give nothing, the game has 7",
            f"the rules end in another state; event {rolled + 1}: the rules tell "
            f"{rules}[{slot.rolls[0].values[0]}], "
            f"the archive {rules}[9]; state.teams.south-team.jeers is missing by "
            "the rules and 7 in the archive",
        )
    ]
    nothing_to_compare = first(game, result=wrong, events=None, state_after=None)
    assert said(nothing_to_compare) == [
        ("E28", "slot 1: the rules end in another position than the game has")
    ]
    assert said(first(game, events=told)) == [
        (
            "W",
            f"derived file differs: event {rolled + 1}: the rules tell {rules}[{slot.rolls[0].values[0]}], "
            f"the archive {rules}[9]",
        )
    ]
    short = "".join(line + "\n" for line in lines[:-1]).encode()
    assert said(first(game, events=short))[0][1].startswith(
        f"derived file differs: event {len(lines)}: the rules also tell "
    )
    long = slot.events + b'{"n": 99}\n'
    assert said(first(game, events=long)) == [
        ("W", f"derived file differs: event {len(lines) + 1}: the rules do not tell ?")
    ]
    for none in (None, b"\xff", b"{", b"[1]\n", b"[" * 100_000):
        assert said(first(game, events=none)) == []


@pytest.mark.parametrize(
    ("made", "archived", "where"),
    [
        (
            {"a": 1, "b": [1, 2]},
            {"a": 1, "b": [1, 3]},
            "state.b is [1, 2] by the rules and [1, 3] in the archive",
        ),
        ({"b": [1] * 5}, {"b": [1, 1, 1, 1, 2]}, "state.b.4 is 1 by the rules and 2 in the archive"),
        (
            {"a": 1, "men": [{"id": "odo", "at": ["0101"]}]},
            {"a": 2, "men": [{"id": "odo", "at": ["0102"]}]},
            "state.men.odo.at is ['0101'] by the rules and ['0102'] in the archive",
        ),
        (
            {"men": [{"id": "odo"}, {"id": "hob"}]},
            {"men": [{"id": "odo"}]},
            "state.men.hob is {'id': 'hob'} by the rules and missing in the archive",
        ),
        ({"a": {"x": 1}}, {"a": {}}, "state.a.x is 1 by the rules and missing in the archive"),
        ({"a": []}, {"a": [1]}, "state.a is [] by the rules and [1] in the archive"),
        ({"a": 1}, {"a": 1}, ""),
    ],
)
def test_the_first_place_where_states_differ(
    made: dict[str, object], archived: dict[str, object], where: str
) -> None:
    assert other_state(encode(made), encode(archived)) == where
    assert other_state(encode(made), b"junk") == other_state(encode(made), None) == ""


def test_a_long_event_is_cut() -> None:
    said = other_event([{"n": 1, "type": "Said", "text": "x" * 300}], b"{}\n")
    assert said == f"event 1: the rules tell Said text={'x' * 150} …, the archive ?"


def test_a_question_is_named_where_the_rules_stop(table: Table) -> None:
    from test_referee_protocol import KNOTS

    table.started(umpire=True, keyed=(), options=KNOTS)
    table.orders("north", pull("north", "luck: words for slot one\n"))
    table.resolve()
    made = game_to_replay(read_ledger(table.open().archive))
    assert table.open().questions
    result = {key: value for key, value in made.slots[0].result.items() if key != "next"}
    stops = (
        "the rules give t1.north.pulling for south, with a question about yield, "
        "the game has the end of the game"
    )
    assert said(first(made, result=result)) == [("E28", f"slot 1, who moves next: {stops}")]
    assert said(first(made, result={**made.slots[0].result, "kept": []}))[0][1].startswith(
        "slot 1, orders that stay in force: the rules give those of "
    )


def test_states_that_are_none(table: Table) -> None:
    ground = table.started().open().ground
    for data in (
        b"",
        b"{}\n",
        b"[]\n",
        encode({"at": "t1.north.pulling", "rope": 0, "teams": [{"id": 7}]}),
        encode({"at": "x", "teams": [], "rope": 0}),
    ):
        with pytest.raises(ValueError, match="not a state of this game"):
            read_state(ground, data)
