"""Letters in the shapes of the examples of the standards (RFC 2045 to 2049, 2183, 2231, 3156, 3464, 3676,
3834, 5322, 6532), with words of our own.
"""

from __future__ import annotations

from letter_parts import (
    Letter,
    attached,
    brs,
    flowed,
    letter,
    mail,
    noise,
    part,
    parts,
    png,
    qp,
    quote,
    refused,
    taken,
)
from letter_texts import (
    BARE,
    BISHOP,
    CAT,
    COMMENTS,
    FIGURES,
    FRENCH,
    GERMAN,
    GOAT,
    HERONS,
    LONG,
    RIDERS,
    SHORT,
    SPACED,
    STANDING,
    STOP,
    TALK,
    UMPIRE,
    WHEN,
)

NAT = "Nat Borough <nat@borough.example>"


def head(more: str = "", sender: str = NAT, subject: str = "Sample message") -> str:
    return (
        f"From: {sender}\nTo: {UMPIRE}\nDate: Sun, 21 Mar 2027 23:56:48 -0800 (PST)\nMessage-ID: "
        f"<s1@borough.example>\nSubject: {subject}\n{more}"
    )


MIME = "MIME-Version: 1.0\n"


@letter("rfc-2045-comment-in-the-mime-version-and-type")
def _() -> Letter:
    body = part("Content-type: TEXT/PLAIN; CharSet=us-ascii (Plain text)", HERONS)
    return taken(mail(head("MIME-Version: 1.(produced by hand)0\n"), body), HERONS)


@letter("rfc-2045-no-mime-header-at-all")
def _() -> Letter:
    return taken(mail(head(), "\n" + CAT), CAT)


@letter("rfc-2045-quoted-printable-soft-breaks-between-words")
def _() -> Letter:
    data = qp(LONG.encode(), width=34, words=True)
    return taken(
        mail(head(MIME), b"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n" + data),
        LONG,
    )


@letter("rfc-2045-quoted-printable-spaces-before-hard-breaks-mean-nothing")
def _() -> Letter:
    data = qp(GERMAN.encode()).replace(b"\n", b" \t\n")
    return taken(
        mail(
            head(MIME),
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
            + data,
        ),
        GERMAN,
    )


@letter("rfc-2045-base64-with-line-noise")
def _() -> Letter:
    data = part("Content-Type: text/plain; charset=utf-8", SHORT, "base64")
    headers, _, coded = data.partition(b"\n\n")
    return taken(mail(head(MIME), headers + b"\n\n" + coded[:20] + b" !*\n\n-" + coded[20:]), SHORT)


@letter("rfc-2045-binary-in-capitals")
def _() -> Letter:
    return taken(
        mail(
            head(MIME),
            part('CONTENT-TYPE: Text/Plain; charset="UTF-8"\nCONTENT-TRANSFER-ENCODING: BINARY', FRENCH),
        ),
        FRENCH,
    )


@letter("rfc-2046-preamble-and-epilogue-are-not-read")
def _() -> Letter:
    kind = 'Content-type: multipart/mixed; boundary="simple boundary"'
    body = parts(
        kind,
        "simple boundary",
        b"\n" + STANDING.encode(),
        preamble=f"This is the preamble.\n{GOAT}\n",
        epilogue=f"\nThis is the epilogue.\n{HERONS}",
    )
    return taken(mail(head(MIME), body), STANDING, GOAT + HERONS)


@letter("rfc-2046-implicit-and-explicit-part")
def _() -> Letter:
    body = parts(
        'Content-type: multipart/mixed; boundary="simple boundary"',
        "simple boundary",
        b"\nGreetings first.\n",
        part("Content-type: text/plain; charset=us-ascii", CAT),
    )
    return taken(mail(head(MIME), body), CAT)


@letter("rfc-2046-boundary-of-many-signs")
def _() -> Letter:
    edge = "gc0pJq0M:08jU534c0p'()+_,-./=?"
    return taken(
        mail(
            head(MIME),
            parts(
                f'Content-Type: multipart/mixed; boundary="{edge}"',
                edge,
                part("Content-Type: text/plain", SPACED),
            ),
        ),
        SPACED,
    )


@letter("rfc-2046-padding-behind-the-boundary")
def _() -> Letter:
    body = parts(
        "Content-Type: multipart/mixed; boundary=pad", "pad", part("Content-Type: text/plain", RIDERS)
    ).replace(b"--pad\n", b"--pad   \t\n")
    return taken(mail(head(MIME), body), RIDERS)


@letter("rfc-2046-three-alternatives")
def _() -> Letter:
    body = parts(
        "Content-Type: multipart/alternative; boundary=boundary42",
        "boundary42",
        part("Content-Type: text/plain; charset=us-ascii", WHEN),
        part("Content-Type: text/enriched", f"<bold>{WHEN}</bold>"),
        part("Content-Type: application/x-whatever", "fancy"),
    )
    return taken(mail(head(MIME), body), WHEN)


@letter("rfc-2046-parallel-is-read-as-mixed")
def _() -> Letter:
    body = parts(
        "Content-Type: multipart/parallel; boundary=unique-boundary-2",
        "unique-boundary-2",
        attached("Content-Type: audio/basic", noise("audio", 60)),
        part("Content-Type: text/plain", GOAT),
        attached("Content-Type: image/png", png()),
    )
    return taken(mail(head(MIME), body), GOAT)


@letter("rfc-2046-message-partial")
def _() -> Letter:
    body = part(
        'Content-Type: message/partial; id="abc@borough.example"; number=1; total=2',
        mail(head(MIME), part("Content-Type: text/plain", HERONS), b"\n"),
    )
    return refused(mail(head(MIME), body), "nothing", HERONS)


@letter("rfc-2046-message-external-body")
def _() -> Letter:
    inner = f'Content-Type: text/plain; name="west.yaml"\nContent-ID: <id42@borough.example>\n\n{GOAT}'
    body = part(
        'Content-Type: message/external-body; access-type=ANON-FTP;\n name="west.yaml"; '
        'site="borough.example"; directory="pub"; mode="image"',
        inner,
    )
    return refused(mail(head(MIME), body), "nothing", GOAT)


@letter("rfc-2046-closing-boundary-missing")
def _() -> Letter:
    body = parts(
        "Content-Type: multipart/mixed; boundary=open",
        "open",
        part("Content-Type: text/plain", FIGURES),
        close=False,
    )
    return taken(mail(head(MIME), body), FIGURES)


@letter("rfc-2047-encoded-words-in-every-header")
def _() -> Letter:
    more = (
        "MIME-Version: 1.0\nCc: =?ISO-8859-1?Q?Keld_J=F8rn_?= =?ISO-8859-1?Q?Simonsen?= "
        "<keld@dkuug.example>\nX-Broken: =?utf-8?B?A?=\n"
    )
    header = head(
        more,
        "=?ISO-8859-1?Q?Andr=E9?= Pirard <pirard@vm1.example>",
        "=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=\n "
        "=?ISO-8859-2?B?dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==?=",
    )
    return taken(mail(header, part("Content-Type: text/plain", STOP)), STOP)


@letter("rfc-2049-complex-multipart")
def _() -> Letter:
    parallel = parts(
        "Content-Type: multipart/parallel; boundary=unique-boundary-2",
        "unique-boundary-2",
        attached("Content-Type: audio/basic", noise("a", 50)),
        attached("Content-Type: image/jpeg", noise("b", 50)),
    )
    inner = mail(
        "From: Nat <nat@borough.example>\nTo: him\nSubject: in latin",
        part(
            "Content-Type: Text/plain; charset=ISO-8859-1",
            "Additional text in ISO-8859-1 goes here: äöü.\n",
            "Quoted-printable",
            "latin-1",
        ),
        b"\n",
    )
    body = parts(
        "Content-Type: multipart/mixed; boundary=unique-boundary-1",
        "unique-boundary-1",
        b"\n" + BISHOP.encode(),
        part(
            "Content-type: text/plain; charset=US-ASCII", "This could have been part of the previous part.\n"
        ),
        parallel,
        part("Content-type: text/enriched", "This is <bold><italic>enriched.</italic></bold>\n"),
        part("Content-Type: message/rfc822", inner),
        preamble="This is the preamble area of a multipart message.\n\n",
    )
    return taken(mail(head(MIME), body), BISHOP)


@letter("rfc-2183-inline-part-with-a-name")
def _() -> Letter:
    first = part("Content-Type: text/plain\nContent-Disposition: inline", "Here:\n")
    second = part(
        'Content-Type: text/plain; charset=us-ascii\nContent-Disposition: inline; filename="turn4.txt"; '
        'modification-date="Wed, 12 Feb 2027 16:29:51 -0500"',
        COMMENTS,
    )
    return taken(
        mail(head(MIME), parts("Content-Type: multipart/mixed; boundary=i", "i", first, second)), COMMENTS
    )


@letter("rfc-2183-unknown-disposition-is-an-attachment")
def _() -> Letter:
    second = attached(
        "Content-Type: application/octet-stream\nContent-Disposition: x-later; filename=west.yaml",
        CAT.encode(),
    )
    return taken(
        mail(
            head(MIME),
            parts(
                "Content-Type: multipart/mixed; boundary=i",
                "i",
                part("Content-Type: text/plain", "\n"),
                second,
            ),
        ),
        CAT,
    )


@letter("rfc-2231-boundary-and-name-in-pieces")
def _() -> Letter:
    file = attached(
        "Content-Type: application/octet-stream;\n name*0*=us-ascii'en'This%20is%20even%20more%20;\n "
        'name*1*=%2A%2A%2Afun%2A%2A%2A%20;\n name*2="isn\'t it.yaml"\nContent-Disposition: attachment',
        SHORT.encode(),
    )
    body = parts(
        'Content-Type: multipart/mixed;\n boundary*0="in ";\n boundary*1="pieces"',
        "in pieces",
        part("Content-Type: text/plain", "\n"),
        file,
    )
    return taken(mail(head(MIME), body), SHORT)


@letter("rfc-2231-charset-in-the-name")
def _() -> Letter:
    file = attached(
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Disposition: attachment; "
        "filename*=iso-8859-1'de'Angriff%20%FCber%20die%20Br%FCcke.txt",
        GERMAN.encode("latin-1"),
    )
    return taken(
        mail(
            head(MIME),
            parts(
                "Content-Type: multipart/mixed; boundary=i", "i", part("Content-Type: text/plain", "\n"), file
            ),
        ),
        GERMAN,
    )


@letter("rfc-2557-related-whose-root-is-named-by-start")
def _() -> Letter:
    picture = attached("Content-Type: image/png\nContent-ID: <950323.1@borough.example>", png())
    root = part(
        "Content-Type: text/html; charset=us-ascii\nContent-ID: <950323.2@borough.example>",
        f"<p>{brs(STANDING)}</p><img src=cid:950323.1@borough.example>",
    )
    body = parts(
        'Content-Type: multipart/related; boundary="r"; start="<950323.2@borough.example>"; type="text/html"',
        "r",
        picture,
        root,
    )
    return taken(mail(head(MIME), body), STANDING)


@letter("rfc-3156-signed-example")
def _() -> Letter:
    inner = part(
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable",
        "=A1Hola!\n\n"
        + qp(GOAT.encode()).decode()
        + "\nUna l=EDnea.\n\nFrom now on this line is escaped=2E\n",
    )
    sig = part(
        "Content-Type: application/pgp-signature",
        "-----BEGIN PGP MESSAGE-----\nVersion: 2.6.2\n\n"
        "iQCVAwUBMJrRF2N9oWBghPDJAQE9UQQAtl7LuRVndBjrk4EqYBIb3h5QXIX/LC//\n=ndaj\n-----END PGP "
        "MESSAGE-----\n",
    )
    body = parts(
        "Content-Type: multipart/signed; boundary=bar; micalg=pgp-md5;\n  "
        'protocol="application/pgp-signature"',
        "bar",
        inner,
        sig,
    )
    return taken(mail(head(MIME), body), GOAT)


@letter("rfc-3156-encrypted-example")
def _() -> Letter:
    one = part("Content-Type: application/pgp-encrypted", "Version: 1\n")
    two = part(
        "Content-Type: application/octet-stream",
        "-----BEGIN PGP MESSAGE-----\nVersion: 2.6.2\n\n"
        "hIwDY32hYGCE8MkBA/wOu7d45aUxF4Q0RKJprD3v5Z9K1YcRJ2fve87lMlDlx4Oj\n=zzaA\n-----END PGP "
        "MESSAGE-----\n",
    )
    return refused(
        mail(
            head(MIME),
            parts(
                'Content-Type: multipart/encrypted; boundary=foo;\n   protocol="application/pgp-encrypted"',
                "foo",
                one,
                two,
            ),
        ),
        "encrypted",
    )


@letter("rfc-3464-report-with-headers-alone")
def _() -> Letter:
    body = parts(
        "Content-Type: multipart/report; report-type=delivery-status;\n "
        'boundary="RAA14128.773615765/CS.UTK.EDU"',
        "RAA14128.773615765/CS.UTK.EDU",
        b"\nThe original message was received at Sat, 20 Mar 2027\n",
        part(
            "content-type: message/delivery-status",
            "Reporting-MTA: dns; cs.example\n\nOriginal-Recipient: rfc822;nat@borough.example\n"
            "Final-Recipient: rfc822;nat@borough.example\nAction: failed\nStatus: 4.0.0\n",
        ),
        part("content-type: text/rfc822-headers", f"From: {UMPIRE}\nSubject: {BARE.subject}\n"),
    )
    return refused(
        mail(
            head(
                MIME,
                "Mail Delivery Subsystem <MAILER-DAEMON@cs.example>",
                "Returned mail: Cannot send message for 5 days",
            ),
            body,
        ),
        "automatic",
    )


@letter("rfc-5965-feedback-report")
def _() -> Letter:
    body = parts(
        'Content-Type: multipart/report; report-type=feedback-report;\n boundary="part1_13d"',
        "part1_13d",
        part("Content-Type: text/plain", "This is an email abuse report.\n"),
        part(
            "Content-Type: message/feedback-report",
            "Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\n",
        ),
        part("Content-Type: message/rfc822", f"From: {UMPIRE}\nSubject: {BARE.subject}\n\n{BARE.text}"),
    )
    return refused(
        mail(head(MIME, "abuse@example.example", "FW: Earn money"), body), "automatic", BARE.orders
    )


@letter("rfc-3676-quote-depths-of-an-exchange")
def _() -> Letter:
    body = (
        ">>>Take some more tea. \n>>>Very earnestly.\n>> I've had nothing yet, \n>> so I can't take more.\n"
        f">You mean you can't take LESS, \n>it's very easy to take MORE.\n\n{CAT}"
    )
    return taken(
        mail(head(MIME), part("Content-Type: text/plain; charset=us-ascii; format=flowed", body)), CAT
    )


@letter("rfc-3676-delsp-and-stuffing")
def _() -> Letter:
    body = flowed(f"From the west, hello.\n\n{TALK}\n{quote(BARE.text)}", 50, delsp=True)
    return taken(
        mail(head(MIME), part("Content-Type: text/plain; charset=us-ascii; Format=Flowed; DelSp=Yes", body)),
        TALK,
        BARE.orders,
    )


@letter("rfc-3676-signature-line-does-not-flow")
def _() -> Letter:
    return taken(
        mail(
            head(MIME), part("Content-Type: text/plain; format=flowed", f"{SPACED}\n-- \nNat\nmove: over\n")
        ),
        SPACED,
        "move: over\n",
    )


@letter("rfc-3676-soft-break-does-not-reach-into-a-quotation")
def _() -> Letter:
    return taken(
        mail(
            head(MIME),
            part(
                "Content-Type: text/plain; format=flowed",
                f"{GOAT.rstrip()} \n> \n> - gerolf to 1907\n> and on \n",
            ),
        ),
        GOAT,
        "- gerolf to 1907\n",
    )


@letter("rfc-2646-fixed-lines-in-flowed-text")
def _() -> Letter:
    return taken(
        mail(head(MIME), part('Content-Type: text/plain; charset="us-ascii"; format="fixed"', HERONS)), HERONS
    )


@letter("rfc-3834-auto-notified-with-a-parameter")
def _() -> Letter:
    return refused(
        mail(
            head('Auto-Submitted: auto-notified; owner-email="nat@borough.example"\nMIME-Version: 1.0\n'),
            part("Content-Type: text/plain", HERONS),
        ),
        "automatic",
        HERONS,
    )


@letter("rfc-3834-no-with-a-comment")
def _() -> Letter:
    return taken(
        mail(
            head("Auto-Submitted: (a person) no\nMIME-Version: 1.0\n"),
            part("Content-Type: text/plain", HERONS),
        ),
        HERONS,
    )


@letter("rfc-5322-folded-and-commented-headers")
def _() -> Letter:
    header = (
        "From: Pete(A nice \\) chap) <pete(his account)@silly.example(his host)>\nTo:A Group(Some people)\n "
        "    :Ada <umpire@ford.example>,joe@where.example;\n"
        "Cc:(Empty list)(start)Hidden recipients  :(nobody(that I know))  ;\nDate: Thu,\n      13\n        "
        "Feb\n          2027\n      23:32\n               -0330 (Newfoundland Time)\n"
        "Message-ID:              <testabcd.1234@silly.example>\n"
    )
    return taken(mail(header, "\n" + BISHOP), BISHOP)


@letter("rfc-5322-obsolete-spaces-before-colons")
def _() -> Letter:
    header = (
        "From : Joe Q. Public <john.q.public@example.example>\nTo : Ada Marsh <umpire@ford.example>\nDate : "
        "21 Nov 97 09:55:06 GMT\nMessage-ID   : <5678@machine.example>\n"
    )
    return taken(mail(header, "\n" + STOP), STOP)


@letter("rfc-6532-headers-in-utf-8")
def _() -> Letter:
    header = (
        f"From: Zoë Müller <zoë@müller.example>\nTo: {UMPIRE}\nSubject: Grüße von der Furt\nDate: Fri, 20 "
        "Nov 2026 07:41:55 +0100\nMessage-ID: <1@müller.example>\nMIME-Version: 1.0\n"
    )
    file = attached(
        'Content-Type: text/yaml; name="Rückzug.yaml"\nContent-Disposition: attachment; '
        'filename="Rückzug.yaml"',
        FIGURES.encode(),
    )
    return taken(
        mail(
            header,
            parts(
                'Content-Type: multipart/mixed; boundary="ü"'.replace("ü", "u"),
                "u",
                part("Content-Type: text/plain; charset=utf-8", "Grüße\n"),
                file,
            ),
        ),
        FIGURES,
    )


@letter("rfc-1847-signed-by-an-unknown-protocol")
def _() -> Letter:
    body = parts(
        'Content-Type: multipart/signed; protocol="application/moss-signature"; micalg="rsa-md5"; '
        'boundary="S"',
        "S",
        part("Content-Type: text/plain", LONG),
        part("Content-Type: application/moss-signature", "Version: 5\n"),
    )
    return taken(mail(head(MIME), body), LONG)
