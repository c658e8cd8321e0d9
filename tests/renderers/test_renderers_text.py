"""The scene in words and in characters, exactly as it is printed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from scenes import areas, centre, corners, edge, ford, path, token

from pbem.core.scene import HURT, OUT, Area, Note, Scene, SideLook, Trace
from pbem.renderers import chart, text

NUMBERS = {area.centre: area.at for area in areas()}


def small() -> Scene:
    """Return a map of three by two with everything in it once."""
    looks = {"0101": "flat", "0201": "water", "0301": "tree", "0102": "road", "0202": "flat", "0302": "flat"}
    cells = tuple(
        Area(
            at,
            centre(at),
            corners(at),
            ground,
            "" if ground == "water" else ground,
            marks=("west",) if at < "02" else (),
        )
        for at, ground in looks.items()
    )
    return Scene(
        "A yard",
        "Turn 2",
        cells,
        (edge("door", "0102", "n"), edge("wall", "0102", "ne")),
        (
            token("Hob", "east", "spear", "0101", "7-6-6", moved=True, badges=("shot",)),
            token("Ulf", "west", "horse", "0202 0302", "0-1-0", weight=1),
            token("Ned", "west", "spear", "0301", "0-0-0", state="dead", weight=2),
        ),
        (Trace("move", "east", path("0102", "0101"), ("hob",)),),
        (Note(centre("0301"), "The oak"),),
        (SideLook("east", "East", "blue", "round"),),
        scale="1 hex is 2 m",
        cell=("hex", "hexes"),
        values=("attack", "defence", "movement"),
        grounds={"water": "pond"},
        summary="Hob comes in.",
    )


SMALL = """A yard
Turn 2
Hob comes in.
The map is 3 hexes wide and 2 high; hex 0101 is at the top left.
1 hex is 2 m.

What happened
- hob moves: 0102 0101

East (hex: name, class, attack-defence-movement, state)
- 0101: hob, spearman, 7-6-6, healthy, shot, moved

west (hex: name, class, attack-defence-movement, state)
- 0202, tail 0302, facing sw: ulf, horse, 0-1-0, healthy, 1 body beneath
- 0301: ned, spearman, dead, 2 bodies here

Ground (all other hexes are open)
- pond: 0201
- road: 0102
- tree: 0301
- the place called west: 0101-0102
- The oak is a name on the map

On the sides of hexes
- door: 0102 n
- wall: 0102 ne

   01  03
     02
01 A0  t
     ~
02 :   B-
     B0

Signs: . flat, : road, % tree, ~ pond, t dead
A0 hob 0101
B0 ulf 0202
"""


def test_a_small_scene_word_for_word():
    assert text.render(small()) == SMALL


def test_the_description_is_the_text_without_the_characters():
    assert SMALL.startswith(text.describe(small()))
    assert text.describe(small()).endswith("- wall: 0102 ne\n")


def test_an_empty_scene():
    assert text.render(Scene("", "", ())) == "\n"
    assert text.alt(Scene("", "", ())) == "Map. No figures."
    assert text.alt(Scene("A", "", ())) == "Map: A. No figures."


def test_alt_counts_the_living_where_there_is_no_summary():
    assert text.alt(replace(small(), summary="")) == "Map: A yard, Turn 2. Figures: East 1, west 1."


def test_alt_does_not_say_the_title_twice():
    assert (
        text.alt(replace(small(), summary="A yard, turn 2: East 3 alive."))
        == "Map: A yard, turn 2: East 3 alive."
    )


def test_alt_is_140_characters_at_most():
    assert len(text.alt(replace(small(), title="t" * 300))) == 140
    assert text.alt(replace(small(), summary="s" * 117)) == "Map: A yard, Turn 2. " + "s" * 117
    assert text.alt(replace(small(), summary="s" * 140)).endswith("s…")


def test_a_map_without_numbers_has_no_characters():
    odd = replace(small(), areas=(*small().areas, Area("7,5", (0, 0), corners("0101"), "flat")))
    assert chart.character_map(odd) == ""
    assert "hexes wide" not in text.describe(odd)
    assert chart.grid((Area("٠١٠١", (0, 0), corners("0101"), "flat"),)) is None
    assert chart.grid(areas()) == (20, 14)


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        (
            Trace("shot", "e", path("0101", "0203"), ("a",), ("b",), "4: miss"),
            "a shoots at b (0101 to 0203); 4: miss",
        ),
        (
            Trace("fight", "e", path("0101", "0102"), ("a", "c"), ("b", "d")),
            "a and c fight against b and d (0101 to 0102)",
        ),
        (Trace("fight", "e", path("0101"), ("a",), ("b",)), "a fights against b"),
        (
            Trace("move", "e", path("0101", "0102"), ("a", "b", "c"), ("oxen",)),
            "a, b and c move with oxen: 0101 0102",
        ),
        (Trace("retreat", "e", path("0101", "0102"), ("a",)), "a falls back: 0101 0102"),
        (Trace("retreat", "e", path("0101", "0102"), ("a", "b")), "a and b fall back: 0101 0102"),
        (Trace("advance", "e", path("0101", "0102"), ("a", "b")), "a and b advance: 0101 0102"),
        (Trace("enter", "e", path("0101"), ("a",)), "a enters the map: 0101"),
        (Trace("leave", "e", (), ("a",)), "a leaves the map"),
        (Trace("dance", "e", (), ()), "someone dance"),
    ],
)
def test_what_happened_in_words(trace, said):
    assert text.trace_line(trace, NUMBERS) == said


def test_a_figure_with_a_name_of_its_own():
    man = token("Sir Hugh", "east", "knight", "0101", "16-12-4")
    assert text.unit_line(man) == "0101: sir-hugh, knight, 16-12-4, healthy"
    assert (
        text.unit_line(replace(man, name="Hugh of Blackmere"))
        == "0101: sir-hugh (Hugh of Blackmere), knight, 16-12-4, healthy"
    )
    assert (
        text.unit_line(replace(man, numbers=(), description="", at=(), weight=2))
        == "nowhere: sir-hugh, knight, healthy, 2 bodies beneath"
    )
    assert text.unit_line(replace(man, state="dead", look=OUT, weight=1)) == "0101: sir-hugh, knight, dead"


def test_runs_go_down_a_column():
    assert text.runs(("0103", "0101", "0102", "0203", "0205", "0206")) == "0101-0103, 0203, 0205-0206"
    assert text.runs(("a", "b1", "b2")) == "a, b1, b2"
    assert text.runs(()) == ""


def test_a_figure_off_the_map_is_still_told():
    assert "(hex: name" not in text.describe(
        Scene("A", "", (), sides=(SideLook("east", "East", "blue", "round"),))
    )


def test_marks_are_two_characters_and_never_run_out():
    crowd = tuple(token(f"m{i:02d}", "east", "spear", "0101", "1") for i in range(40))
    marks = [mark for mark, _ in chart.marks(Scene("", "", (), tokens=crowd))]
    assert marks[:2] == ["A0", "A1"]
    assert marks[35:38] == ["Az", "A?", "A?"]


def test_a_figure_off_the_map_is_listed_without_a_place():
    lost = replace(small(), tokens=(replace(token("Hob", "east", "spear", "0101", "1"), at=()),))
    assert chart.character_map(lost).endswith("\nA0 hob")


def test_the_ford_has_every_figure_and_shot():
    said = text.render(ford())
    for man in ford().tokens:
        assert f" {man.id}, " in said
    assert "- emma shoots at wulf (1607 to 1108); 8: hit" in said
    lines = said.split("\n")
    heads = [line for line in lines if line.startswith("   01  03")]
    assert heads == ["   01  03  05  07  09  11  13  15  17  19"]


@pytest.mark.parametrize("word", ["x" * 900, "‮evil⁦", "a\x00\x1b[31mb", "🐴‍🏰", "line\nbreak"])
def test_no_word_breaks_the_text(word):
    scene = replace(
        small(),
        title=word,
        tokens=(replace(token("A", "east", "spear", "0101", "1"), id=word, name=word, state=word),),
    )
    said = text.render(scene)
    assert not {"‮", "⁦", "\x00", "\x1b"} & set(said)
    assert "- 0101: " in said
    assert len(text.alt(scene)) <= 140


# --- two hexes, animals and things


@pytest.mark.parametrize(
    ("head", "tail", "side"),
    [
        ("0505", "0506", "n"),
        ("0604", "0505", "ne"),
        ("0605", "0505", "se"),
        ("0506", "0505", "s"),
        ("0405", "0505", "sw"),
        ("0404", "0505", "nw"),
    ],
)
def test_a_figure_on_two_hexes_faces_away_from_its_tail(head, tail, side):
    assert text.facing(centre(head), centre(tail)) == side
    rider = token(
        "Hugh", "east", "mounted", f"{head} {tail}", "24-12-10", description="rich knight, mounted on bayard"
    )
    assert (
        text.unit_line(rider)
        == f"{head}, tail {tail}, facing {side}: hugh, rich knight, mounted on bayard, 24-12-10, healthy"
    )


def test_things_are_of_no_side_and_of_no_state():
    wain = replace(
        token("Wain", "", "wagon", "0505 0506", "1", description="wagon, drawn by buck"), numbers=()
    )
    said = text.describe(replace(small(), tokens=(wain,)))
    assert "Things of no side (hex: name, class, attack-defence-movement, state)\n" in said
    assert "- 0505, tail 0506, facing n: wain, wagon, drawn by buck\n" in said
    assert text.unit_line(replace(wain, state="wounded", look=HURT)).endswith("wounded")


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        (
            Trace("move", "east", path("0507", "0506"), ("hugh",), tails=path("0508", "0507")),
            "hugh moves: 0507 0506, tail 0507, facing n",
        ),
        (Trace("flee", "east", path("0507", "0506"), ("hob",)), "hob flees: 0507 0506"),
        (Trace("lead", "east", path("0507", "0506"), ("jenny",)), "jenny is led: 0507 0506"),
        (
            Trace("thrown", "east", path("0507", "0506"), ("hugh",), ("bayard",)),
            "hugh is thrown off bayard: 0507 0506",
        ),
        (
            Trace("dismount", "east", path("0507", "0506"), ("hugh",), ("bayard",)),
            "hugh gets off bayard: 0507 0506",
        ),
    ],
)
def test_what_riders_and_animals_do_in_words(trace, said):
    assert text.trace_line(trace, NUMBERS) == said


def test_edges_say_which_hex_is_the_high_one():
    said = text.describe(
        replace(
            small(),
            edges=(edge("crest", "0102", "n"), edge("gate", "0202", "s"), edge("window", "0202", "n")),
        )
    )
    assert (
        "- edge of a slope, falling away from the hex named: 0102 n\n- gateway: 0202 s\n- window: 0202 n\n"
        in said
    )
