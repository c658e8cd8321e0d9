"""Letters in the shapes of fixtures that others published (of reply parsers, MIME libraries, forums), with
words of our own.

The shape alone is theirs: what stands where, what is broken and how. Names say whose fixtures have such a
shape.
"""

from __future__ import annotations

from letter_parts import (
    Letter,
    alternative,
    attached,
    b64_of,
    brs,
    divs,
    letter,
    mail,
    part,
    parts,
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
    LUCK,
    REPORT,
    RIDERS,
    SHORT,
    SPACED,
    STANDING,
    STOP,
    TALK,
    UMPIRE,
    WHEN,
)

SAM = "Sam Sample <sam@sample.example>"
ON = "On Thu, Nov 19, 2026 at 9:12 PM, Ada Marsh <umpire@ford.example> wrote:"


def head(more: str = "", subject: str = "Re: your move", sender: str = SAM) -> str:
    return (
        f"From: {sender}\nTo: {UMPIRE}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\n"
        f"Message-ID: <f1@sample.example>\nMIME-Version: 1.0\n{more}"
    )


def text(body: str, kind: str = "text/plain; charset=utf-8") -> bytes:
    return mail(head(), part(f"Content-Type: {kind}", body, "" if body.isascii() else "quoted-printable"))


# --- reply parsers (GitHub, Zapier, Crisp, talon, quotequail, griddler, Discourse)


@letter("shape-reply-parser-second-paragraph-begins-with-on")
def _() -> Letter:
    return taken(
        text(f"Hi folks\n\nOn the other hand, these are better:\n\n{CAT}\n{ON}\n{quote(BARE.text)}"),
        CAT,
        BARE.orders,
    )


@letter("shape-reply-parser-one-is-not-on")
def _() -> Letter:
    return taken(
        text(
            f"One outstanding question: does nobody wrote: count?\n\n{GOAT}\nThanks\n\n{ON}\n\n"
            f"{quote(BARE.text)}"
        ),
        GOAT,
        BARE.orders,
    )


@letter("shape-reply-parser-greedy-on")
def _() -> Letter:
    return taken(
        text(
            "On your remote host you can run:\n     telnet 127.0.0.1 52698\nThis should connect.\n\n"
            f"{SHORT}\n{ON}\n\n{quote(BARE.text)}"
        ),
        SHORT,
        BARE.orders,
    )


@letter("shape-reply-parser-broken-reply-header")
def _() -> Letter:
    return taken(
        text(f"{HERONS}\n{ON[:40]}\n{ON[40:]}\n\n{quote(BARE.text)}\n\n-- \nSam"), HERONS, BARE.orders
    )


@letter("shape-reply-parser-header-from-to-date-subject-marked")
def _() -> Letter:
    top = (
        "*From: *Ada Marsh <umpire@ford.example>\n*To: *Sam\n*Date: *Thu, 19 Nov 2026\n*Subject: * "
        f"{BARE.subject}\n"
    )
    return taken(
        text(f"{STANDING}\n_____________________________________________\n{top}\n{BARE.text}"),
        STANDING,
        BARE.orders,
    )


@letter("shape-reply-parser-header-with-reply-to")
def _() -> Letter:
    top = (
        "From: Ada Marsh <umpire@ford.example>\nReply-To: Ada Marsh <umpire+k7mp2xqa@ford.example>\nDate: "
        f"Thursday, November 19, 2026 9:12 PM\nTo: Sam <sam@sample.example>\nSubject: {BARE.subject}\n"
    )
    return taken(text(f"{FIGURES}\n{top}\n{BARE.text}"), FIGURES, BARE.orders)


@letter("shape-reply-parser-signature-delimiter-within-a-line")
def _() -> Letter:
    return taken(
        text(
            f"Hi there!\n\nStuff happened.\n\nAnd here is a fix -- this is not a signature.\n\n{BISHOP}\n"
            f"{ON}\n\n{quote(BARE.text)}"
        ),
        BISHOP,
        BARE.orders,
    )


@letter("shape-reply-parser-pathological-ons")
def _() -> Letter:
    return taken(text(f"{'On ' * 700}\n\n{LUCK}\n{'_' * 700}\n{'On a ' * 100}wrote\n"), LUCK)


@letter("shape-reply-parser-bullets-of-stars")
def _() -> Letter:
    return taken(
        text(f"  * My first point\n  * and: a second\n\n{SPACED}\n{ON}\n\n{quote(BARE.text)}"),
        SPACED,
        BARE.orders,
    )


@letter("shape-reply-parser-angle-brackets-stripped")
def _() -> Letter:
    return taken(
        text(
            f"{GOAT}\nOn Thu, Nov 19, 2026 at 9:12 PM, Ada Marsh umpire@ford.example\nwrote:\n\n"
            f"{quote(BARE.text)}"
        ),
        GOAT,
        BARE.orders,
    )


@letter("shape-reply-parser-caution-box-first")
def _() -> Letter:
    return taken(
        text(
            "CAUTION: This email originated from outside of the organization. Do not click\nlinks or open "
            f"attachments unless you trust the sender.\n\n{CAT}\nFrom: Ada <umpire@ford.example>\nSent: "
            f"Thursday, November 19, 2026 9:12 PM\nTo: Sam\nSubject: x\n\n{BARE.text}"
        ),
        CAT,
        BARE.orders,
    )


@letter("shape-reply-parser-several-headers-below-each-other")
def _() -> Letter:
    older = f"From: Sam\nSent: Wednesday\nTo: Ada\nSubject: Re: x\n\n{HERONS}"
    return taken(
        text(
            f"{SHORT}\nFrom: Ada <umpire@ford.example>\nSent: Thursday\nTo: Sam\n"
            f"Subject: x\n\nWhich?\n\n{older}"
        ),
        SHORT,
        HERONS,
    )


@letter("shape-reply-parser-address-with-wrote-in-a-link")
def _() -> Letter:
    return taken(text(f"See https://blog.example/2026/what-ada-wrote: it is on the point.\n\n{STOP}"), STOP)


@letter("shape-reply-parser-from-and-to-in-own-prose")
def _() -> Letter:
    return taken(text(f"The road runs\nFrom: the mill\nand ends at the ford.\n\n{RIDERS}"), RIDERS)


@letter("shape-reply-parser-regards-in-a-sentence")
def _() -> Letter:
    return taken(
        text(f"Give my regards to Cleo. Best regards, she said, are cheap.\n\n{COMMENTS}\nRegards,\nSam\n"),
        COMMENTS,
    )


@letter("shape-reply-parser-many-dashes")
def _() -> Letter:
    return taken(text(f"part one\n---\npart two\n-----\n\n{WHEN}\n----\n\nSam\n"), WHEN)


@letter("shape-reply-parser-sent-from-in-the-content")
def _() -> Letter:
    return taken(
        text(
            "The letter was sent from my phone by mistake.\nSent from my heart:\n"
            f"\n{CAT}\n\nSent from my TI-85\n"
        ),
        CAT,
    )


@letter("shape-reply-parser-quotation-without-an-attribution")
def _() -> Letter:
    return taken(text(f"{quote(BARE.text)}\n{GOAT}"), GOAT, BARE.orders)


@letter("shape-reply-parser-danish-dash-separators")
def _() -> Letter:
    return taken(
        text(
            f"{HERONS}\n---------------- Oprindelig besked ----------------\nFra: Ada Marsh "
            f"<umpire@ford.example>\nDato: 19. november 2026\nTil: Sam\nEmne: x\n\n{BARE.text}"
        ),
        HERONS,
        BARE.orders,
    )


@letter("shape-reply-parser-finnish-and-norwegian-lines")
def _() -> Letter:
    return taken(
        text(
            f"{SHORT}\nto 19. marrask. 2026 klo 21.12 Ada Marsh (umpire@ford.example) kirjoitti:\n\n"
            f"{quote(BARE.text)}"
        ),
        SHORT,
        BARE.orders,
    )


@letter("shape-reply-parser-chinese-line")
def _() -> Letter:
    return taken(
        text(
            f"{CAT}\nAda Marsh <umpire@ford.example> 於 2026年11月19日 週四 下午9:12 寫道：\n\n{quote(BARE.text)}"
        ),
        CAT,
        BARE.orders,
    )


@letter("shape-griddler-reply-above-this-line")
def _() -> Letter:
    return taken(
        text(f"{FIGURES}\nOn Thu, Ada wrote:\n> -- REPLY ABOVE THIS LINE --\n>\n{quote(BARE.text)}"),
        FIGURES,
        BARE.orders,
    )


@letter("shape-talon-hotmail-german-html")
def _() -> Letter:
    rich = (
        f'<html><body class="hmmessage"><div dir="ltr">{brs(GERMAN)}<br><hr id="stopSpelling">Von: '
        "umpire@ford.example<br>An: sam@sample.example<br>Betreff: x<br>Datum: Thu, 19 Nov "
        f"2026<br><br>{brs(BARE.text)}</div></body></html>"
    )
    return taken(
        mail(
            head(), part("Content-Type: text/html; charset=iso-8859-1", rich, "quoted-printable", "latin-1")
        ),
        GERMAN,
        BARE.orders,
    )


@letter("shape-talon-windows-mail-russian-html")
def _() -> Letter:
    rich = (
        '<html><head><meta name="generator" content="Windows Mail 17.5.9600.20498"></head><body '
        f'dir="ltr"><div data-externalstyle="false" dir="ltr">{divs(CAT)}<div '
        'data-signatureblock="true"><div><br></div></div><div style="padding-top: 5px; border-top-color: '
        "rgb(229, 229, 229); border-top-width: 1px; border-top-style: "
        'solid;"><div><font><b>От:</b>&nbsp;<a href="mailto:umpire@ford.example">Ada '
        "Marsh</a><br><b>Отправлено:</b>&nbsp;четверг, 19 ноября 2026 г. 21:12<br><b>Кому:</b>"
        f'&nbsp;<a>Sam</a></font></div></div><div><br></div><div dir="">{BARE.html}</div></div></body></html>'
    )
    return taken(
        mail(head(), part("Content-Type: text/html; charset=utf-8", rich, "base64")), CAT, BARE.orders
    )


@letter("shape-talon-reply-wrapped-in-tables")
def _() -> Letter:
    rich = (
        f"<table><tbody><tr><td><table><tr><td>{divs(GOAT)}</td></tr></table></td></tr><tr><td><blockquote "
        f"type=cite>{BARE.html}</blockquote></td></tr></tbody></table>"
    )
    return taken(mail(head(), part("Content-Type: text/html; charset=utf-8", rich)), GOAT, BARE.orders)


@letter("shape-quotequail-forward-in-mail-ru")
def _() -> Letter:
    rich = (
        "<HTML><BODY><br><br><br>-------- Пересылаемое сообщение --------<br>От кого: Cleo<br>Кому: "
        f"Sam<br>Тема: plan<br><br><div>{brs(SPACED)}</div></BODY></HTML>"
    )
    return refused(
        mail(head(), part("Content-Type: text/html; charset=utf-8", rich, "base64")), "only-quoted", SPACED
    )


@letter("shape-discourse-big5-body")
def _() -> Letter:
    orders = "side: east\nmove:\n- odo to 0713\nmessage: 你好\n"
    return taken(
        mail(head(), part("Content-Type: text/plain; charset=big5", orders, "base64", "big5")), orders
    )


@letter("shape-discourse-hebrew-right-to-left-html")
def _() -> Letter:
    rich = (
        f'<div dir="rtl"><div dir="ltr">{brs(STANDING)}</div><div class="gmail_quote">\u200fבתאריך יום ה׳, '
        "19 בנוב׳ 2026 ב-21:12 מאת \u202aAda Marsh\u202c\u200f:<blockquote "
        f'class="gmail_quote">{BARE.html}</blockquote></div></div>'
    )
    return taken(
        mail(head(), part("Content-Type: text/html; charset=utf-8", rich, "base64")), STANDING, BARE.orders
    )


@letter("shape-discourse-inline-pieces-of-html")
def _() -> Letter:
    one = part("Content-Type: text/plain; charset=utf-8\nContent-Disposition: inline", f"{SHORT}")
    two = part("Content-Type: text/html; charset=utf-8\nContent-Disposition: inline", "<p>Sam</p>")
    return taken(mail(head(), parts("Content-Type: multipart/mixed; boundary=pp", "pp", one, two)), SHORT)


# --- MIME libraries (enmime, Python)


@letter("shape-enmime-not-a-letter")
def _() -> Letter:
    return refused(b"// Not an RFC-822 Document", "nothing")


@letter("shape-enmime-header-alone")
def _() -> Letter:
    return refused(b"From: Sam <sam@sample.example>\r\nSubject: nothing else", "nothing")


@letter("shape-enmime-boundary-that-begins-like-another")
def _() -> Letter:
    inner = parts(
        "Content-Type: multipart/alternative; boundary=Test-100_alt",
        "Test-100_alt",
        part("Content-Type: text/plain", HERONS),
        part("Content-Type: text/html", f"<p>{brs(HERONS)}</p>"),
    )
    return taken(
        mail(head(), parts("Content-Type: multipart/mixed; boundary=Test-100", "Test-100", inner)), HERONS
    )


@letter("shape-enmime-multipart-without-a-boundary")
def _() -> Letter:
    return taken(mail(head(), b"Content-Type: multipart/mixed\n\n" + CAT.encode()), CAT)


@letter("shape-enmime-final-boundary-with-one-dash")
def _() -> Letter:
    body = (
        parts(
            "Content-Type: multipart/mixed; boundary=bf",
            "bf",
            part("Content-Type: text/plain", GOAT),
            close=False,
        )
        + b"--bf-\n"
    )
    return taken(mail(head(), body), GOAT)


@letter("shape-enmime-header-wrapped-without-a-space")
def _() -> Letter:
    file = (
        b"Content-Transfer-Encoding: base64\nContent-Type: application/octet-stream; x-unix-mode=0600;\n"
        b'name="west.yaml"\nContent-Disposition: attachment; filename="west.yaml"\n\n'
        + b64_of(FIGURES.encode())
    )
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=hw",
                "hw",
                part("Content-Type: text/plain", "\n"),
                file,
            ),
        ),
        FIGURES,
    )


@letter("shape-enmime-duplicate-and-unquoted-parameters")
def _() -> Letter:
    file = attached(
        "Content-Type: text/plain; charset=utf-8; charset=iso-8859-1; name=west bank.yaml; name=x\n"
        "Content-Disposition: attachment; filename=west bank (4).yaml",
        SHORT.encode(),
    )
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=dp",
                "dp",
                part("Content-Type: text/plain", "\n"),
                file,
            ),
        ),
        SHORT,
    )


@letter("shape-enmime-quote-of-a-parameter-not-closed")
def _() -> Letter:
    file = attached(
        'Content-Type: text/yaml; name="west.yaml\nContent-Disposition: attachment; filename="west.yaml',
        STOP.encode(),
    )
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=qp",
                "qp",
                part("Content-Type: text/plain", "\n"),
                file,
            ),
        ),
        STOP,
    )


@letter("shape-enmime-content-type-empty")
def _() -> Letter:
    return taken(mail(head(), b"Content-Type: \n\n" + BISHOP.encode()), BISHOP)


@letter("shape-enmime-content-type-nonsense")
def _() -> Letter:
    return taken(mail(head(), b"Content-Type: text/plain;charset=utf-8;;;=;x\n\n" + FRENCH.encode()), FRENCH)


@letter("shape-enmime-unknown-charset-of-a-part-in-html")
def _() -> Letter:
    return taken(
        mail(head(), part("Content-Type: text/html; charset=iso-8859-4711", f"<p>{brs(LUCK)}</p>")), LUCK
    )


@letter("shape-enmime-attachment-without-a-type")
def _() -> Letter:
    file = (
        b'Content-Disposition: attachment; filename="east.yml"\nContent-Transfer-Encoding: base64\n\n'
        + b64_of(TALK.encode())
    )
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=nt",
                "nt",
                part("Content-Type: text/plain", "\n"),
                file,
            ),
        ),
        TALK,
    )


@letter("shape-enmime-malformed-base64-attachment")
def _() -> Letter:
    file = (
        b'Content-Type: text/yaml; name="east.yml"\nContent-Disposition: attachment; filename="east.yml"\n'
        b"Content-Transfer-Encoding: base64\n\n" + b64_of(RIDERS.encode())[:-6] + b"#?\n"
    )
    return refused(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=mb",
                "mb",
                part("Content-Type: text/plain", "\n"),
                file,
            ),
        ),
        "damaged",
    )


@letter("shape-enmime-html-that-contains-the-boundary-text")
def _() -> Letter:
    inner = part("Content-Type: text/html", f"<p>{brs(SHORT)}</p><p>--hb is not a boundary here</p>")
    return taken(mail(head(), parts("Content-Type: multipart/mixed; boundary=hb", "hb", inner)), SHORT)


@letter("shape-python-unix-from-line-in-front")
def _() -> Letter:
    return taken(
        b"From sam@sample.example Fri Nov 20 07:41:55 2026\n"
        + mail(head(), part("Content-Type: text/plain", HERONS), b"\n"),
        HERONS,
    )


@letter("shape-python-every-transfer-encoding")
def _() -> Letter:
    made = [
        part(f'Content-Type: text/plain; charset=us-ascii; name="n{n}"', f"This is a {cte} part.\n", cte)
        for n, cte in enumerate(("7bit", "quoted-printable", "base64"))
    ]
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=ce",
                "ce",
                *made,
                part("Content-Type: text/plain; charset=us-ascii", CAT, "7bit"),
            ),
        ),
        CAT,
    )


@letter("shape-python-header-line-without-a-colon")
def _() -> Letter:
    return taken(
        mail(head("here's something interesting\n"), b"Content-Type: text/plain\n\n" + SPACED.encode()),
        SPACED,
    )


@letter("shape-python-several-charsets-in-one-letter")
def _() -> Letter:
    made = [
        part(f"Content-Type: text/plain; charset={name}", words, "base64", name)
        for name, words in (
            ("iso-8859-2", "Žádné rozkazy\n"),
            ("iso-2022-jp", "ありがとう\n"),
            ("koi8-r", "привет\n"),
        )
    ]
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=sc",
                "sc",
                part("Content-Type: text/plain; charset=iso-8859-1", GERMAN, "quoted-printable", "latin-1"),
                *made,
            ),
        ),
        GERMAN,
    )


@letter("shape-python-two-forwarded-letters-inside")
def _() -> Letter:
    inner = [
        part("Content-Type: message/rfc822", f"From: {who}\nSubject: s\n\n{orders}")
        for who, orders in (("Cleo <cleo@east.example>", SPACED), ("Ada <umpire@ford.example>", BARE.text))
    ]
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=fw",
                "fw",
                part("Content-Type: text/plain", GOAT),
                *inner,
            ),
        ),
        GOAT,
        SPACED + BARE.orders,
    )


@letter("shape-python-related-inside-mixed-inside-alternative")
def _() -> Letter:
    related = parts(
        "Content-Type: multipart/related; boundary=r3",
        "r3",
        part("Content-Type: text/html; charset=utf-8", f"<div>{brs(LONG)}</div>"),
        attached("Content-Type: image/gif\nContent-ID: <g>", b"GIF89a\1\0\1\0"),
    )
    mixed = parts("Content-Type: multipart/mixed; boundary=m3", "m3", related)
    return taken(mail(head(), alternative("a3", part("Content-Type: text/plain", " \n"), mixed)), LONG)


@letter("shape-mailman-plain-digest-of-dashes")
def _() -> Letter:
    rule = "----------------------------------------------------------------------"
    body = (
        f"Today's Topics:\n\n   1. my orders (Cleo)\n\n{rule}\n\nMessage: 1\nDate: Thu, 19 Nov 2026 "
        "20:00:00 +0100\nFrom: Cleo <cleo@east.example>\nSubject: my orders\nMessage-ID: <1@east.example>\n"
        f"\n{SPACED}\n------------------------------\n\nEnd of Siege Digest, Vol 3, Issue 7\n"
    )
    return refused(text(body), "only-quoted", SPACED)


@letter("shape-report-of-ours-answered-in-place")
def _() -> Letter:
    lines = quote(REPORT.text).splitlines(True)
    return taken(text(f"{ON}\n{''.join(lines[:5])}\n{WHEN}\n{''.join(lines[5:])}"), WHEN, REPORT.orders)
