"""pbem, a turn processor for wargames played by mail and on forums."""

__version__ = "0.2.0.dev0"
