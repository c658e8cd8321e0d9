"""A log of heads: who can add to it, what a killed program leaves, what a witness refuses, and what it says
of a copy of a game.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from killing import everywhere
from log_table import ORIGIN, LogTable, served
from msgspec.structs import replace
from table import Table

from pbem.proof.archive import sig_path
from pbem.proof.heads import make_head
from pbem.proof.ledger import read_ledger
from pbem.proof.note import (
    COSIGNER,
    LOG,
    Checkpoint,
    Note,
    checkpoint_of,
    cosign,
    key_of,
    parse,
    parse_key,
    sign,
)
from pbem.proof.signing import load_private, new_private
from pbem.proof.tiles import grow, read_edge
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.log_keeping import add, heads_file, new_log, take
from pbem.referee.proving.log_proving import check_proof, prove
from pbem.referee.proving.log_watching import show_log, sign_log
from pbem.referee.proving.logs import entries_of, logbook, state_of
from pbem.store.gamedir import GameDir
from pbem.store.logdir import LogFolder, opened


@pytest.fixture
def at(table: Table) -> LogTable:
    return LogTable(table)


def refused(act: object) -> str:
    with pytest.raises(Refused) as no:
        act()  # type: ignore[operator]
    return str(no.value)


def sizes(at: LogTable) -> tuple[int, int]:
    """Return how many heads the log has, as whoever looks into it finds out."""
    state = state_of(LogFolder(at.log))
    return state.tree.size, len(entries_of(state))


# --- running a log


def test_heads_are_entered_once_and_later_ones_are_added(at: LogTable) -> None:
    first = at.enter()
    assert [(one.game, one.new, one.newest) for one in first.entered] == [("tug-0a1b2c", 4, 4)]
    assert at.enter().tree == first.tree
    at.table.turn()
    second = at.enter()
    newest = at.table.open().ledger.next_n - 1
    assert [(one.new, one.newest) for one in second.entered] == [(newest - 4, newest)]
    assert sizes(at) == (newest, newest)


def test_a_log_shows_no_private_key_and_nothing_but_heads(at: LogTable) -> None:
    at.enter()
    data = {
        path.relative_to(at.log).as_posix(): path.read_bytes() for path in at.log.rglob("*") if path.is_file()
    }
    assert sorted(data) == ["checkpoint", "public-key", "tile/0/000.p/4", "tile/entries/000.p/4"]
    assert not any(b"PRIVATE" in file for file in data.values())
    place = logbook(at.table.env).log(ORIGIN).folder / "key"
    assert place.stat().st_mode & 0o077 == 0
    entries = data["tile/entries/000.p/4"]
    for secret in (b"south", b"north", b"South", b"pulls", at.table.open().ledger.state.encode()):
        assert secret not in entries


def test_only_the_umpire_of_a_game_can_enter_its_heads(at: LogTable) -> None:
    stranger = at.env("stranger")
    log = at.table.root / "theirs"
    new_log(stranger, log, "example.net/theirs")
    grown = add(stranger, log, [at.game])
    assert (grown.tree.size, [str(no) for no in grown.refused]) == (0, ["witness.no-gm-key"])
    # He signs his heads for them, and they enter that; what is changed on the way they refuse.
    heads = at.table.root / "heads.txt"
    heads.write_bytes(heads_file(at.table.env, at.game))
    assert add(stranger, log, [heads]).tree.size == 4
    assert add(stranger, log, [heads]).tree.size == 4
    heads.write_bytes(heads.read_bytes().replace(b"\nn 3\n", b"\nn 5\n"))
    assert refused(lambda: add(stranger, log, [heads])) == "witness.bad-head"


def test_a_log_is_made_once_and_has_a_name(at: LogTable, tmp_path: Path) -> None:
    for name in ("", "Club", "https://example.org", "a b", "x" * 300, "example.org/", "../up"):
        assert refused(lambda name=name: new_log(at.table.env, tmp_path / "new", name)) == "witness.origin"
    assert refused(lambda: new_log(at.table.env, at.log, "example.org/other")) == "witness.exists"
    at.enter()
    assert refused(lambda: new_log(at.table.env, tmp_path / "new", ORIGIN)) == "witness.same-name"
    assert refused(lambda: add(at.table.env, tmp_path / "nowhere", [at.game])) == "witness.no-log"
    assert refused(lambda: add(at.env("stranger"), at.log, [at.game])) == "witness.no-key"


def test_another_history_is_not_entered_by_mistake(at: LogTable) -> None:
    other = at.forked()
    before = at.enter().tree.size
    grown = at.enter(other)
    assert ([str(no) for no in grown.refused], grown.tree.size) == (["witness.fork"], before)
    assert grown.refused[0].problems[0].args["n"] == 5
    # Who insists, because that is what happened, has it in the log for everybody to see.
    assert at.enter(other, insists=True).tree.size > before
    (game,) = show_log(at.env("ben"), str(at.log)).games
    assert game.forks[0] == 5


def test_one_game_that_cannot_be_opened_stops_no_other(at: LogTable) -> None:
    broken = at.copy("broken")
    (broken / "ledger" / "00002-start.json").write_bytes(b"{}")
    grown = at.enter(broken, at.game)
    assert ([one.game for one in grown.entered], len(grown.refused)) == (["tug-0a1b2c"], 1)


def test_a_program_killed_between_any_two_steps_leaves_a_log_that_holds(
    at: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.enter()
    at.cosign()
    at.table.turn()
    saved = {
        folder: Path(shutil.copytree(folder, at.table.root / f"{folder.name}.saved"))
        for folder in (at.log, at.table.root / "home")
    }
    end = at.table.open().ledger.next_n - 1

    def begin() -> None:
        for folder, copy in saved.items():
            shutil.rmtree(folder)
            shutil.copytree(copy, folder)

    def look() -> None:
        # Whoever looks now finds the old log or the new one, whole; and a witness of the old one finds that
        # it is continued.
        state = state_of(LogFolder(at.log))
        assert state.tree.size in (4, end)
        assert len(entries_of(state)) == state.tree.size
        shutil.rmtree(at.table.root / "watching", ignore_errors=True)
        shutil.copytree(at.table.root / "ann", at.table.root / "watching")
        assert sign_log(at.env("watching"), str(at.log)).before == 4
        # The next run makes it what it should be, and enters nothing twice.
        assert at.enter().tree.size == end
        assert sizes(at) == (end, end)

    assert everywhere(monkeypatch, at.enter, begin, look, kinds={"rename", "write", "remove", "rmdir"}) > 6


def test_a_program_killed_while_it_makes_a_log_can_make_it_again(
    at: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, home = at.table.root / "new", at.table.root / "maker"

    def begin() -> None:
        for folder in (log, home):
            shutil.rmtree(folder, ignore_errors=True)

    def make() -> None:
        new_log(at.env("maker"), log, "example.org/new")

    def look() -> None:
        if not (log / "checkpoint").exists():
            make()
        assert (state_of(LogFolder(log)).tree.size, add(at.env("maker"), log, []).tree.size) == (0, 0)

    assert everywhere(monkeypatch, make, begin, look, kinds={"rename", "mkdir"}) > 5


def test_a_log_set_back_from_a_copy_is_not_gone_on_with(at: LogTable) -> None:
    at.enter()
    older = Path(shutil.copytree(at.log, at.table.root / "older"))
    at.table.turn()
    at.enter()
    shutil.rmtree(at.log)
    shutil.move(older, at.log)
    assert refused(at.enter) == "witness.older"


def test_what_was_full_replaces_what_was_partial(at: LogTable) -> None:
    private = new_private()
    for number, count in enumerate((250, 10)):
        heads = b"".join(make_head(private, f"other-game-{number}", n, "0" * 64) for n in range(1, count + 1))
        (at.table.root / "heads.txt").write_bytes(heads)
        at.enter(at.table.root / "heads.txt")
    names = sorted(path.relative_to(at.log).as_posix() for path in at.log.rglob("*") if path.is_file())
    assert names == [
        "checkpoint",
        "public-key",
        "tile/0/000",
        "tile/0/001.p/4",
        "tile/1/000.p/1",
        "tile/entries/000",
        "tile/entries/001.p/4",
    ]
    assert sizes(at) == (260, 260)


def test_a_damaged_log_is_not_added_to(at: LogTable) -> None:
    at.enter()
    file = at.log / "tile" / "entries" / "000.p" / "4"
    good = file.read_bytes()
    at.table.turn()
    for bad, code in (
        (good[:-1], "witness.log-form"),
        (good.replace(b"n 3", b"n 7"), "witness.log-root"),
        (None, "witness.log-missing"),
    ):
        file.unlink() if bad is None else file.write_bytes(bad)
        assert refused(at.enter) == code
        file.write_bytes(good)
    assert at.enter().refused == ()


# --- a witness


def test_a_witness_cosigns_what_continues_and_the_log_shows_it(at: LogTable) -> None:
    at.enter()
    key = at.cosign()
    shown = show_log(at.env("ben"), str(at.log), witnesses=[key])
    assert [(one.name, one.size) for one in shown.cosigned] == [("ann.example", 4)]
    at.table.turn()
    grown = at.enter()
    # The log has grown beyond what she saw; that she saw it stays.
    assert [one.size for one in show_log(at.env("ben"), str(at.log), witnesses=[key]).cosigned] == [4]
    done = sign_log(at.env("ann"), str(at.log))
    assert (done.before, done.tree) == (4, grown.tree)
    take(at.table.env, at.log, done.note.data)
    assert [one.size for one in show_log(at.env("ben"), str(at.log), witnesses=[key]).cosigned] == [
        4,
        grown.tree.size,
    ]


def test_a_witness_refuses_a_log_that_forgets(at: LogTable) -> None:
    at.enter()
    older = Path(shutil.copytree(at.log, at.table.root / "older"))
    at.table.turn()
    at.enter()
    at.cosign()
    assert refused(lambda: sign_log(at.env("ann"), str(older))) == "witness.rollback"
    kept = list((at.table.root / "ann").rglob("*smaller"))
    assert checkpoint_of(parse(kept[0].read_bytes())).size == 4
    # She is not fooled afterwards either, and goes on with the right one.
    assert sign_log(at.env("ann"), str(at.log)).before == state_of(LogFolder(at.log)).tree.size


def test_a_witness_refuses_a_log_with_two_faces_and_keeps_the_proof(at: LogTable) -> None:
    at.enter()
    at.cosign()
    log, _ = two_faced(at)
    assert refused(lambda: sign_log(at.env("ann"), str(log))) == "witness.split"
    kept = list((at.table.root / "ann").rglob("*other"))
    assert parse(kept[0].read_bytes()).text == state_of(LogFolder(log)).note.text


def two_faced(at: LogTable, count: int = 7) -> tuple[Path, list[bytes]]:
    """Make another log with the same key, as its keeper could."""
    private = load_private((logbook(at.table.env).log(ORIGIN).folder / "key").read_bytes())
    log = at.table.root / "face"
    entries = [f"entry {number}".encode() for number in range(count)]
    edge, files = grow(read_edge({}.get, 0), entries)
    tree = Checkpoint(ORIGIN, edge.size, edge.root)
    LogFolder(log).put({**files, "checkpoint": Note(tree.text, (sign(private, ORIGIN, tree.text),)).data})
    return log, entries


def test_a_witness_looks_whether_the_files_make_the_tree(at: LogTable) -> None:
    at.enter()
    (at.log / "tile" / "0" / "000.p" / "4").write_bytes(bytes(128))
    assert refused(lambda: sign_log(at.env("ann"), str(at.log), "ann.example")) == "witness.log-root"


def test_a_witness_knows_the_key_of_a_log_and_has_one_name(at: LogTable) -> None:
    at.enter()
    ann = at.env("ann")
    assert refused(lambda: sign_log(ann, str(at.log))) == "witness.who"
    assert refused(lambda: sign_log(ann, str(at.log), "an n")) == "witness.name"
    first = sign_log(ann, str(at.log), "ann.example")
    assert (first.how, first.before, sign_log(ann, str(at.log)).how) == ("taken", None, "known")
    assert sign_log(ann, str(at.log), given=parse_key(at.key)).key == first.key
    other = key_of(new_private(), ORIGIN, LOG)
    assert refused(lambda: sign_log(ann, str(at.log), given=other)) == "witness.other-key"
    sign_log(ann, str(at.log), "club.example")
    assert refused(lambda: sign_log(ann, str(at.log))) == "witness.who"


def test_what_a_witness_gives_away_he_has_kept_before(at: LogTable, monkeypatch: pytest.MonkeyPatch) -> None:
    at.enter()
    at.cosign()
    at.table.turn()
    at.enter()
    home = at.table.root / "ann"
    saved = Path(shutil.copytree(home, at.table.root / "ann.saved"))

    def begin() -> None:
        shutil.rmtree(home)
        shutil.copytree(saved, home)

    def look() -> None:
        sign_log(at.env("ann"), str(at.log))
        (kept,) = home.rglob("*.cosigned")
        assert checkpoint_of(parse(kept.read_bytes())).size == state_of(LogFolder(at.log)).tree.size

    everywhere(
        monkeypatch, lambda: sign_log(at.env("ann"), str(at.log)), begin, look, kinds={"rename", "write"}
    )


def test_only_cosignatures_that_hold_and_are_of_somebody_known_are_taken_in(at: LogTable) -> None:
    at.enter()
    ann = sign_log(at.env("ann"), str(at.log), "ann.example")
    assert refused(lambda: take(at.table.env, at.log, ann.note.data)) == "witness.unknown-witness"
    spoilt = Note(ann.note.text, (ann.note.signatures[0], replace(ann.note.signatures[1], data=bytes(72))))
    assert refused(lambda: take(at.table.env, at.log, spoilt.data, [ann.key])) == "witness.bad-cosignature"
    other = Checkpoint("example.org/other", 4, bytes(32))
    strange = Note(other.text, (cosign(new_private(), "ann.example", other.text, 1),))
    for data in (
        b"",
        b"hello\n",
        strange.data,
        Note(strange.text, ann.note.signatures).data,
        Note(ann.note.text, strange.signatures).data,
    ):
        assert (
            refused(lambda data=data: take(at.table.env, at.log, data, [ann.key])) == "witness.no-cosignature"
        )
    before = (at.log / "checkpoint").read_bytes()
    # As it comes out of a mail: other line ends, blank lines round it.
    mailed = b"\r\n\r\n" + ann.note.data.replace(b"\n", b"\r\n") + b"\r\n"
    assert [one.name for one in take(at.table.env, at.log, mailed, [ann.key])] == ["ann.example"]
    assert (at.log / "checkpoint").read_bytes() != before
    # Once known, a witness need not be named again; and the same cosignature stands there once.
    take(at.table.env, at.log, ann.note.data)
    assert (at.log / "cosigned").read_bytes() == ann.note.data


# --- asking a log about a copy


def test_a_log_vouches_for_a_copy(at: LogTable) -> None:
    at.enter()
    key = at.cosign()
    found = at.ask(witnesses=[key])
    assert (found.answer, found.newest.n, found.vouched[0].head.n, found.how, found.first) == (
        0,
        4,
        4,
        "taken",
        True,
    )
    at.table.turn()
    at.enter()
    later = at.ask(witnesses=[key])
    assert (later.answer, later.first, later.how) == (0, False, "known")
    assert later.newest.n == at.table.open().ledger.next_n - 1
    # What the witness has not seen he does not vouch for; since when he does is the first time that he saw
    # it.
    assert (later.vouched[0].head.n, later.vouched[0].at) == (4, found.vouched[0].at)
    at.cosign()
    at.cosign()
    newest = at.ask(witnesses=[key]).vouched[0]
    assert newest.head.n == later.newest.n
    assert found.vouched[0].at < newest.at < newest.newest


def test_a_fork_shows_from_either_side(at: LogTable) -> None:
    other = at.forked()
    at.enter()
    found = at.ask(other)
    assert (found.answer, found.judged.forks[0].n, found.newest.n) == (1, 5, 4)
    # He whose history is in the log alone sees nothing amiss; once both are there he does.
    assert at.ask(who="carl").answer == 0
    at.enter(other, insists=True)
    assert at.ask(who="carl").answer == 1


def test_a_copy_that_nobody_entered_is_not_vouched_for(at: LogTable) -> None:
    found = at.ask()
    assert (found.answer, found.newest, found.judged.forks) == (3, None, ())


def test_a_witness_who_was_asked_for_and_did_not_cosign_is_missed(at: LogTable) -> None:
    at.enter()
    key = at.cosign()
    nobody = key_of(new_private(), "dan.example", COSIGNER)
    found = at.ask(witnesses=[key, nobody])
    assert (found.answer, [one.head is not None for one in found.vouched]) == (3, [True, False])


def test_a_log_that_shows_another_face_or_an_old_page_proves_nothing(at: LogTable) -> None:
    at.enter()
    older = Path(shutil.copytree(at.log, at.table.root / "older"))
    at.table.turn()
    at.enter()
    assert at.ask().answer == 0
    back = at.ask(where=str(older))
    assert (back.answer, back.unproved, back.judged.forks) == (3, "rollback", ())
    face, _ = two_faced(at, 40)
    split = at.ask(where=str(face))
    assert (split.answer, split.unproved) == (3, "split")
    assert sorted(path.name for path in logbook(at.env("ben")).log(ORIGIN).folder.glob("seen*")) == [
        "seen",
        "seen-rollback",
        "seen-split",
    ]
    assert at.ask().answer == 0


def test_the_key_of_a_log_counts_as_it_was_told(at: LogTable) -> None:
    at.enter()
    assert at.ask(given=parse_key(at.key)).how == "given"
    assert refused(lambda: at.ask(given=key_of(new_private(), ORIGIN, LOG))) == "witness.other-key"
    # Somebody else's log under the same name, at the same address, is not taken for it.
    fake = at.table.root / "fake"
    new_log(at.env("faker"), fake, ORIGIN)
    assert refused(lambda: at.ask(where=str(fake))) == "witness.other-key"
    # And who met the fake first is put right by the key that he is told.
    assert at.ask(where=str(fake), who="carl").how == "taken"
    assert (told := at.ask(who="carl", given=parse_key(at.key))).answer == 0
    assert told.unproved == ""


def test_a_copy_that_was_tampered_with_accuses_nobody(at: LogTable) -> None:
    other = at.forked()
    at.enter()
    for path in sorted(GameDir(other)):
        if path.startswith("ledger/") and path.endswith(".sig") and path > "ledger/00005":
            (other / path).write_bytes((other / sig_path("ledger/00001-manifest.json")).read_bytes())
    found = at.ask(other)
    assert (found.answer, found.judged.forks, found.broken[:3]) == (3, (), "E02")


def test_a_cosignature_from_the_future_counts_for_nothing(at: LogTable) -> None:
    at.enter()
    private = new_private()
    key = key_of(private, "eve.example", COSIGNER)
    note = state_of(LogFolder(at.log)).note
    take(
        at.table.env,
        at.log,
        note.with_signatures([cosign(private, "eve.example", note.text, 4_000_000_000)]).data,
        [key],
    )
    assert at.ask(witnesses=[key]).vouched[0].newest == 0


# --- over the web


def test_a_log_is_read_from_a_web_space(at: LogTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    at.enter()
    with served(at.log) as url:
        key = at.cosign(where=url)
        found = at.ask(where=f"{url}/", witnesses=[key])
        assert (found.answer, found.vouched[0].head.n) == (0, 4)
        assert refused(lambda: at.ask(where=f"{url}/nothing")) == "witness.no-log"
        (at.log / "tile" / "entries" / "000.p" / "4").unlink()
        assert refused(lambda: at.ask(where=url)) == "witness.log-missing"
        (at.log / "checkpoint").write_bytes(b"x" * 70_000)
        assert refused(lambda: at.ask(where=url)) == "witness.unanswered"
    assert refused(lambda: at.ask(where=url)) == "witness.unanswered"


def test_a_server_gets_so_much_time_and_no_more() -> None:
    now = [0.0]
    server = opened("http://127.0.0.1:9")
    server.clock = lambda: now[0]  # type: ignore[union-attr]
    with pytest.raises(Exception, match="it cannot be reached"):
        server.get("checkpoint")
    now[0] = 200.0
    with pytest.raises(Exception, match="all of it takes too long"):
        server.get("tile/0/000")


@pytest.mark.parametrize("note", [b"", b"hello\n", b"a\nb\n\nc\n"])
def test_what_is_no_checkpoint_is_said_of_the_log(at: LogTable, note: bytes) -> None:
    (at.log / "checkpoint").write_bytes(note)
    assert refused(at.ask).startswith("witness.note-")


def test_a_log_of_a_size_that_nobody_reads_is_refused_at_once(at: LogTable) -> None:
    private = load_private((logbook(at.table.env).log(ORIGIN).folder / "key").read_bytes())
    tree = Checkpoint(ORIGIN, 2**40, bytes(32))
    (at.log / "checkpoint").write_bytes(Note(tree.text, (sign(private, ORIGIN, tree.text),)).data)
    assert refused(at.ask) == "witness.too-large"


def test_the_ledger_is_what_is_asked_about(at: LogTable, tmp_path: Path) -> None:
    at.enter()
    (tmp_path / "empty").mkdir()
    assert refused(lambda: at.ask(tmp_path / "empty")) == "game.none"
    assert read_ledger(GameDir(at.game)).findings == []


# --- proofs that last when the log is gone


def test_a_proof_lasts_when_the_log_is_gone(at: LogTable) -> None:
    at.enter()
    key = at.cosign()
    at.table.turn()
    at.enter()
    proof, head = prove(at.env("ben"), at.game, str(at.log), witnesses=[key])
    # Up to where the witness saw it, not up to where the log is now.
    assert (head.n, proof.tree.size) == (4, 4)
    newest, last = prove(at.env("ben"), at.game, str(at.log))
    assert (last.n, newest.tree.size) == (at.table.open().ledger.next_n - 1,) * 2
    shutil.rmtree(at.log)
    file = at.table.root / "proof"
    file.write_bytes(proof.data)
    log = parse_key(at.key)
    found = check_proof(at.env("carl"), at.game, file, log, [key])
    assert (found.answer, found.head.said, found.cosigned[0][0]) == (0, "the result of slot 1", "ann.example")
    nobody = key_of(new_private(), "dan.example", COSIGNER)
    assert check_proof(at.env("carl"), at.game, file, log, [key, nobody]).answer == 3
    assert refused(lambda: check_proof(at.env("dora"), at.game, file)) == "witness.no-public-key"
    assert (
        refused(lambda: check_proof(at.env("dora"), at.game, file, key_of(new_private(), ORIGIN, LOG)))
        == "witness.other-key"
    )
    file.write_bytes(proof.data.replace(b"index 3", b"index 2"))
    assert refused(lambda: check_proof(at.env("carl"), at.game, file, log)) == "witness.note-proof"
    file.write_bytes(b"hello")
    assert refused(lambda: check_proof(at.env("carl"), at.game, file, log)) == "witness.note-proof"


def test_two_witnesses_are_in_a_proof_where_both_saw_the_same(at: LogTable) -> None:
    at.enter()
    ann, bea = at.cosign("ann"), at.cosign("bea")
    at.table.turn()
    at.enter()
    at.cosign("ann")
    proof, head = prove(at.env("ben"), at.game, str(at.log), witnesses=[ann, bea])
    assert (head.n, proof.tree.size) == (4, 4)
    nobody = key_of(new_private(), "dan.example", COSIGNER)
    assert (
        refused(lambda: prove(at.env("ben"), at.game, str(at.log), witnesses=[ann, nobody]))
        == "witness.no-proof"
    )


def test_a_proof_of_another_history_is_told(at: LogTable) -> None:
    other = at.forked()
    at.enter()
    proof, _ = prove(at.env("ben"), at.game, str(at.log))
    file = at.table.root / "proof"
    file.write_bytes(proof.data)
    assert check_proof(at.env("ben"), at.game, file, parse_key(at.key)).answer == 0
    assert (
        refused(lambda: check_proof(at.env("ben"), other, file, parse_key(at.key))) == "witness.other-proof"
    )
