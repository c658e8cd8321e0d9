"""Letters as the mailers that came with the telephone write them: Samsung, Huawei, Xiaomi, BlackBerry, Nokia,
Windows Phone.
"""

from __future__ import annotations

from letter_parts import Letter, alternative, brs, divs, letter, mail, part, quote, refused, taken
from letter_texts import (
    BALLISTA,
    BARE,
    CAT,
    FRENCH,
    GERMAN,
    GOAT,
    HERONS,
    LUCK,
    REPORT,
    SEAT,
    SHORT,
    STANDING,
    STOP,
    TALK,
    UMPIRE,
    Turn,
)

KAI = "Kai Lund <kai@phone.example>"


def head(turn: Turn = BARE, more: str = "", id: str = "abc123def456@email.android.com") -> str:
    return (
        f"Date: Fri, 20 Nov 2026 07:41:55 +0100\nSubject: Re: {turn.subject}\nMessage-ID: <{id}>\n"
        f"X-Android-Message-ID: <{id}>\nIn-Reply-To: {turn.id}\n"
        f"From: {KAI}\nTo: {UMPIRE}\nMIME-Version: 1.0\n{more}"
    )


def both(
    plain: str, rich: str, header: str, edge: str = "--_com.samsung.android.email_1234567890123450"
) -> bytes:
    first = part("Content-Type: text/plain; charset=utf-8", plain, "base64")
    second = part("Content-Type: text/html; charset=utf-8", rich, "base64")
    return mail(header, alternative(edge, first, second))


def samsung(own: str, turn: Turn, sent: str, rule: str, words: str) -> bytes:
    """Return what a Galaxy writes: base64, its sentence, a rule, header lines without a block around them,
    the text unmarked.
    """
    rich = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body '
        f'dir="auto">{divs(own, attrs="dir=auto")}<div dir="auto"><br></div>'
        '<div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" '
        f'dir="auto">{sent}</div></div><div dir="auto"><br></div><div><br></div>'
        '<div style="font-size:100%;color:#000000" align="left" '
        f'dir="auto"><div>{rule}</div>{divs(words)}<div><br></div></div><div '
        f'dir="auto">{turn.html}</div></body></html>'
    )
    return both(f"{own}\n{sent}\n{rule}{words}\n{turn.text}", rich, head(turn))


@letter("samsung-english")
def _() -> Letter:
    words = (
        "From: Ada Marsh <umpire@ford.example> Date: 19/11/2026  21:12  (GMT+01:00) To: kai@phone.example "
        f"Subject: {BARE.subject} \n"
    )
    return taken(
        samsung(HERONS, BARE, "Sent from my Galaxy", "-------- Original message --------", words),
        HERONS,
        BARE.orders,
    )


@letter("samsung-german")
def _() -> Letter:
    words = (
        "Von: Ada Marsh <umpire@ford.example> Datum: 19.11.26  21:12  (GMT+01:00) An: kai@phone.example "
        f"Betreff: {BARE.subject} \n"
    )
    return taken(
        samsung(
            GERMAN,
            BARE,
            "Von meinem/meiner Galaxy gesendet",
            "-------- Ursprüngliche Nachricht --------",
            words,
        ),
        GERMAN,
        BARE.orders,
    )


@letter("samsung-french")
def _() -> Letter:
    words = (
        "De : Ada Marsh <umpire@ford.example> Date : 19/11/2026  21:12  (GMT+01:00) À : kai@phone.example "
        f"Objet : {BARE.subject} \n"
    )
    return taken(
        samsung(
            FRENCH, BARE, "Envoyé depuis mon appareil Galaxy", "-------- Message d'origine --------", words
        ),
        FRENCH,
        BARE.orders,
    )


@letter("samsung-html-only-header-lines")
def _() -> Letter:
    words = (
        "From: Ada Marsh <umpire@ford.example>\nDate: 19/11/2026 21:12 (GMT+01:00)\nTo: kai@phone.example\n"
        f"Subject: {BARE.subject}\n"
    )
    rich = (
        f'<html><body dir="auto">{divs(STANDING)}<div><br></div><div>-------- Original message '
        f"--------</div>{divs(words)}<div><br></div>{brs(BARE.text)}</body></html>"
    )
    return taken(
        mail(head(), part("Content-Type: text/html; charset=utf-8", rich, "base64")), STANDING, BARE.orders
    )


@letter("samsung-nothing-above")
def _() -> Letter:
    words = (
        "From: Ada Marsh <umpire@ford.example> Date: 19/11/2026  21:12  (GMT+01:00) To: kai@phone.example "
        f"Subject: {BARE.subject} \n"
    )
    return refused(
        samsung("", BARE, "Sent from my Galaxy", "-------- Original message --------", words),
        "only-quoted",
        BARE.orders,
    )


@letter("huawei-original-message-header")
def _() -> Letter:
    plain = (
        f"{GOAT}\n\n\n-------- Original Message --------\nSubject: {BARE.subject}\nFrom: Ada Marsh \nTo: "
        f"kai@phone.example\nCC: \n\n\n{BARE.text}"
    )
    rich = (
        f'<p dir="auto">{brs(GOAT)}</p><div class="quote" style="line-height: 1.5"><br><br>-------- '
        f"Original Message --------<br>Subject: {BARE.subject}<br>From: Ada Marsh <br>"
        'To: kai@phone.example<br>CC: <br><br type="attribution"><blockquote class="quote" style="margin:0 '
        f'0 0 .8ex;border-left:1px #ccc solid;">{BARE.html}</blockquote></div>'
    )
    return taken(
        both(plain, rich, head(id="f4k3@com.syntomo.email"), "--_com.android.email_987654321"),
        GOAT,
        BARE.orders,
    )


@letter("xiaomi-mail-on-time-wrote")
def _() -> Letter:
    plain = (
        f"{CAT}\n\nSent from my Redmi Note\nOn Ada Marsh <umpire@ford.example>, Nov 19, 2026 9:12 PM "
        f"wrote:\n\n{BARE.text}"
    )
    rich = (
        f'<div dir="auto">{brs(CAT)}</div><br><div class="sign">Sent from my Redmi Note</div><div '
        'class="quote_container_xiaomi_android_mail" data-hidden="true"><div '
        'class="quote" style="line-height:1.5">On Ada Marsh &lt;umpire@ford.example&gt;, Nov 19, 2026 9:12 '
        f"PM wrote:<blockquote>{BARE.html}</blockquote></div></div>"
    )
    return taken(both(plain, rich, head()), CAT, BARE.orders)


@letter("android-stock-mail-wrote")
def _() -> Letter:
    plain = f"{LUCK}\nAda Marsh <umpire@ford.example> wrote:\n\n{quote(REPORT.text, '>', '>')}"
    return taken(
        mail(head(REPORT), part("Content-Type: text/plain; charset=utf-8", plain, "base64")),
        LUCK,
        REPORT.orders,
    )


@letter("android-stock-mail-unmarked-german")
def _() -> Letter:
    plain = f"{GERMAN}\nAda Marsh <umpire@ford.example> schrieb:\n\n{BARE.text}"
    return taken(
        mail(head(), part("Content-Type: text/plain; charset=utf-8", plain, "base64")), GERMAN, BARE.orders
    )


@letter("blackberry-handheld")
def _() -> Letter:
    plain = (
        f"{SHORT}\nSent from my BlackBerry® wireless handheld\n\n-----Original Message-----\nFrom: Ada "
        "Marsh <umpire@ford.example>\nDate: Thu, 19 Nov 2026 21:12:03 \n"
        f"To: <kai@phone.example>\nSubject: {BARE.subject}\n\n{BARE.text}"
    )
    header = head(
        more="X-rim-org-msg-ref-id: 1234567890\nSensitivity: Normal\nImportance: Normal\n",
        id="1234567890-1795156915-cardhu@b18.c1.bise6.blackberry",
    )
    return taken(
        mail(header, part('Content-Type: text/plain; charset="Windows-1252"', plain, "base64", "cp1252")),
        SHORT,
        BARE.orders,
    )


@letter("blackberry-10-signature-and-table")
def _() -> Letter:
    rich = (
        '<html><head></head><body lang="en-US" style="background-color: rgb(255, 255, '
        f'255);">{divs(STOP, attrs="dir=ltr")}<div><br></div><div>Sent from my BlackBerry 10 '
        'smartphone.</div><table width="100%" '
        'style="background-color:white;border-spacing:0px;"><tbody><tr><td colspan="2"><div '
        'style="border-style: solid none none;"><div><b>'
        "From: </b>Ada Marsh</div><div><b>Sent: </b>Thursday, 19 November 2026 21:12</div><div><b>To: "
        f"</b>Kai</div><div><b>Subject: </b>{BARE.subject}</div></div></td></tr>"
        f'</tbody></table><div><br></div><div name="BB10">{BARE.html}</div></body></html>'
    )
    return taken(
        mail(head(), part('Content-Type: text/html; charset="utf-8"', rich, "base64")), STOP, BARE.orders
    )


@letter("nokia-ovi-reply")
def _() -> Letter:
    plain = (
        f"{SEAT}\nSent from my Nokia phone\n-----Original Message-----\nFrom: Ada Marsh\nSent:  19/11/2026 "
        f"21:12:03\nSubject:  {BARE.subject}\n\n{BARE.text}"
    )
    return taken(
        mail(head(), part("Content-Type: text/plain; charset=utf-8", plain, "base64")), SEAT, BARE.orders
    )


@letter("windows-phone-rule-of-lines")
def _() -> Letter:
    plain = (
        f"{TALK}\nSent from my Windows Phone\n________________________________\nFrom: Ada "
        "Marsh<mailto:umpire@ford.example>\nSent: ‎19/‎11/‎2026 21:12\nTo: Kai<mailto:kai@phone.example>\n"
        f"Subject: {BARE.subject}\n\n{BARE.text}"
    )
    return taken(
        mail(head(), part('Content-Type: text/plain; charset="utf-8"', plain, "base64")), TALK, BARE.orders
    )


@letter("sms-gateway-one-line-each-without-anything")
def _() -> Letter:
    header = (
        f"From: 4917000000000@sms.example\nTo: {UMPIRE}\nSubject: SMS\nDate: Fri, 20 Nov 2026 07:41:55 "
        "+0100\nMessage-ID: <sms1@sms.example>\n"
    )
    return taken(mail(header, "\n" + BALLISTA), BALLISTA)
