"""How far the seats have signed a history; where a GM tells two, each victim sees that the other's signatures
stop.
"""

from __future__ import annotations

import copy

from proof_simulator import Referee, friends_game, line, player, private, umpire_game

from pbem.proof.acknowledged import acknowledged
from pbem.proof.archive import go_path, join_path, orders_path, sig_path
from pbem.proof.ledger import read_ledger
from pbem.proof.signing import sign
from pbem.proof.verdict_words import signed_lines

MELEE = "t1.blue.melee"


def far(game: Referee) -> dict[str, tuple[int, int]]:
    return {one.seat: (one.n, one.unsigned) for one in acknowledged(read_ledger(game.archive))}


def two() -> Referee:
    """Blue and green have keys and chains, and order in turn; one slot of each is done."""
    game = Referee([player("blue"), player("green")], chains=["blue", "green"]).open(MELEE, ["blue"])
    turn(game, "blue", "green")
    turn(game, "green", "blue")
    return game


def turn(game: Referee, seat: str, following: str, label: str = "a") -> None:
    game.order(seat, x=True)
    game.lock()
    game.result([(f"{MELEE}/{label}{game.slot}", 6, 1)], following=(MELEE, [following]))


def lapse(game: Referee, following: str) -> None:
    """Play a slot as if nothing had come of the one it waited for."""
    game.lock()
    game.result(following=(MELEE, [following]))


def test_orders_are_signed_under_the_record_that_asked_for_them():
    game = two()
    assert far(game) == {"blue": (2, 0), "green": (4, 0)}
    turn(game, "blue", "green")
    assert far(game) == {"blue": (6, 0), "green": (4, 0)}
    assert signed_lines(acknowledged(read_ledger(game.archive))) == (
        f"blue has signed this history up to the result of slot 2 (record 6), {digest(game, 6)}",
        f"green has signed this history up to the result of slot 1 (record 4), {digest(game, 4)}",
    )


def digest(game: Referee, n: int) -> str:
    id_ = read_ledger(game.archive).records[n - 1].id
    return "-".join(id_[at : at + 4] for at in (0, 4, 8, 12))


def test_a_join_a_go_and_a_consent_sign_too():
    game = Referee([player("blue"), player("green")], chains=["blue", "green"]).open(MELEE, ["blue"])
    assert far(game) == {"blue": (1, 0), "green": (1, 0)}
    asked = friends_game()
    # Slot 2 was red's, whom the GM plays; blue went for its lock, record 5, and ordered later.
    del asked.archive[orders_path("blue", 3)], asked.archive[sig_path(orders_path("blue", 3))]
    del asked.archive[orders_path("blue", 4)], asked.archive[sig_path(orders_path("blue", 4))]
    assert far(asked) == {"blue": (5, 2)}
    game = two()
    game.undo(2, game.consents(["blue", "green"], to=2))
    assert far(game) == {"blue": (6, 0), "green": (6, 0)}


def test_who_has_no_key_signs_nothing():
    assert far(umpire_game()) == {"blue": (7, 0), "green": (7, 0)}


def test_two_victims_of_a_fork_each_see_the_other_stop():
    blues = two()
    greens = copy.deepcopy(blues)
    greens.clock += 5
    # To blue green is told to have sent nothing, and to green blue; neither can be shown orders of the other
    # for what he never saw.
    for _ in range(3):
        turn(blues, "blue", "green")
        lapse(blues, "blue")
        lapse(greens, "green")
        turn(greens, "green", "blue")
    assert far(blues) == {"blue": (14, 0), "green": (4, 3)}
    assert far(greens) == {"blue": (2, 3), "green": (16, 0)}
    (line_of_green,) = [
        said for said in signed_lines(acknowledged(read_ledger(blues.archive))) if said.startswith("green")
    ]
    assert line_of_green.endswith("; 3 slots since waited for green and have no signature of his")


def test_what_somebody_else_signed_does_not_count():
    game = two()
    path = orders_path("green", 2)
    data = game.archive[path]
    ledger = read_ledger(game.archive)
    for who, head in (("blue", ledger.slots[2].head), ("green", "0" * 64)):
        game.archive[sig_path(path)] = sign(
            private(who), f"pd1-orders/{game.game}/2/green/{head}", data
        ).encode()
        assert far(game)["green"] == (1, 1)
    del game.archive[sig_path(path)]
    assert far(game)["green"] == (1, 1)
    del game.archive[sig_path(join_path("green"))]
    assert far(game)["green"] == (0, 1)
    assert signed_lines(acknowledged(read_ledger(game.archive)))[1].startswith(
        "green has signed nothing of this history; 1 slot since"
    )


def test_a_new_key_does_not_take_back_what_the_old_one_signed():
    game = two()
    game.rekey(
        "green", game.consents(["blue"], of="green", **{"from": 3}, key=line("green2")), key=line("green2")
    )
    assert far(game) == {"blue": (6, 0), "green": (4, 0)}


def test_orders_that_are_locked_and_not_published_count():
    game = two()
    game.order("blue", x=True)
    game.lock()
    del game.archive[orders_path("blue", 3)]
    assert far(game)["blue"] == (6, 0)


def test_a_go_that_nobody_asked_for_does_not_count():
    game = two()
    game.go("green")
    assert go_path("green", 2) in game.archive
    assert far(game)["green"] == (4, 0)


def test_whatever_is_in_the_archive_nothing_breaks():
    game = two()
    for path in (
        "seats/green/consent-0000000000000000.json",
        "seats/consent-1.json",
        "seats/green/consent-.json",
    ):
        game.archive[path] = b"x"
        game.archive[sig_path(path)] = b"\xff"
    assert far(game) == {"blue": (2, 0), "green": (4, 0)}
