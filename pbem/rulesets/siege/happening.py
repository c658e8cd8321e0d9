"""What an event makes of a battle: the new values it states, and no rule."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.sequence import Cursor
from pbem.rulesets.siege.events import (
    Acted,
    Advanced,
    Asked,
    Bombarded,
    BranchTaken,
    Checked,
    Chosen,
    DayBegan,
    Dismounted,
    DrawOffered,
    EngineAimed,
    Entered,
    FeatureChanged,
    FeatureGone,
    Fell,
    FieldCleared,
    FileEnded,
    Fought,
    GameEnded,
    Healed,
    HealingSet,
    Hitched,
    Instructed,
    JobBegan,
    JobBroken,
    JobDone,
    LadderRaised,
    LadderToppled,
    Led,
    Left,
    Misfired,
    Mounted,
    Moved,
    OilPoured,
    OrderRead,
    OrderSkipped,
    Panicked,
    PhaseBegan,
    PhaseEnded,
    Placed,
    Planned,
    Rallied,
    RamStruck,
    Repaired,
    Resigned,
    Retreated,
    Rolled,
    Routed,
    Said,
    Scored,
    Shot,
    Skilled,
    StateChanged,
    ThingChanged,
    ThingLost,
    ThingMoved,
    Thrown,
    TurnBegan,
    Turned,
    WallHeld,
)
from pbem.rulesets.siege.state import TOP, Battle, Feature, Instructions, Job, Thing, Unit


def apply(battle: Battle, event: object) -> Battle:
    """Return the battle after an event; raise TypeError for what is not one."""
    units = battle.units
    match event:
        case PhaseBegan():
            fresh = {id_: replace(units[id_], did=()) for id_ in event.fresh}
            bare = {id_: replace(fresh.get(id_, unit), shelter="") for id_, unit in units.items() if unit.shelter}
            at = Cursor(event.phase, event.turn, event.side, event.day, event.part)
            return battle.changed(at=at, units=_standing_near({**units, **fresh, **bare}, event))
        case GameEnded():
            over = replace(battle.at, phase="over")
            return battle.changed(
                at=over, winner=event.winner, grade=event.grade, why=event.why, score={**battle.score, **dict(event.score)}
            )
        case Instructed():
            entry = Instructions(event.seat, event.orders, event.everyone, event.figures)
            return battle.changed(standing=dict(sorted({**battle.standing, event.seat: entry}.items())))
        case FileEnded():
            return battle.changed(ended=dict(sorted({**battle.ended, event.seat: event.at}.items())))
        case Placed():
            return battle.with_units(replace(units[event.unit], at=event.at, on=event.on or units[event.unit].on))
        case Entered() | Moved() | Turned():
            spent = {**battle.spent, event.unit: battle.spent.get(event.unit, 0) + event.cost}
            moved = replace(units[event.unit], at=ends_at(event), did=_done(units[event.unit], "moved"))
            return battle.with_units(moved).changed(spent=spent)
        case PhaseEnded():
            return battle.changed(spent={}) if battle.spent else battle
        case Retreated() | Advanced():
            return battle.with_units(replace(units[event.unit], at=ends_at(event)))
        case Panicked() | Routed():
            mood = "panic" if isinstance(event, Panicked) else "rout"
            did = units[event.unit].did if event.at_once else _done(units[event.unit], "moved")
            return battle.with_units(replace(units[event.unit], at=ends_at(event), mood=mood, did=did))
        case Rallied():
            return battle.with_units(replace(units[event.unit], mood=""))
        case Left():
            away = (event.unit, units[event.unit].on) if units[event.unit].on else (event.unit,)
            return battle.with_units(*(replace(units[id_], at=(), left=True) for id_ in away))
        case Mounted():
            return battle.with_units(replace(units[event.unit], on=event.horse, at=event.at))
        case Dismounted() | Thrown():
            return battle.with_units(replace(units[event.unit], on="", at=event.at))
        case Fell():
            return battle.with_units(replace(units[event.unit], at=event.at))
        case Led():
            return battle.with_units(replace(units[event.unit], captive_of=event.side))
        case Skilled():
            return battle.with_units(replace(units[event.unit], skill=event.skill))
        case HealingSet():
            return battle.with_units(replace(units[event.unit], heals=event.day))
        case Healed():
            return battle.with_units(replace(units[event.unit], heals=0))
        case ThingMoved():
            thing = replace(battle.things[event.thing], at=event.at, facing=event.facing or battle.things[event.thing].facing)
            along = {id_: replace(units[id_], at=(place,)) for id_, place in event.passengers}
            for id_ in event.crew:
                along[id_] = replace(along.get(id_, units[id_]), did=_done(units[id_], "moved"))
            return battle.changed(things={**battle.things, thing.id: thing}).with_units(*along.values())
        case RamStruck():
            worked = [replace(units[id_], did=_done(units[id_], "struck")) for id_ in event.crew]
            ram = replace(battle.things[event.thing], struck=event.struck)
            return battle.changed(things={**battle.things, ram.id: ram}).with_units(*worked)
        case ThingChanged():
            return battle.changed(things={**battle.things, event.thing: _changed(battle.things[event.thing], event)})
        case LadderRaised():
            up = replace(battle.things[event.thing], at=event.at, facing=event.facing, stands="raised", by=())
            return battle.changed(things={**battle.things, up.id: up})
        case LadderToppled():
            down = replace(battle.things[event.thing], at=event.at, facing="", stands="lying", by=())
            return battle.changed(things={**battle.things, down.id: down})
        case OilPoured():
            return battle.with_units(replace(units[event.by], did=_done(units[event.by], "poured")))
        case ThingLost():
            above = {f"{place}@{TOP}": place for place in battle.things[event.thing].at}
            fallen = [replace(unit, at=(above[unit.at[0]],)) for unit in units.values() if unit.at and unit.at[0] in above]
            return battle.changed(things={id_: thing for id_, thing in battle.things.items() if id_ != event.thing}).with_units(*fallen)
        case FeatureChanged():
            feature = Feature(
                event.at, event.is_, event.damage, event.turns, event.lit_by, event.check, bombarded=event.bombarded, last=event.last
            )
            return battle.changed(features=dict(sorted({**battle.features, (event.at, event.is_): feature}.items())))
        case FeatureGone():
            return battle.changed(features={key: feature for key, feature in battle.features.items() if key != (event.at, event.is_)})
        case Planned():
            log = replace(battle.log, assaults=event.assaults or battle.log.assaults)
            return battle.changed(at=replace(battle.at, part=event.plan), log=log)
        case EngineAimed():
            aimed = replace(battle.things[event.thing], aim=event.at, struck=event.since)
            return battle.changed(things={**battle.things, event.thing: aimed})
        case Repaired():
            return battle.changed(things={**battle.things, event.thing: replace(battle.things[event.thing], lost=0, repair_until=0)})
        case FieldCleared():
            things = {**battle.things, **{thing.id: thing for thing in event.things}}
            return battle.changed(things=things, units={**units, **{id_: _off_the_map(units[id_]) for id_ in event.units}})
        case Acted():
            return battle.with_units(replace(units[event.unit], did=_done(units[event.unit], event.did)))
        case Hitched():
            return battle.changed(things={**battle.things, event.thing: replace(battle.things[event.thing], hitched=event.hitched)})
        case Shot():
            return battle.with_units(replace(units[event.shooter], did=_done(units[event.shooter], "shot")))
        case Fought():
            here = str(battle.at)
            attackers = [replace(units[id_], fought=here, did=_done(units[id_], "fought")) for id_ in event.attackers]
            defenders = [replace(units[id_], fought=here) for id_ in event.defenders]
            return battle.with_units(*attackers, *defenders)
        case StateChanged():
            return battle.with_units(replace(units[event.unit], state=event.is_, since=event.since))
        case Checked():
            return battle.with_units(replace(units[event.unit], checked=event.since))
        case JobBegan():
            return battle.with_units(replace(units[event.unit], job=Job(event.do, event.what, event.since)))
        case JobDone() | JobBroken():
            return battle.with_units(replace(units[event.unit], job=None))
        case Scored():
            return battle.changed(score=dict(sorted({**battle.score, event.side: event.total}.items())))
        case Resigned():
            return battle.changed(resigned=tuple(sorted({*battle.resigned, event.side})))
        case DrawOffered():
            sides = {*battle.draws, event.side} if event.open else {*battle.draws} - {event.side}
            return battle.changed(draws=tuple(sorted(sides)))
        case Chosen(about="doorway"):
            return battle.with_units(replace(units[event.unit], shelter=event.choice))
        case (
            TurnBegan() | DayBegan() | OrderRead() | OrderSkipped() | BranchTaken() | Asked() | Chosen() | Rolled()
            | Misfired() | Said() | Bombarded() | WallHeld()
        ):  # fmt: skip
            return battle
        case _:
            raise TypeError(f"{event!r} is not an event of this ruleset")


def _standing_near(units: dict[str, Unit], event: PhaseBegan) -> dict[str, Unit]:
    """Return units, at the beginning of a player turn, with what is said of who has stood beside something that could burn."""
    if event.phase == "first_missile":
        said = {id_: tuple(where) for id_, *where in event.near}
        units |= {id_: replace(unit, stood=said.get(id_, ())) for id_, unit in units.items() if unit.stood or id_ in said}
    return units


def _changed(thing: Thing, event: ThingChanged) -> Thing:
    """Return a thing with what an event says of it: what is given is new, what is named as cleared is empty."""
    names = ("stands", "facing", "by", "crew", "loaded", "lost", "repair_until", "struck", "crew_fought")
    empty = Thing("", "")
    given = {name: getattr(event, name) for name in names if getattr(event, name)}
    return replace(thing, **{**given, **{name: getattr(empty, name) for name in event.cleared}})


def _off_the_map(unit: Unit) -> Unit:
    """Return a figure as it is when an assault is over: nowhere on the map, and with nothing on its hands."""
    return replace(unit, at=(), on="", left=False, did=(), job=None, fought="", checked="", shelter="")


def ends_at(event: Entered | Moved | Turned | Retreated | Advanced | Panicked | Routed) -> tuple[str, ...]:
    """Return the places of a figure after it went somewhere: head and tail, or the one hex."""
    return (event.path[-1], event.tails[-1]) if event.tails else (event.path[-1],)


def _done(unit: Unit, what: str) -> tuple[str, ...]:
    return unit.did if what in unit.did else (*unit.did, what)
