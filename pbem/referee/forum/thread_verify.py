"""What a thread was told, held against an archive: for each turn that was posted whether its head is that of
the ledger.

Only what a post says in its author's own words counts; a proof line that is quoted is somebody else's.
Nothing here says that the archive itself holds, beyond its chain: ``verify`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.forum import proofline
from pbem.forum.authors import known_as
from pbem.forum.proofline import ProofLine
from pbem.proof.history import Ledger
from pbem.proof.ledger import read_ledger
from pbem.proof.ruled import RULED
from pbem.referee.forum.forum_looking import ShownPost, fingerprints, look, ordered
from pbem.referee.game.game import open_archive
from pbem.referee.game.refusal import NO, UNDECIDED, refuse
from pbem.referee.game.vocabularies import keys_of_ruleset
from pbem.store.library import common_words_of_posts

__all__ = ["AHEAD", "OTHER", "SAME", "ToldTurn", "Verdict", "verify_thread"]

SAME, OTHER, AHEAD = "same", "other", "ahead"
"""What a posted head is to the ledger: its own; not its own, so the post tells another story; of a slot that
this copy has not yet.
"""


class ToldTurn(Struct, frozen=True):
    """A turn as a post tells it. ``head`` is what it says, ``ledger`` what this copy of the game has, empty
    where it has none.

    ``notes`` are sentences that point something out: an edit, another account, a turn that was told before or
    was taken back later.
    """

    file: str
    post: str
    author: str
    author_id: str
    slot: int
    head: str
    ledger: str
    answer: str
    edited: str = ""
    foreign: bool = False
    again: bool = False
    undone: bool = False
    whole: bool = True
    notes: tuple[str, ...] = ()


class Verdict(Struct, frozen=True):
    """What a thread tells of a game, post by post; ``missing`` are slots of the game that it does not tell.

    ``broken`` is the first thing in the ledger itself that does not hold. ``others`` are other games that it
    tells of, ``problems`` what could not be read, in words, ``quoted`` how many proof lines were quoted and
    so counted for nothing.
    """

    game: str
    head: str
    told: tuple[ToldTurn, ...] = ()
    missing: tuple[int, ...] = ()
    others: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    quoted: int = 0
    broken: str = ""

    @property
    def first(self) -> ToldTurn | None:
        """Return the first post that tells another story."""
        return next((one for one in self.told if one.answer == OTHER), None)

    @property
    def answer(self) -> int:
        """Return 1 where a post tells another story or the ledger itself is broken, 3 where nothing could be
        compared, else 0.
        """
        if self.broken or self.first is not None:
            return NO
        return 0 if any(one.answer == SAME for one in self.told) else UNDECIDED


def verify_thread(where: Path, files: Iterable[tuple[str, bytes]]) -> Verdict:
    """Return what the pages of a thread tell of a game; Refused (cannot decide) where there is no game to
    hold them against.
    """
    ledger = read_ledger(open_archive(where)[0])
    if not ledger.gm_keys:
        raise refuse("game.none", answer=UNDECIDED, file=str(where), path=str(where))
    words = common_words_of_posts()
    keys = keys_of_ruleset(ledger.manifest)
    pages = look(keys, files)
    lines: list[tuple[ShownPost, ProofLine]] = []
    problems = [
        words.problem(problem.code, problem.args) for page in pages for problem in page.thread.problems
    ]
    others: set[str] = set()
    quoted = 0
    for shown, problem in _once(ordered(keys, pages)):
        if problem is not None:
            problems.append(f"{shown.named}: {words.problem(problem.code, problem.args)}")
        for line in proofline.find(shown.post.lines):
            quoted += line.quoted > 0 and line.game == ledger.game
            if not line.quoted and line.game == ledger.game:
                lines.append((shown, line))
            elif not line.quoted:
                others.add(line.game)

    told = tuple(_told(ledger, lines))
    posted = {one.slot for one in told}
    results = [number for number, slot in sorted(ledger.slots.items()) if slot.result is not None]
    missing = tuple(number for number in results if number not in posted) if told else ()
    broken = next(
        (f"{one.code} {one.where}: {one.message}" for one in ledger.findings if one.code != "E00"), ""
    )
    return Verdict(
        ledger.game,
        ledger.head_digest,
        told,
        missing,
        tuple(sorted(others)),
        tuple(dict.fromkeys(problems)),
        quoted,
        broken,
    )


def _once(posts: Iterable[ShownPost]) -> Iterator[tuple[ShownPost, Problem | None]]:
    """Yield each post once, and twice where two pages show it with two texts."""
    known: dict[tuple[str, str], set[str]] = {}
    for shown in posts:
        text = fingerprints(shown)[0]
        key = (
            (shown.page.thread.software, shown.post.id)
            if shown.has_own_id
            else (shown.page.file, f"{shown.post.id} {shown.post.number}")
        )
        texts = known.setdefault(key, set())
        if text not in texts:
            yield shown, Problem("thread.two-ways", {"file": shown.page.file}) if texts else None
        texts.add(text)


def _told(ledger: Ledger, lines: Iterable[tuple[ShownPost, ProofLine]]) -> Iterator[ToldTurn]:
    """Yield what each proof line says, with what there is to point out."""
    words = common_words_of_posts()
    ids = {
        int(one.record["slot"]): one.id for one in ledger.records if one.record["type"] in ("result", *RULED)
    }
    newest = max(ids, default=0)
    teller: ShownPost | None = None
    before: dict[int, ToldTurn] = {}
    for shown, line in lines:
        mine = ids.get(line.slot, "")
        answer = (
            SAME
            if mine and mine.startswith(line.head)
            else AHEAD
            if not mine and line.slot > newest
            else OTHER
        )
        slot = ledger.slots.get(line.slot)
        one = ToldTurn(
            file=shown.page.file,
            post=shown.place,
            author=shown.post.author,
            author_id=shown.post.author_id,
            slot=line.slot,
            head=line.head,
            ledger=mine,
            answer=answer,
            edited=shown.post.edited,
            foreign=teller is not None and not _same_account(teller, shown),
            again=line.slot in before and before[line.slot].post != shown.place,
            undone=slot is not None and slot.undone and answer == SAME,
            whole=line.whole,
        )
        notes = []
        if one.foreign and teller is not None:
            notes.append(words.phrase("thread.foreign", author=teller.post.author[:60]))
        if one.edited:
            notes.append(words.phrase("thread.edited", when=one.edited[:60]))
        if one.again:
            notes.append(words.phrase("thread.again", post=before[line.slot].post))
        if one.undone:
            corrected = ledger.corrected_by(one.slot)
            notes.append(words.phrase("thread.corrected" if corrected else "thread.undone"))
        if not one.whole:
            notes.append(words.phrase("thread.cut", count=len(one.head)))
        if not shown.page.certain:
            notes.append(words.phrase("thread.uncertain"))
        teller = teller or shown
        before.setdefault(line.slot, one)
        yield replace(one, notes=tuple(notes))


def _same_account(one: ShownPost, other: ShownPost) -> bool:
    """Tell whether two posts are by one account: by what the forum calls it, where both pages tell that, else
    by its name.
    """
    if one.post.author_id and other.post.author_id:
        return one.post.author_id == other.post.author_id
    return known_as(one.post.author) == known_as(other.post.author)
