"""What players ask for by letter: understood, confirmed by their own mailbox, decided by the umpire or by what was
agreed on, told to everybody, and done once.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from office_table import ADDRESSES, DEADLINES, OfficeTable, Sent
from table import pull

from pbem.cli import cli
from pbem.proof.acts import acts
from pbem.referee.mail.request_book import RequestBook
from pbem.referee.proving.verify import verify

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/cli/umpire.schema.json").read_text())
UMA = "cass@example.org"
AGREED = DEADLINES + 'leave = { days = 9 }\n[requests]\nleave = "by the agreement"\ntime = "2 days"\n'


def begun(office: OfficeTable) -> OfficeTable:
    office.started(keyed=(), umpire=True)
    office.round()
    return office


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return begun(OfficeTable(tmp_path))


def open_seat(office: OfficeTable) -> tuple[str, str]:
    seat = str(office.open().announced()["waits"][0])
    return seat, "south" if seat == "north" else "north"


def flat(text: str) -> str:
    return " ".join(text.split())


def words_said(office: OfficeTable) -> list[str]:
    return [one.said for one in acts(office.open().ledger)]


def due(office: OfficeTable) -> datetime:
    end = next(iter(office.house().games.values())).deadline()
    assert end is not None
    return end


def umpire(office: OfficeTable, sent: Sent, body: str, sender: str = UMA) -> None:
    """Answer a letter as the umpire."""
    office.letter("north", body, f"Re: {sent.subject}", sender=sender)


def back(office: OfficeTable, seat: str, sent: Sent, body: str, **more: str) -> None:
    """Answer a letter as a player."""
    office.letter(seat, body, f"Re: {sent.subject}", **more)


def over(office: OfficeTable) -> bool:
    return office.open().ledger.over


def token(sent: Sent) -> str:
    found = re.search(r"\(answer ([a-z2-9]{4}-[a-z2-9]{4})\)", sent.subject)
    assert found is not None, sent.subject
    return found[1]


# --- leave and more time


def test_more_time_is_put_to_the_umpire_and_given_by_one_word(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    before = due(office)
    office.letter(seat, "Hi Uma, could I have three more days please?\n")
    office.round()
    assert due(office) == before and not words_said(office)
    answer = flat(office.newest("reply-").text)
    assert "You ask for 3 days more" in answer and "passed on to the umpire, who decides" in answer
    assert "The deadline:" in answer and "No orders were read" not in answer
    (ask,) = office.queued("decide-")
    assert UMA in ask.to and ask.message["Reply-To"] is None
    said = flat(f"{ask.subject} {ask.text}")
    assert f"{seat.capitalize()} asks for 3 days more: yes or no?" in said
    assert "could I have three more days please?" in said and "pbem umpire grant" in said
    assert ADDRESSES[seat] in said and not office.queued("umpire-")
    umpire(office, ask, "yes\nbecause it rains\n")
    office.round()
    assert (due(office).date() - before.date()).days == 3
    (word,) = words_said(office)
    assert (
        word.startswith("extend until")
        and "asked for it (request " in word
        and word.endswith("because it rains")
    )
    change = flat(office.newest("change-").text)
    assert "The umpire has given more time" in change and "because it rains" in change
    assert flat(office.newest("reply-").subject).startswith(
        "Re:"
    ) and "The next letters tell everybody" in flat(office.newest("reply-").text)
    assert office.round() == [] and not verify(office.game).failures


def test_a_no_is_told_to_him_who_asked_and_changes_nothing(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, "could I have three more days please?\n")
    office.round()
    (ask,) = office.queued("decide-")
    umpire(office, ask, "No.\nThe tournament ends on Sunday.\n")
    office.round()
    (told,) = office.queued("refused-")
    assert ADDRESSES[seat] in told.to
    said = flat(told.text)
    assert "You ask for 3 days more: the umpire has said no." in said
    assert "He writes: The tournament ends on Sunday." in said and "The deadline:" in said
    assert not words_said(office)
    umpire(office, ask, "yes\n")
    office.round()
    assert not words_said(office), "what was refused is not granted by a second letter"


def test_who_does_not_say_how_much_gets_what_the_umpire_says(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    before = due(office)
    office.letter(seat, "Ich brauche mehr Zeit.\n")
    office.round()
    (ask,) = office.queued("decide-")
    assert "answer with a length, such as 2 days" in flat(ask.text)
    umpire(office, ask, "ja\n")
    office.round()
    assert "does not say how much" in flat(office.newest("reply-").text) and due(office) == before
    umpire(office, ask, "zwei Tage\n")
    office.round()
    assert (due(office).date() - before.date()).days == 2


def test_leave_by_the_agreement_needs_no_umpire(tmp_path: Path) -> None:
    office = begun(OfficeTable(tmp_path, AGREED))
    seat, _ = open_seat(office)
    first = office.moment.date().toordinal() + 2
    days = [datetime.fromordinal(first + more).strftime("%Y-%m-%d") for more in (0, 3)]
    office.letter(seat, f"I am away from {days[0]} to {days[1]}. See you!\n")
    office.round()
    (word,) = words_said(office)
    assert word.startswith(f"absent of {seat}, {days[0]} to {days[1]} at slot 1")
    assert "By what was agreed on, that is so from now on" in flat(office.newest("reply-").text)
    (passed,) = office.queued("umpire-")
    assert "By what was agreed on the program has granted it" in flat(passed.text)
    assert len(office.queued("change-")) == 2
    # More than was agreed on is the umpire's to give.
    office.letter(seat, "I am away from 2026-12-01 to 2026-12-20\n")
    office.round()
    assert len(words_said(office)) == 1
    (ask,) = office.queued("decide-")
    assert "could not be granted by itself" in flat(ask.text)
    umpire(office, ask, "yes\n")
    office.round()
    assert "absent of" in words_said(office)[1]


def test_time_by_the_agreement_once_for_a_turn(tmp_path: Path) -> None:
    office = begun(OfficeTable(tmp_path, AGREED))
    seat, _ = open_seat(office)
    office.letter(seat, "could I have three more days please?\n")
    office.round()
    assert not words_said(office)
    for _ in range(2):
        office.letter(seat, "could I have two more days please?\n")
        office.round()
    assert len(words_said(office)) == 1
    assert len(office.queued("decide-")) == 2


def test_a_request_beside_orders_leaves_the_orders_alone(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    office.letter(other, "I am away from 2026-12-01 to 2026-12-03.\n")
    office.letter(
        seat, "I am away from 2026-12-01 to 2026-12-03.\n\n" + pull(seat) + "luck: seven drunken herons\n"
    )
    office.round()
    assert office.open().ledger.slots
    assert any("You are away from" in flat(sent.text) for sent in office.queued("reply-"))
    assert len(office.queued("decide-")) == 2


def test_a_turn_that_is_over_gets_no_more_time(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, "could I have three more days please?\n")
    office.round()
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()
    (ask,) = office.queued("decide-")
    umpire(office, ask, "yes\n")
    office.round()
    assert not words_said(office) and "has been played" in flat(office.newest("reply-").text)


# --- giving up


def test_a_resignation_counts_when_its_player_confirms_it(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    office.letter(seat, "I resign. Well played!\n")
    office.round()
    assert not over(office)
    (ask,) = office.queued("confirm-")
    assert ADDRESSES[seat] in ask.to and "Do you want to resign?" in ask.subject
    assert "Nothing has happened yet" in flat(ask.text) and "If you did not write that" in flat(ask.text)
    (passed,) = office.queued("umpire-")
    assert "resigns (request " in flat(passed.text) and "has asked whether that is meant" in flat(passed.text)
    assert token(ask) not in passed.subject + passed.text
    back(office, seat, ask, "yes\n")
    office.round()
    assert over(office)
    (word,) = words_said(office)
    assert word.startswith(f"end resigned, won by {other}, asked by {seat} at slot 1, on the word of the GM")
    for sent in office.queued("change-"):
        assert f"{seat.capitalize()} resigned, so {other.capitalize()} has won." in flat(sent.text)
    assert json.loads((office.game / "results.json").read_text())["word"]["by"] == [seat]
    assert office.round() == [] and not verify(office.game).failures


def test_a_no_takes_it_back(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, "Ich gebe auf.\n")
    office.round()
    (ask,) = office.queued("confirm-")
    back(office, seat, ask, "Nein, danke.\n")
    office.round()
    back(office, seat, ask, "yes\n")
    office.round()
    assert not over(office) and "That has lapsed" in flat(office.newest("reply-").text)


def test_a_forged_letter_resigns_no_game(office: OfficeTable) -> None:
    """Somebody knows the address and the code of a player, and sends what he likes; he sees no mailbox but his own."""
    seat, other = open_seat(office)
    code = office.code(seat)
    office.letter(seat, "I resign.\n")
    office.round()
    (ask,) = office.queued("confirm-")
    right = token(ask)
    for body, subject in (
        ("yes\n", f"Re: Do you want to resign? (code {code})"),
        ("yes\n", f"Re: Do you want to resign? (code {code}) (answer {code})"),
        ("yes, I resign\n", f"Re: (code {code})"),
        ("I resign.\n", f"Re: (code {code})"),
        ("yes\n", f"Re: (code {code}) (answer aaaa-bbbb)"),
    ):
        office.letter(seat, body, subject)
        office.round()
        assert not over(office), subject
    everything = [sent for sent in office.queued() if ADDRESSES[seat] not in sent.to]
    assert all(right not in sent.subject + sent.text for sent in everything)
    # The token alone, without the code or from elsewhere, or from the opponent, is worth as little.
    office.letter(seat, "yes\n", f"Re: (answer {right})")
    office.letter(seat, "yes\n", f"Re: (code {code}) (answer {right})", sender="mallory@example.net")
    office.letter(other, "yes\n", f"Re: (code {office.code(other)}) (answer {right})")
    office.round()
    assert not over(office)
    back(office, seat, ask, "> yes\n")
    office.round()
    assert not over(office), "what is quoted is no yes"
    back(office, seat, ask, "yes, if you insist\n")
    office.round()
    assert not over(office), "what is more than a yes is none"
    back(office, seat, ask, "yes\n")
    office.round()
    assert over(office)


def test_a_resignation_is_not_confirmed_for_ever(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, "I resign.\n")
    office.round()
    (ask,) = office.queued("confirm-")
    office.later(days=15)
    office.round()
    back(office, seat, ask, "yes\n")
    office.round()
    assert not over(office)


def test_without_a_code_nothing_is_asked(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, "I resign.\n", "my game")
    office.letter(seat, "could I have three more days please?\n", "my game")
    office.round()
    assert not office.queued("confirm-") and not office.queued("decide-")
    assert len(office.queued("umpire-")) == 2


def test_the_umpire_may_keep_it_to_himself(tmp_path: Path) -> None:
    office = begun(OfficeTable(tmp_path, DEADLINES + '[requests]\nresign = "the umpire"\n'))
    seat, other = open_seat(office)
    office.letter(seat, "I concede.\n")
    office.round()
    (ask,) = office.queued("confirm-")
    back(office, seat, ask, "yes\n")
    office.round()
    assert not over(office) and "It is for the umpire to say what follows" in flat(
        office.newest("reply-").text
    )
    (decide,) = office.queued("decide-")
    umpire(office, decide, "yes\n")
    office.round()
    assert over(office) and f"won by {other}" in words_said(office)[0]


@pytest.mark.parametrize(
    "body",
    [
        "if I were to resign, what would the score be?\n",
        "I don't want a draw.\n",
        "> I resign.\n\nWhat does he mean by that?\n",
        "Ann wrote: I resign. Is that so?\n",
        "I will not resign.\n",
    ],
)
def test_chat_is_passed_on_as_words(office: OfficeTable, body: str) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, body)
    office.round()
    assert not office.queued("confirm-") and not office.queued("decide-") and not words_said(office)
    assert len(office.queued("umpire-")) == 1


# --- a draw


def test_a_draw_on_which_both_agree_ends_the_game(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    office.letter(seat, "I offer a draw.\n")
    office.round()
    assert not office.queued("offer-")
    (ask,) = office.queued("confirm-")
    back(office, seat, ask, "yes\n")
    office.round()
    assert not over(office) and "you are told what the others say" in flat(office.newest("reply-").text)
    (offer,) = office.queued("offer-")
    assert ADDRESSES[other] in offer.to and f"{seat.capitalize()} offers a draw" in offer.subject
    assert "until this turn is played" in flat(offer.text)
    back(office, other, offer, "yes\n")
    office.round()
    assert over(office)
    (word,) = words_said(office)
    assert word.startswith("end agreed, draw, asked by north, south at slot 1")
    assert "which North and South agreed on" in flat(office.newest("change-").text)


def test_orders_beside_a_yes_are_taken_in(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, "I offer a draw.\n")
    office.round()
    (ask,) = office.queued("confirm-")
    back(office, seat, ask, "yes\n\n" + pull(seat) + "luck: seven drunken herons\n")
    office.round()
    answer = flat(office.newest("reply-").text)
    assert office.open().ledger.slots and "Your offer has gone to the others. A draw is" in answer
    assert office.round() == [] and not verify(office.game).failures


def test_both_may_have_offered_it(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    office.letter(seat, "I offer a draw.\n")
    office.round()
    back(office, seat, office.newest("confirm-"), "yes\n")
    office.round()
    office.letter(other, "I accept the draw.\n")
    office.round()
    assert not over(office)
    back(office, other, office.newest("confirm-"), "yes\n")
    office.round()
    assert over(office)


def test_a_draw_is_declined_and_lapses(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    office.letter(seat, "I offer a draw.\n")
    office.round()
    back(office, seat, office.newest("confirm-"), "yes\n")
    office.round()
    (offer,) = office.queued("offer-")
    back(office, other, offer, "no\n")
    office.round()
    (told,) = office.queued("declined-")
    assert ADDRESSES[seat] in told.to and f"{other.capitalize()} has said no to the draw" in flat(told.text)
    office.letter(seat, "How about a draw?\n", id_="<second@mail.example>")
    office.round()
    back(office, seat, office.newest("confirm-"), "yes\n")
    office.round()
    late = office.newest("offer-")
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()
    back(office, other, late, "yes\n")
    office.round()
    assert not over(office) and "That has lapsed" in flat(office.newest("reply-").text)


def test_a_draw_may_need_the_umpire(tmp_path: Path) -> None:
    office = begun(OfficeTable(tmp_path, DEADLINES + '[requests]\ndraw = "the umpire"\n'))
    seat, other = open_seat(office)
    office.letter(seat, "I offer a draw.\n")
    office.round()
    back(office, seat, office.newest("confirm-"), "yes\n")
    office.round()
    back(office, other, office.newest("offer-"), "yes\n")
    office.round()
    assert not over(office)
    umpire(office, office.newest("decide-"), "no\nFight on!\n")
    office.round()
    assert not over(office) and len(office.queued("refused-")) == 2


# --- who decides


def test_nobody_but_the_umpire_decides(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    before = due(office)
    office.letter(seat, "could I have three more days please?\n")
    office.round()
    (ask,) = office.queued("decide-")
    umpire(office, ask, "yes\n", sender=ADDRESSES[seat])
    umpire(office, ask, "yes\n", sender="mallory@example.net")
    office.letter(seat, "yes\n", f"Re: (code {office.code(seat)}) {ask.subject}")
    office.letter("north", "yes\n", "Re: three more days", sender=UMA)
    office.round()
    assert due(office) == before and not words_said(office)


def test_what_is_more_than_a_word_decides_nothing(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, "could I have three more days please?\n")
    office.round()
    (ask,) = office.queued("decide-")
    umpire(office, ask, "yes, but only if Ann agrees\n")
    office.round()
    assert not words_said(office)


def test_a_player_cannot_flood_the_umpire(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    for _ in range(9):
        office.letter(seat, "could I have three more days please?\n")
    office.round()
    assert len(office.queued("decide-")) == 6


def test_what_has_lapsed_stands_in_nobodys_way(office: OfficeTable) -> None:
    for _ in range(7):
        seat, _other = open_seat(office)
        office.letter("north", "I offer a draw.\n")
        office.round()
        words = f"luck: {'abcdefghij'[len(office.open().ledger.slots)]} drunken herons\n"
        office.letter(seat, pull(seat) + words)
        office.round()
    assert len(office.queued("confirm-")) == 7 and not over(office)


def test_a_letter_that_is_read_twice_asks_once(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    for _ in range(2):
        office.letter(seat, "could I have three more days please?\n", id_="<same@mail.example>")
    office.round()
    assert len(office.queued("decide-")) == 1
    book = RequestBook(office.root / "post", b"")
    assert len(book.every) == 1


def test_a_damaged_book_stops_nothing(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    (office.root / "post" / "requests.json").write_text('[{"id": 7}]')
    office.letter(seat, "could I have three more days please?\n")
    assert "asked" in [step.what for step in office.round()]


# --- at the terminal


def typed(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["umpire", *words])
    return result.exit_code, result.stdout, result.stderr


def test_the_umpire_may_type_it_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = OfficeTable(tmp_path)
    office.at_the_terminal(monkeypatch)
    office.moment = datetime.now(UTC).replace(microsecond=0)
    begun(office)
    seat, other = open_seat(office)
    assert typed("requests", ".")[:2] == (0, "No request waits for you.\n")
    before = due(office)
    office.letter(seat, "could I have three more days please?\n")
    office.letter(seat, "I need more time.\n")
    office.letter(other, "I offer a draw.\n")
    office.round()
    found = json.loads(typed("requests", ".", "--json")[1])
    jsonschema.validate(found, SCHEMA)
    ids = {one["what"]: one["request"] for one in found["requests"]}
    assert [bool(one["confirms"]) for one in found["requests"]] == [False, False, True]
    listed = typed("requests", ".")[1]
    assert "has to confirm it" in listed.splitlines()[2] and "asks for 3 days more" in listed
    three, some = (
        ids[f"{seat.capitalize()} asks for 3 days more"],
        next(id_ for what, id_ in ids.items() if "does not say how much" in what),
    )
    answer, said, _ = typed("grant", ".", three, "--why", "it rains")
    assert answer == 0 and said.startswith(f"Done: {seat.capitalize()} asks for 3 days more.")
    assert (due(office).date() - before.date()).days == 3
    assert "does not say how much" in typed("grant", ".", some)[1]
    assert typed("grant", ".", some, "--by", "soon")[0] == 1
    assert typed("grant", ".", some, "--by", "1 day")[0] == 0
    answer, _, wrong = typed("refuse", ".", three)
    assert answer == 1 and f"no request {three} waits for you here" in wrong
    draw = next(id_ for what, id_ in ids.items() if "draw" in what)
    assert typed("grant", ".", draw)[0] == 1, "what a player has not confirmed is nobody else's to grant"
    office.letter(seat, "could I have two more days please?\n")
    office.round()
    (row,) = [
        one for one in json.loads(typed("requests", ".", "--json")[1])["requests"] if not one["confirms"]
    ]
    assert typed("refuse", ".", row["request"], "--why", "enough")[0] == 0
    assert "He writes: enough" in flat(office.newest("refused-").text)
