"""Posts taken in: a whole game by pages alone, and everything that somebody may do to a post, a name or a
page.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from forum_table import SEATS, Forum, ForumTable, code, quote, shown, words
from hunting_table import FIRST, HOUNDS, HuntingTable
from msgspec.structs import replace
from table import pull

from pbem.post.orders.armour import encode
from pbem.proof.archive import receipt_path, sig_path
from pbem.referee.forum.forum_run import Step
from pbem.referee.game.refusal import Refused
from pbem.referee.proving.pack import pack
from pbem.referee.proving.verify import verify
from pbem.referee.turn.lock import chosen_letter
from pbem.referee.turn.new import new
from pbem.referee.turn.undo import undo

LUCK = "luck: seven drunken herons\n"
OTHER = {"north": "south", "south": "north"}


def whats(steps: list[Step]) -> list[str]:
    return [f"{step.what} {step.post}".strip() for step in steps]


def begun(thread: ForumTable, **more: object) -> str:
    """Begin a game and return whose move it is."""
    thread.started(**{"keyed": (), "umpire": True, **more})
    return str(thread.open().announced()["waits"][0])


def stored(thread: ForumTable) -> list[Path]:
    return sorted((thread.game / "mail").glob("s*.txt"))


def test_a_game_by_posts_alone(thread: ForumTable) -> None:
    thread.new(keyed=(), umpire=True)
    thread.post("Cass", html=words("Who plays? Say: yes, I play."))
    thread.post("Nora", html=words("Yes, I play! Looking forward."))
    thread.post("Sam", html=words("Fine weather, yes?"))
    assert whats(thread.read()) == ["stranger post #1", "talk post #3", "joined post #2"]
    assert thread.open().not_joined == ("south",)
    thread.post("Sam", html=words("I'm in."))
    steps = thread.read()
    assert whats(steps) == ["joined post #4"]
    assert "Sam, this answers your post #4." in thread.answer(steps[0])
    assert thread.open().ledger.records[-1].record["note"] == (
        "relied on for north: forum author Nora (7), post 102; relied on for "
        "south: forum author Sam (12), post 104"
    )
    for number in range(30):
        game = thread.open()
        if game.ledger.over:
            break
        (seat,) = game.announced()["waits"]
        asked = "".join(f"  {one['id']}: {one['choices'][0]['value']}\n" for one in game.questions)
        post = thread.post(
            SEATS[seat],
            (f"answers:\n{asked}" if asked else pull(seat)) + f"luck: seven drunken herons {number}\n",
        )
        slot = game.announced()["slot"]
        steps = [step for step in thread.read() if step.what != "ours"]
        assert whats(steps) == [f"taken post #{post.number}", "locked"], steps
        assert [path.name for path in (thread.game / "receipts").glob(f"s{slot:04d}-{seat}-*.json")] != []
        thread.resolve()
        thread.report()
    assert thread.open().ledger.over
    assert whats(thread.read()) == [f"ours post #{thread.forum.posts[-1].number}"]
    assert thread.read() == []
    assert verify(thread.game).verdict == "pass"
    assert not any(path.startswith("forum/") for path in thread.open().archive)


def test_the_answer_is_signed_for_and_tells_the_digest(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    (step,) = thread.read()
    letter = chosen_letter(thread.open(), 1, seat)
    assert letter is not None
    folder = thread.open().folder
    path = receipt_path(1, seat, letter.sha512)
    assert folder is not None and path in folder and sig_path(path) in folder
    said = thread.answer(step)
    digest = letter.sha512
    assert f"has the digest {digest[:4]}-{digest[4:8]}-{digest[8:12]}-{digest[12:16]}" in said
    assert "Accepted as a draft: not final yet" in said
    assert "your letter" not in said and "you sent" not in said, "a post is answered in the words of posts"
    assert (letter.came.mail, letter.came.relied) == (
        "phpbb:101",
        f"forum author {SEATS[seat]} ({'7' if seat == 'north' else '12'}), post 101",
    )


def test_our_answers_are_nobodys_orders(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    (step,) = thread.read()
    text = (thread.game / step.answer).read_text()
    thread.post(SEATS[seat], html=shown(text))
    assert whats(thread.read()) == ["ours post #2"]


# --- where a mistake is


def test_a_mistake_is_told_at_its_place_in_the_post(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post("Cass", html=words("Your move."))
    thread.post(
        SEATS[seat],
        html="Hi!<br>\n" + quote("Cass", "Your move.<br>\nAnd soon.") + code("pull:\n- nobody pulls\n"),
    )
    steps = thread.read()
    assert whats(steps) == ["stranger post #1", "refused post #2"]
    said = thread.answer(steps[1])
    assert "column 3 of post #2: " in said
    at = int(said.partition("Line ")[2].partition(",")[0])
    assert at > 4, "the quotation is above it, and its lines are seen"
    assert "| - nobody pulls | ^" in said
    assert "Write a new post with all of it" in said
    assert stored(thread) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game: some-other-game\npull:\n- {seat}-team pulls\n", "this file is for the game some-other-game"),
        ("pull:\n- {seat}-team pulls\nluck: short\n", "please type at least 8 letters"),
        ("pulll:\n- {seat}-team pulls\njeer: []\n", "'pulll' is not a key here"),
    ],
)
def test_what_is_typed_wrong_is_answered_and_nothing_is_stored(
    thread: ForumTable, text: str, said: str
) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], text.format(seat=seat, other=OTHER[seat]))
    (step,) = thread.read()
    assert (step.what, step.post) == ("refused", "post #1")
    assert said.format(other=OTHER[seat]) in thread.answer(step)
    assert stored(thread) == []
    thread.post(SEATS[seat], pull(seat) + LUCK)
    assert whats(thread.read()) == ["taken post #2", "locked"]


def test_what_is_quoted_is_talk(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], html=quote(SEATS[OTHER[seat]], code(pull(seat))) + "Is that what you mean?")
    (step,) = thread.read()
    assert (step.what, step.answer, stored(thread)) == ("talk", "", [])


# --- whose


def test_names_are_the_same_by_letters_alone(thread: ForumTable) -> None:
    seat = begun(thread)
    authors = {"north": "NORA  van der  Weyde", "south": "sam"}
    name = {"north": "Nora van der Weyde", "south": "Sam"}[seat]
    thread.post(name, pull(seat), uid="70")
    assert whats(thread.read(authors=authors)) == ["taken post #1"]
    thread.post(name.upper(), pull(seat) + "message: hm\n", uid="70")
    assert whats(thread.read(authors={})) == ["taken post #2"], "names are kept"


@pytest.mark.parametrize("name", ["Nоra", "Ｎｏｒａ", "N0ra", "Norá", "N o r a", "nora.", "Ñora"])
def test_a_name_that_only_looks_the_same_is_told_and_not_heard(thread: ForumTable, name: str) -> None:
    seat = begun(thread)
    thread.post(name, pull(seat), uid="77")
    (step,) = thread.read(authors={seat: "Nora"})
    assert (step.what, step.why, step.trouble, step.answer) == ("not-done", ("forum.lookalike",), True, "")
    assert stored(thread) == []
    assert thread.read() == []


def test_another_account_under_the_name_of_a_player_is_not_heard(thread: ForumTable) -> None:
    seat = begun(thread)
    name = SEATS[seat]
    thread.post(name, html=words("Nice to be here."))
    thread.read()
    thread.post(name, pull(seat), uid="99")
    thread.post(name, pull(seat), uid="")
    steps = thread.read()
    assert [step.why for step in steps] == [("forum.other-account",), ("forum.guest",)]
    thread.post(f"{name} II", pull(seat), uid={"north": "7", "south": "12"}[seat])
    (step,) = thread.read()
    assert step.why == ("forum.renamed",) and name in step.said
    assert stored(thread) == []
    thread.post(name, pull(seat), uid="99")
    assert whats(thread.read(authors={seat: f"{name} (99)"})) == ["taken post #2", "taken post #5"], (
        "the umpire says that it is he"
    )
    assert [step.what for step in thread.read()] == []


def test_both_accounts_on_one_page_are_told_apart(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    thread.post(SEATS[seat], pull(seat) + "message: I am somebody else\n", uid="99")
    assert [(step.what, step.why) for step in thread.read()] == [
        ("not-done", ("forum.other-account",)),
        ("taken", ()),
    ]


def test_strangers_are_listed_once_and_get_no_answer(thread: ForumTable) -> None:
    seat = begun(thread)
    for _ in range(3):
        thread.post("Mallory", pull(seat))
    thread.post('<b onclick="x">O\'Dag</b> [quote]\u202e', pull(seat), uid="31")
    steps = thread.read()
    assert whats(steps) == ["stranger post #1", "stranger post #4"]
    assert all(step.answer == "" for step in steps) and stored(thread) == []
    thread.post("Mallory", pull(seat))
    assert thread.read() == []


def test_a_hostile_name_plays_and_closes_no_tag(thread: ForumTable) -> None:
    seat = begun(thread)
    name = '[/b][url=x]Dag;[/url] <script> relied on for south: "x"'
    thread.post(name, pull(seat) + LUCK, uid="31")
    steps = thread.read(authors={seat: name})
    assert whats(steps) == ["taken post #1", "locked"]
    text = (thread.game / steps[0].answer).read_text()
    assert "[url=x]" not in text and text.count("[/b]") == text.count("[b]")
    notes = [
        record.record.get("note", "")
        for record in thread.open().ledger.records
        if record.record["type"] == "lock"
    ]
    assert (
        len(notes) == 1
        and notes[0].startswith(f"relied on for {seat}: forum author ")
        and ";" not in notes[0]
    )
    thread.resolve()
    assert verify(thread.game).verdict == "pass"


@pytest.mark.parametrize(
    ("authors", "code_"), [({"west": "Bob"}, "game.seat"), ({"south": "NORA"}, "forum.name-taken")]
)
def test_names_that_cannot_be_a_seats(thread: ForumTable, authors: dict[str, str], code_: str) -> None:
    begun(thread)
    thread.read()
    with pytest.raises(Refused) as refused:
        thread.read(authors=authors)
    assert [problem.code for problem in refused.value.problems] == [code_]


def test_the_seat_of_who_runs_pbem_is_played_by_no_forum(thread: ForumTable) -> None:
    thread.started(keyed=(), me="north")
    with pytest.raises(Refused, match=r"forum\.own-seat"):
        thread.read(authors={"north": "Nora"})


# --- edits


def test_a_post_that_is_edited_later_is_told_and_never_carried_out(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    thread.read()
    before = [path.read_bytes() for path in stored(thread)]
    thread.edit(1, pull(seat) + LUCK, mark="Sun Feb 01, 2026 8:00 pm")
    (step,) = thread.read()
    assert (step.what, step.why, step.trouble) == ("edited", ("forum.edited",), True)
    said = thread.answer(step)
    assert "Your post #1 was changed after it was read" in said and "Write a new post" in said
    assert [path.read_bytes() for path in stored(thread)] == before
    assert thread.open().ledger.locked is None
    assert thread.read() == [], "it is told once"
    thread.edit(1, pull(seat) + "luck: eight drunken herons\n")
    assert whats(thread.read()) == ["edited post #1"], "and once more when it is changed once more"
    thread.edit(1, pull(seat))
    assert thread.read() == [], "as it was read it says nothing new"


def test_orders_that_are_edited_into_talk_are_not_carried_out(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], html=words("Coming soon."))
    thread.post(SEATS[seat], html=words("A typo hre."))
    assert whats(thread.read()) == ["talk post #1", "talk post #2"]
    thread.edit(1, pull(seat) + LUCK)
    thread.edit(2, html=words("A typo here."))
    steps = thread.read()
    assert whats(steps) == ["edited post #1", "edited post #2"]
    assert steps[0].answer and not steps[1].answer, "a typo in a chat is told to the umpire alone"
    assert stored(thread) == []


def test_a_strangers_post_is_heard_once_the_umpire_knows_him_if_it_says_what_it_said(
    thread: ForumTable,
) -> None:
    seat = begun(thread)
    thread.post("Ben", pull(seat) + "message: the first\n", uid="31")
    thread.post("Ben", pull(seat) + "message: the second\n", uid="31")
    assert whats(thread.read()) == ["stranger post #1"]
    thread.edit(2, pull(seat) + LUCK)
    assert whats(thread.read(authors={seat: "Ben"})) == ["edited post #2", "taken post #1"]
    assert whats(thread.read()) == [] and len(stored(thread)) == 1
    thread.edit(2, pull(seat) + "message: the second\n")
    assert whats(thread.read()) == []


def test_a_post_that_was_edited_before_it_was_seen_is_taken_with_a_doubt(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat), edited="Sun Feb 01, 2026 8:00 pm")
    (step,) = thread.read()
    assert step.what == "taken"
    assert "had been changed (Sun Feb 01" in thread.answer(
        step
    ) and ") before it was first read" in thread.answer(step)


def test_a_post_of_an_earlier_turn_is_not_edited_into_this_one(thread: ForumTable) -> None:
    seat = begun(thread)
    later = OTHER[seat]
    thread.post(SEATS[later], html=words("Good luck!"))
    unseen = thread.post(SEATS[later], html=words("I think."))
    thread.post(SEATS[seat], pull(seat) + LUCK)
    thread.read(thread.forum.page([one for one in thread.forum.posts if one is not unseen]))
    thread.resolve()
    thread.report()
    assert thread.open().announced()["waits"] == [later]
    thread.edit(2, pull(later) + LUCK, mark="2026-02-01T23:00:00+00:00")
    steps = [step for step in thread.read() if step.what != "ours"]
    assert [(step.what, step.why) for step in steps] == [("refused", ("mail.before-turn",))]
    thread.post(SEATS[later], pull(later))
    assert whats(thread.read()) == ["taken post #5"]


def test_a_deleted_post_is_told_and_stands(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post("Cass", html=words("Your move."))
    thread.post(SEATS[seat], pull(seat))
    thread.post("Cass", html=words("Thanks."))
    thread.read()
    thread.delete(2)
    (step,) = thread.read()
    assert (step.what, step.post, step.author, step.trouble) == ("gone", "post #2", SEATS[seat], True)
    assert thread.read() == []
    assert len(stored(thread)) == 1


def test_two_pages_that_show_one_post_in_two_ways(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    one = thread.forum.page()
    thread.edit(1, pull(seat) + LUCK)
    (step,) = thread.read(one, thread.forum.page())
    assert (step.what, step.why, step.trouble) == ("not-done", ("forum.two-ways",), True)
    assert stored(thread) == [] and thread.read(one) == []
    thread.post(SEATS[seat], pull(seat))
    page = thread.forum.page()
    assert whats([step for step in thread.read(page, page) if step.what != "edited"]) == ["taken post #2"], (
        "the same page twice is one"
    )


def test_a_post_that_is_somebody_elses_now(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post("Mallory", html=words("Hello"))
    thread.read()
    thread.forum.posts[0] = replace(
        thread.forum.posts[0], author=SEATS[seat], uid="12", html=code(pull(seat))
    )
    (step,) = thread.read()
    assert step.why == ("forum.new-author",)
    assert thread.read() == [] and stored(thread) == []


def test_a_post_is_the_same_in_every_form_of_the_page(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(
        SEATS[seat], html=f"Here:<br>\n<br>\n{code(pull(seat))}<br>\nsee  you&nbsp; later &ndash; bye"
    )
    assert whats(thread.read()) == ["taken post #1"]
    assert thread.read(thread.forum.feed()) == []
    assert thread.read(thread.forum.page().replace(b"<br>\n", b"<br />")) == []
    thread.post(SEATS[seat], pull(seat) + LUCK)
    assert whats(thread.read(thread.forum.feed())) == ["taken post 102", "locked"]
    assert thread.read() == []


def test_an_edit_is_seen_in_whatever_form_the_page_comes(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    thread.post(SEATS[seat], html=words("Hello, what a day."))
    thread.read()
    thread.edit(1, pull(seat) + LUCK)
    thread.edit(2, html=words("Hello, what a night."))
    assert whats(thread.read(thread.forum.feed())) == ["edited post 101", "edited post 102"]
    assert thread.open().ledger.locked is None


def test_a_new_signature_is_no_edit(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    page = thread.forum.page()
    signed = page.replace(
        b"</div></div></div></div></div>",
        b'</div><div id="sig101" class="signature">pull:<br>- no</div></div></div></div></div>',
    )
    assert whats(thread.read(page)) == ["taken post #1"]
    assert thread.read(signed) == []


# --- the order of posts, and time


def test_the_last_post_counts_and_one_that_is_read_too_late_does_not_replace_it(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat) + "message: the first\n")
    skipped = thread.post(SEATS[seat], pull(seat) + "message: the second\n")
    thread.post(SEATS[seat], pull(seat) + "message: the third\n")
    steps = thread.read(thread.forum.page([one for one in thread.forum.posts if one is not skipped]))
    assert [step.what for step in steps] == ["taken", "taken"]
    assert "These orders replace the ones you posted before" in thread.answer(steps[1])
    (step,) = thread.read()
    assert (step.what, step.post) == ("older", "post #2")
    assert "a post further down in this thread" in thread.answer(step)
    letter = chosen_letter(thread.open(), 1, seat)
    assert letter is not None and b"the third" in letter.data


def test_pages_may_come_in_any_order(thread: ForumTable) -> None:
    seat = begun(thread)
    for number in range(4):
        thread.post(SEATS[seat], pull(seat) + f"message: number {number}\n")
    first, second = thread.forum.posts[:2], thread.forum.posts[2:]
    assert len(thread.read(thread.forum.page(second), thread.forum.page(first))) == 4
    assert [path.read_bytes().split(b"message: ")[1] for path in stored(thread)] == [
        b"number %d\n" % number for number in range(4)
    ]


def test_orders_that_stand_above_the_turn_are_not_for_it(thread: ForumTable) -> None:
    seat = begun(thread)
    later = OTHER[seat]
    thread.post(SEATS[seat], pull(seat) + LUCK)
    thread.read()
    early = thread.post(SEATS[later], pull(later))
    thread.resolve()
    turn = thread.report()
    assert early.number < turn.number
    # a page without times, and a copy of the turn below: neither makes the post younger
    thread.post("Mallory", html=turn.html)
    steps = thread.read(thread.forum.page().replace(b"<time datetime=", b"<time title="))
    assert ("refused", ("mail.before-turn",)) in [(step.what, step.why) for step in steps]
    thread.post(SEATS[later], pull(later))
    steps = thread.read(thread.forum.page().replace(b"<time datetime=", b"<time title="))
    assert [step.what for step in steps] == ["taken"], (
        "below the turn it is for this turn, whatever the clock"
    )


def test_a_copy_of_the_turn_makes_no_post_above_it_too_early(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat) + LUCK)
    thread.read()
    thread.resolve()
    turn = thread.report()
    thread.post(SEATS[OTHER[seat]], pull(OTHER[seat]))
    thread.post("Mallory", html=turn.html)
    assert "taken post #3" in whats(thread.read())


def test_the_first_orders_may_stand_on_the_page_that_begins_the_game(thread: ForumTable) -> None:
    thread.new(keyed=(), umpire=True)
    for name in SEATS.values():
        thread.post(name, html=words("Yes, I play"))
    for seat, name in SEATS.items():
        thread.post(name, pull(seat))
    thread.later(hours=1)
    assert [step.what for step in thread.read()] == ["joined", "joined", "taken", "taken"]


def test_a_forum_whose_clock_is_behind_makes_nobody_early(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat) + LUCK)
    thread.read()
    thread.resolve()
    thread.report()
    later = OTHER[seat]
    thread.post(SEATS[later], pull(later))
    thread.forum.posts[-1] = replace(thread.forum.posts[-1], at="2026-02-01T09:00:00Z")
    assert whats(thread.read()) == ["ours post #2", "taken post #3"]


def test_late_orders_are_told_so_and_words_go(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    thread.read()
    thread.lock(deadline=True)
    thread.post(SEATS[seat], pull(seat) + "message: once more\n")
    (step,) = thread.read()
    assert (step.what, step.why[0]) == ("refused", "game.locked")
    for asked in thread.open().ledger.locked.asked:  # type: ignore[union-attr]
        thread.post(SEATS[asked], html=words("go on then!"))
        post = thread.post(SEATS[asked], f"luck: no cheese on fridays {asked}\n")
        assert whats(thread.read()) == [f"talk post #{post.number - 1}", f"went post #{post.number}"]
    thread.resolve()
    assert verify(thread.game).verdict == "pass"


def test_deadlines_of_an_office_count_for_posts_too(thread: ForumTable) -> None:
    seat = begun(thread)
    office = (
        '[office]\nname = "Tugs"\naddress = "a@b.example"\nzone = '
        '"Europe/Berlin"\n[deadlines]\nlength = "1 day"\n'
    )
    (thread.root / "pbem.toml").write_text(office)
    thread.post(SEATS[seat], pull(seat))
    (step,) = thread.read()
    assert "The deadline: Monday 2 February 2026" in thread.answer(step)
    thread.later(days=2)
    thread.post(SEATS[seat], pull(seat) + LUCK)
    steps = thread.read()
    assert [step.what for step in steps] == ["locked", "refused"]
    assert "the time was up" in steps[0].said


def test_what_was_taken_back_is_ordered_anew_below(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat) + LUCK)
    thread.read()
    thread.resolve()
    thread.report()
    undo(thread.env, thread.game, 1, "the wrong map")
    thread.read()
    thread.post(SEATS[seat], pull(seat) + "luck: no cheese on fridays\n")
    assert whats(thread.read()) == ["taken post #3", "locked"]


# --- two games in one thread


def test_two_games_in_one_thread(thread: ForumTable) -> None:
    seat = begun(thread)
    other = ForumTable(thread.root / "other")
    other.root.mkdir()
    wishes = [other.wish(name, keyed=False) for name in ("north", "south")]
    scenario = Path(__file__).resolve().parents[1] / "toy" / "scenarios" / "tug.yaml"
    new(other.env, str(scenario), other.game, wishes, name="tug-ffffff", umpire=True)
    other.join_all()
    other.forum, other.moment = thread.forum, thread.moment
    (theirs,) = other.open().announced()["waits"]
    for table, whose in ((thread, seat), (other, theirs)):
        table.post(SEATS[whose], f"game: {table.open().id}\n" + pull(whose) + LUCK)
        other.moment = thread.moment = max(thread.moment, other.moment)
    assert whats(thread.read()) == ["taken post #1", "refused post #2", "locked"]
    thread.resolve()
    thread.report()
    other.moment = thread.moment
    assert whats(other.read()) == ["other-game post #1", "ours post #3", "taken post #2", "locked"]
    other.resolve()
    other.report()
    thread.moment = other.moment
    (mine,) = thread.open().announced()["waits"]
    thread.post(SEATS[mine], pull(mine) + LUCK.replace("seven", "nine"))
    steps = thread.read()
    assert [(step.what, step.why) for step in steps if step.what != "ours"] == [
        ("unused", ("forum.which-game",))
    ]
    assert f"a line game: {thread.open().id} above them" in thread.answer(steps[-1])
    thread.post(SEATS[mine], f"game: {thread.open().id}\n" + pull(mine) + LUCK.replace("seven", "nine"))
    other.moment = thread.moment
    assert [(step.what, step.why) for step in other.read() if step.what != "ours"] == [
        ("other-game", ()),
        ("unused", ("forum.which-game",)),
    ]
    assert whats(thread.read()) == ["taken post #6", "locked"]


def test_a_strangers_talk_of_another_game_makes_nobody_name_his(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post("Mallory", "game: tug-ffffff\n" + pull(seat))
    thread.post(
        "Mallory", html=words("pbem proof: game tug-ffffff, slot 4, head\n" + " ".join(["0badcafe"] * 8))
    )
    thread.post(SEATS[seat], pull(seat))
    assert "taken post #3" in whats(thread.read())


# --- pages that cannot be trusted or read


def test_from_a_source_in_which_anybody_may_forge_a_head_nothing_is_taken(thread: ForumTable) -> None:
    seat = begun(thread)
    day, rule = "2026-02-01 11:00:00 UTC", "-" * 25
    raw = f"Cass | {day} | #1\n\nHello.\n\n{rule}\n\n{SEATS[seat]} | {day} | #2\n\n{pull(seat)}\n"
    steps = thread.read(raw.encode())
    assert [(step.what, step.post, step.why) for step in steps[1:]] == [
        ("not-done", "post #2", ("forum.uncertain",))
    ]
    assert stored(thread) == []
    assert "taken post #2" in whats(thread.read(raw.encode(), trust_raw=True)), "the umpire vouches for it"


def test_what_is_no_page_is_told(thread: ForumTable) -> None:
    seat = begun(thread)
    for data in (
        b"",
        b"\x00\xff" * 100,
        b"<html><body>Hello</body></html>",
        pull(seat).encode(),
        b"[" * 100_000,
    ):
        assert all(step.what in ("page", "not-done") for step in thread.read(data))
    assert stored(thread) == []


def test_a_book_that_cannot_be_read_stops_everything(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat))
    thread.read()
    book = thread.game / "forum" / "book.jsonl"
    whole = book.read_bytes()
    for broken in (whole[:-1], whole + b"{}\n", whole + b"[]\n", whole + b'{"do":"seen"}\n', b"\xff\n"):
        book.write_bytes(broken)
        with pytest.raises(Refused, match=r"forum\.book"):
            thread.read()
    book.write_bytes(whole)
    assert thread.read() == []


def test_the_book_is_in_no_archive(thread: ForumTable) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat) + LUCK)
    thread.read()
    thread.resolve()
    pack(thread.env, thread.game, thread.root / "all.zip")
    assert b"forum/" not in (thread.root / "all.zip").read_bytes()
    assert verify(thread.root / "all.zip").verdict == "pass"
    with pytest.raises(Refused, match=r"game\.read-only"):
        thread.game = thread.root / "all.zip"
        thread.read()


# --- signed orders


def test_signed_orders_count_whoever_posts_them(thread: ForumTable) -> None:
    seat = begun(thread, keyed=("north", "south"))
    thread.post(SEATS[seat], pull(seat))
    (step,) = thread.read()
    assert step.what == "refused" and step.why == ("proof.unsigned",)
    signed = thread.signed(seat, pull(seat))
    thread.post("Courier", encode(signed.data, signed.signature.encode()))
    steps = thread.read()
    assert [(step.what, step.seat) for step in steps] == [("taken", seat), ("locked", "")], steps
    notes = [
        record.record.get("note")
        for record in thread.open().ledger.records
        if record.record["type"] == "lock"
    ]
    assert notes == [None]


# --- killed


def test_what_was_seen_first_is_carried_out_though_the_page_says_otherwise_by_then(
    thread: ForumTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = begun(thread)
    thread.post(SEATS[seat], pull(seat) + "message: the first\n")

    def killed(*_: object) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pbem.referee.forum.forum_taking.of_seat", killed)
        with pytest.raises(KeyboardInterrupt):
            thread.read()
    assert stored(thread) == []
    thread.edit(1, pull(seat) + "message: the second\n")
    assert whats(thread.read()) == ["taken post #1", "edited post #1"]
    assert b"the first" in stored(thread)[0].read_bytes()


def test_an_empty_thread_and_a_forum_without_a_topic(thread: ForumTable) -> None:
    begun(thread)
    assert Forum().page() and [step.what for step in thread.read(Forum().page())] == ["page"]


def test_what_the_forum_writes_anew_is_no_edit(thread: ForumTable) -> None:
    seat = begun(thread)
    said = quote("Cass", "Your move, yesterday.") + code(pull(seat))
    thread.post(SEATS[seat], html=said)
    thread.read()
    thread.edit(1, html=said.replace("yesterday", "on Friday").replace("Cass", "Cassandra"))
    assert thread.read() == []


def test_what_only_one_side_may_know_is_answered_as_that(tmp_path: Path) -> None:
    hunt = HuntingTable(tmp_path).hunt()
    thread = ForumTable(tmp_path)
    thread.moment = hunt.moment
    thread.post("Nora", FIRST)
    (step, *_) = thread.read(authors={HOUNDS: "Nora"})
    said = thread.answer(step)
    assert step.what == "taken" and "What Hounds may know, and nobody else" in said
    assert f", for {HOUNDS}, post 1 of 1, note " in said
