"""The file that comes back with a refusal: everything that was understood, every other line beside its
reason; it can be sent as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from moments_of_games import when_open
from msgspec.structs import replace
from test_referee_slips import SLIPS, moment, normal, said, typed

from pbem.referee.game.game import Game
from pbem.referee.mail.sent_back import sent_back
from pbem.referee.turn.check import Checked, check

FORD = when_open("alder-ford", 3)


def back(text: str, game: Game = FORD, seat: str = "west") -> tuple[str, Checked]:
    """Return the file that comes back for a text, and what is said of that file."""
    checked = check(game, "o.yaml", text.encode(), seat)
    mended = sent_back(game.ground.rules, checked)
    return mended, check(game, "again.yaml", mended.encode(), seat)


def body(mended: str) -> str:
    """Return a file without the lines that say what it is."""
    return mended.partition("# file. The rest was understood.\n")[2] or mended


def test_each_wrong_line_stands_beside_its_reason_and_the_rest_in_normal_form() -> None:
    mended, again = back(
        "side: west\nluck: nine sober storks\nmove:\n- Tudur moves to 7,7\n- cynan to 9999\n- tofi to 0203\n"
        "fight:\n- when: cynan is sleepy\n  then:\n  - cynan attacks hereric\n- klaas attacks wynstan\n"
    )
    assert body(mended) == (
        "seat: west\nturn: t1.west\nluck: nine sober storks\nmove:\n- tudur to 0707\n# - cynan to 9999\n"
        "#   line 5: 9999 is not on the map (The Alder Ford); its hexes run from "
        "0101\n#   to 2014, column first\n"
        "# - tofi to 0203\n#   line 6: 0203 costs tofi 5 points, and he has 4 (S1.6b); he can get as\n#   "
        "far as 0304\n"
        "fight:\n# - when: cynan is sleepy\n#   then:\n#   - cynan attacks hereric\n"
        "#   line 8: 'cynan is sleepy' is not a condition; for example: odo is\n#   healthy\n"
        "# - klaas attacks wynstan\n#   line 11: klaas in 0505 is not next to wynstan in 0706 (S1.7a)\n"
    )
    assert said(again) == ""


def test_lines_are_those_of_the_letter_where_it_came_in_one() -> None:
    checked = check(FORD, "o.yaml", b"side: west\nmove:\n- tudur to 9999\n", "west")
    told = [replace(one, line=one.line + 7) for one in checked.problems]
    assert "#   line 10: 9999 is not on the map" in sent_back(FORD.ground.rules, checked, told)


def test_sections_that_are_not_open_stand_in_comments_with_their_heading() -> None:
    mended, again = back("side: west\nsetup:\n- tudur at 0707\nmove:\n- tudur to 0707\n")
    assert "# setup:\n# - tudur at 0707\nmove:\n- tudur to 0707\n" in mended
    assert said(again) == ""
    mended, again = back(
        "side: west\nmove:\n- tudur to 0707\nfight: [tudur attacks hereric]\n", when_open("alder-ford", 4)
    )
    assert "# move:\n# - tudur to 0707\n# fight:\n# - tudur attacks hereric\n" in mended
    assert said(again) == ""


def test_standing_instructions_and_texts_that_are_wrong_stand_in_comments() -> None:
    mended, again = back(
        "side: west\nturn: t9\nluck: any words\nmove: [tudur to 0707]\nstanding:\n  everyone:\n    advance: "
        "no\n    retreat: away\n"
        "  tudor:\n    retreat: away\n  cynan:\n    wound: yes\nstop-after: never\n"
    )
    assert "  everyone:\n#     advance: no\n#       line 7: " in mended
    assert (
        "#   tudor:\n#     retreat: away\n#     line 9: nobody and nothing here is called 'tudor'" in mended
    )
    assert "    retreat: away\n#   cynan:\n#     wound: yes\n#       line 12: " in mended
    assert "# luck: any words\n" in mended
    assert "# turn: t9\n" in mended
    assert said(again) == ""


def test_what_nobody_can_place_stands_on_top_as_it_was_typed() -> None:
    mended, again = back("> side: west\nmove:\n- tudur to 0707\nmarvels:\n- cynan to 0806\n- tofi to 0804\n")
    assert "# > side: west\n" in mended
    assert (
        "# marvels:\n# - cynan to 0806\n# - tofi to 0804\n#   line 4: 'marvels' is not a key here" in mended
    )
    assert said(again) == ""


def test_a_file_that_is_well_comes_back_in_normal_form() -> None:
    mended, again = back("side: west\nmove: [Tudur moves to 7.7]\n")
    assert mended == "seat: west\nturn: t1.west\nmove:\n- tudur to 0707\n"
    assert again.ok


def test_nothing_comes_back_where_nobody_knows_whose_it_is() -> None:
    assert back("game: another-0a1b2c\nside: west\nmove: []\n")[0] == ""


@pytest.mark.parametrize("slip", [slip for slip in SLIPS if "told" in slip], ids=lambda slip: slip["slip"])
def test_what_comes_back_for_a_slip_can_be_sent_as_it_is(slip: Mapping[str, Any]) -> None:
    game, seat = moment(slip)
    checked = check(game, "o.yaml", typed(slip), seat)
    again = check(game, "again.yaml", sent_back(game.ground.rules, checked).encode(), seat)
    assert (said(again), again.repairs) == ("", ())
    assert (
        normal(game, again).count("- ") <= normal(game, replace(checked, problems=())).count("- ")
        if checked.orders
        else True
    )
