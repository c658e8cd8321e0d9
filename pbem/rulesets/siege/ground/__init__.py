"""What the map makes possible: terrain, floors, walls, passages, and who stands where on what."""
