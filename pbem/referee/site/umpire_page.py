"""The umpire's own page: everything that waits for him, with the command for each, and all games with what is
for his eyes alone.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from pbem.post.offices.timing import at_time
from pbem.referee.game.environment import Environment
from pbem.referee.game.refusal import UNDECIDED, refuse
from pbem.referee.mail import overview
from pbem.referee.mail.desk import Desk, typed
from pbem.referee.mail.stands import DRAFT
from pbem.referee.site.making import apart
from pbem.referee.site.pages import STYLES
from pbem.store import site as store
from pbem.store.library import common_words
from pbem.text.html_tags import Html, joined, table, tag
from pbem.text.words import in_force


def make_private(env: Environment, desk: Desk, out: Path, public: Path) -> int:
    """Write the umpire's page into a folder of its own, for its owner's eyes; return how many files changed.

    Refused where that folder is no place for it, lies in the public one, or holds a file of somebody else.
    """
    apart(env, desk.root, out, public)
    try:
        with store.opened(out, private=True) as site:
            site.put({"index.html": page_of(desk)})
            site.finish()
            return site.written
    except store.Foreign as foreign:
        raise refuse("site.foreign", answer=UNDECIDED, file=str(out), path=str(foreign.path)) from None


def page_of(desk: Desk) -> bytes:
    """Return the page of a desk."""
    words = common_words()
    title = words.phrase("site.private-title", club=desk.office.name or words.phrase("site.games"))
    made = at_time(desk.now, desk.office.zone, words)
    parts: list[str] = [
        tag("h1", title),
        tag("p", words.phrase("site.private-lead", when=made), class_="lead"),
        tag("h2", words.phrase("site.private-needs")),
        _needs(desk),
    ]
    if desk.letters:
        show = words.phrase("site.private-show", command=typed("mail", "umpire", desk.root))
        listed = [tag("li", subject) for _, subject in reversed(desk.letters)]
        parts += [tag("h2", words.phrase("site.private-letters")), tag("ul", *listed), tag("p", show)]
    parts += [tag("h2", words.phrase("site.games")), _games(desk)]
    page: bytes = import_module("pbem.renderers.page").still_page(
        title, styles=STYLES, body=tag("main", *parts), private=True, lang=in_force()
    )
    return page


def _needs(desk: Desk) -> Html:
    words = common_words()
    if not desk.needs:
        return tag("p", words.phrase("desk.nothing"))
    titles = {row.id: f"{row.title} ({row.folder}): " for row in desk.rows}
    listed = [
        tag(
            "li",
            tag("strong", titles.get(need.game, "")),
            need.said,
            tag("code", need.command) if need.command else Html(),
        )
        for need in desk.needs
    ]
    return tag("ul", *listed, class_="needs")


def _games(desk: Desk) -> Html:
    words = common_words()
    heads = [
        words.phrase(f"site.column-{name}")
        for name in ("game", "turn", "waits", "since", "due", "score", "drafts", "misses", "letters")
    ]
    rows = []
    for row in desk.rows:
        folder, turn, waits, since, due, score = overview.cells(row, desk.now)
        drafts = ", ".join(one.side for one in row.waits if one.kind == DRAFT)
        missed = ", ".join(f"{seat.side} {seat.misses}" for seat in row.seats if seat.misses)
        count = desk.letters_of(row.id)
        name = joined([tag("strong", row.title), tag("small", folder)])
        rows.append((name, turn, waits, since, due, score, drafts, missed, str(count) if count else ""))
    return table(heads, rows)
