"""What the letters of a game have to tell, taken from the game: a turn, an invitation, a request for words, a
reminder.

Who gets them, when, and by when something is due comes from outside; how they are written is ``post``. A
letter to one seat holds nothing that another may not see yet: pictures and reports are of what is published,
sheets of the seat's own. Where sides know different things, all of it is what the seat's own side knows, and
the archive, which has everything, waits for the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import compress
from typing import Any

from msgspec.structs import replace

from pbem.core.briefing import Sample
from pbem.core.sequence import parse_cursor
from pbem.post.write.news import GoRequest, Invitation, Reminder, Turn
from pbem.post.write.parts import About, Until, tag
from pbem.post.write.writing import Attachment, Picture
from pbem.proof.archive import content, orders_path, short_digest
from pbem.proof.inside import is_proof
from pbem.proof.orderfile import parse
from pbem.proof.spoken import DRAW
from pbem.referee.explain.acknowledging import signed_by_others, silent_others
from pbem.referee.explain.draw import events_of, state_of
from pbem.referee.explain.letter_brief import NOBODY, Company, Explained, explained, invited
from pbem.referee.explain.options import sheet_for
from pbem.referee.game import ending, missed
from pbem.referee.game.game import Game, own_folder
from pbem.referee.game.turns import names_of_seats, of_slot, side_names
from pbem.referee.game.views import hides
from pbem.referee.mail.proposal_book import MARK
from pbem.referee.pages.letter_pictures import beginning, described, pictures_of, position_of
from pbem.referee.proving.howto import howto
from pbem.referee.proving.pack import HOWTO
from pbem.referee.turn import rekeyed
from pbem.referee.turn.completing import may_roll, wants_luck
from pbem.referee.turn.go import missing_goes
from pbem.referee.turn.lock import standing
from pbem.referee.turn.new import INVITATION
from pbem.referee.turn.report import gave_in, gave_line, report_document
from pbem.referee.turn.undo import NO_REASON
from pbem.store import zips
from pbem.store.library import verifiers
from pbem.text.report import Document, Facts, Image
from pbem.text.when import capital, of_turn
from pbem.text.words import Words

__all__ = [
    "archive_of",
    "go_request_of",
    "headline",
    "invitation_of",
    "reminder_of",
    "sheet_of",
    "turn_of",
    "undone_of",
]

LARGEST_ARCHIVE = 3_000_000
"""Bytes of an archive that goes with a letter; of a larger one only the head is told."""
EXAMPLE = 2
"""Sentences of the sheet that show how an answer looks."""


def turn_of(
    game: Game,
    slot: int,
    seat: str,
    about: About,
    until: Until,
    *,
    archive: bool = False,
    pictures: bool = True,
    packet_to: str = "",
    company: Company = NOBODY,
) -> Turn:
    """Return what a seat is told after a slot (0: the game begins); whose move it is only where nothing has
    happened since.

    With ``packet_to``, the address of the office, goes a page in which the seat clicks its orders together.
    ``company`` are the players.
    """
    words = game.words
    newest = slot == game.ledger.state_slot
    announced = game.ledger.next if newest and not game.ledger.over else None
    over = newest and game.ledger.over
    shown = pictures_of(game, slot, seat) if pictures else ()
    asked = _asked(game, seat) if announced is not None else ""
    position = position_of(game, slot, seat) if pictures and asked else None
    told = (
        explained(game, seat, company, first=slot == 0, asked=asked == "orders")
        if newest and not over
        else Explained()
    )
    sheet = sheet_of(game, seat, told.samples) if asked else None
    packed = archive_of(game) if archive and (over or not hides(game.ground.rules)) else None
    return Turn(
        about=about,
        headline=_ruled(game, slot, headline(game, words))
        if newest
        else words.phrase("letter.headline-past", turn=capital(of_slot(game, slot))),
        report=_report(
            game,
            slot,
            seat,
            shown,
            words,
            packed=packed is not None,
            signed=signed_by_others(game, seat, company),
        ),
        until=until,
        asked=asked,
        movers=_sides(game, announced["waits"]) if announced is not None else (),
        otherwise=otherwise(game, seat, until.at) if asked else "",
        gave=gave_line(gave_in(game, slot), seat) if slot else "",
        notices=(
            *(
                missed.said(one, "", words, until.zone)
                for one in missed.missed_in(game, slot)
                if one.seat == seat
            ),
            *(silent_others(game, seat, company) if newest and not over else ()),
        ),
        used=_used(game, slot, seat) if slot else (),
        pictures=shown if position is None else (*shown, position),
        position=position,
        spoken=described(game, slot, seat, people=not told.men and not told.others),
        sheet=sheet,
        example=_example(sheet) if sheet is not None and not told.now else (),
        packet=_packet(game, seat, about, packet_to, company, until.said(words))
        if asked and packet_to
        else None,
        archive=packed,
        digest="" if slot else game.ledger.head_digest,  # a report has it already
        luck=bool(asked) and game.ledger.seats[seat].key is None and wants_luck(game),
        dice=not asked or may_roll(game),
        over=over,
        outcome=outcome_of(game) if over else (),
        opening=told.opening,
        men=told.men,
        now=told.now,
        others=told.others,
        guide=told.guide,
    )


def _ruled(game: Game, slot: int, now: str) -> str:
    """Return a headline as it is after a ruling or a correction; of other turns as it is."""
    act = game.ledger.slots[slot].act if slot in game.ledger.slots else ""
    return game.words.phrase(f"letter.headline-{act}", turn=of_slot(game, slot), now=now) if act else now


def undone_of(
    game: Game,
    record: Mapping[str, Any],
    seat: str,
    about: About,
    until: Until,
    *,
    pictures: bool = True,
    company: Company = NOBODY,
) -> Turn:
    """Return what a seat is told after an undo, whose ``record`` is the last: what was taken back, on whose
    word and why.
    """
    words = game.words
    told = turn_of(game, game.ledger.state_slot, seat, about, until, pictures=pictures, company=company)
    first, last = int(record["to"]), max(number for number, slot in game.ledger.slots.items() if slot.undone)
    back = words.phrase("letter.undone-from" if first != last else "letter.undone", turn=of_slot(game, first))
    names = side_names(game.ground, game.state)
    agreed = [
        names.get(game.sides[name], name) for name in sorted(entry["seat"] for entry in record["consents"])
    ]
    others = sorted(name for name, of in game.ledger.seats.items() if of.outside and of.key is None)
    lettered = MARK in str(record["why"])
    alone = "letter.undone-letters" if lettered else "letter.undone-umpire"
    who = words.phrase("letter.undone-agreed" if agreed else alone, sides=agreed)
    if agreed and others and not lettered:
        who += " " + words.phrase(
            "letter.undone-not-asked", sides=[names.get(game.sides[name], name) for name in others]
        )

    why = (
        [words.phrase("letter.undone-why", why=str(record["why"]))]
        if record["why"] not in ("", NO_REASON)
        else []
    )
    changed = [
        rekeyed.said(one, names_of_seats(game))
        for one in rekeyed.told_with(game.ledger, game.ledger.records[-1].path)
    ]
    head = words.phrase("letter.headline-undone", turn=of_slot(game, first), now=told.headline)
    return replace(
        told,
        headline=head,
        notices=(f"{back} {who}", *why, *changed, words.phrase("letter.undone-dice")),
        gave="",
        used=(),
    )


def headline(game: Game, words: Words) -> str:
    """Return where a game stands and who is to do something, short enough for a subject: ``Turn 3, West to
    move``.
    """
    ledger = game.ledger
    if not ledger.started:
        return words.phrase("letter.headline-invited")
    if ledger.over or ledger.next is None:
        winner = str(ending.outcome_of(game)["winner"])
        if winner == DRAW:
            return words.phrase("letter.headline-drawn")
        names = side_names(game.ground, game.state)
        return words.phrase("letter.headline-over", winner=names.get(winner, ""))
    cursor = parse_cursor(str(ledger.next["phase"]))
    slot = ledger.locked
    waits = missing_goes(game) if slot is not None else ledger.next["waits"]
    if slot is not None:
        kind = "go" if waits else "dice"
    else:
        kind = (
            "answer"
            if game.questions
            else "setup"
            if cursor.is_setup
            else "between"
            if cursor.is_between
            else "orders"
        )
    when = capital(of_turn(words, cursor))
    return words.phrase(f"letter.headline-{kind}", when=when, sides=list(_sides(game, waits)))


def _sides(game: Game, seats: Sequence[str]) -> tuple[str, ...]:
    """Return the names of some seats' sides, each once."""
    names = side_names(game.ground, game.state)
    return tuple(dict.fromkeys(names.get(game.sides[seat], seat.capitalize()) for seat in seats))


def _asked(game: Game, seat: str) -> str:
    """Return what a seat is to send now; empty where the game waits for others."""
    if game.ledger.locked is not None or game.ledger.next is None:
        return ""
    if any(question["seat"] == seat for question in game.questions):
        return "answer"
    return "orders" if seat in game.ledger.next["waits"] else ""


def otherwise(game: Game, seat: str, deadline: datetime | None) -> str:
    """Return the end of the key of the phrase for what happens if a seat of which nothing is there sends
    nothing.
    """
    if deadline is None or (game.playing_gm and game.ledger.seats[seat].outside):
        return "waits"
    if _asked(game, seat) == "answer":
        return "answer"
    return "silent" if game.ledger.locked is not None or may_roll(game) else "unplaced"


def _report(
    game: Game,
    slot: int,
    seat: str,
    pictures: Sequence[Picture],
    words: Words,
    *,
    packed: bool,
    signed: Sequence[str],
) -> Document:
    """Return the report of a slot for a letter: what it says of itself, such as the game, and paths in an
    archive are left out.
    """
    images = [(picture.name, picture.alt) for picture in pictures]
    if slot == 0:
        shown = tuple(Image(name, alt) for name, alt in images)
        return Document(
            words.phrase("letter.begins", title=game.ground.title),
            words.phrase("letter.begins-lead"),
            shown,
            len(shown),
        )
    number, state = state_of(game, slot)
    gave = gave_in(game, number)
    phase = game.ledger.slots[number].phase
    events = events_of(game, number)
    made = report_document(
        game, number, phase, events, state, gave, images, "", seat=seat, packed=packed, signed=signed
    )
    told = {
        (words.phrase("report.game"), game.id),
        (seat, gave_line(gave, seat)),
        *((name, words.phrase("report.file", path=path)) for name, path in gave.files),
    }
    blocks = [
        Facts(tuple(row for row in block.rows if row not in told)) if isinstance(block, Facts) else block
        for block in made.blocks
    ]
    kept = [not (isinstance(block, Facts) and not block.rows) for block in blocks]
    return replace(made, blocks=tuple(compress(blocks, kept)), short=sum(kept[: made.short]))


def _used(game: Game, slot: int, seat: str) -> tuple[str, ...]:
    """Return a seat's own orders as they were used, line by line; none where they are not published yet."""
    data = (
        content(own_folder(game), orders_path(seat, slot))
        if game.folder is not None
        else content(game.archive, orders_path(seat, slot))
    )
    return () if data is None else tuple(parse(data).yaml.decode("utf-8", "replace").rstrip("\n").split("\n"))


def _packet(game: Game, seat: str, about: About, to: str, company: Company, due: str) -> Attachment:
    """Return the packet of a seat for the open slot; the mail that it opens has the code of the seat in its
    subject.
    """
    from pbem.referee.pages.packet import packet_of  # what draws is not wanted by an office that sends none

    subject = tag(about, game.words.phrase("letter.packet-subject", seat=seat))
    page = packet_of(game, seat, to, subject=subject, company=company, due=due)
    return Attachment(f"turn-{_turn(game)}-{seat}.html", page, "text/html")


def _answer_packet(game: Game, seat: str, about: About, to: str) -> Attachment:
    """Return the page in which a seat with a key joins, or goes."""
    from pbem.referee.pages.signing_page import answer_page

    name = "go" if game.ledger.started else "join"
    subject = tag(about, game.words.phrase("letter.answer-subject", seat=seat))
    return Attachment(f"{name}-{seat}.html", answer_page(game, seat, to, subject), "text/html")


def sheet_of(game: Game, seat: str, samples: Sequence[Sample] | None = None) -> Attachment | None:
    """Return the order sheet of a seat for the open slot; None where it is not to send anything."""
    if not _asked(game, seat):
        return None
    text = sheet_for(game, seat, game.state, game.ledger.next, samples=samples)
    return Attachment(f"orders-{_turn(game)}-{seat}.yaml", text.encode())


def _turn(game: Game) -> str:
    """Return the open turn as it stands in the names of files: ``t3``, ``setup-1``, ``d2-day``."""
    cursor = parse_cursor(str((game.ledger.next or {})["phase"]))
    turn = (
        f"{cursor.phase}-{cursor.turn}"
        if cursor.is_setup
        else f"t{cursor.turn}"
        if cursor.turn
        else cursor.phase
    )
    return f"d{cursor.day}-{turn}" if cursor.day else turn


def _example(sheet: Attachment) -> tuple[str, ...]:
    """Return the first section of a sheet with its first sentences, as somebody would send them."""
    lines: list[str] = []
    for line in sheet.data.decode().split("\n"):
        if line.endswith(":") and line[:1].isalpha():
            lines = [line]
        elif line.startswith("#- ") and lines:
            lines.append(line[1:])
        elif line.startswith("#  q") and lines:
            return (*lines, "  " + line[1:].partition("#")[0].strip())
        if len(lines) > EXAMPLE:
            break
    return tuple(lines) if len(lines) > 1 else ()


def archive_of(game: Game) -> Attachment | None:
    """Return what proves a game so far, with the programs that check it; None where that is too large for a
    letter.

    Pictures and reports stay behind: everybody has had them. So do files that are locked and not published
    yet.
    """
    folder = own_folder(game)
    files = {path: folder[path] for path in folder if is_proof(path) or path.startswith("events/")}
    files |= verifiers()
    files[HOWTO] = howto(game.ledger, folder)
    data = zips.write_zip(files)
    return Attachment(f"{game.id}.zip", data, "application/zip") if len(data) <= LARGEST_ARCHIVE else None


def go_request_of(game: Game, seat: str, about: About, until: Until, packet_to: str = "") -> GoRequest:
    """Return what a seat is told that a lock asks for its words; with ``packet_to`` one with a key gets the
    page for it too.
    """
    slot = game.ledger.locked
    assert slot is not None
    waits = (game.ledger.next or {}).get("waits", ())
    mine = [name for name in waits if not game.ledger.seats[name].outside]
    whose = _sides(game, mine or waits)
    keyed = game.ledger.seats[seat].key is not None
    packet = _answer_packet(game, seat, about, packet_to) if keyed and packet_to else None
    return GoRequest(about, whose, short_digest(slot.lock_id), until, keyed, "go-waits", packet)


def reminder_of(game: Game, seat: str, about: About, until: Until) -> Reminder:
    """Return what a seat is reminded of: orders, an answer, words, or that its draft is not final."""
    if game.ledger.locked is not None:
        return Reminder(about, until, asked="go", otherwise="go-waits")
    has = "draft" if game.folder is not None and seat in standing(game).drafts else ""
    asked = _asked(game, seat) or "orders"
    instead = "draft" if has else otherwise(game, seat, until.at)
    return Reminder(
        about, until, has, asked, instead, sheet_of(game, seat), game.ledger.seats[seat].key is not None
    )


def invitation_of(
    game: Game, seat: str, about: About, umpire: str = "", packet_to: str = "", company: Company = NOBODY
) -> Invitation:
    """Return what somebody is told who is asked to take a seat; with ``packet_to`` one with a key gets the
    page to join too.
    """
    data = own_folder(game).read(INVITATION)
    archive = Attachment("invitation.zip", data, "application/zip") if data is not None else None
    keyed = game.ledger.seats[seat].key is not None
    packet = _answer_packet(game, seat, about, packet_to) if keyed and packet_to else None
    told = invited(game, seat, company)
    return Invitation(
        about, game.ledger.manifest_id[:16], keyed, umpire, beginning(game, seat), archive, packet, told
    )


def outcome_of(game: Game) -> tuple[tuple[str, str], ...]:
    """Return how a game ended, as names and values: each side with its points and losses."""
    words, names = game.words, side_names(game.ground, game.state)
    outcome: Any = ending.outcome_of(game)
    rows = []
    for entry in outcome["sides"]:
        losses = {key: value for key, value in entry.items() if key not in ("side", "score") and value}
        rows.append(
            (
                names.get(entry["side"], entry["side"]),
                words.phrase("letter.outcome", points=entry["score"], losses=losses or ""),
            )
        )
    return tuple(rows)
