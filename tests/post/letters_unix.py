"""Letters of programs on a computer of one's own: mutt, Alpine, Gnus, KMail, Evolution, Claws, The Bat!, eM
Client, Spark and others.
"""

from __future__ import annotations

from letter_parts import (
    Letter,
    alternative,
    attached,
    brs,
    divs,
    esc,
    flowed,
    letter,
    mail,
    part,
    parts,
    qp,
    quote,
    refused,
    taken,
    wrapped,
)
from letter_texts import (
    BALLISTA,
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
    LUCK,
    ONLYSTANDING,
    RAM,
    REPAIR,
    REPORT,
    RIDERS,
    SEAT,
    SETUP,
    SHEET,
    SHORT,
    SIEGE,
    SPACED,
    STANDING,
    STOP,
    TALK,
    UMPIRE,
    WHEN,
    Turn,
)

GRETE = "Grete Holm <grete@holm.example>"


def head(
    turn: Turn | None = REPORT,
    more: str = "",
    id: str = "20261120064155.GA2791@holm.example",
    subject: str = "",
) -> str:
    refs = f"References: {turn.id}\nIn-Reply-To: {turn.id}\n" if turn else ""
    subject = subject or (f"Re: {turn.subject}" if turn else "orders for the ford")
    return (
        f"Date: Fri, 20 Nov 2026 07:41:55 +0100\nFrom: {GRETE}\nTo: {UMPIRE}\nSubject: {subject}\n"
        f"Message-ID: <{id}>\n{refs}MIME-Version: 1.0\n{more}"
    )


def text(
    body: str,
    turn: Turn | None = REPORT,
    more: str = "",
    kind: str = "text/plain; charset=us-ascii",
    cte: str = "",
) -> bytes:
    """Return a letter of plain text alone."""
    charset = kind.rpartition("charset=")[2].strip('"').partition(";")[0] or "utf-8"
    return mail(
        head(turn, more),
        part(f"Content-Type: {kind}", body, cte, charset if body.isascii() is False else "utf-8"),
    )


@letter("mutt-reply-below")
def _() -> Letter:
    body = (
        "On Thu, Nov 19, 2026 at 09:12:03PM +0100, Ada Marsh wrote:\n"
        f"{quote(BARE.text)}\n{HERONS}\n-- \nGrete"
    )
    more = "Content-Disposition: inline\nUser-Agent: Mutt/2.2.12 (2023-09-09)\n"
    return taken(text(body, BARE, more), HERONS, BARE.orders)


@letter("mutt-reply-above-a-full-quotation")
def _() -> Letter:
    body = f"{STANDING}\nOn Thu, Nov 19, 2026 at 09:12:03PM +0100, Ada Marsh wrote:\n{quote(REPORT.text)}"
    return taken(
        text(body, REPORT, "Content-Disposition: inline\nUser-Agent: Mutt/1.10.1 (2018-07-13)\n"),
        STANDING,
        REPORT.orders,
    )


@letter("mutt-orders-cut-up-by-the-quotation")
def _() -> Letter:
    body = (
        f"* Ada Marsh <umpire@ford.example> [2026-11-19 21:12]:\n> the east has moved.\n\n{SPACED}\n> "
        "Please answer before Sunday evening.\n\nDone.\n"
    )
    return taken(
        text(body, BARE, "User-Agent: NeoMutt/20231221\n", "text/plain; charset=utf-8", "8bit"), SPACED
    )


@letter("mutt-attachment-text-x-yaml")
def _() -> Letter:
    first = part(
        "Content-Type: text/plain; charset=us-ascii\nContent-Disposition: inline", "see attachment\n"
    )
    file = part(
        'Content-Type: text/x-yaml; charset=us-ascii\nContent-Disposition: attachment; filename="east.yaml"',
        ONLYSTANDING,
    )
    body = parts(
        'Content-Type: multipart/mixed; boundary="h31gzZEtNLTqOjlF"\nContent-Disposition: inline',
        "h31gzZEtNLTqOjlF",
        first,
        file,
        preamble="\n",
    )
    return taken(mail(head(None, "User-Agent: Mutt/2.2.12 (2023-09-09)\n"), body), ONLYSTANDING)


@letter("mutt-deep-quotation-in-several-marks")
def _() -> Letter:
    inner = quote(GOAT, "> > > ", "> > >") + quote("Are you sure?\n", "> > ") + quote("No. Are you?\n", "> ")
    body = f"On Thu, Nov 19, 2026 at 09:12:03PM +0100, Ada Marsh wrote:\n{inner}\n{CAT}"
    return taken(text(body), CAT, GOAT)


@letter("neomutt-mbox-from-escaped")
def _() -> Letter:
    body = (
        f">From the west bank, greetings.\n\n{SHORT}\nOn Thu, Nov 19, 2026 at 21:12:03 +0100, Ada Marsh "
        f"wrote:\n{quote(BARE.text)}"
    )
    return taken(text(body, BARE, "User-Agent: NeoMutt/20231221\n"), SHORT, BARE.orders)


@letter("alpine-reply-below")
def _() -> Letter:
    body = f"On Thu, 19 Nov 2026, Ada Marsh wrote:\n\n{quote(BARE.text)}\n{BALLISTA}\n"
    more = "User-Agent: Alpine 2.26 (LNX 649 2022-06-02)\n"
    return taken(
        text(flowed(body), BARE, more, "text/plain; format=flowed; charset=US-ASCII"), BALLISTA, BARE.orders
    )


@letter("alpine-with-trailing-spaces-and-tabs")
def _() -> Letter:
    typed = SHORT.replace("move:", "move:   ").replace("0713", "0713 \t")
    return taken(
        text(f"{typed}\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n\n{quote(BARE.text)}", BARE),
        SHORT,
        BARE.orders,
    )


@letter("pine-4-latin1-8bit")
def _() -> Letter:
    body = f"{GERMAN}\nOn Thu, 19 Nov 2026, Ada Marsh wrote:\n\n{quote(BARE.text)}"
    return taken(
        text(body, BARE, "X-X-Sender: grete@holm.example\n", "TEXT/PLAIN; charset=ISO-8859-1", "8BIT"),
        GERMAN,
        BARE.orders,
    )


@letter("claws-reply-below")
def _() -> Letter:
    body = (
        f"On Thu, 19 Nov 2026 21:12:03 +0100\nAda Marsh <umpire@ford.example> wrote:\n\n{quote(BARE.text)}\n"
        f"{RIDERS}\n-- \nGrete\n"
    )
    return taken(
        text(body, BARE, "X-Mailer: Claws Mail 4.3.0 (GTK 3.24.38; x86_64-pc-linux-gnu)\n"),
        RIDERS,
        BARE.orders,
    )


@letter("claws-wrapped-at-72")
def _() -> Letter:
    body = (
        "On Thu, 19 Nov 2026 21:12:03 +0100\nAda Marsh <umpire@ford.example> wrote:\n\n> Your turn.\n\n"
        f"{wrapped(LONG, 72)}"
    )
    return taken(text(body, REPORT, "X-Mailer: Claws Mail 3.17.8\n"), LONG)


@letter("sylpheed-reply-above")
def _() -> Letter:
    body = (
        f"{FIGURES}\n\nOn Thu, 19 Nov 2026 21:12:03 +0100\nAda Marsh <umpire@ford.example> wrote:\n\n"
        f"{quote(BARE.text)}"
    )
    return taken(
        text(body, BARE, "X-Mailer: Sylpheed 3.7.0 (GTK+ 2.24.32; i686-pc-mingw32)\n"), FIGURES, BARE.orders
    )


@letter("evolution-flowed-reply-above")
def _() -> Letter:
    body = f"{WHEN}\n\nOn Thu, 2026-11-19 at 21:12 +0100, Ada Marsh wrote:\n{quote(BARE.text)}"
    more = "User-Agent: Evolution 3.52.4 \n"
    return taken(
        text(flowed(body), BARE, more, 'text/plain; charset="UTF-8"; format=flowed', "quoted-printable"),
        WHEN,
        BARE.orders,
    )


@letter("evolution-html")
def _() -> Letter:
    rich = (
        "<html><head><style>pre,code,address {\n  margin: 0px;\n}\n</style></head><body><div>"
        f"{divs(STANDING)}</div><div><br></div><div>On Thu, 2026-11-19 at 21:12 +0100, Ada Marsh wrote:</div>"
        '<blockquote type="cite" style="margin:0 0 0 .8ex; border-left:2px #729fcf '
        f'solid;padding-left:1ex"><pre>{esc(BARE.text, "plain")}</pre>'
        "</blockquote><div><span></span></div></body></html>"
    )
    raw = mail(
        head(BARE, "User-Agent: Evolution 3.46.4-2 \n"),
        part('Content-Type: text/html; charset="utf-8"', rich, "quoted-printable"),
    )
    return taken(raw, STANDING, BARE.orders)


@letter("evolution-german")
def _() -> Letter:
    body = f"{GERMAN}\nAm Donnerstag, dem 19.11.2026 um 21:12 +0100 schrieb Ada Marsh:\n{quote(BARE.text)}"
    return taken(text(body, BARE, "", 'text/plain; charset="UTF-8"', "quoted-printable"), GERMAN, BARE.orders)


@letter("kmail-reply-below")
def _() -> Letter:
    body = f"On Thursday, 19 November 2026 21:12:03 CET Ada Marsh wrote:\n{quote(BARE.text)}\n{SIEGE}\n"
    return taken(text(body, BARE, "", 'text/plain; charset="UTF-8"', "7Bit"), SIEGE, BARE.orders)


@letter("kmail-german-above")
def _() -> Letter:
    body = (
        f"{REPAIR}\nGruß, Grete\n\nAm Donnerstag, 19. November 2026, 21:12:03 CET schrieb Ada Marsh:\n"
        f"{quote(BARE.text)}"
    )
    return taken(text(body, BARE, "", 'text/plain; charset="UTF-8"', "quoted-printable"), REPAIR, BARE.orders)


@letter("kmail-attachment-quoted-printable")
def _() -> Letter:
    first = part('Content-Transfer-Encoding: 7Bit\nContent-Type: text/plain; charset="UTF-8"', "anbei\n\n")
    file = part(
        'Content-Disposition: attachment; filename="west.yaml"\nContent-Type: application/x-yaml; '
        'name="west.yaml"',
        GERMAN,
        "quoted-printable",
    )
    body = parts('Content-Type: multipart/mixed; boundary="nextPart2345678.ElGaqSPkdT"', "nextPart2345678.ElGaqSPkdT", first, file,
                 preamble="This is a multi-part message in MIME format.\n\n")  # fmt: skip
    return taken(mail(head(None), body), GERMAN)


@letter("gnus-supercite-initials")
def _() -> Letter:
    body = (
        '>>>>> "Ada" == Ada Marsh <umpire@ford.example> writes:\n\n'
        f"{quote(BARE.text, '    Ada> ', '    Ada>')}\n{GOAT}\n-- \nGrete\n"
    )
    return taken(text(body, BARE, "User-Agent: Gnus/5.13 (Gnus v5.13) Emacs/29.4\n"), GOAT, BARE.orders)


@letter("gnus-writes")
def _() -> Letter:
    body = f"Ada Marsh <umpire@ford.example> writes:\n\n{quote(BARE.text)}\n{SETUP}"
    return taken(text(body, BARE, "User-Agent: Gnus/5.13 (Gnus v5.13) Emacs/29.4\n"), SETUP, BARE.orders)


@letter("mu4e-flowed")
def _() -> Letter:
    body = f"{TALK}\nAda Marsh <umpire@ford.example> writes:\n\n{quote(BARE.text)}\n\n-- \nGrete"
    return taken(
        text(flowed(body), BARE, "User-agent: mu4e 1.12.5; emacs 29.4\n", "text/plain; format=flowed"),
        TALK,
        BARE.orders,
    )


@letter("the-bat-initials-before-the-mark")
def _() -> Letter:
    body = (
        "Hello Ada,\n\nThursday, November 19, 2026, 9:12:03 PM, you wrote:\n\n"
        f"{quote(BARE.text, 'AM> ', '')}\n{BISHOP}\n-- \n"
        "Best regards,\n Grete                            mailto:grete@holm.example\n"
    )
    more = "X-Mailer: The Bat! (v9.5.1) Professional\nX-Priority: 3 (Normal)\n"
    return taken(text(body, BARE, more, "text/plain; charset=us-ascii", "7bit"), BISHOP, BARE.orders)


@letter("the-bat-russian-koi8")
def _() -> Letter:
    body = (
        f"Здравствуйте, Ada.\n\nВы писали 19 ноября 2026 г., 21:12:03:\n\n{quote(BARE.text, 'AM>> ', '')}\n"
        f"{SHORT}\n-- \nС уважением,\n Грета\n"
    )
    return taken(
        text(body, BARE, "X-Mailer: The Bat! (v3.99)\n", "text/plain; charset=koi8-r", "8bit"),
        SHORT,
        BARE.orders,
    )


@letter("opera-mail-reply-below")
def _() -> Letter:
    body = (
        f"On Thu, 19 Nov 2026 21:12:03 +0100, Ada Marsh <umpire@ford.example> wrote:\n\n{quote(BARE.text)}\n"
        f"{STOP}\n-- \nUsing Opera's mail client: http://www.opera.com/mail/"
    )
    more = "User-Agent: Opera Mail/1.0 (Win32)\n"
    return taken(
        text(flowed(body), BARE, more, "text/plain; charset=utf-8; format=flowed; delsp=yes", "7bit"),
        STOP,
        BARE.orders,
    )


@letter("em-client-html-and-plain")
def _() -> Letter:
    top = (
        '------ Original Message ------\nFrom "Ada Marsh" <umpire@ford.example>\nTo grete@holm.example\n'
        f"Date 19.11.2026 21:12:03\nSubject {BARE.subject}\n"
    )
    rich = (
        '<html><head><style id="css_styles"> blockquote.cite { margin-left: 5px; '
        f"}}</style></head><body>{divs(HERONS)}<div><br /></div>"
        '<div id="x_emclient_sig"></div><div>------ Original Message ------</div><div>From "Ada '
        'Marsh"</div><div><br /></div><div id="x1">'
        f'<blockquote cite="x" type="cite" class="cite2">{BARE.html}</blockquote></div></body></html>'
    )
    body = alternative(
        "------=_MBD0A8D25A-6B0D-4C32",
        part(
            "Content-Type: text/plain; format=flowed; charset=utf-8",
            f"{HERONS}\n\n{top}\n{quote(BARE.text, '>')}",
            "quoted-printable",
        ),
        part("Content-Type: text/html; charset=utf-8", rich, "quoted-printable"),
    )
    return taken(mail(head(BARE, "User-Agent: eM_Client/10.1.4417.0\n"), body), HERONS, BARE.orders)


@letter("em-client-plain-quotation-unmarked")
def _() -> Letter:
    top = (
        '------ Originalnachricht ------\nVon: "Ada Marsh" <umpire@ford.example>\nAn: grete@holm.example\n'
        f"Gesendet: 19.11.2026 21:12:03\nBetreff: {BARE.subject}\n"
    )
    return taken(
        text(
            f"{GOAT}\n{top}\n{BARE.text}",
            BARE,
            "User-Agent: eM_Client/8.2.1659.0\n",
            "text/plain; charset=utf-8",
        ),
        GOAT,
        BARE.orders,
    )


@letter("mailspring-html-only")
def _() -> Letter:
    rich = (
        f'<div>{brs(FIGURES)}</div><br><signature id="local">Grete</signature><br/><br/><div '
        'class="gmail_quote_attribution">On Nov 19 2026, at 9:12 pm, Ada Marsh '
        '&lt;umpire@ford.example&gt; wrote:</div><blockquote class="gmail_quote" style="margin:0 0 0 '
        '.8ex;border-left:1px #ccc solid;padding-left:1ex;">'
        f'{BARE.html}</blockquote><img class="mailspring-open" alt="Sent from Mailspring" width="0" '
        'height="0" src="https://link.example/x">'
    )
    raw = mail(
        head(BARE, "X-Mailer: Mailspring\n"),
        part('Content-Type: text/html; charset="utf-8"', rich, "quoted-printable"),
    )
    return taken(raw, FIGURES, BARE.orders)


@letter("spark-quotes-everything-in-quoted-printable")
def _() -> Letter:
    plain = (
        f"{SEAT}\nOn 19 Nov 2026 at 21:12 +0100, Ada Marsh <umpire@ford.example>, wrote:\n{quote(BARE.text)}"
    )
    rich = (
        '<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<title></title>\n</head>\n<body>\n<div '
        'name="messageBodySection">\n<div dir="auto">'
        f'{brs(SEAT, "<br />")}</div>\n</div>\n<div name="messageSignatureSection"><br />\n</div>\n<div '
        'name="messageReplySection">On 19 Nov 2026 '
        'at 21:12 +0100, Ada Marsh, wrote:<br />\n<blockquote type="cite" style="border-left-color: grey;" '
        f'class="spark_quote">{BARE.html}'
        "</blockquote>\n</div>\n</body>\n</html>"
    )
    made = [
        (
            f'Content-Type: {kind}; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n'
            "Content-Disposition: inline\n\n"
        ).encode()
        + qp(body.encode(), also='"#?@_')
        for kind, body in (("text/plain", plain), ("text/html", rich))
    ]
    body = alternative("655b1a83_327b23c6_1d5", *made)
    return taken(mail(head(BARE, "X-Readdle-Message-ID: 5d3e0a4f@Spark\n"), body), SEAT, BARE.orders)


@letter("pegasus-mail-on-the-date-at-the-time")
def _() -> Letter:
    body = f"On 19 Nov 2026 at 21:12, Ada Marsh wrote:\n\n{quote(BARE.text)}\n{COMMENTS}\n"
    return taken(text(body, BARE, "X-mailer: Pegasus Mail for Windows (4.80.1028)\n"), COMMENTS, BARE.orders)


@letter("eudora-at-the-time-you-wrote")
def _() -> Letter:
    body = f"At 09:12 PM 11/19/2026, you wrote:\n{quote(BARE.text, '>')}\n{RAM}"
    more = "X-Mailer: QUALCOMM Windows Eudora Version 7.1.0.9\n"
    return taken(text(body, BARE, more, 'text/plain; charset="us-ascii"; format=flowed'), RAM, BARE.orders)


@letter("geary-above")
def _() -> Letter:
    body = (
        f"{LONG}\nOn Thu, Nov 19 2026 at 21:12:03 +01:00:00, Ada Marsh \n<umpire@ford.example> wrote:\n"
        f"{quote(REPORT.text)}"
    )
    return taken(
        text(flowed(body), REPORT, "X-Mailer: geary/46.0\n", "text/plain; charset=us-ascii; format=flowed"),
        LONG,
        REPORT.orders,
    )


@letter("aerc-luck-below-our-mark")
def _() -> Letter:
    body = f"On Thu Nov 19, 2026 at 9:12 PM CET, Ada Marsh wrote:\n{quote(REPORT.text)}\n{LUCK}"
    return taken(
        text(body, REPORT, "X-Mailer: aerc 0.18.2\n", "text/plain; charset=UTF-8"), LUCK, REPORT.orders
    )


@letter("airmail-bottom")
def _() -> Letter:
    body = (
        "On 19 November 2026 at 21:12:03, Ada Marsh (umpire@ford.example) wrote:\n\n"
        f"{quote(BARE.text, empty='>  ')}\n{FRENCH}"
    )
    return taken(
        text(body, BARE, "X-Mailer: Airmail (420)\n", 'text/plain; charset="utf-8"', "quoted-printable"),
        FRENCH,
        BARE.orders,
    )


@letter("mailx-no-mime-at-all")
def _() -> Letter:
    header = (
        "From: grete@holm.example (Grete Holm)\nTo: umpire@ford.example\nSubject: orders\nDate: Fri, 20 Nov "
        "2026 07:41:55 +0100\nMessage-Id: <202611200641.4AK6ft@holm.example>\n"
    )
    return taken(mail(header, "\n" + SPACED, b"\n"), SPACED)


@letter("nmh-attachment-inline-text")
def _() -> Letter:
    first = part("Content-Type: text/plain; charset=us-ascii\nContent-ID: <1.0@holm>", "Here goes.\n")
    file = part(
        'Content-Type: text/plain; name="orders"; charset=us-ascii\nContent-Description: orders\n'
        'Content-Disposition: attachment; filename="orders"',
        SHORT,
    )
    body = parts(
        'Content-Type: multipart/mixed; boundary="----- =_aaaaaaaaaa0"', "----- =_aaaaaaaaaa0", first, file
    )
    return taken(mail(head(None, "X-Mailer: MH-E 8.6; nmh 1.8\n"), body), SHORT)


@letter("evolution-nothing-but-a-question")
def _() -> Letter:
    body = (
        "When you say move: does that mean before shooting?\n\nOn Thu, 2026-11-19 "
        "at 21:12 +0100, Ada Marsh wrote:\n" + quote(BARE.text)
    )
    return refused(text(body, BARE), "nothing", BARE.orders)


@letter("kmail-orders-of-east-quoted-with-a-question")
def _() -> Letter:
    body = (
        f"On Thursday, 19 November 2026 21:12:03 CET Ada Marsh wrote:\n{quote(BARE.orders)}\nIs that all "
        "they did?\n\nGrete\n"
    )
    return refused(text(body, BARE), "only-quoted", BARE.orders)


@letter("the-bat-sheet-filled-in-behind-initials")
def _() -> Letter:
    body = f"Hello Ada,\n\n{quote(SHEET.text, 'AM> ', '')}\n-- \nGrete\n"
    return refused(text(body, SHEET), "only-quoted", SHEET.orders)


@letter("gnus-attachment-inline-with-forward-slash-name")
def _() -> Letter:
    first = part("Content-Type: text/plain", "Attached.\n")
    file = attached(
        "Content-Type: application/octet-stream\nContent-Disposition: attachment; "
        'filename="../../orders/east.yaml"',
        SHORT.encode(),
    )
    body = parts('Content-Type: multipart/mixed; boundary="=-=-="', "=-=-=", first, file)
    return taken(mail(head(None), body), SHORT)
