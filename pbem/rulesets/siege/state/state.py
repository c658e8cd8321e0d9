"""What a battle is at one moment: figures, things, features of the ground, and where the game stands.

The static part (map, scenario, roster) is the ``Field``; a battle refers to it and never contains it. Values
such as attack and defence are looked up, never stored. Written as JSON it is docs/formats.md, 6: lists sorted
by id, absent means "does not apply".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import field as given
from msgspec.structs import replace

from pbem.core.sequence import Cursor
from pbem.geometry.hex import hex_of, hexes_of, neighbours, split_place
from pbem.rulesets.siege.state.field import Field
from pbem.rulesets.siege.state.forms import (
    Choices,
    Count,
    FigureChoices,
    FileDigest,
    Ground,
    Id,
    Moment,
    Place,
)
from pbem.rulesets.siege.state.log import Log
from pbem.rulesets.siege.state.once import Answers, Once
from pbem.rulesets.siege.state.thing import BELOW, STOREYS, TOP, Thing
from pbem.rulesets.siege.state.unit import (
    DEAD,
    HEALTHY,
    STUNNED,
    WOUNDED,
    Job,
    Unit,
    is_prisoner,
    left_after,
    living_after,
    otherwise,
    the_living,
)
from pbem.text.codec import Value


class Feature(Value, frozen=True):
    """What became of a hex: ``filled rubble wall fire burnt``; one entry a hex and kind."""

    at: Place
    is_: Ground
    damage: Count = 0
    turns: Count = 0
    lit_by: Id = ""
    check: Moment = ""
    bombarded: bool = False
    last: Count = 0


class Instructions(Value, frozen=True):
    """A seat's standing instructions: for everyone, and for single figures (each a mapping with ``unit``)."""

    seat: Id
    orders: FileDigest = ""
    everyone: Choices = given(default_factory=dict)
    figures: tuple[FigureChoices, ...] = ()

    def of(self, unit: str, key: str) -> str:
        """Return what is said of a figure under a key; the most exact wins; empty if nothing is said."""
        for figure in self.figures:
            if figure["unit"] == unit and key in figure:
                return figure[key]
        return self.everyone.get(key, "")


_BUILT_OF = ("field", "things", "features")
"""What that depends on which is worked out but once."""
_WHERE = ("rider_of", "standing_at", "living_in", "bodies_in")
"""Indexes of who stands or lies where: they hold for as long as everybody does."""
_WHOSE = ("side_of_seat", "seats_of")
"""Indexes of whose the figures are: they hold for as long as nobody changes hands."""
_OF_UNITS = (*_WHERE, *_WHOSE, "afraid", "living_of", "men_of")
"""Indexes of nothing but units."""
_Index = dict[str, Any]


class Battle(Once, frozen=True, dict=True):
    """A battle at one moment. Units, things and instructions are mappings by id, kept sorted."""

    field: Field
    at: Cursor
    units: Mapping[str, Unit]
    things: Mapping[str, Thing] = given(default_factory=dict)
    features: Mapping[tuple[str, str], Feature] = given(default_factory=dict)
    score: Mapping[str, int] = given(default_factory=dict)
    standing: Mapping[str, Instructions] = given(default_factory=dict)
    log: Log = given(default_factory=Log)
    resigned: tuple[str, ...] = ()
    """Sides that gave the game up."""
    draws: tuple[str, ...] = ()
    """Sides that offer or accept a draw at present."""
    ended: Mapping[str, str] = given(default_factory=dict)
    """Seat -> cursor of the phase in which a ``stop`` ended the file it had in force."""
    spent: Mapping[str, int] = given(default_factory=dict)
    """Unit -> the points that it has spent in the phase that is open; nothing is left of it when that ends,
    so it is never written.
    """
    winner: str = ""
    """A side or ``draw``; set when the game is over."""
    grade: str = ""
    why: str = ""

    @cached_property
    def rider_of(self) -> Mapping[str, str]:
        """Return horse -> who sits on it."""
        return {unit.on: unit.id for unit in self.units.values() if unit.on}

    @cached_property
    def standing_at(self) -> Mapping[str, str]:
        """Return place -> id of the living figure on it: of a rider and his horse the rider, of two that a
        fall put together the last.
        """
        ridden = self.rider_of
        return {
            place: unit.id
            for unit in the_living(self.units.values())
            if unit.id not in ridden
            for place in unit.at
        }

    @cached_property
    def living_in(self) -> Mapping[str, tuple[str, ...]]:
        """Return hex -> ids of the living figures in it, on whatever storey: of a rider and his horse the
        rider.
        """
        ridden = self.rider_of
        found: dict[str, tuple[str, ...]] = {}
        for unit in the_living(self.units.values()):
            if unit.id not in ridden:
                for hex_ in hexes_of(unit.at):
                    found[hex_] = tuple(sorted({*found[hex_], unit.id})) if hex_ in found else (unit.id,)
        return found

    def living_among(self, hexes: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of the living figures in some hexes, each once, sorted; of a rider and his horse the
        rider.
        """
        living = self.living_in
        return tuple(sorted({id_ for hex_ in hexes for id_ in living.get(hex_, ())}))

    @cached_property
    def wagon_in(self) -> Mapping[str, str]:
        """Return hex -> the wagon that fills it."""
        return {
            hex_of(place): thing.id
            for thing in self.things.values()
            if thing.kind == "wagon"
            for place in thing.at
        }

    @property
    def upper(self) -> Mapping[str, str]:
        """Return hex -> the highest place above it, where there is one: the platform of a siege tower, a
        scaffold.
        """
        return self.once("upper", lambda: {hex_: places[-1] for hex_, places in self.storeys.items()})

    @property
    def storeys(self) -> Mapping[str, tuple[str, ...]]:
        """Return hex -> the places above it, the lowest first, where there are any."""
        return self.once("storeys", self._storeys)

    def _storeys(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for thing in self.things.values():
            for place in self.above(thing):
                found[hex_of(place)] = (*found.get(hex_of(place), ()), place)
        return found

    @property
    def apart(self) -> frozenset[str]:
        """Return the places of things that burn place by place, whatever else is in their hexes."""
        return self.once("apart", self._apart) if self.things else frozenset()

    def _apart(self) -> frozenset[str]:
        known = self.field.floors
        found = (thing for thing in self.things.values() if thing.kind in known and known[thing.kind].apart)
        return frozenset(place for thing in found for place in (*thing.at, *self.above(thing)))

    def above(self, thing: Thing) -> tuple[str, ...]:
        """Return the places of a thing above the ground, the lowest first."""
        floors = self.field.floors.get(thing.kind)
        return floors.places(self.field, thing) if floors is not None and thing.at else ()

    @property
    def lower(self) -> Mapping[str, str]:
        """Return hex -> the place beneath it, where a mine has been dug."""
        mines = (thing for thing in self.things.values() if thing.kind == BELOW)
        return self.once("lower", lambda: {hex_: f"{hex_}@{BELOW}" for thing in mines for hex_ in thing.at})

    def beside(self, place: str) -> tuple[str, ...]:
        """Return the places one step away, on whatever storey: round the hex, clockwise from the north, then
        above and below.
        """
        if not self.things or not (self.storeys or self.lower):
            return neighbours(hex_of(place))
        known: dict[str, tuple[str, ...]] = self.once("beside", dict)
        if place not in known:
            known[place] = self._beside(place)
        return known[place]

    def _beside(self, place: str) -> tuple[str, ...]:
        hex_, storey = split_place(place)
        around, storeys, lower = neighbours(hex_), self.storeys, self.lower
        below = tuple(lower[there] for there in around if there in lower)
        if storey == BELOW:
            return (*around, *below)
        above = (there for beside in around if beside in storeys for there in storeys[beside])
        own = (there for there in (hex_, *storeys.get(hex_, ())) if there != place)
        return (*around, *above, *own, *below)

    @cached_property
    def bodies_in(self) -> Mapping[str, tuple[str, ...]]:
        """Return hex -> ids of the dead that lie in it."""
        found: dict[str, list[str]] = {}
        for unit in self.units.values():
            if unit.state == DEAD:
                for place in unit.at:
                    found.setdefault(hex_of(place), []).append(unit.id)
        return {hex_: tuple(ids) for hex_, ids in found.items()}

    @cached_property
    def afraid(self) -> tuple[str, ...]:
        """Return the ids of those in panic or in rout, sorted."""
        return tuple(sorted(unit.id for unit in self.units.values() if unit.mood))

    @cached_property
    def side_of_seat(self) -> Mapping[str, str]:
        """Return seat -> the side for which it orders: that of the figures it owns."""
        return {unit.owner: unit.side for unit in self.units.values()}

    def allegiance(self, unit: Unit) -> str:
        """Return whose a figure is now: of the side that rides or holds it, else of its own; empty: a
        bystander whom nobody holds.
        """
        who = self.units[self.rider_of[unit.id]] if unit.id in self.rider_of else unit
        return who.captive_of or ("" if who.id in self.field.bystanders else who.side)

    def those(self, ids: Iterable[str]) -> list[Unit]:
        """Return the units of these ids, in their order."""
        units = self.units
        return [units[id_] for id_ in ids]

    def unseen(self, unit: Unit) -> bool:
        """Tell whether somebody who began in hiding is there still, and not on the map for any rule."""
        away = not unit.at and not unit.left and unit.state != DEAD
        return away and unit.id in self.field.hidden

    def foes(self, one: Unit, other: Unit) -> bool:
        """Tell whether two figures are on two sides now; a bystander whom nobody holds is nobody's enemy."""
        if not (self.rider_of or one.captive_of or other.captive_of):
            return one.side != other.side and self.field.bystanders.isdisjoint((one.id, other.id))
        own, its = self.allegiance(one), self.allegiance(other)
        return (
            own != its
            and "" not in (own, its)
            and (one.side != other.side or not self._of_one_side(one, other))
        )

    def _of_one_side(self, one: Unit, other: Unit) -> bool:
        """Tell whether two are of one side though one of them is a prisoner of another; a bystander is on
        none, whoever holds him.
        """
        own = one.side == other.side and self.field.bystanders.isdisjoint((one.id, other.id))
        return own and (is_prisoner(one) or is_prisoner(other))

    @cached_property
    def living_of(self) -> Mapping[str, tuple[str, ...]]:
        """Return allegiance -> ids of the living figures that have it now, horses too, sorted."""
        found: dict[str, list[str]] = {}
        for id_, unit in sorted(self.units.items()):
            if unit.living:
                found.setdefault(self.allegiance(unit), []).append(id_)
        return {side: tuple(ids) for side, ids in found.items()}

    def foes_of(self, unit: Unit) -> list[str]:
        """Return the ids of the living enemies of a figure, sorted."""
        own, units = self.allegiance(unit), self.units
        others = [ids for side, ids in self.living_of.items() if own and side and side != own]
        found = others[0] if len(others) == 1 else sorted(id_ for ids in others for id_ in ids)
        return [
            id_ for id_ in found if units[id_].side != unit.side or not self._of_one_side(unit, units[id_])
        ]

    @cached_property
    def men_of(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Return allegiance -> id -> hexes of the living men on the map that have it now."""
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for unit in the_living(self.units.values()):
            if unit.kind == "man":
                side = self.allegiance(unit)
                if side not in found:
                    found[side] = {}
                found[side][unit.id] = hexes_of(unit.at)
        return found

    def men_against(self, unit: Unit) -> list[tuple[str, tuple[str, ...]]]:
        """Return the ids of the living enemies of a figure who are men, and their hexes, in no order."""
        own, units = self.allegiance(unit), self.units
        return [
            (id_, hexes)
            for side, men in self.men_of.items()
            if own and side and side != own
            for id_, hexes in men.items()
            if units[id_].side != unit.side or not self._of_one_side(unit, units[id_])
        ]

    @cached_property
    def seats_of(self) -> Mapping[str, tuple[str, ...]]:
        """Return side -> the seats that own figures of it, sorted."""
        found: dict[str, set[str]] = {}
        for unit in self.units.values():
            found.setdefault(unit.side, set()).add(unit.owner)
        return {side: tuple(sorted(seats)) for side, seats in found.items()}

    def with_units(self, *units: Unit, spent: Mapping[str, int] | None = None) -> Battle:
        """Return the battle with some units replaced, and perhaps what was spent, sharing everything else;
        rider and horse stay where the other is.
        """
        known, mounted = self.units, bool(self.rider_of)
        now = {**known}
        for unit in units:
            now[unit.id] = unit
            mounted = mounted or unit.on != ""
        if mounted:
            units = tuple(self._in_step(units))
            now = {**known, **{unit.id: unit for unit in units}}
        after = replace(self, units=now) if spent is None else replace(self, units=now, spent=spent)
        kept = self._handed_on(units) if len(now) == len(known) else {}
        if spent is not None or "seen" not in kept:
            kept["seen"] = defaultdict(dict)
        kept["built"], kept["asked"] = self.built, defaultdict(dict)
        after.__dict__.update(kept)
        return after

    def having_fought(self, units: Iterable[Unit]) -> Battle:
        """Return the battle with some units that have done or fought something now, and are else what they
        were: whatever is known of them holds.
        """
        now = {**self.units}
        for unit in units:
            now[unit.id] = unit
        after, built = replace(self, units=now), self.built
        after.__dict__.update(self.__dict__, built=built, asked=defaultdict(dict), seen=defaultdict(dict))
        return after

    def _known(self, names: Iterable[str]) -> _Index:
        """Return those of some indexes that have been asked for."""
        known = self.__dict__
        return {name: known[name] for name in names if name in known}

    def _handed_on(self, units: Sequence[Unit]) -> _Index:
        """Return those indexes of this battle that hold after some of its units have become others, or that
        can be mended for less than they cost.
        """
        known = self.__dict__
        others, as_fought = otherwise(self.units, units)
        if not others:
            return {**known} if as_fought else self._known(_OF_UNITS)
        whose = lives = told = moods = seated = True
        moved, lain = [], False
        for was, unit in others:
            rides, lies = was.on == unit.on, (was.state == DEAD) is (unit.state == DEAD)
            serves = rides and was.side == unit.side and was.captive_of == unit.captive_of
            stays = rides and lies and was.at == unit.at and was.left is unit.left
            whose = whose and was.owner == unit.owner and was.side == unit.side
            if not (serves and (stays or was.living is unit.living)):
                lives, told = False, told and serves and was.living and not unit.living
            moods = moods and was.mood == unit.mood
            if not stays:
                moved.append((was, unit))
                seated = seated and rides
                lain = lain or DEAD in (was.state, unit.state)
        kept: tuple[str, ...] = _WHOSE if whose else ()
        kept += ("living_of",) if lives else ()
        kept += ("afraid",) if moods else ()
        if not moved:
            kept += (*_WHERE, "men_of") if lives else _WHERE
        found = self._known(kept)
        if told and not lives and "living_of" in known and not self.rider_of:
            found["living_of"] = left_after(self.living_of, others)
        if not moved or not seated:
            return found
        if "men_of" in known and told:
            found["men_of"] = self._men_after(moved)
        if "rider_of" in known:
            found["rider_of"] = known["rider_of"]
            if "living_in" in known:
                found["living_in"] = living_after(self.living_in, self.rider_of, moved)
        if "bodies_in" in known and not lain:
            found["bodies_in"] = known["bodies_in"]
        return found

    def _men_after(self, moved: Sequence[tuple[Unit, Unit]]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Return ``men_of`` after some units went elsewhere, or died, on the side on which they are."""
        men = dict(self.men_of)
        for was, unit in moved:
            if unit.kind == "man":
                side = self.allegiance(was)
                left = {id_: hexes for id_, hexes in men.pop(side, {}).items() if id_ != unit.id}
                if unit.living:
                    left[unit.id] = unit.hexes
                if left:
                    men[side] = left
        return men

    def _in_step(self, units: Sequence[Unit]) -> Iterator[Unit]:
        """Yield units to replace, and with each the other of rider and horse where it has to go along; who
        mounts goes to the horse.
        """
        given_ = {unit.id: unit for unit in units}
        for unit in units:
            other = unit.on or self.rider_of.get(unit.id, "")
            if not other:
                yield unit
                continue
            mate = given_.get(other, self.units[other])
            if unit.on and self.units[unit.id].on != unit.on:
                yield replace(unit, at=mate.at)
            else:
                yield unit
                if other not in given_ and mate.at != unit.at:
                    yield replace(mate, at=unit.at)

    def _with(self, **changes: Any) -> Battle:
        after = replace(self, **changes)
        after.__dict__["asked"] = defaultdict(dict)
        if changes.keys().isdisjoint(_BUILT_OF):
            after.__dict__["built"] = self.built
        return after

    def changed(self, **changes: Any) -> Battle:
        """Return the battle with some fields replaced (``units=``, ``at=`` …); who stands where is known as
        before unless units are.
        """
        after = self._with(**changes)
        if "units" not in changes:
            after.__dict__.update(self._known(_OF_UNITS))
        return after

    # --- what was answered

    @cached_property
    def asked(self) -> Answers:
        """Return what has been answered about this very moment; of the next one nothing is known yet."""
        return defaultdict(dict)

    def known_as(self, unit: Unit) -> str | Unit:
        """Return by what a unit is called in a question: its id where it is this battle's own and has done
        nothing this turn, else all of it, for it may be somebody as he would be.
        """
        return unit.id if not unit.did and unit.id in self.units and self.units[unit.id] is unit else unit

    def called(self, unit: Unit) -> str | Unit:
        """Return the same in a question about this very moment: its id whatever it has done this turn."""
        return unit.id if unit.id in self.units and self.units[unit.id] is unit else unit

    @cached_property
    def seen(self) -> Answers:
        """Return what has been answered that does not depend on what anybody has done this turn but those
        whom the question names: it is handed on as long as all else stays as it is.
        """
        return defaultdict(dict)


__all__ = [
    "BELOW",
    "DEAD",
    "HEALTHY",
    "STOREYS",
    "STUNNED",
    "TOP",
    "WOUNDED",
    "Battle",
    "Feature",
    "Instructions",
    "Job",
    "Log",
    "Thing",
    "Unit",
    "is_prisoner",
]
