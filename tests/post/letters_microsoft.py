"""Letters as Outlook, Exchange, Hotmail and their kin write them: quotations without a mark, Word's HTML,
``winmail.dat``.
"""

from __future__ import annotations

from letter_parts import (
    Letter,
    alternative,
    attached,
    brs,
    divs,
    esc,
    letter,
    mail,
    mso,
    part,
    parts,
    quote,
    refused,
    taken,
    tnef,
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
    RAM,
    REPAIR,
    REPORT,
    RIDERS,
    SETUP,
    SHEET,
    SHORT,
    SIEGE,
    STANDING,
    STOP,
    TALK,
    UMPIRE,
    WHEN,
    Turn,
)

DORA = '"Dora Klein" <dora.klein@west.example>'
ID = "DB9PR04MB8123C0FFEE5B7A1D9"
NEXT = f"_000_{ID}DB9PR04MB8123eurp_"
ENGLISH = ("From:", "Sent:", "To:", "Subject:", "Thursday, November 19, 2026 9:12 PM")
GERMAN_WORDS = ("Von:", "Gesendet:", "An:", "Betreff:", "Donnerstag, 19. November 2026 21:12")
FRENCH_WORDS = ("De :", "Envoyé :", "À :", "Objet :", "jeudi 19 novembre 2026 21:12")
WORD = (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" '
    'xmlns="http://www.w3.org/TR/REC-html40"><head><meta name=Generator content="Microsoft Word 15 '
    '(filtered medium)"><style><!--\n'
    "/* Style Definitions */\np.MsoNormal, li.MsoNormal, div.MsoNormal\n\t{margin:0cm;\n\tfont-size:11.0pt;\n"
    '\tfont-family:"Calibri",sans-serif;}\n@page WordSection1\n\t{size:612.0pt 792.0pt;}\n--></style>'
    '<!--[if gte mso 9]><xml>\n<o:shapedefaults v:ext="edit" spidmax="1026" />\n</xml><![endif]--></head>'
    '<body lang=EN-GB link="#0563C1" vlink="#954F72"><div class=WordSection1>\n'
)


def head(turn: Turn | None = REPORT, subject: str = "", language: str = "en-GB", prefix: str = "RE") -> str:
    refs = f"References: {turn.id}\nIn-Reply-To: {turn.id}\n" if turn else ""
    subject = subject or (f"{prefix}: {turn.subject}" if turn else "Orders")
    return (
        f"From: {DORA}\nTo: {UMPIRE}\nSubject: {subject}\nThread-Topic: "
        f"{subject.partition(': ')[2] or subject}\n"
        f"Thread-Index: AQHcWZ7c0v3bqE2mT0yB2o5n1pQx9LQ7Zx0A\nDate: Fri, 20 Nov 2026 06:41:55 +0000\n"
        f"Message-ID:\n <{ID}@DB9PR04MB8123.eurprd04.prod.outlook.com>\n{refs}Accept-Language: {language}\n"
        f"Content-Language: {language}\nX-MS-Has-Attach:\nX-MS-TNEF-Correlator:\nMIME-Version: 1.0\n"
    )


def block(
    turn: Turn, words: tuple[str, ...] = ENGLISH, to: str = "Dora Klein <dora.klein@west.example>"
) -> str:
    """Return the header that stands above what is answered."""
    von, sent, an, about, when = words
    return f"{von} {UMPIRE}\n{sent} {when}\n{an} {to}\n{about} {turn.subject}\n"


def rich_block(turn: Turn, words: tuple[str, ...] = ENGLISH) -> str:
    lines = [
        line.partition(" ") if words[0][-2] != " " else line.partition(": ")
        for line in block(turn, words).splitlines()
    ]
    said = "<br>".join(
        f"<b>{one}{'' if one.endswith(':') else ':'}</b> {esc(rest)}" for one, _, rest in lines
    )
    return (
        "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p "
        "class=MsoNormal>"
        f"<span lang=EN-US>{said}<o:p></o:p></span></p></div></div>"
    )


def outlook(plain: str, rich: str, header: str, charset: str = "utf-8") -> bytes:
    first = part(
        f'Content-Type: text/plain; charset="{charset}"',
        plain,
        "quoted-printable" if charset != "us-ascii" else "",
        charset,
    )
    second = part(f'Content-Type: text/html; charset="{charset}"', rich, "quoted-printable", charset)
    body = parts(f'Content-Type: multipart/alternative;\n\tboundary="{NEXT}"', NEXT, first, second)
    return mail(header, body)


def spaced(text: str) -> str:
    """Return what Word makes of its paragraphs in plain text: an empty line behind each."""
    return text.replace("\n", "\n\n")


def answered(
    own: str, turn: Turn, words: tuple[str, ...] = ENGLISH, header: str = "", below: str = ""
) -> bytes:
    plain = f"{spaced(own + below)}\n{block(turn, words)}\n{turn.text}"
    rich = (
        f"{WORD}{mso(own + below)}\n<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n{rich_block(turn, words)}\n"
        f"{mso(turn.text)}\n</div></body></html>"
    )
    return outlook(plain, rich, header or head(turn))


@letter("outlook-desktop-top-reply")
def _() -> Letter:
    return taken(answered(HERONS, BARE, below="\nKind regards,\nDora\n"), HERONS, BARE.orders)


@letter("outlook-desktop-top-reply-to-a-marked-report")
def _() -> Letter:
    return taken(answered(GOAT, REPORT), GOAT, REPORT.orders)


@letter("outlook-desktop-german")
def _() -> Letter:
    raw = answered(
        GERMAN,
        BARE,
        GERMAN_WORDS,
        head(BARE, language="de-DE", prefix="AW"),
        "\nMit freundlichen Grüßen\nDora Klein\n",
    )
    return taken(raw, GERMAN, BARE.orders)


@letter("outlook-desktop-french")
def _() -> Letter:
    raw = answered(
        FRENCH, BARE, FRENCH_WORDS, head(BARE, language="fr-FR", prefix="RE"), "\nBien cordialement,\nDora\n"
    )
    return taken(raw, FRENCH, BARE.orders)


@letter("outlook-desktop-plain-original-message")
def _() -> Letter:
    body = f"{CAT}\nDora\n\n-----Original Message-----\n{block(BARE)}\n{BARE.text}"
    return taken(
        mail(head(BARE), part('Content-Type: text/plain; charset="us-ascii"', body, "7bit")), CAT, BARE.orders
    )


@letter("outlook-desktop-plain-german-latin1")
def _() -> Letter:
    body = (
        f"{GERMAN}\nGruß\nDora\n\n-----Ursprüngliche Nachricht-----\n{block(BARE, GERMAN_WORDS)}\n{BARE.text}"
    )
    raw = mail(
        head(BARE, language="de-DE", prefix="AW"),
        part('Content-Type: text/plain; charset="iso-8859-1"', body, "quoted-printable", "latin-1"),
    )
    return taken(raw, GERMAN, BARE.orders)


@letter("outlook-desktop-plain-french-cp1252")
def _() -> Letter:
    body = f"{FRENCH}\n-----Message d'origine-----\n{block(BARE, FRENCH_WORDS)}\n{BARE.text}"
    raw = mail(
        head(BARE, language="fr-FR"),
        part('Content-Type: text/plain; charset="Windows-1252"', body, "quoted-printable", "cp1252"),
    )
    return taken(raw, FRENCH, BARE.orders)


@letter("outlook-desktop-plain-prefixed-by-option")
def _() -> Letter:
    body = f"{STOP}\n> -----Original Message-----\n{quote(block(BARE) + chr(10) + BARE.text)}"
    return taken(
        mail(head(BARE), part('Content-Type: text/plain; charset="us-ascii"', body, "7bit")),
        STOP,
        BARE.orders,
    )


@letter("outlook-desktop-dashes-made-a-list")
def _() -> Letter:
    item = (
        "<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if "
        "!supportLists]><span style='mso-list:Ignore'>-"
        "<span style='font:7.0pt \"Times New Roman\"'>\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0 "
        "</span></span><![endif]>{}<o:p></o:p></p>\n"
    )
    rich = (
        f"{WORD}{mso('side: east' + chr(10) + 'move:')}\n"
        f"{item.format('odo to 0713')}{item.format('hob to 0714')}</div></body></html>"
    )
    plain = "side: east\n\nmove:\n\n-       odo to 0713\n\n-       hob to 0714\n\n"
    return taken(outlook(plain, rich, head(None)), "side: east\nmove:\n- odo to 0713\n- hob to 0714\n")


@letter("outlook-desktop-html-only-bullets-in-symbol-font")
def _() -> Letter:
    item = (
        "<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if "
        "!supportLists]><span style='font-family:Symbol;"
        "mso-list:Ignore'>\u00b7<span style='font:7.0pt \"Times New "
        "Roman\"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span>"
        "<![endif]>{}<o:p></o:p></p>\n"
    )
    rich = (
        f"{WORD}{mso('side: west' + chr(10) + 'move:')}\n"
        f"{item.format('tudur to 1107')}{item.format('hacon to 1207')}</div></body></html>"
    )
    raw = mail(head(None), part('Content-Type: text/html; charset="utf-8"', rich, "base64"))
    return taken(raw, "side: west\nmove:\n- tudur to 1107\n- hacon to 1207\n")


@letter("outlook-desktop-html-only-nested")
def _() -> Letter:
    rich = f"{WORD}{mso(WHEN)}\n{rich_block(REPORT)}\n{mso(REPORT.text)}</div></body></html>"
    return taken(
        mail(head(), part('Content-Type: text/html; charset="us-ascii"', _ascii(rich), "quoted-printable")),
        WHEN,
        REPORT.orders,
    )


def _ascii(rich: str) -> str:
    return "".join(sign if sign.isascii() else f"&#{ord(sign)};" for sign in rich)


@letter("outlook-desktop-quotation-kept-in-a-table")
def _() -> Letter:
    rich = (
        f"{WORD}{mso(SHORT)}\n{rich_block(BARE)}\n<table border=0><tr><td><p "
        f"class=MsoNormal>{brs(BARE.text)}</p></td></tr></table>"
        "</div></body></html>"
    )
    return taken(
        mail(head(BARE), part('Content-Type: text/html; charset="utf-8"', rich, "base64")), SHORT, BARE.orders
    )


@letter("outlook-desktop-answers-written-into-the-quotation")
def _() -> Letter:
    inside = BARE.text.replace("move:\n", "move:\n[Dora Klein] - tudur to 0909 instead\n", 1)
    body = f"Hello Ada, see my remarks below.\n\nDora\n\n-----Original Message-----\n{block(BARE)}\n{inside}"
    return refused(
        mail(head(BARE), part('Content-Type: text/plain; charset="us-ascii"', body)),
        "only-quoted",
        BARE.orders,
    )


@letter("outlook-desktop-attachment-octet-stream")
def _() -> Letter:
    body = part('Content-Type: text/plain; charset="us-ascii"', "Please find my orders attached.\n\nDora\n")
    file = attached(
        'Content-Type: application/octet-stream; name="west.yml"\nContent-Description: west.yml\n'
        "Content-Disposition: attachment; "
        'filename="west.yml"; size=180;\n\tcreation-date="Fri, 20 Nov 2026 06:40:11 GMT";\n'
        '\tmodification-date="Fri, 20 Nov 2026 06:40:11 GMT"',
        RIDERS.replace("\n", "\r\n").encode(),
    )
    mixed = parts(f'Content-Type: multipart/mixed;\n\tboundary="_004_{ID}_"', f"_004_{ID}_", body, file)
    return taken(mail(head(None).replace("Has-Attach:", "Has-Attach: yes"), mixed), RIDERS)


@letter("outlook-desktop-attachment-from-notepad-utf16")
def _() -> Letter:
    data = b"\xff\xfe" + GERMAN.replace("\n", "\r\n").encode("utf-16-le")
    file = attached(
        'Content-Type: text/plain; name="befehle.txt"\nContent-Disposition: attachment; '
        'filename="befehle.txt"',
        data,
    )
    body = part('Content-Type: text/plain; charset="us-ascii"', "anbei\n")
    mixed = parts(f'Content-Type: multipart/mixed;\n\tboundary="_005_{ID}_"', f"_005_{ID}_", body, file)
    return taken(mail(head(None), mixed), GERMAN)


@letter("outlook-desktop-attachment-with-bom")
def _() -> Letter:
    data = b"\xef\xbb\xbf" + SETUP.replace("\n", "\r\n").encode()
    file = attached(
        'Content-Type: text/plain; name="setup.txt"\nContent-Disposition: attachment; filename="setup.txt"',
        data,
    )
    body = part(
        'Content-Type: text/plain; charset="us-ascii"',
        f"-----Original Message-----\n{block(BARE)}\n{BARE.text}",
    )
    mixed = parts(f'Content-Type: multipart/mixed;\n\tboundary="_006_{ID}_"', f"_006_{ID}_", body, file)
    return taken(mail(head(BARE), mixed), SETUP, BARE.orders)


@letter("outlook-winmail-with-a-file")
def _() -> Letter:
    body = part('Content-Type: text/plain; charset="us-ascii"', "Orders attached.\n\n")
    file = attached(
        'Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Disposition: attachment; '
        'filename="winmail.dat"',
        tnef("Orders attached.\n", [("west.yaml", CAT.encode())]),
    )
    edge = "----=_NextPart_000_0042_01DC59C1.5E0A7B20"
    mixed = parts(
        f'Content-Type: multipart/mixed;\n\tboundary="{edge}"',
        edge,
        body,
        file,
        preamble="This is a multi-part message in MIME format.\n\n",
    )
    return taken(mail(head(None) + "X-Mailer: Microsoft Outlook 16.0\n", mixed), CAT)


@letter("outlook-winmail-body-alone")
def _() -> Letter:
    data = tnef(REPAIR)
    file = attached('Content-Type: application/ms-tnef; name="winmail.dat"', data)
    return taken(mail(head(None) + "X-Mailer: Microsoft Outlook 16.0\n", file), REPAIR)


@letter("outlook-winmail-body-with-a-quotation")
def _() -> Letter:
    data = tnef(f"{SHORT}\n-----Original Message-----\n{block(BARE)}\n{BARE.text}")
    file = attached(
        'Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Disposition: attachment; '
        'filename="winmail.dat"',
        data,
    )
    body = part('Content-Type: text/plain; charset="us-ascii"', "\n")
    mixed = parts('Content-Type: multipart/mixed; boundary="_007_"', "_007_", body, file)
    return taken(mail(head(BARE), mixed), SHORT, BARE.orders)


@letter("outlook-winmail-two-files-that-differ")
def _() -> Letter:
    data = tnef("two plans\n", [("a.yaml", CAT.encode()), ("b.yaml", GOAT.encode())])
    file = attached(
        'Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Disposition: attachment; '
        'filename="winmail.dat"',
        data,
    )
    mixed = parts(
        'Content-Type: multipart/mixed; boundary="_008_"',
        "_008_",
        part("Content-Type: text/plain", "two plans\n"),
        file,
    )
    return refused(mail(head(None), mixed), "two-files")


def owa(own: str, turn: Turn, words: tuple[str, ...] = ENGLISH, between: str = "", header: str = "") -> bytes:
    plain = f"{own}{between}\n________________________________\n{block(turn, words)}\n{turn.text}"
    attrs = (
        'class="elementToProof" style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt; color: '
        'rgb(0, 0, 0);"'
    )
    rich = (
        '<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\n<style '
        'type="text/css" '
        'style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>\n</head>\n<body dir="ltr">\n'
        f"{divs(own + between, attrs=attrs, join=chr(10))}\n"
        '<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" tabindex="-1">\n'
        '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" '
        'color="#000000">'
        f"{brs(block(turn, words))}</font>\n<div>&nbsp;</div>\n</div>\n"
        f"<div>{turn.html}</div>\n</body>\n</html>\n"
    )
    return outlook(plain, rich, header or head(turn), "us-ascii" if (plain + rich).isascii() else "utf-8")


@letter("outlook-web-top-reply")
def _() -> Letter:
    return taken(owa(FIGURES, BARE), FIGURES, BARE.orders)


@letter("outlook-web-german-signature-without-delimiter")
def _() -> Letter:
    sig = "\nFreundliche Grüße\n\nDora Klein\nTel.: +49 30 0000000\nwww.west.example\n"
    return taken(
        owa(SIEGE, BARE, GERMAN_WORDS, sig, head(BARE, language="de-DE", prefix="AW")), SIEGE, BARE.orders
    )


@letter("outlook-web-list-in-plain-text-by-stars")
def _() -> Letter:
    plain = (
        "side: east\nmove:\n\n  *   odo to 0713\n  *   hob to 0714\n\n\n________________________________\n"
        f"{block(REPORT)}\n{REPORT.text}"
    )
    rich = (
        '<html><body dir="ltr"><div class="elementToProof">side: east</div><div '
        'class="elementToProof">move:</div><ul '
        'data-editing-info="{}"><li><div role="presentation" class="elementToProof">odo to '
        '0713</div></li><li><div role="presentation" '
        'class="elementToProof">hob to 0714</div></li></ul><div id="appendonsend"></div><hr '
        'tabindex="-1"><div id="divRplyFwdMsg">'
        f"{brs(block(REPORT))}</div>{REPORT.html}</body></html>"
    )
    return taken(
        outlook(plain, rich, head()), "side: east\nmove:\n- odo to 0713\n- hob to 0714\n", REPORT.orders
    )


@letter("outlook-web-nothing-above-the-rule")
def _() -> Letter:
    return refused(owa("\n", BARE), "only-quoted", BARE.orders)


@letter("outlook-web-forwarded-to-the-umpire")
def _() -> Letter:
    return refused(
        owa("Is this one right?\n", SHEET, header=head(SHEET, f"Fw: {SHEET.subject}")),
        "only-quoted",
        SHEET.orders,
    )


@letter("outlook-web-html-only-base64")
def _() -> Letter:
    rich = (
        f'<html><body dir="ltr">{divs(STANDING, attrs="class=elementToProof", spaces="nbsp")}</body></html>'
    )
    return taken(mail(head(None), part('Content-Type: text/html; charset="utf-8"', rich, "base64")), STANDING)


@letter("outlook-mac-top-reply")
def _() -> Letter:
    line = (
        f"From: {UMPIRE}\nDate: Thursday, 19 November 2026 at 21:12\nTo: Dora Klein "
        f"<dora.klein@west.example>\nSubject: {BARE.subject}\n"
    )
    plain = f"{spaced(BISHOP)}\n{line}\n{BARE.text}"
    rich = (
        f'{WORD}{mso(BISHOP)}<div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm '
        '0cm"><p class="MsoNormal"><b>'
        '<span style="font-size:12.0pt;color:black">From: '
        f"</span></b>{brs(line[6:])}</p></div>{mso(BARE.text)}</div></body></html>"
    )
    raw = outlook(plain, rich, head(BARE) + "user-agent: Microsoft-MacOutlook/16.91.24111020\n")
    return taken(raw, BISHOP, BARE.orders)


@letter("outlook-iphone-get-outlook")
def _() -> Letter:
    plain = (
        f"{GOAT}\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\n"
        f"{block(BARE)}\n{BARE.text}"
    )
    rich = (
        f'<html><body><div dir="auto">{divs(GOAT, attrs="dir=auto")}</div><div '
        'id="ms-outlook-mobile-signature">Get <a '
        'href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div '
        'id="mail-editor-reference-message-container" '
        'class="ms-outlook-mobile-reference-message"><hr style="display:inline-block;width:98%"><div '
        f'id="divRplyFwdMsg">{brs(block(BARE))}'
        f"</div>{BARE.html}</div></body></html>"
    )
    return taken(outlook(plain, rich, head(BARE)), GOAT, BARE.orders)


@letter("outlook-android-french")
def _() -> Letter:
    plain = (
        f"{FRENCH}\nTélécharger Outlook pour Android<https://aka.ms/ghei36>\n"
        f"________________________________\n{block(BARE)}\n{BARE.text}"
    )
    rich = (
        f'<html><body><div dir="ltr">{brs(FRENCH)}</div><div id="ms-outlook-mobile-signature">Télécharger '
        "Outlook pour Android</div><hr>"
        f'<div id="divRplyFwdMsg">{brs(block(BARE))}</div>{BARE.html}</body></html>'
    )
    return taken(outlook(plain, rich, head(BARE, language="fr-FR")), FRENCH, BARE.orders)


@letter("outlook-android-html-only-no-rule")
def _() -> Letter:
    rich = (
        f'<html><body><div dir="auto">{brs(CAT)}</div><div class="ms-outlook-mobile-reference-message" '
        'style="border-top: 1pt solid;">'
        f"{brs(block(BARE))}</div><div "
        f"class='ms-outlook-mobile-reference-message'>{brs(BARE.text)}</div></body></html>"
    )
    return taken(
        mail(head(BARE), part('Content-Type: text/html; charset="utf-8"', rich, "base64")), CAT, BARE.orders
    )


@letter("hotmail-2012-header-behind-quote-marks")
def _() -> Letter:
    quoted = (
        f"Subject: {BARE.subject}\nFrom: umpire@ford.example\nTo: dora_k@hotmail.example\nDate: Thu, 19 Nov "
        f"2026 21:12:03 +0100\n\n{BARE.text}"
    )
    plain = f"\n{SHORT}\n{quote(quoted, empty='> ')}"
    rich = (
        "<html>\n<head>\n<style><!--\n.hmmessage P\n{\nmargin:0px;\npadding:0px\n}\n--></style></head>\n"
        "<body class='hmmessage'><div dir='ltr'>"
        f'{brs(SHORT)}<br><div><div id="SkyDrivePlaceholder"></div>{brs(quote(quoted))}</div> \t\t \t   '
        "\t\t  </div></body>\n</html>\n"
    )
    header = (
        "Message-ID: <DUB102-W192C6E94759954C4885B92B14C0@phx.gbl>\nFrom: Dora K <dora_k@hotmail.example>\n"
        "To: <umpire@ford.example>\n"
        f"Subject: RE: {BARE.subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nImportance: Normal\n"
        f"In-Reply-To: {BARE.id}\nMIME-Version: 1.0\n"
        "X-OriginalArrivalTime: 20 Nov 2026 06:41:55.0935 (UTC) FILETIME=[2A6C0DF0:01DC59C1]\n"
    )
    body = alternative(
        "_6b1f7a5e-2c53",
        part('Content-Type: text/plain; charset="iso-8859-1"', plain, "quoted-printable"),
        part('Content-Type: text/html; charset="iso-8859-1"', rich, "quoted-printable"),
    )
    return taken(mail(header, body), SHORT, BARE.orders)


@letter("hotmail-html-stop-spelling")
def _() -> Letter:
    rich = (
        f"<html><body class='hmmessage'><div dir='ltr'>{brs(HERONS)}<br><div><hr id=\"stopSpelling\">Date: "
        "Thu, 19 Nov 2026 21:12:03 +0100<br>"
        f"Subject: {BARE.subject}<br>From: umpire@ford.example<br>To: "
        f"dora_k@hotmail.example<br><br>{brs(BARE.text)}</div></div></body></html>"
    )
    plain = (
        f"{HERONS}\nDate: Thu, 19 Nov 2026 21:12:03 +0100\nSubject: {BARE.subject}\nFrom: "
        f"umpire@ford.example\nTo: dora_k@hotmail.example\n\n{BARE.text}"
    )
    return taken(outlook(plain, rich, head(BARE)), HERONS, BARE.orders)


@letter("windows-live-mail-2011")
def _() -> Letter:
    plain = (
        f"{COMMENTS}\nDora\n\nFrom: Ada Marsh \nSent: Thursday, November 19, 2026 9:12 PM\nTo: "
        "dora.klein@west.example \n"
        f"Subject: {BARE.subject}\n\n{BARE.text}"
    )
    header = (
        f"Message-ID: <5C9A1E2F6B0D4A0E9E2A@DoraPC>\nFrom: {DORA}\nTo: {UMPIRE}\nReferences: {BARE.id}\n"
        f"In-Reply-To: {BARE.id}\n"
        f"Subject: Re: {BARE.subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMIME-Version: 1.0\n"
        "X-Mailer: Microsoft Windows Live Mail 15.4.3555.308\nX-MimeOLE: Produced By Microsoft MimeOLE "
        "V15.4.3555.308\n"
    )
    return taken(
        mail(header, part('Content-Type: text/plain;\n\tcharset="iso-8859-1"', plain, "quoted-printable")),
        COMMENTS,
        BARE.orders,
    )


@letter("outlook-express-quoted-below-a-header-of-its-own")
def _() -> Letter:
    head_ = (
        '----- Original Message ----- \nFrom: "Ada Marsh" <umpire@ford.example>\nTo: "Dora" '
        "<dora.klein@west.example>\nSent: Thursday, November 19, 2026 9:12 PM\n"
    )
    plain = f"{STOP}\n{head_}Subject: {BARE.subject}\n\n\n{quote(BARE.text)}"
    header = (
        f"Message-ID: <000a01dc59c1$5e0a7b20$0200a8c0@dora>\nFrom: {DORA}\nTo: {UMPIRE}\nReferences: "
        f"{BARE.id}\nSubject: Re: {BARE.subject}\n"
        "Date: Fri, 20 Nov 2026 07:41:55 +0100\nMIME-Version: 1.0\nX-Priority: 3\nX-MSMail-Priority: Normal\n"
        "X-Mailer: Microsoft Outlook Express 6.00.2900.5931\nX-MimeOLE: Produced By Microsoft MimeOLE "
        "V6.00.2900.6157\n"
    )
    raw = mail(
        header,
        part(
            'Content-Type: text/plain;\n\tformat=flowed;\n\tcharset="iso-8859-1";\n\treply-type=original',
            plain,
            "7bit",
        ),
    )
    return taken(raw, STOP, BARE.orders)


@letter("outlook-express-reply-below-the-quotation")
def _() -> Letter:
    head_ = (
        '----- Original Message ----- \nFrom: "Ada Marsh" <umpire@ford.example>\nTo: "Dora" '
        "<dora.klein@west.example>\n"
    )
    plain = f"{head_}Subject: {BARE.subject}\n\n\n{quote(BARE.text)}\n{CAT}\n"
    return taken(
        mail(head(BARE), part('Content-Type: text/plain;\n\tcharset="iso-8859-1"', plain, "7bit")),
        CAT,
        BARE.orders,
    )


@letter("windows-mail-sent-from-mail")
def _() -> Letter:
    plain = (
        f"{spaced(SHORT)}\nSent from Mail for Windows\n\nFrom: Ada Marsh\nSent: 19 November 2026 21:12\nTo: "
        "Dora Klein\n"
        f"Subject: {SHEET.subject}\n\n{SHEET.text}"
    )
    rich = (
        f"{WORD}{mso(SHORT)}<p class=MsoNormal>Sent from <a "
        'href="https://go.microsoft.com/fwlink/?LinkId=550986">Mail</a> for Windows</p>'
        "<div style='mso-element:para-border-div;border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt "
        "0cm 0cm 0cm'><p class=MsoNormal "
        "style='border:none;padding:0cm'><b>From: </b>Ada Marsh<br><b>Sent: </b>19 November 2026 "
        "21:12<br><b>To: </b>Dora Klein<br><b>Subject: "
        f"</b>{SHEET.subject}</p></div>{mso(SHEET.text)}</div></body></html>"
    )
    return taken(outlook(plain, rich, head(SHEET)), SHORT, SHEET.orders)


@letter("exchange-message-id-in-brackets")
def _() -> Letter:
    header = head(BARE).replace(
        f"<{ID}@DB9PR04MB8123.eurprd04.prod.outlook.com>", f"<[{ID.lower()}@microsoft.com]>"
    )
    body = f"{HERONS}\n-----Original Message-----\n{block(BARE)}\n{BARE.text}"
    return taken(
        mail(header, part('Content-Type: text/plain; charset="us-ascii"', body, "7bit")), HERONS, BARE.orders
    )


@letter("exchange-banner-above-and-disclaimer-below")
def _() -> Letter:
    banner = (
        "CAUTION: This email originated from outside the organisation. Do not click links: ask the help "
        "desk first.\n\n"
    )
    tail = (
        "\nThis e-mail and any attachments are confidential: if you are not the person it is meant for, "
        "tell the sender, and delete it.\n"
    )
    return taken(
        mail(head(None), part('Content-Type: text/plain; charset="utf-8"', f"{banner}{RAM}{tail}", "base64")),
        RAM,
    )


@letter("exchange-long-lines-in-quoted-printable")
def _() -> Letter:
    body = f"{LONG}\n________________________________\n{block(REPORT)}\n{REPORT.text}"
    return taken(
        mail(head(), part('Content-Type: text/plain; charset="iso-8859-1"', body, "quoted-printable")),
        LONG,
        REPORT.orders,
    )


@letter("outlook-desktop-original-message-starred")
def _() -> Letter:
    body = (
        f"{TALK}\nBest\nDora\n\n*From:* Ada Marsh <umpire@ford.example>\n*Sent:* Thursday, November 19, "
        f"2026 9:12 PM\n*To:* Dora Klein\n*Subject:* {BARE.subject}\n\n{BARE.text}"
    )
    return taken(
        mail(head(BARE), part('Content-Type: text/plain; charset="utf-8"', body, "quoted-printable")),
        TALK,
        BARE.orders,
    )
