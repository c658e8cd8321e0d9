"""The drawn map and the boards of pages: valid whatever a name says, complete, the same
each time, and small.
"""

from __future__ import annotations

import base64
import io
import json
import math
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest
from castles import castle, feature, thing
from msgspec.structs import replace
from pbem.renderers.drawn import (
    svg_arrows,
    svg_layers,
    svg_pen,
    svg_placed,
    svg_signs,
    svg_things,
    svg_tokens,
)
from pbem.renderers.lettering import plain
from pbem.renderers.painted import arrows, engines, works
from pbem.renderers.themes import PARCHMENT, THEMES
from PIL import Image
from scenes import GROUNDS, areas, centre, corners, ford, path, token

from pbem.core.scene import Area, Note, Scene, SideLook, Trace
from pbem.renderers import board, svg, symbols, text

ROOT = Path(__file__).resolve().parents[2]
S = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "title", "desc", "defs", "g", "path", "rect", "text", "tspan", "use", "clipPath", "pattern"}
HARMLESS = re.compile(
    "d|x|y|dx|rx|width|height|viewBox|fill|stroke(-(width|linecap|linejoin|dasharray|opacity))?|(fill-)?opacity|paint-order|transform|id|href"
    "|clip-path|patternUnits|role|lang|font-(family|size|weight|style)|text-anchor|textLength|lengthAdjust"
)
HOSTILE = (
    "</text><script>alert(1)</script>",
    '"/><image href="http://example.com/x.png"/>',
    "]]>&lt;!--<![CDATA[&#0;&amp;",
    "‮gnp.exe⁦\u200f\u061c",
    "\x00\x08\x1b[31m\ud800\uffff\u2028",
    "漢字🐉" * 9,
    "x" * 10_000,
    "",
)
SCENES = {"ford": ford, "castle": castle}


def big(figures: int = 60) -> Scene:
    """Return a map of 30 by 20 hexes of all kinds of ground with many figures."""
    looks = [ground for ground, _ in GROUNDS.values()] + ["slope", "hill"]
    cells = [f"{column:02d}{row:02d}" for column in range(1, 31) for row in range(1, 21)]
    found = tuple(
        Area(at, centre(at), corners(at), looks[(int(at[:2]) // 3 + int(at[2:]) // 3 * 2) % len(looks)])
        for at in cells
    )
    kinds = sorted(symbols.GLYPHS)
    crowd = tuple(
        token(
            f"Man at arms {i}",
            ("east", "west")[i % 2],
            kinds[i % len(kinds)],
            cells[i * 9],
            f"{i}-{i % 10}-6",
            badges=("shot", "panic"),
        )
        for i in range(figures)
    )
    return ford(areas=found, edges=(), roads=(), tokens=crowd, static_key="big-svg")


@pytest.fixture(scope="module", params=[(name, theme) for name in SCENES for theme in THEMES], ids="-".join)
def drawn(request) -> tuple[Scene, str, ET.Element, str]:
    name, theme = request.param
    scene = SCENES[name]()
    made = svg.render(scene, theme=THEMES[theme])
    return scene, theme, ET.fromstring(made), made


def words_of(root: ET.Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter(f"{S}text")]


def harmless(root: ET.Element) -> None:
    """Fail where a drawing could run, fetch or restyle anything, or points at what is not there."""
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    for each in root.iter():
        assert each.tag.removeprefix(S) in TAGS, each.tag
        assert all(HARMLESS.fullmatch(name) for name in each.attrib), each.attrib
        for name in ("href", "clip-path", "fill"):
            target = re.fullmatch(r"(?:url\()?#([a-z0-9]+)\)?", each.get(name, ""))
            if target and not re.fullmatch("[0-9a-f]{6}", target[1]):
                assert target[1] in ids
            assert "url" not in each.get(name, "") or target


# --- the whole map


def test_it_is_one_picture_with_its_words(drawn):
    scene, _, root, _ = drawn
    assert (root.tag, root.get("role")) == (f"{S}svg", "img")
    assert root[0].tag == f"{S}title" and root[0].text == text.alt(scene)
    assert root[1].tag == f"{S}desc" and root[1].text == text.describe(scene)


def test_nothing_in_it_can_run_or_fetch(drawn):
    *_, root, made = drawn
    harmless(root)
    assert "http" not in made.replace("http://www.w3.org/2000/svg", "")


def test_everything_on_the_map_is_written_on_it(drawn):
    scene, _, root, _ = drawn
    words = words_of(root)
    assert {area.at for area in scene.areas} <= set(words)
    for each in scene.tokens:
        if each.look == "out":
            continue
        shown = [
            word
            for word in words
            if word == each.id or (word.endswith("…") and each.id.startswith(word[:-1]))
        ]
        assert shown, each.id
        assert "-".join(each.numbers) in words
    for said in (*(note.text for note in scene.notes), *(trace.text for trace in scene.traces if trace.text)):
        assert said in words
    for each in scene.things:
        if each.kind not in ("drawbridge", "winch"):
            assert each.id in words
    assert any(word.startswith(scene.title) and word.endswith(scene.subtitle) for word in words)
    legend = " ".join(words)
    for side in scene.sides:
        assert side.name in legend
    assert "5 hexes" in legend or "3 hexes" in legend


def test_colours_are_those_of_the_theme(drawn):
    scene, theme, _, made = drawn
    look = THEMES[theme]
    for colour in (
        look.page,
        look.ink,
        look.title,
        look.paper,
        look.grid,
        *(look.side(side.colour) for side in scene.sides),
    ):
        assert svg_pen.hexa(colour) in made


def test_numbers_are_short(drawn):
    *_, made = drawn
    assert not re.search(
        r"\d\.\d{4}|nan|inf|\de-\d", re.sub(r"<(title|desc)>.*?</\1>|>[^<]*<", "><", made, flags=re.S)
    )


def test_a_width_gives_it_a_size_and_none_lets_it_fill_its_place():
    sized, free = (ET.fromstring(svg.render(ford(), width=width)) for width in (700, None))
    _, _, wide, high = map(int, sized.get("viewBox").split())
    assert (sized.get("width"), sized.get("height")) == ("700", str(round(700 * high / wide)))
    assert free.get("width") is free.get("height") is None


@pytest.mark.parametrize("theme", THEMES)
def test_sixty_figures_on_six_hundred_hexes_are_small(theme):
    made = svg.render(big(), theme=THEMES[theme])
    assert len(made.encode()) < 300_000
    harmless(ET.fromstring(made))


def test_it_is_the_same_in_every_process():
    code = (
        "import sys, hashlib; sys.path.insert(0, 'tests/renderers'); from castles import castle; from "
        "pbem.renderers import svg;"
        "print(hashlib.sha256(svg.render(castle()).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_no_word_becomes_anything_but_a_word(word):
    man = replace(
        token("Hob", "east", "spear", "1208", "12-9-5"),
        id=word,
        name=word,
        symbol=word,
        numbers=(word,) * 3,
        badges=(word,),
        state=word,
    )
    scene = castle(
        title=word,
        subtitle=word,
        summary=word,
        scale=word,
        tokens=(
            man,
            replace(man, at=(), cells=()),
            replace(man, id=word + "2", state="dead", look="out", description=word),
        ),
        traces=(
            Trace(word, word, path("0505", "0606"), (word,), (word,), word),
            Trace("fight", word, path("0505", "0506"), (word,), (), word),
        ),
        notes=(Note(centre("0206"), word),),
        sides=(SideLook("east", word, word, word),),
        areas=tuple(replace(area, name=word, ground=word, marks=(word,)) for area in areas()[:40]),
        edges=tuple(replace(each, kind=word) for each in ford().edges[:3]),
        things=(
            thing("ram1", "ram", "0505", "s"),
            replace(thing(word, word, "0506", "n", word), description=word, facing=word),
        ),
        features=(replace(feature("fire", "0505", 2), kind=word),),
        static_key="",
    )
    root = ET.fromstring(svg.render(scene))
    harmless(root)
    for said in words_of(root):
        assert len(said) <= 300
        assert all(unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Cn") for letter in said)
    described = root[0].text + root[1].text
    assert not set("\x00\x08\x1b\u202e\u2066\u200f\u061c\uffff") & set(described)
    data = board.board([scene], width=200)
    for piece in (*data["pieces"], data["drawings"]):
        harmless(
            ET.fromstring(
                f'<svg xmlns="{S[1:-1]}"><defs>{data["drawings"] * (piece is not data["drawings"])}</defs>{piece}</svg>'
            )
        )
    assert all(len(entry[4]) <= svg_placed.LONGEST for entry in data["entries"])
    json.dumps(data["pieces"]).encode()


@pytest.mark.parametrize(
    "odd",
    [
        Scene("", "", ()),
        Scene(
            "Nothing",
            "",
            (),
            tokens=(token("A", "x", "spear", "0101", "1"),),
            traces=(Trace("shot", "x", (), ()),),
        ),
        ford(
            tokens=(),
            traces=tuple(
                Trace(kind, "", way, ())
                for kind in (*arrows.MOVES, "shot", "fight", "strike", "dance")
                for way in ((), path("0505"), path("0505", "0505"), path("0505", "0606"))
            ),
        ),
        ford(areas=tuple(replace(area, corners=area.corners[:4]) for area in areas()[:9]), edges=()),
    ],
    ids=["empty", "no-areas", "odd-traces", "four-corners"],
)
def test_odd_scenes_do_no_harm(odd):
    harmless(ET.fromstring(svg.render(odd)))
    data = board.board([odd], width=200)
    assert len(board.entries_at(data, 0)) == len(data["frames"][0])


# --- pieces


def book() -> svg_pen.Book:
    return svg_pen.Book(PARCHMENT)


def test_ways_of_moving_are_drawn_differently():
    points = path("0505", "0605", "0706")
    drawn = [svg_arrows.arrow(book(), points, kind, (0, 90, 156)) for kind in arrows.MOVES]
    assert all(drawn)
    assert len(set(drawn)) == len(arrows.MOVES)


def test_an_arrow_ends_at_the_side_of_the_counter():
    held = book()
    made = svg_arrows.arrow(held, path("0505", "0504", "0503"), "move", (0, 90, 156))
    tip = re.search(r"translate\((-?\d+) (-?\d+)\) rotate\((-?\d+)\)", made)
    x, y = centre("0503")
    assert abs(int(tip[1]) - x) < 9 and int(tip[3]) == -90
    ahead = float(re.search(r"M(\d+)", held.drawings[re.search(r'href="#(\w+)"', made)[1]])[1])
    below = int(tip[2]) - ahead - (y + svg_pen.Book(PARCHMENT).drop)
    assert abs(below - svg_arrows.EDGE) < 20


def test_kinds_of_thing_are_drawn_differently_and_turn():
    kinds = [*svg_things._DRAWN, "catapult of doom"]
    drawn = {
        kind: svg_things._DRAWN.get(kind, svg_things._crate)(PARCHMENT, ((0.0, 0.0),), 0, "", (0, 90, 156))
        for kind in kinds
    }
    assert len(set(drawn.values())) == len(kinds)
    for kind in ("ram", "siege-tower", "ballista", "ladder"):
        made = {
            svg_things._DRAWN[kind](PARCHMENT, ((0.0, 0.0),), turn, "", (0, 90, 156))
            for turn in (-90, -30, 30, 90, 150, -150)
        }
        assert len(made) == 6


def test_whatever_the_painted_map_knows_is_drawn_too():
    assert set(svg_things._DRAWN) == set(engines.ORDER)
    assert set(svg_signs._PATCHES) == set(works.COVERING)


def test_a_rider_lies_on_both_of_his_hexes():
    held = book()
    head, tail = centre("1510"), centre("1609")
    rider = next(piece for piece in svg_layers.placed(held, ford()) if piece.key == "token/sir-hugh")
    assert (rider.x, rider.y) == (head[0], round(head[1] + svg_pen.Book(PARCHMENT).drop))
    turn = round(math.degrees(math.atan2(head[1] - tail[1], head[0] - tail[0])))
    moved = re.findall(r"translate\((-?\d+) (-?\d+)\) rotate\((-?\d+)\)", rider.drawn)
    assert {int(each[2]) for each in moved} == {turn}
    x, y, _ = map(int, moved[-1])
    assert math.dist((x, y), ((tail[0] - head[0]) / 2, (tail[1] - head[1]) / 2)) < 12


def test_states_change_a_counter():
    made = {
        state: svg_tokens.counter(book(), "round", "blue", "hob", "spear", ("1", "2", "3"), state)
        for state in ("up", "hurt", "down", "out")
    }
    assert all(one != other for one, other in combinations(made.values(), 2))
    assert "rotate(16)" in made["down"] and "rotate(-90)" in made["out"]


def test_a_long_name_is_pressed_and_then_cut():
    short, pressed, cut = (
        svg_pen.words(name, 0, 0, 170, 660, (0, 0, 0), least=140) for name in ("hob", "bartholomew", "x" * 60)
    )
    assert "textLength" not in short and ">hob<" in short
    assert 'textLength="660"' in pressed and ">bartholomew<" in pressed
    assert 'textLength="660"' in cut and "…<" in cut


def test_every_symbol_has_a_drawing_of_its_own():
    held = book()
    drawn = {
        name: svg_tokens.glyph(held, name, 300, (0, 90, 156), (255, 255, 255)) for name in symbols.GLYPHS
    }
    assert len(set(drawn.values())) == len(symbols.GLYPHS)
    assert ">Ca<" in svg_tokens.glyph(held, "camel", 300, (0, 90, 156), (255, 255, 255))


# --- boards


@pytest.fixture(scope="module")
def story() -> tuple[list[Scene], dict]:
    """Return a ford in four moments: as it is, one steps aside, he is wounded, and as it was."""
    first = ford()
    aside = replace(
        first,
        tokens=tuple(
            replace(each, at=("1809",), cells=(centre("1809"),)) if each.id == "giles" else each
            for each in first.tokens
        ),
        traces=(),
    )
    wounded = {"state": "wounded", "look": "hurt"}
    hurt = replace(
        aside, tokens=tuple(replace(each, **wounded) if each.id == "giles" else each for each in aside.tokens)
    )  # type: ignore[arg-type]
    scenes = [first, aside, hurt, first]
    return scenes, board.board(scenes, width=700)


def test_a_board_has_each_frame_whole(story):
    scenes, data = story
    held = book()
    for index, scene in enumerate(scenes):
        wanted = svg_layers.placed(held, scene)
        got = [data["entries"][number] for number in board.entries_at(data, index)]
        assert [(entry[0], data["pieces"][entry[1]], *entry[2:5]) for entry in got] == [
            (piece.key, piece.drawn, piece.x, piece.y, piece.words) for piece in wanted
        ]
        assert len({entry[0] for entry in got}) == len(got)


def test_a_board_keeps_what_is_the_same_once(story):
    scenes, data = story
    assert len(set(data["pieces"])) == len(data["pieces"])
    keys = [json.dumps(entry) for entry in data["entries"]]
    assert len(set(keys)) == len(keys)
    assert len(data["frames"][2]) == 2
    assert board.board([scenes[0]] * 3, width=200)["frames"][1:] == [[], []]


def test_entries_know_their_hexes_and_say_what_they_are(story):
    scenes, data = story
    numbers = [cell[0] for cell in data["cells"]]
    found = {data["entries"][number][0]: data["entries"][number] for number in board.entries_at(data, 0)}
    for each in scenes[0].tokens:
        _, _, _, _, words, places = found[f"token/{each.id}"]
        assert tuple(numbers[place] for place in places) == each.at
        assert words.startswith(each.at[0]) and each.id in words and (each.description in words)
        if each.look != "out":
            assert "-".join(each.numbers) in words and each.state in words
    assert "Lord of the Mill" in found["token/hob"][4]
    assert found["trace/7"][4].startswith("hob and odo fight against wulf")
    _, x, y, points, words = data["cells"][numbers.index("1108")]
    assert ((x, y), points) == (centre("1108"), " ".join(f"{px},{py}" for px, py in corners("1108")))
    assert words == "ford"


def test_the_ground_of_a_board_fills_its_box_and_is_small():
    data = board.board([ford()])
    kind, _, rest = data["ground"].partition(",")
    assert kind == "data:image/webp;base64"
    image = Image.open(io.BytesIO(base64.b64decode(rest)))
    left, top, wide, high = data["box"]
    assert image.width == board.WIDTH
    assert abs(image.height / image.width - high / wide) < 0.002
    assert len(base64.b64decode(rest)) < 350_000
    xs, ys = ([cell[axis] for cell in data["cells"]] for axis in (1, 2))
    assert left < min(xs) and max(xs) < left + wide and top < min(ys) and max(ys) < top + high


def test_colours_of_a_board_are_named():
    for theme in THEMES.values():
        found = board.board([ford(tokens=(), traces=())], theme=theme, width=200)["colours"]
        assert found["ink"] == svg_pen.hexa(theme.ink)
        assert found["side/west"] == svg_pen.hexa(theme.side("vermilion"))


def test_the_fallen_who_lie_on_one_another_all_have_words():
    heap = tuple(
        token(name, "east", "spear", "0505", "1-1-1", state="dead") for name in ("Ulf", "Kit", "Odo")
    )
    pieces = {piece.key: piece for piece in svg_layers.placed(book(), ford(tokens=heap, traces=()))}
    assert [bool(pieces[f"token/{name}"].drawn) for name in ("ulf", "kit", "odo")] == [True, False, False]
    assert all("dead" in pieces[f"token/{name}"].words for name in ("ulf", "kit", "odo"))
    assert ">3<" in pieces["dead/0505"].drawn


def test_two_in_one_hex_are_both_seen():
    pair = tuple(
        token(name, "east", "spear", "0505", "1-1-1", level=level)
        for level, name in enumerate(("Ulf", "Kit"))
    )
    low, high = (
        piece
        for piece in svg_layers.placed(book(), ford(tokens=pair, traces=()))
        if piece.key.startswith("token/")
    )
    assert (low.key, high.key) == ("token/ulf", "token/kit")
    assert low.x < centre("0505")[0] < high.x
    assert "scale(0.74)" in low.drawn and "scale(0.74)" in high.drawn


def test_plain_words_only():
    assert svg_pen.escaped("a\u202eb<c>&\x07") == "ab&lt;c&gt;&amp;"
    assert plain("x" * 50, 9) in svg_pen.words("x" * 50, 0, 0, 10, 9e9, (0, 0, 0), limit=9)


def test_a_ladder_is_seen_beyond_those_who_carry_it_and_its_name_stands_on_nobody() -> None:
    """Its ends come out on both sides of their counters; its name lies at an end, in the
    line of the ladder.
    """
    held = {thing_.id: thing_ for thing_ in castle().things}["ladder2"]
    men = [token(f"man{n}", "company", "spear", at, "7-6-6") for n, at in enumerate(held.at)]
    scene = castle(things=(held,), tokens=tuple(men), traces=())
    data = board.board([scene], width=400)
    entries = {entry[0]: entry for entry in data["entries"]}
    (ax, ay), (bx, by) = held.cells
    x, y = entries["thing/ladder2/name"][2:4]
    along = math.atan2(by - ay, bx - ax)
    middle = ((ax + bx) / 2, (ay + by) / 2)
    far, off = (
        (x - middle[0]) * math.cos(along) + (y - middle[1]) * math.sin(along),
        (y - middle[1]) * math.cos(along) - (x - middle[0]) * math.sin(along),
    )
    assert abs(off) < 0.4 * svg_pen.UNIT < 1.7 * svg_pen.UNIT < abs(far), (
        "in the line of the ladder, behind its end"
    )
    for man in men:
        _, _, mx, my, *_ = entries[f"token/{man.id}"]
        assert abs(x - mx) > svg_tokens.HALF + 300 or abs(y - my) > svg_tokens.HALF + 90


def test_a_ladder_on_a_wall_has_its_name_at_the_wall() -> None:
    held = {thing_.id: thing_ for thing_ in castle().things}["ladder1"]
    data = board.board([castle(things=(held,), tokens=(), traces=())], width=400)
    (name,) = [entry for entry in data["entries"] if entry[0] == "thing/ladder1/name"]
    turn = math.radians(engines.angle_of(held))
    ahead = (name[2] - held.cells[0][0]) * math.cos(turn) + (name[3] - held.cells[0][1]) * math.sin(turn)
    assert ahead > 0.5 * svg_pen.UNIT, "where its head leans, not behind its foot"
