"""The lines that entrants of tournaments say by letter, for the lots: whom we have asked, and who has said
what.

It is kept beside the requests of players, privately: nobody is to know another's line before lots are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.post.lines.message import NOTHING
from pbem.post.mail.sender import code_of
from pbem.post.write.tournaments import line_answer
from pbem.proof.dice_protocol import normal_words
from pbem.referee.game.intake import unfit_words
from pbem.referee.mail import book_rows
from pbem.referee.mail.incoming import Incoming, LetterOutcome

BOOK: Final = "lines.json"
_MOST: Final = 2_000
"""Entrants that are kept, the newest."""
LINE: Final = "line"
"""What became of a letter that says a line."""


class Entrant(Struct, frozen=True):
    """An entrant who was asked for a line: of which tournament, what people call that, what its entries came
    to, who he is, and what he has said.
    """

    tournament: str
    name: str
    digest: str
    player: str
    line: str = ""
    drawn: bool = False


class LineBook:
    """The lines of an office; ``secret`` is what its tokens follow from."""

    def __init__(self, folder: Path, secret: bytes) -> None:
        self.path, self.secret = folder / BOOK, secret
        rows = book_rows.read(self.path, Entrant)
        self.every = {(one.tournament, one.player): one for one in rows}

    def ask(self, tournament: str, name: str, digest: str, player: str) -> str:
        """Note that an entrant is asked for his line, and return the token that his answer has to bear."""
        if (tournament, player) not in self.every:
            self._note(Entrant(tournament, name, digest, player))
        return self.token(self.every[tournament, player])

    def token(self, one: Entrant) -> str:
        """Return the token of an entrant: that of other entries, or of another entrant, is another."""
        return code_of(self.secret, f"line {one.tournament} {one.digest}", one.player)

    def say(self, one: Entrant, line: str) -> None:
        """Write down what an entrant has said; it takes the place of what he said before."""
        self._note(replace(one, line=line))

    def draw(self, tournament: str, *, others: bool) -> Mapping[str, str]:
        """Return player -> line of a tournament; if there are any, or ``others``, no more are taken."""
        mine = [one for one in self.every.values() if one.tournament == tournament]
        said = {one.player: one.line for one in mine if one.line}
        if said or others:
            self._note(*(replace(one, drawn=True) for one in mine))
        return said

    def _note(self, *entrants: Entrant) -> None:
        self.every |= {(one.tournament, one.player): one for one in entrants}
        book_rows.write(self.path, self.every.values(), _MOST)


def take_line(letter: Incoming, book: LineBook) -> LetterOutcome | None:
    """Take the line of an entrant: the first of an answer that bears the token of our question and comes from
    an address of his. None where a letter is none.
    """
    message, players = letter.message, letter.house.office.players
    one = next((one for one in book.every.values() if book.token(one) in letter.found.codes), None)
    player = players.get(one.player) if one is not None else None
    if one is None or player is None or message.sender not in player.addresses:
        return None
    typed = next((line.strip() for line in letter.found.words.splitlines() if line.strip()), "")
    problem: Problem | None = None
    if letter.found.kind != NOTHING:
        problem = Problem("tournament.line-orders")
    elif one.drawn:
        problem = Problem("tournament.drawn")
    else:
        problem = unfit_words(typed)
    if problem is None:
        one = replace(one, line=normal_words(typed))
        book.say(one, one.line)
    why = letter.words.problem(problem.code, problem.args) if problem is not None else ""
    answer = line_answer(one.name, one.line, why, message.subject, letter.words, late=one.drawn)
    codes = (problem.code,) if problem is not None else ()
    return LetterOutcome(LINE, why=codes, answer=answer, to=player.address, message=message)
