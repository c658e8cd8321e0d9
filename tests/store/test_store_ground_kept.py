"""What was made of the files of a game is the same whether it is made or was kept; what is kept counts for
the same files and rules alone, and nothing that is wrong is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from pbem.referee.game import replay
from pbem.referee.game.replay import Faults, Ground, lay_ground
from pbem.referee.game.scenario import chosen, find_scenario
from pbem.rulesets import tables
from pbem.rulesets.siege.state.field import Field
from pbem.store import library, shelf
from pbem.store.plain import plain

SCENARIOS = [path for path in library.scenarios() if path.parent.name in ("siege", "anarchy", "cry_havoc")]


@pytest.fixture(autouse=True)
def shelf_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("PBEM_CACHE", str(tmp_path / "shelf"))
    tables.use(plain)
    yield
    tables.use(None)


def files_of(path: Path) -> tuple[Mapping[str, Any], dict[str, bytes]]:
    found = find_scenario(str(path))
    return chosen(found, {}), dict(found.files)


def laid(ruleset: Mapping[str, Any], files: Mapping[str, bytes], *, recall: bool = True) -> Ground:
    found = lay_ground(ruleset, files, recall=recall)
    assert isinstance(found, Ground)
    return found


def spelt_out(value: Any) -> Any:
    """Return a value with the order of its keys and the type of each part."""
    if isinstance(value, Struct):
        return [type(value), *(spelt_out(getattr(value, name)) for name in value.__struct_fields__)]
    if isinstance(value, Mapping):
        return [(key, spelt_out(inner)) for key, inner in value.items()]
    if isinstance(value, list | tuple):
        return [type(value), *map(spelt_out, value)]
    return type(value), value


def never(*asked: Any) -> Any:
    raise AssertionError("it was read again")


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_field_that_was_kept_is_the_one_that_is_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset, files = files_of(path)
    made, first = laid(ruleset, files, recall=False), laid(ruleset, files)
    monkeypatch.setattr(replay, "_laid", never)
    kept = laid(ruleset, files)
    assert kept.field is not made.field
    assert spelt_out(kept.field) == spelt_out(made.field) == spelt_out(first.field)
    assert (kept.scenario, kept.title) == (made.scenario, made.title)
    assert kept.field.floors == made.field.floors


def test_grounds_that_are_one_stay_one() -> None:
    ruleset, files = files_of(SCENARIOS[0])
    laid(ruleset, files)
    field = laid(ruleset, files).field
    assert isinstance(field, Field)
    assert all(terrain is field.grounds[terrain.id] for terrain in field.ground.values())


@pytest.mark.parametrize("other", ["map", "rules", "not a field"])
def test_other_files_other_rules_and_what_is_no_field_are_read_anew(
    other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset, files = files_of(SCENARIOS[0])
    laid(ruleset, files)
    asked: list[object] = []
    real = replay._laid

    def reading(*of: Any, **more: Any) -> Any:
        asked.append(of)
        return real(*of, **more)

    monkeypatch.setattr(replay, "_laid", reading)
    if other == "map":
        files = {name: data + b"\n" * name.startswith("scenario/maps/") for name, data in files.items()}
    elif other == "rules":
        ruleset = {**ruleset, "modules": [*ruleset["modules"], "houses"]}
    else:
        monkeypatch.setattr("pbem.rulesets.siege.state.field_kept.KINDS", ())
    lay_ground(ruleset, files, recall=True)
    assert asked


def test_files_with_a_fault_are_read_each_time_and_told_with_their_places() -> None:
    ruleset, files = files_of(SCENARIOS[0])
    name = next(name for name in files if name.startswith("scenario/maps/"))
    files[name] = b"map: other\n"
    first, second = (lay_ground(ruleset, files, recall=True) for _ in range(2))
    assert isinstance(first, Faults) and isinstance(second, Faults)
    assert [problems for _, problems in first.of] == [problems for _, problems in second.of] != []
    assert all(source.root for source, _ in second.of)


def test_a_damaged_shelf_is_no_shelf() -> None:
    ruleset, files = files_of(SCENARIOS[0])
    made = laid(ruleset, files)
    own = shelf.own(shelf.READ)
    assert own is not None
    for file in own.folder.iterdir():
        file.write_bytes(file.read_bytes()[:-1])
    assert spelt_out(laid(ruleset, files).field) == spelt_out(made.field)
