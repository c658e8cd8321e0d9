"""Everything that is wrong with an order file, all at once; stores nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.ruleset import Judgement
from pbem.proof.archive import content, orders_path
from pbem.proof.history import Slot
from pbem.proof.orderfile import FIRST_LINE, BadOrderFile, OrderFile, parse
from pbem.referee.game.game import Game
from pbem.referee.game.intake import takes_values, words_problem
from pbem.referee.game.order_form import shape_of_orders
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import match_answer
from pbem.referee.game.views import known_state
from pbem.store.library import common_words
from pbem.text import characters
from pbem.text.free import loses_words
from pbem.text.located import Located, locate
from pbem.text.source import Source, read

if TYPE_CHECKING:
    from pbem.post.lines.message import Repair
    from pbem.post.orders.filed import Filed


class Checked(Struct, frozen=True):
    """An order file as judged: whose it is, what is wrong, what may come out differently, and what was
    understood.

    Places of problems and doubts are those of the file as it was given. ``data`` is the file as it is read:
    that which was given, unless something in it was mended (``repairs``).
    """

    seat: str
    problems: tuple[Located, ...]
    doubts: tuple[Located, ...]
    orders: Any
    header: OrderFile | None
    luck: str | None
    understood: tuple[str, ...]
    judgement: Judgement | None = None
    """What the rules said of it; a picture and the orders in normal form are made of it only where somebody
    wants them.
    """
    data: bytes = b""
    repairs: tuple[Repair, ...] = ()
    readable: Any = None
    """The orders as far as they could be read, wrong ones among them; never to be carried out."""
    source: Source | None = None
    """What ``data`` says, and where."""
    lost: tuple[str, ...] = ()
    """Lines of the file as it was given that are not in ``data`` because of a problem."""

    @property
    def ok(self) -> bool:
        """Tell whether the file stands."""
        return not self.problems


def check(game: Game, name: str, data: bytes, seat: str | None = None) -> Checked:
    """Return what is to be said of an order file, plain or with its header; ``seat`` where the file does not
    name it itself.

    A plain file in whose form something is wrong is mended as a letter is, where one meaning only is
    possible. A file with a header is what it is, and so is one that can be read.
    """
    game.announced()
    source = read(data, name, allow_header=True)
    form = _form(game, source)
    if not _is_plain(data) or not _is_faulty(source, form):
        return _checked(game, source, data, seat, form=form)
    from pbem.post.orders.filed import filed
    from pbem.referee.game.vocabularies import keys_of

    found = filed(keys_of(game), data)
    if found is None or (not found.lines and not found.problems):
        return _checked(game, source, data, seat, form=form)
    if not found.data.strip():
        source = replace(source, data=None, problems=list(found.problems), whole=False)
        return replace(_checked(game, source, b"", seat), lost=found.lost)
    mended = _checked(game, read(found.data, name), found.data, seat, found.lost)
    told = sorted(
        (*(_placed(found, one) for one in mended.problems), *locate(source, found.problems, game.words)),
        key=lambda one: (one.line, one.column),
    )
    return replace(
        mended,
        problems=tuple(told),
        doubts=tuple(_placed(found, one) for one in mended.doubts),
        orders=None if told else mended.orders,
        repairs=found.repairs,
        lost=found.lost,
    )


def _is_plain(data: bytes) -> bool:
    return not data.startswith(FIRST_LINE[:5].encode())


def _form(game: Game, source: Source) -> list[Problem]:
    """Return what is wrong with the form of a file that was read."""
    if source.data is None:
        return []
    return shape_of_orders(game.ground.rules).check(source.data, whole=source.whole)


def _is_faulty(source: Source, form: Sequence[Problem]) -> bool:
    """Tell whether something is wrong with the form of a file, or a part of its writer's words would be taken
    for a comment.
    """
    return bool(source.problems or form) or not isinstance(source.data, Mapping) or loses_words(source)


def _placed(found: Filed, problem: Located) -> Located:
    """Return a problem of a mended file with its place in the file as it was given."""
    from pbem.post.lines.rows import place_in

    line, column, text = place_in(found.lines, problem.line, problem.column)
    return replace(problem, line=line, column=column, source_line=text)


def _checked(
    game: Game,
    source: Source,
    data: bytes,
    seat: str | None,
    lost: Sequence[str] = (),
    form: Sequence[Problem] | None = None,
) -> Checked:
    """Return what is to be said of a file as it was read; ``lost`` are lines that were left out of it and may
    be orders, ``form`` what is wrong with its form, where that is known.
    """
    header, wrong = _header(data)
    form = _form(game, source) if form is None else form
    form = [*source.problems, *wrong, *(_with_help(game, one) for one in form)]
    whose, meant = _seat(game, source, header, seat)
    orders = None
    judged: Judgement | None = None
    if isinstance(source.data, Mapping):
        stray = _addressed(game, source.data)
        meant += stray
        meant += _luck_problems(game, whose, header, _luck(source))
        if whose and not stray:
            lost = [*lost, *_unparsed(source)]
            orders, found, judged = _read(game, whose, {**source.data, "": lost} if lost else source.data)
            found = [problem for problem in found if problem.path != ("",)]
            meant += found

    problems = _once(form, meant)
    located = _of_line([_with_comment(source, one) for one in locate(source, problems, game.words)])
    wrong_ones = tuple(problem for problem in located if not problem.is_doubt)
    understood: tuple[str, ...] = ()
    readable, judged = orders, None if wrong_ones else judged
    if judged is not None:
        told = game.ground.rules.interface.forecast(game.ground.rules, judged.course)
        understood = game.words.put_rows(tuple(told))
    return Checked(
        seat=whose,
        problems=wrong_ones,
        doubts=tuple(problem for problem in located if problem.is_doubt),
        orders=None if wrong_ones else orders,
        header=header,
        luck=_luck(source),
        understood=understood,
        judgement=judged,
        data=data,
        readable=readable,
        source=source,
    )


def _unparsed(source: Source) -> list[str]:
    """Return the lines of a file that are no YAML."""
    numbers = (
        {problem.path[1] for problem in source.problems if problem.path[:1] == (characters.PLACE,)}
        if not source.whole
        else ()
    )
    return [
        source.lines[int(number) - 1]
        for number in sorted(map(int, numbers))
        if int(number) <= len(source.lines)
    ]


def _once(form: Sequence[Problem], meant: Sequence[Problem]) -> list[Problem]:
    """Return what is to be said of the form of a file and of its meaning, nothing of it twice: the rules know
    best what a value may be.
    """
    known = {problem.path for problem in meant if problem.path}
    form = [problem for problem in form if problem.path not in known or not _of_value(problem)]
    told = [problem.path for problem in form if problem.path and problem.path[0] != characters.PLACE]
    return [
        *form,
        *(problem for problem in meant if not any(problem.path[: len(path)] == path for path in told)),
    ]


def _of_line(located: Sequence[Located]) -> list[Located]:
    """Return problems without those of a line that cannot be parsed: what they say of it may only come of
    that.
    """
    lines = {
        one.line
        for one in located
        if one.code.startswith("yaml.") and one.code not in ("yaml.twice", "yaml.key", "yaml.run-on")
    }
    return [one for one in located if one.line not in lines or one.code.startswith(("yaml.", "header."))]


def _of_value(problem: Problem) -> bool:
    """Tell whether a problem of form says what a value may be; of the kind of value only where it is that of
    a top key.
    """
    return problem.code in ("schema.pattern", "schema.choice") or (
        problem.code == "schema.type" and len(problem.path) == 1
    )


def _with_help(game: Game, problem: Problem) -> Problem:
    """Return a problem of form; of a key that nobody knows, with the section that it
    probably was meant for.
    """
    if problem.code != "schema.unknown-key" or len(problem.path) != 1:
        return problem
    from pbem.referee.game.vocabularies import keys_of

    keys = keys_of(game)
    meant = keys.meant(str(problem.path[0]))
    if problem.path[0] in keys.standing:
        return replace(
            problem, help=f"it is a standing instruction: standing: {{everyone: {{{problem.path[0]}: ...}}}}"
        )
    help_ = (
        f"did you mean '{meant}'?"
        if meant
        else problem.help or "the sections are " + ", ".join(keys.sections)
    )
    return replace(problem, help=help_)


def _with_comment(source: Source, problem: Located) -> Located:
    """Return a problem with an order; with the reason where a part of its line is a comment."""
    if problem.code != "orders.sentence" or len(problem.path) != 2:
        return problem
    from pbem.post.lines.signs import comment

    at = comment(problem.source_line)
    if at < 0:
        return problem
    return replace(
        problem, help=common_words().phrase("check.comment", text=problem.source_line[at : at + 20].strip())
    )


def _header(data: bytes) -> tuple[OrderFile | None, list[Problem]]:
    if not data.startswith(FIRST_LINE[:5].encode()):
        return None, []
    try:
        return parse(data), []
    except BadOrderFile as bad:
        return None, [
            Problem("header.wrong", {"reason": bad.reason}, (characters.PLACE, max(bad.line, 1), 1))
        ]


def _luck(source: Source) -> str | None:
    found = source.data.get("luck") if isinstance(source.data, Mapping) else None
    return found if isinstance(found, str) else None


def _luck_problems(game: Game, seat: str, header: OrderFile | None, luck: str | None) -> list[Problem]:
    """Return why the words in a plain file of a seat without a key cannot be used; those of a header are
    judged with it.
    """
    known = game.ledger.seats.get(seat)
    if luck is None or header is not None or known is None or known.key is not None or not known.outside:
        return []
    wrong = words_problem(game, seat, luck) if takes_values(game, game.announced()) else None
    return [] if wrong is None else [wrong.at("luck")]


def _seat(
    game: Game, source: Source, header: OrderFile | None, seat: str | None
) -> tuple[str, list[Problem]]:
    """Return whose file it is: the header knows, else the caller, else the file, else the one seat that is
    waited for.
    """
    if header is not None:
        if header.seat not in game.ledger.seats:
            return "", [Problem("game.seat", {"seat": header.seat}, (characters.PLACE, 1, 1))]
        if seat is not None and game.seat_of(seat) != header.seat:
            return "", [
                Problem("orders.other-seat", {"seat": header.seat, "wanted": seat}, (characters.PLACE, 1, 1))
            ]
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
    return "", [
        Problem("orders.whose", help="a line such as side: " + (waits or sorted(game.ledger.seats))[0])
    ]


def _addressed(game: Game, data: Mapping[str, Any]) -> list[Problem]:
    """Refuse a file that names another game."""
    named = data.get("game")
    if named is None or named == game.id:
        return []
    return [Problem("orders.other-game", {"game": str(named)}, ("game",), help=f"game: {game.id}")]


def _read(game: Game, seat: str, data: Mapping[str, Any]) -> tuple[Any, list[Problem], Judgement | None]:
    """Return the orders as far as they can be read, everything that is to be said of them,
    and the judgement.
    """
    rules, interface = game.ground.rules, game.ground.rules.interface
    # an answer tells nothing of whom the seat does not see
    known = known_state(game.ground, game.state, game.sides[seat])
    orders, problems = interface.read_orders(rules, known, seat, data)
    if orders is None:
        return None, problems, None
    problems = [*problems, *_answers(game, seat, orders.answers, data)]
    earlier = tuple(sheet.orders for sheet in game.kept_sheets(seat) if sheet.orders is not None)
    judged = interface.check(rules, known, orders, earlier)
    return orders, [*problems, *judged.problems], judged


def doubts_of(game: Game, slot: Slot, seat: str) -> tuple[Located, ...]:
    """Return what is doubtful in the locked orders of a seat: what may come out otherwise than meant."""
    data = content(game.archive, orders_path(seat, slot.number))
    try:
        source = read(parse(data or b"").yaml, orders_path(seat, slot.number))
    except BadOrderFile:
        return ()
    if not isinstance(source.data, Mapping):
        return ()
    rules, interface = game.ground.rules, game.ground.rules.interface
    before = game.state_after(slot.state_before_slot, slot.state_before)
    known = known_state(game.ground, before, game.sides[seat])
    orders, problems = interface.read_orders(rules, known, seat, source.data)
    if orders is not None:
        earlier = tuple(
            sheet.orders
            for sheet in game.sheets_of(slot)
            if sheet.seat == seat and sheet.slot != slot.number and sheet.orders is not None
        )
        problems = [*problems, *interface.check(rules, known, orders, earlier).problems]
    return tuple(one for one in locate(source, problems, game.words) if one.is_doubt)


def _answers(game: Game, seat: str, answers: Mapping[str, str], data: Mapping[str, Any]) -> list[Problem]:
    """Hold answers against the open questions; while one is open, a file gives no orders: the dice of the
    phase are known.
    """
    asked = {question["id"]: question for question in game.questions}
    mine = [id_ for id_, question in asked.items() if question["seat"] == seat]
    found: list[Problem] = []
    for id_, typed in answers.items():
        question = asked.get(id_)
        if question is None or question["seat"] != seat:
            help_ = "open for you: " + ", ".join(mine) if mine else "no question is open for you"
            found.append(
                Problem("orders.question", {"question": id_}, ("answers", id_), help=help_, key=True)
            )
        elif match_answer(question["choices"], question["kind"], typed) is None:
            said = ", ".join(f"{choice['id']} ({choice['value']})" for choice in question["choices"])
            found.append(
                Problem(
                    "orders.answer",
                    {"answer": typed, "question": id_},
                    ("answers", id_),
                    help=f"one of {said}",
                )
            )
    if asked:
        sections = game.ground.rules.vocabulary.headings
        help_ = "answers: and standing: are read now; orders when the phase is over"
        found += [
            Problem("orders.only-answers", {"section": key}, (key,), help=help_, key=True)
            for key in data
            if key in sections
        ]
    return found
