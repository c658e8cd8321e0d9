"""A table whose games go into a log: the log, a web space that serves it, a witness, and a game with two
histories.
"""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from table import Table

from pbem.proof.note import NoteKey
from pbem.referee.game.environment import Environment
from pbem.referee.mail.log_keeping import Grown, add, new_log, take
from pbem.referee.proving.log_watching import LogAnswer, ask_log, sign_log
from pbem.store.keys import Keyring

ORIGIN = "example.org/club"


class LogTable:
    """A game of the toy ruleset with one turn played, and a log that it goes into."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.log = table.root / "log"
        self.game = table.started(keyed=("south",)).game
        table.turn()
        self.key = new_log(table.env, self.log, ORIGIN).key

    def env(self, who: str) -> Environment:
        return replace(self.table.env, keyring=Keyring(self.table.root / who))

    def enter(self, *games: Path, insists: bool = False) -> Grown:
        return add(replace(self.table.env, insists=insists), self.log, games or (self.game,))

    def cosign(self, who: str = "ann", where: str = "") -> NoteKey:
        """Let a witness cosign the log, and its keeper take it in."""
        done = sign_log(self.env(who), where or str(self.log), f"{who}.example")
        take(self.table.env, self.log, done.note.data, [done.key])
        return done.key

    def ask(self, game: Path | None = None, where: str = "", who: str = "ben", **more: Any) -> LogAnswer:
        return ask_log(self.env(who), game or self.game, where or str(self.log), **more)

    def copy(self, name: str) -> Path:
        """Return a copy of the game as it stands."""
        return Path(shutil.copytree(self.game, self.table.root / name))

    def forked(self) -> Path:
        """Play the game on, in two ways; return the one that is not in the game's own folder."""
        other = self.copy("other")
        self.table.turn()
        own, self.table.game = self.table.game, other
        env, self.table.env = self.table.env, replace(self.table.env, insists=True)
        self.table.turn()
        self.table.game, self.table.env = own, env
        return other


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as any web space does, and give its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
