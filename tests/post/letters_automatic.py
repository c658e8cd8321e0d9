"""Letters that no person wrote and that must get no answer: absence notes, bounces, receipts, our own mail;
and a few that only look so.
"""

from __future__ import annotations

from letter_parts import Letter, alternative, letter, mail, part, parts, quote, refused, taken
from letter_texts import BARE, CAT, GERMAN, HERONS, REPORT, SHORT, UMPIRE

QUIN = "Quin Abel <quin@abel.example>"


def head(
    more: str = "", sender: str = QUIN, subject: str = "Re: Alder Ford", path: str = "<quin@abel.example>"
) -> str:
    return (
        f"Return-Path: {path}\nFrom: {sender}\nTo: {UMPIRE}\nSubject: {subject}\nDate: Thu, 19 Nov 2026 "
        "21:13:00 +0100\nMessage-ID: <a1@abel.example>\n"
        f"In-Reply-To: {BARE.id}\nMIME-Version: 1.0\n{more}"
    )


def text(body: str, header: str) -> bytes:
    return mail(
        header,
        part("Content-Type: text/plain; charset=utf-8", body, "" if body.isascii() else "quoted-printable"),
    )


AWAY = "I am out of the office until Monday and will answer then.\n"


@letter("absence-exchange-english")
def _() -> Letter:
    more = (
        "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nX-MS-Exchange-Inbox-Rules-Loop: "
        "quin@abel.example\nX-MS-TNEF-Correlator:\n"
    )
    return refused(
        text(AWAY, head(more, subject="Automatic reply: Alder Ford, turn 4", path="<>")), "automatic"
    )


@letter("absence-exchange-german-with-quotation")
def _() -> Letter:
    more = "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\n"
    body = f"Ich bin bis Montag nicht da.\n\n{quote(BARE.text)}"
    return refused(
        text(body, head(more, subject="Automatische Antwort: Alder Ford")), "automatic", BARE.orders
    )


@letter("absence-exchange-old-without-the-header")
def _() -> Letter:
    return refused(
        text(f"{AWAY}\n{CAT}", head("", subject="Out of Office: Alder Ford, turn 4", path="<>")),
        "automatic",
        CAT,
    )


@letter("absence-gmail")
def _() -> Letter:
    more = "Auto-Submitted: auto-replied\nPrecedence: bulk\nX-Autoreply: yes\n"
    return refused(text(AWAY, head(more, subject="Away until Monday Re: Alder Ford")), "automatic")


@letter("absence-hotmail-says-generated")
def _() -> Letter:
    return refused(text(AWAY, head("Auto-Submitted: auto-generated\n")), "automatic")


@letter("absence-sieve-vacation")
def _() -> Letter:
    return refused(
        text(
            AWAY,
            head(
                "Auto-Submitted: auto-replied (vacation)\nX-Sieve: Pigeonhole Sieve 0.5.4\n",
                subject="Auto: Alder Ford",
            ),
        ),
        "automatic",
    )


@letter("absence-unix-vacation-precedence-junk")
def _() -> Letter:
    return refused(
        text(f"{AWAY}\n{quote(BARE.text)}", head("Precedence: junk\n", subject="away from my mail")),
        "automatic",
        BARE.orders,
    )


@letter("absence-gmx-german-subject-only")
def _() -> Letter:
    return refused(
        text("Ich bin im Urlaub.\n", head("X-Autoreply: yes\n", subject="Abwesenheitsnotiz")), "automatic"
    )


@letter("absence-orange-french")
def _() -> Letter:
    return refused(
        text(
            "Je suis absent.\n",
            head(
                "X-Autorespond: Alder Ford\nPrecedence: auto_reply\n",
                subject="Réponse automatique : Alder Ford".replace("é", "e"),
            ),
        ),
        "automatic",
    )


@letter("absence-with-orders-of-the-sender-inside")
def _() -> Letter:
    return refused(
        text(f"{AWAY}\nMy standing instructions:\n\n{HERONS}", head("Auto-Submitted: auto-replied\n")),
        "automatic",
        HERONS,
    )


def report(kind: str, delivery: str, body: str, original: str, header: str) -> bytes:
    edge = "4F1C07.1795156915/mx.abel.example"
    return mail(
        header,
        parts(
            f'Content-Type: multipart/report; report-type={kind};\n\tboundary="{edge}"',
            edge,
            part("Content-Description: Notification\nContent-Type: text/plain; charset=us-ascii", body),
            part(f"Content-Type: message/{kind}", delivery),
            part("Content-Description: Undelivered Message\nContent-Type: message/rfc822", original),
            preamble="This is a MIME-encapsulated message.\n\n",
        ),
    )


OURS = f"From: {UMPIRE}\nTo: quin@abel.example\nSubject: {BARE.subject}\nMessage-ID: {BARE.id}\n\n{BARE.text}"


@letter("bounce-postfix")
def _() -> Letter:
    header = head(
        "Auto-Submitted: auto-replied\n",
        "MAILER-DAEMON@mx.abel.example (Mail Delivery System)",
        "Undelivered Mail Returned to Sender",
        "<>",
    )
    status = (
        "Reporting-MTA: dns; mx.abel.example\n\nFinal-Recipient: rfc822; quin@abel.example\nAction: failed\n"
        "Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 unknown\n"
    )
    return refused(
        report("delivery-status", status, "I'm sorry to have to inform you.\n", OURS, header),
        "automatic",
        BARE.orders,
    )


@letter("bounce-delayed-without-auto-submitted")
def _() -> Letter:
    header = head(
        "",
        "Mail Delivery Subsystem <MAILER-DAEMON@mx.abel.example>",
        "Warning: could not send message for past 4 hours",
        "<>",
    )
    status = (
        "Reporting-MTA: dns; mx.abel.example\n\nFinal-Recipient: rfc822; quin@abel.example\nAction: "
        "delayed\nStatus: 4.4.7\n"
    )
    return refused(
        report("delivery-status", status, "Still trying.\n", OURS, header), "automatic", BARE.orders
    )


@letter("bounce-qmail-plain-text")
def _() -> Letter:
    body = (
        "Hi. This is the qmail-send program at abel.example.\nI'm afraid I wasn't able to deliver your "
        "message.\n\n<quin@abel.example>:\nSorry, no mailbox here. (#5.1.1)\n\n--- Below this line is a "
        f"copy of the message.\n\n{OURS}"
    )
    return refused(
        text(body, head("", "MAILER-DAEMON@abel.example", "failure notice", "<>")), "automatic", BARE.orders
    )


@letter("bounce-exim")
def _() -> Letter:
    body = (
        "This message was created automatically by mail delivery software.\n\nA message that you sent "
        f"could not be delivered.\n\n------ This is a copy of the message. ------\n\n{OURS}"
    )
    header = head(
        "Auto-Submitted: auto-replied\nX-Failed-Recipients: quin@abel.example\n",
        "Mail Delivery System <Mailer-Daemon@mx.abel.example>",
        "Mail delivery failed: returning message to sender",
        "<>",
    )
    return refused(text(body, header), "automatic", BARE.orders)


@letter("bounce-exchange-undeliverable")
def _() -> Letter:
    header = head(
        "Auto-Submitted: auto-replied\nX-MS-Exchange-Message-Is-Ndr:\n",
        "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@abel.example>",
        "Undeliverable: Alder Ford",
        "<>",
    )
    return refused(
        report(
            "delivery-status",
            "Reporting-MTA: dns;DB9PR04\n\nFinal-recipient: RFC822;quin@abel.example\nAction: failed\n"
            "Status: 5.1.10\n",
            "Delivery has failed.\n",
            OURS,
            header,
        ),
        "automatic",
        BARE.orders,
    )


@letter("receipt-of-reading-mdn")
def _() -> Letter:
    status = (
        "Reporting-UA: abel.example; Mail\nFinal-Recipient: rfc822;quin@abel.example\nOriginal-Message-ID: "
        f"{BARE.id}\nDisposition: manual-action/MDN-sent-manually; displayed\n"
    )
    return refused(
        report(
            "disposition-notification",
            status,
            "Your message was displayed.\n",
            OURS,
            head(subject="Return Receipt (displayed)"),
        ),
        "automatic",
        BARE.orders,
    )


@letter("list-moderation-notice")
def _() -> Letter:
    more = (
        "X-List-Administrivia: yes\nPrecedence: bulk\nAuto-Submitted: auto-replied\nX-BeenThere: "
        "siege@lists.example\n"
    )
    return refused(
        text(
            f"Your mail to 'Siege' awaits moderator approval.\n\n{HERONS}",
            head(more, "siege-bounces@lists.example"),
        ),
        "automatic",
        HERONS,
    )


@letter("ticket-system")
def _() -> Letter:
    more = "Auto-Submitted: auto-generated\nX-Mailer: Zendesk Mailer\nX-Auto-Response-Suppress: All\n"
    return refused(
        text(
            "##- Please type your reply above this line -##\n\nYour request (4711) "
            f"has been received.\n\n{BARE.text}",
            head(more, "Help <no-reply@help.example>"),
        ),
        "automatic",
        BARE.orders,
    )


@letter("challenge-to-prove-one-is-human")
def _() -> Letter:
    return refused(
        text(
            "Please click to have your mail delivered.\n",
            head("Auto-Submitted: auto-replied\nPrecedence: bulk\n", subject="Please confirm your message"),
        ),
        "automatic",
    )


@letter("own-turn-mail-come-back")
def _() -> Letter:
    more = (
        "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nX-PBEM-Processor: 1\nList-Id: Toll "
        "at the Alder Ford <alder-ford-7c21e0.ford.example>\n"
    )
    sheet = part(
        'Content-Type: text/yaml; charset=utf-8; name="west.yaml"\nContent-Disposition: attachment; '
        'filename="west.yaml"',
        CAT,
    )
    body = parts(
        'Content-Type: multipart/mixed; boundary="own"',
        "own",
        part("Content-Type: text/plain; charset=utf-8", REPORT.text),
        sheet,
    )
    return refused(mail(head(more, UMPIRE, REPORT.subject), body), "automatic", CAT + REPORT.orders)


@letter("own-mail-come-back-with-the-marker-alone")
def _() -> Letter:
    return refused(text(f"{REPORT.text}\n{CAT}", head("X-PBEM-Processor: 1\n", UMPIRE)), "automatic", CAT)


@letter("bounce-null-return-path-and-nothing-else")
def _() -> Letter:
    return refused(
        text(
            f"User unknown\n\n{OURS}",
            head("", "postmaster@abel.example", "Returned mail: see transcript for details", "<>"),
        ),
        "automatic",
        BARE.orders,
    )


@letter("answering-machine-precedence-auto-reply")
def _() -> Letter:
    return refused(
        text(f"Thank you for your mail.\n\n{SHORT}", head("Precedence: auto_reply\n")), "automatic", SHORT
    )


# --- those only look so


@letter("person-auto-submitted-no")
def _() -> Letter:
    return taken(text(CAT, head("Auto-Submitted: no\n")), CAT)


@letter("person-precedence-bulk-from-a-list")
def _() -> Letter:
    return taken(text(HERONS, head("Precedence: bulk\nList-Id: <siege.lists.example>\n")), HERONS)


@letter("person-subject-in-reply-to-an-automatic-one")
def _() -> Letter:
    return taken(text(GERMAN, head(subject="AW: Automatische Befehle")), GERMAN)


@letter("person-answers-below-our-headers-quoted")
def _() -> Letter:
    body = f"{SHORT}\n> Auto-Submitted: auto-generated\n> X-PBEM-Processor: 1\n>\n{quote(REPORT.text)}"
    return taken(text(body, head()), SHORT, REPORT.orders)


@letter("person-priority-and-mailing-software-headers")
def _() -> Letter:
    more = (
        "X-Priority: 1 (Highest)\nImportance: high\nPrecedence: first-class\nX-Mailer: automatic-cow 1.0\n"
        "Disposition-Notification-To: quin@abel.example\n"
    )
    return taken(
        mail(
            head(more),
            alternative(
                "a",
                part("Content-Type: text/plain", CAT),
                part("Content-Type: text/html", f"<pre>{CAT}</pre>"),
            ),
        ),
        CAT,
    )
