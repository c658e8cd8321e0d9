"""The pages of a club: what of its games everybody may see as files, and a page for its umpire."""
