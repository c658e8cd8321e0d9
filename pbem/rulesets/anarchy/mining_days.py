"""The days of a siege with mines: what both sides order, the initiative, the fights underground, and the
evening.

Digging is the work of a day and needs no initiative; who has it may call the one fight of the day. Where and
how one digs is ``mining``, what becomes of the wall ``undermining``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.play import Play
from pbem.core.problem import Problem, first_problem
from pbem.core.rule import rule
from pbem.core.ruleset import Files, Ruleset
from pbem.geometry.hex import distance, hex_of
from pbem.rulesets.anarchy import bridge_days, door, mining, penthouse_days, throwing_days, undermining
from pbem.rulesets.anarchy.mine_events import InitiativeTaken, MineOrdered, MineRested, MineTaken
from pbem.rulesets.anarchy.mining import DUG, FIRED, HARD, REFILLED
from pbem.rulesets.siege.combat import aiming
from pbem.rulesets.siege.ground.character import person
from pbem.rulesets.siege.march import step
from pbem.rulesets.siege.orders import carry_out
from pbem.rulesets.siege.scenario import campaign, setup
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import Deed, Needs, Words
from pbem.rulesets.siege.state.events import Placed, Planned, Rolled
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.sentence import sentence
from pbem.rulesets.siege.state.state import BELOW, DEAD, Battle, Thing, Unit
from pbem.rulesets.siege.turn import siege_days
from pbem.rulesets.siege.turn.siege_days import ASSAULT, DAY, FIGHT, REST

Rules = Ruleset[Battle]
INITIATIVE: Final = "initiative"
DIG, REFILL, FIRE, CALL = "dig", "refill", "fire-props", "call-fight"
WORK: Final = {DIG: DUG, REFILL: REFILLED, FIRE: FIRED}
"""Deed -> what is done at a mine."""


def with_mining(rules: Rules) -> Rules:
    """Return the rules with mines, for scenarios that have them."""
    own = family.of(rules).days
    days = replace(
        own,
        all_plan=True,
        lists=(listed, bridge_days.listed, penthouse_days.listed),
        bars=(not_theirs,),
        record=(*own.record, record, penthouse_days.record),
        over=over,
    )
    follows = {
        **rules.follows,
        "evening": (evening, bridge_days.evening, penthouse_days.evening, *rules.follows.get("evening", ())),
    }
    return family.varied(rules, days=days).amend(steps={**rules.steps, DAY.id: day}, follows=follows)


# --- the initiative


@rule("A7.1.3a")
def winner(rules: Rules, battle: Battle, dice: dict[str, int]) -> str:
    """Return the side that has the initiative with these dice: the higher one, the besieger with so much
    more, and at the same number he.
    """
    more = int(rules.tables["initiative"]["besieger"])
    own = siege_days.besieger(battle)
    return max(dice, key=lambda side: (dice[side] + (more if side == own else 0), side == own))


def throw(rules: Rules, play: Play[Battle]) -> None:
    """Throw for the initiative of the day, one die for each side."""
    dice: dict[str, int] = {}
    for info in play.state.field.sides:
        name = f"{INITIATIVE}/{info.id}"
        dice[info.id] = play.roll(name, 10)[0]
        label = f"{play.cursor}/{name}"
        play.happen(Rolled(label, 10, (dice[info.id],), "A7.1.3a", said="for the initiative"))
    play.happen(InitiativeTaken(winner(rules, play.state, dice), "A7.1.3a"))


# --- the day


def day(rules: Rules, play: Play[Battle], files: Files) -> None:
    """Throw for the initiative, then plan the day as both sides have ordered, first the side that has it;
    what the besieged leave open the besieger may use.
    """
    throw(rules, play)
    first = play.state.log.initiative
    of = play.state.side_of_seat
    for own in (True, False):
        theirs = {seat: held for seat, held in files.items() if (of.get(seat) == first) is own}
        carry_out.carry_out(rules, play, theirs, DAY.id, {Act: act})
    if not siege_days.planned(play.state):
        play.happen(Planned(siege_days.besieger(play.state), REST))
    if siege_days.planned(play.state) == ASSAULT:
        no_digging(play)
    if siege_days.planned(play.state) in siege_days.BATTLES:
        bridge_days.called_off(play)
        penthouse_days.called_off(play)
        man(rules, play)
        campaign.muster(play)


def act(rules: Rules, play: Play[Battle], seat: str, order: Act) -> Problem | None:
    """Carry out one order of the day; return why nothing came of it."""
    if calls(order) and (problem := no_initiative(play.state, play.state.side_of_seat[seat])):
        return problem
    return campaign.act(rules, play, seat, order)


def calls(order: Act) -> bool:
    """Tell whether an order calls people to arms."""
    return order.do == CALL or (order.do, order.what) == ("plan", ASSAULT)


@rule("A6.3.8a", "A7.1.3e")
def no_initiative(battle: Battle, side: str) -> Problem | None:
    """Return that a side cannot call a fight today, because the other has the initiative and besieges, or
    fights already; None if it can. What the besieged do not use the besieger does.
    """
    holder = battle.log.initiative
    if side == holder or (side == siege_days.besieger(battle) and left_to_him(battle)):
        return None
    return Problem("mining.no-initiative", {"side": side, "holder": holder}, rule="A6.3.8a")


@rule("A7.1.3d")
def left_to_him(battle: Battle) -> bool:
    """Tell whether the besieged have left their initiative to the besieger, by calling no fight."""
    return siege_days.planned(battle) != FIGHT


@rule("A6.3.8b")
def no_digging(play: Play[Battle]) -> None:
    """Let nobody dig on the day of an assault, whoever was told to."""
    for mine in mining.mines(play.state):
        if mine.stands:
            play.happen(MineRested(mine.id, "A6.3.8b"))


# --- what is ordered


def not_theirs(rules: Rules, battle: Battle, seat: str, order: Act) -> Problem | None:
    """Return that the besieged order what only the besieger does, such as an assault; None of all else."""
    if order.do in (*WORK, CALL, bridge_days.PULL_DOWN, penthouse_days.BUILD) or seat in siege_days.commander(
        battle
    ):
        return None
    return Problem("mining.besieger", {"seat": seat}, help="NAMES dig HEX, or NAME calls a fight")


def side_of(battle: Battle, order: Act) -> str:
    """Return the side whose men are named."""
    return battle.units[order.who[0]].side


def why_not(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why some men do not dig, fill up or fire today; None if they do."""
    if siege_days.planned(battle) == ASSAULT:
        return Problem("mining.assault", {}, rule="A6.3.8b", help="leave the assault out, or the digging")
    side, hex_ = side_of(battle, order), order.to[0]
    problem = _WHY[order.do](rules, battle, side, hex_)
    mine = _mine(battle, order.do, side, hex_)
    if problem is not None or mine is None:
        return problem
    if order.do == FIRE:
        return first_problem(_alive(battle.units[id_]) for id_ in order.who)
    if problem := first_problem(penthouse_days.at_a_roof(battle, battle.units[id_]) for id_ in order.who):
        return problem
    now = mine
    for id_ in order.who:
        if problem := mining.why_not_work(rules, battle, battle.units[id_], now):
            return problem
        now = with_crew(now, (id_,))
        battle = battle.changed(things={**battle.things, now.id: now})
    return first_problem(
        bridge_days.at_a_bridge(battle, battle.units[id_]) for id_ in order.who
    ) or throwing_days.short(rules, battle, side, (), order.who)


_WHY: Final = {DIG: mining.why_not_dig, REFILL: mining.why_not_refill, FIRE: undermining.why_not_fire}


def _alive(unit: Unit) -> Problem | None:
    if unit.kind == "man" and unit.state != DEAD and not unit.left:
        return None
    return Problem("mining.unfit", {"unit": unit.id}, rule="A6.3.4a")


def _mine(battle: Battle, do: str, side: str, hex_: str) -> Thing | None:
    return mining.of_hex(battle, side, hex_) if do == DIG else mining.tunnelled(battle).get(hex_)


def with_crew(mine: Thing, who: Sequence[str]) -> Thing:
    """Return a mine with more men at it."""
    return replace(mine, crew=tuple(dict.fromkeys((*mine.crew, *who))))


def order_work(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let men work at a mine today, with those who do so already."""
    side, hex_ = side_of(play.state, order), order.to[0]
    mine = _mine(play.state, order.do, side, hex_)
    if mine is not None:
        crew = mine.crew if order.do == FIRE else with_crew(mine, order.who).crew
        since = f"d{play.state.at.day}.{DAY.id}"
        play.happen(MineOrdered(mine.id, hex_, WORK[order.do], crew, since, order.over, _RULES[order.do]))


_RULES: Final = {DIG: "A6.3.3a", REFILL: "A6.3.6d", FIRE: "A6.3.4a"}


def why_not_call(rules: Rules, battle: Battle, order: Act) -> Problem | None:
    """Return why nobody calls a fight today; None if somebody may."""
    siege = battle.field.siege
    if siege is None or not siege.fight:
        return Problem("mining.no-fights", {}, rule="A7.7.4a")
    plan = siege_days.planned(battle)
    if plan and plan != FIGHT:
        return Problem("campaign.planned", {"plan": plan, "other": FIGHT}, rule="A7.7.4a")
    return _alive(battle.units[order.who[0]])


@rule("A7.7.4a")
def call(rules: Rules, play: Play[Battle], order: Act) -> None:
    """Let a fight for the mines be the action of the day."""
    if siege_days.planned(play.state) != FIGHT:
        play.happen(Planned(side_of(play.state, order), FIGHT, rule="A7.7.4a"))


# --- told beforehand


def about(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what there is to know of a day's work before it is ordered; nothing where it is not legal."""
    if why_not(rules, battle, order) is not None:
        return ""
    side, hex_ = side_of(battle, order), order.to[0]
    mine = _mine(battle, order.do, side, hex_)
    if mine is None:
        return ""
    if order.do == FIRE:
        dice = sum(undermining.falls(rules, die) == undermining.COLLAPSE for die in range(1, 11))
        return f"{len(undermining.section(battle, hex_))} hexes; of 10, {dice} bring them down this evening"
    crew = mining.force(battle, mine, [battle.units[id_] for id_ in with_crew(mine, order.who).crew])
    if crew.leader is None:
        return "with no engineer among them nothing is done"
    count = mining.points(rules, crew.miners)
    told = mining.chances(rules, battle, hex_, count)
    said = f"{crew.leader.id} leads {len(crew.miners)}, {count} points: of 10, {told} are enough"
    return said + ("; twice, and hard work may hurt them" if order.over or mine.loaded == HARD else "")


def about_call(rules: Rules, battle: Battle, order: Act) -> str:
    """Return what a fight is, before it is called; nothing where it is not legal."""
    if why_not_call(rules, battle, order) is not None:
        return ""
    return f"if you have the initiative: the setup, then {battle.field.siege.fight} game turns at most"  # type: ignore[union-attr]


def listed(rules: Rules, battle: Battle, seat: str) -> Iterator[Act]:
    """Yield what each man of a seat may do at the mines today, and the calling of a fight by each."""
    side = battle.side_of_seat.get(seat, "")
    if not mining.mines(battle):
        return
    dug = [hex_ for mine in mining.mines(battle, side) for hex_ in mining.diggable(rules, battle, mine)]
    own = [hex_ for mine in mining.mines(battle, side) for hex_ in mine.at]
    for id_, unit in sorted(battle.units.items()):
        if unit.owner != seat:
            continue
        some = [
            Act(DIG, (id_,), to=(hex_,), over=hard) for hex_ in dict.fromkeys(dug) for hard in (False, True)
        ]
        some += [Act(REFILL, (id_,), to=(hex_,), over=hard) for hex_ in own for hard in (False, True)]
        some += [Act(FIRE, (id_,), to=(hex_,)) for hex_ in own]
        yield from (order for order in some if why_not(rules, battle, order) is None)
        if why_not_call(rules, battle, Act(CALL, (id_,))) is None:
            yield Act(CALL, (id_,))


def record(rules: Rules, battle: Battle) -> Iterator[str]:
    """Yield what stands of mines on the siege sheet: each with its tunnels, and each stretch of wall above
    them.
    """
    for mine in mining.mines(battle):
        dug = f"tunnelled {' '.join(mine.at)}" if mine.at else "no tunnels"
        yield f"{mine.id} of {mine.side}: {dug}"
        for walls in dict.fromkeys(undermining.section(battle, hex_) for hex_ in mine.at):
            count, most = len(walls & {*mine.at}), undermining.needed(rules, walls)
            fired = ", its props fired in vain" if (min(walls), mining.UNSAFE) in battle.features else ""
            said = f"{min(walls)} to {max(walls)}: {count} of {len(walls)} hexes tunnelled"
            yield f"{said}, {most} bring it down{fired}"


_NEEDS: Final = Needs("mines", (mining.MODULE,))


def _deed(id: str, said: str, sentences: tuple[str, str], words: Words, **more: Any) -> Deed:
    return Deed(
        id=id,
        sentences=(sentence("day", *sentences),),
        words=words,
        called=said,
        needs=_NEEDS,
        of_men=True,
        **{"check": why_not, "do": order_work, "about": about, **more},
    )


DEEDS: Final = (
    _deed(
        DIG,
        "digs",
        ("{who:NAMES} dig/digs {to:HEX}[over: at a forced pace]", "wat, tib dig 0704"),
        Words(DIG, forms=("{names} dig[s] {place}",), does=("dig[s]",), unended=("dig",)),
        keys={"at": "to", "forced": "over"},
    ),
    _deed(
        REFILL,
        "fills up",
        ("{who:NAMES} refill/refills {to:HEX}[over: at a forced pace]", "wat, tib refill 0704"),
        Words(REFILL, forms=("{names} refill[s] {place}",), does=("refill[s]",), unended=("refill",)),
        keys={"at": "to", "forced": "over"},
    ),
    _deed(
        FIRE,
        "burns the props",
        ("{who:NAME} burns the props at {to:HEX}", "odo burns the props at 0704"),
        Words("burn", forms=("{names} burns the props at {place}",), does=("burns",), unended=("burns",)),
        keys={"at": "to"},
    ),
    _deed(
        CALL,
        "calls a fight",
        ("{who:NAME} calls a fight", "odo calls a fight"),
        Words("call", forms=("{names} calls a fight",), does=("calls",), unended=("calls",)),
        check=why_not_call,
        do=call,
        about=about_call,
    ),
)


# --- a fight


def man(rules: Rules, play: Play[Battle]) -> None:
    """Let those who dig begin a fight where they work: who leads the besieger's in the shaft, one in each
    tunnel, the others in the shaft too, and in the court the rest of the besieged beside it.
    """
    for mine in mining.mines(play.state):
        crew = mining.force(play.state, mine, [play.state.units[id_] for id_ in mine.crew])
        led = crew.leader.id if crew.leader and mining.ours(play.state, mine) else ""
        for id_ in sorted(mine.crew, key=lambda id_: id_ != led):
            if play.state.units[id_].state == DEAD:
                continue
            places = free(rules, play.state, play.state.things[mine.id], id_)
            if place := next((place for place in places if id_ != led or hex_of(place) == place), ""):
                play.happen(Placed(id_, (place,)))


def free(rules: Rules, battle: Battle, mine: Thing, id_: str) -> Iterator[str]:
    """Yield the free places at a mine, the nearest to the work first."""
    shaft = mining.shaft(battle, mine)
    places = [*(f"{hex_}@{BELOW}" for hex_ in reversed(mine.at)), *shaft]
    if not mining.ours(battle, mine) and shaft:
        court = battle.field.ground[shaft[0]].floor
        near = (hex_ for hex_ in battle.field.ground if battle.field.ground[hex_].floor == court)
        places += sorted(near, key=lambda hex_: (distance(hex_, shaft[0]), hex_))
    taken = {place for unit in battle.units.values() if unit.living for place in unit.at}
    for place in places:
        if place not in taken and (
            hex_of(place) != place or setup.may_stand(rules, battle, battle.units[id_], place) is None
        ):
            yield place


@rule("A7.7.4f")
def over(rules: Rules, battle: Battle) -> bool:
    """Tell whether a fight is over before its time: blows or shots have fallen on this day, and now nobody
    is in reach of a besieger any more.
    """
    if not fought(battle):
        return False
    own = siege_days.besieger(battle)
    ours = [unit for unit in battle.units.values() if unit.side == own and unit.living]
    foes = [unit for unit in battle.units.values() if unit.side != own and unit.able]
    return not any(in_reach(rules, battle, foe, unit) for unit in ours for foe in foes)


def fought(battle: Battle) -> bool:
    """Tell whether there were blows on this day, or shots in the turn that ends."""
    today = f"d{battle.at.day}."
    return any(unit.fought.startswith(today) or "shot" in unit.did for unit in battle.units.values())


def in_reach(rules: Rules, battle: Battle, foe: Unit, unit: Unit) -> bool:
    """Tell whether somebody could strike or shoot at another from where he is."""
    near = {*battle.beside(foe.at[0])} & {*unit.at}
    if any(step.can_pass(rules, battle, foe, foe.at[0], there) for there in near):
        return True
    shoots = bool(person(battle, foe).missile)
    return shoots and not isinstance(aiming.aim(rules, battle, foe, unit), Problem)


# --- the evening


def evening(rules: Rules, play: Play[Battle]) -> None:
    """Do the work of the day at all mines, the besieger's first, and roll for walls that ought to have fallen
    before.
    """
    battle = play.state
    if not siege_days.under_siege(battle.field) or not mining.mines(battle):
        return
    for mine in mining.mines(battle):
        take_over(play, mine)
    undermining.late(rules, play)
    for mine in sorted(mining.mines(play.state), key=lambda mine: not mining.ours(play.state, mine)):
        if mine.stands == FIRED:
            undermining.fire(rules, play, mine)
        elif mine.stands:
            mining.work(rules, play, mine)
    for mine in mining.mines(play.state):
        if mine.stands:
            play.happen(MineRested(mine.id))  # of itself, which is not told


def silent(event: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether nothing is said of an event: as with doors, or men go home in the evening."""
    if bridge_days.silent(event) or penthouse_days.silent(event):
        return True
    return (event["type"] == "MineRested" and not event.get("rule")) or door.silent(event, events)


def take_over(play: Play[Battle], mine: Thing) -> None:
    """Let tunnels be in the hands of those who stand in them alone when a fight is over."""
    for hex_ in mine.at:
        if to := mining.taken_by(play.state, mine, hex_):
            play.happen(MineTaken(mine.id, hex_, to, "A6.3.6d"))
