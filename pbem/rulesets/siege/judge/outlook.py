"""What is known, while an order file is judged, of the moment when a line will be reached.

Dice that have not been rolled may hurt figures, and a figure whose order is in doubt may stand in several
places. An outlook keeps the course of things if nobody is hurt, and beside it everything that may be
otherwise. From it come the best world for an order (if it is illegal even there it can never be legal) and
the worst one (if it is legal even there nothing can prevent it).

Theory of operation. A file is judged line by line in the order in which its lines are reached. The outlook
keeps one battle, the course of things, and four lists of what may be otherwise: who may be hurt, who may be
anywhere, who may be in one of some known places, and which deeds may have been done or not. For each line the
judge asks the rules themselves, the same checks that are asked when the game is played, once in the best
worlds and once in the worst.

The obvious way, every result of every die, grows with the number of dice: each shot and each blow has ten
faces, and a file has many lines. The lists grow with the number of figures only.

Why two worlds are enough. Shots and blows only ever take enemies away: a dead enemy leaves his hex, blocks no
line and defends nothing. So for what the own side does the world with all of them standing is the worst and
the one without them the best; the body of a man who falls costs no more than the man. Friends only stand in
each other's way: the worst world has them everywhere they may be.

What was otherwise before. There was a third world, the worst one without the enemies that may be dead;
nothing needed it. Deeds were followed each by its own rule, such as leaving the map; now any deed is carried
out in the world in which it was judged, and what it changed there is taken over as certain or as possible
(``become``). An animal was thought to be stunned or wounded like a man, which nothing does to it
(``states``). That what is called fine is always carried out, and what is called a problem never could be, is
tried on random skirmishes (``test_siege_judge_laws``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.rulesets.siege.state.state import DEAD, HEALTHY, STUNNED, WOUNDED, Battle, Unit

LIVING = (HEALTHY, STUNNED, WOUNDED)


class Outlook(Struct):
    """What is known of a moment to come; changed line by line while a file is judged."""

    battle: Battle
    """The course of things if no die hurts anybody."""
    side: str
    hurt: set[str] = field(default_factory=set)
    """Figures that may be stunned, wounded or dead by then."""
    adrift: set[str] = field(default_factory=set)
    """Figures that may stand anywhere by then."""
    places: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Figure -> every place where it may stand, where there is more than one."""
    perhaps: set[tuple[str, str]] = field(default_factory=set)
    """(figure, deed): what a figure may have done this turn, or not."""
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Figure that may be hurt -> the states one of which it certainly has, because a condition said so: it
    lives.
    """
    absent: dict[str, tuple[Unit, Unit, Unit]] = field(default_factory=dict)
    """Figure -> as it is, dead and gone, and out of the way: what worlds were made of so far."""
    spread: tuple[Battle, Mapping[str, tuple[str, ...]], Battle] | None = None
    """The worst world that was asked for last, with what it was made of."""

    def copy(self) -> Outlook:
        """Return an outlook that goes its own way from here."""
        return Outlook(
            self.battle,
            self.side,
            set(self.hurt),
            set(self.adrift),
            dict(self.places),
            set(self.perhaps),
            dict(self.known),
            self.absent,
        )

    @property
    def certain(self) -> bool:
        """Tell whether nothing can be otherwise."""
        return not (self.hurt or self.adrift or self.places or self.perhaps)

    def sure_of(self, unit: str) -> bool:
        """Tell whether a figure is certainly where and how the course of things has it."""
        return unit not in self.hurt and unit not in self.adrift and unit not in self.places

    def settled(self, unit: str) -> bool:
        """Tell whether a figure certainly has done, too, what the course of things has it do this turn."""
        if not self.sure_of(unit):
            return False
        return not self.perhaps or self.surely_did(unit) == self.battle.units[unit].did

    def states(self, unit: str) -> tuple[str, ...]:
        """Return every state in which a figure may live, the course of things first; an animal is never
        stunned or wounded.
        """
        if unit in self.known:
            return self.known[unit]
        now = self.battle.units[unit].state
        if unit not in self.hurt or self.battle.units[unit].kind != "man":
            return (now,)
        return (now, *(state for state in (STUNNED, WOUNDED) if state != now)) if now != WOUNDED else (now,)

    def surely_did(self, unit: str) -> tuple[str, ...]:
        """Return what a figure has certainly done this turn."""
        did = self.battle.units[unit].did
        return tuple([deed for deed in did if (unit, deed) not in self.perhaps]) if self.perhaps else did

    # --- what happens

    def unsay(self, units: Set[str]) -> None:
        """Let no condition have said any more how some figures are."""
        for unit in units & self.known.keys():
            del self.known[unit]

    def place(self, unit: str, places: Iterable[str], cost: int = 0) -> None:
        """Let a figure go to one of some places; the first of them is the course of things, and costs it that
        many points.

        Two hexes are one place: ``0712 0713``.
        """
        self._put(self.battle.units[unit], places, cost)

    def moved(self, unit: str, places: Iterable[str], sure: bool, cost: int = 0) -> None:
        """Let a figure have moved, certainly or perhaps, and be in one of some places."""
        self._put(self._having_done(unit, "moved", sure), places, cost)

    def _put(self, unit: Unit, places: Iterable[str], cost: int) -> None:
        found, spent = tuple(dict.fromkeys(places)), self.battle.spent
        self.battle = self.battle.with_units(
            replace(unit, at=tuple(found[0].split()) if found else ()),
            spent={**spent, unit.id: spent.get(unit.id, 0) + cost} if cost else None,
        )
        if len(found) > 1:
            self.places[unit.id] = found
        else:
            self.places.pop(unit.id, None)

    def where(self, unit: str) -> tuple[str, ...]:
        """Return every place where a figure may stand, as far as it is known."""
        at = self.battle.units[unit].at
        return self.places.get(unit, (" ".join(at),) if at else ())

    def become(self, before: Battle, after: Battle, sure: bool) -> None:
        """Let figures and things be as a deed leaves them, certainly or perhaps; ``before`` is the world in
        which it was done.
        """
        for id_, unit in after.units.items():
            was = before.units[id_]
            if unit is was or id_ in after.rider_of:
                continue
            begun = self.where(id_)
            for deed in unit.did:
                self.did(id_, deed, sure)
            if sure:
                self.battle = self.battle.with_units(replace(unit, did=self.battle.units[id_].did))
                self.places.pop(id_, None)
            elif unit.left:
                self.adrift.add(id_)
            elif unit.at != was.at:
                self.place(id_, (" ".join(unit.at), *begun))
        if sure:
            self.battle = self.battle.changed(things=after.things, spent=after.spent)

    def did(self, unit: str, deed: str, sure: bool) -> None:
        """Let a figure have done something, certainly or perhaps."""
        after = self._having_done(unit, deed, sure)
        if after is not self.battle.units[unit]:
            self.battle = self.battle.with_units(after)

    def _having_done(self, unit: str, deed: str, sure: bool) -> Unit:
        """Return a figure that has done something, and note whether it certainly has."""
        known = self.battle.units[unit]
        if deed in known.did:
            if sure:
                self.perhaps.discard((unit, deed))
            return known
        if not sure:
            self.perhaps.add((unit, deed))
        return replace(known, did=(*known.did, deed))

    def join(self, other: Outlook) -> None:
        """Take up what may be otherwise because another branch was taken."""
        for id_, unit in self.battle.units.items():
            there = other.battle.units[id_]
            if unit is there and id_ not in self.places and id_ not in other.places:
                continue
            places = (*self.where(id_), *other.where(id_))
            for deed in there.did:
                if deed not in unit.did:
                    self.did(id_, deed, sure=False)
            self.perhaps |= {(id_, deed) for deed in unit.did if deed not in there.did}
            if places:
                self.place(id_, places)
        self.known = {unit: states for unit, states in self.known.items() if other.known.get(unit) == states}
        self.hurt |= other.hurt
        self.adrift |= other.adrift
        self.perhaps |= other.perhaps

    # --- worlds

    def best(self, unit: str, keep: Iterable[str] = ()) -> Iterator[Battle]:
        """Yield the worlds that favour a figure most, one for each place where it may stand.

        Enemies that may be dead are gone, all but those to keep; friends whose place is not known are out of
        the way.
        """
        if self.certain:
            yield self.battle
            return
        kept = {unit, *keep}
        moved = [self._gone(id_) for id_ in sorted(self.hurt - kept) if self._foe(id_)]
        loose = sorted({*self.places, *self.adrift} - kept)
        moved += [self._away(id_) for id_ in loose if not self._foe(id_)]
        who, did = self.battle.units[unit], self.surely_did(unit)
        for number, place in enumerate(self.where(unit) or ("",)):
            at = tuple(place.split())
            one = who if who.at == at and who.did == did else replace(who, at=at, did=did)
            world = self.battle.with_units(*moved, one) if moved or one is not who else self.battle
            # What a way cost is known of the course of things; where a figure has come another way it may
            # have all its points yet.
            yield world.changed(spent={**world.spent, unit: 0}) if number and unit in world.spent else world

    def worst(self) -> Battle:
        """Return the world that hinders most: everybody lives, and friends stand wherever they may be."""
        if not self.places:
            return self.battle
        if self.spread is not None and self.spread[0] is self.battle and self.spread[1] == self.places:
            return self.spread[2]
        spread = {
            id_: tuple(dict.fromkeys(" ".join(places).split())) for id_, places in sorted(self.places.items())
        }
        world = self.battle.with_units(
            *(replace(self.battle.units[id_], at=hexes) for id_, hexes in spread.items())
        )
        self.spread = (self.battle, dict(self.places), world)
        return world

    def _foe(self, id_: str) -> bool:
        return self.battle.allegiance(self.battle.units[id_]) not in ("", self.side)

    def _gone(self, id_: str) -> Unit:
        return self._without(id_)[1]

    def _away(self, id_: str) -> Unit:
        return self._without(id_)[2]

    def _without(self, id_: str) -> tuple[Unit, Unit, Unit]:
        unit = self.battle.units[id_]
        found = self.absent.get(id_)
        if found is None or found[0] is not unit:
            found = (unit, replace(unit, state=DEAD, at=()), replace(unit, at=()))
            self.absent[id_] = found
        return found
