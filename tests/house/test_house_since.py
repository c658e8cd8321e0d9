"""What became slower since a release is told by the same benchmarks, run side by side."""

from __future__ import annotations

import json

import pytest
from msgspec import to_builtins

from benchmarks.__main__ import main
from benchmarks.measure import Result
from benchmarks.since import changes, figures, told


def result(what: str, ours: float, bare: float | None = None) -> Result:
    return Result("check", what, "yaml", ours, bare, None)


def test_what_a_run_prints_for_programs_is_read_back() -> None:
    one = result("40 orders", 0.010, 0.002)
    said = json.loads(json.dumps({"benchmarks": [{**to_builtins(one), "figure": one.figure}]}))
    assert figures(said) == {("check", "40 orders"): 5.0}


def test_the_worst_stands_first_and_little_is_no_change() -> None:
    before = {("check", "a"): 10.0, ("check", "b"): 10.0, ("check", "c"): 10.0, ("check", "gone"): 1.0}
    now = [result("a", 0.0105), result("b", 0.030), result("c", 0.002), result("new", 0.001)]
    found = list(changes(before, now))
    assert [(one.what, one.said, one.word) for one in found] == [
        ("b", ("10.0 ms", "30.0 ms"), "worse"),
        ("a", ("10.0 ms", "10.5 ms"), "as before"),
        ("c", ("10.0 ms", "2.00 ms"), "better"),
    ]
    assert list(told("v1", iter(found))) == [
        "since v1     then      now",
        "b         10.0 ms  30.0 ms  3.00 times   worse",
        "c         10.0 ms  2.00 ms  0.20 times  better",
        "1 became worse, 1 better, 1 of 3 are as before",
    ]


def test_of_what_is_good_less_is_worse() -> None:
    read = Result("letters", "read rightly", "", 50.0, None, 99, "%", more=True)
    (found,) = changes({("letters", "read rightly"): 100.0}, [read])
    assert (found.times, found.word, found.said) == (2.0, "worse", ("100 %", "50 %"))


def test_what_measured_nothing_is_not_divided_by() -> None:
    assert list(changes({("check", "a"): 0.0}, [result("a", 0.1)])) == []


def test_a_release_that_is_not_here_is_named_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--since", "v0.0.0"])
    assert (
        "there is no release v0.0.0 in this repository; git fetch --tags brings them"
        in capsys.readouterr().err
    )
