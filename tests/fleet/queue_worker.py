"""A worker of the queue as a program of its own: ``queue_worker.py ROOT URL MARK first|second``.

The first kills itself in the middle of a game, between the lock and what comes of it, and leaves a mark; the
second begins when the mark is there.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1] / "toy"), str(HERE.parents[2])]


def main(root: Path, url: str, mark: Path, which: str) -> None:
    from office_table import OfficeTable

    from pbem.fleet.clerk import serve
    from pbem.fleet.queue import Times
    from pbem.store import disk

    os.fsync = lambda number: None  # nobody cuts the power here
    if which == "first":
        plain = disk.effect

        def effect(kind: str, path: Path, act: Any) -> Any:
            if kind == "rename" and path.parent.name == "rolls":
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return plain(kind, path, act)

        disk.effect = effect
    while which == "second" and not mark.exists():
        time.sleep(0.02)
    table = OfficeTable.__new__(OfficeTable)
    super(OfficeTable, table).__init__(root)
    serve(table.env, root, url, Times(beat=0.2, silent=1.0, looks=0.05))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), sys.argv[4])
