"""A task: what is to be done, as plain data that says everything, and what came of it.

A task is its kind and its arguments, nothing else: no object, no function, no secret. Two tasks that say the
same are the same one, and whoever does it twice gets the same answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

Plain = Mapping[str, Any]
"""What JSON can say: texts, whole numbers, truth values, lists and objects of them."""
MOST_BYTES: Final = 4_000_000
"""An answer has at most so many bytes as JSON: what is larger belongs into a file, of which the answer says
where it is.
"""


def written(value: object) -> str:
    """Return a value as JSON, the same text for the same value; TypeError or ValueError for what JSON cannot
    say. It is ASCII, for a name of a file need not be text in any other way.
    """
    return json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":"))


class Task(Struct, frozen=True):
    """One piece of work: a kind of ``kinds.KINDS``, and its arguments as JSON text."""

    kind: str
    said: str

    @classmethod
    def of(cls, kind: str, **arguments: object) -> Task:
        """Return the task of a kind with these arguments; TypeError for what is no plain data."""
        return cls(kind, written(arguments))

    @property
    def arguments(self) -> Plain:
        """Return the arguments."""
        found: Plain = json.loads(self.said)
        return found

    def id(self, program: str) -> str:
        """Return the name of what a program makes of this task: 32 hex digits."""
        return hashlib.sha256(f"{program}\n{self.kind}\n{self.said}".encode()).hexdigest()[:32]


class Done(Struct, frozen=True):
    """What came of a task: its answer, or why there is none; and the processor time that it took, in seconds
    (0 where it was found on disk without).
    """

    task: Task
    answer: Any = None
    failure: str = ""
    seconds: float = 0.0
