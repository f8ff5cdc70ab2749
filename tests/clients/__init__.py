"""Published MCP clients against the real server: ``make clients``."""
