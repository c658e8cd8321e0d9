"""Words of games: those beside a ruleset go before the common ones, and a problem is told wherever it comes
up.
"""

from __future__ import annotations

from pbem.store.library import common_words, words_of, words_of_posts


def test_a_game_speaks_its_own_words_and_the_common_ones() -> None:
    words = words_of("siege")
    assert words.event("Fled", {"unit": "odo"}) == "odo flees the map"
    assert words.event("TurnBegan", {"turn": 3}) == "turn 3 begins"
    assert words.phrase("report.lead-quiet") == "Nobody shot, and nobody fought."
    assert words_of("cry_havoc").phrase("report.lead-quiet") == words.phrase("report.lead-quiet")


def test_what_belongs_to_one_game_is_not_among_the_common_words() -> None:
    assert not common_words().knows("events", "Fled")
    assert not common_words().knows("phrases", "state.wounded")
    assert common_words().phrase("report.lead-quiet") == "Nothing decisive happened."


def test_a_problem_of_any_game_is_told_where_nobody_knows_which_game_it_is() -> None:
    assert (
        common_words().problem("melee.again", {"unit": "odo"})
        == "odo has already made his one attack of this phase"
    )
    assert common_words().knows("problems", "melee.again")
    assert common_words().slots("problems", "melee.again") == {"unit"}
    assert "melee.again" not in common_words().keys("problems")
    assert common_words().problem("nobody.knows", {"unit": "odo"}) == "nobody.knows (unit: odo)"


def test_a_ruleset_that_nobody_knows_has_the_common_words() -> None:
    assert words_of("no-such-game").phrase("report.lead-quiet") == "Nothing decisive happened."


def test_posts_say_of_a_game_what_letters_say_unless_they_have_words_of_their_own() -> None:
    words = words_of_posts("siege")
    assert words.event("Fled", {"unit": "odo"}) == "odo flees the map"
    own = [key for key in common_words().keys("phrases") if key.startswith("post.")]
    assert own
    assert all(words.phrase(key.removeprefix("post.")) == words.phrase(key) for key in own)
