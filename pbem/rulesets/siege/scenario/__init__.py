"""How a game begins: scenarios, their gear, the setup; and the days of a campaign."""
