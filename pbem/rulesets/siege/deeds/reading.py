"""Reads an order file: plain data of one seat becomes an ``OrderFile``, as far as it can be read, and every
problem of wording at once.

Decides whether the file is for this seat and this turn, what its sentences say, whether names name somebody,
and that nobody has two orders in one section. Whether the orders are legal is decided in ``judge``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from pbem.core.play import Question
from pbem.core.problem import Path, Problem
from pbem.core.ruleset import Ruleset
from pbem.orders import reading
from pbem.orders.file import lines
from pbem.rulesets.siege.orders import conditions, grammar, longform
from pbem.rulesets.siege.state import family
from pbem.rulesets.siege.state.deed import Found, deeds
from pbem.rulesets.siege.state.events import Instructed, Said
from pbem.rulesets.siege.state.orders import Act, Condition, Item, Line, Order, OrderFile, Skill
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.things import names, standing_instructions
from pbem.rulesets.siege.turn import sequence, siege_days, skill

if TYPE_CHECKING:
    from pbem.orders.normal_form import Instead
    from pbem.rulesets.siege.orders.speech import Speech
    from pbem.rulesets.siege.state.lexicon import Lexicon

Rules = Ruleset[Battle]

_IDLE: Final = ("moves", "shoots", "fights", "attacks", "is placed")


def read_orders(
    rules: Rules, battle: Battle, seat: str, data: Any, questions: Sequence[Question] | None = None
) -> tuple[OrderFile | None, list[Problem]]:
    """Return the order file that a seat's data says, and everything that is wrong with its wording; None
    where it says nothing at all.

    ``data`` has the form of ``schemas/orders.schema.json``. Answers are compared with ``questions``, the open
    ones, where they are given. In a file with problems each line that has one is a ``Gap``: it can be judged,
    and must not be carried out.
    """
    if not isinstance(data, Mapping):
        return None, [Problem("orders.nothing")]
    reader = _Reader(rules, battle, seat, data)
    file = reader.file(questions)
    return file, reader.problems


def instruct(rules: Rules, battle: Battle, seat: str, orders: OrderFile, digest: str) -> tuple[object, ...]:
    """Return what takes force at once with a file: its standing instructions, and its
    message to everybody.
    """
    events: list[object] = []
    if orders.everyone is not None:
        events.append(Instructed(seat, digest, orders.everyone, orders.figures))
    if orders.message:
        events.append(Said(seat, orders.message))
    return tuple(events)


def normal(rules: Rules, orders: OrderFile, instead: Instead | None = None) -> list[str]:
    """Return the lines of a file in normal form, with comments ``instead`` of what has a problem."""
    from pbem.orders import normal_form

    return normal_form.normal(family.headings(rules), deeds(rules).say, orders, instead or normal_form.well)


class _Reader(reading.Reader):
    """One file of a siege on its way from plain data to orders."""

    def __init__(self, rules: Rules, battle: Battle, seat: str, data: Mapping[str, Any]) -> None:
        self.rules = rules
        self.battle = battle
        self.deeds = deeds(rules)
        self.names = names.Names(rules, battle, seat)
        self.setup = battle.at.phase == "setup"
        self.day = battle.at.phase == siege_days.DAY.id
        alone = self.setup or self.day
        frame = reading.Frame(
            seat=seat,
            side=self.names.side,
            sides={info.id: info.name for info in battle.field.sides},
            at=battle.at,
            headings=family.headings(rules),
            phases=(battle.at.phase,) if alone else tuple(phase.id for phase in rules.sequence.phases),
            ordering=sequence.seats_to_order(rules, battle),
            setup=self.setup,
            idle=_IDLE,
        )
        super().__init__(frame, data)

    @cached_property
    def lexicon(self) -> Lexicon:
        """Return what may be meant by names; nobody asks for it while every sentence is right at once."""
        from pbem.rulesets.siege.state.lexicon import Lexicon

        return Lexicon(self.battle, self.names.side, self.deeds.reserved)

    @cached_property
    def speech(self) -> Speech:
        """Return what sentences may mean that are none of the grammar."""
        from pbem.rulesets.siege.orders.speech import Speech

        return Speech(self.rules, self.lexicon, self.coming)

    def in_force(self, heading: str) -> bool:
        """Tell whether the game knows a section at all; say so where it does not."""
        problem = names.not_in_force(self.rules, Act("plan")) if heading == "day" else None
        if problem is not None:
            self.problems.append(Problem(problem.code, problem.args, (heading,), key=True))
        return problem is None

    def over(self, heading: str) -> str:
        """Return that the game is in its setup, that a day is to be planned first, or that this section is
        over.
        """
        return (
            "orders.setup-first"
            if self.setup
            else "orders.day-first"
            if self.day
            else f"orders.{heading}-over"
        )

    @property
    def likeliest(self) -> str:
        """Return that whoever is named was most likely to move."""
        moves = family.phases(self.rules).moves
        return moves if moves in self.phases else self.battle.at.phase

    def at_once(self, heading: str, text: str, path: Path) -> Line | None:
        """Return the line of a sentence of the grammar that names whom it may and whose rules are in
        force.
        """
        fits = grammar.fitting(self.deeds, heading, text)
        if fits is None or self.stranger:
            return None
        deed, _, order = fits
        if deed.needs is not None and names.not_in_force(self.rules, order) is not None:
            return None
        if any(self.names.check(order)):
            return None
        return Line(order, path)

    def orders(self, heading: str, said: str, path: Path) -> tuple[Order, ...]:
        """Return the orders of a sentence, mostly one: of the grammar as it stands, else as people say it;
        none where nobody can tell.
        """
        fits = grammar.fitting(self.deeds, heading, grammar.plain(said))
        if fits is not None:
            _, line, order = fits
            said_names, ids = grammar.texts_of(line, order), self.lexicon.ids
            if ids.issuperset(said_names):  # nobody is called by a word of the language
                return (order,)
            if problem := grammar.reserved_in(self.rules, line, order):
                self.problems.append(problem.at(*path))
                return ()
            if all(name in ids or name == grammar.NEAREST or name[0].isdigit() for name in said_names):
                return (order,)
        heard = self.speech.hear(heading, said)
        if heard is not None and heard.orders:
            for typed, meant in heard.guessed:
                self.say("doubt.read-as", path, typed=typed, meant=meant)
            return heard.orders
        if fits is not None:
            return (fits[2],)
        problem = heard.problem if heard is not None else None
        self.problems.append((problem or self.speech.unfit(heading, said)).at(*path))
        return ()

    def line(self, order: Order, path: Path, entry: Any) -> Item | None:
        """Return the line of an order whose rules are in force, for figures of the sender's side."""
        if (refused := names.not_in_force(self.rules, order)) is not None:
            self.problems.append(refused.at(*path))
            return None
        if self.stranger and self.strange(names.who(order)):
            return None
        if wrong := self.names.check(order):
            self.note(wrong, path, entry)
        return Line(order, path)

    def strange(self, who: Iterable[str]) -> bool:
        """Tell whether all of some figures are of the side that the file says it is for, which is not the
        sender's.
        """
        units = self.battle.units
        named = list(who)
        return bool(self.stranger and named) and all(
            name in units and units[name].side == self.stranger for name in named
        )

    def sentence(self, entry: Mapping[str, Any]) -> str | list[Problem]:
        """Return the sentence of an order that is written as keys."""
        return longform.sentence(self.rules, entry)

    def say_order(self, order: Order) -> str:
        """Return the sentence of an order."""
        return grammar.say(self.rules, order)

    def about(self, text: str) -> frozenset[str]:
        """Return the ids that a text seems to name."""
        return self.lexicon.about(text)

    def named(self, order: Order) -> frozenset[str]:
        """Return the ids in an order."""
        return frozenset(grammar.named(self.rules, order)) & self.lexicon.ids

    # --- conditions

    def condition_of(self, said: str) -> Condition | None:
        """Return the condition that a sentence says."""
        return conditions.parse(said)

    def condition_sentence(self, entry: Mapping[str, Any]) -> str:
        """Return the sentence of a condition that is written as keys."""
        return conditions.sentence(entry)

    def condition_example(self, said: str) -> str:
        """Return the example that has most in common with a sentence."""
        return conditions.nearest(said)

    def wrong_in(self, condition: Condition) -> Iterator[Found]:
        """Yield what is wrong with the names of a condition."""
        return self.names.condition(condition)

    # --- one order a section and figure

    def acting(self, order: Order) -> tuple[str, ...]:
        """Return who carries an order out; a skill stands beside whatever else is ordered."""
        who = order.who
        if not isinstance(who, str):
            return who
        return (who,) if type(order) is not Skill else (f"{who} skill",)

    def follows(self, first: Order, second: Order, at_once: bool) -> bool:
        """Tell whether two orders share one allowance: a ladder picked up and carried, carried and raised, in
        two lines at once.

        Two come to a ladder each for himself, in whatever line, and so they go on when they have shifted it.
        """
        every = self.deeds
        before, after = every[first.deed], every[second.deed]
        if before.id not in after.after:
            return False
        return before.parts or after.joined or (at_once and names.who(first) == names.who(second))

    def of_all(self, sections: Mapping[str, tuple[Item, ...]]) -> list[Problem]:
        """Refuse other orders beside work for a whole turn, and skills that do not balance."""
        self.jobs(sections)
        if "setup" not in sections:
            return []
        problem = skill.check_all(self.rules, self.battle, sections["setup"])
        return [problem.at("setup")] if problem else []

    def jobs(self, sections: Mapping[str, tuple[Item, ...]]) -> None:
        """Refuse other orders for a figure whose work takes the whole turn."""
        busy: dict[str, Order] = {}
        alone = self.deeds.alone
        for items in sections.values():
            for item in items:
                if isinstance(item, Line) and item.order.deed in alone:
                    busy |= dict.fromkeys(names.who(item.order), item.order)
        if not busy:
            return
        for phase, items in sections.items():
            for line in lines(items):
                for unit in names.who(line.order):
                    job = busy.get(unit)
                    if job is not None and job is not line.order:
                        heading = self.headings[phase]
                        self.say(
                            "orders.busy",
                            line.path,
                            "choose one of the two",
                            unit=unit,
                            job=grammar.say(self.rules, job),
                            section=heading,
                        )

    # --- instructions

    def standing(self) -> tuple[Mapping[str, str] | None, tuple[Mapping[str, str], ...]]:
        """Return the standing instructions: for everyone (None where the file has none at all), and for
        single figures.
        """
        if "standing" not in self.data:
            return None, ()
        everyone, figures, problems = standing_instructions.read(self.names, self.data["standing"])
        told = [
            problem for problem in problems if not (problem.path and self.strange((str(problem.path[0]),)))
        ]
        self.problems += [problem.at("standing") for problem in told]
        return everyone, figures
