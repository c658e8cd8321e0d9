"""The ground of a map: how large it is, the words of its key, and the rows of words, one row a line and one
word a hex.

A problem inside the rows has the path ``("terrain", offset)``, so that its line and column are those of the
word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.ground.map_file import WORD, MapFile
from pbem.rulesets.siege.state.field import Terrain
from pbem.text.similar import did_you_mean

_SIZE = regex(r"([1-9][0-9]?) x ([1-9][0-9]?)")
_ROW_NUMBER = regex(r"[0-9]{2}")

SHORT: Final[Mapping[str, str]] = {"tower": "tower_interior", "keep": "keep_interior"}
"""What a key may also call a ground."""
KEY_TOLD: Final = 60
"""How many words of a map's key are told to somebody who wrote another."""


def size(file: MapFile) -> None:
    """Read columns and rows."""
    match = _SIZE.fullmatch(file.text("size"))
    if match is None:
        path = ("size",) if "size" in file.data else ()
        file.say("map.size", path, help="columns x rows, such as: size: 12 x 8", value=file.text("size"))
        file.whole = False
        return
    file.columns, file.rows = int(match[1]), int(match[2])


def _key(file: MapFile) -> dict[str, Terrain]:
    """Return the words of this map for grounds."""
    found = {}
    chart = terrain.rows(file.rules)
    for word, name in file.mapping(file.data.get("key"), ("key",)).items():
        said = str(name).replace("-", "_")
        ground = file.grounds.get(SHORT.get(said, said))
        if ground is None:
            help_ = did_you_mean(str(name), file.grounds) or "known are " + ", ".join(sorted(file.grounds))
            file.say("map.terrain", ("key", word), help=help_, terrain=str(name))
            ground = next(iter(file.grounds.values()), None)
        else:
            module = chart[ground.id].get("module")
            if module:
                args = {"what": ground.title, "module": module}
                file.needs.append((module, Problem("map.not-in-force", args, ("key", word))))
        if ground is not None:
            found[str(word)] = ground
    return found


def rows(file: MapFile) -> None:
    """Read the rows of words: one row a line, one word a hex."""
    key = _key(file)
    grounds = {
        **file.grounds,
        **{name.replace("_", "-"): ground for name, ground in file.grounds.items()},
        **key,
    }
    body = file.text("terrain")
    if not body.strip():
        file.say(
            "map.no-terrain",
            ("terrain",) if "terrain" in file.data else (),
            help="terrain: | and the rows below it",
        )
        file.whole = False
        return
    row = offset = 0
    for line in body.split("\n"):
        words = [(match[0], offset + match.start()) for match in WORD.finditer(line)]
        offset += len(line) + 1
        if not words:
            continue
        if words[0][0] == "col":
            _heading(file, words)
            continue
        row += 1
        if _ROW_NUMBER.fullmatch(words[0][0]) and (
            len(words) == file.columns + 1 or words[0][0] not in grounds
        ):
            _row_number(file, words.pop(0), row)
        _row(file, words, row, grounds, offset - 1)
    if file.whole and row != file.rows:
        file.say(
            "map.rows", ("terrain",), help="write each row on a line of its own", found=row, wanted=file.rows
        )


def _heading(file: MapFile, words: Sequence[tuple[str, int]]) -> None:
    """Check the line of column numbers, which is there for the eye."""
    for index, (word, offset) in enumerate(words[1:], 1):
        if word != f"{index:02}" and file.whole:
            file.say("map.heading", ("terrain", offset), help=f"{index:02} stands here", found=word)
            return


def _row_number(file: MapFile, word: tuple[str, int], row: int) -> None:
    """Check the number in front of a row."""
    if word[0] != f"{row:02}":
        help_ = "rows are written from 01 on, none left out"
        file.say("map.row-number", ("terrain", word[1]), help=help_, found=word[0], wanted=f"{row:02}")


def _row(
    file: MapFile, words: Sequence[tuple[str, int]], row: int, grounds: Mapping[str, Terrain], end: int
) -> None:
    """Read the words of one row."""
    if file.whole and len(words) != file.columns:
        place = words[file.columns][1] if len(words) > file.columns else end
        args: dict[str, str | int] = {"row": f"{row:02}", "found": len(words), "wanted": file.columns}
        file.problems.append(Problem("map.row", args, ("terrain", place)))
    for column, (word, offset) in enumerate(words, 1):
        ground = grounds.get(word)
        if ground is None:
            own = sorted(map(str, file.data.get("key") or ()))[:KEY_TOLD]
            help_ = did_you_mean(word, grounds) or "the key of this map has " + " ".join(own)
            file.say("map.word", ("terrain", offset), help=help_, word=word, hex=f"{column:02}{row:02}"[:8])
            ground = next(iter(file.grounds.values()))
        if column <= file.columns and row <= file.rows:
            file.ground[f"{column:02}{row:02}"] = ground
            file.words[f"{column:02}{row:02}"] = offset
            if word not in (file.data.get("key") or {}):
                _need(file, ground, ("terrain", offset))


def _need(file: MapFile, ground: Terrain, path: Path) -> None:
    """Note that a ground needs a module, once."""
    module = terrain.rows(file.rules)[ground.id].get("module")
    if module and all(problem.args["what"] != ground.title for _, problem in file.needs):
        file.needs.append(
            (module, Problem("map.not-in-force", {"what": ground.title, "module": module}, path))
        )
