"""Orders as people say them, and as reports write them: ``Tudur Crach moves to 0808``, ``A and B attack C``,
``x -> 7,12``.

It decides which order a sentence certainly is that does not stand in the grammar as it is, and says what was
guessed. A sentence of the grammar is never looked at here: it says what it says. Each way of saying something
is one line of a table, which puts other words into the place of some; the outcome must be a sentence of the
grammar that names somebody, and the only such one, or nothing is understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state.lexicon import Lexicon, Spelt, tokens
from pbem.rulesets.siege.state.orders import Order
from pbem.rulesets.siege.state.state import Battle
from pbem.text.similar import did_you_mean

__all__ = ["Heard", "Speech", "saying"]

_N = r"[a-z][a-z0-9-]{0,23}"
_NS = rf"{_N}(?:, {_N})*"
_H = r"[0-9]{4}(?:@[a-z0-9]{1,8})?"
_FROM: Final = regex(rf"(?:move |send |bring )?({_N}) (?:[a-z]+ )?(?:\(({_H})\) |from ({_H}) to )")
_TURNING: Final = frozenset(
    ("if", "unless", "when", "not", "but", "or", "attack", "attacks", "shoot", "shoots", "fight", "fights")
)
"""Words behind an order that say more than the order."""
_MOST: Final = 6
"""Orders in one line, at most."""


class Saying(Struct, frozen=True):
    """One way of saying something: in which sections, its pattern, and what stands for it in the grammar."""

    sections: tuple[str, ...]
    pattern: re.Pattern[str]
    instead: str


def saying(sections: str, pattern: str, instead: str) -> Saying:
    """Return a way of saying something; in its pattern N is a name, NS names, H a hex."""
    pieces = {"<N>": _N, "<NS>": _NS, "<H>": _H}
    for piece, meant in pieces.items():
        pattern = pattern.replace(piece, meant)
    return Saying(grammar.ANY if sections == "any" else tuple(sections.split()), regex(pattern), instead)


def _any_of(*words: str) -> str:
    """Return a pattern of one of some words, which are parted by strokes; the longer before those that they
    begin with.
    """
    return "|".join(sorted(" / ".join(words).split(" / "), key=lambda word: (-len(word), word)))


_GOING = _any_of(
    "moves? / moved / moving / go / goes / went / walks? / runs? / ran / march / marches / marching / "
    "rides? / trots? / advances?",
    "retreats? / returns? / rush / rushes / steps? / heads? / proceeds? / falls? back / charges?",
)
_HITTING = _any_of(
    "fights? / fights? with / fights? against / hits? / charges? / charges? at / assaults? / engages? / "
    "kills? / strikes? / stabs?",
    "battles? / attacks? on / attacks? against / attacking / attaks? / atacks? / attcks? / versus / vs / "
    "vs\\. / against",
)
_SHOOTING = _any_of(
    "shoots? / shoots? at / shoots? on / shoots? an arrow at / shot at / shooting / shooting at / fires? at "
    "/ fires? on / fires? upon",
    "firing at / aims? at / aims? for / targets? / looses? at",
)
_STANDING = _any_of(
    *(
        f"{verb} at / {verb} in / {verb} on"
        for verb in ("stands?", "is", "is placed", "placed", "starts?", "begins?", "deploys?")
    ),
    "goes to / goes in / goes into / to / in / on / into",
)
_STAYING = "stays? / remains? / waits? / holds? / stands? / halts? / does nothing / do nothing".replace(
    " / ", "|"
)
_SIDES: Final = {
    "north-?east": "ne",
    "south-?east": "se",
    "south-?west": "sw",
    "north-?west": "nw",
    "north": "n",
    "south": "s",
}
_LOOKING = "facing|faces?|looking|looks?|turned"
_TURNED = saying("any", rf"\b(?:{_LOOKING}) (?:to(?:wards?)? )?(?:the )?(n|ne|se|s|sw|nw)$", r"facing \1")

SAYINGS: Final[Sequence[Saying]] = (
    saying("any", r"\b(to|at|in|by|into|or) [(\[](<H>)[)\]]", r"\1 \2"),
    # what reports put behind a move, a shot and an attack
    saying("move", r" \((?:<H> ?)+\)(?:, [0-9]+ of [0-9]+ points?)?(?:; he stops: .*)?$", ""),
    saying("move", r", [0-9]+ of [0-9]+ points?$", ""),
    saying(
        "shoot shoot-again",
        r" \([a-z ]+(?:, [0-9]+ hex(?:es)?)?(?:, [a-z]+ range)?(?:, [a-z ]+ "
        r"cover)?(?:, over [^()]*)?\)(?:: .*)?$",
        "",
    ),
    saying("fight", r" \([0-9]+ against [0-9]+(?:, odds [0-9]+:[0-9]+)?\)(?:: .*)?$", ""),
    # signs, and words that say nothing
    saying("any", r" ?[-=]{0,3}> ?", " to "),
    saying("any", r"^(<NS>) ?: ", r"\1 "),
    saying("any", r"\b(?:please|just|now|then) ", ""),
    saying("any", r"\b(?:the |an? )?hex(?:es)? ?#?(?=[0-9])", ""),
    saying("any", r"\bthe (?=<N>\b)", ""),
    saying("any", r"[;,.!]+$", ""),
    saying("any", r",? (?:and|&|\+) (?=<N>\b)(?!over\b)", ", "),
    _TURNED,
    *(saying("any", rf"\b{written}(?:wards?)?\b", side) for written, side in _SIDES.items()),
    _TURNED,
    # setting up
    saying("setup", rf"^(<N>) (?:{_STANDING}) (?=<H>)", r"\1 at "),
    saying("setup", r"^(?:put|place|set|deploy) (<N>) (?:at|in|on|to) (?=<H>)", r"\1 at "),
    saying("setup", r"^(<N>) (?=<H>$)", r"\1 at "),
    # shooting
    saying("shoot shoot-again", rf"^(<N>) (?:{_SHOOTING}|to) (?=<N>|<H>)", r"\1 at "),
    saying("shoot shoot-again", r"(?<= )(?:nearest|closest|next)(?: (?:enemy|foe|one|target))$", "nearest"),
    saying("shoot shoot-again", r",? (?:or else|else|otherwise|if not,?) ", " or "),
    saying("shoot", r"^(<N>) (?:shoots|works|uses) (<N>) at ", r"\1 fires \2 at "),
    # moving
    saying(
        "move",
        rf"^(<NS>) (?:{_STAYING})(?: put| still| there| here| back| position| where (?:he is|they are))?$",
        r"\1 stay",
    ),
    saying(
        "move",
        rf"^(<N>) (?:(?:will|shall|should|must) )?(?:{_GOING})(?: back| forwards?| on"
        r"| over| up| down)?(?: from <H>)? "
        r"(?:to|in|into|onto) (?=<H>)",
        r"\1 to ",
    ),
    saying("move", rf"^(<N>) (?:{_GOING}) (?=<H>(?: facing [a-z]+)?$)", r"\1 to "),
    saying("move", r"^(?:move|send|bring|march) (<N>)(?: from <H>)? (?:to|into) (?=<H>)", r"\1 to "),
    saying("move", rf"^(<N>) (?:(?:{_GOING}) )?(?:by|via|along|through|by way of) (?=<H> <H>)", r"\1 by "),
    saying("move", r"^(<N>) (?:\(<H>\) |from <H> )(?:to )?(?=to <H>|<H>)", r"\1 to "),
    saying("any", r" to to ", " to "),
    saying("move", r"^(<N>) (?:into?|onto) (?=<H>$)", r"\1 to "),
    saying("move", r"^(<N>) (?=<H>(?: facing [a-z]+)?$)", r"\1 to "),
    saying("move", r"(?<=[0-9]),? (?:or else|else|otherwise|if not,?) (?=<H>)", " or "),
    saying("move", r"^(<N>) (?:turns? )?(?:to )?facing (?=n|s)", r"\1 turns "),
    saying("move", r"^(<N>) turns? (?:to|towards?) (?=n|s)", r"\1 turns "),
    saying("move", r"^(<N>) climbs (?:up |onto )(?=<N>)", r"\1 climbs "),
    saying("move", r"^(<N>) (?:drops?|lays? down|sets? down|puts? away) (?=<N>)", r"\1 puts down "),
    saying("move", r"^(<NS>) (?:lifts?(?: up)?|takes? up|grabs?) (?=<N>)", r"\1 pick up "),
    saying("move", r"^(<NS>) picks? (<N>) up$", r"\1 pick up \2"),
    saying("move", r"^(<N>) dismounts (?:at|in|into|onto) ", r"\1 dismounts to "),
    saying(
        "move", r"^(<N>) (?:leaves|exits)(?: (?:the )?map)? (?:at|by|over|through) ", r"\1 leaves the map by "
    ),
    saying("move", r"^(<N>) enters(?: (?:the )?map)?(?: at| by| in)? (?=<H>)", r"\1 enters at "),
    # fighting
    saying(
        "fight",
        rf"^(<NS>) (?:(?:will|shall|should|must) )?(?:{_HITTING}|attacks?|to|x) (?=<N>)",
        r"\1 attack ",
    ),
    saying(
        "fight",
        r",? (?:(?:but|only|and|with|if|odds|of|are|at|for|min\.?|minimum) ){1,4}(?:least "
        r")?(?=[1-9][0-9]?(?::| to )1\b)",
        " at least ",
    ),
    saying(
        "fight", r" ?\(?([1-9][0-9]?)(?::| to )1(?: or better| or more| at least|\+)\)?$", r" at least \1:1"
    ),
    saying("fight", r"(?<=at least )([1-9][0-9]?) to 1$", r"\1:1"),
    # the day of a siege
    saying("day", rf"^(<NS>) (?:{_SHOOTING}|{_HITTING}|attacks?|to|at|on) (?=<H>$)", r"\1 bombard "),
    saying(
        "day",
        r"^(?:plan:? |we |today:? |the plan is (?:to )?|a day of )?(assault|bombard|rest)(?:ing|ment|s)?(?: "
        r"day| the castle| today)?$",
        r"\1",
    ),
    saying("day", r"^(<NS>) (?:are|is) repaired$", r"repair \1"),
)
"""Every way of saying an order otherwise, in the order in which they are tried on a sentence."""

FRIENDS: Final[Sequence[Saying]] = (
    saying("move", r"^(<N>) at (<H>)$", r"\1 to \2"),
    saying("fight", r"^(<NS>) at (<N>)$", r"\1 attack \2"),
    saying("shoot shoot-again", r"^(<N>) at (<N>), (<N>)$", r"\1 at \2 or \3"),
)
"""What looks like one order and was probably meant as another: it is asked about, never taken."""

HINTS: Final[Sequence[Saying]] = (
    saying(
        "any",
        r"^.*\b(?:if|unless|when|as long as|provided)\b.*$",
        "an order with a condition has three lines: - when: godric is dead, then:, and the order",
    ),
    saying(
        "move",
        r"^(<NS>) .*\b(?:attacks?|fights?|shoots?|fires?)\b.*$",
        r"a move, a shot and an attack are orders of their own, each in its section: \1 to HEX under move:, "
        r"\1 attack NAME under fight:",
    ),
    saying("move", r"^(<N>), <N>.* to (?=<H>).*$", r"each figure has a line of its own, such as: \1 to HEX"),
    saying(
        "setup",
        r"^(<N>), <N>.* (?:at|in) (?=<H>).*$",
        r"each figure has a line of its own, such as: \1 at HEX",
    ),
    saying(
        "shoot shoot-again",
        r"^(<N>), <N>.* (?:at|shoot) .*$",
        r"each shooter has a line of his own, such as: \1 at NAME",
    ),
    saying(
        "fight",
        r"^(<NS>) attacks? (<N>) or <N>.*$",
        r"an attack names its target without 'or': \1 attack \2; what else he may do stands in a condition",
    ),
    saying(
        "move",
        rf"^(<N>) (?:{_GOING})(?: (?:to|towards?|the|left|right|back|forwards?|north|south|east|west|ne|se"
        r"|sw|nw|n|s|e|w)\b)*.*$",
        r"name the hex where he goes, such as: \1 to HEX",
    ),
)
"""What people try that the language says otherwise, and how."""


class Heard(Struct, frozen=True):
    """What a sentence says: its orders, mostly one; or why it says none.

    ``guessed``: what was typed and what it was taken for.
    """

    orders: tuple[Order, ...] = ()
    problem: Problem | None = None
    guessed: tuple[tuple[str, str], ...] = ()


class Speech:
    """The sentences of one file, in one battle."""

    def __init__(self, rules: Ruleset[Battle], lexicon: Lexicon, coming: Sequence[str] = grammar.ANY) -> None:
        self.rules = rules
        self.lexicon = lexicon
        self.coming = coming
        """The sections that can be ordered now."""

    def hear(self, section: str, sentence: str) -> Heard | None:
        """Return the one thing that a sentence can mean that is not a sentence of the grammar; None where it
        means nothing.
        """
        flat = " ".join(sentence.lower().split())
        spelt = self.lexicon.spelt(flat)
        if (elsewhere := self._elsewhere(spelt.text)) is not None:
            return Heard(problem=elsewhere)
        found = [order for text in self._unclear(spelt) if (order := self._single(section, text)) is not None]
        distinct = list(dict.fromkeys(found))
        if len(distinct) == 1 and len(spelt.unclear) == 0:
            return Heard((distinct[0],), guessed=spelt.guessed)
        if distinct:
            said, meant = spelt.unclear[0]
            return Heard(
                problem=Problem(
                    "orders.which",
                    {"said": said, "meant": " or ".join(meant)},
                    help="did you mean '"
                    + "' or '".join(grammar.say(self.rules, order) for order in distinct[:3])
                    + "'?",
                )
            )
        if spelt.unclear:
            return None
        parts = self._split(section, spelt.text)
        return Heard(tuple(parts), guessed=spelt.guessed) if parts else None

    def _elsewhere(self, text: str) -> Problem | None:
        """Return why a sentence cannot be meant that says of somebody that he is where he is not."""
        found = _FROM.match(text)
        unit = self.lexicon.battle.units.get(found[1]) if found else None
        if found is None or unit is None or not unit.at or (found[2] or found[3]) in unit.hexes:
            return None
        return Problem(
            "orders.from", {"unit": unit.id, "place": found[2] or found[3], "at": " ".join(unit.hexes)}
        )

    def unfit(self, section: str, sentence: str) -> Problem:
        """Return why nobody can tell what a sentence means, with what was probably meant."""
        spelt = self._called(self.lexicon.spelt(" ".join(sentence.lower().split())).text)
        problem = grammar.read(self.rules, section, spelt, self.coming)
        if not isinstance(problem, Problem):  # it names somebody who is not there
            problem = Problem("orders.sentence")
        if problem.code == "orders.reserved":
            return problem
        return replace(
            problem, args={**problem.args, "sentence": sentence}, help=self._advice(section, spelt, problem)
        )

    def _called(self, text: str) -> str:
        """Return a text in which one of the own side who is named first, and misspelt, has his name."""
        name = text.partition(" ")[0].removesuffix(",")
        if name in self.lexicon.ids or name in self.lexicon.reserved:
            return text
        near = did_you_mean(name, self.lexicon.own)
        return near.split("'")[1] + text.removeprefix(name) if near else text

    def _advice(self, section: str, spelt: str, problem: Problem) -> str:
        """Return what would be right in the place of a sentence that fits nothing."""
        if (order := self._single(section, spelt)) is not None:  # but for a name
            return f"did you mean '{grammar.say(self.rules, order)}'?"
        for text in (spelt, *self._otherwise(section, spelt)):
            for friend in FRIENDS:
                if section in friend.sections and friend.pattern.search(text):
                    meant = grammar.match(
                        self.rules, section, grammar.plain(friend.pattern.sub(friend.instead, text))
                    )
                    if meant is not None and not isinstance(meant, Problem):
                        return f"did you mean '{grammar.say(self.rules, meant)}'?" + (
                            f" Else {problem.help}" if problem.help else ""
                        )
        if problem.code != "orders.sentence" or problem.help.startswith("did you mean"):
            return problem.help
        if likely := self._beginning(section, spelt):
            return f"did you mean '{likely}'?"
        if section in ("setup", "move") and (area := self._area(spelt)):
            return f"name one hex of {area}, such as {self.lexicon.battle.field.marks[area][0]}"
        for hint in HINTS:
            if section in hint.sections and (found := hint.pattern.search(spelt)):
                return found.expand(hint.instead)
        return problem.help

    def _area(self, text: str) -> str:
        """Return the area that a text names last; nothing where it names none, or a hex as well."""
        words = tokens(text)
        if any(word[:1].isdigit() for word in words):
            return ""
        return next((word for word in reversed(words) if self.lexicon.battle.field.marks.get(word)), "")

    def _beginning(self, section: str, text: str) -> str:
        """Return the order that the first words of a sentence say, where the others are too many; nothing
        where they say none.
        """
        words = text.split(" ")
        for end in range(len(words) - 1, max(2, len(words) - 12), -1):
            if any(word in _TURNING for word in words[end:]):
                return ""
            order = self._single(section, " ".join(words[:end]).rstrip(",;:"))
            if order is not None:
                return grammar.say(self.rules, order)
        return ""

    def _unclear(self, spelt: Spelt) -> Iterator[str]:
        """Yield a text with everything that is not clear in it put in one of its meanings, a few at most."""
        if not spelt.unclear:
            yield spelt.text
            return
        ways = [[(said, one) for one in meant[:4]] for said, meant in spelt.unclear[:2]]
        for chosen in product(*ways):
            text = spelt.text
            for said, one in chosen:
                text = text.replace(said, one, 1)
            yield text

    def _single(self, section: str, text: str) -> Order | None:
        """Return the order that a text says once other words stand for some of its own."""
        for said in (text, *self._otherwise(section, text)):
            order = grammar.match(self.rules, section, grammar.plain(said))
            if order is not None and not isinstance(order, Problem) and self._named(order):
                return order
        return None

    def _otherwise(self, section: str, text: str) -> Iterator[str]:
        """Yield the text each time that a saying has changed it."""
        for one in SAYINGS:
            if section in one.sections and (now := one.pattern.sub(one.instead, text)) != text:
                text = " ".join(now.split())
                yield text

    def _named(self, order: Order) -> bool:
        """Tell whether an order names nobody who is not there."""
        return all(
            name in self.lexicon.ids or name == grammar.NEAREST for name in grammar.named(self.rules, order)
        )

    def _split(self, section: str, text: str) -> list[Order]:
        """Return the orders of a line that holds several, each with its own figures; nothing unless there is
        one way to part it.
        """
        pieces = re.split(r"( ?; ?|, (?:and |then )?|\. | and (?:then )?)", text)
        texts, joints = pieces[::2], pieces[1::2]
        if not 2 <= len(texts) <= 2 * _MOST:
            return []
        ways = list(self._partings(section, texts, joints, 0))
        return ways[0] if len(ways) == 1 and 1 < len(ways[0]) <= _MOST else []

    def _partings(
        self, section: str, texts: Sequence[str], joints: Sequence[str], start: int
    ) -> Iterator[list[Order]]:
        """Yield every way to part a line into orders from a piece on."""
        if start == len(texts):
            yield []
            return
        if not texts[start].strip() and start:
            yield from self._partings(section, texts, joints, start + 1)
            return
        text = texts[start]
        for end in range(start + 1, len(texts) + 1):
            order = self._single(section, text.strip())
            if order is not None:
                yield from ([order, *rest] for rest in self._partings(section, texts, joints, end))
            if end < len(texts):
                if ";" in joints[end - 1]:
                    return
                text += joints[end - 1] + texts[end]
