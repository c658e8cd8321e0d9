"""What people see: scenes, sheets, offers to click, samples, briefings, the way events are told."""
