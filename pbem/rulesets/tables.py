"""The number tables of a ruleset: read from its ``tables/*.yaml`` when one is first asked for, and checked.

What is on a sheet is data; how a sheet is read is code and stands in the topics. Every table says where it
comes from (``source``), how sure it is (``basis``), why it is as it is (``argument``) and which rules rest on
it. An owner's own sheet is laid over the shipped one, checked for the same shape. This is the only module of
the rings inside ``store`` that reads package data.

Form of a checked table: mappings and tuples that nobody can change. A list of rows with ids is a mapping by
id. Where ``columns``,
``rows`` and ``key`` make a table that is read by a die, a ``Grid`` of it stands beside the rows under
``grid``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from pbem import resources
from pbem.core.problem import Path, Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.core.table import BASES, Grid, TableError, die_faces, grid
from pbem.text.similar import did_you_mean
from pbem.text.source import FILES, read

S = TypeVar("S")
Keeps = Callable[[str, bytes, Callable[[], Any]], Any]
"""Gives what some bytes were read to be, by how they are read and what reads them."""
_keeps: Keeps | None = None
Table = Mapping[str, Any]
Tables = Mapping[str, Table]

HEAD: Final = ("table", "rules", "source", "basis")
"""What every table must say of itself; ``argument`` too, unless it is copied whole from print."""
TEN: Final = 10
"""Faces of the die of a table that names none."""
OWN_HEAD: Final = ("source", "basis")
"""What an owner's sheet must say of itself, whatever else it takes over."""
GRID: Final = "grid"
REMARKS: Final = frozenset(
    {
        "argument",
        "source",
        "rules",
        "basis",
        "note",
        "notes",
        "example",
        "also",
        "shares_percent",
        "row_exceptions",
        "fixed_cells",
    }
)
"""Keys that no rule reads, so that an owner's sheet need not have them."""

_INTEGER = regex(r"-?(0|[1-9][0-9]{0,8})")
_RULE = regex(r"[A-Z]{0,4}[0-9]+(\.[0-9]+)*[a-z]?")
_ODDS = regex(r"([1-9][0-9]?):1")
_SIGNS = frozenset({"+", "-"})
_FLAT: Final = frozenset({str, int, bool, type(None)})
_WORDS: Final[Mapping[str, Any]] = {"true": True, "false": False, "null": None, "~": None, "": None}


class _Shipped(Mapping[str, Table]):
    """The tables of a package, each read and checked when it is first asked for, and of the game that it
    stands on those which it has not itself.
    """

    def __init__(self, package: str, stands_on: Tables) -> None:
        self._folder = resources.of_package(package) / "tables"
        self._own = frozenset(
            entry.name.removesuffix(".yaml")
            for entry in self._folder.iterdir()
            if entry.name.endswith(".yaml")
        )
        self._stands_on = stands_on
        self._names = tuple(sorted({*self._own, *stands_on}))
        self._read: dict[str, Table] = {}

    def __getitem__(self, name: str) -> Table:
        if name not in self._read:
            self._read[name] = (
                _shipped((self._folder / f"{name}.yaml").read_bytes(), name)
                if name in self._own
                else self._stands_on[name]
            )
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def load(package: str, stands_on: Tables = MappingProxyType({})) -> Tables:
    """Return all tables in the ``tables`` of a package by name, and those of the game that it stands on;
    asking for one that is not what it says raises TableError.
    """
    return _Shipped(package, stands_on)


def use(keeps: Keeps | None) -> None:
    """Say what keeps the plain data of files that are read again and again: tables that come along, scenario
    and map of a game; None: nothing does, each is read.
    """
    global _keeps
    _keeps = keeps


def kept(kind: str, data: bytes, read: Callable[[], Any]) -> Any:
    """Return what some bytes are read to be, as ``use`` said."""
    return read() if _keeps is None else _keeps(kind, data, read)


def _shipped(data: bytes, name: str) -> Table:
    return _made(name, kept("table", data, lambda: _plainly(data, name)))


def _plainly(data: bytes, name: str) -> Any:
    """Return what a file says, with its numbers; raise TableError where its form is wrong."""
    source = read(data, f"{name}.yaml", limits=FILES)
    if source.problems:
        raise TableError(name, f"line {source.mark(source.problems[0].path).line}: {source.problems[0].code}")
    return _typed(source.data, name)


def checked(name: str, data: object) -> Table:
    """Return a table, checked and made ready; raise TableError with what is wrong and where.

    ``data`` may have all its scalars as text, as the strict reader leaves them.
    """
    return _made(name, _typed(data, name))


def _made(name: str, table: Any) -> Table:
    """Return a table of data with its numbers, checked and made ready; the data are changed."""
    if not isinstance(table, dict):
        raise TableError(name, "must be keys with values")
    _head(name, table)
    faces = _die(name, table)
    _grids(name, table, faces)
    _by_id(name, table)
    _scales(name, table)
    frozen: Table = _frozen(table)
    return frozen


def plain(table: Any) -> Any:
    """Return a table as plain data that can be changed: what ``checked`` was given, but for rows that are
    found by id now.
    """
    if isinstance(table, Mapping):
        return {key: plain(value) for key, value in table.items() if not isinstance(value, Grid)}
    return [plain(value) for value in table] if isinstance(table, tuple) else table


def digest(tables: Tables) -> str:
    """Return ``sha256:`` and the hash of what all tables say; comments and layout do not count."""
    said = json.dumps(plain(tables), sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
    return "sha256:" + hashlib.sha256(said.encode()).hexdigest()


def reconstructed(tables: Tables) -> tuple[str, ...]:
    """Return the names of the tables whose numbers are not the printed ones but a reconstruction."""
    return tuple(sorted(name for name, table in tables.items() if table["basis"] == "reconstructed"))


def with_tables(rules: Ruleset[S], given: Mapping[str, Any]) -> tuple[Ruleset[S] | None, list[Problem]]:
    """Return the ruleset with an owner's sheets laid over its own; problems, each with a path that begins
    with the table, refuse them.

    A sheet replaces the keys it has and keeps the others, and so does each of its rows that have an id; what
    it says must have the shape of what it replaces.
    """
    problems: list[Problem] = []
    tables = dict(rules.tables)
    for name in sorted(given):
        if name not in rules.tables:
            help_ = did_you_mean(name, rules.tables) or "known are " + ", ".join(sorted(rules.tables))
            problems.append(Problem("tables.unknown", {"table": name}, (name,), help=help_, key=True))
            continue
        laid, wrong = _laid_over(name, rules.tables[name], given[name])
        problems += wrong
        if laid is not None:
            tables[name] = laid
    return (None, problems) if problems else (rules.amend(tables=MappingProxyType(tables)), [])


def _laid_over(name: str, own: Table, data: object) -> tuple[Table | None, list[Problem]]:
    if not isinstance(data, Mapping):
        return None, [
            Problem("tables.form", {"table": name}, (name,), help="a table is made of keys with values")
        ]

    sheet = _typed(data, name)
    problems = [
        Problem(
            "tables.head",
            {"table": name, "key": key},
            (name,),
            help=f"write {key}: and where the numbers come from",
        )
        for key in OWN_HEAD
        if not sheet.get(key)
    ]
    if sheet.get("table", name) != name:
        problems.append(
            Problem(
                "tables.name",
                {"table": name, "found": str(sheet["table"])},
                (name, "table"),
                help=f"table: {name}",
            )
        )

    if problems:
        return None, problems
    before = plain(own)
    for key, value in sheet.items():
        if _is_by_id(value) and isinstance(before.get(key), dict):
            sheet[key] = {
                **before[key],
                **{str(row["id"]): {**before[key].get(str(row["id"]), {}), **row} for row in value},
            }
            problems += _short_rows(name, before[key], sheet[key], key)

    if problems:
        return None, problems
    try:
        table = checked(name, {**before, **sheet})
    except TableError as wrong:
        return None, [
            Problem("tables.wrong", {"table": name, "what": str(wrong).partition(": ")[2]}, (name,))
        ]

    problems = list(_unlike(name, own, table, (name,)))
    return (None, problems) if problems else (table, [])


def _is_by_id(value: object) -> bool:
    """Tell whether a value is a list of rows with ids."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, dict) and "id" in row for row in value)
    )


def _short_rows(name: str, own: Mapping[str, Any], rows: Mapping[str, Any], key: str) -> Iterator[Problem]:
    """Yield what a new row lacks of the keys that every row has."""
    always = set.intersection(*(set(row) for row in own.values()))
    for id_ in sorted(set(rows) - set(own)):
        for missing in sorted(always - set(rows[id_])):
            yield Problem("tables.missing", {"table": name, "where": f"{key}.{id_}.{missing}"}, (name, key))


def _unlike(name: str, own: Any, new: Any, path: Path) -> Iterator[Problem]:
    """Yield where a value has another form than the one it replaces."""
    if isinstance(own, Mapping):
        if not isinstance(new, Mapping):
            yield Problem(
                "tables.shape", {"table": name, "where": _said(path), "wanted": "keys with values"}, path
            )
            return
        for key in own:
            if key in REMARKS:
                continue
            if key == GRID:
                if key not in new:
                    yield Problem(
                        "tables.shape",
                        {"table": name, "where": _said(path), "wanted": "columns, rows and key"},
                        path,
                    )
            elif key not in new:
                yield Problem("tables.missing", {"table": name, "where": _said((*path, key))}, path)
            else:
                yield from _unlike(name, own[key], new[key], (*path, key))
    elif isinstance(own, tuple):
        if not isinstance(new, tuple):
            yield Problem("tables.shape", {"table": name, "where": _said(path), "wanted": "a list"}, path)
    elif _sort(own) != _sort(new) and None not in (own, new):
        yield Problem("tables.shape", {"table": name, "where": _said(path), "wanted": _sort(own)}, path)


def _sort(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    return "a whole number" if isinstance(value, int) else "a word"


def _said(path: Path) -> str:
    return ".".join(str(step) for step in path[1:]) or str(path[0])


# --- reading


def _typed(data: object, name: str) -> Any:
    """Return data with its scalars as numbers, truth values and nothing, where they look like it."""
    if isinstance(data, Mapping):
        return {_key(key): _typed(value, name) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_typed(value, name) for value in data]
    if isinstance(data, str):
        if _INTEGER.fullmatch(data):
            return int(data)
        return _WORDS.get(data, data)
    if data is None or isinstance(data, int):
        return data
    raise TableError(name, f"{data!r} is neither a word nor a whole number")


def _key(key: object) -> Any:
    return int(key) if isinstance(key, str) and _INTEGER.fullmatch(key) else key


def _frozen(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return MappingProxyType(
            {key: inner if type(inner) in _FLAT else _frozen(inner) for key, inner in value.items()}
        )
    if kind is list:
        return tuple([inner if type(inner) in _FLAT else _frozen(inner) for inner in value])
    return value


def _list(name: str, table: dict[str, Any], key: str) -> list[Any]:
    found = table[key]
    if not isinstance(found, list):
        raise TableError(name, f"{key} must be a list")
    return found


def _head(name: str, table: dict[str, Any]) -> None:
    for key in HEAD:
        if not table.get(key):
            raise TableError(name, f"needs {key}")
    if table["table"] != name:
        raise TableError(name, f"calls itself {table['table']}")
    if table["basis"] not in BASES:
        raise TableError(name, f"basis must be one of {', '.join(BASES)}, not {table['basis']}")
    if table["basis"] != "complete" and not table.get("argument"):
        raise TableError(name, "needs an argument, because it is not copied whole from print")
    for rule in _list(name, table, "rules"):
        if not _RULE.fullmatch(str(rule)):
            raise TableError(name, f"{rule} is not a rule")


def _die(name: str, table: dict[str, Any]) -> int:
    """Return how many faces the die of a table has, ten where it names none; raise TableError unless the
    rows say something of each of them.
    """
    if not isinstance(table.get("die"), dict) or "kind" not in table["die"]:
        return TEN
    try:
        faces = die_faces(table)
    except LookupError as wrong:
        raise TableError(name, str(wrong.args[0])) from None
    rows = table.get("rows")
    if isinstance(rows, dict) and all(isinstance(row, int) for row in rows):
        known: list[tuple[int, ...]] = [(row, row) for row in rows]
    elif isinstance(rows, list) and all(isinstance(row, dict) and _is_span(row.get("die")) for row in rows):
        known = [tuple(row["die"]) for row in rows]
    else:
        return faces
    for die in range(1, faces + 1):
        if not any(low <= die <= high for low, high in known):
            raise TableError(name, f"says nothing of a die that shows {die}")
    return faces


def _is_span(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, int) for end in value)


def _grids(name: str, table: dict[str, Any], faces: int) -> None:
    """Put a Grid beside the rows of a table that is read by a die: the table itself, or each weapon of it."""
    columns, key = table.get("columns"), table.get("key")
    if (
        not columns
        or not isinstance(key, dict)
        or not all(isinstance(meaning, dict) for meaning in key.values())
    ):
        return
    if "rows" in table:
        table[GRID] = _grid(name, columns, table["rows"], key, faces)
    weapons = table.get("weapons", {})
    if not isinstance(weapons, dict) or not all(isinstance(rows, dict) for rows in weapons.values()):
        raise TableError(name, "weapons must be names, each with rows")
    for weapon, rows in sorted(weapons.items()):
        rows[GRID] = _grid(f"{name}.{weapon}", columns, rows.get("rows"), key, faces)


def _grid(name: str, columns: Any, rows: Any, key: Any, faces: int) -> Grid:
    if not isinstance(rows, dict):
        raise TableError(name, "needs rows (a mapping from the die to its cells)")
    made = grid(name, columns, rows, key)
    if len(made.rows) != faces:
        raise TableError(name, f"must have {faces} rows, one for each face of the die, not {len(made.rows)}")
    odds = [_ODDS.fullmatch(column) for column in made.columns]
    if any(odds) and [int(match[1]) if match else 0 for match in odds] != list(range(1, len(odds) + 1)):
        raise TableError(name, "must have the columns 1:1, 2:1, 3:1 and so on, none left out")
    return made


def _by_id(name: str, table: dict[str, Any]) -> None:
    """Turn lists of rows with ids into mappings by id."""
    for key, value in table.items():
        if not _is_by_id(value):
            continue
        rows = {str(row["id"]): row for row in value}
        if len(rows) != len(value):
            raise TableError(name, f"{key} has an id twice")
        table[key] = rows


def _scales(name: str, table: dict[str, Any]) -> None:
    """Keep signs as words, and hold every value of a column to the scale the table names for it."""
    if isinstance(table.get("columns"), list) and {str(column) for column in table["columns"]} >= _SIGNS:
        table["columns"] = [str(column) for column in table["columns"]]
        rows = table.get("rows")
        if not isinstance(rows, dict) or not all(isinstance(cells, list) for cells in rows.values()):
            raise TableError(name, "needs rows, each with a list of cells")
        table["rows"] = {str(row): cells for row, cells in rows.items()}
        if any(len(cells) != len(table["columns"]) for cells in table["rows"].values()) or set(
            table["rows"]
        ) != set(table["columns"]):
            raise TableError(name, "must be square: a row and a column for each sign")
    for scale, columns in (
        ("melee_scale", ("melee_attacker", "melee_defender")),
        ("cover_scale", ("cover", "cover_through")),
        ("state_scale", ("stunned", "wounded", "killed")),
    ):
        if scale not in table:
            continue
        table[scale] = [str(value) for value in _list(name, table, scale)]
        for id_, row in _every_row(table):
            for column in columns:
                if column in row:
                    row[column] = str(row[column])
                    if row[column] not in (*table[scale], "by_position"):
                        raise TableError(
                            name,
                            f"{id_}: {column} must be one of {', '.join(table[scale])}, not {row[column]}",
                        )


def _every_row(table: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a table that are found by id, of each of its lists of such rows."""
    for value in table.values():
        if isinstance(value, dict) and all(isinstance(row, dict) and "id" in row for row in value.values()):
            yield from value.items()
