"""What somebody is told of a game: pictures, briefings, sheets, what can be clicked."""
