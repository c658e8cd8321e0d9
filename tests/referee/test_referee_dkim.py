"""What a mail provider vouches for is noted beside what was relied on, and decides nothing."""

from __future__ import annotations

import base64
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from office_table import ADDRESSES, OfficeTable
from table import pull

from pbem.referee.mail.office import open_house
from pbem.referee.mail.served import parsed
from pbem.referee.mail.taking import TAKEN, take

KEY = rsa.generate_private_key(65537, 2048)
PEM = KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
)
PUBLIC = KEY.public_key().public_bytes(
    serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
)
RECORD = f"v=DKIM1; k=rsa; p={base64.b64encode(PUBLIC).decode()}"


@pytest.mark.parametrize(
    ("dkim_", "domain", "record", "noted"),
    [
        ("true", "example.org", RECORD, "address and code, DKIM of example.org holds"),
        ("true", "elsewhere.example", RECORD, "address and code"),  # somebody else's provider
        ("true", "example.org", "", "address and code"),  # no key is to be had
        ("false", "example.org", RECORD, "address and code"),  # nobody looks
    ],
)
def test_what_is_noted(tmp_path: Path, dkim_: str, domain: str, record: str, noted: str) -> None:
    office = OfficeTable(tmp_path)
    toml = tmp_path / "pbem.toml"
    toml.write_text(toml.read_text().replace("[office]\n", f"[office]\ndkim = {dkim_}\n"))
    office.started(keyed=(), umpire=True)
    (seat,) = office.open().announced()["waits"]
    address = "nora@example.org"
    assert ADDRESSES["north"] == address
    toml.write_text(toml.read_text().replace(ADDRESSES["south"], "sam@example.org"))
    sender = address if seat == "north" else "sam@example.org"
    raw = office.letter(seat, pull(seat) + "luck: seven drunken herons\n", sender=sender)
    signed = dkim.sign(raw, b"sel", domain.encode(), PEM, include_headers=[b"from", b"subject"]) + raw
    now = parsed(office.clock())
    taken = take(
        office.env, open_house(office.env, tmp_path), "0" * 32, signed, now, now, lambda name: record
    )
    assert taken.became == TAKEN
    assert (taken.vouched is None) == (dkim_ == "false")
    office.lock()
    assert office.open().ledger.records[-1].record["note"] == f"relied on for {seat}: {noted}"
