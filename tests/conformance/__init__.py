"""The official conformance suite against the engine: a fixture application with what the suite asks for."""
