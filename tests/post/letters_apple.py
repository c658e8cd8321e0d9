"""Letters as Mail writes them on the Mac, the iPhone and the iPad."""

from __future__ import annotations

from letter_parts import (
    Letter,
    alternative,
    attached,
    brs,
    divs,
    flowed,
    letter,
    mail,
    part,
    parts,
    quote,
    refused,
    taken,
    zipped,
)
from letter_texts import (
    BARE,
    BISHOP,
    CAT,
    FIGURES,
    FRENCH,
    GERMAN,
    GOAT,
    HERONS,
    LONG,
    LUCK,
    QUOTES,
    REPORT,
    RIDERS,
    SHEET,
    SHORT,
    SIEGE,
    SPACED,
    STANDING,
    TALK,
    UMPIRE,
    WHEN,
    Turn,
)

EMIL = "Emil Varga <emil@icloud.example>"
ON = "On 19 Nov 2026, at 21:12, Ada Marsh <umpire@ford.example> wrote:"
MAC = r"Mime-Version: 1.0 (Mac OS X Mail 16.0 \(3826.200.121\))"
PHONE = "Mime-Version: 1.0 (1.0)"
EDGE = "Apple-Mail=_4E1C8B0A-93D2-4F7B-8B5E-6A7C9F2D1E30"
EDGE_PHONE = "Apple-Mail-7C1B2D3E-5F60-4A71-8B92-C3D4E5F60718"


def head(turn: Turn | None = REPORT, mac: bool = True, subject: str = "") -> str:
    refs = f"References: {turn.id}\nIn-Reply-To: {turn.id}\n" if turn else ""
    subject = subject or (f"Re: {turn.subject}" if turn else "Alder Ford")
    if mac:
        return (
            f"From: {EMIL}\n{MAC}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 "
            f"07:41:55 +0100\n{refs}To: {UMPIRE}\n"
            "Message-Id: <8E0B6D1F-2F41-4C7A-9D0B-1F2E3D4C5B6A@icloud.example>\nX-Mailer: Apple Mail "
            "(2.3826.200.121)\n"
        )
    return (
        f"From: {EMIL}\n{PHONE}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nSubject: {subject}\n"
        f"Message-Id: <5D0C1B2A-7788-4E99-A0B1-C2D3E4F50617@icloud.example>\n{refs}To: {UMPIRE}\nX-Mailer: "
        "iPhone Mail (22B91)\n"
    )


def cited(turn: Turn, on: str = ON) -> str:
    """Return the quotation as Mail has it in plain text: the line about who wrote it is quoted too."""
    return quote(f"{on}\n\n{turn.text}", empty="> ")


def rich_of(own: str, turn: Turn, on: str = ON) -> str:
    return (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body '
        'style="overflow-wrap: break-word; '
        f'-webkit-nbsp-mode: space; line-break: after-white-space;">{divs(own)}<div><br><blockquote '
        f'type="cite"><div>{on}</div>'
        f'<br class="Apple-interchange-newline"><div>{turn.html}</div></blockquote></div><br></body></html>'
    )


def iphone(
    own: str, turn: Turn, on: str = ON, sent: str = "Sent from my iPhone", charset: str = "utf-8"
) -> bytes:
    plain = f"{own}\n{sent}\n\n{cited(turn, on)}" if sent else f"{own}\n\n{cited(turn, on)}"
    rich = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body '
        f'dir="auto">{divs(own)}<br '
        f'id="lineBreakAtBeginningOfSignature"><div dir="ltr">{sent}</div><div dir="ltr"><br><blockquote '
        f'type="cite">{on}<br><br></blockquote>'
        f'</div><blockquote type="cite"><div dir="ltr">\ufeff{turn.html}</div></blockquote></body></html>'
    )
    body = alternative(
        EDGE_PHONE,
        part(f"Content-Type: text/plain;\n\tcharset={charset}", plain, "quoted-printable"),
        part("Content-Type: text/html;\n\tcharset=utf-8", rich, "quoted-printable"),
        quotes=False,
    )
    return mail(head(turn, mac=False), b"Content-Transfer-Encoding: 7bit\n" + body)


@letter("apple-mac-plain-top-reply")
def _() -> Letter:
    body = f"{HERONS}\nEmil\n\n{cited(BARE)}"
    raw = mail(head(BARE), part("Content-Type: text/plain;\n\tcharset=us-ascii", body, "quoted-printable"))
    return taken(raw, HERONS, BARE.orders)


@letter("apple-mac-older-attribution-not-quoted")
def _() -> Letter:
    body = f"{GOAT}\nOn Nov 19, 2026, at 9:12 PM, Ada Marsh wrote:\n\n{quote(BARE.text)}"
    raw = mail(
        head(BARE), part("Content-Type: text/plain; charset=US-ASCII; format=flowed; delsp=yes", body, "7bit")
    )
    return taken(raw, GOAT, BARE.orders)


@letter("apple-mac-html-top-reply")
def _() -> Letter:
    body = alternative(
        EDGE,
        part(
            "Content-Type: text/plain;\n\tcharset=us-ascii",
            f"{STANDING}\n\n{cited(REPORT)}",
            "quoted-printable",
        ),
        part("Content-Type: text/html;\n\tcharset=us-ascii", rich_of(STANDING, REPORT), "quoted-printable"),
    )
    return taken(mail(head(), body), STANDING, REPORT.orders)


@letter("apple-mac-html-only")
def _() -> Letter:
    raw = mail(
        head(BARE), part("Content-Type: text/html;\n\tcharset=utf-8", rich_of(CAT, BARE), "quoted-printable")
    )
    return taken(raw, CAT, BARE.orders)


@letter("apple-mac-text-around-an-attachment")
def _() -> Letter:
    first = part(
        "Content-Transfer-Encoding: 7bit\nContent-Type: text/plain;\n\tcharset=us-ascii", "Here they are:\n\n"
    )
    file = part(
        "Content-Disposition: attachment;\n\tfilename=west.yaml\nContent-Type: application/x-yaml;\n"
        '\tx-unix-mode=0644;\n\tname="west.yaml"',
        FIGURES,
        "7bit",
    )
    last = part(
        "Content-Transfer-Encoding: 7bit\nContent-Type: text/plain;\n\tcharset=us-ascii", "\n\nEmil\n"
    )
    body = parts(
        f'Content-Type: multipart/mixed;\n\tboundary="{EDGE}"', EDGE, first, file, last, preamble="\n"
    )
    return taken(mail(head(None), body), FIGURES)


@letter("apple-mac-attachment-inside-the-alternative")
def _() -> Letter:
    file = part(
        'Content-Disposition: attachment;\n\tfilename="orders west.txt"\nContent-Type: text/plain;\n'
        '\tx-unix-mode=0644;\n\tname="orders west.txt"',
        SIEGE,
        "quoted-printable",
    )
    html = [
        part("Content-Type: text/html;\n\tcharset=us-ascii", text, "7bit")
        for text in ("<html><body>attached:<br></body></html>", "<html><br></html>")
    ]
    inner = parts(
        'Content-Type: multipart/mixed;\n\tboundary="Apple-Mail=_2B"',
        "Apple-Mail=_2B",
        html[0],
        file,
        html[1],
    )
    plain = part(
        "Content-Type: text/plain;\n\tcharset=us-ascii", f"attached:\n\n{cited(BARE)}", "quoted-printable"
    )
    return taken(mail(head(BARE), alternative("Apple-Mail=_2A", plain, inner)), SIEGE, BARE.orders)


@letter("apple-mac-zip-made-by-the-finder")
def _() -> Letter:
    data = zipped(
        [
            ("west.yaml", WHEN.encode()),
            ("__MACOSX/._west.yaml", b"\0\5\x16\7\0\2\0\0Mac OS X        \0\2\0\0\0\t\0\0\0002\0\0"),
        ]
    )
    file = attached(
        "Content-Disposition: attachment;\n\tfilename=west.zip\nContent-Type: application/zip;\n"
        '\tx-unix-mode=0644;\n\tname="west.zip"',
        data,
    )
    first = part("Content-Type: text/plain;\n\tcharset=us-ascii", "\n\n", "7bit")
    body = parts(f'Content-Type: multipart/mixed;\n\tboundary="{EDGE}"', EDGE, first, file)
    return taken(mail(head(None), body), WHEN)


@letter("apple-mac-reply-below-a-selection")
def _() -> Letter:
    body = f"{quote(ON + chr(10) * 2 + 'Where do your people go this turn?', empty='> ')}\n{SPACED}\nEmil"
    return taken(mail(head(), part("Content-Type: text/plain;\n\tcharset=us-ascii", body, "7bit")), SPACED)


@letter("apple-mac-delsp-breaks-within-a-line")
def _() -> Letter:
    body = flowed(f"{LONG}\n{quote(BARE.text)}", 66, delsp=True)
    raw = mail(
        head(BARE),
        part("Content-Type: text/plain; charset=WINDOWS-1252; format=flowed; delsp=yes", body, "7bit"),
    )
    return taken(raw, LONG, BARE.orders)


@letter("apple-mac-list-of-bullets-behind-tabs")
def _() -> Letter:
    typed = "side: east\nmove:\n\t•\todo to 0713\n\t•\thob to 0714\n"
    raw = mail(
        head(),
        part("Content-Type: text/plain;\n\tcharset=utf-8", f"{typed}\n\n{cited(REPORT)}", "quoted-printable"),
    )
    return taken(raw, "side: east\nmove:\n- odo to 0713\n- hob to 0714\n", REPORT.orders)


@letter("apple-mac-html-list-without-plain-text")
def _() -> Letter:
    rich = (
        '<html><body style="word-wrap: break-word;"><div>side: east</div><div>move:</div><ul '
        'class="MailOutline"><li>odo to 0713</li>'
        "<li>hob to 0714</li></ul><div><br><blockquote "
        f'type="cite">{BARE.html}</blockquote></div></body></html>'
    )
    raw = mail(head(BARE), part("Content-Type: text/html;\n\tcharset=us-ascii", rich, "7bit"))
    return taken(raw, "side: east\nmove:\n- odo to 0713\n- hob to 0714\n", BARE.orders)


@letter("apple-mac-forwarded-inline")
def _() -> Letter:
    top = (
        "Begin forwarded message:\n\nFrom: Cleo <cleo@east.example>\nSubject: my orders\nDate: 19 November "
        "2026 at 20:00:11 CET\nTo: Emil\n"
    )
    body = f"\n\n{quote(top + chr(10) + WHEN, empty='> ')}"
    return refused(
        mail(
            head(None, subject="Fwd: my orders"), part("Content-Type: text/plain;\n\tcharset=us-ascii", body)
        ),
        "only-quoted",
        WHEN,
    )


@letter("apple-mac-forwarded-inline-without-marks")
def _() -> Letter:
    top = (
        "Anfang der weitergeleiteten Nachricht:\n\nVon: Cleo <cleo@east.example>\nBetreff: meine Befehle\n"
        "Datum: 19. November 2026 um 20:00:11 MEZ\nAn: Emil\n"
    )
    body = f"Stimmt das so?\n\n{top}\n{WHEN}"
    raw = mail(
        head(None, subject="Fwd: meine Befehle"),
        part("Content-Type: text/plain;\n\tcharset=utf-8", body, "quoted-printable"),
    )
    return refused(raw, "only-quoted", WHEN)


@letter("iphone-top-reply")
def _() -> Letter:
    return taken(iphone(CAT, BARE), CAT, BARE.orders)


@letter("iphone-luck-only")
def _() -> Letter:
    return taken(iphone(LUCK, REPORT), LUCK, REPORT.orders)


@letter("iphone-smart-punctuation")
def _() -> Letter:
    typed = (
        QUOTES.replace('"Note', "“Note")
        .replace('time!"', "time!”")
        .replace("- odo", "– odo")
        .replace("side:", "Side:")
        .replace("luck:", "Luck:")
    )
    return taken(iphone(typed.replace("move:", "Move:"), REPORT), QUOTES, REPORT.orders)


@letter("iphone-german")
def _() -> Letter:
    on = "Am 19.11.2026 um 21:12 schrieb Ada Marsh <umpire@ford.example>:"
    return taken(iphone(GERMAN, BARE, on, "Von meinem iPhone gesendet"), GERMAN, BARE.orders)


@letter("iphone-french")
def _() -> Letter:
    on = "Le 19 nov. 2026 à 21:12, Ada Marsh <umpire@ford.example> a écrit\u00a0:"
    return taken(iphone(FRENCH, BARE, on, "Envoyé de mon iPhone"), FRENCH, BARE.orders)


@letter("iphone-dutch")
def _() -> Letter:
    on = "Op 19 nov. 2026 om 21:12 heeft Ada Marsh <umpire@ford.example> het volgende geschreven:"
    return taken(iphone(SHORT, BARE, on, "Verstuurd vanaf mijn iPhone"), SHORT, BARE.orders)


@letter("iphone-long-message-in-quoted-printable")
def _() -> Letter:
    return taken(iphone(TALK, SHEET), TALK, SHEET.orders)


@letter("iphone-orders-below-its-own-signature")
def _() -> Letter:
    body = f"\n\nSent from my iPhone\n\n{cited(BARE)}\n\n{RIDERS}"
    return taken(
        mail(head(BARE, mac=False), part("Content-Type: text/plain;\n\tcharset=utf-8", body, "7bit")),
        RIDERS,
        BARE.orders,
    )


@letter("iphone-answers-inside-the-quotation-in-html")
def _() -> Letter:
    one, two = (
        quote(text)
        for text in (
            "Toll at the Alder Ford, slot 7: your turn, west.\n",
            "If you send nothing more, they hold.\n",
        )
    )
    plain = f"\n\nSent from my iPhone\n\n{quote(ON)}> \n{one}\n{BISHOP}\n{two}"
    rich = (
        '<html><body dir="auto"><div dir="ltr"></div><div dir="ltr">Sent from my iPhone</div><div '
        f'dir="ltr"><br><blockquote type="cite">{ON}'
        '</blockquote></div><blockquote type="cite"><div>Toll at the Alder Ford, slot 7: your turn, '
        f"west.</div></blockquote>{brs(BISHOP)}"
        '<blockquote type="cite"><div>If you send nothing more, they hold.</div></blockquote></body></html>'
    )
    body = alternative(
        EDGE_PHONE,
        part("Content-Type: text/plain;\n\tcharset=us-ascii", plain, "quoted-printable"),
        part("Content-Type: text/html;\n\tcharset=utf-8", rich, "7bit"),
        quotes=False,
    )
    return taken(mail(head(mac=False), body), BISHOP)


@letter("ipad-only-the-quotation-and-a-signature")
def _() -> Letter:
    return refused(iphone("", BARE, sent="Sent from my iPad"), "only-quoted", BARE.orders)


@letter("iphone-file-from-icloud-drive")
def _() -> Letter:
    first = part("Content-Type: text/plain;\n\tcharset=us-ascii", "\n\n\nSent from my iPhone", "7bit")
    file = attached(
        "Content-Type: text/plain;\n\tname=Alder4.txt;\n\tx-apple-part-url=5D0C1B2A\nContent-Disposition: "
        "inline;\n\tfilename=Alder4.txt",
        GOAT.encode(),
    )
    body = parts(f"Content-Type: multipart/mixed; boundary={EDGE_PHONE}", EDGE_PHONE, first, file)
    return taken(mail(head(None, mac=False), body), GOAT)
