"""What several processes and hosts share, kept in Redis: encrypted, under keys that tell nothing.

    store = SealedStore(RedisServer("redis://127.0.0.1:6379/0"), secret_key)
    store.put("session", session_id, {"version": "2025-11-25"}, seconds=28_800)

This package knows no other one of the application. All of it but ``errors`` needs the extra ``redis``.
"""
