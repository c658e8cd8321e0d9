"""Everything that is wrong with an order file, all at once; stores nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.core.problem import Problem, worst
from pbem.core.ruleset import Judgement
from pbem.proof.orderfile import FIRST_LINE, BadOrderFile, OrderFile, parse
from pbem.referee.game import Game
from pbem.referee.intake import takes_values, words_problem
from pbem.referee.refusal import Refused
from pbem.referee.replay import match_answer
from pbem.referee.scenario import shape_for
from pbem.referee.views import known_state
from pbem.store.library import english
from pbem.text import characters
from pbem.text.located import Located, locate
from pbem.text.source import Source, read


@dataclass(frozen=True, slots=True)
class Checked:
    """An order file as judged: whose it is, what is wrong, what may come out differently, and what was understood."""

    seat: str
    problems: tuple[Located, ...]
    doubts: tuple[Located, ...]
    orders: Any
    header: OrderFile | None
    luck: str | None
    understood: tuple[str, ...]
    judgement: Judgement | None = None
    """What the rules said of it; a picture and the orders in normal form are made of it only where somebody wants them."""

    @property
    def ok(self) -> bool:
        """Tell whether the file stands."""
        return not self.problems


def check(game: Game, name: str, data: bytes, seat: str | None = None) -> Checked:
    """Return what is to be said of an order file, plain or with its header; ``seat`` where the file does not name it itself."""
    words = english()
    game.announced()
    source = read(data, name, allow_header=True)
    problems = list(source.problems)
    header, wrong = _header(data)
    problems += wrong
    whose, wrong = _seat(game, source, header, seat)
    problems += wrong
    orders = None
    judged: Judgement | None = None
    if source.data is not None:
        problems += shape_for("orders", game.ground.rules.id).check(source.data, whole=source.whole)
    if isinstance(source.data, Mapping):
        stray = _addressed(game, source.data)
        problems += stray
        problems += _luck_problems(game, whose, header, _luck(source))
        if whose and not stray and (source.whole or not problems):
            orders, more, judged = _read(game, whose, source.data, legality=not problems)
            # What is told of its form already is not told again of its meaning.
            told = [problem.path for problem in problems if problem.path]
            problems += [problem for problem in more if not any(problem.path[: len(path)] == path for path in told)]
    found = locate(source, problems, words)
    wrong_ones = tuple(problem for problem in found if not problem.is_doubt)
    understood: tuple[str, ...] = ()
    if orders is None or wrong_ones:
        judged = None
    elif judged is not None:
        understood = tuple(game.ground.rules.doors.forecast(game.ground.rules, judged.course))
    return Checked(
        seat=whose,
        problems=wrong_ones,
        doubts=tuple(problem for problem in found if problem.is_doubt),
        orders=None if wrong_ones else orders,
        header=header,
        luck=_luck(source),
        understood=understood,
        judgement=judged,
    )


def _header(data: bytes) -> tuple[OrderFile | None, list[Problem]]:
    if not data.startswith(FIRST_LINE[:5].encode()):
        return None, []
    try:
        return parse(data), []
    except BadOrderFile as bad:
        return None, [Problem("header.wrong", {"reason": bad.reason}, (characters.PLACE, max(bad.line, 1), 1))]


def _luck(source: Source) -> str | None:
    found = source.data.get("luck") if isinstance(source.data, Mapping) else None
    return found if isinstance(found, str) else None


def _luck_problems(game: Game, seat: str, header: OrderFile | None, luck: str | None) -> list[Problem]:
    """Return why the words in a plain file of a seat without a key cannot be used; those of a header are judged with it."""
    known = game.ledger.seats.get(seat)
    if luck is None or header is not None or known is None or known.key is not None or not known.outside:
        return []
    wrong = words_problem(game, seat, luck) if takes_values(game, game.announced()) else None
    return [] if wrong is None else [wrong.at("luck")]


def _seat(game: Game, source: Source, header: OrderFile | None, seat: str | None) -> tuple[str, list[Problem]]:
    """Return whose file it is: the header knows, else the caller, else the file, else the one seat that is waited for."""
    if header is not None:
        if header.seat not in game.ledger.seats:
            return "", [Problem("game.seat", {"seat": header.seat}, (characters.PLACE, 1, 1))]
        if seat is not None and game.seat_of(seat) != header.seat:
            return "", [Problem("orders.other-seat", {"seat": header.seat, "wanted": seat}, (characters.PLACE, 1, 1))]
        return header.seat, []
    if seat is not None:
        return game.seat_of(seat), []
    data = source.data if isinstance(source.data, Mapping) else {}
    for key in ("seat", "side"):
        named = data.get(key)
        if isinstance(named, str):
            try:
                return game.seat_of(named), []
            except Refused as refusal:
                return "", [problem.at(key) for problem in refusal.problems]
    waits = [str(name) for name in game.announced()["waits"]]
    if len(waits) == 1:
        return waits[0], []
    return "", [Problem("orders.whose", help="a line such as side: " + (waits or sorted(game.ledger.seats))[0])]


def _addressed(game: Game, data: Mapping[str, Any]) -> list[Problem]:
    """Refuse a file that names another game."""
    named = data.get("game")
    if named is None or named == game.id:
        return []
    return [Problem("orders.other-game", {"game": str(named)}, ("game",), help=f"game: {game.id}")]


def _read(game: Game, seat: str, data: Mapping[str, Any], *, legality: bool) -> tuple[Any, list[Problem], Judgement | None]:
    """Return the orders, everything that is to be said of them, and the judgement; of a part of a file not whether they are legal."""
    rules, doors = game.ground.rules, game.ground.rules.doors
    known = known_state(game.ground, game.state, game.sides[seat])  # an answer tells nothing of whom the seat does not see
    orders, problems = doors.read_orders(rules, known, seat, data)
    if orders is None:
        return None, problems, None
    problems = [*problems, *_answers(game, seat, orders.answers, data)]
    if worst(problems) or not legality:
        return None, problems, None
    earlier = tuple(sheet.orders for sheet in game.kept_sheets(seat) if sheet.orders is not None)
    judged = doors.check(rules, known, orders, earlier)
    return orders, [*problems, *judged.problems], judged


def _answers(game: Game, seat: str, answers: Mapping[str, str], data: Mapping[str, Any]) -> list[Problem]:
    """Hold answers against the open questions; while one is open, a file gives no orders: the dice of the phase are known."""
    asked = {question["id"]: question for question in game.questions}
    mine = [id_ for id_, question in asked.items() if question["seat"] == seat]
    found: list[Problem] = []
    for id_, typed in answers.items():
        question = asked.get(id_)
        if question is None or question["seat"] != seat:
            help_ = "open for you: " + ", ".join(mine) if mine else "no question is open for you"
            found.append(Problem("orders.question", {"question": id_}, ("answers", id_), help=help_, key=True))
        elif match_answer(question["choices"], question["kind"], typed) is None:
            said = ", ".join(f"{choice['id']} ({choice['value']})" for choice in question["choices"])
            found.append(Problem("orders.answer", {"answer": typed, "question": id_}, ("answers", id_), help=f"one of {said}"))
    if asked:
        headings = {phase.heading for phase in game.ground.rules.sequence.phases if phase.heading} | {"setup", "day"}
        help_ = "answers: and standing: are read now; orders when the phase is over"
        found += [Problem("orders.only-answers", {"section": key}, (key,), help=help_, key=True) for key in data if key in headings]
    return found
