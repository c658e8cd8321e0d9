"""Files: the only ring that opens, writes or names them."""
