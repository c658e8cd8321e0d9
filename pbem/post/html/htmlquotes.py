"""Which elements of a page hold somebody else's words: how each mail program marks what it quotes, and
signatures.

It knows elements one by one; what follows from them for the lines is in ``hypertext``. In doubt it is a
quotation: an order that is not read is asked for again, one that is read and was not meant cannot be taken
back.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pbem.core.regex import regex

PLAIN: Final = ""
QUOTE: Final = "quote"
"""All that is in it is quoted."""
HEAD: Final = "head"
"""It is quoted itself: the line that says who wrote what follows."""
REST: Final = "rest"
"""It and all that follows at its level is quoted."""
FRAME: Final = "frame"
"""It holds a head and a quotation; what its writer typed below the quotation is in it too.

A forwarded letter is all quoted.
"""
SIGNATURE: Final = "signature"
INDENT: Final = "indent"
"""A quotation only by name: the button that moves one's own text to the right makes it."""
GONE: Final = "gone"
"""It is left out: a button, a heading that a program put there."""
SHOWN: Final = "shown"
"""It is read although the page hides it until somebody clicks."""
FLAT: Final = "flat"
"""It stands where it stands, however far a style moves it to the right."""
PICTURE: Final = "picture"
"""A picture that stands for signs somebody typed: its other text is read."""

_ADDED: Final = regex(r"\A(?:x_|ecx|yiv\d+_?|ydp[0-9a-f]{6,12}_?|m_-?\d+_?|gmail-|v1)")
"""What programs put in front of the names in a letter they pass on."""
_CLASSES: Final = {
    "yahoo_quoted": QUOTE,
    "tutanota_quote": QUOTE,
    "moz-forward-container": QUOTE,
    "history_container": QUOTE,
    "skiff_quote": QUOTE,
    "iosymail": QUOTE,
    "mailru-blockquote": QUOTE,
    "msg-quote": QUOTE,
    "outlookquote": QUOTE,
    "email-quote": QUOTE,
    "quoted-text": QUOTE,
    "forwardcontentmessage": QUOTE,
    "ms-outlook-mobile-reference-message": QUOTE,
    "airmail_on": HEAD,
    "airmail_ext_on": HEAD,
    "moz-cite-prefix": HEAD,
    "gmail_attr": HEAD,
    "gmail_quote_attribution": HEAD,
    "moz-email-headers-table": HEAD,
    "gmail_quote": FRAME,
    "gmail_quote_container": FRAME,
    "protonmail_quote": FRAME,
    "zmail_extra": FRAME,
    "ik_mail_quote": FRAME,
    "gmail_signature": SIGNATURE,
    "moz-signature": SIGNATURE,
    "protonmail_signature_block": SIGNATURE,
    "sh-signature": SIGNATURE,
    "mb_sig": SIGNATURE,
    "editorusersignature": SIGNATURE,
}
_IDS: Final = {
    "divrplyfwdmsg": REST,
    "stopspelling": REST,
    "replysplit": REST,
    "zwchr": REST,
    "isforwardcontent": QUOTE,
    "mail-editor-reference-message-container": QUOTE,
    "ms-outlook-mobile-body-separator-line": REST,
    "olk_src_body_section": QUOTE,
    "mac_outlook_attribution_blockquote": QUOTE,
    "isreplycontent": QUOTE,
    "mailcontent": QUOTE,
    "origbody": QUOTE,
    "reply139content": QUOTE,
    "orimsghtmlseperator": QUOTE,
    "mail-app-auto-quote": QUOTE,
    "composewebview_previouse_content": QUOTE,
    "reply-intro": HEAD,
    "signature": SIGNATURE,
    "ms-outlook-mobile-signature": SIGNATURE,
    "applemailsignature": SIGNATURE,
    "composer_signature": SIGNATURE,
    "zm-_id_-sgn": SIGNATURE,
    "mail-app-auto-signature": SIGNATURE,
}
_NAMES: Final = {
    "quote": QUOTE,
    "quoted-content": QUOTE,
    "messagereplysection": FRAME,
    "_mailoriginal": REST,
    "divrplyfwdmsg": REST,
    "messagesignaturesection": SIGNATURE,
}
_MARKERS: Final = {"__divider__": REST, "__headers__": REST, "__quoted_text__": QUOTE}
_FRAMED: Final = frozenset({"div", "blockquote", "p", "section", "span", "article"})
_LINE: Final = regex(r"\b(?:solid|double|dotted|dashed|groove|ridge|inset|outset)\b")
_ZERO: Final = regex(r"(?<![\d.])0(?:\.0+)?(?:px|pt|em|in|cm)?(?![\d.])")


@lru_cache(maxsize=512)
def style(text: str) -> dict[str, str]:
    """Return the declarations of a ``style`` attribute, in small letters. Nobody changes what is returned."""
    found: dict[str, str] = {}
    for one in text.lower().split(";")[:60]:
        name, colon, value = one.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def role(tag: str, attributes: dict[str, str]) -> str:
    """Return what an element is to the words in it."""
    if not attributes:
        return QUOTE if tag in ("blockquote", "details") else PLAIN
    if tag == "details":
        return PLAIN if "open" in attributes else QUOTE
    found = _by_name(attributes)
    if tag == "blockquote":
        return _blockquote(attributes, found)
    if found:
        return found
    declared = style(attributes["style"]) if attributes.get("style") else {}
    if tag == "hr":
        return REST if declared.get("width") == "98%" and declared.get("display") == "inline-block" else PLAIN
    if declared and tag in _FRAMED and has_bar(declared):
        return QUOTE
    if declared and tag in ("div", "p") and _is_header(declared):
        return REST
    return PLAIN


def _by_name(attributes: dict[str, str]) -> str:
    if classes := attributes.get("class"):
        for one in classes.lower().split()[:20]:
            if known := _CLASSES.get(_bare(one)):
                return known
            if "yahoo_quoted" in one or one.startswith("mail-quote-collapse"):
                return QUOTE
    if identity := attributes.get("id"):
        bare = _bare(identity.lower())
        if bare.startswith("yahoo_quoted"):
            return QUOTE
        if known := _IDS.get(bare):
            return known
    if (name := attributes.get("name")) and (known := _NAMES.get(_bare(name.lower()))):
        return known
    if marker := attributes.get("data-marker"):
        return _MARKERS.get(marker.lower(), PLAIN)
    return SIGNATURE if attributes.get("data-signatureblock") else PLAIN


def _bare(name: str) -> str:
    """Return a name without what programs put in front of it that pass a letter on, once for each of them."""
    name = name.removeprefix('3d"').rstrip('"')  # what is left of quoted-printable that nobody undid
    for _ in range(8):
        if name in _CLASSES or name in _IDS or name in _NAMES:
            break
        shorter = _ADDED.sub("", name, count=1)
        if shorter == name:
            break
        name = shorter
    return name


def _blockquote(attributes: dict[str, str], by_name: str) -> str:
    """Return whether a blockquote quotes: always, but where the button for indenting made it."""
    if by_name in (QUOTE, REST) or attributes.get("type", "").lower() == "cite" or "cite" in attributes:
        return QUOTE
    declared = style(attributes.get("style", ""))
    named = attributes.get("class", "").lower().strip()
    bare = _is_none(declared.get("border", "")) and bool(_ZERO.fullmatch(declared.get("padding", "")))
    margin = declared.get("margin", "").split()
    moved = (len(margin) == 4 and margin[3].startswith("40px")) or declared.get("margin-left", "").startswith(
        "40px"
    )
    if bare and moved and named in ("", "webkit-indent-blockquote", "gmail-webkit-indent-blockquote"):
        return INDENT
    return QUOTE


def _is_none(value: str) -> bool:
    words = value.split()
    return "none" in words or bool(words and _ZERO.fullmatch(words[0]) and not _LINE.search(value))


def has_bar(declared: dict[str, str]) -> bool:
    """Tell whether an element has a line at its left side and none at its right: so programs show what they
    quote.
    """
    return _has_line(declared, "left") and not _has_line(declared, "right")


def _is_header(declared: dict[str, str]) -> bool:
    """Tell whether it is the frame that Word, Windows Mail and Outlook on telephones put around the header of
    what is answered.
    """
    if not _has_line(declared, "top") or any(
        _has_line(declared, side) for side in ("right", "bottom", "left")
    ):
        return False
    return (
        declared.get("padding", "").startswith(("3.0pt", "3pt")) or declared.get("padding-top", "") == "5px"
    )


_SIDES: Final = ("top", "right", "bottom", "left")


def _has_line(declared: dict[str, str], side: str) -> bool:
    """Tell whether there is a line at one side, in any of the four ways to say so."""
    own = declared.get(f"border-{side}", "")
    line = (
        declared.get(f"border-{side}-style")
        or own
        or _one_of_four(declared.get("border-style", ""), side)
        or declared.get("border", "")
    )
    width = (
        declared.get(f"border-{side}-width")
        or own
        or _one_of_four(declared.get("border-width", ""), side)
        or declared.get("border", "")
    )
    return bool(_LINE.search(line)) and not _ZERO.search(width)


def _one_of_four(value: str, side: str) -> str:
    """Return what a value of one to four words says of one side."""
    words = value.split()[:4]
    number = _SIDES.index(side)
    while words and number >= len(words):
        number = {3: 1, 2: 0, 1: 0}[number]
    return words[number] if words else ""
