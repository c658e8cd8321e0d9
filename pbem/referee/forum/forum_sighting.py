"""What is found of posts when they are seen: for the first time, or again.

Nothing is carried out here. A post that is new goes into the book, with its lines where something is to be
done; one that was seen before is held against what it said then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.core.regex import regex
from pbem.forum.authors import known_as
from pbem.post.lines.message import NOTHING, Found
from pbem.post.mail.sender import SeatAt, signed_by
from pbem.post.orders.wishes import QUESTION, RESIGN, TIME, WRONG, wish
from pbem.post.write.short import Short, short
from pbem.proof.ruled import RULED
from pbem.referee.forum.forum_answers import write_answer
from pbem.referee.forum.forum_looking import (
    ShownPost,
    comes_before,
    kept_account,
    known,
    ordered,
    same,
    seen,
    whom,
)
from pbem.referee.forum.forum_run import (
    EDITED,
    GONE,
    NOT_DONE,
    OTHER_GAME,
    OURS,
    PAGE,
    STRANGER,
    TALK,
    Run,
    Step,
)
from pbem.referee.game.game import Game
from pbem.referee.game.vocabularies import keys_of
from pbem.referee.mail.incoming import about
from pbem.store.forum_book import Done, Seen
from pbem.store.library import common_words_of_posts
from pbem.text.characters import printable

__all__ = ["asks", "asks_a_person", "heads", "moment", "plays", "sight"]

Events = list[Seen | Done | Mapping[str, str]]

_QUIET: Final = frozenset(
    f"forum.{name}" for name in ("nothing", "only-quoted", "in-signature", "passed-on", "ours")
)
"""Reasons that people give by talking to each other: nobody is answered for them."""
_HIS: Final = frozenset({"forum.post-too-long"})
"""Reasons why a post could not be read that its author can do something about: by posting anew, in another
way.
"""
_PLAYS: Final = regex(r"\b(?:i play|i'?m in|count me in|ich spiele|je joue|juego)\b", re.IGNORECASE)
_UMPIRE: Final = regex(r"\b(?:umpire|referee|moderator|gm|spielleit(?:er|erin|ung))\b", re.IGNORECASE)
_HEAD: Final = 16
"""Digits of a head that are enough to know it by."""


def sight(run: Run) -> Iterator[Step]:
    """Note every post that is new, all of them at once, and tell what is wrong with those that are not."""
    run.posts = ordered(keys_of(run.served.game), run.pages)
    for page in run.pages:
        unread = [post.unread for post in page.thread.posts]
        for problem in page.thread.problems:
            if problem in unread:
                continue  # told of the post
            said = common_words_of_posts().problem(problem.code, problem.args)
            yield Step(
                PAGE, page.file, why=(problem.code,), said=said, trouble=not problem.code.startswith("doubt.")
            )

    _turns(run)
    shared = _shared(run)
    new: dict[str, Seen] = {}
    steps: list[Step] = []
    events: Events = []
    for shown in run.posts:
        first = seen(shown)
        if (unheard := _unheard(run, shown)) is not None:
            steps += _told_unheard(run, shown, first, unheard, events)
            continue
        if (before := known(run.book, shown, first.text)) is not None:
            yield from _again(run, before, shown)
            if before.key not in new and _may_be_heard_now(run, before, shown):
                new[before.key] = first
                steps += _judged(run, shown, replace(first, key=before.key), shared, events)
        elif (twin := new.get(first.key)) is None:
            new[first.key] = first
            steps += _judged(run, shown, first, shared, events)
        elif not same(twin, shown):
            steps.append(
                _step(
                    NOT_DONE,
                    shown,
                    Problem("forum.two-ways", {"file": printable(shown.page.file)}),
                    trouble=True,
                )
            )
            events.append(Done(first.key, NOT_DONE))

    yield from steps  # first told, then noted: what is cut short is told twice rather than never
    run.book.write(events)
    yield from _gone(run)


def _unheard(run: Run, shown: ShownPost) -> Problem | None:
    """Return why a post is not even noted as seen: another page may show it whole, and say whose it is."""
    if shown.post.unread is not None:
        return shown.post.unread
    if not shown.post.author:
        return Problem("forum.nobody")
    if shown.is_unread:
        return Problem("forum.unread")
    return None if shown.page.certain or run.trust_raw else Problem("forum.uncertain")


def _told_unheard(run: Run, shown: ShownPost, first: Seen, unheard: Problem, events: Events) -> list[Step]:
    """Tell, once, of a post that could not be read from this page; its author too, where he plays and can do
    something about it.
    """
    who = whom(shown, run.book.names, run.book.accounts)
    if not shown.is_unread and (who.is_stranger or not asks(shown.found)):
        return []
    told = ("unread", first.key, unheard.code)
    if told in run.book.told or first.key in run.book.seen:
        return []
    events.append({"do": "told", "kind": told[0], "what": told[1], "form": told[2]})
    answer = ""
    if who.seat and unheard.code in _HIS:
        answer = _short_answer(
            run, replace(first, seat=who.seat), unheard.code, "forum.unread-title", unheard
        )
    return [replace(_step(NOT_DONE, shown, unheard, seat=who.seat, trouble=True), answer=answer)]


def _short_answer(run: Run, to: Seen, became: str, title: str, problem: Problem) -> str:
    """Write an answer of two sentences to a post, and return its name."""
    words = common_words_of_posts()
    place = f"post #{to.number}" if to.number else f"post {to.id}"
    said = words.problem(problem.code, problem.args)
    body = f"{said[:1].upper()}{said[1:]}."
    return write_answer(
        run.served.game,
        to,
        became,
        short(
            Short(
                about(run.house, SeatAt(run.game, to.seat, run.served.title)),
                words.phrase(title, post=place),
                body,
            ),
            words,
        ),
    )


def _step(
    what: str, shown: ShownPost, problem: Problem | None = None, *, seat: str = "", trouble: bool = False
) -> Step:
    said = common_words_of_posts().problem(problem.code, problem.args) if problem is not None else ""
    why = (problem.code,) if problem is not None else ()
    return Step(what, shown.place, printable(shown.post.author)[:60], seat, why, said, trouble=trouble)


# --- what threads tell


def heads(game: Game) -> dict[int, str]:
    """Return the heads that posts tell: the ids of the records with the results of slots."""
    return {
        int(one.record["slot"]): one.id
        for one in game.ledger.records
        if one.record["type"] in ("result", *RULED)
    }


def _turns(run: Run) -> None:
    """Find the posts that tell the head of the newest turn: in each thread the first, for a copy further down
    says nothing about time.
    """
    newest = run.served.game.ledger.state_slot
    known_heads = heads(run.served.game)
    told = [
        one
        for one in (*run.book.seen.values(), *(seen(shown) for shown in run.posts if shown.is_ours))
        if one.proofs
    ]
    for one in told:
        if not any(_is_true(known_heads, run.game, proof) and proof[1] == newest for proof in one.proofs):
            continue
        there = next(
            (
                at
                for at, other in enumerate(run.turns)
                if (other.software, other.topic) == (one.software, one.topic)
            ),
            None,
        )
        if there is None:
            run.turns.append(one)
        elif comes_before(one, run.turns[there]):
            run.turns[there] = one


def _is_true(known_heads: Mapping[int, str], game: str, proof: tuple[str, int, str]) -> bool:
    named, slot, head = proof
    return named == game and len(head) >= _HEAD and known_heads.get(slot, "").startswith(head)


def _thread(shown: ShownPost) -> str:
    return f"{shown.page.thread.software}:{shown.page.thread.topic}"


def _shared(run: Run) -> frozenset[str]:
    """Return the threads in which another game is played too: who posts our turns posts those of another.

    What anybody else writes makes no thread a shared one, for in such a thread every post has to name its
    game.
    """
    kept = {what for kind, what, _ in run.book.told if kind == "shared"}
    known_heads = heads(run.served.game)
    umpire: tuple[str, str] | None = None
    for shown in run.posts:
        if (
            umpire is None
            and shown.is_ours
            and any(_is_true(known_heads, run.game, proof) for proof in seen(shown).proofs)
        ):
            umpire = (known_as(shown.post.author), shown.post.author_id)
    for shown in run.posts:
        by_umpire = shown.is_ours and (known_as(shown.post.author), shown.post.author_id) == umpire
        if by_umpire and shown.games() - {run.game} and _thread(shown) not in kept:
            run.book.report("shared", _thread(shown))
            kept.add(_thread(shown))
    return frozenset(kept)


def _other_games(run: Run) -> set[str]:
    """Return the other games that posts of ours on these pages are of."""
    return {game for shown in run.posts if shown.is_ours for game in shown.games()} - {run.game}


# --- a post that is new


def _judged(run: Run, shown: ShownPost, first: Seen, shared: frozenset[str], events: Events) -> list[Step]:
    """Add what is to be written of a new post; return what is to be told of it, where it is not acted on."""
    account = f"{known_as(first.author)} {first.author_id}"
    who, found = whom(shown, run.book.names, run.book.accounts), shown.found
    if signed := _signed_seat(run, found):
        who = replace(who, seat=signed, problem=None)
    if shown.is_ours:
        events += [first, Done(first.key, OURS)]
        return [_step(OURS, shown)]
    if who.problem is not None and who.is_stranger:
        events += [first, Done(first.key, STRANGER)]
        told = ("stranger", account, first.software)
        if told in run.book.told or told in run.strangers:
            return []
        run.strangers.add(told)
        events.append({"do": "told", "kind": told[0], "what": told[1], "form": told[2]})
        return [_step(STRANGER, shown, who.problem)]

    if who.problem is not None:
        events += [first, Done(first.key, STRANGER)]
        return [_step(NOT_DONE, shown, who.problem, trouble=True)]
    events += _account(run, shown)
    if shown.games() & _other_games(run):
        events += [first, Done(first.key, OTHER_GAME, who.seat)]
        return [_step(OTHER_GAME, shown, seat=who.seat)]
    if not asks(found) and not (run.pass_on is not None and asks_a_person(found)):
        events += [first, Done(first.key, TALK, who.seat)]
        quiet = next(
            (
                problem
                for problem in found.problems
                if problem.code in _QUIET and problem.code != "forum.nothing"
            ),
            None,
        )
        return [_step(TALK, shown, quiet, seat=who.seat)]

    keyed = run.served.game.ledger.seats[who.seat].key is not None
    lines = tuple((line.text, line.number, line.quoted, line.box) for line in shown.post.lines)
    events.append(
        replace(
            first,
            seat=who.seat,
            relied="" if keyed else _relied(shown),
            shared=_thread(shown) in shared,
            lines=lines,
            arrived=moment(run, first),
        )
    )
    return []


def _relied(shown: ShownPost) -> str:
    """Return what stands in the ledger about whose a post was."""
    account = f" ({shown.post.author_id})" if shown.post.author_id else ""
    return (
        f"forum author {printable(shown.post.author)[:60]}{account}, post "
        f"{shown.post.id or shown.post.number}"
    )


def _signed_seat(run: Run, found: Found) -> str:
    """Return the seat with a key that what was found is signed for: the signature says whose it is, whoever
    posted it.
    """
    signed = signed_by(found)
    if signed is None or signed[0] != run.game:
        return ""
    seat = run.served.game.ledger.seats.get(signed[1])
    return signed[1] if seat is not None and seat.key is not None else ""


def asks(found: Found) -> bool:
    """Tell whether a post asks for something: by orders, by what looks like some and cannot be read, or by
    saying that somebody plays.
    """
    return (
        found.kind != NOTHING or any(problem.code not in _QUIET for problem in found.problems) or plays(found)
    )


def asks_a_person(found: Found) -> bool:
    """Tell whether a post asks its umpire for something: to resign, for time, to look at a mistake. People
    ask each other a lot in a thread, so a mere question has to name him.
    """
    kind = wish(found.own)
    return kind in (RESIGN, TIME, WRONG) or (
        kind == QUESTION and _UMPIRE.search(found.own[:2_000]) is not None
    )


def plays(found: Found) -> bool:
    """Tell whether a post without orders says that its author plays: a mere "yes" may be said to anybody."""
    return found.kind == NOTHING and _PLAYS.search(found.own[:200].replace("’", "'")) is not None


def _account(run: Run, shown: ShownPost) -> Events:
    """Return the account of a name under which a seat writes, where a page tells it for the first time."""
    software = shown.page.thread.software
    named = next((one for one in run.book.names if known_as(one) == known_as(shown.post.author)), None)
    if named is None or not shown.post.author_id or kept_account(software, named) in run.book.accounts:
        return []
    # the next post on these pages is held against it already
    run.book.accounts[kept_account(software, named)] = shown.post.author_id
    return [{"do": "account", "name": kept_account(software, named), "id": shown.post.author_id}]


def moment(run: Run, first: Seen) -> str:
    """Return when a post counts as having come; empty: before what is open now was known.

    What stands above our own post of the newest turn was written for an earlier one, what stands below it was
    not, whatever their times: the clock of a forum need not be ours. Else the post's own time counts, or that
    of its edit. Where the page tells none it is now, if our post of the newest turn stands above it or there
    was no turn yet.
    """
    turn = next(
        (one for one in run.turns if (one.software, one.topic) == (first.software, first.topic)), None
    )
    if turn is not None and comes_before(first, turn):
        return ""
    below = turn is not None and comes_before(turn, first)
    at, edited = _time(first.at), _time(first.edited)
    if at is None:
        return _iso(run.now) if below or run.served.game.ledger.state_slot == 0 else ""
    since = run.served.open_since
    known = [
        at,
        *([edited] if edited is not None else []),
        *([since[1]] if below and since is not None else []),
    ]
    return _iso(run.now if first.edited and edited is None else min(run.now, max(known)))


def _time(text: str) -> datetime | None:
    """Return a time as a page has it, if it is one with its zone."""
    try:
        found = datetime.fromisoformat(text.strip())
        return found.astimezone(UTC) if found.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def _iso(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


# --- a post that was seen before


def _again(run: Run, before: Seen, shown: ShownPost) -> Iterator[Step]:
    """Tell what has become of a post since it was seen first: changed, or another's; once for each form that
    it takes.
    """
    text = seen(shown).text
    if known_as(before.author) != known_as(shown.post.author):
        if ("author", before.key, known_as(shown.post.author)) not in run.book.told:
            yield _step(
                NOT_DONE,
                shown,
                Problem("forum.new-author", {"was": printable(before.author)[:60]}),
                trouble=True,
            )
            run.book.report("author", before.key, known_as(shown.post.author))
        return
    if same(before, shown) or (EDITED, before.key, text) in run.book.told:
        return
    seat, answer = before.seat or whom(shown, run.book.names, run.book.accounts).seat, ""
    if seat and (before.seat or asks(shown.found)):
        words = common_words_of_posts()
        to = about(run.house, SeatAt(run.game, seat, run.served.title))
        told = short(
            Short(to, words.phrase("forum.changed", post=shown.place), words.phrase("forum.changed-counts")),
            words,
        )
        answer = write_answer(run.served.game, replace(before, seat=seat), f"{EDITED} {text}", told)
    yield replace(_step(EDITED, shown, Problem("forum.edited"), seat=seat, trouble=True), answer=answer)
    run.book.report(EDITED, before.key, text)


def _may_be_heard_now(run: Run, before: Seen, shown: ShownPost) -> bool:
    """Tell whether a post by somebody who was nobody is now a player's, because the umpire has said so, and
    says what it said then.
    """
    done = run.book.done.get(before.key)
    if (
        done is None
        or done.became != STRANGER
        or whom(shown, run.book.names, run.book.accounts).problem is not None
    ):
        return False
    changed = any(
        (kind, what) in ((EDITED, before.key), ("author", before.key)) for kind, what, _ in run.book.told
    )
    return not changed and same(before, shown)


def _gone(run: Run) -> Iterator[Step]:
    """Tell which posts that were seen are no longer where they stood: between two that still stand on one
    page.
    """
    for page in run.pages:
        ids = {int(post.id) for post in page.thread.posts if post.id.isdecimal()}
        if not page.thread.topic or len(ids) < len(page.thread.posts) or not page.certain:
            continue
        for one in list(run.book.seen.values()):
            here = (one.software, one.topic) == (
                page.thread.software,
                page.thread.topic,
            ) and one.id.isdecimal()
            if not here or not min(ids, default=0) < int(one.id) < max(ids, default=0) or int(one.id) in ids:
                continue
            if (GONE, one.key, "") not in run.book.told:
                place = f"post #{one.number}" if one.number else f"post {one.id}"
                said = common_words_of_posts().problem("forum.gone", {})
                yield Step(
                    GONE, place, printable(one.author)[:60], one.seat, ("forum.gone",), said, trouble=True
                )
                run.book.report(GONE, one.key)
