"""Letters whose text came to harm on its way: spaces, quotes, dashes, indentation, line breaks, character
sets, encodings.
"""

from __future__ import annotations

import unicodedata

from letter_parts import (
    Letter,
    alternative,
    attached,
    b64_of,
    brs,
    divs,
    esc,
    letter,
    mail,
    part,
    parts,
    qp,
    quote,
    taken,
    wrapped,
)
from letter_texts import (
    ANSWERS,
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
    LONGFORM,
    REPORT,
    SHORT,
    SPACED,
    STANDING,
    TALK,
    UMPIRE,
    WHEN,
)

NIA = "Nia Evans <nia@evans.example>"
HEAD = (
    f"From: {NIA}\nTo: {UMPIRE}\nSubject: orders\nDate: Fri, 20 Nov 2026 07:41:55 +0100\nMessage-ID: "
    "<r1@evans.example>\nMIME-Version: 1.0\n"
)
LIST = "side: east\nmove:\n- odo to 0713\n- hob to 0714\n"


def text(
    body: str | bytes, kind: str = "text/plain; charset=utf-8", cte: str = "8bit", code: str = "utf-8"
) -> bytes:
    data = body.encode(code) if isinstance(body, str) else body
    return mail(HEAD, part(f"Content-Type: {kind}" if kind else "", data, cte))


def html(body: str, charset: str = "utf-8", cte: str = "quoted-printable") -> bytes:
    return mail(HEAD, part(f"Content-Type: text/html; charset={charset}", body, cte, charset))


# --- spaces and signs


@letter("repair-nbsp-everywhere")
def _() -> Letter:
    return taken(text(WHEN.replace(" ", "\u00a0")), WHEN)


@letter("repair-nbsp-before-a-french-colon")
def _() -> Letter:
    return taken(text(FRENCH.replace(":", "\u00a0:")), FRENCH)


@letter("repair-narrow-and-ideographic-spaces")
def _() -> Letter:
    return taken(
        text(
            SHORT.replace("side: ", "side:\u3000").replace("- odo", "-\u2009odo").replace(" to ", "\u202fto ")
        ),
        SHORT,
    )


@letter("repair-tabs-as-indentation")
def _() -> Letter:
    return taken(text(STANDING.replace("    ", "\t\t").replace("  everyone", "\teveryone")), STANDING)


@letter("repair-tab-behind-the-dash")
def _() -> Letter:
    return taken(text(LIST.replace("- ", "-\t")), LIST)


@letter("repair-en-dashes-as-bullets")
def _() -> Letter:
    return taken(text(HERONS.replace("- ", "– ")), HERONS)


@letter("repair-em-dashes-without-a-space")
def _() -> Letter:
    return taken(text(LIST.replace("- ", "—")), LIST)


@letter("repair-bullets-of-three-kinds")
def _() -> Letter:
    return taken(
        text("side: east\nmove:\n• odo to 0713\n· hob to 0714\nfight:\n▪ odo attacks hob\n"),
        "side: east\nmove:\n- odo to 0713\n- hob to 0714\nfight:\n- odo attacks hob\n",
    )


@letter("repair-asterisks-as-bullets")
def _() -> Letter:
    return taken(text(LIST.replace("- ", "* ")), LIST)


@letter("repair-hyphen-of-another-kind-in-a-key")
def _() -> Letter:
    return taken(text(BISHOP.replace("shoot-again", "shoot\u2011again")), BISHOP)


@letter("repair-curly-apostrophe-stays-in-luck")
def _() -> Letter:
    typed = GOAT.replace("neighbour's", "neighbour’s")
    return taken(text(typed), typed)


@letter("repair-curly-quotes-around-a-message-with-a-colon")
def _() -> Letter:
    typed = "side: west\nmove:\n- odo to 0811\nmessage: „Merke: nächstes Mal mehr Leute!“\n"
    return taken(text(typed), typed.replace("„", '"').replace("“", '"'))


@letter("repair-soft-hyphens")
def _() -> Letter:
    return taken(
        text(HERONS.replace("iorwerth", "ior\u00adwerth").replace("attack ", "at\u00adtack ")), HERONS
    )


@letter("repair-zero-width-signs")
def _() -> Letter:
    typed = "\u200b" + LIST.replace("move:", "\u200bmove:\u200b").replace("odo", "o\u2060do").replace(
        "0714", "\ufeff0714"
    ).replace("hob", "h\u200cob")
    return taken(text(typed), LIST)


@letter("repair-direction-marks")
def _() -> Letter:
    return taken(
        text(
            LIST.replace("0713", "\u200e0713\u200f")
            .replace("side", "\u202aside")
            .replace("east", "east\u202c")
        ),
        LIST,
    )


@letter("repair-fullwidth-colons-and-commas")
def _() -> Letter:
    return taken(
        text("side：west\nmove：\n- tom，wat carry ladder1 to 0603 0602\n"),
        "side:west\nmove:\n- tom,wat carry ladder1 to 0603 0602\n".replace("side:", "side: "),
    )


@letter("repair-line-separators")
def _() -> Letter:
    return taken(text(LIST.replace("\n", "\u2028")), LIST)


@letter("repair-next-line-signs")
def _() -> Letter:
    return taken(text(LIST.replace("\n", "\u0085")), LIST)


@letter("repair-letters-taken-apart")
def _() -> Letter:
    return taken(text(unicodedata.normalize("NFD", GERMAN)), GERMAN)


@letter("repair-capital-keys")
def _() -> Letter:
    typed = STANDING
    for key in ("side", "luck", "move", "standing", "everyone", "wound", "retreat", "advance"):
        typed = typed.replace(f"{key}:", f"{key.title()}:")
    return taken(text(typed), STANDING)


@letter("repair-keys-in-block-letters")
def _() -> Letter:
    typed = (
        BISHOP.replace("side:", "SIDE:")
        .replace("move:", "MOVE:")
        .replace("shoot-again:", "SHOOT-AGAIN:")
        .replace("luck:", "LUCK:")
    )
    return taken(text(typed), BISHOP)


# --- indentation and line breaks


@letter("repair-lost-indentation-of-answers")
def _() -> Letter:
    return taken(text(ANSWERS.replace("  q", "q")), ANSWERS)


@letter("repair-lost-indentation-of-standing")
def _() -> Letter:
    return taken(text(STANDING.replace("    ", "").replace("  everyone", "everyone")), STANDING)


@letter("repair-lost-indentation-of-single-figures")
def _() -> Letter:
    return taken(text("".join(f"{line.strip()}\n" for line in FIGURES.splitlines())), FIGURES)


@letter("repair-everything-indented-alike")
def _() -> Letter:
    return taken(text("".join(f"    {line}\n" for line in WHEN.splitlines())), WHEN)


@letter("repair-indented-under-a-greeting")
def _() -> Letter:
    return taken(
        text("Hello Ada,\n\n" + "".join(f"  {line}\n" for line in HERONS.splitlines()) + "\nNia\n"), HERONS
    )


@letter("repair-list-indented-by-one")
def _() -> Letter:
    return taken(text(LIST.replace("- ", " - ")), LIST)


@letter("repair-order-lines-broken-at-72")
def _() -> Letter:
    return taken(text(wrapped(LONG, 72)), LONG)


@letter("repair-order-lines-broken-at-60-indented")
def _() -> Letter:
    return taken(
        text(
            "\n".join(
                line if line.startswith(("-", "side", "luck", "move", "fight")) else f"  {line}"
                for line in wrapped(LONG, 60).split("\n")
            )
        ),
        LONG,
    )


@letter("repair-message-broken-at-72")
def _() -> Letter:
    return taken(text(wrapped(TALK, 72)), TALK)


@letter("repair-comment-broken-at-72")
def _() -> Letter:
    typed = (
        "# One line was wrong in my first mail: gerolf cannot get that far in a "
        "turn, so here is all of it anew.\n" + GOAT
    )
    return taken(text(wrapped(typed, 72)), typed)


@letter("repair-empty-line-behind-every-line")
def _() -> Letter:
    return taken(text(FIGURES.replace("\n", "\n\n")), FIGURES)


@letter("repair-carriage-returns-alone")
def _() -> Letter:
    data = LIST.replace("\n", "\r").encode()
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + b64_of(data),
        ),
        LIST,
    )


@letter("repair-mixed-line-ends-in-a-file")
def _() -> Letter:
    data = SPACED.replace("\n", "\r\n", 3).encode()
    file = attached(
        'Content-Type: text/plain; name="mixed.txt"\nContent-Disposition: attachment; filename="mixed.txt"',
        data,
    )
    return taken(
        mail(
            HEAD,
            parts(
                'Content-Type: multipart/mixed; boundary="m"',
                "m",
                part("Content-Type: text/plain", "\n"),
                file,
            ),
        ),
        SPACED,
    )


@letter("repair-spaces-behind-every-line")
def _() -> Letter:
    return taken(text(CAT.replace("\n", "   \n"), cte="quoted-printable"), CAT)


# --- character sets


@letter("charset-cp1252-said-to-be-latin1")
def _() -> Letter:
    return taken(text(HERONS.replace("- ", "– "), "text/plain; charset=iso-8859-1", "8bit", "cp1252"), HERONS)


@letter("charset-latin1-said-to-be-utf-8")
def _() -> Letter:
    return taken(text(GERMAN, "text/plain; charset=utf-8", "8bit", "latin-1"), GERMAN)


@letter("charset-utf-8-said-to-be-latin1")
def _() -> Letter:
    return taken(text(GERMAN, "text/plain; charset=iso-8859-1", "quoted-printable"), GERMAN)


@letter("charset-utf-8-said-to-be-ascii")
def _() -> Letter:
    return taken(text(FRENCH, "text/plain; charset=us-ascii", "8bit"), FRENCH)


@letter("charset-not-said-utf-8")
def _() -> Letter:
    return taken(text(FRENCH, "text/plain", "8bit"), FRENCH)


@letter("charset-not-said-latin1")
def _() -> Letter:
    return taken(text(GERMAN, "text/plain", "8bit", "latin-1"), GERMAN)


@letter("charset-unknown-name")
def _() -> Letter:
    return taken(text(SHORT, "text/plain; charset=x-unknown", "7bit"), SHORT)


@letter("charset-utf8mb4")
def _() -> Letter:
    return taken(text(FRENCH, 'text/plain; charset="utf8mb4"', "base64"), FRENCH)


@letter("charset-with-a-semicolon-in-quotes")
def _() -> Letter:
    return taken(text(GERMAN, 'text/plain; charset="utf-8;x"', "quoted-printable"), GERMAN)


@letter("charset-cp-850-by-a-wrong-name")
def _() -> Letter:
    return taken(text(GERMAN, "text/plain; charset=cp-850", "quoted-printable", "cp850"), GERMAN)


@letter("charset-utf-16-with-mark")
def _() -> Letter:
    data = b"\xfe\xff" + FRENCH.replace("\n", "\r\n").encode("utf-16-be")
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n" + b64_of(data),
        ),
        FRENCH,
    )


@letter("charset-utf-16-without-mark")
def _() -> Letter:
    data = GERMAN.replace("\n", "\r\n").encode("utf-16-le")
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: base64\n\n"
            + b64_of(data),
        ),
        GERMAN,
    )


@letter("charset-byte-order-mark-in-a-body")
def _() -> Letter:
    return taken(text("\ufeff" + GOAT, cte="base64"), GOAT)


@letter("charset-macroman")
def _() -> Letter:
    return taken(text(FRENCH, "text/plain; charset=macintosh", "quoted-printable", "mac-roman"), FRENCH)


@letter("charset-html-says-another-than-the-header")
def _() -> Letter:
    rich = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; '
        f'charset=iso-8859-1"></head><body>{brs(GERMAN)}</body></html>'
    )
    return taken(html(rich), GERMAN)


@letter("charset-html-said-by-meta-alone")
def _() -> Letter:
    rich = f'<html><head><meta charset="windows-1252"></head><body>{brs(GERMAN)}</body></html>'
    return taken(mail(HEAD, part("Content-Type: text/html", rich, "8bit", "cp1252")), GERMAN)


# --- transfer encodings


@letter("encoding-base64-on-one-line")
def _() -> Letter:
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: BASE64\n\n"
            + b64_of(GERMAN.encode(), 9999),
        ),
        GERMAN,
    )


@letter("encoding-base64-without-padding-and-a-footer-behind")
def _() -> Letter:
    coded = b64_of(HERONS.encode()).strip(b"\n").rstrip(b"=")
    foot = b"\n\n_______________________________________________\nlist footer\n"
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
            + coded
            + b"\n"
            + foot,
        ),
        HERONS,
    )


@letter("encoding-quoted-printable-with-bare-equals-signs")
def _() -> Letter:
    body = GOAT.encode().replace(b"red cow", b"red cow =) x=y") + b"\n"
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\n"
            + body,
        ),
        body.strip(b"\n") + b"\n",
    )


@letter("encoding-quoted-printable-spaces-behind-the-soft-break")
def _() -> Letter:
    coded = qp(LONG.encode(), width=40).replace(b"=\n", b"=  \n")
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable\n\n"
            + coded,
        ),
        LONG,
    )


@letter("encoding-unknown-name")
def _() -> Letter:
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: utf-8\n\n"
            + FRENCH.encode(),
        ),
        FRENCH,
    )


@letter("encoding-said-quoted-printable-and-is-not")
def _() -> Letter:
    return taken(
        mail(
            HEAD,
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
            + GERMAN.encode(),
        ),
        GERMAN,
    )


@letter("encoding-flowed-without-saying-so")
def _() -> Letter:
    soft = LONG.replace(" maredudd", " \nmaredudd").replace(" edwold", " \nedwold")
    return taken(text(soft, "text/plain; charset=us-ascii", "7bit"), LONG)


# --- HTML


@letter("html-numbers-made-telephone-links")
def _() -> Letter:
    rich = ""
    for line in LIST.splitlines():
        name, _, place = line.partition(" to ")
        rich += (
            f'<div>{name} to <a href="tel:{place}" dir="ltr" x-apple-data-detectors="true">{place}</a></div>'
            if place
            else f"<div>{line}</div>"
        )
    return taken(html(rich), LIST)


@letter("html-storeys-made-addresses")
def _() -> Letter:
    rich = '<div>side: east</div><div>move:</div><div>- odo to <a href="mailto:0712@top">0712@top</a></div>'
    return taken(html(rich), "side: east\nmove:\n- odo to 0712@top\n")


@letter("plain-storeys-made-addresses-by-outlook")
def _() -> Letter:
    return taken(
        text("side: east\nmove:\n- odo to 0712@top<mailto:0712@top>\n"),
        "side: east\nmove:\n- odo to 0712@top\n",
    )


@letter("html-words-cut-up-by-a-spelling-checker")
def _() -> Letter:
    rich = (
        '<div>side: <span class="gr_ gr_12 ContextualSpelling" '
        'id="12">east</span></div><div>mo<wbr>ve:</div><div>- <u></u>od<b></b>o <font>to</font> '
        "07<i>13</i></div>"
    )
    return taken(html(rich), SHORT)


@letter("html-source-broken-within-lines")
def _() -> Letter:
    rich = "<p>side: east<br>move:<br>-\nodo\n     to 0713<br>-   hob\tto\n0714</p>"
    return taken(html(rich, cte="7bit"), LIST)


@letter("html-preformatted-by-style")
def _() -> Letter:
    return taken(
        html(f'<html><body><div style="white-space: pre-wrap">{esc(STANDING, "plain")}</div></body></html>'),
        STANDING,
    )


@letter("html-code-block-of-a-web-editor")
def _() -> Letter:
    return taken(
        html(f'<p>Hello</p><pre><code class="language-yaml">{esc(WHEN, "plain")}</code></pre><p>Nia</p>'),
        WHEN,
    )


@letter("html-paragraph-each-with-margins")
def _() -> Letter:
    return taken(html(divs(FIGURES, "p", "style='margin:0 0 1em 0'", join="\n")), FIGURES)


@letter("html-numeric-entities")
def _() -> Letter:
    rich = "".join(
        f"&#{ord(sign)};" if number % 2 else f"&#x{ord(sign):X};"
        for number, sign in enumerate(CAT.replace("\n", "|"))
    )
    return taken(html(rich.replace("&#124;", "<br>").replace("&#x7C;", "<br>"), cte="7bit"), CAT)


@letter("html-style-script-comment-and-preheader")
def _() -> Letter:
    rich = (
        "<html><head><title>move: nothing</title><style>p{margin:0}\n- odo to "
        "9999</style><script>move()</script></head><body>"
        '<div style="display:none;max-height:0;overflow:hidden">side: west<br>move:<br>- hidden to '
        "9999</div><!-- side: west -->"
        f"{brs(SHORT)}</body></html>"
    )
    return taken(html(rich), SHORT, "- hidden to 9999\n- odo to 9999\n")


@letter("html-bold-keys-starred-in-plain-text")
def _() -> Letter:
    plain = SHORT.replace("side:", "*side:*").replace("move:", "*move:*")
    rich = "<div><b>side:</b> east</div><div><b>move:</b></div><div>- odo to 0713</div>"
    body = alternative(
        "b",
        part("Content-Type: text/plain; charset=utf-8", plain),
        part("Content-Type: text/html; charset=utf-8", rich),
    )
    return taken(mail(HEAD, body), SHORT)


@letter("html-unclosed-and-upper-case")
def _() -> Letter:
    return taken(html("<HTML><BODY><P>side: east<P>move:<P>- odo to 0713<P>- hob to 0714</BODY>"), LIST)


@letter("html-nested-lists-of-two-sections")
def _() -> Letter:
    rich = (
        "<p>side: west</p><p>move:</p><ul><li><p>tudur to 1107</p></li><li><p>hacon to "
        "1207</p></li></ul><p>fight:</p><ul><li>tudur attacks cola</li></ul>"
    )
    return taken(
        html(rich), "side: west\nmove:\n- tudur to 1107\n- hacon to 1207\nfight:\n- tudur attacks cola\n"
    )


@letter("html-braces-and-quotes-escaped")
def _() -> Letter:
    return taken(html(divs(LONGFORM).replace('"', "&quot;").replace("'", "&#39;")), LONGFORM)


@letter("html-comments-behind-orders")
def _() -> Letter:
    return taken(
        html(f"<div>{brs(COMMENTS, spaces='raw')}</div>".replace("    #", "&nbsp; &nbsp; #")), COMMENTS
    )


@letter("repair-over-a-quoted-report")
def _() -> Letter:
    typed = HERONS.replace("- ", "– ").replace("side: ", "side:\u00a0")
    return taken(
        text(f"{typed}\nAm 19.11.26 um 21:12 schrieb Ada Marsh:\n{quote(REPORT.text)}"), HERONS, REPORT.orders
    )


@letter("repair-over-a-bare-quotation-in-outlook-words")
def _() -> Letter:
    typed = (
        STANDING.replace("    ", "\u00a0 \u00a0 ")
        .replace("  everyone", "\u00a0 everyone")
        .replace("- ", "•\t")
    )
    top = f"Von: Ada Marsh\nGesendet: Donnerstag, 19. November 2026 21:12\nAn: Nia\nBetreff: {BARE.subject}\n"
    return taken(text(f"{typed}\n{top}\n{BARE.text}"), STANDING, BARE.orders)
