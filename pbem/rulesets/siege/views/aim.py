"""What is played for, said from the scheme by which ``victory`` counts: length, who wins with which lead,
what gives points, and where.

Who wins with which lead is asked of ``victory.winner`` itself, so that what is told here cannot be another
rule than the one that holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.briefing import Aim, Region, Said
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.field import Field, Term
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.turn import siege_days, victory

Rules = Ruleset[Battle]
FEW: Final = 8
"""So many hexes of a region are named one by one; of a larger one only how many there are."""


def aim(rules: Rules, battle: Battle) -> Aim:
    """Return what is played for in this game."""
    field = battle.field
    return Aim(
        length=tuple(_length(rules, field)),
        wins=tuple(_wins(rules, battle)) if field.at_end else (),
        points=tuple((term.side, _said(field, term)) for term in field.at_end),
        at_once=tuple(
            (term.side, _said(field, term, "once"))
            for term in field.at_once
            if term.kind not in victory.ONLY_ENDS
        ),
        regions=regions(field),
        letters=_letters(field),
    )


def regions(field: Field) -> tuple[Region, ...]:
    """Return the marks that the scheme of victory names, each with the sides that have points of it."""
    found: dict[str, dict[str, None]] = {}
    for term in (*field.at_once, *field.at_end):
        if term.mark:
            sides = [side.id for side in field.sides] if term.side == "any" else [term.side]
            found.setdefault(term.mark, {}).update(dict.fromkeys(sides))
    return tuple(Region(mark, field.marks[mark], tuple(sides)) for mark, sides in found.items())


# --- length


def _letters(field: Field) -> int:
    """Return about how many letters a side sends: one for each of its turns, and one to place its men."""
    if siege_days.under_siege(field):
        assaults = field.siege.assaults if field.siege else 0
        return (field.days + assaults * (field.length + 1)) if assaults else 0
    return max(1, field.days) * field.length + bool(field.setup) if field.length else 0


def _length(rules: Rules, field: Field) -> Iterator[Said]:
    first, *others = (side.name for side in field.sides)
    if siege_days.under_siege(field) and field.siege is not None:
        besieger = field.side(field.siege.besieger).name
        both = "-both" if family.of(rules).days.all_plan else ""
        yield Said(f"aim.siege{both}", {"days": field.days, "side": besieger})
        if field.siege.fight:
            yield Said("aim.fights", {"turns": field.siege.fight})
        key = "aim.assaults" if field.siege.assaults else "aim.assaults-any"
        yield Said(key, {"count": field.siege.assaults, "turns": field.length})
    elif field.days > 1:
        yield Said("aim.days", {"days": field.days, "turns": field.length})
    elif field.length:
        yield Said("aim.turns", {"turns": field.length})
    else:
        yield Said("aim.no-limit")
    yield Said("aim.order", {"first": first, "second": others[0] if others else ""})
    yield from (Said(f"aim.only-{kind}") for kind in _only_ends(field))
    yield Said("aim.nobody-left")


def _only_ends(field: Field) -> Iterator[str]:
    """Yield the kinds of term that end a game and give nobody its victory."""
    yield from dict.fromkeys(term.kind for term in field.at_once if term.kind in victory.ONLY_ENDS)


# --- who wins


def _wins(rules: Rules, battle: Battle) -> Iterator[tuple[str, Said]]:
    """Yield each side that can win, and with which lead; a draw where there can be one."""
    one, other = (side.id for side in battle.field.sides)
    most = 1 + max((1, *battle.field.margins.values()))
    by_lead = {
        lead: victory.winner(rules, battle, {one: max(lead, 0), other: max(-lead, 0)})
        for lead in range(-most, most + 1)
    }
    for side, sign in ((one, 1), (other, -1)):
        leads = [lead for lead in range(-most, most + 1) if by_lead[sign * lead] == side]
        if leads:
            yield side, _lead(leads, most)
    if victory.DRAW in by_lead.values():
        yield victory.DRAW, Said("aim.draw-else")


def _lead(leads: list[int], most: int) -> Said:
    """Return with which of its leads (negative: so many points behind, at most ``most``) a side wins."""
    least = leads[0]
    if leads != list(range(least, most + 1)):
        return Said(
            "aim.lead-of",
            {"leads": [Said(f"aim.lead-{_way(lead)}", {"points": abs(lead)}) for lead in leads]},
        )
    if least > 1:
        return Said("aim.lead-at-least", {"points": least})
    if least < 0:
        return Said("aim.lead-unless", {"points": 1 - least})
    return Said("aim.lead-more" if least else "aim.lead-as-many")


def _way(lead: int) -> str:
    return "ahead" if lead > 0 else "behind" if lead < 0 else "level"


# --- what gives points


def _said(field: Field, term: Term, when: str = "aim") -> Said:
    """Return a line of the scheme as a sentence: what it gives at the end (``aim``), or what ends the game
    (``once``).
    """
    args: dict[str, object] = {
        "points": term.points,
        "least": term.least,
        "turn": term.turn,
        "names": list(term.units),
    }
    if term.mark:
        args["place"] = place(term.mark, field.marks[term.mark])
    if term.most:
        args["most"] = term.most
    if term.stands:
        args["stands"] = term.stands
    scale = _scale(field, term)
    if scale:
        args["scale"] = scale
    kind = term.kind
    if kind == "left-the-map" and term.units:
        kind = "left-the-map-named"
    elif kind == "turn" and term.turn <= 1 and when == "aim":
        kind = "always"
    elif kind == "in" and scale and when == "aim":
        kind = "in-scale"
    elif kind == "breached" and term.beyond:
        kind, args["beyond"] = "breached-with", place(term.beyond, field.marks[term.beyond])
    return Said(f"{when}.{kind}", args)


def place(name: str, cells: tuple[str, ...]) -> Said:
    """Return a region by its name, with its hexes where they are few."""
    return Said(
        "aim.place" if len(cells) <= FEW else "aim.place-large",
        {"name": name, "hexes": list(cells), "count": len(cells)},
    )


def _scale(field: Field, term: Term) -> str:
    """Return what the figures that a line can count are worth, the dearest first: ``sergeant 3; halberdier,
    spearman 2``.
    """
    worth: Mapping[str, int] = field.scales.get(term.scale, {})
    others = {
        side.id for side in field.sides if term.side == "any" or (side.id == term.side) == (term.kind == "in")
    }
    counted = (force for force in field.forces if force.side in others and force.id not in field.bystanders)
    by_worth: dict[int, set[str]] = {}
    for force in counted:
        class_ = field.people[force.person].class_
        if worth.get(class_):
            by_worth.setdefault(worth[class_], set()).add(class_.replace("_", " "))
    return "; ".join(
        f"{', '.join(sorted(by_worth[points]))} {points}" for points in sorted(by_worth, reverse=True)
    )
