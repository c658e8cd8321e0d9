"""The number tables of a ruleset with where they come from, and checking an owner's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.game.rulebook import known
from pbem.referee.game.scenario import open_file
from pbem.rulesets import package_of
from pbem.rulesets.overlay import overlay
from pbem.store import disk
from pbem.store.library import shipped_tables, words_of
from pbem.text.located import locate
from pbem.text.similar import did_you_mean
from pbem.text.source import FILES, read


class TableFile(Struct, frozen=True):
    """A table as it is shipped: its name, its text, and what it says of its numbers."""

    name: str
    data: bytes
    basis: str
    source: str


def tables(ruleset: str) -> tuple[TableFile, ...]:
    """Return the tables of a ruleset, by name."""
    known(ruleset)
    found = []
    for name, data in shipped_tables(package_of(ruleset)).items():
        said = read(data, name, limits=FILES).data
        head: Mapping[str, object] = said if isinstance(said, Mapping) else {}
        found.append(
            TableFile(
                name.removesuffix(".yaml"), data, str(head.get("basis", "")), str(head.get("source", ""))
            )
        )
    return tuple(found)


def table(ruleset: str, name: str) -> TableFile:
    """Return one table; Refused with the nearest name where there is none."""
    every = tables(ruleset)
    found = next((one for one in every if one.name == name), None)
    if found is None:
        help_ = did_you_mean(name, [one.name for one in every]) or "there are " + (
            ", ".join(one.name for one in every) or "none"
        )
        raise refuse("tables.unknown", answer=UNDECIDED, table=name, help=help_)
    return found


def export(ruleset: str, to: Path) -> tuple[str, ...]:
    """Write the tables of a ruleset into a folder, to be filled in by an owner; a file that is there is never
    replaced.
    """
    every = tables(ruleset)
    there = [one.name for one in every if (to / f"{one.name}.yaml").exists()]
    if there:
        raise refuse("tables.there", file=str(to), tables=", ".join(there))
    for one in every:
        disk.create(to / f"{one.name}.yaml", one.data)
    return tuple(one.name for one in every)


def check(ruleset: str, folder: Path) -> tuple[str, ...]:
    """Return the names of an owner's tables that can be laid over those of a ruleset; Refused with everything
    that is wrong.
    """
    rules = known(ruleset)
    paths = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
    if not paths:
        raise refuse("tables.none", answer=UNDECIDED, file=str(folder), path=str(folder))
    _, wrong = overlay(rules, {path.name: open_file(path) for path in paths})
    if wrong:
        raise Refused(
            located=[
                found for source, problems in wrong for found in locate(source, problems, words_of(ruleset))
            ]
        )
    return tuple(path.stem for path in paths)
