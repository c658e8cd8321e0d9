"""Letters of people with habits: greetings, prose, fences, comments, postscripts, signatures, files beside
the orders. No client in particular.
"""

from __future__ import annotations

from letter_parts import (
    Letter,
    alternative,
    attached,
    brs,
    letter,
    mail,
    part,
    parts,
    png,
    quote,
    taken,
    zipped,
)
from letter_texts import (
    BARE,
    BISHOP,
    CAT,
    COMMENTS,
    FIGURES,
    GERMAN,
    GOAT,
    HERONS,
    LUCK,
    REPORT,
    RIDERS,
    SETUP,
    SHEET,
    SHORT,
    SPACED,
    STANDING,
    UMPIRE,
    WHEN,
)

OLE = "Ole Berg <ole@berg.example>"


def head(subject: str = "orders", more: str = "") -> str:
    return (
        f"From: {OLE}\nTo: {UMPIRE}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMessage-ID: "
        f"<h1@berg.example>\nMIME-Version: 1.0\n{more}"
    )


def text(body: str, subject: str = "orders", more: str = "") -> bytes:
    return mail(
        head(subject, more),
        part("Content-Type: text/plain; charset=utf-8", body, "" if body.isascii() else "quoted-printable"),
    )


def with_files(body: str, *files: tuple[str, str, bytes], turn: str = "") -> bytes:
    made = [
        attached(
            f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"', data
        )
        for name, kind, data in files
    ]
    return mail(
        head(),
        parts(
            'Content-Type: multipart/mixed; boundary="hh"',
            "hh",
            part("Content-Type: text/plain; charset=utf-8", body + turn),
            *made,
        ),
    )


@letter("habit-heading-right-above")
def _() -> Letter:
    return taken(text(f"Here are my orders:\n{HERONS}"), HERONS)


@letter("habit-german-heading-and-closing-without-a-gap")
def _() -> Letter:
    return taken(text(f"Hallo Ada, hier meine Befehle:\n{GERMAN}Viele Grüße\nOle\n"), GERMAN)


@letter("habit-closing-without-a-gap")
def _() -> Letter:
    return taken(text(f"{CAT}Cheers\nOle\n"), CAT)


@letter("habit-postscript-with-a-colon")
def _() -> Letter:
    return taken(text(f"{GOAT}\nPS: sorry for the delay. Next week: no time before Thursday.\n"), GOAT)


@letter("habit-signature-lines-with-colons")
def _() -> Letter:
    return taken(
        text(f"{SHORT}\nOle Berg\nTel: +47 00 00 00 00\nWeb: https://berg.example\nFax: none\n"), SHORT
    )


@letter("habit-prose-with-wrote-above")
def _() -> Letter:
    return taken(
        text(f"On Monday I wrote that odo holds, and so wrote Ada.\nHe does not:\n\n{BISHOP}"), BISHOP
    )


@letter("habit-prose-line-that-begins-with-from")
def _() -> Letter:
    return taken(text(f"From: your favourite enemy, with love.\n\n{STANDING}"), STANDING)


@letter("habit-prose-of-dates-and-names")
def _() -> Letter:
    return taken(
        text(f"Am Montag schrieb ich noch, dass alles gut ist. Das stimmt nicht:\n\n{FIGURES}"), FIGURES
    )


@letter("habit-message-that-looks-like-an-attribution")
def _() -> Letter:
    orders = "side: east\nmessage: On Thursday Ada wrote the ford is ours\nmove:\n- odo to 0713\n"
    return taken(text(f"{orders}\nOle\n"), orders)


@letter("habit-fence-with-yaml")
def _() -> Letter:
    return taken(text(f"Hi,\n\n```yaml\n{WHEN}```\n\nBest: Ole\n"), WHEN)


@letter("habit-fence-of-tildes")
def _() -> Letter:
    return taken(text(f"~~~\n{CAT}~~~\n"), CAT)


@letter("habit-fence-over-a-quoted-fence")
def _() -> Letter:
    return taken(
        text(f"```\n{GOAT}```\n\nOn Thu, 19 Nov 2026, Ada wrote:\n> ```yaml\n{quote(SHEET.orders)}> ```\n"),
        GOAT,
        SHEET.orders,
    )


@letter("habit-comments-above-between-and-below")
def _() -> Letter:
    orders = f"# for turn 4\n# all of it\n{COMMENTS}# that is all\n"
    return taken(text(orders), orders)


@letter("habit-many-empty-lines")
def _() -> Letter:
    return taken(text(f"\n\n\nHello\n\n\n\n\n{SPACED}\n\n\n\n\nOle\n"), SPACED)


@letter("habit-prose-between-two-sections")
def _() -> Letter:
    one, two = CAT.split("fight:")
    return taken(text(f"{one}\nAnd then, once they are there,\n\nfight:{two}"), CAT)


@letter("habit-luck-first-then-the-rest")
def _() -> Letter:
    orders = LUCK + SETUP.replace("luck: three left boots\n", "")
    return taken(text(orders), orders)


@letter("habit-rule-of-dashes-around-the-orders")
def _() -> Letter:
    return taken(text(f"Orders for west\n---------------\n\n{HERONS}\n---------------\nOle\n"), HERONS)


@letter("habit-subject-that-speaks-of-absence")
def _() -> Letter:
    return taken(text(SHORT, "Away from Friday, so here are my orders"), SHORT)


@letter("habit-disclaimer-in-german-under-underscores")
def _() -> Letter:
    tail = (
        "________________________________\n\nDiese E-Mail enthält vertrauliche Informationen: Wenn Sie "
        "nicht der richtige Adressat sind, löschen Sie sie.\n"
    )
    return taken(text(f"{RIDERS}\n{tail}"), RIDERS)


@letter("habit-virus-scanner-below")
def _() -> Letter:
    return taken(
        text(
            f"{CAT}\n\n-- \nThis email has been checked for viruses by Avast antivirus software.\n"
            "www.avast.com\n"
        ),
        CAT,
    )


@letter("habit-delimiter-that-lost-its-space")
def _() -> Letter:
    return taken(text(f"{HERONS}\n--\nOle Berg\nmove: slowly\n"), HERONS, "move: slowly\n")


@letter("habit-sent-from-my-telephone-in-own-words")
def _() -> Letter:
    return taken(text(f"{GOAT}\n(Sent from a train: typos are the driver's)\n"), GOAT)


@letter("habit-quotation-first-then-signature-then-orders")
def _() -> Letter:
    return taken(text(f"Ada Marsh wrote:\n{quote(BARE.text)}\n\nOle\n\n{CAT}"), CAT, BARE.orders)


@letter("habit-own-orders-above-and-nothing-below-a-second-quotation")
def _() -> Letter:
    return taken(
        text(
            f"> Whose turn is it?\n\nMine.\n\n{SHORT}\n> {BARE.text.splitlines()[0]}\n> Please answer "
            "before Sunday evening.\n"
        ),
        SHORT,
    )


@letter("habit-report-below-its-marker-unquoted")
def _() -> Letter:
    return taken(text(f"{FIGURES}\n{REPORT.text}"), FIGURES, REPORT.orders)


@letter("habit-own-orders-over-a-fenced-sheet-below-the-marker")
def _() -> Letter:
    below = f"pbem: please write above this line\n\n```yaml\n{SHEET.orders}```\n"
    return taken(text(f"{CAT}\n{below}"), CAT, SHEET.orders)


@letter("habit-picture-beside-the-orders")
def _() -> Letter:
    return taken(with_files(WHEN, ("plan.png", "image/png", png())), WHEN)


@letter("habit-footer-as-an-attached-text")
def _() -> Letter:
    return taken(
        with_files(
            HERONS,
            (
                "ATT00001.txt",
                "text/plain",
                b"_______________________________________________\r\nsiege mailing list\r\n",
            ),
        ),
        HERONS,
    )


@letter("habit-visiting-card-beside-the-orders")
def _() -> Letter:
    card = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ole Berg\r\nNOTE:move on\r\nEND:VCARD\r\n"
    return taken(with_files(GOAT, ("ole.vcf", "text/x-vcard", card)), GOAT)


@letter("habit-same-orders-in-body-and-file")
def _() -> Letter:
    return taken(
        with_files(f"As a file and here:\n\n{CAT}", ("west.yaml", "application/x-yaml", CAT.encode())), CAT
    )


@letter("habit-file-name-in-capitals")
def _() -> Letter:
    return taken(with_files("\n", ("ORDERS.YML", "application/octet-stream", SHORT.encode())), SHORT)


@letter("habit-file-called-yaml-txt")
def _() -> Letter:
    return taken(with_files("siehe Datei\n", ("west.yaml.txt", "text/plain", GERMAN.encode())), GERMAN)


@letter("habit-file-without-its-last-line-end")
def _() -> Letter:
    return taken(with_files("", ("west.yaml", "text/yaml", HERONS.rstrip("\n").encode())), HERONS)


@letter("habit-file-in-latin1")
def _() -> Letter:
    return taken(with_files("", ("west.txt", "text/plain", GERMAN.encode("latin-1"))), GERMAN)


@letter("habit-file-with-quoted-report-inside-comments")
def _() -> Letter:
    data = f"# {BARE.subject}\n{SPACED}"
    return taken(
        with_files(f"attached\n\n{quote(BARE.text)}", ("east.yaml", "text/yaml", data.encode())),
        data,
        BARE.orders,
    )


@letter("habit-zip-with-a-readme-beside")
def _() -> Letter:
    data = zipped(
        [
            ("README", b"my orders, in west.yaml\n"),
            ("west.yaml", BISHOP.encode()),
            (".DS_Store", b"\0\0\0\1Bud1"),
        ]
    )
    return taken(with_files("", ("alder.zip", "application/x-zip-compressed", data)), BISHOP)


@letter("habit-text-file-beside-an-unrelated-one")
def _() -> Letter:
    return taken(
        with_files(
            "",
            ("west.yaml", "text/yaml", GOAT.encode()),
            ("joke.txt", "text/plain", b"A hex walks into a bar.\n"),
        ),
        GOAT,
    )


@letter("habit-html-with-a-picture-and-orders")
def _() -> Letter:
    rich = f'<html><body>{brs(STANDING)}<img src="cid:p1" alt="move: me"></body></html>'
    related = parts(
        'Content-Type: multipart/related; boundary="rr"',
        "rr",
        part("Content-Type: text/html; charset=utf-8", rich),
        attached("Content-Type: image/png\nContent-ID: <p1>", png()),
    )
    body = alternative("aa", part("Content-Type: text/plain; charset=utf-8", STANDING), related)
    return taken(mail(head(), body), STANDING)


@letter("habit-resent-by-oneself")
def _() -> Letter:
    more = (
        "Resent-From: Ole Berg <ole@berg.example>\nResent-Date: Fri, 20 Nov 2026 08:00:00 +0100\n"
        "Resent-Message-ID: <h2@berg.example>\n"
    )
    return taken(text(CAT, more=more), CAT)


@letter("habit-reply-to-a-receipt-with-corrected-orders")
def _() -> Letter:
    receipt = (
        "pbem: please write above this line\n\nNot accepted: line 7 cannot be done.\n\n| "
        f"{'| '.join(HERONS.splitlines(True))}\n"
    )
    return taken(text(f"{GOAT}\nOn Fri, 20 Nov 2026, pbem wrote:\n{quote(receipt)}"), GOAT, HERONS)
