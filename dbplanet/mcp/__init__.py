"""The MCP engine: protocol, tools as values, sessions, transports. It knows no Haiilo."""
