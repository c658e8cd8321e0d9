"""Letters of the large mailers of Germany and France, and of a few elsewhere: GMX, WEB.DE, T-Online, freenet,
Orange, Free, La Poste, SFR.
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
    LUCK,
    REPORT,
    SHORT,
    SPACED,
    STANDING,
    UMPIRE,
    WHEN,
    Turn,
)

IDA = "Ida Brandt <ida.brandt@gmx.example>"
JEAN = "Jean Martin <jean.martin@orange.example>"


def head(
    turn: Turn | None = BARE, more: str = "", sender: str = IDA, prefix: str = "Aw", subject: str = ""
) -> str:
    refs = f"In-Reply-To: {turn.id}\nReferences: {turn.id}\n" if turn else ""
    subject = subject or (f"{prefix}: {turn.subject}" if turn else "Befehle")
    return (
        "MIME-Version: 1.0\nMessage-ID: "
        f"<trinity-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9-1795156915123@3c-app-gmx-bs42>\nFrom: {sender}\nTo: "
        f"{UMPIRE}\n"
        f"Subject: {subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\n{refs}{more}"
    )


def trinity(own: str, turn: Turn, below: str = "") -> str:
    """Return the HTML of GMX and WEB.DE: a frame with the header lines and what is answered."""
    return (
        '<html><head></head><body><div style="font-family: Verdana;font-size: '
        f'12.0px;">{divs(own + below, blank="&nbsp;", join=chr(10) * 2)}\n\n<div>&nbsp;\n<div>'
        '&nbsp;\n<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; '
        'border-left:2px solid #C3D9E5; word-wrap: break-word;">\n'
        '<div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Donnerstag, 19. November 2026 um 21:12 '
        "Uhr<br/>\n<b>Von:</b>&nbsp;&quot;Ada Marsh&quot; "
        "&lt;umpire@ford.example&gt;<br/>\n<b>An:</b>&nbsp;ida.brandt@gmx.example<br/>\n"
        f"<b>Betreff:</b>&nbsp;{turn.subject}</div>\n\n"
        f'<div name="quoted-content">{brs(turn.text)}</div>\n</div>\n</div>\n</div>\n</div></body></html>'
    )


def html(rich: str, header: str, cte: str = "quoted-printable", charset: str = "UTF-8") -> bytes:
    return mail(header, part(f"Content-Type: text/html; charset={charset}", rich, cte, charset))


def plain(text: str, header: str, charset: str = "utf-8", cte: str = "quoted-printable") -> bytes:
    return mail(header, part(f"Content-Type: text/plain; charset={charset}", text, cte, charset))


def both(text: str, rich: str, header: str, edge: str = "=_part_1") -> bytes:
    first = part("Content-Type: text/plain; charset=UTF-8", text, "quoted-printable")
    second = part("Content-Type: text/html; charset=UTF-8", rich, "quoted-printable")
    return mail(header, alternative(edge, first, second))


@letter("gmx-html-only")
def _() -> Letter:
    return taken(html(trinity(GERMAN, BARE, "\nViele Grüße\nIda\n"), head()), GERMAN, BARE.orders)


@letter("gmx-html-only-indentation")
def _() -> Letter:
    return taken(html(trinity(STANDING, BARE), head()), STANDING, BARE.orders)


@letter("gmx-plain-gesendet-von-an")
def _() -> Letter:
    top = (
        'Gesendet: Donnerstag, 19. November 2026 um 21:12 Uhr\nVon: "Ada Marsh" <umpire@ford.example>\nAn: '
        f"ida.brandt@gmx.example\nBetreff: {BARE.subject}\n"
    )
    return taken(plain(f"{CAT}\n \n\n{top}\n{BARE.text}", head()), CAT, BARE.orders)


@letter("gmx-old-original-nachricht-with-marks")
def _() -> Letter:
    top = (
        "-------- Original-Nachricht --------\n> Datum: Thu, 19 Nov 2026 21:12:03 +0100\n> Von: Ada Marsh "
        f"<umpire@ford.example>\n> An: ida.brandt@gmx.example\n> Betreff: {BARE.subject}\n"
    )
    more = "X-Mailer: WWW-Mail 6100 (Global Message Exchange)\nX-Priority: 3\n"
    return taken(
        plain(f"{GERMAN}\n{top}\n{quote(BARE.text)}", head(more=more), "iso-8859-1", "8bit"),
        GERMAN,
        BARE.orders,
    )


@letter("gmx-app-sent-by-phone")
def _() -> Letter:
    rich = (
        f'<html><body><div dir="auto">{brs(SHORT)}</div><br><div id="mail-app-auto-default-signature"><p '
        'dir="auto">--<br>Diese Nachricht wurde von meinem Android '
        'Mobiltelefon mit GMX Mail gesendet.</p></div><div class="mail_android_quote" style="line-height: '
        '1; padding: 0.3em">Am 19.11.26, 21:12 schrieb Ada '
        'Marsh &lt;umpire@ford.example&gt;:<blockquote class="gmail_quote" style="margin: 0.8ex 0pt 0pt '
        f'0.8ex;">{BARE.html}</blockquote></div></body></html>'
    )
    text = (
        f"{SHORT}\n--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.\nAm "
        f"19.11.26, 21:12 schrieb Ada Marsh <umpire@ford.example>:\n{BARE.text}"
    )
    return taken(both(text, rich, head()), SHORT, BARE.orders)


@letter("web-de-html-only-reply-below")
def _() -> Letter:
    rich = trinity("", BARE).replace("</div></body></html>", f"{divs(GOAT)}</div></body></html>")
    return taken(html(rich, head()), GOAT, BARE.orders)


@letter("web-de-freemail-classic")
def _() -> Letter:
    body = (
        f'{BISHOP}\nIda\n\n-----Ursprüngliche Nachricht-----\nVon: "Ada Marsh" <umpire@ford.example>\n'
        f"Gesendet: 19.11.2026 21:12:03\nAn: ida@web.example\nBetreff: {BARE.subject}\n\n{BARE.text}\n"
        "___________________________________________________________\nWEB.DE Freemail\n"
    )
    return taken(plain(body, head(), "iso-8859-1"), BISHOP, BARE.orders)


@letter("ionos-open-xchange")
def _() -> Letter:
    on = "Ada Marsh <umpire@ford.example> hat am 19.11.2026 21:12 CET geschrieben:"
    rich = (
        '<!doctype html>\n<html>\n <head> \n  <meta charset="UTF-8"> \n </head>\n <body>\n  '
        f'{divs(FIGURES, join=chr(10) + "  ")}\n  <blockquote type="cite">\n   <div>\n    '
        f"{on}\n   </div>\n   {BARE.html}\n  </blockquote>\n </body>\n</html>\n"
    )
    text = f"{FIGURES}\n> {on}\n> \n>  \n{quote(BARE.text, empty='> ')}"
    more = "X-Priority: 3\nImportance: Normal\nX-Mailer: Open-Xchange Mailer v8.30.71\n"
    return taken(both(text, rich, head(more=more), "----=_Part_3391_1"), FIGURES, BARE.orders)


@letter("mailbox-org-open-xchange-english")
def _() -> Letter:
    body = (
        f"{WHEN}\n> On 11/19/2026 9:12 PM CET Ada Marsh <umpire@ford.example> wrote:\n> \n>  \n"
        f"{quote(BARE.text, empty='>  ')}"
    )
    return taken(
        plain(body, head(more="X-Mailer: Open-Xchange Mailer v7.10.6\n", prefix="Re"), cte="7bit"),
        WHEN,
        BARE.orders,
    )


@letter("t-online-original-nachricht")
def _() -> Letter:
    top = (
        f'-----Original-Nachricht-----\nBetreff: {BARE.subject}\nDatum: 2026-11-19T21:12:03+0100\nVon: "Ada '
        'Marsh" <umpire@ford.example>\nAn: "ida@t-online.example" <ida@t-online.example>\n'
    )
    rich = f"<html><body><div>{brs(HERONS)}</div><br><br>{brs(top)}<br>{BARE.html}</body></html>"
    return taken(
        both(
            f"{HERONS}\n\n{top}\n\n\n{BARE.text}",
            rich,
            head(more="X-Mailer: TOI-Kommunikationscenter V17-6-2\n"),
        ),
        HERONS,
        BARE.orders,
    )


@letter("freenet-urspruengliche-nachricht")
def _() -> Letter:
    top = (
        "--- Ursprüngliche Nachricht ---\nVon: Ada Marsh <umpire@ford.example>\nDatum: 19.11.2026 "
        f"21:12:03\nAn: ida@freenet.example\nBetreff: {BARE.subject}\n"
    )
    body = (
        f"{GOAT}\n\n{top}\n{BARE.text}\n---\nAlle Postfächer an einem Ort. Jetzt wechseln und "
        "E-Mail-Adresse mitnehmen! Rundum glücklich mit freenetMail\n"
    )
    return taken(plain(body, head(more="User-Agent: freenetMail\n")), GOAT, BARE.orders)


@letter("posteo-roundcube-german-html")
def _() -> Letter:
    rich = (
        f"<html><body style='font-size: 10pt'>\n{divs(CAT, join=chr(10))}\n<div>&nbsp;</div>\n<div "
        "class='pre' style='margin: 0; padding: 0; font-family: monospace'>-- <br />Ida"
        "</div>\n<p id='reply-intro'>Am 19.11.2026 21:12 schrieb Ada Marsh:</p>\n<blockquote "
        f"type='cite'>{BARE.html}</blockquote>\n</body></html>"
    )
    return taken(html(rich, head(more="User-Agent: Posteo Webmail\n")), CAT, BARE.orders)


@letter("gmx-attachment-and-html")
def _() -> Letter:
    body = part("Content-Type: text/html; charset=UTF-8", trinity("siehe Anhang\n", BARE), "quoted-printable")
    file = attached(
        "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=befehle.yaml",
        FIGURES.encode(),
    )
    edge = "abmob-0a1b2c3d-4e5f"
    return taken(
        mail(head(), parts(f"Content-Type: multipart/mixed;\n boundary={edge}", edge, body, file)),
        FIGURES,
        BARE.orders,
    )


@letter("gmx-only-a-quotation")
def _() -> Letter:
    return refused(html(trinity("\n", BARE), head()), "only-quoted", BARE.orders)


@letter("web-de-forwarded")
def _() -> Letter:
    rich = trinity("Hallo Ada, stimmt das?\n", Turn("Plan", "<x@y>", SPACED, SPACED))
    return refused(html(rich, head(None, subject="Fw: Plan")), "only-quoted", SPACED)


# --- France


def francais(more: str = "", turn: Turn | None = BARE, subject: str = "") -> str:
    return head(turn, more, JEAN, "RE", subject)


@letter("orange-message-du")
def _() -> Letter:
    top = (
        '> Message du 19/11/26 21:12\n> De : "Ada Marsh" <umpire@ford.example>\n> A : '
        f"jean.martin@orange.example\n> Copie à : \n> Objet : {BARE.subject}\n> \n"
    )
    return taken(
        plain(f"{FRENCH}\n\n\n\n\n{top}{quote(BARE.text, empty='> ')}", francais()), FRENCH, BARE.orders
    )


@letter("orange-html-only")
def _() -> Letter:
    rich = (
        f'<p>{brs(FRENCH, "<br />")}</p>\n<p>&nbsp;</p>\n<blockquote style="padding-left: 5px; margin-left: '
        '5px; border-left: #ff0000 2px solid;">&gt; Message du 19/11/26 '
        f'21:12<br />&gt; De : "Ada Marsh" &lt;umpire@ford.example&gt;<br />&gt; Objet : {BARE.subject}<br '
        f"/>&gt; <br />{BARE.html}</blockquote>"
    )
    return taken(html(rich, francais()), FRENCH, BARE.orders)


@letter("orange-new-webmail-envoye")
def _() -> Letter:
    top = (
        "envoyé : 19 novembre 2026 à 21:12\nde : Ada Marsh <umpire@ford.example>\nà : "
        f"jean.martin@orange.example\nobjet : {BARE.subject}\n"
    )
    rich = f"<div>{brs(HERONS)}</div><div>&nbsp;</div><div>{brs(top)}</div><div>{BARE.html}</div>"
    return taken(both(f"{HERONS}\n\n\n{top}\n\n{BARE.text}", rich, francais()), HERONS, BARE.orders)


@letter("free-zimbra-mail-original")
def _() -> Letter:
    top = (
        '----- Mail original -----\nDe: "Ada Marsh" <umpire@ford.example>\nÀ: "Jean Martin" '
        f"<jean.martin@free.example>\nEnvoyé: Jeudi 19 Novembre 2026 21:12:03\nObjet: {BARE.subject}\n"
    )
    more = "X-Mailer: Zimbra 7.2.0-GA2598 (ZimbraWebClient - FF3.0 (Win)/7.2.0-GA2598)\n"
    return taken(plain(f"{GOAT}\n\n{top}\n{BARE.text}", francais(more)), GOAT, BARE.orders)


@letter("la-poste-de-envoye-a-objet")
def _() -> Letter:
    top = (
        'De: "Ada Marsh" <umpire@ford.example>\nÀ: "jean.martin" <jean.martin@laposte.example>\nEnvoyé: '
        f"Jeudi 19 Novembre 2026 21:12:03\nObjet: {BARE.subject}\n"
    )
    rich = (
        f'<html><body><div style="font-family: arial">{divs(FIGURES)}<div><br></div><hr id="zwchr" '
        f'data-marker="__DIVIDER__"><div data-marker="__HEADERS__">{brs(top)}'
        f'</div><div data-marker="__QUOTED_TEXT__">{BARE.html}</div></div></body></html>'
    )
    return taken(both(f"{FIGURES}\n\n{top}\n{BARE.text}", rich, francais()), FIGURES, BARE.orders)


@letter("sfr-message-original")
def _() -> Letter:
    body = (
        f"{SHORT}\nJean\n\n========================================\n\nMessage du : 19/11/2026 21:12\nDe : "
        '"Ada Marsh" <umpire@ford.example>\nA : jean.martin@sfr.example\nSujet '
        f": {BARE.subject}\n\n{BARE.text}"
    )
    return taken(plain(body, francais()), SHORT, BARE.orders)


@letter("sfr-app-le-a-ecrit-unmarked")
def _() -> Letter:
    body = (
        f"{CAT}\n\nEnvoyé depuis l'application Mail SFR\n\nLe 19 novembre 2026 à 21:12, Ada Marsh "
        f"<umpire@ford.example> a écrit :\n\n{BARE.text}"
    )
    return taken(plain(body, francais()), CAT, BARE.orders)


@letter("orange-mobile-envoye-de-mon-mobile")
def _() -> Letter:
    body = (
        f"{FRENCH}\n\nEnvoyé à partir de l’application Mail Orange\n\n---------------\nDe : Ada Marsh "
        f"<umpire@ford.example>\nEnvoyé : jeudi 19 novembre 2026 21:12\nÀ : Jean\nObjet : {BARE.subject}\n"
        f"---------------\n\n{BARE.text}"
    )
    return taken(plain(body, francais()), FRENCH, BARE.orders)


@letter("free-transfere")
def _() -> Letter:
    body = (
        '\n\n----- Mail transféré -----\nDe: "Cléo" <cleo@east.example>\nÀ: "Jean" '
        f"<jean.martin@free.example>\nEnvoyé: Mercredi 18 Novembre 2026 22:00:00\nObjet: plan\n\n{SPACED}"
    )
    return refused(plain(body, francais(turn=None, subject="Fwd: plan")), "only-quoted", SPACED)


# --- elsewhere


@letter("libero-italian-messaggio-originale")
def _() -> Letter:
    body = (
        f"{GOAT}\n\n----Messaggio originale----\nDa: umpire@ford.example\nData: 19-nov-2026 21.12\nA: "
        f"<ida@libero.example>\nOgg: {BARE.subject}\n\n{BARE.text}"
    )
    return taken(plain(body, head(prefix="R"), "iso-8859-1"), GOAT, BARE.orders)


@letter("telefonica-spanish-mensaje-original")
def _() -> Letter:
    body = (
        f"{HERONS}\nSaludos\n\n----- Mensaje original -----\nDe: Ada Marsh <umpire@ford.example>\nEnviado: "
        f"jueves, 19 de noviembre de 2026 21:12\nPara: Ida\nAsunto: {BARE.subject}\n\n{BARE.text}"
    )
    return taken(plain(body, head(prefix="RE")), HERONS, BARE.orders)


@letter("kpn-dutch-oorspronkelijk-bericht")
def _() -> Letter:
    body = (
        f"{CAT}\nGroeten, Ida\n\n-----Oorspronkelijk bericht-----\nVan: Ada Marsh <umpire@ford.example>\n"
        f"Verzonden: donderdag 19 november 2026 21:12\nAan: Ida\nOnderwerp: {BARE.subject}\n\n{BARE.text}"
    )
    return taken(plain(body, head(prefix="RE")), CAT, BARE.orders)


@letter("wp-polish-dnia-napisal")
def _() -> Letter:
    body = (
        f"{SHORT}\nDnia 19 listopada 2026 21:12 Ada Marsh <umpire@ford.example> napisał(a):\n\n"
        f"{quote(BARE.text)}"
    )
    return taken(plain(body, head(prefix="Odp"), "iso-8859-2", "8bit"), SHORT, BARE.orders)


@letter("wp-polish-wiadomosc-oryginalna")
def _() -> Letter:
    body = (
        f"{FIGURES}\n-----Wiadomość oryginalna-----\nOd: Ada Marsh <umpire@ford.example>\nWysłano: 19 "
        f"listopada 2026 21:12\nDo: Ida\nTemat: {BARE.subject}\n\n{BARE.text}"
    )
    return taken(plain(body, head(prefix="ODP")), FIGURES, BARE.orders)


@letter("yahoo-japan-iso-2022-jp")
def _() -> Letter:
    body = (
        f"{SHORT}\n----- Original Message -----\n> 差出人: Ada Marsh <umpire@ford.example>\n> 日時: 2026/11/20, "
        f"金 05:12\n> 件名: your move\n> \n{quote(BARE.text)}"
    )
    return taken(plain(body, head(prefix="Re"), "iso-2022-jp", "7bit"), SHORT, BARE.orders)


@letter("seznam-czech-puvodni")
def _() -> Letter:
    top = (
        "---------- Původní e-mail ----------\nOd: Ada Marsh <umpire@ford.example>\nKomu: "
        f"ida@seznam.example\nDatum: 19. 11. 2026 21:12:03\nPředmět: {BARE.subject}\n"
    )
    rich = (
        f"<html><body>{brs(BISHOP)}<br><aside><br>{brs(top)}</aside><br><blockquote "
        f'data-email="umpire@ford.example">{BARE.html}</blockquote></body></html>'
    )
    return taken(both(f"{BISHOP}\n\n{top}\n{BARE.text}", rich, head(prefix="Re")), BISHOP, BARE.orders)


@letter("swedish-skrev")
def _() -> Letter:
    body = (
        f"{LUCK}\nDen tors 19 nov. 2026 kl 21:12 skrev Ada Marsh <umpire@ford.example>:\n\n"
        f"{quote(REPORT.text)}"
    )
    return taken(plain(body, head(REPORT, prefix="Sv")), LUCK, REPORT.orders)


@letter("portuguese-escreveu")
def _() -> Letter:
    body = (
        f"{SHORT}\nEm qui., 19 de nov. de 2026 às 21:12, Ada Marsh <umpire@ford.example>\nescreveu:\n\n"
        f"{quote(BARE.text)}"
    )
    return taken(plain(body, head(prefix="Re")), SHORT, BARE.orders)
