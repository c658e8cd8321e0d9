"""An undo, a ruling, a correction put to all players by letter: a yes by the token of one's own mailbox or with one's
key, done when all have agreed and once, ended by a no, and told to everybody with who has agreed and who has not.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from hunting_table import FIRST, HOUNDS, HuntingTable
from office_table import ADDRESSES, OfficeTable, Sent
from table import pull

from pbem.cli import cli
from pbem.proof.ruled import act_of
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.proposal_book import CORRECT, RULE, UNDO
from pbem.referee.mail.proposing import Proposed, propose
from pbem.referee.mail.request_desk import desk
from pbem.referee.mail.umpire_word import say, substitute
from pbem.referee.proving.verify import verify
from pbem.referee.turn.consent import make, read_act

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/cli/umpire.schema.json").read_text())
OTHER = {"at": ["rope"], "to": 2}


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return played(OfficeTable(tmp_path))


def played(office: OfficeTable, keyed: tuple[str, ...] = ()) -> OfficeTable:
    """Return an office in whose game one turn is played."""
    office.started(keyed=keyed, umpire=True)
    office.round()
    turn(office)
    return office


def turn(office: OfficeTable) -> None:
    game = office.open()
    (seat,) = game.announced()["waits"]
    if game.ledger.seats[seat].key is None:
        office.letter(seat, pull(seat) + f"luck: {len(game.ledger.slots)} drunken herons\n")
        office.round()
    while (
        office.open().ledger.newest_slot == game.ledger.newest_slot or office.open().ledger.locked is not None
    ):
        office.turn()
    office.round()


def flat(text: str) -> str:
    return " ".join(text.split())


def undo(office: OfficeTable) -> Proposed:
    return propose(office.env, office.game, UNDO, "the map was wrong", slot=1)


def asked(office: OfficeTable, seat: str) -> Sent:
    return next(sent for sent in reversed(office.queued("agree-")) if ADDRESSES[seat] in sent.to)


def token(sent: Sent) -> str:
    found = re.search(r"\(answer ([a-z2-9]{4}-[a-z2-9]{4})\)", sent.subject)
    assert found is not None, sent.subject
    return found[1]


def back(office: OfficeTable, seat: str, body: str = "yes\n", sent: Sent | None = None, **more: str) -> None:
    """Answer the question as a player does, and let a round go over it."""
    office.letter(seat, body, f"Re: {(sent or asked(office, seat)).subject}", **more)
    office.round()


def undone(office: OfficeTable) -> bool:
    return office.open().ledger.slots[1].undone


def signed(office: OfficeTable, seat: str, wanted: dict[str, object], body: str = "I agree.\n") -> None:
    """Send a signed consent as its command makes it."""
    office.letter(seat, body + "\n" + make(office.open(), office.key(seat), wanted).letter.decode())
    office.round()


def test_an_undo_is_done_when_both_have_said_yes(office: OfficeTable) -> None:
    done = undo(office)
    assert (done.asked, done.signing, done.unasked, done.runs) == (("North", "South"), (), (), True)
    north, south = asked(office, "north"), asked(office, "south")
    assert "Do you agree?" in north.subject and token(north) != token(south)
    said = flat(north.text)
    assert "The umpire puts this to everybody" in said and "The reason: the map was wrong" in said
    assert "when all have agreed: North and South. If one says no, it is not." in said
    back(office, "north")
    assert not undone(office)
    answer = flat(office.newest("reply-").text)
    assert "You have agreed to this" in answer and "South has not agreed yet." in answer
    back(office, "south")
    assert undone(office) and "All have agreed" in flat(office.newest("reply-").text)
    why = office.open().ledger.records[-1].record["why"]
    assert why == f"the map was wrong (agreed on in letters: North and South) (proposal {done.id})"
    for sent in office.queued("undo-"):
        assert (
            "All who were asked have agreed in letters." in flat(sent.text)
            and "decided it alone" not in sent.text
        )
    assert office.round() == [] and not verify(office.game).failures


def test_one_no_ends_it_and_everybody_hears_of_it(office: OfficeTable) -> None:
    undo(office)
    north, south = asked(office, "north"), asked(office, "south")
    back(office, "north")
    back(office, "south", "I do not agree.\n")
    assert "Your no is noted" in office.newest("reply-").subject + office.newest("reply-").text
    told = office.queued("refused-")
    assert {sent.to.split("<")[-1].strip(">") for sent in told} == {*ADDRESSES.values(), "cass@example.org"}
    for sent in told:
        assert "South has said no." in flat(sent.text) and "North had agreed. Nothing has changed." in flat(
            sent.text
        )
    back(office, "south", sent=south)
    back(office, "north", sent=north)
    assert not undone(office) and "your answer changes nothing" in flat(office.newest("reply-").text)
    undo_again = propose(office.env, office.game, UNDO, "please", slot=1)
    assert undo_again.asked, "it may be asked again, with other tokens"
    back(office, "north", sent=north)
    back(office, "south", sent=south)
    assert not undone(office), "yesterday's yes is none to today's question"


def test_a_yes_of_somebody_else_is_none(office: OfficeTable) -> None:
    undo(office)
    north, south = asked(office, "north"), asked(office, "south")
    back(office, "north")
    others = [sent for sent in office.queued() if ADDRESSES["south"] not in sent.to]
    assert all(token(south) not in sent.subject + sent.text for sent in others)
    code = office.code("south")
    for body, subject, sender in (
        ("yes\n", f"Re: (code {code})", ""),
        ("yes\n", f"Re: (code {code}) (answer {token(north)})", ""),
        ("yes\n", f"Re: (code {code}) (answer {token(south)})", "mallory@example.net"),
        ("yes\n", f"Re: (answer {token(south)})", ""),
        ("> yes\n", f"Re: {south.subject}", ""),
        ("Nora wrote:\n> I agree\n\nWhy should I?\n", f"Re: {south.subject}", ""),
        ("yes, if it is turn 2\n", f"Re: {south.subject}", ""),
    ):
        office.letter("south", body, subject, sender=sender)
        office.round()
        assert not undone(office), (body, subject, sender)
    office.letter("south", "yes\n", f"Re: {south.subject}", Auto_Submitted="auto-replied")
    office.round()
    assert not undone(office)


def test_i_agree_without_the_token_is_answered_by_the_question(office: OfficeTable) -> None:
    undo(office)
    back(office, "north")
    before = len(office.queued("agree-"))
    office.letter("south", "I agree to the undo.\n", f"my game (code {office.code('south')})")
    office.round()
    assert not undone(office) and len(office.queued("agree-")) == before + 1
    back(office, "south", "I agree to the undo.\n")
    assert undone(office)


def test_what_is_played_meanwhile_ends_it(office: OfficeTable) -> None:
    undo(office)
    south = asked(office, "south")
    back(office, "north")
    turn(office)
    told = office.queued("lapsed-")
    assert len(told) == 3 and "has been played" in flat(told[0].text)
    back(office, "south", sent=south)
    assert not undone(office)


def test_a_word_in_between_asks_nobody_again_who_said_yes(office: OfficeTable) -> None:
    undo(office)
    back(office, "north")
    say(office.env, office.game, "Merry Christmas")
    office.round()
    back(office, "south")
    assert undone(office)


def test_who_takes_a_seat_over_is_asked_himself(office: OfficeTable) -> None:
    settings = office.root / "pbem.toml"
    settings.write_text(
        settings.read_text() + '[players.nick]\nname = "Nick"\naddress = "nick@example.com"\n'
    )
    undo(office)
    back(office, "north")
    substitute(office.env, office.game, "Nora moves", "north", "nick")
    office.round()
    assert any("nick@example.com" in sent.to for sent in office.queued("agree-"))
    back(office, "south")
    assert not undone(office)


def test_a_yes_among_orders_is_not_passed_over_in_silence(office: OfficeTable) -> None:
    undo(office)
    (seat,) = office.open().announced()["waits"]
    back(office, seat, "yes\n\n" + pull(seat))
    assert "only they were read" in flat(office.newest("reply-").text)


def test_where_something_is_hidden_the_question_has_the_reason_and_no_more(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    HuntingTable.hunt(office)  # type: ignore[arg-type]
    settings = office.root / "pbem.toml"
    seats = '[games.hunt-0a1b2c]\nseats = { hounds = "nora", foxes = "sam" }\n'
    settings.write_text(settings.read_text() + seats)
    HuntingTable.play(office, HOUNDS, FIRST)  # type: ignore[arg-type]
    done = propose(
        office.env, office.game, CORRECT, "misread", orders={HOUNDS: ("h.yaml", b"nobody: true\n")}
    )
    assert done.lines, "the umpire sees what would be different"
    for sent in office.queued("agree-"):
        said = flat(sent.text)
        assert "you consent unseen" in said and "thing is different" not in said
        assert not list(sent.message.iter_attachments())
        assert not any(line and line in said for line in done.lines)


def test_the_umpire_takes_it_back(office: OfficeTable) -> None:
    done = undo(office)
    with pytest.raises(Refused):
        undo(office)
    with desk(office.env, office.root) as found:
        (row,) = found.waiting()
        assert row.id == done.id and row.waits_for == ("North", "South")
        found.decide(done.id, yes=False, why="I was wrong")
    assert all("He writes: I was wrong" in flat(sent.text) for sent in office.queued("taken-back-"))
    back(office, "north")
    back(office, "south")
    assert not undone(office)


def test_a_seat_with_a_key_signs(tmp_path: Path) -> None:
    office = played(OfficeTable(tmp_path), ("south",))
    done = undo(office)
    assert (done.asked, done.signing) == (("North",), ("South",))
    ask = asked(office, "south")
    assert f"pbem consent {office.open().id}.zip --to 1 --key KEY -o consent.txt" in flat(ask.text)
    assert [part.get_filename() for part in ask.message.iter_attachments()] == [f"{office.open().id}.zip"]
    back(office, "south")
    assert "so a yes is a file that you sign" in flat(office.newest("agree-").text)
    signed(office, "south", {"to": 1})
    assert "North has not agreed yet." in flat(office.newest("reply-").text) and not undone(office)
    # A word makes the signature stale: he is asked again, and who said yes is not.
    say(office.env, office.game, "Merry Christmas")
    office.round()
    assert asked(office, "south").key != ask.key
    back(office, "north")
    assert not undone(office)
    signed(office, "south", {"to": 1})
    assert undone(office)
    record = office.open().ledger.records[-1].record
    assert [one["seat"] for one in record["consents"]] == ["south"] and not verify(office.game).failures


def test_a_consent_to_something_else_is_told_and_does_not_count(tmp_path: Path) -> None:
    office = played(OfficeTable(tmp_path), ("south",))
    turn(office)
    undo(office)
    back(office, "north")
    signed(office, "south", {"to": 2})
    assert "What everybody is asked now is something else" in flat(office.newest("reply-").text)
    assert not undone(office)


def test_a_ruling_that_all_agree_on(tmp_path: Path) -> None:
    office = played(OfficeTable(tmp_path), ("south",))
    propose(office.env, office.game, RULE, "a knot was missed", patch=[OTHER])
    ask = asked(office, "south")
    act = next(part for part in ask.message.iter_attachments() if part.get_filename() == "act.json")
    proposed = read_act(office.open(), act.get_content().strip().encode() + b"\n")
    assert "1 thing is different: rope" in flat(asked(office, "north").text)
    signed(office, "south", {"act": proposed["act"]})
    back(office, "north")
    record = office.open().ledger.records[-1].record
    assert record["type"] == RULE and act_of(record) == proposed["act"] and office.open().state.rope == 2
    assert "agreed on in letters: North" in record["why"] and not verify(office.game).failures
    assert office.round() == []


def test_a_correction_is_asked_again_when_something_was_said(office: OfficeTable) -> None:
    (seat,) = office.open().ledger.slots[1].waits
    other = "south" if seat == "north" else "north"
    propose(office.env, office.game, CORRECT, "misread", orders={seat: ("w.yaml", b"nobody: true\n")})
    old = asked(office, other)
    back(office, seat)
    back(office, other)
    game = office.open()
    assert game.ledger.records[-1].record["type"] == CORRECT and game.ledger.slots[2].corrects == 1
    assert not verify(office.game).failures
    assert old.key.startswith("agree-")


def test_at_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office = OfficeTable(tmp_path)
    office.at_the_terminal(monkeypatch)
    played(office)
    wanted = ["umpire", "rule", str(office.game), "--set", "rope=2", "--why", "a knot was missed", "--ask"]
    found = json.loads(CliRunner().invoke(cli, [*wanted, "--json"]).stdout)
    jsonschema.validate(found, SCHEMA)
    assert found["asked"] == ["North", "South"] and "rope" in found["different"][0]
    again = CliRunner().invoke(cli, wanted)
    assert again.exit_code == 1 and f"({found['proposal']})" in again.stderr
    assert CliRunner().invoke(cli, ["umpire", "refuse", str(office.root), found["proposal"]]).exit_code == 0
    said = CliRunner().invoke(cli, ["undo", str(office.game), "--to", "1", "--ask"]).stdout
    assert "By letter, with a yes: North and South." in said and "pbem umpire pause" in said
    assert not undone(office)


def test_the_book_is_private_and_may_be_damaged(office: OfficeTable) -> None:
    undo(office)
    book = office.root / "post" / "proposals.json"
    assert book.stat().st_mode & 0o077 == 0 and json.loads(book.read_text())[0]["state"] == "open"
    book.write_text('[{"id": 7}]')
    back(office, "north")
    back(office, "south")
    assert not undone(office)


def test_a_fall_between_the_ledger_and_the_book_does_it_once(office: OfficeTable) -> None:
    undo(office)
    back(office, "north")
    book = office.root / "post" / "proposals.json"
    before = book.read_bytes()
    back(office, "south")
    assert undone(office)
    n = office.open().ledger.next_n
    book.write_bytes(before)
    office.round()
    office.round()
    assert office.open().ledger.next_n == n and not office.queued("lapsed-")
