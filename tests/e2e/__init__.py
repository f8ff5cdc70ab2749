"""The whole product over real HTTP: gunicorn, sandbox tenants, the official client; nothing is mocked."""
