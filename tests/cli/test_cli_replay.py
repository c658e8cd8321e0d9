"""The verb replay on the command line: what it writes by the ending of the name, and what is typed wrong."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from pbem.cli import cli

GAME = str(Path(__file__).resolve().parents[2] / "examples" / "alder-ford" / "archive.zip")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["replay", *words])


@pytest.mark.parametrize(
    ("ending", "begins"), [(".png", b"\x89PNG"), (".webp", b"RIFF"), (".gif", b"GIF89a")]
)
def test_a_moving_picture_below_a_limit(ending: str, begins: bytes, tmp_path: Path) -> None:
    out = tmp_path / f"ford{ending}"
    answer = run(GAME, "-o", str(out), "--slots", "3-4", "--by", "slot", "--max-bytes", "150k")
    assert (answer.exit_code, answer.output) == (0, f"The game is in {out}.\n")
    data = out.read_bytes()
    assert data.startswith(begins)
    assert len(data) <= 150 * 1024
    assert Image.open(io.BytesIO(data)).n_frames in (3, 4), "an APNG has a still picture as well"  # type: ignore[attr-defined]


def test_a_page_of_some_slots_as_a_seat_sees_them(tmp_path: Path) -> None:
    out = tmp_path / "ford.html"
    answer = run(GAME, "-o", str(out), "--slots", "2", "--seat", "east", "--theme", "contrast")
    assert (answer.exit_code, answer.output) == (0, f"The game is in {out}.\n")
    text = out.read_text("utf-8")
    assert "default-src 'none'" in text
    assert '"start":1' in text
    assert len(text) < 1_000_000


def test_characters_on_the_terminal() -> None:
    answer = run(GAME)
    assert answer.exit_code == 0
    assert answer.output.count("slot 21") >= 1
    assert answer.output.count("=" * 72) == 21


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("-o", "x.mp4"), 1, "cannot write a picture as '.mp4'"),
        (("-o", "x.webp", "--max-bytes", "1"), 1, "the smallest animation of this is "),
        (("-o", "x.webp", "--max-bytes", "0"), 2, "'0' is not a number of bytes, such as 256k or 1M"),
        (("-o", "x.webp", "--max-bytes", "1G"), 2, "'1G' is not a number of bytes"),
        (("-o", "x.html", "--slots", "9-5"), 2, "'9-5' is not a slot, or some of them, such as 5-9"),
        (("-o", "x.html", "--slots", "-"), 2, "'-' is not a slot"),
        (("-o", "x.html", "--slots", "77-"), 3, "none of these slots has been played; the newest is slot 21"),
        (
            ("-o", "x.html", "--by", "slot"),
            2,
            "--by and --max-bytes go with -o and a name that ends in .png, .webp, .gif",
        ),
        (("-o", "x.html", "--seat", "nobody"), 1, "'nobody' is not a seat in this game"),
        (("--seat", "east"), 2, "--seat and --slots do not go with text"),
        (("-o", "x.txt", "--slots", "5"), 2, "--seat and --slots do not go with text"),
    ],
)
def test_what_cannot_be_shown(
    words: tuple[str, ...], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if words[-2:] == ("--max-bytes", "1"):
        words = (*words, "--slots", "1", "--by", "slot")
    answer = run(GAME, *words)
    assert (answer.exit_code, said in answer.output) == (code, True), answer.output
    assert list(tmp_path.iterdir()) == []
