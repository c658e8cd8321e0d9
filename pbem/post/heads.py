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

_SHORT: Final = 5
"""Words of "Ada Marsh wrote:"."""

_SPACES: Final = re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE: Final = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")

_VERB: Final = re.compile(rf"(?:^|[\s>\"')]|님이)(?:{phrases.VERBS})(?:$|[\s:：,(\"'<])", re.IGNORECASE)
_WHO_FIRST: Final = re.compile(
    r"(?:quoting|zitat von|citando|citation de|citat|in reply to|antwort auf|en réponse à|according to|laut|selon)\b", re.IGNORECASE
)
_DAYS = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|mo(?:ntag)?|di(?:enstag)?|"
    "mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|lun(?:di)?|mar(?:di)?|mer(?:credi)?|jeu(?:di)?|ven(?:dredi)?|"
    "sam(?:edi)?|dim(?:anche)?"
)
_OPENS: Final = re.compile(
    rf"(?:on|am|le|op|el|il|em|den|d\.|w dniu|dnia|dne|dňa|på|pe|vào|il giorno|in a message dated|no dia|el día|vom|(?:{_DAYS})[.,]?)(?= )|"
    r"[^\W\d_]{1,10}[.,]{0,2} (?=[0-9]{1,2}\b)|[0-9]{1,4}[.\-/年 ]",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}")
_YEAR: Final = re.compile(r"(?<![0-9])(?:(?:19|20)[0-9]{2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2})(?![0-9])")
_TIME: Final = re.compile(r"(?<![0-9])[0-9]{1,2}(?:[:.]| ?h ?)[0-9]{2}(?![0-9])|[0-9] ?[AaPp]\.?[Mm]\b|\b[0-9]{1,2} Uhr\b")
_ORDER: Final = re.compile(r"[ *_]*(?:#|- |(?:" + "|".join(KEYS) + r") ?:)", re.IGNORECASE)
_GOES_ON: Final = re.compile(rf"[ *_>-]*(?=.{{5,300}}?\b(?:{phrases.VERBS}) ?[:：] +\S)", re.IGNORECASE)
_WROTE: Final = re.compile(rf" *(?:{phrases.VERBS}) ?[-–—]{{2,40}} *$", re.IGNORECASE)

_SAID: Final = re.compile(r"[.;!?]\s|\b(?:I|we|you|that|ich|wir|dass|daß|je|nous|que|noch|so)\b", re.IGNORECASE)
"""Somebody's own sentence, in which the word "wrote" stands."""
_MINE: Final = re.compile(
    r"\b(?:orders?|moves?|my|mine|our|turn|slot|phase|for|due|deadline|befehle|meine?|unsere?|zug|runde|phase|für|ordres|mes|nos|tour|pour)\b",
    re.IGNORECASE,
)
"""Somebody's own sentence, in which a date stands."""

_ROLE_OF: Final = {word: role for role, words in phrases.ROLES.items() for word in words}
_FIELD: Final = re.compile(r"[ *_]{0,6}([^\W\d_][^:：*\n]{0,24}?)[ *_]{0,4}[:：][*_]{0,4}(?:\s|$)")
_LONG_FORM: Final = re.compile(r" +(?:do|from|to):")
"""An order in keys."""
_NESTED: Final = re.compile(r" +[a-z][a-z0-9-]{0,23}:")
"""A name or a key below ``standing:``, or a branch of a condition."""
_STAMP: Final = re.compile(r"(?:[0-9][^<>:]{5,60}(?::[0-9]{2})?[^<>:]{0,60}<[^<> ]{3,100}>|\[[^\[\]]{8,80}\])$")
_ARROWED: Final = re.compile(r" *>{2,4} ?(.{3,200}?) ?>{2,4} *$")
_IN_ONE_LINE: Final = (
    *(("from:", "sent:"), ("from:", "date:", "to:"), ("von:", "gesendet:"), ("von:", "datum:"), ("de :", "envoyé :"), ("de:", "enviado")),
)
_DASHED: Final = re.compile(r"[ *]{0,4}[-–—‐‑_=]{2,60}[ *]{0,3}([^-–—‐‑_=].{0,240}?)[ *]{0,3}[-–—‐‑_=…]{2,60}")


def flat(text: str) -> str:
    """Return a line with ordinary spaces and without signs that nobody sees."""
    text = text.rstrip("\r\n")
    if text.isascii():
        return text.replace("\t", " ") if "\t" in text else text
    return _INVISIBLE.sub("", _SPACES.sub(" ", text))


def _bare(text: str) -> str:
    return text[: _LONGEST + 1].strip(" *_\r").lower()


def is_ordered(text: str) -> bool:
    """Tell whether a line begins as one of an order file does."""
    return _ORDER.match(text) is not None or _NESTED.match(text) is not None


def attribution(texts: Sequence[str], at: int) -> int:
    """Return the last line of the announcement "On … Bob wrote:" that begins on line ``at``, or -1."""
    first = texts[at].strip()
    if len(first) > _LONGEST or _ORDER.match(first):
        return -1
    joined = ""
    stamped = at if _is_stamp(first) else -1
    opens = _OPENS.match(first.lstrip("*_<\"' ")) is not None or (_ADDRESS.search(first) is not None and not _field(first))
    for last in range(at, min(at + _WRAPPED, len(texts))):
        text = texts[last].strip()
        if not text or len(text) > _LONGEST or (last > at and (not opens or _ORDER.match(text) or _begins(text))):
            return stamped
        joined = f"{joined} {text}".strip()
        if joined.rstrip(" *_").endswith((":", "：")) and joined.count("(") <= joined.count(")"):
            return last if _announces(joined) else stamped
    return stamped


def _is_stamp(text: str) -> bool:
    """Tell whether a line is nothing but a date and an address, or a name and a date in brackets, as some programs announce with."""
    if _STAMP.match(text) is None or _YEAR.search(text) is None:
        return False
    return _ADDRESS.search(text) is not None if text.endswith(">") else _TIME.search(text) is not None


def _begins(text: str) -> bool:
    """Tell whether an announcement begins here rather than above: a word such as "On" (a number may be the rest of a date)."""
    return not text[:1].isdigit() and _OPENS.match(text) is not None


def _announces(joined: str) -> bool:
    """Tell whether a sentence that ends with a colon says whose words follow."""
    if _VERB.search(joined) or _WHO_FIRST.match(joined) or _ADDRESS.search(joined):
        return True
    return _YEAR.search(joined) is not None and _TIME.search(joined) is not None


def is_sure(texts: Sequence[str], at: int, last: int) -> bool:
    """Tell whether an announcement is one even if no mark of quotation follows: it names a writer and says no more than when he wrote."""
    joined = " ".join(text.strip() for text in texts[at : last + 1])
    if _is_stamp(joined):
        return True
    if _ADDRESS.search(joined) or _WHO_FIRST.match(joined):
        return True
    verbs = _VERB.findall(joined)
    dated = _YEAR.search(joined) is not None and _TIME.search(joined) is not None
    if not verbs:
        return dated and _MINE.search(joined) is None
    if dated or len(joined.split()) <= _SHORT:
        return True
    return len(verbs) == 1 and _OPENS.match(joined) is not None and _SAID.search(joined) is None


def is_run_on(text: str) -> bool:
    """Tell whether the words of somebody else begin on the very line that announces them."""
    start = text[:600]
    if _OPENS.match(start.lstrip(" *_<\"'-")) is None or _GOES_ON.match(start) is None:
        return False
    return _ADDRESS.search(start) is not None or (_YEAR.search(start) is not None and _TIME.search(start) is not None)


def is_forwarded(text: str) -> bool:
    """Tell whether a line says that a forwarded letter begins."""
    if _bare(text[:120]).startswith(phrases.BEGIN_FORWARD):
        return True
    found = _DASHED.match(text[:200])
    return found is not None and len(found[1]) <= 120 and any(word in found[1].lower() for word in phrases.FORWARDED)


def is_original(text: str) -> bool:
    """Tell whether a line says that the letter that was answered begins."""
    found = _DASHED.match(text[:400])
    if found is None:
        return len(text) < 80 and _WROTE.match(text) is not None
    inside = found[1].lower()
    if any(word in inside for word in phrases.ORIGINAL):
        return True
    return _VERB.search(inside) is not None and (len(inside.split()) <= _SHORT or any(test.search(inside) for test in (_ADDRESS, _YEAR)))


def is_arrowed(text: str) -> bool:
    """Tell whether a line names a writer between arrows (``>>> Ada <ada@example.org> 11/19/2026 >>>``), whose words follow unmarked."""
    found = _ARROWED.match(text[:_LONGEST])
    return found is not None and (_ADDRESS.search(found[1]) is not None or _YEAR.search(found[1]) is not None)


def header(texts: Sequence[str], at: int) -> int:
    """Return the line behind the header of another letter that begins on this line: some of From, Sent, To, Subject, one below the other.

    0 where none begins.
    """
    if not _field(texts[at]) or _LONG_FORM.match(texts[at]):
        return _header_of_words(texts, at)
    low = texts[at][:_LONGEST].lower()
    if any(all(word in low for word in words) and low.strip(" *_").startswith(words[0]) for words in _IN_ONE_LINE):
        return at + 1
    roles: set[str] = set()
    fields: list[tuple[str, str]] = []
    blank = 0
    gap = False
    behind = at
    for number, text in enumerate(texts[at : at + 16], at):
        if not text.strip():
            blank += 1
            if blank > 1:
                break
            continue
        name = _field(text)
        if name:
            gap = gap or blank > 0
            blank = 0
            fields.append((name, text[:_LONGEST]))
            roles.add(_ROLE_OF.get(name, ""))
        elif not fields or blank or not (text.startswith((" ", ";")) or "@" in text or fields[-1][1].rstrip().endswith((",", ";"))):
            break
        behind = number + 1
        if len(fields) > 8:
            break
    known = fields and _ROLE_OF.get(fields[0][0], "") != ""
    said = roles - {"", "reply"}
    if known and (("from" in said and len(said) >= 2) or len(said) >= 3):
        return behind
    return behind if not gap and not texts[at].startswith("  ") and _looks_like_header(fields) else 0


def _header_of_words(texts: Sequence[str], at: int) -> int:
    """Return the line behind a header whose fields stand on lines of their own, without colons (``To``, below it a name); or 0."""
    if _alone(texts[at]) != "to":
        return 0
    for number in range(at + 1, min(at + 12, len(texts))):
        if _alone(texts[number]) == "subject":
            return number + 1
    return 0


def _alone(text: str) -> str:
    """Return what field of a header a line names that holds nothing else."""
    bare = text.strip(" *_:")
    return _ROLE_OF.get(bare.lower(), "") if bare[:1].isupper() and len(bare) < 16 else ""


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
