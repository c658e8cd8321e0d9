"""The kinds of task, and the one function in which a worker does them.

A worker runs what stands in this table and nothing that a task brings; it refuses a task that was made by
another program.
"""

from __future__ import annotations

from importlib import import_module
from time import process_time
from typing import Any, Final

from pbem.fleet.program import digest
from pbem.fleet.task import MOST_BYTES, Task, written
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.office import said as said_of

KINDS: Final = {
    "verify": "pbem.fleet.audits:verified",
    "games": "pbem.fleet.studies:played",
    "picture": "pbem.fleet.pictures:pictured",
    "replay": "pbem.fleet.pages:paged",
    "fuzz": "fuzz_play:of_a_task",
}
"""Kind -> module and function that does it, arguments in, plain data out; that of ``fuzz`` stands in the
tests of the source.
"""


SAID: Final = 500
"""So much of what an error says is told."""


class OtherProgram(Exception):
    """A task came to a worker that is of another program than who made it."""


class TaskFailed(Exception):
    """Nothing came of a task; why, in words. What was raised stays in the worker: not every error travels."""


def do(program: str, kind: str, said: str) -> tuple[str, float]:
    """Do one task in this process; return its answer as JSON text, and the processor time in seconds.

    OtherProgram, or TaskFailed for whatever goes wrong.
    """
    if program != digest():
        raise OtherProgram(f"the task is of program {program[:12]}, the worker of {digest()[:12]}")
    if kind not in KINDS:
        raise TaskFailed(f"there is no kind of task {kind!r}")
    module, _, name = KINDS[kind].partition(":")
    began = process_time()
    try:
        answer: Any = getattr(import_module(module), name)(**Task(kind, said).arguments)
        text = written(answer)
    except Refused as refusal:
        raise TaskFailed(said_of(refusal)[:SAID]) from None
    except Exception as error:
        raise TaskFailed(f"{type(error).__name__}: {str(error)[:SAID]}") from None
    if len(text.encode()) > MOST_BYTES:
        raise TaskFailed(f"an answer of more than {MOST_BYTES} bytes; it belongs into a file")
    return text, process_time() - began
