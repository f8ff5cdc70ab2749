"""The Haiilo (formerly COYO) REST API: credentials, client, errors."""
