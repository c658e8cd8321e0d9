"""Between text and values: YAML with places, schemas, reports; nothing here opens a file."""
