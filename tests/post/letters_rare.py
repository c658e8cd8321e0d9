"""Letters of rarer programs and habits: GroupWise, Notes without colons, SpamAssassin's shell, Word's other
bullets, cut marks, many languages.
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
    mso,
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
    SIEGE,
    SPACED,
    STANDING,
    STOP,
    TALK,
    UMPIRE,
    WHEN,
)

RAE = "Rae Moss <rae@moss.example>"
LIST = "side: east\nmove:\n- odo to 0713\n- hob to 0714\n"


def head(subject: str = "Re: your move", more: str = "") -> str:
    return (
        f"From: {RAE}\nTo: {UMPIRE}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMessage-ID: "
        f"<q1@moss.example>\nMIME-Version: 1.0\n{more}"
    )


def text(body: str, more: str = "", kind: str = "text/plain; charset=utf-8") -> bytes:
    return mail(head(more=more), part(f"Content-Type: {kind}", body, "" if body.isascii() else "base64"))


def html(body: str) -> bytes:
    return mail(head(), part("Content-Type: text/html; charset=utf-8", body, "quoted-printable"))


@letter("groupwise-three-marks-around-the-name")
def _() -> Letter:
    body = f"{HERONS}\n>>> Ada Marsh <umpire@ford.example> 11/19/2026 9:12 PM >>>\n{BARE.text}"
    return taken(text(body, "X-Mailer: Novell GroupWise Internet Agent 14.2.3\n"), HERONS, BARE.orders)


@letter("groupwise-german-and-marks")
def _() -> Letter:
    return taken(
        text(f'{GERMAN}\n>>> "Ada Marsh" <umpire@ford.example> 19.11.2026 21:12 >>>\n{quote(BARE.text)}'),
        GERMAN,
        BARE.orders,
    )


@letter("notes-header-lines-without-colons")
def _() -> Letter:
    body = (
        f"{CAT}\n\n\n\n\nAda Marsh <umpire@ford.example> \n19.11.2026 21:12\n\nTo\nRae "
        f"Moss/West/Example@Example\ncc\n\nSubject\n{BARE.subject}\n\n\n\n\n{BARE.text}"
    )
    return taken(text(body, "X-Mailer: Lotus Notes Release 8.5.3 September 15, 2011\n"), CAT, BARE.orders)


@letter("outlook-2003-rule-of-underscores-between-spaces")
def _() -> Letter:
    body = (
        f"{GOAT}\n  _____  \n\nVon: Ada Marsh [mailto:umpire@ford.example] \nGesendet: Donnerstag, 19. "
        f"November 2026 21:12\nAn: Rae\nBetreff: x\n\n\n{BARE.text}"
    )
    return taken(text(body, kind='text/plain; charset="iso-8859-1"'), GOAT, BARE.orders)


@letter("outlook-korean-header-lines")
def _() -> Letter:
    body = (
        f"{SHORT}\n보낸 사람: Ada Marsh <umpire@ford.example>\n보낸 날짜: 2026년 11월 19일 목요일 오후 9:12\n받는 사람: Rae "
        f"<rae@moss.example>\n제목: your move\n\n{BARE.text}"
    )
    return taken(text(body), SHORT, BARE.orders)


@letter("outlook-traditional-chinese-header-lines")
def _() -> Letter:
    body = (
        f"{STOP}\n寄件者: Ada Marsh <umpire@ford.example>\n寄件日期: 2026年11月19日 下午 09:12\n收件者: Rae "
        f"<rae@moss.example>\n主旨: your move\n\n{BARE.text}"
    )
    return taken(text(body), STOP, BARE.orders)


@letter("outlook-swedish-header-lines")
def _() -> Letter:
    body = (
        f"{FIGURES}\nFrån: Ada Marsh <umpire@ford.example>\nSkickat: den 19 november 2026 21:12\nTill: Rae\n"
        f"Ämne: your move\n\n{BARE.text}"
    )
    return taken(text(body), FIGURES, BARE.orders)


@letter("outlook-turkish-header-lines-html")
def _() -> Letter:
    rich = (
        f"{mso(STANDING)}<div style='border:none;border-top:solid #E1E1E1 1.0pt'><p "
        "class=MsoNormal><b>Kimden:</b> Ada Marsh<br><b>Gönderildi:</b> 19 Kasım 2026<br><b>Kime:</b> "
        f"Rae<br><b>Konu:</b> x</p></div>{mso(BARE.text)}"
    )
    return taken(html(rich), STANDING, BARE.orders)


@letter("gmail-turkish-line")
def _() -> Letter:
    return taken(
        text(
            f"{SHORT}\nAda Marsh <umpire@ford.example>, 19 Kas 2026 Per, 21:12 tarihinde şunu yazdı:\n\n"
            f"{quote(BARE.text)}"
        ),
        SHORT,
        BARE.orders,
    )


@letter("gmail-korean-line")
def _() -> Letter:
    return taken(
        text(
            f"{LUCK}\n2026년 11월 20일 (금) 오전 5:12, Ada Marsh <umpire@ford.example>님이 작성:\n\n"
            f"{quote(REPORT.text)}"
        ),
        LUCK,
        REPORT.orders,
    )


@letter("gmail-hungarian-line")
def _() -> Letter:
    return taken(
        text(
            f"{CAT}\nAda Marsh <umpire@ford.example> ezt írta (időpont: 2026. nov. 19., Cs, 21:12):\n\n"
            f"{quote(BARE.text)}"
        ),
        CAT,
        BARE.orders,
    )


@letter("yahoo-groups-in-siege-wrote")
def _() -> Letter:
    return taken(
        text(f'--- In siege@yahoogroups.example, "Ada" <umpire@...> wrote:\n>\n{quote(BARE.text)}\n{GOAT}'),
        GOAT,
        BARE.orders,
    )


@letter("news-reader-in-article")
def _() -> Letter:
    return taken(
        text(
            f"In article <87@ford.example>, Ada Marsh wrote:\n{quote(BARE.text)}\n{BISHOP}",
            "User-Agent: slrn/1.0.3 (Linux)\n",
        ),
        BISHOP,
        BARE.orders,
    )


@letter("wanderlust-at-date-name-wrote")
def _() -> Letter:
    return taken(
        text(
            f"At Thu, 19 Nov 2026 21:12:03 +0100,\nAda Marsh wrote:\n> \n{quote(BARE.text)}\n{SPACED}",
            "User-Agent: Wanderlust/2.15.9\n",
        ),
        SPACED,
        BARE.orders,
    )


@letter("name-behind-a-star-and-nothing-more")
def _() -> Letter:
    return taken(text(f"{HERONS}\n* Ada Marsh:\n{quote(BARE.text)}"), HERONS, BARE.orders)


@letter("name-behind-a-star-over-bars")
def _() -> Letter:
    return taken(text(f"{STANDING}\n* Ada Marsh:\n{quote(BARE.text, '| ', '|')}"), STANDING, BARE.orders)


@letter("name-behind-a-star-over-initials")
def _() -> Letter:
    return taken(text(f"{CAT}\n* Ada Marsh:\n{quote(BARE.text, 'AM> ', 'AM>')}"), CAT, BARE.orders)


@letter("kmail-name-dash-date")
def _() -> Letter:
    return taken(
        text(f"{SIEGE}\nAda Marsh - 19.11.26, 21:12:03 CET:\n{quote(BARE.text)}"), SIEGE, BARE.orders
    )


@letter("samsung-old-dashes-schrieb-dashes")
def _() -> Letter:
    return taken(
        text(f"{GOAT}\n\nVon Samsung-Tablet gesendet\n\n-------- Ada Marsh schrieb --------\n\n{BARE.text}"),
        GOAT,
        BARE.orders,
    )


@letter("mail-com-header-lines-in-english")
def _() -> Letter:
    return taken(
        text(
            f'{CAT}\n \n\nSent: Thursday, November 19, 2026 at 9:12 PM\nFrom: "Ada Marsh" '
            f"<umpire@ford.example>\nTo: rae@mail.example\nSubject: x\n\n{BARE.text}"
        ),
        CAT,
        BARE.orders,
    )


@letter("android-reply-message-rule")
def _() -> Letter:
    top = (
        '----- Reply message -----\nFrom: "Ada Marsh" <umpire@ford.example>\nTo: "Rae" <rae@moss.example>\n'
        "Subject: x\nDate: Thu, Nov 19, 2026 9:12 pm\n"
    )
    return taken(text(f"{STOP}\n{top}\n\n{BARE.text}"), STOP, BARE.orders)


@letter("word-bullets-of-wingdings-in-plain-text")
def _() -> Letter:
    return taken(text("side: east\n\nmove:\n\n§  odo to 0713\n\nØ  hob to 0714\n"), LIST)


@letter("word-bullets-of-wingdings-in-html")
def _() -> Letter:
    item = (
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span "
        "style='font-family:Wingdings;mso-list:Ignore'>{}<span style='font:7.0pt \"Times New "
        "Roman\"'>&nbsp; </span></span><![endif]>{}<o:p></o:p></p>"
    )
    rich = f"<html><body>{mso('side: east' + chr(10) + 'move:')}{item.format('§', 'odo to 0713')}{item.format('Ø', 'hob to 0714')}</body></html>"
    return taken(html(rich), LIST)


@letter("word-bullet-o-of-the-second-level-in-html")
def _() -> Letter:
    item = (
        "<p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span "
        "style='font-family:\"Courier New\";mso-list:Ignore'>o<span style='font:7.0pt \"Times New "
        "Roman\"'>&nbsp;&nbsp; </span></span><![endif]>{}<o:p></o:p></p>"
    )
    return taken(
        html(
            f"<html><body>{mso('side: east' + chr(10) + 'move:')}{item.format('odo to 0713')}{item.format('hob to 0714')}</body></html>"
        ),
        LIST,
    )


@letter("list-of-numbers-in-html")
def _() -> Letter:
    return taken(
        html("<div>side: east</div><div>move:</div><ol><li>odo to 0713</li><li>hob to 0714</li></ol>"), LIST
    )


@letter("orders-indented-by-a-button")
def _() -> Letter:
    rich = (
        '<div dir="ltr">Hi,<blockquote style="margin:0 0 0 '
        f'40px;border:none;padding:0px">{divs(WHEN)}</blockquote></div>'
    )
    return taken(html(rich), WHEN)


@letter("cut-marks-around-the-orders")
def _() -> Letter:
    return taken(text(f"Hello,\n\n--- 8< ---\n{CAT}--- >8 ---\n\nRae\n"), CAT)


@letter("begin-and-end-of-orders-in-words")
def _() -> Letter:
    return taken(text(f"*** BEGIN ORDERS ***\n{RIDERS}*** END ORDERS ***\n"), RIDERS)


@letter("orders-between-equals-signs")
def _() -> Letter:
    return taken(text(f"=== ORDERS ===\n\n{LONG}\n==============\n"), LONG)


@letter("code-tags-of-a-forum")
def _() -> Letter:
    return taken(text(f"[code]\n{WHEN}[/code]\n"), WHEN)


@letter("quote-tags-of-a-forum")
def _() -> Letter:
    return refused(text(f"[quote=Ada]\n{WHEN}[/quote]\nReally?\n"), "only-quoted", WHEN)


@letter("spam-filter-put-the-letter-into-a-shell")
def _() -> Letter:
    inner = mail(head("orders").rstrip("\n"), part("Content-Type: text/plain; charset=utf-8", GOAT), b"\n")
    said = part(
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Disposition: inline",
        'Spam detection software, running on the system "mx", has identified this incoming email as '
        "possible spam.\n\nContent analysis details: (5.2 points)\n",
    )
    original = (
        b"Content-Type: message/rfc822; x-spam-type=original\nContent-Description: original message before "
        b"SpamAssassin\nContent-Disposition: inline\n\n" + inner
    )
    body = parts(
        'Content-Type: multipart/mixed; boundary="----------=_5FB7"',
        "----------=_5FB7",
        said,
        original,
        preamble="This is a multi-part message in MIME format.\n\n",
    )
    return taken(mail(head("orders", "X-Spam-Flag: YES\nX-Spam-Level: *****\n"), body), GOAT)


@letter("gateway-added-a-banner-in-html")
def _() -> Letter:
    rich = (
        '<html><body><table border=1 bgcolor="#FFEB9C"><tr><td><b>EXTERNAL:</b> This message came from '
        f"outside: be careful.</td></tr></table><br>{divs(STANDING)}</body></html>"
    )
    return taken(html(rich), STANDING)


@letter("signature-glued-to-the-last-order")
def _() -> Letter:
    return taken(text(f"{LIST}Sent from my iPhone\n"), LIST)


@letter("signature-glued-in-german")
def _() -> Letter:
    return taken(
        text(
            f"{CAT}Von meinem iPhone gesendet\n\n> Am 19.11.2026 um 21:12 schrieb Ada Marsh:\n> \n"
            f"{quote(BARE.text)}"
        ),
        CAT,
        BARE.orders,
    )


@letter("signature-glued-in-japanese")
def _() -> Letter:
    return taken(text(f"{SHORT}iPhoneから送信\n"), SHORT)


@letter("picture-in-a-flowed-text-of-emoji")
def _() -> Letter:
    orders = "side: east\nmove:\n- odo to 0713\nmessage: 🏰 hält 👍🏽\n"
    return taken(text(orders), orders)


@letter("html-and-plain-of-a-newsletter-kind")
def _() -> Letter:
    rich = (
        '<html><body><center><table width="600" cellpadding="0"><tr><td align="left"><font face="Arial" '
        f'size="2">{brs(TALK)}</font></td></tr></table></center></body></html>'
    )
    body = alternative(
        "nl",
        part(
            "Content-Type: text/plain; charset=utf-8",
            "View this message in your browser: https://west.example/1\n",
        ),
        part("Content-Type: text/html; charset=utf-8", rich),
    )
    return taken(mail(head(), body), TALK)


@letter("wiki-page-attached-as-html")
def _() -> Letter:
    page = f"<html><body><pre>{CAT}</pre></body></html>"
    file = attached(
        'Content-Type: text/html; name="orders.html"\nContent-Disposition: attachment; '
        'filename="orders.html"',
        page.encode(),
    )
    return taken(
        mail(
            head(),
            parts(
                "Content-Type: multipart/mixed; boundary=wp",
                "wp",
                part("Content-Type: text/plain; charset=utf-8", FRENCH),
                file,
            ),
        ),
        FRENCH,
    )
