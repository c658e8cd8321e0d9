"""Options of The Anarchy: those of Siege, some with another default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.ruleset import Option
from pbem.rulesets.siege import options

_DEFAULTS: Final[Mapping[str, str]] = {
    "movement_allowances": "croisades",
    "ballista_interrupted_count": "pause",
    "rubble_melee_modifier": "-",
}
"""Option -> what holds when nobody chooses."""


def _first(option: Option[Any], value: str) -> Option[Any]:
    return replace(option, values=(value, *(other for other in option.values if other != value)))


OWN: Final[Mapping[str, Option[Any]]] = {
    "mantlet_turn": Option(options.NO_YES, ("A3.5.1c",), "mantlets may be turned by a hexside in a move"),
    "tower_indoor_cover": Option(
        ("medium", "none"), ("A4.2.3g",), "cover of who is further in on a floor of a tower, from behind"
    ),
    "penthouse_build_days": Option(("2", "4"), ("A6.3.1",), "how many days it takes to build a penthouse"),
    "scaffold_cover": Option(
        ("none", "light"), ("A2.2.1", "A2.2.2e"), "what cover the railing of a scaffold gives"
    ),
}
OPTIONS: Final[Mapping[str, Option[Any]]] = {
    name: _first(option, _DEFAULTS[name]) if name in _DEFAULTS else option
    for name, option in {**options.OPTIONS, **options.OF_SIEGE, **OWN}.items()
}
