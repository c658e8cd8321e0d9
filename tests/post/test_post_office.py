"""The settings of an office: what they come to, and what is said of each mistake and where."""

from __future__ import annotations

import json
import sys
from datetime import date
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from pbem.club.days import of_rule, public_holidays
from pbem.club.terms import Days, LeaveTerms, MissedTerms, Terms
from pbem.post.offices import office
from pbem.post.offices.office import Account, Credential, GameSettings, Office, Player
from pbem.store import library
from pbem.text import shape, toml
from pbem.text.located import Located, locate, render

FORM = shape.load(library.schema("office"), text=False)

YOURSELF = "if that is you: whoever runs pbem is not a player here; put your own orders in with pbem submit"
SMALL = """\
[office]
name = "Cass's table"
address = "Orders@Example.org"
"""
WHOLE = (
    SMALL
    + """\
umpire = "cass@example.org"
zone = "Europe/Berlin"
receipts = false
archive = "zip"
packets = true
in_doubt = "again"

[deadlines]
length = "3 days"
lengths = { setup = "1 week", first_missile = "36 hours" }
time = "21:05"
remind = "1 day"
grace = "6 hours"

[imap]
host = "imap.example.org"
user = "orders"
security = "starttls"
folder = "Orders"
token_command = "oauth token"
after = "move:Done"

[smtp]
host = "smtp.example.org"
port = 2525
user = "orders"
password_env = "ORDERS_PASSWORD"

[players.bob]
name = "Bob"
address = "Bob@Example.org"
zone = "Europe/London"
[players.anna-b]
addresses = ["Anna@example.org", "anna@work.example", "ANNA@example.org"]

[games.alder-ford-e1f00d]
seats = { west = "bob", east = "anna-b" }
[games."ford 2".deadlines]
length = "1 day"
"""
).replace('"ford 2"', '"ford.2"')
AGREED = Terms(
    3 * 1440, {"setup": 7 * 1440, "first_missile": 36 * 60}, (21, 5), (1440,), 360, "Europe/Berlin"
)


def read(text: str) -> tuple[Office | None, list[Located]]:
    found, source = office.read(text.encode(), "pbem.toml", FORM, ("en",))
    return found, locate(source, source.problems, library.common_words())


def told(text: str) -> list[tuple[int, str, str]]:
    found, problems = read(text)
    assert found is None
    return [(problem.line, problem.code, problem.help) for problem in problems]


def test_what_is_left_out_has_a_meaning() -> None:
    found, problems = read(SMALL)
    assert problems == []
    assert found == Office("Cass's table", "orders@example.org")
    assert (found.zone, found.receipts, found.archive, found.packets, found.in_doubt) == (
        "UTC",
        True,
        "head",
        False,
        "hold",
    )
    assert (found.deadlines, found.imap, found.smtp) == (None, None, None)
    assert found.game("any", "other") == GameSettings()


def test_who_has_no_language_of_his_own_has_that_of_the_office() -> None:
    text = (SMALL + 'language = "de"\n[players.ann]\naddress = "a@example.org"\n').encode()
    ann = b'[players.bob]\naddress = "b@example.org"\nlanguage = "en"\n'
    found, source = office.read(text + ann, "pbem.toml", FORM, ("de", "en"))
    assert source.problems == [] and found is not None
    assert found.language == "de"
    assert {name: player.language for name, player in found.players.items()} == {"ann": "de", "bob": "en"}


def test_the_whole_file() -> None:
    found, problems = read(WHOLE)
    assert problems == []
    assert found == Office(
        name="Cass's table",
        address="orders@example.org",
        umpire="cass@example.org",
        zone="Europe/Berlin",
        receipts=False,
        archive="zip",
        packets=True,
        in_doubt="again",
        deadlines=AGREED,
        imap=Account(
            "imap.example.org",
            143,
            "orders",
            "starttls",
            Credential("token_command", "oauth token"),
            "Orders",
            "move:Done",
        ),
        smtp=Account(
            "smtp.example.org", 2525, "orders", "tls", Credential("password_env", "ORDERS_PASSWORD")
        ),
        players={
            "bob": Player("bob", "Bob", ("bob@example.org",), "Europe/London"),
            "anna-b": Player("anna-b", "anna-b", ("anna@example.org", "anna@work.example"), "Europe/Berlin"),
        },
        games={
            "alder-ford-e1f00d": GameSettings({"west": "bob", "east": "anna-b"}, False, AGREED),
            "ford.2": GameSettings({}, False, replace(AGREED, length=1440)),
        },
    )
    assert found.players["anna-b"].address == "anna@example.org"
    assert found.players_at("ANNA@work.example") == ("anna-b",)
    assert found.players_at("nobody@example.org") == ()
    assert found.game("unknown", "ford.2").deadlines == replace(AGREED, length=1440)
    assert found.game("new-game").deadlines == AGREED
    jsonschema.Draft7Validator(library.schema("office")).validate(toml.read(WHOLE.encode(), "x").data)


def test_a_game_may_have_none_or_its_own_deadlines() -> None:
    own = SMALL + (
        '[games.a]\ndeadlines = "none"\nhold = true\n[games.b]\ndeadlines = { length = "2 hours", time '
        '= "00:00" }\n'
    )
    found, problems = read(own + '[deadlines]\nlength = "1 day"\n')
    assert problems == []
    assert found is not None
    assert found.games["a"] == GameSettings({}, True, None)
    assert found.games["b"].deadlines == Terms(120, {}, (0, 0))
    found, _ = read(own)
    assert found is not None
    assert found.games["b"].deadlines == Terms(120, {}, (0, 0))
    assert found.game("other").deadlines is None
    assert told(SMALL + '[games.a.deadlines]\ngrace = "1 hour"\n') == [(4, "office.no-length", "")]


def test_the_umpire_may_share_the_mailbox_of_the_office() -> None:
    found, problems = read(SMALL + 'umpire = "orders@EXAMPLE.org"\n')
    assert problems == []
    assert found is not None
    assert found.umpire == found.address


def test_two_may_share_a_mailbox() -> None:
    found, problems = read(
        SMALL + '[players.b]\naddress = "us@example.org"\n[players.a]\naddress = "us@example.org"\n'
    )
    assert problems == []
    assert found is not None
    assert found.players_at("us@example.org") == ("a", "b")


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("1 minute", 1),
        ("90 minutes", 90),
        ("1 hour", 60),
        ("36 hours", 2160),
        ("3 days", 4320),
        ("1 week", 10_080),
        ("1 day 12 hours", 2160),
    ],
)
def test_times(text: str, minutes: int) -> None:
    assert office.minutes(text) == minutes
    found, problems = read(SMALL + f'[deadlines]\nlength = "{text}"\n')
    assert problems == []
    assert found is not None
    assert found.deadlines == Terms(minutes)


@pytest.mark.parametrize(
    ("kind", "security", "port"),
    [
        ("imap", "tls", 993),
        ("imap", "starttls", 143),
        ("imap", "none", 143),
        ("smtp", "tls", 465),
        ("smtp", "starttls", 587),
        ("smtp", "none", 25),
    ],
)
def test_ports_that_need_not_be_named(kind: str, security: str, port: int) -> None:
    host = "localhost" if security == "none" else "mail.example.org"
    found, problems = read(
        SMALL + f'[{kind}]\nhost = "{host}"\nuser = "x"\npassword_env = "P"\nsecurity = "{security}"\n'
    )
    assert problems == []
    account = getattr(found, kind)
    assert (account.port, account.security) == (port, security)


IMAP = '[imap]\nhost = "imap.example.org"\nuser = "x"\n'
MISTAKES = {
    "no office": ("", [(1, "office.no-own", "")]),
    "no address": ('[office]\nname = "x"\n', [(1, "office.no-own", "")]),
    "key": (SMALL + 'zoen = "UTC"\n', [(4, "schema.unknown-key", "did you mean 'zone'?")]),
    "section": (SMALL + "[deadline]\n", [(4, "schema.unknown-key", "did you mean 'deadlines'?")]),
    "zone": (SMALL + 'zone = "Berlin"\n', [(4, "office.zone", "did you mean 'Europe/Berlin'?")]),
    "typing": (SMALL + 'zone = "Europe/Berlni"\n', [(4, "office.zone", "did you mean 'Europe/Berlin'?")]),
    "language": (SMALL + 'language = "xy"\n', [(4, "office.language", "")]),
    "language of a player": (SMALL + '[players.ann]\naddress = "a@example.org"\nlanguage = "xy"\n', [(6, "office.language", "")]),
    "folder": (SMALL + 'zone = "Europe"\n', [(4, "office.zone", "")]),
    "up": (SMALL + 'zone = "Europe/../x"\n', [(4, "schema.pattern", "")]),
    "address": ('[office]\nname = "x"\naddress = "orders at example.org"\n', [(3, "schema.pattern", "")]),
    "injection": ('[office]\nname = "x"\naddress = "a@example.org\\nBcc: b@example.org"\n', [(3, "schema.pattern", "")]),
    "name": ('[office]\nname = "x\\nBcc: b@example.org"\naddress = "a@example.org"\n', [(2, "schema.pattern", "")]),
    "time": (SMALL + '[deadlines]\nlength = "1 day"\ntime = "24:00"\n', [(6, "schema.pattern", "")]),
    "bare time": (SMALL + '[deadlines]\nlength = "1 day"\ntime = 21:00:00\n', [(6, "schema.type", "a text stands in quotes")]),
    "length": (SMALL + '[deadlines]\nlength = "three days"\n', [(5, "schema.pattern", "")]),
    "no length": (SMALL + '[deadlines]\nremind = "1 day"\n', [(4, "schema.missing", "")]),
    "long": (SMALL + '[deadlines]\nlength = "1 day"\nlengths = { a = "60 weeks" }\n', [(6, "office.too-long", "")]),
    "day off": (SMALL + '[deadlines]\nlength = "1 day"\ndays_off = ["sunday", "bank holiday"]\n', [(6, "office.days-form", "")]),
    "no such day": (SMALL + '[deadlines]\nlength = "1 day"\ndays_off = ["2027-02-29"]\n', [(6, "office.days-form", "")]),
    "bare day": (SMALL + '[deadlines]\nlength = "1 day"\ndays_off = [2027-02-28]\n', [(6, "schema.type", "a text stands in quotes")]),
    "days backwards": (
        SMALL + '[deadlines]\nlength = "1 day"\ndays_off = ["2027-02-02 to 2027-02-01"]\n',
        [(6, "office.days-backwards", "")],
    ),
    "days by the hour": (SMALL + '[deadlines]\nlength = "1 day"\ndays_off = ["FREQ=HOURLY"]\n', [(6, "office.days-rule", "")]),
    "a rule of nothing": (SMALL + '[deadlines]\nlength = "1 day"\ndays_off = ["FREQ=DAILY;BYDAY=XX"]\n', [(6, "office.days-rule", "")]),
    "holidays of nowhere": (SMALL + '[deadlines]\nlength = "1 day"\ndays_off = ["holidays QQ"]\n', [(6, "office.days-holidays", "")]),
    "no day counts": (
        SMALL
        + '[games.a.deadlines]\nlength = "1 day"\ndays_off = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]\n',
        [(6, "office.days-none", "")],
    ),
    "reminder": (SMALL + '[deadlines]\nlength = "1 day"\nremind = ["1 day", "60 weeks"]\n', [(6, "office.too-long", "")]),
    "leave": (SMALL + '[deadlines]\nlength = "1 day"\nleave = { days = 20, notice = "60 weeks" }\n', [(6, "office.too-long", "")]),
    "no miss": (SMALL + '[deadlines]\nlength = "1 day"\nmissed = { loss = 0 }\n', [(6, "schema.too-small", "")]),
    "leave without days": (SMALL + '[deadlines]\nlength = "1 day"\nleave = { notice = "1 day" }\n', [(6, "schema.missing", "")]),
    "player": (SMALL + '[players.bob]\naddress = "orders@example.org"\n', [(5, "office.own-address", YOURSELF)]),
    "twice, but for capitals": (
        SMALL + '[players.Bob]\naddress = "a@b.c"\n[players.bob]\naddress = "d@e.f"\n',
        [(4, "office.same-player", ""), (6, "office.same-player", "")],
    ),
    "players": (SMALL + '[players.bob]\naddresses = ["a@b.c", "orders@example.org"]\n', [(5, "office.own-address", YOURSELF)]),
    "player name": (SMALL + '[players.Bob_B]\naddress = "b@example.org"\n', [(4, "schema.key", "")]),
    "no player address": (SMALL + '[players.bob]\nname = "Bob"\n', [(4, "schema.missing-one", "")]),
    "both": (SMALL + '[players.b]\naddress = "a@b.c"\naddresses = ["a@b.c"]\n', [(6, "schema.not-both", "")]),
    "seat": (
        SMALL + '[players.bob]\naddress = "b@b.c"\n[games.a]\nseats = { west = "bobb" }\n',
        [(7, "office.no-player", "did you mean 'bob'?")],
    ),
    "list": (
        SMALL + '[games.a]\nseats = ["bob"]\n',
        [(5, "schema.type", "write it as { key = value }, or as a [section] with its keys below")],
    ),
    "far": (SMALL + IMAP + 'password_env = "P"\nsecurity = "none"\n', [(8, "office.plain-far", "")]),
    "move": (SMALL + IMAP + 'password_env = "P"\nafter = "move:INBOX"\n', [(8, "office.move-nowhere", "")]),
    "after": (SMALL + IMAP + 'password_env = "P"\nafter = "delete"\n', [(8, "schema.pattern", "")]),
    "two ways": (SMALL + IMAP + 'password_env = "P"\ntoken_command = "x"\n', [(8, "schema.not-both", "")]),
    "no way": (SMALL + IMAP, [(4, "schema.missing-one", "")]),
    "no smtp way": (SMALL + '[smtp]\nhost = "s.example.org"\nuser = "x"\n', [(4, "schema.missing-one", "")]),
    "no smtp user": (SMALL + '[smtp]\nhost = "s.example.org"\npassword_env = "P"\n', [(6, "schema.needs", "")]),
    "port": (SMALL + IMAP + 'password_env = "P"\nport = 0\n', [(8, "schema.too-small", "")]),
}  # fmt: skip


def test_a_calendar_of_deadlines() -> None:
    text = (
        SMALL
        + """
[deadlines]
length = "3 days"
remind = ["2 hours", "1 day", "2 hours"]
days_off = ["saturday", "sunday", "2026-12-24 to 2027-01-06", "2027-03-26", "FREQ=MONTHLY;BYDAY=1FR from 2027-01-01", "holidays DE-BY"]
leave = { days = 20, notice = "2 days" }
missed = { strike = 1, substitute = 3, loss = 5, forgive = 4 }
[games.a.deadlines]
days_off = []
remind = "6 hours"
leave = { days = 3 }
missed = {}
"""
    )
    found, source = office.read(text.encode(), "pbem.toml", FORM, ("en",))
    assert found is not None and found.deadlines is not None, source.problems
    days = Days(
        (1, 2, 3, 4, 5),
        ((date(2026, 12, 24), date(2027, 1, 6)), (date(2027, 3, 26), date(2027, 3, 26))),
        (("FREQ=MONTHLY;BYDAY=1FR", date(2027, 1, 1)),),
        ("DE-BY",),
    )
    assert found.deadlines == Terms(
        3 * 1440, remind=(1440, 120), days=days, leave=LeaveTerms(20, 2880), missed=MissedTerms(1, 3, 5, 4)
    )
    assert found.games["a"].deadlines == Terms(3 * 1440, remind=(360,), leave=LeaveTerms(3))


def test_without_the_extra_holidays_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "holidays", None)
    monkeypatch.setitem(sys.modules, "dateutil.rrule", None)
    public_holidays.cache_clear()
    of_rule.cache_clear()
    for one in ("holidays PT", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=8"):
        assert told(SMALL + f'[deadlines]\nlength = "1 day"\ndays_off = ["{one}"]\n') == [
            (6, "office.days-library", "")
        ]


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_where_it_stands(name: str) -> None:
    text, wanted = MISTAKES[name]
    assert told(text) == wanted
    data: Any = toml.read(text.encode(), "x").data
    form_only = all(code.startswith("schema.") for _, code, _ in wanted)
    stock = jsonschema.Draft7Validator(library.schema("office"))
    if name not in ("bare time", "bare day"):
        assert stock.is_valid(json.loads(json.dumps(data))) is not form_only


@pytest.mark.parametrize(
    "line",
    [
        'password = "hunter2"',
        "password = hunter2",
        'Password="hunter2"',
        "passwd = 'hunter2'",
        'secret = "hunter2',
        'imap_password = "hunter2"',
        'password_env = "hunter2!"',
        'password_env = ["hunter2"]',
        'client-secret = "hunter2"',
        '"password" = "hunter2"',
    ],
)
def test_a_password_in_the_file_is_refused_and_never_shown(line: str) -> None:
    for text in (f"{SMALL}{IMAP}{line}\n", SMALL + f'imap = {{ host = "h.example.org", {line} }}\n'):
        found, source = office.read(text.encode(), "pbem.toml", FORM, ("en",))
        assert found is None
        located = locate(source, source.problems, library.common_words())
        assert located
        said = "\n".join(render(problem) for problem in located) + repr(source.problems)
        assert "hunter2" not in said


def test_a_command_with_a_typing_error_is_not_taken_for_a_password() -> None:
    assert ("schema.unknown-key", "did you mean 'password_command'?") in [
        (code, help) for _, code, help in told(SMALL + IMAP + 'password_comand = "pass x"\n')
    ]


def test_an_editor_can_explain_every_key() -> None:
    def bare(node: Any) -> list[str]:
        if not isinstance(node, dict):
            return []
        found = [key for key, value in node.get("properties", {}).items() if not value.get("description")]
        return found + [key for value in node.values() for key in bare(value)]

    assert bare(library.schema("office")) == []
