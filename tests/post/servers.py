"""Real mail servers on this machine for the time of a test: Dovecot for IMAP and LMTP, aiosmtpd for SMTP, and
a wire to cut.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import datetime
import hashlib
import hmac
import ipaddress
import json
import os
import shutil
import smtplib
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec import Struct, field

HOST = "127.0.0.1"
PASSWORD = "open-sesame"
TOKEN = "ya29.a-token"


def certificates(folder: Path) -> tuple[Path, Path]:
    """Make an authority that nobody knows, and a certificate of it for this machine; return its file, and
    that with chain and key.
    """
    now = datetime.datetime.now(datetime.UTC)

    def build(
        name: str, key: ec.EllipticCurvePrivateKey, issuer: str, signer: ec.EllipticCurvePrivateKey, ca: bool
    ) -> x509.Certificate:
        subject, by = (
            x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, one)]) for one in (name, issuer)
        )
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(by).public_key(key.public_key())
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(
            now - datetime.timedelta(hours=1)
        )
        builder = builder.not_valid_after(now + datetime.timedelta(days=2))
        builder = builder.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
        )
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        usage = x509.KeyUsage(not ca, False, False, False, False, ca, ca, False, False)
        builder = builder.add_extension(usage, critical=True)
        if not ca:
            names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address(HOST))]
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(signer, hashes.SHA256())

    root, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    pem = serialization.Encoding.PEM
    authority = build("test authority", root, "test authority", root, True).public_bytes(pem)
    own = build("localhost", leaf, "test authority", root, False).public_bytes(pem)
    key = leaf.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "authority.pem").write_bytes(authority)
    (folder / "server.pem").write_bytes(own + key)
    return folder / "authority.pem", folder / "server.pem"


def free_port() -> int:
    with socket.socket() as made:
        made.bind((HOST, 0))
        return int(made.getsockname()[1])


CONFIG = """\
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
ssl = yes
ssl_cert = <{base}/server.pem
ssl_key = <{base}/server.pem
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2 oauthbearer
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = {uid}
first_valid_gid = {gid}
mail_location = maildir:{base}/mail/%u
mail_uid = {uid}
mail_gid = {gid}
auth_failure_delay = 0
mail_max_userip_connections = 50
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {base}/oauth2.conf
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/mail/%u
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
service imap {{
  service_count = 0
}}
service lmtp {{
  chroot =
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
protocol lmtp {{
  auth_username_format = %Ln
}}
"""
OAUTH2 = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={base}/keys/
username_attribute = sub
"""
_KEY = b"a key that only the test knows, long enough"


def _coded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Dovecot:
    """An IMAP and LMTP server that runs without privileges; every user there can be has the same password, and
    the next connection is served by the process that served the last one.
    """

    def __init__(self, program: str, server_pem: Path) -> None:
        # short: the path of a socket has at most 107 bytes
        self.base = Path(tempfile.mkdtemp(prefix="dv", dir="/tmp"))
        self.imap, self.imaps, self.lmtp = free_port(), free_port(), free_port()
        root = os.geteuid() == 0
        import grp
        import pwd

        who = pwd.getpwnam("nobody") if root else pwd.getpwuid(os.geteuid())
        group = grp.getgrgid(who.pw_gid).gr_name
        (self.base / "server.pem").write_bytes(server_pem.read_bytes())
        (self.base / "oauth2.conf").write_text(OAUTH2.format(base=self.base))
        (self.base / "keys/default/HS256").mkdir(parents=True)
        (self.base / "keys/default/HS256/default").write_bytes(base64.b64encode(_KEY))
        for name in ("run", "state", "mail"):
            (self.base / name).mkdir()
        config = self.base / "dovecot.conf"
        config.write_text(
            CONFIG.format(
                base=self.base,
                user=who.pw_name,
                group=group,
                uid=who.pw_uid,
                gid=who.pw_gid,
                password=PASSWORD,
                imap=self.imap,
                imaps=self.imaps,
                lmtp=self.lmtp,
            )
        )
        command = [program, "-F", "-c", str(config)]
        if root:
            for path in (self.base, *self.base.rglob("*")):
                os.chown(path, who.pw_uid, who.pw_gid)
            command = [
                "setpriv",
                f"--reuid={who.pw_uid}",
                f"--regid={who.pw_gid}",
                "--clear-groups",
                *command,
            ]
        self.process = subprocess.Popen(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 20
        for port in (self.imap, self.imaps, self.lmtp):
            while True:
                with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
                    break
                if self.process.poll() is not None or time.monotonic() > end:
                    said = self.process.communicate()[1] if self.process.poll() is not None else b""
                    raise RuntimeError(f"Dovecot does not run: {said!r} {self.log()}")
                time.sleep(0.02)

    def log(self) -> str:
        with contextlib.suppress(OSError):
            return (self.base / "dovecot.log").read_text("utf-8", "replace")[-3000:]
        return ""

    def token(self, user: str) -> str:
        """Return a token that lets a user in."""
        head, body = (
            {"alg": "HS256", "typ": "JWT"},
            {"sub": user, "exp": int(time.time()) + 600, "iat": int(time.time()) - 10},
        )
        parts = ".".join(_coded(json.dumps(part).encode()) for part in (head, body))
        return f"{parts}.{_coded(hmac.new(_KEY, parts.encode(), hashlib.sha256).digest())}"

    def deliver(self, user: str, *letters: bytes) -> None:
        """Deliver letters as another mail server would."""
        with smtplib.LMTP(HOST, self.lmtp, "localhost") as line:
            for letter in letters:
                line.sendmail("somebody@example.org", [f"{user}@example.org"], letter)

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=20)
        shutil.rmtree(self.base, ignore_errors=True)


class Got(Struct):
    """A letter that an SMTP server took: its envelope and its bytes."""

    sender: str
    to: tuple[str, ...]
    data: bytes


class Faults(Struct):
    """What an SMTP server does wrong: answers to addresses and letters by their text, and
    where it hangs up.
    """

    mail: str = ""
    rcpt: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    no_null_sender: str = ""
    drop_at_mail: int = 0
    """The how manyth MAIL on a connection is answered by hanging up; 0: none."""
    drop_at_rcpt: str = ""
    drop_after: str = ""
    """Text of a letter that is taken, but never answered."""
    silent_after: str = ""


class _Counted(SMTP):
    """A connection that is counted as long as it is open."""

    def connection_made(self, transport: Any) -> None:
        self.event_handler.open.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.event_handler.open.discard(self)


class MailServer:
    """An SMTP server that keeps what it gets, and does on demand what servers do wrong."""

    def __init__(
        self,
        *,
        tls: ssl.SSLContext | None = None,
        starttls: ssl.SSLContext | None = None,
        login: bool = False,
        mechanisms: tuple[str, ...] = ("PLAIN", "LOGIN"),
    ) -> None:
        self.got: list[Got] = []
        self.faults = Faults()
        self.connections = 0
        self.auths: list[str] = []
        self.open: set[SMTP] = set()
        self.login, self.mechanisms = login, mechanisms
        self._mails = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

        def make() -> SMTP:
            self.connections += 1
            self._mails = 0
            with warnings.catch_warnings():
                # it warns of passwords without TLS, which is what some tests are about
                warnings.simplefilter("ignore")
                return _Counted(
                    self,
                    hostname="test",
                    loop=self._loop,
                    tls_context=starttls,
                    require_starttls=starttls is not None,
                    authenticator=self._check,
                    auth_required=login,
                    auth_require_tls=False,
                    auth_exclude_mechanism={"PLAIN", "LOGIN"} - set(mechanisms),
                    enable_SMTPUTF8=True,
                )

        async def listen() -> asyncio.Server:
            return await self._loop.create_server(make, HOST, 0, ssl=tls)

        self._server = asyncio.run_coroutine_threadsafe(listen(), self._loop).result(10)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def stop(self) -> None:
        async def close() -> None:
            self._server.close()
            await self._server.wait_closed()
            for task in asyncio.all_tasks():
                if task is not asyncio.current_task():
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, Exception):
                        await task
            await self._loop.shutdown_asyncgens()

        asyncio.run_coroutine_threadsafe(close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _check(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        self.auths.append(mechanism)
        good = isinstance(data, LoginPassword) and (data.login, data.password) == (
            b"orders",
            PASSWORD.encode(),
        )
        return AuthResult(success=good, handled=False)

    def rest(self) -> None:
        """Wait until whatever came is dealt with and nobody is there any more."""
        end = time.monotonic() + 10
        while self.open and time.monotonic() < end:
            time.sleep(0.002)
        assert not self.open

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        return await self._token(server, args, f"user=orders\1auth=Bearer {TOKEN}\1\1", "XOAUTH2")

    async def auth_OAUTHBEARER(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        said = f"n,a=orders,\1host={HOST}\1port={self.port}\1auth=Bearer {TOKEN}\1\1"
        return await self._token(server, args, said, "OAUTHBEARER")

    async def _token(self, server: SMTP, args: list[str], wanted: str, name: str) -> AuthResult:
        self.auths.append(name)
        if base64.b64decode(args[1]) == wanted.encode():
            return AuthResult(success=True, auth_data=b"orders")
        await server.challenge_auth(b'{"status":"401"}')
        return AuthResult(success=False, handled=False)

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        kept = [one for one in responses if not one.startswith("250-AUTH")]
        known = list(self.mechanisms)
        return [*kept[:-1], *([f"250-AUTH {' '.join(known)}"] if self.login and known else []), kept[-1]]

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self._mails += 1
        address = address.removeprefix("<").removesuffix(">")
        if self._mails == self.faults.drop_at_mail:
            server.transport.abort()
        if self.faults.mail:
            return self.faults.mail
        if not address and self.faults.no_null_sender:
            return self.faults.no_null_sender
        envelope.mail_from = address or "<>"  # it takes an empty one for none at all
        return "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address == self.faults.drop_at_rcpt:
            server.transport.abort()
        if address in self.faults.rcpt:
            return self.faults.rcpt[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        data = bytes(envelope.content or b"")
        for text, answer in self.faults.data.items():
            if text.encode() in data:
                return answer
        self.got.append(Got((envelope.mail_from or "").strip("<>"), tuple(envelope.rcpt_tos), data))
        if self.faults.drop_after and self.faults.drop_after.encode() in data:
            server.transport.abort()
        if self.faults.silent_after and self.faults.silent_after.encode() in data:
            await asyncio.sleep(5)
        return "250 taken"


class Wire:
    """A line to a server that lies between, and can be cut, or change what the server says."""

    def __init__(
        self, port: int, *, cut_after: int | None = None, change: Callable[[bytes], bytes] | None = None
    ) -> None:
        self.cut_after, self.change, self.target = cut_after, change, port
        self.passed = 0
        self.seen: list[bytes] = []
        self._listener = socket.create_server((HOST, 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection((HOST, self.target))
            self._open += [near, far]
            for source, sink, back in ((near, far, False), (far, near, True)):
                thread = threading.Thread(target=self._pump, args=(source, sink, back), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _pump(self, source: socket.socket, sink: socket.socket, back: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if back:
                    data = self.change(data) if self.change is not None else data
                    if self.cut_after is not None and self.passed + len(data) > self.cut_after:
                        sink.sendall(data[: max(0, self.cut_after - self.passed)])
                        break
                    self.passed += len(data)
                else:
                    self.seen.append(data)
                sink.sendall(data)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for one in self._open:
            one.close()


@contextlib.contextmanager
def scripted(script: Callable[[socket.socket], None]) -> Iterator[int]:
    """Run a server of a few lines for each connection that comes; yield its port."""
    listener = socket.create_server((HOST, 0))
    open_: list[socket.socket] = []

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = listener.accept()
                open_.append(line)
                with contextlib.suppress(OSError):
                    script(line)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        for one in (listener, *open_):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        thread.join(5)
