"""Mangonels in real time: who serves one, when and how far it throws, where the stone comes down and what it
does there.

How far a stone deviates is ``scatter``, what it does to walls ``damage``. What engines do day by day is
``bombardment`` of Siege.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Path, Problem
from pbem.core.rule import rule
from pbem.core.ruleset import Ruleset
from pbem.core.scene import Trace
from pbem.core.sequence import parse_cursor
from pbem.core.table import die_faces
from pbem.geometry.hex import distance, hex_of, neighbours, split_place
from pbem.rulesets.anarchy import damage, hands, hoarding_siege, scatter, siege_tower
from pbem.rulesets.anarchy.events import Hurled
from pbem.rulesets.siege.combat import shooting
from pbem.rulesets.siege.ground import counter
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.orders import conditions
from pbem.rulesets.siege.sight import cover, lines
from pbem.rulesets.siege.state.deed import Deed, JudgingOf, Needs, Words
from pbem.rulesets.siege.state.events import Rolled, ThingChanged
from pbem.rulesets.siege.state.family import Kind, where_there_is
from pbem.rulesets.siege.state.line import Aim
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import BELOW, HEALTHY, Battle, Thing, Unit, is_prisoner
from pbem.rulesets.siege.things import ballista, battering, names

Rules = Ruleset[Battle]
MANGONEL: Final = "mangonel"
SERVED: Final = ballista.SERVED
ENGINEER: Final = ballista.TECHNICIAN
SPLINTERS: Final = "splinters"
BAND: Final = "short"
"""The range at which splinters are read."""


# --- where it stands


def mangonels(battle: Battle) -> list[Thing]:
    """Return the mangonels on the map, by id."""
    if not battle.things:
        return []
    return [
        thing
        for _, thing in sorted(battle.things.items())
        if thing.kind == MANGONEL and thing.at and not thing.away
    ]


@rule("A5.1.2e")
@where_there_is(MANGONEL)
def fills(battle: Battle, unit: Unit, there: str) -> Problem | None:
    """Return that a mangonel fills a hex, where nobody goes; None if there is none."""
    thing = next((thing for thing in mangonels(battle) if hex_of(there) in thing.at), None)
    if thing is None:
        return None
    return Problem("ballista.bars", {"unit": unit.id, "hex": there, "thing": thing.id}, rule="A5.1.2e")


# --- who serves it


def row(rules: Rules) -> Any:
    """Return what the table of engines says of its service."""
    return rules.tables["engines_anarchy"]["served"][MANGONEL]


@rule("A5.1.1c")
def crew(rules: Rules, battle: Battle, thing: Thing, busy: Collection[str] = ()) -> tuple[str, ...]:
    """Return those who serve a mangonel, an engineer first: as many able figures of its side beside it as it
    takes, who do nothing else in this turn, nor serve another engine; none if they are not there. ``busy``
    are those who serve another one already.
    """
    near = [unit for unit in _beside(rules, battle, thing) if unit.id not in busy]
    men = [unit for unit in near if not unit.did and unit.job is None]
    experts = [unit.id for unit in men if person(battle, unit).class_ == ENGINEER][: row(rules)["engineers"]]
    others = [unit.id for unit in men if unit.id not in experts]
    found = (*experts, *others)[: row(rules)["men"]]
    return found if experts and len(found) == row(rules)["men"] else ()


def _beside(rules: Rules, battle: Battle, thing: Thing) -> list[Unit]:
    around = {there for hex_ in thing.at for there in neighbours(hex_)}
    near = (battle.units[id_] for id_ in battle.living_among(around))
    at_it = (unit for unit in near if hands.reach(rules, battle, unit, thing.at[0]))
    own = (unit for unit in at_it if unit.able and unit.kind == "man" and not unit.mood and not unit.on)
    own = (unit for unit in own if not is_prisoner(unit))
    return sorted((unit for unit in own if battle.allegiance(unit) == thing.side), key=lambda unit: unit.id)


@rule("A5.1.1c")
@where_there_is(MANGONEL)
def serves(rules: Rules, battle: Battle, unit: Unit) -> Problem | None:
    """Return that a figure has served a mangonel in this turn and does nothing else; None if it has not."""
    if SERVED not in unit.did or not any(unit.id in thing.crew for thing in mangonels(battle)):
        return None
    return Problem("mangonel.serves", {"unit": unit.id}, rule="A5.1.1c")


# --- how often, and how far


@rule("A5.1.2a")
def ready(rules: Rules, thing: Thing) -> bool:
    """Tell whether a mangonel throws in this turn: it was served in the three turns before."""
    return thing.loaded >= int(row(rules)["turns"]) - 1


def load(rules: Rules, play: Play[Battle]) -> None:
    """Count, at the end of a player turn, one more in which a mangonel of that side was served and did not
    throw; a turn without a crew is not counted.
    """
    busy: set[str] = set()
    for thing in mangonels(play.state):
        if thing.side != play.state.at.side or thrown_now(play.state, thing):
            continue
        men = crew(rules, play.state, thing, busy)
        busy |= {*men}
        if men and thing.loaded < int(row(rules)["turns"]) - 1:
            more = thing.loaded + 1
            play.happen(ThingChanged(thing.id, crew=men, loaded=more, rule="A5.1.2a"))


def thrown_now(battle: Battle, thing: Thing) -> bool:
    """Tell whether a mangonel has thrown in this player turn."""
    return bool(thing.struck) and parse_cursor(thing.struck).player_turn == battle.at.player_turn


def arc(rules: Rules) -> Mapping[str, Any]:
    """Return what the table says of how far it throws."""
    found: Mapping[str, Any] = rules.tables["engines_anarchy"]["throws"][MANGONEL]
    return found


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why a mangonel does not throw at a hex now; None if it does."""
    thing, aim = battle.things[order.what], hex_of(order.to[0])
    return not_ready(rules, battle, thing) or out_of_range(rules, thing, aim)


def not_ready(rules: Rules, battle: Battle, thing: Thing) -> Problem | None:
    """Return why a mangonel throws at nothing now; None if it only wants an aim."""
    if thing.kind != MANGONEL or not thing.at or thing.away:
        return Problem("mangonel.none", {"thing": thing.id}, rule="A5.1.2a")
    if thing.side != battle.at.side:
        return Problem("mangonel.not-yours", {"thing": thing.id, "side": thing.side})
    if not points(rules, thing, beside=False):
        return Problem("mangonel.damaged", {"thing": thing.id}, rule="A5.1.3a")
    if not ready(rules, thing):
        left = int(row(rules)["turns"]) - 1 - thing.loaded
        help_ = f"{left} more {'turn' if left == 1 else 'turns'} of service first"
        return Problem("mangonel.again", {"thing": thing.id}, rule="A5.1.2a", help=help_)
    if not crew(rules, battle, thing):
        told: dict[str, str | int] = {"thing": thing.id, "men": row(rules)["men"]}
        help_ = "they stand next to it and do nothing else in the turn"
        return Problem("mangonel.crew", told, rule="A5.1.1c", help=help_)
    return None


@rule("A5.1.2b")
def out_of_range(rules: Rules, thing: Thing, aim: str) -> Problem | None:
    """Return that a hex is nearer or farther than a mangonel throws; None if it is not."""
    far = distance(thing.at[0], aim)
    if arc(rules)["nearest"] <= far <= arc(rules)["farthest"]:
        return None
    told: dict[str, str | int] = {"thing": thing.id, "hex": aim, "range": far}
    help_ = f"it throws {arc(rules)['nearest']} to {arc(rules)['farthest']} hexes far"
    return Problem("mangonel.range", told, rule="A5.1.2b", help=help_)


# --- the throw


@rule("A5.1.2c", "A5.1.3a", "A5.1.1b")
def points(rules: Rules, thing: Thing, *, beside: bool) -> int:
    """Return the points of destruction of a stone in the hex in which it comes down, or in those beside it:
    less what the engine has lost.
    """
    worth = rules.tables[damage.TABLE]["points"]["mangonel_beside" if beside else "mangonel"]
    return max(int(worth) - thing.lost, 0)


def useless(rules: Rules, thing: Thing) -> bool:
    """Tell whether a mangonel has lost all its points."""
    return not points(rules, thing, beside=False)


KINDS: Final = {MANGONEL: Kind("battering", ground=ballista.ground, useless=useless, far_too=True)}


def hurl(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a mangonel throw at a hex, find where the stone comes down, and let it do there what it does."""
    thing, aim = play.state.things[order.what], hex_of(order.to[0])
    table = rules.tables[scatter.TABLE]
    faces = die_faces({"die": {"kind": table["dice"]["kind"]}})
    label = f"throw/{thing.id}"
    dice = play.roll(f"{label}/scatter", faces, int(table["dice"]["count"]))
    start, total = thing.at[0], sum(dice)
    down = comes_down(rules, start, aim, total)
    there = down if down in play.state.field.ground else ""
    there = hoarding_siege.stopped_by(play.state, start, there) or there if there else ""
    said = "the stone comes down " + (f"in {there}" if there else "off the map")
    full = f"{play.cursor}/{label}/scatter"
    play.happen(Rolled(full, faces, dice, "A5.1.2h", scatter.TABLE, row=total, result=there, said=said))
    cause = play.happen(thrown(rules, play.state, thing, aim, total, there))
    if there:
        strike(rules, play, thing.id, there, label, cause)


def thrown(rules: Rules, battle: Battle, thing: Thing, aim: str, total: int, there: str) -> Hurled:
    """Return the event of a throw."""
    men = crew(rules, battle, thing)
    return Hurled(thing.id, men, thing.at[0], aim, total, str(battle.at), there, "A5.1.2h")


@rule("A5.1.2h")
def comes_down(rules: Rules, start: str, aim: str, total: int) -> str:
    """Return the hex in which a stone comes down that was thrown from one hex at another."""
    return scatter.landed(rules.tables[scatter.TABLE]["rows"], start, aim, total)


def strike(rules: Rules, play: Play[Battle], id_: str, down: str, label: str, cause: int) -> None:
    """Let a stone come down: it kills, it throws splinters, and it strikes what stands there and beside."""
    crush(rules, play, down, cause)
    splinter(rules, play, id_, down, label)
    before = play.state.things[id_]
    lost = 0
    beside = (hex_ for hex_ in neighbours(down) if hex_ in play.state.field.ground)
    for hex_ in [
        one for one in (down, *beside) if not hoarding_siege.stopped_by(play.state, before.at[0], one)
    ]:
        worth = points(rules, before, beside=hex_ != down)
        name = f"{label}/{hex_}"
        lost += damage.blow(rules, play, hex_, worth, name=name, by=battering.STONES).lost
    suffer(rules, play, id_, lost, cause)


@rule("A5.1.3a")
def suffer(rules: Rules, play: Play[Battle], id_: str, lost: int, cause: int) -> None:
    """Let an engine lose points by its own throw, until it is repaired."""
    if lost and id_ in play.state.things:
        now = play.state.things[id_].lost + lost
        play.happen(ThingChanged(id_, lost=now, rule="A5.1.3a", cause=cause))


@rule("A5.1.2i")
def crush(rules: Rules, play: Play[Battle], down: str, cause: int) -> None:
    """Kill everybody in the hex in which a stone comes down, friend and foe, a rider with his horse; but for
    those in a tunnel beneath.
    """
    for unit_id in sorted(play.state.living_in.get(down, ())):
        unit = play.state.units[unit_id]
        if f"{down}@{BELOW}" in unit.at:
            continue
        for id_ in (unit_id, unit.on):
            if id_ and play.state.units[id_].living:
                counter.hurt(rules, play, id_, "killed", cause, "A5.1.2i")


@rule("A5.1.2j")
def splinter(rules: Rules, play: Play[Battle], id_: str, down: str, label: str) -> None:
    """Let everybody in the hexes beside a stone be shot at as by a ballista close by, each where he stood as
    it came down, and in the cover that he had there: all splinters fly at once, whoever they drive off first.
    """
    fell = play.state
    for unit_id in struck(fell, down):
        now = play.state.units[unit_id]
        target = replace(now, at=fell.units[unit_id].at)
        stone = as_shooter(fell, id_, bursts(fell, down, target))
        line = lines.line(rules, fell, stone, target)
        class_, rule_id = cover.cover(rules, fell, stone, target, line)
        if now.living and now.at and not cover.untouchable(class_):
            aimed, die = Aim(line, BAND, class_, rule_id), f"{label}/{SPLINTERS}/{unit_id}"
            shooting.loose(rules, play, stone, target, aimed, SPLINTERS, die)


def struck(battle: Battle, down: str) -> list[str]:
    """Return who is beside a hex in which a stone comes down, by id; a rider stands for his horse."""
    beside = battle.living_among(neighbours(down))
    return sorted(id_ for id_ in beside if id_ not in battle.rider_of and down not in battle.units[id_].hexes)


@rule("A5.1.2j")
def bursts(battle: Battle, down: str, target: Unit) -> str:
    """Return from where somebody gets the splinters of a stone: from the ground of the hex in which it came
    down, and in a siege tower from the floor on which he is, for it goes through them all.
    """
    place = siege_tower.at(down, split_place(target.at[0])[1])
    return place if siege_tower.holding(battle, place) else down


def as_shooter(battle: Battle, id_: str, down: str) -> Unit:
    """Return a stone as it shoots splinters: from where it came down, in the name of who served it."""
    man = battle.units[battle.things[id_].crew[0]]
    return replace(man, kind=SPLINTERS, at=(down,), on="", state=HEALTHY, skill=0)


def weapon_of(shooter: Unit) -> str:
    """Return the weapon in whose columns splinters are read; empty for who shoots himself."""
    return ballista.BALLISTA if shooter.kind == SPLINTERS else ""


# --- what is foreseen and drawn


def may_strike(rules: Rules, battle: Battle, order: Act) -> dict[str, int]:
    """Return the hexes of the map in which a stone may come down, with on how many throws of a hundred."""
    thing = battle.things[order.what]
    if not thing.at:
        return {}
    rows = rules.tables[scatter.TABLE]["rows"]
    found = scatter.reach(rows, thing.at[0], hex_of(order.to[0]))
    return {hex_: share for hex_, share in found.items() if hex_ in battle.field.ground}


def said(rules: Rules, battle: Battle, order: Act) -> str:
    """Return how far a stone goes and how surely, and what it does to what stands at its aim."""
    thing, aim = battle.things[order.what], hex_of(order.to[0])
    if not thing.at:
        return ""
    shares, worth = may_strike(rules, battle, order), points(rules, thing, beside=False)
    parts = [f"{distance(thing.at[0], aim)} hexes", f"in {aim} on {shares.get(aim, 0)} of 100 throws"]
    if column := damage.column(rules, battle, aim, worth):
        steps, _ = damage.chances(rules, battle, aim, worth)
        of = die_faces(rules.tables[damage.TABLE])
        parts.append(f"{worth} points there, column {column}: one step of damage on {steps} of {of}")
    return ", ".join(parts)


def risks(judging: JudgingOf, order: Act) -> None:
    """Reckon with what a stone may do to whoever is where it may come down, or beside."""
    hexes = may_strike(judging.rules, judging.battle, order)
    around = {there for hex_ in hexes for there in (hex_, *neighbours(hex_))}
    ids = judging.with_horses(judging.battle.living_among(around))
    judging.outlook.hurt |= ids
    judging.outlook.adrift |= ids


def follows(judging: JudgingOf, order: Act, path: Path) -> None:
    """Reckon with the throw: the engine has to be served anew, and its men do nothing else in this turn."""
    battle = judging.battle
    if not_ready(judging.rules, battle, battle.things[order.what]) is None:
        event = thrown(judging.rules, battle, battle.things[order.what], hex_of(order.to[0]), 0, "")
        judging.outlook.become(battle, event.applied(battle), sure=True)


def drawn(battle: Battle, event: Mapping[str, Any]) -> Iterator[Trace]:
    """Yield what a picture draws of a throw."""
    yield scatter.lobbed(battle, event, event["crew"])


# --- the order


def orders(rules: Rules, battle: Battle, seat: str, thing: Thing) -> Iterator[tuple[Act, None]]:
    """Yield the hexes at which a mangonel could throw that hold a wall, an enemy, or something of his."""
    if thing.kind != MANGONEL or not_ready(rules, battle, thing) is not None:
        return
    for hex_ in aims(rules, battle, thing):
        order = Act(HURL.id, what=thing.id, to=(hex_,))
        in_force = names.not_in_force(rules, order) is None
        if in_force and conditions.stands(rules, battle, "act", seat, order):
            yield order, None


def aims(rules: Rules, battle: Battle, thing: Thing) -> Sequence[str]:
    """Return the hexes with anything in them that a side would throw at, by number."""
    foes = {
        hex_
        for unit in battle.units.values()
        if unit.living and battle.allegiance(unit) != thing.side
        for hex_ in unit.hexes
    }
    built = {hex_ for hex_ in battle.field.ground if damage.standing(rules, battle, hex_)}
    return sorted(foes | built)


HURL: Final = Deed(
    id="hurl",
    sentences=(sentence("shoot", "{what:THING} throws at {to:HEX}", "mangonel1 throws at 0712"),),
    words=Words(
        "hurl",
        forms=("{names} throws at {place}",),
        tells=("throws at",),
        does=("throws",),
        unended=("throws at",),
    ),
    called="throws at",
    keys={"at": "to"},
    needs=Needs("mangonels", ("battering",)),
    kinds=(MANGONEL,),
    check=why_not,
    do=hurl,
    engine=True,
    rolls=True,
    things=(orders,),
    about=said,
    drawn="throw",
    risks=risks,
    follows=follows,
)
DEEDS: Final = (HURL,)
