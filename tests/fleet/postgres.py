"""A PostgreSQL of Debian for tests: in a folder of its own, on a socket there, as a user who is not root."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

NOT_ROOT = ("postgres", "nobody")
"""Who runs it where the tests are run by root, whom it refuses to serve."""
NEW = ("-U", "club", "-E", "UTF8", "-A", "trust", "--no-sync")
FAST = (
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    "listen_addresses=",
    "shared_buffers=16MB",
    "max_connections=40",
    "autovacuum=off",
)


def programs() -> Path | None:
    """Return the folder with initdb and postgres, the newest there is, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if found:
        return found[-1].parent
    one = shutil.which("initdb")
    return Path(one).parent if one is not None and shutil.which("postgres") is not None else None


def _as_somebody(folder: Path) -> Sequence[str]:
    """Return what runs a program as somebody who is not root, and give him a folder; nothing where we are not."""
    import pwd

    if os.getuid() != 0:
        return ()
    for name in NOT_ROOT:
        try:
            who = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, who.pw_uid, who.pw_gid)
        return ("setpriv", f"--reuid={who.pw_uid}", f"--regid={who.pw_gid}", "--clear-groups")
    raise LookupError("nobody here is not root")


@contextmanager
def running(bin_: Path) -> Iterator[str]:
    """Start a server; give the address of its only database, and end it."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-"))  # short: the path of a socket has 107 bytes at most
    runs = _as_somebody(folder)
    around = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "HOME": str(folder)}
    try:
        subprocess.run(
            [*runs, str(bin_ / "initdb"), "-D", str(folder / "data"), *NEW],
            env=around, cwd=folder, check=True, capture_output=True,
        )  # fmt: skip
        said = [word for one in FAST for word in ("-c", one)]
        with (folder.parent / f"{folder.name}.log").open("wb") as log:
            server = subprocess.Popen(
                [*runs, str(bin_ / "postgres"), "-D", str(folder / "data"), "-k", str(folder), *said],
                env=around, cwd=folder, stdout=log, stderr=log,
            )  # fmt: skip
        try:
            url = f"postgresql://club@/postgres?host={folder}"
            _until_it_answers(url, server)
            yield url
        finally:
            server.terminate()
            server.wait()
            (folder.parent / f"{folder.name}.log").unlink()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _until_it_answers(url: str, server: subprocess.Popen[bytes]) -> None:
    import time

    import psycopg

    while True:
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None:
                raise
            time.sleep(0.05)
