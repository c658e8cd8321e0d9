"""The drawn map: pieces of SVG, which ``svg`` and the pages put together."""
