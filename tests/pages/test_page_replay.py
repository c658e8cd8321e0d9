"""The replay in a real browser: scrubbed by mouse and keys, played, on a phone; every roll worked out again
in the page.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from page_watch import Watched, until
from rounds import ROUNDS, answer, locked
from table import SCENARIOS, Table, pull

from pbem.proof.beacon import QUICKNET
from pbem.referee.game.game import open_game
from pbem.referee.pages.showing import replay_bytes
from pbem.referee.proving.verify import roll
from pbem.referee.turn.undo import undo

FORD = Path(__file__).resolve().parents[2] / "examples/alder-ford/archive.zip"
NOW = "Number(document.getElementById('scrub').value)"
TOLD = "document.querySelector('.moment.now .told').textContent"
IN_SIGHT = (
    "((one, all) => one.top >= all.top && one.bottom <= all.bottom)"
    "(...['.moment.now', '.story'].map((name) => document.querySelector(name).getBoundingClientRect()))"
)
Opened = Callable[..., Watched]


@pytest.fixture(scope="module")
def ford(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded game at the ford, as a page."""
    file = tmp_path_factory.mktemp("replay") / "ford.html"
    file.write_bytes(replay_bytes(open_game(FORD), ".html"))
    return file


def at(watched: Watched) -> int:
    return int(watched.page.evaluate(NOW))


def data(watched: Watched) -> dict[str, Any]:
    found: dict[str, Any] = watched.page.evaluate("JSON.parse(document.getElementById('data').textContent)")
    return found


def firsts(found: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Return the numbers of the first moments of the phases and of the turns."""
    phases, turns, seen = [], [], 1
    for n, phase in enumerate(found["phases"]):
        phases.append(seen)
        if not n or found["phases"][n - 1]["turn"] != phase["turn"]:
            turns.append(seen)
        seen += len(phase["moments"])
    return phases, turns


def test_stepping_by_keys(ford: Path, opened: Opened) -> None:
    watched = opened(ford)
    page = watched.page
    phases, turns = firsts(data(watched))
    last = int(page.get_attribute("#scrub", "max") or 0)
    assert (at(watched), last) == (0, sum(len(phase["moments"]) for phase in data(watched)["phases"]))
    for key, wanted in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("Shift+ArrowRight", phases[1]),
        ("Shift+ArrowRight", phases[2]),
        ("Shift+ArrowLeft", phases[1]),
        ("PageDown", next(turn for turn in turns if turn > phases[1])),
        ("PageUp", max(turn for turn in turns if turn <= phases[1])),
        ("Control+ArrowRight", next(turn for turn in turns if turn > phases[1])),
        ("End", last),
        ("ArrowRight", last),
        ("ArrowLeft", last - 1),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        assert at(watched) == wanted, key
    page.focus("#scrub")
    page.keyboard.press("ArrowRight")
    assert at(watched) == 1
    assert page.get_attribute("#scrub", "aria-valuetext") == page.text_content("#where")
    assert re.fullmatch(rf".+, event 1 of {last}", page.text_content("#where") or "")
    assert page.text_content("#live") == f"{page.text_content('#where')}. {page.evaluate(TOLD)}"
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    page.keyboard.press("Escape")
    assert page.is_hidden("#keys")


def test_scrubbing_and_clicking(ford: Path, opened: Opened) -> None:
    watched = opened(ford)
    page = watched.page
    box = page.locator("#scrub").bounding_box()
    assert box is not None
    last = int(page.get_attribute("#scrub", "max") or 0)
    before = page.evaluate("document.querySelector('.board-pieces').innerHTML")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert abs(at(watched) - last / 2) < last / 20
    page.evaluate("before => { window.before = before; }", before)
    until(watched, "document.querySelector('.board-pieces').innerHTML !== window.before")
    until(watched, IN_SIGHT)
    middle = at(watched)
    page.locator(".moment.now + .moment .told").click()
    assert at(watched) == middle + 1
    page.click("#phase-back")
    page.click("#turn-on")
    _, turns = firsts(data(watched))
    assert at(watched) in turns
    page.select_option("#turns", "1")
    assert at(watched) == turns[1]
    page.click("#event-back")
    assert at(watched) == turns[1] - 1
    page.click("#phase-on")
    assert at(watched) == turns[1]


def test_playing(ford: Path, opened: Opened) -> None:
    watched = opened(ford)
    page = watched.page
    page.select_option("#speed", "8")
    page.focus("body")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause"
    until(watched, f"{NOW} >= 3")
    assert page.text_content("#live") == "The start", "who plays fast is not talked to all the time"
    page.click("#play")
    stopped = at(watched)
    assert page.get_attribute("#play", "aria-label") == "Play"
    page.wait_for_timeout(500)
    assert at(watched) == stopped
    page.keyboard.press("End")
    page.click("#play")
    until(watched, f"{NOW} < 5")
    page.click("#event-on")
    assert page.get_attribute("#play", "aria-label") == "Play", "who steps has stopped playing"


def test_addresses_of_moments(ford: Path, opened: Opened) -> None:
    watched = opened(ford)
    page = watched.page
    found = data(watched)
    moment = next(one for phase in found["phases"] for one in phase["moments"] if one[0] == 9 and one[1] == 3)
    page.goto(f"{ford.as_uri()}#s9.e3")
    page.reload()
    assert page.evaluate(TOLD) == moment[2]
    until(watched, IN_SIGHT)
    page.evaluate("location.hash = '#s4'")
    until(watched, "location.hash === '#s4' && document.querySelector('.moment.now a').hash === '#s4.e1'")
    page.keyboard.press("ArrowRight")
    until(watched, "location.hash === '#s4.e2'")
    for nonsense in ("#s9999", "#sx", "#s9.e", "#story"):
        page.evaluate(f"location.hash = '{nonsense}'")
    page.wait_for_timeout(100)
    assert page.evaluate("document.querySelector('.moment.now a').hash") == "#s4.e2"
    page.evaluate("location.hash = '#s9.e99999'")
    until(watched, "document.querySelector('.moment.now a').hash.startsWith('#s9.e')")


def _prove(watched: Watched, number: int) -> str:
    """Open the proof of a roll and return what it says."""
    watched.page.evaluate(f"document.querySelector('.die[data-roll=\"{number}\"]').click()")
    watched.page.wait_for_selector("#verdict")
    return watched.page.text_content("#verdict") or ""


def test_every_roll_agrees(ford: Path, opened: Opened) -> None:
    watched = opened(ford)
    rolls = data(watched)["rolls"]
    agree = watched.page.evaluate(
        "(async () => { const data = "
        "JSON.parse(document.getElementById('data').textContent); const said = [];"
        " for (const roll of data.rolls) said.push(await window.pbemProof.workedOut(data.proof, roll)); "
        "return said })()"
    )
    assert len(rolls) > 50
    assert [one["values"] for one in agree] == [one[2] for one in rolls]
    assert all(one["agrees"] for one in agree)
    assert {one[3] for one in rolls} <= set(open_game(FORD).ledger.slots)


def test_the_proof_of_a_roll_is_what_pbem_says(
    ford: Path, opened: Opened, need: Callable[[str], str]
) -> None:
    watched = opened(ford)
    page = watched.page
    number = 17
    label, sides, values, slot, _ = data(watched)["rolls"][number]
    page.evaluate(
        f"document.querySelector('.die[data-roll=\"{number}\"]').closest('.moment').querySelector('.told').click()"
    )
    page.click(f'.die[data-roll="{number}"]')
    page.wait_for_selector("#verdict.good")
    said = page.inner_text("#proof-body")
    shown = roll(FORD, slot, label)
    assert (shown.sides, list(shown.values)) == (sides, values)
    for part in (
        shown.seed,
        shown.openssl,
        shown.lines[1].strip().removeprefix("digest: "),
        f"pbem roll {open_game(FORD).id}.zip {slot} {label}",
    ):
        assert part in said
    assert open_game(FORD).ledger.head_digest in said
    printed = subprocess.run(
        ["sh", "-c", shown.openssl.replace("| openssl", f"| {need('openssl')}")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert int(printed.split()[-1][:8], 16) % sides + 1 == values[0]
    watched.accessible()
    page.keyboard.press("Escape")
    assert page.is_hidden("#proof")
    assert page.evaluate("document.activeElement.dataset.roll") == str(number)


def _spoilt(ford: Path, tmp_path: Path, old: str, new: str) -> Path:
    text = ford.read_text("utf-8")
    assert text.count(old) == 1, old
    file = tmp_path / "spoilt.html"
    file.write_text(text.replace(old, new), "utf-8")
    return file


def test_a_roll_that_was_changed_does_not_agree(ford: Path, opened: Opened, tmp_path: Path) -> None:
    found = data(opened(ford))["rolls"]
    label, sides, (value,), _, _ = found[3]
    other = value % sides + 1
    watched = opened(
        _spoilt(ford, tmp_path, f'["{label}",{sides},[{value}],', f'["{label}",{sides},[{other}],')
    )
    assert (
        _prove(watched, 3)
        == f"This roll does not agree: the page says {other}, and worked out just now it is {value}."
    )
    assert _prove(watched, 4).startswith("This roll agrees")


def test_a_value_or_a_seed_that_was_changed_does_not_agree(
    ford: Path, opened: Opened, tmp_path: Path
) -> None:
    first = data(opened(ford))
    slot = first["rolls"][0][3]
    of = next(one for one in first["proof"]["slots"] if one["slot"] == slot)
    for old, new in (
        (f'"gm":"{of["gm"]}"', f'"gm":"{"0" * 64}"'),
        (f'"seed":"{of["seed"]}"', f'"seed":"{"0" * 64}"'),
    ):
        watched = opened(_spoilt(ford, tmp_path, old, new))
        assert "does not agree" in _prove(watched, 0)
        assert watched.page.is_visible("#proof-body .bad:not(#verdict)")


def test_a_browser_that_reckons_nothing_says_so(ford: Path, opened: Opened) -> None:
    watched = opened(ford)
    watched.page.evaluate("Object.defineProperty(window.crypto, 'subtle', { value: undefined })")
    assert _prove(watched, 0).startswith("This browser cannot compute hashes here")
    assert "openssl dgst -sha256 -mac HMAC -macopt hexkey:" in watched.page.inner_text("#proof-body")


def test_on_a_phone(ford: Path, opened: Opened) -> None:
    watched = opened(ford, phone=True)
    page = watched.page
    page.tap("#event-on")
    page.tap("#phase-on")
    assert at(watched) == firsts(data(watched))[0][1]
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing is wider than the phone"
    for name in ("board", "scrub", "play", "story"):
        box = page.locator(f"#{name}").bounding_box()
        assert box is not None
        assert box["y"] + min(box["height"], 44) <= 760, name
    small = page.evaluate(
        "[...document.querySelectorAll('.controls button, .controls select')].map((one) => "
        "one.getBoundingClientRect())"
        ".filter((box) => box.height < 44 || box.width < 40).length"
    )
    assert small == 0
    watched.accessible()


def test_accessible_and_quiet_when_motion_is_not_wanted(ford: Path, opened: Opened) -> None:
    watched = opened(ford, reduced_motion="reduce")
    watched.page.keyboard.press("PageDown")
    watched.page.keyboard.press("ArrowRight")
    assert (
        watched.page.evaluate(
            "document.getAnimations().filter((one) => one.effect.getTiming().duration > 1).length"
        )
        == 0
    )
    watched.accessible()


def test_the_board_says_what_stands_where_it_is_clicked(ford: Path, opened: Opened) -> None:
    watched = opened(ford)
    page = watched.page
    page.keyboard.press("End")
    key = page.evaluate("document.querySelector('.board-pieces [data-key^=\"token/\"]').dataset.key")
    page.click(f'.board-pieces [data-key="{key}"]', force=True)
    asked = page.text_content("#asked") or ""
    assert key.removeprefix("token/") in asked
    assert asked[:4].isdigit()
    assert asked.count(asked[:4]) == 1
    page.focus("#play")
    page.keyboard.press("ArrowLeft")
    assert page.text_content("#asked") == "", "what was asked is about another moment"
    before = page.get_attribute(".board-view > svg", "viewBox")
    page.click("#follow")
    page.keyboard.press("PageUp")
    until(watched, f"document.querySelector('.board-view > svg').getAttribute('viewBox') !== '{before}'")
    assert page.get_attribute("#follow", "aria-pressed") == "true"
    page.click("#follow")
    until(watched, f"document.querySelector('.board-view > svg').getAttribute('viewBox') === '{before}'")


def test_printing_prints_the_story(ford: Path, opened: Opened) -> None:
    page = opened(ford).page
    page.emulate_media(media="print")
    assert page.is_hidden(".controls")
    assert (
        page.evaluate(
            "document.getElementById('story').scrollHeight - document.getElementById('story').clientHeight"
        )
        <= 1
    )
    assert page.evaluate("document.body.scrollHeight") > 5000


HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>"


def test_hostile_titles_and_messages(opened: Opened, tmp_path: Path) -> None:
    table = Table(tmp_path)
    scenario = tmp_path / "tug.yaml"
    text = (SCENARIOS / "tug.yaml").read_text("utf-8")
    scenario.write_text(
        re.sub(r"^title: .*$", lambda _: "title: " + json.dumps(HOSTILE), text, flags=re.M), "utf-8"
    )
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps/yard.yaml").write_bytes((SCENARIOS / "maps/yard.yaml").read_bytes())
    from pbem.referee.turn.new import new

    new(
        table.env,
        str(scenario),
        table.game,
        [table.wish("north", keyed=False), table.wish("south", keyed=False)],
        name="tug-0a1b2c",
        umpire=True,
    )
    table.join_all()
    table.orders(
        "north",
        pull("north", f"luck: seven drunken herons\nmessage: {json.dumps(HOSTILE + 'x' * 200)}\n"),
        auto_lock=False,
    )
    table.resolve()
    file = tmp_path / "hostile.html"
    file.write_bytes(replay_bytes(table.open(), ".html"))
    watched = opened(file)
    assert watched.page.title().startswith("</script><script>")
    assert watched.page.evaluate("document.images.length + document.querySelectorAll('script').length") == 2
    assert watched.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "<img src=x onerror=alert(1)>" in watched.page.inner_text("#story")
    watched.accessible()


def _all_agree(watched: Watched) -> int:
    return int(
        watched.page.evaluate(
            "(async () => { const data = "
            "JSON.parse(document.getElementById('data').textContent); let agree = 0;"
            " for (const roll of data.rolls) agree += (await window.pbemProof.workedOut(data.proof, "
            "roll)).agrees;"
            " return agree === data.rolls.length ? agree : -1 })()"
        )
    )


def test_rolls_with_a_beacon_agree(opened: Opened, tmp_path: Path) -> None:
    table = locked(Table(tmp_path))
    table.moment += timedelta(hours=2)
    table.resolve(fetch=lambda chain, number: iter([("relay", answer(657413, ROUNDS["657413"]))]))
    file = tmp_path / "beacon.html"
    file.write_bytes(replay_bytes(table.open(), ".html"))
    watched = opened(file)
    assert _all_agree(watched) >= 1
    _prove(watched, 0)
    assert f"beacon drand {QUICKNET['chain']} 657413 {ROUNDS['657413']}" in watched.page.inner_text(
        "#proof-body"
    )


def test_rolls_behind_a_slot_that_was_taken_back_agree(opened: Opened, tmp_path: Path) -> None:
    table = Table(tmp_path).started(umpire=True, keyed=())
    for slot in (1, 2, 3):
        if slot == 3:
            undo(table.env, table.game, 2, "wrong map")
        (seat,) = table.open().announced()["waits"]
        answers = "answers: {q1: a}\n" if table.open().questions else pull(seat)
        table.orders(seat, f"luck: words of slot {slot}\n{answers}", auto_lock=False)
        table.resolve()
    file = tmp_path / "undone.html"
    file.write_bytes(replay_bytes(table.open(), ".html"))
    watched = opened(file)
    found = data(watched)
    assert [one["slot"] for one in found["proof"]["slots"]] == [1, 2, 3]
    assert {one[3] for one in found["rolls"]} <= {1, 3}
    assert _all_agree(watched) >= 1
