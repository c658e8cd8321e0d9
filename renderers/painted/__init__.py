"""The painted map: everything that ``png`` puts together, from the ground up to counters and labels."""
