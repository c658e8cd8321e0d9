"""What is legal, what is wrong with an order file, and how its orders would go."""
