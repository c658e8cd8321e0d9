"""Letters as Gmail writes them: in the browser, on Android, on the iPhone, in seven languages."""

from __future__ import annotations

from letter_parts import (
    Letter,
    alternative,
    attached,
    brs,
    divs,
    letter,
    mail,
    part,
    parts,
    quote,
    refused,
    taken,
    wrapped,
    zipped,
)
from letter_texts import (
    BARE,
    CAT,
    FIGURES,
    FRENCH,
    GERMAN,
    GOAT,
    HERONS,
    LONG,
    LUCK,
    REPORT,
    SHEET,
    SHORT,
    SPACED,
    STANDING,
    STOP,
    TALK,
    UMPIRE,
    WHEN,
    Turn,
)

BEN = "Ben Okafor <ben.okafor@gmail.example>"
AUTO = 'dir="auto"'
EDGE = 'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"'
ON = "On Thu, Nov 19, 2026 at 9:12\u202fPM Ada Marsh <umpire@ford.example> wrote:"


def head(turn: Turn | None = REPORT, subject: str = "", tail: str = "9vQk", sender: str = BEN) -> str:
    refs = f"References: {turn.id}\nIn-Reply-To: {turn.id}\n" if turn else ""
    subject = subject or (f"Re: {turn.subject}" if turn else "orders")
    return (
        f"Return-Path: <ben.okafor@gmail.example>\n"
        f"Delivered-To: umpire@ford.example\n"
        f"Received: from mail-ej1-f51.google.com (mail-ej1-f51.google.com [209.85.218.51])\n"
        f"\tby mx.ford.example (Postfix) with ESMTPS id 4F1C07\n"
        f"\tfor <umpire@ford.example>; Fri, 20 Nov 2026 06:42:07 +0000 (UTC)\n"
        f"MIME-Version: 1.0\n{refs}From: {sender}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\n"
        f"X-Gm-Features: AWmQ_bl{tail}\n"
        f"Message-ID: <CAKq1+dT=8mB{tail}xW5pL0w@mail.gmail.com>\n"
        f"Subject: {subject}\nTo: {UMPIRE}\n"
    )


def gmail_quote(turn: Turn, on: str = ON) -> str:
    """Return the quotation as Gmail lays it out in HTML."""
    said = on.replace(
        "<umpire@ford.example>", '&lt;<a href="mailto:umpire@ford.example">umpire@ford.example</a>&gt;'
    )
    return (
        '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
        f'class="gmail_attr">{said}<br></div>'
        f'<blockquote class="gmail_quote" {EDGE}>{turn.html}</blockquote></div>'
    )


def gmail(
    plain: str,
    rich: str,
    header: str,
    boundary: str = "000000000000c3e9b8064f1a2b3c",
    cte: str = "quoted-printable",
) -> bytes:
    """Return text/plain broken at 76 and HTML in quoted-printable; ASCII text goes as it is."""
    text = wrapped(plain, 76)
    ascii_ = text.isascii()
    first = part('Content-Type: text/plain; charset="UTF-8"', text, "" if ascii_ else cte)
    second = part('Content-Type: text/html; charset="UTF-8"', rich, "quoted-printable")
    return mail(header, alternative(boundary, first, second))


def replied(own: str, turn: Turn, on: str = ON, header: str = "", above: str = "", below: str = "") -> bytes:
    """Return a reply on top of the whole quotation, as nearly everybody sends it."""
    said = above + own + below
    plain = f"{said}\n{wrapped(on, 76)}\n\n{quote(turn.text)}"
    rich = f'<div dir="ltr">{divs(said)}</div>{gmail_quote(turn, on)}'
    return gmail(plain, rich, header or head(turn))


@letter("gmail-web-top-reply")
def _() -> Letter:
    return taken(replied(HERONS, REPORT, above="Hi Ada,\n\n", below="\nCheers\nBen\n"), HERONS, REPORT.orders)


@letter("gmail-web-top-reply-to-a-letter-by-hand")
def _() -> Letter:
    return taken(replied(GOAT, BARE), GOAT, BARE.orders)


@letter("gmail-web-bottom-reply")
def _() -> Letter:
    plain = f"{wrapped(ON, 76)}\n\n{quote(BARE.text)}\n\n{CAT}\n"
    rich = f'<div dir="ltr"><div dir="ltr"><br></div>{gmail_quote(BARE)}<div><br></div>{divs(CAT)}</div>'
    return taken(gmail(plain, rich, head(BARE)), CAT, BARE.orders)


@letter("gmail-web-inline-answer-between-quotes")
def _() -> Letter:
    first, second = quote("Where do your people go?\n"), quote("And do they fight?\n")
    one, two = CAT.split("fight:")
    plain = f"{wrapped(ON, 76)}\n\n{first}\n{one}\n{second}\nfight:{two}"
    rich = (
        f'<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{ON.split(" <")[0]} '
        "wrote:<br></div>"
        f'<blockquote class="gmail_quote" {EDGE}>Where do your people go?</blockquote>{divs(one)}'
        f'<blockquote class="gmail_quote" {EDGE}>And do they '
        f"fight?</blockquote>{divs('fight:' + two)}</div></div>"
    )
    return taken(gmail(plain, rich, head(REPORT)), CAT)


@letter("gmail-web-fresh-mail")
def _() -> Letter:
    rich = f'<div dir="ltr">{divs(SPACED)}</div>'
    return taken(gmail(SPACED, rich, head(None, "alder ford orders")), SPACED)


@letter("gmail-web-plain-text-mode")
def _() -> Letter:
    body = f"{STOP}\n{wrapped(ON, 76)}\n>\n{quote(BARE.text)}"
    raw = mail(head(BARE), part('Content-Type: text/plain; charset="UTF-8"', body, "quoted-printable"))
    return taken(raw, STOP, BARE.orders)


@letter("gmail-web-long-lines-broken-at-76")
def _() -> Letter:
    return taken(replied(LONG, REPORT), LONG, REPORT.orders)


@letter("gmail-web-long-message-broken-at-76")
def _() -> Letter:
    return taken(replied(TALK, REPORT, below="\nBen\n"), TALK, REPORT.orders)


@letter("gmail-web-indentation-by-nbsp")
def _() -> Letter:
    plain = (
        STANDING.replace("    ", "\u00a0 \u00a0 ").replace("  everyone", "\u00a0 everyone")
        + f"\n{ON}\n\n{quote(REPORT.text)}"
    )
    rich = f'<div dir="ltr">{divs(STANDING, spaces="mixed")}</div>{gmail_quote(REPORT)}'
    return taken(gmail(plain, rich, head(REPORT)), STANDING, REPORT.orders)


@letter("gmail-web-bulleted-list")
def _() -> Letter:
    plain = f"side: east\nmove:\n\n   - odo to 0713\n   - hob to 0714\n\n\n{ON}\n\n{quote(REPORT.text)}"
    rich = (
        '<div dir="ltr"><div>side: east</div><div>move:</div><div><ul><li '
        'style="margin-left:15px">odo to 0713</li>'
        f'<li style="margin-left:15px">hob to 0714</li></ul></div></div>{gmail_quote(REPORT)}'
    )
    return taken(
        gmail(plain, rich, head(REPORT)), "side: east\nmove:\n- odo to 0713\n- hob to 0714\n", REPORT.orders
    )


@letter("gmail-web-signature-with-prefix")
def _() -> Letter:
    sig = "-- \nBen Okafor\nMobile: +49 170 0000000\nside project: https://west.example"
    plain = f"{GOAT}\n{sig}\n\n{ON}\n\n{quote(BARE.text)}"
    rich = (
        f'<div dir="ltr">{divs(GOAT)}<div><br clear="all"></div><div><br></div><span '
        'class="gmail_signature_prefix">-- </span><br>'
        '<div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr">Ben '
        "Okafor<br>Mobile: +49 170 0000000<br>"
        f"side project: https://west.example</div></div></div>{gmail_quote(BARE)}"
    )
    return taken(gmail(plain, rich, head(BARE)), GOAT, BARE.orders)


@letter("gmail-web-attached-yaml")
def _() -> Letter:
    body = alternative(
        "0000000000001e7c2a064f1a2b40",
        part('Content-Type: text/plain; charset="UTF-8"', "\n"),
        part('Content-Type: text/html; charset="UTF-8"', '<div dir="ltr"><br></div>\n'),
    )
    file = attached(
        'Content-Type: application/x-yaml; name="west.yaml"\nContent-Disposition: attachment; '
        'filename="west.yaml"\n'
        "X-Attachment-Id: f_mi5t2k3h0\nContent-ID: <f_mi5t2k3h0>",
        FIGURES.encode(),
    )
    mixed = parts(
        'Content-Type: multipart/mixed; boundary="0000000000001e7c2b064f1a2b42"',
        "0000000000001e7c2b064f1a2b42",
        body,
        file,
    )
    return taken(mail(head(None, "orders for alder ford"), mixed), FIGURES)


@letter("gmail-web-attached-yaml-over-quoted-orders")
def _() -> Letter:
    text = f"Orders attached.\n\n{ON}\n\n{quote(BARE.text)}"
    body = alternative(
        "0000000000007f00aa064f1a3000",
        part('Content-Type: text/plain; charset="UTF-8"', text, "quoted-printable"),
        part(
            'Content-Type: text/html; charset="UTF-8"',
            f'<div dir="ltr">Orders attached.</div>{gmail_quote(BARE)}',
            "quoted-printable",
        ),
    )
    file = attached(
        'Content-Type: application/octet-stream; name="orders_turn4.yml"\nContent-Disposition: attachment; '
        'filename="orders_turn4.yml"\n'
        "X-Attachment-Id: f_mi5t77aa0\nContent-ID: <f_mi5t77aa0>",
        WHEN.encode(),
    )
    mixed = parts(
        'Content-Type: multipart/mixed; boundary="0000000000007f00ab064f1a3002"',
        "0000000000007f00ab064f1a3002",
        body,
        file,
    )
    return taken(mail(head(BARE), mixed), WHEN, BARE.orders)


@letter("gmail-web-attached-zip")
def _() -> Letter:
    data = zipped([("orders/west.yaml", HERONS.encode())])
    body = part('Content-Type: text/plain; charset="UTF-8"', "see zip\n")
    file = attached(
        'Content-Type: application/zip; name="orders.zip"\nContent-Disposition: attachment; '
        'filename="orders.zip"\nX-Attachment-Id: f_1',
        data,
    )
    mixed = parts('Content-Type: multipart/mixed; boundary="00000000000099"', "00000000000099", body, file)
    return taken(mail(head(None), mixed), HERONS)


@letter("gmail-android-top-reply")
def _() -> Letter:
    on = "On Thu, 19 Nov 2026, 21:12 Ada Marsh, <umpire@ford.example> wrote:"
    plain = f"{SHORT}\n{on}\n\n{quote(SHEET.text)}"
    rich = f'<div dir="auto">{divs(SHORT, attrs=AUTO)}</div>{gmail_quote(SHEET, on)}'
    return taken(gmail(plain, rich, head(SHEET)), SHORT, SHEET.orders)


@letter("gmail-android-capitals-by-autocorrect")
def _() -> Letter:
    typed = "Side: west\nLuck: two pints and a pie\nMove:\n- Iorwerth to 0207\n- Tudur to 0208\n"
    wanted = "side: west\nluck: two pints and a pie\nmove:\n- Iorwerth to 0207\n- Tudur to 0208\n"
    on = "On Thu, 19 Nov 2026, 21:12 Ada Marsh, <umpire@ford.example> wrote:"
    plain = f"{typed}\n{on}\n\n{quote(REPORT.text)}"
    rich = f'<div dir="auto">{divs(typed, attrs=AUTO)}</div>{gmail_quote(REPORT, on)}'
    return taken(gmail(plain, rich, head()), wanted, REPORT.orders)


@letter("gmail-android-luck-only")
def _() -> Letter:
    on = "On Thu, 19 Nov 2026, 21:12 Ada Marsh, <umpire@ford.example> wrote:"
    plain = f"{LUCK}\n{on}\n\n{quote(REPORT.text)}"
    rich = f'<p dir="ltr">luck: seven drunken herons</p>\n{gmail_quote(REPORT, on)}'
    return taken(gmail(plain, rich, head()), LUCK, REPORT.orders)


@letter("gmail-iphone-sent-from")
def _() -> Letter:
    return taken(replied(CAT, BARE, below="-- \nSent from Gmail Mobile\n"), CAT, BARE.orders)


@letter("gmail-iphone-html-paragraphs")
def _() -> Letter:
    plain = (
        GOAT.replace("\n", "\n\n")
        + f"\nOn Thu, 19 Nov 2026 at 21:12, Ada Marsh <umpire@ford.example> wrote:\n\n{quote(BARE.text)}"
    )
    rich = divs(GOAT, attrs='dir="auto"') + gmail_quote(BARE)
    return taken(gmail(plain, rich, head(BARE)), GOAT, BARE.orders)


@letter("gmail-german-attribution-over-two-lines")
def _() -> Letter:
    on = (
        "Am Do., 19. Nov. 2026 um 21:12 Uhr schrieb Ada Marsh, Schiedsrichterin der Alderfurt "
        "<umpire@ford.example>:"
    )
    return taken(
        replied(GERMAN, BARE, on, above="Hallo Ada,\n\n", below="\nViele Grüße\nBen\n"), GERMAN, BARE.orders
    )


@letter("gmail-french-attribution")
def _() -> Letter:
    on = "Le jeu. 19 nov. 2026 à 21:12, Ada Marsh <umpire@ford.example> a écrit :"
    return taken(
        replied(FRENCH, BARE, on, above="Bonjour,\n\n", below="\nCordialement,\nBénédicte\n"),
        FRENCH,
        BARE.orders,
    )


@letter("gmail-spanish-attribution")
def _() -> Letter:
    on = "El jue, 19 nov 2026 a las 21:12, Ada Marsh (<umpire@ford.example>) escribió:"
    return taken(replied(SHORT, BARE, on, above="Hola:\n\n"), SHORT, BARE.orders)


@letter("gmail-italian-attribution")
def _() -> Letter:
    on = "Il giorno gio 19 nov 2026 alle ore 21:12 Ada Marsh <umpire@ford.example> ha scritto:"
    return taken(replied(STOP, BARE, on), STOP, BARE.orders)


@letter("gmail-dutch-attribution")
def _() -> Letter:
    on = "Op do 19 nov 2026 om 21:12 schreef Ada Marsh <umpire@ford.example>:"
    return taken(replied(HERONS, BARE, on, below="\nGroet, Ben\n"), HERONS, BARE.orders)


@letter("gmail-polish-attribution")
def _() -> Letter:
    on = "czw., 19 lis 2026 o 21:12 Ada Marsh <umpire@ford.example> napisał(a):"
    return taken(replied(CAT, BARE, on), CAT, BARE.orders)


@letter("gmail-russian-attribution-base64")
def _() -> Letter:
    on = "чт, 19 нояб. 2026 г. в 21:12, Ada Marsh <umpire@ford.example>:"
    plain = f"{GOAT}\n{on}\n\n{quote(BARE.text)}"
    rich = f'<div dir="ltr">{brs(GOAT)}</div>{gmail_quote(BARE, on)}'
    return taken(gmail(plain, rich, head(BARE), cte="base64"), GOAT, BARE.orders)


@letter("gmail-japanese-attribution-base64")
def _() -> Letter:
    on = "2026年11月20日(金) 5:12 Ada Marsh <umpire@ford.example>:"
    plain = f"{SHORT}\n{on}\n\n{quote(BARE.text)}"
    rich = f'<div dir="ltr">{divs(SHORT)}</div>{gmail_quote(BARE, on)}'
    return taken(gmail(plain, rich, head(BARE), cte="base64"), SHORT, BARE.orders)


@letter("gmail-web-nothing-but-the-quotation")
def _() -> Letter:
    return refused(replied("", BARE), "only-quoted", BARE.orders)


@letter("gmail-web-thanks-only")
def _() -> Letter:
    return refused(
        replied("Thanks, I will send my orders tonight: promise!\n", REPORT), "nothing", REPORT.orders
    )


@letter("gmail-web-forwarded-inline")
def _() -> Letter:
    top = (
        "---------- Forwarded message ---------\nFrom: Cleo <cleo@east.example>\n"
        "Date: Thu, Nov 19, 2026 at 8:00 PM\n"
    )
    plain = f"{top}Subject: my orders\nTo: Ben Okafor <ben.okafor@gmail.example>\n\n\n{WHEN}"
    rich = (
        '<div dir="ltr"><br><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
        'class="gmail_attr">---------- Forwarded '
        'message ---------<br>From: <strong class="gmail_sendername" '
        f'dir="auto">Cleo</strong><br></div><br><br>{divs(WHEN)}</div></div>'
    )
    return refused(gmail(plain, rich, head(None, "Fwd: my orders")), "only-quoted", WHEN)


@letter("gmail-web-nested-quotations")
def _() -> Letter:
    on = "On Thu, Nov 19, 2026 at 9:12 PM Ada Marsh <umpire@ford.example> wrote:"
    older = "On Wed, Nov 18, 2026 at 8:02 AM Ben Okafor <ben.okafor@gmail.example>\nwrote:\n\n"
    plain = f"{HERONS}\n{on}\n\n{quote('Which of these two?' + chr(10) * 2 + older + quote(GOAT))}"
    rich = (
        f'<div dir="ltr">{divs(HERONS)}</div><br><div class="gmail_quote"><div dir="ltr" '
        f'class="gmail_attr">{on.split(" <")[0]}</div>'
        f'<blockquote class="gmail_quote" {EDGE}>Which of these two?<blockquote class="gmail_quote" '
        f"{EDGE}>{brs(GOAT)}</blockquote>"
        "</blockquote></div>"
    )
    return taken(gmail(plain, rich, head()), HERONS, GOAT)


@letter("gmail-web-two-attachments-that-differ")
def _() -> Letter:
    one, two = (
        attached(
            f'Content-Type: application/x-yaml; name="{name}"\nContent-Disposition: attachment; '
            f'filename="{name}"',
            text.encode(),
        )
        for name, text in (("west.yaml", HERONS), ("west-2.yaml", GOAT))
    )
    body = part('Content-Type: text/plain; charset="UTF-8"', "One of these is right.\n")
    mixed = parts(
        'Content-Type: multipart/mixed; boundary="000000000000aa"', "000000000000aa", body, one, two
    )
    return refused(mail(head(None), mixed), "two-files")


@letter("gmail-web-same-attachment-twice")
def _() -> Letter:
    one, two = (
        attached(
            f'Content-Type: application/x-yaml; name="{name}"\nContent-Disposition: attachment; '
            f'filename="{name}"',
            HERONS.encode(),
        )
        for name in ("west.yaml", "west (1).yaml")
    )
    body = part('Content-Type: text/plain; charset="UTF-8"', "\n")
    mixed = parts(
        'Content-Type: multipart/mixed; boundary="000000000000ab"', "000000000000ab", body, one, two
    )
    return taken(mail(head(None), mixed), HERONS)
