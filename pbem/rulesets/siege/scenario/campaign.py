"""A siege from day to day: the plan of the day, what is cleared away in the evening, and how an assault
begins.

Which phase follows which is ``siege_days``, what engines do is ``bombardment``. Between assaults nobody
stands on the map: the wounded heal in camp and castle, the dead are buried. In an assault everybody begins
again as the scenario says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from pbem.core.dice import NoDice
from pbem.core.play import Choice, Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.core.sequence import SequenceOfPlay
from pbem.core.table import die_faces
from pbem.rulesets.siege.orders import carry_out, choices
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import Deed, Needs, Words, of
from pbem.rulesets.siege.state.events import (
    Asked,
    Chosen,
    FeatureGone,
    FieldCleared,
    Mounted,
    Placed,
    Planned,
)
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import DEAD, Battle, Feature, Thing
from pbem.rulesets.siege.state.unit import is_lost
from pbem.rulesets.siege.things import bombardment, works
from pbem.rulesets.siege.turn import siege_days
from pbem.rulesets.siege.turn.siege_days import ASSAULT, BOMBARD, DAY, LIFT, PLANS, REST

Rules = Ruleset[Battle]

REPEAT: Final = "repeat"
"""Key of the standing instruction that says whether the engines go on as yesterday where
nothing is ordered.
"""
LAST, NONE = "last", "none"


def with_sieges(rules: Rules) -> Rules:
    """Return the rules with the days of a siege, for scenarios that have one."""
    sequence = SequenceOfPlay((DAY, *rules.sequence.parts))
    follows = {**rules.follows, "evening": (close_of_day,), "morning": (bombardment.finish_repairs,)}
    return rules.amend(sequence=sequence, steps={**rules.steps, DAY.id: day}, follows=follows)


# --- what may be planned


def why_not_plan(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a plan is not legal now; None if it is."""
    if problem := _planned_otherwise(battle, order.what):
        return problem
    siege = battle.field.siege
    if order.what == ASSAULT and siege and no_more_assaults(siege.assaults, battle.log.assaults):
        return Problem(
            "campaign.no-more-assaults", {"most": siege.assaults}, help="bombard, rest, or lift the siege"
        )
    if order.what == BOMBARD and not any(_able(rules, battle, thing) for thing in _own(battle)):
        return Problem("campaign.no-engine", rule="S4.23a", help="repair them, rest, or make an assault")
    return None


def no_more_assaults(most: int, made: int) -> bool:
    """Tell whether a scenario allows no further assault."""
    return bool(most) and made >= most


@rule("S4.11b")
def excludes(plan: str, other: str) -> bool:
    """Tell whether two plans cannot both be carried out on one day: bombardment takes the day and leaves no
    room for anything else.
    """
    return bool(plan) and plan != other


def _planned_otherwise(battle: Battle, plan: str) -> Problem | None:
    before = siege_days.planned(battle)
    if not excludes(before, plan):
        return None
    help_ = "choose one of the two; a day of bombardment leaves no room for anything else"
    return Problem("campaign.planned", {"plan": before, "other": plan}, rule="S4.11b", help=help_)


def _own(battle: Battle) -> list[Thing]:
    return bombardment.engines(battle, siege_days.besieger(battle))


def _able(rules: Rules, battle: Battle, thing: Thing) -> bool:
    """Tell whether an engine can bombard on this day, or does so already."""
    if bombardment.out_of_use(rules, battle, thing) is not None or not bombardment.points(rules, thing):
        return False
    return bombardment.unserved(rules, battle, (thing.id,)) is None


def why_not_bombard(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why one of the engines of an order cannot bombard its hex on this day; None if all can."""
    if problem := _planned_otherwise(battle, BOMBARD):
        return problem
    found = (bombardment.why_not(rules, battle, battle.things[name], order.to[0]) for name in order.who)
    return first_problem(found) or bombardment.unserved(rules, battle, order.who)


def why_not_repair(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why one of the engines of an order cannot be repaired on this day; None if all can."""
    found = (bombardment.why_no_repair(rules, battle, battle.things[name]) for name in order.who)
    return first_problem(found) or bombardment.unserved(rules, battle, order.who)


# --- the plan of the day


def day(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Plan a day as ordered; who orders nothing at all goes on bombarding what he bombarded yesterday."""
    carry_out.carry_out(rules, play, files, DAY.id, {Act: act})
    if not siege_days.planned(play.state):
        _plan(play, REST if files or not _goes_on(rules, play) else BOMBARD)
    if siege_days.planned(play.state) == BOMBARD:
        for name in repeated(rules, play.state):
            bombardment.aim(play, name, play.state.things[name].aim)
    elif siege_days.planned(play.state) == ASSAULT:
        muster(play)


def act(rules: Rules, play: Play[Battle], seat: str, order: Act) -> Problem | None:
    """Carry out one order of the day; return why nothing came of it."""
    deed = of(rules, order)
    if deed is None or deed.check is None or deed.do is None:
        return Problem("orders.not-now", {"order": order.do})
    return (
        barred(rules, play.state, seat, order)
        or deed.check(rules, play.state, order)
        or deed.do(rules, play, order)
    )


def barred(rules: Rules, battle: Battle, seat: str, order: Act) -> Problem | None:
    """Return why a seat does not order something for a day that another might; None if it does."""
    return first_problem(bars(rules, battle, seat, order) for bars in family.of(rules).days.bars)


def plan(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Plan a day."""
    _plan(play, order.what)


def bombard(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Plan a day of bombardment, and aim engines."""
    _plan(play, BOMBARD)
    for name in order.who:
        bombardment.aim(play, name, order.to[0])


def repair(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Begin to repair engines."""
    for name in order.who:
        bombardment.repair(play, name)


def about_plan(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what there is to know of a plan of the day before it is given; nothing where it is not legal."""
    if why_not_plan(rules, battle, order) is not None:
        return ""
    if order.what == BOMBARD:
        again = ", ".join(f"{name} {battle.things[name].aim}" for name in repeated(rules, battle))
        return f"without another line: {again}" if again else "each engine at the wall that its line names"
    return ABOUT[order.what]


def about_shot(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what bombarding a wall may come to; nothing where it is not legal."""
    if why_not_bombard(rules, battle, order) is not None:
        return ""
    found = [bombardment.points(rules, battle.things[name]) for name in order.who]
    total = bombardment.together(found)
    die = die_faces(rules.tables["battering"])
    aimed = bombardment.beside_walls(rules, battle, order.to[0])
    if aimed is not None:
        hits, losses = aimed.chances(rules, total)
        return f"{aimed.what}, {total} points: of {die}, {hits} destroy it, {losses} damage to the engines"
    steps, losses = bombardment.chances(rules, battle, order.to[0], total)
    what = bombardment.what_stands(rules, battle, order.to[0])
    return f"{what}, {total} points: of {die}, {steps} a step of damage, {losses} damage to the engines"


def about_repair(rules: Rules, battle: Battle, order: Act) -> str:
    """Return when an engine is whole again; nothing where it is not legal."""
    return (
        f"whole on the morning of day {bombardment.ready_on(battle.at.day)}"
        if why_not_repair(rules, battle, order) is None
        else ""
    )


ABOUT: Final = {
    ASSAULT: "the setup follows, then game turns",
    REST: "nothing happens",
    LIFT: "you give the siege up",
}


def after(rules: Rules, battle: Battle, seat: str, order: Act) -> Battle:
    """Return the battle after an order of the day that is legal now; no die is rolled for any of them."""
    play = Play(battle, str(battle.at), apply, NoDice())
    act(rules, play, seat, order)
    return play.state


def _plan(play: Play[Battle], plan: str) -> None:
    battle = play.state
    if siege_days.planned(battle) != plan:
        assaults = battle.log.assaults + 1 if plan == ASSAULT else 0
        play.happen(Planned(siege_days.besieger(battle), plan, assaults))


def _goes_on(rules: Rules, play: Play[Battle]) -> bool:
    """Tell whether a besieger who ordered nothing goes on with the bombardment of yesterday: of itself he
    does.
    """
    if not repeated(rules, play.state, instructed=False):
        return False
    seat = next(iter(siege_days.commander(play.state)), "")
    said = instruction(play.state)
    if not choices.asks(rules, said):
        return said != NONE
    play.happen(Asked("", seat, REPEAT, "", "S4.21d"))
    answer = play.ask(
        seat=seat, about=REPEAT, unit="", rule="S4.21d",
        choices=(Choice("a", LAST), Choice("b", NONE)), default=LAST,
        why="no orders came for this day",
    )  # fmt: skip
    chosen = {"a": LAST, "b": NONE}.get(answer.value, answer.value)
    play.happen(Chosen(seat, REPEAT, "", chosen, answer.by, "S4.21d"))
    return chosen != NONE


def instruction(battle: Battle) -> str:
    """Return what the standing instructions of the besiegers' commander say of going on as yesterday."""
    standing = (battle.standing.get(seat) for seat in siege_days.commander(battle))
    return next((found.everyone.get(REPEAT, "") for found in standing if found), "")


def repeated(rules: Rules, battle: Battle, instructed: bool = True) -> tuple[str, ...]:
    """Return the engines without an order of today that bombard the hex of last time again, as long as it
    stands.
    """
    if instructed and instruction(battle) == NONE:
        return ()
    found: tuple[str, ...] = ()
    for thing in _own(battle):
        more = (*found, thing.id)
        able = thing.aim and bombardment.why_not(rules, battle, thing, thing.aim) is None
        if able and bombardment.unserved(rules, battle, more) is None:
            found = more
    return found


# --- an assault begins


def muster(play: Play[Battle]) -> None:
    """Let those stand where the scenario puts them who have a hex of their own, and those ride who begin on a
    horse.
    """
    for force in sorted(play.state.field.forces, key=lambda force: (bool(force.on), force.id)):
        unit = play.state.units[force.id]
        if unit.state == DEAD or unit.at or unit.on:
            continue
        if force.at:
            play.happen(Placed(force.id, force.at))
        elif force.on and play.state.units[force.on].state != DEAD:
            play.happen(Mounted(force.id, force.on, play.state.units[force.on].at))


# --- the evening


def close_of_day(rules: Rules, play: Play[Battle]) -> None:
    """Roll for the bombardment of the day; after an assault clear the field, first of fires, then of all who
    are on it, then the moat.
    """
    if not siege_days.under_siege(play.state.field):
        return
    bombardment.bombard(rules, play)
    _clear(rules, play, family.EVENING)
    gone = (unit for unit in play.state.units.values() if unit.at or unit.left or unit.on)
    units = tuple(sorted(unit.id for unit in gone if not is_lost(unit)))
    things = tuple(_put_back(rules, play.state))
    if units or things:
        play.happen(FieldCleared(units, things))
    _clear(rules, play, family.NIGHT)  # last: nobody and nothing may be left standing on it


def _clear(rules: Rules, play: Play[Battle], when: str) -> None:
    """Let be over what is over with the day, at one time of it."""
    for feature in sorted(play.state.features.values(), key=lambda feature: (feature.at, feature.is_)):
        if is_over(rules, feature, when):
            play.happen(FeatureGone(feature.at, feature.is_, rule="S2.2c"))


@rule("S2.2c")
def is_over(rules: Rules, feature: Feature, when: str) -> bool:
    """Tell whether what became of a hex is over with the day: fires are out by the evening, and filled moats
    are cleared in the night.
    """
    return family.of(rules).features[feature.is_].until == when


def _put_back(rules: Rules, battle: Battle) -> Iterator[Thing]:
    """Yield the things that begin the next assault otherwise than they ended this one, as they begin it."""
    kinds, ruins = family.of(rules).kinds, family.of(rules).days.ruins
    begins = {entry.thing.id: entry.thing for entry in battle.field.gear}
    begins |= {wagon.id: wagon for wagon in battle.field.wagons}
    begins |= {id_: fixture.thing for id_, fixture in battle.field.fixtures.items()}
    for id_, thing in sorted(battle.things.items()):
        found = begins.get(id_)
        if found is None or thing.kind in bombardment.ENGINES or kinds[thing.kind].stays:
            continue
        if thing.stands in ruins:
            continue
        hitched = tuple(animal for animal in found.hitched if battle.units[animal].state != DEAD)
        found = replace(found, lost=thing.lost, repair_until=thing.repair_until, hitched=hitched)
        if any(battle.units[bearer].state == DEAD for bearer in found.by):
            found = replace(found, by=(), stands="")
        if thing.at and not found.at and stands_where_it_stood(battle, thing):
            found = replace(found, at=thing.at, facing=thing.facing)
        if found != thing:
            yield found


@rule("S3.43b")
def stands_where_it_stood(battle: Battle, thing: Thing) -> bool:
    """Tell whether a thing that may be placed anew before each assault stands where it stood before, unless
    it is: a ballista does.

    One that stood on filled moat, which is open again over night, is placed anew.
    """
    return thing.kind == "ballista" and not any((hex_, works.FILLED) in battle.features for hex_ in thing.at)


# --- what a scenario may say of a siege


@rule("S2.31b")
def only_where_walls_fall(siege: bool, may: str) -> bool:
    """Tell whether something cannot be prepared in a setup because it comes of itself: rubble, in a siege,
    lies where walls fell.
    """
    return siege and may == "rubble"


# --- what is listed


def listed(rules: Rules, battle: Battle, seat: str) -> Iterator[Act]:
    """Yield every plan of the day that is legal, each engine with each wall that it may bombard, and each
    repair.
    """
    for lists in family.of(rules).days.lists:
        yield from lists(rules, battle, seat)
    if seat not in siege_days.commander(battle):
        return
    for plan in PLANS:
        order = Act("plan", what=plan)
        if why_not_plan(rules, battle, order) is None and barred(rules, battle, seat, order) is None:
            yield order
    for thing in _own(battle):
        if bombardment.out_of_use(rules, battle, thing) is None:
            for hex_ in bombardment.open_to(rules, battle):
                shot = Act("bombard", (thing.id,), to=(hex_,))
                if why_not_bombard(rules, battle, shot) is None:
                    yield shot
        mend = Act("repair", (thing.id,))
        if why_not_repair(rules, battle, mend) is None:
            yield mend


_NEEDS: Final = Needs("days of bombardment", ("battering",))
PLAN: Final = Deed(
    id="plan",
    sentences=(sentence("day", "{what:PLAN}", "assault", verbs="assault bombard rest lift"),),
    words=Words("plan", forms=("assault", "lift the siege"), tells=("assault",)),
    called="plan of the day",
    needs=_NEEDS,
    check=why_not_plan,
    do=plan,
    about=about_plan,
)
BOMBARDING: Final = Deed(
    id="bombard",
    sentences=(
        sentence("day", "{who:ENGINES} bombard/bombards {to:HEX}", "trebuchet1, mangonel2 bombard 0704"),
    ),
    words=Words(
        "bombard",
        forms=("{names} bombard[s] {place}...", "bombard"),
        tells=("bombard[s]",),
        does=("bombard[s]",),
        unended=("bombard[s]",),
    ),
    called="bombards",
    keys={"at": "to"},
    needs=_NEEDS,
    check=why_not_bombard,
    do=bombard,
    about=about_shot,
)
REPAIR: Final = Deed(
    id="repair",
    sentences=(sentence("day", "repair {who:ENGINES}", "repair mangonel1, trebuchet2"),),
    words=Words("repair", forms=("repair {name}...",), unended=("repair",)),
    called="is repaired",
    needs=_NEEDS,
    check=why_not_repair,
    do=repair,
    about=about_repair,
)


__all__ = ["BOMBARDING", "LIFT", "PLAN", "REPAIR", "after", "close_of_day", "day", "listed", "with_sieges"]
