"""The vectors of deadlines, clocks, leave and misses (``*.yaml`` here), read into values.

Their form is in docs/calendar.md; nothing in them is of pbem, so that anybody may use them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pbem.club.reading import days_off, minutes
from pbem.club.terms import Acts, ClockTerms, Extension, Leave, LeaveTerms, MissedTerms, Move, Pause, Terms

HERE = Path(__file__).parent
Case = Mapping[str, Any]


def cases(kind: str) -> list[tuple[str, Case]]:
    """Return the cases of a kind in every file, each with a name: its file and what it says of itself."""
    return list(_cases(kind))


def _cases(kind: str) -> Iterator[tuple[str, Case]]:
    for file, every in written().items():
        for case in every:
            if kind in case:
                yield f"{file}: {case['name']}", case


@cache
def written() -> Mapping[str, list[Case]]:
    """Return every file: its name -> its cases."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {path.stem: yaml.load(path.read_bytes(), loader) for path in sorted(HERE.glob("*.yaml"))}


def at(text: str) -> datetime:
    """Return a time as vectors write it, ``2026-11-21T12:00Z``."""
    assert text.endswith("Z"), text
    return datetime.fromisoformat(text[:-1]).replace(tzinfo=UTC)


def day_of(text: object) -> date:
    return date.fromisoformat(str(text))


def terms_of(said: Mapping[str, Any]) -> Terms:
    hour, _, minute = str(said.get("time", "")).partition(":")
    leave = said.get("leave")
    return Terms(
        minutes(said["length"]),
        {phase: minutes(length) for phase, length in said.get("lengths", {}).items()},
        (int(hour), int(minute)) if hour else None,
        tuple(minutes(one) for one in said.get("remind", ())),
        minutes(said["grace"]) if "grace" in said else 0,
        said.get("zone", "UTC"),
        days_off([str(one) for one in said.get("days_off", ())]),
        leave_terms_of(leave) if leave else None,
        reserve=said.get("reserve", 0),
        clock=clock_of(said["clock"]) if "clock" in said else None,
    )


def leave_terms_of(said: Mapping[str, Any]) -> LeaveTerms:
    return LeaveTerms(said["days"], minutes(said["notice"]) if "notice" in said else 0)


def leave_of(said: Mapping[str, Any]) -> Leave:
    return Leave(
        said.get("seat", "west"),
        day_of(said["from"]),
        day_of(said["to"]),
        at(said["asked"]),
        said.get("zone", "UTC"),
        bool(said.get("granted", False)),
    )


def move_of(case: Case) -> Move:
    acts = Acts(
        tuple(
            Extension(one.get("slot", 7), at(one["until"]), at(one["at"]))
            for one in case.get("extensions", ())
        ),
        tuple(Pause(at(one[0]), at(one[1]) if len(one) > 1 else None) for one in case.get("pauses", ())),
        tuple(leave_of(one) for one in case.get("leaves", ())),
    )
    return Move(
        case.get("phase", "movement"),
        at(case["since"]),
        7,
        tuple(case.get("seats", ("west", "east"))),
        acts,
        case.get("reserves", {}),
        {
            seat: -1 if left is None else minutes(left) if left else 0
            for seat, left in case.get("clocks", {}).items()
        },
    )


def clock_of(said: Mapping[str, Any]) -> ClockTerms:
    def of(key: str) -> int | None:
        return minutes(said[key]) if key in said else None

    return ClockTerms(
        minutes(said["start"]),
        of("increment") or 0,
        said.get("moves", 1),
        of("most"),
        said.get("charges", "minutes") == "whole days",
        of("doubles"),
    )


def missed_of(said: Mapping[str, int]) -> MissedTerms:
    return MissedTerms(said.get("strike"), said.get("substitute"), said.get("loss"), said.get("forgive"))
