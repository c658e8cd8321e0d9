"""Every legal atomic order of a seat in the open phase: lazily, always in the same order, and no other.

A sentence is atomic if it names the smallest party that can do the deed and leaves nothing open:

* ``NAME to HEX``, for figures of two hexes ``NAME to HEX facing SIDE``: one for each end of a move, other
  than where he stands. A way (``by``) names the way to an end that is listed, ``HEX or HEX`` two of them, a
  goal without a side the cheapest of several.
* ``NAME turns SIDE``, ``NAME mounts HORSE``, ``NAME dismounts``, ``NAME dismounts to HEX``, ``NAME hitches``
  or ``unhitches`` one.
* ``NAME leads NAME to HEX``, also to where he stands; one is led, as he enters and leaves the map too
  (``leading NAME``). Here a way may lead on where the cheapest does not, because those who follow end up
  elsewhere; ways are not listed.
* ``NAME enters at HEX`` and ``NAME enters at HEX to HEX``, ``NAME leaves the map by HEX``, ``NAME stays``:
  each hex on its own, each figure on its own.
* ``NAME at NAME`` (shooting): one target, or one hex of a target of two. ``nearest`` and ``or`` name targets
  that are listed.
* ``NAME attacks NAMES``: one figure on one enemy or on several at once. ``NAMES attack NAME``: several on one
  only where none of them can do with fewer, so as a rule two; who else may join is told by ``joiners``. ``at
  least`` demands no more than a listed attack has.
* ``ENGINE bombards HEX``, ``repair ENGINE``, and each plan of a day of a siege: one engine each.
* ``NAME goes up``, ``NAME goes down``, ``NAME steps over to HEX``; ``ENGINE forward`` and ``back NUMBER``,
  ``ENGINE strikes HEX``.
* ``NAME climbs LADDER``, also ``and over``, ``NAME puts down LADDER``, ``NAME topples LADDER to HEX``, each
  hex on its own; two of one seat, by the alphabet, ``pick up LADDER``, ``carry LADDER to HEX HEX``, ``raise
  LADDER in HEX facing SIDE``, and ``shift LADDER to HEX facing SIDE``, in its own hex ``shift LADDER facing
  SIDE``.
* ``NAME takes THING`` and ``puts down THING``, a mantlet also ``facing SIDE``; who bears one goes ``to HEX
  facing SIDE``, each side on its own, where a point is left to turn it. ``NAME pours THING on HEX``.
* ``NAME works BRIDGE``; ``fill HEX`` and ``rubble HEX`` in the setup, each hex on its own.
* ``NAME at HEX with fire``: one hex with something in it that could burn. At a figure ``with fire`` means no
  more than without.
* ``NAME fires ENGINE at NAME``, ``NAME lights HEX``, ``NAME puts out HEX``.
* ``NAME at HEX`` in the setup, other than where he has been placed; of a horse ``NAME at HEX facing SIDE``,
  which two hexes say too;
  ``NAME rides HORSE``. A thing is placed in one hex, a ladder in two, an engine by its front hex; ``facing``
  where it looks to a side.

What belongs to no figure (to resign, to agree on a draw) is not listed, nor are shooters' skills, which are
legal only together with those that balance them. Names stand in the order of the alphabet, those of the seat
before those of its friends; an order is listed with the first figure it names. Whether an order is legal is
asked of the checks of the ruleset; here is only what to ask them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege.deeds import ladder_orders
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.scenario import campaign
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import Deed, Lister, Priced, deeds
from pbem.rulesets.siege.state.orders import Act, Order
from pbem.rulesets.siege.state.state import Battle, Unit
from pbem.rulesets.siege.things import engines, names, works
from pbem.rulesets.siege.turn import sequence, siege_days

__all__ = ["Priced", "by_two", "legal", "of", "of_deed", "of_kinds", "of_thing", "priced"]

Rules = Ruleset[Battle]


def legal(rules: Rules, battle: Battle, seat: str) -> Iterator[Order]:
    """Yield every legal atomic order of a seat in the open phase; nothing where the seat has nothing to
    order.
    """
    if battle.at.phase == siege_days.DAY.id:
        yield from campaign.listed(rules, battle, seat)
    if battle.at.phase == "setup":
        yield from works.listed(rules, battle, seat)
    for id_ in sorted(battle.units):
        for order, _ in priced(rules, battle, seat, id_):
            yield order
    for id_ in sorted(battle.things):
        for order, _ in of_thing(rules, battle, seat, id_):
            yield order


def of_thing(rules: Rules, battle: Battle, seat: str, thing: str) -> Iterator[Priced]:
    """Yield those of a seat's legal atomic orders that name a thing first, each with the movement points it
    costs.
    """
    own = battle.things[thing].side == battle.side_of_seat.get(seat, "") or engines.works(
        battle, seat, battle.things[thing]
    )
    if own and seat in sequence.seats_to_order(rules, battle):
        for deed in deeds(rules).by_heading.get(family.heading(rules, battle), ()):
            for lister in deed.things:
                yield from lister(rules, battle, seat, battle.things[thing])


def of(rules: Rules, battle: Battle, seat: str, unit: str) -> Iterator[Order]:
    """Yield those of a seat's legal atomic orders that name one of its figures first."""
    for order, _ in priced(rules, battle, seat, unit):
        yield order


def priced(
    rules: Rules, battle: Battle, seat: str, unit: str, instead: Mapping[Lister, Lister] | None = None
) -> Iterator[Priced]:
    """Yield the same orders, each with the movement points it costs; what lists fewer may be asked
    ``instead`` of what lists them all.
    """
    who = battle.units[unit]
    if who.owner == seat and seat in sequence.seats_to_order(rules, battle):
        for deed in deeds(rules).of_figures.get(family.heading(rules, battle), ()):
            yield from of_deed(rules, battle, who, deed, instead)


def of_kinds(rules: Rules, battle: Battle, seat: str, unit: str, kinds: AbstractSet[str]) -> Iterator[Priced]:
    """Yield those of them that are of some kinds; what lists none of these is not asked."""
    who = battle.units[unit]
    if who.owner != seat or seat not in sequence.seats_to_order(rules, battle):
        return
    for deed in deeds(rules).of_figures.get(family.heading(rules, battle), ()):
        if kinds.isdisjoint((deed.id, *deed.lists_too)):
            continue
        yield from ((order, cost) for order, cost in of_deed(rules, battle, who, deed) if order.deed in kinds)


def of_deed(
    rules: Rules, battle: Battle, unit: Unit, deed: Deed, instead: Mapping[Lister, Lister] | None = None
) -> Iterator[Priced]:
    """Yield those of one figure's orders that a deed lists, which may be orders for others beside it."""
    needs = deed.needs
    if needs is not None and needs.of is None and not (deed.lists_too or needs.met(rules)):
        return
    for lister in deed.priced:
        yield from (instead or {}).get(lister, lister)(rules, battle, unit)
    for order in deed.lists(rules, battle, unit) if deed.lists is not None else ():
        if names.not_in_force(rules, order):
            return
        if conditions.stands(rules, battle, "act", unit.owner, order):
            yield order, None


def by_two(rules: Rules, battle: Battle, seat: str, unit: str) -> Iterator[tuple[Act, int | None]]:
    """Yield what a figure could do with a ladder beside it together with another of its seat, whichever is
    first by the alphabet.
    """
    for order, cost in ladder_orders.by_two(rules, battle, battle.units[unit]) if battle.things else ():
        if (
            battle.units[unit].owner == seat
            and not names.not_in_force(rules, order)
            and conditions.stands(rules, battle, "act", seat, order)
        ):
            yield order, cost
