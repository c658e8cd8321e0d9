"""How mail programs announce somebody else's words, in the languages they speak, and what they write below
one's own.

It knows words and forms only; whose words follow is decided in ``quoting``. Nothing here is copied from
anywhere: it is what the programs print. Expressions are anchored and look at no more than the first few
hundred characters of a line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from pbem.core.regex import regex
from pbem.post.lines import phrases
from pbem.post.lines.keys import Keys
from pbem.post.lines.line_answers import by_line
from pbem.post.quotes import shapes, titles

_LONGEST: Final = 400
"""Longer lines announce nothing."""
_FLAT: Final = 2_000
"""What stands behind so many characters of a line announces nothing."""
_WRAPPED: Final = 4
"""Over how many lines an announcement may be broken."""

_SHORT: Final = 5
"""Words of "Ada Marsh wrote:"."""

_SPACES: Final = regex("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE: Final = regex("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")

_VERB: Final = regex(rf"(?:^|[\s>\"')]|님이)(?:{phrases.VERBS})(?:$|[\s:：,(\"'<])", re.IGNORECASE)
_WHO_FIRST: Final = regex(
    r"(?:quoting|zitat von|citando|citation de|citat|in reply to|antwort auf|en "
    r"réponse à|according to|laut|selon)\b",
    re.IGNORECASE,
)
_DAYS = (
    "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|mo(?:ntag)?|di(?:enstag)?|"
    "mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|lun(?:di)?|mar(?:di)?|mer(?:credi)?|jeu(?:di)?|ven(?:dredi)?|"
    "sam(?:edi)?|dim(?:anche)?"
)
_OPENS: Final = regex(
    r"(?:on|am|le|op|el|il|em|den|d\.|w dniu|dnia|dne|dňa|på|pe|vào|il giorno|in a message dated|no dia|el "
    rf"día|vom|(?:{_DAYS})[.,]?)(?= )|"
    r"[^\W\d_]{1,10}[.,]{0,2} (?=[0-9]{1,2}\b)|[0-9]{1,4}[.\-/年 ]",
    re.IGNORECASE,
)
_MONTH_FIRST: Final = regex(
    r"(?!(?:on|am|le|op|el|il|em|den|at)\b)[^\W\d_]{2,10}[.,]{0,2} [0-9]", re.IGNORECASE
)
"""The middle of a date."""
_ADDRESS: Final = regex(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}")
_YEAR: Final = regex(r"(?<![0-9])(?:(?:19|20)[0-9]{2}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2})(?![0-9])")
_TIME: Final = regex(
    r"(?<![0-9])[0-9]{1,2}(?:[:.]| ?h ?)[0-9]{2}(?![0-9])|[0-9] ?[AaPp]\.?[Mm]\b|\b[0-9]{1,2} Uhr\b"
)
_GOES_ON: Final = regex(rf"[ *_>-]*(?=.{{5,300}}?\b(?:{phrases.VERBS}) ?[:：] +\S)", re.IGNORECASE)
_NO_COLON: Final = regex(rf"(?:^|.*[\s>)\"'])(?:{phrases.VERBS})$", re.IGNORECASE)
"""The end of an announcement that lost its colon."""
_STAMPED: Final = regex(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{1,2}:[0-9]{2} (?:GMT|UTC)[+-][0-9:]{4,5}(?: [^\s:;]{1,40}){1,6}"
)
"""``2013-10-02 17:21 GMT+01:00 Ada Marsh``, as Gmail announced for years in many languages."""
_CLOCK: Final = regex(r"(?<![0-9.])[0-9]{1,2}:[0-9]{2}(?![0-9])|[0-9] ?[ap]\.?m\b", re.IGNORECASE)
"""A time of day that cannot be taken for a date."""
_POSTED: Final = regex(r"posted (?:by|on) .{2,60} on .{0,30}[0-9]", re.IGNORECASE)
_MIDWAY: Final = regex(
    rf"[^:]{{1,80}}\b(?:On|Am|Le|Il|El|Em|Op) [^:]{{0,30}}[0-9].{{0,200}}\b(?:{phrases.VERBS}):$"
)
"""An announcement behind words of one's own on the same line."""
_MYSELF: Final = regex(r"\b(?:I|we|ich|wir|je|nous)\b", re.IGNORECASE)
_MAILBOX: Final = regex(r"[^<>:;]{0,60}<[\w.+-]{1,64}@[\w.-]{1,80}>")
_BRACKETED: Final = regex(r"\[[0-9][0-9 .:,/-]{6,24}\] ?[^:\[\]]{1,40}:(?: |$)")
"""``[20.11.2026 17:30] Ada:``, of chats."""
_WROTE: Final = regex(rf" *(?:{phrases.VERBS}) ?[-–—]{{2,40}} *$", re.IGNORECASE)

_SAYS: Final = regex(r"\b[A-Z][\w'-]* (?:said|says|sez)[:：]$")
_SAID: Final = regex(r"[.;!?]\s|\b(?:I|we|you|that|ich|wir|dass|daß|je|nous|que|noch|so)\b", re.IGNORECASE)
"""Somebody's own sentence, in which the word "wrote" stands."""
_MINE: Final = regex(
    r"\b(?:orders?|moves?|my|mine|our|turn|slot|phase|for|due|deadline|befehle|meine?|unsere?|zug|runde"
    r"|phase|für|ordres|mes|nos|tour|pour)\b",
    re.IGNORECASE,
)
"""Somebody's own sentence, in which a date stands."""

_ROLE_OF: Final = {word: role for role, words in phrases.ROLES.items() for word in words}
_FIELD: Final = regex(r"[ *_]{0,6}([^\W\d_][^:：*|\n\d]{0,24}?)[ *_]{0,4}[:：](?!//)")
_LONG_FORM: Final = regex(r" +(?:do|from|to):")
"""An order in keys."""
_NESTED: Final = regex(r" +[a-z][a-z0-9-]{0,23}:")
"""A name or a key below ``standing:``, or a branch of a condition."""
_STAMP: Final = regex(r"(?:[0-9][^<>:]{5,60}(?::[0-9]{2})?[^<>:]{0,60}<[^<> ]{3,100}>|\[[^\[\]]{8,80}\])$")
_BOXED: Final = regex(r" *\|-{6,80}> *$")
"""The frame in which Notes sets the header of what is answered."""
_ABOVE: Final = regex(
    r"\W{0,12}(?:please )?(?:(?:reply|type|write|respond|answer)\b[\w ]{0,40}\babove (?:this|the) line|"
    r"do not (?:edit|write|type)\b[\w ]{0,30}\bbelow (?:this|the) line)\W{0,12}",
    re.IGNORECASE,
)
"""What programs that take in answers put above their own words."""
_ARROWED: Final = regex(r" *>{2,4} ?(.{3,200}?) ?>{2,4} *$")
_EACH_FIELD: Final = regex(r"(?:^|(?<=\s))[*_]{0,2}([^\W\d_]{1,14})[*_]{0,2} ?:")
_IN_ONE_LINE: Final = (
    *(
        ("from:", "sent:"),
        ("from:", "date:", "to:"),
        ("von:", "gesendet:"),
        ("von:", "datum:"),
        ("de :", "envoyé :"),
        ("de:", "enviado"),
    ),
)
_DASHED: Final = regex(r"[ *]{0,4}[-–—‐‑_=]{2,60}[ *]{0,3}([^-–—‐‑_=].{0,240}?)[ *]{0,3}[-–—‐‑_=…]{2,60}")


def flat(text: str) -> str:
    """Return a line with ordinary spaces and without signs that nobody sees."""
    text = text.rstrip("\r\n")
    if text.isascii():
        return text.replace("\t", " ") if "\t" in text else text
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _SPACES.sub(" ", text[:_FLAT]))) + text[_FLAT:]


@by_line
def _even(text: str) -> str:
    """Return a line as it would be announced in plain words: single spaces, no stars for
    bold, no entities.
    """
    text = " ".join(text.split()).strip("*_ ")
    if "&" not in text or ";" not in text:
        return text
    from html import unescape

    return unescape(text)


def _bare(text: str) -> str:
    return text[: _LONGEST + 1].strip(" *_\r").lower()


def is_ordered(keys: Keys, text: str) -> bool:
    """Tell whether a line begins as one of an order file does."""
    return keys.begins.match(text) is not None or _NESTED.match(text) is not None


def attribution(keys: Keys, texts: Sequence[str], at: int) -> int:
    """Return the last line of the announcement "On … Bob wrote:" that begins on line ``at``, or -1."""
    if len(texts[at]) > 2 * _LONGEST:
        return -1
    if keys.begins.match(texts[at].strip()):
        return at if _is_dashed(texts[at]) else -1
    first = _even(texts[at])
    if len(first) > _LONGEST:
        return -1
    joined = ""
    stamped = at if _is_stamp(first) or _POSTED.fullmatch(first) else -1
    opens = _OPENS.match(first.lstrip("*_<\"' ")) is not None or (not _field(keys, first) and _names(first))
    for last in range(at, min(at + _WRAPPED, len(texts))):
        text = _even(texts[last][: 2 * _LONGEST])
        if (
            not text
            or len(text) > _LONGEST
            or (
                last > at
                and (
                    not opens
                    or keys.begins.match(text)
                    or text[0] == ">"
                    or (_begins(text) and not _waits(joined))
                )
            )
        ):
            return stamped
        joined = f"{joined} {text}".strip()
        if joined.rstrip(" *_").endswith((":", "：")) and joined.count("(") <= joined.count(")"):
            return last if _announces(joined) else stamped
        if stamped < 0 and _lost_colon(last == at, joined):
            stamped = last
    return stamped


@by_line
def _is_dashed(text: str) -> bool:
    """Tell whether a line announces behind a dash, as Zimbra has it: who wrote, on a day of a year."""
    bare = _even(text).removeprefix("- ")
    return (
        bare.endswith((":", "："))
        and _OPENS.match(bare) is not None
        and _YEAR.search(bare) is not None
        and _VERB.search(bare) is not None
    )


@by_line
def _names(text: str) -> bool:
    """Tell whether a line that no such word opens may be the first of an announcement: by an address, or
    because somebody wrote.
    """
    if _ADDRESS.search(text):
        return not (text.endswith((".", "!", "?")) and _MINE.search(text))
    return _VERB.search(text) is not None and _SAID.search(text) is None


@by_line
def _lost_colon(alone: bool, joined: str) -> bool:
    """Tell whether an announcement ends here that has no colon: with its verb, or with who wrote on the day
    that it began with.
    """
    if _SAID.search(joined):
        return False
    dated = _OPENS.match(joined) is not None and _YEAR.search(joined) is not None
    if _NO_COLON.match(joined):
        return (
            dated
            or _ADDRESS.search(joined) is not None
            or (" via " in joined or (1 < len(joined.split()) <= _SHORT and joined[:1].isupper()))
        )
    if _STAMPED.fullmatch(joined):
        return True
    named = _ADDRESS.search(joined) is not None and "<" in joined
    return named and (
        (dated and joined.endswith(">"))
        or (alone and _YEAR.search(joined) is not None and _CLOCK.search(joined) is not None)
    )


def _is_stamp(text: str) -> bool:
    """Tell whether a line is nothing but a date and an address, or a name and a date in brackets, as some
    programs announce with.
    """
    if _STAMP.match(text) is None or _YEAR.search(text) is None:
        return False
    return _ADDRESS.search(text) is not None if text.endswith(">") else _TIME.search(text) is not None


def _begins(text: str) -> bool:
    """Tell whether an announcement begins here rather than above: a word such as "On" (a number may be the
    rest of a date).
    """
    return not text[:1].isdigit() and _OPENS.match(text) is not None and _MONTH_FIRST.match(text) is None


def _waits(joined: str) -> bool:
    """Tell whether it was said who wrote, and not yet when."""
    return _VERB.search(joined) is not None and _YEAR.search(joined) is None


@by_line
def _announces(joined: str) -> bool:
    """Tell whether a sentence that ends with a colon says whose words follow."""
    if _VERB.search(joined) or _SAYS.search(joined) or _WHO_FIRST.match(joined) or _ADDRESS.search(joined):
        return True
    return _YEAR.search(joined) is not None and _TIME.search(joined) is not None


def is_sure(texts: Sequence[str], at: int, last: int) -> bool:
    """Tell whether an announcement is one even if no mark of quotation follows: it names a writer and says no
    more than when he wrote.
    """
    joined = " ".join(_even(text) for text in texts[at : last + 1])
    if _is_stamp(joined):
        return True
    if _ADDRESS.search(joined) or _WHO_FIRST.match(joined):
        return True
    verbs = _VERB.findall(joined)
    dated = _YEAR.search(joined) is not None and _TIME.search(joined) is not None
    if not verbs:
        if _SAYS.search(joined) and _SAID.search(joined) is None:
            return dated or len(joined.split()) <= _SHORT
        return (dated and _MINE.search(joined) is None) or any(
            test.fullmatch(joined) for test in (_STAMPED, _POSTED)
        )
    if (
        dated
        or len(joined.split()) <= _SHORT
        or _MIDWAY.match(joined)
        or (" via " in joined and _SAID.search(joined) is None)
    ):
        return True
    if _YEAR.search(joined) is not None and _MYSELF.search(joined) is None and _MINE.search(joined) is None:
        return True
    return len(verbs) == 1 and _OPENS.match(joined) is not None and _SAID.search(joined) is None


@by_line
def is_run_on(text: str) -> bool:
    """Tell whether the words of somebody else begin on the very line that announces them."""
    start = text[:600]
    if _OPENS.match(start.lstrip(" *_<\"'-")) is None or _GOES_ON.match(start) is None:
        return False
    return _ADDRESS.search(start) is not None or (
        _YEAR.search(start) is not None and _TIME.search(start) is not None
    )


@by_line
def is_forwarded(text: str) -> bool:
    """Tell whether a line says that a forwarded letter begins."""
    if _bare(text[:120]).startswith(phrases.BEGIN_FORWARD):
        return True
    found = _DASHED.match(text[:200])
    return (
        found is not None
        and len(found[1]) <= 120
        and any(word in found[1].lower() for word in phrases.FORWARDED)
    )


@by_line
def is_original(keys: Keys, text: str) -> bool:
    """Tell whether a line says that the letter that was answered begins."""
    if titles.is_title(keys, text):
        return True
    found = _DASHED.match(text[:400])
    if found is None:
        return len(text) < 80 and _WROTE.match(text) is not None
    inside = found[1].lower()
    return _VERB.search(inside) is not None and (
        len(inside.split()) <= _SHORT or any(test.search(inside) for test in (_ADDRESS, _YEAR))
    )


@by_line
def is_arrowed(text: str) -> bool:
    """Tell whether a line names a writer between arrows (``>>> Ada <ada@example.org> 11/19/2026 >>>``), whose
    words follow unmarked.
    """
    if _BOXED.match(text) or _BRACKETED.match(text.strip()) or (len(text) < 160 and _ABOVE.fullmatch(text)):
        return True
    found = _ARROWED.match(text[:_LONGEST])
    return found is not None and (_ADDRESS.search(found[1]) is not None or _YEAR.search(found[1]) is not None)


def header(keys: Keys, texts: Sequence[str], at: int) -> int:
    """Return the line behind the header of another letter that begins on this line: some of From, Sent, To,
    Subject, one below the other.

    0 where none begins.
    """
    if not _field(keys, texts[at]) or _LONG_FORM.match(texts[at]):
        return _header_of_words(texts, at)
    low = texts[at][:_LONGEST].lower()
    if len({_ROLE_OF.get(word, "") for word in _EACH_FIELD.findall(low)} - {"", "reply"}) >= 3:
        return at + 1
    if any(
        all(word in low for word in words) and low.strip(" *_").startswith(words[0]) for words in _IN_ONE_LINE
    ):
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
        name = _field(keys, text)
        if name:
            gap = gap or blank > 0
            blank = 0
            fields.append((name, text[:_LONGEST]))
            roles.add(_ROLE_OF.get(name, ""))
        elif (
            not fields
            or blank
            or not (text.startswith((" ", ";")) or "@" in text or fields[-1][1].rstrip().endswith((",", ";")))
        ):
            break
        behind = number + 1
        if len(fields) > 8:
            break

    known = fields and _ROLE_OF.get(fields[0][0], "") != ""
    said = roles - {"", "reply"}
    if known and (("from" in said and len(said) >= 2) or len(said) >= 3 or _speaks_for_itself(fields[0])):
        return behind
    return behind if not gap and not texts[at].startswith("  ") and _looks_like_header(fields) else 0


def _speaks_for_itself(field: tuple[str, str]) -> bool:
    """Tell whether one field of a header is enough: who wrote, with an address, or when, with the time of
    day.
    """
    name, text = field
    role = "" if text.lstrip(" *_")[:1].islower() else _ROLE_OF.get(name, "")
    if role == "from":
        return _ADDRESS.search(text) is not None
    return role == "sent" and _YEAR.search(text) is not None and _CLOCK.search(text) is not None


def _header_of_words(texts: Sequence[str], at: int) -> int:
    """Return the line behind a header whose fields stand on lines of their own, without colons (``To``, below
    it a name); or 0.
    """
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


@by_line
def _field(keys: Keys, text: str) -> str:
    """Return the name of a header field that a line begins with, unless it is a key of order files."""
    found = _FIELD.match(shapes.cells(text[:_LONGEST])[:60])
    if found is None:
        return ""
    name = found[1].strip(" *_").lower()
    # some print blanks within a word
    name = name if name in _ROLE_OF else "".join(name.split()) if not name.isascii() else name
    return "" if name in keys.all else name


def _looks_like_header(fields: Sequence[tuple[str, str]]) -> bool:
    """Tell whether fields in a language that is not known here are a header: three of them, with an address
    and a date.
    """
    if len(fields) < 3:
        return False
    texts = [text for _, text in fields[:5]]
    if _MAILBOX.fullmatch(texts[0].partition(":")[2].strip()) is not None or "[mailto:" in texts[0]:
        return True
    return any(_ADDRESS.search(text) for text in texts) and any(
        _YEAR.search(text) and _TIME.search(text) for text in texts
    )


def is_rule(text: str, least: int) -> bool:
    """Tell whether a line is nothing but a long rule of underscores."""
    bare = text.strip()
    return least <= len(bare) <= 200 and not bare.strip("_")


@by_line
def is_footer(text: str) -> bool:
    """Tell whether lists, scanners or lawyers begin here."""
    return _bare(text).startswith(phrases.FOOTERS)


@by_line
def is_device(text: str) -> bool:
    """Tell whether a telephone signs with its own name."""
    bare = _bare(text)
    return len(bare) <= 160 and bare.startswith(phrases.DEVICES)


_PASSED_ON: Final = regex(
    r"\W{0,3}(?:fwd?|wg|tr|i|rv|enc|vs|vb|doorst|weitergeleitet|pd|vl|továbbítás)\s{0,2}[:：]", re.IGNORECASE
)


def is_passed_on(subject: str) -> bool:
    """Tell whether a subject says that the letter was forwarded."""
    return _PASSED_ON.match(subject[:40]) is not None
