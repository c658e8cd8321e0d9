"""Going somewhere: steps, riding, falling back, going forward, falls."""
