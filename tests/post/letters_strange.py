"""Letters with heads that few lists of words know, without a type or an end, and with orders that are chat,
struck out or without a colon.
"""

from __future__ import annotations

from letter_parts import Letter, brs, divs, letter, mail, part, parts, quote, refused, taken
from letter_texts import (
    BARE,
    BISHOP,
    CAT,
    FIGURES,
    FRENCH,
    GOAT,
    HERONS,
    LUCK,
    SETUP,
    SHORT,
    SPACED,
    STANDING,
    UMPIRE,
    WHEN,
)

NIA = "Nia Lowe <nia@lowe.example>"
TOMORROW = "I will write tomorrow.\n"


def head(more: str = "", subject: str = "Re: your move") -> str:
    return (
        f"From: {NIA}\nTo: {UMPIRE}\nSubject: {subject}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMessage-ID: "
        f"<n1@lowe.example>\nMIME-Version: 1.0\n{more}"
    )


def text(body: str, more: str = "") -> bytes:
    return mail(
        head(more),
        part("Content-Type: text/plain; charset=utf-8", body, "" if body.isascii() else "quoted-printable"),
    )


def bare(body: str) -> bytes:
    """Return a letter as the programs of a command line write it: it names no type."""
    return mail(head().replace("MIME-Version: 1.0\n", ""), f"\n{body}")


def html(body: str) -> bytes:
    return mail(head(), part("Content-Type: text/html; charset=utf-8", body, "quoted-printable"))


# --- heads


@letter("strange-alibaba-no-blank-behind-the-colon")
def _() -> Letter:
    top = (
        f"{'-' * 66}\nFrom:Ada Marsh <umpire@ford.example>\nSend Time:2026 Nov. 19 (Thu.) 21:12\nTo:Nia "
        f"<nia@lowe.example>\nSubject:{BARE.subject}\n"
    )
    return taken(text(f"{HERONS}\n{top}\n{BARE.text}"), HERONS, BARE.orders)


@letter("strange-alibaba-in-chinese-and-nothing-of-ones-own")
def _() -> Letter:
    top = (
        f"{'-' * 66}\n发件人：Ada Marsh <umpire@ford.example>\n发送时间：2026年11月19日(星期四) 21:12\n收件人：Nia "
        f"<nia@lowe.example>\n主　题：{BARE.subject}\n"
    )
    return refused(text(f"{TOMORROW}\n{top}\n{BARE.text}"), "only-quoted", BARE.orders)


@letter("strange-netease-table-and-nothing-above-it")
def _() -> Letter:
    top = (
        "---- Replied Message ----\n| From | Ada Marsh<umpire@ford.example> |\n| Date | 11/19/2026 21:12 "
        f"|\n| To | nia@lowe.example |\n| Subject | {BARE.subject} |\n"
    )
    return refused(text(f"\n\n{top}\n{BARE.text}"), "only-quoted", BARE.orders)


@letter("strange-netease-table-below-orders")
def _() -> Letter:
    top = (
        "---- 回复的原邮件 ----\n| 发件人 | Ada Marsh<umpire@ford.example> |\n| 发送日期 | 2026年11月19日 21:12 |\n| 收件人 | "
        f"nia@lowe.example |\n| 主题 | {BARE.subject} |\n"
    )
    return taken(text(f"{GOAT}\n\n{top}\n{BARE.text}"), GOAT, BARE.orders)


@letter("strange-qq-says-original-and-no-more")
def _() -> Letter:
    return taken(
        text(f"{CAT}\n------------------ Original ------------------\n{BARE.text}"), CAT, BARE.orders
    )


@letter("strange-kmail-you-wrote")
def _() -> Letter:
    return taken(text(f"{SHORT}\nOn Nov 19, 2026 you wrote:\n\n{BARE.text}"), SHORT, BARE.orders)


@letter("strange-outlook-in-bulgarian-names-only")
def _() -> Letter:
    top = f"От: Ada Marsh\nИзпратено: четвъртък, 19 ноември 2026 г. 21:12\nДо: Nia\nОтносно: {BARE.subject}\n"
    return refused(text(f"{TOMORROW}\n{top}\n{BARE.text}"), "only-quoted", BARE.orders)


@letter("strange-outlook-in-estonian-names-only")
def _() -> Letter:
    top = (
        "Saatja: Ada Marsh\nSaadetud: neljapäev, 19. november 2026 21:12\nAdressaat: Nia\nTeema: "
        f"{BARE.subject}\n"
    )
    return taken(text(f"{SETUP}\n{top}\n{BARE.text}"), SETUP, BARE.orders)


@letter("strange-a-header-in-a-language-nobody-knows")
def _() -> Letter:
    top = f"Kopal: Ada Marsh\nWenig: 19 brumo 2026, 21:12\nZu wem: Nia\nThe ting: {BARE.subject}\n"
    return refused(text(f"{TOMORROW}\n{top}\n{BARE.text}"), "only-quoted", BARE.orders)


@letter("strange-an-announcement-in-a-language-nobody-knows")
def _() -> Letter:
    return taken(text(f"{BISHOP}\n19 brumo 2026 Ada Marsh blorpit:\n\n{BARE.text}"), BISHOP, BARE.orders)


@letter("strange-zimbra-announces-behind-a-dash")
def _() -> Letter:
    return taken(
        text(f"{FRENCH}\n- Le 2026-11-19 21:12, Ada a écrit :\n{quote(BARE.text)}"), FRENCH, BARE.orders
    )


@letter("strange-s-nail-marks-by-tabs-and-is-answered-below")
def _() -> Letter:
    quoted = "".join(f"\t{line}\n" for line in BARE.text.splitlines())
    return taken(bare(f"Ada Marsh <umpire@ford.example> wrote:\n\n{quoted}{WHEN}"), WHEN, BARE.orders)


# --- no type, no end


@letter("strange-no-type-and-a-title-of-dashes")
def _() -> Letter:
    return refused(bare(f"{TOMORROW}\n-----Original Message-----\n\n{BARE.text}"), "only-quoted", BARE.orders)


@letter("strange-no-type-and-a-rule-above-the-name")
def _() -> Letter:
    return taken(bare(f"{STANDING}\n---\n\nNia\n"), STANDING)


@letter("strange-no-type-and-signed-in-the-clear")
def _() -> Letter:
    signed = SPACED.replace("\n- ", "\n- - ")
    top = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
    return taken(
        bare(f"{top}{signed}-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"), SPACED
    )


@letter("strange-a-line-of-blanks-in-the-header")
def _() -> Letter:
    raw = text(FIGURES).replace(
        b"MIME-Version: 1.0\r\n", b"X-Scanned: by\r\n \r\n\tmx.lowe.example\r\nMIME-Version: 1.0\r\n"
    )
    return taken(raw, FIGURES)


@letter("strange-cut-within-its-last-part")
def _() -> Letter:
    body = parts(
        "Content-Type: multipart/alternative; boundary=cut",
        "cut",
        part("Content-Type: text/plain", GOAT),
        close=False,
    )
    return taken(mail(head(), body), GOAT)


@letter("strange-ones-own-old-letter-as-a-proof")
def _() -> Letter:
    old = mail(
        f"From: {NIA}\nDate: Mon, 16 Nov 2026 07:41:55 +0100\nMessage-ID: <n0@lowe.example>\nSubject: orders",
        f"\n{HERONS}",
        b"\n",
    )
    file = part(
        'Content-Type: message/rfc822\nContent-Disposition: attachment; filename="sent.eml"', old, "7bit"
    )
    first = part("Content-Type: text/plain", "You said that my orders came too late. Here is the proof.\n")
    return refused(
        mail(head(), parts("Content-Type: multipart/mixed; boundary=old", "old", first, file)),
        "only-quoted",
        HERONS,
    )


# --- struck out, folded away


@letter("strange-struck-out-by-a-style")
def _() -> Letter:
    rich = f'{divs(SHORT)}<div><span style="text-decoration: line-through">- hob to 0714</span></div>'
    return taken(html(f"<html><body>{rich}</body></html>"), SHORT, "side: east\nmove:\n- hob to 0714\n")


@letter("strange-struck-out-by-a-class")
def _() -> Letter:
    rich = (
        f"<style>.gone {{ color: #999; text-decoration: line-through; }}</style>{brs(CAT)}<br><div "
        f'class="gone">{brs(BARE.orders)}</div>'
    )
    return taken(html(f"<html><body>{rich}</body></html>"), CAT, BARE.orders)


@letter("strange-folded-away")
def _() -> Letter:
    return taken(
        html(f"{divs(BISHOP)}<details><summary>Earlier</summary>{brs(BARE.text)}</details>"),
        BISHOP,
        BARE.orders,
    )


# --- chat and slips


@letter("strange-chat-that-begins-as-keys-do")
def _() -> Letter:
    said = "Luck: I had none this turn, all my dice were ones.\n\nSide: west is doing fine, I think.\n"
    return refused(text(f"Hi Ada,\n\n{said}\nNia\n"), "nothing")


@letter("strange-chat-that-begins-as-keys-do-above-orders")
def _() -> Letter:
    return taken(
        text(f"Luck: I had none this turn, all my dice were ones.\n\nAnyway, here we go.\n\n{GOAT}"), GOAT
    )


@letter("strange-luck-without-its-colon")
def _() -> Letter:
    return taken(text(f"{SHORT}luck seven drunken herons\n"), f"{SHORT}{LUCK}")


@letter("strange-two-orders-on-a-line")
def _() -> Letter:
    return taken(
        text("side: east\nmove:\n- odo to 0713, hob to 0714; wulf, hugh to 0715\n"),
        "side: east\nmove:\n- odo to 0713\n- hob to 0714\n- wulf, hugh to 0715\n",
    )


@letter("person-precedence-bulk")
def _() -> Letter:
    return taken(text(HERONS, "Precedence: bulk\n"), HERONS)


@letter("absence-spanish-without-a-sign")
def _() -> Letter:
    raw = mail(
        head(subject="Fuera de la oficina: Re: your move"),
        part("Content-Type: text/plain; charset=utf-8", "Vuelvo el lunes.\n"),
    )
    return refused(raw, "automatic")


@letter("absence-japanese-that-says-it-is-a-machine")
def _() -> Letter:
    body = "これは自動返信です。\n月曜日に戻ります。\n"
    return refused(mail(head(), part("Content-Type: text/plain; charset=utf-8", body, "base64")), "automatic")
