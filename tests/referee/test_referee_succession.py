"""A deputy goes on with games: from his share and what players hold, with the same dice, and everybody is told;
what opens no share, and two umpires in one.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from killing import each_step
from msgspec.structs import replace
from office_table import OfficeTable
from table import pull

from pbem.cli import cli
from pbem.proof.recovery import new_code, printed, read_code
from pbem.proof.share import BEGIN, BadShare, Share, games_in, seal, unseal
from pbem.referee.game.game import open_game
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.succession import deputy, takeover
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verify
from pbem.referee.turn.resolve import resolve
from pbem.store import disk
from pbem.store.keys import Keyring

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/cli/umpire.schema.json").read_text())
CODE = new_code(bytes(range(16)))
FILES = {"tug-0a1b2c": {"gm.key": b"a key", "gm.chain": b"00" * 32}}


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    office = OfficeTable(tmp_path)
    office.count = 2  # with these secrets nobody is asked anything in between
    office.started(keyed=(), umpire=True)
    office.round()
    return office


def locked(office: OfficeTable) -> None:
    """Lock a turn of which everything is there."""
    seat = str(office.open().announced()["waits"][0])
    office.orders(seat, pull(seat) + "luck: seven drunken herons\n", auto_lock=False)
    office.lock()


def elsewhere(office: OfficeTable, root: Path) -> OfficeTable:
    """Return another computer, which knows nothing yet."""
    root.mkdir()
    other = OfficeTable(root)
    other.moment, other.count = office.moment, 5_000
    other.env = replace(other.env, keyring=Keyring(root / "home"))
    return other


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return str(refused.value.problems[0].code)


# --- the share itself


def test_a_share_opens_with_its_code_alone() -> None:
    text = seal(Share(FILES, b"o" * 32), CODE, bytes(28))
    assert unseal(text, CODE) == Share(FILES, b"o" * 32)
    assert unseal(f"Hello Uma,\r\n\r\n{text}\r\nBye".replace("\n", "\r\n"), CODE).games == FILES
    assert games_in(text) == ("tug-0a1b2c",) and "a key" not in text
    with pytest.raises(BadShare, match="code"):
        unseal(text, new_code(bytes(16)))
    with pytest.raises(BadShare, match="code"):  # the names of the games are sealed too
        unseal(text.replace("tug-0a1b2c", "tug-0a1b2d"), CODE)
    assert seal(Share(FILES), CODE, bytes(28)) != seal(Share(FILES), CODE, bytes(27) + b"1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        BEGIN,
        seal(Share(FILES), CODE, bytes(28)).replace("\n-----END", "-----END"),
        seal(Share(FILES), CODE, bytes(28)).replace("Games:", "Game:"),
        seal(Share(FILES), CODE, bytes(28)) + "x" * 4_000_001,
        seal(Share({"tug-0a1b2c": {"../office.secret": b"x"}}), CODE, bytes(28)),
        seal(Share({"tug-0a1b2c": {"north.chain": b"x"}}), CODE, bytes(28)),
    ],
)
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(BadShare, match="form"):
        unseal(text, CODE)


# --- a deputy takes over


def test_a_deputy_goes_on_from_a_players_letters_with_the_same_dice(
    office: OfficeTable, tmp_path: Path
) -> None:
    made = deputy(office.env, office.game, "Uma", "if I fall ill")
    assert made.told == ("tug-0a1b2c",) and made.untold == ()
    assert [step.what for step in office.round()] == ["told", "told"]
    letter = " ".join(office.newest("change-").text.split())
    assert "Uma is my deputy" in letter and "under seal" in letter and "if I fall ill" in letter
    pack(office.env, office.game, tmp_path / "north.zip")
    there = elsewhere(office, tmp_path / "uma")
    done = takeover(
        there.env, there.game, made.share, made.code.lower(), "Uma", "Cass is ill", tmp_path / "north.zip"
    )
    assert done.game == "tug-0a1b2c" and done.taken > 5
    text = f"{there.open().ledger.records[-1].record['why']}"
    assert "Uma has taken this game over" in text and "Cass is ill" in text
    for either in (office, there):
        locked(either)
        resolve(either.env, either.game, pictures=False)
    mine, hers = office.open(), there.open()
    assert mine.ledger.slots[1].result is not None and hers.ledger.slots[1].result is not None
    for name in ("seed", "rolls", "state"):
        assert mine.ledger.slots[1].result[name] == hers.ledger.slots[1].result[name]
    assert verify(there.game).failures == ()
    # codes of seats stay what they were, so letters of players who have not heard of it still count
    path = there.root / "pbem.toml"
    path.write_text(path.read_text() + '[games.tug-0a1b2c]\nseats = { north = "nora", south = "sam" }\n')
    assert there.house().seats[0].code == office.house().seats[0].code


def test_orders_that_were_locked_and_not_played_are_in_no_archive(
    office: OfficeTable, tmp_path: Path
) -> None:
    made = deputy(office.env, office.game, "Uma", "if I fall ill")
    locked(office)
    pack(office.env, office.game, tmp_path / "north.zip")
    there = elsewhere(office, tmp_path / "uma")
    takeover(there.env, there.game, made.share, made.code, "Uma", "Cass is ill", tmp_path / "north.zip")
    with pytest.raises(Refused) as refused:
        resolve(there.env, there.game, pictures=False)
    assert code(refused) == "game.no-file"


def test_a_takeover_that_is_cut_short_is_done_again(
    office: OfficeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = deputy(office.env, office.game, "Uma", "if I fall ill")
    pack(office.env, office.game, tmp_path / "north.zip")
    there = elsewhere(office, tmp_path / "uma")
    words = (there.env, there.game, made.share, made.code, "Uma", "Cass is ill", tmp_path / "north.zip")
    steps = list(each_step(lambda: takeover(*words), monkeypatch, disk))
    assert len(steps) > 20
    assert verify(there.game).failures == ()
    said = [one.record for one in there.open().ledger.records if one.record["type"] == "word"]
    assert [one["why"].split()[1] for one in said] == ["is", "has"]


def test_what_opens_nothing_is_told(office: OfficeTable, tmp_path: Path) -> None:
    made = deputy(office.env, office.game, "Uma", "if I fall ill")
    there = elsewhere(office, tmp_path / "uma")
    shutil.copytree(office.game, there.game)
    other = printed(new_code(bytes(16)))
    for share, typed, said in (
        (made.share, "46J4", "recover.length"),
        (made.share, other, "deputy.bad-code"),
        ("Hello Uma", made.code, "deputy.bad-form"),
        (seal(Share(FILES | {"other-1": {}}), read_code(made.code), bytes(28)), made.code, "keys.unreadable"),
        (seal(Share({"other-1": {}}), read_code(made.code), bytes(28)), made.code, "deputy.other-games"),
    ):
        with pytest.raises(Refused) as refused:
            takeover(there.env, there.game, share, typed, "Uma", "…")
        assert code(refused) == said
        shutil.rmtree(there.env.keyring.root, ignore_errors=True)
    there.env.keyring.keep_key("tug-0a1b2c", b"another key")
    with pytest.raises(Refused) as refused:
        takeover(there.env, there.game, made.share, made.code, "Uma", "…")
    assert code(refused) == "deputy.has-keys"


def test_who_is_no_umpire_names_no_deputy(office: OfficeTable, tmp_path: Path) -> None:
    there = elsewhere(office, tmp_path / "uma")
    shutil.copytree(office.game, there.game)
    with pytest.raises(Refused) as refused:
        deputy(there.env, there.game, "Uma", "…")
    assert code(refused) == "keys.no-gm"
    with pytest.raises(Refused) as refused:
        deputy(office.env, tmp_path / "uma" / "home", "Uma", "…")
    assert code(refused) in ("game.missing", "deputy.no-game")


def test_what_is_typed(office: OfficeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    office.at_the_terminal(monkeypatch)

    def run(*words: object) -> str:
        result = CliRunner().invoke(cli, ["umpire", *map(str, words)])
        assert "Traceback" not in result.output
        return result.stdout if "--json" in words else result.output

    said = run("deputy", tmp_path, "--name", "Uma", "-o", "share.txt", "--why", "if I fall ill")
    assert "The share is in share.txt. Send it to Uma" in said and "It is kept nowhere." in said
    typed = next(line.strip() for line in said.splitlines() if line.startswith("    "))
    assert "exists already" in run("deputy", tmp_path, "--name", "Uma", "-o", "share.txt", "--why", "…")
    pack(office.env, office.game, tmp_path / "toll.zip")
    shutil.rmtree(office.game)
    shutil.rmtree(tmp_path / "home" / "games")
    words = ("--share", "share.txt", "--name", "Uma", "--why", "Cass is ill", "--from", "toll.zip")
    assert "is not that of" in run("takeover", "toll", "--code", printed(new_code(bytes(16))), *words)
    facts = json.loads(run("takeover", "toll", "--code", typed, *words, "--json"))
    jsonschema.validate(facts, SCHEMA)
    assert facts["game"] == "tug-0a1b2c" and facts["taken"] > 5
    assert verify(open_game(tmp_path / "toll").where).failures == ()


def test_a_share_of_many_games_is_read_to_its_end(
    office: OfficeTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.at_the_terminal(monkeypatch)

    def run(*words: object) -> str:
        return CliRunner().invoke(cli, ["umpire", *map(str, words)]).output

    said = run("deputy", tmp_path, "--name", "Uma", "-o", "share.txt", "--why", "if I fall ill")
    typed = next(line.strip() for line in said.splitlines() if line.startswith("    "))
    share = Path("share.txt").read_text()
    Path("share.txt").write_text("Keep this.\n" * 40_000 + share)
    words = ("--share", "share.txt", "--code", typed, "--name", "Uma", "--why", "Cass is ill", "--json")
    assert json.loads(run("takeover", office.game, *words))["game"] == "tug-0a1b2c"
