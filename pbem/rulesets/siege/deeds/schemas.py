"""Schemas of what this ruleset writes, made from the classes that are written (``make schemas`` puts them
into files).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.orders import longform
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.saved import Written
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import standing_instructions
from pbem.text import schemas

_ID: Final[Mapping[str, str]] = {"$ref": "#/definitions/id"}
_ENVELOPE: Final[Mapping[str, schemas.Json]] = {
    "n": {"description": "The number of the event in its list.", "type": "integer", "minimum": 0},
    "phase": {"description": "The phase it happened in.", "type": "string", "minLength": 1},
}
"""What every event has beside its own fields: whoever writes the list adds it."""


def made(rules: Ruleset[Battle], orders: schemas.Json) -> dict[str, schemas.Json]:
    """Return kind of file -> its schema.

    Of ``orders``, as they stand, the deeds are made anew; what else players write is said there.
    """
    return {"state": of_state(rules), "events": of_events(rules), "orders": longform.form(rules, orders)}


def of_state(*games: Ruleset[Battle]) -> schemas.Json:
    """Return the schema of a state of any of some games."""
    return schemas.of_record(Written, id="state", title="State", definitions=_explained("_", *games))


def of_events(*games: Ruleset[Battle]) -> schemas.Json:
    """Return the schema of one event of a phase, whichever one of some games lists."""
    return schemas.of_events(
        {kind: event for rules in games for kind, event in rules.events.items()}.values(),
        id="events",
        description=(
            "One event of a phase: the new values, so that applying it needs no rules. A file holds one "
            "event a line."
        ),
        envelope=_ENVELOPE,
        definitions=_explained("-", *games),
    )


def _explained(joint: str, *games: Ruleset[Battle]) -> dict[str, schemas.Json]:
    """Return the forms that depend on what the games have: kinds of things, keys of instructions with their
    words joined as in that file.
    """
    keys = {
        key.replace("-", joint): {
            "description": f"{said[0].upper()}{said[1:]}.",
            "type": "string",
            "minLength": 1,
        }
        for key, (_, said) in standing_instructions.KEYS.items()
    }
    choices = {
        "description": "What is said beforehand of choices.",
        "properties": keys,
        "additionalProperties": False,
    }
    figure = {
        **choices,
        "description": "The same for one figure.",
        "properties": {"unit": _ID, **keys},
        "required": ["unit"],
    }
    every = [family.of(rules) for rules in games]
    things = sorted({kind for of in every for kind in of.kinds})
    features = sorted({kind for of in every for kind in of.features})
    kinds = {"thing-kind": {"enum": things}, "feature-kind": {"enum": features}}
    return {**kinds, "choices": choices, "figure": figure}
