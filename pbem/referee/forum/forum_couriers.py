"""Who brings posts to a thread and its pages back, as ``pbem.toml`` has them: each post once, whatever
happens between two steps.

Before anything is posted the thread is looked at: what bears the mark of a post, by our account, stands and
is not posted again. What was being sent when the program ended, or when the server fell silent, is decided by
looking too, once the server has had its time; only where that cannot tell is it held and told. A later part
of a turn never goes before an earlier one stands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.forum.dialects import DIALECTS, Limits
from pbem.forum.thread import Draft, Upload
from pbem.post.offices.forums import DISCOURSE, Forum, Place
from pbem.post.offices.office import FILE, Office
from pbem.referee.forum.forum_posting import Posting
from pbem.referee.game.environment import now as present
from pbem.referee.game.game import Game, own_folder
from pbem.referee.game.refusal import UNDECIDED, Refused, in_use, refuse
from pbem.referee.game.views import hides
from pbem.referee.mail.office import settings
from pbem.referee.mail.round_context import Step
from pbem.referee.mail.served import parsed
from pbem.store import disk, passwords
from pbem.store.forum_door import Door, PostResult, Seen
from pbem.store.forum_outbox import DOUBT, NEW, STANDS, WAITS, Entry, ForumOutbox
from pbem.store.library import common_words
from pbem.store.net import Trouble
from pbem.store.web import LONGEST, Doubt, Later, Web

__all__ = ["AGAIN", "THERE", "Thread", "deliver", "limits_of", "send", "thread_of"]

AGAIN, THERE = "again", "there"
SETTLES = 60.0
"""Seconds that a server is given to finish what it was asked to do before its thread is believed not to have
a post.
"""
_LOOKS = (5.0, 15.0, 40.0)
_TRIES = 3
_BACK_OFF = (5.0, 30.0)


class Thread(Struct, frozen=True):
    """The thread of a game: its forum, its number there, whose posts count for which seat."""

    forum: Forum
    place: Place

    @property
    def name(self) -> str:
        """Return a name of the thread that no other has."""
        return f"{self.forum.url} {self.place.topic}"

    def door(self, *, to_write: bool = True) -> Door:
        """Return the way to the thread; Refused where the secret that it takes cannot be found."""
        forum, secret = self.forum, None
        if forum.credential is None and to_write:
            key = (
                "key_env or key_command"
                if forum.software == DISCOURSE
                else "password_env or password_command"
            )
            raise refuse(
                "board.no-secret",
                answer=UNDECIDED,
                forum=forum.name,
                help=f"user and {key} in pbem.toml say whose account",
            )
        if forum.credential is not None:
            try:
                secret = passwords.find(forum.credential)
            except Trouble as trouble:
                raise Refused([trouble.problem], answer=UNDECIDED) from None
        web = Web(forum.url, secrets=(secret.text(),) if secret is not None else (), sleep=time.sleep)
        if forum.software == DISCOURSE:
            from pbem.store.discourse import Discourse

            return Discourse(forum, self.place.topic, web, secret.text() if secret is not None else "")
        from pbem.store.phpbb import PhpBB

        return PhpBB(forum, self.place.topic, web, secret)


def thread_of(game: Game, root: Path | None = None) -> Thread:
    """Return the thread of a game as its office has it: the folder that the game lies in, unless another is
    named.
    """
    own_folder(game)
    folder = root if root is not None else game.where.resolve().parent
    if root is None and not (folder / FILE).is_file():
        raise refuse(
            "board.no-office",
            answer=UNDECIDED,
            path=str(game.where),
            help=f"a file {FILE} beside the game: see docs/forum.md",
        )
    return _thread(settings(folder), game, folder)


def _thread(office: Office, game: Game, folder: Path) -> Thread:
    place = office.game(game.id, game.where.name).place
    if place is None:
        said = f'[games.{game.id}] with forum = "{next(iter(office.forums), "NAME")}" and topic = NUMBER'
        raise refuse("board.no-place", answer=UNDECIDED, game=game.id, path=str(folder / FILE), help=said)
    return Thread(office.forums[place.forum], place)


def limits_of(thread: Thread) -> Limits:
    """Return what the forum allows: what its software does, unless its administrators changed it."""
    return replace(DIALECTS[thread.forum.software].limits, **thread.forum.limits)


class _Sending(Struct):
    """A turn on its way to a thread."""

    thread: Thread
    made: Posting
    door: Door
    box: ForumOutbox
    since: datetime | None
    settle: str
    now: Callable[[], datetime]
    sleep: Callable[[float], None]
    seen: Seen = field(default_factory=Seen)
    stopped: bool = False

    def all(self) -> Iterator[Step]:
        """Post what does not stand yet, one after the other, and yield what was done; nothing after the first
        that does not.
        """
        entries = [self.box.entry(draft.mark) for draft in self.made.drafts]
        if all(entry.state == STANDS for entry in entries):
            for number, entry in enumerate(entries, 1):
                yield self._step("stands", number, common_words().phrase("board.stands", id=entry.id))
            return
        try:
            self.seen = self._look()
        except Trouble as trouble:
            yield Step(
                "trouble",
                self.made.game,
                "",
                common_words().problem(trouble.problem.code, trouble.problem.args),
            )
            return
        self._not_split_otherwise()
        fresh = False
        for number, draft in enumerate(self.made.drafts, 1):
            if fresh:
                self.sleep(float(limits_of(self.thread).between))
            entry = self.box.entry(draft.mark)
            was = entry.state
            yield from self._one(number, draft, entry)
            fresh = was != STANDS and self.box.entry(draft.mark).state == STANDS and not self._was_seen(draft)
            if self.stopped:
                if number < len(self.made.drafts):
                    yield self._step(
                        "waits", number + 1, common_words().phrase("board.part-waits", number=number)
                    )
                return

    def _was_seen(self, draft: Draft) -> bool:
        return draft.mark in self.seen.marks

    def _not_split_otherwise(self) -> None:
        """Refuse a turn of which posts stand already that were cut in another way."""
        marks = {draft.mark for draft in self.made.drafts}
        ids = {self.seen.marks[mark] for mark in marks if mark in self.seen.marks}
        stem = _stem(self.made.drafts[0].mark)
        there = self.seen.marks.get(stem)
        kept = [
            entry
            for entry in self.box.all()
            if entry.mark not in marks and _stem(entry.mark) == stem and entry.state != NEW
        ]
        if (there is not None and not ids) or kept:
            raise refuse(
                "board.split",
                slot=self.made.slot,
                help="give the same options as then, or post the rest by hand",
            )

    def _one(self, number: int, draft: Draft, entry: Entry) -> Iterator[Step]:
        words = common_words()
        if entry.state == STANDS:
            yield self._step("stands", number, words.phrase("board.stands", id=entry.id))
            return
        settle = self.settle if entry.state in (DOUBT, WAITS) else ""
        if entry.state == DOUBT and draft.mark not in self.seen.marks and not settle:
            entry = self._settled(entry, draft)
            if entry.state == DOUBT:
                self.stopped = True
                yield self._trouble(number, Problem("board.doubt", {"said": entry.said, "at": entry.at}))
                return
        if draft.mark in self.seen.marks or settle == THERE:
            id = self.seen.marks.get(draft.mark, "")
            self.box.note(entry.made(STANDS, id))
            yield self._step("stands", number, words.phrase("board.stands", id=id))
            return
        if entry.state == WAITS and settle != AGAIN:
            self.stopped = True
            yield self._step("waits", number, words.phrase("board.moderator"))
            return
        yield from self._tried(number, draft, entry)

    def _tried(self, number: int, draft: Draft, entry: Entry) -> Iterator[Step]:
        """Post one, some times if it may help."""
        problem: Problem | None = None
        for left in reversed(range(_TRIES)):
            notes = _Notes(self.box, entry, self.seen, self.now)
            try:
                made = self.door.post(draft, notes)
            except Doubt as doubt:
                entry = self._settled(
                    notes.entry, draft, common_words().problem(doubt.problem.code, doubt.problem.args)
                )
                problem = doubt.problem
                if entry.state == DOUBT:
                    break
                if draft.mark in self.seen.marks:
                    yield from self._posted(number, entry, PostResult(STANDS, self.seen.marks[draft.mark]))
                    return
                wait = 0.0
            except Later as later:
                entry, problem = self._not_made(notes.entry, later.problem), later.problem
                wait = later.seconds
            except Trouble as trouble:
                entry, problem = self._not_made(notes.entry, trouble.problem), trouble.problem
                break
            else:
                yield from self._posted(number, notes.entry, made, draft)
                return
            if not left or wait > LONGEST:
                break
            self.sleep(wait or _BACK_OFF[_TRIES - 1 - left])

        self.stopped = True
        assert problem is not None
        if entry.state == DOUBT:
            problem = Problem("board.doubt", {"said": entry.said, "at": entry.at})
        yield self._trouble(number, problem)

    def _posted(
        self, number: int, entry: Entry, made: PostResult, draft: Draft | None = None
    ) -> Iterator[Step]:
        """Note a post that was taken, and say so; one that waits for a moderator may stand anyway."""
        state, id = made.state, made.id
        if state == WAITS and draft is not None:
            try:
                self.seen = self._look()
                if draft.mark in self.seen.marks:
                    state, id = STANDS, self.seen.marks[draft.mark]
            except Trouble:
                pass
        self.box.note(entry.made(state, id))
        if state == WAITS:
            self.stopped = True
            yield self._step("waits", number, common_words().phrase("board.moderator"))
        else:
            yield self._step("posted", number, common_words().phrase("board.posted", id=id))

    def _not_made(self, entry: Entry, problem: Problem) -> Entry:
        said = common_words().problem(problem.code, problem.args)
        return self.box.note(entry.not_made(said)) if entry.state == DOUBT else entry

    def _settled(self, entry: Entry, draft: Draft, said: str = "") -> Entry:
        """Find out whether a post in doubt stands: by looking, until the server has had time enough to make
        it.

        It stays in doubt where the thread cannot be seen, where a post of ours came since that does not bear
        the mark, or one that bears it under another name: that may be how the forum shows the account.
        """
        whole, last = False, said
        begun = parsed(entry.at) if entry.at else self.now()
        waits = _LOOKS if said else (max(0.0, SETTLES - (self.now() - begun).total_seconds()),)
        for wait in waits:
            if wait > 0:
                self.sleep(min(wait, SETTLES))
            try:
                self.seen, whole = self._look(), True
            except Trouble as trouble:
                whole, last = False, common_words().problem(trouble.problem.code, trouble.problem.args)
                continue
            if draft.mark in self.seen.marks:
                return self.box.note(entry.made(STANDS, self.seen.marks[draft.mark]))
        strange = sorted(self._came_since(entry), key=_number)
        named = self.seen.others.get(draft.mark)
        if whole and not strange and named is None:
            return self.box.note(entry.not_made(said))
        if named is not None:
            last = common_words().phrase("board.other-name", id=named[0], author=named[1])
        if strange:
            last = common_words().phrase("board.strange", id=strange[0])
        return self.box.note(replace(entry, said=last))

    def _came_since(self, entry: Entry) -> frozenset[str]:
        """Return our posts that came after a post was sent and bear none of its turn's marks."""
        newest = max((_number(one) for one in entry.own), default=0)
        known = {self.seen.marks.get(draft.mark) for draft in self.made.drafts}
        return frozenset(
            one
            for one in self.seen.own
            if one not in entry.own and one not in known and _number(one) > newest
        )

    def _look(self) -> Seen:
        marks = [draft.mark for draft in self.made.drafts]
        return self.door.look([*marks, _stem(marks[0])], self.since)

    def _step(self, what: str, number: int, said: str) -> Step:
        count = len(self.made.drafts)
        part = (
            common_words().phrase("board.part", number=number, count=count)
            if count > 1
            else common_words().phrase("board.only")
        )
        return Step(what, self.made.game, "", f"{part}: {said}")

    def _trouble(self, number: int, problem: Problem) -> Step:
        self.stopped = True
        said = common_words().problem(problem.code, problem.args)
        most = limits_of(self.thread).in_a_row
        if problem.code == "board.refused" and most and self.seen.in_a_row >= most:
            said = f"{said}; {common_words().phrase('board.row', count=self.seen.in_a_row)}"
        return self._step("trouble", number, said)


class _Notes(Struct):
    """What is kept of a post while it is made: written before it counts."""

    box: ForumOutbox
    entry: Entry
    seen: Seen
    now: Callable[[], datetime]

    def picture(self, upload: Upload) -> str:
        """Return what the forum calls a picture that was uploaded before."""
        return self.entry.picture(upload.data)

    def uploaded(self, upload: Upload, there: str) -> None:
        """Note that a picture is there."""
        self.entry = self.box.note(self.entry.with_picture(upload.data, there))

    def sending(self) -> None:
        """Note that the post is being sent."""
        self.entry = self.box.note(self.entry.sending(self.now(), self.seen.own))


def send(game: Game, made: Posting, thread: Thread, *, settle: str = "") -> Iterator[Step]:
    """Post a turn to the thread of its game and yield what became of each post.

    ``settle`` says what becomes of a post that is held: it is posted again, or it is there. Refused (cannot
    decide) while another program posts for the same game, or where what one side may know would go into the
    thread of all.
    """
    if hides(game.ground.rules) and not game.ledger.over:
        raise refuse(
            "board.hidden",
            game=game.id,
            help="write it without --send, and paste it where only that side reads",
        )
    yield from deliver(
        game.where / "forum", made, thread, thread.door(), since=_since(game, made.slot), settle=settle
    )


def deliver(
    folder: Path,
    made: Posting,
    thread: Thread,
    door: Door,
    *,
    since: datetime | None = None,
    settle: str = "",
    now: Callable[[], datetime] | None = None,
    sleep: Callable[[float], None] | None = None,
) -> Iterator[Step]:
    """Post a turn through a door, with what is known of its posts in a folder; nothing that is older than
    ``since`` is looked at.
    """
    box = ForumOutbox(folder, thread.name)
    disk.make_folder(box.folder, private=True)
    clock = now or (lambda: parsed(present()))
    try:
        with disk.exclusive(box.folder):
            yield from _Sending(thread, made, door, box, since, settle, clock, sleep or time.sleep).all()
    except disk.Busy as busy:
        raise in_use(busy, folder) from None


def _since(game: Game, slot: int) -> datetime | None:
    """Return when the result of a slot was written: no post about it can be older."""
    path = game.ledger.slots[slot].result_path
    at = next((read.record.get("at") for read in game.ledger.records if read.path == path), None)
    return parsed(str(at)) if at else None


def _stem(mark: str) -> str:
    """Return what the marks of all posts of one turn have in common and those of no other: the last part,
    with its head.
    """
    return mark.rpartition(", ")[2]


def _number(id: str) -> int:
    return int(id) if id.isdecimal() and len(id) < 19 else 0
