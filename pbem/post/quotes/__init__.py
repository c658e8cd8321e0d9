"""Whose words a line is: its writer's or somebody quoted."""
