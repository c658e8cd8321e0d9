"""Posts taken in: each that is new, in the order of its thread, by the use cases of the post office
(``incoming``), and answered.

The policy for edits stands in docs/forum.md and is kept here. A post is executed once, as it was read first:
its text goes into the forum book before anything is done about it, and from there it is carried out. What is
found changed later, gone, or shown in two ways is told and never carried out. A post that bears a mark of an
edit when it is first seen is taken, with a doubt that says so, and counts as having come when it was edited:
what it said before nobody can know, most edits mend a slip, and the first reading is one that all can check.

Everything may be cut short between two steps: the next run carries on with what the book has as seen and not
done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.forum import reading
from pbem.forum.authors import known_as
from pbem.forum.thread import SOFTWARE, Post, Thread
from pbem.post.lines.message import NOTHING, ORDERS, Found, Line
from pbem.post.mail.sender import SeatAt, Whose
from pbem.post.offices.office import FILE, GameSettings, Office
from pbem.post.orders.asking import DRAW, LEAVE, RESIGN, TIME, understood
from pbem.post.orders.wishes import wish
from pbem.post.write.umpire import Passed
from pbem.referee.forum.forum_answers import write_answer
from pbem.referee.forum.forum_looking import Page, ShownPost, comes_before, kept_account, look
from pbem.referee.forum.forum_run import LOCKED, OLDER, TALK, PassOn, Run, Step
from pbem.referee.forum.forum_sighting import asks_a_person, plays, sight
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game, own_folder, writing
from pbem.referee.game.refusal import UNDECIDED, Refused, in_use, refuse
from pbem.referee.game.vocabularies import keys_of
from pbem.referee.mail import letters
from pbem.referee.mail.incoming import TAKEN, Incoming, LetterOutcome, about, short_answer, unused
from pbem.referee.mail.office import House, settings
from pbem.referee.mail.passing import DONE, note_of
from pbem.referee.mail.request_book import RequestBook
from pbem.referee.mail.requesting import with_requests
from pbem.referee.mail.seat_letters import of_seat, says_yes
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.referee.turn.lock import lock, lock_if_final
from pbem.store import disk, forum_book, received
from pbem.store.forum_book import BadBook, Book, Done, Seen
from pbem.store.library import common_words_of_posts
from pbem.text.characters import printable
from pbem.text.located import Located

__all__ = ["names_of", "take"]


def take(
    env: Environment,
    where: Path,
    files: Iterable[tuple[str, bytes]],
    authors: Mapping[str, str] | None = None,
    *,
    trust_raw: bool = False,
    queues: bool = False,
    patient: bool = False,
    pass_on: PassOn | None = None,
    requests: RequestBook | None = None,
    mailboxes: Mapping[str, SeatAt] | None = None,
) -> Iterator[Step]:
    """Take in what is new on some pages and yield what was done, as it is done.

    ``authors`` are new names, ``SEAT -> NAME``. ``trust_raw``: the umpire vouches for what divides the posts
    of a source. ``queues``, ``patient``, ``pass_on``, ``requests``, ``mailboxes``:
    see ``Run``.
    """
    game = open_game(where)
    own_folder(game)
    story.gate(env, where, game.ledger)
    try:
        with forum_book.alone(where) as book:
            house = _house(game)
            run = Run(
                env,
                house,
                game.id,
                book,
                parsed(env.clock()),
                trust_raw,
                queues,
                patient,
                pass_on,
                requests,
                mailboxes or {},
            )
            book.write(_new_names(game, book, _named(game, authors or {})))
            yield from _carry_on(run)
            run.pages = look(keys_of(game), files)
            yield from sight(run)
            yield from _carry_on(run)
            yield from _close(run)
    except disk.Busy as busy:
        raise in_use(busy, where) from None
    except BadBook as bad:
        raise _unreadable(bad) from None


def names_of(game: Game, authors: Mapping[str, str]) -> Book:
    """Return the forum book of a game with new names in it, ``SEAT -> NAME``, that are not kept; an archive
    has an empty one.
    """
    try:
        book = forum_book.read(game.where) if game.folder is not None else Book(game.where)
    except BadBook as bad:
        raise _unreadable(bad) from None
    for event in _new_names(game, book, _named(game, authors)):
        book.take(event)
    return book


def _unreadable(bad: BadBook) -> Refused:
    path = str(bad.path)
    return refuse(
        "forum.book", answer=UNDECIDED, file=path, path=path, line=bad.line, help="put it back from a copy"
    )


def _house(game: Game) -> House:
    """Return an office with one game in it: with the deadlines of the office that the game lies in, if it
    lies in one.
    """
    root = game.where.resolve().parent
    office = settings(root) if (root / FILE).is_file() else Office("", "")
    kept = office.game(game.id, game.where.name) if (root / FILE).is_file() else GameSettings()
    return House(root, office, {game.id: OfficeGame(game, kept, {})}, (), ())


def _named(game: Game, authors: Mapping[str, str]) -> Mapping[str, str]:
    """Return who writes under which name: as the office of a game has it, unless another name is given."""
    root = game.where.resolve().parent
    place = settings(root).game(game.id, game.where.name).place if (root / FILE).is_file() else None
    return {**(place.authors if place is not None else {}), **authors}


def _new_names(game: Game, book: Book, authors: Mapping[str, str]) -> list[Mapping[str, str]]:
    """Return the names that are new, and their accounts where they were given; Refused where one cannot be
    that seat's.

    An account is given behind a name as it is told, ``Bob (77)``, where another account came to write under
    that name.
    """
    events: list[Mapping[str, str]] = []
    for named, said in authors.items():
        name = " ".join(said.split())
        if (account := re.fullmatch(r"(.+) \(([0-9A-Za-z_-]{1,60})\)", name)) is not None:
            name = account[1]
        seat = game.seat_of(named)
        if not game.ledger.seats[seat].outside:
            raise refuse("forum.own-seat", seat=seat)
        known = [*book.names.items(), *((one["name"], one["seat"]) for one in events if one["do"] == "name")]
        other = next((run for one, run in known if known_as(one) == known_as(name) and run != seat), None)
        if other is not None:
            raise refuse("forum.name-taken", author=printable(name)[:60], seat=other)
        if book.names.get(name) != seat:
            events.append({"do": "name", "name": name, "seat": seat})
        for software in SOFTWARE if account is not None else ():
            if account is not None and book.accounts.get(kept_account(software, name)) != account[2]:
                events.append({"do": "account", "name": kept_account(software, name), "id": account[2]})
    return events


# --- what is to be done


def _carry_on(run: Run) -> Iterator[Step]:
    """Do what posts ask for that were seen and are not done, in the order in which they were seen, and answer
    them.
    """
    for one in run.book.pending():
        if run.patient and _is_late(run, one):
            return
        yield from _on_time(run, one)
        slot = _slot(run.served.game)
        taken = _carried_out(run, one, slot)
        game = run.house.refresh(run.game).game
        if run.pass_on is not None:
            run.pass_on(one.key, taken)
        answer = (
            write_answer(game, one, taken.became, taken.answer, queues=run.queues)
            if taken.answer is not None
            else ""
        )
        place = f"post #{one.number}" if one.number else f"post {one.id}"
        words = common_words_of_posts()
        said = "; ".join(words.problem(code, {}) for code in taken.why[:1]) if taken.became == OLDER else ""
        yield Step(taken.became, place, printable(one.author)[:60], one.seat, taken.why, said, answer)
        run.book.write([Done(one.key, taken.became, one.seat, slot)])


def _slot(game: Game) -> int:
    return game.ledger.locked.number if game.ledger.locked is not None else game.ledger.open_slot or 0


def _on_time(run: Run, one: Seen) -> Iterator[Step]:
    """Lock the open slot first where the time for it was up when a post came: it must not be read as if it
    were not.
    """
    if not _is_late(run, one):
        return
    try:
        locked = lock(run.env, run.served.game.where, deadline=True)
    except Refused:
        return  # two friends: the slot waits for both, so nobody is late
    run.house.refresh(run.game)
    yield Step(LOCKED, said=common_words_of_posts().phrase("round.locked-late", slot=locked.slot))


def _is_late(run: Run, one: Seen) -> bool:
    """Tell whether a post came when the time for the open slot was up."""
    cutoff, arrived = run.served.cutoff(), parsed(one.arrived) if one.arrived else None
    if cutoff is None or arrived is None or run.served.game.ledger.locked is not None:
        return False
    return arrived > cutoff


def _carried_out(run: Run, one: Seen, slot: int) -> LetterOutcome:
    """Do what one post asks for, as it was read first."""
    game = run.served.game
    post = Post(
        one.id,
        one.number,
        one.author,
        one.author_id,
        one.at,
        one.edited,
        tuple(Line(*line) for line in one.lines),
        one.raw,
    )
    found = reading.found(keys_of(game), post)
    seat = SeatAt(run.game, one.seat, run.served.title, keyed=game.ledger.seats[one.seat].key is not None)
    arrived = parsed(one.arrived) if one.arrived else datetime.min.replace(tzinfo=UTC)
    if not game.ledger.slots:
        arrived = run.now  # there was no turn before the first that it could have been written for
    place = ShownPost(post, Page("", Thread(""), "")).place
    doubts = (_doubt("doubt.forum.edited", one.edited),) if one.edited else ()
    letter = Incoming(
        house=run.house,
        mail=one.key,
        message=reading.message(post),
        found=found,
        who=Whose(seat, one.relied, one.author or "-", None, run.game),
        arrived=arrived,
        now=run.now,
        words=common_words_of_posts(),
        place=place,
        attaching=False,
        doubts=doubts,
    )
    folder = own_folder(game)
    if found.kind == NOTHING and run.pass_on is not None and asks_a_person(found):
        answer = short_answer(letter, "forum.passed-title", letter.words.phrase("forum.passed-said"))
        taken = _passed(run, letter, LetterOutcome(TALK, run.game, one.seat, answer=answer))
        return taken if run.requests is None else _requested(run, letter, taken, run.requests)
    if found.kind == NOTHING and plays(found):
        again = received.came_of(folder, received.join_file(one.seat)).mail == one.key
        if not again and (game.ledger.started or one.seat not in game.not_joined):
            return LetterOutcome(TALK, run.game, one.seat)
        if not says_yes(found.own):
            return unused(letter, (Problem("join.say-yes"),))
    elif found.kind == NOTHING:
        return unused(letter, found.problems)

    if (
        found.kind == ORDERS
        and one.shared
        and found.signature is None
        and not re.search(rb"^game:", found.data, re.MULTILINE)
    ):
        return unused(letter, (Problem("forum.which-game", {"game": run.game}),))

    if found.kind == ORDERS and slot and _is_older(run, one, slot):
        return replace(unused(letter, (Problem("forum.older"),)), became=OLDER)
    if (
        found.kind == ORDERS
        and slot
        and found.signature is None
        and (section := _missing_section(run, post, found, one.seat))
    ):
        said = common_words_of_posts().phrase("forum.say-section", section=section)
        return unused(letter, (Problem("forum.no-section", help=said),))
    taken = of_seat(run.env, letter, run.served, seat)
    return taken if run.pass_on is None else _passed(run, letter, taken)


def _requested(run: Run, letter: Incoming, taken: LetterOutcome, book: RequestBook) -> LetterOutcome:
    """Return what became of a post that asks for something. To resign and to draw are confirmed, and a thread
    is nobody's own mailbox: a letter asks whose mailbox is known, the umpire enters it for who has none.
    """
    seat, words = letter.who.seat, letter.found.own
    assert seat is not None
    mailbox = run.mailboxes.get(seat.seat)
    asking = replace(
        letter, found=replace(letter.found, words=words), who=replace(letter.who, seat=mailbox or seat)
    )
    kinds = (LEAVE, TIME) if mailbox is None else (LEAVE, TIME, DRAW, RESIGN)
    taken = with_requests(run.env, asking, taken, book, kinds)
    if all(one.kind in (LEAVE, TIME) for one in understood(words, letter.arrived.date())):
        return taken
    said = "forum.confirm" if mailbox is not None else "forum.no-mailbox"
    title = "forum.passed-title" if mailbox is None else "forum.confirm-title"
    return replace(taken, answer=short_answer(letter, title, letter.words.phrase(said)))


def _passed(run: Run, letter: Incoming, taken: LetterOutcome) -> LetterOutcome:
    """Return what became of a post, with the words in it that the umpire has to read, if there are any."""
    found, seat = letter.found, letter.who.seat
    assert seat is not None
    note, kind = note_of(found), wish(found.own)
    if not (note or (kind and taken.became == TALK)):
        return taken
    told = Passed(
        about=about(run.house, seat),
        player=printable(letter.who.answer_to)[:60],
        address="",
        subject=letter.place,
        did=DONE.get(taken.became, "asked"),
        wish=kind,
        words=found.own if taken.became == TALK else "",
        note=note,
    )
    return replace(taken, passed=told)


def _missing_section(run: Run, post: Post, found: Found, seat: str) -> str:
    """Return the section that an open turn asks for and that orders lack; nothing where they order something,
    or there is nothing to order.

    Luck, a message, a turn are said in many a talk; that they replace what was ordered, or end a turn, nobody
    can have meant. Words that an answer asked for are no talk where they are all that is said.
    """
    game = run.served.game
    keys = keys_of(game)
    if (
        reading.has_section(keys, found)
        or reading.is_asked_for(keys, post, found)
        or game.ledger.locked is not None
        or not game.ledger.started
        or game.ledger.over
    ):
        return ""
    sheet = letters.sheet_of(game, seat)
    offered = keys.offered.findall(sheet.data) if sheet is not None else []
    return offered[0].decode() if offered else ""


def _doubt(code: str, when: str) -> Located:
    return Located("", 0, 0, code, common_words_of_posts().problem(code, {"when": printable(when)[:60]}))


def _is_older(run: Run, one: Seen, slot: int) -> bool:
    """Tell whether orders of the same seat for the same slot were taken that stand below a post: it was read
    too late.
    """
    taken = [
        done
        for done in run.book.done.values()
        if (done.became, done.seat, done.slot) == (TAKEN, one.seat, slot)
    ]
    return any(comes_before(one, run.book.seen[done.key]) for done in taken if done.key in run.book.seen)


def _close(run: Run) -> Iterator[Step]:
    """Lock the slot if everything for it is there and final, as it is done after a file that came by hand."""
    served = run.served
    ledger = served.game.ledger
    if served.held or not ledger.started or ledger.over or ledger.locked is not None:
        return
    with writing(served.game.where, run.env) as game:
        locked = lock_if_final(run.env, game)
    if locked is not None:
        yield Step(LOCKED, said=common_words_of_posts().phrase("round.locked", slot=locked.slot))
