"""What holds of every deadline, whatever was agreed on: laws beside the vectors."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.club.days import counts
from pbem.club.due import cutoff, deadline, deadline_of, extended, reckoning
from pbem.club.reading import days_off
from pbem.club.terms import Acts, Extension, Leave, Move, Pause, Terms

ZONES = st.sampled_from(
    [
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/Sao_Paulo",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Africa/Casablanca",
        "Asia/Kathmandu",
    ]
)
TIMES = st.datetimes(datetime(2010, 1, 1), datetime(2035, 1, 1)).map(
    lambda one: one.replace(microsecond=0, tzinfo=UTC)
)
CLOCK = st.none() | st.tuples(st.integers(0, 23), st.integers(0, 59))
WEEKEND = days_off(["saturday", "sunday"])
FREE = st.sampled_from(
    [days_off([]), WEEKEND, days_off(["sunday"]), days_off(["friday", "FREQ=MONTHLY;BYMONTHDAY=1"])]
)


@st.composite
def terms(draw: st.DrawFn) -> Terms:
    return Terms(
        draw(st.integers(1, 20 * 1440)),
        time=draw(CLOCK),
        grace=draw(st.integers(0, 2880)),
        zone=draw(ZONES),
        days=draw(FREE),
    )


@st.composite
def moves(draw: st.DrawFn) -> Move:
    since = draw(TIMES)

    def later(most: int) -> datetime:
        return since + timedelta(minutes=draw(st.integers(0, most)))

    pauses, begin = [], since
    for _ in range(draw(st.integers(0, 2))):
        begin += timedelta(minutes=draw(st.integers(0, 5000)))
        end = begin + timedelta(minutes=draw(st.integers(1, 5000)))
        pauses.append(Pause(begin, end))
        begin = end
    leaves = []
    for _ in range(draw(st.integers(0, 2))):
        first = since.date() + timedelta(draw(st.integers(-5, 10)))
        last = first + timedelta(draw(st.integers(0, 8)))
        leaves.append(Leave(draw(st.sampled_from(["west", "east"])), first, last, later(9000), draw(ZONES)))
    words = [Extension(3, later(30_000), later(9000)) for _ in range(draw(st.integers(0, 2)))]
    return Move("x", since, 3, ("west", "east"), Acts(tuple(words), tuple(pauses), tuple(leaves)))


def end_of(move: Move, agreed: Terms) -> datetime:
    found = deadline(move, agreed)
    assert found is not None
    return found


@given(since=TIMES, length=st.integers(1, 30 * 1440), zone=ZONES, clock=CLOCK)
def test_a_deadline_is_never_early_and_at_most_a_day_late(
    since: datetime, length: int, zone: str, clock: tuple[int, int] | None
) -> None:
    got = end_of(Move("x", since), Terms(length, time=clock, zone=zone))
    earliest = since + timedelta(minutes=length)
    assert got.tzinfo == ZoneInfo(zone)
    assert earliest <= got.astimezone(UTC) <= earliest + timedelta(hours=26)
    if clock is None:
        assert got.astimezone(UTC) == earliest


BEYOND_A_LEAVE = Move(
    "x",
    datetime(2010, 1, 1, tzinfo=UTC),
    3,
    ("west", "east"),
    Acts(
        (Extension(3, datetime(2010, 1, 15, 10, 16, tzinfo=UTC), datetime(2010, 1, 1, tzinfo=UTC)),),
        (Pause(datetime(2010, 1, 1, tzinfo=UTC), datetime(2010, 1, 1, 13, 44, tzinfo=UTC)),),
        (Leave("west", date(2010, 1, 7), date(2010, 1, 15), datetime(2010, 1, 1, tzinfo=UTC), "UTC"),),
    ),
)
"""A pause that carries a word of the umpire to the very end of a leave."""


@example(move=BEYOND_A_LEAVE, agreed=Terms(1, days=days_off([])))
@given(move=moves(), agreed=terms())
def test_nothing_that_happens_takes_time_away(move: Move, agreed: Terms) -> None:
    end, acts = end_of(move, agreed), move.acts
    for fewer in (
        Acts(),
        replace(acts, pauses=()),
        replace(acts, leaves=()),
        replace(acts, extensions=()),
        replace(acts, pauses=acts.pauses[1:]),
        replace(acts, leaves=acts.leaves[1:]),
        replace(acts, extensions=acts.extensions[1:]),
    ):
        assert end_of(replace(move, acts=fewer), agreed).timestamp() <= end.timestamp()


@given(move=moves(), agreed=terms())
def test_the_order_in_which_things_are_told_does_not_matter(move: Move, agreed: Terms) -> None:
    acts = Acts(move.acts.extensions[::-1], move.acts.pauses[::-1], move.acts.leaves[::-1])
    turned = replace(move, acts=acts, seats=tuple(reversed(move.seats)))
    assert deadline(turned, agreed) == deadline(move, agreed)


@given(move=moves(), agreed=terms())
def test_a_slot_is_due_with_the_last_of_its_seats(move: Move, agreed: Terms) -> None:
    ends = [deadline_of(seat, move, agreed).timestamp() for seat in move.seats]
    assert end_of(move, agreed).timestamp() == max(ends)
    last = cutoff(move, agreed)
    assert last is not None and last.timestamp() == max(ends) + 60 * agreed.grace


@given(move=moves(), agreed=terms())
def test_leave_of_one_seat_is_nothing_to_another(move: Move, agreed: Terms) -> None:
    own = tuple(one for one in move.acts.leaves if one.seat == "west")
    alone = replace(move, acts=replace(move.acts, leaves=own))
    assert deadline_of("west", move, agreed) == deadline_of("west", alone, agreed)


@given(since=TIMES, length=st.integers(1, 20 * 1440), agreed=terms())
def test_adding_minutes_and_counting_them_agree(since: datetime, length: int, agreed: Terms) -> None:
    counted = reckoning(agreed)
    end = counted.add(since, length)
    assert counted.between(since, end) == length
    assert counts(end.date(), agreed.days)


@given(since=TIMES, length=st.integers(1, 4 * 1440), zone=ZONES, free=FREE, clock=CLOCK)
def test_slowly_minute_by_minute(
    since: datetime, length: int, zone: str, free: object, clock: tuple[int, int] | None
) -> None:
    """A second, slow working-out: it walks through every minute and asks whether its day counts."""
    since = since.replace(second=0)
    agreed = Terms(length, time=clock, zone=zone, days=free)  # type: ignore[arg-type]
    place, at, left = ZoneInfo(zone), since, length
    known: dict[date, bool] = {}

    def good(moment: datetime) -> bool:
        there = moment.astimezone(place).date()
        if there not in known:
            known[there] = counts(there, agreed.days)
        return known[there]

    while left or not good(at):
        left -= good(at)
        at += timedelta(minutes=1)
    if clock is None:
        assert end_of(Move("x", since), agreed).astimezone(UTC) == at
        return
    while True:
        there = at.astimezone(place)
        if good(at) and (there.hour, there.minute) == clock:
            again = (
                (at + timedelta(minutes=30)).astimezone(place),
                (at + timedelta(hours=1)).astimezone(place),
            )
            # Of a time that comes twice in a night the second one counts.
            twice = next((one for one in again if (one.hour, one.minute) == clock), None)
            at = twice.astimezone(UTC) if twice is not None else at
            break
        at += timedelta(minutes=1)
    got = end_of(Move("x", since), agreed).astimezone(UTC)
    # A time that is left out in a night counts as the clocks of after the gap have it: at most two hours before.
    assert got == at or (
        got < at and got.astimezone(place).strftime("%H:%M") != f"{clock[0]:02}:{clock[1]:02}"
    )


@given(end=TIMES, more=st.integers(1, 20_000), agreed=terms())
def test_what_is_extended_is_later_and_falls_on_a_day_that_counts(
    end: datetime, more: int, agreed: Terms
) -> None:
    got = extended(end, more, agreed)
    assert got.timestamp() > end.timestamp()
    assert counts(got.date(), agreed.days)
    days = timedelta(minutes=more) - timedelta(hours=26)
    assert got.astimezone(UTC) >= end + days
