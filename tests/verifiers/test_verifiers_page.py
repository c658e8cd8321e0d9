"""pd1_verify.html in a real browser: it agrees with pbem on every archive, asks no network for anything, and
can be read on a telephone.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import test_proof_attacks as attacks
from playwright.sync_api import Page
from rfc9380 import J9, POINTS
from test_proof_rulings import RULINGS
from test_verifiers_mine import dropped, sent
from thorough import deeper, tries
from verifier_big import big_game
from verifier_ground import ARCHIVES, HERE, MUTANTS, ROOT, SEED, module, unzipped
from verifier_mutations import HONEST, beacon_game, mutants
from verifier_page import ASKED, DONE, FILE, LAST, PAGE, WRONG, judged, said_of_zip
from verifier_tampered import tampered
from verifier_trees import FAILS, HOLDS
from verifier_zips import BAD, GOOD

from pbem.store import zips

ROUNDS: dict[str, Any] = json.loads((ROOT / "tests" / "proof" / "vectors" / "pd1.json").read_text("utf-8"))[
    "drand_quicknet"
]
VALUES: dict[str, Any] = json.loads((ROOT / "tests" / "proof" / "vectors" / "pd1.1.json").read_text("utf-8"))
pd1 = module("pd1_verify")
bls = module("pd1_bls")


@pytest.fixture
def packed(tmp_path: Path) -> Any:
    def write(files: Any, name: str) -> Path:
        path = tmp_path / f"{name}.zip"
        if len(name) % 2:
            path.write_bytes(zips.write_zip(files))
        else:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as made:
                for inside in sorted(files):
                    made.writestr(inside, files[inside])
        return path

    return write


# the same verdict and the same first code as pbem


def test_everything_that_the_proof_is_tested_with(page: Page, packed: Any) -> None:
    for number, (name, files) in enumerate(tampered().items()):
        path = packed(files, "x" * (1 + number % 2) + f"{number:04d}")
        if name.startswith("beacon"):
            audit = pd1.Audit(pd1.Memory(dict(files)), bls)
            said = (audit.verdict, audit.failures[0][0] if audit.failures else "")
        else:
            said = said_of_zip(path, name)
        assert judged(page, path) == said, name


@pytest.mark.parametrize("name", HONEST)
def test_honest_games_word_for_word(page: Page, packed: Any, name: str) -> None:
    path = packed(HONEST[name]().pack(), name)
    assert judged(page, path) == said_of_zip(path)
    assert page.evaluate(LAST).split("\n") == list(pd1.Audit(pd1.Zip(str(path))).lines())


def test_zips_as_people_and_systems_make_them(page: Page, tmp_path: Path) -> None:
    for number, (name, made) in enumerate(GOOD.items()):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(made(dict(HONEST["friends"]().pack())))
        assert judged(page, path) == said_of_zip(path) == ("PASS", ""), name
        assert page.evaluate(LAST).split("\n") == [*map(pd1.shown, pd1.Audit(pd1.Zip(str(path))).lines())], (
            name
        )


def test_zips_that_could_do_harm_are_not_read_and_accuse_nobody(page: Page, tmp_path: Path) -> None:
    for number, (name, made) in enumerate(BAD.items()):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(made())
        assert judged(page, path) == said_of_zip(path) == ("CANNOT DECIDE", ""), name
        with pytest.raises(pd1.Unread) as wrong:
            pd1.Zip(str(path))
        # Names are quoted by one and not by the other.
        told = page.evaluate("document.getElementById('status').textContent")
        assert told.partition("judged: ")[2].partition(": ")[0] == str(wrong.value).partition(": ")[0], name


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_archives_of_the_repository(page: Page, path: Path) -> None:
    assert judged(page, path) == ("PASS", "")
    assert page.evaluate(LAST).split("\n") == list(pd1.Audit(pd1.Zip(str(path))).lines())
    assert page.evaluate("document.getElementById('status').textContent") == f"{path.name}: PASS"


def test_games_of_the_second_writer_word_for_word(page: Page, packed: Any) -> None:
    for number, (name, build) in enumerate(
        {**HOLDS, **{name: build for name, (_, build) in FAILS.items()}}.items()
    ):
        path = packed(build().files, f"w{number}")
        judged(page, path)
        assert page.evaluate(LAST).split("\n") == list(pd1.Audit(pd1.Zip(str(path))).lines()), name


def test_rulings_and_corrections_word_for_word(page: Page, packed: Any) -> None:
    for number, (name, (_, build)) in enumerate(RULINGS.items()):
        path = packed(build().archive, f"r{number}")
        judged(page, path)
        assert page.evaluate(LAST).split("\n") == list(pd1.Audit(pd1.Zip(str(path))).lines()), name


@deeper
def test_archives_changed_in_many_ways(page: Page, packed: Any) -> None:
    examples = {path.parent.name: unzipped(path) for path in ARCHIVES}
    for number, (name, files) in enumerate(mutants(SEED + 1, MUTANTS // 4, examples)):
        path = packed(files, "ab"[number % 2] * (1 + number % 2) + str(number).zfill(4))
        assert judged(page, path) == said_of_zip(path), name


@deeper
def test_zips_changed_in_many_ways(page: Page, packed: Any, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    good = packed(HONEST["friends"]().pack(), "good").read_bytes()
    for number in range(max(40, MUTANTS // 5)):
        data = bytearray(good)
        where = chance.choice(
            (range(len(data)), range(len(data) - 4000, len(data)), range(len(data) - 22, len(data)))
        )
        for _ in range(chance.choice((1, 1, 3))):
            data[chance.choice(where)] ^= 1 << chance.randrange(8)
        path = tmp_path / f"bad{number}.zip"
        path.write_bytes(bytes(data) if number % 5 else bytes(data)[: chance.randrange(len(data))])
        assert judged(page, path) == said_of_zip(path), number
        try:
            audit = pd1.judge(pd1.Zip(str(path)))
            assert said_of_zip(path) == (audit.verdict, audit.failures[0][0] if audit.failures else ""), (
                number
            )
        except pd1.Unread:
            assert said_of_zip(path) == ("CANNOT DECIDE", ""), number


def test_vectors_of_trees(page: Page) -> None:
    for who, want in VALUES["trees"].items():
        taken = (
            "((party, given) => { const tree = new Tree(...party); return given.map((g) => "
            "tree.takes(g.slot, g.x, g.path)); })"
        )
        said = page.evaluate(
            f"{taken}({json.dumps([VALUES['game'], who, want['root']])}, {json.dumps(want['given'])})"
        )
        assert said == [True] * len(want["given"])
        first = [one for one in VALUES["refused"] if one["who"] == who and not one["before"]]
        assert not any(
            page.evaluate(
                f"{taken}({json.dumps([VALUES['game'], who, want['root']])}, {json.dumps([one])})[0]"
            )
            for one in first
        )
    headers = (
        f"{json.dumps([VALUES['orders']['file'], *VALUES['orders_refused']])}.map((file) => "
        "Boolean(orders_header(utf8(file))))"
    )
    assert page.evaluate(headers) == [True] + [False] * len(VALUES["orders_refused"])


def test_rounds_of_a_beacon_as_pd1_bls_checks_them(page: Page) -> None:
    known = [(int(number), signature, True) for number, signature in ROUNDS["rounds"].items()]
    for number, signature, right in [
        *known,
        *((want["round"], want["sig"], False) for want in ROUNDS["refused"]),
    ]:
        assert page.evaluate(f"verify_round({number}, '{signature}')") is right
    good = bytes.fromhex(ROUNDS["rounds"]["1000"])
    for bad in (
        b"",
        bytes(48),
        b"\xff" * 48,
        good[:-1],
        good + b"\0",
        bytes([good[0] ^ 32]) + good[1:],
        bytes([good[0] ^ 64]) + good[1:],
    ):
        assert page.evaluate(f"verify_round(1000, '{bad.hex()}')") is False
    for message, x, y in POINTS:
        point = page.evaluate(
            f"bls.hashed(unhex('{message.hex()}'), utf8('{J9.decode()}')).map((n) => n.toString(16))"
        )
        assert [int(number, 16) for number in point] == [int(x, 16), int(y, 16)]


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"seen": False},
        {"round": 657412},
        {"sig": "ab" * 48},
        {"rule": {"period": 30}},
        {"rule": {"delay": 0}},
    ],
    ids=str,
)
def test_games_with_a_beacon_word_for_word(page: Page, packed: Any, how: dict[str, Any]) -> None:
    files = dict(beacon_game(**how).archive)
    audit = pd1.Audit(pd1.Memory(files), bls)
    assert judged(page, packed(files, "beacon")) == (
        audit.verdict,
        audit.failures[0][0] if audit.failures else "",
    )
    assert page.evaluate(LAST).split("\n") == list(audit.lines())


@deeper
def test_a_long_game(page: Page, packed: Any) -> None:
    assert judged(page, packed(big_game(tries(8, 60)), "big")) == ("PASS", "")


def test_a_player_s_own_letters_word_for_word(page: Page, packed: Any, tmp_path: Path) -> None:
    game, letters = dropped()
    many = {**HONEST["umpire"]().pack()}
    for number, (files, sent_) in enumerate(
        ((game, letters), (many, sent(many)), (game, {"hello.txt": b"hello", "big": bytes(70_000)}))
    ):
        flat = {path.replace("/", "+"): data for path, data in sent_.items()}
        (tmp_path / f"sent{number}").mkdir()
        for path, data in flat.items():
            (tmp_path / f"sent{number}" / path).write_bytes(data)
        judged(page, packed(files, f"mine{number}"))
        page.set_input_files("#mine", sorted((tmp_path / f"sent{number}").iterdir()))
        page.wait_for_selector("#letters li", state="attached")
        said = list(pd1.Mine(pd1.Audit(pd1.Memory(dict(files))), pd1.Memory(flat)).lines())
        assert page.evaluate("letters.lines()") == said
        assert page.evaluate("document.getElementById('mine-said').textContent") == said[0]
        missing = page.evaluate(
            "[...document.querySelectorAll('#letters li b')].filter((b) => b.textContent === "
            "'MISSING').length"
        )
        assert missing == sum(line.startswith("! ") for line in said) == int(number == 0)


# what a reader sees


def test_one_die_is_explained_as_on_the_command_line(page: Page, packed: Any) -> None:
    path = packed(HONEST["umpire"]().pack(), "umpire")
    judged(page, path)
    page.evaluate(
        "(() => { const s = document.getElementById('slot'); s.value = '2'; s.dispatchEvent(new "
        "Event('change')); })()"
    )
    told = page.evaluate(
        "[...document.querySelectorAll('#explained li p, #explained code')].map((e) => e.textContent)"
    )
    printed = list(pd1.Audit(pd1.Zip(str(path))).explain("a", 2))
    assert told == [re.sub(r"^(\d\. |   )", "", line) for line in printed[1:]]
    assert printed[0] == "slot 2  t1.green.melee/a  d10: " + printed[0].rpartition(": ")[2]
    assert page.evaluate("document.querySelector('#explained strong').textContent").startswith(
        "t1.green.melee/a: d10 shows "
    )


def test_an_archive_may_be_dropped(page: Page, packed: Any) -> None:
    data = base64.b64encode(packed(HONEST["gm"]().pack(), "gm").read_bytes()).decode()
    page.evaluate(
        f"""(() => {{ document.body.dataset.state = 'waiting'; const held = new DataTransfer();
        held.items.add(new File([Uint8Array.from(atob({json.dumps(data)}), (c) => c.charCodeAt(0))], 'dropped.zip'));
        document.dispatchEvent(new DragEvent('drop', {{ dataTransfer: held, bubbles: true, cancelable: true }})); }})()"""
    )
    page.wait_for_selector(DONE, state="attached")
    assert page.evaluate("document.getElementById('status').textContent") == "dropped.zip: CANNOT DECIDE"


def test_a_failure_is_said_and_no_die_of_it_is_explained(page: Page, packed: Any) -> None:
    code, build = attacks.ATTACKS["die_edited"]
    assert judged(page, packed(build().archive, "edited")) == ("FAIL", code)
    assert page.evaluate("document.querySelector('#findings li').textContent").startswith(
        "E12 rolls/s0001.jsonl:1: "
    )
    assert page.evaluate("document.getElementById('one-die').hidden")
    assert not page.evaluate("document.getElementById('findings').hidden")


def test_what_cannot_be_seen_is_spelt_out(page: Page, packed: Any) -> None:
    files = dict(HONEST["friends"]().pack())
    files["maps/\u202egpj.exe"] = b""
    judged(page, packed(files, "bidi"))
    assert "maps/\\u{202e}gpj.exe" in page.evaluate(LAST)
    assert "\u202e" not in page.evaluate("document.body.textContent")


@pytest.mark.parametrize("width", [320, 390, 1100])
def test_nothing_scrolls_sideways(page: Page, packed: Any, width: int) -> None:
    judged(page, packed(big_game(3), f"width{width}"))
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_keyboard_and_a_screen_reader_find_their_way(page: Page, packed: Any) -> None:
    judged(page, packed(HONEST["friends"]().pack(), "reader"))
    assert page.evaluate(
        "[...document.querySelectorAll('input, select')].every((e) => e.labels.length === 1)"
    )
    assert page.evaluate("document.getElementById('status').getAttribute('role')") == "status"
    assert page.evaluate(
        "(() => { const f = document.getElementById('file'); f.focus(); return "
        "document.activeElement === f; })()"
    )
    assert page.evaluate(
        "[...document.querySelectorAll('h1, h2')].map((h) => h.tagName).join('').startsWith('H1H2')"
    )


def test_nothing_was_fetched_and_nothing_went_wrong(page: Page) -> None:
    assert {url for url in ASKED if not url.startswith("blob:")} == {FILE.as_uri()}
    assert WRONG == []
    refused = page.evaluate("fetch('https://example.org/').then(() => 'fetched', () => 'refused')")
    assert refused == "refused"
    WRONG.clear()  # the browser says so too, and other files of tests share the list


# the file itself


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_policy_names_the_one_script_and_the_one_style() -> None:
    def digest(kind: str) -> str:
        (inner,) = re.findall(f"<{kind}>(.*?)</{kind}>", PAGE, re.DOTALL)
        return "sha256-" + base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()

    policy = (
        f"default-src 'none'; script-src '{digest('script')}'; style-src '{digest('style')}'; base-uri "
        "'none'; form-action 'none'"
    )
    tags = Tags()
    tags.feed(PAGE)
    policies = [
        attrs["content"] for tag, attrs in tags.tags if attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policies == [policy]
    assert not [
        attrs
        for _, attrs in tags.tags
        for name in attrs
        if name in ("src", "href", "style", "action") or name.startswith("on")
    ]


def test_it_is_one_file_that_names_no_address_and_promises_nothing_wrong() -> None:
    assert "//" not in re.sub(r"(?m)^\s*//.*$|\s// .*$", "", PAGE).replace("`//", "")
    for path in sorted(HERE.iterdir()):
        assert not path.is_file() or "provably" + " fair" not in path.read_text("utf-8").lower()
    for word in ("innerHTML", "eval(", "new Function", "document.write", "import("):
        assert word not in PAGE
