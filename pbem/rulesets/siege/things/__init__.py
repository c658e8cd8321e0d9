"""What is built, carried, worked and burnt; what each bars, burdens, covers and lets through."""
