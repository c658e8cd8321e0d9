"""Letters taken apart: parts, headers, character sets, who sent them."""
