"""Burning: what follows when a hex catches fire, whoever lit it: who must leave it, how it spreads, what is
burnt down at last.

``ignite`` is how every fire begins, by hand, by arrow or by oil; whether it does is decided there. What can
burn is ``flames``, how a fire is fought is ``fire_by_hand``. Fires spread and count their turns at the end of
the enemy's player turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from pbem.core.play import Play
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.table import die_faces, row_of
from pbem.geometry import pair
from pbem.geometry.hex import distance, hex_of, neighbours
from pbem.rulesets.siege.ground import counter, flames, stacking
from pbem.rulesets.siege.ground.flames import BURNT, FIRE
from pbem.rulesets.siege.march import riding, step
from pbem.rulesets.siege.orders import choices
from pbem.rulesets.siege.sight import cover
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.events import (
    FeatureChanged,
    FeatureGone,
    Retreated,
    Rolled,
    StateChanged,
    ThingChanged,
    ThingLost,
)
from pbem.rulesets.siege.state.state import HEALTHY, STUNNED, TOP, Battle, Feature, Thing, Unit
from pbem.rulesets.siege.things import mantlets
from pbem.rulesets.siege.turn import sequence

Rules = Ruleset[Battle]
WAKES: Final = "wakes"


def faces(rules: Rules, row: str, column: str = "any") -> tuple[int, ...]:
    """Return the faces of the die that succeed in a row and a column of the table of fire."""
    found: tuple[int, ...] = flames.table(rules)["rows"][row][column]
    return found


def likely(rules: Rules, row: str) -> str:
    """Return on how many faces of how many a row of the table of fire succeeds: ``3 of 10``."""
    return f"{len(faces(rules, row))} of {die_faces(rules.tables['fire'])}"


def rolled(
    rules: Rules,
    play: Play[Battle],
    label: str,
    row: str,
    rule_: str,
    said: Mapping[bool, str],
    column: str = "any",
) -> bool:
    """Roll a die of the table of fire, tell what it came to, and return whether it succeeds."""
    sides = die_faces(flames.table(rules))
    die = play.roll(label, sides)[0]
    good = die in faces(rules, row, column)
    full, words = f"{play.cursor}/{label}", f"{row} {column}".removesuffix(" any").replace("_", " ")
    play.happen(
        Rolled(
            full,
            sides,
            (die,),
            rule_,
            "fire",
            words,
            f"die {die}",
            (),
            die,
            "yes" if good else "no",
            said[good],
        )
    )
    return good


# --- a hex catches fire


def ignite(
    rules: Rules,
    play: Play[Battle],
    hex_: str,
    by: str,
    cause: int = -1,
    rule: str = "",
    driven: Mapping[str, str] | None = None,
) -> int:
    """Let a hex catch fire, lit by a side, and let those who are in it leave or perish; return the place of
    the event.

    ``driven`` are figures that what lit it drives out in any case, stunned ones too -> the rule that says so.
    Where it burns already nothing happens, and -1 is returned. Raises ``core.play.Stopped`` where only an
    owner can say where he flees to.
    """
    if flames.burns(play.state, hex_):
        return -1
    out = driven or {}
    lit = play.happen(FeatureChanged(hex_, FIRE, turns=marker(0), lit_by=by, rule=rule, cause=cause))
    for id_ in caught(play.state, hex_):
        stunned = play.state.units[id_].state == STUNNED and not overhead(rules, play.state, id_, hex_)
        if stunned and id_ not in out and id_ in inside(play.state, hex_):
            wake(rules, play, id_, hex_, lit)
        if (play.state.units[id_].able and not overhead(rules, play.state, id_, hex_)) or id_ in out:
            leave(rules, play, id_, lit, out.get(id_, "S3.54a"))
    return lit


def overhead(rules: Rules, battle: Battle, id_: str, hex_: str) -> bool:
    """Tell whether what burns in a hex burns over the head of a figure in it, who need not leave at once."""
    roofs = family.of(rules).roofs
    return roofs is not None and battle.units[id_].at[0] == hex_ and roofs(battle, hex_)


@rule("S3.54a", "S3.54c")
def inside(battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return whom a burning hex hurts: who is in it, below or above; over another part of the tower the fire
    does not reach them.
    """
    if hex_ in battle.apart:
        return (battle.standing_at[hex_],) if hex_ in battle.standing_at else ()
    return tuple(battle.living_in.get(hex_, ()))


def caught(battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return who must get away from a burning hex: who is in it, below or above, and who is on the platform
    of the tower that burns.
    """
    found = set(inside(battle, hex_))
    if hex_ in battle.apart:
        return tuple(found)
    for thing in flames.standing_in(battle, hex_):
        if thing.kind == flames.TOWER:
            found |= {
                battle.standing_at[place] for place in _platform(thing.at) if place in battle.standing_at
            }
    return tuple(sorted(found))


def _platform(at: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{hex_of(place)}@{TOP}" for place in at)


@rule("S3.54c")
def wake(rules: Rules, play: Play[Battle], id_: str, hex_: str, cause: int) -> None:
    """Roll for a stunned figure in the flames: it comes to at once, or dies."""
    label = f"wake/{id_}/{hex_}"
    table = rules.tables["stunned_in_fire"]
    sides = die_faces(table)
    die = play.roll(label, sides)[0]
    found = str(row_of(table, die)["result"])
    full, said = f"{play.cursor}/{label}", str(table["key"][found])
    play.happen(
        Rolled(full, sides, (die,), "S3.54c", "stunned_in_fire", "", f"die {die}", (), die, found, said)
    )
    if found == WAKES:
        play.happen(StateChanged(id_, STUNNED, HEALTHY, str(play.state.at), cause, "S3.54c"))
    else:
        counter.hurt(rules, play, id_, found, cause, "S3.54c")


@rule("S3.54a")
def leave(rules: Rules, play: Play[Battle], id_: str, cause: int, rule: str = "S3.54a") -> None:
    """Let a figure leave the flames at once, a hex far and for nothing, where its owner wants; one that has
    no way stays in them.
    """
    unit = play.state.units[id_]
    ways = exits(rules, play.state, unit)
    if not ways:
        return
    ranked = farthest_first(play.state, unit, list(ways))
    to = choices.pick(
        rules,
        play,
        about="retreat",
        unit=id_,
        choices=ranked,
        default=ranked[0],
        rule=rule,
        why=f"{unit.at[0]} burns",
        wanted=_wanted(rules, play.state, ranked),
    )
    there = ways[to]
    tails = (unit.at[1], there[1]) if riding.two_hexes(unit) else ()
    play.happen(Retreated(id_, (unit.at[0], there[0]), cause, rule, tails))


def exits(rules: Rules, battle: Battle, unit: Unit) -> dict[str, tuple[str, ...]]:
    """Return where a figure may get out of the flames, and how it stands then: free places beside it that do
    not burn.

    From the platform of a tower that leads off it, where anything does: onto the wall, or down where it does
    not burn. Else one who is not in the flames himself stays where he is, and one who is goes to another part
    of the platform.
    """
    if riding.two_hexes(unit):
        ends = {hex_: pair.hexes(there) for hex_, there in riding.giving_way(riding.figure(unit.at)).items()}
        out = {hex_: at for hex_, at in ends.items() if not any(flames.burns(battle, there) for there in at)}
        return {
            hex_: at
            for hex_, at in out.items()
            if may_flee_to(rules, battle, unit, unit.at[hex_ != at[0]], hex_)
        }
    here = unit.at[0]
    free = [there for there in battle.beside(here) if may_flee_to(rules, battle, unit, here, there)]
    unsafe = _of_burning_towers(battle)
    off = [there for there in free if there not in unsafe]
    burns = flames.burns(battle, flames.spot(battle, here))
    return {there: (there,) for there in off or (free if burns else ())}


def _of_burning_towers(battle: Battle) -> frozenset[str]:
    """Return the places on the platforms of towers of which a part burns."""
    towers = (
        thing
        for thing in battle.things.values()
        if thing.kind == flames.TOWER and flames.engine_burns(battle, thing) and not battle.apart
    )
    return frozenset(place for thing in towers for place in _platform(thing.at))


def in_danger(battle: Battle, unit: Unit) -> str:
    """Return what burns under a figure: the hex it is in, else the tower on whose platform it is; empty if
    nothing does.
    """
    spots = (flames.spot(battle, place) for place in unit.at)
    hex_ = next((spot for spot in spots if flames.burns(battle, spot)), "")
    towers = (
        thing
        for thing in battle.things.values()
        if thing.kind == flames.TOWER and flames.engine_burns(battle, thing) and not battle.apart
    )
    return hex_ or next((thing.id for thing in towers if unit.at and unit.at[0] in _platform(thing.at)), "")


def may_flee_to(rules: Rules, battle: Battle, unit: Unit, here: str, there: str) -> bool:
    """Tell whether a figure may flee from one place to another: there is a way, nobody stands there, and it
    does not burn.
    """
    if hex_of(there) not in battle.field.ground or not stacking.may_stop(rules, battle, unit, there):
        return False
    if mantlets.no_way_back(battle, here, there):
        return False
    return step.can_pass(rules, battle, unit, here, there) and not step.leaps(rules, battle, unit, there)


def farthest_first(battle: Battle, unit: Unit, places: Sequence[str]) -> list[str]:
    """Return places by how far they are from the nearest enemy, the farthest first; ties keep their order."""
    others = (
        other
        for other in battle.units.values()
        if battle.foes(unit, other) and other.living and other.kind == "man"
    )
    foes = [hex_ for other in others for hex_ in other.hexes]
    return sorted(places, key=lambda place: -min((distance(hex_of(place), foe) for foe in foes), default=0))


def _wanted(rules: Rules, battle: Battle, ranked: Sequence[str]) -> Callable[[str], str]:
    def wanted(said: str) -> str:
        verb, *rest = said.split()
        if verb == "toward":
            return min(ranked, key=lambda place: distance(hex_of(place), hex_of(rest[0])))
        if verb == "cover":
            return min(ranked, key=lambda place: -cover.rank(cover.of_ground(rules, battle, place)))
        return next((place for place in rest if place in ranked), "") if verb == "to" else ranked[0]

    return wanted


# --- a turn later


def burn(rules: Rules, play: Play[Battle]) -> None:
    """Let the fires that are due spread, hurt who is still in them, count their turns, and burn down what has
    burnt long enough.
    """
    due = [fire for fire in flames.fires(play.state) if is_due(play.state, fire)]
    spread(rules, play, due)
    for fire in due:
        if not flames.kindling(rules, play.state, fire.at):
            if flames.burns(play.state, fire.at):
                play.happen(FeatureGone(fire.at, FIRE, "S3.55d"))
        elif burnt_out(rules, fire):
            burn_down(rules, play, fire.at)
        else:
            again = FeatureChanged(fire.at, FIRE, turns=marker(fire.turns), lit_by=fire.lit_by, rule="S3.55c")
            suffer(rules, play, fire.at, again.turns, play.happen(again))


@rule("S3.52a")
def is_due(battle: Battle, fire: Feature) -> bool:
    """Tell whether it is the end of the player turn after which he who lit a fire is to play: then it is seen
    whether it spreads.
    """
    return sequence.side_after(battle) == fire.lit_by


def spread(rules: Rules, play: Play[Battle], fires: Sequence[Feature]) -> None:
    """Roll, once for each hex beside fires that are due, whether it catches fire too; in the order of the
    hexes.
    """
    beside: dict[str, Feature] = {}
    for fire in fires:
        for hex_ in next_to(rules, play.state, fire.at) if still_burns(play.state, fire) else ():
            if within_reach(rules, play.state, hex_):
                beside.setdefault(hex_, fire)
    for hex_, fire in sorted(beside.items()):
        if catches(rules, play, hex_):
            ignite(rules, play, hex_, fire.lit_by, len(play.events) - 1, "S3.52c")


def next_to(rules: Rules, battle: Battle, place: str) -> tuple[str, ...]:
    """Return where a fire may spread to, and from where it is fought: the hexes round it, or what the thing
    says that burns place by place.
    """
    beside = family.of(rules).fire_next_to
    if beside is None or place not in battle.apart:
        return neighbours(hex_of(place))
    return beside(battle, place)


@rule("S3.52d")
def still_burns(battle: Battle, fire: Feature) -> bool:
    """Tell whether a fire burns yet: one that the enemy has put out in his turn spreads no more."""
    return flames.burns(battle, fire.at)


@rule("S3.52b")
def within_reach(rules: Rules, battle: Battle, hex_: str) -> bool:
    """Tell whether a fire beside a hex may spread to it: something in it can burn, and does not yet."""
    return bool(flames.kindling(rules, battle, hex_)) and not flames.burns(battle, hex_)


@rule("S3.52c")
def catches(rules: Rules, play: Play[Battle], hex_: str) -> bool:
    """Roll whether a hex beside a fire catches fire: one die, however many of its neighbours burn."""
    said = {True: f"the fire spreads to {hex_}", False: f"{hex_} does not catch fire"}
    return rolled(rules, play, f"spread/{hex_}", "spread", "S3.52c", said)


@rule("S3.54a")
def suffer(rules: Rules, play: Play[Battle], hex_: str, turns: int, cause: int) -> None:
    """Wound those who are still in a fire in the turn after it broke out, and kill them in the one after
    that.
    """
    effect = "wounded" if turns == flames.table(rules)["burning"]["wounded_in"] else "killed"
    for id_ in inside(play.state, hex_):
        counter.hurt(rules, play, id_, effect, cause, "S3.54a")
    if (under := family.of(rules).under_fire) is not None:
        for id_ in under(play.state, hex_):
            counter.hurt(rules, play, id_, effect, cause, "A4.2.9f")


@rule("S3.55c")
def marker(turns: int) -> int:
    """Return the number of the marker that is laid after one: how many turns a hex has burnt, the first of
    them counted.
    """
    return turns + 1


# --- burnt down


@rule("S3.55a")
def burnt_out(rules: Rules, fire: Feature) -> bool:
    """Tell whether a hex has burnt three turns without a break, so that everything in it is destroyed."""
    return bool(fire.turns >= flames.table(rules)["burning"]["turns_to_destroy"])


@rule("S3.55b")
def whole_engines(battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return the siege engines that are lost with a hex: those of which any part stood in it."""
    return tuple(thing.id for thing in flames.standing_in(battle, hex_) if thing.kind in flames.ENGINES)


def other_things(battle: Battle, hex_: str) -> tuple[str, ...]:
    """Return everything else that lies or stands in a hex."""
    return tuple(thing.id for thing in flames.standing_in(battle, hex_) if thing.kind not in flames.ENGINES)


def burn_down(rules: Rules, play: Play[Battle], hex_: str) -> None:
    """Destroy what was in a hex; whoever stands yet on the platform of a tower that falls in dies with it."""
    if hex_ in play.state.apart and (chars := family.of(rules).chars) is not None:
        chars(rules, play, hex_)
        return
    lost = (*whole_engines(play.state, hex_), *other_things(play.state, hex_))
    falls = {id_: _by_hexes(rules, play.state, id_) for id_ in lost}
    at = [place for id_ in lost for place in ((hex_,) if falls[id_] else play.state.things[id_].at)]
    above = [play.state.standing_at[place] for place in _platform(at) if place in play.state.standing_at]
    for id_ in sorted(set(above)):
        counter.hurt(rules, play, id_, "killed", -1, "S3.54a")
    for id_ in lost:
        if id_ not in play.state.things:
            continue  # it lay on what was lost before it, and went with that
        rule_id = "S3.55b" if play.state.things[id_].kind in flames.ENGINES else "S3.55a"
        if fall := falls[id_]:
            fall(rules, play, play.state.things[id_], hex_, BURNT, rule_id, -1)
            continue
        stands = flames.ruin(rules, play.state, play.state.things[id_])
        play.happen(
            ThingChanged(id_, stands=stands, rule=rule_id) if stands else ThingLost(id_, BURNT, rule_id)
        )
    for left in ashes(rules, play.state, hex_):
        play.happen(left)
    for gone in goes_out(rules, play.state, (hex_, *map(hex_of, at))):
        play.happen(gone)


def _by_hexes(
    rules: Rules, battle: Battle, id_: str
) -> Callable[[Rules, Play[Battle], Thing, str, str, str, int], None] | None:
    """Return what lets a thing lose a hex by itself; None where it is lost whole."""
    kind = family.of(rules).kinds.get(battle.things[id_].kind)
    return kind.falls if kind else None


@rule("S3.55d")
def ashes(rules: Rules, battle: Battle, hex_: str) -> tuple[FeatureChanged, ...]:
    """Return what becomes of the ground where a tent has burnt: it is flat, and shots pass it; and of planks
    that were ground themselves.
    """
    became = family.of(rules).planks.get(flames.planks(rules, battle, hex_), "")
    became = BURNT if flames.is_tent(battle, hex_) else became
    return (FeatureChanged(hex_, became, rule="S3.55d"),) if became else ()


@rule("S3.55d")
def goes_out(rules: Rules, battle: Battle, hexes: Iterable[str]) -> tuple[FeatureGone, ...]:
    """Return the fires that go out because nothing is left that could burn, in the order of the hexes."""
    found = (
        hex_
        for hex_ in sorted(set(hexes))
        if flames.burns(battle, hex_) and not flames.kindling(rules, battle, hex_)
    )
    return tuple(FeatureGone(hex_, FIRE, "S3.55d") for hex_ in found)
