"""Posts looked at and nothing stored: what each asks for, whose it is, what is wrong with its orders, whether
it was read before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.post.lines.message import NOTHING, ORDERS
from pbem.post.mail.sender import signed_by
from pbem.referee.forum.forum_looking import Page, ShownPost, fingerprints, known, look, ordered, same, whom
from pbem.referee.forum.forum_run import EDITED
from pbem.referee.forum.forum_taking import names_of
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import Refused
from pbem.referee.game.vocabularies import keys_of, keys_of_rulesets
from pbem.referee.mail.incoming import in_letter
from pbem.referee.turn.check import check
from pbem.store.forum_book import Book
from pbem.store.library import common_words_of_posts
from pbem.text.located import Located

__all__ = ["Looked", "looked"]


class Looked(Struct, frozen=True):
    """A post, and what was found of it in a game: its seat or why it has none, what is wrong with its orders,
    what became of it before.
    """

    shown: ShownPost
    seat: str = ""
    nobody: Problem | None = None
    problems: tuple[Located, ...] = ()
    understood: tuple[str, ...] = ()
    before: str = ""


def looked(
    files: Iterable[tuple[str, bytes]], game: Game | None = None, authors: Mapping[str, str] | None = None
) -> tuple[list[Page], list[Looked]]:
    """Return pages and their posts; with a game also whose each is, and what is wrong with it, placed in the
    post as its reader sees it.
    """
    keys = keys_of_rulesets() if game is None else keys_of(game)
    pages = look(keys, files)
    posts = ordered(keys, pages)
    if game is None:
        return pages, [Looked(shown) for shown in posts]
    book = names_of(game, authors or {})
    return pages, [_looked(game, book, shown) for shown in posts]


def _looked(game: Game, book: Book, shown: ShownPost) -> Looked:
    who, found = whom(shown, book.names, book.accounts), shown.found
    signed = signed_by(found)
    before, text = "", fingerprints(shown)[0]
    if (one := known(book, shown, text)) is not None:
        before = book.done[one.key].became if one.key in book.done else "seen"
        before = before if same(one, shown) else EDITED
    if who.problem is not None and (signed is None or signed[0] != game.id):
        return Looked(shown, nobody=who.problem, before=before)
    seat = who.seat or (signed[1] if signed is not None else "")
    if found.kind == NOTHING or found.kind != ORDERS:
        return Looked(shown, seat, before=before)
    try:
        checked = check(game, shown.named, found.data, seat)
    except Refused as refusal:
        words = common_words_of_posts()
        plain = [
            Located(shown.named, 0, 0, one.code, words.problem(one.code, one.args), one.rule, one.help)
            for one in refusal.problems
        ]
        return Looked(
            shown, seat, problems=(*plain, *in_letter(found, refusal.located, shown.named)), before=before
        )
    problems = in_letter(found, (*checked.problems, *checked.doubts), shown.named)
    return Looked(shown, seat, problems=problems, understood=checked.understood, before=before)
