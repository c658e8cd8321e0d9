"""The pages of a club: what everybody may see and nothing else, written again only where something changed."""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from ambush_table import AmbushTable
from hunting_table import FIRST, FOXES, HOUNDS, HuntingTable
from office_table import ADDRESSES, DEADLINES, OfficeTable
from table import Table, pull
from test_referee_ambush import LAIN

from pbem.core.problem import Problem
from pbem.referee.game.refusal import Refused
from pbem.referee.mail.desk import look
from pbem.referee.proving.verify import verify
from pbem.referee.site import making
from pbem.referee.site.making import Made, make
from pbem.referee.site.umpire_page import make_private
from pbem.store import site as store
from pbem.store import watching

SETTINGS = '[office]\nname = "Club"\naddress = "club@example.org"\n'
HOSTILE = "</title><script>alert(1)</script>\u202e\"'&"


@pytest.fixture
def office(tmp_path: Path) -> OfficeTable:
    (tmp_path / "games").mkdir()
    return OfficeTable(tmp_path / "games")


def made(table: Table, **more: str) -> Made:
    at = table.moment.replace(tzinfo=UTC)
    return make(table.env, look(table.env, table.root, at), out(table), **more)


def out(table: Table) -> Path:
    return table.root.parent / "pages"


def files(table: Table) -> dict[str, bytes]:
    return {
        path.relative_to(out(table)).as_posix(): path.read_bytes()
        for path in sorted(out(table).rglob("*"))
        if path.is_file()
    }


def page(table: Table, name: str = "index.html") -> str:
    return " ".join((out(table) / name).read_text("utf-8").split())


def plain(text: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", text.partition("<body>")[2]).split())


def played(office: OfficeTable, turns: int = 2) -> None:
    office.started(keyed=(), umpire=True)
    office.round()
    for number in range(turns):
        (seat,) = office.open().announced()["waits"]
        office.letter(seat, pull(seat) + f"luck: seven drunken herons {number}\n")
        office.round()
        locked = office.open().ledger.locked
        for asked in locked.asked if locked is not None else ():
            office.letter(asked, f"luck: nine sober geese {number}\n")
        office.round()


GAME = "games/tug-0a1b2c"


def test_the_pages_of_a_club(office: OfficeTable) -> None:
    played(office)
    found = made(office)
    assert found.troubles == () and found.looked == 1 and found.removed == 0
    listed = set(files(office))
    assert listed >= {
        *("index.html", "feed.xml", "calendar.ics", "site.json", "players/p-north/index.html"),
        *(f"{GAME}/{name}" for name in ("index.html", "map.png", "s0001.html", "s0002.html", "replay.html")),
        *(f"{GAME}/{name}" for name in ("feed.xml", "calendar.ics", "tug-0a1b2c.zip")),
    }
    index = plain(page(office))
    waits = office.open().announced()["waits"][0].capitalize()
    assert "1 game , 1 going on" in index.replace(" ,", " ,") or "1 game, 1 going on" in index
    assert waits in index and "21:00 (Europe/Berlin)" in index
    game = plain(page(office, f"{GAME}/index.html"))
    assert "pbem verify tug-0a1b2c.zip" in game and "If it ended now" in game and "played by North" in game
    assert "it proves nothing" in game
    assert verify(out(office) / GAME / "tug-0a1b2c.zip").failures == ()


def test_a_calendar_of_a_player_has_the_deadlines_that_are_his(office: OfficeTable) -> None:
    played(office)
    made(office)
    (seat,) = office.open().announced()["waits"]
    other = "south" if seat == "north" else "north"
    listed = files(office)
    assert b"is due" in listed[f"players/p-{seat}/calendar.ics"]
    assert b"is due" not in listed[f"players/p-{other}/calendar.ics"]
    assert b"is due" in listed["calendar.ics"] and b"is due" in listed[f"{GAME}/calendar.ics"]


class _Links(HTMLParser):
    """The addresses in a page, and its elements that were not closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        if len(said) != len(attrs):
            self.wrong.append(f"{tag}: an attribute twice")
        if tag == "img" and not said.get("alt"):
            self.wrong.append("an image without words")
        if tag not in ("meta", "link", "img", "br", "hr", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")


def test_every_page_is_whole_leads_somewhere_and_asks_nobody(office: OfficeTable) -> None:
    played(office)
    made(office)
    for path in sorted(out(office).rglob("*.html")):
        if path.name == "replay.html":
            continue
        text = path.read_text("utf-8")
        seen = _Links()
        seen.feed(text)
        seen.close()
        assert not seen.wrong and not seen.open, (path, seen.wrong, seen.open)
        assert text.startswith('<!doctype html>\n<html lang="en">')
        assert "<script" not in text and " style=" not in text and "default-src 'none'" in text
        for link in seen.links:
            assert "//" not in link, link
            assert (path.parent / unquote(link)).resolve().is_file(), (path, link)


def test_nothing_private_is_in_any_file(office: OfficeTable) -> None:
    played(office)
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, pull(seat) + "\nSecret plans about the pudding.\n")
    office.letter("south", "I am away in Samarkand, could I have three more days please?\n")
    office.round()
    made(office)
    codes = [office.code(seat) for seat in ("north", "south")]
    words = [*ADDRESSES.values(), "cass@example.org", "orders@pbem.example", *codes, "pudding", "Samarkand"]
    inside = {path: data for path, data in files(office).items() if not path.endswith(".zip")}
    with zipfile.ZipFile(out(office) / GAME / "tug-0a1b2c.zip") as archive:
        inside |= {f"zip {name}": archive.read(name) for name in archive.namelist()}
    assert not any(name.startswith(("zip mail/", "zip outbox/", "zip home")) for name in inside)
    for path, data in inside.items():
        for word in (*words, str(office.root)):
            assert word.encode() not in data, (path, word)
    # who has sent a draft is told nobody
    before = files(office)
    office.letter(seat, pull(seat) + "message: hello\n")
    office.round()
    made(office)
    assert files(office) == before


def test_who_has_sent_is_told_nobody_where_several_are_asked(office: OfficeTable) -> None:
    office.started(keyed=(), umpire=True)
    office.round()
    made(office)
    before = files(office)
    office.orders("north", pull("north"), auto_lock=False)
    made(office)
    assert files(office) == before


def test_a_receipt_for_an_open_slot_is_in_no_archive_that_is_given_away(table: Table, tmp_path: Path) -> None:
    from pbem.referee.proving.pack import pack

    table.started(umpire=True)
    seat = table.open().announced()["waits"][0]
    table.orders(
        seat, pull(seat), with_receipt=True, auto_lock=False, **({"draft": True} if seat == "south" else {})
    )
    pack(table.env, table.game, tmp_path / "all.zip")
    pack(table.env, table.game, tmp_path / "public.zip", receipts=False)
    names = {name: zipfile.ZipFile(tmp_path / f"{name}.zip").namelist() for name in ("all", "public")}
    assert any(path.startswith("receipts/") for path in names["all"])
    assert not any(path.startswith("receipts/") for path in names["public"])
    assert verify(tmp_path / "public.zip").failures == ()


def test_an_archive_with_a_note_to_the_umpire_is_not_given_away(office: OfficeTable) -> None:
    office.started(keyed=(), umpire=True)
    office.round()
    office.letter("north", pull("north") + "note: my wife is ill\nluck: seven drunken herons\n")
    office.round()
    for asked in office.open().ledger.locked.asked if office.open().ledger.locked else ():
        office.letter(asked, "luck: nine sober geese\n")
    office.round()
    assert office.open().ledger.state_slot == 1
    made(office)
    assert f"{GAME}/tug-0a1b2c.zip" not in files(office)
    assert "The archive is not given away here" in page(office, f"{GAME}/index.html")
    assert not any(b"my wife" in data for data in files(office).values())


def test_names_that_would_be_markup_are_words(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    office = OfficeTable(tmp_path / "games")
    settings = office.root / "pbem.toml"
    text = settings.read_text("utf-8").replace('name = "South"', f"name = '''{HOSTILE}'''")
    settings.write_text(text.replace("\u202e", ""), "utf-8")
    settings.write_text(
        settings.read_text("utf-8") + '[games.tug-0a1b2c]\nseats = { south = "sam", north = "nora" }\n',
        "utf-8",
    )
    played(office)
    office.letter("north", pull("north") + "message: '</title><img src=x onerror=alert(1)>'\n")
    made(office)
    for path, data in files(office).items():
        if path.endswith((".html", ".xml")):
            assert b"<script>alert" not in data and b"<img src=x" not in data, path
    assert "&lt;script&gt;alert(1)" in page(office)
    assert any(path.startswith("players/p-title-script-alert-1-script/") for path in files(office))
    for path in out(office).rglob("feed.xml"):
        ElementTree.fromstring(path.read_bytes())


# --- what a game hides


def hunted(tmp_path: Path, fox: str) -> HuntingTable:
    root = tmp_path / fox / "games"
    root.mkdir(parents=True)
    table = HuntingTable(root)
    (root / "pbem.toml").write_text(SETTINGS)
    table.hunt()
    table.play(HOUNDS, FIRST)
    table.play(FOXES, f"pad:\n- fox pads to {fox}\n")
    return table


def without_zips(found: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in found.items() if path != "site.json"}


def test_what_is_hidden_changes_no_byte_of_the_pages(tmp_path: Path) -> None:
    here, there = hunted(tmp_path, "0604"), hunted(tmp_path, "0504")
    for table in (here, there):
        made(table)
    assert here.open().state != there.open().state
    assert without_zips(files(here)) == without_zips(files(there))
    names = files(here)
    assert not any(path.endswith((".zip", "replay.html")) for path in names)
    said = plain(page(here, "games/hunt-0a1b2c/index.html"))
    assert "show what everybody knows" in said and "vixen" in said
    assert not any(b"fox pads" in data or b"0604" in data for path, data in names.items() if "s0002" in path)


def test_the_same_of_men_in_ambush(tmp_path: Path) -> None:
    found = []
    for n, places in enumerate(LAIN):
        root = tmp_path / str(n) / "games"
        root.mkdir(parents=True)
        table = AmbushTable(root)
        (root / "pbem.toml").write_text(SETTINGS)
        table.laid(places)
        assert made(table).troubles == ()
        found.append(files(table))
    assert without_zips(found[0]) == without_zips(found[1])
    assert any(path.endswith("map.png") for path in found[0])


# --- written again


@pytest.mark.parametrize("long_ago", [False, True])
def test_a_second_run_writes_nothing_and_opens_nothing(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch, long_ago: bool
) -> None:
    """Whether its game was written just now, or so long ago that its row at the desk is kept."""
    monkeypatch.setattr(watching, "FRESH", -(10**15) if long_ago else 10**15)
    played(office)
    assert made(office).written == len(files(office)) - 1
    before = {path: path.stat().st_mtime_ns for path in out(office).rglob("*")}
    monkeypatch.setattr(making, "open_game", lambda where: pytest.fail("a game was opened"))
    assert made(office) == Made(0, 0, 0, ())
    assert {path: path.stat().st_mtime_ns for path in out(office).rglob("*") if path.is_file()} == {
        path: at for path, at in before.items() if path.is_file()
    }


def test_only_what_changed_is_written_and_what_is_gone_is_removed(office: OfficeTable) -> None:
    played(office, 1)
    made(office)
    old = files(office)
    played_on(office)
    made(office)
    changed = {path for path, data in files(office).items() if old.get(path) != data}
    assert f"{GAME}/s0002.html" in changed and f"{GAME}/map.png" in changed
    page_of_north = f"{GAME}/s0001.html"
    assert changed - {page_of_north} and "site.json" in changed
    import shutil

    shutil.rmtree(office.game)
    after = made(office)
    assert after.removed >= 8 and not (out(office) / "games").exists()
    assert set(files(office)) == {"index.html", "site.json"}


def played_on(office: OfficeTable) -> None:
    (seat,) = office.open().announced()["waits"]
    office.letter(seat, pull(seat) + "luck: eleven lazy swans\n")
    office.round()
    locked = office.open().ledger.locked
    for asked in locked.asked if locked is not None else ():
        office.letter(asked, "luck: twelve busy wrens\n")
    office.round()


def code(refused: pytest.ExceptionInfo[Refused]) -> Problem:
    return refused.value.problems[0]


def test_a_file_of_somebody_else_is_neither_replaced_nor_removed(office: OfficeTable) -> None:
    played(office, 1)
    (out(office) / "games").mkdir(parents=True)
    (out(office) / "notes.txt").write_text("mine")
    (out(office) / "games" / "mine.txt").write_text("mine too")
    (out(office) / "index.html").write_text("my own page")
    with pytest.raises(Refused) as refused:
        made(office)
    assert code(refused).code == "site.foreign" and code(refused).args["path"].endswith("index.html")
    (out(office) / "index.html").unlink()
    made(office)
    # what was changed by hand is somebody's own from then on
    changed = out(office) / GAME / "s0001.html"
    changed.write_text("changed by hand")
    import shutil

    shutil.rmtree(office.game)
    made(office)
    assert changed.read_text() == "changed by hand"
    assert (out(office) / "notes.txt").read_text() == "mine"
    assert (out(office) / "games" / "mine.txt").read_text() == "mine too"


def test_links_are_not_followed(office: OfficeTable, tmp_path: Path) -> None:
    played(office, 1)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    out(office).mkdir()
    (out(office) / "games").symlink_to(elsewhere)
    with pytest.raises(Refused) as refused:
        made(office)
    assert code(refused).code == "site.foreign"
    assert list(elsewhere.iterdir()) == []


def test_a_list_that_is_none_is_somebody_elses(office: OfficeTable) -> None:
    played(office, 1)
    out(office).mkdir()
    (out(office) / store.LIST).write_text('{"format": "another"}')
    with pytest.raises(Refused) as refused:
        made(office)
    assert code(refused).code == "site.foreign"


def test_cut_short_anywhere_the_next_run_completes_it(
    office: OfficeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(office, 1)
    made(office)
    want = files(office)
    import shutil

    shutil.rmtree(out(office))
    real, calls = store.disk.replace, 0

    class Killed(BaseException):
        pass

    def dies(*args: object, **more: object) -> None:
        nonlocal calls
        calls += 1
        if calls % 3 == 0:
            raise Killed
        real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(store.disk, "replace", dies)
    for _ in range(60):
        try:
            made(office)
            break
        except Killed:
            for path, data in files(office).items():
                assert path == "site.json" or want[path] == data
    else:
        pytest.fail("it never came to an end")
    assert files(office) == want


# --- places


def test_pages_lie_apart_from_what_is_secret(office: OfficeTable, tmp_path: Path) -> None:
    office.started(keyed=(), umpire=True)
    at = office.moment.replace(tzinfo=UTC)
    desk = look(office.env, office.root, at)
    for place in (office.root, tmp_path, office.root / "post", office.game, office.env.keyring.root / "x"):
        with pytest.raises(Refused) as refused:
            make(office.env, desk, place)
        assert code(refused).code == "site.place", place
    for private in (tmp_path / "pages" / "desk", tmp_path / "pages"):
        with pytest.raises(Refused) as refused:
            make(office.env, desk, tmp_path / "pages", private=private)
        assert code(refused).code == "site.within"
        with pytest.raises(Refused):
            make_private(office.env, desk, private, tmp_path / "pages")
    assert make(office.env, desk, office.root / "pages").written


def test_the_umpires_page_has_everything_that_waits_with_its_command(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    office = OfficeTable(tmp_path / "games", DEADLINES)
    settings = office.root / "pbem.toml"
    settings.write_text(settings.read_text().replace('umpire = "cass@example.org"\n', ""))
    played(office, 1)
    office.letter("south", "I resign. <b>Well</b> played!\n")
    office.round()
    at = datetime(2026, 2, 1, tzinfo=UTC)
    desk = look(office.env, office.root, at)
    place = tmp_path / "desk"
    assert make_private(office.env, desk, place, out(office)) == 1
    text = (place / "index.html").read_text()
    assert "noindex" in text and "<b>Well" not in text and "&lt;b&gt;Well" in text
    for need in desk.needs:
        assert need.command in plain(text).replace("&#x27;", "'")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE((place / "index.html").stat().st_mode) == 0o600
