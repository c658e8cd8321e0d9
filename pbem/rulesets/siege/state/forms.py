"""Types of what is written in states and events: each is a text or a number for the program, and a form for
whoever reads the files.

The schemas are made of them (``make schemas``). Names of dice, states and events are published: what is
narrowed here refuses old games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pbem.geometry.hex import SIDES
from pbem.text.forms import Form

_ID = "[a-z][a-z0-9-]{0,31}"
_PLACE = "[0-9]{4}(@[a-z0-9]{1,8})?"

Id = Annotated[str, Form("id", pattern=f"^{_ID}$")]
"""A figure, a thing, a side or a seat."""
Named = Annotated[str, Form(pattern=f"^({_ID})?$")]
"""A figure or thing, or nobody."""
Ids = Annotated[tuple[Id, ...], Form("ids")]
Word = Annotated[str, Form("word", pattern="^[a-z][a-z0-9_-]{0,31}$")]
Place = Annotated[str, Form("place", pattern=f"^{_PLACE}$")]
"""A hex, or a storey above it."""
Places = Annotated[tuple[Place, ...], Form("places", minItems=1)]
Standing = Annotated[tuple[Place, ...], Form(minItems=1, maxItems=2)]
"""Places of a figure: one, or head and tail."""
Lying = Annotated[tuple[Place, ...], Form(minItems=1, maxItems=16)]
"""Places of a thing."""
IdOrPlace = Annotated[str, Form(pattern=f"^({_ID}|{_PLACE})$")]
Facing = Annotated[str, Form("facing", enum=list(SIDES))]
Moment = Annotated[
    str,
    Form(
        "cursor",
        pattern="^(d[0-9]{1,4}[.])?(t[0-9]{1,4}([.][a-z][a-z0-9]{0,15}([.][a-z_]{1,20})?)?|setup[.][0-9]{1,2}([.][a-z][a-z0-9]{0,15})?"
        "|over|day|evening|morning)$",
    ),
]
"""A phase of the game, as the cursor writes it."""
Part = Annotated[
    str, Form(enum=["morning", "day", "assault", "fight", "evening", "bombard", "rest", "lift the siege"])
]
"""What a day of a siege is at."""
RuleId = Annotated[str, Form("rule", pattern="^[A-Z][A-Za-z0-9.]{0,15}$")]
Count = Annotated[int, Form("count", minimum=0)]
Positive = Annotated[int, Form(minimum=1)]
Cause = Annotated[
    int, Form("cause", minimum=0, description="The number, in its phase, of the event that brought it about.")
]
Faces = Annotated[tuple[Positive, ...], Form(minItems=1)]
Skill = Annotated[int, Form(minimum=-9, maximum=9)]
Digest = Annotated[str, Form("digest", pattern="^sha256:[0-9a-f]{64}$")]
FileDigest = Annotated[str, Form(pattern="^((sha512:)?[0-9a-f]{128}|sha256:[0-9a-f]{64})$")]
Choices = Annotated[Mapping[str, str], Form("choices", explained=True)]
"""Key of a standing instruction -> what is said under it."""
FigureChoices = Annotated[Mapping[str, str], Form("figure", explained=True)]
"""The same for one figure, whose id stands under ``unit``."""
Near = Annotated[tuple[str, ...], Form(minItems=3)]
"""A unit, where it stands, and hexes beside it."""

PersonId = Annotated[str, Form(pattern="^[a-z][a-z0-9_-]{0,47}$")]
Living = Annotated[str, Form(enum=["man", "horse", "ox", "mule", "donkey", "dog"])]
"""What somebody is."""
Mood = Annotated[str, Form(enum=["panic", "rout"])]
Harm = Annotated[str, Form("state", enum=["healthy", "stunned", "wounded", "dead"])]
Deed = Annotated[
    str,
    Form(
        enum=[
            "shot",
            "moved",
            "marched",
            "fought",
            "lit",
            "put-out",
            "served",
            "toppled",
            "shifted",
            "hauled",
            "poured",
            "struck",
            "weary",
        ]
    ),
]
"""What is done once in a player turn."""
Deeds = Annotated[tuple[Deed, ...], Form(uniqueItems=True)]
Stood = Annotated[tuple[Place, ...], Form(minItems=2)]
Doorway = Annotated[str, Form(enum=["inside", "outside"])]
ThingKind = Annotated[str, Form("thing-kind", explained=True)]
"""The ruleset says which there are: those whose rules it knows."""
Stance = Annotated[
    str,
    Form(
        "stance",
        enum=[
            "raised",
            "lowered",
            "open",
            "closed",
            "locked",
            "carried",
            "lying",
            "broken",
            "destroyed",
            "restored",
            "dug",
            "refilled",
            "fired",
        ],
    ),
]
"""How a thing stands."""
Ground = Annotated[str, Form("feature-kind", explained=True)]
"""What became of a hex; the ruleset says what there is."""

ChosenBy = Annotated[str, Form(enum=["standing", "answer", "default", "order"])]
LeftWhy = Annotated[str, Form(enum=["order", "panic", "rout", "captured"])]
LostWhy = Annotated[str, Form(enum=["burnt", "used", "broken"])]
HeldWhy = Annotated[str, Form(enum=["today", "keep"])]
DayPlan = Annotated[str, Form(enum=["assault", "fight", "bombard", "rest", "lift the siege"])]
