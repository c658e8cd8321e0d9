"""Who brings letters to an office and takes them away: its inbox folder, its mailbox, its mail server, as
``pbem.toml`` has them.

Nothing is decided here about letters: they are kept in the postbag as they came, and sent from the outbox as
they lie there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from email import message_from_bytes, policy
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.post.offices.office import AGAIN, KEEP, Account, Office
from pbem.referee.game.environment import now as present
from pbem.referee.game.refusal import refuse
from pbem.referee.mail.office import POST, alone, settings
from pbem.referee.mail.round_context import FetchReport, Step
from pbem.referee.mail.served import parsed
from pbem.store import spool
from pbem.store.library import common_words
from pbem.store.net import Trouble
from pbem.store.outbox import FAILED, HELD, SENT, Outbox
from pbem.store.postbag import Postbag, identify
from pbem.store.spool import Raw

if TYPE_CHECKING:
    from pbem.store.imap import Mailbox

INBOX = "inbox"
"""A folder (of ``.eml`` files, or a Maildir) into which anybody may put letters for the office."""


class KeptAll(Struct, frozen=True):
    """How many letters were new and how many known, and what could not be read, in words."""

    new: int
    known: int
    faults: tuple[str, ...]


def keep_all(bag: Postbag, letters: Iterable[Raw]) -> KeptAll:
    """Keep letters from files; one whose arrival nobody noted has arrived now."""
    new = known = 0
    faults = []
    for raw in letters:
        if raw.fault:
            faults.append(f"{raw.source}: {raw.fault}")
        elif bag.knows(identify(raw.data)):
            known += 1
        else:
            bag.keep(raw.data, raw.arrived or present(), raw.source)
            new += 1
    return KeptAll(new, known, tuple(faults))


def in_inbox(root: Path, bag: Postbag) -> int:
    """Return how many letters lie in the inbox of an office that were never read."""
    if not (root / INBOX).is_dir():
        return 0
    return sum(
        1 for raw in spool.letters(root / INBOX) if not raw.fault and not bag.knows(identify(raw.data))
    )


class OwnCourier:
    """The courier that an office's own settings describe; in ``with``, so that its mailbox is closed."""

    def __init__(self, root: Path, office: Office) -> None:
        self.root = root
        self.office = office
        self._mailbox: Mailbox | None = None

    def __enter__(self) -> OwnCourier:
        """Begin; the mailbox is opened when it is wanted."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the mailbox; without a word where something went wrong."""
        self._hang_up(error)

    def close(self) -> None:
        """Close the mailbox; it is opened again when it is wanted."""
        self._hang_up()

    def _open(self, account: Account) -> Mailbox:
        """Return the mailbox, the same one as long as nothing goes wrong with it; Trouble where it cannot be
        opened.
        """
        if self._mailbox is None:
            from pbem.store.imap import Mailbox

            self._mailbox = Mailbox(account)
        return self._mailbox

    def _hang_up(self, error: BaseException | None = None) -> None:
        if self._mailbox is not None:
            mailbox, self._mailbox = self._mailbox, None
            mailbox.__exit__(type(error) if error is not None else None, error, None)

    def fetch(self, bag: Postbag) -> FetchReport:
        """Keep what has come."""
        said, whole = [], True
        inbox = self.root / INBOX
        new = 0
        if inbox.is_dir():
            kept = keep_all(bag, spool.letters(inbox))
            new, said = kept.new, list(kept.faults)
        if self.office.imap is not None:
            try:
                fetched = self._open(self.office.imap).fetch(bag, self.root / POST, present())
                new += fetched.new
                said += [_said(problem) for problem in fetched.problems]
                whole = fetched.whole
                if not whole:
                    self._hang_up()
            except Trouble as trouble:
                self._hang_up(trouble)
                said, whole = [*said, _said(trouble.problem)], False
        return FetchReport(tuple(said), whole, new)

    def send(self, box: Outbox, now: datetime) -> Iterator[Step]:
        """Send what is queued; yield what went and what did not."""
        if self.office.smtp is None:
            return
        from pbem.store import smtp

        words = common_words()
        try:
            for envelope in smtp.deliver(
                box, self.office.smtp, self.office.address, now, again=self.office.in_doubt == AGAIN
            ):
                to = ", ".join((*envelope.sent, *envelope.left, *envelope.failed))
                if envelope.state == SENT:
                    yield Step("sent", said=f"{envelope.key} to {to}")
                elif envelope.state == FAILED:
                    said = words.phrase(
                        "round.failed", letter=envelope.key, to=list(envelope.failed), said=envelope.said
                    )
                    yield Step("trouble", said=said)
                elif envelope.state == HELD:
                    yield Step(
                        "trouble",
                        said=words.phrase("round.doubt", letter=envelope.key, to=list(envelope.doubt)),
                    )
                else:
                    yield Step("waits", said=f"{envelope.key} to {to}: {envelope.said}")
        except Trouble as trouble:
            yield Step("trouble", said=_said(trouble.problem))

    def settle(self, bag: Postbag) -> Iterator[str]:
        """Mark at the mailbox what is finished here; yield what could not be done."""
        if self.office.imap is None or self.office.imap.after == KEEP:
            return
        try:
            self._open(self.office.imap).settle(bag, self.root / POST)
        except Trouble as trouble:
            self._hang_up(trouble)
            yield _said(trouble.problem)

    def wait(self, seconds: int) -> None:
        """Wait until a letter comes, where the mailbox can tell, and so long at most."""
        end = time.monotonic() + seconds
        if self.office.imap is not None:
            try:
                self._open(self.office.imap).wait(seconds)
                return
            except Trouble as trouble:
                self._hang_up(trouble)
        time.sleep(max(0.0, end - time.monotonic()))


def courier_of(root: Path, office: Office) -> OwnCourier:
    """Return the courier of an office."""
    return OwnCourier(root, office)


def _said(problem: Problem) -> str:
    return common_words().problem(problem.code, problem.args)


def fetch_alone(root: Path) -> tuple[int, list[str]]:
    """Keep what has come to an office; return how many letters were new, and what could not be fetched."""
    office = settings(root)
    if office.imap is None and not (root / INBOX).is_dir():
        raise refuse(
            "office.no-mailbox", file=str(root), help="pbem mail read FILE --office DIR keeps letters by hand"
        )
    with alone(root) as post:
        bag = Postbag(post)
        with courier_of(root, office) as courier:
            brought = courier.fetch(bag)
        return brought.new, list(brought.said)


def send_alone(root: Path, again: str | None = None) -> Iterator[Step]:
    """Send what is queued in an office; with ``again`` first let one letter that may or may not have gone be
    sent once more.
    """
    office = settings(root)
    with alone(root) as post:
        box = Outbox(post)
        if again is not None and not box.again(again):
            raise refuse(
                "outbox.not-again",
                key=again,
                help=", ".join(one.key for one in box.held()) or "none is in doubt",
            )
        if office.smtp is None:
            yield Step("waits", said=common_words().phrase("round.by-hand", folder=str(post / "out")))
            return
        # Who sends by hand does not wait until a server that was not there is asked again.
        box.awake()
        yield from courier_of(root, office).send(box, parsed(present()))


def by_hand(office: Office, box: Outbox) -> int:
    """Return how many letters the umpire of an office has to send himself: none where a server does."""
    return sum(1 for _ in box.waiting()) if office.smtp is None else 0


def sent_by_hand(root: Path) -> tuple[str, ...]:
    """Note that the umpire has sent what lay in the outbox with a mail program of his; return what it was."""
    settings(root)
    with alone(root) as post:
        box = Outbox(post)
        envelopes = list(box.waiting())
        for envelope in envelopes:
            box.note(envelope.sending(envelope.left).gone())
        return tuple(envelope.key for envelope in envelopes)


def queued(root: Path) -> Iterator[str]:
    """Yield the letters that wait to be sent, as text: whom to, what about, what they say,
    what is with them.
    """
    settings(root)
    box = Outbox(root / POST)
    for envelope in box.waiting():
        data = box.letter(envelope.key)
        if data is None:
            continue
        message = message_from_bytes(data, policy=policy.default)
        body = message.get_body(("plain",))
        files = [part.get_filename() or "" for part in message.iter_attachments()]
        head = [f"{name}: {message[name]}" for name in ("To", "Subject")]
        head += [f"Attached: {', '.join(files)}"] if files else []
        yield "\n".join(
            [
                f"{envelope.key} ({envelope.state})",
                *head,
                "",
                body.get_content().replace("\r\n", "\n") if body else "",
            ]
        )
