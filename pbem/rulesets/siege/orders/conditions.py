"""Conditions in an order file: what may be asked, and whether it is so when the line is reached.

A condition is always true or false and never an error, because its names were checked when the file arrived.
What "can" means is not decided here: the checks of the ruleset say so, as if it were that side's phase for
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.siege.ground.character import dangerous
from pbem.rulesets.siege.orders.grammar import plain
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.orders import Attack, Condition, Move, Order, Shoot
from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STUNNED, WOUNDED, Battle, Unit
from pbem.rulesets.siege.turn import victory

Rules = Ruleset[Battle]
Part = tuple[str, str, str]

STATES = (HEALTHY, STUNNED, WOUNDED, DEAD, "gone", "mounted", "panicked", "able")
ENEMY = "enemy"
EXAMPLES = (
    "odo is healthy",
    "odo is stunned or wounded",
    "odo is not dead",
    "odo is at 0712",
    "odo is next to gunter",
    "odo is next to an enemy",
    "0712 is free",
    "0712 is burning",
    "ford is held by east",
    "odo can attack gunter",
    "alric can shoot gunter",
    "odo can reach 0712",
    "hob, odo against gunter at least 2:1",
    "turn is at least 5",
)
"""One sentence of each kind, for messages and documents."""

FORMS = (
    "{one} is healthy",
    "{one} is stunned or wounded",
    "{one} is dead",
    "{one} is not dead",
    "{one} is next to an enemy",
    "{one} is not next to an enemy",
    "{one} is at {hex}",
    "{one} is not at {hex}",
    "{hex} is free",
    "{hex} is not free",
    "{one} can attack {other}",
    "{one} can shoot {other}",
    "{one} can reach {hex}",
    "{who} against {foe} at least {number}:1",
    "turn is at least {number}",
)
"""The common ones, to be put together by whoever does not type them."""

_NAME = r"[a-z][a-z0-9-]{0,23}"
_NAMES = rf"{_NAME}(?:, ?{_NAME})*"
_PLACE = r"[0-9]{4}(?:@[a-z0-9]{1,8})?"
_STATE = "|".join(STATES)
_PATTERNS = tuple(
    (test, regex(pattern))
    for test, pattern in (
        ("turn", r"(?P<s>turn) is at least (?P<o>[1-9][0-9]{0,2})"),
        ("held", rf"(?P<s>{_NAME}) is (?P<n>not )?held by (?P<o>[a-z][a-z0-9]{{0,15}})"),
        ("free", rf"(?P<s>{_PLACE}) is (?P<n>not )?free(?P<o>)"),
        ("burning", rf"(?P<s>{_PLACE}) is (?P<n>not )?burning(?P<o>)"),
        ("at", rf"(?P<s>{_NAME}) is (?P<n>not )?at (?P<o>{_PLACE})"),
        ("beside", rf"(?P<s>{_NAME}) is (?P<n>not )?next to (?:an (?=enemy\b))?(?P<o>{_NAME})"),
        ("is", rf"(?P<s>{_NAME}) is (?P<n>not )?(?P<o>(?:{_STATE})(?: or (?:{_STATE}))*)"),
        ("can-attack", rf"(?P<s>{_NAME}) can (?P<n>not |)attack (?P<o>{_NAME})"),
        ("can-shoot", rf"(?P<s>{_NAME}) can (?P<n>not |)shoot (?P<o>{_NAME})"),
        ("can-reach", rf"(?P<s>{_NAME}) can (?P<n>not |)reach (?P<o>{_PLACE})"),
        ("odds", rf"(?P<s>{_NAMES}) against (?P<o>{_NAMES} at least [1-9][0-9]?):1"),
    )
)
_NOT = "not "


def parse(text: str) -> Condition | None:
    """Return the condition a sentence says, or None where it says none."""
    parts: list[Part] = []
    for said in plain(text).replace("cannot", "can not").split(" and "):
        for test, pattern in _PATTERNS:
            if found := pattern.fullmatch(said):
                negated = (found.groupdict().get("n") or "").strip()
                parts.append((found["s"], f"{negated} {test}".strip(), found["o"]))
                break
        else:
            return None
    return Condition(" and ".join(say_part(part) for part in parts), tuple(parts))


def sentence(entry: Mapping[str, Any]) -> str:
    """Return the sentence of a condition written as keys: ``{unit: odo, is: healthy}``, ``{turn: 5}``; it may
    say nothing.
    """
    value = {
        key: ", ".join(map(str, part)) if isinstance(part, list | tuple) else str(part)
        for key, part in entry.items()
    }
    if "turn" in value:
        return f"turn is at least {value['turn']}"
    if "against" in value:
        return f"{value.get('who', '')} against {value['against']} at least {value.get('at-least', '')}"
    subject = value.get("unit") or value.get("place") or value.get("mark") or ""
    for key, said in _KEYS.items():
        if key in value:
            return f"{subject} {said} {value[key]}"
    return subject


_KEYS = {
    "is": "is",
    "is-not": "is not",
    "at": "is at",
    "next-to": "is next to",
    "held-by": "is held by",
    "can-attack": "can attack",
    "can-shoot": "can shoot",
    "can-reach": "can reach",
}


def nearest(text: str) -> str:
    """Return the example that has most in common with a sentence that says no condition."""
    words = set(text.lower().split())
    return max(EXAMPLES, key=lambda example: len(words & set(example.split())))


def say_part(part: Part) -> str:
    """Return one part of a condition as a sentence, which reads back as the same part."""
    subject, test, object_ = part
    negated, kind = (_NOT, test.removeprefix(_NOT)) if test.startswith(_NOT) else ("", test)
    match kind:
        case "turn":
            return f"turn is at least {object_}"
        case "held":
            return f"{subject} is {negated}held by {object_}"
        case "free" | "burning":
            return f"{subject} is {negated}{kind}"
        case "at":
            return f"{subject} is {negated}at {object_}"
        case "beside":
            return f"{subject} is {negated}next to {'an enemy' if object_ == ENEMY else object_}"
        case "is":
            return f"{subject} is {negated}{object_}"
        case "odds":
            return (
                f"{', '.join(_names(subject))} against {', '.join(_names(_targets(object_)))} at least "
                f"{_least(object_)}:1"
            )
        case _:
            return f"{subject} can {negated}{kind.removeprefix('can-')} {object_}"


def named(part: Part) -> Iterator[tuple[str, str]]:
    """Yield what a part names: (``unit place mark side``, the name)."""
    subject, test, object_ = part
    match test.removeprefix(_NOT):
        case "held":
            yield "mark", subject
            yield "side", object_
        case "free" | "burning":
            yield "place", subject
        case "at" | "can-reach":
            yield "unit", subject
            yield "place", object_
        case "beside" | "can-attack" | "can-shoot":
            yield "unit", subject
            if object_ != ENEMY:
                yield "unit", object_
        case "is":
            yield "unit", subject
        case "odds":
            for name in (*_names(subject), *_names(_targets(object_))):
                yield "unit", name


def holds(rules: Rules, battle: Battle, condition: Condition) -> tuple[bool, str]:
    """Tell whether a condition holds, and why: the first fact against it, else all that it rests on."""
    facts: list[str] = []
    for part in condition.parts:
        value, why = _fact(rules, battle, part)
        if not value:
            return False, why
        facts.append(why)
    return True, " and ".join(facts)


def _fact(rules: Rules, battle: Battle, part: Part) -> tuple[bool, str]:
    subject, test, object_ = part
    kind = test.removeprefix(_NOT)
    value, why = _TESTS[kind](rules, battle, subject, object_)
    return value != test.startswith(_NOT), why


UNSEEN: Final = "in hiding"


def states_of(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Return every word of ``STATES`` that is true of a figure, the most telling first; of an enemy in hiding
    none is.
    """
    if unit.state == DEAD:
        return (DEAD,)
    if battle.unseen(unit):
        return (UNSEEN,)
    words = [] if unit.living else ["gone"]
    if unit.living:
        words.append(unit.state)
        words += ["mounted"] if unit.on else []
        words += ["panicked"] if unit.mood else []
        words += ["able"] if unit.able else []
    return tuple(words)


def _is(rules: Rules, battle: Battle, subject: str, wanted: str) -> tuple[bool, str]:
    words = states_of(battle, battle.units[subject])
    met = [word for word in wanted.split(" or ") if word in words]
    return bool(met), f"{subject} is {met[0] if met else words[0]}"


def _at(rules: Rules, battle: Battle, subject: str, place: str) -> tuple[bool, str]:
    where = _where(battle, subject)
    return (
        place in where,
        f"{subject} is at {where[0]}"
        if where
        else f"{subject} is {states_of(battle, battle.units[subject])[0]}",
    )


def _where(battle: Battle, id_: str) -> tuple[str, ...]:
    unit = battle.units[id_]
    return unit.at if unit.living else ()


def _beside(rules: Rules, battle: Battle, subject: str, other: str) -> tuple[bool, str]:
    who = battle.units[subject]
    others = (
        [id_ for id_ in sorted(battle.units) if dangerous(battle, who, battle.units[id_])]
        if other == ENEMY
        else [other]
    )
    near = [id_ for id_ in others if _adjacent(_where(battle, subject), _where(battle, id_))]
    if near:
        return True, f"{subject} is next to {near[0]}"
    return False, f"{subject} is not next to {'an enemy' if other == ENEMY else other}"


def _adjacent(ones: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return any(distance(hex_of(one), hex_of(other)) == 1 for one in ones for other in others)


def _free(rules: Rules, battle: Battle, place: str, _: str) -> tuple[bool, str]:
    holder = battle.standing_at.get(place)
    return holder is None, f"{holder} is at {place}" if holder else f"{place} is free"


def _burning(rules: Rules, battle: Battle, place: str, _: str) -> tuple[bool, str]:
    burns = (hex_of(place), "fire") in battle.features
    return burns, f"{place} is {'' if burns else 'not '}burning"


def _held(rules: Rules, battle: Battle, mark: str, side: str) -> tuple[bool, str]:
    held = victory.holds(battle, side, mark)
    return held, f"{mark} is {'' if held else 'not '}held by {side}"


def _turn(rules: Rules, battle: Battle, _: str, number: str) -> tuple[bool, str]:
    return battle.at.turn >= int(number), f"turn is {battle.at.turn}"


def _can_attack(rules: Rules, battle: Battle, subject: str, target: str) -> tuple[bool, str]:
    can = possible(
        rules, battle, "attack", family.phases(rules).fights, subject, Attack((subject,), (target,))
    )
    return can, f"{subject} can {'' if can else 'not '}attack {target}"


def _can_shoot(rules: Rules, battle: Battle, subject: str, target: str) -> tuple[bool, str]:
    shoots = tuple(family.phases(rules).shoots)
    phase = battle.at.phase if battle.at.phase in shoots else shoots[-1]
    can = possible(rules, battle, "shoot", phase, subject, Shoot(subject, (target,)))
    return can, f"{subject} can {'' if can else 'not '}shoot {target}"


def _can_reach(rules: Rules, battle: Battle, subject: str, place: str) -> tuple[bool, str]:
    can = possible(rules, battle, "move", family.phases(rules).moves, subject, Move(subject, (place,)))
    return can, f"{subject} can {'' if can else 'not '}reach {place}"


def _odds(rules: Rules, battle: Battle, subject: str, object_: str) -> tuple[bool, str]:
    who, at, least = _names(subject), _names(_targets(object_)), int(_least(object_))
    good = possible(rules, battle, "attack", family.phases(rules).fights, who[0], Attack(who, at, least))
    said = f"{', '.join(who)} against {', '.join(at)}"
    return good, f"{said} at least {least}:1" if good else f"{said} not at least {least}:1"


def possible(rules: Rules, battle: Battle, kind: str, phase: str, unit: str, order: Order) -> bool:
    """Tell whether nothing speaks against an order, as if it were the figure's side's phase for it."""
    who = battle.units[unit]
    then = battle.changed(at=replace(battle.at, phase=phase, side=who.side))
    return stands(rules, then, kind, who.owner, order)


def problems(rules: Rules, battle: Battle, kind: str, seat: str, order: Order) -> Iterator[Problem]:
    """Yield what every check of a kind says against an order."""
    for check in rules.checks.get(kind, ()):
        yield from check(rules, battle, seat, order)


def first_wrong(rules: Rules, battle: Battle, kind: str, seat: str, order: Order) -> Problem | None:
    """Return the first thing that a check of a kind says against an order; None if none does."""
    for check in rules.checks.get(kind, ()):
        for problem in check(rules, battle, seat, order):
            return problem
    return None


def stands(rules: Rules, battle: Battle, kind: str, seat: str, order: Order) -> bool:
    """Tell whether no check of a kind says anything against an order."""
    return first_wrong(rules, battle, kind, seat, order) is None


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _targets(object_: str) -> str:
    return object_.partition(" at least ")[0]


def _least(object_: str) -> str:
    return object_.partition(" at least ")[2]


_TESTS: Mapping[str, Callable[[Rules, Battle, str, str], tuple[bool, str]]] = {
    "turn": _turn,
    "held": _held,
    "free": _free,
    "burning": _burning,
    "at": _at,
    "beside": _beside,
    "is": _is,
    "can-attack": _can_attack,
    "can-shoot": _can_shoot,
    "can-reach": _can_reach,
    "odds": _odds,
}
