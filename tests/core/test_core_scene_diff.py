"""What is different between two scenes: arrows for who stands elsewhere, rims for what is not as it was,
nothing for the rest.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.core.scene import DOWN, HURT, OUT, UP, Area, Feature, Scene, Thing, Token, Trace
from pbem.core.scene_diff import Change, changed, changes
from pbem.geometry.hex import centre, corners

HEXES = tuple(f"{column:02d}{row:02d}" for column in range(1, 6) for row in range(1, 5))
AREAS = tuple(Area(at, centre(at), corners(at), "flat") for at in HEXES)


def token(id_: str, *at: str, **more: object) -> Token:
    more["look"] = {"dead": OUT, "wounded": HURT, "stunned": DOWN}.get(str(more.get("state")), UP)
    return Token(id_, id_.capitalize(), "west", "spear", at, tuple(map(centre, at)), **more)  # type: ignore[arg-type]


def thing(id_: str, *at: str, **more: object) -> Thing:
    return Thing(id_, "ladder", at, tuple(map(centre, at)), "west", **more)  # type: ignore[arg-type]


def feature(kind: str, at: str, number: int = 0) -> Feature:
    return Feature(kind, at, centre(at), corners(at), number)


def scene(*tokens: Token, things: tuple[Thing, ...] = (), features: tuple[Feature, ...] = ()) -> Scene:
    return Scene("A field", "", AREAS, tokens=tokens, things=things, features=features)


def rims(drawn: Scene) -> list[str]:
    return [area.at for area in drawn.areas if area.changed]


def test_who_stands_elsewhere_has_one_arrow_and_no_rim() -> None:
    before = scene(token("odo", "0101"), token("hob", "0202"))
    after = replace(
        scene(token("odo", "0303", moved=True), token("hob", "0202")),
        traces=(Trace("shot", "west", (centre("0101"),), ()),),
    )
    drawn = changed(before, after)
    assert changes(before, after) == (Change("moved", "odo", "west", "0101", "0303"),)
    assert drawn.traces == (Trace("move", "west", (centre("0101"), centre("0303")), ("odo",)),)
    assert rims(drawn) == []
    assert not any(each.moved for each in drawn.tokens)


def test_a_horse_goes_with_its_tail_and_may_turn_on_the_spot() -> None:
    before, after = scene(token("bayard", "0202", "0203")), scene(token("bayard", "0402", "0403"))
    (arrow,) = changed(before, after).traces
    assert (arrow.path, arrow.tails) == ((centre("0202"), centre("0402")), (centre("0203"), centre("0403")))
    turned = scene(token("bayard", "0202", "0201"))
    assert changes(before, turned) == (Change("turned", "bayard", "west", "0202", "0202"),)
    assert rims(changed(before, turned)) == ["0201", "0202"]


def test_a_rider_and_his_horse_are_told_once() -> None:
    on = token("odo", "0202", "0203", description="knight, mounted on bayard", mount="bayard")
    apart = (token("odo", "0201"), token("bayard", "0202", "0203"))
    assert [(change.kind, change.id) for change in changes(scene(*apart), scene(on))] == [("moved", "odo")]
    assert [(change.kind, change.id) for change in changes(scene(on), scene(*apart))] == [("moved", "odo")]


def test_states_have_rims() -> None:
    before = scene(
        token("a", "0101"),
        token("b", "0102"),
        token("c", "0103", state="stunned"),
        token("d", "0201"),
        token("e", "0202"),
    )
    after = scene(
        token("a", "0101", state="dead"),
        token("b", "0304", state="wounded"),
        token("c", "0103"),
        token("f", "0403"),
    )
    after = replace(after, tokens=(*after.tokens, replace(token("e", "0202"), side="east")))
    assert [(change.kind, change.id) for change in changes(before, after)] == [
        ("dead", "a"),
        ("moved", "b"),
        ("wounded", "b"),
        ("recovered", "c"),
        ("gone", "d"),
        ("taken", "e"),
        ("came", "f"),
    ]
    drawn = changed(before, after)
    assert rims(drawn) == ["0101", "0103", "0201", "0202", "0304", "0403"]
    assert [trace.actors for trace in drawn.traces] == [("b",)]


def test_the_dead_do_not_go_and_are_told_where_nobody_saw_them_come() -> None:
    body = token("a", "0101", state="dead")
    assert changes(scene(body), scene()) == ()
    assert changes(scene(), scene(body)) == (Change("dead", "a", "west", "", "0101"),)


def test_things_roll_are_set_up_and_are_lost() -> None:
    before = scene(
        things=(
            thing("ladder1", "0101", stands="carried"),
            thing("ladder2", "0102", stands="lying"),
            thing("ram", "0201"),
        )
    )
    after = scene(
        things=(
            thing("ladder1", "0301", stands="carried"),
            thing("ladder2", "0102", stands="raised", description="up"),
            thing("tower", "0401"),
        )
    )
    assert [(change.kind, change.id, change.words) for change in changes(before, after)] == [
        ("stands", "ladder2", "up"),
        ("lost", "ram", ""),
        ("built", "tower", ""),
    ]
    assert rims(changed(before, after)) == ["0102", "0201", "0401"]
    rolled = changed(scene(things=(thing("ram", "0201"),)), scene(things=(thing("ram", "0202"),)))
    assert [(trace.kind, trace.path) for trace in rolled.traces] == [
        ("roll", (centre("0201"), centre("0202")))
    ]


def test_ground_that_became_another_has_a_rim_and_a_fire_that_goes_on_has_none() -> None:
    before = scene(
        features=(
            feature("fire", "0101", 1),
            feature("wall", "0102", 1),
            feature("fire", "0103", 2),
            feature("wall", "0104", 1),
        )
    )
    after = scene(
        features=(
            feature("fire", "0101", 2),
            feature("wall", "0102", 3),
            feature("burnt", "0103"),
            feature("wall", "0104", 1),
        )
    )
    assert changes(before, after) == (
        Change("wall", "0102", end="0102", number=3),
        Change("burnt", "0103", end="0103"),
        Change("out", "0103", end="0103", words="fire"),
    )
    assert rims(changed(before, after)) == ["0102", "0103"]


FIGURES = st.dictionaries(
    st.sampled_from("abcdef"),
    st.tuples(st.sampled_from(HEXES), st.sampled_from(["healthy", "stunned", "wounded", "dead"])),
    max_size=6,
)


def drawn_of(figures: dict[str, tuple[str, str]]) -> Scene:
    return scene(*(token(id_, at, state=state) for id_, (at, state) in figures.items()))


@given(FIGURES, FIGURES)
def test_what_is_the_same_is_never_marked(
    was: dict[str, tuple[str, str]], now: dict[str, tuple[str, str]]
) -> None:
    before, after = drawn_of(was), drawn_of(now)
    assert changes(after, after) == ()
    found = changed(before, after)
    moved = {id_ for id_ in was.keys() & now.keys() if was[id_][0] != now[id_][0]}
    assert {trace.actors[0] for trace in found.traces} == moved
    differs = {id_ for id_ in was.keys() | now.keys() if was.get(id_) != now.get(id_)}
    assert {change.id for change in changes(before, after)} <= differs
    touched = {place for id_ in differs for place in (was.get(id_, ("", ""))[0], now.get(id_, ("", ""))[0])}
    assert set(rims(found)) <= touched
    assert replace(found, traces=(), areas=AREAS) == after


def test_who_looks_another_way_has_turned() -> None:
    before, after = (scene(replace(token("odo", "0202"), facing=facing)) for facing in (0, 900))
    assert [change.kind for change in changes(before, after)] == ["turned"]
    assert changes(before, before) == ()
