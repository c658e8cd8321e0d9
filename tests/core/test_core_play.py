"""A phase as a pure function: events, named rolls, questions that stop it and answers that resume it; and
slots of many phases.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.dice import NoDice, NoDiceError, Roll, ScriptedDice
from pbem.core.play import Answer, Choice, Play, Stopped, resolve_phase
from pbem.core.ruleset import Option, Ruleset, RulesetInterface, choose, play_slot
from pbem.core.sequence import (
    ACTIVE,
    BOTH,
    DAY,
    NOBODY,
    PASSIVE,
    TURN,
    Cursor,
    Each,
    Loop,
    Phase,
    SequenceOfPlay,
    parse_cursor,
    turn_by_turn,
)

SEQUENCE = turn_by_turn(
    Phase("throw", "throw", ACTIVE, "Throw"), Phase("rest", "", NOBODY, "Rest"), placing=None
)


class Heap(Struct, frozen=True):
    """A toy: two sides throw a die in turn; the first to seven has won."""

    at: Cursor = Cursor("throw", 1, "red")
    points: tuple[tuple[str, int], ...] = ()
    said: tuple[str, ...] = ()

    def of(self, side: str) -> int:
        return dict(self.points).get(side, 0)


class Thrown(Struct, frozen=True):
    side: str
    total: int


class Next(Struct, frozen=True):
    at: Cursor


class Spoke(Struct, frozen=True):
    seat: str


class File(Struct, frozen=True):
    seat: str
    turns: tuple[int, ...]
    last: str = "rest"
    answers: dict[str, str] = field(default_factory=dict)

    def covers(self, cursor: Cursor) -> bool:
        return cursor.turn in self.turns and cursor.side == self.seat and cursor.phase == "throw"


def apply(heap: Heap, event: object) -> Heap:
    match event:
        case Thrown():
            return replace(heap, points=tuple(sorted({**dict(heap.points), event.side: event.total}.items())))
        case Next():
            return replace(heap, at=event.at)
        case Spoke():
            return replace(heap, said=(*heap.said, event.seat))
    raise TypeError(event)


def throw(rules: Ruleset[Heap], play: Play[Heap], files: object) -> None:
    side = play.state.at.side
    first = play.roll("first", 6)[0]
    play.happen(Thrown(side, play.state.of(side) + first))
    if first == 1:
        answer = play.ask(
            seat=side,
            about="again",
            unit="die",
            rule="T1",
            choices=(Choice("a", "yes"), Choice("b", "no")),
            default="no",
            why="a one",
        )
        if answer.value == "yes":
            play.happen(Thrown(side, play.state.of(side) + play.roll("second", 6)[0]))


def rest(rules: Ruleset[Heap], play: Play[Heap], files: object) -> None:
    assert not files


def advance(rules: Ruleset[Heap], heap: Heap) -> tuple[object, ...]:
    at = heap.at
    if at.phase == "throw":
        return (Next(replace(at, phase="rest")),)
    side, turn = ("blue", at.turn) if at.side == "red" else ("red", at.turn + 1)
    return (Next(Cursor("throw", turn, side)),)


def absent(*args: object) -> Iterator[None]:
    raise AssertionError("not a door of this toy")


INTERFACE: RulesetInterface[Heap] = RulesetInterface(
    read_field=absent,  # type: ignore[arg-type]
    setup=absent,  # type: ignore[arg-type]
    read_orders=absent,  # type: ignore[arg-type]
    check=absent,  # type: ignore[arg-type]
    instruct=lambda rules, heap, seat, orders, digest: (Spoke(f"{seat} {digest}"),),
    cursor=lambda heap: heap.at,
    seats_to_order=lambda rules, heap: (heap.at.side,) if heap.at.phase == "throw" else (),
    over=lambda heap: any(total >= 7 for _, total in heap.points),
    advance=advance,
    apply=apply,
    state_to_plain=absent,  # type: ignore[arg-type]
    state_from_plain=absent,  # type: ignore[arg-type]
    event_to_plain=absent,  # type: ignore[arg-type]
    legal=absent,  # type: ignore[arg-type]
    say=absent,  # type: ignore[arg-type]
    forecast=absent,  # type: ignore[arg-type]
    sheet=absent,  # type: ignore[arg-type]
    scene=absent,
    outcome=absent,  # type: ignore[arg-type]
)
RULES: Ruleset[Heap] = Ruleset(
    "heap", 1, "Heap", SEQUENCE, {"throw": throw, "rest": rest}, {}, {}, {}, INTERFACE
)


def dice(**names: int) -> ScriptedDice:
    return ScriptedDice({name.replace("_", "."): (value,) for name, value in names.items()})


def faces(*values: tuple[str, int]) -> ScriptedDice:
    return ScriptedDice({label: (value,) for label, value in values})


def test_a_phase_is_a_pure_function():
    step = lambda play: throw(RULES, play, {})  # noqa: E731
    before = Heap()
    result = resolve_phase(step, before, "t1.red.throw", apply, faces(("first", 5)))
    assert result.state.of("red") == 5
    assert before == Heap()
    assert result.events == (Thrown("red", 5),)
    assert result.rolls == (Roll("t1.red.throw/first", 6, (5,)),)
    assert result.question is None
    assert resolve_phase(step, before, "t1.red.throw", apply, faces(("first", 5))) == result


def test_a_name_serves_once():
    def twice(play: Play[Heap]) -> None:
        play.roll("x", 6)
        play.roll("x", 6)

    with pytest.raises(AssertionError, match="the name c/x serves once"):
        resolve_phase(twice, Heap(), "c", apply, faces(("x", 1)))


def test_happen_tells_where_the_event_stands():
    play = Play(Heap(), "c", apply, NoDice())
    assert play.happen(Thrown("red", 1)) == 0
    assert play.happen(Thrown("red", 2)) == 1
    assert play.roll.__doc__
    with pytest.raises(NoDiceError):
        play.roll("x", 6)


def test_a_question_nobody_answered_is_named():
    play = Play(Heap(), "c", apply, NoDice())
    with pytest.raises(Stopped) as stopped:
        play.ask(seat="red", about="again", unit="die", rule="T1", choices=(), default="no", why="a one")
    assert str(stopped.value) == stopped.value.question.id == "q1"


def test_several_dice_of_one_roll():
    play = Play(Heap(), "c", apply, ScriptedDice({"x": (4, 2)}))
    assert play.roll("x", 6, 2) == (4, 2)
    assert play.rolls == [Roll("c/x", 6, (4, 2))]


def test_a_question_stops_the_phase_and_the_answer_resumes_it():
    step = lambda play: throw(RULES, play, {})  # noqa: E731
    stopped = resolve_phase(step, Heap(), "t1.red.throw", apply, faces(("first", 1)))
    question = stopped.question
    assert question is not None
    assert (question.id, question.seat, question.kind, question.about, question.unit) == (
        "q1",
        "red",
        "one",
        "again",
        "die",
    )
    assert (question.rule, question.default, question.why) == ("T1", "no", "a one")
    assert [choice.value for choice in question.choices] == ["yes", "no"]
    assert stopped.state == Heap()
    assert stopped.events == (Thrown("red", 1),)
    assert stopped.rolls == (Roll("t1.red.throw/first", 6, (1,)),)
    both = faces(("first", 1), ("second", 4))
    resumed = resolve_phase(step, Heap(), "t1.red.throw", apply, both, {"q1": Answer("yes", "answer")})
    assert resumed.events[: len(stopped.events)] == stopped.events
    assert resumed.state.of("red") == 5
    refused = resolve_phase(step, Heap(), "t1.red.throw", apply, both, {"q1": Answer("no", "default")})
    assert refused.state.of("red") == 1


def test_a_slot_plays_until_somebody_is_needed():
    red = File("red", (1,))
    slot = play_slot(RULES, Heap(), {"red": (red,)}, {"red": (red, "f00d")}, faces(("first", 3)))
    assert [str(phase.cursor) for phase in slot.played] == ["t1.red.throw", "t1.red.rest"]
    assert slot.state.at == Cursor("throw", 1, "blue")
    assert slot.state.said == ("red f00d",)
    turn_over = (Next(Cursor("rest", 1, "red")), Next(Cursor("throw", 1, "blue")))
    assert slot.events == (Spoke("red f00d"), Thrown("red", 3), *turn_over)
    assert slot.rolls == (Roll("t1.red.throw/first", 6, (3,)),)
    assert (slot.question, slot.over, dict(slot.kept)) == (None, False, {})


def test_a_silent_side_plays_its_player_turn_and_no_more():
    slot = play_slot(RULES, Heap(), {}, {}, faces(("first", 3)))
    assert [str(phase.cursor) for phase in slot.played] == ["t1.red.throw", "t1.red.rest"]
    blue = File("blue", (1,))
    both = play_slot(RULES, Heap(), {"blue": (blue,)}, {}, faces(("first", 3)))
    assert [str(phase.cursor) for phase in both.played] == [
        "t1.red.throw",
        "t1.red.rest",
        "t1.blue.throw",
        "t1.blue.rest",
    ]


def test_who_sent_a_file_is_not_silent_later_in_his_turn():
    """A file for the first of two phases: the second one waits, as it would not if nothing
    at all had come.
    """
    twice = turn_by_turn(Phase("throw", "throw", ACTIVE, "Throw"), Phase("rest", "rest", ACTIVE, "Rest"))
    rules = RULES.amend(
        sequence=twice, interface=replace(INTERFACE, seats_to_order=lambda rules, heap: (heap.at.side,))
    )
    red = File("red", (1,))
    slot = play_slot(rules, Heap(), {"red": (red,)}, {}, faces(("first", 3)))
    assert [str(phase.cursor) for phase in slot.played] == ["t1.red.throw"]
    assert slot.state.at == Cursor("rest", 1, "red")
    silent = play_slot(rules, Heap(), {}, {}, faces(("first", 3)))
    assert [str(phase.cursor) for phase in silent.played] == ["t1.red.throw", "t1.red.rest"]


def test_a_slot_stops_at_a_question_and_keeps_the_file():
    red = File("red", (1,))
    slot = play_slot(RULES, Heap(), {"red": (red,)}, {"red": (red, "0")}, faces(("first", 1)))
    assert slot.question is not None
    assert slot.state == Heap(said=("red 0",))
    assert dict(slot.kept) == {"red": (red,)}
    assert slot.rolls == (Roll("t1.red.throw/first", 6, (1,)),)
    assert Thrown("red", 1) in slot.events
    answered = play_slot(
        RULES,
        slot.state,
        slot.kept,
        {},
        faces(("first", 6), ("second", 2)),
        slot.rolls,
        {"q1": Answer("yes", "answer")},
    )
    assert answered.state.of("red") == 3
    assert answered.rolls == (Roll("t1.red.throw/second", 6, (2,)),)
    assert dict(answered.kept) == {}


def test_recorded_rolls_and_answers_are_for_the_open_phase_alone():
    files = {"red": (File("red", (1,)),), "blue": (File("blue", (1,)),)}
    recorded = [Roll("t1.red.throw/first", 6, (2,)), Roll("t1.blue.throw/first", 6, (6,))]
    slot = play_slot(RULES, Heap(), files, {}, faces(("first", 1)), recorded, {"q1": Answer("yes", "answer")})
    assert slot.state.of("red") == 2
    assert slot.question is not None
    assert slot.question.seat == "blue"


def test_the_end_of_the_game_ends_the_slot():
    files = {"red": (File("red", (1, 2)),), "blue": (File("blue", (1, 2)),)}
    labels = (("t1.red.throw/first", 4), ("t1.blue.throw/first", 2), ("t2.red.throw/first", 3))
    slot = play_slot(RULES, Heap(), files, {}, faces(*labels))
    assert slot.over
    assert slot.state.of("red") == 7
    assert [str(phase.cursor) for phase in slot.played][-1] == "t2.red.throw"
    assert dict(slot.kept) == {}
    again = play_slot(RULES, slot.state, {}, {}, NoDice())
    assert again.played == ()
    assert again.over


def test_without_dice_the_first_die_says_so():
    with pytest.raises(NoDiceError, match=r"t1\.red\.throw/first"):
        play_slot(RULES, Heap(), {"red": (File("red", (1,)),)}, {}, NoDice())


# --- the sequence and its cursor


@pytest.mark.parametrize(
    "text",
    [
        "t3.west.melee",
        "d2.t5.baron.melee",
        "setup.1.west",
        "setup.2",
        "d1.setup.1",
        "t1.a.first_missile",
        "d2.evening",
        "d12.late_night",
        "t4.end",
        "t2.north.act.3",
        "d1.t4.act.12",
    ],
)
def test_a_cursor_reads_as_it_is_written(text):
    assert str(parse_cursor(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "t3",
        "3.west.melee",
        "t3.West.melee",
        "setup",
        "over",
        "d2.over",
        "d2.setup",
        "evening",
        "d2.Evening",
        "t3.west.melee ",
        "t3.west.me-lee",
    ],
)
def test_what_is_no_cursor_is_refused(text):
    with pytest.raises(ValueError, match="is not the name of a phase"):
        parse_cursor(text)


def test_cursors_know_their_player_turn():
    melee = parse_cursor("t3.west.melee")
    assert melee == Cursor("melee", 3, "west")
    assert melee.player_turn == parse_cursor("t3.west.movement").player_turn
    for other in ("t4.west.melee", "t3.east.melee", "d1.t3.west.melee"):
        assert melee.player_turn != parse_cursor(other).player_turn
    assert Cursor("setup", 1, "west").player_turn != Cursor("melee", 1, "west").player_turn
    assert str(Cursor("over", 10, "west")) == "over"
    assert str(Cursor("over", 10, "west", 3)) == "d3.over"
    assert parse_cursor("d2.setup.1.west") == Cursor("setup", 1, "west", 2)


def test_a_phase_between_player_turns_has_a_day_alone():
    assert parse_cursor("d2.evening") == Cursor("evening", day=2)
    assert str(Cursor("evening", 0, "", 3)) == "d3.evening"
    assert (
        str(Cursor("melee", 1, "", 3)) == "d3.t1.melee"
        and str(Cursor("melee", 0, "west", 3)) == "d3.t0.west.melee"
    )


def test_a_question_for_some_says_how_many_are_wanted():
    play = Play(Heap(), "t1.red.throw", apply, NoDice())
    with pytest.raises(Stopped) as stopped:
        play.ask(
            seat="red",
            about="who",
            unit="u",
            rule="R",
            choices=(),
            default="",
            why="",
            kind="some",
            least=2,
            most=3,
        )
    assert (stopped.value.question.min, stopped.value.question.max) == (2, 3)


def test_the_words_of_the_sequence():
    assert (ACTIVE, PASSIVE, BOTH, NOBODY) == ("active", "passive", "both", "nobody")
    assert (Cursor("setup").turn, Cursor("setup").side, Cursor("setup").day, Cursor("setup").part) == (
        0,
        "",
        0,
        "",
    )


def test_the_sequence_is_a_table():
    assert SEQUENCE.position("rest") == 1
    assert SEQUENCE.phase("rest").title == "Rest"
    assert SEQUENCE.headings == {"throw": "throw"}
    with pytest.raises(KeyError):
        SEQUENCE.phase("sleep")
    assert list(SEQUENCE.outline()) == [
        "1. Throw (throw): orders under `throw:`",
        "2. Rest (rest): nobody orders",
    ]
    night = Phase("night", "watch", NOBODY, "Night")
    days = SequenceOfPlay((Loop(DAY, (*SEQUENCE.parts, night)),))
    assert days.phase("night") is night and (days.phases, days.between) == (SEQUENCE.phases, (night,))
    assert list(days.outline()) == list(SEQUENCE.outline()) and days.headings == {
        "throw": "throw",
        "watch": "night",
    }


def walk(sequence, happens=lambda part, then: True, most=20):
    """Return the names of what is played, from the first thing on, each found from the one before alone."""
    at = None
    found: list[str] = []
    while (at := sequence.after(at, ("red", "blue"), happens)) is not None and len(found) < most:
        assert parse_cursor(str(at)) == at
        found.append(str(at))
    return found


def short(part, then):
    """Two steps of a setup, two days, two turns."""
    return then.turn <= 2 and then.day <= 2


ANARCHIC = SequenceOfPlay(
    (
        Phase("setup", "place", BOTH, "Placing", 9, TURN),
        Loop(
            DAY,
            (
                Phase("plan", "plan", BOTH, "Plan"),
                Loop(
                    TURN,
                    (
                        Each(
                            (
                                Phase("move", "move", ACTIVE, "Move"),
                                Phase("volley", "volley", PASSIVE, "Defensive fire"),
                            )
                        ),
                        Phase("act", "act", BOTH, "Actions", 3),
                        Phase("end", "", NOBODY, "End"),
                    ),
                ),
                Phase("night", "", NOBODY, "Night"),
            ),
        ),
    )
)


def test_what_follows_is_found_from_wherever_a_game_stands():
    turn = ("red.move", "red.volley", "blue.move", "blue.volley", "act.1", "act.2", "act.3", "end")
    day = ("plan", *(f"t{number}.{phase}" for number in (1, 2) for phase in turn), "night")
    wanted = ["setup.1", "setup.2", *(f"d{number}.{phase}" for number in (1, 2) for phase in day)]
    assert walk(ANARCHIC, short, 99) == wanted
    assert len(set(wanted)) == len(wanted), "dice are named after it"


def test_what_does_not_take_place_is_passed_over():
    def tired(part, then):
        """No setup and no actions; on the second day no fighting either, and no third day."""
        if then.is_setup or then.action:
            return False
        return (
            not (isinstance(part, Loop) and part.counts == TURN and (then.day == 2 or then.turn == 2))
            and then.day <= 2
        )

    turn = ("red.move", "red.volley", "blue.move", "blue.volley", "end")
    assert walk(ANARCHIC, tired) == [
        "d1.plan",
        *(f"d1.t1.{phase}" for phase in turn),
        "d1.night",
        "d2.plan",
        "d2.night",
    ]
    alone = lambda part, then: not isinstance(part, Each) or then.side != "red"  # noqa: E731
    assert walk(SEQUENCE, alone, 3) == ["t1.blue.throw", "t1.blue.rest", "t2.blue.throw"]


def test_who_orders_in_a_phase():
    sides = ("red", "blue", "grey")
    who = {
        phase: ANARCHIC.ordering(Cursor(phase, 1, "blue", 1), sides)
        for phase in ("move", "volley", "act", "end")
    }
    assert who == {"move": ("blue",), "volley": ("red", "grey"), "act": sides, "end": ()}


def test_a_die_is_never_rolled_twice_under_one_name():
    """Two phases with one cursor would roll the same die, and only the proof would tell."""

    looped = RULES.amend(interface=replace(INTERFACE, advance=lambda rules, heap: (Next(heap.at),)))
    with pytest.raises(AssertionError, match=r"t1\.red\.throw is played a second time"):
        play_slot(looped, Heap(), {"red": (File("red", (1,)),)}, {}, faces(("first", 3)))


# --- modules and options


def louder(rules: Ruleset[Heap]) -> Ruleset[Heap]:
    return rules.amend(title=rules.title + "!")


def module(word: str) -> object:
    return lambda rules: rules.amend(title=f"{rules.title} {word}")


OPEN: Ruleset[Heap] = RULES.amend(
    options={
        "loud": Option(("false", "true"), ("T1",), "louder", {"true": louder}),
        "soft": Option(("false", "true"), ("T2",), "softer", conflicts=("loud",)),
    },
    known_modules={"two": module("two"), "one": module("one")},
)


def test_options_and_modules_are_functions_from_ruleset_to_ruleset():
    chosen, problems = choose(OPEN, ["one", "two", "one"], {"loud": "true"})
    assert problems == []
    assert chosen is not None
    assert chosen.title == "Heap two one!"
    assert chosen.modules == ("one", "two")
    assert chosen.settings == {"loud": "true", "soft": "false"}
    assert (OPEN.title, OPEN.setting("loud"), chosen.setting("loud")) == ("Heap", "false", "true")
    plain, _ = choose(OPEN, [], {})
    assert plain is not None
    assert plain.title == "Heap"
    with pytest.raises(KeyError):
        OPEN.setting("colour")
    assert OPEN.options["loud"].default == "false"


def test_what_cannot_be_chosen_is_said_all_at_once():
    chosen, problems = choose(OPEN, ["three"], {"lod": "true", "loud": "maybe"})
    assert chosen is None
    assert [(p.code, p.path, p.key) for p in problems] == [
        ("rules.module", ("modules", 0), False),
        ("rules.option", ("options", "lod"), True),
        ("rules.value", ("options", "loud"), False),
    ]
    assert problems[0].help == "known are one, two"
    assert [problem.args for problem in problems[:2]] == [{"module": "three"}, {"option": "lod"}]
    assert problems[1].help == "known are loud, soft"
    assert problems[2].help == "one of false, true"
    assert problems[2].args == {"option": "loud", "value": "maybe"}
    _, bare = choose(RULES, ["x"], {})
    assert bare[0].help == "this ruleset has none"


def test_options_that_contradict_each_other_are_refused():
    chosen, problems = choose(OPEN, [], {"loud": "true", "soft": "true"})
    assert chosen is None
    found = [(p.code, p.args, p.path) for p in problems]
    assert found == [("rules.conflict", {"option": "soft", "other": "loud"}, ("options", "soft"))]
    for options in ({"loud": "true", "soft": "false"}, {"soft": "true"}, {"soft": "true", "loud": "false"}):
        assert choose(OPEN, [], options)[1] == []
