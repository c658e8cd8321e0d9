"""Maps of one's own: what is wrong with one, and how it lies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pbem.referee.explain.draw import drawn
from pbem.referee.explain.look import Look
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.rulebook import known
from pbem.referee.game.scenario import open_file, shape_for
from pbem.store.library import english, words_of
from pbem.text.located import Located, locate
from pbem.text.source import FILES, read


def check_map(path: Path, ruleset: str) -> tuple[Located, ...]:
    """Return the doubts about a map; Refused with everything that is wrong with it."""
    rules = known(ruleset)
    source = read(open_file(path), str(path), limits=FILES)
    problems = list(source.problems)
    if not problems:
        problems += shape_for("map", ruleset).check(source.data)
        if isinstance(source.data, Mapping):
            _, _, of_map = rules.interface.read_field(
                rules, {"modules": sorted(rules.known_modules)}, source.data
            )
            problems += of_map
    found = tuple(dict.fromkeys(locate(source, problems, words_of(ruleset))))
    if any(not problem.is_doubt for problem in found):
        raise Refused(located=found)
    return found


def map_picture(path: Path, ruleset: str, suffix: str, look: Look | None = None) -> bytes:
    """Return a picture of a map with nobody on it; Refused with everything that is wrong with it."""
    rules = known(ruleset)
    check_map(path, ruleset)
    if rules.interface.map_scene is None:
        raise refuse("draw.no-map", ruleset=ruleset)
    scene, _ = rules.interface.map_scene(rules, read(open_file(path), str(path), limits=FILES).data)
    return drawn(scene, suffix, look)


def staggered(path: Path) -> str:
    """Return the terrain of a map as it lies: every second column half a hex lower."""
    source = read(open_file(path), str(path), limits=FILES)
    if (
        not isinstance(source.data, Mapping)
        or source.problems
        or not isinstance(source.data.get("terrain"), str)
    ):
        raise Refused(
            located=locate(source, source.problems or shape_for("map", "").check(source.data), english())
        )
    rows = [
        line.split()
        for line in source.data["terrain"].splitlines()
        if line.split() and line.split()[0] != "col"
    ]
    lines: list[str] = []
    for row in rows:
        cells = row[1:]
        lines.append(
            f"{row[0]:>3} " + "".join(f"{cell:<3}" if at % 2 == 0 else "   " for at, cell in enumerate(cells))
        )
        lines.append(
            "    " + "".join("   " if at % 2 == 0 else f"{cell:<3}" for at, cell in enumerate(cells))
        )
    return "\n".join(line.rstrip() for line in lines)
