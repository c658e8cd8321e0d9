"""Pages and letters with pictures for a browser: packet, replay, signing."""
