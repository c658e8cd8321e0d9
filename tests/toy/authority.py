"""A time stamping authority (RFC 3161) on this machine: ``openssl ts`` behind a small server, with
certificates of its own.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct, field

NAME = "Clock of the test"
CONFIG = """[clock]
serial = {root}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256,sha512
ess_cert_id_alg = sha256
"""


class Authority(Struct):
    """Where it is, whose stamps are believed (``root``, a PEM file), what it answers (``does``), and what it
    was asked.
    """

    url: str
    root: Path
    does: str = "stamp"
    asked: list[bytes] = field(default_factory=list)


def _certificate(subject: str, issuer: str, key: Any, signer: Any, *, root: bool) -> x509.Certificate:
    def named(name: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(named(subject))
        .issuer_name(named(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=3650))
        .add_extension(x509.BasicConstraints(root, None), critical=True)
    )
    if not root:
        made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
    return made.sign(signer, hashes.SHA256())


def _lay_out(folder: Path) -> None:
    root, clock = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    form = serialization.Encoding.PEM
    (folder / "root.pem").write_bytes(
        _certificate("Root of the test", "Root of the test", root, root, root=True).public_bytes(form)
    )
    (folder / "clock.pem").write_bytes(
        _certificate(NAME, "Root of the test", clock, root, root=False).public_bytes(form)
    )
    plain = clock.private_bytes(form, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "clock.key").write_bytes(plain)
    (folder / "serial").write_text("01\n")
    (folder / "config").write_text(CONFIG.format(root=folder))


@contextmanager
def authority(folder: Path) -> Iterator[Authority]:
    """Run one whose files lie in a folder."""
    _lay_out(folder)

    class Clock(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["Content-Length"]))
            found.asked.append(query)
            if found.does == "nothing":
                self.send_error(503)
                return
            (folder / "query").write_bytes(query if found.does != "other" else found.asked[0])
            words = [
                "-queryfile",
                "query",
                "-signer",
                "clock.pem",
                "-inkey",
                "clock.key",
                "-config",
                "config",
                "-section",
                "clock",
            ]
            ran = subprocess.run(
                ["openssl", "ts", "-reply", *words], cwd=folder, capture_output=True, check=True
            )
            self.send_response(200)
            self.end_headers()
            self.wfile.write(ran.stdout if found.does != "nonsense" else b"<html>stamped</html>")

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Clock)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    found = Authority(f"http://127.0.0.1:{server.server_port}/tsr", folder / "root.pem")
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
