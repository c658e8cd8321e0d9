"""The words by which an order text is known, made ready to be found in lines: a vocabulary as expressions.

Whoever reads letters, posts or files is handed a ``Keys``, made once for each vocabulary; nothing here knows
a game. The forms are wide: they tell a line that somebody may have meant as an order from chatter, so that
none is left out without a word. What an order means is decided by the rules.

Where a game says nothing of its orders but its sections, everything that stands below one, and every list of
some words, may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from pbem.core.regex import regex
from pbem.core.vocabulary import Deed, Vocabulary
from pbem.post.lines import doubts, gap_words
from pbem.text.free import FREE

__all__ = ["ANSWERS", "BRANCHES", "BULLETS", "GENERAL", "NAMED", "PLAIN", "STANDING", "Keys", "reader"]

PLAIN: Final = ("nobody", "final")
"""Keys that people say as a sentence: ``nobody moves``, ``that is all``."""
NAMED: Final = ("game", "side", "seat", "turn", "stop-after")
"""Keys whose values are small letters and digits."""
STANDING: Final = "standing"
ANSWERS: Final = "answers"
_OF_ALL: Final = ("game", "side", "seat", "turn")
_WEAK: Final = ("game", "note", "message")
BRANCHES: Final = ("when", "then", "otherwise")

_WIDE: Final = 15
"""So wide is the longest key at least that somebody may have misspelt."""
_NOTHING: Final = "(?!)"
_WORD: Final = regex(r"[A-Za-z](?:[A-Za-z]|[ _-](?=[A-Za-z])){2,24}")
_NAME = r"(?!(?:i|we|you|he|she|they|it|who|that|this|and)\b)[a-z][a-z0-9-]{0,23}"
_NAMES = rf"{_NAME}(?:, ?{_NAME}){{0,20}}"
_GROUP = rf"{_NAME}(?: (?:and|&) {_NAME}){{0,5}}"
_REST = r"[a-z0-9@,: -]{1,120}"
_BARE_NAME: Final = regex(_NAME, re.IGNORECASE)
_TOKEN: Final = regex(r"\{([a-z]+)\}|(\.\.\.$)|([\[\]()|])|(\$$)|([^\[\](){}|$]+?(?=[\[\](){}|$]|\.\.\.$|$))")
_SIGNS: Final = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}
_SMALL_TALK: Final = """
i i'm i'll we we'll you he she they it please thanks thank hi hello hey dear cheers regards sorry good see my this that there here last ps
"""
_PEOPLE: Final = frozenset(_SMALL_TALK.split())
"""Words that begin what people say to each other."""
_ADDRESS: Final = regex(r"[\w.+-]@[\w-]{1,63}\.\w|://")
_ANSWER: Final = regex(r" {0,12}q[1-9][0-9]{0,2} ?: {0,3}[a-z0-9]", re.IGNORECASE)
BULLETS: Final = "-*+§•·‣◦●○▪■□∙⁃‧・►▶➢➤→➡⇒➔➜✓✔❖◆\uf000-\uf0ff"
"""What stands for a dash in front of an order, as the inside of a class of characters; some are of Word's own
fonts.
"""
_DASHED: Final = regex(rf" {{0,12}}(?:[{BULLETS}–—](?![-*–—]) {{0,8}}|[0-9]{{1,2}}[.)] {{1,4}})(?=\S)")
_ORDER_WORDS: Final = frozenset(
    ("to", "at", "by", "go", "goes", "has", "move", "moves", "and", "steps", *BRANCHES)
)
_TITLES: Final = (
    *(
        "order[s]",
        "move[s]",
        "movement",
        "moving",
        "setup",
        "set-up",
        "placing",
        "standing",
        "phase",
        "turn",
        "round",
        "slot",
        "my",
        "mine",
    ),
    *(
        "our",
        "begin",
        "end",
        "start",
        "snip",
        "cut",
        "yaml",
        "code",
        "note[s]",
        "message",
        "luck",
        "answer[s]",
        "side",
        "seat",
        "game",
    ),
    *(
        "west",
        "east",
        "north",
        "south",
        "befehl[e]",
        "bewegung",
        "aufstellung",
        "zug",
        "runde",
        "mein[e]",
        "ordre[s]",
        "mouvement[s]",
    ),
    *("mes", "tour"),
)


def _squeezed(word: str) -> str:
    return re.sub("[ _-]", "", word).lower()


class Keys:
    """A vocabulary as it is asked for by whoever reads lines.

    Made by ``reader``; two of one vocabulary are the same object.
    """

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.sections = words.headings
        self.standing = words.standing
        self.form = (*words.keys, *BRANCHES)
        """Keys of an order that is written as keys."""
        self.all = (*_OF_ALL, *self.sections, STANDING, ANSWERS, "stop-after", *PLAIN, *FREE)
        self.weak = (*_WEAK, *(section.key for section in words.sections if section.weak))
        """Keys that, with a capital, begin many a sentence in a letter."""
        self.plans = words.plans
        self.joining = gap_words.WORDS.union(words.joining, self.sections)
        """Words between the parts of somebody's orders that take nothing back."""
        self.joints = frozenset(words.joints)
        self._joined = {_squeezed(key): key for key in self.all}
        self._meant = {_squeezed(word): section.key for section in words.sections for word in section.said}
        self._lines()
        self._sentences()
        self._rests()
        self._doubts()

    # --- the expressions, each made once

    def _lines(self) -> None:
        """Make what tells keys and headings."""
        width = max(_WIDE, *map(len, self.all)) - 1
        self._head = regex(
            rf"( *)(?:([A-Za-z][A-Za-z _-]{{2,{width}}}?) ?:|['\"]([a-z][a-z-]{{2,{width}}})['\"]:(?= |$))"
        )
        every = "|".join(map(re.escape, self.all))
        self.begins = regex(rf"[ *_]*(?:#|- |(?:{every}) ?:)", re.IGNORECASE)
        """How a line of an order file begins."""
        self.lined = regex(rf" *(?:- \S|#|(?:{every}) ?:)", re.IGNORECASE)
        """The same, where a dash alone is none."""
        under = "|".join(map(re.escape, (*self.sections, STANDING, ANSWERS)))
        self.heading = regex(
            rf"(?:(?:{under}) ?:|(?:side|seat): ?[a-z]\w{{0,15}}|turn: ?[a-z][0-9][\w.]{{0,20}}|game: "
            r"?[a-z0-9-]{1,48})[ \t]*$"
        )
        """A line of an order file that has no rest on the next one."""
        ordering = "|".join(map(re.escape, (*self.sections, ANSWERS)))
        self.ordering = regex(rf"^(?:{ordering}) ?:".encode(), re.MULTILINE)
        """A key of a file that orders anything."""
        self.offered = regex(rf"^#? ?({ordering}):".encode(), re.MULTILINE)
        """The same in an order sheet, where it may stand in a comment."""
        idle = "|".join(("moves", "acts", "is placed", *map(self._template, self.words.idle)))
        self._plainly = regex(
            rf" *[\"'*_]{{0,3}}(?:(?P<nobody>(?:nobody|no one) ?:? ?(?:{idle})"
            r"|(?:everybody|everyone|all) stays?)"
            r"|(?P<final>final(?: ?: ?yes)?|(?:that|this|it)(?: is|['’]s) (?:all|final)|(?:(?:these|those|my"
            r"|the) orders|they) are final))"
            r"[.!]{0,3}[\"'*_]{0,3} *",
            re.IGNORECASE,
        )
        titles = "|".join(
            (
                *map(self._template, (*_TITLES, *self.words.titles)),
                *map(re.escape, self.sections),
                r"p\.?s\.?",
            )
        )
        self.title = regex(rf"\b(?:{titles})\b", re.IGNORECASE)
        """Somebody's title above his own words."""
        signed = self.words.places.signed
        self.signed = regex(rf"#(?:{signed or _NOTHING})\b", re.IGNORECASE)
        """A place behind a sign that would begin a comment."""

    def _sentences(self) -> None:
        """Make what tells orders."""
        deeds = tuple(map(_whole, self.words.deeds))
        self._broad = not any(deed.forms or deed.plain or deed.tells or deed.does for deed in deeds)
        places = self.words.places
        bare = f"(?:{places.short})" if places.form else _NOTHING
        forms = self._either((form for deed in deeds for form in deed.forms), "{names} ", _NAMES)
        self._sentence = regex(forms, re.IGNORECASE)
        ahead = "|".join(("and", *map(re.escape, self.words.ahead)))
        plain = self._either((form for deed in deeds for form in deed.plain), "{group} ", _GROUP)
        self._one = regex(rf"(?:(?:{ahead}) )?(?:{plain})", re.IGNORECASE)
        """One order that is whole, and nothing behind it."""
        tells = "|".join(self._template(one) for deed in deeds for one in deed.tells) or _NOTHING
        unlike = rf"(?!(?:{places.unlike})\b)" if places.unlike else ""
        self._hints = regex(
            rf"(?<![\w+./:-]){unlike}{bare}(?![\w/:]|-[0-9]{{1,2}}(?![0-9]))|\b(?:{tells})\b", re.IGNORECASE
        )
        does = "|".join(self._template(one) for deed in deeds for one in deed.does) or _NOTHING
        mistyped = rf"|\b(?:{places.mistyped})\W*$" if places.mistyped else ""
        self._does = regex(rf"(?:\b(?:{does})\b|[-=]>|\b(?:to|at|by|in) .*[0-9]{mistyped})", re.IGNORECASE)
        certain = "|".join(map(self._template, self.words.certain))
        self.certain = regex(
            rf"\b(?:{certain})\b" if certain else "" if self._broad else self._does.pattern, re.IGNORECASE
        )
        """What makes a line in somebody's own words an order though nothing else stands in a file."""
        said = (
            word
            for deed in deeds
            for form in (*deed.forms, *deed.plain, *deed.does)
            for word in _literal(form)
        )
        self.order_words = frozenset((*said, *self.joints, *self.plans)) | _ORDER_WORDS
        """Words of an order that are nobody's name."""

    def _rests(self) -> None:
        """Make what tells the rest of an order that was broken."""
        deeds = (word for deed in self.words.deeds for word in deed.unended)
        unended = "|".join(map(self._template, (*self.words.unended, *deeds)))
        self.unended = regex(rf"(?:,|\b(?:{unended or _NOTHING})) *$", re.IGNORECASE)
        """No order ends like this."""
        onward = "|".join(map(self._template, self.words.onward)) or _NOTHING
        self.onward = regex(f"(?:{onward})", re.IGNORECASE)
        """No order begins like this."""

    def _doubts(self) -> None:
        """Make what tells places and deeds in somebody's own sentences."""
        places = self.words.places
        bare = f"(?:{places.short})" if places.form else _NOTHING
        self.place = regex(rf"(?<![\w.,:/#+@€$£&=-]){bare}(?![\w:/@%€$£&=-]|[.,][0-9])")
        self.place_within = regex(rf"(?<![0-9]){bare}(?![0-9])")
        self.unlike = regex(places.unlike or _NOTHING)
        called = "|".join(map(re.escape, places.called)) or _NOTHING
        self.called = regex(rf"(?:{called}) *$", re.IGNORECASE)
        self.of_place = regex(
            rf"(?:\b(?:{called})|\bto|\bat|\bby|\bon|\bfrom|\bnach|\bauf|\bfeld|\bvers|\bà|\ben)(?: "
            rf"(?:{called}))? *$",
            re.IGNORECASE,
        )
        self.told = "|".join((*map(self._template, self.words.told), doubts.DEED))
        """What somebody is told to do, right behind his name; an expression."""
        self.instead = doubts.instead(self.words.instead)

    def _either(self, forms: Iterable[str], who: str, named: str) -> str:
        """Return one expression for templates; those that begin with names look for these once."""
        known = tuple(forms)
        named_ones = "|".join(
            self._template(form.removeprefix(who)) for form in known if form.startswith(who)
        )
        others = [self._template(form) for form in known if not form.startswith(who)]
        return "|".join([*([f"{named} (?:{named_ones})"] if named_ones else []), *others]) or _NOTHING

    def _template(self, form: str) -> str:
        """Return a template of a vocabulary as an expression; ValueError where it is none."""
        out, at = [], 0
        while at < len(form):
            found = _TOKEN.match(form, at)
            if found is None:
                raise ValueError(f"not a template: {form}")
            name, more, sign, end, text = found.groups()
            if name:
                out.append(self._part(name, form))
            else:
                out.append(
                    f"(?:{_REST})?" if more else _SIGNS[sign] if sign else "$" if end else re.escape(text)
                )
            at = found.end()
        return "".join(out).replace("\\ ", " ")

    def _part(self, name: str, form: str) -> str:
        """Return what stands for a word in braces."""
        places = self.words.places
        place = f"(?:{places.form})" if places.form else _NAME
        called = "".join(f"(?:{re.escape(word)} )?" for word in places.called)
        known = {
            "name": _NAME,
            "names": _NAMES,
            "group": _GROUP,
            "any": f"{_NAME}(?: or {_NAME}){{0,9}}",
            "place": place,
            "bare": f"(?:{places.short})" if places.form else _NOTHING,
            "alone": rf"(?:{places.short})(?![\w/.:-])" if places.form else _NOTHING,
            "places": rf" ?{called}{place}(?: {place}){{0,20}}",
            "facing": f"(?:{'|'.join(map(re.escape, self.words.facings)) or _NOTHING})",
            "digit": "[0-9]",
            "number": "[0-9]{1,2}",
            "letter": "[a-z]",
            "letters": "[a-z]{1,2}",
            "arrow": "(?:[-=]+>|→)",
            "rest": _REST,
            "words": ".{0,40}",
        }
        if name not in known:
            raise ValueError(f"not a template: {form}")
        return known[name]

    # --- what is asked

    def known(self, word: str) -> str:
        """Return the key that somebody wrote in capitals, or with a space in it, such as ``Shoot again``;
        nothing where it is none.
        """
        if _WORD.fullmatch(word) is None:
            return ""
        return self._joined.get(_squeezed(word), "")

    def meant(self, word: str) -> str:
        """Return the section that somebody meant who put another word above it; nothing where no word of ours
        is it.
        """
        return self._meant.get(_squeezed(word), "")

    def head(self, text: str) -> tuple[str, int, int]:
        """Return the key that a line begins with (or nothing), where it begins, and where it ends behind its
        colon.

        A sentence that stands for a key and its value is that key to the end of the line.
        """
        if (plain := self.plainly(text)[0]) != "":
            return plain, len(text) - len(text.lstrip(" ")), len(text)
        found = self._head.match(text)
        if found is None:
            return "", 0, 0
        key = self.known((found[2] or found[3]).rstrip())
        if key in PLAIN:
            return "", 0, 0
        follows = text[found.end() : found.end() + 1]
        if not key or (follows and follows in ")(:/"):
            return "", 0, 0
        return key, len(found[1]), found.end()

    def near(self, text: str) -> bool:
        """Tell whether a line looks like a key that was misspelt, such as ``moves:``."""
        found = self._head.match(text)
        return found is not None and not found[1] and not self.known(found[2] or found[3])

    def plainly(self, text: str) -> tuple[str, str]:
        """Return the key and the value that a whole line says, such as ``nobody`` and ``moves``; nothing of
        any other line.
        """
        found = self._plainly.fullmatch(text) if len(text) <= 60 else None
        if found is None:
            return "", ""
        return ("nobody", "moves") if found["nobody"] else ("final", "yes")

    def sentence(self, text: str) -> bool:
        """Tell whether a line without a dash has the form of an order as a whole."""
        bare = text.partition(" #")[0].strip().rstrip(".")
        return len(bare) <= 300 and (self._sentence.fullmatch(bare) is not None or self._is_whole(bare))

    def _is_whole(self, text: str) -> bool:
        """Tell whether a line is an order or several in the words of reports, as ``odo and hob move to hex
        0712``, and nothing besides.
        """
        return (
            self._one.fullmatch(re.sub(r", ?(?:and )?", " and ", text)) is not None
            or self.several(text) != ()
        )

    def several(self, text: str) -> tuple[tuple[int, int], ...]:
        """Return where the orders of a line begin and end that holds more than one, parted by commas or
        semicolons; nothing otherwise.

        A name belongs to the order that follows it. Where it may as well be one more whom the order before it
        is against, nothing is parted.
        """
        if len(text) > 300 or not ("," in text or ";" in text) or "#" in text:
            return ()
        places: list[tuple[int, int]] = []
        begin, at, before = -1, 0, ";"
        for piece in [*re.split(r"([,;])", text.rstrip(" .;,")), ""]:
            bare = piece.strip()
            start = at + len(piece) - len(piece.lstrip())
            at += len(piece)
            if bare in (",", ";", ""):
                if bare == ";" and begin >= 0:
                    return ()
                before = bare or before
            elif self._one.fullmatch(bare):
                places.append(
                    (begin if begin >= 0 else start + 4 * bare.lower().startswith("and "), start + len(bare))
                )
                begin = -1
            elif _BARE_NAME.fullmatch(bare) and (
                not places or begin >= 0 or before == ";" or text[places[-1][1] - 1].isdigit()
            ):
                begin = start if begin < 0 else begin
            else:
                return ()
        return tuple(places) if len(places) > 1 and begin < 0 else ()

    def spoken(self, text: str) -> bool:
        """Tell whether a line without a dash, right among orders, is one in somebody's own words: a deed of
        somebody, or a place.
        """
        words = text.partition(" #")[0].strip(" .;!").split()
        if (
            not 2 <= len(words) <= 24
            or len(text) > 300
            or text.rstrip().endswith("?")
            or words[0].strip(",:'").lower() in _PEOPLE
        ):
            return False
        return words[0][0].isalpha() and (self._broad or self._does.search(text) is not None)

    def resembles(self, text: str) -> bool:
        """Tell whether a line that was not taken may have been meant as an order."""
        if len(text) > 400 or _ADDRESS.search(text) is not None:
            return False
        if _ANSWER.match(text):
            return True
        dash = _DASHED.match(text)
        if dash is not None:
            return self._hints.search(text, dash.end()) is not None or (
                self._broad and self.spoken(text[dash.end() :])
            )
        return self.sentence(text)


def _whole(deed: Deed) -> Deed:
    """Return a deed of which only verbs are known with the forms that follow from them."""
    if deed.forms or deed.plain or deed.tells:
        return deed
    return Deed(
        deed.id, tuple(f"{{names}} {verb}..." for verb in deed.does), (), deed.does, deed.does, deed.unended
    )


def _literal(form: str) -> Iterable[str]:
    """Return the words that stand in a template, each as it can be written."""
    for word in re.findall(r"[a-z]+(?:\[[a-z]+\])?", re.sub(r"\{[a-z]+\}", " ", form)):
        yield word.replace("[", "").replace("]", "")
        if "[" in word:
            yield word.partition("[")[0]


@lru_cache(maxsize=64)
def reader(words: Vocabulary) -> Keys:
    """Return the words of a game ready to be looked for; ValueError where one of their templates is none."""
    return Keys(words)


GENERAL: Final = reader(Vocabulary())
"""What is true of the letters of every game, for whoever looks at one only to see whether
anybody wrote it.
"""
