"""How mail programs announce somebody else's words, in the languages they speak, and what they write below one's own.

It knows words and forms only; whose words follow is decided in ``quoting``. Nothing here is copied from anywhere: it is what the
programs print. Expressions are anchored and look at no more than the first few hundred characters of a line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.post import phrases
from pbem.post.keys import KEYS

_LONGEST: Final = 400
"""Longer lines are no announcement."""
_WRAPPED: Final = 4
"""Over how many lines an announcement may be broken."""

_SPACES: Final = re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE: Final = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")

_VERB: Final = re.compile(rf"(?:^|[\s>\"')]|님이)(?:{phrases.VERBS})(?:$|[\s:：,(\"'<])", re.IGNORECASE)
_WHO_FIRST: Final = re.compile(r"(?:quoting|zitat von|citando|citation de|citat|in reply to|antwort auf|en réponse à)\b", re.IGNORECASE)
_OPENS: Final = re.compile(
    r"(?:on|am|le|op|el|il|em|den|d\.|w dniu|dnia|dne|dňa|på|pe|vào|a|il giorno|in a message dated|no dia|el día|at|vom|"
    r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim)[a-zäéûi]{0,7}[.,]?)(?= )|[0-9]{1,4}[.\-/年 ]",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}")
_YEAR: Final = re.compile(r"\b(?:19|20)[0-9]{2}\b|\b[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2}\b")
_TIME: Final = re.compile(r"\b[0-9]{1,2}(?:[:.]| ?h ?)[0-9]{2}\b|[0-9] ?[AaPp]\.?[Mm]\b|\b[0-9]{1,2} Uhr\b")
_ORDER: Final = re.compile(r"[ *_]*(?:#|[-*•] |(?:" + "|".join(KEYS) + r") ?:)", re.IGNORECASE)

_ROLE_OF: Final = {word: role for role, words in phrases.ROLES.items() for word in words}
_FIELD: Final = re.compile(r"[ *_]{0,6}([^\W\d_][^:：*\n]{0,24}?)[ *_]{0,4}[:：][*_]{0,4}(?:\s|$)")
_IN_ONE_LINE: Final = (
    *(("from:", "sent:"), ("from:", "date:", "to:"), ("von:", "gesendet:"), ("von:", "datum:"), ("de :", "envoyé :"), ("de:", "enviado")),
)
_DASHED: Final = re.compile(r"[ *]{0,4}[-–—‐‑_=]{2,60}[ *]{0,3}([^-–—‐‑_=].{0,80}?)[ *]{0,3}[-–—‐‑_=…]{2,60}[ *:]{0,4}$")


def flat(text: str) -> str:
    """Return a line with ordinary spaces and without signs that nobody sees."""
    if text.isascii():
        return text.replace("\t", " ") if "\t" in text else text
    return _INVISIBLE.sub("", _SPACES.sub(" ", text))


def _bare(text: str) -> str:
    return text[: _LONGEST + 1].strip(" *_\r").lower()


def attribution(texts: Sequence[str], at: int) -> int:
    """Return the last line of the announcement "On … Bob wrote:" that begins on line ``at``, or -1."""
    first = texts[at].strip()
    if len(first) > _LONGEST or _ORDER.match(first):
        return -1
    joined = ""
    opens = _OPENS.match(first.lstrip("*_<\"' ")) is not None or _ADDRESS.search(first) is not None
    for last in range(at, min(at + _WRAPPED, len(texts))):
        text = texts[last].strip()
        if not text or len(text) > _LONGEST or (last > at and not opens):
            return -1
        joined = f"{joined} {text}".strip()
        if joined.rstrip(" *_").endswith((":", "：")):
            return last if _announces(joined) else -1
    return -1


def _announces(joined: str) -> bool:
    """Tell whether a sentence that ends with a colon says whose words follow."""
    if _VERB.search(joined) or _WHO_FIRST.match(joined) or _ADDRESS.search(joined):
        return True
    return _YEAR.search(joined) is not None and _TIME.search(joined) is not None


def is_sure(texts: Sequence[str], at: int, last: int) -> bool:
    """Tell whether an announcement is one even if no mark of quotation follows: it names a writer, not only a time."""
    joined = " ".join(text.strip() for text in texts[at : last + 1])
    return any(test is not None for test in (_VERB.search(joined), _WHO_FIRST.match(joined), _ADDRESS.search(joined)))


def is_forwarded(text: str) -> bool:
    """Tell whether a line says that a forwarded letter begins."""
    bare = _bare(text)
    if len(bare) > 120:
        return False
    if bare.startswith(phrases.BEGIN_FORWARD):
        return True
    found = _DASHED.match(text[:200])
    return found is not None and any(word in found[1].lower() for word in phrases.FORWARDED)


def is_original(text: str) -> bool:
    """Tell whether a line says that the letter that was answered begins."""
    if len(text) > 200:
        return False
    found = _DASHED.match(text)
    return found is not None and any(word in found[1].lower() for word in phrases.ORIGINAL)


def is_header(texts: Sequence[str], at: int) -> bool:
    """Tell whether the header of another letter begins on this line: some of From, Sent, To, Subject, one below the other."""
    first = texts[at]
    name = _field(first)
    if not name:
        return False
    low = first[:_LONGEST].lower()
    if any(all(word in low for word in words) and low.strip(" *_").startswith(words[0]) for words in _IN_ONE_LINE):
        return True
    roles: set[str] = set()
    fields = []
    blank = 0
    for text in texts[at : at + 16]:
        if not text.strip():
            blank += 1
            if blank > 1:
                break
            continue
        name = _field(text)
        if name:
            blank = 0
            fields.append((name, text[:_LONGEST]))
            roles.add(_ROLE_OF.get(name, ""))
        elif not fields or blank or not (text.startswith((" ", ";")) or "@" in text or fields[-1][1].rstrip().endswith((",", ";"))):
            break
        if len(fields) > 8:
            break
    roles.discard("")
    known = _ROLE_OF.get(fields[0][0], "") if fields else ""
    if known and (("from" in roles and len(roles) >= 2 and roles != {"from", "reply"}) or len(roles - {"reply"}) >= 3):
        return True
    return _looks_like_header(fields)


def _field(text: str) -> str:
    """Return the name of a header field that a line begins with, unless it is a key of order files."""
    found = _FIELD.match(text[:60])
    if found is None:
        return ""
    name = found[1].strip(" *_").lower()
    return "" if name in KEYS else name


def _looks_like_header(fields: Sequence[tuple[str, str]]) -> bool:
    """Tell whether fields in a language that is not known here are a header: three of them, with an address and a date."""
    if len(fields) < 3:
        return False
    texts = [text for _, text in fields[:5]]
    return any(_ADDRESS.search(text) for text in texts) and any(_YEAR.search(text) and _TIME.search(text) for text in texts)


def is_rule(text: str, least: int) -> bool:
    """Tell whether a line is nothing but a long rule of underscores."""
    bare = text.strip()
    return least <= len(bare) <= 200 and not bare.strip("_")


def is_footer(text: str) -> bool:
    """Tell whether lists, scanners or lawyers begin here."""
    return _bare(text).startswith(phrases.FOOTERS)


def is_device(text: str) -> bool:
    """Tell whether a telephone signs with its own name."""
    bare = _bare(text)
    return len(bare) <= 160 and bare.startswith(phrases.DEVICES)


_PASSED_ON: Final = re.compile(r"\W{0,3}(?:fwd?|wg|tr|i|rv|enc|vs|vb|doorst|weitergeleitet|pd|vl|továbbítás)\s{0,2}[:：]", re.IGNORECASE)


def is_passed_on(subject: str) -> bool:
    """Tell whether a subject says that the letter was forwarded."""
    return _PASSED_ON.match(subject[:40]) is not None
