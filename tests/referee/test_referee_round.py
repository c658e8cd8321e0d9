"""The daily round: from the invitation to the end of a game by letters alone; deadlines, reminders, and
everything sent twice.
"""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from office_table import ADDRESSES, OfficeTable
from table import pull

from pbem.referee.proving.verify import verify
from pbem.referee.turn.go import make_go
from pbem.referee.turn.join import join
from pbem.referee.turn.new import INVITATION
from pbem.referee.turn.submit import submit
from pbem.referee.turn.undo import undo
from pbem.store.postbag import Postbag


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return OfficeTable(tmp_path)


def whats(steps: list[object]) -> list[str]:
    return [f"{step.what} {step.seat}".strip() for step in steps]  # type: ignore[attr-defined]


def test_a_game_by_letters_alone(office: OfficeTable) -> None:
    office.count = 2  # with these secrets nobody is asked anything in between
    office.new(keyed=(), umpire=True)
    assert whats(office.round()) == ["invited north", "invited south"]
    assert office.round() == []
    for seat in ("north", "south"):
        office.letter(seat, "Yes, I play! Looking forward.\n\n> pbem: please write above this line\n")
    assert whats(office.round()) == [
        "joined north",
        "answered north",
        "joined south",
        "answered south",
        "told north",
        "told south",
    ]
    seats = []
    for number in range(1, 4):
        (seat,) = office.open().announced()["waits"]
        seats.append(seat)
        office.later(hours=1)
        office.letter(seat, pull(seat) + f"luck: seven drunken herons {number}\n\nCheers\n")
        steps = whats(office.round())
        assert steps == [
            f"taken {seat}",
            f"answered {seat}",
            "locked",
            "resolved",
            "told north",
            "told south",
        ]
    reply = office.queued("reply-")[-1]
    assert "Accepted: your orders are final" in reply.text
    assert verify(office.game).failures == ()
    notes = [
        record.record.get("note", "")
        for record in office.open().ledger.records
        if record.record["type"] == "lock"
    ]
    assert notes == [f"relied on for {seat}: address and code" for seat in seats]
    assert all(sent.to in {*ADDRESSES.values()} or "<" in sent.to for sent in office.queued())
    assert office.round() == []


def begun(office: OfficeTable, keyed: tuple[str, ...] = (), **more: object) -> str:
    """Begin a game by letters and return whose move it is."""
    office.started(keyed=keyed, **{"umpire": True, **more})
    office.round()
    return str(office.open().announced()["waits"][0])


def other(seat: str) -> str:
    return "south" if seat == "north" else "north"


def test_a_reminder_a_lock_at_the_deadline_and_a_letter_after_it(office: OfficeTable) -> None:
    # Sunday 1 February 2026, ten in the morning in Greenwich: the deadline is Wednesday, nine in the evening
    # in Berlin
    seat = begun(office)
    office.letter(seat, pull(seat) + "\nI am not sure yet.\n")
    assert whats(office.round()) == [f"taken {seat}", f"answered {seat}"]
    draft = " ".join(office.queued("reply-")[-1].text.split())
    assert "Accepted as a draft: not final yet" in draft
    assert "in 3 days and 10 hours" in draft or "in 3 days and 9 hours" in draft
    zone = {
        "north": "Wednesday 4 February 2026, 21:00 (Europe/Berlin)",
        "south": "Wednesday 4 February 2026, 15:00 (America/New_York)",
    }
    assert zone[seat] in draft
    office.later(days=2, hours=11)
    assert whats(office.round()) == [f"reminded {seat}"]
    assert office.round() == []
    office.later(days=1, hours=1)  # the evening of the deadline: the grace
    assert office.round() == []
    office.later(hours=6)
    late = office.moment
    office.letter(seat, pull(seat) + "luck: much too late for this\n", arrived=late)
    steps = whats(office.round())
    assert steps == ["locked", f"refused {seat}", f"answered {seat}", f"asked {seat}"] or steps[:1] == [
        "locked"
    ]
    refused = " ".join(" ".join(sent.text.split()) for sent in office.queued("reply-"))
    assert "is locked and waits for words from you" in refused
    assert (
        "hese orders came 2 hours" in refused
        and "too late: the deadline was Wednesday 4 February 2026" in refused
    )
    assert office.open().ledger.locked is not None
    for asked in ("north", "south"):
        office.letter(asked, f"luck: seven drunken herons {asked}\n\nSorry for the delay")
    steps = [f"{what} {asked}" for asked in ("north", "south") for what in ("went", "answered")]
    assert whats(office.round()) == [*steps, "resolved", "told north", "told south"]
    assert verify(office.game).failures == ()


def test_a_letter_that_came_in_time_counts_though_nobody_looked(office: OfficeTable) -> None:
    seat = begun(office)
    came = office.moment.replace(day=4, hour=19, minute=59)
    office.later(days=20)
    office.letter(seat, pull(seat) + "luck: in time by a minute\n", arrived=came)
    assert whats(office.round())[:2] == [f"taken {seat}", f"answered {seat}"]
    assert office.open().ledger.words[seat] == {"in time by a minute": 1}


def test_a_later_file_replaces_an_earlier_one_by_arrival_whatever_its_date_says(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    first = office.moment
    office.later(minutes=5)
    office.letter(seat, pull(seat) + "note: the second\n", Date="Mon, 01 Jan 2001 00:00:00 +0000")
    office.letter(
        seat, pull(seat) + "note: the first\n", arrived=first, Date="Fri, 01 Jan 2038 00:00:00 +0000"
    )
    steps = whats(office.round())
    assert steps[:6] == [f"taken {seat}", f"passed on {seat}", f"answered {seat}"] * 2
    assert "note: the second" in office.open().archive[f"seats/{seat}/orders-s0001.txt"].decode()
    second = office.queued("reply-")
    assert any(
        "takes the place of" in " ".join(sent.text.split()) or "replace" in sent.text for sent in second
    )


def test_the_same_again_changes_nothing_and_is_answered_once(office: OfficeTable) -> None:
    seat = begun(office)
    raw = office.letter(seat, pull(seat), id_="<same@mail.example>")
    office.round()
    # the very same letter, fetched once more
    Postbag(office.root / "post").keep(raw, office.clock(), "again")
    assert office.round() == []
    # its copy over a list
    office.letter(seat, pull(seat), id_="<same@mail.example>", List_Id="<list.example>")
    assert whats(office.round()) == [f"taken {seat}"] or whats(office.round()) == []
    office.letter(seat, pull(seat))  # sent once more by hand
    assert whats(office.round()) == [f"taken {seat}", f"answered {seat}"]
    assert "the same orders again" in office.queued("reply-")[-1].text or any(
        "the same orders again" in s.text for s in office.queued("reply-")
    )
    assert len(list((office.game / "mail").glob("s0001-*.txt"))) == 1


@pytest.mark.parametrize(
    ("sender", "subject", "body", "said"),
    [
        ("", "orders", "pull:\n- {seat}-team pulls\n", "the code of your seat is missing"),
        (
            "",
            "orders (code 2222-3333)",
            "pull:\n- {seat}-team pulls\n",
            "The code in this letter is not that of your seat",
        ),
        ("", None, "Thanks for the turn, I will look at it tonight.\n", "no orders"),
        (
            "",
            None,
            "game: some-other-game\npull:\n- {seat}-team pulls\n",
            "this file is for the game some-other-game",
        ),
        ("", None, "pull:\n- nobody pulls\n", "Line 2, column 3 of your letter"),
        ("", None, "Hello!\n\npull:\n- {seat}-team pulls\npulll: []\n\nSam\n", "of your letter"),
    ],
)
def test_what_is_wrong_is_answered_and_nothing_is_stored(
    office: OfficeTable, sender: str, subject: str | None, body: str, said: str
) -> None:
    seat = begun(office)
    office.letter(seat, body.format(seat=seat), subject, sender=sender)
    steps = [step for step in whats(office.round()) if step != f"passed on {seat}"]
    assert len(steps) == 2 and steps[1] == f"answered {seat}", steps
    reply = office.queued("reply-")[-1]
    assert said.lower() in " ".join(reply.text.split()).lower(), reply.text
    assert not list((office.game / "mail").glob("*.txt"))


def test_strangers_and_programs_get_no_answer(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat), "orders", sender="mallory@example.net")
    office.letter(seat, "I am away until Monday.\n", Auto_Submitted="auto-replied")
    office.letter(seat, pull(seat), X_PBEM_Processor="1")
    before = office.queued("reply-")
    office.letter(seat, pull(seat), sender="orders@pbem.example")
    assert [step.what for step in office.round()] == ["stranger", *["automatic"] * 3, "trouble", "trouble"]
    assert office.queued("reply-") == before
    assert len(office.queued("trouble-")) == 1
    assert office.round() == []


def test_a_code_from_elsewhere_is_told_to_whom_it_belongs(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat), sender="mallory@example.net")
    office.round()
    reply = office.queued("reply-")[-1]
    assert ADDRESSES[seat] in reply.to and "mallory@example.net" in reply.text
    assert not list((office.game / "mail").glob("*.txt"))


def test_one_broken_game_stops_no_other(office: OfficeTable) -> None:
    seat = begun(office)
    broken = office.root / "broken" / "ledger"
    broken.mkdir(parents=True)
    (broken / "00001-manifest.json").write_text("{nonsense")
    (office.root / "a-link").symlink_to(office.game)
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    steps = whats(office.round())
    assert f"taken {seat}" in steps and "resolved" in steps and steps.count("trouble") == 1


def test_a_game_on_hold_takes_letters_and_does_nothing_else(office: OfficeTable) -> None:
    seat = begun(office)
    with (office.root / "pbem.toml").open("a") as file:
        file.write(f"[games.{office.open().id}]\nhold = true\n")
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    assert whats(office.round()) == [f"taken {seat}", f"answered {seat}", "told north", "told south"]
    assert office.open().ledger.locked is None


def test_a_machine_that_answers_everything_is_answered_so_often_and_no_more(office: OfficeTable) -> None:
    seat = begun(office)
    before = len(office.queued("reply-"))
    for number in range(30):
        office.letter(seat, f"thank you, letter number {number}\n")
    office.round()
    assert len(office.queued("reply-")) - before == 24


def test_orders_come_signed_and_what_was_relied_on_is_the_signature_alone(office: OfficeTable) -> None:
    seat = begun(office, keyed=("north", "south"))
    signed = office.signed(seat, pull(seat))
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = (
        "elsewhere@phone.example",
        "orders@pbem.example",
        "orders",
    )
    message.set_content("See the files.\n")
    message.add_attachment(signed.data, maintype="text", subtype="plain", filename="orders.txt")
    message.add_attachment(
        signed.signature.encode(), maintype="application", subtype="octet-stream", filename="orders.txt.sig"
    )
    Postbag(office.root / "post").keep(message.as_bytes(), office.clock(), "test")
    steps = whats(office.round())
    assert steps == [f"taken {seat}", f"answered {seat}", "locked", "resolved", "told north", "told south"]
    assert ADDRESSES[seat] in office.queued("reply-")[-1].to
    assert all("note" not in record.record for record in office.open().ledger.records)
    assert office.open().archive[f"seats/{seat}/orders-s0001.txt"] == signed.data


def test_two_friends_wait_for_each_other_without_deadlines(office: OfficeTable) -> None:
    office.started(keyed=(), me="north")
    assert whats(office.round()) == ["told south"]
    office.later(days=100)
    office.round()
    assert office.open().ledger.locked is None


def with_file(office: OfficeTable, name: str, data: bytes) -> None:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = (
        "elsewhere@phone.example",
        "orders@pbem.example",
        "here it is",
    )
    message["Message-ID"] = f"<{name}.{len(data)}@phone.example>"
    message.set_content("See the file.\n")
    message.add_attachment(data, maintype="text", subtype="plain", filename=name)
    Postbag(office.root / "post").keep(message.as_bytes(), office.clock(), "test")


def test_a_join_and_a_go_signed_by_the_players_own_program(office: OfficeTable) -> None:
    office.new(keyed=("north", "south"), umpire=True)
    office.round()
    for seat in ("north", "south"):
        with_file(
            office, "join.txt", join(office.player, office.game / INVITATION, office.key(seat), seat).letter
        )
    assert [f"{step.what} {step.seat}".strip() for step in office.round()] == [
        "joined north", "answered north", "joined south", "answered south", "told north", "told south",
    ]  # fmt: skip
    seat = str(office.open().announced()["waits"][0])
    signed = office.signed(seat, pull(seat), draft=True)
    submit(office.env, office.game, "o.txt", signed.data, signed.signature.encode(), auto_lock=False)
    office.later(days=9)
    assert "locked" in whats(office.round())
    for asked in office.open().ledger.locked.asked:  # type: ignore[union-attr]
        with_file(office, "go.txt", make_go(office.player, office.open(), office.key(asked), asked).letter)
    steps = whats(office.round())
    assert steps[:2] == ["went north", "answered north"] and "resolved" in steps
    assert verify(office.game).failures == ()


def test_plain_orders_of_a_seat_with_a_key_are_refused_with_what_to_do(office: OfficeTable) -> None:
    seat = begun(office, keyed=("north", "south"))
    office.letter(seat, pull(seat))
    assert whats(office.round()) == [f"refused {seat}", f"answered {seat}"]
    assert "pbem sign" in office.queued("reply-")[-1].text


def test_orders_for_a_turn_that_is_over_are_not_kept_for_the_next(office: OfficeTable) -> None:
    seat = begun(office, profile="gm")
    early = office.moment
    office.letter(seat, pull(seat))
    office.later(minutes=10)
    assert "resolved" in whats(office.round())
    (following,) = office.open().announced()["waits"]
    office.later(minutes=10)
    # it lay about somewhere; nobody had seen this turn when it was written
    office.letter(following, pull(following), arrived=early)
    assert whats(office.round()) == [f"refused {following}", f"answered {following}"]
    assert "came before slot 2 was open" in " ".join(office.queued("reply-")[-1].text.split()) or any(
        "came before slot 2 was open" in " ".join(sent.text.split()) for sent in office.queued("reply-")
    )
    office.letter(
        following, "turn: t1.south\n" * (following == "south") + pull(following), arrived=office.moment
    )
    office.round()


def test_the_code_is_nowhere_but_in_letters_to_its_seat(office: OfficeTable) -> None:
    seat = begun(office)
    code = office.code(seat)
    office.letter(seat, f"code: {code}\n" + pull(seat) + "luck: seven drunken herons\n", "orders")
    assert "resolved" in whats(office.round())
    for path in office.game.rglob("*"):
        assert not path.is_file() or code.encode() not in path.read_bytes(), path
    for sent in office.queued():
        assert code not in sent.message.as_string() or ADDRESSES[seat] in sent.to


def test_two_friends_by_mail_of_whom_one_runs_the_program(office: OfficeTable) -> None:
    office.count = 3  # with these secrets nobody is asked anything in between
    office.started(keyed=(), me="north")
    office.round()
    for number in range(4):
        (seat,) = office.open().announced()["waits"]
        if seat == "north":
            office.orders("north", pull("north"), auto_lock=False)
            steps = whats(office.round())
            assert steps == ["locked", "asked south"], steps
            office.letter("south", f"luck: seven drunken herons {number}\n")
            assert whats(office.round()) == ["went south", "answered south", "resolved", "told south"]
        else:
            office.letter("south", pull("south") + f"luck: no cheese on fridays {number}\n")
            steps = whats(office.round())
            # Where it is the move of the one who runs the program, the report rides on the question for
            # words.
            own = office.open().announced()["waits"] == ["north"]
            assert steps == [
                "taken south",
                "answered south",
                "locked",
                "resolved",
                *([] if own else ["told south"]),
            ]
    found = verify(office.game)
    assert found.failures == ()
    assert all("by both sides together" in line.foreknowledge for line in found.trust if line.dice)


def test_slots_that_were_taken_back_are_told_and_the_game_goes_on(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()
    undo(office.env, office.game, 1, "the wrong map")
    office.later(minutes=5)
    assert whats(office.round()) == ["told north", "told south"]
    assert office.round() == []
    told = office.queued("undo-")
    assert len(told) == 2
    for sent in told:
        text = " ".join(sent.text.split())
        assert (
            "What happened in turn 1, North, was taken back" in text and "The reason: the wrong map" in text
        )
        assert (
            "The umpire decided it alone: nobody in this game has a key" in text
            and "The dice are new too" in text
        )
        assert (
            "consent" not in text
            and "slot" not in sent.subject
            and "Taken back: turn 1, North" in sent.subject
        )
    office.letter(seat, pull(seat) + "luck: no cheese on fridays\n")
    assert "resolved" in whats(office.round())
    assert verify(office.game).failures == ()


@pytest.mark.parametrize(
    ("words", "plays"),
    [
        ("yes, I play", True),
        ("Hi Cass,\n\nYes! I play.\n\nBest\nSam\n", True),
        ("Hallo, ja, gerne bin ich dabei", True),
        ("Bonjour,\n\noui, je joue\n", True),
        ("I’m in!", True),
        ("No, sorry, I have no time", False),
        ("Yes, but I cannot begin before May", False),
        ("Who else plays?", False),
        ("Leider nicht", False),
    ],
)
def test_whether_somebody_plays_has_to_be_plain(office: OfficeTable, words: str, plays: bool) -> None:
    office.new(keyed=(), umpire=True)
    office.letter("south", words)
    (step, *_) = office.round()
    assert step.what == ("joined" if plays else "unused")
    assert office.open().not_joined == (("north",) if plays else ("north", "south"))


@pytest.mark.parametrize("body", ["GO!\n", "pull:\n- {seat}-team pulls\n", "ok, roll them\n"])
def test_who_is_asked_for_words_and_gives_none_is_told_what_is_wanted(office: OfficeTable, body: str) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat))
    office.round()
    office.later(days=9)
    assert "locked" in whats(office.round())
    office.letter(seat, body.format(seat=seat))
    office.round()
    told = " ".join(" ".join(sent.text.split()) for sent in office.queued("reply-"))
    assert "waits for words from you" in told
    assert "the word luck, a colon, and then words" in told


def test_a_code_inside_the_orders_is_not_published(office: OfficeTable) -> None:
    seat = begun(office)
    office.letter(seat, pull(seat) + f"note: my code is {office.code(seat).upper()}\n")
    assert whats(office.round()) == [f"refused {seat}", f"passed on {seat}", f"answered {seat}"]
    assert office.code(seat) not in office.queued("umpire-")[-1].message.as_string().lower()
    assert "is inside the orders" in " ".join(office.queued("reply-")[-1].text.split())
    assert not list((office.game / "mail").glob("*.txt"))
