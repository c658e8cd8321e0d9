"""Order files: sentences and their long form, conditions, choices, and carrying out what is ordered."""
