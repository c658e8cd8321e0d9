"""What the umpire has asked all players of a game to agree on, and who has: an undo, a ruling, a correction.

It is kept beside the requests of players, privately: a correction has orders in it that not everybody may
see.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.post.mail.sender import code_of
from pbem.referee.mail import book_rows

BOOK: Final = "proposals.json"
UNDO, RULE, CORRECT = "undo", "rule", "correct"
OPEN, ENTERED, REFUSED, LAPSED, TAKEN_BACK = "open", "entered", "refused", "lapsed", "taken-back"
MARK: Final = "(proposal "
"""So begins what a reason says of the proposal that it was entered for."""
_MOST: Final = 500
"""Proposals that are kept, the newest."""


class Proposal(Struct, frozen=True):
    """Something that all are to agree on. ``slot`` is from where on is taken back, or what is corrected (0:
    the open one is ruled in); ``newest`` the newest slot and ``head`` the newest record when it was last
    asked; ``act`` the digest of a ruling or a correction.

    ``asked`` are the seats whose plain yes is wanted, ``signing`` those whose signature is, ``by`` those of
    the first that have said yes. ``lines`` say what would be different, where nothing is hidden.
    """

    id: str
    game: str
    kind: str
    slot: int
    why: str
    at: datetime
    newest: int
    head: str
    act: str = ""
    asked: tuple[str, ...] = ()
    signing: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    state: str = OPEN
    lines: tuple[str, ...] = ()
    shown: str = ""
    """The file that is consented to, where there is one."""
    patch: tuple[dict[str, Any], ...] = ()
    orders: Mapping[str, tuple[str, bytes]] = {}

    @property
    def wanted(self) -> dict[str, Any]:
        """Return what a signed consent to it names."""
        return {"to": self.slot} if self.kind == UNDO else {"act": self.act}


class ProposalBook:
    """The proposals of an office; ``secret`` is what its tokens follow from."""

    def __init__(self, folder: Path, secret: bytes) -> None:
        self.path, self.secret = folder / BOOK, secret
        self.every = {one.id: one for one in book_rows.read(self.path, Proposal)}

    def note(self, proposal: Proposal, **changes: object) -> Proposal:
        """Write down how a proposal stands, and return it."""
        proposal = replace(proposal, **changes)
        if self.every.get(proposal.id) != proposal:
            self.every[proposal.id] = proposal
            book_rows.write(self.path, self.every.values(), _MOST)
        return proposal

    def token(self, proposal: Proposal, seat: str) -> str:
        """Return what a seat's yes or no has to bear: that of another act, or of another seat, is another."""
        return code_of(self.secret, f"proposal {proposal.id} {proposal.act}", seat)

    def waiting(self, game: str = "") -> Iterator[Proposal]:
        """Yield the proposals, of one game or all, on which not all have agreed yet."""
        yield from (one for one in self.every.values() if one.state == OPEN and game in ("", one.game))

    def name_of(self, game: str, head: str, at: datetime) -> str:
        """Return a name for what is proposed in a game now, which nothing else here ever had: an old yes is
        none to it.
        """
        of_game = [one.at for one in self.every.values() if one.game == game]
        said = f"proposal\0{game}\0{head}\0{at.isoformat()}\0{len(of_game)}"
        return hashlib.sha256(said.encode()).hexdigest()[:8]
