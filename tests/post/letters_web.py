"""Letters written in the browser: Yahoo, AOL, Proton, Tuta, Fastmail, Roundcube, SOGo, Horde, Zimbra, Notes,
Zoho and others.
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
    ANSWERS,
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

HANA = "Hana Novak <hana@mail.example>"
ON = "On Thursday, November 19, 2026 at 09:12:03 PM GMT+1, Ada Marsh <umpire@ford.example> wrote:"


def head(
    turn: Turn | None = REPORT, more: str = "", id: str = "1795156915.4711@mail.example", subject: str = ""
) -> str:
    refs = f"In-Reply-To: {turn.id}\nReferences: {turn.id}\n" if turn else ""
    subject = subject or (f"Re: {turn.subject}" if turn else "orders")
    return (
        f"Date: Fri, 20 Nov 2026 06:41:55 +0000 (UTC)\nFrom: {HANA}\nTo: {UMPIRE}\nMessage-ID: <{id}>\n"
        f"{refs}Subject: {subject}\nMIME-Version: 1.0\n{more}"
    )


def both(
    plain: str,
    rich: str,
    header: str,
    edge: str = "b1_4f9e2d",
    charset: str = "utf-8",
    cte: str = "quoted-printable",
) -> bytes:
    first = part(f"Content-Type: text/plain; charset={charset}", plain, cte, charset)
    second = part(f"Content-Type: text/html; charset={charset}", rich, cte, charset)
    return mail(header, alternative(edge, first, second))


def only(rich: str, header: str, cte: str = "quoted-printable", charset: str = "utf-8") -> bytes:
    return mail(header, part(f"Content-Type: text/html; charset={charset}", rich, cte, charset))


def yahoo_quoted(turn: Turn, on: str = ON) -> str:
    return (
        '<div id="yahoo_quoted_1234567890" class="yahoo_quoted"><div style="font-family:\'Helvetica Neue\', '
        'Helvetica, Arial, sans-serif;">'
        f"<div>{on}</div><div><br></div><div><br></div>{turn.html}</div></div>"
    )


@letter("yahoo-web-quotation-indented-by-spaces")
def _() -> Letter:
    quoted = "".join(f"  {line}\n" if line else "\n" for line in BARE.text.splitlines())
    plain = f" {GOAT.replace(chr(10), chr(10) + ' ').rstrip(' ')}\n    {wrapped(ON, 78)}  \n \n{quoted}"
    rich = f'<html><head></head><body><div class="ydp1a2b3c4dyahoo-style-wrap">{divs(GOAT, attrs="dir=ltr data-setdir=false")}</div>{yahoo_quoted(BARE)}</body></html>'
    header = head(
        BARE,
        "X-Mailer: WebService/1.1.22876 YMailNorrin\n",
        "1234567890.4567890.1795156915123@mail.yahoo.com",
    )
    return taken(both(plain, rich, header), GOAT, BARE.orders)


@letter("yahoo-web-html-only")
def _() -> Letter:
    rich = (
        "<html><body><div "
        f'class="yahoo-style-wrap">{divs(WHEN, spaces="nbsp")}</div>{yahoo_quoted(BARE)}</body></html>'
    )
    return taken(only(rich, head(BARE)), WHEN, BARE.orders)


@letter("yahoo-mobile-quotation-on-the-same-line")
def _() -> Letter:
    plain = (
        f"{SHORT}\nSent from Yahoo Mail on Android \n \n  On Thu, 19 Nov 2026 at 21:12, Ada "
        f"Marsh<umpire@ford.example> wrote:   {BARE.text}"
    )
    rich = (
        f'{brs(SHORT)}<br><div id="ymail_android_signature"><a href="https://mail.onelink.me/x">Sent from '
        "Yahoo Mail on Android</a></div> <br> "
        '<blockquote style="margin: 0 0 20px 0;"> <div style="font-family:Roboto, sans-serif; '
        'color:#6D00F6;"> <div>On Thu, 19 Nov 2026 at 21:12, '
        'Ada Marsh</div><div>&lt;umpire@ford.example&gt; wrote:</div> </div> <div style="padding: 10px 0 0 '
        f'20px;"> {BARE.html} </div></blockquote>'
    )
    return taken(
        both(plain, rich, head(BARE, "X-Mailer: WebService/1.1.22876 YMailAndroid\n")), SHORT, BARE.orders
    )


@letter("yahoo-classic-original-message")
def _() -> Letter:
    top = (
        "----- Original Message -----\nFrom: Ada Marsh <umpire@ford.example>\nTo: hana@mail.example\nCc: \n"
        f"Sent: Thursday, November 19, 2026 9:12 PM\nSubject: {BARE.subject}\n"
    )
    body = f"{BISHOP}\n\n{top}\n{BARE.text}"
    raw = mail(
        head(BARE, "X-Mailer: YahooMailWebService/0.8.117.340979\n"),
        part("Content-Type: text/plain; charset=us-ascii", body),
    )
    return taken(raw, BISHOP, BARE.orders)


@letter("yahoo-classic-rule-and-bold-header")
def _() -> Letter:
    plain = (
        f"{CAT}\n\n\n________________________________\n From: Ada Marsh <umpire@ford.example>\nTo: "
        "hana@mail.example \nSent: Thursday, November 19, 2026 9:12 PM\nSubject: "
        f"{BARE.subject}\n \n\n{BARE.text}"
    )
    rich = (
        f'<html><body><div style="color:#000; background-color:#fff;">{divs(CAT)}<div><br></div><hr '
        'size="1"><font size="2" face="Arial"> <b><span '
        'style="font-weight:bold;">From:</span></b> Ada Marsh<br> <b>Sent:</b> Thursday<br> '
        f"<b>Subject:</b> {BARE.subject}<br></font><br>"
        f"{brs(BARE.text)}</div></body></html>"
    )
    return taken(both(plain, rich, head(BARE)), CAT, BARE.orders)


@letter("yahoo-french")
def _() -> Letter:
    on = "Le jeudi 19 novembre 2026 à 21:12:03 UTC+1, Ada Marsh <umpire@ford.example> a écrit :"
    plain = f" {FRENCH.replace(chr(10), chr(10) + ' ').rstrip(' ')}\n    {on} \n \n{BARE.text}"
    rich = f"<div>{brs(FRENCH)}</div>{yahoo_quoted(BARE, on)}"
    return taken(both(plain, rich, head(BARE)), FRENCH, BARE.orders)


@letter("aol-original-message")
def _() -> Letter:
    top = (
        "-----Original Message-----\nFrom: Ada Marsh <umpire@ford.example>\nTo: hana <hana@aol.example>\n"
        f"Sent: Thu, Nov 19, 2026 9:12 pm\nSubject: {BARE.subject}\n"
    )
    rich = (
        f"<font color='black' size='2' face='arial'>{brs(HERONS)}\n<br>\n<div "
        'style="font-family:arial,helvetica;font-size:10pt;color:black">'
        f'{brs(top)}\n<div id="AOLMsgPart_0_4d68a632" style="margin: 0px;">\n<pre style="font-size: '
        f'9pt;"><tt>{esc(BARE.text, "plain")}</tt></pre>\n'
        "</div>\n <!-- end of AOLMsgPart_0_4d68a632 -->\n</div>\n</font>"
    )
    header = head(
        BARE,
        "X-MB-Message-Source: WebUI\nX-MB-Message-Type: User\nX-Mailer: AOL Webmail 38203-STANDARD\n",
        "8CEDEEFBEF4733B-1E5C-73DF@webmail-d070.sysops.aol.com",
    )
    return taken(both(f"{HERONS}\n\n\n{top}\n\n{BARE.text}", rich, header), HERONS, BARE.orders)


@letter("aol-in-a-message-dated")
def _() -> Letter:
    body = (
        f"{GOAT}\nIn a message dated 11/19/2026 9:12:03 P.M. Central European Standard Time, \n"
        f"umpire@ford.example writes:\n\n{BARE.text}"
    )
    raw = mail(
        head(BARE, "X-Mailer: AOL 9.7 sub 12\n"),
        part('Content-Type: text/plain; charset="US-ASCII"', body, "7bit"),
    )
    return taken(raw, GOAT, BARE.orders)


@letter("proton-top-reply")
def _() -> Letter:
    on = "On Thursday, November 19th, 2026 at 9:12 PM, Ada Marsh <umpire@ford.example> wrote:"
    plain = f"{FIGURES}\n\nSent with Proton Mail secure email.\n\n{on}\n\n{quote(BARE.text)}"
    rich = (
        f'<div style="font-family: Arial, sans-serif; font-size: 14px;">{brs(FIGURES)}</div><div '
        'class="protonmail_signature_block">Sent with Proton '
        f'Mail</div><div class="protonmail_quote">\n        {on}<br>\n        <blockquote '
        f'class="protonmail_quote" type="cite">\n{BARE.html}'
        "</blockquote><br>\n    </div>"
    )
    header = head(
        BARE, "Feedback-ID: 3456789:user:proton\nX-Pm-Message-ID: 0a1b2c3d4e5f\n", "Xy_W2q-7L1mZ@proton.me"
    )
    return taken(both(plain, rich, header, "b1_Xy7L1mZ", cte="base64"), FIGURES, BARE.orders)


@letter("proton-older-original-message-and-marks")
def _() -> Letter:
    top = (
        "------- Original Message -------\nOn Thursday, November 19th, 2026 at 21:12, Ada Marsh "
        "<umpire@ford.example> wrote:\n"
    )
    body = f"{STOP}\n\n{top}\n\n{quote(BARE.text)}"
    return taken(
        mail(head(BARE), part("Content-Type: text/plain; charset=utf-8", body, "quoted-printable")),
        STOP,
        BARE.orders,
    )


@letter("proton-attachment-and-public-key")
def _() -> Letter:
    key = (
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxjMEZ0AAABYJKwYBBAHaRw8BAQdA\n=x1Yz\n-----END PGP PUBLIC "
        "KEY BLOCK-----\n"
    )
    first = part("Content-Type: text/plain;charset=utf-8", "My orders.\n", "base64")
    file = attached(
        "Content-Type: text/yaml; filename=west.yaml; name=west.yaml\nContent-Disposition: attachment; "
        "filename=west.yaml; name=west.yaml",
        SEAT.encode(),
    )
    public = attached(
        "Content-Type: application/pgp-keys; filename=publickey.asc\nContent-Disposition: attachment; "
        'filename="publickey - hana - 0x1.asc"',
        key.encode(),
    )
    body = parts('Content-Type: multipart/mixed;boundary="b1_mixed"', "b1_mixed", first, file, public)
    return taken(mail(head(None), body), SEAT)


@letter("tuta-html-only")
def _() -> Letter:
    rich = (
        f'<html>\n  <head>\n    <meta charset="utf-8">\n  </head>\n  <body>\n{divs(STANDING, join=chr(10))}'
        "<br><div>-- <br></div><div>Sent with Tuta; enjoy secure &amp; ad-free "
        "emails.<br></div><div><br></div><div>19. Nov. 2026, 21:12 von umpire@ford.example:<br>"
        '</div><blockquote class="tutanota_quote" style="border-left: 1px solid #93A3B8; padding-left: '
        f'10px;">{BARE.html}</blockquote>  </body>\n</html>'
    )
    return taken(only(rich, head(BARE, id="N-abc_1--F-9@tuta.example"), "base64"), STANDING, BARE.orders)


@letter("tuta-english-by")
def _() -> Letter:
    rich = (
        f"<html><body>{divs(SHORT)}<div><br></div><div>Nov 19, 2026, 21:12 by umpire@ford.example:<br></div>"
        f'<blockquote class="tutanota_quote">{divs(BARE.text)}</blockquote></body></html>'
    )
    plain = f"{SHORT}\nNov 19, 2026, 21:12 by umpire@ford.example:\n{quote(BARE.text)}"
    return taken(both(plain, rich, head(BARE), "------------79Bu5A16qPEYcVIZL@tutanota"), SHORT, BARE.orders)


@letter("fastmail-top-reply")
def _() -> Letter:
    on = "On Thu, Nov 19, 2026, at 9:12 PM, Ada Marsh wrote:"
    rich = (
        "<!DOCTYPE "
        f"html><html><head><title></title></head><body>{divs(RAM)}<div><br></div><div>{on}</div><blockquote "
        f'type="cite" id="qt">{BARE.html}</blockquote></body></html>'
    )
    header = head(
        BARE,
        "X-ThreadId: T0123456789abcdef\nUser-Agent: Cyrus-JMAP/3.11.0-alpha0\n",
        "5e6f7a8b-1c2d-4e3f-9a0b@app.fastmail.com",
    )
    return taken(
        both(f"{RAM}\n{on}\n{quote(BARE.text)}", rich, header, "0123456789abcdef0123456789abcdef"),
        RAM,
        BARE.orders,
    )


@letter("roundcube-reply-below")
def _() -> Letter:
    body = f"Am 19.11.2026 21:12, schrieb Ada Marsh:\n{quote(BARE.text)}\n{GERMAN}\n-- \nHana"
    header = head(BARE, "User-Agent: Roundcube Webmail/1.6.9\n")
    return taken(
        mail(header, part("Content-Type: text/plain; charset=UTF-8;\n format=flowed", flowed(body), "8bit")),
        GERMAN,
        BARE.orders,
    )


@letter("roundcube-english-above")
def _() -> Letter:
    body = f"{LONG}\nOn 2026-11-19 21:12, Ada Marsh wrote:\n{quote(REPORT.text)}"
    header = head(REPORT, "User-Agent: Roundcube Webmail/1.4.15\n")
    return taken(
        mail(
            header, part("Content-Type: text/plain; charset=US-ASCII;\n format=flowed", flowed(body), "7bit")
        ),
        LONG,
        REPORT.orders,
    )


@letter("roundcube-html-with-paragraphs")
def _() -> Letter:
    rich = (
        "<html><head></head><body style='font-size: 10pt; font-family: Verdana,Geneva,sans-serif'>\n"
        f"{divs(SIEGE, 'p', blank='&nbsp;', join=chr(10))}\n"
        '<p id="reply-intro">On 2026-11-19 21:12, Ada Marsh wrote:</p>\n<blockquote type="cite" '
        'style="padding: 0 0.4em; border-left: #1010ff 2px solid; '
        f'margin: 0"><div id="replybody1">{BARE.html}</div></blockquote>\n</body></html>'
    )
    plain = (
        f"{SIEGE.replace(chr(10), chr(10) * 2)}On 2026-11-19 21:12, Ada Marsh wrote:\n\n{quote(BARE.text)}"
    )
    return taken(both(plain, rich, head(BARE), "=_7f0c2d1e"), SIEGE, BARE.orders)


@letter("sogo-top-reply")
def _() -> Letter:
    on = "On Thursday, November 19, 2026 21:12 CET, Ada Marsh <umpire@ford.example> wrote:"
    plain = f"{REPAIR}\n{on}\n {quote(BARE.text)}"
    rich = (
        f'<html>{brs(REPAIR, "<br />")}<br />{on}<br />&nbsp;<blockquote type="cite" '
        f'cite="x">{BARE.html}</blockquote><br />&nbsp;</html>'
    )
    return taken(
        both(
            plain,
            rich,
            head(BARE, "User-Agent: SOGoMail 5.11.2\n"),
            "----=_=-_OpenGroupware_org_NGMime-1234-",
        ),
        REPAIR,
        BARE.orders,
    )


@letter("sogo-html-only-ckeditor-paragraphs")
def _() -> Letter:
    rich = (
        f"<html>{divs(FIGURES, 'p', join=chr(10))}<p>On Thursday, November 19, 2026 21:12 CET, Ada Marsh "
        f'wrote:</p><blockquote type="cite">{BARE.html}</blockquote></html>'
    )
    return taken(only(rich, head(BARE)), FIGURES, BARE.orders)


@letter("horde-quoting")
def _() -> Letter:
    body = f"\nQuoting Ada Marsh <umpire@ford.example>:\n\n{quote(BARE.text)}\n{BALLISTA}\n\n"
    header = head(BARE, "User-Agent: Horde Application Framework 5\n")
    return taken(
        mail(
            header,
            part(
                "Content-Type: text/plain; charset=utf-8; format=flowed; "
                "DelSp=Yes\nContent-Disposition: inline",
                flowed(body, delsp=True),
            ),
        ),
        BALLISTA,
        BARE.orders,
    )


@letter("horde-german-zitat-von")
def _() -> Letter:
    body = (
        f"{GERMAN}\n\nZitat von Ada Marsh <umpire@ford.example>:\n\n{quote(BARE.text)}\n\n"
        "----------------------------------------------------------------\nThis message was sent using "
        "IMP, the Internet Messaging Program.\n"
    )
    raw = mail(
        head(BARE),
        part(
            'Content-Type: text/plain;\n\tcharset=ISO-8859-1;\n\tDelSp="Yes";\n\tformat="flowed"',
            flowed(body, delsp=True),
            "quoted-printable",
            "latin-1",
        ),
    )
    return taken(raw, GERMAN, BARE.orders)


@letter("squirrelmail-below")
def _() -> Letter:
    body = f"{quote(BARE.text)}\n\n{SETUP}\n\n"
    header = head(BARE, "User-Agent: SquirrelMail/1.4.23 [SVN]\nX-Priority: 3 (Normal)\n")
    return taken(
        mail(header, part("Content-Type: text/plain;charset=iso-8859-1", body, "8bit")), SETUP, BARE.orders
    )


@letter("zimbra-english-original-message")
def _() -> Letter:
    top = (
        '----- Original Message -----\nFrom: "Ada Marsh" <umpire@ford.example>\nTo: "Hana" '
        f"<hana@mail.example>\nSent: Thursday, November 19, 2026 9:12:03 PM\nSubject: {BARE.subject}\n"
    )
    rich = (
        '<html><body><div style="font-family: arial, helvetica, sans-serif; font-size: 12pt; color: '
        f'#000000">{divs(CAT)}<br><hr id="zwchr" '
        'data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><blockquote style="border-left:2px solid '
        '#1010FF;"><b>From: </b>"Ada Marsh"<br>'
        f"<b>Subject: </b>{BARE.subject}<br></blockquote></div><div "
        f'data-marker="__QUOTED_TEXT__"><blockquote>{BARE.html}</blockquote></div></div></body></html>'
    )
    header = head(
        BARE,
        "X-Mailer: Zimbra 8.8.15_GA_4652 (ZimbraWebClient - FF132 "
        "(Linux)/8.8.15_GA_4652)\nThread-Index: abcdef\n",
        "650787974.741595.1795156915.JavaMail.zimbra@mail.example",
    )
    return taken(both(f"{CAT}\n\n{top}\n{BARE.text}", rich, header, "=_9c1d"), CAT, BARE.orders)


@letter("notes-table-of-header-lines")
def _() -> Letter:
    plain = (
        f"{HERONS}\n\n\n\nFrom:   Ada Marsh <umpire@ford.example>\nTo:     Hana Novak/West/Example@Example\n"
        f"Date:   19.11.2026 21:12\nSubject:        {BARE.subject}\n\n\n\n{BARE.text}"
    )
    rich = (
        f'<font size=2 face="sans-serif">{brs(HERONS)}</font>\n<br>\n<br>\n<br><font size=1 color=#5f5f5f '
        'face="sans-serif">From: &nbsp; &nbsp; &nbsp; &nbsp;'
        '</font><font size=1 face="sans-serif">Ada Marsh &lt;umpire@ford.example&gt;</font>\n<br><font '
        'size=1 color=#5f5f5f face="sans-serif">Date: &nbsp; &nbsp;'
        '</font><font size=1 face="sans-serif">19.11.2026 21:12</font>\n<br><font size=1 color=#5f5f5f '
        'face="sans-serif">Subject: &nbsp;</font><font size=1>'
        f"{BARE.subject}</font>\n<br>\n<hr noshade>\n<br>\n<tt><font size=2>{brs(BARE.text)}</font></tt>\n"
    )
    header = head(
        BARE,
        "X-Mailer: IBM Notes Release 9.0.1FP8 February 23, 2017\n",
        "OF1A2B3C4D.5E6F7081-ONC1258E2F.00240000-C1258E2F.0024C1D2@west.example",
    )
    return taken(
        both(plain, rich, header, "=_alternative 0024C1D2C1258E2F_=", "US-ASCII"), HERONS, BARE.orders
    )


@letter("notes-wrote-on-date")
def _() -> Letter:
    body = (
        f'{GOAT}\nHana\n\n"Ada Marsh" <umpire@ford.example> wrote on 11/19/2026 09:12:03 PM:\n\n'
        f"{quote(BARE.text)}"
    )
    return taken(
        mail(head(BARE), part("Content-Type: text/plain; charset=US-ASCII", body)), GOAT, BARE.orders
    )


@letter("zoho-dashes-on-wrote-dashes")
def _() -> Letter:
    on = "---- On Thu, 19 Nov 2026 21:12:03 +0100 Ada Marsh <umpire@ford.example> wrote ---"
    rich = (
        '<div style="font-family: Verdana, Arial, Helvetica, sans-serif; font-size: '
        f'10pt;">{divs(STANDING)}<div class="zmail_extra" style=""><br><div '
        f'id="Zm-_Id_-Sgn1">{on}<br></div><blockquote id="blockquote_zmail" style="margin: '
        f'0px;">{BARE.html}</blockquote></div></div>'
    )
    header = head(BARE, "User-Agent: Zoho Mail\nX-Mailer: Zoho Mail\nImportance: Medium\n")
    return taken(
        both(f"{STANDING}\n\n\n\n{on}\n\n\n{BARE.text}", rich, header, "----=_Part_77_1234.5678"),
        STANDING,
        BARE.orders,
    )


@letter("mail-ru-html")
def _() -> Letter:
    on = "Четверг, 19 ноября 2026, 21:12 +01:00 от Ada Marsh <umpire@ford.example>:"
    rich = (
        f'\n<HTML><BODY><div>{brs(CAT)}</div><div>&nbsp;</div><blockquote style="border-left:1px solid '
        f'#0857A6; margin:10px; padding:0 0 0 10px;">{on}'
        '<div id=""><div class="js-helper '
        f'js-readmsg-msg"><div>{BARE.html}</div></div></div></blockquote><div>&nbsp;</div></BODY></HTML>\n'
    )
    return taken(
        both(
            f"\n{CAT}\n \n{quote(on + chr(10) + BARE.text, '>', '>')} \n",
            rich,
            head(BARE, "X-Mailer: Mail.Ru Mailer 1.0\n"),
            "--ALT--8a7b6c",
            cte="base64",
        ),
        CAT,
        BARE.orders,
    )


@letter("yandex-html-only")
def _() -> Letter:
    rich = (
        f'<div>{brs(SHORT)}</div><div> </div><div>19.11.2026, 21:12, "Ada Marsh" '
        f"&lt;umpire@ford.example&gt;:</div><blockquote>{BARE.html}</blockquote>"
    )
    return taken(
        only(rich, head(BARE, "X-Mailer: Yamail [ http://yandex.ru ] 5.0\n"), "base64"), SHORT, BARE.orders
    )


@letter("qq-chinese-header-gb18030")
def _() -> Letter:
    top = "------------------&nbsp;原始邮件&nbsp;------------------"
    rich = (
        f'<div>{brs(GOAT)}</div><div><br></div><div style="font-size: 12px;">{top}</div><div '
        'style="background:#efefef;"><div><b>发件人:</b>&nbsp;"Ada Marsh"'
        f"&lt;umpire@ford.example&gt;;</div><div><b>发送时间:</b>&nbsp;2026年11月20日</div><div><b>主题:</b>&nbsp;{BARE.subject}</div></div><div>{BARE.html}</div>"
    )
    plain = (
        f'{GOAT}\n\n\n------------------ 原始邮件 ------------------\n发件人: "Ada Marsh" <umpire@ford.example>;\n'
        f'发送时间: 2026年11月20日(星期五) 凌晨4:12\n收件人: "Hana";\n主题: {BARE.subject}\n\n{BARE.text}'
    )
    return taken(
        both(
            plain,
            rich,
            head(BARE, "X-QQ-MIME: TCMime 1.0 by Tencent\n"),
            "----=_NextPart_6FA1",
            "gb18030",
            "base64",
        ),
        GOAT,
        BARE.orders,
    )


@letter("hey-html-trix")
def _() -> Letter:
    rich = (
        f'<!DOCTYPE html><html><body><div class="trix-content"><div>{brs(LUCK)}</div></div><br><div '
        'style="padding: 20px;"><p>On November 19, 2026, Ada Marsh '
        '&lt;umpire@ford.example&gt; wrote:</p><blockquote style="border-left: 2px solid '
        f'#ccc;">{BARE.html}</blockquote></div></body></html>'
    )
    return taken(
        both(
            f"{LUCK}\nOn November 19, 2026, Ada Marsh <umpire@ford.example> wrote:\n{quote(BARE.text)}",
            rich,
            head(BARE),
        ),
        LUCK,
        BARE.orders,
    )


@letter("superhuman-html-only-unmarked-parent")
def _() -> Letter:
    rich = (
        f'<html><body><div><div><div>{brs(TALK)}</div></div><div class="sh-signature">Sent via '
        'Superhuman</div><br><div class="gmail_quote"><p>On Thu, Nov 19, '
        '2026 at 9:12 PM, Ada Marsh <span dir="ltr">&lt;umpire@ford.example&gt;</span> '
        f'wrote:<br></p><blockquote class="gmail_quote">{BARE.html}</blockquote>'
        "</div></div></body></html>"
    )
    return taken(only(rich, head(BARE)), TALK, BARE.orders)


@letter("icloud-web-nothing-above")
def _() -> Letter:
    rich = (
        "<html><body><div><br></div><div><br>On Nov 19, 2026, at 9:12 PM, Ada Marsh "
        f'wrote:<br><br></div><blockquote type="cite">{BARE.html}</blockquote></body></html>'
    )
    return refused(
        both(f"\n\nOn Nov 19, 2026, at 9:12 PM, Ada Marsh wrote:\n\n{BARE.text}", rich, head(BARE)),
        "only-quoted",
        BARE.orders,
    )


@letter("yahoo-web-forwarded")
def _() -> Letter:
    top = (
        "   ----- Forwarded message ----- From: Cleo <cleo@east.example>To: Hana <hana@mail.example>Sent: "
        "Wednesday, November 18, 2026 at 10:00:00 PM GMT+1Subject: plan"
    )
    rich = (
        '<div>see below</div><div id="yahoo_quoted_1" '
        f'class="yahoo_quoted"><div>{top}</div><div>{brs(SPACED)}</div></div>'
    )
    return refused(
        both(f" see below\n\n{top}\n {SPACED}", rich, head(None, subject="Fw: plan")), "only-quoted", SPACED
    )


@letter("roundcube-forwarded-inline")
def _() -> Letter:
    top = (
        "-------- Original Message --------\nSubject: plan\nDate: 2026-11-18 22:00\nFrom: Cleo "
        "<cleo@east.example>\nTo: Hana <hana@mail.example>\n"
    )
    raw = mail(
        head(None, subject="Fwd: plan"),
        part("Content-Type: text/plain; charset=US-ASCII;\n format=flowed", flowed(f"\n\n{top}\n{SPACED}")),
    )
    return refused(raw, "only-quoted", SPACED)


@letter("web-form-name-address-message")
def _() -> Letter:
    body = (
        f"Name: Hana Novak\nE-Mail: hana@mail.example\nNachricht:\n\n{ONLYSTANDING}\n--\nThis e-mail was "
        "sent from a contact form on Alder Ford (https://ford.example)\n"
    )
    header = (
        f"Date: Fri, 20 Nov 2026 06:41:55 +0000\nTo: {UMPIRE}\nFrom: Alder Ford "
        "<wordpress@ford-web.example>\nReply-To: hana@mail.example\nSubject: Contact form\nMessage-ID: "
        "<wp1@ford-web.example>\nX-Mailer: PHPMailer 6.9.1 (https://github.com/PHPMailer/PHPMailer)\n"
        "MIME-Version: 1.0\n"
    )
    return taken(mail(header, part("Content-Type: text/plain; charset=UTF-8", body)), ONLYSTANDING)


@letter("web-form-html-table")
def _() -> Letter:
    rich = f"<html><body><table><tr><td><strong>Player</strong></td><td>Hana</td></tr><tr><td><strong>Orders</strong></td><td>{brs(RIDERS, '<br />' + chr(10))}</td></tr></table></body></html>"
    return taken(only(rich, head(None, "X-Mailer: Gravity Forms\n")), RIDERS)


@letter("fastmail-answers-in-a-fence")
def _() -> Letter:
    body = (
        f"My answers:\n\n```yaml\n{ANSWERS}```\n\nThat was hard: sorry it took so long.\n\nOn Thu, Nov 19, "
        f"2026, at 9:12 PM, Ada Marsh wrote:\n{quote(SHEET.text)}"
    )
    return taken(
        mail(head(SHEET), part("Content-Type: text/plain;charset=utf-8;format=flowed", flowed(body))),
        ANSWERS,
        SHEET.orders,
    )


@letter("proton-html-only-comments-in-grey")
def _() -> Letter:
    rich = (
        f'<div>{brs(COMMENTS)}</div><div class="protonmail_quote">On Thursday, Ada Marsh '
        f'wrote:<br><blockquote class="protonmail_quote">{BARE.html}</blockquote></div>'
    )
    return taken(only(rich, head(BARE), "7bit"), COMMENTS, BARE.orders)


@letter("rainloop-snappymail-html")
def _() -> Letter:
    plain = (
        f'{STOP}\n19 November 2026 at 21:12, "Ada Marsh" <umpire@ford.example (mailto:umpire@ford.example)> '
        f"wrote:\n\n{quote(BARE.text)}"
    )
    rich = (
        f'<!DOCTYPE html><html><body><div data-html-editor-font-wrapper="true">{brs(STOP)}<br>19 November '
        f'2026 at 21:12, "Ada Marsh" wrote:<br><blockquote>{BARE.html}</blockquote></div></body></html>'
    )
    return taken(
        both(plain, rich, head(BARE, "X-Mailer: RainLoop/1.17.0\n"), "--=_RainLoop_33_1"), STOP, BARE.orders
    )


@letter("fastmail-quoted-printable-of-everything")
def _() -> Letter:
    body = f"{HERONS}\nOn Thu, Nov 19, 2026, at 9:12 PM, Ada Marsh wrote:\n{quote(BARE.text)}"
    data = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: Quoted-Printable\n\n"
    coded = qp(body.encode(), also="".join(chr(sign) for sign in range(33, 127) if chr(sign) not in "=\n"))
    return taken(mail(head(BARE), data + coded.lower()), HERONS, BARE.orders)
