"""Times as forums give them to programs, as ISO 8601 in UTC; times in words stay as they are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = 4_102_444_800
"""The year 2100."""


def of_seconds(seconds: object) -> str:
    """Return the time so many seconds after 1970 began, or nothing where that cannot be one."""
    if isinstance(seconds, str) and seconds.isdigit() and len(seconds) < 12:
        seconds = int(seconds)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < _LAST:
        return ""
    return (_EPOCH + timedelta(seconds=int(seconds))).isoformat().replace("+00:00", "Z")


def of_milliseconds(milliseconds: object) -> str:
    """Return the same for thousandths of a second."""
    if isinstance(milliseconds, str) and milliseconds.isdigit() and len(milliseconds) < 16:
        milliseconds = int(milliseconds)
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float) or not milliseconds > 0:
        return ""
    return of_seconds(milliseconds // 1000)
