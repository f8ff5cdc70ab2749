"""What an operator sees of a running server, and what must not be seen."""
