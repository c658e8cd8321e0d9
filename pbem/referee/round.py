"""The daily round of an office: fetch, read, answer, remind, lock at deadlines, resolve when all is in or time is up, send.

Every step can be cut short and done again: a letter is kept before anything is done about it, what it does is stored before its answer
is queued, and what is queued has a name of its own, so that it is queued once. What is due is decided in ``club.due``; here it is done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

from pbem.club.due import LOCK, REMIND, due
from pbem.post import news
from pbem.post.cover import message_id
from pbem.post.office import Office
from pbem.post.sender import SeatAt
from pbem.post.writing import BadAddress, Cover, Letter, Person, write
from pbem.post.writing import Office as Sender
from pbem.referee import letters, story
from pbem.referee.desk import Desk
from pbem.referee.go import missing_goes
from pbem.referee.lock import lock
from pbem.referee.office import House, Served, Trouble, alone, open_house, parsed, said, settings
from pbem.referee.refusal import UNDECIDED, Refused
from pbem.referee.resolve import resolve
from pbem.referee.taking import AUTOMATIC, STRANGE, Taken, about, take, until
from pbem.store import disk, relays
from pbem.store.library import english
from pbem.store.outbox import Outbox
from pbem.store.postbag import Kept, Postbag

MOST_A_DAY: Final = 24
"""Answers to one address in 24 hours: two programs that write to each other come to an end."""
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
    """What a courier has to say: what could not be had, in words, whether everything that had come is here (``whole``), how much is new."""

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
    """Until when what had arrived is known: a deadline after that is not over yet, whatever the clock says."""
    pictures: bool = True
    troubles: list[Trouble] = field(default_factory=list)


def run(desk: Desk, root: Path, courier: Courier | None = None, *, pictures: bool = True) -> Iterator[Step]:
    """Do one pass over an office and yield what was done, as it is done; Refused where the office itself cannot be opened."""
    office = settings(root)
    with alone(root):
        yield from _run(desk, root, office, courier, pictures)


def _run(desk: Desk, root: Path, office: Office, courier: Courier | None, pictures: bool) -> Iterator[Step]:
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
    of = _Pass(desk, house, bag, box, started, fetched, pictures, troubles)
    for kept in bag.waiting():
        yield from _guarded(of, "", lambda kept=kept: _letter(of, kept))  # type: ignore[misc]
    for id_ in [id_ for id_ in house.games if id_ not in house.held]:
        yield from _guarded(of, id_, lambda id_=id_: _play(of, id_, of.fetched))  # type: ignore[misc]
        yield from _guarded(of, id_, lambda id_=id_: _tell(of, id_))  # type: ignore[misc]
    yield from _trouble(of)
    if courier is not None:
        yield from courier.send(box, parsed(desk.clock()))
        yield from (Step("trouble", said=one) for one in courier.settle(bag))


def _guarded(of: _Pass, game: str, act: Callable[[], Iterable[Step]]) -> Iterator[Step]:
    """Do something for one game or one letter; whatever goes wrong is told to the umpire and stops nothing else."""
    try:
        yield from act()
    except Refused as refusal:
        of.troubles.append(Trouble(game, said(refusal)))
    except disk.Busy:
        of.troubles.append(Trouble(game, english().phrase("round.busy")))
    except Exception as error:
        of.troubles.append(Trouble(game, english().phrase("round.fault", kind=type(error).__name__, error=f"{error!s:.200}")))


# --- letters that came


def _letter(of: _Pass, kept: Kept) -> Iterator[Step]:
    """Do what one letter asks for, queue its answer, and only then put it away."""
    # A server whose clock is ahead of ours makes nobody late.
    arrived = min(parsed(kept.arrived), of.now)
    for id_, served in list(of.house.games.items()):
        # Who writes after the time was up must not be read as if it were not; and what is locked and complete is not changed by anybody.
        if id_ not in of.house.held and (cutoff := served.cutoff()) is not None and (arrived > cutoff or served.is_settled()):
            yield from _guarded(of, id_, lambda id_=id_: _play(of, id_, arrived))  # type: ignore[misc]
    taken = take(of.desk, of.house, kept.id, kept.data, arrived, of.now)
    if of.house.broken and any(why.startswith("sender.") for why in taken.why):
        # It may be of a game that cannot be opened now; it waits until that one is mended.
        return
    yield Step(taken.became, taken.game, taken.seat, ", ".join(taken.why))
    yield from _answer(of, kept, taken)
    if taken.became == AUTOMATIC and taken.message.id.endswith(f"@{of.house.office.address.rpartition('@')[2]}>"):
        # A copy of a letter of ours: if nobody knew whether that one went out, it did.
        of.box.settled(taken.message.id[1:].rpartition("@")[0])
    if taken.became == AUTOMATIC and "bounce" in taken.why:
        of.troubles.append(Trouble(taken.game, english().phrase("round.bounce", subject=taken.message.subject[:100])))
    if taken.became == STRANGE and taken.answer is None:
        of.troubles.append(Trouble("", english().phrase("round.stranger", address=taken.message.sender[:100])))
    outcome: dict[str, object] = {"became": taken.became, "game": taken.game, "seat": taken.seat, "why": list(taken.why)}
    of.bag.finish(kept, outcome if taken.vouched is None else {**outcome, "dkim": dict(taken.vouched)})
    if taken.game in of.house.games:
        of.house.refresh(taken.game)


def _answer(of: _Pass, kept: Kept, taken: Taken) -> Iterator[Step]:
    if taken.answer is None or not taken.to:
        return
    # Two copies of one letter (to us, and over a list) have one answer.
    same = hashlib.sha256("\0".join([taken.message.id or kept.id, taken.to, taken.became, *taken.why]).encode()).hexdigest()[:24]
    key = f"reply-{same}"
    if of.box.knows(key):
        return
    if not _may_answer(of, taken.to):
        of.troubles.append(Trouble(taken.game, english().phrase("round.too-many", address=taken.to, count=MOST_A_DAY)))
        return
    _queue(of, key, taken.answer, taken.to, taken.game, answers=taken.message.id, thread=taken.message.references)
    yield Step("answered", taken.game, taken.seat, taken.to)


def _may_answer(of: _Pass, address: str) -> bool:
    """Count an answer; tell whether an address has had too many of late."""
    path = of.house.post / ANSWERED
    since = of.now.timestamp() - 86_400
    known = {who: [at for at in times if at > since] for who, times in _book(path).items()}
    known = {who: times for who, times in known.items() if times}
    mine = known.setdefault(address, [])
    if len(mine) >= MOST_A_DAY:
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
        yield Step("locked", id_, said=english().phrase("round.locked-late" if late else "round.locked", slot=locked.slot))
        return
    try:
        done = resolve(of.desk, where, deadline=late, pictures=of.pictures, fetch=relays.answers)
    except Refused as refusal:
        if refusal.answer != UNDECIDED:
            raise
        # A round of the beacon that is not there yet, or a go: the next pass looks again.
        return
    yield Step("resolved", id_, said=english().phrase("round.resolved", slot=done.slot, phases=list(done.phases)))


def _remind(of: _Pass, served: Served, seats: Iterable[str]) -> Iterator[Step]:
    game = served.game
    slot = int((game.ledger.next or {}).get("slot", 0)) if game.ledger.locked is None else game.ledger.locked.number
    for seat in _seats_of(of.house, game.id):
        key = f"remind-{game.id}-s{slot:04d}{_anew(of, game.id, slot)}-{'go' if game.ledger.locked else 'orders'}-{seat.seat}"
        if seat.seat not in seats or not seat.addresses or of.box.knows(key):
            continue
        told = letters.reminder_of(game, seat.seat, about(of.house, seat), until(of.house, seat, of.now))
        _queue(of, key, news.reminder(told, english()), seat.addresses[0], game.id, thread=_thread(of, game.id, seat))
        yield Step("reminded", game.id, seat.seat, seat.addresses[0])


# --- what is to be told


def _tell(of: _Pass, id_: str) -> Iterator[Step]:
    """Queue what the seats of a game have not been told yet."""
    served = of.house.games[id_]
    game = served.game
    words = english()
    seats = [seat for seat in _seats_of(of.house, id_) if seat.addresses]
    if not game.ledger.started:
        for seat in seats:
            key = f"invite-{id_}-{seat.seat}"
            if seat.seat in game.not_joined and not of.box.knows(key):
                told = letters.invitation_of(game, seat.seat, about(of.house, seat), of.house.office.name, of.house.packets_to)
                _queue(of, key, news.invitation(told, words), seat.addresses[0], id_)
                yield Step("invited", id_, seat.seat, seat.addresses[0])
        return
    for number in _untold(of, game):
        for seat in seats:
            key = f"turn-{id_}-s{number:04d}{_anew(of, id_, number)}-{seat.seat}"
            if of.box.knows(key):
                continue
            turn = letters.turn_of(
                game,
                number,
                seat.seat,
                about(of.house, seat),
                until(of.house, seat, of.now),
                archive=of.house.office.archive == "zip",
                pictures=of.pictures,
                packet_to=of.house.packets_to,
            )
            _queue(of, key, news.turn(turn, words), seat.addresses[0], id_, thread=_thread(of, id_, seat, number))
            yield Step("told", id_, seat.seat, seat.addresses[0])
    yield from _taken_back(of, served, seats)
    slot = game.ledger.locked
    for seat in seats if slot is not None else ():
        assert slot is not None
        key = f"go-{id_}-s{slot.number:04d}{_anew(of, id_, slot.number)}-{seat.seat}"
        if seat.seat in missing_goes(game) and not of.box.knows(key):
            limit = until(of.house, seat, of.now)
            request = letters.go_request_of(game, seat.seat, about(of.house, seat), limit, of.house.packets_to)
            _queue(of, key, news.go_request(request, words), seat.addresses[0], id_, thread=_thread(of, id_, seat))
            yield Step("asked", id_, seat.seat, seat.addresses[0])


def _anew(of: _Pass, id_: str, slot: int) -> str:
    """Return what the names of letters about a slot have where it is told anew, after another copy told it otherwise."""
    times = story.times_anew(of.desk, of.house.games[id_].game.where, id_, slot)
    return f"-anew{times}" if times else ""


def _taken_back(of: _Pass, served: Served, seats: Iterable[SeatAt]) -> Iterator[Step]:
    """Queue where a game stands after slots were taken back: nobody's last letter is true any more."""
    game = served.game
    newest = next(read.record for read in reversed(game.ledger.records) if "next" in read.record)
    if newest["type"] != "undo":
        return
    number = game.ledger.state_slot
    for seat in seats:
        key = f"undo-{game.id}-n{int(newest['n']):05d}{_anew(of, game.id, int(newest['slot']))}-{seat.seat}"
        if of.box.knows(key):
            continue
        turn = letters.turn_of(game, number, seat.seat, about(of.house, seat), until(of.house, seat, of.now), pictures=of.pictures)
        told = replace(turn, gave=english().phrase("letter.taken-back", slot=number))
        _queue(of, key, news.turn(told, english()), seat.addresses[0], game.id, thread=_thread(of, game.id, seat))
        yield Step("told", game.id, seat.seat, seat.addresses[0])


def _untold(of: _Pass, game: Any) -> list[int]:
    """Return the slots whose report may not have gone out yet: all since the office first saw the game (0: its beginning)."""
    path = of.house.post / BOOK
    known = _book(path)
    results = [number for number, slot in sorted(game.ledger.slots.items()) if slot.result is not None and not slot.undone]
    if game.id not in known:
        known[game.id] = results[-1] if results else 0
        disk.replace(path, json.dumps(known, sort_keys=True, indent=1).encode() + b"\n", private=True)
    return [number for number in (0, *results) if number >= known[game.id]]


def _seats_of(house: House, game: str) -> list[SeatAt]:
    return [seat for seat in house.seats if seat.game == game]


def _thread(of: _Pass, game: str, seat: SeatAt, number: int | None = None) -> tuple[str, ...]:
    """Return the ids of the letters to a seat that one about its game belongs to: the turn letters so far."""
    keys = of.box.keys(f"turn-{game}-", f"-{seat.seat}")
    mine = f"turn-{game}-s{number:04d}{_anew(of, game, number)}-{seat.seat}" if number is not None else ""
    domain = of.house.office.address.rpartition("@")[2]
    return tuple(message_id(key, domain) for key in keys if key != mine)


def _queue(of: _Pass, key: str, letter: Letter, to: str, game: str, *, answers: str = "", thread: tuple[str, ...] = ()) -> None:
    """Queue a letter, once."""
    office = of.house.office
    served = of.house.games.get(game)
    names = [player.name for player in office.players.values() if to in player.addresses]
    cover = Cover(
        key=key,
        date=of.now,
        office=Sender(office.address, office.name),
        to=Person(to, names[0] if names else ""),
        game=game,
        title=served.title if served is not None else "",
        answers=answers or (thread[-1] if thread else ""),
        thread=thread,
    )
    try:
        posted = write(letter, cover)
    except BadAddress as bad:
        of.troubles.append(Trouble(game, english().phrase("round.bad-address", address=str(bad))))
        return
    of.box.queue(key, posted.data, posted.envelope.sender, posted.envelope.recipients)


def _trouble(of: _Pass) -> Iterator[Step]:
    """Tell the umpire what needs him: the same things once a day."""
    words = english()
    of.troubles += [Trouble("", words.phrase("round.doubt", letter=one.key, to=list(one.doubt))) for one in of.box.held()]
    things = tuple(dict.fromkeys((one.where, one.said, "") for one in of.troubles))
    yield from (Step("trouble", where, said=what) for where, what, _ in things)
    to = of.house.office.umpire
    if not things or not to:
        return
    day = of.now.strftime("%Y-%m-%d")
    key = f"trouble-{day}-{hashlib.sha256(repr(sorted(things)).encode()).hexdigest()[:16]}"
    if not of.box.knows(key):
        _queue(of, key, news.trouble(news.Trouble(things), english()), to, "")
