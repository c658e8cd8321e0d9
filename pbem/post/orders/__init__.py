"""Orders found in a letter, mended, or held until they are certain."""
