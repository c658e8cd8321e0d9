"""The daily round of an office: fetch, read, answer, remind, lock at deadlines, resolve when all is in or
time is up, send.

Every step can be cut short and done again: a letter is kept before anything is done about it, what it does is
stored before its answer is queued, and what is queued has a name of its own, so that it is queued once. What
becomes of a letter stands in ``round_letters``, what is due in ``round_due``, what seats are told in
``round_news``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from pbem.post.offices.office import Office
from pbem.post.write.umpire import Thing, trouble
from pbem.referee.game import story
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import own_folder
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.changes import Settings
from pbem.referee.mail.digest import digest
from pbem.referee.mail.line_book import LineBook
from pbem.referee.mail.noticing import undelivered
from pbem.referee.mail.office import POST, House, Trouble, alone, open_house, said, secret_of, settings
from pbem.referee.mail.proposal_book import ProposalBook
from pbem.referee.mail.proposing import settle
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.reminding import remind
from pbem.referee.mail.request_book import LAPSED, RequestBook
from pbem.referee.mail.request_deciding import lapsing
from pbem.referee.mail.round_context import Boards, Courier, RoundContext, Step, guarded
from pbem.referee.mail.round_due import enter_log, play_due
from pbem.referee.mail.round_letters import take_in
from pbem.referee.mail.round_news import tell_seats
from pbem.referee.mail.safekeeping import keep_safe
from pbem.referee.mail.served import parsed
from pbem.referee.mail.sleeping import falls_asleep, key_of, sleepers, slept_in
from pbem.referee.mail.troubles import Troubles, distinct
from pbem.store import asleep
from pbem.store.asleep import Sleeper
from pbem.store.library import common_words
from pbem.store.outbox import Outbox
from pbem.store.postbag import Postbag
from pbem.text.words import ENGLISH, steps_spoken


def game_part(ctx: RoundContext, id_: str) -> Iterator[Step]:
    """Do one game's part of a pass: what is due in it, and what its seats are to be told.

    It changes nothing of another game, and of the office no more than ``round_apart`` says.
    """
    yield from guarded(ctx, id_, lambda: play_due(ctx, id_, ctx.known_until(id_)))
    yield from guarded(ctx, id_, lambda: tell_seats(ctx, id_))


def one_after_another(ctx: RoundContext, ids: Sequence[str]) -> Iterator[Step]:
    """Do the parts of some games here."""
    for id_ in ids:
        yield from game_part(ctx, id_)


Parts = Callable[[RoundContext, Sequence[str]], Iterator[Step]]
"""How the parts of the games of a pass are done, when all letters are taken in."""


def run(
    env: Environment,
    root: Path,
    courier: Courier | None = None,
    *,
    pictures: bool = True,
    parts: Parts = one_after_another,
    boards: Boards | None = None,
) -> Generator[Step, None, House]:
    """Do one pass over an office, yield what was done, as it is done, and return how the office stands then.

    Refused where the office itself cannot be opened. The umpire is told in the language of his office;
    threads are English, for everybody reads them.
    """
    office = settings(root)
    with alone(root):
        steps = _run(env, root, office, courier, pictures, parts, boards)
        house: House = yield from steps_spoken(office.language, steps)
        return house


def _run(
    env: Environment,
    root: Path,
    office: Office,
    courier: Courier | None,
    pictures: bool,
    parts: Parts,
    boards: Boards | None,
) -> Generator[Step, None, House]:
    begun, started = time.time_ns(), parsed(env.clock())
    troubles: list[Trouble] = []
    env = replace(env, tell=lambda problem: troubles.append(Trouble("", said(Refused([problem])))))
    key = key_of(env, root)
    slept = sleepers(root / POST, key, started)
    house = open_house(env, root, office, slept)
    bag, box = Postbag(house.post), Outbox(house.post)
    troubles += house.troubles
    for served in house.games.values() if env.insists else ():
        story.keep(env, own_folder(served.game), served.game.ledger)
    fetched = started
    if courier is not None:
        brought = courier.fetch(bag)
        troubles += [Trouble("", one) for one in brought.said]
        if not brought.whole:
            # What may lie in the mailbox counts, so nobody is late while it cannot be looked into.
            fetched = datetime.min.replace(tzinfo=started.tzinfo)

    book, secret = Troubles.read(house.post), secret_of(env)
    ctx = RoundContext(
        env=env,
        house=house,
        bag=bag,
        box=box,
        now=started,
        fetched=fetched,
        book=book,
        mail=Queue(house, box, book, started),
        settings=Settings(house.post),
        pictures=pictures,
        troubles=troubles,
        requests=RequestBook(house.post, secret),
        proposals=ProposalBook(house.post, secret),
        lines=LineBook(house.post, secret),
    )
    if boards is not None:
        yield from steps_spoken(ENGLISH, boards.read(ctx))
    for kept in bag.waiting():
        yield from guarded(ctx, "", lambda kept=kept: take_in(ctx, kept))  # type: ignore[misc]
    if boards is not None:
        yield from steps_spoken(ENGLISH, boards.late(ctx))
    yield from guarded(ctx, "", lambda: settle(ctx))
    yield from parts(ctx, [id_ for id_ in house.awake if id_ not in house.held])
    yield from guarded(ctx, "", lambda: remind(ctx))
    yield from guarded(ctx, "", lambda: keep_safe(ctx))
    yield from guarded(ctx, "", lambda: _lapsing(ctx))
    yield from guarded(ctx, "", lambda: settle(ctx))  # a turn that was played ends what was asked before it
    if boards is not None:
        yield from steps_spoken(ENGLISH, boards.post(ctx))
    before = len(ctx.troubles)
    yield from guarded(ctx, "", lambda: enter_log(ctx))
    yield from guarded(ctx, "", lambda: digest(ctx))
    ctx.restless = ctx.restless or len(ctx.troubles) > before
    yield from _trouble(ctx)
    _sleep(ctx, slept, key, begun)

    if courier is not None:
        yield from courier.send(box, parsed(env.clock()))
        if _to_umpire(ctx):  # what could not be delivered in this very pass
            yield from courier.send(box, parsed(env.clock()))
        yield from (Step("trouble", said=one) for one in courier.settle(bag))
    return house


def _lapsing(ctx: RoundContext) -> Iterator[Step]:
    """Let go what players asked for and nobody decided in time."""
    book = ctx.requests
    for asked, letter in lapsing(ctx.house, book, ctx.now, common_words()) if book is not None else ():
        ctx.mail.put(letter)
        yield Step("lapsed", asked.game, asked.seat, letter.to)
        assert book is not None
        book.note(asked, state=LAPSED)


def _sleep(ctx: RoundContext, slept: Mapping[str, Sleeper], key: str, begun: int) -> None:
    """Let the games sleep of which this round had nothing to say; a fault there stops nothing."""
    if not key:
        return
    house, told = ctx.house, {one.where for one in ctx.troubles}
    found: dict[str, Sleeper] = {}
    awake = set(house.awake)
    for id_ in house.games if not ctx.restless else ():
        folder = slept_in(house.games, id_)
        if id_ not in awake:
            found[folder.name] = slept[folder.name]
        elif id_ not in house.held and not {id_, folder.name} & told:
            with suppress(Exception):
                sleeper = falls_asleep(ctx.env, house.games[id_], ctx.now, ctx.known_until(id_), begun)
                if sleeper is not None:
                    found[folder.name] = sleeper
    asleep.write(house.post, key, found)


def _trouble(ctx: RoundContext) -> Iterator[Step]:
    """Tell what needs the umpire: here always, while it lasts; to him once, and again after a while."""
    lasting = _lasting(ctx)
    happened = [Trouble(**event) for event in ctx.book.events.values()]
    yield from (Step("trouble", one.where, said=one.said) for one in (*lasting, *happened) if not one.silent)
    _to_umpire(ctx)


def _lasting(ctx: RoundContext) -> tuple[Trouble, ...]:
    """Return what goes on: what was found in this pass, and letters that did not get through."""
    return distinct([*ctx.troubles, *undelivered(ctx.house, ctx.box)])


def _to_umpire(ctx: RoundContext) -> bool:
    """Queue the letter to the umpire about what is new to him; return whether there is one."""
    lasting = _lasting(ctx)
    found = ctx.book.letter(lasting, ctx.now)
    if found is not None:
        new, still = (
            [Thing(one.where, one.said, one.help) for one in part] for part in (found.new, found.still)
        )
        ctx.mail.letter(found.key, trouble(new, still, common_words()), "")
    ctx.book.went(found, lasting, ctx.now)
    return found is not None
