"""Verbs that play through the real path: demo, and for those who change rules or looks record and gallery."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from pbem.cli import params


@click.command("demo")
@click.argument("example", required=False)
@click.option("--out", type=params.PATH, default="demo", help="The folder to make; default demo.")
@click.option("--no-map", is_flag=True, help="Draw no pictures.")
@click.pass_context
def demo_(ctx: click.Context, example: str | None, out: Path, no_map: bool) -> None:
    """Play a complete recorded game from its order files: check, lock, dice, turn, map, verify.

    \b
    Example:
      pbem demo --out demo
    """
    from pbem.referee.play.demo import demo, find_example

    folder = find_example(example)
    with tempfile.TemporaryDirectory(prefix="pbem-demo-") as home:
        steps = demo(folder, out, Path(home), pictures=not no_map)
        first = next(steps)
        last = first
        with click.progressbar(length=first.of, label=f"Playing {folder.name}", show_pos=True) as bar:
            for step in steps:
                last = step
                bar.update(1)
    click.echo("Look at:")
    width = max((len(str(path)) for path, _ in last.files), default=0)
    for path, said in last.files:
        click.echo(f"  {path!s:<{width}}  {said}")
    for line in last.lines:
        click.echo(line)
    ctx.exit(last.answer)


@click.command("record", hidden=True)
@click.argument("examples", nargs=-1)
def record_(examples: tuple[str, ...]) -> None:
    """Play examples anew and keep each game as archive.zip beside its script."""
    from pbem.referee.play.demo import all_examples, find_example, record

    for folder in [find_example(name) for name in examples] or all_examples():
        with tempfile.TemporaryDirectory(prefix="pbem-record-") as home:
            changed = record(folder, Path(home))
        click.echo(f"{folder.name}: {', '.join(changed) or 'as it was'}")


@click.command("gallery", hidden=True)
@click.argument("folder", type=params.PATH)
@params.fleet
def gallery_(
    folder: Path, workers: int | None, scheduler: str | None, tls: Path | None, parts: Path | None
) -> None:
    """Have bots play every scenario, and write a page with a picture of each."""
    from pbem.cli.fleet import means
    from pbem.fleet.pictures import pictures

    for shown in pictures(folder, means(workers, scheduler, tls, parts)):
        click.echo(f"{shown.path}: {shown.title}")
