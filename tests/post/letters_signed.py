"""Letters with something signed or sealed in them: files with ``.sig``, the armour, PGP, S/MIME, a go and a
join.
"""

from __future__ import annotations

import hashlib
import json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from letter_parts import (
    Letter,
    alternative,
    attached,
    b64_of,
    brs,
    divs,
    flowed,
    letter,
    mail,
    noise,
    part,
    parts,
    quote,
    refused,
    taken,
    zipped,
)
from letter_texts import (
    BARE,
    CAT,
    FIGURES,
    GAME,
    GERMAN,
    GOAT,
    HERONS,
    LONG,
    LUCK,
    REPORT,
    SHORT,
    STANDING,
    STOP,
    UMPIRE,
    WHEN,
)

from pbem.post.orders.armour import encode
from pbem.proof import orderfile, signing
from pbem.proof.known import Value

MIA = "Mia Steiner <mia@steiner.example>"
KEY = Ed25519PrivateKey.from_private_bytes(noise("the key of a player who exists in tests alone", 32))
HEAD = hashlib.sha256(b"head").hexdigest()


def head(subject: str = "orders", turn: bool = False) -> str:
    refs = f"In-Reply-To: {BARE.id}\nReferences: {BARE.id}\n" if turn else ""
    return (
        f"From: {MIA}\nTo: {UMPIRE}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMessage-ID: "
        f"<6f1e2d3c@steiner.example>\n{refs}MIME-Version: 1.0\n"
    )


def signed(orders: str, slot: int = 8, crlf: bool = False) -> tuple[bytes, str]:
    """Return an order file with its header, and its signature."""
    data = orderfile.write(
        game=GAME,
        slot=slot,
        seat="west",
        head=HEAD,
        salt=noise(f"salt {slot}", 16).hex(),
        yaml=orders.encode(),
        value=Value(noise(f"x {slot}", 32).hex()),
    )
    if crlf:
        data = data.replace(b"\n", b"\r\n")
    return data, signing.sign(KEY, f"pd1-orders/{GAME}/{slot}/west/{HEAD}", data)


def text(body: str, charset: str = "us-ascii", turn: bool = False, more: str = "") -> bytes:
    return mail(
        head(turn=turn),
        part(
            f"Content-Type: text/plain; charset={charset}{more}",
            body,
            "" if body.isascii() else "quoted-printable",
        ),
    )


def mixed(*inside: bytes, turn: bool = False) -> bytes:
    return mail(
        head(turn=turn), parts('Content-Type: multipart/mixed; boundary="=-mixed-="', "=-mixed-=", *inside)
    )


def file(name: str, data: bytes, kind: str = "application/octet-stream") -> bytes:
    return attached(
        f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"', data
    )


NOTE = part("Content-Type: text/plain; charset=us-ascii", "Signed, as agreed.\n")


@letter("signed-file-and-signature-attached")
def _() -> Letter:
    data, signature = signed(HERONS)
    return taken(
        mixed(NOTE, file("orders.txt", data, "text/plain"), file("orders.txt.sig", signature.encode())),
        data,
        "",
        signature,
    )


@letter("signed-signature-comes-first")
def _() -> Letter:
    data, signature = signed(GOAT)
    return taken(
        mixed(
            file("west.txt.sig", signature.encode(), "application/pgp-signature"),
            file("west.txt", data, "text/plain"),
            NOTE,
        ),
        data,
        "",
        signature,
    )


@letter("signed-signature-sent-as-7bit-text")
def _() -> Letter:
    data, signature = signed(SHORT)
    sig = part(
        'Content-Type: text/plain; charset=us-ascii; name="orders.txt.sig"\nContent-Disposition: '
        'attachment; filename="orders.txt.sig"',
        signature,
        "7bit",
    )
    return taken(mixed(NOTE, file("orders.txt", data, "text/plain"), sig), data, "", signature)


@letter("signed-file-with-crlf-throughout")
def _() -> Letter:
    data, signature = signed(STANDING, crlf=True)
    return taken(
        mixed(NOTE, file("orders.txt", data, "text/plain"), file("orders.txt.sig", signature.encode())),
        data,
        "",
        signature,
    )


@letter("signed-file-over-quoted-orders")
def _() -> Letter:
    data, signature = signed(CAT)
    above = part(
        "Content-Type: text/plain; charset=us-ascii",
        f"On Thu, 19 Nov 2026, Ada Marsh wrote:\n{quote(BARE.text)}",
    )
    return taken(
        mixed(above, file("orders.txt", data), file("orders.txt.sig", signature.encode()), turn=True),
        data,
        BARE.orders,
        signature,
    )


@letter("signed-file-and-the-same-to-read-in-the-body")
def _() -> Letter:
    data, signature = signed(WHEN)
    body = part("Content-Type: text/plain; charset=us-ascii", f"To read:\n\n{WHEN}")
    return taken(
        mixed(body, file("orders.txt", data), file("orders.txt.sig", signature.encode())), data, "", signature
    )


@letter("signed-file-in-a-zip")
def _() -> Letter:
    data, signature = signed(FIGURES)
    archive = zipped([("west/orders.txt", data), ("west/orders.txt.sig", signature.encode())])
    return taken(mixed(NOTE, file("west.zip", archive, "application/zip")), data, "", signature)


@letter("signed-two-files-that-differ")
def _() -> Letter:
    (one, first), (two, second) = signed(FIGURES), signed(GOAT)
    return refused(
        mixed(
            file("a.txt", one),
            file("a.txt.sig", first.encode()),
            file("b.txt", two),
            file("b.txt.sig", second.encode()),
        ),
        "two-files",
    )


@letter("armour-in-a-plain-body")
def _() -> Letter:
    data, signature = signed(HERONS)
    return taken(text(f"Hi Ada,\n\n{encode(data, signature.encode())}\nMia\n"), data, "", signature)


@letter("armour-below-the-readable-orders")
def _() -> Letter:
    data, signature = signed(GOAT)
    return taken(text(f"{GOAT}\n{encode(data, signature.encode())}"), data, "", signature)


@letter("armour-over-a-quotation")
def _() -> Letter:
    data, signature = signed(CAT)
    return taken(
        text(
            f"{encode(data, signature.encode())}\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n{quote(BARE.text)}",
            turn=True,
        ),
        data,
        BARE.orders,
        signature,
    )


@letter("armour-flowed-and-with-spaces-behind")
def _() -> Letter:
    data, signature = signed(STOP)
    body = "".join(
        f"{line} \n" if number % 3 == 1 else f"{line}\n"
        for number, line in enumerate(encode(data, signature.encode()).splitlines())
    )
    return taken(text(body, more="; format=flowed"), data, "", signature)


@letter("armour-in-html-alone")
def _() -> Letter:
    data, signature = signed(SHORT)
    rich = f"<html><body>{divs(encode(data, signature.encode()))}</body></html>"
    return taken(
        mail(head(), part("Content-Type: text/html; charset=utf-8", rich, "quoted-printable")),
        data,
        "",
        signature,
    )


@letter("armour-in-html-on-one-line")
def _() -> Letter:
    data, signature = signed(LONG)
    rich = f"<p>{' '.join(encode(data, signature.encode()).split(chr(10)))}</p>"
    return taken(
        mail(head(), part("Content-Type: text/html; charset=utf-8", rich, "quoted-printable")),
        data,
        "",
        signature,
    )


@letter("armour-without-a-signature")
def _() -> Letter:
    data, _ = signed(GOAT)
    return taken(text(encode(data)), data)


@letter("armour-only-in-the-quotation")
def _() -> Letter:
    data, signature = signed(HERONS, 7)
    body = (
        "Did you get this?\n\nOn Wed, 18 Nov 2026, Mia Steiner wrote:\n"
        f"{quote(encode(data, signature.encode()))}"
    )
    return refused(text(body, turn=True), "only-quoted", HERONS)


@letter("armour-own-over-an-older-one-quoted")
def _() -> Letter:
    old, former = signed(HERONS, 7)
    data, signature = signed(GOAT)
    body = (
        f"{encode(data, signature.encode())}\nOn Wed, 18 Nov 2026, Mia Steiner wrote:\n"
        f"{quote(encode(old, former.encode()))}"
    )
    return taken(text(body, turn=True), data, HERONS, signature)


@letter("armour-damaged")
def _() -> Letter:
    data, signature = signed(GOAT)
    lines = encode(data, signature.encode()).splitlines()
    del lines[3]
    return refused(text("\n".join(lines) + "\n"), "damaged")


@letter("armour-as-an-attached-text")
def _() -> Letter:
    data, signature = signed(CAT)
    return taken(
        mixed(NOTE, file("orders.asc.txt", encode(data, signature.encode()).encode(), "text/plain")),
        data,
        "",
        signature,
    )


# --- a go, a join


def record(**fields: object) -> tuple[str, str]:
    line = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return line, signing.sign(KEY, f"pd1-{fields['type']}/{GAME}/west", line.encode())


@letter("go-record-with-signature")
def _() -> Letter:
    line, signature = record(game=GAME, lock=HEAD, seat="west", slot=8, type="go", x=noise("x", 32).hex())
    return taken(
        mixed(
            NOTE, file("go.json", line.encode(), "application/json"), file("go.json.sig", signature.encode())
        ),
        line,
        "",
        signature,
        True,
    )


@letter("go-record-in-one-file")
def _() -> Letter:
    line, signature = record(game=GAME, lock=HEAD, seat="west", slot=8, type="go", x=noise("x", 32).hex())
    return taken(
        mixed(NOTE, file("go.txt", f"{line}\n{signature}".encode(), "text/plain")), line, "", signature, True
    )


@letter("join-attached-with-yes-i-play")
def _() -> Letter:
    line, signature = record(
        anchor=noise("anchor", 32).hex(), game=GAME, manifest=HEAD, seat="west", type="join"
    )
    body = part(
        "Content-Type: text/plain; charset=us-ascii",
        f"yes, I play\n\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n{quote(BARE.text)}",
    )
    return taken(
        mixed(body, file("join.txt", f"{line}\n{signature}".encode(), "text/plain"), turn=True),
        line,
        BARE.orders,
        signature,
        True,
    )


@letter("join-yes-i-play-without-a-key")
def _() -> Letter:
    return refused(
        text(f"yes, I play\n\nMia\n\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n{quote(BARE.text)}", turn=True),
        "nothing",
        BARE.orders,
    )


@letter("go-by-luck-words-in-a-reply-to-a-lock")
def _() -> Letter:
    asked = (
        "East's orders are fixed (8de9-d39c-7bfe-fd92). Reply to this mail with a line `luck: any words`.\n"
        "luck: any words\n"
    )
    return taken(
        text(f"{LUCK}\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n{quote(asked)}"), LUCK, "luck: any words\n"
    )


# --- PGP


def pgp(seed: str, kind: str = "SIGNATURE") -> str:
    body = b64_of(noise(seed, 228), 64).decode()
    return f"-----BEGIN PGP {kind}-----\n\n{body}=Kx7d\n-----END PGP {kind}-----\n"


def pgp_mime(inner: bytes, hash_: str = "pgp-sha512") -> bytes:
    edge = "------------v0pGpM1mE"
    sig = part(
        'Content-Type: application/pgp-signature; name="OpenPGP_signature.asc"\nContent-Description: '
        'OpenPGP digital signature\nContent-Disposition: attachment; filename="OpenPGP_signature.asc"',
        pgp("one"),
    )
    kind = (
        f'Content-Type: multipart/signed; micalg={hash_};\n protocol="application/pgp-signature";\n '
        f'boundary="{edge}"'
    )
    return parts(
        kind, edge, inner, sig, preamble="This is an OpenPGP/MIME signed message (RFC 4880 and 3156)\n"
    )


@letter("pgp-mime-signed-text")
def _() -> Letter:
    inner = part(
        "Content-Type: text/plain; charset=utf-8; format=flowed",
        flowed(f"{GERMAN}\nOn 19.11.26, Ada Marsh wrote:\n{quote(BARE.text)}"),
        "quoted-printable",
    )
    return taken(mail(head(turn=True), pgp_mime(inner)), GERMAN, BARE.orders)


@letter("pgp-mime-signed-with-attachment-and-protected-headers")
def _() -> Letter:
    inner = parts(
        'Content-Type: multipart/mixed; boundary="------------pr0t"; protected-headers="v1"\nFrom: Mia '
        "Steiner <mia@steiner.example>\nSubject: orders for turn 4",
        "------------pr0t",
        parts(
            'Content-Type: multipart/mixed; boundary="------------in"',
            "------------in",
            NOTE,
            file("west.yaml", STANDING.encode(), "application/x-yaml"),
        ),
    )
    return taken(mail(head("..."), pgp_mime(inner)), STANDING)


def clearsigned(text_: str) -> str:
    escaped = "".join(f"- {line}\n" if line.startswith("-") else f"{line}\n" for line in text_.splitlines())
    return f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{escaped}{pgp('two')}"


@letter("pgp-clearsigned-dashes-escaped")
def _() -> Letter:
    return taken(text(clearsigned(HERONS)), HERONS)


@letter("pgp-clearsigned-greeting-and-signature-inside")
def _() -> Letter:
    return taken(
        text(
            clearsigned(f"Hello Ada,\n\n{WHEN}\n-- \nMia\n")
            + f"\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n{quote(BARE.text)}"
        ),
        WHEN,
        BARE.orders,
    )


@letter("pgp-clearsigned-only-in-the-quotation")
def _() -> Letter:
    return refused(
        text(f"Is her signature good?\n\nCleo wrote:\n{quote(clearsigned(GOAT))}"), "only-quoted", GOAT
    )


@letter("pgp-mime-encrypted")
def _() -> Letter:
    edge = "enc-edge"
    control = part(
        "Content-Type: application/pgp-encrypted\nContent-Description: PGP/MIME version identification",
        "Version: 1\n",
    )
    sealed = part(
        'Content-Type: application/octet-stream; name="encrypted.asc"\nContent-Disposition: inline; '
        'filename="encrypted.asc"',
        pgp("three", "MESSAGE"),
    )
    kind = f'Content-Type: multipart/encrypted;\n protocol="application/pgp-encrypted";\n boundary="{edge}"'
    return refused(mail(head("..."), parts(kind, edge, control, sealed)), "encrypted")


@letter("pgp-inline-encrypted")
def _() -> Letter:
    return refused(text(pgp("four", "MESSAGE")), "encrypted")


# --- S/MIME


def der(tag: int, data: bytes) -> bytes:
    size = len(data)
    length = (
        bytes([size])
        if size < 128
        else bytes([0x80 | (size.bit_length() + 7) // 8]) + size.to_bytes((size.bit_length() + 7) // 8, "big")
    )
    return bytes([tag]) + length + data


SIGNED_DATA, DATA, ENVELOPED = (
    bytes.fromhex(text_)
    for text_ in ("06092a864886f70d010702", "06092a864886f70d010701", "06092a864886f70d010703")
)


def smime(inner: bytes, name: str = "pkcs7-signature") -> bytes:
    edge = "----ABCDEF0123456789"
    blob = der(
        0x30,
        SIGNED_DATA
        + der(
            0xA0, der(0x30, b"\2\1\1" + der(0x31, b"") + der(0x30, DATA) + der(0x31, noise("signer", 200)))
        ),
    )
    sig = attached(
        f'Content-Type: application/{name}; name="smime.p7s"\nContent-Disposition: attachment; '
        'filename="smime.p7s"\nContent-Description: S/MIME Cryptographic Signature',
        blob,
    )
    kind = (
        f'Content-Type: multipart/signed; protocol="application/{name}"; micalg="sha-256"; boundary="{edge}"'
    )
    return parts(kind, edge, inner, sig, preamble="This is an S/MIME signed message\n\n")


@letter("smime-clear-signed")
def _() -> Letter:
    return taken(
        mail(head(), smime(part("Content-Type: text/plain; charset=us-ascii", FIGURES, "7bit"))), FIGURES
    )


@letter("smime-clear-signed-alternative-with-quotation")
def _() -> Letter:
    inner = alternative(
        "inner",
        part(
            "Content-Type: text/plain; charset=utf-8",
            f"{CAT}\n-----Original Message-----\nFrom: Ada Marsh\nSent: Thursday\n"
            f"To: Mia\nSubject: x\n\n{BARE.text}",
            "quoted-printable",
        ),
        part(
            "Content-Type: text/html; charset=utf-8",
            f"{brs(CAT)}<div style='border-top:solid #E1E1E1 1.0pt'><b>From:</b> Ada Marsh</div>{BARE.html}",
            "quoted-printable",
        ),
    )
    return taken(mail(head(turn=True), smime(inner, "x-pkcs7-signature")), CAT, BARE.orders)


@letter("smime-opaque-signed")
def _() -> Letter:
    content = part("Content-Type: text/plain", GOAT).replace(b"\n", b"\r\n")
    blob = der(
        0x30,
        SIGNED_DATA
        + der(
            0xA0,
            der(
                0x30,
                b"\2\1\1" + der(0x31, b"") + der(0x30, DATA + der(0xA0, der(4, content))) + der(0x31, b""),
            ),
        ),
    )
    body = attached(
        'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"\n'
        'Content-Disposition: attachment; filename="smime.p7m"',
        blob,
    )
    return taken(mail(head(), body), GOAT)


@letter("smime-encrypted")
def _() -> Letter:
    blob = der(0x30, ENVELOPED + der(0xA0, noise("enveloped", 300)))
    body = attached(
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"\n'
        'Content-Disposition: attachment; filename="smime.p7m"',
        blob,
    )
    return refused(mail(head(), body), "encrypted")


@letter("zip-with-a-password")
def _() -> Letter:
    data = bytearray(zipped([("west.yaml", GOAT.encode())]))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    return refused(mixed(NOTE, file("west.zip", bytes(data), "application/zip")), "encrypted")


@letter("signed-report-of-ours-in-the-quotation")
def _() -> Letter:
    return taken(
        mail(head(turn=True), smime(part("Content-Type: text/plain", f"{SHORT}\n{quote(REPORT.text)}"))),
        SHORT,
        REPORT.orders,
    )
