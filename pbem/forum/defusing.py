"""Words of players in a post: nothing of them opens a tag, makes a link, calls somebody or becomes a smiley.

A sign that would act is written as its wide twin: ``[`` as ``［``, ``@`` as ``＠``. It looks the same, means
nothing to any forum, and is read back by whoever repairs orders. Signs that cannot be seen are no help:
forums strip them, and then the tag is whole again.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pbem.core.regex import regex
from pbem.text.markup import clean

__all__ = ["PROOF", "attribute", "fenced", "marked", "pictured", "plain", "verbatim"]

PROOF: Final = "proof"
"""The language of a block of code that is a proof line of ours."""
_WIDE: Final = {"[": "［", "]": "］", "@": "＠"}
_ACTS: Final = str.maketrans(_WIDE)
_SCHEME: Final = regex(r"://")
_SLASHES: Final = regex(r"(?<![:/])//(?=[^\W_])")
"""An address without its scheme, which Discourse makes a link of too."""
_BEFORE, _AFTER = r"(?<![^\s(（［])", r"(?=$|[\s.,!?;:)(）［])"
_MOUTH: Final = r"(?:[)(\]\[|/\\*$@#?!&^<>{}]|[DdPpOoXxSsZ](?![^\W_]))"
_FACE: Final = regex(
    rf"{_BEFORE}(?:[:;]['’´]?|=)[-^o]?{_MOUTH}{_AFTER}|{_BEFORE}8-\){_AFTER}|(?<![^\W_])(?:[oO0]_+[oO0]"
    r"|[\^>-]_+[\^<-])(?![^\W_])|</?3(?![^\W_])"
)
"""What forums draw as faces: eyes, perhaps a nose, and a mouth, with nothing in front of them; ``o_O``; a
heart.
"""
_FACED: Final = str.maketrans(
    {
        ":": "：",
        ";": "；",
        "=": "＝",
        ")": "）",
        "(": "（",
        "_": "＿",
        "<": "＜",
        "/": "／",
        "|": "｜",
        "^": "＾",
        ">": "＞",
    }
)
_WWW: Final = regex(r"(?<![^\W_])www\.", re.IGNORECASE)
_HOST: Final = regex(
    r"(?<=[^\W_])\.(?=(?:com|net|org|info|biz|io|onion|co|tv|ru|cn|us|uk|me|de"
    r"|fr|fi|gov|edu|eu)(?![\w-]|\.\w))",
    re.IGNORECASE,
)
"""A name that Discourse makes a link of without any scheme: by its last part (its setting
markdown_linkify_tlds), and some more.
"""
_SMILEY: Final = regex(r"(?<!\w):(?=[\w+-]{1,40}:)")
_CALL: Final = regex(r"#(?=\w)")
_ENTITY: Final = regex(r"&(?=#)")
_NAMED: Final = str.maketrans({'"': "”", "'": "’", ",": "，", ";": "；", ":": "：", "=": "＝"})
_QUOTES: Final = str.maketrans({'"': "”", "'": "’"})
_MARKS: Final = regex(r"([\\`*_{}<>#|~$&])")
_BEGINS: Final = regex(r"^([-=+]|\d+(?=[.)]))")
_TAGS: Final = "code|icode|plain|noparse|php|html|quote|spoiler|details|attach|attachment|img|url|table|list"
_ENDS: Final = regex(rf"\[(?=\s*/?\s*(?:{_TAGS})\b)", re.IGNORECASE)
_PROOF: Final = regex(r"pbem(?=[\W_]{0,40}proof)", re.IGNORECASE)
"""How a proof line begins, spread over lines or not."""
_ALT: Final = str.maketrans(
    {
        "\\": "＼",
        "`": "’",
        "*": "＊",
        "<": "＜",
        ">": "＞",
        "|": "¦",
        "_": "＿",
        "$": "＄",
        "~": "～",
        "!": "！",
    }
)


def _unproved(text: str) -> str:
    """Return a text in which nothing looks like a proof line: those in our posts are ours."""
    normal = unicodedata.normalize("NFKC", text)
    return _PROOF.sub(lambda found: f"{found.group()}:", normal) if _PROOF.search(normal) else text


def plain(text: str, lines: bool = False) -> str:
    """Return a text for a post in BBCode: no bracket opens a tag, nobody is called, nothing
    becomes a link.
    """
    found = _unproved(clean(text, lines)).translate(_ACTS)
    found = _SCHEME.sub("：／／", found)
    found = _SLASHES.sub("／／", found)
    found = _FACE.sub(lambda face: face.group().translate(_FACED), found)
    found = _WWW.sub(lambda www: www.group()[:-1] + "．", found)
    return _ENTITY.sub("＆", _SMILEY.sub("：", _HOST.sub("．", found)))


def marked(text: str) -> str:
    """Return a text on one line for a post in Markdown in which no sign means anything, to
    Discourse neither.
    """
    escaped = _MARKS.sub(r"\\\1", _CALL.sub("＃", plain(text)).strip())
    return _BEGINS.sub(lambda found: f"{found[1]}\\" if found[1].isdigit() else f"\\{found[1]}", escaped)


def attribute(text: str, *, name: bool = False) -> str:
    """Return a text that may stand in quotation marks inside a tag; a ``name`` of somebody quoted may not say
    more than a name does.
    """
    return _CALL.sub("＃", plain(text)).translate(_NAMED if name else _QUOTES)


def pictured(text: str) -> str:
    """Return the words for a picture in Markdown, of which forums take away no sign."""
    return plain(text).translate(_ALT)


def verbatim(text: str, language: str = "") -> str:
    """Return a text that stands as it is in a block of code which nothing in it ends; of language ``PROOF``
    it is a proof line.
    """
    found = clean(text, lines=True)
    return _ENDS.sub("［", found if language == PROOF else _unproved(found)).strip("\n")


def fenced(text: str, language: str = "") -> str:
    """Return a text as a fenced block, its fence longer than any run inside."""
    inside = verbatim(text, language)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", inside)), default=0))
    return f"{fence}{language if language == 'yaml' else 'text'}\n{inside}\n{fence}"
