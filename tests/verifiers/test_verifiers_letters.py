"""Letters by one edition of Unicode: the same table and the same answer in all three readers, whatever Python
or browser they run on.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import test_proof_attacks as attacks
from playwright.sync_api import Page
from proof_simulator import Referee, friends, played_in
from verifier_ground import HERE, module, said_by_pbem
from verifier_page import PAGE, WRONG, judged

from pbem.core import normal
from pbem.core.normal import is_assigned, is_crowded, is_hidden, is_mark, nfc
from pbem.proof.dice_protocol import BadWords, normal_words
from pbem.store import zips

pd1 = module("pd1_verify")
LATER = "q\U0001e08f\u0316 seven owls"
"""A combining letter of Unicode 15 before one that every edition has: in form NFC for Unicode 14, and not for
15.
"""


def words_of(typed: str) -> Referee:
    with played_in(1):  # where a seat with values may give words instead
        game = friends()
        game.order("blue", luck=typed)
        game.lock()
        game.result([attacks.ROLL], following=attacks.RED_TURN)
    return game


def test_the_tables_are_the_same_in_all_three() -> None:
    for runs in (normal._ASSIGNED, normal._MARKS):
        assert runs in (HERE / "pd1_verify.py").read_text("utf-8").replace('"\n    "', "")
        assert runs in PAGE.replace('"\n  + "', "")
    assert pd1.HIDDEN.pattern == normal._HIDDEN.pattern


def some_texts() -> list[str]:
    chance = random.Random(13)
    of = [
        "aeq ",
        "\u0301\u0316\u0327",
        "\U0001e08f\U00011f5a\u1ace",
        "\u1100\u1161\u11a8\uac00",
        "\u0958\u0344\u212b",
        "\U0001f989",
    ]
    return [
        "".join(chance.choice(chance.choice(of)) for _ in range(chance.randrange(1, 40))) for _ in range(600)
    ]


def test_texts_have_one_form_in_both_programs() -> None:
    for text in some_texts():
        assert pd1.tidy(text) == (None if is_crowded(text) else nfc(text)), ascii(text)


def test_the_page_has_the_same_letters_and_forms(page: Page) -> None:
    texts = some_texts()
    assert page.evaluate(f"{json.dumps(texts)}.map(tidy)") == [
        None if is_crowded(text) else nfc(text) for text in texts
    ]
    every = "Array.from({ length: 0x110000 }, (_, n) => n)"
    shown = (
        f"{every}.filter((n) => within(KNOWN, n)).length, {every}.filter((n) => within(ACCENTS, n)).length"
    )
    hidden = f"{every}.filter((n) => HIDDEN.test(String.fromCodePoint(n))).length"
    assert page.evaluate(f"[{shown}, {hidden}]") == [
        sum(map(is_it, map(chr, range(0x110000)))) for is_it in (is_assigned, is_mark, is_hidden)
    ]
    # Whatever this browser knows, it knows no letter otherwise.
    assert (
        page.evaluate(
            f"{every}.filter((n) => within(KNOWN, n) && /\\p{{Cn}}/u.test(String.fromCodePoint(n))).length"
        )
        == 0
    )


@pytest.mark.parametrize("typed", [LATER, "d\xe9j\xe0 vu, owls", "seven \U0001fae0 owls"], ids=ascii)
def test_an_old_archive_with_later_letters_holds_everywhere(page: Page, tmp_path: Path, typed: str) -> None:
    files = words_of(typed).archive
    path = tmp_path / "later.zip"
    path.write_bytes(zips.write_zip(files))
    audit = pd1.Audit(pd1.Memory(dict(files)))
    assert (audit.verdict, audit.failures) == ("PASS", [])
    assert said_by_pbem(files) == judged(page, path) == ("PASS", "")
    assert WRONG == []


@pytest.mark.parametrize(
    "typed",
    ["seven e" + "\u0301\u0316" * 16, "seven \u202e owls", "seven \U000e0041 owls"],
    ids=("crowded", "bidi", "tag"),
)
def test_words_that_are_none(typed: str) -> None:
    assert pd1.normal(typed) is None
    with pytest.raises(BadWords):
        normal_words(typed)
