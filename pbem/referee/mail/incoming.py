"""What is done with words that came from a seat, by letter or in a post: a join, a go, orders, and the answer
to each.

Whose they are is known here and what was relied on for it; how that was found out is decided by who read them
(``taking``,
``forum_taking``). Whatever is stored is stored by the same use cases as by hand (``submit``, ``go``,
``admit``), once: what is read again after a fall finds what it did. Nothing is sent here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from pbem.core.problem import Problem
from pbem.post.lines.message import NOTHING, ORDERS, RECORD, Found, Message
from pbem.post.mail.sender import SeatAt, Whose
from pbem.post.orders import finding
from pbem.post.orders.holding import without_final
from pbem.post.write import answers
from pbem.post.write.answers import AGAIN, BESIDE, DRAFT, FINAL, STORED, Refusal, Reply
from pbem.post.write.parts import About, Until
from pbem.post.write.short import Short, short
from pbem.post.write.umpire import Passed
from pbem.post.write.writing import Attachment, Letter, Picture
from pbem.proof.archive import receipt_path, short_digest, sig_path
from pbem.referee.game.desk import Desk
from pbem.referee.game.game import Game, own_folder
from pbem.referee.game.refusal import Refused, is_of_the_game
from pbem.referee.game.vocabularies import keys_of
from pbem.referee.mail import letters
from pbem.referee.mail.late import late_by
from pbem.referee.mail.office import House, Served
from pbem.referee.mail.sent_back import sent_back
from pbem.referee.turn.admit import Admitted, admit, admit_words
from pbem.referee.turn.check import check
from pbem.referee.turn.completing import LUCK, left_over, may_roll, says_who, wants_luck
from pbem.referee.turn.go import Went, missing_goes, take_go, take_words
from pbem.referee.turn.lock import chosen_letter, standing
from pbem.referee.turn.submit import Submitted, submit
from pbem.store import mail
from pbem.store.library import english
from pbem.store.mail import Came
from pbem.text.located import Located
from pbem.text.words import Words

TAKEN, JOINED, WENT, UNUSED, REFUSED = "taken", "joined", "went", "unused", "refused"
"""What became of it: orders stored, a seat joined, a go given, nothing in it to use,
something wrong with it.
"""
ASKED: Final = "asked"
"""And of one that orders nobody, of which nothing was stored: its sender is asked whether he means it."""

_YES: Final = re.compile(
    r"\b(?:yes|yep|ok|okay|sure|i play|i'?m in|count me in|ja|jawohl|gerne|ich spiele|oui|je joue|d'accord"
    r"|si|sí|juego)\b",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"\b(?:no|not|nope|never|can'?t|cannot|won'?t|don'?t|sorry|unfortunately|nein|nicht|kein\w*|leider|non"
    r"|pas|désolée?|malheureusement)\b",
    re.IGNORECASE,
)
_BEGINNING: Final = 200
_TO_MEND: Final = "orders-again.yaml"
"""So many characters of a letter say whether somebody plays: a word that says yes, and none that says no.
Anything else is asked about, because a join cannot be taken back."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a letter: the word for it, the game and the seat, the codes of what was wrong, and the
    answer with its address.

    ``vouched`` is what a DKIM signature says, ``message`` the letter itself, ``passed`` what of it goes to
    the umpire.
    """

    became: str
    game: str = ""
    seat: str = ""
    why: tuple[str, ...] = ()
    answer: Letter | None = None
    to: str = ""
    vouched: Mapping[str, str | bool] | None = None
    message: Message = field(default_factory=Message)
    passed: Passed | None = None
    first: str = ""
    """Of a letter from nobody who is known: how it begins."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A letter or a post on its way through: everything that is known of it so far.

    ``mail`` is the name it is kept by.
    """

    house: House
    mail: str
    message: Message
    found: Found
    who: Whose
    arrived: datetime
    now: datetime
    vouched: Mapping[str, str | bool] | None = None
    """What a DKIM signature says."""
    words: Words = field(default_factory=english)
    """The sentences of the answer: those of a letter, or of a post."""
    place: str = ""
    """How its writer calls the text that he wrote, such as ``post #12``; empty: his letter."""
    attaching: bool = True
    """Whether files can go with the answer."""
    doubts: tuple[Located, ...] = ()
    """What is doubtful about it, whatever it says."""


def about(house: House, seat: SeatAt) -> About:
    """Return what a letter to a seat is about."""
    served = house.games[seat.game]
    return About(seat.game, served.title, seat.seat, served.side_name(seat.seat), served.stands(), seat.code)


def until(house: House, seat: SeatAt, now: datetime) -> Until:
    """Return the deadline of the open slot as a seat sees it."""
    served = house.games[seat.game]
    player = served.players.get(seat.seat)
    zone = player.zone if player is not None else house.office.zone
    if served.settings.hold:
        return Until(None, zone, now, held=True)
    end, last = served.deadline(), None if served.waits_for_ever() else served.cutoff()
    return Until(end, zone, now, last if last != end else None)


def of_seat(desk: Desk, letter: Incoming, served: Served, seat: SeatAt) -> Taken:
    """Take in a letter of a known seat: as a join, as a go or as orders, by what the game waits for."""
    game, found = served.game, letter.found
    came = Came(letter.mail, letter.who.relied and f"{letter.who.relied}{_dkim(letter)}")
    try:
        if found.kind == RECORD:
            return _record(desk, letter, served)
        if (
            not game.ledger.started
            or mail.came_of(own_folder(game), mail.join_file(seat.seat)).mail == letter.mail
        ):
            return _join(desk, letter, served, seat, came)
        if game.ledger.over:
            return unused(letter, (Problem("game.over"),))
        if found.kind == ORDERS and (late := late_by(served, seat.seat, letter.arrived, found)) is not None:
            asks = _is_asked(served, seat) and not seat.keyed and game.ledger.locked is not None
            more = (
                [Problem("go.say-words", {"slot": game.ledger.locked.number})]
                if asks and game.ledger.locked is not None
                else []
            )
            raise Refused([late.problem(until(letter.house, seat, letter.now).zone, letter.words), *more])
        if game.ledger.locked is not None and (found.kind != NOTHING or _is_asked(served, seat)):
            return _go(letter, served, seat, came)
        if found.kind == NOTHING:
            return unused(letter, found.problems or (Problem("mail.nothing"),))
        return _orders(desk, letter, served, seat, came)
    except Refused as refusal:
        if is_of_the_game(refusal):
            raise
        return _refused(letter, served, seat, refusal)


def _dkim(letter: Incoming) -> str:
    """Return what the sender's mail provider vouches for, where the office looks at that."""
    found = letter.vouched
    if not found or not found["aligned"] or found["result"] != "pass":
        return ""
    return f", DKIM of {found['domain']} holds"


def _record(desk: Desk, letter: Incoming, served: Served) -> Taken:
    """Take in a signed join or go."""
    data = letter.found.data
    if b'"type":"join"' in data.partition(b"\n")[0]:
        return _welcome(letter, served, admit(desk, served.game.where, data))
    return _gone(letter, served, take_go(served.game.where, data))


def _join(desk: Desk, letter: Incoming, served: Served, seat: SeatAt, came: Came) -> Taken:
    """Take in the "yes, I play" of a seat without a key; other words are asked about."""
    again = mail.came_of(own_folder(served.game), mail.join_file(seat.seat)).mail == letter.mail
    if again and served.game.ledger.started:
        # Read once more after a fall: it did what it asked for.
        return _welcome(letter, served, Admitted(seat.seat, True, ()))
    if seat.seat not in served.game.not_joined and not again:
        return unused(letter, (Problem("game.not-started", {"seats": ", ".join(served.game.not_joined)}),))
    if seat.keyed:
        return unused(letter, (Problem("join.needs-key", {"seat": seat.seat}),))
    if not letter.who.relied:
        return unused(letter, (Problem("sender.no-code", {"seats": f"{seat.game} ({seat.seat})"}),))
    if not says_yes(letter.found.own):
        return unused(letter, (Problem("join.say-yes"),))
    words = " ".join(letter.found.own.split())[:100]
    return _welcome(letter, served, admit_words(desk, served.game.where, seat.seat, words, came))


def says_yes(own: str) -> bool:
    """Tell whether the beginning of somebody's words says that he plays, and nothing in it
    that he does not.
    """
    beginning = own[:_BEGINNING].replace("’", "'")
    return bool(_YES.search(beginning)) and not _NO.search(beginning)


def _welcome(letter: Incoming, served: Served, admitted: Admitted) -> Taken:
    words = letter.words
    missing = [served.side_name(name) for name in admitted.missing]
    key = "letter.joined-started" if admitted.started else "letter.joined-waits"
    return answered(letter, JOINED, _short(letter, "letter.joined", words.phrase(key, seats=missing)))


def _go(letter: Incoming, served: Served, seat: SeatAt, came: Came) -> Taken:
    """Take in the words of a seat that a lock asks; orders that come now are too late, but for those that are
    in the lock already.
    """
    slot = served.game.ledger.locked
    assert slot is not None
    if _is_in(letter, served, seat, slot.number):
        return _locked_with_it(letter)
    luck = _only_luck(letter.found)
    late = [Problem("game.locked", {"slot": slot.number})]
    if luck is None and _is_asked(served, seat) and not seat.keyed:
        raise Refused(
            [*(late if letter.found.kind == ORDERS else ()), Problem("go.say-words", {"slot": slot.number})]
        )
    if luck is None or seat.seat not in slot.asked:
        raise Refused(late)
    if letter.found.held:
        raise Refused(list(letter.found.held))
    if seat.keyed:
        raise Refused(
            [
                Problem(
                    "proof.unsigned", {"seat": seat.seat}, help=f"pbem go GAME --seat {seat.seat} --key KEY"
                )
            ]
        )
    return _gone(letter, served, take_words(served.game.where, luck, seat.seat, came))


def _is_asked(served: Served, seat: SeatAt) -> bool:
    """Tell whether a lock waits for words of a seat that has no key."""
    return seat.seat in missing_goes(served.game)


def _is_in(letter: Incoming, served: Served, seat: SeatAt, slot: int) -> bool:
    """Tell whether a letter has brought a file of a slot already: it is read once more after a fall."""
    return any(
        one.seat == seat.seat and one.came.mail == letter.mail
        for one in mail.letters(own_folder(served.game), slot)
    )


def _locked_with_it(letter: Incoming) -> Taken:
    return answered(
        letter, TAKEN, _short(letter, "letter.outcome-stored", letter.words.phrase("letter.locked-with-it"))
    )


def _gone(letter: Incoming, served: Served, went: Went) -> Taken:
    words = letter.words
    missing = [served.side_name(name) for name in went.still_missing]
    said = (
        words.phrase("letter.went-waits", seats=missing) if missing else words.phrase("letter.otherwise-now")
    )
    return answered(letter, WENT, _short(letter, "letter.went", said))


def _only_luck(found: Found) -> str | None:
    """Return the words of a letter that gives words and no orders."""
    lines = [
        line
        for line in found.data.decode("utf-8", "replace").split("\n")
        if line.strip() and not line.startswith("#")
    ]
    keys = {line.partition(":")[0] for line in lines if not line.startswith((" ", "-"))}
    if found.kind != ORDERS or not keys <= {"luck", "game", "seat", "side", "turn"}:
        return None
    return next(
        (line.partition(":")[2].strip().strip("\"'") for line in lines if line.startswith("luck:")), None
    )


def _orders(desk: Desk, letter: Incoming, served: Served, seat: SeatAt, came: Came) -> Taken:
    """Take in an order file."""
    game, found, office = served.game, letter.found, letter.house.office
    if not letter.who.relied and not seat.keyed:
        raise Refused([Problem("sender.no-code", {"seats": f"{seat.game} ({seat.seat})"})])
    if not seat.keyed and seat.code and seat.code.encode() in found.data.lower():
        raise Refused(
            [
                Problem(
                    "sender.code-inside",
                    {"seat": seat.seat},
                    help="write it in the subject, or on a line of its own",
                )
            ]
        )
    slot = int(game.announced()["slot"])
    if _is_in(letter, served, seat, slot - 1):
        return _locked_with_it(letter)
    if _before_its_turn(letter, served, slot):
        raise Refused(
            [
                Problem(
                    "mail.before-turn",
                    {"slot": slot},
                    help=f"turn: {str(game.announced()['phase']).rpartition('.')[0]}",
                )
            ]
        )
    before = chosen_letter(game, slot, seat.seat)
    if (older := _of_an_older_letter(letter, served, seat)) is not None:
        found = replace(found, held=(*found.held, older))
        letter = replace(letter, found=found)
    if found.held:
        letter = _held(letter, served, before is not None)
        found = letter.found
    known = {
        one.sha512
        for one in mail.letters(own_folder(game), slot)
        if one.seat == seat.seat and one.came.mail != letter.mail
    }
    file, data, signature = found.where or "letter", found.data, found.signature
    done = submit(
        desk,
        game.where,
        file,
        data,
        signature,
        seat=seat.seat,
        with_receipt=office.receipts,
        auto_lock=False,
        came=came,
    )
    digest = done.receipt.sha512 if done.receipt is not None else ""
    again = digest in known and done.asks is None
    outcome = AGAIN if again else _became(game, slot, seat.seat, done)
    now = standing(game)
    complete = not now.missing and not now.drafts and not now.unfinished
    rules = game.ground.rules
    told = Reply(
        about=about(letter.house, seat),
        outcome=outcome,
        until=until(letter.house, seat, letter.now),
        otherwise=_what_then(
            letter.house, served, seat, outcome, complete=complete and not served.settings.hold
        ),
        subject=letter.message.subject,
        where=found.where,
        doubts=(
            *letter.doubts,
            *in_letter(found, done.checked.doubts if not done.joined else (), letter.place),
        ),
        repairs=found.repairs,
        ignored=_ignored(letter),
        normal=tuple(rules.doors.normal(rules, done.checked.orders)),
        understood=done.checked.understood,
        picture=_picture(served, done),
        replaces=_replaced(before, done, again=again),
        digest=short_digest(digest) if digest else "",
        receipt=_receipt(served, slot, seat.seat, digest) if letter.attaching and digest else (),
        program=seat.keyed,
        held=tuple(letter.words.problem(problem.code, problem.args) for problem in found.held),
        asks=(done.asks,) if done.asks is not None else (),
        meant=_meant(letter, game, done),
        left=left_over(game, seat.seat, done.checked.orders)
        if outcome in (DRAFT, FINAL, STORED) and not may_roll(game)
        else (),
        joined=done.joined,
        dice=may_roll(game),
    )
    return answered(letter, TAKEN if digest else ASKED, answers.reply(told, letter.words))


def _became(game: Game, slot: int, seat: str, done: Submitted) -> str:
    """Return what became of an order file that was taken in, as its answer says it."""
    if done.asks is not None:
        return answers.ASKED
    assert done.receipt is not None
    if done.receipt.file == "final":
        return FINAL
    now = standing(game)
    if seat in now.missing or seat not in game.announced()["waits"]:
        return BESIDE if not says_who(game, done.checked.orders) else STORED
    return DRAFT if seat in (*now.drafts, *now.unfinished) else STORED


def _what_then(house: House, served: Served, seat: SeatAt, outcome: str, *, complete: bool) -> str:
    """Return what happens if a seat sends nothing more, as the end of the key of its phrase."""
    if outcome in (ASKED, BESIDE):
        return _as_it_was(house, served, seat)[0]
    if complete:
        return "now"
    if served.settings.hold:
        return "held"
    kind = (
        "final"
        if outcome == FINAL
        else "stored"
        if outcome != DRAFT
        else "draft"
        if may_roll(served.game)
        else "placed"
    )
    return kind if served.deadline() is not None else f"{kind}-open"


def _replaced(before: mail.Letter | None, done: Submitted, *, again: bool) -> str:
    """Return the short digest of the file that one takes the place of; empty where it is the same, or holds
    what stood in that.
    """
    if before is None or done.receipt is None or again or done.joined or before.sha512 == done.receipt.sha512:
        return ""
    return short_digest(before.sha512)


def _meant(letter: Incoming, game: Game, done: Submitted) -> tuple[str, ...]:
    """Return the lines with which somebody says that he means to order nobody; none where that is not the
    question.
    """
    if done.asks is None or done.asks.code not in ("orders.nobody", "orders.nobody-now"):
        return ()
    words = letter.words
    if not may_roll(game):
        return (words.phrase("letter.line-nobody-placed"),)
    first = words.phrase("letter.line-nobody")
    return (first, f"{LUCK}: {done.luck}") if done.luck else (first,)


def _held(letter: Incoming, served: Served, replaces: bool) -> Incoming:
    """Return a letter without what makes its orders final, for its writer's own words doubt them, or their
    end did not arrive.

    Refused where there is no draft: what is signed is whole or nothing, and what needs no words counts once
    it is stored. What was only put off takes the place of no orders that were meant.
    """
    found = letter.found
    put_off = replaces and all(problem.code == "held.postponed" for problem in found.held)
    if put_off or found.signature is not None or not wants_luck(served.game):
        raise Refused(list(found.held))
    return replace(letter, found=without_final(keys_of(served.game), found))


def _of_an_older_letter(letter: Incoming, served: Served, seat: SeatAt) -> Problem | None:
    """Return why orders that would be final are a draft at most: they answer the letter of another turn and
    do not say which is theirs.

    Who answers our answer to them has read this, and means them.
    """
    found, game = letter.found, served.game
    of = found.answers[0] if found.answers and found.signature is None else None
    if (
        of is None
        or (of.game, of.seat) != (seat.game, seat.seat)
        or not letter.message.in_reply_to.startswith(f"<{of.kind}-")
    ):
        return None
    slot = int(game.announced()["slot"])
    now = game.ledger.state_slot if of.kind == "turn" else slot
    final = not wants_luck(game) or without_final(keys_of(game), found).data != found.data
    if of.slot == now or not final or re.search(rb"^turn:", found.data, re.MULTILINE):
        return None
    return Problem("held.older", {"line": f"turn: {str(game.announced()['phase']).rpartition('.')[0]}"})


def _before_its_turn(letter: Incoming, served: Served, slot: int) -> bool:
    """Tell whether orders were written before what they would be read for was known, and nothing in them says
    otherwise.

    Orders that come too late for one turn must not be carried out in the next.
    """
    if (
        served.open_since is None
        or letter.arrived >= served.open_since[1]
        or letter.found.signature is not None
    ):
        return False
    says_turn = re.search(rb"^turn:", letter.found.data, re.MULTILINE) is not None
    newest = f"<turn-{served.game.id}-s{slot - 1:04d}-"
    return not says_turn and not letter.message.in_reply_to.startswith(newest)


def _picture(served: Served, done: Submitted) -> Picture | None:
    """Return the small map of what was ordered."""
    from pbem.referee.pages.forecasting import forecast_picture

    return forecast_picture(served.game, done.checked)


def _receipt(served: Served, slot: int, seat: str, digest: str) -> tuple[Attachment, ...]:
    """Return the receipt and its signature, where there is one."""
    folder, path = own_folder(served.game), receipt_path(slot, seat, digest)
    record, signature = folder.read(path), folder.read(sig_path(path))
    if record is None or signature is None:
        return ()
    return Attachment("receipt.json", record, "application/json"), Attachment("receipt.json.sig", signature)


def _ignored(letter: Incoming) -> tuple[str, ...]:
    return tuple(letter.words.problem(problem.code, problem.args) for problem in letter.found.problems)


def in_letter(found: Found, problems: Sequence[Located], named: str = "") -> tuple[Located, ...]:
    """Return the problems of an order file with their places in the letter (or what it is ``named``) as its
    writer sees it.
    """
    moved = []
    for problem in problems:
        if problem.line:
            number, column, text = finding.place(found, problem.line, problem.column)
            problem = replace(
                problem, file=found.where or named, line=number, column=column, source_line=text
            )
        moved.append(problem)
    return tuple(moved)


def _refused(letter: Incoming, served: Served, seat: SeatAt, refusal: Refused) -> Taken:
    """Answer a letter that was refused; whatever was good before still stands."""
    found, house = letter.found, letter.house
    problems = tuple(one for one in refusal.located if not one.is_doubt)
    doubts = tuple(one for one in refusal.located if one.is_doubt)
    otherwise, stays = _as_it_was(house, served, seat)
    if not problems:
        sheet = (
            letters.sheet_of(served.game, seat.seat)
            if letter.attaching and served.game.ledger.started
            else None
        )
        limit = until(house, seat, letter.now)
        told = Refusal(
            about(house, seat), refusal.problems, limit, otherwise, letter.message.subject, stays, sheet
        )
        return answered(letter, REFUSED, answers.refusal(told, letter.words), refusal.problems)
    words = letter.words
    plain = tuple(
        Located("", 0, 0, one.code, words.problem(one.code, one.args), one.rule, one.help)
        for one in refusal.problems
    )
    reply = Reply(
        about=about(house, seat),
        outcome=answers.REFUSED,
        until=until(house, seat, letter.now),
        otherwise=otherwise,
        subject=letter.message.subject,
        where=found.where,
        problems=(*plain, *in_letter(found, problems, letter.place)),
        doubts=(*letter.doubts, *in_letter(found, doubts, letter.place)),
        repairs=found.repairs,
        ignored=_ignored(letter),
        stays=stays,
        sheet=_to_mend(letter, served, seat),
    )
    codes = (*(one.code for one in refusal.problems), *(one.code for one in refusal.located))
    return replace(answered(letter, REFUSED, answers.reply(reply, words)), why=codes)


def _to_mend(letter: Incoming, served: Served, seat: SeatAt) -> Attachment | None:
    """Return the file of a refused letter made ready to be put right and sent again; None where the game has
    no form for it.
    """
    if not letter.attaching or letter.found.signature is not None:
        return None
    try:
        checked = check(served.game, letter.found.where or "letter", letter.found.data, seat.seat)
    except Refused:
        return None
    text = sent_back(
        served.game.ground.rules, checked, in_letter(letter.found, checked.problems, letter.place)
    )
    return Attachment(_TO_MEND, text.encode(), "text/yaml") if text else None


def _as_it_was(house: House, served: Served, seat: SeatAt) -> tuple[str, str]:
    """Return what happens if a seat sends nothing more, and the digest of the file of its that stands."""
    game = served.game
    if not game.ledger.started or game.ledger.over or game.ledger.locked is not None:
        return "", ""
    before = chosen_letter(game, int(game.announced()["slot"]), seat.seat)
    if before is not None:
        return "earlier", short_digest(before.sha512)
    if seat.seat not in game.announced()["waits"]:
        return "", ""
    return letters.otherwise(game, seat.seat, served.deadline()), ""


def unused(letter: Incoming, problems: tuple[Problem, ...]) -> Taken:
    """Answer a letter in which nothing could be used."""
    seat, house = letter.who.seat, letter.house
    if seat is None:
        told = Refusal(About(), problems, subject=letter.message.subject)
    else:
        served = house.games[seat.game]
        otherwise, stays = _as_it_was(house, served, seat)
        limit = until(house, seat, letter.now) if served.waits_for(seat.seat) else None
        told = Refusal(about(house, seat), problems, limit, otherwise, letter.message.subject, stays)
    return answered(letter, UNUSED, answers.refusal(told, letter.words), problems)


def _short(letter: Incoming, title: str, said: str) -> Letter:
    """Return an answer of two sentences."""
    assert letter.who.seat is not None
    told = Short(
        about(letter.house, letter.who.seat), letter.words.phrase(title), said, letter.message.subject
    )
    return short(told, letter.words)


def answered(letter: Incoming, became: str, answer: Letter, problems: Sequence[Problem] = ()) -> Taken:
    """Return what became of a letter, with its answer where one may go anywhere."""
    seat = letter.who.seat
    return Taken(
        became,
        seat.game if seat is not None else letter.who.about,
        seat.seat if seat is not None else "",
        tuple(problem.code for problem in problems),
        answer if letter.who.answer_to else None,
        letter.who.answer_to,
        letter.vouched,
        letter.message,
    )
