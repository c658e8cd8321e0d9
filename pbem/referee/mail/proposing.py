"""Everybody is asked by letter whether he agrees to an undo, a ruling or a correction, and when all have, the
round enters it.

A plain yes bears a token that only the mailbox of its seat has seen, and that is of this act alone; a seat
with a key signs, and its signature names the newest record and the act. What came in between makes signatures
stale, so whoever signs is asked again; what was played or taken back ends the question, as does one no.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.post.write.cover import one_line
from pbem.proof.patching import Patch
from pbem.proof.spoken import SUBSTITUTE
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import UNDECIDED, Refused, refuse
from pbem.referee.game.views import hides
from pbem.referee.mail.incoming import MoreLetter
from pbem.referee.mail.office import alone, open_house, said, secret_of
from pbem.referee.mail.proposal_book import CORRECT, ENTERED, LAPSED, MARK, RULE, UNDO, Proposal, ProposalBook
from pbem.referee.mail.proposal_letters import ended, is_over, missing, questions, sides_of
from pbem.referee.mail.queueing import Queue
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.referee.mail.served import OfficeGame, parsed
from pbem.referee.mail.troubles import Troubles
from pbem.referee.mail.umpire_speaking import office_of
from pbem.referee.turn.consent import consented, seats_with_keys
from pbem.referee.turn.ruling import NO_REASON, Ruled, correct, rule
from pbem.referee.turn.undo import undo, undoable
from pbem.store.library import common_words
from pbem.store.outbox import Outbox
from pbem.text.words import ENGLISH, speaking

LONGEST = 1_500
"""Characters of a reason; who has agreed is told behind it."""


class Proposed(Struct, frozen=True):
    """What was asked of all: its name, whose plain yes and whose signature it waits for, and who cannot be
    asked, as sides; what would be different; whether the open turn may be played meanwhile.
    """

    id: str
    asked: tuple[str, ...]
    signing: tuple[str, ...]
    unasked: tuple[str, ...]
    lines: tuple[str, ...]
    runs: bool


def propose(
    env: Environment,
    where: Path,
    kind: str,
    why: str,
    *,
    slot: int | None = None,
    patch: Patch = (),
    orders: Mapping[str, tuple[str, bytes]] | None = None,
) -> Proposed:
    """Ask all players of a game by letter whether they agree to an undo (``slot``: from where on), a ruling
    or a correction.

    Refused as the act itself is, and where something is proposed already, somebody who has to sign has no
    address or has signed something else, or nobody can be asked at all.
    """
    root = office_of(where)
    with alone(root) as post:
        house = open_house(env, root, only=where.resolve().name)
        served = next(iter(house.games.values()), None)
        if served is None:
            raise refuse("game.none", answer=UNDECIDED, file=str(where), path=str(where))
        book = ProposalBook(house.post, secret_of(env))
        if (other := next(book.waiting(served.game.id), None)) is not None:
            raise refuse("proposal.another", id=other.id, help=f"pbem umpire refuse {root} {other.id}")
        reached = {seat.seat for seat in house.seats if seat.addresses}
        signing = seats_with_keys(served.game)
        _can_sign(served.game, reached, signing, where)
        asked = tuple(seat for seat in served.game.ledger.outside if seat in reached and seat not in signing)
        if not asked and not signing:
            raise refuse("proposal.nobody")
        now = parsed(env.clock()).replace(microsecond=0)
        game = served.game
        if kind == CORRECT and slot is None:
            slot = game.ledger.newest_slot
        id_ = book.name_of(game.id, game.ledger.head, now)
        reason = one_line(why, LONGEST) or (NO_REASON if kind == CORRECT else "")
        one = Proposal(
            id_, game.id, kind, slot or 0, reason, now, game.ledger.newest_slot, game.ledger.head,
            asked=asked, signing=signing, patch=tuple(dict(change) for change in patch), orders=orders or {},
        )  # fmt: skip
        one, lines = _worked_out(env, served, one)
        one = book.note(one)
        queue = Queue(house, Outbox(post), Troubles.read(house.post), now)
        _queue(queue, questions(house, served, book, one, now, common_words()))
        unasked = {seat for seat in game.ledger.outside if seat not in (*asked, *signing)}
        return Proposed(
            id_,
            tuple(sides_of(served, set(asked))),
            tuple(sides_of(served, set(signing))),
            tuple(sides_of(served, unasked)),
            lines,
            not served.held,
        )


def _can_sign(game: Game, reached: set[str], signing: tuple[str, ...], where: Path) -> None:
    for seat in signing:
        if seat not in reached:
            raise refuse("proposal.no-address", seat=seat, help="pbem consent GAME consent.txt")
        if consented(game, seat):
            raise refuse("consent.other", seat=seat, help=f"pbem umpire say {where} TEXT")


def _worked_out(env: Environment, served: OfficeGame, one: Proposal) -> tuple[Proposal, tuple[str, ...]]:
    """Return a proposal as it is at the newest record, and in lines what would be different; Refused as its
    act is.
    """
    game = served.game
    one = replace(one, head=game.ledger.head)
    if one.kind == UNDO:
        undoable(game, one.slot)
        return one, ()
    done = _act(env, served, one, propose=True)
    assert done is not None
    hidden = hides(game.ground.rules)
    shown = done.proposal.decode() if done.signers else ""
    return replace(one, act=done.act, lines=() if hidden else done.lines, shown=shown), done.lines


def _act(env: Environment, served: OfficeGame, one: Proposal, *, propose: bool = False) -> Ruled | None:
    """Do what was proposed, or say what it would come to; Refused as the act itself is."""
    where = served.game.where
    why = reason_of(served, one)
    only = "" if propose else one.act
    if one.kind == UNDO:
        undo(env, where, one.slot, why)
        return None
    if one.kind == RULE:
        return rule(env, where, list(one.patch), why, propose=propose, only=only)
    return correct(env, where, one.slot, one.orders, why, list(one.patch), propose=propose, only=only)


def reason_of(served: OfficeGame, one: Proposal) -> str:
    """Return the reason as the ledger has it: with whoever had to agree in words, and the mark by which it is
    known to be done. It is entered when they have, and not before.
    """
    sides = sides_of(served, set(one.asked))
    with speaking(ENGLISH):
        return common_words().phrase("proposal.reason", why=one.why, sides=sides, id=one.id)


def is_entered(game: Game, one: Proposal) -> bool:
    """Tell whether a record of the ledger has done what was proposed."""
    mark = f"{MARK}{one.id}"
    return any(mark in str(read.record.get("why", "")) for read in game.ledger.records)


# --- the round


def settle(ctx: RoundContext) -> Iterator[Step]:
    """Enter what all have agreed on, ask again where a signature has become stale, and let go what cannot be
    any more; of games that are open.
    """
    book = ctx.proposals
    for one in list(book.waiting()) if book is not None else ():
        assert book is not None
        if one.game in ctx.house.awake and one.game not in ctx.house.held:
            yield from _settle(ctx, book, one)


def _settle(ctx: RoundContext, book: ProposalBook, one: Proposal) -> Iterator[Step]:
    house, words = ctx.house, common_words()
    served = house.games[one.game]
    if is_entered(served.game, one):
        book.note(one, state=ENTERED)
        return
    if is_over(served, one):
        yield from _let_go(ctx, book, one, ended(house, served, one, "lapsed", words))
        return
    if not missing(served, one):
        try:
            _act(ctx.env, served, one)
        except Refused as refusal:
            why = said(refusal)
            yield from _let_go(ctx, book, one, ended(house, served, one, "failed", words, why=why))
            return
        book.note(one, state=ENTERED)
        house.refresh(one.game)
        yield Step("agreed", one.game, said=one.id)
        return
    if served.game.ledger.head != one.head:
        before = one
        try:
            one, _ = _worked_out(ctx.env, served, one)
        except Refused as refusal:
            why = said(refusal)
            yield from _let_go(ctx, book, one, ended(house, served, one, "failed", words, why=why))
            return
        # A yes was to that act and no other, and of whoever played the seat then.
        left = _substituted(served.game, before.head)
        yes = tuple(seat for seat in before.by if seat not in left) if one.act == before.act else ()
        one = book.note(one, by=yes)
    for letter in questions(house, served, book, one, ctx.now, words):
        if not ctx.mail.knows(letter.key):
            ctx.mail.put(letter)
            yield Step("asked", one.game, said=letter.to)


def _substituted(game: Game, since: str) -> set[str]:
    """Return the seats that were given to another player after a record."""
    ids = [read.id for read in game.ledger.records]
    after = game.ledger.records[ids.index(since) + 1 :] if since in ids else game.ledger.records
    return {str(read.record["seat"]) for read in after if read.record.get("does") == SUBSTITUTE}


def _let_go(
    ctx: RoundContext, book: ProposalBook, one: Proposal, letters: Iterator[MoreLetter]
) -> Iterator[Step]:
    _queue(ctx.mail, letters)
    book.note(one, state=LAPSED)
    yield Step("lapsed", one.game, said=one.id)


def _queue(queue: Queue, letters: Iterator[MoreLetter]) -> None:
    for letter in letters:
        queue.put(letter)
