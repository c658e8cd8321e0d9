"""Figures in hiding, in whole games: two that differ in nothing but where a thief lies are the same for the
carters, byte by byte, until he comes forth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial

import pytest
from ambush_table import CARTERS, THIEVES, AmbushTable
from msgspec import Struct
from msgspec.structs import replace
from what_a_seat_gets import differing, pictures, words

from pbem.core.ruleset import choose
from pbem.forum.dialects import DIALECTS, PHPBB
from pbem.proof.archive import short_digest
from pbem.referee.forum.forum_posting import posting
from pbem.referee.game.game import Game
from pbem.referee.game.views import hides
from pbem.referee.mail.brief import FORMATS, brief
from pbem.referee.pages.packet import packet_of
from pbem.referee.pages.showing import Wish, replay_bytes
from pbem.referee.turn.check import check
from pbem.referee.turn.report import report_of
from pbem.rulesets.anarchy.ruleset import ANARCHY
from pbem.text.codec import defaults

Made = Callable[[Game, str | None], Iterator[tuple[str, object]]]
SEAL = re.compile("[0-9a-f]{64}|([0-9a-f]{4}-){3}[0-9a-f]{4}")
LAIN = (
    "- grim at 1304\n- wat at 1404\n- vairon at 1203 facing s\n",
    "- grim at 1406\n- wat at 1202\n- vairon at 1302 1303\n",
)
"""Where those who hide lie in the one game, and in the other."""
CARTERS_FIRST = "move:\n- odo to 0303\nshoot:\n- alric at col\n"
THIEVES_FIRST = (
    "standing:\n  everyone: {defend: nearest}\n  wat: {defend: hold}\n"
    "move:\n- when: grim is at 1304\n  then: col to 0603\n  otherwise: col to 0603\n"
    "shoot:\n- col at alric\n"
)
"""A condition of which the one game says that it holds, and the other that it does not."""
ASKED = (
    b"move:\n- odo to 0503\nshoot:\n- alric at grim\n",
    b"move:\n- odo to 1304\n- odo by 0402 0403 0503\nfight:\n- odo attack renouf\n",
    b"shoot:\n- alric at grim or wat or renouf\n- alric at 1304\n",
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[AmbushTable]:
    """Return two games after the first turn of both sides; the carters are to move."""
    return after_a_turn(tmp_path_factory)


def after_a_turn(tmp_path_factory: pytest.TempPathFactory) -> list[AmbushTable]:
    """Play the first turn of two games."""
    found = []
    for places in LAIN:
        table = AmbushTable(tmp_path_factory.mktemp("ambush")).laid(places)
        table.play(CARTERS, CARTERS_FIRST)
        table.play(THIEVES, THIEVES_FIRST)
        found.append(table)
    return found


def unsealed(made: Made) -> Made:
    """Return what makes the same without the seals of the records, which cover what is secret too."""

    def make(game: Game, seat: str | None) -> Iterator[tuple[str, object]]:
        for name, thing in made(game, seat):
            yield name, without_seals(game, thing)

    return make


def without_seals(game: Game, thing: object) -> object:
    """Return a text, or whatever has texts in it, without seals."""
    if isinstance(thing, str):
        head = game.ledger.head
        grouped = " ".join(head[at : at + 8] for at in range(0, len(head), 8))
        for seal in (head, grouped, short_digest(head)):
            thing = thing.replace(seal, "SEAL")
        return thing
    if isinstance(thing, Struct):
        return (
            type(thing),
            {name: without_seals(game, getattr(thing, name)) for name in thing.__struct_fields__},
        )
    if is_dataclass(thing) and not isinstance(thing, type):
        return (
            type(thing),
            {one.name: without_seals(game, getattr(thing, one.name)) for one in fields(thing)},
        )
    if isinstance(thing, tuple | list):
        return [without_seals(game, one) for one in thing]
    return thing


told, answered = unsealed(words), unsealed(partial(pictures, asked=ASKED))


def test_nothing_that_goes_to_the_carters_tells_where_a_thief_lies(tables: list[AmbushTable]) -> None:
    here, there = (table.open() for table in tables)
    assert differing(here, there, CARTERS, told) == set()
    assert {"map in words", "scene"} <= differing(here, there, None, told), "the umpire sees where he is"
    assert {"map in words", "scene", "briefing"} <= differing(here, there, THIEVES, told)


def test_no_picture_letter_or_answer_tells_it(tables: list[AmbushTable]) -> None:
    here, there = (table.open() for table in tables)
    found = differing(here, there, CARTERS, answered)
    assert found == set()
    assert {"PNG", "SVG", "packet", "letter of the turn"} <= differing(here, there, THIEVES, answered)


def test_no_post_page_or_packet_tells_it(tables: list[AmbushTable]) -> None:
    def made(game: Game, seat: str | None) -> Iterator[tuple[str, object]]:
        assert seat is not None
        yield "post", [draft.text for draft in posting(game, None, DIALECTS[PHPBB], seat=seat).drafts]
        yield "replay", replay_bytes(game, ".html", Wish(seat=seat)).decode()
        yield "packet", packet_of(game, seat)

    here, there = (table.open() for table in tables)
    assert differing(here, there, CARTERS, unsealed(made)) == set()
    assert differing(here, there, THIEVES, unsealed(made)) == {"post", "replay", "packet"}


MARCH = (
    (CARTERS, "move:\n- odo to 0304\n"),
    (THIEVES, "move:\n- col to 0504\nshoot:\n- col at odo or alric\n"),
    (CARTERS, "move:\n- odo to 0303\n"),
    (THIEVES, "standing:\n  grim: {defend: hold}\nshoot:\n- col at odo or alric\n"),
    (CARTERS, "move:\n- alric to 0203\n"),
    (THIEVES, "move:\n- col to 0604\n"),
)
"""Three turns more, in which only the thief of whom they know stirs."""


def test_turn_after_turn_the_two_games_are_the_same_to_the_carters(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    def made(game: Game, seat: str | None) -> Iterator[tuple[str, object]]:
        assert seat is not None
        for kind in FORMATS:
            yield f"briefing as {kind}", brief(game, seat, kind)
        for name, dialect in DIALECTS.items():
            yield f"post in {name}", [draft.text for draft in posting(game, None, dialect, seat=seat).drafts]
        for slot in range(1, game.ledger.state_slot + 1):
            yield f"report of {slot}", SEAL.sub("SEAL", report_of(game, slot, "text", seat=seat))

    tables = after_a_turn(tmp_path_factory)
    for seat, orders in MARCH:
        for table in tables:
            table.play(seat, orders)
        here, there = (table.open() for table in tables)
        assert here.state.at == there.state.at
        assert differing(here, there, CARTERS, told) == set(), f"after {seat}: {orders}"
    assert (here.state.at.turn, here.ledger.state_slot) == (5, 10)
    assert differing(here, there, CARTERS, unsealed(made), answered) == set()
    assert {"briefing as html", "report of 1"} <= differing(here, there, THIEVES, unsealed(made))
    for name, blob in letters_to(tables[0], CARTERS).items():
        assert letters_to(tables[1], CARTERS)[name] == blob, name


def letters_to(table: AmbushTable, seat: str) -> dict[str, str]:
    """Return what lies in the outbox for a seat, without seals."""
    return {
        name: SEAL.sub("SEAL", blob.decode())
        for name, blob in table.files().items()
        if name.startswith("outbox/") and seat in name
    }


def test_as_many_files_letters_and_dice_as_in_the_other_game(tables: list[AmbushTable]) -> None:
    here, there = (table.files() for table in tables)
    assert here.keys() == there.keys()
    letters = letters_to(tables[0], CARTERS)
    assert len(letters) > 4
    for name, letter in letters_to(tables[1], CARTERS).items():
        assert letters[name] == letter, name
    rolls = [name for name in here if name.startswith("rolls/")]
    assert rolls
    assert all(here[name] == there[name] for name in rolls)


def test_who_is_asked_for_by_name_is_not_there(tables: list[AmbushTable]) -> None:
    found = check(tables[0].open(), "orders.yaml", ASKED[0], CARTERS)
    assert [one.message for one in found.problems] == ["grim is in hiding, and nobody knows where"]


def test_the_one_who_stirs_is_told_of_from_then_on(tmp_path_factory: pytest.TempPathFactory) -> None:
    here, there = tables = after_a_turn(tmp_path_factory)
    for table in tables:
        table.play(CARTERS, "move:\n- odo to 0304\n")
    assert differing(here.open(), there.open(), CARTERS, told) == set(), "he has come nobody near"
    here.play(THIEVES, "move:\n- grim to 1103\n")
    there.play(THIEVES, "move:\n- grim to 1206\n")
    assert {"map in words", "events"} <= differing(here.open(), there.open(), CARTERS, told)
    assert "Grim Cutler comes out of hiding at 1304" in report_of(here.open(), 6, "text", seat=CARTERS)


CAUGHT = {"view": "map in words", "seen": "report as text"}


@pytest.mark.parametrize("name", CAUGHT)
def test_a_forgotten_function_is_caught(tables: list[AmbushTable], name: str) -> None:
    """The same comparison fails where the module does not leave out the thieves."""
    found = []
    for table in tables:
        game = replace(table.open())
        rules = game.ground.rules
        whole = {key: default for key, default in defaults(type(rules.interface)) if key == name}
        leaky = rules.amend(interface=replace(rules.interface, **whole))
        game.__dict__["ground"] = replace(game.ground, rules=leaky)
        found.append(game)
    assert CAUGHT[name] in differing(found[0], found[1], CARTERS, told)


def test_only_games_with_the_module_hide_anything() -> None:
    assert not hides(ANARCHY)
    chosen, _ = choose(ANARCHY, ["hidden"], {})
    assert chosen is not None
    assert hides(chosen)
