"""Pages as the lines a person sees."""
