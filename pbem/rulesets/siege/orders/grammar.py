"""The language of orders, made of the deeds of a game: every sentence is matched by exactly one line of one
deed.

Decides what a sentence says, and how an order is said again; not whether anybody of that name exists, nor
whether it is legal. A sentence is read on the verb: the word behind the names it begins with, or its first
word where it names nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.orders.template import plain
from pbem.rulesets.siege.state.deed import Deed, Deeds, deeds
from pbem.rulesets.siege.state.orders import Order
from pbem.rulesets.siege.state.sentence import ANY, NEAREST, PLANS, Sentence
from pbem.rulesets.siege.state.state import Battle
from pbem.text.similar import did_you_mean, nearest

__all__ = ["ANY", "NEAREST", "PLANS", "lines", "match", "named", "plain", "read", "reserved", "say"]

Rules = Ruleset[Battle]


def lines(rules: Rules) -> tuple[Sentence, ...]:
    """Return the whole grammar of a game."""
    return tuple(line for _, line in deeds(rules).lines)


def reserved(rules: Rules) -> frozenset[str]:
    """Return the words that no figure, thing or area may have as its name."""
    return deeds(rules).reserved


def say(rules: Rules, order: Order) -> str:
    """Return the sentence of an order in normal form; read in its section it is the same order."""
    return deeds(rules).say(order)


def read(rules: Rules, section: str, sentence: str, coming: Sequence[str] = ANY) -> Order | Problem:
    """Return the order a sentence says in a section (a heading such as ``move``), or what is wrong with it.

    ``coming`` are the sections that can be ordered now: into one of these a sentence is sent that stands in
    the wrong one.
    """
    text = plain(sentence)
    return match(rules, section, text) or _unfit(rules, section, text, coming)


def match(rules: Rules, section: str, text: str) -> Order | Problem | None:
    """Return the order that a sentence in small letters says in a section; None where it fits no line of the
    grammar.
    """
    found = fitting(deeds(rules), section, text)
    if found is None:
        return None
    _, line, order = found
    return reserved_in(rules, line, order) or order


def fitting(known: Deeds, section: str, text: str) -> tuple[Deed, Sentence, Order] | None:
    """Return the deed and its line of the grammar that such a sentence fits, and the order, whatever names
    stand in it.
    """
    for deed, line in known.by_verb.get((section, _verb(known, text)), ()):
        found = line.template.found(text)
        if found is not None:
            return deed, line, line.build(deed.id, found)
    return None


def _verb(known: Deeds, text: str) -> str:
    """Return the word a sentence is read on: the one behind the names, or the first where a sentence names
    nobody first.
    """
    word, _, rest = text.partition(" ")
    if word in known.first_words:
        return word
    while rest and word[-1:] == ",":
        word, _, rest = rest.partition(" ")
    return rest.partition(" ")[0]


def reserved_in(rules: Rules, line: Sentence, order: Order) -> Problem | None:
    """Refuse a word of the language where a name is wanted; ``nearest`` may be aimed at."""
    words = deeds(rules).reserved
    for field, piece in line.template.naming:
        value = getattr(order, field)
        for name in (value,) if isinstance(value, str) else value:
            if name in words and name not in piece.but:
                return Problem("orders.reserved", {"word": name})
    return None


def _unfit(rules: Rules, section: str, text: str, coming: Sequence[str]) -> Problem:
    """Return why no line fits: the sentence stands in the wrong section, or is nearest to some line of this
    one.
    """
    known = deeds(rules)
    verb = _verb(known, text)
    elsewhere = (line for _, line in known.lines if section not in line.sections and verb in line.verbs)
    fitting = [line for line in elsewhere if line.template.found(text)]
    if others := [other for line in fitting for other in line.sections]:
        other = next((one for one in others if one in coming), others[0])
        if other in coming:
            help_ = f"put it under {other}:"
        elif here := _mended(rules, section, text):
            help_ = f"did you mean '{here}'?"
        else:
            help_ = f"it belongs under {other}:, which cannot be ordered now"
        return Problem("orders.section", {"sentence": text, "section": section, "other": other}, help=help_)
    line = _nearest(known, section, text)
    mended = _mended(rules, section, text)
    form = f"{line.form}, for example: {line.example}"
    help_ = f"did you mean '{mended}'?" if mended else "; ".join(part for part in (_slip(text), form) if part)
    return Problem("orders.sentence", {"sentence": text}, help=help_)


_SLIPS: Final = (
    (
        regex(r"\b(?:facing|across) (?!(?:n|ne|se|s|sw|nw)\b)([a-z]+)"),
        "'{}' is not a side of a hex: n ne se s sw nw",
    ),
    (
        regex(r"(?<![a-z0-9@-])([0-9]{3}|[0-9]{5,6})(?![a-z0-9@-])"),
        "'{}' is not a hex: two digits for its column and two for its row",
    ),
)
"""What is often mistyped, and how that is told."""


def _slip(text: str) -> str:
    """Return which word of a sentence is not a side or not a hex, where one should be; empty if all are."""
    return next((said.format(found[1]) for slip, said in _SLIPS if (found := slip.search(text))), "")


def _mended(rules: Rules, section: str, text: str) -> str:
    """Return what a sentence becomes where one thing is put right: another word for a verb, a misspelt one,
    ``and`` between names.
    """
    known = [verb for where, verb in deeds(rules).by_verb if where == section]
    words = text.split(" ")
    tries = [text.replace(" and ", ", ")]
    for place, word in enumerate(words):
        meant = "at" if section == "setup" and word in _IN_THE_SETUP else _SYNONYMS.get(word)
        meant = meant or nearest(word, known)
        tries += [
            " ".join([*words[:place], *instead, *words[place + 1 :]]) for instead in ([meant], []) if meant
        ]
    found = (match(rules, section, said) for said in tries)
    return next(
        (say(rules, order) for order in found if order is not None and not isinstance(order, Problem)), ""
    )


def _nearest(deeds: Deeds, section: str, text: str) -> Sentence:
    """Return the line that a sentence was probably meant to be."""
    words = [word for word in text.replace(",", "").split(" ") if word]
    every = [line for _, line in deeds.lines]
    known = {verb: line for line in reversed(every) if section in line.sections for verb in line.verbs}
    for word in [_verb(deeds, text), *words]:
        if word in known and not (word in _SYNONYMS and _SYNONYMS[word] in words):
            return _closest(deeds, section, word, text)
    for word in words[1:] + words[:1]:
        meant = _SYNONYMS.get(word, word)
        if meant in known:
            return _closest(deeds, section, meant, text)
        if guess := did_you_mean(meant, known):
            return _closest(deeds, section, guess.split("'")[1], text)
    first = {
        "setup": "at",
        "shoot": "at",
        "move": "to",
        "shoot-again": "at",
        "fight": "attack",
        "day": "bombard",
    }
    return known[first.get(section, "to")] if known else every[0]


def _closest(deeds: Deeds, section: str, verb: str, text: str) -> Sentence:
    """Return, of the lines with one verb, the one whose example shares most words with the sentence."""
    words = set(text.split(" "))
    return max(
        (line for _, line in deeds.by_verb[section, verb]),
        key=lambda line: len(words & set(line.form.split(" "))),
    )


_SYNONYMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("move", "moves", "go", "goes", "walk", "walks", "run", "runs", "march", "marches"), "to"
    ),
    **dict.fromkeys(("via", "along", "through"), "by"),
    **dict.fromkeys(
        ("shoot", "shoots", "fire", "target", "targets", "stand", "stands", "place", "placed"), "at"
    ),
    **dict.fromkeys(("fight", "fights", "hit", "hits", "kill", "kills", "charge", "charges"), "attack"),
    **dict.fromkeys(("wait", "waits", "hold", "holds", "halt", "remain", "remains"), "stays"),
    **dict.fromkeys(("surrender", "surrenders", "resigns"), "resign"),
    "draw": "offer",
}
"""Words that people use instead of the words of the language, only to guess what was meant."""
_IN_THE_SETUP: Final = ("to", "in", "on")
"""What people write where men are placed *at* a hex."""


# --- what an order names


def named(rules: Rules, order: Order) -> tuple[str, ...]:
    """Return the names in an order, of figures and things: not its hexes, nor what a day is planned for."""
    for line in deeds(rules)[order.deed].sentences:
        if isinstance(order, line.makes):
            break
    else:
        raise TypeError(f"{order!r} is not an order of this ruleset")
    return tuple([name for name in texts_of(line, order) if not name[0].isdigit()])


def texts_of(line: Sentence, order: Order) -> list[str]:
    """Return what stands where names may stand in an order of a line of the grammar, hexes among it."""
    found: list[str] = []
    for value in line.template.named(order):
        if type(value) is not str:
            found += value
        elif value:
            found.append(value)
    return found
