"""Mounting and dismounting: who gets onto which horse, and where he stands when he has got off.

Both take a whole turn (``jobs``); being thrown is ``thrown``.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.play import Play
from pbem.core.problem import Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import around, distance, hex_of
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import movement, riding, thrown
from pbem.rulesets.siege.state.deed import Deed, Needs, Words, Work
from pbem.rulesets.siege.state.events import Dismounted, JobBegan, Led, Mounted
from pbem.rulesets.siege.state.field import Person
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Job, Unit
from pbem.rulesets.siege.things import leadable
from pbem.rulesets.siege.turn import jobs

Rules = Ruleset[Battle]


# --- why not


def why_not_mount(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a figure does not begin to mount a horse now; None if it does."""
    unit, horse = battle.units[order.who[0]], battle.units[order.what]
    names = {"unit": unit.id, "horse": horse.id}
    if problem := movement.time_to_move(rules, battle, unit) or jobs.too_late(rules, battle, unit, "mount"):
        return problem
    if unit.on:
        return Problem(
            "mounting.mounted",
            {"unit": unit.id, "horse": unit.on},
            rule="S3.33a",
            help=f"{unit.id} dismounts",
        )
    if not unit.at or not horse.at or not horse.living:
        return Problem("mounting.no-horse", names, rule="S3.33b")
    if horse.id in battle.rider_of:
        return Problem("mounting.ridden", {**names, "rider": battle.rider_of[horse.id]}, rule="S3.33b")
    if any(horse.id in thing.hitched for thing in battle.things.values()):
        return Problem("mounting.hitched", names, rule="S5.11f", help="unhitch it first")
    if any(
        other.job and other.job.do == "mount" and other.job.what == horse.id
        for other in battle.units.values()
    ):
        return Problem("mounting.ridden", {**names, "rider": "another"}, rule="S3.33b")
    return (
        no_knight(unit, horse, person(battle, unit))
        or wounded(unit)
        or apart(rules, battle, unit, horse)
        or guarded(battle, unit, horse)
    )


def guarded(battle: Battle, unit: Unit, horse: Unit) -> Problem | None:
    """Return who holds a horse of another side, so that a figure cannot mount it; None if nobody does."""
    held = leadable.guarded(battle, unit, horse)
    if held is None:
        return None
    names = {"unit": unit.id, "horse": horse.id, "guard": held.args["guard"]}
    return Problem("mounting.guarded", names, rule=held.rule, help=held.help)


@rule("S3.33b")
def apart(rules: Rules, battle: Battle, unit: Unit, horse: Unit) -> Problem | None:
    """Return that a figure is not next to the horse it wants to mount, with nothing between them; None if it
    is.
    """
    here = unit.at[0]
    if any(next_to(rules, battle, here, there) for there in horse.hexes):
        return None
    names = {"unit": unit.id, "horse": horse.id, "here": here, "there": horse.at[0]}
    return Problem(
        "mounting.apart", names, rule="S3.33b", help="stand next to the horse at the beginning of the turn"
    )


def next_to(rules: Rules, battle: Battle, here: str, there: str) -> bool:
    """Tell whether two hexes lie side by side with no wall between them."""
    beside = distance(hex_of(here), hex_of(there)) == 1
    return beside and all(feature.passes for feature in terrain.between(battle, here, there))


@rule("S3.33c")
def no_knight(unit: Unit, horse: Unit, who: Person) -> Problem | None:
    """Return that a figure is not a knight: only knights mount, their own horses or those taken in battle;
    None if it is one.
    """
    if rides(who):
        return None
    names = {"unit": unit.id, "horse": horse.id}
    return Problem("mounting.no-knight", names, rule="S3.33c", help=f"{unit.id} leads {horse.id} to HEX")


def rides(who: Person) -> bool:
    """Tell whether somebody has values on horseback at all."""
    return "mounted_healthy" in who.states


@rule("S3.33e")
def wounded(unit: Unit) -> Problem | None:
    """Return that a wounded figure gets neither onto a horse nor off it; None if it is not wounded."""
    if unit.state != WOUNDED:
        return None
    return Problem(
        "mounting.wounded", {"unit": unit.id}, rule="S3.33e", help="he can still lead a horse, or ride on"
    )


def why_not_dismount(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a rider does not begin to dismount now, into this hex if he names one; None if he does."""
    unit = battle.units[order.who[0]]
    if problem := movement.time_to_move(rules, battle, unit) or jobs.too_late(
        rules, battle, unit, "dismount"
    ):
        return problem
    if not unit.on:
        return Problem("mounting.on-foot", {"unit": unit.id}, rule="S3.33a")
    if problem := wounded(unit):
        return problem
    horse = battle.units[unit.on]
    free = thrown.beside(rules, battle, unit, horse)
    if not free:
        return Problem("mounting.no-room", {"unit": unit.id, "horse": horse.id}, rule="S3.33d")
    if order.to and order.to[0] not in free:
        names = {"unit": unit.id, "hex": order.to[0], "horse": horse.id}
        return Problem("mounting.not-beside", names, rule="S3.33d", help="free are " + " ".join(free))
    return None


# --- the work


def begin(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Begin to mount a horse, or to dismount, which is done at the end of the turn."""
    who = order.who[0]
    what = order.what if order.do == "mount" else (*order.to, "")[0]
    job = jobs.begun(play.state, order.do, what)
    play.happen(JobBegan(who, job.do, job.what, job.since))


def still_there(rules: Rules, battle: Battle, unit: Unit, job: Job) -> bool:
    """Tell whether the horse can still be mounted, or is still under its rider and has a
    free hex beside it.
    """
    if job.do == "dismount":
        return bool(unit.on) and bool(thrown.beside(rules, battle, unit, battle.units[unit.on]))
    horse = battle.units[job.what]
    return (
        horse.living
        and horse.id not in battle.rider_of
        and apart(rules, battle, unit, horse) is None
        and wounded(unit) is None
    )


@rule("S3.33d")
def mount(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Put a figure on the horse, whose hexes it takes up from now on; a horse of the other side is in the
    hands of his.
    """
    unit, horse = play.state.units[id_], play.state.units[job.what]
    side = "" if horse.side == unit.side else unit.side
    if horse.captive_of != side:
        play.happen(Led(horse.id, side, id_, "S3.33c"))
    play.happen(Mounted(id_, horse.id, horse.at, "S3.33d"))


@rule("S3.33d")
def dismount(rules: Rules, play: Play[Battle], id_: str, job: Job) -> None:
    """Put a rider beside his horse, in the hex he named if it is free, else where his owner wants, else
    farthest from his enemies.
    """
    unit = play.state.units[id_]
    free = thrown.beside(rules, play.state, unit, play.state.units[unit.on])
    hex_ = job.what if job.what in free else thrown.landing(rules, play, unit, unit.on)
    play.happen(Dismounted(id_, unit.on, (hex_,), "S3.33d"))


# --- the orders


def orders_to_mount(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield the horses beside a figure on foot."""
    if not unit.on:
        horses = (
            id_ for id_ in battle.living_among(around(unit.hexes)) if riding.two_hexes(battle.units[id_])
        )
        yield from (Act("mount", (unit.id,), horse) for horse in horses)


def orders_to_dismount(rules: Rules, battle: Battle, unit: Unit) -> Iterator[Act]:
    """Yield where a rider may get off."""
    if unit.on:
        hexes = (
            ((), *((hex_,) for hex_ in thrown.beside(rules, battle, unit, battle.units[unit.on])))
            if unit.at
            else ((),)
        )
        yield from (Act("dismount", (unit.id,), to=hex_) for hex_ in hexes)


_RIDERS = Needs("horses and riders", ("riders",))
MOUNT = Deed(
    id="mount",
    sentences=(sentence("move", "{who:NAME} mounts {what:HORSE}", "hugh mounts bayard"),),
    words=Words(
        "mount", forms=("{names} mounts {name}",), tells=("mounts",), does=("mount[s]",), unended=("mounts",)
    ),
    called="mounts",
    needs=_RIDERS,
    named=lambda of, order: of.horse(order.what),
    check=why_not_mount,
    do=begin,
    work=Work("mounting", still_there, mount),
    alone=True,
    lists=orders_to_mount,
    at_hand=True,
)
DISMOUNT = Deed(
    id="dismount",
    sentences=(sentence("move", "{who:NAME} dismounts[ to {to:HEX}]", "hugh dismounts to 0712"),),
    words=Words(
        "dismount", forms=("{names} dismounts to {rest}",), tells=("dismounts",), does=("dismount[s]",)
    ),
    called="dismounts",
    needs=_RIDERS,
    check=why_not_dismount,
    do=begin,
    work=Work("dismounting", still_there, dismount),
    alone=True,
    lists=orders_to_dismount,
    at_hand=True,
)
