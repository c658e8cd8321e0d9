"""Letters of every kind, as full as they get: made of a real game where that says most, of plain values
elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache

from msgspec.structs import replace

from pbem.core.problem import Problem
from pbem.post.lines.message import Repair
from pbem.post.write.answers import (
    AGAIN,
    ASKED,
    BESIDE,
    DRAFT,
    FINAL,
    REFUSED,
    STORED,
    Refusal,
    Reply,
    Stranger,
    enough,
    refusal,
    reply,
    stranger,
)
from pbem.post.write.news import GoRequest, Invitation, Reminder, Turn, go_request, invitation, reminder, turn
from pbem.post.write.parts import About, Until
from pbem.post.write.umpire import Passed, Thing, also_passed, for_a_person, passed, trouble
from pbem.post.write.writing import Attachment, Cover, Letter, Office, Person, Picture, Posted, write
from pbem.store.library import common_words
from pbem.text.located import Located
from pbem.text.report import (
    Code,
    Document,
    Facts,
    Heading,
    Image,
    Items,
    Paragraph,
    Quote,
    RollRow,
    RollTable,
)

NOW = datetime(2026, 11, 20, 17, 30, tzinfo=UTC)
ABOUT = About(
    "alder-ford-e1f00d", "Toll at the Alder Ford", "west", "West", "turn 3, West: movement", "k7fp-q2mx"
)
UNTIL = Until(NOW + timedelta(days=2, hours=3, minutes=30), "Europe/London", NOW)
PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    + (452).to_bytes(4, "big")
    + (300).to_bytes(4, "big")
    + b"\x08\x03\x00\x00\x00"
)
PICTURE = Picture("s0003.png", PNG, "Map: Toll at the Alder Ford, turn 3: East 12 alive, West 12 alive.")
NORMAL = (
    "seat: west",
    "turn: t3.west",
    "luck: seven drunken herons",
    "move:",
    "- odo to 0712",
    "fight:",
    "- odo attacks hal",
)
SHEET = Attachment(
    "orders-t3-west.yaml",
    b"game: alder-ford-e1f00d\nseat: west\nturn: t3.west\n\nmove:\n\n# odo: spearman\n#- odo to 0712\n",
)
WRONG = (
    Located(
        "",
        7,
        12,
        "orders.off-map",
        "9999 is not on the map (The Alder Ford)",
        "S1.6",
        "one of 0101 to 2014",
        "- meurig to 9999",
    ),
    Located(
        "",
        9,
        3,
        "name.unknown",
        "nobody and nothing here is called 'einon'",
        "",
        "did you mean 'einion'?",
        "\t- einon to 0608",
    ),
    Located("", 0, 0, "proof.unsigned", "the file has no signature", "R4", "pbem sign FILE"),
)
DOUBTS = (Located("orders.txt", 3, 5, "doubt.movement", "odo may be dead by then", "", "", "- odo to 0712"),)
ROLL = RollRow(
    "t1.west.melee/fight/dunn/1",
    "10 of 10",
    "combat foot",
    "4:1",
    "12 against 3",
    ("-1 terrain (S1.71b)",),
    "10",
    "none",
)
REPORT = Document(
    "Toll at the Alder Ford: slot 3",
    "1 shot and 3 fights: 0 dead, 1 wounded, 0 stunned.",
    (
        Facts((("west", "You typed: the tall one with the hat"),)),
        Image("s0003.png", PICTURE.alt),
        Image("not-there.png", "a picture that was too large for this letter"),
        Heading("In short"),
        Items(("Hereric Ash is wounded (was healthy)",)),
        Heading("Messages"),
        Quote("East", "side: west\nmove:\n- odo to 0101\nluck: of the enemy's making"),
        Heading("West: movement, turn 1", 3),
        Items(("Meurig Goch moves to 0708 (0507 0607 0708), 2 of 6 points",)),
        RollTable(
            "Every die of this phase",
            ("name of the roll", "die", "reckoning", "table and column", "row", "result"),
            (
                RollRow(
                    "t1.west.melee/fight/dunn/1",
                    "10 of 10",
                    "combat foot",
                    "4:1",
                    "12 against 3",
                    ("-1 terrain (S1.71b)",),
                    "10",
                    "none",
                ),
            ),
        ),
        Paragraph("Everybody can check every die and every line of this turn with this command:"),
        Code("pbem verify alder-ford-e1f00d.zip"),
        Code("01 . . .\n02 . ~ .", "The map in characters", "chart"),
    ),
)
REPLY = Reply(
    ABOUT,
    FINAL,
    UNTIL,
    "final",
    "Re: AW: [alder-ford-e1f00d] Turn 3, West to move (code k7fp-q2mx)",
    doubts=DOUBTS,
    repairs=(Repair("repair.dash", 3, "–", "-"), Repair("repair.capital", 2, "Move", "move")),
    ignored=("holiday.jpg", "side: east"),
    normal=NORMAL,
    understood=("odo   0711 0712   3 of 6 MP", "if hal is dead:", "  odo   attacks hal   7:1"),
    picture=PICTURE,
    replaces="1111-2222-3333-4444",
    digest="8de9-d39c-7bfe-fd92",
    receipt=(
        Attachment("receipt.json", b"{}\n", "application/json"),
        Attachment("receipt.json.sig", b"-----BEGIN SSH SIGNATURE-----\n"),
    ),
)
TURN = Turn(
    ABOUT,
    "Turn 3, West to move",
    REPORT,
    UNTIL,
    "orders",
    ("West",),
    "silent",
    "You typed: the tall one with the hat",
    ("# typed on the train", *NORMAL),
    (PICTURE,),
    (Heading("The map in words"), Items(("0712: odo, spearman, healthy",))),
    SHEET,
    ("move:", "- odo to 0712"),
    Attachment("alder-ford-e1f00d.zip", b"PK\x03\x04", "application/zip"),
    "c035-5ff9-c243-1799",
    luck=True,
)


@cache
def every_letter() -> Mapping[str, Letter]:
    """Return a letter of every kind by a name for it."""
    words = common_words()
    found = {
        outcome: reply(
            Reply(
                ABOUT,
                outcome,
                UNTIL,
                "stored",
                "",
                normal=NORMAL,
                understood=("odo   0711 0712   3 of 6 MP",),
            ),
            words,
        )
        for outcome in (DRAFT, STORED, AGAIN)
    }
    found["final"] = reply(REPLY, words)
    found["refused"] = reply(
        Reply(ABOUT, REFUSED, UNTIL, "earlier", "my orders", "orders.txt", WRONG, DOUBTS, stays="1111-2222"),
        words,
    )
    nobody = (Problem("orders.nobody", {"count": 12}),)
    luck = ("nobody moves", "luck: seven drunken herons")
    found["asked"] = reply(Reply(ABOUT, ASKED, UNTIL, "silent", "my luck", asks=nobody, meant=luck), words)
    found["beside"] = reply(
        Reply(ABOUT, BESIDE, UNTIL, "silent", normal=("seat: west", "message: hello")), words
    )
    left = (("einion", "0206"), ("tower1", "0304 facing s"))
    found["unplaced"] = reply(
        Reply(ABOUT, DRAFT, UNTIL, "placed", normal=NORMAL, left=left, dice=False), words
    )
    found["completed"] = reply(Reply(ABOUT, FINAL, UNTIL, "final", normal=NORMAL, joined=True), words)
    codes = (
        "mail.nothing",
        "mail.encrypted",
        "sender.no-code",
        "sender.wrong-code",
        "orders.other-game",
        "game.over",
    )
    why = tuple(Problem(code, {"game": "other", "seats": "alder-ford-e1f00d (west)"}) for code in codes)
    found["unused"] = refusal(Refusal(ABOUT, why, UNTIL, "silent", "Hi", "", SHEET), words)
    found["unknown"] = refusal(
        Refusal(About(), (Problem("sender.stranger", {"address": "x@example.org"}),)), words
    )
    found["stranger"] = stranger(Stranger(ABOUT, "mallory@example.org", "orders for west"), words)
    found["turn"] = turn(TURN, words)
    found["setup"] = turn(replace(TURN, luck=False, dice=False, otherwise="unplaced"), words)
    found["waiting"] = turn(Turn(ABOUT, "Turn 3, East to move", REPORT, UNTIL, "", ("East",)), words)
    found["over"] = turn(
        Turn(
            ABOUT,
            "The game is over",
            REPORT,
            Until(None, "UTC", NOW),
            over=True,
            outcome=(("West", "7 points"),),
        ),
        words,
    )
    found["go"] = go_request(GoRequest(ABOUT, ("East",), "8de9-d39c", UNTIL, False, "go-waits"), words)
    found["go-program"] = go_request(GoRequest(ABOUT, ("East",), "8de9-d39c", UNTIL, True), words)
    for asked in ("orders", "answer", "go"):
        found[f"reminder-{asked}"] = reminder(Reminder(ABOUT, UNTIL, "", asked, "silent", SHEET), words)
    found["reminder-draft"] = reminder(Reminder(ABOUT, UNTIL, "draft", "orders", "draft"), words)
    archive = Attachment("invitation.zip", b"PK", "application/zip")
    for name, keyed in (("invitation", False), ("invitation-program", True)):
        told = Invitation(ABOUT, "0123456789abcdef", keyed, "Cass", PICTURE, archive)
        found[name] = invitation(told, words)
    things = [Thing("alder-ford-e1f00d", "the game is broken", "pbem verify it"), Thing("", "no mail server")]
    found["trouble"] = trouble(things[:1], things[1:], words)
    found["enough"] = enough(24, "Re: thank you", words)
    chat = refusal(Refusal(ABOUT, (Problem("mail.nothing"),), UNTIL, "silent", "Re: your move"), words)
    found["for-umpire"] = for_a_person(chat, "uma@example.org", words)
    found["also-passed"] = also_passed(found["final"], "uma@example.org", words)
    typed = "Three more days, please?\n\nside: west\nmove:\n- odo to 0101\n"
    told = Passed(
        ABOUT, "Bob", "bob@example.com", "Re: your move", "unused", "time", typed * 400, kept="post/x.eml"
    )
    found["passed"] = passed(told, words)
    told = Passed(
        ABOUT, "Bob", "bob@example.com", "", "refused", note="luck: of mine\n- odo to 0101", certain=False
    )
    found["passed-note"] = passed(told, words)
    return found


def cover(key: str = "turn-alder-ford-e1f00d-s0003-west", **more: object) -> Cover:
    """Return a cover."""
    values: dict[str, object] = {
        "key": key,
        "date": NOW,
        "office": Office("games@office.example", "The Alder Office"),
        "to": Person("bob@example.com", "Bob"),
        "game": ABOUT.game,
        "title": ABOUT.title,
    }
    return Cover(**{**values, **more})  # type: ignore[arg-type]


@cache
def every_posted() -> Mapping[str, Posted]:
    """Return every letter as it goes out."""
    return {name: write(letter, cover(f"{name}-1")) for name, letter in every_letter().items()}
