"""The protocol as it is played: who is waited for, who is asked for a go, questions, files that stay in
force, deadlines.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from table import SCENARIOS, Table, pull

from pbem.core.dice import Roll
from pbem.proof.archive import MemoryArchive, orders_path, sig_path
from pbem.referee.explain.options import sheet_for
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import match_answer
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verdict_of, verify
from pbem.referee.turn import resolve as resolving
from pbem.referee.turn.check import check
from pbem.referee.turn.go import missing_goes, take_go
from pbem.referee.turn.new import new
from pbem.referee.turn.resolve import preview
from pbem.referee.turn.status import status


def refused(act: object, *args: object, **more: object) -> Refused:
    with pytest.raises(Refused) as refusal:
        act(*args, **more)  # type: ignore[operator]
    return refusal.value


def holds(table: Table) -> bool:
    """Tell whether nothing speaks against a game; where a question is open, its file is not published and
    nothing is decided yet.
    """
    verdict = verify(table.game)
    return verdict.failures == () and verdict.verdict == ("undecided" if table.open().questions else "pass")


KNOTS = {"knots": "many"}
"""Every pull asks the other side something, whatever the die shows."""


def waits(game: Game) -> list[tuple[str, str]]:
    return list(status(game).waiting_for)


# --- questions


def test_a_question_ends_the_slot_and_the_phase_is_played_again(table: Table) -> None:
    table.started(options=KNOTS)
    table.orders("north", pull("north"))
    table.lock()
    table.go("south")
    done = table.resolve()
    assert done.phases == ("t1.north.jeering", "t1.north.pulling")
    assert (done.rolls, done.waiting_for, done.over) == (1, (("south", "answer"),), False)
    assert [question["id"] for question in done.questions] == ["q1"]
    game = table.open()
    assert game.announced()["value"] == "early"
    assert game.ledger.kept == (("north", 1),), "the orders would show what is still to come"
    assert orders_path("north", 1) not in MemoryArchive(dict.fromkeys(table.files(), b""))
    assert game.state.at.phase == "pulling", "a state is always one at the border of a phase"
    assert not list((table.game / "outbox").glob("orders-*")), "nobody asked for a sheet"
    sheet = sheet_for(game, "south", game.state, game.announced())
    assert "#  q1: hold   # if you send nothing\n#  q1: let-go\n" in sheet

    wrong = refused(table.orders, "south", "answers:\n  q1: perhaps\n  q2: hold\npull:\n- south-team pulls\n")
    assert [found.code for found in wrong.located] == [
        "orders.answer",
        "orders.question",
        "orders.only-answers",
    ]
    pack(table.env, table.game, table.root / "game.zip")
    friend = check(open_game(table.root / "game.zip"), "south.yaml", b"seat: south\nanswers: {q1: b}\n")
    assert friend.ok, "he needs no file that is not in the archive yet"
    answered = table.orders("south", "answers: {q1: b}\n")
    assert answered.lock is not None
    assert answered.lock.asked == ()
    done = table.resolve()
    assert done.phases[0] == "t1.north.pulling"
    assert done.rolls == 0, "recorded labels are not rolled again"
    assert table.open().state.rope == -1
    assert table.open().ledger.kept == ()
    assert (table.game / orders_path("north", 1)).is_file()


def test_a_silent_seat_gives_the_printed_default(table: Table) -> None:
    table.started(options=KNOTS, umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    table.resolve()
    assert waits(table.open()) == [("south", "answer")]
    assert refused(table.resolve).problems[0].code == "lock.missing"
    locked = table.lock(deadline=True)
    assert locked.asked == ("north",), "the default leads to dice, and south let the slot lapse"
    table.go("north", "words for the default")
    assert table.resolve().rolls == 1
    assert holds(table)


def test_two_questions_in_one_phase(table: Table) -> None:
    table.started(options=KNOTS, umpire=True, keyed=())
    table.orders("north", "luck: first words here\npull:\n- north-team pulls\n- north-team rests\n")
    table.resolve()
    first = table.open().announced()["questions"]
    assert [question["id"] for question in first] == ["q1"]
    table.orders("south", "answers: {q1: let-go}\nluck: second words here\n")
    table.resolve()
    assert holds(table)


def test_an_answer_stays_while_the_phase_goes_on(table: Table) -> None:
    """Two pulls in one phase ask twice; the first answer goes with the second question."""
    import toy_ruleset

    real = toy_ruleset.pull

    def twice(rules: object, play: object, files: object) -> None:
        real(rules, play, files)  # type: ignore[arg-type]
        play.ask(  # type: ignore[attr-defined]
            seat="south",
            about="yield",
            unit="south-team",
            rule="T1.3",
            choices=(toy_ruleset.Choice("a", "hold"), toy_ruleset.Choice("b", "let-go")),
            default="hold",
            why="again",
        )

    rules = toy_ruleset.TOY.amend(steps={**toy_ruleset.TOY.steps, "pulling": twice})
    old = dict(toy_ruleset.CATALOGUE["toy"])
    toy_ruleset.CATALOGUE["toy"][1] = rules
    try:
        table.started(options=KNOTS, umpire=True, keyed=())
        table.orders("north", pull("north", "luck: first words here\n"))
        table.resolve()
        table.orders("south", "answers: {q1: let-go}\nluck: second words here\n")
        done = table.resolve()
        asked = table.open().announced()["questions"]
        assert [(question["id"], question.get("answer"), question.get("by")) for question in asked] == [
            ("q1", "let-go", "answer"),
            ("q2", None, None),
        ]
        assert [question["id"] for question in done.questions] == ["q2"]
        assert table.open().ledger.kept == (("north", 1),)
        table.lock(deadline=True)
        done = table.resolve()
        assert done.phases[:2] == ("t1.north.pulling", "t1.north.breath")
        assert holds(table)
    finally:
        toy_ruleset.CATALOGUE["toy"].update(old)


def test_a_question_to_the_gm_player_is_locked_before_the_dice(table: Table) -> None:
    table.started(options=KNOTS)
    table.orders("north", "pull:\n- north-team rests\n")
    table.resolve()
    table.orders("south", pull("south"))
    assert table.resolve().waiting_for == (("north", "answer"),)
    assert table.open().announced()["value"] == "go"
    table.orders("north", "answers: {q1: hold}\n")
    assert table.lock().asked == ("south",)
    table.go("south")
    assert table.resolve().rolls == 1


def test_matching_an_answer() -> None:
    choices = [{"id": "a", "value": "0612"}, {"id": "b", "value": "Odo"}, {"id": "c", "value": "hal"}]
    assert match_answer(choices, "one", "A") == "0612"
    assert match_answer(choices, "one", " odo ") == "Odo"
    assert match_answer(choices, "one", "a b") is None
    assert match_answer(choices, "some", "b, hal, b") == "Odo, hal"
    assert match_answer(choices, "some", "b x") is None


# --- files that stay in force


def test_a_file_that_ends_sooner(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", "stop-after: jeer\njeer:\n- north-team jeers\nluck: four tired mules\n")
    done = table.resolve()
    assert (done.phases, done.waiting_for) == (("t1.north.jeering",), (("north", "orders"),))
    assert table.open().announced()["phase"] == "t1.north.pulling"
    table.orders("north", pull("north", "luck: more words of mine\n"))
    assert table.resolve().phases[0] == "t1.north.pulling"
    assert holds(table)


def test_standing_instructions_hold_from_their_lock(table: Table) -> None:
    table.started(options=KNOTS, umpire=True, keyed=())
    table.orders(
        "south", "standing: {everyone: {yield: let-go}}\nluck: words of the south\nmessage: have mercy\n"
    )
    table.orders("north", pull("north", "luck: words of the north\n"))
    done = table.resolve()
    assert done.questions == ()
    assert table.open().state.rope == -1
    assert "have mercy" in (table.game / done.report).read_text()


# --- who gives a value when


def test_the_umpire_game_without_go(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    table.orders("north", pull("north"))
    assert table.resolve().slot == 1
    verdict = verify(table.game)
    assert verdict.trust[0].foreknowledge == "could have been chosen by gm+north", verdict.lines
    value = table.open().ledger.slots[1].values["north"]
    letter = (table.game / "outbox/report-s0001-north.txt").read_text()
    assert letter.startswith(
        f"Your value: {value[:4]}…\n\nYour orders as they were used:\n\npull:\n- north-team pulls"
    )
    other = (table.game / "outbox/report-s0001-south.txt").read_text()
    assert other.startswith("A rope across the yard: turn 1, North")


def test_words_are_shown_to_who_typed_them(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven  drunken herons\n"))
    table.resolve()
    assert (
        (table.game / "outbox/report-s0001-north.txt")
        .read_text()
        .startswith("You typed: seven drunken herons\n")
    )
    public = (table.game / "reports/s0001.txt").read_text()
    assert "north: words for the dice: seven drunken herons" in public
    assert "You typed" not in public, "everybody reads it"


def test_a_seat_that_always_goes(table: Table) -> None:
    wishes = [table.wish("north", keyed=True), table.wish("south", keyed=True, go="always")]
    new(table.env, str(SCENARIOS / "tug.yaml"), table.game, wishes, umpire=True, name="tug-0a1b2c")
    table.join_all()
    table.orders("north", pull("north"))
    game = table.open()
    assert missing_goes(game) == ("south",)
    assert waits(game) == [("south", "go")]
    table.go("south")
    table.resolve()
    assert verify(table.game).trust[0].foreknowledge == "known beforehand only to gm+south"


def test_no_dice_no_go(table: Table) -> None:
    table.started()
    table.orders("north", "pull:\n- north-team rests\n")
    assert table.lock().asked == ()
    assert (table.resolve().rolls, verify(table.game).trust[0].foreknowledge) == (0, "no dice")


def test_the_profile_of_an_umpire_whom_everybody_trusts(table: Table) -> None:
    table.started(profile="gm", umpire=True, keyed=("north", "south"))
    done = table.orders("north", pull("north"))
    assert (done.receipt.file, done.answer) == (
        "draft",
        "These orders are stored. The last ones before the lock are used.",
    )
    assert table.lock().asked == ()
    table.resolve()
    assert verify(table.game).trust[0].foreknowledge == "known beforehand to THE GM ALONE"


def test_an_umpire_who_plays_everything(table: Table) -> None:
    from pbem.referee.turn.new import SeatWish

    wishes = [SeatWish("solo", "north", "Me"), SeatWish("south", "south", "You")]
    assert (
        refused(new, table.env, str(SCENARIOS / "tug.yaml"), table.game, wishes[:1], name="tug-0a1b2c")
        .problems[0]
        .code
        == "seat.nobody"
    )
    made = new(
        table.env, str(SCENARIOS / "tug.yaml"), table.game, wishes, name="tug-0a1b2c", profile="gm", me="solo"
    )
    assert made.gm_seats == ("solo",)


def test_a_sealed_setup_waits_for_both(table: Table) -> None:
    table.started("dig")
    assert waits(table.open()) == [("north", "orders"), ("south", "orders")]
    table.orders("north", "setup:\n- north-team digs\n")
    assert waits(table.open()) == [("south", "orders")]
    assert refused(table.lock).problems[0].args["seats"] == "south"
    table.orders("south", "setup:\n- south-team stands\n")
    assert table.lock().asked == ()
    table.resolve()
    assert [team.dug for team in table.open().state.teams] == [True, False]
    assert holds(table)


# --- deadlines


def test_the_deadline_uses_drafts_and_goes_on_without_the_silent(table: Table) -> None:
    table.started(umpire=True, keyed=())
    assert refused(table.lock).answer == 3
    table.orders("north", pull("north"))
    refusal = refused(table.lock)
    assert (refusal.answer, refusal.problems[0].code) == (3, "lock.draft")
    assert status(table.open()).drafts == ("north",)
    locked = table.lock(deadline=True)
    assert (locked.files, locked.asked) == (("north",), ("north", "south"))
    assert table.lock() == locked, "a lock is made once"


def test_an_umpire_who_plays_waits_for_his_friend(table: Table) -> None:
    table.started()
    table.orders("north", "pull:\n- north-team rests\n")
    table.resolve()
    refusal = refused(table.lock, deadline=True)
    assert (refusal.answer, refusal.problems[0].code) == (3, "lock.friends-wait")
    assert (
        refusal.problems[0].help
        == "write: Your mail of slot 2 did not arrive. Send it again as it was, with the same words."
    )


def test_a_silent_side_is_played_for(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.lock(deadline=True)
    done = table.resolve()
    assert done.phases == ("t1.north.jeering", "t1.north.pulling", "t1.north.breath")
    assert done.waiting_for == (("south", "orders"),)


def test_a_locked_slot_takes_no_orders(table: Table) -> None:
    table.started()
    table.orders("north", pull("north"))
    table.lock()
    refusal = refused(table.orders, "north", pull("north"))
    assert (refusal.answer, refusal.problems[0].code) == (3, "game.locked")


# --- goes


def test_a_go_of_another_lock_or_seat(table: Table) -> None:
    from pbem.proof.archive import go_namespace
    from pbem.proof.canonical import encode
    from pbem.proof.known import Value
    from pbem.proof.records import go
    from pbem.proof.signing import sign
    from pbem.referee.turn.go import make_go, take_words

    table.started()
    table.orders("north", pull("north"))
    table.lock()
    game = table.open()
    lock_id = game.ledger.locked.lock_id  # type: ignore[union-attr]
    good = make_go(table.player, game, table.key("south"))
    record = {"game": game.id, "seat": "south", "slot": 1, "lock_id": lock_id, "value": Value("0" * 64)}

    def letter(key: str = "south", **more: object) -> bytes:
        data = encode(go(**{**record, **more}))  # type: ignore[arg-type]
        seat = str(more.get("seat", "south"))
        return data + sign(table.key(key), go_namespace(game.id, 1, seat, lock_id), data).encode()

    def code(data: bytes) -> str:
        before = table.files()
        found = refused(take_go, table.game, data).problems[0].code
        assert table.files() == before
        return found

    assert code(letter()) == "proof.chain"
    assert code(letter("north")) == "proof.signature"
    assert code(letter(slot=2)) == "go.other-lock"
    assert code(letter(lock_id="0" * 64)) == "go.other-lock"
    assert code(letter(seat="north")) == "go.not-asked"
    assert code(letter(value=None, luck="any words at all")) == "luck.fixed"
    assert code(b"{}") == "go.form"
    assert code(b'{"type":"join"}\n') == "go.form"
    assert code(good.letter.partition(b"-----")[0]) == "proof.unsigned"
    assert refused(take_words, table.game, "seven drunken herons").problems[0].code == "proof.unsigned"
    assert refused(make_go, table.player, game, table.key("north")).problems[0].code == "go.not-asked"
    assert (
        refused(make_go, table.player, game, table.key("north"), "south").problems[0].code
        == "proof.signature"
    )
    take_go(table.game, good.letter)
    assert take_go(table.game, make_go(table.player, game, table.key("south")).letter).still_missing == ()
    table.resolve()
    assert refused(take_go, table.game, good.letter).problems[0].code == "go.no-lock"


def test_words_for_a_go(table: Table) -> None:
    from pbem.referee.turn.go import take_words

    table.started(umpire=True, keyed=())
    table.orders("north", pull("north"))
    table.lock(deadline=True)
    assert refused(take_words, table.game, "seven drunken herons").problems[0].code == "go.which"
    table.go("north", "seven drunken herons")
    table.go("north", "seven  drunken herons ")
    refusal = refused(take_words, table.game, "eight drunken herons", "north")
    assert refusal.problems[0].code == "go.other-words"
    refusal = refused(table.resolve)
    assert (refusal.answer, refusal.problems[0].args["seats"]) == (3, "south")
    table.go("south", "words of the south")
    table.resolve()
    assert holds(table)


def test_a_go_with_words_where_there_is_a_key_and_no_chain(table: Table) -> None:
    from pbem.proof.archive import join_namespace
    from pbem.proof.canonical import encode
    from pbem.proof.records import join
    from pbem.proof.signing import sign
    from pbem.referee.turn.admit import admit

    table.new()
    record = encode(
        join(game="tug-0a1b2c", seat="south", manifest_id=table.open().ledger.manifest_id, words="yes")
    )
    admit(
        table.env,
        table.game,
        record + sign(table.key("south"), join_namespace("tug-0a1b2c", "south"), record).encode(),
    )
    table.orders("north", pull("north"))
    table.lock()
    assert refused(table.go, "south").problems[0].code == "go.words"
    assert refused(table.go, "south", "short").problems[0].code == "luck.too-short"
    table.go("south", "seven drunken herons")
    table.resolve()
    assert holds(table)


# --- preview


def test_a_preview_changes_nothing_and_shows_other_dice(table: Table) -> None:
    table.started()
    table.orders("north", pull("north"))
    before = table.files()
    seen = preview(table.env, table.game, table.root / "scratch")
    assert (seen.slot, seen.rolls >= 1) == (1, True)
    assert (table.root / "scratch/maps/s0001.png").is_file()
    table.lock()
    locked = table.files()
    preview(table.env, table.game, table.root / "scratch")
    lock = "ledger/00003-s0001-lock.json"
    assert set(locked) - set(before) == {lock, f"{lock}.sig", *_letters(locked)}
    assert table.files() == locked
    (secret,) = table.env.keyring.secrets("tug-0a1b2c", "gm")
    assert secret is not None
    made = b"".join(path.read_bytes() for path in (table.root / "scratch").rglob("*") if path.is_file())
    from pbem.proof.dice_protocol import Chain

    assert Chain(secret, "tug-0a1b2c", "gm").value(1).encode() not in made


def _letters(files: dict[str, bytes]) -> set[str]:
    return {path for path in files if path.startswith("outbox/lock-")}


# --- the rules are played again (E28)


def found(archive: MemoryArchive) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in verdict_of(archive).failures]


def cheat(table: Table, monkeypatch: pytest.MonkeyPatch, **changes: object) -> list[tuple[str, str]]:
    """Resolve slot 1 with a result in which something is not what the rules say, all signed by the GM
    himself.
    """
    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    real = resolving.play

    def other(*args: object, **more: object) -> object:
        return replace(real(*args, **more), **changes)  # type: ignore[arg-type,type-var]

    monkeypatch.setattr(resolving, "play", other)
    table.resolve()
    return found(MemoryArchive(table.files()))


def test_another_place_to_stop(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    phases: Sequence[str] = ("t1.north.jeering",)
    codes = cheat(table, monkeypatch, phases=tuple(phases), rolls=())
    assert codes[0][1].startswith("slot 1, roll 1: the rules give t1.north.pulling/pull/north-team/1 (d6 ")
    assert codes[0][1].endswith("), the game has nothing")


def test_another_state(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = cheat(table, monkeypatch, state_data=b'{"at":"t1.south.jeering"}\n')
    assert ("E28", "slot 1, teams: the rules give north-team south-team, the game has nothing") in codes


def test_other_files_in_force(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = cheat(table, monkeypatch, kept=(("north", 1),))
    assert codes in (
        [],
        [
            (
                "E28",
                "slot 1, orders that stay in force: the rules give nothing, the game "
                "has those of north from slot 1",
            )
        ],
    )
    assert verify(table.game).verdict in ("fail", "undecided")


def test_another_next(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = cheat(table, monkeypatch, following=None)
    stops = "the rules give t1.south.jeering for south, the game has the end of the game"
    assert codes[-1] == ("E28", f"slot 1, who moves next: {stops}")


def test_a_roll_that_the_rules_do_not_ask_for(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.proof.dice_protocol import SeededDice

    table.started(umpire=True, keyed=())
    table.orders("north", pull("north", "luck: seven drunken herons\n"))
    real = resolving.play

    def other(*args: object) -> object:
        made = real(*args)  # type: ignore[arg-type]
        dice = args[-1]
        assert isinstance(dice, SeededDice)
        label = "t1.north.pulling/pull/north-team/1:3"
        extra = Roll(label, 6, dice.values(label, 6, 1))
        return replace(made, rolls=(*made.rolls, extra))

    monkeypatch.setattr(resolving, "play", other)
    table.resolve()
    ((code, said),) = found(MemoryArchive(table.files()))
    assert code == "E28"
    assert said.startswith(
        "slot 1, roll 2: the rules give nothing, the game has t1.north.pulling/pull/north-team/1:3 (d6 "
    )


def test_another_start(table: Table) -> None:
    table.started(umpire=True, keyed=())
    table.orders("north", "pull:\n- north-team rests\nluck: seven drunken herons\n")
    table.resolve()
    files = MemoryArchive(table.files())
    assert found(files) == []
    del files["scenario/maps/yard.yaml"]
    assert found(files)[0][0] == "E00"
    files = MemoryArchive(table.files())
    del files["state/s0000.json"]
    del files["state/s0001.json"]
    assert found(files) == [], "states are made again"


def test_the_rules_of_somebody_else(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started(umpire=True, keyed=())
    archive = MemoryArchive(table.files())
    monkeypatch.setattr("pbem.rulesets._others", dict)
    verdict = verdict_of(archive)
    assert (verdict.verdict, verdict.failures, verdict.replayed) == ("undecided", (), False)
    assert verdict.undecided[0].startswith(
        "this is pbem 0.1.0 (engine 00000000), which does not have the rules of this game, toy; "
    )
    assert (refused(lambda: open_game(table.game).ground)).problems[0].code == "rules.unknown"


def test_rules_that_stumble_are_a_finding(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started(umpire=True, keyed=())
    monkeypatch.setattr("pbem.referee.game.replaying.first_state", lambda *args: 1 // 0)
    codes = found(MemoryArchive(table.files()))
    assert codes == [("E28", "the beginning: the rules cannot go on from what the game has there")]


def test_a_locked_file_that_cannot_be_read_counts_as_none(table: Table) -> None:
    from pbem.referee.game.replay import read_sheet

    table.started(umpire=True, keyed=())
    game = table.open()
    for data in (
        b"",
        b"#pd1-orders/1\n---\n",
        *(_file(game, yaml) for yaml in (b"", b"[", b"- a\n", b"pull:\n- x y\n")),
    ):
        assert read_sheet(game.ground, game.state, "north", 1, data).orders is None


def _file(game: Game, yaml: bytes) -> bytes:
    from pbem.proof.orderfile import write

    return write(game=game.id, slot=1, seat="north", head="0" * 64, salt="0" * 32, yaml=yaml)


def test_the_signature_of_a_locked_file_is_shown_before_the_file(table: Table) -> None:
    table.started(umpire=True, keyed=("north", "south"))
    table.orders("north", pull("north"))
    assert (table.game / sig_path(orders_path("north", 1))).is_file()
    assert not (table.game / orders_path("north", 1)).exists()
    assert verify(table.game).failures == ()
