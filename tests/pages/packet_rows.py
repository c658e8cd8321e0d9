"""The rows that a packet's tables stand for, made of them by a second reading of what ``packet_tables`` says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any


def rows_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a page with rows in the place of its tables."""
    found = {key: value for key, value in data.items() if key not in ("values", "up", "at")}
    found["phases"] = [{**phase, "rows": list(_rows(data, phase["rows"]))} for phase in data["phases"]]
    found["later"] = list(_rows(data, data["later"]))
    found["after"] = [
        dict(zip(data["values"][ids], map(_places, left), strict=True)) for ids, *left in data["after"]
    ]
    return found


def _rows(data: dict[str, Any], tables: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for sentence, kind, count, keys, *columns in tables:
        whole = [column if isinstance(column, list) else [column] * count for column in columns]
        assert all(len(column) == count for column in whole)
        for cells in zip(*whole, strict=True) if whole else [()] * count:
            row = {key: _value(data, key, cell) for key, cell in zip(keys, cells, strict=True)}
            yield row | {"k": kind, "s": _said(data["values"][sentence], row)}


def _value(data: dict[str, Any], key: str, cell: Any) -> Any:
    if key in "pmixb":
        return cell
    if key == "a":
        return cell if isinstance(cell, list) else [cell]
    if key == "y":
        places = []
        while cell >= 0:
            places.append(data["values"][data["at"][cell]])
            cell = data["up"][cell]
        return " ".join(reversed(places))
    return data["values"][cell]


def _said(sentence: Any, row: dict[str, Any]) -> str:
    if isinstance(sentence, list):
        return str(sentence[0])
    parts = {
        "{w}": ", ".join(row["w"]),
        "{c}": " ".join(row.get("c", ())),
        "{t}": ", ".join(row.get("t", ())),
        "{f}": row.get("f", ""),
    }
    return re.sub(r"\{[wctf]\}", lambda hole: parts[hole[0]], sentence)


def _places(found: Any) -> list[int]:
    all_: list[int] = []
    for one in found or ():
        all_ += [one] if one >= 0 else range(all_[-1] + 1, all_[-1] + 1 - one)
    return all_
