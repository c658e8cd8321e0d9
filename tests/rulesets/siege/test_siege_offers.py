"""Offers: the sentences are exactly those of ``legal``, each is taken by the checks, and what follows is what
the engine allows then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from boards import PHASES, Laid, boards, numbered
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from skirmish import RULES, battle
from test_siege_legal_laws import SEAT, SECTIONS, SLOW, checked

from pbem.core.dice import NoDice
from pbem.core.play import Play
from pbem.core.ruleset import Ruleset, choose
from pbem.core.sheet import Offer
from pbem.geometry import path
from pbem.rulesets.siege.deeds import deeds, reading
from pbem.rulesets.siege.judge import judge, legal
from pbem.rulesets.siege.march import movement, step
from pbem.rulesets.siege.march.walk import Walk
from pbem.rulesets.siege.orders import grammar
from pbem.rulesets.siege.ruleset import CRY_HAVOC
from pbem.rulesets.siege.state.happening import apply
from pbem.rulesets.siege.state.orders import Act, Attack, Move
from pbem.rulesets.siege.state.state import Battle
from pbem.rulesets.siege.views import ahead, sheet
from pbem.rulesets.siege.views.ahead import making_way, onward, together
from pbem.rulesets.siege.views.offers import offers, order_of

# 0505 has the neighbours n 0504, ne 0604, se 0605, s 0506, sw 0405, nw 0404
MEN: dict[str, tuple[Any, ...]] = {
    "alric": ("east", "longbowman", "0507"),
    "bran": ("east", "crossbowman", "0502"),
    "hob": ("east", "sergeant", "0404"),
    "mel": ("east", "peasant", "0803"),
    "odo": ("east", "spearman", "0305"),
    "gunter": ("west", "peasant", "0505"),
    "wulf": ("west", "sergeant", "0906"),
}

RIDERS = choose(RULES, ["riders"], {})[0] or RULES
MOUNTED = {
    **MEN,
    "guy": ("east", "rich_knight", "0103"),
    "bay": ("east", "horse_alone", "", {"kind": "horse", "at": ("0104", "0105")}),
}


def said(where: Battle, rules: Ruleset[Battle] = RULES) -> dict[str, Offer]:
    return {offer.sentence: offer for offer in offers(rules, where, SEAT)}


def after(rules: Ruleset[Battle], where: Battle, offer: Offer) -> Mapping[str, tuple[Offer, ...]]:
    return {
        phase: tuple(found)
        for figure, phase, found in onward(rules, where, SEAT)(offer)
        if figure == offer.who[0]
    }


# --- the laws


@pytest.mark.parametrize("phase", PHASES)
def test_offers_say_what_is_legal_and_nothing_else(phase: str) -> None:
    @settings(max_examples=10, deadline=None, suppress_health_check=SLOW)
    @given(boards(phase), st.data())
    def law(laid: Laid, data: st.DataObject) -> None:
        rules, where = laid
        found = list(offers(rules, where, SEAT))
        assert [offer.sentence for offer in found] == [
            grammar.say(CRY_HAVOC, order) for order in legal.legal(rules, where, SEAT)
        ]
        if found:
            offer = data.draw(st.sampled_from(found))
            order, problems = checked(rules, where, offer.sentence)
            assert order is not None and grammar.say(CRY_HAVOC, order) == offer.sentence
            assert [problem for problem in problems if not problem.is_doubt] == []
            assert offer.who and set(offer.who) <= set(where.units)
            assert set(offer.cells) <= set(where.field.ground)

    law()


@pytest.mark.parametrize("rules", [RULES, RIDERS])
def test_ways_that_are_offered_are_those_that_are_gone(rules: Ruleset[Battle]) -> None:
    """One search tells them all, on foot and on horseback: those that each order finds by its own."""
    where = battle(MOUNTED if rules is RIDERS else MEN, "movement")
    goes = [offer for offer in offers(rules, where, SEAT) if offer.kind == "goes to"]
    assert len(goes) > 80
    for offer in goes:
        order = grammar.read(rules, "move", offer.sentence)
        assert isinstance(order, Move) and order_of(rules, where, offer) == order
        walk = movement.plan(rules, where, order)
        assert isinstance(walk, Walk) and (walk.places, walk.cost) == (offer.way, offer.cost)
        play = Play(where, str(where.at), apply, NoDice())
        deeds.move(rules, play, SEAT, order)
        assert ahead._Ahead(rules, where, SEAT).done(order, offer) == play.state


def test_ways_are_searched_once_for_a_figure_and_not_once_for_an_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches: list[str] = []
    search = path._search
    monkeypatch.setattr(path, "_search", lambda start, *of: searches.append(start) or search(start, *of))
    where = battle(MEN, "movement")
    found = list(offers(RULES, where, SEAT))
    mine = [unit for unit in where.units.values() if unit.owner == SEAT]
    leaving = sum(offer.kind == "leaves the map" for offer in found)
    assert len(found) > 20 * len(mine) and len(searches) <= 2 * len(mine) + leaving
    searches.clear()
    tell = onward(RULES, where, SEAT)
    assert all(tell(offer) for offer in found if offer.kind == "goes to")
    assert len(searches) < len(found) / 10


@pytest.mark.parametrize("number", range(12))
def test_who_joins_makes_a_legal_attack(number: int) -> None:
    rules, where = numbered(number, "melee")
    for offer in offers(rules, where, SEAT):
        assert bool(offer.joined) == (len(offer.targets) == 1) or not offer.joiners
        for joiner in offer.joiners:
            sentence = offer.joined.replace("{who}", ", ".join((*offer.who, joiner)))
            order, problems = checked(rules, where, sentence)
            assert isinstance(order, Attack)
            assert [problem for problem in problems if not problem.is_doubt] == []


@pytest.mark.parametrize("phase", ["first_missile", "movement"])
def test_what_comes_later_is_legal_after_the_first_order(phase: str) -> None:
    """A file with both orders is taken, and what the engine would then call illegal is not offered."""

    @settings(max_examples=12, deadline=None, suppress_health_check=SLOW)
    @given(boards(phase), st.data())
    def law(laid: Laid, data: st.DataObject) -> None:
        rules, where = laid
        found = list(offers(rules, where, SEAT))
        if not found:
            return
        first = data.draw(st.sampled_from(found))
        later = [
            (at, offer)
            for _, at, listed in onward(rules, where, SEAT)(first)
            for offer in listed
            if offer.sentence
        ]
        if not later:
            return
        at, second = data.draw(st.sampled_from(later))
        sections: dict[str, list[str]] = {SECTIONS[where.at.phase]: [first.sentence]}
        sections.setdefault(SECTIONS[at], []).append(second.sentence)
        file, problems = reading.read_orders(
            rules, where, SEAT, {"turn": ".".join(str(where.at).split(".")[:-1]), **sections}
        )
        assert file is not None, (sections, problems)
        assert [
            problem for problem in judge.check(rules, where, file).problems if not problem.is_doubt
        ] == [], sections

    law()


# --- what is clicked


def test_a_move_has_its_cost_and_its_way() -> None:
    where = battle(MEN, "movement")
    offer = said(where)["hob to 0402"]
    assert (offer.kind, offer.who, offer.cells, offer.cost) == ("goes to", ("hob",), ("0402",), 2)
    walk = movement.plan(RULES, where, Move("hob", ("0402",)))
    assert offer.way == getattr(walk, "places", None) == ("0404", "0403", "0402")


def test_a_shot_has_range_cover_and_chances() -> None:
    offer = said(battle(MEN))["alric at gunter"]
    assert (offer.kind, offer.targets, offer.cells) == ("shoots at", ("gunter",), ())
    assert offer.notes[0] == "2 hexes, short range, no cover"
    assert (offer.notes[1], offer.label) == ("of 10: 1 dead, 2 wounded, 1 stunned, 1 in cover", "5/10")


def test_an_attack_has_odds_and_who_may_join() -> None:
    where = battle({**MEN, "mel": ("east", "peasant", "0604"), "odo": ("east", "spearman", "0405")}, "melee")
    offer = said(where)["hob attacks gunter"]
    assert (offer.kind, offer.targets, offer.joiners) == ("attacks", ("gunter",), ("mel", "odo"))
    assert offer.joined == "{who} attack gunter"
    assert offer.notes[0].endswith(f"column {offer.label}")


def test_a_deed_names_what_is_clicked() -> None:
    found = said(battle(MOUNTED, "movement"), RIDERS)
    mount = found["guy mounts bay"]
    assert (mount.kind, mount.targets, mount.notes) == ("mounts", ("bay",), ("takes the whole turn",))
    lead = next(offer for offer in found.values() if offer.kind == "leads" and offer.who == ("guy",))
    assert (lead.targets, len(lead.cells), lead.cost is None) == (("bay",), 1, False)
    leave = found["hob leaves the map by 0102"]
    assert (leave.kind, leave.cells, leave.cost) == ("leaves the map", ("0102",), 5)


# --- what comes later


def test_from_where_he_goes_he_attacks_and_shoots() -> None:
    where = battle(MEN, "movement")
    found = said(where)
    later = after(RULES, where, found["odo to 0405"])
    assert [offer.sentence for offer in later["melee"] if offer.who == ("odo",) and offer.sentence] == [
        "odo attacks gunter"
    ]
    assert after(RULES, where, found["odo to 0306"])["melee"] == ()
    shots = [offer.sentence for offer in after(RULES, where, found["alric stays"])["second_archery"]]
    assert shots == ["alric at gunter", "alric at wulf"]
    farther = after(RULES, where, found["alric to 0508"])["second_archery"][0]
    assert (farther.sentence, farther.notes[0]) == ("alric at gunter", "3 hexes, short range, no cover")


def test_who_is_too_weak_alone_is_told_whom_he_could_strike_with_others() -> None:
    where = battle(MEN, "movement")
    (offer,) = after(RULES, where, said(where)["mel to 0805"])["melee"]
    assert (offer.sentence, offer.targets, offer.joined) == ("", ("wulf",), "{who} attack wulf")
    assert "against" in offer.notes[0]


def test_a_crossbowman_who_shoots_does_not_move() -> None:
    where = battle(MEN)
    found = said(where)
    assert [
        offer for offer in after(RULES, where, found["bran at gunter"])["movement"] if offer.kind != "stays"
    ] == []
    assert after(RULES, where, found["alric at gunter"])["movement"]


def test_a_whole_turns_work_leaves_nothing_else() -> None:
    where = battle(MOUNTED, "movement")
    later = after(RIDERS, where, said(where, RIDERS)["guy mounts bay"])
    assert later == {"movement": (), "second_archery": (), "melee": ()}


def test_nothing_is_said_of_an_order_that_cannot_be_read() -> None:
    where = battle(MEN, "movement")
    assert after(RULES, where, Offer(("odo",), "odo dances", "dances")) == {}
    assert after(RULES, where, Offer(("nobody",), "odo to 0405", "goes to")) == {}


def test_a_deed_is_told_in_the_words_of_its_kind() -> None:
    silent = {deed.id for deed in RULES.deeds.values() if not deed.called}
    assert silent == {"resign", "offer-draw", "accept-draw"}
    assert isinstance(next(legal.legal(RULES, battle(MEN, "movement"), SEAT)), Act | Move)


def test_where_one_has_gone_another_may_go() -> None:
    where = battle(MEN, "movement")
    now = said(where)
    found = {(first, offer.sentence): offer for first, offer in making_way(RULES, where, SEAT)}
    assert "odo to 0404" not in now
    offer = found["hob", "odo to 0404"]
    assert (offer.cost, offer.way) == (1, ("0305", "0404"))
    for first, behind in found:
        assert behind not in now
        moves = (one for one in now.values() if one.who == (first,) and one.way)
        away = next(one.sentence for one in moves if not set(one.cells) & set(found[first, behind].way))
        file, problems = reading.read_orders(RULES, where, SEAT, {"turn": "t3", "move": [away, behind]})
        assert file is not None, problems
        assert [
            problem for problem in judge.check(RULES, where, file).problems if not problem.is_doubt
        ] == [], (away, behind)
    assert list(making_way(RULES, battle(MEN, "melee"), SEAT)) == []
    assert list(making_way(RULES, where, "west")) == []


def test_the_way_to_where_another_stood_is_the_one_that_a_search_finds() -> None:
    @settings(max_examples=10, deadline=None, suppress_health_check=SLOW)
    @given(boards("movement"))
    def law(laid: Laid) -> None:
        rules, where = laid
        for first, offer in making_way(rules, where, SEAT):
            gone = where.with_units(replace(where.units[first], at=()))
            unit = where.units[offer.who[0]]
            walk = movement.to(rules, gone, unit, offer.cells[0], step.points(rules, where, unit))
            assert isinstance(walk, Walk)
            assert (walk.places, walk.cost) == (offer.way, offer.cost)

    law()


def test_who_could_follow_whom_takes_one_search_a_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[str] = []
    search = path._search
    monkeypatch.setattr(path, "_search", lambda *asked: searches.append(asked[0]) or search(*asked))
    where = battle(MEN, "movement")
    assert len({(first, offer.who, offer.cells) for first, offer in making_way(RULES, where, SEAT)}) > 5
    assert sorted(searches) == sorted({*searches})


def test_from_where_another_stood_he_does_what_is_possible_there() -> None:
    where = battle(MEN, "movement")
    offer = next(offer for first, offer in making_way(RULES, where, SEAT) if offer.sentence == "odo to 0404")
    assert [one.sentence for one in after(RULES, where, offer)["melee"] if one.sentence] == [
        "odo attacks gunter"
    ]


def test_who_moved_strikes_together_with_who_did_not() -> None:
    where = battle(MEN, "movement")
    now = said(where)
    chosen = [
        now["odo to 0405"],
        now["hob stays"],
        now["odo to 0504"],
        now["mel stays"],
        Offer(("alric",), "", "stays"),
    ]
    found = dict(together(RULES, where, SEAT, chosen))
    assert set(found) == {(0, 1), (1, 2)}
    there = battle({**MEN, "odo": ("east", "spearman", "0405")}, "melee")
    assert found[0, 1].sentence == "odo, hob attack gunter"
    assert set(found[0, 1].notes) <= set(sheet.notes(RULES, there, Attack(("odo", "hob"), ("gunter",))))
    assert found[0, 1].notes[0].endswith(f"column {found[0, 1].label}")
    assert (
        list(
            together(
                RULES, battle(MEN, "melee").changed(at=replace(where.at, phase="recovery")), SEAT, chosen
            )
        )
        == []
    )


def test_both_who_carry_are_told_what_comes_after() -> None:
    rules, where = numbered(3, "movement")
    for offer in offers(rules, where, SEAT):
        told = {figure for figure, _, _ in onward(rules, where, SEAT)(offer)}
        assert told <= {who for who in offer.who if where.units[who].owner == SEAT}
