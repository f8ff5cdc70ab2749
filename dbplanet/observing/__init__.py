"""What an operator sees of the calls: log lines, an audit, metrics, load and readiness.

It hangs on the engine's one hook (``dbplanet.mcp.Observer``) and on the guard's (``Egress``); neither knows
it.
"""
