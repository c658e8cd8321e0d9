"""Letters as Thunderbird writes them, K-9 (Thunderbird for Android) and FairEmail."""

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
    quote,
    refused,
    taken,
    wrapped,
)
from letter_texts import (
    ANSWERS,
    BARE,
    CAT,
    COMMENTS,
    FIGURES,
    FRENCH,
    GERMAN,
    GOAT,
    HERONS,
    LONG,
    LONGFORM,
    RAM,
    REPORT,
    SEAT,
    SHEET,
    SHORT,
    SPACED,
    STANDING,
    TALK,
    UMPIRE,
    WHEN,
    Turn,
)

FINN = "Finn Aalto <finn@posti.example>"
ON = "On 11/19/26 21:12, Ada Marsh wrote:"


def head(
    turn: Turn | None = REPORT, subject: str = "", agent: str = "Mozilla Thunderbird", language: str = "en-US"
) -> str:
    refs = f"References: {turn.id}\n" if turn else ""
    back = f"In-Reply-To: {turn.id}\n" if turn else ""
    subject = subject or (f"Re: {turn.subject}" if turn else "my orders")
    return (
        "Message-ID: <1d2c3b4a-9f8e-4d7c-8b6a-5f4e3d2c1b0a@posti.example>\nDate: Fri, 20 Nov 2026 07:41:55 "
        "+0100\nMIME-Version: 1.0\n"
        f"User-Agent: {agent}\nSubject: {subject}\nTo: {UMPIRE}\n{refs}Content-Language: {language}\nFrom: "
        f"{FINN}\n{back}"
    )


def flow(text: str, header: str, more: str = "; format=flowed", charset: str = "UTF-8") -> bytes:
    return mail(
        header,
        part(
            f"Content-Type: text/plain; charset={charset}{more}",
            flowed(text),
            "8bit" if not text.isascii() else "7bit",
            charset,
        ),
    )


def rich_of(own: str, turn: Turn, on: str = ON, below: str = "") -> str:
    return (
        '<!DOCTYPE html>\n<html>\n  <head>\n    <meta http-equiv="Content-Type"\n      content="text/html; '
        'charset=UTF-8">\n  </head>\n  <body>\n'
        f"    <p>{brs(own, end=chr(10) + '    ')}</p>\n    <p><br>\n    </p>\n    <div "
        f'class="moz-cite-prefix">{on}<br>\n    </div>\n'
        f'    <blockquote type="cite"\n      cite="mid:{turn.id[1:-1]}">\n      {turn.html}\n    '
        f"</blockquote>\n    {below}<br>\n  </body>\n</html>\n"
    )


@letter("thunderbird-flowed-reply-below")
def _() -> Letter:
    return taken(
        flow(f"{ON}\n{quote(BARE.text)}\n{HERONS}\n\n-- \nFinn Aalto", head(BARE)), HERONS, BARE.orders
    )


@letter("thunderbird-flowed-reply-above")
def _() -> Letter:
    return taken(flow(f"{LONG}\n{ON}\n{quote(REPORT.text)}", head()), LONG, REPORT.orders)


@letter("thunderbird-flowed-indentation-stuffed")
def _() -> Letter:
    return taken(flow(f"Hi,\n\n{WHEN}\nFinn\n\n{ON}\n{quote(BARE.text)}", head(BARE)), WHEN, BARE.orders)


@letter("thunderbird-flowed-long-message")
def _() -> Letter:
    return taken(flow(f"{quote('What do you tell them?')}\n{TALK}", head()), TALK)


@letter("thunderbird-not-flowed-wrapped-at-72")
def _() -> Letter:
    text = wrapped(f"{LONG}\nAm 19.11.26 um 21:12 schrieb Ada Marsh:\n{quote(BARE.text)}", 72)
    raw = mail(head(BARE, language="de-DE"), part("Content-Type: text/plain; charset=UTF-8", text, "7bit"))
    return taken(raw, LONG, BARE.orders)


@letter("thunderbird-html-and-plain")
def _() -> Letter:
    body = alternative(
        "------------0PqXk2vT8mZrYw7LhCdE5sNf",
        part(
            "Content-Type: text/plain; charset=UTF-8; format=flowed",
            flowed(f"{FIGURES}\n\n{ON}\n{quote(BARE.text)}"),
            "7bit",
        ),
        part("Content-Type: text/html; charset=UTF-8", rich_of(FIGURES, BARE), "7bit"),
    )
    return taken(mail(head(BARE), body), FIGURES, BARE.orders)


@letter("thunderbird-html-only")
def _() -> Letter:
    raw = mail(head(BARE), part("Content-Type: text/html; charset=UTF-8", rich_of(STANDING, BARE), "7bit"))
    return taken(raw, STANDING, BARE.orders)


@letter("thunderbird-html-only-below-the-quotation")
def _() -> Letter:
    rich = rich_of("", BARE, below=f"<p>{brs(GOAT)}</p>")
    return taken(
        mail(head(BARE), part("Content-Type: text/html; charset=UTF-8", rich, "8bit")), GOAT, BARE.orders
    )


@letter("thunderbird-html-list-beside-stars-in-plain-text")
def _() -> Letter:
    rich = (
        "<html><body><p>side: east<br>move:</p><ul><li>odo to 0713</li><li>hob to "
        "0714</li></ul></body></html>"
    )
    body = alternative(
        "------------list",
        part(
            "Content-Type: text/plain; charset=UTF-8; format=flowed",
            "side: east\nmove:\n\n  * odo to 0713\n  * hob to 0714\n\n",
            "7bit",
        ),
        part("Content-Type: text/html; charset=UTF-8", rich, "7bit"),
    )
    return taken(mail(head(None), body), "side: east\nmove:\n- odo to 0713\n- hob to 0714\n")


@letter("thunderbird-preformatted")
def _() -> Letter:
    rich = (
        f'<html><body><p>Hello Ada,</p><pre>{esc(STANDING, "plain")}</pre><div class="moz-signature">-- '
        "<br>Finn</div></body></html>"
    )
    return taken(mail(head(None), part("Content-Type: text/html; charset=UTF-8", rich, "7bit")), STANDING)


@letter("thunderbird-german-attribution-and-signature")
def _() -> Letter:
    text = (
        f"{GERMAN}\nViele Grüße\nFinn\n\nAm 19.11.2026 um 21:12 schrieb Ada Marsh:\n{quote(BARE.text)}\n-- "
        "\nFinn Aalto\nFurtweg 7"
    )
    return taken(flow(text, head(BARE, language="de-DE")), GERMAN, BARE.orders)


@letter("thunderbird-french-latin15")
def _() -> Letter:
    text = f"{FRENCH}\nLe 19/11/2026 à 21:12, Ada Marsh a écrit :\n{quote(BARE.text)}"
    return taken(flow(text, head(BARE, language="fr"), charset="iso-8859-15"), FRENCH, BARE.orders)


@letter("thunderbird-answers-between-the-quotes")
def _() -> Letter:
    text = (
        f"{ON}\n> Odo has to fall back: 0612 or 0513?\n\nside: east\nanswers:\n  q1: 0612\n\n> And who is "
        "hit, hob or tam?\n\n  q2: b\n\nFinn"
    )
    return taken(flow(text, head()), ANSWERS)


@letter("thunderbird-attachment-named-by-rfc-2231")
def _() -> Letter:
    first = part("Content-Type: text/plain; charset=UTF-8; format=flowed", "siehe Anhang\n", "7bit")
    file = attached(
        'Content-Type: text/plain; charset=UTF-8; name="=?UTF-8?B?UsO8Y2t6dWcueWFtbA==?="\n'
        "Content-Disposition: attachment;\n filename*0*=UTF-8''%52%C3%BC%63%6B%7A;\n "
        "filename*1*=%75%67%2E%79%61%6D%6C",
        CAT.encode(),
    )
    edge = "------------RueckzugRueckzug"
    body = parts(
        f'Content-Type: multipart/mixed; boundary="{edge}"',
        edge,
        first,
        file,
        preamble="This is a multi-part message in MIME format.\n",
    )
    return taken(mail(head(None), body), CAT)


@letter("thunderbird-attachment-application-x-yaml-and-quotation")
def _() -> Letter:
    first = part(
        "Content-Type: text/plain; charset=UTF-8; format=flowed",
        flowed(f"{ON}\n{quote(BARE.text)}\nThe file has it all.\n"),
        "7bit",
    )
    file = part(
        'Content-Type: application/x-yaml; name="turn5.yaml"\nContent-Disposition: attachment; '
        'filename="turn5.yaml"',
        RAM,
        "7bit",
    )
    edge = "------------ABCDEFGHIJ0123456789"
    body = parts(
        f'Content-Type: multipart/mixed; boundary="{edge}"',
        edge,
        first,
        file,
        preamble="This is a multi-part message in MIME format.\n",
    )
    return taken(mail(head(BARE), body), RAM, BARE.orders)


@letter("thunderbird-redirected-as-an-attachment")
def _() -> Letter:
    inner = mail(
        "Message-ID: <first@posti.example>\nDate: Wed, 18 Nov 2026 22:00:00 +0100\nMIME-Version: 1.0\n"
        f"Subject: my orders\nTo: {UMPIRE}\nFrom: {FINN}",
        part("Content-Type: text/plain; charset=UTF-8", SPACED, "7bit"),
        b"\n",
    )
    first = part(
        "Content-Type: text/plain; charset=UTF-8; format=flowed",
        "This did not reach you, it seems.\n",
        "7bit",
    )
    file = part(
        'Content-Type: message/rfc822; charset=UTF-8; name="my orders.eml"\nContent-Disposition: '
        'attachment; filename="my orders.eml"',
        inner,
        "7bit",
    )
    body = parts('Content-Type: multipart/mixed; boundary="------------fw"', "------------fw", first, file)
    return refused(mail(head(None, "Fwd: my orders"), body), "only-quoted", SPACED)


@letter("thunderbird-somebody-elses-letter-as-an-attachment")
def _() -> Letter:
    inner = mail(
        "Message-ID: <hers@east.example>\nDate: Wed, 18 Nov 2026 22:00:00 +0100\nMIME-Version: 1.0\n"
        f"Subject: plan\nTo: {FINN}\nFrom: Cleo <cleo@east.example>",
        part("Content-Type: text/plain; charset=UTF-8", SPACED, "7bit"),
        b"\n",
    )
    first = part(
        "Content-Type: text/plain; charset=UTF-8; format=flowed",
        "Cleo shows me her orders. Is that allowed?\n",
        "7bit",
    )
    file = part(
        'Content-Type: message/rfc822; name="plan.eml"\nContent-Disposition: attachment; filename="plan.eml"',
        inner,
        "7bit",
    )
    body = parts('Content-Type: multipart/mixed; boundary="------------fw2"', "------------fw2", first, file)
    return refused(mail(head(None, "Fwd: plan"), body), "only-quoted", SPACED)


@letter("thunderbird-forwarded-inline")
def _() -> Letter:
    top = (
        "-------- Forwarded Message --------\nSubject: \tplan\nDate: \tWed, 18 Nov 2026 22:00:00 +0100\n"
        "From: \tCleo <cleo@east.example>\nTo: \tFinn\n"
    )
    return refused(
        flow(f"Look at this.\n\n\n{top}\n\n\n{SPACED}", head(None, "Fwd: plan")), "only-quoted", SPACED
    )


@letter("thunderbird-everything-quoted-filled-in-there")
def _() -> Letter:
    filled = SHEET.text.replace("# - edwold at leofred", "- edwold at leofred")
    return refused(
        flow(f"{ON}\n{quote(filled)}", head(SHEET)),
        "only-quoted",
        SHEET.orders + "- edwold at leofred or nearest\n",
    )


@letter("thunderbird-structured-orders-in-braces")
def _() -> Letter:
    return taken(flow(f"{LONGFORM}\n{ON}\n{quote(REPORT.text)}", head()), LONGFORM, REPORT.orders)


@letter("thunderbird-signed-off-above-a-cut-signature")
def _() -> Letter:
    return taken(
        flow(f"{SEAT}\n-- \nFinn Aalto\nluck: is what you make of it\nmove: on\n", head(None)),
        SEAT,
        "luck: is what you make of it\nmove: on\n",
    )


@letter("k9-top-reply")
def _() -> Letter:
    text = (
        f"{GOAT}\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n\n"
        f"On 19 November 2026 21:12:03 CET, Ada Marsh <umpire@ford.example> wrote:\n{quote(BARE.text, '>')}"
    )
    raw = mail(
        head(BARE, agent="K-9 Mail for Android"),
        part("Content-Type: text/plain;\n charset=utf-8", text, "quoted-printable"),
    )
    return taken(raw, GOAT, BARE.orders)


@letter("k9-german")
def _() -> Letter:
    text = (
        f"{GERMAN}\nAm 19. November 2026 21:12:03 MEZ schrieb Ada Marsh <umpire@ford.example>:\n"
        f"{quote(BARE.text, '>')}\n-- \n"
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet."
    )
    raw = mail(
        head(BARE, agent="K-9 Mail for Android"),
        part("Content-Type: text/plain;\n charset=utf-8", text, "quoted-printable"),
    )
    return taken(raw, GERMAN, BARE.orders)


@letter("k9-html")
def _() -> Letter:
    on = "On 19 November 2026 21:12:03 CET, Ada Marsh &lt;umpire@ford.example&gt; wrote:"
    rich = (
        f'<!DOCTYPE html><html><body>{brs(CAT)}<br><br><div class="gmail_quote">{on}<blockquote '
        'class="gmail_quote" style="margin: 0pt 0pt 0pt '
        '0.8ex; border-left: 1px solid rgb(204, 204, 204); padding-left: 1ex;">\n<pre '
        f'class="k9mail">{esc(BARE.text, "plain")}</pre>'
        "</blockquote></div></body></html>"
    )
    plain = (
        f"{CAT}\nOn 19 November 2026 21:12:03 CET, Ada Marsh <umpire@ford.example> wrote:\n"
        f"{quote(BARE.text, '>')}"
    )
    body = alternative(
        "----4Q2C9Y1Z0X",
        part("Content-Type: text/plain;\n charset=utf-8", plain, "quoted-printable"),
        part("Content-Type: text/html;\n charset=utf-8", rich, "quoted-printable"),
    )
    return taken(mail(head(BARE, agent="Thunderbird for Android"), body), CAT, BARE.orders)


@letter("fairemail-top-reply")
def _() -> Letter:
    on = "Nov 19, 2026 9:12:03 PM Ada Marsh <umpire@ford.example>:"
    rich = (
        '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body><div dir="auto" '
        f'class="fairemail_body">{brs(SHORT)}</div>'
        f'<div class="fairemail_reply"><p>{on}</p><blockquote style="border-left:3px solid #ccc; '
        f'padding-left:3px;">{BARE.html}</blockquote></div>'
        "</body></html>"
    )
    plain = f"{SHORT}\n{on}\n\n{quote(BARE.text)}"
    body = alternative(
        "----=_Part_12_34567890.1795156915123",
        part("Content-Type: text/plain; charset=UTF-8", plain, "quoted-printable"),
        part("Content-Type: text/html; charset=UTF-8", rich, "quoted-printable"),
    )
    header = head(BARE, agent="").replace("User-Agent: \n", "X-Correlation-ID: <1795156915@posti.example>\n")
    return taken(mail(header, body), SHORT, BARE.orders)


@letter("fairemail-french-plain")
def _() -> Letter:
    text = f"{FRENCH}\n19 nov. 2026 21:12:03 Ada Marsh <umpire@ford.example>:\n\n{quote(BARE.text)}"
    raw = mail(
        head(BARE, agent="FairEmail"),
        part("Content-Type: text/plain; charset=UTF-8", text, "quoted-printable"),
    )
    return taken(raw, FRENCH, BARE.orders)


@letter("thunderbird-comments-kept")
def _() -> Letter:
    return taken(flow(f"{COMMENTS}\n{ON}\n{quote(REPORT.text)}", head()), COMMENTS, REPORT.orders)


@letter("seamonkey-html-nested-quotes")
def _() -> Letter:
    rich = (
        '<html><body text="#000000" bgcolor="#FFFFFF">Ada Marsh wrote:<br><blockquote cite="mid:x" '
        'type="cite">Which?<blockquote type="cite">'
        f"{brs(GOAT)}</blockquote></blockquote>{divs(HERONS)}</body></html>"
    )
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:91.0) Gecko/20100101 SeaMonkey/2.53.18"
    return taken(
        mail(head(agent=agent), part("Content-Type: text/html; charset=windows-1252", rich, "7bit")),
        HERONS,
        GOAT,
    )
