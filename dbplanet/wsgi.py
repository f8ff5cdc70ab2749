"""The application that a WSGI server imports: ``gunicorn dbplanet.wsgi:app``."""

from dbplanet.factory import create_app

app = create_app()
