"""Functions that are loaded when they are first called: each is there, and takes what it is asked."""

from __future__ import annotations

import inspect
import subprocess
import sys
import typing
from typing import Any

import pytest

from pbem.core import briefing, sheet
from pbem.core.later import Later, later
from pbem.core.ruleset import RulesetInterface
from pbem.rulesets import catalogue

ASKED = typing.get_type_hints(RulesetInterface, None, {**vars(briefing), **vars(sheet)})
LATER = sorted(
    {
        (name, found.module, found.name)
        for revisions in catalogue().values()
        for rules in revisions.values()
        for name in RulesetInterface.__struct_fields__
        if isinstance(found := getattr(rules.interface, name), Later)
    }
)


def wanted(hint: Any) -> int | None:
    """Return how many things a function of the interface is given; None where that is not said."""
    for one in (hint, *typing.get_args(hint)):
        if typing.get_origin(one) is not None and isinstance((given := typing.get_args(one))[0], list):
            return len(given[0])
    return None


def test_some_functions_are_named_so() -> None:
    assert {"sheet", "offers", "legal"} <= {name for name, _, _ in LATER}
    assert sum(wanted(ASKED[name]) is not None for name, _, _ in LATER) > 10


@pytest.mark.parametrize(("name", "module", "function"), LATER)
def test_each_is_there_and_takes_what_it_is_asked(name: str, module: str, function: str) -> None:
    carried_out = Later(module, function).function
    many = wanted(ASKED[name])
    assert callable(carried_out)
    if many is not None:
        inspect.signature(carried_out).bind(*range(many))


def test_it_is_called_as_its_module_has_it_now(monkeypatch: pytest.MonkeyPatch) -> None:
    stands = later("statistics:mean")
    assert stands([1, 3]) == 2
    monkeypatch.setattr("statistics.mean", lambda data: "another")
    assert stands([1, 3]) == "another"


def test_nothing_is_loaded_before_it_is_called() -> None:
    said = (
        "import sys; from pbem.core.later import later; one = later('colorsys:rgb_to_hsv');"
        " before = 'colorsys' in sys.modules; one(0, 0, 0); print(before, 'colorsys' in sys.modules, one)"
    )
    found = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False True later(colorsys:rgb_to_hsv)"
