"""Every verb of the language: what is said is read as the same order, by exactly one line of the grammar."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.problem import Problem
from pbem.rulesets.siege.orders import grammar, longform
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.orders import (
    Act,
    Attack,
    FireEngine,
    Move,
    MoveBy,
    Order,
    Place,
    Prepare,
    Ride,
    Shoot,
    Skill,
)

NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,23}", fullmatch=True).filter(
    lambda name: name not in grammar.reserved(CRY_HAVOC)
)
GROUPS = st.lists(NAMES, min_size=1, max_size=3, unique=True).map(tuple)
HEXES = st.builds(
    lambda c, r, s: f"{c:02}{r:02}{s}", st.integers(1, 99), st.integers(1, 99), st.sampled_from(["", "@top"])
)
WAYS = st.lists(HEXES, min_size=1, max_size=4).map(tuple)
ONE = HEXES.map(lambda place: (place,))
NONE: st.SearchStrategy[tuple[str, ...]] = st.just(())
SIDES = st.sampled_from(["n", "ne", "se", "s", "sw", "nw"])
FACING = st.sampled_from(["", "n", "ne", "se", "s", "sw", "nw"])
TARGETS = st.lists(st.one_of(NAMES, HEXES, st.just("nearest")), min_size=1, max_size=3, unique=True).map(
    tuple
)


def act(do: str, **fields: st.SearchStrategy[object]) -> st.SearchStrategy[Act]:
    return st.builds(Act, st.just(do), **fields)


MAN = NAMES.map(lambda name: (name,))
ORDERS: dict[str, tuple[tuple[str, ...], st.SearchStrategy[Order]]] = {
    "place": (("setup", "day"), st.builds(Place, NAMES, WAYS, FACING)),
    "ride": (("setup",), st.builds(Ride, NAMES, NAMES)),
    "fill": (("setup", "day"), st.builds(Prepare, st.just("fill"), WAYS)),
    "rubble": (("setup",), st.builds(Prepare, st.just("rubble"), WAYS)),
    "skill": (("setup",), st.builds(Skill, NAMES, st.integers(-9, 9))),
    "shoot": (("shoot", "shoot-again"), st.builds(Shoot, NAMES, TARGETS, FACING, st.booleans())),
    "fire": (("shoot",), st.builds(FireEngine, NAMES, NAMES, TARGETS)),
    "move": (("move",), st.builds(Move, NAMES, WAYS, FACING)),
    "move-by": (("move",), st.builds(MoveBy, NAMES, WAYS, FACING)),
    "turn": (("move",), act("turn", who=MAN, facing=SIDES)),
    "mount": (("move",), act("mount", who=MAN, what=NAMES)),
    "dismount": (("move",), act("dismount", who=MAN, to=ONE)),
    "lead": (("move",), act("lead", who=MAN, animals=GROUPS, to=ONE)),
    "lead-by": (("move",), act("lead", who=MAN, animals=GROUPS, by=WAYS)),
    "hitch": (("move",), act("hitch", who=MAN, animals=GROUPS, what=NAMES)),
    "unhitch": (("move",), act("unhitch", who=MAN, animals=GROUPS, what=NAMES)),
    "pick-up": (("move",), act("pick-up", who=GROUPS, what=NAMES)),
    "carry": (("move",), act("carry", who=GROUPS, what=NAMES, to=WAYS)),
    "raise": (("move",), act("raise", who=GROUPS, what=NAMES, to=ONE, facing=SIDES)),
    "shift": (("move",), act("shift", who=GROUPS, what=NAMES, to=st.one_of(NONE, ONE), facing=SIDES)),
    "climb": (("move",), act("climb", who=MAN, what=NAMES, over=st.booleans())),
    "step-over": (("move",), act("step-over", who=MAN, to=st.one_of(NONE, ONE))),
    "up": (("move",), act("up", who=MAN)),
    "down": (("move",), act("down", who=MAN, to=st.one_of(NONE, ONE))),
    "forward": (("move",), act("advance-engine", what=NAMES, steps=st.integers(1, 99))),
    "back": (("move",), act("back-engine", what=NAMES, steps=st.integers(1, 99))),
    "take": (("move",), act("take", who=MAN, what=NAMES)),
    "put-down": (("move",), act("put-down", who=MAN, what=NAMES, facing=FACING)),
    "work": (("move",), act("work", who=MAN, what=NAMES)),
    "enter": (("move",), act("enter", who=MAN, by=ONE, to=st.one_of(NONE, ONE))),
    "leave": (("move",), act("leave", who=MAN, by=ONE)),
    "stay": (("move",), act("stay", who=GROUPS)),
    "attack": (("fight",), st.builds(Attack, GROUPS, GROUPS, st.integers(0, 99))),
    "topple": (("fight",), act("topple", who=MAN, what=NAMES, to=st.one_of(NONE, ONE))),
    "strike": (("fight",), act("strike", what=NAMES, to=ONE)),
    "light": (("fight",), act("light", who=MAN, to=ONE)),
    "put-out": (("fight",), act("put-out", who=MAN, to=ONE)),
    "pour": (("fight",), act("pour", who=MAN, what=NAMES, to=ONE)),
    "plan": (("day",), act("plan", what=st.sampled_from(grammar.PLANS))),
    "bombard": (("day",), act("bombard", who=GROUPS, to=ONE)),
    "repair": (("day",), act("repair", who=GROUPS)),
    "resign": (grammar.ANY, act("resign")),
    "offer-draw": (grammar.ANY, act("offer-draw")),
    "accept-draw": (grammar.ANY, act("accept-draw")),
}


@pytest.mark.parametrize("verb", sorted(ORDERS))
def test_what_is_said_is_read_as_the_same_order(verb: str) -> None:
    sections, orders = ORDERS[verb]

    @settings(max_examples=25, deadline=None)
    @given(orders)
    def law(order: Order) -> None:
        said = grammar.say(CRY_HAVOC, order)
        assert said == grammar.plain(said)
        for section in sections:
            assert grammar.read(CRY_HAVOC, section, said) == order
            fitting = [
                line
                for line in grammar.lines(CRY_HAVOC)
                if section in line.sections and line.template.pattern.fullmatch(said)
            ]
            assert len(fitting) == 1, said

    law()


def test_every_line_of_the_grammar_has_an_example_that_reads_and_is_in_normal_form() -> None:
    for line in grammar.lines(CRY_HAVOC):
        for section in line.sections:
            order = grammar.read(CRY_HAVOC, section, line.example)
            assert not isinstance(order, Problem), line.example
            assert grammar.say(CRY_HAVOC, order) == line.example


def test_all_deeds_of_the_long_form_are_verbs_of_the_language() -> None:
    assert set(CRY_HAVOC.deeds.by_key) == set(ORDERS) - {"move-by", "lead-by"}


@pytest.mark.parametrize(
    ("section", "written", "normal"),
    [
        ("move", "Odo  to 0713.", "odo to 0713"),
        ("fight", "hob,odo attack gunter", "hob, odo attack gunter"),
        ("fight", "hob , odo attacks gunter", "hob, odo attack gunter"),
        ("fight", "hob attack gunter,wulf at least 2:1", "hob attacks gunter, wulf at least 2:1"),
        ("move", "tom, wat carries ladder1 to 0603 0602", "tom, wat carry ladder1 to 0603 0602"),
        ("move", "odo, wulf stays", "odo, wulf stay"),
        ("day", "trebuchet1 bombard 0704", "trebuchet1 bombards 0704"),
        ("day", "bombard", "bombard"),
    ],
)
def test_what_may_be_written_otherwise(section: str, written: str, normal: str) -> None:
    order = grammar.read(CRY_HAVOC, section, written)
    assert not isinstance(order, Problem)
    assert grammar.say(CRY_HAVOC, order) == normal


@pytest.mark.parametrize(
    ("section", "sentence", "code", "help_"),
    [
        ("move", "odo moves to 0713", "orders.sentence", "did you mean 'odo to 0713'?"),
        ("move", "odo goes to 0713", "orders.sentence", "did you mean 'odo to 0713'?"),
        ("move", "odo goes 0713 tomorrow", "orders.sentence", "NAME goes up, for example: odo goes up"),
        ("move", "odo goes to 713", "orders.sentence",
         "'713' is not a hex: two digits for its column and two for its row; "
         "NAME to HEX [or HEX] [facing SIDE], for example: odo to 0713"),
        ("move", "odo down", "orders.sentence", "NAME to HEX [or HEX] [facing SIDE], for example: odo to 0713"),
        ("fight", "odo kills gunter", "orders.sentence", "did you mean 'odo attacks gunter'?"),
        ("move", "odo marches past 0713", "orders.sentence", "NAME to HEX [or HEX] [facing SIDE], for example: odo to 0713"),
        ("move", "odo walks 0713", "orders.sentence", "did you mean 'odo to 0713'?"),
        ("move", "odo to 713", "orders.sentence",
         "'713' is not a hex: two digits for its column and two for its row; "
         "NAME to HEX [or HEX] [facing SIDE], for example: odo to 0713"),
        ("move", "odo", "orders.sentence", "NAME to HEX [or HEX] [facing SIDE], for example: odo to 0713"),
        ("move", "", "orders.sentence", "NAME to HEX [or HEX] [facing SIDE], for example: odo to 0713"),
        ("move", "works bridge", "orders.sentence", "NAME works THING, for example: piers works bridge"),
        ("move", "rafe puts mantlet1", "orders.sentence",
         "NAME puts down THING [facing SIDE], for example: rafe puts down mantlet1 facing n"),
        ("shoot", "alric shoots gunter", "orders.sentence", "did you mean 'alric at gunter'?"),
        ("shoot", "alric shoots", "orders.sentence",
         "NAME at NAME [or NAME] [or nearest] [across SIDE] [with fire], for example: alric at gunter or "
         "wulf or nearest"),
        ("fight", "hob and odo attack gunter", "orders.sentence", "did you mean 'hob, odo attack gunter'?"),
        ("fight", "odo attaks gunter", "orders.sentence", "did you mean 'odo attacks gunter'?"),
        ("fight", "odo attaks gunter hard", "orders.sentence",
         "NAME, NAME attack NAME, NAME [at least NUMBER:1], for example: hob, odo attack gunter"),
        ("fight", "odo attacks gunter at least 3:2", "orders.sentence",
         "NAME, NAME attack NAME, NAME [at least NUMBER:1], for example: hob, odo attack gunter"),
        ("move", "tom, wat raise ladder1 in 0603 facing q", "orders.sentence",
         "'q' is not a side of a hex: n ne se s sw nw; NAME, NAME raise LADDER "
         "in HEX facing SIDE, for example: "
         "tom, wat raise ladder1 in 0603 facing s"),
        ("shoot", "alric at gunter across up", "orders.sentence",
         "'up' is not a side of a hex: n ne se s sw nw; NAME at NAME [or NAME] [or nearest] [across SIDE] "
         "[with fire], "
         "for example: alric at gunter or wulf or nearest"),
        ("fight", "i surrender", "orders.sentence", "resign, for example: resign"),
        ("fight", "ansgot puts down barrel1", "orders.section", "put it under move:"),
        ("move", "ansgot puts out 1410", "orders.section", "put it under fight:"),
        ("move", "alric at gunter", "orders.section", "put it under shoot:"),
        ("fight", "odo to 0713", "orders.section", "put it under move:"),
        ("shoot", "hob attacks gunter", "orders.section", "put it under fight:"),
        ("shoot-again", "bran fires ballista1 at gunter", "orders.section", "put it under shoot:"),
        ("move", "to to 0101", "orders.reserved", ""),
        ("shoot", "alric at nearest or enemy", "orders.reserved", ""),
        ("shoot", "nearest at gunter", "orders.reserved", ""),
        ("fight", "hob attacks nearest", "orders.reserved", ""),
        ("elsewhere", "hob jumps", "orders.sentence", "NAME at HEX [facing SIDE], for example: odo at 0712"),
    ],
)  # fmt: skip
def test_a_sentence_that_fits_nothing_is_answered_with_the_nearest_line(
    section: str, sentence: str, code: str, help_: str
) -> None:
    problem = grammar.read(CRY_HAVOC, section, sentence)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.help) == (code, help_)


@pytest.mark.parametrize(
    ("section", "sentence", "help_"),
    [
        ("setup", "odo to 0712", "did you mean 'odo at 0712'?"),
        ("setup", "odo to 0712 facing s", "did you mean 'odo at 0712 facing s'?"),
        ("setup", "odo attacks gunter", "it belongs under fight:, which cannot be ordered now"),
    ],
)
def test_a_sentence_of_another_time_is_answered_with_what_it_would_be_here(
    section: str, sentence: str, help_: str
) -> None:
    problem = grammar.read(CRY_HAVOC, section, sentence, coming=[section])
    assert isinstance(problem, Problem)
    assert (problem.code, problem.help) == ("orders.section", help_)


def test_in_the_setup_men_stand_at_a_hex_however_that_is_said() -> None:
    problem = grammar.read(CRY_HAVOC, "setup", "odo in 0712")
    assert isinstance(problem, Problem)
    assert (problem.code, problem.help) == ("orders.sentence", "did you mean 'odo at 0712'?")


def test_a_reserved_word_is_named() -> None:
    problem = grammar.read(CRY_HAVOC, "fight", "hob attacks wulf, everyone")
    assert isinstance(problem, Problem)
    assert problem.args == {"word": "everyone"}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*grammar.ANY, "nowhere"]), st.text(max_size=40))
def test_any_text_is_an_order_or_a_problem(section: str, sentence: str) -> None:
    read = grammar.read(CRY_HAVOC, section, sentence)
    if not isinstance(read, Problem):
        assert grammar.read(CRY_HAVOC, section, grammar.say(CRY_HAVOC, read)) == read


def test_what_is_no_order_cannot_be_said() -> None:
    with pytest.raises(AttributeError):
        grammar.say(CRY_HAVOC, "odo to 0713")  # type: ignore[arg-type]


# --- the same as keys


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"who": ["hob", "odo"], "do": "attack", "at": ["gunter"]}, "hob, odo attack gunter"),
        (
            {"who": "hob", "do": "attack", "at": ["gunter", "wulf"], "at-least": "2:1"},
            "hob attacks gunter, wulf at least 2:1",
        ),
        (
            {"who": ["alric"], "do": "shoot", "at": ["gunter", "nearest"], "across": "ne"},
            "alric at gunter or nearest across ne",
        ),
        ({"who": "alric", "do": "shoot", "at": "0712", "with": "fire"}, "alric at 0712 with fire"),
        ({"who": "odo", "do": "move", "to": ["0713", "0714"], "facing": "n"}, "odo to 0713 or 0714 facing n"),
        ({"who": "odo", "do": "move", "path": ["0713", "0714"]}, "odo by 0713 0714"),
        ({"who": "odo", "do": "place", "at": "0712", "facing": "s"}, "odo at 0712 facing s"),
        ({"who": "odo", "do": "ride", "what": "bayard"}, "odo rides bayard"),
        ({"do": "fill", "hexes": ["0603", "0604"]}, "fill 0603 0604"),
        ({"do": "rubble", "hexes": ["0603"]}, "rubble 0603"),
        ({"who": "alric", "do": "skill", "value": -2}, "alric has skill -2"),
        (
            {"who": "bran", "do": "fire", "engine": "ballista1", "at": ["wulf", "tam"]},
            "bran fires ballista1 at wulf or tam",
        ),
        ({"who": "hugh", "do": "turn", "facing": "ne"}, "hugh turns ne"),
        ({"who": "hugh", "do": "mount", "what": "bayard"}, "hugh mounts bayard"),
        ({"who": "hugh", "do": "dismount", "to": ["0712"]}, "hugh dismounts to 0712"),
        (
            {"who": "tom", "do": "lead", "animals": ["ox1", "ox2"], "to": ["0712"]},
            "tom leads ox1, ox2 to 0712",
        ),
        (
            {"who": "tom", "do": "lead", "animals": ["ox1"], "path": ["0711", "0712"]},
            "tom leads ox1 by 0711 0712",
        ),
        (
            {"who": "giles", "do": "hitch", "animals": ["ox1"], "what": "wagon1"},
            "giles hitches ox1 to wagon1",
        ),
        (
            {"who": "giles", "do": "unhitch", "animals": ["ox1"], "from": "wagon1"},
            "giles unhitches ox1 from wagon1",
        ),
        ({"who": ["tom"], "do": "pick-up", "what": "ladder1"}, "tom picks up ladder1"),
        (
            {"who": ["tom", "wat"], "do": "carry", "what": "ladder1", "to": ["0603", "0602"]},
            "tom, wat carry ladder1 to 0603 0602",
        ),
        (
            {"who": ["tom", "wat"], "do": "raise", "what": "ladder1", "in": "0603", "facing": "s"},
            "tom, wat raise ladder1 in 0603 facing s",
        ),
        (
            {"who": ["tom", "wat"], "do": "shift", "what": "ladder1", "facing": "s"},
            "tom, wat shift ladder1 facing s",
        ),
        ({"who": "odo", "do": "climb", "what": "ladder1", "over": "true"}, "odo climbs ladder1 and over"),
        ({"who": "odo", "do": "climb", "what": "ladder1", "over": "false"}, "odo climbs ladder1"),
        ({"who": "odo", "do": "step-over", "to": ["0704"]}, "odo steps over to 0704"),
        ({"who": "odo", "do": "up"}, "odo goes up"),
        ({"who": "odo", "do": "down"}, "odo goes down"),
        ({"what": "tower1", "do": "forward", "steps": 2}, "tower1 forward 2"),
        ({"what": "ram1", "do": "back", "steps": "1"}, "ram1 back 1"),
        ({"who": "rafe", "do": "take", "what": "barrel1"}, "rafe takes barrel1"),
        (
            {"who": "rafe", "do": "put-down", "what": "mantlet1", "facing": "n"},
            "rafe puts down mantlet1 facing n",
        ),
        ({"who": "piers", "do": "work", "what": "bridge"}, "piers works bridge"),
        ({"who": "odo", "do": "enter", "at": "0101", "to": "0203"}, "odo enters at 0101 to 0203"),
        ({"who": "odo", "do": "leave", "by": "0101"}, "odo leaves the map by 0101"),
        ({"who": ["odo", "wulf"], "do": "stay"}, "odo, wulf stay"),
        ({"who": "rafe", "do": "topple", "what": "ladder1", "to": "0704"}, "rafe topples ladder1 to 0704"),
        ({"what": "ram1", "do": "strike", "at": "0404"}, "ram1 strikes 0404"),
        ({"who": "hal", "do": "light", "at": "1410"}, "hal lights 1410"),
        ({"who": "hal", "do": "put-out", "at": "1410"}, "hal puts out 1410"),
        ({"who": "rafe", "do": "pour", "item": "barrel1", "on": "0703"}, "rafe pours barrel1 on 0703"),
        ({"do": "plan", "what": "lift the siege"}, "lift the siege"),
        ({"who": ["trebuchet1"], "do": "bombard", "at": "0704"}, "trebuchet1 bombards 0704"),
        ({"who": ["mangonel1", "trebuchet2"], "do": "repair"}, "repair mangonel1, trebuchet2"),
        ({"do": "resign"}, "resign"),
        ({"do": "offer-draw"}, "offer a draw"),
        ({"do": "accept-draw"}, "accept the draw"),
    ],
)
def test_keys_say_the_same_as_a_sentence(entry: dict[str, object], sentence: str) -> None:
    said = longform.sentence(CRY_HAVOC, entry)
    assert isinstance(said, str), said
    section = next(
        heading
        for heading in grammar.ANY
        if not isinstance(grammar.read(CRY_HAVOC, heading, sentence), Problem)
    )
    assert grammar.read(CRY_HAVOC, section, said) == grammar.read(CRY_HAVOC, section, sentence)
    assert not isinstance(grammar.read(CRY_HAVOC, section, said), Problem)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"do": "atack", "who": "hob"}, [("orders.deed", ("do",), "did you mean 'attack'?")]),
        ({"do": "xyz"}, [("orders.deed", ("do",), "a key 'do' says what is done, such as do: move")]),
        ({"who": "hob"}, [("orders.deed", (), "a key 'do' says what is done, such as do: move")]),
        (
            {"do": "attack", "who": "hob", "to": ["0101"]},
            [
                ("orders.key", ("to",), "the keys of this order are do, who, at, at-least"),
                ("orders.no-key", (), "the keys of this order are do, who, at, at-least"),
            ],
        ),
        (
            {"do": "move", "who": "hob"},
            [("orders.no-key", (), "the keys of this order are do, who, to, path, facing")],
        ),
        (
            {"do": "move", "who": "hob", "to": ["0101"], "path": ["0101"]},
            [("orders.no-key", (), "the keys of this order are do, who, to, path, facing")],
        ),
    ],
)
def test_wrong_keys_are_all_named(
    entry: dict[str, object], expected: list[tuple[str, tuple[str, ...], str]]
) -> None:
    problems = longform.sentence(CRY_HAVOC, entry)
    assert not isinstance(problems, str)
    assert [(problem.code, problem.path, problem.help) for problem in problems] == expected
