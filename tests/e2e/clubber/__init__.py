"""The clubber server end to end: real APIs, real sockets, the official client."""
