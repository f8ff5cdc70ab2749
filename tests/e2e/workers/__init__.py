"""Several workers and hosts, Redis, and bad days."""
