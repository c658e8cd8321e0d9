"""What the umpire says beside time: signed, told to everybody whom it concerns, and what follows from it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from office_table import ADDRESSES, DEADLINES, OfficeTable
from table import pull

from pbem.proof.acts import acts
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.stands import stands
from pbem.referee.mail.umpire_time import extend, pause
from pbem.referee.mail.umpire_word import AS_IT_STANDS, end, reopen, say, standing_of, substitute, write_to
from pbem.referee.proving.mend import mend
from pbem.referee.proving.verify import verify

RESULTS = json.loads((Path(__file__).parents[2] / "schemas/results.schema.json").read_text())
CARL = '[players.carl]\naddress = "carl@example.com"\nzone = "Asia/Tokyo"\n'
MISSED = DEADLINES + "missed = { strike = 1, loss = 2 }\n"


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    return begun(OfficeTable(tmp_path))


def begun(office: OfficeTable) -> OfficeTable:
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text() + CARL)
    office.started(keyed=(), umpire=True)
    office.round()
    return office


def open_seat(office: OfficeTable) -> tuple[str, str]:
    seat = str(office.open().announced()["waits"][0])
    return seat, "south" if seat == "north" else "north"


def flat(text: str) -> str:
    return " ".join(text.split())


def changes(office: OfficeTable) -> dict[str, str]:
    """Return the letters about changes, by the address that each went to; the newest of each."""
    found = {}
    for sent in office.queued("change-"):
        found[sent.message["To"].addresses[0].addr_spec] = flat(f"{sent.subject} {sent.text}")
    return found


def wrong(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.problems[0].code


def only(office: OfficeTable) -> str:
    (act,) = [one.said for one in acts(office.open().ledger)]
    return act


# --- a word to all, or to some


def test_a_word_to_all_is_signed_and_told_once(office: OfficeTable) -> None:
    say(office.env, office.game, "the rope is wet")
    assert only(office) == "say at slot 1, on the word of the GM: the rope is wet"
    assert [(step.what, step.seat) for step in office.round()] == [("told", "north"), ("told", "south")]
    for letter in changes(office).values():
        assert "A word from the umpire" in letter and "The umpire says: the rope is wet." in letter
    assert office.round() == []
    assert not verify(office.game).failures


def test_a_word_to_one_is_a_letter_and_no_record(office: OfficeTable) -> None:
    records = len(office.open().ledger.records)
    assert write_to(office.env, office.game, "your luck is odd", ["south"]) == ("south",)
    (letter,) = office.queued("say-")
    assert ADDRESSES["south"] in letter.to and "your luck is odd" in letter.text
    assert "This letter has gone to you alone." in letter.text
    assert len(office.open().ledger.records) == records
    with pytest.raises(Refused) as refused:
        write_to(office.env, office.game, "x", ["pink"])
    assert wrong(refused) == "time.no-seat"


def test_a_word_to_the_club_goes_once_to_each_who_plays(office: OfficeTable) -> None:
    assert write_to(office.env, office.root, "closed over Christmas") == ("North", "South")
    assert len(office.queued("say-")) == 2
    end(office.env, office.game, "x", "adjudicated", "draw")
    with pytest.raises(Refused) as refused:
        write_to(office.env, office.root, "and the year after")
    assert wrong(refused) == "word.nobody"


# --- another player


def test_a_substitute_gets_all_he_needs_and_everybody_knows(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    old = office.code(seat)
    office.later(days=1)
    spoken = substitute(office.env, office.game, "he moves house", seat, "carl")
    assert office.code(seat) != old
    was = "nora" if seat == "north" else "sam"
    assert only(office).startswith(
        f"substitute of {seat} by carl, before {was}, until {spoken.said['until']}"
    )
    assert {(step.what, step.seat) for step in office.round()} == {("told", "north"), ("told", "south")}
    letters = changes(office)
    new, gone, stays = letters["carl@example.com"], letters[ADDRESSES[seat]], letters[ADDRESSES[other]]
    assert office.code(seat) in new and "in the place of" in new and "It is your move" in new
    assert "The reason: he moves house." in new and "(Asia/Tokyo)" in new
    assert (
        "You do not play" in gone and "your orders for it are not taken" in gone and "he moves house" in gone
    )
    assert office.code(seat) not in gone + stays
    assert "From now on carl plays" in stays and "The reason: he moves house. The deadline:" in stays
    assert office.round() == [] and not verify(office.game).failures


def test_a_substitute_has_the_whole_time_again_but_nobody_has_less(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    served = next(iter(office.house().games.values()))
    before = served.deadline()
    office.later(days=2)
    substitute(office.env, office.game, "x", seat, "carl")
    after = next(iter(office.house().games.values())).deadline()
    assert before is not None and after is not None and (after - before).days == 2
    extend(office.env, office.game, "x", by=10 * 1440)
    assert (
        "until"
        not in substitute(office.env, office.game, "back", seat, "nora" if seat == "north" else "sam").said
    )
    assert "until" not in substitute(office.env, office.game, "x", other, "carl").said


def test_the_old_code_is_worth_nothing_and_the_new_one_counts(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    old = office.code(seat)
    substitute(office.env, office.game, "x", seat, "carl")
    office.round()
    orders = pull(seat) + "luck: seven drunken herons\n"
    office.letter(seat, orders, f"Re: (code {old})")
    office.letter(seat, orders, f"Re: (code {old})", sender="carl@example.com")
    office.round()
    assert office.open().announced()["slot"] == 1 and not office.open().ledger.slots
    office.letter(seat, orders, sender="carl@example.com")
    office.round()
    assert office.open().ledger.slots


def test_the_misses_of_the_one_before_are_not_those_of_the_substitute(tmp_path: Path) -> None:
    office = begun(OfficeTable(tmp_path, MISSED))
    seat, other = open_seat(office)
    office.later(days=5)
    office.round()
    office.letter(other, pull(other) + "luck: eleven clean spoons\n")
    office.round()
    while open_seat(office)[0] != seat:
        office.letter(other, pull(other) + f"luck: {len(office.open().ledger.slots)} clean spoons more\n")
        office.round()
    assert "you lose the game" in " ".join(flat(sent.text) for sent in office.queued("turn-"))
    substitute(office.env, office.game, "x", seat, "carl")
    office.round()
    assert "that is a strike: 1 missed deadline" in changes(office)["carl@example.com"]


def test_another_player_in_the_settings_is_not_undone_by_an_older_word(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    substitute(office.env, office.game, "x", seat, "carl")
    assert next(iter(office.house().games.values())).players[seat].id == "carl"
    toml = office.root / "pbem.toml"
    toml.write_text(
        toml.read_text() + '[players.dora]\naddress = "dora@example.com"\n'
        f'[games.{office.open().id}]\nseats = {{ {seat} = "dora" }}\n'
    )
    assert next(iter(office.house().games.values())).players[seat].id == "dora"


@pytest.mark.parametrize(
    ("player", "code"), [("zoe", "word.no-player"), ("nora", "word.same-player"), ("sam", "word.both-sides")]
)
def test_who_cannot_take_a_seat(office: OfficeTable, player: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        substitute(office.env, office.game, "x", "north", player)
    assert wrong(refused) == code


def test_a_seat_with_a_key_needs_another_key_first(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text() + CARL)
    office.started(keyed=("south",), umpire=True)
    with pytest.raises(Refused) as refused:
        substitute(office.env, office.game, "x", "south", "carl")
    assert wrong(refused) == "word.has-key"


# --- the end


def test_a_game_ends_by_a_word(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    say(office.env, office.game, "I have your letter")
    end(office.env, office.game, "his letter of Friday", "resigned", "", [seat])
    side = office.open().sides[other]
    now = stands(next(iter(office.house().games.values())))
    assert now.over and now.why == f"{now.winner and ''}{seat.capitalize()} resigned"
    assert {(step.what, step.seat) for step in office.round()} == {("told", "north"), ("told", "south")}
    for letter in changes(office).values():
        assert f"{seat.capitalize()} resigned, so {other.capitalize()} has won." in letter
        assert (
            "The reason: his letter of Friday." in letter and "The umpire says: I have your letter." in letter
        )
        assert "The score as it stands" in letter and "he can let the game go on" in letter
    assert office.round() == [] and not verify(office.game).failures
    results = json.loads((office.game / "results.json").read_text())
    jsonschema.validate(results, RESULTS)
    assert (results["winner"], results["why"]) == (side, "resigned")
    assert results["word"] == {"how": "resigned", "by": [seat], "why": "his letter of Friday"}


def test_an_ended_game_takes_no_orders_and_is_never_due(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    end(office.env, office.game, "x", "adjudicated", "draw")
    office.round()
    office.later(days=30)
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    assert {step.what for step in office.round()} == {"unused", "answered"}
    said = flat(office.newest("reply-").text)
    assert "The game is over: adjudicated by the umpire." in said
    for verb in (
        lambda: say(office.env, office.game, "x"),
        lambda: pause(office.env, office.game, "x"),
        lambda: end(office.env, office.game, "x", "adjudicated", "draw"),
        lambda: substitute(office.env, office.game, "x", seat, "carl"),
    ):
        with pytest.raises(Refused) as refused:
            verb()
        assert wrong(refused) == "time.over"


def test_an_end_is_taken_back_and_everything_goes_on(office: OfficeTable) -> None:
    seat, other = open_seat(office)
    office.letter(seat, pull(seat))
    office.round()
    end(office.env, office.game, "x", "agreed", "draw", ["north", "south"])
    office.round()
    assert "ended as a draw, which North and South agreed on" in changes(office)[ADDRESSES[other]]
    reopen(office.env, office.game, "the other game was meant")
    results = json.loads((office.game / "results.json").read_text())
    assert results["winner"] == "" and "word" not in results
    office.round()
    for letter in changes(office).values():
        assert "taken back the end of this game" in letter and "the other game was meant" in letter
        assert "The deadline:" in letter
    office.letter(seat, "luck: seven drunken herons\n")
    assert "resolved" in [step.what for step in office.round()]
    assert not verify(office.game).failures
    with pytest.raises(Refused) as refused:
        reopen(office.env, office.game, "x")
    assert wrong(refused) == "word.not-ended"


def test_an_end_and_its_way_back_between_two_rounds_are_both_told(office: OfficeTable) -> None:
    end(office.env, office.game, "a slip", "adjudicated", "draw")
    reopen(office.env, office.game, "sorry")
    office.round()
    for letter in changes(office).values():
        assert "gives it as a draw. The reason: a slip." in letter
        assert "taken back the end of this game" in letter


def test_the_score_as_it_stands(office: OfficeTable) -> None:
    now = standing_of(office.game)
    assert [side for side, _, _ in now.score] == ["north", "south"] and now.leads == "draw"
    assert end(office.env, office.game, "time", "adjudicated", AS_IT_STANDS).said == {
        "how": "adjudicated",
        "by": [],
    }
    with pytest.raises(Refused) as refused:
        standing_of(office.game)
    assert wrong(refused) == "time.over"


@pytest.mark.parametrize(
    ("winner", "by", "code"), [("pink", [], "word.no-side"), ("draw", ["pink"], "time.no-seat")]
)
def test_an_end_that_cannot_be(office: OfficeTable, winner: str, by: list[str], code: str) -> None:
    with pytest.raises(Refused) as refused:
        end(office.env, office.game, "x", "agreed", winner, by)
    assert wrong(refused) == code
    with pytest.raises(Refused) as refused:
        end(office.env, office.game, "x", "resigned", "", ["north", "south"])
    assert wrong(refused) == "word.who-won"


def test_files_in_force_are_laid_open_and_mending_leaves_the_end(office: OfficeTable) -> None:
    seat, _ = open_seat(office)
    office.letter(seat, pull(seat) + "luck: seven drunken herons\n")
    office.round()
    end(office.env, office.game, "x", "adjudicated", "draw")
    ledger = office.open().ledger
    assert not [one for one in verify(office.game).failures if one.code == "E00"], ledger.kept
    (office.game / "results.json").unlink()
    mend(office.env, office.game)
    assert json.loads((office.game / "results.json").read_text())["why"] == "adjudicated"
