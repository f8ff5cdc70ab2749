"""``gunicorn app:app`` serves it; ``python app.py`` starts a development server on port 3000."""

import os

from dbplanet.settings import Settings, port
from dbplanet.wsgi import app

if __name__ == "__main__":
    app.run(host=Settings.load().host, port=port(os.environ), threaded=True)
