"""The sergeant against ``random`` from each side of each scenario, with fixed seeds: he wins the first game.

Games that take a processor more than five seconds wait for the longer check. It plays ten, of which he may
lose or draw one; three where more than thirty figures fight and one at castles, and he wins them all. ``make
balance`` plays the hundred.
"""

from __future__ import annotations

import pytest
from thorough import deeper, thorough, tries

from benchmarks.balance import Ended, Row, main, rows
from pbem.fleet.studies import Pairing, Study, laid, played, sides, tasks
from pbem.store.library import scenarios

GAMES, FEW, ONE = 10, 3, 1
MANY_FIGURES = 30
PAIRS = (("sergeant", "random"), ("random", "sergeant"))
LONG = {("embers", PAIRS[0]), ("embers", PAIRS[1]), ("oil-and-oxen", PAIRS[0]), ("oil-and-oxen", PAIRS[1])}
LONG |= {("six-days", PAIRS[0]), ("nineteen-days", PAIRS[0]), ("windle-hill", PAIRS[1])}
CASTLES = ("hot-welcome", "mole", "nine-men", "timber-on-the-wall")
LONG |= {(one, pair) for one in (*CASTLES, "reeves-oxen") for pair in PAIRS}
SECTIONS = ("kestrel-open", "kestrel-tower", "the-long-curtain")
"""What he does not play: ``test_bots_marshal.py``."""
NOT_LEARNED = tuple((one, pair) for one in SECTIONS for pair in PAIRS)
LONG -= {*NOT_LEARNED}


def games_of(scenario: str) -> int:
    """Return how many games of a scenario an ordinary test has time for."""
    ground = laid(scenario, ())[0]
    if ground.rules.id == "siege" or scenario in CASTLES:
        return ONE
    return FEW if len(ground.field.forces) > MANY_FIGURES else GAMES


MATCHES = [
    (path.stem, pair) for path in scenarios() for pair in PAIRS if (path.stem, pair) not in NOT_LEARNED
]


def test_long_games_are_games_that_are_played() -> None:
    assert set(MATCHES) > LONG


@pytest.mark.parametrize(
    ("scenario", "pair"),
    [
        pytest.param(*match, marks=thorough if match in LONG else deeper, id="-".join([match[0], *match[1]]))
        for match in MATCHES
    ],
)
def test_the_sergeant_beats_random(scenario: str, pair: tuple[str, str]) -> None:
    games = tries(1, games_of(scenario))
    pairing = Pairing(scenario, pair)
    (task,) = tasks(Study((pairing,), games, "balance", each=games))
    won = [row[0] for row in played(**task.arguments)]
    lost = games_of(scenario) // GAMES if games > 1 else 0
    assert won.count(sides(pairing)[pair.index("sergeant")]) >= games - lost, won


@thorough
def test_a_siege_goes_on_to_its_end_when_an_assault_has_lost_an_engine() -> None:
    pairing = Pairing("nineteen-days", ("sergeant", "sergeant"))
    *_, burnt = tasks(Study((pairing,), 23, "balance", each=1))
    ((winner, *_),) = played(**burnt.arguments)
    assert winner in sides(pairing)


def ended(
    winner: int, pair: tuple[str, str] = ("sergeant", "random"), turns: int = 10, letters: int = 20
) -> Ended:
    return Ended(Pairing("alder-ford", pair), winner, turns, letters, 0.5)


def test_rows_count_wins_draws_and_mails() -> None:
    found = list(rows([ended(0), ended(0), ended(1), ended(-1, letters=40)]))
    assert found == [
        Row("alder-ford", ("east", "west"), ("sergeant", "random"), 4, {0: 2, 1: 1, -1: 1}, 125, 0.5)
    ]
    assert found[0].cells() == (
        "alder-ford", "east (sergeant) 2", "west (random) 1", "drawn 1", "1.25 mails", "0.50 s", "too few",
    )  # fmt: skip


@pytest.mark.parametrize(("wins", "failed"), [(95, False), (94, True)])
def test_ninety_five_of_a_hundred_are_enough(wins: int, failed: bool) -> None:
    row = Row("alder-ford", ("east", "west"), ("random", "sergeant"), 100, {1: wins, 0: 100 - wins}, 100, 0.1)
    assert row.failed is failed
    assert not Row("alder-ford", ("east", "west"), ("sergeant", "sergeant"), 100, {1: 100}, 100, 0.1).failed


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["alder-ford", "--games", "1", "--processes", "1"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("scenario")
    assert len(out) == 6
    assert out[-1].startswith("mails a side and game turn where retreats and advances are asked: ")
