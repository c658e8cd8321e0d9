"""Every rule that is called done is missed when it is taken away: without its function, or its cells, one of
its cases fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

import pytest
import rulebook_siege as rulebook

from pbem.rulesets.siege.ruleset import CRY_HAVOC


def _carriers() -> Iterator[Any]:
    for id_, entry in rulebook.book().items():
        if entry["status"] == rulebook.DONE:
            for function in rulebook.marked().get(id_, ()):
                yield pytest.param(
                    id_, function, id=f"{id_}-{function.__module__.rpartition('.')[2]}.{function.__name__}"
                )
        elif entry["status"] == rulebook.DATA:
            for place in rulebook.carriers(entry):
                yield pytest.param(id_, place, id=f"{id_}-{place}")


@pytest.mark.parametrize(("rule", "carrier"), list(_carriers()))
def test_a_rule_is_missed_when_it_is_taken_away(
    rule: str, carrier: FunctionType | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [case for _, case in rulebook.cases_of().get(rule, ())]
    assert cases, f"{rule} has no case"
    if isinstance(carrier, str):
        rules = rulebook.blanked(CRY_HAVOC, carrier)
    else:
        rules = rulebook.without(carrier, CRY_HAVOC, monkeypatch)
    assert any(rulebook.fails(case, rules) for case in cases), f"no case of {rule} misses {carrier}"


def _rows() -> Iterator[Any]:
    """Yield every row that stands for rules by itself, of the tables that are made of such rows."""
    for name in ("movement", "gear", "counters", "facts"):
        for key, rows in CRY_HAVOC.tables[name].items():
            for id_, row in rows.items() if isinstance(rows, Mapping) else ():
                if isinstance(row, Mapping):
                    yield pytest.param(f"{name}.{key}.{id_}", row["rules"], id=f"{name}.{key}.{id_}")


@pytest.mark.parametrize(("place", "rules"), list(_rows()))
def test_a_row_is_missed_by_the_rules_that_it_names(place: str, rules: tuple[str, ...]) -> None:
    without = rulebook.blanked(CRY_HAVOC, place)
    for rule in rules:
        cases = [case for _, case in rulebook.cases_of().get(rule, ())]
        assert any(rulebook.fails(case, without) for case in cases), f"no case of {rule} misses {place}"


def test_what_is_left_of_a_function_is_its_first_argument_of_the_same_type_or_the_emptiest_value() -> None:
    def chooses(first: int, text: str, other: str) -> str:
        return other + "!"

    left: Any = rulebook.nothing(chooses)  # type: ignore[arg-type]
    assert left(1, "a", "b") == left(1, other="b", text="a") == "a"
    assert rulebook.empty(bool) is False
    assert (rulebook.empty(int), rulebook.empty(str)) == (0, "")
    assert (rulebook.empty(tuple[str, ...]), rulebook.empty(list[str])) == ((), [])
    assert rulebook.empty(int | None) is None
    assert list(rulebook.empty(Iterator[str])) == []


def test_what_is_left_of_cells_is_nothing() -> None:
    rules = rulebook.blanked(CRY_HAVOC, "terrain_cry_havoc.rows.scrub")
    row = rules.tables["terrain_cry_havoc"]["rows"]["scrub"]
    assert (row["mp_foot"], row["cover"]) == (0, "none")
    assert (
        rulebook.blanked(CRY_HAVOC, "combat_foot.rows.2").tables["combat_foot"]["grid"].cell(2, "3:1")
        == "none"
    )
    assert CRY_HAVOC.tables["terrain_cry_havoc"]["rows"]["scrub"]["mp_foot"] == 2
    with pytest.raises(KeyError):
        rulebook.blanked(CRY_HAVOC, "terrain_cry_havoc.rows.custard")
