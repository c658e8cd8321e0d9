"""Letters from which nothing may be taken, though order text stands in some of them: quoted, forwarded,
doubtful, or not there at all.
"""

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
    png,
    quote,
    refused,
    zipped,
)
from letter_texts import BARE, CAT, GOAT, HERONS, REPORT, SHEET, SHORT, SPACED, UMPIRE, WHEN

PIA = "Pia Rossi <pia@rossi.example>"


def head(subject: str = "Re: your move") -> str:
    return (
        f"From: {PIA}\nTo: {UMPIRE}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMessage-ID: "
        "<n1@rossi.example>\nMIME-Version: 1.0\n"
    )


def text(body: str, subject: str = "Re: your move") -> bytes:
    return mail(
        head(subject),
        part("Content-Type: text/plain; charset=utf-8", body, "" if body.isascii() else "quoted-printable"),
    )


def html(body: str) -> bytes:
    return mail(head(), part("Content-Type: text/html; charset=utf-8", body, "quoted-printable"))


def with_files(body: str, *files: tuple[str, str, bytes]) -> bytes:
    made = [
        attached(
            f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"', data
        )
        for name, kind, data in files
    ]
    return mail(
        head(),
        parts(
            'Content-Type: multipart/mixed; boundary="ff"',
            "ff",
            part("Content-Type: text/plain; charset=utf-8", body),
            *made,
        ),
    )


@letter("refused-empty-body")
def _() -> Letter:
    return refused(text(""), "nothing")


@letter("refused-no-body-at-all")
def _() -> Letter:
    return refused(mail(head(), b""), "nothing")


@letter("refused-a-question")
def _() -> Letter:
    return refused(text("Can odo climb the ladder and fight in one turn?\n\nPia\n"), "nothing")


@letter("refused-orders-in-prose")
def _() -> Letter:
    return refused(
        text("Please move odo to 0713 and let hob fight whoever is there. Colin shoots at tudur.\n"),
        "nothing",
    )


@letter("refused-list-without-a-heading")
def _() -> Letter:
    return refused(text("My list for today:\n\n- bread\n- milk\n- odo to 0713\n"), "nothing")


@letter("refused-own-lines-under-quoted-headings")
def _() -> Letter:
    body = "Ada wrote:\n> side: west\n> move:\n- tudur to 1107\n> fight:\n- tudur attacks cola\n"
    return refused(text(body), "ambiguous", "side: west\n")


@letter("refused-sheet-filled-in-behind-marks")
def _() -> Letter:
    return refused(
        text(f"Ada wrote:\n{quote(SHEET.text.replace('# -', '-'))}\n"),
        "only-quoted",
        SHEET.orders.replace("# -", "-") + "- edwold to 0803\n",
    )


@letter("refused-below-the-marker")
def _() -> Letter:
    return refused(text(f"{REPORT.text}\n{HERONS}"), "only-quoted", HERONS)


@letter("refused-below-the-marker-in-html")
def _() -> Letter:
    return refused(
        html(f"<div>ok</div><div>pbem: please write above this line</div>{divs(GOAT)}"), "only-quoted", GOAT
    )


@letter("refused-report-bars-alone")
def _() -> Letter:
    return refused(text("".join(f"| {line}\n" for line in CAT.splitlines())), "only-quoted", CAT)


@letter("refused-unmarked-quotation-below-header-lines")
def _() -> Letter:
    body = (
        "Wer war das?\n\nVon: Ada Marsh <umpire@ford.example>\nGesendet: Donnerstag, 19. November 2026 "
        f"21:12\nAn: Pia\nBetreff: {BARE.subject}\n\n{BARE.text}"
    )
    return refused(text(body), "only-quoted", BARE.orders)


@letter("refused-unmarked-quotation-below-an-attribution")
def _() -> Letter:
    return refused(
        text(
            "Merci !\n\nLe 19 novembre 2026 à 21:12, Ada Marsh "
            f"<umpire@ford.example> a écrit :\n\n{BARE.text}"
        ),
        "only-quoted",
        BARE.orders,
    )


@letter("refused-attribution-joined-from-three-lines")
def _() -> Letter:
    body = (
        "What?\n\nOn Thursday, November 19, 2026 at\n9:12:03 PM GMT+1, Ada Marsh\n<umpire@ford.example> "
        f"wrote:\n\n{BARE.text}"
    )
    return refused(text(body), "only-quoted", BARE.orders)


@letter("refused-attribution-with-a-long-name-between")
def _() -> Letter:
    body = (
        "Nein.\n\nAm 19. November 2026 um 21:12 schrieb Ada Marsh, Schiedsrichterin und\nVerwalterin der "
        f"Alderfurt <umpire@ford.example>:\n\n{BARE.text}"
    )
    return refused(text(body), "only-quoted", BARE.orders)


@letter("refused-forwarded-message-of-dashes")
def _() -> Letter:
    body = (
        "fyi\n\n---------- Forwarded message ----------\nFrom: Cleo <cleo@east.example>\nDate: 2026-11-18\n"
        f"Subject: plan\nTo: Pia\n\n{SPACED}"
    )
    return refused(text(body, "Fwd: plan"), "only-quoted", SPACED)


@letter("refused-weitergeleitete-nachricht")
def _() -> Letter:
    body = (
        "Zur Kenntnis\n\n---------- Weitergeleitete Nachricht ----------\nVon: Cleo <cleo@east.example>\n"
        f"Datum: 18. November 2026\nBetreff: Plan\nAn: Pia\n\n{SPACED}"
    )
    return refused(text(body, "WG: Plan"), "only-quoted", SPACED)


@letter("refused-message-transfere")
def _() -> Letter:
    body = (
        "Pour info\n\n-------- Message transféré --------\nSujet : plan\nDate : 18 novembre 2026\nDe : "
        f"Cleo <cleo@east.example>\nPour : Pia\n\n{SPACED}"
    )
    return refused(text(body, "TR: plan"), "only-quoted", SPACED)


@letter("refused-html-blockquote-alone")
def _() -> Letter:
    return refused(html(f"<p>See:</p><blockquote>{brs(WHEN)}</blockquote>"), "only-quoted", WHEN)


@letter("refused-html-border-on-the-left")
def _() -> Letter:
    return refused(
        html(
            '<p>See:</p><div style="border-left: 2px solid #ccc; padding-left: 1ex; margin-left: '
            f'1ex">{brs(WHEN)}</div>'
        ),
        "only-quoted",
        WHEN,
    )


@letter("refused-html-marks-and-no-blockquote")
def _() -> Letter:
    return refused(html(f"Hm?<br>{brs(quote(GOAT))}"), "only-quoted", GOAT)


@letter("refused-html-hidden-orders")
def _() -> Letter:
    rich = (
        f'<p>Hello Ada</p><div style="display:none">{brs(HERONS)}</div><span '
        f'style="font-size:0px;line-height:0">{brs(GOAT)}</span>'
    )
    return refused(html(rich), "nothing", HERONS + GOAT)


@letter("refused-html-comment-and-attributes")
def _() -> Letter:
    return refused(
        html(f'<!-- {HERONS} --><p title="side: west">Hello</p><textarea hidden>{GOAT}</textarea>'),
        "nothing",
        HERONS + GOAT,
    )


@letter("refused-orders-in-a-signature")
def _() -> Letter:
    return refused(text(f"I will write tomorrow.\n\n-- \nPia\n{SHORT}"), "nothing", SHORT)


@letter("refused-two-files-of-one-zip")
def _() -> Letter:
    return refused(
        with_files(
            "", ("two.zip", "application/zip", zipped([("a.yaml", CAT.encode()), ("b.yaml", GOAT.encode())]))
        ),
        "two-files",
    )


@letter("refused-a-yaml-and-a-txt-that-differ")
def _() -> Letter:
    return refused(
        with_files(
            "Both.\n", ("west.yaml", "text/yaml", CAT.encode()), ("west.txt", "text/plain", GOAT.encode())
        ),
        "two-files",
    )


@letter("refused-a-picture-alone")
def _() -> Letter:
    return refused(with_files("", ("orders.png", "image/png", png())), "nothing")


@letter("refused-a-word-document")
def _() -> Letter:
    document = zipped(
        [("word/document.xml", f"<w:t>{HERONS}</w:t>".encode()), ("[Content_Types].xml", b"<Types/>")]
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    return refused(with_files("attached\n", ("orders.docx", kind, document)), "nothing")


@letter("refused-a-pdf")
def _() -> Letter:
    return refused(
        with_files("attached\n", ("orders.pdf", "application/pdf", b"%PDF-1.4\n(side: west) Tj\n%%EOF\n")),
        "nothing",
    )


@letter("refused-our-report-forwarded-as-an-attachment")
def _() -> Letter:
    inner = mail(
        f"From: pbem <umpire@ford.example>\nTo: {PIA}\nSubject: {REPORT.subject}\nMessage-ID: {REPORT.id}\n"
        "Auto-Submitted: auto-generated\nX-PBEM-Processor: 1\nMIME-Version: 1.0",
        part("Content-Type: text/plain; charset=utf-8", BARE.text),
        b"\n",
    )
    body = parts(
        'Content-Type: multipart/mixed; boundary="oo"',
        "oo",
        part("Content-Type: text/plain", "Is this from you?\n"),
        b"Content-Type: message/rfc822\nContent-Disposition: attachment\n\n" + inner,
    )
    return refused(mail(head("Fwd: slot 7"), body), "only-quoted", BARE.orders)


@letter("refused-a-broken-zip")
def _() -> Letter:
    return refused(
        with_files("", ("west.zip", "application/zip", zipped([("west.yaml", CAT.encode())])[:40])), "damaged"
    )


@letter("refused-plain-says-thanks-html-quotes")
def _() -> Letter:
    body = alternative(
        "zz",
        part("Content-Type: text/plain", "Thanks!\n"),
        part("Content-Type: text/html", f"Thanks!<blockquote type=cite>{BARE.html}</blockquote>"),
    )
    return refused(mail(head(), body), "nothing", BARE.orders)


@letter("refused-outlook-quotation-with-own-lines-at-the-very-end")
def _() -> Letter:
    body = (
        "-----Original Message-----\nFrom: Ada Marsh\nSent: Thursday, November 19, 2026 9:12 PM\nTo: Pia\n"
        f"Subject: {BARE.subject}\n\n{BARE.text}\n{GOAT}"
    )
    return refused(text(body), "ambiguous", BARE.orders)


@letter("refused-calendar-and-nothing-else")
def _() -> Letter:
    return refused(
        mail(
            head("Accepted: game night"),
            part(
                "Content-Type: text/calendar; method=REPLY", "BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR\n"
            ),
        ),
        "nothing",
    )


@letter("refused-orders-in-the-subject")
def _() -> Letter:
    return refused(text("see above\n", "luck: seven drunken herons"), "nothing")
