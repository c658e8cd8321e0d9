"""Every kind of order as one value, and order files read with them."""
