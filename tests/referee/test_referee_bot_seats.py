"""A bot in a seat of a game by mail: it orders in the round, what it does can be worked out again, and
everybody is told that nobody sits there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from office_table import ADDRESSES, DEADLINES, OfficeTable
from table import pull

from pbem.proof.acts import acts
from pbem.proof.relied import relied
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.round_bots import MOST
from pbem.referee.mail.umpire_time import pause, resume
from pbem.referee.mail.umpire_word import substitute
from pbem.referee.proving.bot_check import DIFFERS, SAME, bot_lines, bots_in
from pbem.referee.proving.verify import verify
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.bot_orders import bot_in, written_by
from pbem.referee.turn.submit import submit
from pbem.referee.turn.undo import undo

SOUTH = 'bots = { south = "random" }'
BOTH = 'bots = { north = "random", south = "random" }'


def table(tmp_path: Path, game: str, keyed: tuple[str, ...] = ()) -> OfficeTable:
    office = OfficeTable(tmp_path, DEADLINES + f"\n[games.game]\n{game}\n")
    office.new(keyed=keyed, umpire=True)
    return office


def begun(tmp_path: Path, game: str = SOUTH) -> OfficeTable:
    office = table(tmp_path, game)
    office.round()
    office.letter("north", "Yes, I play!\n")
    office.round()
    return office


def flat(text: str) -> str:
    return " ".join(text.split())


def play(office: OfficeTable, rounds: int) -> None:
    """Let North order where it is waited for, and the rounds do the rest."""
    for number in range(rounds):
        office.later(hours=1)
        if not office.open().ledger.over and "north" in office.open().announced()["waits"]:
            office.letter("north", pull("north") + f"luck: seven drunken herons {number}\n")
        office.round()


def test_a_bot_joins_orders_and_is_named_in_the_ledger(tmp_path: Path) -> None:
    office = begun(tmp_path)
    assert office.open().ledger.started
    play(office, 3)
    ledger = office.open().ledger
    ordered = [slot.number for slot in ledger.slots.values() if slot.entries["south"].sha512 is not None]
    assert ordered
    noted = [one for one in relied(ledger) if one.seat == "south"]
    assert [one.slot for one in noted] == [0, *ordered]
    assert {bot_in(one.said) for one in noted} == {"random"}
    assert not verify(office.game).failures
    # whoever has the archive writes its orders again
    assert [(one.slot, one.seat, one.bot, one.answer) for one in bots_in(office.open())] == [
        (number, "south", "random", SAME) for number in (0, *ordered)
    ]
    (line,) = bot_lines(office.game, office.env.engine())
    assert (
        line.startswith("south was played by the bot random in slot") and "nothing in them to choose" in line
    )


def test_letters_and_reports_say_that_a_program_plays(tmp_path: Path) -> None:
    office = begun(tmp_path)
    play(office, 3)
    assert {sent.to for sent in office.queued()} == {f"North <{ADDRESSES['north']}>"}
    letters = [flat(sent.text) for sent in office.queued("turn-")]
    assert "the bot random" in letters[0]
    assert any("South was played by the bot random, a program" in letter for letter in letters[1:])


def test_two_bots_play_on_a_few_turns_a_round_until_the_end(tmp_path: Path) -> None:
    office = table(tmp_path, BOTH)
    rounds, slots = 0, [0]
    while not (slots[-1] and office.open().ledger.over):
        assert not [step for step in office.round() if step.what == "trouble"]
        slots.append(len(office.open().ledger.slots))
        assert 0 < slots[-1] - slots[-2] <= MOST
        rounds += 1
    assert rounds > 1
    assert {sent.to for sent in office.queued()} <= {"cass@example.org"}
    assert {one.answer for one in bots_in(office.open())} == {SAME}
    assert office.round() == []


def test_a_silent_player_is_replaced_by_a_bot_and_comes_back(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    office.round()
    (seat,) = office.open().announced()["waits"]
    other = "south" if seat == "north" else "north"
    spoken = substitute(office.env, office.game, "nobody has heard of him", seat, "bot-random")
    was = str(spoken.said["was"])
    assert acts(office.open().ledger)[-1].said.startswith(f"substitute of {seat} by bot-random, before {was}")
    assert "resolved" in {step.what for step in office.round()}
    told = {sent.to: flat(sent.text) for sent in office.queued("change-")}
    assert "From now on the bot random plays" in told[f"{other.capitalize()} <{ADDRESSES[other]}>"]
    assert "has given" in told[f"{seat.capitalize()} <{ADDRESSES[seat]}>"] and len(told) == 2
    with pytest.raises(Refused) as refused:
        substitute(office.env, office.game, "x", seat, "bot-random")
    assert refused.value.problems[0].code == "word.same-player"
    substitute(office.env, office.game, "he is back", seat, was)
    slots = len(office.open().ledger.slots)
    assert {step.what for step in office.round()} == {"told"} and len(office.open().ledger.slots) == slots
    assert not verify(office.game).failures


@pytest.mark.parametrize(
    ("game", "keyed", "why"),
    [
        ('bots = { south = "sargent" }', (), "there is no bot 'sargent' for this game"),
        (SOUTH, ("south",), "no bot signs"),
    ],
)
def test_a_bot_that_cannot_play_is_told_to_the_umpire(
    tmp_path: Path, game: str, keyed: tuple[str, ...], why: str
) -> None:
    office = table(tmp_path, game, keyed)
    assert [step.said for step in office.round() if step.what == "trouble" and why in step.said]


def test_the_umpire_hears_of_a_wrong_bot_before_its_turn(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.started(keyed=(), umpire=True)
    (seat,) = office.open().announced()["waits"]
    other = "south" if seat == "north" else "north"
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text() + f'[games.game]\nbots = {{ {other} = "sargent" }}\n')
    (said,) = [step.said for step in office.round() if step.what == "trouble"]
    assert "there is no bot 'sargent' for this game" in said


def test_a_pause_an_undo_and_a_release_go_on_working(tmp_path: Path) -> None:
    office = table(tmp_path, BOTH + '\nrelease = "by hand"')
    office.round()
    locked = office.open().ledger.locked
    assert locked is not None and locked.number == 1
    office.round()
    again = office.open().ledger.locked
    assert again is not None and again.entries == locked.entries
    office.resolve()
    pause(office.env, office.game, "a wedding")
    before = len(office.open().ledger.records)
    office.round()
    assert len(office.open().ledger.records) == before
    resume(office.env, office.game, "they are married")
    undo(office.env, office.game, 1, "the wrong map")
    office.round()
    again = office.open().ledger.locked
    # another slot has another value, so what the bots write for it are other files
    assert again is not None and again.number == 2 and again.entries != locked.entries


def test_orders_that_another_hand_wrote_for_a_bot_are_found(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path)
    office.new(keyed=(), umpire=True)
    admit_words(office.env, office.game, "north", "the bot random plays this seat", written_by("random"))
    admit_words(office.env, office.game, "south", "words tried until they fit", written_by("random"))
    (seat,) = office.open().announced()["waits"]
    data = (pull(seat) + "luck: whatever suits the umpire\n").encode()
    submit(office.env, office.game, "x.yaml", data, seat=seat, came=written_by("random"), meant=True)
    office.resolve()
    assert [one.answer for one in bots_in(office.open())] == [SAME, DIFFERS, DIFFERS]
    join, line = bot_lines(office.game, office.env.engine())
    assert join.startswith("the join of south is NOT that of the bot random")
    assert line.startswith(f"slot 1: the orders of {seat} are NOT those that the bot random writes")


def test_a_bot_gives_its_words_where_the_umpire_plays_himself(tmp_path: Path) -> None:
    office = OfficeTable(tmp_path, DEADLINES + f"\n[games.game]\n{SOUTH}\n")
    office.new(keyed=())
    office.round()
    assert office.open().announced()["waits"] == ["north"]
    office.orders("north", pull("north"))
    office.round()
    luck = {number: slot.luck for number, slot in office.open().ledger.slots.items()}
    assert luck and all("south" in words for words in luck.values())
    found = bots_in(office.open())
    assert {one.answer for one in found} == {SAME} and len({one.slot for one in found}) == len(found)
