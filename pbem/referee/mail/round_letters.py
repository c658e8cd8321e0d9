"""One letter that came: what it asks for is done, its answer is queued, and only then is it put away.

What it is and whose is decided in ``taking``; here is how many letters a day one address may cause.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from pbem.post.write import answers
from pbem.post.write.umpire import passed
from pbem.post.write.writing import Person
from pbem.referee.mail.noticing import told_of
from pbem.referee.mail.office import Trouble, language_at
from pbem.referee.mail.round_context import RoundContext, Step, guarded, read_book
from pbem.referee.mail.round_due import play_due
from pbem.referee.mail.served import parsed
from pbem.referee.mail.taking import AUTOMATIC, LetterOutcome, take
from pbem.store import disk
from pbem.store.library import common_words
from pbem.store.postbag import WaitingLetter
from pbem.text.words import speaking

MOST_A_DAY: Final = 24
"""Answers to one address about one game in 24 hours: two programs that write to each other come to an end."""
PASSED_A_DAY: Final = 12
"""Letters of one address that are passed on to the umpire in 24 hours; of more he is told where they lie."""
ANSWERED: Final = "answered.json"
"""Whom we answered, and for whom the umpire was bothered, in the last 24 hours."""


def take_in(ctx: RoundContext, kept: WaitingLetter) -> Iterator[Step]:
    """Do what one letter asks for, queue its answer, and only then put it away."""
    # A server whose clock is ahead of ours makes nobody late.
    arrived = min(parsed(kept.arrived), ctx.now)
    for id_ in list(ctx.house.games):
        # Who writes after the time was up must not be read as if it were not; and what is locked and complete
        # is not changed by anybody.
        if id_ not in ctx.house.held and ctx.house.is_due(id_, arrived):
            yield from guarded(ctx, id_, lambda id_=id_: play_due(ctx, id_, _known(ctx, id_, arrived)))  # type: ignore[misc]

    lies = str(ctx.bag.place(kept).relative_to(ctx.house.root))
    taken = take(
        ctx.env,
        ctx.house,
        kept.id,
        kept.data,
        arrived,
        ctx.now,
        kept=lies,
        book=ctx.requests,
        proposals=ctx.proposals,
        lines=ctx.lines,
    )
    if ctx.house.broken and any(why.startswith("sender.") for why in taken.why):
        # It may be of a game that cannot be opened now; it waits until that one is mended.
        return
    yield Step(taken.became, taken.game, taken.seat, ", ".join(taken.why))
    for what in told_of(ctx.house, taken, kept.data, arrived, lies):
        ctx.book.happened(what)
    for more in taken.more:
        if not ctx.mail.knows(more.key):
            ctx.mail.put(more)
            to = more.to or ctx.house.office.umpire or common_words().phrase("round.kept-for-umpire")
            yield Step("asked", more.game, taken.seat, to)
    if taken.passed is not None:
        yield from _pass_on(ctx, kept, taken)
    yield from _answer(ctx, kept, taken)
    if taken.became == AUTOMATIC and taken.message.id.endswith(
        f"@{ctx.house.office.address.rpartition('@')[2]}>"
    ):
        # A copy of a letter of ours: if nobody knew whether that one went out, it did.
        ctx.box.settled(taken.message.id[1:].rpartition("@")[0])

    outcome: dict[str, object] = {
        "became": taken.became,
        "game": taken.game,
        "seat": taken.seat,
        "why": list(taken.why),
    }
    ctx.bag.finish(kept, outcome if taken.vouched is None else {**outcome, "dkim": dict(taken.vouched)})
    if taken.game in ctx.house.games:
        ctx.house.refresh(taken.game)


def _known(ctx: RoundContext, id_: str, arrived: datetime) -> datetime:
    """Return the time that a game is to go on to before a letter is read: not beyond what is known of its
    thread, so that who wrote there in time is not passed over for somebody's late letter.
    """
    return min(arrived, ctx.known_until(id_)) if id_ in ctx.unseen else arrived


def _digest(kept: WaitingLetter, taken: LetterOutcome, *more: str) -> str:
    """Return what names whatever comes of a letter: two copies of one (to us, and over a list) have one
    answer.
    """
    return hashlib.sha256("\0".join([taken.message.id or kept.id, *more]).encode()).hexdigest()[:24]


def _pass_on(ctx: RoundContext, kept: WaitingLetter, taken: LetterOutcome) -> Iterator[Step]:
    """Let the umpire have what is for a person; of one who writes too much only so many letters a day, the
    others lie here.
    """
    assert taken.passed is not None
    key = f"umpire-{_digest(kept, taken)}"
    if ctx.mail.knows(key):
        return
    to = taken.passed.address
    many = not _counted(ctx, f"umpire {to}", PASSED_A_DAY)
    if many:
        said = common_words().phrase("round.too-many-passed", address=to, count=PASSED_A_DAY)
        ctx.book.happened(
            Trouble(
                taken.game,
                said,
                common_words().phrase("round.too-many-passed-help"),
                lasts=False,
                about=f"passed {to}",
            )
        )

    ctx.mail.letter(
        key,
        passed(taken.passed, common_words()),
        taken.game,
        reply_to=Person(to, taken.passed.player),
        by_hand=many,
    )
    yield Step(
        "passed on",
        taken.game,
        taken.seat,
        ctx.house.office.umpire or common_words().phrase("round.kept-for-umpire"),
    )


def _answer(ctx: RoundContext, kept: WaitingLetter, taken: LetterOutcome) -> Iterator[Step]:
    if taken.answer is None or not taken.to:
        return
    key = f"reply-{_digest(kept, taken, taken.to, taken.became, *taken.why)}"
    if ctx.box.knows(key):
        return
    words = common_words()
    # A letter that is of no seat here counts by its address alone, whatever game it speaks of.
    about = f"{taken.to} {taken.game}" if taken.seat else taken.to
    if not _counted(ctx, about, MOST_A_DAY):
        said = words.phrase("round.too-many", address=taken.to, count=MOST_A_DAY)
        ctx.book.happened(Trouble(taken.game, said, lasts=False, about=f"answers {about} {ctx.now:%Y-%m-%d}"))
        last = f"enough-{ctx.now:%Y-%m-%d}-{hashlib.sha256(about.encode()).hexdigest()[:16]}"
        if not ctx.box.knows(last):
            with speaking(language_at(ctx.house.office, taken.to)):
                enough = answers.enough(MOST_A_DAY, taken.message.subject, words)
            ctx.mail.letter(last, enough, taken.game, taken.to)
            yield Step("answered", taken.game, taken.seat, f"{taken.to}, for the last time today")
        return
    ctx.mail.letter(
        key, taken.answer, taken.game, taken.to, answers=taken.message.id, thread=taken.message.references
    )
    yield Step("answered", taken.game, taken.seat, taken.to)


def _counted(ctx: RoundContext, address: str, most: int) -> bool:
    """Count a letter to an address about a game, or because of one; tell whether it is not one too many for a
    day.
    """
    path = ctx.house.post / ANSWERED
    since = ctx.now.timestamp() - 86_400
    book = read_book(path, list[float])
    known = {who: [at for at in times if at > since] for who, times in book.items()}
    known = {who: times for who, times in known.items() if times}
    mine = known.setdefault(address, [])
    if len(mine) >= most:
        return False
    mine.append(ctx.now.timestamp())
    disk.replace(path, json.dumps(known, sort_keys=True).encode() + b"\n", private=True)
    return True
