"""gunicorn reads this file by itself; what it says is in the package, so that a wheel serves alike."""

from dbplanet.gunicorn_conf import *  # noqa: F403
