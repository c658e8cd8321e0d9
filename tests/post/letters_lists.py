"""Letters that came through a mailing list: what Mailman, Google Groups, groups.io, Yahoo Groups, Sympa and
others add to them.
"""

from __future__ import annotations

from letter_parts import Letter, alternative, brs, divs, letter, mail, part, parts, quote, refused, taken
from letter_texts import (
    BARE,
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
    STOP,
    WHEN,
)

LOU = "Lou Petit <lou@players.example>"


def head(
    more: str,
    sender: str = LOU,
    subject: str = "[Siege] Re: Alder Ford, turn 4",
    to: str = "Siege games <siege@lists.example>",
) -> str:
    return (
        f"From: {sender}\nTo: {to}\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMessage-ID: "
        f"<20261120064155.list@players.example>\nIn-Reply-To: {BARE.id}\n"
        f"References: {BARE.id}\nSubject: {subject}\nMIME-Version: 1.0\n{more}"
    )


def text(body: str, header: str, charset: str = "us-ascii") -> bytes:
    return mail(
        header,
        part(
            f"Content-Type: text/plain; charset={charset}",
            body,
            "7bit" if body.isascii() else "quoted-printable",
        ),
    )


MAILMAN = (
    "X-BeenThere: siege@lists.example\nX-Mailman-Version: 2.1.39\nPrecedence: list\nList-Id: Siege games "
    "<siege.lists.example>\n"
    'List-Post: <mailto:siege@lists.example>\nErrors-To: siege-bounces@lists.example\nSender: "Siege" '
    "<siege-bounces@lists.example>\n"
)
FOOTER = (
    "_______________________________________________\nSiege mailing list\nSiege@lists.example\n"
    "https://lists.example/mailman/listinfo/siege\n"
)


@letter("mailman-2-footer-in-the-text")
def _() -> Letter:
    return taken(text(f"{HERONS}{FOOTER}", head(MAILMAN)), HERONS)


@letter("mailman-2-footer-below-a-quotation")
def _() -> Letter:
    return taken(
        text(f"{STANDING}\nOn 19.11.26 21:12, Ada Marsh wrote:\n{quote(BARE.text)}\n{FOOTER}", head(MAILMAN)),
        STANDING,
        BARE.orders,
    )


@letter("mailman-2-footer-as-a-part")
def _() -> Letter:
    edge = "===============1234567890123456789=="
    inner = alternative(
        "000000000000",
        part('Content-Type: text/plain; charset="UTF-8"', WHEN),
        part('Content-Type: text/html; charset="UTF-8"', f"<div>{divs(WHEN)}</div>"),
    )
    foot = part(
        'Content-Type: text/plain; charset="us-ascii"\nMIME-Version: 1.0\nContent-Disposition: inline',
        FOOTER,
        "7bit",
    )
    return taken(
        mail(head(MAILMAN), parts(f'Content-Type: multipart/mixed; boundary="{edge}"', edge, inner, foot)),
        WHEN,
    )


@letter("mailman-2-html-scrubbed")
def _() -> Letter:
    scrubbed = (
        "-------------- next part --------------\nAn HTML attachment was scrubbed...\nURL: "
        "<https://lists.example/pipermail/siege/attachments/20261120/1/attachment.htm>\n"
    )
    return taken(text(f"{CAT}\n{scrubbed}{FOOTER}", head(MAILMAN)), CAT)


@letter("mailman-3-sender-rewritten")
def _() -> Letter:
    more = (
        "X-Mailman-Version: 3.3.9\nX-MailFrom: lou@players.example\nReply-To: Lou Petit "
        "<lou@players.example>\nPrecedence: list\nList-Id: <siege.lists.example>\n"
        "Message-ID-Hash: ABCDEFGHIJKLMNOP\n"
    )
    foot = (
        "_______________________________________________\nsiege mailing list -- siege@lists.example\nTo "
        "unsubscribe send an email to siege-leave@lists.example\n"
    )
    return taken(text(f"{GOAT}{foot}", head(more, "Lou Petit via siege <siege@lists.example>")), GOAT)


@letter("google-groups-footer")
def _() -> Letter:
    foot = (
        '-- \nYou received this message because you are subscribed to the Google Groups "Siege games" '
        "group.\nTo unsubscribe from this group and stop receiving emails "
        "from it, send an email to siege-games+unsubscribe@googlegroups.example.\n"
    )
    more = (
        "Precedence: list\nMailing-list: list siege-games@googlegroups.example; contact "
        "siege-games+owners@googlegroups.example\nList-ID: <siege-games.googlegroups.example>\n"
        "X-Google-Group-Id: 123456789\n"
    )
    return taken(text(f"{FIGURES}\n{foot}", head(more)), FIGURES)


@letter("groups-io-footer-of-signs")
def _() -> Letter:
    foot = (
        "\n\n-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\n"
        "View/Reply Online (#4711): https://groups.example/g/siege/message/4711\nMute This Topic: "
        "https://groups.example/mt/1/2\n-=-=-=-=-=-=-=-=-=-=-=-\n"
    )
    more = (
        "Precedence: Bulk\nList-Unsubscribe: <mailto:siege+unsubscribe@groups.example>\nMailing-List: list "
        "siege@groups.example; contact siege+owner@groups.example\n"
    )
    return taken(text(f"{SHORT}{foot}", head(more)), SHORT)


@letter("yahoo-groups-of-old")
def _() -> Letter:
    foot = (
        "\n\n------------------------------------\n\n------------------------------------\n\nYahoo Groups "
        "Links\n\n<*> To visit your group on the web, go to:\n    http://groups.example/group/siege/\n\n<*> "
        "Your email settings:\n    Individual Email | Traditional\n"
    )
    more = (
        "Precedence: bulk\nMailing-List: list siege@yahoogroups.example; contact "
        "siege-owner@yahoogroups.example\nDelivered-To: mailing list siege@yahoogroups.example\n"
        "List-Unsubscribe: <mailto:siege-unsubscribe@yahoogroups.example>\nX-Yahoo-Profile: lou_p\n"
        "X-Yahoo-Newman-Property: groups-email-ff-m\n"
    )
    return taken(text(f"{SPACED}{foot}", head(more)), SPACED)


@letter("yahoo-groups-html-advertisement")
def _() -> Letter:
    rich = (
        f'<html><body>{brs(GOAT)}<br>\n<span width="1" style="color: white;">__._,_.___</span><div '
        'id="ygrp-actbar">Reply via web post</div><div id="ygrp-sponsor">Visit your group: move '
        "now</div></body></html>"
    )
    plain = f"{GOAT}\n[Non-text portions of this message have been removed]\n\n\n"
    body = alternative(
        "_x",
        part("Content-Type: text/plain; charset=iso-8859-1", plain),
        part("Content-Type: text/html; charset=iso-8859-1", rich),
    )
    return taken(
        mail(
            head(
                "Precedence: bulk\nMailing-List: list siege@yahoogroups.example; contact "
                "siege-owner@yahoogroups.example\nX-Yahoo-Newman-Property: groups-email-tradt-m\n"
            ),
            body,
        ),
        GOAT,
    )


@letter("sympa-german-list")
def _() -> Letter:
    more = (
        "X-Loop: siege@listen.example\nX-Sequence: 4711\nPrecedence: list\nX-no-archive: yes\nList-Id: "
        "<siege.listen.example>\n"
    )
    foot = "\n--\nAbmelden: https://listen.example/sympa/signoff/siege\n"
    return taken(text(f"{GERMAN}{foot}", head(more), "utf-8"), GERMAN)


@letter("ezmlm-rule-of-dashes")
def _() -> Letter:
    foot = (
        "\n---------------------------------------------------------------------\nTo unsubscribe, e-mail: "
        "siege-unsubscribe@lists.example\nFor additional commands, e-mail: siege-help@lists.example\n\n"
    )
    return taken(
        text(
            f"{STOP}{foot}",
            head(
                "Mailing-List: contact siege-help@lists.example; run by ezmlm\nPrecedence: bulk\nList-Post: "
                "<mailto:siege@lists.example>\nList-Help: <mailto:siege-help@lists.example>\n"
            ),
        ),
        STOP,
    )


@letter("listserv-rule-of-hashes")
def _() -> Letter:
    foot = (
        "\n########################################################################\n\nTo unsubscribe from "
        "the SIEGE list, click the following link:\n"
        "https://listserv.example/scripts/wa.exe?SUBED1=SIEGE&A=1\n"
    )
    return taken(
        text(
            f"{LUCK}{foot}", head("Precedence: list\nList-Owner: <mailto:SIEGE-request@listserv.example>\n")
        ),
        LUCK,
    )


@letter("freelists-trailing-space")
def _() -> Letter:
    body = "".join(f"{line} \n" for line in HERONS.splitlines())
    return taken(
        text(
            f"{body}\n-- \nFreeLists: siege\n",
            head("X-ecartis-version: Ecartis v1.0.0\nPrecedence: normal\n"),
        ),
        HERONS,
    )


@letter("list-french-header-above")
def _() -> Letter:
    body = (
        f"[Liste Siège : répondre à tous]\n\n{FRENCH}\n_______________________________________________\n"
        "Siège liste de diffusion\n"
    )
    return taken(text(body, head(MAILMAN), "utf-8"), FRENCH)


@letter("mailman-digest-of-several")
def _() -> Letter:
    edge = "===============0987654321=="
    one, two = (
        mail(
            f"From: {who}\nSubject: my orders\nDate: Thu, 19 Nov 2026 20:00:00 +0100\nMessage: {number}",
            part("Content-Type: text/plain", orders),
            b"\n",
        )
        for number, who, orders in ((1, "Cleo <cleo@east.example>", SPACED), (2, LOU, GOAT))
    )
    mask = part(
        'Content-Type: text/plain; charset="us-ascii"\nContent-Description: Siege Digest, Vol 3, Issue 7',
        "Send Siege mailing list submissions to\n\tsiege@lists.example\n",
    )
    digest = parts(
        'Content-Type: multipart/digest; boundary="d"',
        "d",
        *(b"Content-Type: message/rfc822\n\n" + each for each in (one, two)),
    )
    body = parts(
        f'Content-Type: multipart/mixed; boundary="{edge}"',
        edge,
        mask,
        digest,
        part("Content-Type: text/plain", FOOTER),
    )
    return refused(
        mail(head(MAILMAN, "siege-request@lists.example", "Siege Digest, Vol 3, Issue 7"), body),
        "automatic",
        SPACED + GOAT,
    )


@letter("mailman-2-report-on-the-list")
def _() -> Letter:
    return refused(
        text(f"What did they do?\n\n> Ada wrote:\n{quote(BARE.text)}\n{FOOTER}", head(MAILMAN)),
        "only-quoted",
        BARE.orders,
    )


@letter("list-reply-over-a-report-of-ours")
def _() -> Letter:
    return taken(
        text(
            f"{CAT}\nOn Thu, 19 Nov 2026, Ada Marsh via siege wrote:\n{quote(REPORT.text)}{FOOTER}",
            head(MAILMAN),
        ),
        CAT,
        REPORT.orders,
    )
