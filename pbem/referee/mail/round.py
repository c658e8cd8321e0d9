"""The daily round of an office: fetch, read, answer, remind, lock at deadlines, resolve when all is in or
time is up, send.

Every step can be cut short and done again: a letter is kept before anything is done about it, what it does is
stored before its answer is queued, and what is queued has a name of its own, so that it is queued once. What
is due is decided in ``club.due``; here it is done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from pbem.club.due import LOCK, REMIND, due
from pbem.post.mail.sender import SeatAt
from pbem.post.offices.office import Office
from pbem.post.write import answers, news
from pbem.post.write.together import with_report
from pbem.post.write.umpire import Thing, passed, trouble
from pbem.post.write.writing import Letter, Person
from pbem.referee.game import story
from pbem.referee.game.desk import Desk
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import UNDECIDED, Refused
from pbem.referee.mail import letters, log_keeping, riding
from pbem.referee.mail.changes import Settings, known_of
from pbem.referee.mail.changes import told_of as told_of_change
from pbem.referee.mail.noticing import missed_letter, told_of, undelivered
from pbem.referee.mail.office import House, Served, Trouble, alone, open_house, parsed, said, settings
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.taking import AUTOMATIC, Taken, about, take, until
from pbem.referee.mail.troubles import Troubles, distinct
from pbem.referee.proving import stamps
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import lock
from pbem.referee.turn.resolve import resolve
from pbem.store import disk, relays
from pbem.store.library import english
from pbem.store.outbox import Outbox
from pbem.store.postbag import Kept, Postbag

MOST_A_DAY: Final = 24
"""Answers to one address in 24 hours: two programs that write to each other come to an end."""
PASSED_A_DAY: Final = 12
"""Letters of one address that are passed on to the umpire in 24 hours; of more he is told where they lie."""
_STEPS: Final = 40
"""Slots of one game in one pass; a game that goes on for ever by itself is a fault."""
BOOK, ANSWERED = "games.json", "answered.json"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done in a pass: what, in which game, for which seat, in words."""

    what: str
    game: str = ""
    seat: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a courier has to say: what was not fetched, in words, whether everything that had come is here
    (``whole``), how much is new.
    """

    said: tuple[str, ...] = ()
    whole: bool = True
    new: int = 0


class Courier(Protocol):
    """Who brings letters and takes them away; the office works without one, with files alone."""

    def fetch(self, bag: Postbag) -> Brought:
        """Keep what has come."""
        ...

    def send(self, box: Outbox, now: datetime) -> Iterator[Step]:
        """Send what is queued; yield what went and what did not."""
        ...

    def settle(self, bag: Postbag) -> Iterator[str]:
        """Mark at the mailbox what is finished here; yield what could not be done."""
        ...


@dataclass(slots=True)
class _Pass:
    """One pass over an office."""

    desk: Desk
    house: House
    bag: Postbag
    box: Outbox
    now: datetime
    fetched: datetime
    """Until when what had arrived is known: a deadline after that is not over yet, whatever
    the clock says.
    """
    book: Troubles
    mail: Queue
    settings: Settings
    pictures: bool = True
    troubles: list[Trouble] = field(default_factory=list)
    unstamped: bool = False
    """Whether the authority for time stamps did not answer in this pass; it is not waited for again."""


def run(
    desk: Desk, root: Path, courier: Courier | None = None, *, pictures: bool = True
) -> Generator[Step, None, House]:
    """Do one pass over an office, yield what was done, as it is done, and return how the office stands then.

    Refused where the office itself cannot be opened.
    """
    office = settings(root)
    with alone(root):
        return (yield from _run(desk, root, office, courier, pictures))


def _run(
    desk: Desk, root: Path, office: Office, courier: Courier | None, pictures: bool
) -> Generator[Step, None, House]:
    started = parsed(desk.clock())
    troubles: list[Trouble] = []
    desk = replace(desk, tell=lambda problem: troubles.append(Trouble("", said(Refused([problem])))))
    house = open_house(desk, root, office)
    bag, box = Postbag(house.post), Outbox(house.post)
    troubles += house.troubles
    for served in house.games.values() if desk.insists else ():
        story.keep(desk, served.game.where, served.game.ledger)
    fetched = started
    if courier is not None:
        brought = courier.fetch(bag)
        troubles += [Trouble("", one) for one in brought.said]
        if not brought.whole:
            # What may lie in the mailbox counts, so nobody is late while it cannot be looked into.
            fetched = datetime.min.replace(tzinfo=started.tzinfo)
    book = Troubles.read(house.post)
    of = _Pass(
        desk,
        house,
        bag,
        box,
        started,
        fetched,
        book,
        Queue(house, box, book, started),
        Settings(house.post),
        pictures,
        troubles,
    )
    for kept in bag.waiting():
        yield from _guarded(of, "", lambda kept=kept: _letter(of, kept))  # type: ignore[misc]
    for id_ in [id_ for id_ in house.games if id_ not in house.held]:
        yield from _guarded(of, id_, lambda id_=id_: _play(of, id_, of.fetched))  # type: ignore[misc]
        yield from _guarded(of, id_, lambda id_=id_: _tell(of, id_))  # type: ignore[misc]
    yield from _guarded(of, "", lambda: _enter(of))
    yield from _trouble(of)
    if courier is not None:
        yield from courier.send(box, parsed(desk.clock()))
        if _to_umpire(of):  # what could not be delivered in this very pass
            yield from courier.send(box, parsed(desk.clock()))
        yield from (Step("trouble", said=one) for one in courier.settle(bag))
    return house


def _guarded(of: _Pass, game: str, act: Callable[[], Iterable[Step]]) -> Iterator[Step]:
    """Do something for one game or one letter; whatever goes wrong is told to the umpire and stops nothing
    else.
    """
    try:
        yield from act()
    except Refused as refusal:
        of.troubles.append(Trouble(game, said(refusal)))
    except disk.Busy:
        of.troubles.append(Trouble(game, english().phrase("round.busy")))
    except Exception as error:
        of.troubles.append(
            Trouble(game, english().phrase("round.fault", kind=type(error).__name__, error=f"{error!s:.200}"))
        )


# --- letters that came


def _letter(of: _Pass, kept: Kept) -> Iterator[Step]:
    """Do what one letter asks for, queue its answer, and only then put it away."""
    # A server whose clock is ahead of ours makes nobody late.
    arrived = min(parsed(kept.arrived), of.now)
    for id_, served in list(of.house.games.items()):
        # Who writes after the time was up must not be read as if it were not; and what is locked and complete
        # is not changed by anybody.
        if (
            id_ not in of.house.held
            and (cutoff := served.cutoff()) is not None
            and (arrived > cutoff or served.is_settled())
        ):
            yield from _guarded(of, id_, lambda id_=id_: _play(of, id_, arrived))  # type: ignore[misc]
    lies = str(of.bag.place(kept).relative_to(of.house.root))
    taken = take(of.desk, of.house, kept.id, kept.data, arrived, of.now, kept=lies)
    if of.house.broken and any(why.startswith("sender.") for why in taken.why):
        # It may be of a game that cannot be opened now; it waits until that one is mended.
        return
    yield Step(taken.became, taken.game, taken.seat, ", ".join(taken.why))
    for what in told_of(of.house, taken, kept.data, arrived, lies):
        of.book.happened(what)
    if taken.passed is not None:
        yield from _pass_on(of, kept, taken)
    yield from _answer(of, kept, taken)
    if taken.became == AUTOMATIC and taken.message.id.endswith(
        f"@{of.house.office.address.rpartition('@')[2]}>"
    ):
        # A copy of a letter of ours: if nobody knew whether that one went out, it did.
        of.box.settled(taken.message.id[1:].rpartition("@")[0])
    outcome: dict[str, object] = {
        "became": taken.became,
        "game": taken.game,
        "seat": taken.seat,
        "why": list(taken.why),
    }
    of.bag.finish(kept, outcome if taken.vouched is None else {**outcome, "dkim": dict(taken.vouched)})
    if taken.game in of.house.games:
        of.house.refresh(taken.game)


def _digest(kept: Kept, taken: Taken, *more: str) -> str:
    """Return what names whatever comes of a letter: two copies of one (to us, and over a list) have one
    answer.
    """
    return hashlib.sha256("\0".join([taken.message.id or kept.id, *more]).encode()).hexdigest()[:24]


def _pass_on(of: _Pass, kept: Kept, taken: Taken) -> Iterator[Step]:
    """Let the umpire have what is for a person; of one who writes too much only so many letters a day, the
    others lie here.
    """
    assert taken.passed is not None
    key = f"umpire-{_digest(kept, taken)}"
    if of.mail.knows(key):
        return
    to = taken.passed.address
    many = not _counted(of, f"umpire {to}", PASSED_A_DAY)
    if many:
        said = english().phrase("round.too-many-passed", address=to, count=PASSED_A_DAY)
        of.book.happened(
            Trouble(
                taken.game,
                said,
                english().phrase("round.too-many-passed-help"),
                lasts=False,
                about=f"passed {to}",
            )
        )
    of.mail.letter(
        key,
        passed(taken.passed, english()),
        taken.game,
        reply_to=Person(to, taken.passed.player),
        by_hand=many,
    )
    yield Step(
        "passed on",
        taken.game,
        taken.seat,
        of.house.office.umpire or english().phrase("round.kept-for-umpire"),
    )


def _answer(of: _Pass, kept: Kept, taken: Taken) -> Iterator[Step]:
    if taken.answer is None or not taken.to:
        return
    key = f"reply-{_digest(kept, taken, taken.to, taken.became, *taken.why)}"
    if of.box.knows(key):
        return
    words = english()
    if not _counted(of, taken.to, MOST_A_DAY):
        said = words.phrase("round.too-many", address=taken.to, count=MOST_A_DAY)
        of.book.happened(
            Trouble(taken.game, said, lasts=False, about=f"answers {taken.to} {of.now:%Y-%m-%d}")
        )
        last = f"enough-{of.now:%Y-%m-%d}-{hashlib.sha256(taken.to.encode()).hexdigest()[:16]}"
        if not of.box.knows(last):
            of.mail.letter(
                last, answers.enough(MOST_A_DAY, taken.message.subject, words), taken.game, taken.to
            )
            yield Step("answered", taken.game, taken.seat, f"{taken.to}, for the last time today")
        return
    of.mail.letter(
        key, taken.answer, taken.game, taken.to, answers=taken.message.id, thread=taken.message.references
    )
    yield Step("answered", taken.game, taken.seat, taken.to)


def _counted(of: _Pass, address: str, most: int) -> bool:
    """Count a letter to an address, or because of one; tell whether it is not one too many for a day."""
    path = of.house.post / ANSWERED
    since = of.now.timestamp() - 86_400
    known = {who: [at for at in times if at > since] for who, times in _book(path).items()}
    known = {who: times for who, times in known.items() if times}
    mine = known.setdefault(address, [])
    if len(mine) >= most:
        return False
    mine.append(of.now.timestamp())
    disk.replace(path, json.dumps(known, sort_keys=True).encode() + b"\n", private=True)
    return True


def _book(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


# --- what is due


def _play(of: _Pass, id_: str, now: datetime) -> Iterator[Step]:
    """Do everything that is due in a game at a time."""
    for _ in range(_STEPS):
        served = of.house.games[id_]
        stand = served.stand()
        if stand is None or served.settings.hold:
            return
        thing = due(stand, served.settings.deadlines, now)
        if thing is None:
            return
        if thing.kind == REMIND:
            yield from _remind(of, served, thing.seats)
            return
        yield from _on(of, served, late=thing.kind == LOCK)
        if of.house.refresh(id_).game.ledger.records == served.game.ledger.records:
            return
    of.troubles.append(Trouble(id_, english().phrase("round.endless")))


def _on(of: _Pass, served: Served, *, late: bool) -> Iterator[Step]:
    """Lock the open slot of a game, or resolve a locked one."""
    where, id_ = served.game.where, served.game.id
    if served.game.ledger.locked is None:
        locked = lock(of.desk, where, deadline=late)
        yield Step(
            "locked",
            id_,
            said=english().phrase("round.locked-late" if late else "round.locked", slot=locked.slot),
        )
        if of.house.office.stamps:
            yield from _stamp(of, replace(served, game=open_game(where)))
        return
    try:
        done = resolve(of.desk, where, deadline=late, pictures=of.pictures, fetch=relays.answers)
    except Refused as refusal:
        if refusal.answer != UNDECIDED:
            raise
        # A round of the beacon that is not there yet, or a go: the next pass looks again.
        return
    yield Step(
        "resolved", id_, said=english().phrase("round.resolved", slot=done.slot, phases=list(done.phases))
    )


def _stamp(of: _Pass, served: Served) -> Iterator[Step]:
    """Have a lock stamped with the time, where the office wants that.

    Whatever goes wrong is told, and holds nothing up.
    """
    if not of.house.office.stamps or not served.settings.witness or of.unstamped:
        return
    try:
        done = stamps.stamp(served.game, of.house.office.stamps)
    except Refused as refusal:
        of.unstamped = True
        of.troubles.append(Trouble(served.game.id, said(refusal), mild=True))
        return
    if done is not None:
        yield Step("stamped", served.game.id, said=english().phrase("round.stamped", slot=done.slot))


def _enter(of: _Pass) -> Iterator[Step]:
    """Enter the heads of the games into the log of the office, if it has one."""
    office = of.house.office
    games = [
        served
        for id_, served in of.house.games.items()
        if served.settings.witness and id_ not in of.house.held
    ]
    for served in games:
        yield from _stamp(of, served)
    if not office.log:
        return
    try:
        grown = log_keeping.add_games(of.desk, of.house.root / office.log, [served.game for served in games])
    except OSError as error:
        of.troubles.append(
            Trouble("", english().phrase("round.log", path=office.log, why=error.strerror or str(error)))
        )
        return
    yield from (
        Step("logged", one.game, said=english().phrase("round.logged", count=one.new))
        for one in grown.entered
        if one.new
    )
    of.troubles += [Trouble("", said(refusal)) for refusal in grown.refused]


def _remind(of: _Pass, served: Served, seats: Iterable[str]) -> Iterator[Step]:
    game = served.game
    slot = (
        int((game.ledger.next or {}).get("slot", 0))
        if game.ledger.locked is None
        else game.ledger.locked.number
    )
    for seat in _seats_of(of.house, game.id):
        again, what = story.anew(of.desk, game.where, game.id, slot), "go" if game.ledger.locked else "orders"
        key = f"remind-{game.id}-s{slot:04d}{again}-{what}-{seat.seat}"
        if seat.seat not in seats or not seat.addresses or of.box.knows(key):
            continue
        told = letters.reminder_of(game, seat.seat, about(of.house, seat), until(of.house, seat, of.now))
        of.mail.letter(
            key,
            news.reminder(told, english()),
            game.id,
            seat.addresses[0],
            thread=of.mail.thread(game.id, seat),
        )
        yield Step("reminded", game.id, seat.seat, seat.addresses[0])


# --- what is to be told


def _tell(of: _Pass, id_: str) -> Iterator[Step]:
    """Queue what the seats of a game have not been told yet."""
    served = of.house.games[id_]
    game = served.game
    words, anew = english(), partial(story.anew, of.desk, game.where, id_)
    seats = [seat for seat in _seats_of(of.house, id_) if seat.addresses]
    yield from _changed(of, served)
    if not game.ledger.started:
        for seat in seats:
            key = f"invite-{id_}-{seat.seat}"
            if seat.seat in game.not_joined and not of.box.knows(key):
                told = letters.invitation_of(
                    game,
                    seat.seat,
                    about(of.house, seat),
                    of.house.office.name,
                    of.house.packets_to,
                    served.company,
                )
                of.mail.letter(key, news.invitation(told, words), id_, seat.addresses[0])
                yield Step("invited", id_, seat.seat, seat.addresses[0])
        return
    for number in _untold(of, game):
        had = {seat.seat for seat in seats if riding.told(of.desk, of.box, game, number, seat.seat)}
        if any(seat.seat not in had for seat in seats):
            yield from _missed(of, served, number)
        for seat in seats:
            asked = riding.rides(game, number) and seat.seat in missing_goes(game)
            if asked or seat.seat in had or riding.waits(served, number, of.now):
                continue
            key = f"turn-{id_}-s{number:04d}{anew(number)}-{seat.seat}"
            of.mail.letter(
                key,
                _turn(of, served, number, seat),
                id_,
                seat.addresses[0],
                thread=of.mail.thread(id_, seat, key),
            )
            yield Step("told", id_, seat.seat, seat.addresses[0])
    yield from _taken_back(of, served, seats)
    slot = game.ledger.locked
    for seat in seats if slot is not None else ():
        assert slot is not None
        key = f"go-{id_}-s{slot.number:04d}{anew(slot.number)}-{seat.seat}"
        if seat.seat in missing_goes(game) and not of.box.knows(key):
            limit = until(of.house, seat, of.now)
            request = news.go_request(
                letters.go_request_of(game, seat.seat, about(of.house, seat), limit, of.house.packets_to),
                words,
            )
            before = game.ledger.state_slot
            if riding.rides(game, before) and not riding.told(of.desk, of.box, game, before, seat.seat):
                request = with_report(request, _turn(of, served, before, seat))
            of.mail.letter(key, request, id_, seat.addresses[0], thread=of.mail.thread(id_, seat))
            yield Step("asked", id_, seat.seat, seat.addresses[0])


def _changed(of: _Pass, served: Served) -> Iterator[Step]:
    """Tell what the umpire changed in the settings of a game since the last round."""
    id_ = served.game.id
    before = of.settings.before(id_)
    now = known_of(served, before)
    if before is not None and not served.game.ledger.over:
        for one in told_of_change(of.house, served, before, now, of.now, pictures=of.pictures):
            if not of.mail.knows(one.key):
                of.mail.letter(one.key, one.letter, id_, one.to)
                yield Step("told", id_, one.seat, one.to)
    of.settings.note(id_, now)


def _missed(of: _Pass, served: Served, number: int) -> Iterator[Step]:
    """Tell the umpire of a slot that was played without somebody's orders."""
    game = served.game
    key = f"missed-{game.id}-s{number:04d}{story.anew(of.desk, game.where, game.id, number)}"
    things = missed_letter(served, number) if number and not of.mail.knows(key) else []
    if things:
        of.mail.letter(key, trouble(things, [], english()), game.id)
        yield from (Step("missed", game.id, said=one.said) for one in things)


def _taken_back(of: _Pass, served: Served, seats: Iterable[SeatAt]) -> Iterator[Step]:
    """Queue where a game stands after turns were taken back: nobody's last letter is true any more."""
    game = served.game
    newest = next(read.record for read in reversed(game.ledger.records) if "next" in read.record)
    if newest["type"] != "undo":
        return
    anew = story.anew(of.desk, game.where, game.id, int(newest["slot"]))
    for seat in seats:
        key = f"undo-{game.id}-s{int(newest['next']['slot']):04d}{anew}-{seat.seat}"
        if of.box.knows(key):
            continue
        limit = until(of.house, seat, of.now)
        told = letters.undone_of(
            game,
            newest,
            seat.seat,
            about(of.house, seat),
            limit,
            pictures=of.pictures,
            company=served.company,
        )
        of.mail.letter(
            key, news.turn(told, english()), game.id, seat.addresses[0], thread=of.mail.thread(game.id, seat)
        )
        yield Step("told", game.id, seat.seat, seat.addresses[0])


def _turn(of: _Pass, served: Served, number: int, seat: SeatAt) -> Letter:
    """Return the letter that tells a seat of a slot."""
    turn = letters.turn_of(
        served.game,
        number,
        seat.seat,
        about(of.house, seat),
        until(of.house, seat, of.now),
        archive=of.house.office.archive == "zip",
        pictures=of.pictures,
        packet_to=of.house.packets_to,
        company=served.company,
    )
    return news.turn(turn, english())


def _untold(of: _Pass, game: Any) -> list[int]:
    """Return the slots whose report may not have gone out yet: all since the office first saw the game (0:
    its beginning).
    """
    path = of.house.post / BOOK
    known = _book(path)
    results = [
        number
        for number, slot in sorted(game.ledger.slots.items())
        if slot.result is not None and not slot.undone
    ]
    if game.id not in known:
        known[game.id] = results[-1] if results else 0
        disk.replace(path, json.dumps(known, sort_keys=True, indent=1).encode() + b"\n", private=True)
    return [number for number in (0, *results) if number >= known[game.id]]


def _seats_of(house: House, game: str) -> list[SeatAt]:
    return [seat for seat in house.seats if seat.game == game]


def _trouble(of: _Pass) -> Iterator[Step]:
    """Tell what needs the umpire: here always, while it lasts; to him once, and again after a while."""
    lasting = _lasting(of)
    happened = [Trouble(**event) for event in of.book.events.values()]
    yield from (Step("trouble", one.where, said=one.said) for one in (*lasting, *happened) if not one.silent)
    _to_umpire(of)


def _lasting(of: _Pass) -> tuple[Trouble, ...]:
    """Return what goes on: what was found in this pass, and letters that did not get through."""
    return distinct([*of.troubles, *undelivered(of.house, of.box)])


def _to_umpire(of: _Pass) -> bool:
    """Queue the letter to the umpire about what is new to him; return whether there is one."""
    lasting = _lasting(of)
    found = of.book.letter(lasting, of.now)
    if found is not None:
        new, still = (
            [Thing(one.where, one.said, one.help) for one in part] for part in (found.new, found.still)
        )
        of.mail.letter(found.key, trouble(new, still, english()), "")
    of.book.went(found, lasting, of.now)
    return found is not None
