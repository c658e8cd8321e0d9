"""Schemas made from Structs: each kind of field, and what is refused when one is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import jsonschema
import pytest
from msgspec import Struct, field

from pbem.text import schemas, shape
from pbem.text.codec import Value, from_plain, to_plain
from pbem.text.forms import Form

Name = Annotated[str, Form("name", pattern="^[a-z]+$")]
Colour = Annotated[str, Form("colour", explained=True)]


class Rope(Value, frozen=True):
    """A rope.

    The second paragraph is for programmers.
    """

    length: Annotated[int, Form(minimum=1)]
    """In ``feet``."""


class Team(Value, frozen=True):
    """Those who pull."""

    id: Name
    is_: Colour
    rope: Rope | None = None
    pulls: tuple[Annotated[int, Form(minimum=0)], ...] = ()
    marks: tuple[tuple[Name, int], ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)
    tired: bool = False


WHOLE = Team("reds", "red", Rope(30), (1, 0), (("left", 2),), {"why": "rain"}, True)
EXPLAINED = {"colour": {"enum": ["red", "blue"]}}


def made() -> dict[str, Any]:
    return schemas.of_record(Team, id="team", definitions=EXPLAINED)


def test_what_is_written_whole_and_bare_is_well_and_read_back() -> None:
    schema = made()
    jsonschema.Draft7Validator.check_schema(schema)
    for team in (WHOLE, Team("reds", "blue")):
        plain = to_plain(team)
        assert shape.check(plain, schema, text=False) == []
        jsonschema.validate(plain, schema)
        assert from_plain(plain, Team) == team


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("id", "Reds", "schema.pattern"),
        ("is", "green", "schema.choice"),
        ("is_", "red", "schema.unknown-key"),
        ("rope", {"length": 0}, "schema.too-small"),
        ("rope", {}, "schema.missing"),
        ("pulls", [-1], "schema.too-small"),
        ("pulls", ["1"], "schema.type"),
        ("marks", [["left"]], "schema.too-few"),
        ("marks", [["left", 2, 3]], "schema.too-many"),
        ("said", {"why": True}, "schema.type"),
        ("tired", 1, "schema.type"),
        ("weight", 3, "schema.unknown-key"),
    ],
)
def test_whatever_a_field_says_of_itself_is_demanded(key: str, value: Any, code: str) -> None:
    plain = {**to_plain(WHOLE), key: value}
    assert code in [problem.code for problem in shape.check(plain, made(), text=False)]
    assert not jsonschema.Draft7Validator(made()).is_valid(plain)


def test_docstrings_become_descriptions() -> None:
    rope = made()["definitions"]["Rope"]
    assert rope["description"] == "A rope."
    assert rope["properties"]["length"]["description"] == "In `feet`."


def test_a_form_that_nobody_explains_and_two_of_one_name_are_faults() -> None:
    with pytest.raises(ValueError, match="nobody explains the form 'colour'"):
        schemas.of_record(Team, id="team")

    class Two(Struct):
        one: Name
        other: Annotated[str, Form("name", pattern="^[0-9]+$")]

    with pytest.raises(ValueError, match="two forms of the name 'name'"):
        schemas.of_record(Two, id="two")


def test_what_is_never_written_has_no_schema() -> None:
    class Odd(Struct):
        weight: float

    with pytest.raises(TypeError, match="float"):
        schemas.of_record(Odd, id="odd")


class Pulled(Value, frozen=True):
    """Somebody pulled."""

    unit: Name
    phase: Name
    args: Mapping[str, str | int] = field(default_factory=dict)


def test_events_are_told_apart_by_their_type_and_may_have_a_key_of_the_envelope_for_themselves() -> None:
    envelope = {"n": {"type": "integer"}, "phase": {"type": "string"}}
    schema = schemas.of_events([Pulled, Rope], id="events", description="What happened.", envelope=envelope)
    assert (
        shape.check(
            {"n": 1, "type": "Pulled", "unit": "reds", "phase": "pull", "args": {"why": "rain", "times": 2}},
            schema,
            text=False,
        )
        == []
    )
    assert shape.check({"n": 1, "type": "Rope", "length": 3, "phase": "Pull 2"}, schema, text=False) == []
    for wrong, code in (
        ({"n": 1, "type": "Pulled", "unit": "reds", "phase": "Pull 2"}, "schema.pattern"),
        ({"n": 1, "type": "Pulled", "unit": "reds", "phase": "pull", "args": {"why": True}}, "schema.type"),
        ({"type": "Rope", "length": 3}, "schema.missing"),
        ({"n": 1, "type": "Team"}, "schema.choice"),
    ):
        assert [problem.code for problem in shape.check(wrong, schema, text=False)] == [code]
