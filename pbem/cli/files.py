"""Verbs for people who write maps and scenarios: map and scenario."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import params
from pbem.cli.refused import check_json, print_json, tell

if TYPE_CHECKING:
    from pbem.referee.game.scenarios import Listed


@click.group("map")
def map_() -> None:
    """Look at a map of your own, and check it.

    \b
    Example:
      pbem map check my-map.yaml
    """


@map_.command("show")
@click.argument("file", type=params.PATH)
@click.option(
    "-o",
    "--out",
    type=params.PATH,
    default=None,
    help="A picture of it: .png, .svg; without it characters on the terminal.",
)
@click.option(
    "--ruleset",
    default="",
    metavar="RULESET",
    help="Whose terrain; default the game by which least is wrong with it.",
)
@params.look
def map_show(file: Path, out: Path | None, ruleset: str, theme: str, scale: float) -> None:
    """Show a map as it lies, every second column half a hex lower; a table without a grid in words.

    \b
    Example:
      pbem map show my-map.yaml -o my-map.png
    """
    from pbem.referee.explain.look import Look
    from pbem.referee.explain.mapping import in_characters, map_picture

    if out is None:
        click.echo(in_characters(file, ruleset))
        return
    params.write(out, map_picture(file, ruleset, out.suffix, Look(theme, scale)))
    click.echo(f"The map is in {out}.")


@map_.command("check")
@click.argument("file", type=params.PATH)
@click.option(
    "--ruleset",
    default="",
    metavar="RULESET",
    help="Whose terrain; default the game by which least is wrong with it.",
)
@params.as_json
def map_check(file: Path, ruleset: str, json_: bool) -> None:
    """Say everything that is wrong with a map; of a castle also where one walks in while the gate is shut.

    \b
    Example:
      pbem map check my-map.yaml
    """
    from pbem.referee.explain.mapping import check_map

    _, doubts = check_map(file, ruleset)
    if json_:
        print_json(check_json(doubts))
        return
    tell(doubts)
    click.echo("The map is fine.")


@click.group("scenario")
def scenario_() -> None:
    """List the scenarios that come with pbem, and check one of your own.

    \b
    Example:
      pbem scenario list
      pbem scenario check my-scenario.yaml
    """


@scenario_.command("list")
@click.argument("ruleset", required=False, default="")
@params.as_json
def scenario_list(ruleset: str, json_: bool) -> None:
    """List the scenarios that come with pbem: their sides as pbem new wants them, their size and length, and
    what they are about.

    \b
    Example:
      pbem scenario list
      pbem scenario list siege
    """
    from pbem.referee.game.scenarios import listed
    from pbem.store.library import common_words

    words, found = common_words(), listed(ruleset)
    if json_:
        print_json({"scenarios": [_listed_facts(one) for one in found]})
        return
    for number, one in enumerate(found):
        days = words.phrase("scenario.days", days=one.days) if one.days > 1 else ""
        if number:
            click.echo("")
        click.echo(words.phrase("scenario.title", name=one.name, title=one.title))
        unit = words.phrase("scenario.inches" if one.table else "scenario.hexes")
        facts = words.phrase(
            "scenario.facts", ruleset=one.ruleset, size=one.size, unit=unit, days=days, length=one.length
        )
        click.echo(f"  {facts}")
        if one.story:
            click.echo(click.wrap_text(one.story, 78, "  ", "  "))
        for side, name in one.sides:
            click.echo("  " + words.phrase("scenario.side", side=side, name=name))
        click.echo(f"  pbem new {one.name} GAME {one.seats}")
        click.echo("  " + words.phrase("scenario.map", path=str(one.picture or one.map)))


def _listed_facts(one: Listed) -> dict[str, object]:
    return {
        "name": one.name,
        "title": one.title,
        "ruleset": one.ruleset,
        "sides": [{"side": side, "name": name} for side, name in one.sides],
        "size": one.size,
        "length": one.length,
        "days": one.days,
        "story": one.story,
        "map": str(one.map),
        "picture": str(one.picture or ""),
    }


@scenario_.command("check")
@click.argument("file")
@params.as_json
def scenario_check(file: str, json_: bool) -> None:
    """Say everything that is wrong with a scenario and its map. FILE is a name or a file of your own.

    \b
    Example:
      pbem scenario check six-days
    """
    from pbem.referee.game.scenario import find_scenario, judge

    _, ground, doubts = judge(find_scenario(file))
    if json_:
        print_json(check_json(doubts))
        return
    tell(doubts)
    click.echo(f"{ground.title} is fine, and so is its map.")


@click.group("army")
def army_() -> None:
    """Check an army that you have built, or write one with an editor that completes it.

    \b
    Example:
      pbem army check my-army.yaml --scenario kestrel-open
    """


@army_.command("schema")
@click.option("--scenario", required=True, metavar="SCENARIO", help="What it is for: a name or a file.")
@click.option("-o", "--out", type=params.PATH, default=None, metavar="FILE", help="Where it is written.")
def army_schema(scenario: str, out: Path | None) -> None:
    """Print the form of an army as a JSON Schema, with which an editor completes one.

    \b
    Example:
      pbem army schema --scenario kestrel-open -o army.schema.json
    """
    from pbem.referee.explain.army_check import army_schema as form_for

    text = json.dumps(form_for(scenario), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        click.echo(text, nl=False)
        return
    params.write(out, text.encode())
    click.echo(f"The form of an army is in {out}. First line of an army beside it:")
    click.echo(f"# yaml-language-server: $schema={out.name}")


@army_.command("check")
@click.argument("file", type=params.PATH)
@click.option("--scenario", required=True, metavar="SCENARIO", help="What it is built for: a name or a file.")
@click.option("--side", default="", metavar="SIDE", help="Whose army it is, where the file does not say so.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An optional rule.")
@click.option("--tables", type=params.PATH, default=None, help="A folder with tables of your own.")
@params.as_json
def army_check(
    file: Path, scenario: str, side: str, options: tuple[str, ...], tables: Path | None, json_: bool
) -> None:
    """Say everything that is wrong with an army, points and places among it, or what it costs. FILE is what
    you will send in the setup.

    \b
    Example:
      pbem army check my-army.yaml --scenario kestrel-open
      pbem army check my-army.yaml --scenario kestrel-open --side keep --tables my-figures
    """
    from pbem.referee.explain.army_check import check_army

    found = check_army(file, scenario, side, params.pairs(options, "--option", "K=V"), tables)
    if json_:
        print_json(check_json(()))
        return
    for line in found.lines:
        click.echo(line)
    click.echo(f"An army of {found.side} for {found.title}: nothing is wrong with it.")
