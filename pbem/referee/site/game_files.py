"""The files of one game on the pages of a club: its page, its map, a report for each turn, the replay, the
archive.

Of a game that hides something they are made as for nobody's seat (``views.NOBODY``) until it is over, and
there is no replay, no archive and no luck. The archive is left out too where it holds what is not for
everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol

from msgspec import Struct

from pbem.proof.history import Slot
from pbem.proof.inside import is_orders
from pbem.proof.luck import SideLuck, luck
from pbem.proof.verdict_words import decimal
from pbem.referee.explain.draw import drawn, shown
from pbem.referee.explain.look import Look
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import Refused
from pbem.referee.game.turns import names_of_seats, of_slot
from pbem.referee.game.views import NOBODY
from pbem.referee.mail.served import parsed
from pbem.referee.pages.showing import Wish, replay_bytes
from pbem.referee.proving.pack import pack
from pbem.referee.site.club import Shown
from pbem.referee.site.pages import Club, due, facts, follow, page, since, waits, when
from pbem.referee.turn.report import report_for_all
from pbem.store import disk
from pbem.store.library import common_words
from pbem.text.html_tags import Html, joined, table, tag
from pbem.text.markup import as_text, html_blocks
from pbem.text.report import Document
from pbem.text.source import read
from pbem.text.when import capital

MAP, REPLAY = "map.png", "replay.html"
MOST_SAID: Final = 6_000
"""Characters of a report in a feed."""


class Turn(Struct, frozen=True):
    """A turn that was played: its slot, what it is called, when, and its report."""

    slot: int
    title: str
    at: datetime
    report: Document

    @property
    def file(self) -> str:
        """Return the name of its page."""
        return f"s{self.slot:04d}.html"

    @property
    def said(self) -> str:
        """Return its report in plain text, for a feed."""
        plain = as_text(self.report)
        return plain if len(plain) <= MOST_SAID else plain[: MOST_SAID - 1] + "…"


def turns_of(game: Game, *, secret: bool) -> list[Turn]:
    """Return the turns of a game that count, oldest first."""
    if not game.ledger.started:
        return []
    return [_turn(game, number, slot, secret) for number, slot in sorted(_played(game).items())]


def _played(game: Game) -> Mapping[int, Slot]:
    slots = game.ledger.slots.items()
    return {number: slot for number, slot in slots if slot.result is not None and not slot.undone}


def _turn(game: Game, number: int, slot: Slot, secret: bool) -> Turn:
    document = report_for_all(game, number, secret=secret)
    at = parsed(str((slot.result or {})["at"]))
    return Turn(number, capital(of_slot(game, number)), at, document)


class Before(Protocol):
    """What lies there from the run before."""

    def same(self, name: str, made_of: str) -> bool:
        """Tell whether a file lies there, made of the same."""
        ...

    def has(self, name: str) -> bool:
        """Tell whether a file lies there, made of whatever."""
        ...


class File(Struct, frozen=True):
    """A file below the folder of a game: its name, what it is made of, and its bytes; None: the one that lies
    there stays.
    """

    name: str
    made_of: str = ""
    data: bytes | None = None


def files(
    env: Environment,
    club: Club,
    game: Game,
    one: Shown,
    turns: Sequence[Turn],
    private: Sequence[str],
    before: Before,
) -> Iterator[File]:
    """Yield the files of a game below its folder. ``private`` are words that no archive may hold that is
    given away.
    """
    made_of = f"{one.secret} {_newest(game)}"
    picture: tuple[str, str] | None = None
    if one.started:
        scene = shown(game, None, NOBODY if one.secret else None)
        picture = import_module("pbem.renderers.text").alt(scene), drawn(scene, ".txt").decode()
        stays = before.same(MAP, made_of)
        yield File(MAP, made_of, None if stays else drawn(scene, ".png", Look(club.theme)))
    if turns and not one.secret:
        stays = before.same(REPLAY, made_of)
        yield File(REPLAY, made_of, None if stays else replay_bytes(game, ".html", Wish(theme=club.theme)))
    archive = _archive(env, game, one, private, before)
    if archive is not None:
        yield archive
    for n, turn in enumerate(turns):
        yield File(turn.file, "", _report_page(club, one, turns, n))
    yield File("index.html", "", _game_page(club, game, one, turns, picture, archive))


def _newest(game: Game) -> str:
    """Return the id of the newest record that a turn came of."""
    played = _played(game) if game.ledger.started else {}
    newest = played[max(played)].result_path if played else ""
    return next((read.id for read in game.ledger.records if read.path == newest), game.ledger.records[0].id)


def _archive(env: Environment, game: Game, one: Shown, private: Sequence[str], before: Before) -> File | None:
    """Return the archive of a game as it was when nothing was locked; None where it is not given away."""
    if not one.started or one.secret or not _is_for_everybody(game, private):
        return None
    name, made_of = f"{one.id}.zip", game.ledger.head
    if before.same(name, made_of):
        return File(name, made_of)
    if game.ledger.locked is not None:
        # Orders that are fixed and not played yet are nobody's affair: the one from before will do.
        return File(name, "") if before.has(name) else None
    with TemporaryDirectory() as folder:
        to = Path(folder) / name
        try:
            pack(env, game.where, to, receipts=False)
        except (Refused, disk.Busy):
            return File(name, "") if before.has(name) else None
        return File(name, made_of, to.read_bytes())


def _is_for_everybody(game: Game, private: Sequence[str]) -> bool:
    """Tell whether nothing in an archive is for few: no address or code of the office, no note to the
    umpire.
    """
    words = [word.casefold().encode() for word in private if word]
    for path in game.archive:
        data = game.archive[path]
        lower = data.lower()
        if any(word in lower for word in words):
            return False
        if is_orders(path) and b"note" in lower:
            found = read(data, allow_header=True).data
            if not isinstance(found, Mapping) or "note" in found:
                return False
    return True


# --- pages


def _report_page(club: Club, one: Shown, turns: Sequence[Turn], n: int) -> bytes:
    words, turn = common_words(), turns[n]
    title = words.phrase("site.report-title", title=one.title, turn=turn.title)
    links = [tag("a", words.phrase("site.back", title=one.title), href="index.html")]
    if n:
        links.append(tag("a", words.phrase("site.report-before"), href=turns[n - 1].file))
    if n + 1 < len(turns):
        links.append(tag("a", words.phrase("site.report-next"), href=turns[n + 1].file))
    said = Html(html_blocks(turn.report.blocks))
    lead = tag("p", turn.report.lead, class_="lead") if turn.report.lead else Html()
    played = tag("p", when(turn.at, club.zone), class_="hint")
    return page(title, joined([played, lead, said, tag("p", *links, class_="links")]), crumbs=_crumbs(club))


def _game_page(
    club: Club,
    game: Game,
    one: Shown,
    turns: Sequence[Turn],
    picture: tuple[str, str] | None,
    archive: File | None,
) -> bytes:
    words = common_words()
    parts: list[str] = [tag("p", one.said, class_="lead")]
    if one.secret:
        parts.append(tag("p", words.phrase("site.hidden")))
    parts.append(_facts(club, game, one))
    if one.score:
        key = "site.score" if one.over else "site.score-now"
        heads = [words.phrase("site.column-side"), words.phrase("site.column-points")]
        rows = [(side, str(count)) for side, count in one.score]
        parts += [tag("h2", words.phrase(key)), table(heads, rows, numbers={1: "number"})]
    if picture is not None:
        alt, told = picture
        shows = tag("figure", tag("a", tag("img", src=MAP, alt=alt), href=MAP))
        inside = tag("pre", tag("code", told), class_="chart", tabindex="0")
        parts += [
            tag("h2", words.phrase("site.map")),
            shows,
            tag("details", tag("summary", words.phrase("site.map-words")), inside),
        ]
    parts.append(_turns(club, turns))
    if turns and not one.secret:
        parts.append(tag("p", tag("a", words.phrase("site.replay"), href=REPLAY, class_="button")))
    parts += list(_given(one, archive))
    if turns and not one.secret:
        parts.append(_luck(game))
    parts.append(follow())
    return page(one.title, joined(parts), crumbs=_crumbs(club), feeds="feed.xml")


def _crumbs(club: Club) -> tuple[tuple[str, str], ...]:
    return ((club.name, "../../index.html"),)


def _facts(club: Club, game: Game, one: Shown) -> Html:
    words = common_words()
    rules = game.ground.rules
    stands: list[tuple[str, str]] = [
        (words.phrase("site.turn"), one.turn),
        (words.phrase("site.waits"), waits(one)),
        (words.phrase("site.since"), since(one, club.zone)),
        (words.phrase("site.due"), due(one, club.zone)),
    ]
    rows = [
        *([(words.phrase("site.over"), waits(one))] if one.over else stands),
        (
            words.phrase("site.players"),
            ", ".join(
                words.phrase("site.played-by", side=seat.side, name=seat.name) if seat.name else seat.side
                for seat in one.seats
            ),
        ),
        (words.phrase("site.rules"), rules.title),
        (words.phrase("site.game"), one.id),
    ]
    return facts(rows)


def _turns(club: Club, turns: Sequence[Turn]) -> Html:
    words = common_words()
    if not turns:
        return tag("p", words.phrase("site.no-turns"))
    listed = [
        tag("li", tag("a", turn.title, href=turn.file), " ", tag("small", when(turn.at, club.zone)))
        for turn in reversed(turns)
    ]
    return joined(
        [tag("h2", words.phrase("site.turns")), tag("ol", *listed, class_="turns", reversed="reversed")]
    )


def _given(one: Shown, archive: File | None) -> Iterator[Html]:
    """Yield where the archive lies, and how it is checked."""
    words = common_words()
    if archive is not None:
        yield tag("p", tag("a", words.phrase("site.archive"), href=archive.name, download=archive.name))
        before, _, after = words.phrase("site.archive-verify", command="\n").partition("\n")
        yield tag("p", before, tag("code", f"pbem verify {archive.name}"), after)
    elif one.started and not one.secret:
        yield tag("p", words.phrase("site.archive-none"))


def _luck(game: Game) -> Html:
    """Return the dice of each side beside what is to be expected of them, with words about what that says."""
    words, names = common_words(), names_of_seats(game)
    heads = [
        words.phrase(f"site.{name}")
        for name in ("column-side", "luck-dice", "luck-mean", "luck-expected", "luck-chance")
    ]
    rows = [row for side in luck(game.ledger) if side.side for row in _luck_rows(side, names)]
    if not rows:
        return Html()
    return joined(
        [
            tag("h2", words.phrase("site.luck")),
            table(heads, rows, numbers=dict.fromkeys((2, 3, 4), "number")),
            tag("p", words.phrase("site.luck-said"), class_="hint"),
        ]
    )


def _luck_rows(side: SideLuck, names: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    words = common_words()
    name = next((names[seat] for seat in side.seats if seat in names), side.side)
    for n, size in enumerate(side.sizes):
        yield (
            name,
            words.phrase("site.luck-size", count=size.dice, sides=size.sides),
            decimal(size.mean, 2),
            decimal(size.expected, 1),
            f"{decimal(Fraction(side.chance), 2)}" if n == 0 else "",
        )
