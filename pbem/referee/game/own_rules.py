"""What of a game's rules and scenario is not as pbem comes with it: own tables, an own or an edited scenario
or map, other options.

It is found by what the game's own signed files say, held against what this program comes with: comments and
layout do not count. A file that came with another release of pbem is nobody's own. Whoever joins or verifies
a game reads of each kind one short line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pbem.core.ruleset import EDITION, Ruleset, choose
from pbem.proof.archive import Archive, content, visible
from pbem.referee.game.game import Game
from pbem.referee.game.replay import MAPS, TABLES, scenario_path
from pbem.rulesets import UnknownRuleset, find, package_of
from pbem.rulesets.overlay import overlay
from pbem.rulesets.tables import HEAD, REMARKS, plain
from pbem.store import library
from pbem.store.library import common_words
from pbem.store.releases import release_with, releases_with
from pbem.text.source import FILES, read

MOST: Final = 8
"""Tables, sections or options that are listed."""
LONGEST: Final = 40
"""Characters of a name from a file that are shown."""
_ONLY_TOLD: Final = ("story", "advice")
"""Sections of a scenario that are told, and that no rule reads."""


def own_rules_of(game: Game) -> tuple[str, ...]:
    """Return the lines for an opened game."""
    return own_rules_in(game.ledger.manifest, game.archive)


def own_rules_in(manifest: Mapping[str, Any], archive: Archive) -> tuple[str, ...]:
    """Return the lines for a game as it lies in an archive, whatever is in that; nothing
    without a manifest.
    """
    listed = {str(file["path"]): str(file["sha256"]) for file in manifest.get("files", ())}
    found = {path: content(archive, path) for path in listed}
    signed = {
        path: data for path, data in found.items() if data is not None and _sha256(data) == listed[path]
    }
    return own_rules(manifest, signed) if manifest else ()


def own_rules(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the lines for a game with this manifest and these of the files that it names."""
    try:
        rules = find(manifest["ruleset"]["id"], manifest["ruleset"]["revision"])
    except UnknownRuleset:
        return ()
    changed = {path: data for path, data in files.items() if not _came_along(path, data, rules.id)}
    return tuple(
        visible(line)
        for line in (
            *_tables(rules, changed),
            *_scenario(files, changed),
            *_map(files, changed),
            *_choices(rules, manifest["ruleset"], files),
            *_older(manifest, files),
        )
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _came_along(path: str, data: bytes, ruleset: str) -> bool:
    """Tell whether a file is one that this program, or a release that it knows, comes with
    under this name.
    """
    sha256 = _sha256(data)
    if sha256 in _shipped().get(path, ()) or releases_with(path, sha256):
        return True
    return (
        path.startswith(TABLES)
        and library.shipped_tables(package_of(ruleset)).get(path.removeprefix(TABLES)) == data
    )


@cache
def _shipped() -> Mapping[str, frozenset[str]]:
    """Return the digests of what this program comes with, by the names in a game."""
    found: dict[str, set[str]] = {}
    for path, data in library.shipped():
        found.setdefault(path, set()).add(_sha256(data))
    return {path: frozenset(digests) for path, digests in found.items()}


@lru_cache(32)
def _said(data: bytes) -> Mapping[str, Any]:
    """Return what a file says, by section; nothing where it cannot be read."""
    found = read(data, "", limits=FILES).data
    return found if isinstance(found, Mapping) else {}


def _short(name: object) -> str:
    """Return a name from a file as it is told."""
    return said if len(said := str(name)) <= LONGEST else said[:LONGEST] + "…"


def _few(told: list[str]) -> list[str]:
    return (
        told
        if len(told) <= MOST
        else [*told[:MOST], common_words().phrase("own.more", count=len(told) - MOST)]
    )


def _shown(names: Iterable[object]) -> list[str]:
    """Return names from files as they are told: none too long, and not too many."""
    return _few([_short(name) for name in names])


# --- tables


def _tables(rules: Ruleset[Any], changed: Mapping[str, bytes]) -> Iterator[str]:
    words, told = common_words(), []
    for path in sorted(path for path in changed if path.startswith(TABLES)):
        file = path.removeprefix(TABLES)
        name, count = _short(file.removesuffix(".yaml")), _cells_of(rules, file, changed[path])
        if count is None:
            told.append(name)
        elif count:
            told.append(words.phrase("own.table", table=name, count=count))
    if told:
        yield words.phrase("own.tables", tables=_few(told))


def _cells_of(rules: Ruleset[Any], file: str, data: bytes) -> int | None:
    """Return in how many cells an owner's table differs from the one it is laid over; None where it does not
    fit.
    """
    name = file.removesuffix(".yaml")
    try:
        laid, wrong = overlay(rules, {file: data})
        before, after = (plain(of.tables[name]) for of in (rules, laid))
        return (
            None
            if wrong
            else sum(_cells(before.get(key), after.get(key)) for key in {*before, *after} - {*HEAD, *REMARKS})
        )
    except Exception:  # An archive may hold anything, and the rules say that it is not accepted.
        return None


def _cells(one: Any, other: Any) -> int:
    """Return how many values differ; what only tells of a table does not count."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return sum(_cells(one.get(key), other.get(key)) for key in {*one, *other} if key not in REMARKS)
    if isinstance(one, list) and isinstance(other, list):
        return sum(_cells(*pair) for pair in zip_longest(one, other))
    return 0 if one == other else max(_size(one), _size(other))


def _size(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 1


# --- scenario and map


def _name(path: str, data: bytes, key: str) -> str:
    """Return how a scenario or map calls itself, else what its file is called."""
    said = _said(data).get(key)
    return said if isinstance(said, str) and said else PurePosixPath(path).stem


def _scenario(files: Mapping[str, bytes], changed: Mapping[str, bytes]) -> Iterator[str]:
    path = scenario_path(files)
    if path is not None and path in changed:
        name = _name(path, changed[path], "scenario")
        yield from _edited("scenario", name, changed[path], library.scenario_file(name))


def _map(files: Mapping[str, bytes], changed: Mapping[str, bytes]) -> Iterator[str]:
    for path in sorted(path for path in changed if path.startswith(MAPS)):
        name = PurePosixPath(path).stem
        yield from _edited("map", name, changed[path], library.map_file(name))


def _edited(kind: str, name: str, data: bytes, shipped: Path | None) -> Iterator[str]:
    words, shown = common_words(), _short(name)
    if shipped is None:
        yield words.phrase(f"own.{kind}", name=shown)
        return
    theirs, mine = _said(shipped.read_bytes()), _said(data)
    sections = [
        key
        for key in dict.fromkeys([*theirs, *mine])
        if theirs.get(key) != mine.get(key) and key not in _ONLY_TOLD
    ]
    if sections:
        yield words.phrase(f"own.{kind}-edited", name=shown, sections=_shown(sections))


# --- options


def _choices(rules: Ruleset[Any], chosen: Mapping[str, Any], files: Mapping[str, bytes]) -> Iterator[str]:
    words, path = common_words(), scenario_path(files)
    if path is None:
        return
    name, said = _name(path, files[path], "scenario"), _said(files[path])
    modules = said.get("modules")
    if set(chosen["modules"]) != set(map(str, modules if isinstance(modules, list) else ())):
        yield words.phrase(
            "own.modules", modules=_shown(chosen["modules"]) or [words.phrase("differs.nothing")]
        )
    shipped = library.scenario_file(name)
    usual = _options(_said(shipped.read_bytes())) if shipped is not None else {}
    first = next((edition for edition, others in rules.editions.items() if not others), "")
    edition = str(chosen["options"].get(EDITION, first))
    if edition != usual.get(EDITION, first):
        yield words.phrase("own.edition", edition=_short(edition))
    of = {EDITION: edition} if edition else {}
    base, now = _settings(rules, {**usual, **of}), _settings(rules, chosen["options"])
    other = [f"{option} {value}" for option, value in now.items() if base.get(option) != value]
    if other:
        own = {option for option in usual if option != EDITION}
        key = "own.options-of" if own else "own.options"
        yield words.phrase(key, edition=_short(edition), name=_short(name), options=_shown(other))


def _options(scenario: Mapping[str, Any]) -> dict[str, str]:
    given = scenario.get("options")
    return {str(key): str(value) for key, value in given.items()} if isinstance(given, Mapping) else {}


def _settings(rules: Ruleset[Any], options: Mapping[str, str]) -> Mapping[str, str]:
    """Return the value of each option that is in force; nothing where these cannot be chosen."""
    chosen, _ = choose(rules, (), options)
    return {} if chosen is None else chosen.settings


# --- other releases


def _older(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield which files are of another release than the one that the game began with."""
    pinned, found = release_with(str(manifest["engine"]["sha256"])), dict[str, list[str]]()
    for path, data in sorted(files.items()):
        sha256 = _sha256(data)
        of = () if sha256 in _shipped().get(path, ()) else releases_with(path, sha256)
        if of and pinned not in of:
            found.setdefault(of[-1].version, []).append(PurePosixPath(path).stem)
    for version, names in found.items():
        yield common_words().phrase("own.release", version=version, files=_shown(names))
