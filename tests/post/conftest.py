"""Mail servers that tests of letters share: one Dovecot for each worker, a certificate of our own, an SMTP
server for each test.
"""

from __future__ import annotations

import os
import shutil
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from servers import Dovecot, MailServer, Wire, certificates


@pytest.fixture(scope="session")
def pems(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the files of a throw-away authority, and of a server's certificate with its key."""
    return certificates(tmp_path_factory.mktemp("pems"))


@pytest.fixture
def trusted(pems: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this machine trust the throw-away authority for the time of a test."""
    monkeypatch.setenv("SSL_CERT_FILE", str(pems[0]))


@pytest.fixture(scope="session")
def server_tls(pems: tuple[Path, Path]) -> ssl.SSLContext:
    """Return what a server needs to speak TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pems[1])
    return context


@pytest.fixture(scope="session")
def dovecot(pems: tuple[Path, Path], need: Callable[[str], str]) -> Iterator[Dovecot]:
    """Run an IMAP server."""
    if os.geteuid() == 0:
        need("setpriv")
    server = Dovecot(need(shutil.which("dovecot") or "/usr/sbin/dovecot"), pems[1])
    yield server
    server.stop()


@pytest.fixture
def smtp_server() -> Iterator[Callable[..., MailServer]]:
    """Return what starts an SMTP server for the time of a test."""
    made: list[MailServer] = []

    def start(**options: object) -> MailServer:
        made.append(MailServer(**options))  # type: ignore[arg-type]
        return made[-1]

    yield start
    for server in made:
        server.stop()


@pytest.fixture
def wire() -> Iterator[Callable[..., Wire]]:
    """Return what lays a wire to a server for the time of a test."""
    made: list[Wire] = []

    def lay(port: int, **options: object) -> Wire:
        made.append(Wire(port, **options))  # type: ignore[arg-type]
        return made[-1]

    yield lay
    for one in made:
        one.stop()
