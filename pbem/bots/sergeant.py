"""The bot ``sergeant``: goes for what the scenario gives points for, keeps his men together, and attacks
where the odds are worth it.

He plans one player turn at a time and sees no further. First whom to shoot at, then which attacks to make and
who walks where for them, then where everybody else goes, then what the bows do once more. Every number in it
is a matter of taste; ``make balance`` tells what a change is good for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pbem.bots import (
    ambush,
    arms,
    besieger,
    breach,
    entering,
    escorts,
    paper,
    posts,
    sally,
    sapper,
    shots,
    siegecraft,
    standing_deeds,
    throwing,
)
from pbem.bots.aims import Aims, aims, worth
from pbem.bots.blows import Blow, Blows
from pbem.bots.bot import Bot, Data
from pbem.bots.chance import Chance
from pbem.bots.survey import Survey
from pbem.core.play import Question
from pbem.core.ruleset import Ruleset
from pbem.geometry.hex import distance, neighbours
from pbem.rulesets.siege.ground import terrain
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.orders import Act
from pbem.rulesets.siege.state.state import WOUNDED, Battle, Unit
from pbem.rulesets.siege.turn import sequence, siege_days

Rules = Ruleset[Battle]
MAN = "man"
CAPTURE = "capture"
MARKS = 4
"""So many enemies are named in the standing instruction for the enemy's turn at most."""
MOST_CONDITIONS = 12
"""So many attacks depend on what the shots before them did at most; a file may have a few more conditions."""


def orders(rules: Rules, battle: Battle, seat: str, chance: Chance) -> Data:
    """Return an order file for the whole player turn, or for the open step of the setup."""
    return _orders(rules, battle, seat, asks=False)


def orders_when_asked(rules: Rules, battle: Battle, seat: str, chance: Chance) -> Data:
    """Return the same order file, but of retreats and advances only what is not in doubt: who does not follow
    a beaten enemy.
    """
    return _orders(rules, battle, seat, asks=True)


def _orders(rules: Rules, battle: Battle, seat: str, asks: bool) -> Data:
    goal = aims(rules, battle, battle.side_of_seat[seat])
    if battle.at.phase == "setup":
        data: Data = {"setup": list(posts.placings(rules, battle, seat, goal))}
    elif battle.at.phase == siege_days.DAY.id:
        plan = sapper.day if sapper.digs(battle) else besieger.day
        data = {"day": list(plan(rules, battle, seat))}
    else:
        data = _Turn(rules, battle, seat, goal, asks).file()
    return paper.accepted(rules, battle, seat, data)


class _Turn:
    """A player turn while it is planned."""

    def __init__(self, rules: Rules, battle: Battle, seat: str, goal: Aims, asks: bool) -> None:
        self.rules = rules
        self.battle = battle
        self.seat = seat
        self.aims = goal = replace(goal, sally=sally.target(rules, battle, goal))
        self.survey = Survey(rules, battle, goal.side, through=not goal.shuts or bool(goal.sally))
        self.going = sally.going(self.survey, goal)
        """Who is on a sally and not there yet: on the way they strike only who stands beside them."""
        lying = ambush.lies(self.survey)
        self.mine = [
            unit
            for unit in self.survey.own
            if unit.owner == seat and unit.able and unit.kind == MAN and unit.id not in lying
        ]
        self.asks = asks
        """Whether he leaves retreats and advances open where something may be said for either."""
        self.fast: dict[str, str] = {}
        """Who does something in the melee phase for which he stays where he is, and the sentence of it."""
        self.volleys: dict[str, str] = {}
        """Who shoots an engine, and the sentence of it."""
        self.burning: set[str] = set()
        """Who of them shoots fire: he stays where he is for it."""
        self.from_things: list[str] = []
        self.up: set[str] = set()
        """Who strikes from a ladder or a platform: he goes over the wall if he wins."""
        self.away: set[str] = set()
        """Who has something else to do than to fight or to hold a post."""
        self.moves: list[str] = []
        self.blows: list[Blow] = []
        self.bides = False
        """Whether nobody strikes or shoots yet, because that would end a fight too soon."""
        phases = [phase.id for phase in rules.sequence.phases]
        self.open = [
            phase.heading for phase in rules.sequence.phases[phases.index(battle.at.phase) :] if phase.heading
        ]
        """The sections that can still be ordered: a turn may be taken over in the middle."""
        known = family.phases(rules)
        shots = [phase for phase in phases if phase in known.shoots and phase not in known.of_others]
        self.defends = bool(known.of_others)
        """Whether his men shoot in the enemy's turn too, as their standing instructions say."""
        self.before = [phase for phase in shots if phases.index(phase) < phases.index(known.moves)]
        self.after = [phase for phase in shots if phase not in self.before]
        """The phases in which he shoots before he moves, and after it."""
        self.from_here = shots[0]
        """The first of them: what can be shot at from where he stands."""

    def file(self) -> Data:
        """Return the order file."""
        self.fast = (
            dict(standing_deeds.stands_fast(self.rules, self.battle, self.aims, self.seat, self.mine))
            if "fight" in self.open
            else {}
        )
        self.volleys = self.with_engines() if self.heading(self.from_here) in self.open else {}

        self.away |= {*self.fast}
        shoot = dict(self.shoot())
        bound = {*self.fast, *(() if self.before else self.burning)}
        movers = [unit for unit in self.mine if unit.id not in bound and self.may_move(unit, shoot)]
        movers = self.with_things(movers)

        reached = {unit.id: self.survey.reach(unit) for unit in movers}
        stays = {unit.id: {unit.hexes[0]: 0} for unit in self.mine}
        self.leave(movers, reached)
        self.escort(movers, reached)

        affordable = {
            unit.id: posts.in_time(self.survey, self.aims, unit, reached[unit.id]) for unit in movers
        }
        if breach.gathers(self.battle, self.aims):
            affordable = {
                id_: breach.outside(self.battle, self.aims.side, hexes) for id_, hexes in affordable.items()
            }
        striking = {
            unit.id: (affordable if self.strikes(unit) else stays).get(unit.id, stays[unit.id])
            for unit in self.mine
        }

        blows = Blows(
            self.survey,
            self.aims,
            {id_: hexes for id_, hexes in striking.items() if id_ in self.survey.at and id_ not in self.away},
        )

        for blow in blows.planned():
            self.blows.append(blow)
            self.note(blow)

        rest = [
            unit
            for unit in movers
            if unit.id not in blows.busy and unit.id in self.survey.at and unit.id not in self.away
        ]

        for unit, hex_ in posts.posts(self.survey, self.aims, rest, reached):
            self.go(unit.id, hex_)
        if "move" in self.open:
            self.moves += entering.entries(self.survey, self.aims, self.seat)

        again = list(self.shoot_again())
        fights = [*filter(None, self.fast.values()), *self.from_things, *self.fights(blows, shoot, again)]
        volleys = [*self.volleys.values()]
        self.bides = sapper.bides(self.rules, self.survey.after(), self.aims.side)
        if self.bides:
            shoot, again, volleys, fights = {}, [], [], []
        lines: dict[str, list[Any]] = {"move": self.moves, "fight": fights}
        if self.before:
            volleys += [f"{who} at {' or '.join(at)}" for who, at in shoot.items()]
            lines[self.heading(self.before[0])] = volleys
        for phase in self.after:
            lines[self.heading(phase)] = again if self.before else [*volleys, *again]

        data: Data = {heading: lines[heading] for heading in self.open if lines[heading]}
        return {**(data or {self.open[0]: []}), "standing": self.standing()}

    # --- what is done with things

    def with_things(self, movers: list[Unit]) -> list[Unit]:
        """Plan what is done with ladders, towers and the like; return who is left to march."""
        lost = any(unit.disarmed for unit in self.battle.units.values())
        if not self.battle.things and not self.aims.burn and not lost:
            return movers
        hands = [unit for unit in movers if unit.id not in self.aims.spared]
        craft = siegecraft.Siegecraft(self.survey, self.aims, self.seat, hands)
        craft.plan()
        self.moves += craft.sentences
        self.survey.reserved |= craft.kept_free()
        for id_ in sorted(craft.busy):
            self.away.add(id_)
            if craft.battle.units[id_].at != self.battle.units[id_].at:
                self.survey.led(id_, craft.battle.units[id_].hexes)
        self.up = {
            unit.id for unit in self.mine if standing_deeds.is_up(craft.battle, craft.battle.units[unit.id])
        }
        if "fight" in self.open:
            self.from_things = [
                *standing_deeds.strikes(self.rules, craft.battle, self.aims, self.seat),
                *standing_deeds.blows_from_above(self.rules, craft.battle, self.aims, self.seat),
            ]
        return [unit for unit in movers if unit.id not in craft.busy]

    def with_engines(self) -> dict[str, str]:
        """Return who shoots an engine or slings from where he stands, and the sentence of it."""
        rules, battle, goal, seat = self.rules, self.battle, self.aims, self.seat
        shot = standing_deeds.volleys(rules, battle, goal, seat, self.survey.foes, self.from_here)
        burn = {unit.id: arms.fire(rules, battle, goal, seat, self.from_here, unit) for unit in self.mine}
        fire = {id_: said for id_, said in burn.items() if said}
        self.burning = {*fire}
        slung = arms.stones(rules, battle, goal, seat, self.from_here, self.mine)
        thrown = throwing.throws(rules, battle, goal, seat, self.from_here)
        return {**fire, **dict(slung), **dict(shot), **dict(thrown)}

    def heading(self, phase: str) -> str:
        """Return the section of an order file that is for a phase."""
        return self.rules.sequence.phase(phase).heading

    # --- shots

    def shoot(self) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield who shoots at whom from where he stands now, each target with another in case it falls
        before.
        """
        now = self.battle.changed(at=replace(self.battle.at, phase=self.from_here))
        for unit in self.mine:
            if (
                unit.id in self.fast
                or unit.id in self.volleys
                or any(unit.id in thing.by for thing in self.battle.things.values())
            ):
                continue
            found = shots.targets(self.rules, now, self.aims, unit, self.survey.foes)
            if found:
                yield unit.id, [id_ for _, id_ in found[:2]]

    def shoot_again(self) -> Iterator[str]:
        """Yield the sentences of the phase of shooting after movement, from where everybody stands then."""
        if not self.after:
            return
        after = self.survey.after()
        after = after.changed(at=replace(after.at, phase=self.after[0]))
        bound = {*self.fast, *(() if self.before else self.volleys)}
        for unit in self.mine:
            if unit.id not in self.survey.at or unit.id in bound:
                continue
            there = after.units[unit.id]
            if there.at != unit.at and not self.before:  # how far he went by then is not looked at
                there = replace(there, did=(*unit.did, "moved", "marched"))
            ready = not sequence.may_shoot(self.rules, after, there, self.after[0])
            found = shots.targets(self.rules, after, self.aims, there, self.survey.foes) if ready else []
            if found:
                yield f"{unit.id} at {' or '.join([*(id_ for _, id_ in found[:2]), 'nearest'])}"
            elif thrown := throwing.from_above(self.rules, after, self.aims, there):
                yield thrown

    # --- fights

    def fights(self, blows: Blows, shoot: Mapping[str, Sequence[str]], again: Sequence[str]) -> Iterator[Any]:
        """Yield the attacks; where the target may have been shot before, with what is done instead."""
        aimed = {name for at in shoot.values() for name in at} | {
            word for line in again for word in line.split(" at ")[1].split(" or ")
        }
        others = 0
        for blow in self.blows:
            instead = blows.instead(blow) if blow.foe in aimed and others < MOST_CONDITIONS else None
            if taken := self.taken_alive(blow):
                yield taken
            elif instead is None:
                yield _fight(self.rules, blow)
            else:
                others += 1
                yield {
                    "when": f"{blow.foe} is dead",
                    "then": [_fight(self.rules, instead)],
                    "otherwise": [_fight(self.rules, blow)],
                }

    def taken_alive(self, blow: Blow) -> str:
        """Return the sentence by which those who would attack somebody take him alive instead, where that is
        worth as much; empty where it is not, or they cannot.
        """
        if CAPTURE not in self.rules.deeds or self.aims.alive.get(blow.foe, 0) < self.aims.prey.get(
            blow.foe, 1
        ):
            return ""
        order = Act(CAPTURE, tuple(sorted(id_ for id_, _ in blow.men)), blow.foe)
        after = self.survey.after()
        after = after.changed(at=replace(after.at, phase=family.phases(self.rules).fights))
        legal = standing_deeds.legal(self.rules, after, self.seat, order)
        return grammar.say(self.rules, order) if legal else ""

    # --- moves

    def may_move(self, unit: Unit, shoot: Mapping[str, Any]) -> bool:
        """Tell whether a figure can walk in this turn: a crossbowman who shoots does not."""
        if "move" not in self.open or movement.time_to_move(self.rules, self.battle, unit):
            return False
        if unit.id in shoot and not self.before:  # who has somebody to shoot at stays for it
            return False
        shot = replace(unit, did=(*unit.did, "shot")) if unit.id in shoot else unit
        return not sequence.stays_after_shooting(self.rules, self.battle, shot)

    def strikes(self, unit: Unit) -> bool:
        """Tell whether a figure goes to attack, and does not only strike who stands beside it: neither
        shooters nor wounded men do.
        """
        return (
            unit.state != WOUNDED
            and unit.id not in self.going
            and not arms.shoots(self.rules, self.battle, unit)
            and unit.id not in self.aims.leave
        )

    def go(self, id_: str, hex_: str) -> None:
        """Let a figure go to a hex, in the order in which hexes become free."""
        if self.survey.at[id_][0] != hex_:
            self.survey.put(id_, hex_)
            self.moves.append(f"{id_} to {hex_}")

    def note(self, blow: Blow) -> None:
        """Write the moves of those who attack: they stand where they attack from already."""
        for id_, hex_ in blow.men:
            if self.battle.units[id_].hexes[0] != hex_:
                self.moves.append(f"{id_} to {hex_}")

    def leave(self, movers: Sequence[Unit], reached: Mapping[str, Mapping[str, int]]) -> None:
        """Let those leave the map who can and should."""
        for unit in movers:
            exits = [
                hex_
                for hex_ in self.aims.leave.get(unit.id, ())
                if hex_ in reached[unit.id] and self.survey.free(hex_, unit.id)
            ]
            spend = step.points(self.rules, self.battle, unit) - 1
            exits = [hex_ for hex_ in exits if reached[unit.id][hex_] <= spend]
            if exits:
                self.moves.append(
                    f"{unit.id} leaves the map by {min(exits, key=lambda hex_: reached[unit.id][hex_])}"
                )
                self.survey.gone(unit.id)

    def escort(self, movers: Sequence[Unit], reached: Mapping[str, Mapping[str, int]]) -> None:
        """Let those be led away whom the scenario gives points for."""
        for escort in escorts.escorts(self.survey, self.aims, movers, reached):
            self.moves.append(escort.sentence)
            self.away.add(escort.man)
            for id_, hexes in escort.ends.items():
                self.survey.led(id_, hexes)
            if escort.gone:
                self.survey.gone(escort.man)

    # --- what holds for the dice

    def standing(self) -> Data:
        """Return standing instructions: who takes a wound, where beaten men go, who follows."""
        ranked = sorted(
            self.mine, key=lambda unit: (unit.state == WOUNDED, worth(self.battle, self.aims, unit), unit.id)
        )
        everyone = (
            {"advance-who": "strongest"}
            if self.asks
            else {"retreat": "away", "advance": "if-safe", "advance-who": "strongest"}
        )
        if self.defends:
            everyone["defend"] = "hold" if self.bides else self.marks()
        if ranked:
            everyone["wound"] = ", ".join(unit.id for unit in ranked)
        hold = self.aims.hold or next(iter(self.aims.gather.values()), ())
        follows = {id_ for blow in self.blows if not self.asks or self.safe(blow) for id_, _ in blow.men}
        own: Data = {"everyone": everyone}
        for unit in sorted(self.mine, key=lambda unit: unit.id):
            choices: Data = {}
            if hold and not self.asks:
                choices["retreat"] = f"toward {min(hold, key=lambda hex_: distance(hex_, unit.hexes[0]))}"
            if unit.id in self.up:
                choices["advance"] = "into"
            elif self.keeps_back(unit) or (self.asks and unit.id not in follows):
                choices["advance"] = "never"
            if choices:
                own[unit.id] = choices
        return own

    def marks(self) -> str:
        """Return whom everybody shoots at in the enemy's turn: those who are worth points, then where the
        chances are best.
        """
        known = self.battle.units
        dear = sorted((-points, id_) for id_, points in self.aims.prey.items() if known[id_].kind == MAN)
        return ", ".join(
            [*(id_ for _, id_ in dear[:MARKS] if known[id_].at and known[id_].living), "luckiest"]
        )

    def keeps_back(self, unit: Unit) -> bool:
        """Tell whether a figure never follows a beaten enemy: shooters, wounded men, who stands where points
        are or on a stormed wall.
        """
        there = self.survey.at.get(unit.id, unit.hexes)[0]
        if self.survey.storms and terrain.terrain_at(self.rules, self.battle, there).floor == "walk":
            return True
        return (
            arms.shoots(self.rules, self.battle, unit)
            or unit.state == WOUNDED
            or there in self.aims.hold
            or there in self.aims.walls
        )

    def safe(self, blow: Blow) -> bool:
        """Tell whether no other enemy stands beside those who are attacked, so that one might follow them."""
        foe = self.battle.units[blow.foe]
        beside = {hex_ for place in foe.hexes for hex_ in neighbours(place)}
        return not any(other.id != foe.id for hex_ in beside if (other := self.survey.foe_at.get(hex_)))


def _fight(rules: Rules, blow: Blow) -> str:
    """Return the sentence of an attack: with fewer men than planned it is made while half of the odds are
    left.
    """
    who = [id_ for id_, _ in blow.men]
    written = family.of(rules).melee.written
    least = f" at least {written((blow.odds + 1) // 2)}" if len(who) > 1 and blow.odds > 2 else ""
    return f"{', '.join(who)} attack{'s' if len(who) == 1 else ''} {blow.foe}{least}"


# --- questions


def answer(rules: Rules, battle: Battle, question: Question, chance: Chance) -> str:
    """Return one of the choices: who is worth least takes the blow, beaten men go where no enemy is, victors
    follow where it is safe.
    """
    values = [choice.value for choice in question.choices]
    goal = aims(rules, battle, battle.side_of_seat[question.seat])
    if question.kind == "some":
        return question.default
    if all(value in battle.units for value in values):
        ranked = sorted(
            values,
            key=lambda id_: (battle.units[id_].state == WOUNDED, worth(battle, goal, battle.units[id_]), id_),
        )
        return ranked[-1] if question.about == "advance-who" else ranked[0]
    if question.about == "advance":
        return _advance(battle, goal, question)
    return question.default


def _advance(battle: Battle, goal: Aims, question: Question) -> str:
    """Return where a victor goes: to the place that counts if he gets nearer to it and no enemy is beside him
    there, else nowhere.
    """
    counts = goal.hold or goal.gather.get(question.unit, ())
    here = battle.units[question.unit].hexes[0]

    def far(hex_: str) -> int:
        return min(distance(hex_, place) for place in counts)

    places = [choice.value for choice in question.choices if choice.value[:4].isdecimal()]
    better = [
        place
        for place in places
        if counts and far(place[:4]) < far(here) and not _beside_foes(battle, goal.side, place[:4])
    ]
    return min(better, key=lambda place: (far(place[:4]), place)) if better else question.default


def _beside_foes(battle: Battle, side: str, hex_: str) -> bool:
    near = (battle.units[id_] for beside in neighbours(hex_) for id_ in battle.living_in.get(beside, ()))
    return any(unit.side != side for unit in near)


SYSTEM = ("cry_havoc", "siege", "anarchy")
BOT = Bot("sergeant", "goes for the points, and attacks where the odds are worth it", orders, answer, SYSTEM)
ASKED = Bot(
    "asked",
    "the sergeant, who decides on each retreat and advance when it comes",
    orders_when_asked,
    answer,
    SYSTEM,
)
