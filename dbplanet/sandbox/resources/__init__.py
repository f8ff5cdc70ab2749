"""The API's resources: one module each, one function per route."""
