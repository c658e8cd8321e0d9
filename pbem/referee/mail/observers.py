"""Letters to those who only watch a game: its turns, its map, what the umpire changes, and nothing else.

They are made as for nobody's seat (``views.NOBODY``): what only a side knows is in none of them before the
end. An observer has no code, and nothing that he sends is an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.post.mail.sender import SeatAt
from pbem.post.offices.office import Player
from pbem.post.write import news
from pbem.post.write.parts import About
from pbem.post.write.short import Short, short
from pbem.post.write.writing import Letter
from pbem.referee.game.game import Game
from pbem.referee.game.turns import of_slot
from pbem.referee.game.views import NOBODY, hides
from pbem.referee.mail.changes import Known, for_everybody
from pbem.referee.mail.incoming import until
from pbem.referee.mail.letters import headline, outcome_of, undone_of
from pbem.referee.mail.round_context import RoundContext, Step
from pbem.referee.mail.served import OfficeGame
from pbem.referee.pages.letter_pictures import described, pictures_of
from pbem.referee.turn.report import report_for_all
from pbem.store.library import common_words
from pbem.text.report import Document, Image
from pbem.text.when import capital
from pbem.text.words import speaking

_NUMBER: Final = regex(r"[0-9]{4,5}")


def watches(served: OfficeGame) -> str:
    """Return in a sentence who watches a game; empty where nobody does."""
    names = [one.name for one in served.watchers]
    return common_words().phrase("letter.watched", names=names, count=len(names)) if names else ""


def tell_turns(ctx: RoundContext, served: OfficeGame, numbers: Sequence[int], anew: Any) -> Iterator[Step]:
    """Queue the turns that observers of a game have not been told; who comes in later gets the newest."""
    id_ = served.game.id
    for one in served.watchers:
        had = _told(ctx, id_, one)
        for number in (number for number in numbers if number >= (numbers[-1] if had is None else had)):
            key = f"watch-{id_}-s{number:04d}{anew(number)}-{one.id}"
            if not ctx.mail.knows(key):
                with speaking(one.language):
                    told = turn_for_all(ctx, served, number, one, first=had is None)
                ctx.mail.letter(key, told, id_, one.address)
                yield Step("told", id_, "", one.address)


def _told(ctx: RoundContext, game: str, player: Player) -> int | None:
    """Return the newest slot that an observer was told; None where he was told nothing yet."""
    begin = f"watch-{game}-s"
    told = (_NUMBER.match(key, len(begin)) for key in ctx.box.keys(begin, f"-{player.id}"))
    return max((int(found[0]) for found in told if found), default=None)


def tell_change(ctx: RoundContext, served: OfficeGame, before: Known, now: Known) -> Iterator[Step]:
    """Queue what the umpire changed in a game, to those who have watched it before."""
    if now.count == before.count:
        return
    for one in served.watchers:
        key = f"change-{served.game.id}-c{now.count:04d}-{one.id}"
        if one.name not in before.watching or ctx.mail.knows(key):
            continue
        with speaking(one.language):
            letter = for_everybody(ctx.house, served, before, now, ctx.now)
        if letter is not None:
            ctx.mail.letter(key, letter, served.game.id, one.address)
            yield Step("told", served.game.id, "", one.address)


def tell_taken_back(ctx: RoundContext, served: OfficeGame, record: Any, anew: str) -> Iterator[Step]:
    """Queue that turns of a game were taken back."""
    game = served.game
    for one in served.watchers:
        key = f"undo-{game.id}-s{int(record['next']['slot']):04d}{anew}-{one.id}"
        if ctx.mail.knows(key):
            continue
        with speaking(one.language):
            limit = until(ctx.house, SeatAt(game.id, NOBODY, served.title), ctx.now)
            told = undone_of(game, record, game.ledger.outside[0], _about(served), limit, pictures=False)
            title, said = told.headline, " ".join(told.notices)
            letter = replace(short(Short(_about(served), title, said), game.words), replied=False)
        ctx.mail.letter(key, letter, game.id, one.address)
        yield Step("told", game.id, "", one.address)


def turn_for_all(
    ctx: RoundContext, served: OfficeGame, number: int, player: Player, *, first: bool
) -> Letter:
    """Return the letter that tells an observer of a turn, or that a game begins."""
    game, words = served.game, served.game.words
    secret = hides(game.ground.rules) and not game.ledger.over
    newest = number == game.ledger.state_slot
    over = newest and game.ledger.over
    pictures = pictures_of(game, number, NOBODY) if ctx.pictures else ()
    limit = until(ctx.house, SeatAt(game.id, NOBODY, served.title), ctx.now)
    notices = [words.phrase("letter.you-watch" if first else "letter.you-watch-still")]
    if secret and first:
        notices.append(words.phrase("letter.you-watch-hidden"))
    open_ = game.ledger.next if newest and not over else None
    told = news.Turn(
        about=_about(served),
        headline=headline(game, words)
        if newest
        else words.phrase("letter.headline-past", turn=capital(of_slot(game, number))),
        report=_report(game, number, [(one.name, one.alt) for one in pictures], secret=secret),
        until=replace(limit, zone=player.zone),
        movers=tuple(dict.fromkeys(served.side_name(seat) for seat in open_["waits"])) if open_ else (),
        pictures=pictures,
        spoken=described(game, number, NOBODY if secret else None),
        notices=tuple(notices),
        over=over,
        outcome=outcome_of(game) if over else (),
        digest="" if secret or number else game.ledger.head_digest,  # a report has it already
    )
    return news.turn(told, words)


def _about(served: OfficeGame) -> About:
    return About(served.game.id, served.title, stands=served.stands())


def _report(game: Game, number: int, images: Sequence[tuple[str, str]], *, secret: bool) -> Document:
    if number:
        return report_for_all(game, number, images, secret=secret)
    shown = tuple(Image(name, alt) for name, alt in images)
    words = game.words
    title = words.phrase("letter.begins", title=game.ground.title)
    return Document(title, words.phrase("letter.begins-lead"), shown, len(shown))
