"""What a battle is: the field, figures, things, orders as values, and the events that change it."""
