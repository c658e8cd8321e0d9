"""The dice protocol pd1: records, chains, seeds, signatures, and their verification, over bytes."""
