"""May a value leave its owner? Only into the history that he knows, once, for the slot that is open (rule
R8).

A value that was given cannot be taken back, and who has it knows dice before others do. So before one leaves,
the copy of the game that asks for it is verified with the rules played again; it has to go on from whatever
this computer has seen of the game; and no value of this slot or a later one may have left for another
history. Whoever holds the umpire's key plays in his own folder: there ``story`` watches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.proof.dice_protocol import NOTHING
from pbem.proof.engines import Engine, engine_of
from pbem.proof.history import Finding, Ledger
from pbem.proof.known import ChainKnown
from pbem.proof.replaying import OPEN, GameToReplay, slot_to_replay
from pbem.proof.ruled import RULED
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.game.story import said_day
from pbem.referee.turn.seen_heads import alone, has, is_own, keep, same_story
from pbem.store import heads
from pbem.store.heads import Seen
from pbem.store.keys import Given
from pbem.store.library import common_words

if TYPE_CHECKING:
    from pbem.proof.verify import Verdict

FAR: Final = 20
"""So many slots after the last one given or seen the next may be; one further on has to be named."""
PASSED: Final = 3
"""So many slots that waited for a seat and went by without it make it name the next one: perhaps they never
were.
"""
TAG: Final = 16
"""So many digits of what fixes the values of a seat since a rekey name the files that are kept about them."""
LISTED: Final = 8
"""So many slots are named one by one."""
_SHOWN: Final = 3


class Wish(Struct, frozen=True):
    """What somebody says who gives a value: the slot that he means (None: the open one), and whether the
    rules are to be played again.
    """

    slot: int | None = None
    rules: bool = True


PLAIN: Final = Wish()


class Giving(Struct, frozen=True):
    """A value that leaves: whose, for which slot, which slot's left before it (0: none), and what was not
    played again.

    ``closed`` are slots with orders that stay closed until they are carried out; without ``rules`` no slot
    was played again. ``below`` is the first of the slots whose values a chain gives away with this one (0: it
    gives away no other).
    """

    seat: str
    slot: int
    last: int
    closed: tuple[int, ...] = ()
    rules: bool = True
    below: int = 0

    @property
    def said(self) -> tuple[str, ...]:
        """Return what is given, in sentences."""
        words = common_words()
        told = [words.phrase("giving.said" if self.last else "giving.first", slot=self.slot, last=self.last)]
        if self.below:
            up_to = self.slot - 1
            span = (
                words.phrase("engine.from-to", first=self.below, last=up_to)
                if self.below < up_to
                else _named((up_to,))
            )
            told.append(words.phrase("giving.chain", slots=span))
        if self.closed:
            told.append(words.phrase("giving.closed", slots=_named(self.closed), count=len(self.closed)))
        if not self.rules:
            told.append(words.phrase("giving.without-rules"))
        return tuple(told)


def give(env: Environment, game: Game, seat: str, slot: int, context: str, wish: Wish = PLAIN) -> Giving:
    """Note that the value of a seat for a slot leaves now, for a report or a lock (its id); Refused where it
    must not (R8).
    """
    if wish.slot not in (None, slot):
        raise refuse("sign.not-open", slot=int(wish.slot or 0), open=slot)
    ledger, own = game.ledger, is_own(env, game.folder, game.ledger)
    done = 0
    closed: tuple[int, ...] = ()
    if own:
        story.gate(env, game.where, ledger)
    else:
        same_story(env, ledger)
        done, closed = _gone_through(env, game, wish)
    of = _fixed_by(ledger, seat)
    with alone(env, game.id):
        given = env.keyring.given(game.id, seat, of)
        last = max((number for number in (*given, *_in_results(ledger, seat)) if number < slot), default=0)
        _once(given, slot, context)
        if not own:
            seen = same_story(env, ledger)
            _not_far(ledger, seat, slot, last, seen, wish)
            keep(env, ledger, done)
        if slot not in given:
            env.keyring.note_given(game.id, seat, slot, Given(env.clock(), context), of)
    return Giving(seat, slot, last, closed, own or wish.rules, _below(ledger, seat, slot))


def _named(slots: Iterable[int]) -> str:
    """Return how some slots are called: each, or of many how many they are."""
    listed, words = list(slots), common_words()
    if len(listed) > LISTED:
        return words.phrase("giving.many", count=len(listed), first=listed[0], last=listed[-1])
    return words.phrase("engine.which", slots=listed, count=len(listed))


# --- whether the copy holds


def _gone_through(env: Environment, game: Game, wish: Wish) -> tuple[int, tuple[int, ...]]:
    """Verify a copy; return up to which record its rules are known to be kept, and the slots that nobody can
    play again yet.

    Refused where anything in it does not hold, or where something is missing that would show it. What this
    program has played again before, and what leads to that, is not played once more: the head pins it.
    """
    ledger, seen = game.ledger, heads.read(env.keyring.heads_file(game.id))
    now = engine_of(env.engine())
    before = seen.replayed if seen.engine == now.sha256 else None
    done = before.n if before is not None and has(ledger, before) else 0
    found: list[Finding] = []

    def again(of: GameToReplay) -> Iterator[Finding]:
        found.extend(_play_again(of, now, frozenset(slot for n, slot in _results(ledger) if n <= done)))
        yield from found

    from pbem.proof.verify import verify

    verdict = verify(game.archive, replay=again if wish.rules else None)
    _same_engine(found)
    if not wish.rules:
        _holds(game, verdict)
        return done, ()
    closed = tuple(
        number
        for number, slot in sorted(ledger.slots.items())
        if slot.result and slot_to_replay(ledger, slot) is None
    )
    _holds(game, verdict)
    first = min((n for n, slot in _results(ledger) if slot in closed), default=len(ledger.records) + 1)
    return first - 1, closed


def _results(ledger: Ledger) -> Iterator[tuple[int, int]]:
    """Yield the results of a ledger: which record, and of which slot."""
    for n, read in enumerate(ledger.records, 1):
        if read.record["type"] in ("result", *RULED):
            yield n, int(read.record["slot"])


def _play_again(of: GameToReplay, now: Engine, done: frozenset[int]) -> Iterable[Finding]:
    """Return what comes out otherwise in the slots that were not played again before, and in all where those
    cannot be alone.
    """
    from pbem.referee.game.replaying import replay

    new = [slot for slot in of.slots if slot.number not in done]
    if done and not new:
        return ()
    # A file that stays in force is read under the state of the slot that locked it.
    needed = {slot.number for slot in new} | {file.slot for slot in new for file in slot.files}
    part = replace(of, slots=tuple(slot for slot in of.slots if slot.number in needed))
    found = tuple(replay(part, engine=now))
    alone = len(part.slots) == len(of.slots) or all(one.code != "E00" for one in found)
    return found if alone else tuple(replay(of, engine=now))


def _same_engine(found: Iterable[Finding]) -> None:
    """Refuse what another program played where this one plays it otherwise, or lacks its rules."""
    if said := [one.message for one in found if one.code == OPEN]:
        raise refuse(
            "giving.engine",
            answer=UNDECIDED,
            why="; ".join(said),
            help=common_words().phrase("giving.ways-engine"),
        )


def _holds(game: Game, verdict: Verdict) -> None:
    """Refuse a copy in which something does not hold, or something is open but a lock that waits and orders
    that stay closed.
    """
    why = [f"{one.code} {one.where}: {one.message}" for one in verdict.failures]
    only_missing = all(one.code == "E00" for one in verdict.failures)
    if not why:
        locked = game.ledger.locked
        fine = [
            "the rules were not replayed",
            *([f"slot {locked.number} is locked and has no result yet"] if locked is not None else []),
        ]
        why = [reason for reason in verdict.undecided if reason not in fine]
    if why:
        shown = "; ".join([*why[:_SHOWN], *(["…"] if len(why) > _SHOWN else [])])
        help_ = f"pbem verify {game.where}"
        raise refuse(
            "giving.fails", answer=UNDECIDED if only_missing else 1, help=help_, game=game.id, why=shown
        )


# --- whether the value may leave for this slot


def _fixed_by(ledger: Ledger, seat: str) -> str:
    """Return what names the values that a seat gives now: nothing since its join, else the beginning of what
    its rekey fixed them by.
    """
    announced = next((n for n, read in enumerate(ledger.records) if read.id == ledger.next_id), 0)
    rekeys = [
        read.record
        for read in ledger.records[:announced]
        if read.record["type"] == "rekey" and read.record["of"] == seat
    ]
    fixed = [str(record.get("root", record.get("anchor", ""))) for record in rekeys]
    return next((by[:TAG] for by in reversed(fixed) if by), "")


def _in_results(ledger: Ledger, seat: str) -> Iterator[int]:
    """Yield the slots for which a seat has given a value, as the ledger says."""
    for number, slot in ledger.slots.items():
        if slot.values.get(seat, NOTHING) != NOTHING and seat not in slot.luck:
            yield number


def _below(ledger: Ledger, seat: str, slot: int) -> int:
    known = ledger.known.get(seat)
    return known.position + 1 if isinstance(known, ChainKnown) and known.position + 1 < slot else 0


def _once(given: Mapping[int, Given], slot: int, context: str) -> None:
    """Refuse a value that left for something else before, or one of a slot before another that has left."""
    before = given.get(slot)
    if before is not None and before.context != context:
        raise refuse(
            "go.given", date=said_day(before.at), slot=slot, help=common_words().phrase("giving.ways-given")
        )
    if given and max(given) > slot:
        later = max(given)
        raise refuse(
            "giving.later",
            date=said_day(given[later].at),
            slot=slot,
            later=later,
            help=common_words().phrase("giving.ways-given"),
        )


def _not_far(ledger: Ledger, seat: str, slot: int, last: int, seen: Seen, wish: Wish) -> None:
    """Refuse a slot that is far on from the last one given or seen, or before which some have passed the seat
    by, unless it is named.
    """
    if wish.slot == slot:
        return
    known = seen.replayed.slot if seen.replayed is not None and has(ledger, seen.replayed) else 0
    passed = tuple(
        number for number in sorted(ledger.slots) if last < number < slot and _passed_by(ledger, seat, number)
    )
    if slot - max(last, known) > FAR or len(passed) >= PASSED:
        help_ = common_words().phrase("giving.ways-far", slot=slot)
        named = _named(passed) if passed else ""
        raise refuse("giving.far", help=help_, slot=slot, last=last or "", passed=named, count=len(passed))


def _passed_by(ledger: Ledger, seat: str, number: int) -> bool:
    """Tell whether a slot waited for a seat and was played without anything of its own."""
    slot = ledger.slots[number]
    silent = slot.entries[seat].sha512 is None and slot.values.get(seat, NOTHING) == NOTHING
    return silent and seat in slot.waits and slot.result is not None and not slot.undone
