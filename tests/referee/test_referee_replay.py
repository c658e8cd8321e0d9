"""Playing an archive again: each thing that can differ from the ledger is a finding of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table import Table, pull

from pbem.core.dice import Roll
from pbem.proof.canonical import encode
from pbem.proof.ledger import read_ledger
from pbem.proof.replaying import FileInForce, GameToReplay, game_to_replay
from pbem.referee.replay import read_state, replay


@pytest.fixture
def game(table: Table) -> GameToReplay:
    """Two slots of a game that holds: a die, then no die."""
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: words for slot one\n"))
    table.resolve()
    seat = table.open().announced()["waits"][0]
    answer = "answers: {q1: let-go}\n" if table.open().questions else f"fight:\n- {seat}-team rests\n"
    table.orders(seat, f"luck: words for slot two\n{answer}")
    table.resolve()
    made = game_to_replay(read_ledger(table.open().archive))
    assert list(replay(made)) == []
    assert len(made.slots) == 2
    return made


def said(game: GameToReplay) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in replay(game)]


def first(game: GameToReplay, **changes: object) -> GameToReplay:
    return replace(game, slots=(replace(game.slots[0], **changes), *game.slots[1:]))  # type: ignore[arg-type]


def test_another_start(game: GameToReplay) -> None:
    assert said(replace(game, start={**game.start, "state": "0" * 64})) == [("E28", "the scenario gives another state to begin with")]
    following = {**game.start["next"], "waits": ["south"]}
    assert said(replace(game, start={**game.start, "next": following})) == [
        ("E28", "the rules begin with another phase, or wait for others")
    ]
    later = {**game.start["next"], "due": "2026-02-02T10:00:00Z"}
    assert said(replace(game, start={**game.start, "next": later})) == []


def test_files_that_make_no_game(game: GameToReplay) -> None:
    wanted = [("E28", "scenario, map, tables or options are not accepted by the ruleset")]
    assert said(replace(game, files={**game.files, "scenario/tug.yaml": b"scenario: tug\nmap: yard\n"})) == wanted
    assert said(replace(game, files={**game.files, "tables/knots.yaml": b"a: b\n"})) == wanted
    ruleset = {**game.manifest["ruleset"], "options": {"knots": "none"}}
    assert said(replace(game, manifest={**game.manifest, "ruleset": ruleset})) == wanted
    ruleset = {**game.manifest["ruleset"], "revision": 7}
    assert said(replace(game, manifest={**game.manifest, "ruleset": ruleset})) == [("E00", "this pbem has no ruleset toy revision 7")]


def test_a_state_that_is_missing(game: GameToReplay) -> None:
    lost = first(game, state_before=None, state_before_sha256="0" * 64)
    assert said(lost)[0] == ("E00", "the state before the slot is missing and cannot be made again")
    assert said(first(game, state_before=None)) == []


def test_a_state_that_is_none(game: GameToReplay) -> None:
    spoilt = replace(game, slots=(game.slots[0], replace(game.slots[1], state_before=b"{}\n", state_before_sha256="1" * 64)))
    (code, message), *_ = said(spoilt)
    assert (code, message.startswith("the rules cannot be played on this archive (ValueError: not a state of this game")) == ("E28", True)


def test_a_file_of_a_slot_that_is_not_played_again(game: GameToReplay) -> None:
    later = replace(game, slots=game.slots[1:])
    odd = FileInForce("north", 1, "seats/north/orders-s0001.txt", b"")
    assert said(replace(later, slots=(replace(later.slots[0], files=(*later.slots[0].files, odd)),)))[0] == (
        "E00",
        "the slot that locked this file cannot be played again",
    )


def test_dice_where_none_may_be_rolled(game: GameToReplay) -> None:
    assert said(first(game, dice_allowed=False))[0] == (
        "E28",
        "the rules want the die t1.north.melee/fight/north-team/1 where none may be rolled",
    )


def test_other_rolls(game: GameToReplay) -> None:
    rolls = game.slots[0].rolls
    other = Roll(rolls[0].label, 6, (rolls[0].values[0] % 6 + 1,))
    (code, message), *_ = said(first(game, rolls=(other, *rolls[1:])))
    assert (code, message.startswith(f"the rules roll {rolls[0].label} [{rolls[0].values[0]}], the log has")) == ("E28", True)


def test_kept_phases_and_next(game: GameToReplay) -> None:
    result = dict(game.slots[0].result)
    assert said(first(game, result={**result, "kept": [{"seat": "south", "slot": 1}]})) == [("E28", "other files stay in force")]
    assert said(first(game, result={**result, "phases": ["t1.north.melee"]}))[0][1].startswith("the rules play the phases t1.north.first")
    following = {**result["next"], "phase": "t9.north.melee"}
    assert said(first(game, result={**result, "next": following})) == [("E28", "the rules stop elsewhere, or wait for others")]
    engine = {**result["next"], "engine": {"name": "pbem", "version": "9", "sha256": "0" * 64}}
    assert said(first(game, result={**result, "next": engine})) == []


def test_states_that_are_none(table: Table) -> None:
    ground = table.started().open().ground
    for data in (
        b"",
        b"{}\n",
        b"[]\n",
        encode({"at": "t1.north.melee", "rope": 0, "teams": [{"id": 7}]}),
        encode({"at": "x", "teams": [], "rope": 0}),
    ):
        with pytest.raises(ValueError, match="not a state of this game"):
            read_state(ground, data)
