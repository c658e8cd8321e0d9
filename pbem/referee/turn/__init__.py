"""A turn from order file to result: checking, signing, locking, dice, undo, new keys."""
