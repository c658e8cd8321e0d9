"""Puts letters together: orders, somebody else's orders to quote, and how one of many programs in one of many
languages would lay them out.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from random import Random

from letter_parts import (
    Letter,
    alternative,
    attached,
    brs,
    divs,
    esc,
    flowed,
    mail,
    mso,
    part,
    parts,
    png,
    quote,
    refused,
    taken,
    wrapped,
)
from letter_texts import PLAYERS

# --- orders

OWN_MEN = ("odo", "hob", "wulf", "hugh", "alric", "tom", "wat", "ned", "sir-guy", "emma", "piers", "rafe")
THEIR_MEN = (
    "cuthbert",
    "dunstan",
    "egbert",
    "fulk",
    "hengist",
    "ingram",
    "jocelin",
    "kenric",
    "leofwin",
    "morcar",
)
WORDS = (
    "rain",
    "herons",
    "boots",
    "seven",
    "goat",
    "bishop",
    "Tuesday",
    "pie",
    "lane",
    "two",
    "blue",
    "müde",
    "chèvre",
    "cat",
    "weir",
    "lost",
)
MESSAGES = (
    "We hold the ford.",
    "À bientôt devant le gué !",
    "Schöne Grüße.",
    "Is that all you have?",
    "Bring more men, or bring fewer; it is all one to us who stand here.",
)


def own(draw: Random) -> str:
    """Return orders of the sender: one of the corpus, or new ones."""
    if draw.random() < 0.35:
        return draw.choice(PLAYERS)
    lines = [f"side: {draw.choice(('east', 'west', 'steward'))}"]
    if draw.random() < 0.6:
        lines.append(f"luck: {' '.join(draw.sample(WORDS, 4))}")
    if draw.random() < 0.2:
        lines.insert(0, f"# {draw.choice(MESSAGES)}")
    men = list(OWN_MEN)
    draw.shuffle(men)
    for section in draw.sample(("shoot", "move", "fight", "shoot-again"), draw.randint(1, 3)):
        lines.append(f"{section}:")
        lines += [_sentence(section, men, draw) for _ in range(draw.randint(1, 5))]
    if draw.random() < 0.25:
        lines += [
            "standing:",
            "  everyone:",
            f"    wound: {draw.choice(('weakest', 'strongest'))}",
            "    retreat: away",
            f"  {men[0]}:",
            "    advance: never",
        ]
    if draw.random() < 0.25:
        lines.append(f"message: {draw.choice(MESSAGES)}")
    return "\n".join(lines) + "\n"


def _sentence(section: str, men: list[str], draw: Random) -> str:
    who, whom, others = draw.choice(men), draw.choice(men), draw.sample(men, draw.randint(2, 6))
    place = f"{draw.randint(1, 19):02d}{draw.randint(1, 14):02d}"
    if section == "move":
        return draw.choice(
            (
                f"- {who} to {place}",
                f"- {who} by {place} 0611 0612",
                f"- {', '.join(others[:2])} carry ladder1 to {place} 0602",
            )
        )
    if section == "fight":
        return draw.choice(
            (
                f"- {who} attacks {whom}",
                f"- {', '.join(others)} attack {whom} at least {draw.randint(2, 6)}:1",
            )
        )
    return f"- {who} at {whom} or nearest"


def enemy(draw: Random) -> str:
    """Return orders of somebody else: no line of them is a line of anybody's own."""
    men = draw.sample(THEIR_MEN, 3)
    lines = [
        f"side: {draw.choice(('reeve', 'abbot'))}",
        f"luck: hostile words {draw.randint(100, 999)}",
        "move:",
        f"- {men[0]} to 99{draw.randint(10, 99)}",
    ]
    lines += ["fight:", f"- {men[1]}, {men[2]} attack odo at least {draw.randint(2, 9)}:1"]
    return "\n".join(lines[: draw.randint(4, 6) if draw.random() < 0.3 else 6]) + "\n"


# --- words around

GREETINGS = (
    "",
    "",
    "Hi Ada,\n\n",
    "Hallo Ada,\n\nhier meine Befehle:\n\n",
    "Bonjour,\n\nvoici mes ordres.\n\n",
    "Hello!\n\nHere they are:\n",
    "Ciao Ada,\n\n",
    "Orders:\n",
)
CLOSINGS = (
    "", "", "\nBen\n", "\nViele Grüße\nBen\n", "\nCordialement,\nBénédicte\n", "\nKind regards,\n\nBen Okafor\nTel: +49 170 000\n", "\n-- \nBen Okafor\nmove: on\n",
    "\nSent from my iPhone\n", "\nVon meinem Samsung Galaxy Smartphone gesendet.\n", "\nEnvoyé de mon mobile\n", "\nSent from Yahoo Mail on Android\n",
    "\n--\nBen\nhttps://west.example\n", "\nPS: late again, sorry.\n", "\nGet Outlook for iOS<https://aka.ms/o0ukef>\n",
)  # fmt: skip
FOOTERS = (
    "", "", "", "\n_______________________________________________\nSiege mailing list\nsiege@lists.example\n",
    "\n-- \nYou received this message because you are subscribed to the Google Groups \"siege\" group.\n", "\n-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: none\n",
    "\n\n-- \nThis email has been checked for viruses by Avast antivirus software.\nwww.avast.com\n",
)  # fmt: skip
MARKED = (
    "On Thu, Nov 19, 2026 at 9:12\u202fPM Ada Marsh <umpire@ford.example> wrote:", "On Thu, 19 Nov 2026 21:12:03 +0100\nAda Marsh <umpire@ford.example> wrote:",
    "On 2026-11-19 21:12, Ada Marsh wrote:", "On 11/19/26 21:12, Ada Marsh wrote:", "On Thu, 2026-11-19 at 21:12 +0100, Ada Marsh wrote:",
    "On Thu, 19 Nov 2026, Ada Marsh wrote:", "On Thu, Nov 19, 2026 at 09:12:03PM +0100, Ada Marsh wrote:", "At 09:12 PM 11/19/2026, you wrote:",
    "Ada Marsh <umpire@ford.example> writes:", "Ada Marsh wrote:", "Quoting Ada Marsh <umpire@ford.example>:", "* Ada Marsh <umpire@ford.example> [2026-11-19 21:12]:",
    "Am Do., 19. Nov. 2026 um 21:12 Uhr schrieb Ada Marsh\n<umpire@ford.example>:", "Am 19.11.2026 um 21:12 schrieb Ada Marsh:", "Am 19.11.26 um 21:12 schrieb Ada Marsh:",
    "Am Donnerstag, 19. November 2026, 21:12:03 CET schrieb Ada Marsh:", "Zitat von Ada Marsh <umpire@ford.example>:", "Le 19/11/2026 à 21:12, Ada Marsh a écrit :",
    "Le jeu. 19 nov. 2026 à 21:12, Ada Marsh <umpire@ford.example> a\nécrit :", "El jue, 19 nov 2026 a las 21:12, Ada Marsh (<umpire@ford.example>)\nescribió:",
    "Il giorno gio 19 nov 2026 alle ore 21:12 Ada Marsh <umpire@ford.example>\nha scritto:", "Op do 19 nov 2026 om 21:12 schreef Ada Marsh <umpire@ford.example>:",
    "czw., 19 lis 2026 o 21:12 Ada Marsh <umpire@ford.example> napisał(a):", "чт, 19 нояб. 2026 г. в 21:12, Ada Marsh <umpire@ford.example>:",
    "2026年11月20日(金) 5:12 Ada Marsh <umpire@ford.example>:", "Den tors 19 nov. 2026 kl 21:12 skrev Ada Marsh <umpire@ford.example>:",
    "Em qui., 19 de nov. de 2026 às 21:12, Ada Marsh <umpire@ford.example> escreveu:", "Nov 19, 2026, 21:12 by umpire@ford.example:", "",
    "Ada Marsh <umpire@ford.example> ezt írta (időpont: 2026. nov. 19., Cs, 21:12):", "În joi, 19 nov. 2026 la 21:12, Ada Marsh <umpire@ford.example> a scris:",
    "čt 19. 11. 2026 v 21:12 odesílatel Ada Marsh <umpire@ford.example> napsal:", "2026년 11월 20일 (금) 오전 5:12, Ada Marsh <umpire@ford.example>님이 작성:",
    "Ada Marsh <umpire@ford.example>, 19 Kas 2026 Per, 21:12 tarihinde şunu yazdı:", "--- In siege@yahoogroups.example, \"Ada\" <umpire@...> wrote:",
    "In article <87@ford.example>, Ada Marsh wrote:", "At Thu, 19 Nov 2026 21:12:03 +0100,\nAda Marsh wrote:", "Ada Marsh - 19.11.26, 21:12:03 CET:", "* Ada Marsh:",
    "Thursday, November 19, 2026, 9:12:03 PM, you wrote:", "19 November 2026 at 21:12, \"Ada Marsh\" <umpire@ford.example> wrote:",
    "------- Original Message -------\nOn Thursday, November 19th, 2026 at 21:12, Ada Marsh "
    "<umpire@ford.example> wrote:\n",
)  # fmt: skip
"""What stands above a quotation whose every line is marked."""
UNMARKED = (
    "From: Ada Marsh <umpire@ford.example>\nSent: Thursday, November 19, 2026 "
    "9:12 PM\nTo: Ben\nSubject: your move\n",
    "________________________________\nFrom: Ada Marsh <umpire@ford.example>\nSent: 19 November 2026 21:12\n"
    "To: Ben\nSubject: your move\n",
    "-----Original Message-----\nFrom: Ada Marsh <umpire@ford.example>\nSent: Thursday, November 19, 2026 "
    "9:12 PM\nTo: Ben\nSubject: your move\n",
    "-----Ursprüngliche Nachricht-----\nVon: Ada Marsh <umpire@ford.example>\nGesendet: Donnerstag, 19. "
    "November 2026 21:12\nAn: Ben\nBetreff: your move\n",
    "Von: Ada Marsh <umpire@ford.example>\nGesendet: Donnerstag, 19. November 2026 "
    "21:12\nAn: Ben\nBetreff: your move\n",
    "Gesendet: Donnerstag, 19. November 2026 um 21:12 Uhr\nVon: \"Ada Marsh\" <umpire@ford.example>\nAn: "
    "ben@gmx.example\nBetreff: your move\n",
    "De : Ada Marsh <umpire@ford.example>\nEnvoyé : jeudi 19 novembre 2026 "
    "21:12\nÀ : Ben\nObjet : your move\n",
    "-----Message d'origine-----\nDe : Ada Marsh <umpire@ford.example>\nEnvoyé : jeudi 19 novembre 2026 "
    "21:12\nÀ : Ben\nObjet : your move\n",
    "----- Mail original -----\nDe: \"Ada Marsh\" <umpire@ford.example>\nÀ: \"Ben\" <ben@free.example>\n"
    "Envoyé: Jeudi 19 Novembre 2026 21:12:03\nObjet: your move\n",
    "-----Original-Nachricht-----\nBetreff: your move\nDatum: 2026-11-19T21:12:03+0100\nVon: \"Ada Marsh\" "
    "<umpire@ford.example>\nAn: ben@t-online.example\n",
    "----- Original Message -----\nFrom: Ada Marsh <umpire@ford.example>\nTo: Ben\nSent: Thursday, November "
    "19, 2026 9:12 PM\nSubject: your move\n",
    "-------- Original message --------\nFrom: Ada Marsh <umpire@ford.example>\nDate: 19/11/2026 21:12 "
    "(GMT+01:00)\nTo: Ben\nSubject: your move\n",
    "-------- Ursprüngliche Nachricht --------\nVon: Ada Marsh <umpire@ford.example>\nDatum: 19.11.26 21:12 "
    "(GMT+01:00)\nAn: Ben\nBetreff: your move\n",
    "Van: Ada Marsh <umpire@ford.example>\nVerzonden: donderdag 19 november 2026 21:12\nAan: Ben\n"
    "Onderwerp: your move\n",
    "Da: Ada Marsh <umpire@ford.example>\nInviato: giovedì 19 novembre 2026 "
    "21:12\nA: Ben\nOggetto: your move\n",
    "De: Ada Marsh <umpire@ford.example>\nEnviado: jueves, 19 de noviembre de 2026 21:12\nPara: Ben\n"
    "Asunto: your move\n",
    "Od: Ada Marsh <umpire@ford.example>\nWysłano: 19 listopada 2026 21:12\nDo: Ben\nTemat: your move\n",
    "From: Ada Marsh <umpire@ford.example>\nDate: Thursday, 19 November 2026 at 21:12\nTo: Ben "
    "<ben@west.example>\nSubject: your move\n",
    "On Thu, 19 Nov 2026 at 21:12, Ada Marsh <umpire@ford.example> wrote:\n", "Le 19 novembre 2026 à 21:12, Ada Marsh <umpire@ford.example> a écrit :\n",
    "Am 19. November 2026 um 21:12 schrieb Ada Marsh <umpire@ford.example>:\n", "---- On Thu, 19 Nov 2026 21:12:03 +0100 Ada Marsh <umpire@ford.example> wrote ---\n",
    "---------- Forwarded message ---------\nFrom: Ada Marsh <umpire@ford.example>\nDate: Thu, Nov 19, 2026 "
    "at 9:12 PM\nSubject: your move\nTo: Ben\n",
    "Begin forwarded message:\n\nFrom: Ada Marsh <umpire@ford.example>\nSubject: your move\nDate: 19 "
    "November 2026 at 21:12:03 CET\nTo: Ben\n",
    "Från: Ada Marsh <umpire@ford.example>\nSkickat: den 19 november 2026 "
    "21:12\nTill: Ben\nÄmne: your move\n",
    "Fra: Ada Marsh <umpire@ford.example>\nSendt: 19. november 2026 21:12\nTil: Ben\nEmne: your move\n",
    "Lähettäjä: Ada Marsh <umpire@ford.example>\nLähetetty: torstai 19. marraskuuta 2026 21.12\n"
    "Vastaanottaja: Ben\nAihe: your move\n",
    "Od: Ada Marsh <umpire@ford.example>\nOdesláno: čtvrtek 19. listopadu 2026 "
    "21:12\nKomu: Ben\nPředmět: your move\n",
    "Feladó: Ada Marsh <umpire@ford.example>\nElküldve: 2026. november 19., csütörtök 21:12\nCímzett: Ben\n"
    "Tárgy: your move\n",
    "От: Ada Marsh <umpire@ford.example>\nОтправлено: 19 ноября 2026 г. 21:12\nКому: Ben\nТема: your move\n",
    "Kimden: Ada Marsh <umpire@ford.example>\nGönderildi: 19 Kasım 2026 Perşembe "
    "21:12\nKime: Ben\nKonu: your move\n",
    "差出人: Ada Marsh <umpire@ford.example>\n送信日時: 2026年11月19日 21:12\n宛先: Ben\n件名: your move\n",
    "寄件者: Ada Marsh <umpire@ford.example>\n寄件日期: 2026年11月19日 下午 9:12\n收件者: Ben\n主旨: your move\n",
    "보낸 사람: Ada Marsh <umpire@ford.example>\n보낸 날짜: 2026년 11월 19일\n받는 사람: Ben\n제목: your move\n",
    ">>> Ada Marsh <umpire@ford.example> 11/19/2026 9:12 PM >>>\n", "-------- Ada Marsh schrieb --------\n", "2026-11-19 21:12 GMT+01:00 Ada Marsh <umpire@ford.example>:\n",
    "  _____  \n\nFrom: Ada Marsh [mailto:umpire@ford.example] \nSent: Thursday, November 19, 2026 9:12 PM\n"
    "To: Ben\nSubject: your move\n",
    "Ada Marsh <umpire@ford.example> \n19.11.2026 21:12\n\nTo\nBen\ncc\n\nSubject\nyour move\n",
    "pbem: please write above this line\n",
)  # fmt: skip
"""What stands above a quotation that is not marked at all; everything below is somebody else's."""
MARKS = (
    ("> ", ">"),
    ("> ", ">"),
    ("> ", "> "),
    (">", ">"),
    ("> > ", "> >"),
    ("AM> ", "AM>"),
    ("| ", "|"),
    (" > ", " >"),
    (">\u00a0", ">"),
    (">> ", ">>"),
)


def _quoted_text(orders: str, draw: Random) -> str:
    """Return a letter of somebody else around orders."""
    before = draw.choice(
        (
            "",
            "Hello,\n\nthese were their orders:\n\n",
            "Toll at the Alder Ford, slot 7.\n\n",
            "pbem: please write above this line\n\n",
        )
    )
    inside = draw.choice(
        (orders,) * 5
        + (
            f"```yaml\n{orders}```\n",
            f"Cleo wrote:\n{quote(orders)}",
            _clearsigned(orders),
            orders.replace("\n", "\n\n"),
            f"    {orders}".replace("\n", "\n    ") + "\n",
        )
    )
    return (
        before
        + inside
        + draw.choice(
            (
                "",
                "\nAda\n",
                "\nPlease answer before Sunday.\n",
                "\n-- \nAda Marsh\n",
                "\nSent from my iPhone\n",
            )
        )
    )


def _clearsigned(orders: str) -> str:
    escaped = orders.replace("\n- ", "\n- - ")
    return (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{escaped}-----BEGIN PGP SIGNATURE-----\n\n"
        "iQCVAwUBMJrRF2N9oWBghPDJ\n=ndaj\n-----END PGP SIGNATURE-----\n"
    )


# --- how orders come to harm


def _harmed(orders: str, draw: Random) -> tuple[str, str]:
    """Return orders as they arrive, and as they have to be read."""
    way = draw.choice(
        ("none",) * 8
        + ("nbsp", "dashes", "tab", "zero-width", "capitals", "blanks", "double", "star", "lost", "soft")
    )
    nested = "when:" in orders
    if way == "nbsp":
        return "\n".join(
            line.replace(" ", "\u00a0", len(line) - len(line.lstrip(" "))) for line in orders.split("\n")
        ), orders
    if way == "dashes":
        return orders.replace("\n- ", f"\n{draw.choice('–—•·')} "), orders
    if way == "tab":
        return orders.replace("\n- ", "\n-\t"), orders
    if way == "zero-width":
        return orders.replace("\n- ", "\n-\u200b "), orders
    if way == "soft":
        return orders.replace("attack", "at\u00adtack"), orders
    if way == "capitals":
        return "\n".join(_titled(line) for line in orders.split("\n")), orders
    if way == "blanks":
        return orders.replace("\n", "  \n"), orders
    if way == "double" and not nested:
        return orders.replace("\n", "\n\n"), orders
    if way == "star" and not nested:
        return orders.replace("\n- ", "\n* "), orders
    if way == "lost" and not nested and "{" not in orders:
        return "".join(f"{line.strip()}\n" for line in orders.splitlines()), orders
    return orders, orders


def _titled(line: str) -> str:
    key, colon, _ = line.partition(":")
    return line[:1].upper() + line[1:] if colon and key.isidentifier() else line


# --- HTML

Layout = Callable[[str], str]
LAYOUTS: tuple[Layout, ...] = (
    divs,
    brs,
    lambda text: divs(text, "p"),
    lambda text: f"<pre>{esc(text, 'plain')}</pre>",
    mso,
    lambda text: divs(text, spaces="mixed"),
    lambda text: divs(text, attrs='dir="auto"'),
    lambda text: f'<div style="white-space:pre-wrap">{esc(text, "plain")}</div>',
    lambda text: divs(text, "span", "style='display:block'"),
    lambda text: f"<table><tr><td>{brs(text)}</td></tr></table>",
)
WRAPPERS: tuple[Layout, ...] = (
    lambda text: (
        '<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Thu, Nov 19, 2026 Ada '
        f'wrote:<br></div><blockquote class="gmail_quote">{text}</blockquote></div>'
    ),
    lambda text: (
        '<blockquote type="cite"><div>On 19 Nov 2026, at 21:12, Ada Marsh '
        f"wrote:</div><br>{text}</blockquote>"
    ),
    lambda text: (
        '<div class="moz-cite-prefix">On 11/19/26 21:12, Ada Marsh wrote:<br></div><blockquote type="cite" '
        f'cite="mid:x">{text}</blockquote>'
    ),
    lambda text: (
        f'<div id="yahoo_quoted_12" class="yahoo_quoted"><div>On Thursday, Ada wrote:</div>{text}</div>'
    ),
    lambda text: (
        '<hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Ada<br><b>Sent:</b> '
        f"Thursday<br><b>To:</b> Ben<br><b>Subject:</b> x</div><div>{text}</div>"
    ),
    lambda text: (
        "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p "
        "class=MsoNormal><b>Von:</b> Ada<br><b>Gesendet:</b> Donnerstag<br><b>An:</b> "
        f"Ben<br><b>Betreff:</b> x</p></div>{text}"
    ),
    lambda text: (
        '<div class="protonmail_quote">On Thursday Ada wrote:<br><blockquote class="protonmail_quote" '
        f'type="cite">{text}</blockquote></div>'
    ),
    lambda text: (
        "<div>19. Nov. 2026, 21:12 von umpire@ford.example:</div><blockquote "
        f'class="tutanota_quote">{text}</blockquote>'
    ),
    lambda text: (
        '<div class="zmail_extra">---- On Thu, 19 Nov 2026 Ada wrote ---<blockquote '
        f'id="blockquote_zmail">{text}</blockquote></div>'
    ),
    lambda text: (
        '<div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid '
        f'#C3D9E5;"><b>Gesendet:</b> Donnerstag<div name="quoted-content">{text}</div></div>'
    ),
    lambda text: (
        '<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><b>From: '
        f'</b>Ada</div><div data-marker="__QUOTED_TEXT__">{text}</div>'
    ),
    lambda text: (
        '<div name="messageReplySection">On Thursday, Ada wrote:<blockquote '
        f'type="cite">{text}</blockquote></div>'
    ),
    lambda text: (
        '<div id="mail-editor-reference-message-container"><div '
        'class="ms-outlook-mobile-reference-message"><b>From: </b>Ada<br><b>Sent: '
        f"</b>Thursday<br></div>{text}</div>"
    ),
    lambda text: (
        "<div>-------- Original message --------</div><div>From: Ada Marsh</div><div>Date: "
        f"19/11/2026</div><div>To: Ben</div><div>Subject: x</div><div>{text}</div>"
    ),
    lambda text: (
        '<div class="mail_android_quote">Am 19.11.26, 21:12 schrieb Ada:<blockquote '
        f'class="gmail_quote">{text}</blockquote></div>'
    ),
    lambda text: (
        "<p>Le 19 novembre 2026 à 21:12, Ada Marsh &lt;umpire@ford.example&gt; a écrit :</p><div "
        f'style="border-left:2px solid #ccc;padding-left:8px">{text}</div>'
    ),
    lambda text: f"<blockquote>{text}</blockquote>",
    lambda text: (
        f'<div class="fairemail_reply"><p>Nov 19, 2026 Ada:</p><blockquote>{text}</blockquote></div>'
    ),
    lambda text: f"<div>pbem: please write above this line</div><div>{text}</div>",
)

# --- whole letters


def compose(draw: Random) -> Letter:
    """Return a letter put together by chance."""
    orders, foe = own(draw), enemy(draw)
    typed, wanted = _harmed(orders, draw)
    way = draw.random()
    if way < 0.55:
        return _plain(typed, wanted, foe, draw)
    if way < 0.75:
        return _rich(typed, wanted, foe, draw)
    if way < 0.85:
        return _attached(orders, foe, draw)
    return _nothing(foe, draw)


def _header(draw: Random) -> str:
    name = draw.choice(("Ben Okafor", "=?utf-8?Q?J=C3=B6rg?=", '"Petit, Lou"', "Ben"))
    lines = [
        f"From: {name} <ben@west.example>",
        "To: Ada Marsh <umpire@ford.example>",
        f"Subject: {draw.choice(('Re: ', 'AW: ', 'RE: ', ''))}your move",
    ]
    lines += [
        "Date: Fri, 20 Nov 2026 07:41:55 +0100",
        f"Message-ID: <{draw.randrange(10**12)}@west.example>",
        "MIME-Version: 1.0",
    ]
    return "\n".join(lines) + "\n"


def _text_part(text: str, draw: Random, flow: bool = False) -> bytes:
    charset = "utf-8"
    for other in ("us-ascii", "iso-8859-1", "windows-1252"):
        if draw.random() < 0.4:
            try:
                text.encode(other)
                charset = other
                break
            except UnicodeEncodeError:
                pass
    cte = draw.choice(("quoted-printable", "base64", "8bit", ""))
    return part(
        f"Content-Type: text/plain; charset={charset}{'; format=flowed' if flow else ''}", text, cte, charset
    )


def _plain(typed: str, wanted: str, foe: str, draw: Random) -> Letter:
    """Return a letter in plain text: own orders above, below or between what is quoted."""
    said = draw.choice(GREETINGS) + typed + draw.choice(CLOSINGS)
    theirs = _quoted_text(foe, draw)
    if draw.random() < 0.4:
        body = f"{said}\n{draw.choice(UNMARKED)}\n{theirs}"
    else:
        on, marks = draw.choice(MARKED), draw.choice(MARKS)
        theirs = theirs.replace("pbem: please write above this line\n\n", "")
        quoted = (f"{on}\n" if on else "") + draw.choice(("", "\n")) * bool(on) + quote(theirs, *marks)
        if not on and marks[0] == "AM> ":
            quoted = quote(theirs)
        if draw.random() < 0.15:
            # by a server or a gateway that knows no marks
            quoted = wrapped(quoted, draw.choice((40, 50, 60)))
        where = draw.random()
        if where < 0.5:
            body = f"{said}\n{quoted}"
        elif where < 0.85:
            body = f"{quoted}\n{said}"
        else:
            body = f"{quote('Where do they go?' + chr(10))}\n{said}\n{quoted}"
    body += draw.choice(FOOTERS)
    flow = draw.random() < 0.25
    if flow and "\u00a0" not in body:
        body = flowed("\n".join(line if line == "-- " else line.rstrip(" ") for line in body.split("\n")))
    elif draw.random() < 0.3:
        flow, body = (
            False,
            "\n".join(
                wrapped(line, 76) if not line.startswith((">", "|")) else line for line in body.split("\n")
            ),
        )
    else:
        flow = False
    return taken(_shelled(_text_part(body, draw, flow), draw), wanted, foe)


def _rich(typed: str, wanted: str, foe: str, draw: Random) -> Letter:
    """Return a letter in HTML, alone or beside plain text."""
    greeting, closing = draw.choice(GREETINGS), draw.choice(CLOSINGS)
    said = greeting + typed + closing
    layout = draw.choice(LAYOUTS)
    theirs = _quoted_text(foe, draw)
    block = draw.choice(WRAPPERS)(draw.choice((brs, divs))(theirs))
    rich = f"<html><head><style>p{{margin:0}}</style></head><body>{layout(said)}<br>{block}</body></html>"
    leaf = part(
        "Content-Type: text/html; charset=utf-8", rich, draw.choice(("quoted-printable", "base64", "8bit"))
    )
    if draw.random() < 0.5:
        return taken(_shelled(leaf, draw), wanted, foe)
    plain = f"{said}\n{draw.choice(UNMARKED)}\n{theirs}"
    if draw.random() < 0.3:
        plain = draw.choice(("\n", "This letter is in HTML. Your program cannot show it.\n", " \n \n"))
    return taken(
        _shelled(alternative(f"=_alt_{draw.randrange(10**9)}", _text_part(plain, draw), leaf), draw),
        wanted,
        foe,
    )


def _attached(orders: str, foe: str, draw: Random) -> Letter:
    """Return a letter with its orders as a file, over a body that quotes somebody else's."""
    body = _text_part(f"See attachment.\n\n{draw.choice(MARKED)}\n{quote(_quoted_text(foe, draw))}", draw)
    name = draw.choice(("west.yaml", "orders.yml", "turn4.txt", "Befehle.YAML"))
    kind = draw.choice(("text/plain", "application/x-yaml", "application/octet-stream", "text/yaml"))
    data = (
        orders.encode()
        if draw.random() < 0.6
        else draw.choice((orders.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + orders.encode()))
    )
    file = attached(
        f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"', data
    )
    inside = [body, file] if draw.random() < 0.8 else [file, body]
    edge = f"=_file_{draw.randrange(10**9)}"
    return taken(
        mail(_header(draw), parts(f'Content-Type: multipart/mixed; boundary="{edge}"', edge, *inside)),
        orders,
        foe,
    )


def _nothing(foe: str, draw: Random) -> Letter:
    """Return a letter that has words of its own, but no orders, over orders of somebody else."""
    words = draw.choice(
        (
            "Thanks!\n",
            "Who was that?\n\nBen\n",
            "Ich schreibe morgen.\n",
            "",
            "Merci, à demain : promis.\n",
            "Odo should stay, I think.\n",
        )
    )
    theirs = _quoted_text(foe, draw)
    if draw.random() < 0.4:
        rich = f"<html><body>{divs(words or ' ')}{draw.choice(WRAPPERS)(brs(theirs))}</body></html>"
        return refused(
            _shelled(part("Content-Type: text/html; charset=utf-8", rich, "quoted-printable"), draw),
            "only-quoted",
            foe,
        )
    if draw.random() < 0.5:
        body = f"{words}\n{draw.choice(UNMARKED)}\n{theirs}"
    else:
        body = f"{words}\n{draw.choice(MARKED)}\n{quote(theirs, *draw.choice(MARKS))}"
    return refused(_shelled(_text_part(body + draw.choice(FOOTERS), draw), draw), "only-quoted", foe)


def _shelled(content: bytes, draw: Random) -> bytes:
    """Return a whole letter around a content: as it is, beside a picture, or two shells deep."""
    how = draw.random()
    if how < 0.7:
        return mail(_header(draw), content, draw.choice((b"\r\n", b"\r\n", b"\n")))
    edge = f"=_sh_{draw.randrange(10**9)}"
    inside = [content]
    if how < 0.85:
        inside.append(
            attached(
                f'Content-Type: image/png; name="{escape("map")}.png"\nContent-Disposition: attachment; '
                'filename="map.png"',
                png(),
            )
        )
    return mail(_header(draw), parts(f'Content-Type: multipart/mixed; boundary="{edge}"', edge, *inside))
