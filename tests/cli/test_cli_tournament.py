"""A tournament as its director types it: from entries to the last table, and what is refused."""

from __future__ import annotations

import base64
import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from killing import Killed, each_step
from office_table import OfficeTable
from table import SCENARIOS

from pbem.cli import cli
from pbem.proof.canonical import decode, encode, record_id
from pbem.proof.signing import load_private, sign, unarmor
from pbem.referee.mail.umpire_word import AS_IT_STANDS, end, reopen
from pbem.referee.tournament.record import namespace
from pbem.referee.turn.admit import admit_words
from pbem.referee.turn.new import SeatWish, new
from pbem.store import disk

PLAYERS = ("bob", "fay", "guy", "ivy", "nan")
TUG = str(SCENARIOS / "tug.yaml")
BOB = ("--line", "bob", "seven drunken  herons")
FAY = ("--line", "Fay", "a wet Tuesday night")


class Club(OfficeTable):
    """An office of four players, and a fifth who plays elsewhere; games are ended by the umpire's word."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        players = "".join(
            f'[players.{who}]\nname = "{who.capitalize()}"\naddress = "{who}@example.org"\n'
            for who in PLAYERS
        )
        office = '[office]\nname = "Club"\naddress = "club@example.org"\numpire = "cass@example.org"\n'
        (root / "pbem.toml").write_text(office + players)
        self.cup = root / "cup"

    @property
    def file(self) -> Path:
        return self.cup / "tournament.toml"

    @property
    def record(self) -> Path:
        return self.cup / "draws.jsonl"

    def write(self, **more: str) -> None:
        said = {"name": '"Autumn Cup"', "scenario": f'"{TUG}"', "entrants": '["bob", "fay", "guy", "ivy"]'}
        self.file.write_text("".join(f"{key} = {value}\n" for key, value in {**said, **more}.items()))

    def games(self) -> dict[str, Path]:
        """Return the folders of games by their round and table."""
        return {path.name[-4:]: path for path in sorted(self.root.glob("cup-*")) if path.is_dir()}

    def pairs(self) -> dict[str, list[str]]:
        rounds = facts("standings", "cup")["rounds"]
        return {
            one["game"][-4:]: [one["first"], one["second"]]
            for round_ in rounds
            for one in round_["pairings"]
            if one["second"]
        }

    def over(self, table: str, winner: str, how: str = "adjudicated") -> None:
        """End the game of a table: who won, as a player, or ``draw``."""
        game, pair = self.games()[table], self.pairs()[table]
        for seat in ("north", "south"):
            admit_words(self.env, game, seat, "yes, I play")
        side = winner if winner == "draw" else ("north", "south")[pair.index(winner)]
        by = ["south" if side == "north" else "north"] if how == "resigned" else []
        end(self.env, game, "the season is over", how, side, by)


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    table = Club(tmp_path)
    table.at_the_terminal(monkeypatch)
    return table


def typed(*words: str) -> Result:
    return CliRunner().invoke(cli, ["tournament", *words])


def fine(*words: str) -> str:
    result = typed(*words)
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result.stdout


def refused(*words: str) -> str:
    result = typed(*words)
    assert result.exit_code in (1, 3) and "Traceback" not in result.output, (words, result.output)
    return result.stderr


def facts(*words: str) -> Any:
    return json.loads(fine(*words, "--json"))


def begun(club: Club, format_: str = "swiss", *, closed: bool = True, **more: str) -> None:
    entrants = (word for who in PLAYERS[:4] for word in ("--entrant", who))
    fine("new", "cup", "--scenario", TUG, "--format", format_, *entrants)
    club.write(format=f'"{format_}"', **({"rounds": "2"} if format_ == "swiss" else {}), **more)
    if closed:
        fine("close", "cup")


def table_of(found: Any) -> list[tuple[int, str, int]]:
    return [(line["place"], line["player"], line["points"]) for line in found["standings"]]


def test_a_swiss_tournament_to_its_end(club: Club) -> None:
    begun(club, name='"Coupe d\'e\u0301te\u0301"')
    digest = facts("check", "cup")["head"]
    letters = club.queued("cup-")
    assert len(letters) == 4 and all(digest in one.text for one in letters)

    said = fine("pair", "cup", *BOB, *FAY)
    assert "Round 1:" in said and "2 games were made" in said and "Bob, Fay, Guy and Ivy" in said
    pairs = club.pairs()
    assert sorted(who for pair in pairs.values() for who in pair) == sorted(PLAYERS[:4])
    told = next(one for one in club.queued("cup-") if "round-1-bob" in one.key).text
    mine = next(pair for pair in pairs.values() if "bob" in pair)
    other = next(who for who in mine if who != "bob").capitalize()
    assert f"against {other}" in told and "“seven drunken herons”" in told and "Fay" in told

    # The ordinary round invites each to the game of his pairing, and nobody else.
    club.round()
    invited = [one for one in club.queued() if one.key.startswith("invite") or "invitation" in one.key]
    assert sorted(one.to.split("<")[-1].rstrip(">") for one in invited) == [
        f"{who}@example.org" for who in PLAYERS[:4]
    ]

    assert "2 pairings are open" in refused("pair", "cup")
    first, second = pairs["r1t1"], pairs["r1t2"]
    club.over("r1t1", first[0])
    club.over("r1t2", second[1], "resigned")
    before = table_of(facts("standings", "cup"))
    desk = CliRunner().invoke(cli, ["desk", "."]).output
    assert "cup: Round 2 can be paired.\n      pbem tournament pair cup\n" in desk
    assert before[:2] == [(place, who, 2) for place, (_, who, _) in enumerate(before[:2], 1)]
    fine("pair", "cup")
    later = club.pairs()
    assert sorted(later["r2t1"]) == sorted([first[0], second[1]])
    told = next(one for one in club.queued("cup-") if "round-2-bob" in one.key).text
    assert "who is at place" in told and "How it stands" in told

    club.over("r2t1", first[0])
    club.over("r2t2", "draw")
    found = facts("standings", "cup")
    assert found["state"] == "It is over, after 2 rounds." and found["changed"] == []
    assert table_of(found)[0] == (1, first[0], 4)
    assert {line["points"] for line in found["standings"]} == {4, 2, 1}
    assert "Nothing is left to pair." in fine("pair", "cup")
    assert "cup:" not in CliRunner().invoke(cli, ["desk", "."]).output
    champion, runner_up = (line["player"] for line in found["standings"][:2])
    assert "by points: 4 against 2" in fine("standings", "cup", "--why", champion, runner_up)
    assert facts("counts", "cup") == {
        "tournament": found["tournament"],
        "entrants": 4,
        "players": 4,
        "starts": 8,
        "games_begun": 4,
        "games_over": 4,
        "top": [{"place": line["place"], "player": line["player"]} for line in found["standings"]],
    }
    checked = facts("check", "cup")
    assert checked["ok"] and checked["found"] == []

    # The page of it, which the index leads to; what its files say can be checked by whoever takes them along.
    result = CliRunner().invoke(cli, ["site", ".", "--out", "pages"])
    assert result.exit_code == 0, result.output
    place = f"tournaments/{found['tournament']}"
    index = (club.root / "pages/index.html").read_text()
    assert f'href="{place}/index.html"' in index and "It is over, after 2 rounds." in index
    page = (club.root / "pages" / place / "index.html").read_text()
    for part in (
        f'1. <a href="../../players/p-{champion}/index.html">{champion.capitalize()}</a>',
        "4 entrants, 4 players, 8 starts; 4 games begun, 4 over.",
        "“seven drunken herons” (Bob)",
        "won (resigned)</a>",
        f'href="../../games/{club.games()["r2t2"].name}/index.html"',
        *checked["head"].split(),
    ):
        assert part in page, part
    assert "example.org" not in page and "pbem tournament pair" not in page
    assert facts("check", f"pages/{place}")["ok"]

    # A game that goes on again changes the table, and that is said; what was paired stays.
    reopen(club.env, club.games()["r1t1"], "the wrong side was written down")
    found = facts("standings", "cup")
    assert len(found["changed"]) == 1 and "round 1, table 1" in found["changed"][0]
    assert found["state"] == "Round 2 is being played; 1 pairing is open."
    assert "round 1, table 1" in fine("check", "cup")
    end(club.env, club.games()["r1t1"], "now the right one", "adjudicated", AS_IT_STANDS)
    assert len(facts("standings", "cup")["changed"]) == 1


# --- lines by letter


def test_entrants_say_their_lines_by_letter(club: Club) -> None:
    begun(club)
    asked = {one.key.rpartition("-")[2]: one.subject for one in club.queued("cup-")}
    assert len(set(asked.values())) == 4  # each has a code of its own

    def says(who: str, body: str, subject: str = "", sender: str = "") -> tuple[str, str]:
        """Return what became of a letter, and the answer to it."""
        before = {one.key for one in club.queued("reply-")}
        sender = sender or f"{who}@example.org"
        club.letter("", body, f"Re: {subject or asked[who]}", sender=sender)
        steps = club.round()
        answers = [one for one in club.queued("reply-") if one.key not in before]
        assert all(f"{who}@example.org" in one.to for one in answers)
        return steps[0].what, answers[0].text if answers else ""

    what, answer = says("ivy", "eleven  green bottles\n\nIvy\n\n> seven drunken herons")
    assert what == "line" and "Your line is “eleven green bottles”." in answer and "another answer" in answer
    what, answer = says("ivy", "oh well\n")
    assert what == "line" and "This was not taken" in answer and "“eleven green bottles”" in answer
    assert "No line of yours counts." in says("guy", "")[1]
    assert "“a mossy wall at noon”" in says("ivy", "a mossy wall at noon")[1]
    assert "says no line" in says("guy", "seat: north\norders:\n  - pull")[1]
    # With no code, with that of another, from elsewhere: nothing is taken.
    assert says("guy", "grey geese go by", "Autumn Cup: entries are closed")[0] != "line"
    assert says("guy", "grey geese go by", asked["ivy"])[0] != "line"
    assert says("guy", "grey geese go by", sender="mallory@example.org")[0] != "line"

    # What is typed goes before what came by letter.
    says("bob", "something quite different")
    fine("pair", "cup", *BOB)
    lots = {one["player"]: one["words"] for one in entry_of(club, 3)["lines"]}
    assert lots == {"bob": "seven drunken herons", "ivy": "a mossy wall at noon"}
    what, answer = says("guy", "much too late, I fear")
    assert what == "line" and "lots were drawn already" in answer and "another answer" not in answer
    assert facts("check", "cup")["ok"]


def test_without_a_line_no_lots_are_drawn(club: Club) -> None:
    begun(club)
    subject = next(one.subject for one in club.queued("cup-") if one.key.endswith("-ivy"))
    assert "an entrant has to say a line first" in refused("pair", "cup")
    # Nothing was drawn, so nobody is too late yet.
    club.letter("", "eleven green bottles", f"Re: {subject}", sender="ivy@example.org")
    club.round()
    assert "Your line is “eleven green bottles”." in club.queued("reply-")[0].text
    (club.root / "post/lines.json").write_text("{")
    assert "an entrant has to say a line first" in refused("pair", "cup")
    assert "2 games were made" in fine("pair", "cup", *FAY)


# --- the record


def signed_again(club: Club, number: int, **changed: Any) -> None:
    """Change a line of the record, and sign it and all that follow as the director can."""
    lines = club.record.read_bytes().splitlines(keepends=True)
    before = ""
    for at, raw in enumerate(lines):
        entry = decode(raw)["entry"]
        id_ = entry["tournament"]
        entry = {**entry, "prev": before, **(changed if at == number - 1 else {})}
        key = load_private(club.env.keyring.keys(id_)[0])
        signature = base64.b64encode(unarmor(sign(key, namespace(id_), encode(entry)))).decode()
        lines[at] = encode({"entry": entry, "signature": signature})
        before = record_id(encode(entry))
    club.record.write_bytes(b"".join(lines))


def entry_of(club: Club, number: int) -> Any:
    return decode(club.record.read_bytes().splitlines(keepends=True)[number - 1])["entry"]


def test_a_record_that_was_changed(club: Club) -> None:
    begun(club)
    fine("pair", "cup", *BOB, *FAY)
    whole = club.record.read_bytes()
    lines = whole.splitlines(keepends=True)

    def broken(data: bytes) -> str:
        club.record.write_bytes(data)
        return refused("check", "cup")

    assert "draws.jsonl:3:1" in broken(whole.replace(b"seven drunken", b"seven sober12", 1))
    assert "signature" in broken(whole.replace(b"seven drunken", b"seven sobered", 1))
    assert "draws.jsonl:3:1" in broken(lines[0] + lines[1] + b"".join(lines[3:]))
    assert "draws.jsonl:2:1" in broken(lines[0] + b'{"entry": {}}\n')
    assert "draws.jsonl:6:1" in broken(whole + lines[-1])
    assert "draws.jsonl" in broken(whole[:-1]) and "draws.jsonl" in broken(b"\xff\n")
    assert "is no tournament" in (club.record.unlink() or refused("check", "cup"))

    # The director himself, who can sign: another secret, a line he made up, other pairs.
    club.record.write_bytes(whole)
    signed_again(club, 3, secret="ab" * 32)
    assert "not the one that was bound" in refused("check", "cup")
    club.record.write_bytes(whole)
    lots = entry_of(club, 3)["lines"]
    signed_again(club, 3, lines=[*lots, {"player": "nan", "words": "I do not even play"}])
    assert "draws.jsonl:3:1" in refused("check", "cup")
    club.record.write_bytes(whole)
    one, two = entry_of(club, 4)["pairings"]
    pairs = [{**one, "first": one["second"], "second": one["first"]}, two]
    signed_again(club, 4, pairings=pairs)
    result = typed("check", "cup", "--json")
    assert result.exit_code == 1
    assert [one["code"] for one in json.loads(result.stdout)["found"]][:1] == ["tournament.found-pairs"]


def test_lines_that_are_left_out_make_other_lots_and_are_told(club: Club) -> None:
    begun(club)
    shutil.copytree(club.root / "cup", club.root / "copy")
    fine("pair", "cup", *BOB, *FAY)
    told = {one.key.rpartition("-")[2]: one.text for one in club.queued("cup-") if "round-1" in one.key}
    assert all("Bob: “seven drunken herons”" in text and "Guy: " not in text for text in told.values())
    assert all("say so at once" in text for text in told.values())
    # An older copy of the record, to draw again from other lines, is not gone on with on this computer.
    assert "older than what was written" in refused("pair", "copy", *BOB)
    assert "lots were drawn already" in refused("pair", "cup", *BOB)


def test_a_game_that_is_made_anew_or_named_like_one_is_seen(club: Club) -> None:
    begun(club)
    fine("pair", "cup", *BOB, *FAY)
    games = club.games()
    one, two = games["r1t1"], games["r1t2"]
    stray = two.with_name(two.name[:-4] + "r9t9")
    shutil.rmtree(one)
    result = typed("check", "cup", "--json")
    assert result.exit_code == 1 and "tournament.found-missing" in result.stdout
    wishes = [SeatWish("north", "north", "Bob"), SeatWish("south", "south", "Fay")]
    shutil.rmtree(club.env.keyring.folder(one.name))
    new(club.env, TUG, one, wishes, umpire=True, name=one.name)
    new(club.env, TUG, stray, wishes, umpire=True, name=stray.name)
    codes = {found["code"] for found in json.loads(typed("check", "cup", "--json").stdout)["found"]}
    assert {"tournament.found-anew", "tournament.found-stray"} <= codes


# --- what is refused


def test_mistakes_in_the_file_are_told_where_they_are(club: Club) -> None:
    fine("new", "cup", "--scenario", TUG, "--format", "swiss")
    assert json.loads(club.file.read_text().split("entrants = ")[1]) == list(PLAYERS)

    def told(**more: str) -> str:
        club.write(**more)
        return refused("close", "cup")

    said = told(
        format='"swis"', ties='["wins", "wins", "luck"]', rounds="0", points="{ win = 1.5 }", prize='"a ham"'
    )
    for place in ("4:10", "5:", "6:10", "7:", "8:1"):
        assert f"tournament.toml:{place}" in said, (place, said)
    said = told(format='"swiss"', entrants='["bob", "Bob", "fyy", "guy"]', seeded='["ivy"]')
    assert "tournament.toml:3:20" in said and "stands here twice" in said
    assert "there is no player 'fyy'" in said and "did you mean 'fay'?" in said
    assert "'ivy' is no entrant" in said and "needs rounds" in said
    assert "9 rounds are too many for 4" in told(format='"swiss"', rounds="9")
    assert "has no pools" in told(format='"knockout"', pools="2")
    assert "needs lot" in told(format='"knockout"', ties='["wins"]')
    assert "too few for 3 pools" in told(format='"pools"', pools="3", through="1")
    assert "1 entrant is too few" in told(format='"knockout"', entrants='["bob"]')
    assert "change entrants instead" in told(
        format='"knockout"', withdrawn='[{ player = "bob", after = 0, why = "ill" }]'
    )
    assert "cannot stand in a record" in told(format='"knockout"', name='"Cu' + "\u0301" * 40 + 'p"')
    assert "tournament.toml:1:8" in (club.file.write_text("name = \n") and refused("close", "cup"))
    club.file.write_bytes(b"\xff\xfe")
    assert "tournament.toml" in refused("close", "cup")
    club.file.unlink()
    assert "tournament.toml" in refused("standings", "cup")


def test_what_was_fixed_stays_and_what_comes_too_early_is_refused(club: Club) -> None:
    begun(club)
    assert "entries were closed at" in refused("close", "cup")
    assert "no lots were drawn yet" in refused("pair", "cup")
    assert "luck.too-short" in refused("pair", "cup", "--line", "bob", "short")
    assert "'nan' is no entrant" in refused("pair", "cup", "--line", "nan", "nine sober geese")
    assert "luck.printed" in refused("pair", "cup", "--line", "bob", "your own words")
    assert "stands here twice" in refused("pair", "cup", *BOB, *BOB)
    club.write(format='"swiss"', rounds="3", seeded='["bob"]')
    said = refused("standings", "cup")
    assert "rounds was fixed when entries were closed: 2" in said and "tournament.toml:5:10" in said
    assert "seeded was fixed" in said
    club.write(format='"swiss"', rounds="2", forfeits='[{ player = "bob", round = 1, why = "ill" }]')
    assert "round 1 is not paired yet" in refused("pair", "cup", *BOB)
    club.write(format='"swiss"', rounds="2")
    fine("pair", "cup", *BOB)
    assert "there is something at cup already" in refused(
        "new", "cup", "--scenario", TUG, "--format", "swiss"
    )
    assert refused("new", "other", "--scenario", "no-such-place", "--format", "swiss")
    assert "'zoe'" in refused("new", "other", "--scenario", TUG, "--format", "swiss", "--entrant", "zoe")
    assert not (club.root / "other").exists()
    # Without the director's key nothing is added.
    shutil.rmtree(club.env.keyring.folder(facts("standings", "cup")["tournament"]))
    club.write(
        format='"swiss"',
        rounds="2",
        forfeits='[{ player = "bob", round = 1, why = "a" }, { player = "fay", round = 1, why = "b" }, '
        '{ player = "guy", round = 1, why = "c" }, { player = "ivy", round = 1, why = "d" }]',
    )
    assert "secret and key are not here" in refused("pair", "cup")


def test_a_hostile_record_is_refused_before_anything_is_worked_out(club: Club) -> None:
    begun(club)
    fine("pair", "cup", *BOB, *FAY)
    whole = club.record.read_bytes()
    terms, entrants = entry_of(club, 2)["terms"], entry_of(club, 2)["entrants"]
    for changed in (
        {"terms": {**terms, "format": "pools", "pools": 2**50, "through": 1}},
        {"terms": {**terms, "ties": ["no such thing"]}},
        {"terms": {**terms, "rounds": 10_000}},
        {"terms": {**terms, "seeded": ["nobody"]}},
        {"terms": {**terms, "games": 3}},
        {"entrants": [*entrants, entrants[0]]},
        {"entrants": [{"player": f"p{n}", "name": "x"} for n in range(200)]},
        {"at": "soon"},
    ):
        club.record.write_bytes(whole)
        signed_again(club, 2, **changed)
        assert "draws.jsonl:2:1" in refused("check", "cup"), changed
    one, two = entry_of(club, 4)["pairings"]
    win = {"winner": "first"}
    for changed in (
        {"pairings": []},
        {"pairings": [one, {**two, "second": "nan"}]},
        {"pairings": [one, {**two, "second": two["first"]}]},
        {"pairings": [one, {**two, "pool": "AB"}]},
        {"pairings": [one, {**two, "table": 1}]},
        {"results": [{"round": 1, "table": 1, "outcome": win}]},
        {"results": [{"round": 9, "table": 1, "outcome": win}]},
        {"gone": [{"player": "nan", "after": 1}]},
    ):
        club.record.write_bytes(whole)
        signed_again(club, 4, **changed)
        assert "draws.jsonl:4:1" in refused("check", "cup"), changed


def test_a_result_that_the_game_never_had(club: Club) -> None:
    begun(club)
    fine("pair", "cup", *BOB, *FAY)
    pairs = club.pairs()
    for table in ("r1t1", "r1t2"):
        club.over(table, pairs[table][0])
    fine("pair", "cup")
    results = entry_of(club, 6)["results"]
    assert [one["outcome"]["winner"] for one in results] == ["first", "first"]
    # Both games turned round in the record, and the round paired by that: honest pairs from invented results.
    turned = [{**one, "outcome": {**one["outcome"], "winner": "second"}} for one in results]
    signed_again(club, 6, results=turned)
    result = typed("check", "cup", "--json")
    codes = [one["code"] for one in json.loads(result.stdout)["found"]]
    assert result.exit_code == 1 and codes.count("tournament.found-invented") == 2
    if "tournament.found-pairs" in codes:
        assert "round 2 is not what follows" in refused("standings", "cup")


def test_who_leaves_and_who_forfeits(club: Club) -> None:
    begun(club)
    fine("pair", "cup", *BOB, *FAY)
    pairs = club.pairs()
    loser, gone = pairs["r1t1"][0], pairs["r1t2"][1]
    club.over("r1t2", "draw")
    club.write(
        format='"swiss"',
        rounds="2",
        forfeits=f'[{{ player = "{loser}", round = 1, why = "never answered" }}]',
        withdrawn=f'[{{ player = "{gone}", after = 1, why = "moves house" }}]',
    )
    said = fine("standings", "cup")
    assert f"{pairs['r1t1'][1].capitalize()} won (not played)" in said and "can be paired" in said
    fine("pair", "cup")
    second = facts("standings", "cup")["rounds"][1]["pairings"]
    assert gone not in {who for one in second for who in (one["first"], one["second"])}
    assert sum(not one["second"] for one in second) == 1 and facts("check", "cup")["ok"]
    # What was put down when a round was paired stays.
    club.write(format='"swiss"', rounds="2")
    assert f"{gone} had withdrawn after round 1" in refused("standings", "cup")
    club.write(
        format='"swiss"', rounds="2", withdrawn=f'[{{ player = "{gone}", after = 1, why = "moves house" }}]'
    )
    # A forfeit that is taken out of the file again is a change of a result.
    assert "round 1, table 1" in facts("standings", "cup")["changed"][0]


def test_closing_and_pairing_are_killed_at_each_step(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was broken off is done when it is asked for again: one record, each game once, each letter once."""
    begun(club, closed=False)

    def does(*words: str) -> None:
        result = typed(*words)
        if isinstance(result.exception, Killed):
            raise result.exception
        done = "entries were closed" in result.stderr or "pairings are open" in result.stderr
        assert result.exit_code == 0 or done, (words, result.output, result.exception)

    steps = list(each_step(lambda: does("close", "cup"), monkeypatch, disk))
    assert len(steps) > 10
    subject = next(one.subject for one in club.queued("cup-") if one.key.endswith("-bob"))
    club.letter("", "seven drunken herons", f"Re: {subject}", sender="bob@example.org")
    club.round()
    steps = list(each_step(lambda: does("pair", "cup"), monkeypatch, disk))
    assert len(steps) > 40
    assert [entry_of(club, n)["type"] for n in range(1, 6)] == ["begun", "closed", "lots", "round", "made"]
    assert len(club.record.read_bytes().splitlines()) == 5 and len(club.games()) == 2
    assert sorted(one.key.split("-", 2)[2] for one in club.queued("cup-")) == sorted(
        f"{what}-{who}" for what in ("closed", "round-1") for who in PLAYERS[:4]
    )
    checked = facts("check", "cup")
    assert checked["ok"] and checked["found"] == []


@pytest.mark.parametrize("format_", ["knockout", "pools", "round robin"])
def test_other_formats_to_their_end(club: Club, format_: str) -> None:
    begun(club, format_, **({"pools": "2", "through": "1"} if format_ == "pools" else {}))
    fine("pair", "cup", *BOB)
    while True:
        for table, pair in club.pairs().items():
            if facts_of(club, table) == "":
                club.over(table, min(pair))
        if facts("pair", "cup")["round"] == 0:
            break
    found = facts("standings", "cup")
    assert found["state"].startswith("It is over") and found["standings"][0]["player"] == "bob"
    assert len(found["pools"]) == (2 if format_ == "pools" else 0)
    assert facts("check", "cup")["ok"] and fine("standings", "cup")
    assert CliRunner().invoke(cli, ["site", ".", "--out", "pages"]).exit_code == 0


def facts_of(club: Club, table: str) -> str:
    """Return how the game of a table ended; empty where it goes on."""
    listed = (one for round_ in facts("standings", "cup")["rounds"] for one in round_["pairings"])
    return next(str(one.get("how", "")) for one in listed if one.get("game", "").endswith(table))


def test_the_lines_of_the_guide_do_what_it_says(club: Club) -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs/tournaments.md").read_text()
    (club.root / "games").mkdir()
    shutil.move(club.root / "pbem.toml", club.root / "games/pbem.toml")
    lines = [line[4:] for line in guide.splitlines() if line.startswith("    pbem ")]
    assert len(lines) == 9
    for line in lines:
        if " close " in line:
            example = guide.partition("```toml\n")[2].partition("```")[0]
            (club.root / "games/cup/tournament.toml").write_text(example)
        result = CliRunner().invoke(cli, shlex.split(line)[1:])
        assert result.exit_code == 0, (line, result.output)
    later = guide.split("```toml\n")[2].partition("```")[0]
    (club.root / "games/cup/tournament.toml").write_text(example + later)
    assert "round 2 is not paired yet" in refused("standings", "games/cup")
