"""The rulesets: one package per system, found by id and revision; those of others arrive by the entry point
``pbem.rulesets``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from pbem.core.ruleset import Ruleset

GROUP = "pbem.rulesets"
BUILT_IN: Mapping[str, str] = {
    **dict.fromkeys(("cry_havoc", "siege"), "pbem.rulesets.siege.ruleset"),
    "anarchy": "pbem.rulesets.anarchy.ruleset",
}
"""Ruleset id -> the module whose ``CATALOGUE`` has it; a module is loaded when one of its rulesets is asked
for.
"""

Revisions: TypeAlias = "Mapping[int, Ruleset[Any]]"


class UnknownRuleset(LookupError):
    """No ruleset of this id, or not this revision of it: ``known`` are the ids, or the revisions, that there
    are.
    """

    def __init__(self, id_: str, revision: int | None, known: tuple[str, ...]) -> None:
        super().__init__(id_ if revision is None else f"{id_} revision {revision}")
        self.id = id_
        self.revision = revision
        self.known = known


@cache
def _others() -> Mapping[str, tuple[str, Revisions]]:
    """Return the rulesets of others: id -> the module it comes from, and its revisions; a built-in one is
    never replaced.
    """
    # takes longer than the rest of this module, and is of no use for a built-in one
    from importlib import metadata

    found: dict[str, tuple[str, Revisions]] = {}
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.value):
        if point.module not in BUILT_IN.values():
            for id_, revisions in point.load().items():
                found.setdefault(id_, (point.module, revisions))
    return {id_: entry for id_, entry in found.items() if id_ not in BUILT_IN}


def known() -> tuple[str, ...]:
    """Return the ids of all rulesets there are, sorted."""
    return tuple(sorted({*BUILT_IN, *_others()}))


def package_of(id_: str) -> str:
    """Return the module that a ruleset comes from; raise UnknownRuleset if there is none."""
    if id_ in BUILT_IN:
        return BUILT_IN[id_]
    if id_ not in _others():
        raise UnknownRuleset(id_, None, known())
    return _others()[id_][0]


def revisions(id_: str) -> Revisions:
    """Return the revisions of a ruleset; raise UnknownRuleset if there is none of this id."""
    module = package_of(id_)
    if id_ in BUILT_IN:
        found: Revisions = import_module(module).CATALOGUE[id_]
        return found
    return _others()[id_][1]


def catalogue() -> Mapping[str, Revisions]:
    """Return every ruleset there is: id -> revision -> ruleset."""
    return {id_: revisions(id_) for id_ in known()}


def find(id_: str, revision: int | None = None) -> Ruleset[Any]:
    """Return a ruleset, the newest revision unless one is named; raise UnknownRuleset with what there is
    instead.
    """
    found = revisions(id_)
    wanted = max(found) if revision is None else revision
    if wanted not in found:
        raise UnknownRuleset(id_, wanted, tuple(str(number) for number in sorted(found)))
    return found[wanted]
