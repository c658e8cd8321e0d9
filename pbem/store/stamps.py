"""Time stamps of others (RFC 3161): asking an authority for one, and looking whether one holds. The package
``rfc3161-client`` does both.

Decides within which bounds an answer is looked at, and which certificates are believed. A stamp is derived
evidence: where the package is not installed nothing needs it.
"""

from __future__ import annotations

import hashlib
import importlib
import ssl
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from pbem.store.fetch import PATIENCE, Unanswered, fetch

MOST: Final = 64 * 1024
"""Bytes of a stamp; one with its certificates has about 6000."""
OTHER, UNTRUSTED, FORM = "other", "untrusted", "form"
"""Why a stamp proves nothing: it is of something else, it is signed by nobody who is believed here, or it is
none at all.
"""
_MOST_ROOTS: Final = 1000
_BUNDLES: Final = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
)
"""Where systems keep the certificates that they believe, for those that do not tell Python."""


class NotInstalled(Exception):
    """The package that stamps are made and checked with is not there."""


class Checked(Struct, frozen=True):
    """What a stamp says: when, by whom; ``why`` is empty where it holds."""

    at: str = ""
    name: str = ""
    why: str = ""


def _client() -> Any:
    try:
        return importlib.import_module("rfc3161_client")
    except ImportError:
        raise NotInstalled from None


def ask(address: str, data: bytes, patience: float = PATIENCE) -> bytes:
    """Return the stamp of an authority for some bytes, of which it gets the hash alone; Unanswered where it
    gives none.
    """
    client = _client()
    request = client.TimestampRequestBuilder().data(data).hash_algorithm(client.HashAlgorithm.SHA512).build()
    answer = fetch(
        address,
        MOST,
        patience,
        accept="application/timestamp-reply",
        body=request.as_bytes(),
        kind="application/timestamp-query",
    )
    try:
        found = client.decode_timestamp_response(answer)
        granted = client.PKIStatus(found.status) == client.PKIStatus.GRANTED
        mine = (
            granted
            and found.tst_info.nonce == request.nonce
            and found.tst_info.message_imprint.message == hashlib.sha512(data).digest()
        )
    except ValueError:
        raise Unanswered("what it answers is not a time stamp") from None
    if not mine:
        raise Unanswered("it stamps something else" if granted else "it refuses to stamp")
    return answer


def check(stamp: bytes, data: bytes, roots: list[Any]) -> Checked:
    """Return what a stamp says of some bytes, whatever it is; ``roots`` are the certificates that are
    believed.
    """
    client = _client()
    if len(stamp) > MOST:
        return Checked(why=FORM)
    at, name = "", ""
    try:
        found = client.decode_timestamp_response(stamp)
        at = found.tst_info.gen_time.strftime("%Y-%m-%dT%H:%M:%SZ")
        name = _signer(found)
        if found.tst_info.message_imprint.message not in (
            hashlib.new(kind, data).digest() for kind in ("sha256", "sha384", "sha512")
        ):
            return Checked(at, name, OTHER)
        if not roots:
            return Checked(at, name, UNTRUSTED)
        builder = client.VerifierBuilder()
        for one in roots:
            builder = builder.add_root_certificate(one)
        builder.build().verify_message(found, data)
    except client.VerificationError:
        return Checked(at, name, UNTRUSTED)
    # It is somebody's bytes: whatever a part of it is not, it is no stamp.
    except Exception:
        return Checked(at, name, FORM)
    return Checked(at, name)


def _signer(found: Any) -> str:
    """Return what the certificate calls the authority that signed a stamp."""
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    signers = [(one.issuer, one.serial_number) for one in found.signed_data.signer_infos]
    for data in found.signed_data.certificates:
        with suppress(ValueError):
            certificate = x509.load_der_x509_certificate(data)
            if (certificate.issuer, certificate.serial_number) in signers:
                named = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
                return str(named[0].value)[:100] if named else certificate.subject.rfc4514_string()[:100]
    return ""


def roots(pem: bytes | None = None) -> list[Any]:
    """Return certificates that are believed: those of a PEM file, ValueError where it has none; else those of
    this machine.
    """
    if pem is not None:
        return _certificates(pem)
    believed = ssl.create_default_context().get_ca_certs(binary_form=True)
    found = "".join(map(ssl.DER_cert_to_PEM_cert, believed)).encode()
    for place in () if found else _BUNDLES:
        with suppress(OSError):
            found = Path(place).read_bytes()
            break
    with suppress(ValueError):
        return _certificates(found)
    return []


def _certificates(pem: bytes) -> list[Any]:
    """Return the certificates in a text, each once; ValueError where one cannot be read, or
    there are none.
    """
    from cryptography import x509

    with warnings.catch_warnings():
        # Some that systems believe have numbers that no certificate should have.
        warnings.simplefilter("ignore")
        return list(dict.fromkeys(x509.load_pem_x509_certificates(pem)))[:_MOST_ROOTS]
