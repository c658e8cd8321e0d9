"""What is true of any game: problems, dice, orders of play, rulesets as values, scenes."""
