"""Nothing is eaten: what is for a person goes to the umpire, and what cannot get through is told to who can
do something about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from office_table import ADDRESSES, DEADLINES, OFFICE, OfficeTable
from table import pull

from pbem.referee.mail.round_context import FetchReport, Step
from pbem.referee.mail.waiting import waits
from pbem.store import umpire
from pbem.store.outbox import Outbox
from pbem.store.postbag import Postbag

UMPIRE = "cass@example.org"


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def begun(office: OfficeTable, **more: object) -> str:
    office.started(**{"keyed": (), "umpire": True, **more})
    office.round()
    return str(office.open().announced()["waits"][0])


def flat(text: str) -> str:
    return " ".join(text.split())


def without_umpire(office: OfficeTable) -> None:
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text().replace(f'umpire = "{UMPIRE}"\n', ""))


# --- letters to a person


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        (
            "We are travelling a lot next week, so more time would be a good thing.\n",
            "It reads like a wish for more time",
        ),
        ("I resign soon, I fear. Well played!\n", "It reads like a resignation"),
        ("Cass, the last turn is wrong: my men stood elsewhere.\n", "as if something had gone wrong"),
        ("Thanks for the turn!\n", ""),
        (
            "Ich gebe auf, wenn das so weitergeht.\n\n> | pull:\n> | - north-team pulls\n",
            "It reads like a resignation",
        ),
    ],
)
def test_a_letter_without_orders_goes_to_the_umpire_and_its_writer_is_told(
    office: OfficeTable, body: str, reads: str
) -> None:
    seat = begun(office)
    office.letter(seat, body)
    assert [step.what for step in office.round()] == ["unused", "passed on", "answered"]
    (sent,) = office.queued("umpire-")
    assert (sent.to, sent.message["Reply-To"]) == (UMPIRE, f"{seat.capitalize()} <{ADDRESSES[seat]}>")
    text = flat(sent.text)
    assert (
        flat(body.split("\n")[0])[:40] in text.replace("> ", "")
        and reads in text
        and "What the program understood: no orders" in text
    )
    said = flat(office.newest("reply-").text)
    assert "Your letter has gone to the umpire" in said and UMPIRE in said and "Not accepted" not in said
    assert office.round() == []


def test_words_beside_orders_go_on_only_if_they_ask_for_something(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    office.letter(seat, pull(seat) + "\nCheers, and good luck to you all!\n")
    assert [step.what for step in office.round()][:2] == ["taken", "answered"]
    (other,) = office.open().announced()["waits"]
    office.letter(other, pull(other) + "\nIs the rope as long as last year?\n")
    assert [step.what for step in office.round()][:3] == ["taken", "passed on", "answered"]
    assert "orders, which were taken" in flat(office.newest("umpire-").text)
    assert f"passed on to the umpire, {UMPIRE}" in flat(office.newest("reply-").text)


def test_a_note_in_the_orders_is_read_by_the_umpire_at_once(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat) + "note: my knot is loose, see 0401\n")
    office.round()
    assert "my knot is loose, see 0401" in flat(office.newest("umpire-").text)


def test_who_joins_and_asks_has_both_done(office: OfficeTable) -> None:
    office.new(keyed=(), umpire=True)
    office.letter("south", "count me in! Which rules do I need?\n")
    office.letter("north", "Yes, I play! Looking forward.\n")
    steps = [f"{step.what} {step.seat}" for step in office.round()]
    assert (
        steps[:3] == ["joined south", "passed on south", "answered south"]
        and steps.count("passed on north") == 0
    )
    assert "Which rules do I need?" in office.newest("umpire-").text


def test_who_does_not_want_to_play_is_heard(office: OfficeTable) -> None:
    office.new(keyed=(), umpire=True)
    office.letter("south", "No, sorry, I have no time.\n")
    office.round()
    assert "I have no time" in office.newest("umpire-").text


def test_a_letter_without_a_code_is_passed_on_as_what_it_is(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, "When do we begin?\n", "a question")
    office.round()
    assert "has no code, so it is not certain" in flat(office.newest("umpire-").text)


def test_without_an_address_of_the_umpire_it_is_kept_until_somebody_looks(office: OfficeTable) -> None:
    without_umpire(office)
    seat = begun(office)
    office.letter(seat, "Could I have a larger map?\n")
    assert [step.what for step in office.round()] == ["unused", "passed on", "answered"]
    assert "Your letter is kept for the umpire" in flat(office.newest("reply-").text)
    assert office.queued("umpire-") == []
    folder = office.root / "post" / umpire.FOLDER
    ((key, subject),) = umpire.waiting(folder)
    assert "Could I have a larger map?" in subject
    told = list(waits(office.house(), office.house().games[office.open().id].open_since[1]))
    assert "1 letter for you" in told[0] and "pbem mail umpire" in told[0]
    assert f"Reply-To: {ADDRESSES[seat]}" in umpire.shown(folder, key)
    assert umpire.waiting(folder) == []
    assert office.round() == [] and umpire.waiting(folder) == [], "it is kept once"


def test_one_mailbox_may_serve_the_office_and_its_umpire(office: OfficeTable) -> None:
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text().replace(UMPIRE, OFFICE))
    seat = begun(office)
    office.letter(seat, "Could I have a larger map?\n")
    office.round()
    sent = office.newest("umpire-")
    assert sent.to == OFFICE
    Postbag(office.root / "post").keep(sent.message.as_bytes(), office.clock(), "the mailbox")
    assert [step.what for step in office.round()] == ["automatic"]
    assert office.round() == []


def test_a_letter_of_the_umpire_is_no_strangers(office: OfficeTable) -> None:
    begun(office)
    office.letter("north", "ok, I will look at it\n", "Re: 1 thing needs you", sender=UMPIRE)
    assert [step.what for step in office.round()] == ["umpire"]
    assert office.queued("trouble-") == []


def test_who_writes_on_and_on_is_passed_on_so_often_and_no_more(office: OfficeTable) -> None:
    seat = begun(office)
    for number in range(15):
        office.letter(seat, f"And another thing, number {number}: is that right?\n")
    office.round()
    assert len(office.queued("umpire-")) == 12
    assert len(umpire.waiting(office.root / "post" / umpire.FOLDER)) == 3
    assert "wrote more than 12 letters to you in a day" in flat(office.newest("trouble-").text)


# --- what cannot get through


class Refusing:
    """A courier whose server takes no letters for some addresses, for good."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused

    def fetch(self, bag: Postbag) -> FetchReport:
        return FetchReport()

    def send(self, box: Outbox, now: datetime) -> Iterator[Step]:
        for envelope in list(box.due(now)):
            bad = [to for to in envelope.left if to in self.refused]
            if bad:
                box.note(envelope.refused(bad, "550 no such user here"))
                yield Step("trouble", said=f"{envelope.key} failed")
            else:
                box.note(envelope.sending(envelope.left).gone())
                yield Step("sent", said=envelope.key)

    def settle(self, bag: Postbag) -> Iterator[str]:
        yield from ()


def test_an_address_that_takes_no_letters_is_told_once_and_in_each_round_until_one_gets_through(
    office: OfficeTable,
) -> None:
    office.started(keyed=(), umpire=True)
    steps = office.round(Refusing(ADDRESSES["north"]))
    assert [step.what for step in steps].count("trouble") == 1
    told = flat(office.queued("trouble-")[-1].text)
    assert f"North <{ADDRESSES['north']}> cannot be reached: 550 no such user here" in told
    assert "put the right address under players.nora in pbem.toml" in told
    for _ in range(3):
        (step,) = office.round(Refusing(ADDRESSES["north"]))
        assert step.what == "trouble" and "550" in step.said
    assert len(office.queued("trouble-")) == 1
    office.letter("north", "nobody moves\n")
    assert [step.what for step in office.round(Refusing())][-2:] == ["trouble", "sent"]
    assert office.round(Refusing()) == []


def test_a_letter_that_came_back_is_told_with_name_and_reason(office: OfficeTable) -> None:
    begun(office)
    key = office.queued("turn-")[0].key
    office.letter(
        "north",
        report(key),
        "Undelivered Mail Returned to Sender",
        sender="mailer-daemon@mx.example",
        raw=True,
    )
    assert [step.what for step in office.round()] == ["automatic", "trouble"]
    told = flat(office.newest("trouble-").text)
    assert (
        f"A letter to North <{ADDRESSES['north']}> came back: 550 5.1.1 unknown user" in told and key in told
    )
    assert office.round() == []


def report(key: str) -> str:
    return (
        'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary="x"\n\n'
        "--x\nContent-Type: text/plain\n\nSorry.\n--x\nContent-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mx.example\n\n"
        f"Final-Recipient: rfc822; {ADDRESSES['north']}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: "
        "smtp; 550 5.1.1 unknown user\n\n"
        "--x\nContent-Type: text/rfc822-headers\n\nMessage-ID: "
        f"<{key}@pbem.example>\nSubject: your move\n\n--x--\n"
    )


def test_a_program_that_answers_for_a_player_is_told_once(office: OfficeTable) -> None:
    seat = begun(office)
    for _ in range(3):
        office.letter(
            seat, "I am away until Monday.\n", "Out of office: your move", Auto_Submitted="auto-replied"
        )
    steps = [step.what for step in office.round()]
    assert steps == ["automatic"] * 3 + ["trouble"]
    assert f"A program wrote in the place of {seat.capitalize()} (auto-submitted)" in flat(
        office.newest("trouble-").text
    )
    assert office.round() == []


def test_strangers_are_told_with_what_they_wrote_but_not_one_by_one(office: OfficeTable) -> None:
    begun(office)
    office.letter("north", "Dear friend, click here\n", "You won", sender="mallory@example.net")
    office.round()
    told = flat(office.newest("trouble-").text)
    assert (
        "Its subject: You won" in told
        and "Dear friend, click here" in told
        and "if it is a player, add mallory@example.net" in told
    )
    for number in range(4):
        office.later(hours=1)
        office.letter("north", "Dear friend\n", "You won again", sender=f"mallory{number}@example.net")
        office.round()
    assert len(office.queued("trouble-")) == 1
    office.later(days=1)
    office.round()
    told = flat(office.newest("trouble-").text)
    assert all(f"mallory{number}@example.net" in told for number in range(4))


def test_after_so_many_answers_orders_still_count_and_one_letter_says_so(office: OfficeTable) -> None:
    seat = begun(office)
    for number in range(26):
        office.letter(seat, f"thank you, letter number {number}\n")
    office.round()
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    assert "resolved" in [step.what for step in office.round()]
    assert len(office.queued("reply-")) == 24
    (last,) = office.queued("enough-")
    assert "orders in them count" in flat(last.text) and ADDRESSES[seat] in last.to
    assert "orders from there are still taken" in flat(
        "".join(sent.text for sent in office.queued("trouble-"))
    )


def test_what_lasts_is_told_again_after_a_week_and_what_is_over_is_forgotten(office: OfficeTable) -> None:
    begun(office)
    broken = office.root / "broken" / "ledger"
    broken.mkdir(parents=True)
    (broken / "00001-manifest.json").write_text("{nonsense")
    for days, letters in ((0, 1), (1, 1), (5, 1), (1, 2), (1, 2)):
        office.later(days=days)
        assert "trouble" in [step.what for step in office.round()]
        assert len(office.queued("trouble-")) == letters, days


# --- what a round says that has nothing to do


def test_a_round_says_which_games_wait_for_whom_and_until_when(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path, DEADLINES)
    seat = begun(office)
    office.later(hours=5)
    now = office.house().games[office.open().id].open_since[1].replace(hour=15)
    (_, line) = waits(office.house(), now)
    name = seat.capitalize()
    assert line.endswith(
        f"Turn 1, {name} to move: it has waited 5 hours for {name}; 3 days and 11 hours left"
    )
    with (office.root / "pbem.toml").open("a") as file:
        file.write(f"[games.{office.open().id}]\nhold = true\n")
    (_, line) = waits(office.house(), now)
    assert "is on hold" in line


def test_games_that_have_not_begun_say_who_has_not_said_yes(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.new(keyed=(), umpire=True)
    office.round()
    (_, line) = waits(office.house(), datetime.fromisoformat("2026-02-01T12:00:00+00:00"))
    assert "has not begun: it waits for" in line
