"""The language of orders: one line of the grammar is one regular expression, and every sentence is matched by exactly one of them.

Decides what a sentence says, and how an order is said again; not whether anybody of that name exists, nor whether it is legal.
A sentence is read on the verb: the word behind the names it begins with, or its first word where it names nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.problem import Problem
from pbem.rulesets.siege.orders import Act, Attack, FireEngine, Move, MoveBy, Order, Place, Prepare, Ride, Shoot, Skill
from pbem.text.similar import did_you_mean

__all__ = ["ANY", "LINES", "RESERVED", "match", "named", "read", "say"]

ANY: Final = ("setup", "shoot", "move", "shoot-again", "fight", "day")
NEAREST: Final = "nearest"
PLANS: Final = ("assault", "bombard", "rest", "lift the siege")

_NAME = r"[a-z][a-z0-9-]{0,23}"
_PIECES: Final = {
    "NAMES": rf"{_NAME}(?:, {_NAME})*",
    "NAME": _NAME,
    "HEXES": r"[0-9]{4}(?:@[a-z0-9]{1,8})?(?: [0-9]{4}(?:@[a-z0-9]{1,8})?)*",
    "CHOICE": r"[0-9]{4}(?:@[a-z0-9]{1,8})?(?: or [0-9]{4}(?:@[a-z0-9]{1,8})?)*",
    "HEX": r"[0-9]{4}(?:@[a-z0-9]{1,8})?",
    "SIDE": r"n|ne|se|s|sw|nw",
    "TARGETS": rf"(?:{_NAME}|[0-9]{{4}}(?:@[a-z0-9]{{1,8}})?)(?: or (?:{_NAME}|[0-9]{{4}}(?:@[a-z0-9]{{1,8}})?))*",
    "COUNT": r"[1-9][0-9]?",
    "SKILL": r"-?[0-9]",
    "ODDS": r"[1-9][0-9]?",
}
_SLOT = re.compile(r"\{([a-z]+):([A-Z]+)\}")


@dataclass(frozen=True, slots=True)
class GrammarLine:
    """One line of the grammar: where it may stand, the verbs it is found by, its form in words, and an example."""

    sections: tuple[str, ...]
    verbs: tuple[str, ...]
    pattern: re.Pattern[str]
    build: Callable[[Mapping[str, str]], Order]
    form: str
    example: str


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(", "))


def _hexes(text: str | None) -> tuple[str, ...]:
    return tuple(text.split(" ")) if text else ()


def _choice(text: str) -> tuple[str, ...]:
    return tuple(text.split(" or "))


def _line(sections: str, verbs: str, pattern: str, form: str, example: str, build: Callable[[Mapping[str, Any]], Order]) -> GrammarLine:
    source = _SLOT.sub(lambda slot: f"(?P<{slot[1]}>{_PIECES[slot[2]]})", pattern)
    where = ANY if sections == "any" else tuple(sections.split())
    return GrammarLine(where, tuple(verbs.split()), re.compile(source), build, form, example)


def _act(do: str) -> Callable[[Mapping[str, Any]], Order]:
    """Return a builder for an Act from groups named after its fields."""

    def build(found: Mapping[str, Any]) -> Order:
        return Act(
            do,
            who=_names(found["who"]) if found.get("who") else (),
            what=found.get("what") or "",
            to=_hexes(found.get("to")),
            by=_hexes(found.get("by")),
            facing=found.get("facing") or "",
            steps=int(found.get("steps") or 0),
            over=bool(found.get("over")),
            animals=_names(found["animals"]) if found.get("animals") else (),
        )

    return build


def _attack(found: Mapping[str, Any]) -> Order:
    return Attack(_names(found["who"]), _names(found["at"]), int(found["least"] or 0))


def _shoot(found: Mapping[str, Any]) -> Order:
    return Shoot(found["who"], _choice(found["aim"]), found["across"] or "", bool(found["fire"]))


LINES: Final = (
    _line("setup day", "at", "{who:NAME} at {at:HEXES}(?: facing {facing:SIDE})?", "NAME at HEX [facing SIDE]", "odo at 0712",
          lambda m: Place(m["who"], _hexes(m["at"]), m["facing"] or "")),
    _line("setup", "rides", "{who:NAME} rides {horse:NAME}", "NAME rides HORSE", "hugh rides bayard", lambda m: Ride(m["who"], m["horse"])),
    _line("setup day", "fill", "fill {hexes:HEXES}", "fill HEX HEX", "fill 0603 0604", lambda m: Prepare("fill", _hexes(m["hexes"]))),
    _line("setup", "rubble", "rubble {hexes:HEXES}", "rubble HEX", "rubble 0704", lambda m: Prepare("rubble", _hexes(m["hexes"]))),
    _line("setup", "has", "{who:NAME} has skill {value:SKILL}", "NAME has skill NUMBER", "alric has skill -2",
          lambda m: Skill(m["who"], int(m["value"]))),
    _line("shoot shoot-again", "at", "{who:NAME} at {aim:TARGETS}(?: across {across:SIDE})?(?P<fire> with fire)?",
          "NAME at NAME [or NAME] [or nearest] [across SIDE] [with fire]", "alric at gunter or wulf or nearest", _shoot),
    _line("shoot", "fires", "{who:NAME} fires {engine:NAME} at {aim:TARGETS}", "NAME fires ENGINE at NAME [or NAME]",
          "bran fires ballista1 at gunter or wulf", lambda m: FireEngine(m["who"], m["engine"], _choice(m["aim"]))),
    _line("move", "to", "{who:NAME} to {to:CHOICE}(?: facing {facing:SIDE})?", "NAME to HEX [or HEX] [facing SIDE]", "odo to 0713",
          lambda m: Move(m["who"], _choice(m["to"]), m["facing"] or "")),
    _line("move", "by", "{who:NAME} by {path:HEXES}(?: facing {facing:SIDE})?", "NAME by HEX HEX HEX [facing SIDE]",
          "hal by 0611 0612 0713", lambda m: MoveBy(m["who"], _hexes(m["path"]), m["facing"] or "")),
    _line("move", "turns", "{who:NAME} turns {facing:SIDE}", "NAME turns SIDE", "hugh turns ne", _act("turn")),
    _line("move", "mounts", "{who:NAME} mounts {what:NAME}", "NAME mounts HORSE", "hugh mounts bayard", _act("mount")),
    _line("move", "dismounts", "{who:NAME} dismounts(?: to {to:HEX})?", "NAME dismounts [to HEX]", "hugh dismounts to 0712",
          _act("dismount")),
    _line("move", "leads", "{who:NAME} leads {animals:NAMES} (?:to {to:HEX}|by {by:HEXES})", "NAME leads ANIMAL to HEX (or: by HEX HEX)",
          "tom leads bayard to 0712", _act("lead")),
    _line("move", "hitches", "{who:NAME} hitches {animals:NAMES} to {what:NAME}", "NAME hitches ANIMAL to WAGON",
          "giles hitches ox1 to wagon1", _act("hitch")),
    _line("move", "unhitches", "{who:NAME} unhitches {animals:NAMES} from {what:NAME}", "NAME unhitches ANIMAL from WAGON",
          "giles unhitches ox1 from wagon1", _act("unhitch")),
    _line("move", "pick picks", "{who:NAMES} picks? up {what:NAME}", "NAME, NAME pick up THING", "tom, wat pick up ladder1",
          _act("pick-up")),
    _line("move", "carry carries", "{who:NAMES} (?:carry|carries) {what:NAME} to {to:HEXES}", "NAME, NAME carry THING to HEX HEX",
          "tom, wat carry ladder1 to 0603 0602", _act("carry")),
    _line("move", "raise raises", "{who:NAMES} raises? {what:NAME} in {to:HEX} facing {facing:SIDE}",
          "NAME, NAME raise LADDER in HEX facing SIDE", "tom, wat raise ladder1 in 0603 facing s", _act("raise")),
    _line("move", "shift shifts", "{who:NAMES} shifts? {what:NAME}(?: to {to:HEX})? facing {facing:SIDE}",
          "NAME, NAME shift LADDER [to HEX] facing SIDE", "tom, wat shift ladder1 to 0603 facing s", _act("shift")),
    _line("move", "climbs", "{who:NAME} climbs {what:NAME}(?P<over> and over)?", "NAME climbs LADDER [and over]", "odo climbs ladder1",
          _act("climb")),
    _line("move", "steps", "{who:NAME} steps over(?: to {to:HEX})?", "NAME steps over [to HEX]", "odo steps over to 0704",
          _act("step-over")),
    _line("move", "goes", "{who:NAME} goes up", "NAME goes up", "odo goes up", _act("up")),
    _line("move", "goes", "{who:NAME} goes down(?: to {to:HEX})?", "NAME goes down [to HEX]", "odo goes down to 0712", _act("down")),
    _line("move", "forward", "{what:NAME} forward {steps:COUNT}", "ENGINE forward NUMBER", "tower1 forward 2", _act("advance-engine")),
    _line("move", "back", "{what:NAME} back {steps:COUNT}", "ENGINE back NUMBER", "ram1 back 1", _act("back-engine")),
    _line("move", "takes", "{who:NAME} takes {what:NAME}", "NAME takes THING", "rafe takes barrel1", _act("take")),
    _line("move", "puts", "{who:NAME} puts down {what:NAME}(?: facing {facing:SIDE})?", "NAME puts down THING [facing SIDE]",
          "rafe puts down mantlet1 facing n", _act("put-down")),
    _line("move", "works", "{who:NAME} works {what:NAME}", "NAME works THING", "piers works bridge", _act("work")),
    _line("move", "enters", "{who:NAME} enters at {by:HEX}(?: to {to:HEX})?(?: leading {animals:NAMES})?",
          "NAME enters at HEX [to HEX] [leading NAME]", "odo enters at 0101 to 0203",
          _act("enter")),
    _line("move", "leaves", "{who:NAME} leaves the map by {by:HEX}(?: leading {animals:NAMES})?",
          "NAME leaves the map by HEX [leading NAME]", "odo leaves the map by 0101",
          _act("leave")),
    _line("move", "stay stays", "{who:NAMES} stays?", "NAME stays", "odo stays", _act("stay")),
    _line("fight", "attack attacks", "{who:NAMES} attacks? {at:NAMES}(?: at least {least:ODDS}:1)?",
          "NAME, NAME attack NAME, NAME [at least NUMBER:1]", "hob, odo attack gunter", _attack),
    _line("fight", "topples", "{who:NAME} topples {what:NAME}(?: to {to:HEX})?", "NAME topples LADDER [to HEX]", "rafe topples ladder1",
          _act("topple")),
    _line("fight", "strikes", "{what:NAME} strikes {to:HEX}", "ENGINE strikes HEX", "ram1 strikes 0404", _act("strike")),
    _line("fight", "lights", "{who:NAME} lights {to:HEX}", "NAME lights HEX", "hal lights 1410", _act("light")),
    _line("fight", "puts", "{who:NAME} puts out {to:HEX}", "NAME puts out HEX", "hal puts out 1410", _act("put-out")),
    _line("fight", "pours", "{who:NAME} pours {what:NAME} on {to:HEX}", "NAME pours THING on HEX", "rafe pours barrel1 on 0703",
          _act("pour")),
    _line("day", "assault bombard rest lift", "(?P<what>assault|bombard|rest|lift the siege)",
          "assault (or: bombard, rest, lift the siege)", "assault", _act("plan")),
    _line("day", "bombard bombards", "{who:NAMES} bombards? {to:HEX}", "ENGINE, ENGINE bombard HEX", "trebuchet1, mangonel2 bombard 0704",
          _act("bombard")),
    _line("day", "repair", "repair {who:NAMES}", "repair ENGINE, ENGINE", "repair mangonel1, trebuchet2", _act("repair")),
    _line("any", "resign", "resign", "resign", "resign", _act("resign")),
    _line("any", "offer", "offer a draw", "offer a draw", "offer a draw", _act("offer-draw")),
    _line("any", "accept", "accept the draw", "accept the draw", "accept the draw", _act("accept-draw")),
)  # fmt: skip
"""The whole grammar, in the order of ``formats.md`` 4.2."""

_BY_VERB: Final[Mapping[tuple[str, str], tuple[GrammarLine, ...]]] = {
    (section, verb): tuple(line for line in LINES if section in line.sections and verb in line.verbs)
    for section in ANY
    for verb in sorted({verb for line in LINES if section in line.sections for verb in line.verbs})
}
_VERBS: Final = frozenset(verb for line in LINES for verb in line.verbs)
RESERVED: Final = _VERBS | {
    *("at", "to", "by", "or", "and", "in", "on", "with", "from", "facing", "nearest", "enemy", "stop", "everyone"),
    *("across", "leading", "least", "over", "up", "down", "out", "is", "against", "when", "then", "otherwise"),
}
"""Words that no figure, thing or area may have as its name."""

_COMMA = re.compile(r" ?, ?")
_WHO = ("who", "aim", "at", "what", "engine", "horse", "animals")


def read(section: str, sentence: str, coming: Sequence[str] = ANY) -> Order | Problem:
    """Return the order a sentence says in a section (a heading such as ``move``), or what is wrong with it.

    ``coming`` are the sections that can be ordered now: into one of these a sentence is sent that stands in the wrong one.
    """
    text = plain(sentence)
    return match(section, text) or _unfit(section, text, coming)


def match(section: str, text: str) -> Order | Problem | None:
    """Return the order that a sentence in small letters says in a section; None where it fits no line of the grammar."""
    for line in _BY_VERB.get((section, _verb(text)), ()):
        found = line.pattern.fullmatch(text)
        if found is not None:
            groups = found.groupdict()
            return _reserved(groups) or line.build(groups)
    return None


def plain(sentence: str) -> str:
    """Return a sentence in small letters, with one space between words and one after each comma, and no full stop."""
    text = " ".join(sentence.lower().split()).removesuffix(".")
    return _COMMA.sub(", ", text) if "," in text else text


def _verb(text: str) -> str:
    """Return the word a sentence is read on: the one behind the names, or the first where a sentence names nobody first."""
    words = text.split(" ")
    if words[0] in _FIRST_WORDS:
        return words[0]
    place = 0
    while place < len(words) - 1 and words[place].endswith(","):
        place += 1
    return words[place + 1] if place + 1 < len(words) else ""


_FIRST_WORDS: Final = frozenset({"fill", "rubble", "assault", "bombard", "rest", "lift", "repair", "resign", "offer", "accept"})


def _reserved(groups: Mapping[str, str | None]) -> Problem | None:
    """Refuse a word of the language where a name is wanted; ``nearest`` may be aimed at."""
    for group in _WHO:
        for name in re.split(", | or ", groups.get(group) or ""):
            if name in RESERVED and not (group == "aim" and name == NEAREST) and groups.get(group) not in PLANS:
                return Problem("orders.reserved", {"word": name})
    return None


def _unfit(section: str, text: str, coming: Sequence[str]) -> Problem:
    """Return why no line fits: the sentence stands in the wrong section, or is nearest to some line of this one."""
    verb = _verb(text)
    fitting = [line for line in LINES if section not in line.sections and verb in line.verbs and line.pattern.fullmatch(text)]
    if others := [other for line in fitting for other in line.sections]:
        other = next((one for one in others if one in coming), others[0])
        help_ = f"put it under {other}:" if other in coming else f"it belongs under {other}:, which cannot be ordered now"
        return Problem("orders.section", {"sentence": text, "section": section, "other": other}, help=help_)
    line = _nearest(section, text)
    mended = _mended(section, text)
    form = f"{line.form}, for example: {line.example}"
    help_ = f"did you mean '{mended}'?" if mended else "; ".join(part for part in (_slip(text), form) if part)
    return Problem("orders.sentence", {"sentence": text}, help=help_)


_SLIPS: Final = (
    (re.compile(r"\b(?:facing|across) (?!(?:n|ne|se|s|sw|nw)\b)([a-z]+)"), "'{}' is no side of a hex: n ne se s sw nw"),
    (re.compile(r"(?<![a-z0-9@-])([0-9]{3}|[0-9]{5,6})(?![a-z0-9@-])"), "'{}' is no hex: two digits for its column and two for its row"),
)
"""What is often mistyped, and how that is told."""


def _slip(text: str) -> str:
    """Return which word of a sentence is no side or no hex, where one should be; empty if all are."""
    return next((said.format(found[1]) for slip, said in _SLIPS if (found := slip.search(text))), "")


def _mended(section: str, text: str) -> str:
    """Return what a sentence becomes where one thing is put right: another word for a verb, a misspelt one, ``and`` between names."""
    known = [verb for where, verb in _BY_VERB if where == section]
    words = text.split(" ")
    tries = [text.replace(" and ", ", ")]
    for place, word in enumerate(words):
        meant = _SYNONYMS.get(word) or did_you_mean(word, known).removeprefix("did you mean '").removesuffix("'?")
        tries += [" ".join([*words[:place], *instead, *words[place + 1 :]]) for instead in ([meant], []) if meant]
    found = (match(section, said) for said in tries)
    return next((say(order) for order in found if order is not None and not isinstance(order, Problem)), "")


def _nearest(section: str, text: str) -> GrammarLine:
    """Return the line that a sentence was probably meant to be."""
    words = [word for word in text.replace(",", "").split(" ") if word]
    known = {verb: line for line in reversed(LINES) if section in line.sections for verb in line.verbs}
    for word in [_verb(text), *words]:
        if word in known and not (word in _SYNONYMS and _SYNONYMS[word] in words):
            return _closest(section, word, text)
    for word in words[1:] + words[:1]:
        meant = _SYNONYMS.get(word, word)
        if meant in known:
            return _closest(section, meant, text)
        if guess := did_you_mean(meant, known):
            return _closest(section, guess.split("'")[1], text)
    first = {"setup": "at", "shoot": "at", "move": "to", "shoot-again": "at", "fight": "attack", "day": "bombard"}
    return known[first.get(section, "to")] if known else LINES[0]


def _closest(section: str, verb: str, text: str) -> GrammarLine:
    """Return, of the lines with one verb, the one whose example shares most words with the sentence."""
    words = set(text.split(" "))
    return max(_BY_VERB[section, verb], key=lambda line: len(words & set(line.form.split(" "))))


_SYNONYMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("move", "moves", "go", "goes", "walk", "walks", "run", "runs", "march", "marches"), "to"),
    **dict.fromkeys(("via", "along", "through"), "by"),
    **dict.fromkeys(("shoot", "shoots", "fire", "target", "targets", "stand", "stands", "place", "placed"), "at"),
    **dict.fromkeys(("fight", "fights", "hit", "hits", "kill", "kills", "charge", "charges"), "attack"),
    **dict.fromkeys(("wait", "waits", "hold", "holds", "halt", "remain", "remains"), "stays"),
    **dict.fromkeys(("surrender", "surrenders", "resigns"), "resign"),
    "draw": "offer",
}
"""Words that people use instead of the words of the language, only to guess what was meant."""


# --- saying an order


def say(order: Order) -> str:
    """Return the sentence of an order in normal form; read in its section it is the same order."""
    match order:
        case Place():
            return f"{order.who} at {' '.join(order.at)}" + _facing(order.facing)
        case Ride():
            return f"{order.who} rides {order.horse}"
        case Prepare():
            return f"{order.do} {' '.join(order.hexes)}"
        case Skill():
            return f"{order.who} has skill {order.value}"
        case Shoot():
            across = f" across {order.across}" if order.across else ""
            return f"{order.who} at {' or '.join(order.at)}{across}{' with fire' if order.fire else ''}"
        case FireEngine():
            return f"{order.who} fires {order.engine} at {' or '.join(order.at)}"
        case Move():
            return f"{order.who} to {' or '.join(order.to)}" + _facing(order.facing)
        case MoveBy():
            return f"{order.who} by {' '.join(order.path)}" + _facing(order.facing)
        case Attack():
            least = f" at least {order.least}:1" if order.least else ""
            return f"{', '.join(order.who)} attack{_s(order.who)} {', '.join(order.at)}{least}"
        case Act():
            return _say_act(order)
        case _:
            raise TypeError(f"{order!r} is not an order of this ruleset")


def named(order: Order) -> tuple[str, ...]:
    """Return the names in an order, of figures and things: not its hexes, nor what a day is planned for."""
    match order:
        case Place() | Move() | MoveBy() | Skill():
            return (order.who,)
        case Ride():
            return (order.who, order.horse)
        case Prepare():
            return ()
        case Shoot():
            return (order.who, *(target for target in order.at if not target[0].isdigit()))
        case FireEngine():
            return (order.who, order.engine, *(target for target in order.at if not target[0].isdigit()))
        case Attack():
            return (*order.who, *order.at)
        case Act():
            return (*order.who, *((order.what,) if order.what and order.do != "plan" else ()), *order.animals)


def _facing(side: str) -> str:
    return f" facing {side}" if side else ""


def _s(who: tuple[str, ...]) -> str:
    return "s" if len(who) == 1 else ""


_SAID: Final[Mapping[str, Callable[[Act], str]]] = {
    "turn": lambda a: f"turns {a.facing}",
    "mount": lambda a: f"mounts {a.what}",
    "dismount": lambda a: f"dismounts{_to(a)}",
    "lead": lambda a: f"leads {', '.join(a.animals)}" + (f" by {' '.join(a.by)}" if a.by else _to(a)),
    "hitch": lambda a: f"hitches {', '.join(a.animals)} to {a.what}",
    "unhitch": lambda a: f"unhitches {', '.join(a.animals)} from {a.what}",
    "pick-up": lambda a: f"pick{_s(a.who)} up {a.what}",
    "carry": lambda a: f"{'carries' if _s(a.who) else 'carry'} {a.what}{_to(a)}",
    "raise": lambda a: f"raise{_s(a.who)} {a.what} in {' '.join(a.to)}{_facing(a.facing)}",
    "shift": lambda a: f"shift{_s(a.who)} {a.what}{_to(a)}{_facing(a.facing)}",
    "climb": lambda a: f"climbs {a.what}{' and over' if a.over else ''}",
    "step-over": lambda a: f"steps over{_to(a)}",
    "up": lambda a: "goes up",
    "down": lambda a: f"goes down{_to(a)}",
    "advance-engine": lambda a: f"{a.what} forward {a.steps}",
    "back-engine": lambda a: f"{a.what} back {a.steps}",
    "take": lambda a: f"takes {a.what}",
    "put-down": lambda a: f"puts down {a.what}{_facing(a.facing)}",
    "work": lambda a: f"works {a.what}",
    "enter": lambda a: f"enters at {' '.join(a.by)}{_to(a)}{_leading(a)}",
    "leave": lambda a: f"leaves the map by {' '.join(a.by)}{_leading(a)}",
    "stay": lambda a: f"stay{_s(a.who)}",
    "topple": lambda a: f"topples {a.what}{_to(a)}",
    "strike": lambda a: f"{a.what} strikes {' '.join(a.to)}",
    "light": lambda a: f"lights {' '.join(a.to)}",
    "put-out": lambda a: f"puts out {' '.join(a.to)}",
    "pour": lambda a: f"pours {a.what} on {' '.join(a.to)}",
    "plan": lambda a: a.what,
    "bombard": lambda a: f"bombard{_s(a.who)} {' '.join(a.to)}",
    "repair": lambda a: f"repair {', '.join(a.who)}",
    "resign": lambda a: "resign",
    "offer-draw": lambda a: "offer a draw",
    "accept-draw": lambda a: "accept the draw",
}


def _to(act: Act) -> str:
    return f" to {' '.join(act.to)}" if act.to else ""


def _leading(act: Act) -> str:
    return f" leading {', '.join(act.animals)}" if act.animals else ""


def _say_act(act: Act) -> str:
    said = _SAID[act.do](act)
    return said if act.do == "repair" or not act.who else f"{', '.join(act.who)} {said}"
