"""What the letters of a game tell: whose move it is, what happened, what may be sent, and nothing that others
may not see yet.
"""

from __future__ import annotations

import email
import email.policy
import io
import re
import shutil
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image as Picture
from siege_words import find
from table import Table, pull

from pbem.post.mail.mime import read as read_letter
from pbem.post.write.news import go_request, invitation, reminder, turn
from pbem.post.write.parts import About, Until
from pbem.post.write.writing import Cover, Office, Person, plain, write
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.mail import letters
from pbem.referee.pages.forecasting import BYTES, forecast_picture, normal_form
from pbem.referee.pages.letter_pictures import BUDGET, pictures_of, within
from pbem.referee.play.demo import find_example
from pbem.referee.play.playthrough import Playthrough, read_script
from pbem.referee.proving.verify import verify
from pbem.referee.turn.check import check
from pbem.referee.turn.submit import submit
from pbem.store.keys import Keyring
from pbem.store.library import common_words
from pbem.text.report import Code
from pbem.text.words import speaking

NOW = datetime(2026, 11, 20, 17, 30, tzinfo=UTC)
UNTIL = Until(NOW + timedelta(days=2), "Europe/London", NOW)
COVER = Cover("a-letter", NOW, Office("games@office.example", "The office"), Person("bob@example.com", "Bob"))


def about(game: Game, seat: str) -> About:
    return About(game.id, game.ground.title, seat, seat.capitalize(), "now", "k7fp-q2mx")


def said(game: Game, seat: str, slot: int | None = None, **more: bool) -> str:
    number = game.ledger.state_slot if slot is None else slot
    return plain(
        turn(
            letters.turn_of(game, number, seat, about(game, seat), UNTIL, pictures=False, **more),
            common_words(),
        )
    )


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Return the Alder Ford before the second order file of west."""
    root = tmp_path_factory.mktemp("ford")
    play = Playthrough(read_script(find_example("alder-ford")), root / "game", root / "home", pictures=False)
    for _ in play.play():
        game = open_game(root / "game")
        if game.ledger.newest_slot == 2 and game.ledger.state_slot == 2:
            return game
    raise AssertionError


def test_the_letter_of_the_one_who_is_to_move(ford: Game) -> None:
    told = letters.turn_of(ford, 2, "west", about(ford, "west"), UNTIL, pictures=False)
    assert told.headline == "Turn 1, The Reeve of Westry to move"
    assert (told.asked, told.luck, told.over, told.otherwise) == ("orders", True, False, "silent")
    assert told.sheet is not None
    assert told.sheet.name == "orders-t1-west.yaml"
    assert told.sheet.data.decode().startswith(
        "# Toll at the Alder Ford: orders for turn 1, The Reeve of\n# Westry\n"
    )
    assert told.example == (), "the samples show how orders look"
    (shown,) = (block.text.split("\n") for block in told.now if isinstance(block, Code))
    assert all(line.startswith("| ") for line in shown)
    assert {line for line in shown if line.endswith(":")} >= {
        "| shoot:",
        "| move:",
        "| fight:",
        "| standing:",
    }
    text = said(ford, "west")
    for part in (
        "It is your move.",
        "How to answer",
        "orders-t1-west.yaml",
        "Your code is k7fp-q2mx",
        "luck: any words",
        "The map in words",
    ):
        assert part in text, part
    assert "What happened:" not in text, "the report has told it"
    # What is shown is an order file: it is understood as it stands, without a doubt.
    checked = check(ford, "example.yaml", "".join(f"{line[2:]}\n" for line in shown).encode(), "west")
    assert checked.ok
    assert checked.doubts == ()


def test_the_letter_of_the_other_one(ford: Game) -> None:
    told = letters.turn_of(ford, 2, "east", about(ford, "east"), UNTIL, pictures=False)
    assert (told.asked, told.sheet, told.example, told.luck) == ("", None, (), False)
    assert told.movers == ("The Reeve of Westry",)
    assert told.used[-1] != ""
    text = said(ford, "east")
    assert "It is not your move: the game waits for The Reeve of Westry." in text
    assert "Your orders as they were used" in text
    assert "How to answer" not in text


def test_everybody_finds_all_his_men_with_hex_values_and_what_they_can_do(ford: Game) -> None:
    for seat, can in (("west", "to move, for instance to"), ("east", "")):
        text = said(ford, seat)
        men = text.partition("Your men\n")[2].partition(
            "What you can send now" if can else "The Reeve of Westry\n---"
        )[0]
        for unit in ford.state.units.values():
            row = (
                rf"^{unit.id} +{unit.at[0]} +\d+-\d+-\d+ +\S"
                if unit.living
                else rf"No longer there: .*{unit.id}"
            )
            assert bool(re.search(row, men, re.MULTILINE)) == (unit.side == seat), unit.id
        assert can in men


def test_what_another_gave_for_the_dice_is_not_told_as_if_one_had_typed_it_oneself(ford: Game) -> None:
    mover, other = said(ford, "west", 1), said(ford, "east", 1)
    assert mover.count("You typed: ") == 1
    assert "You typed" not in other
    assert "words for the dice: " in other
    assert "seats/" not in mover + other, "paths of an archive are nothing to a reader of letters"


def test_an_earlier_slot_asks_for_nothing(ford: Game) -> None:
    told = letters.turn_of(ford, 1, "west", about(ford, "west"), UNTIL, pictures=False)
    assert (told.asked, told.sheet, told.movers) == ("", None, ())
    assert told.headline == "Setup, The Reeve of Westry: what happened"
    assert told.gave.startswith("You typed: ")


def test_the_beginning_of_a_game(ford: Game) -> None:
    text = said(ford, "west", 0)
    assert "the game begins" in text
    assert "You typed" not in text


def test_a_turn_letter_goes_out_and_nobody_reads_orders_in_it(ford: Game) -> None:
    told = letters.turn_of(ford, 2, "west", about(ford, "west"), UNTIL, archive=True, pictures=False)
    posted = write(turn(told, common_words()), COVER)
    assert read_letter(posted.data).automatic == "own"
    message = email.message_from_bytes(posted.data, policy=email.policy.default)
    assert [part.get_filename() for part in message.walk() if part.get_filename()] == [
        "orders-t1-west.yaml",
        "alder-ford-e1f00d.zip",
    ]
    assert max(len(line) for line in posted.data.split(b"\r\n")) <= 78
    quoted = "\n".join(f"> {line}" for line in said(ford, "west").split("\n"))
    head = (
        "From: bob@example.com\r\nTo: games@office.example\r\nSubject: Re: turn\r\nContent-Type: "
        "text/plain; charset=utf-8\r\n\r\n"
    )
    assert (
        find(
            read_letter((head + "Thanks!\n\nOn Friday, games@office.example wrote:\n" + quoted).encode())
        ).data
        == b""
    )


def test_of_a_quoted_letter_in_another_language_nothing_is_read_but_what_stands_above(ford: Game) -> None:
    head = (
        "From: bob@example.com\r\nTo: games@office.example\r\nSubject: AW: Runde 1\r\nContent-Type: "
        "text/plain; charset=utf-8\r\n\r\n"
    )
    own = "move:\n- edwold to 0409\n"
    with speaking("de"):
        text = said(ford, "west")
        sheet = letters.sheet_of(ford, "west")
    assert text.startswith("pbem: bitte über dieser Zeile schreiben\n") and sheet is not None
    quoted = "\n".join(f"> {line}" for line in text.split("\n"))
    for below in (
        f"\nAm 20. November 2026 um 21:12 schrieb The office <games@office.example>:\n{quoted}",
        f"\nVon: The office <games@office.example>\nGesendet: Freitag, 20. November 2026 21:12\n"
        f"An: Bob\nBetreff: Runde 1\n\n{text}",
        f"\n{text}",
    ):
        assert find(read_letter((head + own + below).encode())).data.decode().strip() == own.strip()
    chosen = sheet.data.replace(b"#- edwold to", b"- edwold to", 1)
    assert chosen != sheet.data and check(ford, sheet.name, chosen, "west").ok


def test_a_sheet_that_comes_back_with_one_line_uncommented_is_an_order_file(ford: Game) -> None:
    sheet = letters.sheet_of(ford, "west")
    assert sheet is not None
    chosen = sheet.data.replace(b"#- edwold to", b"- edwold to", 1)
    assert chosen != sheet.data
    checked = check(ford, sheet.name, chosen, "west")
    assert checked.ok, checked.problems
    assert any(line.startswith("edwold ") for line in checked.understood)


def test_the_archive_of_a_letter_verifies_and_holds_nothing_that_is_secret(
    ford: Game, tmp_path: Path
) -> None:
    west = b"side: west\nluck: seven drunken herons\nmove:\n- edwold to 0409\n"
    where = tmp_path / "copy"
    shutil.copytree(ford.where, where)
    submit(Environment(Keyring(tmp_path / "home")), where, "west.yaml", west, seat="west", auto_lock=False)
    archive = letters.archive_of(open_game(where))
    assert archive is not None
    (tmp_path / "game.zip").write_bytes(archive.data)
    assert verify(tmp_path / "game.zip").verdict == "pass"
    names = zipfile.ZipFile(io.BytesIO(archive.data)).namelist()
    assert not [
        name for name in names if name.startswith(("mail/", "outbox/", "maps/")) or name == "game.toml"
    ]
    assert b"herons" not in b"".join(zipfile.ZipFile(io.BytesIO(archive.data)).read(name) for name in names)


def test_pictures_are_few_small_and_told_in_words(ford: Game) -> None:
    found = pictures_of(ford, 2)
    assert [picture.name for picture in found] == ["s0002.png", "s0002-1.png", "s0002-2.png", "s0002-3.png"]
    assert sum(len(picture.data) for picture in found) <= BUDGET
    for picture in found:
        image = Picture.open(io.BytesIO(picture.data))
        assert image.format == "PNG"
        assert 360 <= image.width <= 1000
        assert 20 <= len(picture.alt) <= 140
    assert within(found, len(found[0].data)) == found[:1]
    assert within(found, len(found[1].data)) == found[1:2]
    assert within(found, 10) == ()


def test_a_forecast_is_small_and_of_the_own_orders_alone(ford: Game) -> None:
    data = (find_example("alder-ford") / "orders" / "s03-west.yaml").read_bytes()
    checked = check(ford, "west.yaml", data, "west")
    picture = forecast_picture(ford, checked)
    assert picture is not None
    assert len(picture.data) <= BYTES
    assert Picture.open(io.BytesIO(picture.data)).width >= 360
    assert picture.alt == "A map of your orders: 12 ways, 1 shot and 3 attacks. Each is told in words below."
    assert normal_form(ford, checked)[:2] == ("seat: west", "turn: t1.west")
    wrong = check(ford, "west.yaml", b"move:\n- edwold to 9999\n", "west")
    assert (forecast_picture(ford, wrong), normal_form(ford, wrong)) == (None, ())
    nothing = check(ford, "west.yaml", b"move: []\n", "west")
    assert nothing.ok
    assert forecast_picture(ford, nothing) is None


def test_a_check_makes_no_picture(ford: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.rulesets.siege.views.foreseen.certain", lambda course: 1 / 0)
    data = (find_example("alder-ford") / "orders" / "s03-west.yaml").read_bytes()
    assert check(ford, "west.yaml", data, "west").ok


# --- on the toy's table: questions, locks, keys, the end


def test_a_question_is_put_in_the_letter(table: Table) -> None:
    table.started(keyed=(), options={"knots": "many"}, umpire=True)
    (seat,) = table.open().announced()["waits"]
    table.orders(seat, pull(seat, "luck: seven drunken herons\n"))
    table.resolve()
    game = table.open()
    asked = str(game.questions[0]["seat"])
    told = letters.turn_of(game, game.ledger.state_slot, asked, about(game, asked), UNTIL, pictures=False)
    assert (told.asked, told.otherwise) == ("answer", "answer")
    assert told.headline == f"Turn 1, {asked.capitalize()} to answer"
    assert told.example[0] == "answers:"
    assert check(game, "a.yaml", ("\n".join(told.example) + "\n").encode(), asked).ok
    assert "You are asked a question" in said(game, asked)
    other = letters.turn_of(
        game,
        game.ledger.state_slot,
        "north" if asked == "south" else "south",
        about(game, "x"),
        UNTIL,
        pictures=False,
    )
    assert (other.asked, other.sheet) == ("", None)


def test_a_request_for_words_and_its_reminder(table: Table) -> None:
    table.started(keyed=("south",))
    (seat,) = table.open().announced()["waits"]
    assert seat == "north"
    table.orders("north", pull("north"))
    table.lock()
    game = table.open()
    assert game.ledger.locked is not None
    text = plain(
        go_request(letters.go_request_of(game, "south", about(game, "south"), UNTIL), common_words())
    )
    assert "The orders of North are fixed (" in text
    assert "Run pbem go on your computer" in text
    reminded = letters.reminder_of(game, "south", about(game, "south"), UNTIL)
    assert (reminded.asked, reminded.sheet, reminded.program) == ("go", None, False)
    assert "your words are not here yet" in plain(reminder(reminded, common_words()))
    assert letters.headline(game, common_words()) == "Turn 1, South to give words"


def test_a_reminder_knows_a_draft(table: Table) -> None:
    table.started(keyed=(), umpire=True)
    (seat,) = table.open().announced()["waits"]
    first = letters.reminder_of(table.open(), seat, about(table.open(), seat), UNTIL)
    assert (first.has, first.asked, first.otherwise) == ("", "orders", "silent")
    assert first.sheet is not None
    table.orders(seat, pull(seat), auto_lock=False)
    later = letters.reminder_of(table.open(), seat, about(table.open(), seat), UNTIL)
    assert (later.has, later.otherwise) == ("draft", "draft")
    assert "luck: any words" in plain(reminder(later, common_words()))


def test_an_invitation(table: Table) -> None:
    table.new(keyed=("south",), umpire=True)
    game = table.open()
    told = letters.invitation_of(game, "south", about(game, "south"), "Cass")
    assert told.program
    assert told.archive is not None
    assert told.picture is not None
    text = plain(invitation(told, common_words()))
    assert "Cass asks you to play." in text
    assert "pbem join invitation.zip --key KEY -o join.txt" in text
    assert f"The invitation begins with {game.ledger.manifest_id[:16]}." in text
    bare = plain(invitation(letters.invitation_of(game, "north", about(game, "north")), common_words()))
    assert "    | yes, I play\n" in bare
    assert "pbem join" not in bare


def test_the_end_of_a_game(table: Table) -> None:
    table.started(keyed=())
    while not table.open().ledger.over:
        (seat,) = table.open().announced()["waits"]
        luck = f"luck: seven drunken herons {table.count}\n" if seat == "south" else ""
        asked = [str(question["id"]) for question in table.open().questions]
        yaml = f"{luck}answers:\n  {asked[0]}: hold\n" if asked else pull(seat, luck)
        table.orders(seat, yaml, auto_lock=False)
        for other in table.lock().asked:
            table.go(other, f"nine sober herons {table.count}")
        table.resolve()
    game = table.open()
    told = letters.turn_of(game, game.ledger.state_slot, "south", about(game, "south"), UNTIL, pictures=False)
    assert (told.over, told.asked, told.sheet) == (True, "", None)
    assert told.headline.startswith("The game is over")
    assert [name for name, _ in told.outcome] == ["North", "South"]
    text = said(game, "south")
    assert "This is the last letter of this game." in text
    assert "deadline" not in text
    assert re.search(r"^(North|South): \d+ points?", text, re.MULTILINE)
