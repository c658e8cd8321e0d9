"""What ``pbem`` runs, and ``python -m pbem``."""

import gc

ALLOCATED = 100_000
"""So many things more than there were are made before rings of waste are looked for; Python says 700.
Checking a file makes more than half as many, mostly modules, that stay.
"""


def main() -> None:
    """Run the command line as a process of its own: it loads much and throws little away, so looking for
    rings of waste begins late, and before anything else is loaded.
    """
    gc.set_threshold(ALLOCATED)
    from pbem import cli

    cli.main()


if __name__ == "__main__":
    main()
