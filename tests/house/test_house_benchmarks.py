"""What a run of the benchmarks prints, and the other games that are measured beside ours."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as program
from benchmarks import peers
from benchmarks.measure import Growth, Result, amount, calls
from benchmarks.telling import told

CHECK = Result("check", "check a file of 40 orders", "yaml.CSafeLoader", 0.004, 0.0001, 2.5)
MELEE = Result("phase", "resolve melee", "", 0.0015, None, 2)
READ = Result("letters", "the right text taken", "", 99.5, None, 99, "%", more=True)
SIZE = amount("size", "a packet", 0.96, "MB")
SLOTS = Growth("submit", "slots", (10, 50, 200), (0.001, 0.002, 0.004), 0.2, 50)


def test_one_table_says_what_was_reached_below_what_is_there_to_compare() -> None:
    assert list(told([CHECK, SIZE, MELEE, READ, SLOTS])) == [
        "to compare  measured",
        "a packet     0.96 MB",
        "",
        "how times grow  power",
        "submit, slots    0.50  10: 1.00 ms  50: 2.00 ms  200: 4.00 ms",
        "",
        "what                                          measured                       aim",
        "check a file of 40 orders / yaml.CSafeLoader      40.0  4.00 ms / 100 µs   ≤ 2.5   missed",
        "resolve melee                                  1.50 ms                    ≤ 2 ms  reached",
        "the right text taken                            99.5 %                    ≥ 99 %  reached",
        "submit, 50 to 200 slots: power of growth          0.50                     ≤ 0.2   missed",
        "2 of 4 aims reached",
    ]


def test_a_long_line_goes_on_in_the_next_and_no_line_is_wider_than_a_hundred() -> None:
    what = "verify 60 slots, 8 seats, 18000 dice, rules not replayed"
    long = Result("long", what, "791 Ed25519 checks, 19500 hashes", 1.234, 0.1234, 2.0)
    lines = list(told([long, CHECK, MELEE, SLOTS]))
    assert max(map(len, lines)) <= 100
    head = next(number for number, line in enumerate(lines) if line.startswith("verify"))
    assert lines[head + 1].startswith("  replayed / 791 Ed25519 checks, 19500 hashes")
    assert lines[head + 1].endswith("10.0   1.23 s / 123 ms     ≤ 2   missed")


def test_functions_are_counted_alike_at_every_run() -> None:
    once, again = (calls("calls", "sorting", lambda: sorted("pbem", key=str.upper)) for _ in range(2))
    assert once.figure == again.figure == 3


def test_what_is_printed_for_programs_says_what_was_reached_of_growth_too() -> None:
    said = json.loads(json.dumps(program.plain([CHECK, READ, SLOTS], {("check", CHECK.what): 20.0})))
    assert [(one["figure"], one["reached"]) for one in said["benchmarks"]] == [(40.0, False), (99.5, True)]
    assert [(one["exponent"], one["reached"]) for one in said["growth"]] == [(0.5, False)]
    assert [(one["what"], one["times"]) for one in said["since"]] == [(CHECK.what, 2.0)]


def test_one_that_fails_takes_nothing_with_it_and_leaves_nothing_to_the_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def with_rulesets_of_others(seconds: float) -> list[Result]:
        sys.path.append("of others")
        return [CHECK]

    def fails(seconds: float) -> list[Result]:
        assert "of others" not in sys.path
        raise ValueError("no disk")

    monkeypatch.setattr(program, "NAMES", {"check": with_rulesets_of_others, "fleet": fails})
    with pytest.raises(ValueError, match="no disk"):
        program.main([])
    assert "check a file of 40 orders / yaml.CSafeLoader" in capsys.readouterr().out


def test_without_peers_nothing_is_measured_and_one_line_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "PLACE", tmp_path)
    monkeypatch.setitem(program.NAMES, "legal", lambda seconds: iter([CHECK]))
    assert peers.beside("chess", int) is None
    assert program.main(["legal"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == peers.MISSING


def test_a_peer_does_its_rounds_in_a_python_of_its_own_and_of_each_thing_the_least_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".ready").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    does = tmp_path / "rounds.py"
    does.write_text(
        "import sys\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    assert line == 'diplomacy\\n'\n"
        "    print([[0.5, 0.2, 0.9], [0.4, 0.3, 0.8]][number], flush=True)\n"
    )
    monkeypatch.setattr(peers, "PLACE", tmp_path)
    monkeypatch.setattr(peers, "_DOES", does)
    found = peers.beside("diplomacy", lambda: sum(range(100)), rounds=2)
    assert found is not None
    assert 0 < found[0] < 0.1
    assert found[1] == 0.4


def test_make_bench_brings_the_peers() -> None:
    root = Path(program.__file__).parents[1]
    made = (root / "Makefile").read_text("utf-8")
    assert "bench: $(READY) $(PEERS)/.ready" in made
    assert f"PEERS  := {peers.PLACE.relative_to(root)}" in made
    wanted = (root / "benchmarks" / "bare" / "peers.txt").read_text("utf-8")
    assert {line.partition("==")[0] for line in wanted.splitlines() if line[:1] != "#"} == {
        "chess",
        "diplomacy",
    }
