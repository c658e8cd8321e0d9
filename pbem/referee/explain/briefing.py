"""What a game tells somebody who has never played it: its story, its aim, who is there, what can be sent now,
and how it is played.

Made once, of what a seat's side knows (``views``), and shown everywhere: ``pbem brief``, letters,
invitations. What a game is about says the scenario, what its rules are and what can be ordered say the rules;
here is only what is told, and in which order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.club.terms import WEEK, Days, Terms
from pbem.core.briefing import Aim, Member, Said, Sample
from pbem.core.problem import Problem
from pbem.core.scene import OUT, UP, Scene
from pbem.core.sequence import SETUP
from pbem.post.offices.timing import span
from pbem.referee.explain.draw import scene_of
from pbem.referee.explain.samples import samples_of, written
from pbem.referee.game.game import Game
from pbem.referee.game.own_rules import own_rules_of
from pbem.referee.game.replay import Ground
from pbem.referee.game.seat_names import seat_names
from pbem.referee.game.sentences import sentence, tell
from pbem.referee.game.views import known_state
from pbem.store.library import common_words
from pbem.text.report import Block, Code, Document, Facts, Heading, Items, Paragraph, Roster, RosterRow
from pbem.text.when import in_sentence
from pbem.text.words import Words

__all__ = ["Briefing", "briefing_of", "document", "how_to_play", "pace"]

ALIKE: Final = 3
"""Of so many at least what holds for each is said once."""
TOLD_AGAIN: Final = 2
"""So many lines that do the same are explained."""
LONGEST_STORY: Final = 1_500
"""Characters of a story, or of advice, that are shown."""
GLOSSARY: Final = ("seat", "sheet", "draft", "final", "luck", "lock", "umpire")


class Briefing(Struct, frozen=True, dict=True):
    """A game as one seat is told of it; without a seat as everybody may know it."""

    ground: Ground
    state: Any
    """The state as the umpire knows it."""
    sides: Mapping[str, str]
    """Seat -> side."""
    seat: str = ""
    players: Mapping[str, str] = field(default_factory=dict)
    """Seat -> who plays it."""
    pace: str = ""
    """How long somebody has for a turn, in a sentence."""
    earlier: Sequence[Any] = ()
    """The files of the seat that are in force."""
    own_rules: Sequence[str] = ()
    """What of its rules and scenario is not as pbem comes with it, a line each."""

    @property
    def side(self) -> str:
        """Return the side of the seat; empty without one."""
        return self.sides.get(self.seat, "")

    @cached_property
    def known(self) -> Any:
        """Return the state as its side knows it."""
        return known_state(self.ground, self.state, self.side or None) if self.seat else self.state

    @cached_property
    def scene(self) -> Scene:
        """Return the map as its side sees it."""
        return scene_of(self.ground, self.state, (), side=self.side or None)

    @cached_property
    def side_names(self) -> Mapping[str, str]:
        """Return how the sides are called."""
        return {look.side: look.name for look in self.scene.sides}

    @cached_property
    def aim(self) -> Aim:
        """Return what is played for."""
        return self.ground.rules.interface.aim(self.ground.rules, self.known)

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """Return everybody whom the side knows of, the seat's own first."""
        interface = self.ground.rules.interface
        if interface.roll_call is not None:
            return tuple(interface.roll_call(self.ground.rules, self.known, self.seat))
        tokens = sorted(self.scene.tokens, key=lambda token: (token.side != self.side, token.id))
        seats = {side: seat for seat, side in self.sides.items()}
        return tuple(
            Member(
                one.id,
                one.name or one.id,
                one.description,
                one.side,
                seats.get(one.side, ""),
                one.at,
                one.numbers,
                one.state if one.look != UP else "",
                one.look == OUT,
            )
            for one in tokens
        )

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        """Return lines that the seat could send now."""
        return samples_of(self.ground, self.known, self.seat, self.earlier) if self.seat else ()

    def tell(self, said: Said | Problem, **more: Any) -> str:
        """Return what is said in words; a side whose name begins with ``The`` is called so within a sentence
        as one calls it.
        """
        return in_sentence(tell(self.ground.words, said, **more), self.side_names.values())

    # --- parts

    def story(self) -> Iterator[Block]:
        """Yield what it is about, and what the author of the scenario advises the side."""
        for said in _own_words(self.ground.scenario.get("story")):
            yield Paragraph(said)
        advice = self.ground.scenario.get("advice")
        if isinstance(advice, Mapping) and self.side:
            for said in _own_words(advice.get(self.side)):
                yield Paragraph(self.ground.words.phrase("brief.advice", said=said))

    def not_shipped(self) -> Iterator[Block]:
        """Yield what of the rules and the scenario is not as pbem comes with it."""
        if self.own_rules:
            yield Paragraph(self.ground.words.phrase("own.lead"))
            yield Items(tuple(self.own_rules))

    def who_plays(self) -> Iterator[tuple[str, str]]:
        """Yield who plays which side, and the pace, as names and values."""
        words = self.ground.words
        for side, name in self.side_names.items():
            seats = sorted(seat for seat, of in self.sides.items() if of == side)
            if seats:
                who = [
                    words.phrase("brief.you") if seat == self.seat else self.players.get(seat, seat)
                    for seat in seats
                ]
                yield name, words.phrase("brief.played-by", who=who)
        if self.pace:
            yield words.phrase("brief.pace"), self.pace

    def aims(self) -> Iterator[Block]:
        """Yield how long it lasts, who wins, what gives points, and what ends it at once."""
        words, aim = self.ground.words, self.aim
        if aim.length:
            yield Paragraph(" ".join(sentence(self.tell(said)) for said in aim.length))
        lines = [self._of_side("brief.wins", side, self.tell(said)) for side, said in aim.wins]
        lines += [
            self._of_side("brief.at-once", side, self.tell(said, its=self._its(side)))
            for side, said in aim.at_once
        ]
        if lines:
            yield Items(tuple(map(sentence, lines)))
        if aim.points:
            gets = (
                self._of_side("brief.gets", side, self.tell(said, its=self._its(side)))
                for side, said in aim.points
            )
            yield Paragraph(words.phrase("brief.points"))
            yield Items(tuple(map(sentence, gets)))

    def _of_side(self, key: str, side: str, said: str) -> str:
        """Return something that concerns a side, said to this one."""
        who = "you" if side == self.side and side else side if side in ("any", "draw") else "other"
        return self.tell(Said(f"{key}-{who}", {"side": self.side_names.get(side, side), "said": said}))

    def _its(self, side: str) -> str:
        return self.ground.words.phrase("brief.your" if side == self.side and side else "brief.its")

    def so_far(self) -> Iterator[Block]:
        """Yield the points that each side would have if it ended now, by what the seat knows."""
        words = self.ground.words
        outcome: Any = self.ground.rules.interface.outcome(self.ground.rules, self.known)
        names = {**self.side_names, self.side: words.phrase("brief.you")}
        told = [f"{names.get(entry['side'], entry['side'])} {entry['score']}" for entry in outcome["sides"]]
        if told:
            yield Paragraph(self.tell(Said("brief.so-far", {"points": told})))

    def own(self) -> tuple[Member, ...]:
        """Return those whom the seat orders."""
        return tuple(one for one in self.members if one.seat == self.seat and self.seat)

    def people(self) -> Iterator[Block]:
        """Yield those whom the seat orders, its friends, and the enemy as far as it knows of him."""
        yield from self.own_people()
        yield from self.other_people()

    def own_people(self) -> Iterator[Block]:
        """Yield those whom the seat orders, with what they can do."""
        words = self.ground.words
        own = self.own()
        if not own:
            return
        yield Heading(words.phrase("brief.people-own"))
        there = [one for one in own if not one.gone]
        alike = (
            [said for said in there[0].can if all(said in one.can for one in there)]
            if len(there) >= ALIKE
            else []
        )
        each = (
            [words.phrase("brief.each", said="; ".join(self.tell(said) for said in alike))] if alike else []
        )
        values = [words.phrase("brief.values")] if any(one.values for one in there) else []
        if values or each:
            yield Paragraph(" ".join([*values, *each]))
        yield self._roster(
            [replace(one, can=tuple(said for said in one.can if said not in alike)) for one in there],
            full=True,
        )
        if dead := [one.id for one in own if one.gone]:
            yield Paragraph(words.phrase("brief.gone", who=dead, count=len(dead)))

    def other_people(self) -> Iterator[Block]:
        """Yield the friends of a seat, the enemy as far as it knows of him, and who is on no side."""
        words = self.ground.words
        own = self.own()
        for side, name in self.side_names.items():
            others = [one for one in self.members if one.side == side and one not in own]
            there = [one for one in others if not one.gone]
            if not there:
                continue
            yield Heading(
                words.phrase("brief.people-friends" if side == self.side else "brief.people-of", side=name)
            )
            yield self._roster(there, full=False)
        if nobodies := [one for one in self.members if one.side not in self.side_names and not one.gone]:
            yield Heading(words.phrase("brief.people-nobodys"))
            yield self._roster(nobodies, full=False)

    def _roster(self, members: Sequence[Member], *, full: bool) -> Roster:
        words = self.ground.words
        heads = tuple(words.phrase(f"brief.head-{name}") for name in ("name", "hex", "values", "what"))
        return Roster(heads, tuple(self._row(one, full=full) for one in members))

    def _row(self, one: Member, *, full: bool) -> RosterRow:
        """Return somebody in columns; ``full``: with his whole name, and what he can do."""
        words = self.ground.words
        what = words.put(", ".join(part for part in (one.what, one.state) if part))
        notes = [one.name] if full and one.name.lower() != one.id else []
        notes += [self.tell(said) for said in one.can] if one.seat == self.seat or not self.seat else []
        at = " ".join(one.at) or words.phrase("brief.nowhere")
        return RosterRow((one.id, at, "-".join(one.values), what), "; ".join(notes))

    def zones(self) -> Iterator[Block]:
        """Yield where the seat's side may place its figures."""
        words = self.ground.words
        regions = self.ground.rules.interface.zones(self.ground.rules, self.known, self.side or None)
        taken = {hex_ for token in self.scene.tokens for hex_ in token.at}
        for region in regions:
            free = [cell for cell in region.cells if cell not in taken]
            yield Paragraph(
                words.phrase("brief.zone", name=region.name, hexes=hex_list(region.cells), free=len(free))
            )
        if regions:
            yield Paragraph(words.phrase("brief.zone-rest"))

    def what_to_send(self) -> Iterator[Block]:
        """Yield lines that the seat could send now, and what each of them does."""
        words = self.ground.words
        if not self.samples:
            yield Paragraph(words.phrase("brief.nothing-to-send"))
            return
        yield Code("\n".join(written(self.samples)))
        yield Items(tuple(self.meanings()))

    def meanings(self) -> Iterator[str]:
        """Yield what those lines do; of many alike the first of them."""
        told: dict[str, int] = {}
        for line in self.samples:
            told[line.said.key] = told.get(line.said.key, 0) + 1
            if told[line.said.key] <= TOLD_AGAIN:
                yield f"{_name_of(line)}: {self.tell(line.said)}"

    def rules(self) -> Iterator[Block]:
        """Yield the rules in short."""
        for chapter in self.ground.rules.interface.primer(self.ground.rules, self.known):
            yield Heading(self.tell(chapter.title))
            yield Items(tuple(self.tell(said) for said in chapter.sentences))


def _own_words(text: object) -> tuple[str, ...]:
    """Return the paragraphs of a text that the author of a scenario wrote."""
    if not isinstance(text, str):
        return ()
    paragraphs = [" ".join(part.split()) for part in text[:LONGEST_STORY].split("\n\n")]
    return tuple(part for part in paragraphs if part)


def _name_of(line: Sample) -> str:
    """Return what of a line is told again beside what it does."""
    if isinstance(line.entry, str):
        return line.entry
    return str(line.entry.get("when", line.heading))


def hex_list(cells: Sequence[str]) -> str:
    """Return hexes as somebody would list them: those below one another as ``0204-0211``."""
    runs: list[list[str]] = []
    for cell in sorted(cells):
        if (
            runs
            and cell.isdigit()
            and runs[-1][-1].isdigit()
            and int(cell) == int(runs[-1][-1]) + 1
            and cell[:2] == runs[-1][-1][:2]
        ):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def glossary(words: Words) -> Iterator[Block]:
    """Yield what the words of letters and sheets mean."""
    yield Heading(words.phrase("brief.glossary"))
    yield Facts(
        tuple(
            (words.phrase(f"brief.word-{name}"), words.phrase(f"brief.word-{name}-is")) for name in GLOSSARY
        )
    )
    yield Paragraph(words.phrase("brief.safe"))


def pace(terms: Terms | None) -> str:
    """Return how long somebody has for a turn, in a sentence."""
    words = common_words()
    if terms is None:
        return words.phrase("brief.no-deadlines")
    at = f"{terms.time[0]:02}:{terms.time[1]:02}" if terms.time is not None else ""
    setup = span(timedelta(minutes=terms.lengths[SETUP]), words) if SETUP in terms.lengths else ""
    length = span(timedelta(minutes=terms.length), words)
    off = [*_days_off(terms.days, words)]
    zone = terms.zone if at or off else ""
    return words.phrase(
        "brief.deadlines",
        length=length,
        time=at,
        zone=zone,
        setup=setup,
        off=off or "",
        leave=str(terms.leave.days) if terms.leave is not None else "",
    )


def _days_off(days: Days, words: Words) -> Iterator[str]:
    """Yield which days do not count, as people call them."""
    for number in WEEK:
        if number not in days.weekdays:
            yield words.phrase(f"letter.weekday-{number}")
    for first, last in days.off:
        alone = first == last
        yield f"{first}" if alone else words.phrase("brief.days-span", first=f"{first}", last=f"{last}")
    yield from (words.phrase("brief.days-rule", rule=rule) for rule, _ in days.rules)
    yield from (words.phrase("brief.days-holidays", place=place) for place in days.holidays)


def briefing_of(
    game: Game, seat: str = "", *, players: Mapping[str, str] | None = None, pace: str = ""
) -> Briefing:
    """Return the briefing of a game for a seat, as it stands now; before it has started, as it will begin."""
    state = game.state if game.ledger.started else game.state_after(0, "")
    earlier = (
        tuple(sheet.orders for sheet in game.kept_sheets(seat) if sheet.orders is not None)
        if seat and game.ledger.started
        else ()
    )
    named = players if players is not None else seat_names(game)
    return Briefing(game.ground, state, game.sides, seat, named, pace, earlier, own_rules_of(game))


def document(brief: Briefing) -> Document:
    """Return the whole briefing: what it is about, what to send now, who is there, and how it is played."""
    words = brief.ground.words
    blocks: list[Block] = [*brief.story()]
    if rows := tuple(brief.who_plays()):
        blocks.append(Facts(rows))
    blocks += brief.not_shipped()
    blocks += _under(words.phrase("brief.aim"), brief.aims())
    if brief.samples:
        blocks += _under(
            words.phrase("brief.now"),
            [*brief.zones(), Paragraph(words.phrase("brief.samples")), *brief.what_to_send()],
        )
    blocks += [*brief.people(), *brief.rules(), *glossary(brief.ground.words)]
    title = words.phrase("brief.title", title=brief.ground.title, side=brief.side_names.get(brief.side, ""))
    return Document(title, brief.scene.subtitle, tuple(blocks))


def how_to_play(brief: Briefing) -> Document:
    """Return the rules in short, how orders are written, and what the words mean: what somebody prints and
    keeps beside him.
    """
    words = brief.ground.words
    title = words.phrase("brief.how-to-play", title=brief.ground.title)
    return Document(
        title, words.phrase("brief.how-to-play-lead"), (*brief.rules(), *glossary(brief.ground.words))
    )


def _under(title: str, blocks: Iterator[Block] | Sequence[Block]) -> list[Block]:
    """Return blocks under a heading; nothing where there are none."""
    listed = list(blocks)
    return [Heading(title), *listed] if listed else []
