"""The dossier of a game that is to be adjudicated: all that three readers need to say who would have won, in
one page that fetches nothing.

It is the umpire's: it shows the whole state, of a game that hides something too. It holds no address, no
code and no draft.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Final

from msgspec import Struct

from pbem.post.offices.timing import at_time
from pbem.proof.acts import Act, acts
from pbem.referee.explain.briefing import briefing_of
from pbem.referee.game import ending
from pbem.referee.game.refusal import refuse
from pbem.referee.game.turns import of_slot
from pbem.referee.game.views import hides
from pbem.referee.mail.club_figures import FEW
from pbem.referee.mail.figures import SeatFigures, figures_of
from pbem.referee.mail.letters import archive_of, outcome_of
from pbem.referee.mail.office import POST
from pbem.referee.mail.served import OfficeGame
from pbem.referee.mail.stands import Stands, served_game, stands
from pbem.referee.mail.stats_table import took
from pbem.referee.pages.letter_pictures import described, pictures_of
from pbem.referee.site.pages import STYLES, facts, when
from pbem.referee.turn.report import report_for_all
from pbem.store.library import common_words
from pbem.store.postbag import Postbag
from pbem.text.html_tags import Html, table, tag
from pbem.text.markup import html_blocks
from pbem.text.report import Heading
from pbem.text.when import capital
from pbem.text.words import in_force

READERS: Final = 3
REPORTS: Final = 1_000_000
"""Bytes of reports at most, the newest first; how many older ones are left out is said."""
ACTS: Final = 60
"""Words of the umpire, ruling and turns taken back that are listed, the newest ones."""


class Dossier(Struct, frozen=True):
    """A dossier: its page, whether the archive is in it, how many older reports are not."""

    page: bytes
    archive: bool
    left_out: int


def dossier(where: Path, now: datetime) -> Dossier:
    """Return the dossier of a game as it stands at a time; Refused where it has not begun."""
    served, root = served_game(where)
    game, words = served.game, common_words()
    if not game.ledger.started:
        raise refuse("time.not-begun", game=game.id)
    here = stands(served)
    packed = archive_of(game)
    reports, left = _reports(served)
    parts = [
        tag("p", here.said, class_="lead"),
        tag("p", words.phrase("dossier.lead", moment=at_time(now, _zone(served), words))),
        *([tag("p", tag("strong", words.phrase("dossier.hidden")))] if hides(game.ground.rules) else []),
        _facts(served, here),
        *_score(served, here),
        *_aim(served),
        *_map(served),
        *_figures(served, {} if root is None else Postbag(root / POST).arrivals()),
        *_acts(served),
        tag("h2", words.phrase("site.turns")),
        *reports,
        *([tag("p", words.phrase("dossier.left-out", count=left))] if left else []),
        *_archive(served, None if packed is None else packed.data),
        *_readers(served, where),
    ]
    title = words.phrase("dossier.title", title=here.title)
    page: bytes = import_module("pbem.renderers.page").still_page(
        title, styles=STYLES, body=tag("main", tag("h1", title), *parts), private=True, lang=in_force()
    )
    return Dossier(page, packed is not None, left)


def _zone(served: OfficeGame) -> str:
    terms = served.settings.deadlines
    return terms.zone if terms is not None else "UTC"


def _facts(served: OfficeGame, here: Stands) -> Html:
    words, game = common_words(), served.game
    rules = game.ground.rules
    waits = [one.who for one in here.waits]
    names = served.company.players or {}
    rows: list[tuple[str, str | Html]] = [
        (words.phrase("site.turn"), here.turn),
        (words.phrase("site.waits"), ", ".join(waits)),
        (words.phrase("site.since"), when(here.since, _zone(served)) if here.since and waits else ""),
        (words.phrase("site.due"), when(here.until, _zone(served)) if here.until and waits else ""),
        (
            words.phrase("site.players"),
            ", ".join(f"{served.side_name(seat)}: {names.get(seat, '–')}" for seat in game.ledger.seats),
        ),
        (words.phrase("site.rules"), f"{rules.title} ({rules.id} {rules.revision})"),
        (words.phrase("site.game"), game.id),
    ]
    return facts(rows)


def _score(served: OfficeGame, here: Stands) -> Iterator[Html]:
    """Yield the points and losses so far, and who would win if it ended now."""
    words, game = common_words(), served.game
    heads = [words.phrase("site.column-side"), words.phrase("dossier.points")]
    yield tag("h2", words.phrase("site.score" if here.over else "site.score-now"))
    yield table(heads, outcome_of(game))
    if here.over:
        return
    leads = ending.leads(game)
    side = served.side_names.get(leads, "")
    yield tag("p", words.phrase("dossier.leads" if side else "dossier.leads-nobody", side=side))


def _aim(served: OfficeGame) -> Iterator[Html]:
    brief = briefing_of(served.game, players=served.company.players or {})
    blocks = [block for block in (*brief.aims(), *brief.so_far()) if not isinstance(block, Heading)]
    yield tag("h2", common_words().phrase("brief.aim"))
    yield Html(html_blocks(blocks))


def _map(served: OfficeGame) -> Iterator[Html]:
    words, game = common_words(), served.game
    yield tag("h2", words.phrase("site.map"))
    for one in pictures_of(game, game.ledger.state_slot):
        source = f"data:image/png;base64,{base64.b64encode(one.data).decode()}"
        yield tag("figure", tag("img", src=source, alt=one.alt))
    told = Html(html_blocks(described(game, game.ledger.state_slot)[1:]))
    yield tag("details", tag("summary", words.phrase("site.map-words")), told)


def _figures(served: OfficeGame, arrivals: Mapping[str, str]) -> Iterator[Html]:
    """Yield how soon both answered, and what they missed."""
    words = common_words()
    names = ("side", "player", "answers", "median", "longest", "misses", "sent")
    yield tag("h2", words.phrase("dossier.times"))
    found = figures_of(served, arrivals).seats
    heads = [words.phrase(f"dossier.column-{name}") for name in names]
    yield table(heads, [_row(one) for one in found])
    yield tag("p", words.phrase("stats.answers-said"), class_="hint")


def _row(one: SeatFigures) -> tuple[str, ...]:
    middle = took(int(median(one.answers))) if len(one.answers) >= FEW else ""
    longest = took(max(one.answers, default=None))
    return (one.side, one.name, str(len(one.answers)), middle, longest, str(one.misses), str(one.sent))


def _acts(served: OfficeGame) -> Iterator[Html]:
    found: tuple[Act, ...] = acts(served.game.ledger)[-ACTS:]
    if found:
        yield tag("h2", common_words().phrase("dossier.acts"))
        yield tag("ul", *(tag("li", one.said) for one in found))


def _reports(served: OfficeGame) -> tuple[list[Html], int]:
    """Return the reports of the turns that count, newest first, and how many older ones are left out."""
    game, words, found, size = served.game, common_words(), list[Html](), 0
    played = [
        n for n, slot in sorted(game.ledger.slots.items()) if slot.result is not None and not slot.undone
    ]
    for done, number in enumerate(reversed(played)):
        made = report_for_all(game, number, secret=False)
        one = tag("details", tag("summary", capital(of_slot(game, number))), Html(html_blocks(made.blocks)))
        size += len(one.encode())
        if size > REPORTS:
            return found, len(played) - done
        found.append(one)
    return found or [tag("p", words.phrase("site.no-turns"))], 0


def _archive(served: OfficeGame, data: bytes | None) -> Iterator[Html]:
    words, game = common_words(), served.game
    name = f"{game.id}.zip"
    yield tag("h2", words.phrase("dossier.proof"))
    if data is not None:
        link = f"data:application/zip;base64,{base64.b64encode(data).decode()}"
        yield tag("p", tag("a", words.phrase("site.archive"), href=link, download=name))
    else:
        yield tag("p", words.phrase("dossier.archive-large", name=name))
    before, _, after = words.phrase("site.archive-verify", command="\n").partition("\n")
    yield tag("p", before, tag("code", f"pbem verify {name}"), after)
    yield tag("p", words.phrase("dossier.head", head=game.ledger.head_digest))


def _readers(served: OfficeGame, where: Path) -> Iterator[Html]:
    """Yield the lines that readers fill, and how their judgement is entered."""
    words = common_words()
    sides = [served.side_names.get(side, side) for side in sorted(set(served.game.sides.values()))]
    yield tag("h2", words.phrase("dossier.readers"))
    yield tag("p", words.phrase("dossier.readers-said", results=[*sides, words.phrase("word.drawn")]))
    heads = [words.phrase(f"dossier.reader-{name}") for name in ("who", "result", "why", "when")]
    rows = [(words.phrase("dossier.reader", number=n), "…", "…", "…") for n in range(1, READERS + 1)]
    yield table(heads, rows)
    for side in sorted(set(served.game.sides.values())):
        command = f"pbem umpire adjudicate {where.name} --winner {side} --why '…'"
        yield tag("p", tag("code", command))
    yield tag("p", tag("code", f"pbem umpire adjudicate {where.name} --draw --why '…'"))
