"""``python -m dbplanet``."""

from dbplanet.cli import main

main(prog_name="dbplanet")
