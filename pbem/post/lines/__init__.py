"""Lines of an order text: what each is, and the words by which it is known."""
