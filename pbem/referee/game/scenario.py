"""Finding a scenario and its map, judging both, and gathering the very files that a game copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.referee.game.game import refuse_faults
from pbem.referee.game.refusal import NO, UNDECIDED, Refused, refuse
from pbem.referee.game.replay import MAPS, SCENARIO, TABLES, Faults, Ground, lay_ground
from pbem.rulesets import UnknownRuleset, find, package_of
from pbem.store import library
from pbem.text import shape
from pbem.text.located import Located, locate
from pbem.text.similar import did_you_mean
from pbem.text.source import FILES, Source, read


class Found(Struct, frozen=True):
    """A scenario as found: the files a game copies (by their names in the game), and what the scenario itself
    says.

    ``paths`` are the names by which their owner knows those that he may have written himself.
    """

    files: Mapping[str, bytes]
    source: Source
    data: Mapping[str, Any]
    paths: Mapping[str, str]


@cache
def shape_for(kind: str, ruleset: str) -> shape.Shape:
    """Return the form of a kind of file: that of the ruleset where it has its own, else the common one."""
    return shape.load(library.schema_of(ruleset, kind))


def open_file(path: Path, limit: int = FILES.size) -> bytes:
    """Return the bytes of a file that a person named; Refused (cannot decide) where it cannot be opened."""
    try:
        with path.open("rb") as file:
            return file.read(limit + 1)
    except OSError as error:
        raise refuse(
            "file.missing", answer=UNDECIDED, file=str(path), why=error.strerror or "it cannot be read"
        ) from None


def where_is(scenario: str) -> Path:
    """Return the file of a scenario that is named by its name or by a path; Refused (cannot decide) where
    there is none.
    """
    path = Path(scenario)
    if path.suffix == ".yaml" or path.is_file():
        return path
    found = library.scenario_file(scenario.lower())
    if found is None:
        names = [known.stem for known in library.scenarios()]
        help_ = did_you_mean(scenario, names) or "there are " + ", ".join(names)
        raise refuse("scenario.unknown", answer=UNDECIDED, help=help_, scenario=scenario)
    return found


def _map_file(path: Path, map_id: str) -> Path:
    """Return where the map of a scenario lies: beside it, else among those that come along."""
    beside = (
        path.parent / "maps" / f"{map_id}.yaml",
        path.parent / f"{map_id}.map.yaml",
        path.parent / f"{map_id}.yaml",
    )
    shipped = [place for place in (library.map_file(map_id),) if place is not None]
    return next((place for place in (*beside, *shipped) if place.is_file() and place != path), beside[0])


def _has_story(data: Mapping[str, Any]) -> bool:
    """Tell whether a scenario says what it is about."""
    story = data.get("story")
    return isinstance(story, str) and bool(story.strip())


def find_scenario(scenario: str, tables: Path | None = None, later: Sequence[str] = ()) -> Found:
    """Return a scenario with its map and the owner's tables; Refused with every problem of form, at its
    place.

    ``later`` names shipped tables that the game does not have, for it was begun before there were any.
    """
    path = where_is(scenario)
    data = open_file(path)
    source = read(data, str(path), limits=FILES)
    if not isinstance(source.data, Mapping) or source.problems:
        raise Refused(
            located=locate(source, source.problems or [Problem("scenario.form")], library.common_words())
        )
    map_id = source.data.get("map")
    if not isinstance(map_id, str) or "/" in map_id or "\\" in map_id:
        raise Refused(located=locate(source, [Problem("scenario.map", {}, ("map",))], library.common_words()))
    files = {f"{SCENARIO}{_name(source.data)}.yaml": data}
    map_path = _map_file(path, map_id)
    files[f"{MAPS}{map_id}.yaml"] = open_file(map_path)
    paths = {f"{SCENARIO}{_name(source.data)}.yaml": str(path), f"{MAPS}{map_id}.yaml": str(map_path)}
    with suppress(UnknownRuleset):
        shipped = library.shipped_tables(package_of(str(source.data.get("ruleset"))))
        if unknown := sorted(set(later) - {name.removesuffix(".yaml") for name in shipped}):
            raise refuse("tables.unknown", answer=UNDECIDED, table=unknown[0])
        files |= {
            f"{TABLES}{name}": table
            for name, table in shipped.items()
            if name.removesuffix(".yaml") not in later
        }
    if tables is not None:
        own = _own_tables(tables)
        files |= own
        paths |= {name: str(tables / name.removeprefix(TABLES)) for name in own}
        paths |= {name.removeprefix(TABLES): path for name, path in paths.items() if name.startswith(TABLES)}
    return Found(files, source, source.data, paths)


def _name(data: Mapping[str, Any]) -> str:
    name = data.get("scenario")
    return (
        name if isinstance(name, str) and name.replace("-", "").isalnum() and name.isascii() else "scenario"
    )


def _own_tables(folder: Path) -> dict[str, bytes]:
    found = sorted(folder.glob("*.yaml"))
    if not found:
        raise refuse("tables.none", answer=UNDECIDED, file=str(folder), path=str(folder))
    return {f"{TABLES}{path.name}": open_file(path) for path in found}


def chosen(found: Found, options: Mapping[str, str]) -> dict[str, Any]:
    """Return what the manifest says of the ruleset: the scenario's id, revision, modules and options, and the
    options given.
    """
    data = found.data
    revision = data.get("revision", "")
    try:
        rules = find(str(data.get("ruleset", "")), int(revision) if str(revision).isdecimal() else None)
    except UnknownRuleset as unknown:
        refusal = refuse_faults(Faults(ruleset=unknown))
        problems = [one.at("ruleset") for one in refusal.problems]
        if "ruleset" not in data:
            problems = [Problem("schema.missing", {"key": "ruleset"})]
        where = locate(found.source, problems, library.common_words())
        raise Refused(located=where, answer=refusal.answer) from None
    modules, given = data.get("modules"), data.get("options")
    return {
        "id": rules.id,
        "revision": rules.revision,
        "modules": [str(name) for name in modules] if isinstance(modules, list) else [],
        "options": {
            **({str(k): str(v) for k, v in given.items()} if isinstance(given, Mapping) else {}),
            **options,
        },
    }


def judge(
    found: Found, options: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], Ground, list[Located]]:
    """Return what the manifest will say, rules and field, and the doubts; Refused with all problems of
    scenario, map and tables.
    """
    rules_id = found.data.get("ruleset", "")
    words = library.words_of(str(rules_id))
    problems = shape_for("scenario", str(rules_id)).check(found.data)
    ruleset = chosen(found, options or {})
    located = locate(found.source, problems, words)
    map_path = next(path for path in found.files if path.startswith(MAPS))
    map_source = read(found.files[map_path], map_path, limits=FILES)
    if not map_source.problems:
        located += locate(map_source, shape_for("map", ruleset["id"]).check(map_source.data), words)
    try:
        ground = lay_ground(ruleset, found.files)
    except Exception:
        # A ruleset need not get along with what has not the form that it asks for; that is told already.
        if all(problem.is_doubt for problem in located):
            raise
        raise Refused(located=_by_path(found, located)) from None
    if isinstance(ground, Faults):
        typed = [
            problem for problem in ground.choices if problem.path[1:2] and problem.path[1] in (options or {})
        ]
        located += locate(
            found.source, [problem for problem in ground.choices if problem not in typed], words
        )
        for source, wrong in ground.of:
            located += locate(source, wrong, words)

    located = _by_path(found, located)
    if isinstance(ground, Faults):
        raise Refused(typed, located=located, answer=NO)
    if any(not problem.is_doubt for problem in located):
        raise Refused(located=located)
    if not _has_story(found.data):
        located += locate(
            found.source,
            [Problem("doubt.scenario.story", help="story: two to four sentences; advice: {west: …}")],
            words,
        )
    return ruleset, ground, located


def _by_path(found: Found, located: Sequence[Located]) -> list[Located]:
    """Return problems, each once, at the names by which the owner knows his files."""
    named = (replace(problem, file=found.paths.get(problem.file, problem.file)) for problem in located)
    return [*dict.fromkeys(named)]
