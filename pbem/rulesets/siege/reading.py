"""Reads an order file: plain data of one seat becomes an ``OrderFile``, as far as it can be read, and every problem of wording at once.

Decides whether the file is for this seat and this turn, what its sentences say, whether names name somebody, and that nobody has two
orders in one section. Whether the orders are legal is decided in ``judge``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.play import Question
from pbem.core.problem import Path, Problem, worst
from pbem.core.ruleset import Ruleset
from pbem.rulesets.siege import conditions, family, grammar, longform, names, sequence, siege_days, skill, standing
from pbem.rulesets.siege.deed import Found, deeds
from pbem.rulesets.siege.events import Instructed, Said
from pbem.rulesets.siege.lexicon import Lexicon
from pbem.rulesets.siege.orders import HEADINGS, Act, Condition, Gap, Item, Line, Order, OrderFile, Skill, Stop, When, kind
from pbem.rulesets.siege.speech import Speech
from pbem.rulesets.siege.state import Battle
from pbem.text.similar import did_you_mean

Rules = Ruleset[Battle]

DEEPEST: Final = 3
MOST_CONDITIONS: Final = 20
_TURN = re.compile(
    r"(?:d([1-9][0-9]{0,3})\.?)?(?:t([1-9][0-9]{0,3})|(setup)(?:\.([1-9][0-9]?))?)?(?:\.([a-z][a-z0-9]{0,15}))?(?:\.([a-z_-]+))?"
)
_TEXTS: Final = ("luck", "note", "message")
_KEYS: Final = frozenset((*HEADINGS, *_TEXTS, "game", "side", "seat", "turn", "stop-after", "standing", "answers", "nobody", "final"))
UNKNOWN: Final = Condition("", ())
"""The condition of a file with problems that nobody can read: both its branches may be carried out."""
_NOBODY: Final = re.compile(
    r"(?:nobody|no one|none)(?P<else> else)?(?: (?:moves|shoots|fights|attacks|acts|is placed))?"
    r"|(?:everybody|everyone|all)(?P<rest> else)? stays?"
)
"""A sentence by which a section says that nobody is ordered in it; with ``else``: nobody beside those whom it orders."""


def read_orders(
    rules: Rules, battle: Battle, seat: str, data: Any, questions: Sequence[Question] | None = None
) -> tuple[OrderFile | None, list[Problem]]:
    """Return the order file that a seat's data says, and everything that is wrong with its wording; None where it says nothing at all.

    ``data`` has the form of ``schemas/orders.schema.json``. Answers are compared with ``questions``, the open ones, where they are given.
    In a file with problems each line that has one is a ``Gap``: it can be judged, and must not be carried out.
    """
    if not isinstance(data, Mapping):
        return None, [Problem("orders.nothing")]
    reader = _Reader(rules, battle, seat, data)
    file = reader.file(questions)
    return file, reader.problems


def instruct(rules: Rules, battle: Battle, seat: str, orders: OrderFile, digest: str) -> tuple[object, ...]:
    """Return what takes force at once with a file: its standing instructions, and its message to everybody."""
    events: list[object] = []
    if orders.everyone is not None:
        events.append(Instructed(seat, digest, orders.everyone, orders.figures))
    if orders.message:
        events.append(Said(seat, orders.message))
    return tuple(events)


class _Reader:
    """One file on its way from plain data to orders."""

    def __init__(self, rules: Rules, battle: Battle, seat: str, data: Mapping[str, Any]) -> None:
        self.rules = rules
        self.battle = battle
        self.seat = seat
        self.data = data
        self.problems: list[Problem] = []
        self.names = names.Names(rules, battle, seat)
        self.lexicon = Lexicon(battle, self.names.side, grammar.reserved(rules))
        self.whens = 0
        self.stranger = ""
        """The side that the file says it is for, where that is another: whatever is ordered to its figures is told with that."""
        self.closed: set[str] = set()
        """Sections that cannot be ordered now."""
        self.nobody = "nobody" in data
        self.alone: dict[str, Path] = {}
        self.setup = battle.at.phase == "setup"
        self.day = battle.at.phase == siege_days.DAY.id
        alone = self.setup or self.day
        self.phases = (battle.at.phase,) if alone else tuple(phase.id for phase in rules.sequence.phases)
        self.headings = {phase: heading for heading, phase in HEADINGS.items()}
        self.speech = Speech(rules, self.lexicon, self.coming())

    def say(self, code: str, path: Path, help: str = "", at_key: bool = False, **args: str | int) -> None:
        """Note one problem."""
        self.problems.append(Problem(code, args, path, help=help, key=at_key))

    def file(self, questions: Sequence[Question] | None) -> OrderFile:
        """Return the file as far as it could be read."""
        self.addressed()
        only = self.turn()
        stop_after = self.stop_after()
        sections = self.sections(only, stop_after)
        self.jobs(sections)
        if problem := skill.check_all(self.rules, self.battle, sections.get("setup", ())):
            self.problems.append(problem.at("setup"))
        sections = self.usable(sections)
        everyone, figures = self.standing()
        texts = {key: str(self.data[key]) for key in _TEXTS if self.data.get(key)}
        return OrderFile(
            seat=self.seat,
            side=self.names.side,
            opened=self.battle.at,
            only=only,
            sections=sections,
            everyone=everyone,
            figures=figures,
            answers=self.answers(questions),
            stop_after=stop_after,
            phases=self.phases,
            closed=frozenset(self.closed),
            nobody=self.nobody and not any(sections.values()),
            final="final" in self.data,
            **texts,
        )

    # --- whose file, and when

    def addressed(self) -> None:
        """Refuse a file of another seat or side."""
        side, seat = self.data.get("side"), self.data.get("seat")
        if side not in (None, self.names.side):
            own = {info.name.lower() for info in self.battle.field.sides if info.id == self.names.side}
            code = "orders.side-name" if str(side).lower() in own else "orders.side"
            self.say(code, ("side",), help=f"side: {self.names.side}", side=str(side), own=self.names.side)
            self.stranger = str(side)
        if seat not in (None, self.seat):
            self.say("orders.seat", ("seat",), help=f"seat: {self.seat}", seat=str(seat), own=self.seat)

    def turn(self) -> str:
        """Refuse a file for another turn than the open one; return the one phase it is for, if it names one."""
        said = self.data.get("turn")
        if said is None:
            return ""
        at = self.battle.at
        if self.day and str(said) in (str(at), f"d{at.day}"):
            return ""
        found = _TURN.fullmatch(str(said))
        right = ".".join(str(at).split(".")[:-1]) if not self.setup and at.phase in self.phases else str(at)
        if found is None or not any(found.groups()):
            self.say("orders.turn-form", ("turn",), help=f"turn: {right}", turn=str(said))
            return ""
        day, turn, setup, step, side, phase = found.groups()
        number = int(step or 0) if setup else int(turn or 0)
        here = (
            bool(setup) == self.setup
            and int(day or at.day) == at.day
            and (number or at.turn) == at.turn
            and side in (None, at.side or self.names.side)
            and bool(number or day or setup)
        )
        phase = HEADINGS.get(phase or "", phase) or ""
        if not here or (phase and (phase not in self.phases or self.phases.index(phase) < self.phases.index(at.phase))):
            self.say("orders.turn", ("turn",), help=f"turn: {right}", turn=str(said), open=str(at))
            return ""
        return phase

    def stop_after(self) -> str:
        """Return the phase after which the file has no orders."""
        said = self.data.get("stop-after")
        if said is None:
            return ""
        phase = HEADINGS.get(str(said), "")
        if phase in self.phases and self.phases.index(phase) >= self.phases.index(self.battle.at.phase):
            return phase
        self.say("orders.stop-after", ("stop-after",), help="one of " + ", ".join(self.coming()), heading=str(said))
        return ""

    def coming(self) -> list[str]:
        """Return the headings of the phases that are open or still to come in this player turn."""
        begin = self.phases.index(self.battle.at.phase) if self.battle.at.phase in self.phases else 0
        return [self.headings[phase] for phase in self.phases[begin:] if phase in self.headings]

    def open(self, heading: str, only: str, stop_after: str) -> None:
        """Say why a section cannot be ordered now."""
        phase, path = HEADINGS[heading], (heading,)
        right = "the sections that are open: " + ", ".join(self.coming())
        before = len(self.problems)
        if phase not in self.phases:
            code = "orders.setup-first" if self.setup else "orders.day-first" if self.day else f"orders.{heading}-over"
            self.say(code, path, right, True, section=heading)
        elif heading not in self.coming():
            self.say("orders.too-late", path, right, True, section=heading, open=self.headings.get(self.battle.at.phase, ""))
        elif only and phase != only:
            self.say("orders.only", path, "take out this section, or its phase in turn", True, section=heading, turn=str(self.data["turn"]))
        elif stop_after and self.phases.index(phase) > self.phases.index(stop_after):
            stop = self.headings[stop_after]
            self.say("orders.after-stop", path, "take out this section, or the line stop-after", True, section=heading, stop=stop)
        if len(self.problems) > before:
            self.closed.add(heading)

    # --- sections

    def sections(self, only: str, stop_after: str) -> dict[str, tuple[Item, ...]]:
        """Return the sections by phase; those that cannot be ordered now are read too, so that everything wrong is said at once."""
        found: dict[str, tuple[Item, ...]] = {}
        headings = [heading for heading in HEADINGS if heading in self.data and self.in_force(heading)]
        seats = sequence.seats_to_order(self.rules, self.battle)
        if headings and self.seat not in seats:
            help_ = "standing instructions and answers are taken at any time; send orders when it is your turn"
            turn, listed = ", ".join(seats) or "nobody", ", ".join(headings)
            self.say("orders.not-your-turn", (headings[0],), help_, True, section=listed, seat=turn, own=self.seat)
            self.closed.update(headings)
        for heading in headings:
            if self.seat in seats:
                self.open(heading, only, stop_after)
            found[HEADINGS[heading]] = self.section(heading)
        return found

    def in_force(self, heading: str) -> bool:
        """Tell whether the game knows a section at all; say so where it does not."""
        problem = names.not_in_force(self.rules, Act("plan")) if heading == "day" else None
        if problem is not None:
            self.problems.append(Problem(problem.code, problem.args, (heading,), key=True))
        return problem is None

    def section(self, heading: str) -> tuple[Item, ...]:
        """Return the items of a section; a section with nothing in it orders everybody to stay."""
        items = tuple(self.items(heading, self.data[heading], (heading,), 0))
        if items and (alone := self.alone.get(heading)) is not None:
            self.say("orders.nobody-but", alone, "take the line out, or write 'nobody else' in it", section=heading)
        self.twice(heading, items, {}, None)
        return items

    def items(self, heading: str, value: Any, path: Path, depth: int) -> Iterator[Item]:
        """Yield the items of a section or a branch."""
        if value is None or value == "":
            return
        if isinstance(value, str):
            value, single = [value], True
        else:
            single = False
        if not isinstance(value, list | tuple):
            self.say("orders.list", path, section=heading)
            return
        for number, entry in enumerate(value):
            here = path if single else (*path, number)
            for item in self.entry(heading, entry, here, depth):
                if isinstance(item, Stop) and (not depth or len(value) > 1):
                    self.say("orders.stop", here)
                else:
                    yield item

    def entry(self, heading: str, entry: Any, path: Path, depth: int) -> Iterator[Item]:
        """Yield what one entry of a list says: an order, several, a condition, or a gap where it could not be read."""
        if isinstance(entry, Mapping):
            if "when" in entry:
                yield self.when(heading, entry, path, depth + 1)
                return
            if entry.get("do") == "stop" and len(entry) == 1:
                yield Stop(path)
                return
            said = longform.sentence(self.rules, entry)
            if not isinstance(said, str):
                self.problems += [problem.at(*path) for problem in said]
                yield self.gap(entry, path)
                return
        elif isinstance(entry, str):
            said = entry
            if grammar.plain(said) == "stop":
                yield Stop(path)
                return
            if (nobody := _NOBODY.fullmatch(grammar.plain(said))) is not None:
                self.nobody = True
                if depth == 0 and not (nobody["else"] or nobody["rest"]):
                    self.alone.setdefault(heading, path)
                return
        else:
            self.say("orders.item", path)
            yield self.gap(entry, path)
            return
        orders = self.heard(heading, said, path)
        for order in orders:
            refused = names.not_in_force(self.rules, order)
            if refused is not None:
                self.problems.append(refused.at(*path))
                yield self.gap(said, path)
                continue
            if self.strange(names.who(order)):
                yield self.gap(said, path)
                continue
            self.note(self.names.check(order), path, entry)
            yield Line(order, path)
        if not orders:
            yield self.gap(said, path)

    def heard(self, heading: str, said: str, path: Path) -> tuple[Order, ...]:
        """Return the orders of a sentence, mostly one: of the grammar as it stands, else as people say it; none where nobody can tell."""
        order = grammar.match(self.rules, heading, grammar.plain(said))
        if isinstance(order, Problem):
            self.problems.append(order.at(*path))
            return ()
        if order is not None and all(name in self.lexicon.ids or name == grammar.NEAREST for name in grammar.named(self.rules, order)):
            return (order,)
        heard = self.speech.hear(heading, said)
        if heard is not None and heard.orders:
            for typed, meant in heard.guessed:
                self.say("doubt.read-as", path, typed=typed, meant=meant)
            return heard.orders
        if order is not None:
            return (order,)
        problem = heard.problem if heard is not None else None
        self.problems.append((problem or self.speech.unfit(heading, said)).at(*path))
        return ()

    def strange(self, who: Iterable[str]) -> bool:
        """Tell whether all of some figures are of the side that the file says it is for, which is not the sender's."""
        units = self.battle.units
        named = list(who)
        return bool(self.stranger and named) and all(name in units and units[name].side == self.stranger for name in named)

    def gap(self, entry: Any, path: Path) -> Gap:
        """Return what stands for an entry that cannot be used."""
        return Gap(self.lexicon.about(" ".join(_texts(entry))), path)

    def note(self, found: Iterable[Found], path: Path, entry: Any) -> None:
        """Keep problems with names, each at its word where the order is a sentence."""
        for problem, word in found:
            spot = re.search(rf"(?<![a-z0-9@-]){re.escape(word)}(?![a-z0-9@-])", entry, re.IGNORECASE) if isinstance(entry, str) else None
            self.problems.append(problem.at(*path, spot.start()) if spot else problem.at(*path))

    # --- conditions

    def when(self, heading: str, entry: Mapping[str, Any], path: Path, depth: int) -> Item:
        """Return an item that depends on a condition; where nobody can tell on what, on one without parts."""
        self.whens += 1
        if depth > DEEPEST:
            self.say("orders.too-deep", path, most=DEEPEST)
            return self.gap(entry, path)
        if self.whens == MOST_CONDITIONS + 1:
            self.say("orders.too-many", path, most=MOST_CONDITIONS)
        for key in entry:
            if key not in ("when", "then", "otherwise"):
                self.say("orders.key", (*path, key), "a condition has the keys when, then, otherwise", True, key=key, deed="when")
        if "then" not in entry:
            self.say("orders.no-key", path, "a condition has the keys when, then, otherwise", key="then", deed="when")
        condition = self.condition(entry["when"], (*path, "when"))
        then = tuple(self.items(heading, entry.get("then"), (*path, "then"), depth))
        otherwise = tuple(self.items(heading, entry.get("otherwise"), (*path, "otherwise"), depth))
        return When(condition or UNKNOWN, then, otherwise, path)

    def condition(self, value: Any, path: Path) -> Condition | None:
        """Return a condition written as a sentence, as keys, or as a list of either (all must hold)."""
        parts: list[tuple[str, str, str]] = []
        entries = value if isinstance(value, list | tuple) else [value]
        for number, entry in enumerate(entries):
            here = (*path, number) if isinstance(value, list | tuple) else path
            said = conditions.sentence(entry) if isinstance(entry, Mapping) else str(entry)
            found = conditions.parse(said)
            if found is None:
                example = conditions.nearest(said)
                self.say("orders.condition", here, f"for example: {example}", condition=said)
                continue
            self.note(self.names.condition(found), here, entry)
            parts += found.parts
        if not parts:
            return None
        return Condition(" and ".join(conditions.say_part(part) for part in parts), tuple(parts))

    # --- one order a section and figure

    def twice(self, heading: str, items: tuple[Item, ...], seen: dict[str, Order], last: Order | None) -> dict[str, Order]:
        """Refuse a second order for a figure in one section; the two branches of a condition know nothing of each other."""
        for item in items:
            if isinstance(item, Line):
                acting = names.who(item.order) if not isinstance(item.order, Skill) else (f"{item.order.who} skill",)
                for unit in acting:
                    first = seen.get(unit)
                    if first is not None and not self.follows(first, item.order, first is last):
                        name, said = unit.removesuffix(" skill"), grammar.say(self.rules, first)
                        self.say("orders.twice", item.path, "take one of the two lines out", unit=name, section=heading, first=said)
                        break
                seen = {**seen, **dict.fromkeys(acting, item.order)}
                last = item.order
            elif isinstance(item, When):
                then = self.twice(heading, item.then, seen, last)
                seen = {**self.twice(heading, item.otherwise, seen, last), **then}
                last = None
        return seen

    def follows(self, first: Order, second: Order, at_once: bool) -> bool:
        """Tell whether two orders share one allowance: a ladder picked up and carried, carried and raised, in two lines at once.

        Two come to a ladder each for himself, in whatever line, and so they go on when they have shifted it.
        """
        every = deeds(self.rules)
        before, after = every[kind(first)], every[kind(second)]
        if before.id not in after.after:
            return False
        return before.parts or after.joined or (at_once and names.who(first) == names.who(second))

    def jobs(self, sections: Mapping[str, tuple[Item, ...]]) -> None:
        """Refuse other orders for a figure whose work takes the whole turn."""
        busy = {
            unit: item.order
            for items in sections.values()
            for item in items
            if isinstance(item, Line) and deeds(self.rules)[kind(item.order)].alone
            for unit in names.who(item.order)
        }
        if not busy:
            return
        for phase, items in sections.items():
            for line in _lines(items):
                for unit in names.who(line.order):
                    job = busy.get(unit)
                    if job is not None and job is not line.order:
                        heading = self.headings[phase]
                        self.say(
                            "orders.busy", line.path, "choose one of the two", unit=unit, job=grammar.say(self.rules, job), section=heading
                        )

    # --- what can be used of a file with problems

    def usable(self, sections: Mapping[str, tuple[Item, ...]]) -> dict[str, tuple[Item, ...]]:
        """Return sections with a gap in the place of every line that has a problem, and of all those whose heading has one."""
        lost = [key for key in self.data if key not in _KEYS]
        self.problems += [Problem("schema.unknown-key", {"key": str(key)}, (str(key),), key=True) for key in lost]
        wrong = {problem.path for problem in worst(self.problems)}
        if not wrong:
            return dict(sections)
        second = {problem.path for problem in self.problems if problem.code == "orders.twice"}
        closed = {HEADINGS[heading] for heading in self.closed}
        found = {phase: tuple(self.used(items, wrong - second, phase in closed)) for phase, items in sections.items()}
        found = {phase: tuple(_without(items, second)) for phase, items in found.items()} if second else found
        if about := frozenset().union(*(self.lexicon.about(text) for key in lost for text in _texts(self.data[key]))):
            # whoever is named there was most likely to move
            moves = family.phases(self.rules).moves
            phase = moves if moves in self.phases else self.battle.at.phase
            found[phase] = (Gap(about, ()), *found.get(phase, ()))
        return found

    def used(self, items: Iterable[Item], wrong: Collection[Path], closed: bool) -> Iterator[Item]:
        """Yield items, each that is ``wrong`` as a gap."""
        for item in items:
            if isinstance(item, Line) and (closed or any(path[: len(item.path)] == item.path for path in wrong)):
                yield Gap(frozenset(grammar.named(self.rules, item.order)) & self.lexicon.ids, item.path)
            elif isinstance(item, When):
                asked = (*item.path, "when")
                unknown = any(path[: len(asked)] == asked for path in wrong)
                then, otherwise = (tuple(self.used(branch, wrong, closed)) for branch in (item.then, item.otherwise))
                yield When(UNKNOWN if unknown else item.condition, then, otherwise, item.path)
            else:
                yield item

    # --- instructions and answers

    def standing(self) -> tuple[Mapping[str, str] | None, tuple[Mapping[str, str], ...]]:
        """Return the standing instructions: for everyone (None where the file has none at all), and for single figures."""
        if "standing" not in self.data:
            return None, ()
        everyone, figures, problems = standing.read(self.names, self.data["standing"])
        told = [problem for problem in problems if not (problem.path and self.strange((str(problem.path[0]),)))]
        self.problems += [problem.at("standing") for problem in told]
        return everyone, figures

    def answers(self, questions: Sequence[Question] | None) -> Mapping[str, str]:
        """Return the answers by the number of the question, compared with the open ones."""
        given = self.data.get("answers")
        if not isinstance(given, Mapping):
            return {}
        found: dict[str, str] = {}
        known = {question.id: question for question in questions or () if question.seat == self.seat}
        for number, value in given.items():
            parts = [str(part) for part in value] if isinstance(value, list | tuple) else [str(value)]
            found[str(number)] = ", ".join(parts)
            question = known.get(str(number))
            if questions is None:
                continue
            if question is None:
                help_ = f"open are: {', '.join(known)}" if known else "no question is open to you; take the line out"
                self.say("orders.question", ("answers", number), help_, True, question=str(number))
                continue
            legal = {choice.id for choice in question.choices} | {choice.value for choice in question.choices}
            for part in parts:
                if part not in legal:
                    said = ", ".join(f"{choice.id} ({choice.value})" for choice in question.choices)
                    help_ = did_you_mean(part, legal) or f"one of {said}"
                    self.say("orders.answer", ("answers", number), help_, answer=part, question=str(number))
            if len(parts) > 1 and question.kind != "some":
                self.say("orders.one-answer", ("answers", number), question=str(number))
        return found


def _without(items: Iterable[Item], second: Collection[Path]) -> Iterator[Item]:
    """Yield items, an empty gap in the place of each second order: the first one stands, and says where its figures are."""
    for item in items:
        if isinstance(item, Line) and item.path in second:
            yield Gap(frozenset(), item.path)
        elif isinstance(item, When):
            yield When(item.condition, tuple(_without(item.then, second)), tuple(_without(item.otherwise, second)), item.path)
        else:
            yield item


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in an entry, however it is put together; its form is known to be bounded."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
    else:
        yield str(value)


def _lines(items: tuple[Item, ...]) -> Iterator[Line]:
    for item in items:
        if isinstance(item, When):
            yield from _lines((*item.then, *item.otherwise))
        elif isinstance(item, Line):
            yield item
