"""The sergeant: what he plays for, whom he attacks with whom, where he sends the others, what he says
beforehand.
"""

from __future__ import annotations

from typing import Any

import pytest
from bot_boards import RULES, battle, begun, chance, cry_havoc, field
from msgspec.structs import replace

from pbem.bots import paper, sergeant, shots
from pbem.bots.aims import aims, worth
from pbem.bots.blows import Blow, Blows, harm
from pbem.bots.survey import Survey
from pbem.core.play import Choice, Question
from pbem.rulesets.siege.state.field import SideInfo, Term
from pbem.rulesets.siege.state.state import Battle

LOSSES = Term("losses", "any", 1)


def orders(state: Battle, rules: Any = RULES) -> dict[str, Any]:
    return sergeant.orders(rules, state, "east", chance())


def with_terms(state: Battle, *terms: Term, **more: Any) -> Battle:
    return state.changed(field=replace(state.field, at_end=terms, **more))


def goes(data: dict[str, Any]) -> dict[str, str]:
    """Return who goes where."""
    return {line.split()[0]: line.split()[-1] for line in data.get("move", [])}


# --- what he plays for


def test_terms_are_read_for_his_side() -> None:
    state = battle(
        {
            "hob": ("east", "spearman", "0505"),
            "gunter": ("west", "peasant", "0105"),
            "wulf": ("west", "peasant", "0106"),
        }
    )
    state = with_terms(
        state,
        Term("held", "any", 10, mark="ford"),
        LOSSES,
        Term("in", "east", 1, mark="ford", units=("hob",)),
        Term("left-the-map", "west", 3, units=("wulf",)),
        Term("dead", "east", 5, units=("gunter",)),
        Term("dead", "west", 4, units=("hob",)),
        length=9,
    )
    ours, theirs = aims(RULES, state, "east"), aims(RULES, state, "west")
    assert ours.hold == theirs.hold == ("0101", "0102")
    assert ours.gather == {"hob": ("0101", "0102")}
    assert theirs.gather == {}
    assert (ours.prey, ours.dear) == ({"wulf": 3, "gunter": 5}, {"hob": 4})
    assert theirs.prey == {"hob": 4}
    assert theirs.dear == {"gunter": 5}
    assert list(theirs.leave) == ["wulf"]
    assert {"0101", "1210", "0110"} <= set(theirs.leave["wulf"])
    assert "0505" not in theirs.leave["wulf"]
    assert (ours.scales, ours.last) == ((("", 1),), 9)


def test_points_make_a_figure_worth_more() -> None:
    state = battle(
        {
            "hob": ("east", "spearman", "0505"),
            "wat": ("west", "peasant", "0105"),
            "wulf": ("west", "peasant", "0106"),
        }
    )
    state = with_terms(state, LOSSES, Term("dead", "east", 5, units=("wulf",)))
    goal = aims(RULES, state, "east")
    wat, wulf = (worth(state, goal, state.units[id_]) for id_ in ("wat", "wulf"))
    assert wulf - wat == 60


@pytest.mark.parametrize(
    ("state", "effect", "percent"),
    [
        ("healthy", "none", 0), ("healthy", "wounded", 50), ("healthy", "stunned", 30), ("healthy", "killed", 100),
        ("healthy", "retreat", 10),
        ("wounded", "wounded", 100), ("wounded", "stunned", 100), ("stunned", "wounded", 100), ("stunned", "retreat", 100),
        ("stunned", "none", 0), ("healthy", "checked", 0),
    ],
)  # fmt: skip
def test_what_a_blow_costs_whom_it_hits(state: str, effect: str, percent: int) -> None:
    assert harm(RULES, state, effect) == percent


def test_the_option_that_spares_the_wounded_is_heeded() -> None:
    rules = RULES.amend(
        settings={
            **RULES.settings,
            "stun_on_wounded": next(v for v in RULES.options["stun_on_wounded"].values if v != "killed"),
        }
    )
    assert harm(rules, "wounded", "stunned") == 0


# --- attacks


def blows(state: Battle) -> list[Blow]:
    survey = Survey(RULES, state, "east")
    reached = {unit.id: survey.reach(unit) for unit in survey.own}
    return list(Blows(survey, aims(RULES, state, "east"), reached).planned())


def test_he_adds_men_until_the_odds_are_worth_it() -> None:
    men = {f"s{n}": ("east", "spearman", f"05{n:02}") for n in range(3, 7)}
    found = blows(with_terms(battle({**men, "gunter": ("west", "rich_knight", "0705")}, "movement"), LOSSES))
    assert len(found) == 1
    assert found[0].foe == "gunter"
    assert len(found[0].men) > 1
    assert len({hex_ for _, hex_ in found[0].men}) == len(found[0].men)


def test_a_peasant_alone_leaves_a_knight_alone() -> None:
    assert (
        blows(
            with_terms(
                battle(
                    {"wat": ("east", "peasant", "0505"), "hugh": ("west", "rich_knight", "0605")}, "movement"
                ),
                LOSSES,
            )
        )
        == []
    )


def test_nobody_is_in_two_attacks() -> None:
    men = {f"s{n}": ("east", "sergeant", f"05{n:02}") for n in range(2, 8)}
    foes = {f"w{n}": ("west", "peasant", f"07{n:02}") for n in range(2, 8)}
    found = blows(with_terms(battle({**men, **foes}, "movement"), LOSSES))
    attacking = [id_ for blow in found for id_, _ in blow.men]
    assert len(set(attacking)) == len(attacking) == 6
    assert len({blow.foe for blow in found}) == len(found)


def test_attacks_name_who_comes_and_what_odds_are_left() -> None:
    assert sergeant._fight(RULES, Blow("gunter", (("hob", "0101"),), 1, 5)) == "hob attacks gunter"
    assert (
        sergeant._fight(RULES, Blow("gunter", (("hob", "0101"), ("odo", "0102")), 1, 2))
        == "hob, odo attack gunter"
    )
    assert (
        sergeant._fight(RULES, Blow("gunter", (("hob", "0101"), ("odo", "0102")), 1, 3))
        == "hob, odo attack gunter at least 2:1"
    )


def test_what_he_orders_is_done() -> None:
    """His file goes through, and its fights take place from where he sends his men."""
    men = {f"s{n}": ("east", "sergeant", f"05{n:02}") for n in range(3, 7)}
    state = with_terms(battle({**men, "wulf": ("west", "peasant", "0805")}), LOSSES)
    data = orders(state)
    assert paper.refused(RULES, state, "east", data) == frozenset()
    after = state
    for heading in ("shoot", "move"):
        after = paper.rehearsed(RULES, after, "east", {heading: data.get(heading, [])})
    names = data["fight"][0].partition(" attack")[0].split(", ")
    assert all(after.units[name].at != state.units[name].at for name in names)


def test_who_has_been_shot_is_left_for_another() -> None:
    men = {
        "odo": ("east", "sergeant", "0504"),
        "wat": ("west", "peasant", "0604"),
        "ned": ("west", "peasant", "0503"),
    }
    state = with_terms(battle(men, "movement"), LOSSES)
    turn = sergeant._Turn(RULES, state, "east", aims(RULES, state, "east"), False)
    planned = Blows(turn.survey, turn.aims, {"odo": {"0504": 0}})
    turn.blows = [Blow("wat", (("odo", "0504"),), 100, 2)]
    doubtful = [{"when": "wat is dead", "then": ["odo attacks ned"], "otherwise": ["odo attacks wat"]}]
    assert list(turn.fights(planned, {"bow": ["wat"]}, [])) == doubtful
    assert list(turn.fights(planned, {}, ["bow at ned or wat"])) == doubtful
    assert list(turn.fights(planned, {"bow": ["ned"]}, [])) == ["odo attacks wat"]
    data = {"shoot": [], "fight": doubtful}
    assert (
        paper.refused(RULES, state.changed(at=replace(state.at, phase="first_missile")), "east", data)
        == frozenset()
    )
    lonely = Blow("wat", (("odo", "0605"),), 100, 2)
    assert planned.instead(lonely) is None


# --- the others


def test_wounded_men_and_shooters_keep_out_of_contact() -> None:
    men = {
        "hurt": ("east", "spearman", "0505", "wounded"),
        "bow": ("east", "longbowman", "0606"),
        "hob": ("east", "spearman", "0504"),
        "gunter": ("west", "rich_knight", "0805"),
    }
    state = with_terms(battle(men), LOSSES)
    data = orders(state)
    survey = Survey(RULES, state, "east")
    for name in ("hurt", "bow"):
        there = goes(data).get(name, state.units[name].at[0])
        assert survey.nearest_foe(there) > 2
    assert data["standing"]["hurt"]["advance"] == data["standing"]["bow"]["advance"] == "never"
    assert data["shoot"] == ["bow at gunter"]


def test_men_go_to_what_is_to_be_held_and_stay_on_it() -> None:
    state = with_terms(
        battle({"hob": ("east", "spearman", "0404"), "wat": ("west", "peasant", "1210")}),
        Term("held", "any", 10, mark="ford"),
    )
    survey = Survey(RULES, state, "east")
    way = survey.far_from(("0101", "0102"))
    data = orders(state)
    assert way[goes(data)["hob"]] < way["0404"]
    there = with_terms(
        battle({"hob": ("east", "spearman", "0101"), "wat": ("west", "peasant", "1210")}),
        Term("held", "any", 10, mark="ford"),
    )
    data = orders(there)
    assert "hob" not in goes(data)
    assert data["standing"]["hob"]["advance"] == "never"
    assert data["standing"]["hob"]["retreat"] == "toward 0101"


def test_towards_the_end_everybody_goes_where_he_counts() -> None:
    far = {"hob": ("east", "spearman", "0606"), "wat": ("west", "peasant", "1210")}
    term = Term("in", "any", 1, mark="ford")
    hunting, hurrying = (
        goes(orders(with_terms(battle(far), term, LOSSES, length=length))) for length in (12, 4)
    )
    survey = Survey(RULES, battle(far), "east")
    way = survey.far_from(("0101", "0102"))
    assert way[hurrying["hob"]] < way["0606"] < way[hunting["hob"]]


def test_who_is_worth_points_outside_leaves_the_map() -> None:
    state = battle(
        {
            "hob": ("east", "spearman", "0205"),
            "abbot": ("east", "peasant", "0206"),
            "wat": ("west", "peasant", "1210"),
        }
    )
    data = orders(with_terms(state, Term("left-the-map", "east", 5, units=("abbot",))))
    assert [line for line in data["move"] if line.startswith("abbot leaves the map by 01")]
    marked = with_terms(
        state,
        Term("left-the-map", "east", 5, units=("abbot",)),
        sides=(SideInfo("east", "East", "blue", True, leaves="gate"), SideInfo("west", "West", "red", False)),
        marks={"gate": ("1205",)},
    )
    data = orders(marked)
    assert int(goes(data)["abbot"][:2]) > 2


def test_the_ground_keeps_a_way_open_or_not() -> None:
    words = {f"06{row:02}": "deep_water" for row in range(1, 11)}
    survey = Survey(
        RULES,
        battle(
            {"hob": ("east", "spearman", "0505"), "wat": ("west", "peasant", "1010")}, ground=field(words)
        ),
        "east",
    )
    way = survey.far_from(("0805",))
    assert "0505" not in way
    assert way["0905"] == 1
    assert "0705" not in survey.reach(survey.battle.units["hob"])


def test_friends_do_not_stand_on_each_other() -> None:
    rules, state = cry_havoc("windle-hill", "t1.red.first_missile")
    data = sergeant.orders(rules, state, "red", chance())
    assert paper.refused(rules, state, "red", data) == frozenset()
    places = list(goes(data).values())
    assert len(set(places)) == len(places) > 8


def test_the_setup_places_everybody_men_of_arms_first() -> None:
    rules, state, _ = begun("alder-ford")
    data = sergeant.orders(rules, state, "west", chance())
    assert len(data["setup"]) == 12
    way = Survey(rules, state, "west").far_from(state.field.marks["ford"])
    far = {line.split()[0]: way[line.split()[2]] for line in data["setup"]}
    assert max(far[name] for name in ("meurig", "einion", "klaas")) <= min(
        far[name] for name in ("tofi", "edwold", "gerolf")
    )


def test_a_turn_in_which_nobody_can_do_anything_is_a_file_all_the_same() -> None:
    state = with_terms(
        battle({"hob": ("east", "spearman", "0505", "stunned"), "wat": ("west", "peasant", "1210")}), LOSSES
    )
    data = orders(state)
    assert data["shoot"] == []
    assert paper.read(RULES, state, "east", data).gives_orders


# --- shots


def test_the_better_target_is_shot_at_first() -> None:
    state = battle(
        {
            "bow": ("east", "longbowman", "0101"),
            "wat": ("west", "peasant", "0105"),
            "hugh": ("west", "sergeant", "0501", "wounded"),
        }
    )
    state = with_terms(state, LOSSES)
    found = shots.targets(
        RULES,
        state,
        aims(RULES, state, "east"),
        state.units["bow"],
        [state.units[id_] for id_ in ("wat", "hugh")],
    )
    assert [id_ for _, id_ in found] == ["hugh", "wat"]
    assert found[0][0] > found[1][0] > 0
    assert (
        shots.targets(RULES, state, aims(RULES, state, "east"), state.units["wat"], [state.units["bow"]])
        == []
    )


# --- questions


def question(about: str, values: tuple[str, ...], default: str, kind: str = "one") -> Question:
    choices = tuple(Choice("abc"[n], value) for n, value in enumerate(values))
    return Question("q1", "east", kind, about, "hob", "", choices, default, "")


def test_answers() -> None:
    men = {
        "hob": ("east", "spearman", "0505"),
        "odo": ("east", "rich_knight", "0506"),
        "ned": ("east", "rich_knight", "0507", "wounded"),
    }
    state = with_terms(
        battle({**men, "wat": ("west", "peasant", "0201")}), Term("held", "any", 10, mark="ford")
    )

    def answer(*of: Any) -> str:
        return sergeant.answer(RULES, state, question(*of), chance())

    assert answer("wound", ("ned", "odo", "hob"), "ned") == "hob"
    assert answer("advance-who", ("hob", "odo"), "odo") == "odo"
    assert answer("retreat", ("0404", "0405"), "0404") == "0404"
    assert answer("advance", ("never", "0303", "0404"), "never") == "0303"
    assert answer("advance", ("never", "0808"), "never") == "never"
    assert answer("advance", ("never", "0102"), "never") == "never"  # beside wat
    assert answer("panic-who", ("hob", "odo"), "hob, odo", "some") == "hob, odo"
    away = with_terms(
        battle({**men, "wat": ("west", "peasant", "1010")}), Term("held", "any", 10, mark="ford")
    )
    assert sergeant.answer(RULES, away, question("advance", ("never", "0102"), "never"), chance()) == "0102"
    assert sergeant.answer(RULES, away, question("advance", ("never", "0707"), "never"), chance()) == "never"
    open_field = with_terms(away, LOSSES)
    assert (
        sergeant.answer(RULES, open_field, question("advance", ("never", "0102"), "never"), chance())
        == "never"
    )


def test_asked_he_says_beforehand_only_what_is_never_in_doubt() -> None:
    rules, state = cry_havoc("alder-ford", "t1.east.first_missile")
    data = sergeant.orders_when_asked(rules, state, "east", chance())
    assert "retreat" not in str(data["standing"])
    assert {said["advance"] for said in data["standing"].values() if "advance" in said} == {"never"}
    assert data["standing"]["everyone"]["wound"]
    rules, state, _ = begun("alder-ford")
    assert list(sergeant.orders_when_asked(rules, state, "west", chance())) == ["setup"]


# --- a turn taken over in the middle


@pytest.mark.parametrize(
    ("phase", "sections"),
    [("melee", {"fight", "standing"}), ("second_archery", {"shoot-again", "fight", "standing"})],
)
def test_a_turn_that_is_taken_over_has_orders_only_for_what_is_left_of_it(
    phase: str, sections: set[str]
) -> None:
    men = {
        "hob": ("east", "sergeant", "0505"),
        "alric": ("east", "shortbowman", "0305"),
        "gunter": ("west", "peasant", "0605"),
    }
    data = orders(with_terms(battle(men, phase), LOSSES))
    assert set(data) <= sections
    assert any("hob attacks gunter" in str(line) for line in data["fight"])


def test_a_turn_in_which_nothing_is_left_to_do_is_a_turn_all_the_same() -> None:
    men = {"hob": ("east", "sergeant", "0505"), "gunter": ("west", "peasant", "0105")}
    data = orders(with_terms(battle(men, "melee"), LOSSES))
    assert data["fight"] == []
