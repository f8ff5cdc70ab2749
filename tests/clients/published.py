"""How published clients are installed, each into a folder of its own, and how their scripts are started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from conformance.run import node

HERE = Path(__file__).parent
FOLDERS = Path(sys.prefix) / "clients"


@dataclass(frozen=True)
class Client:
    """A release of a client; ``entry`` is what its script needs to know to drive it."""

    name: str
    packages: tuple[str, ...]
    entry: str
    ends_sessions: bool = True
    """Whether it sends DELETE for its session when it closes."""

    @property
    def folder(self) -> Path:
        """Where it is installed."""
        return FOLDERS / self.name.replace(" ", "-")

    def install(self) -> None:
        """Install the client, unless the folder's stamp tells that this has been done."""
        stamp = self.folder / "installed.json"
        if stamp.exists() and json.loads(stamp.read_text()) == list(self.packages):
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for command in self.installation():
            subprocess.run(command, check=True)
        stamp.write_text(json.dumps(self.packages))

    def installation(self) -> list[list[str]]:
        """Return the commands that install the packages."""
        raise NotImplementedError

    def command(self, job: str) -> list[str]:
        """Return the command that runs a job in the client's folder."""
        raise NotImplementedError

    @property
    def program(self) -> str:
        """The file that the command reads from standard input."""
        return os.devnull


class PythonClient(Client):
    """A client from PyPI, in a virtual environment; ``entry`` is its connector in ``python_client.py``."""

    def installation(self) -> list[list[str]]:
        """Make the virtual environment, then fill it."""
        pip = [str(self.folder / "bin" / "python"), "-m", "pip", "install", "-qq"]
        return [
            [sys.executable, "-m", "venv", str(self.folder)],
            [*pip, "--disable-pip-version-check", *self.packages],
        ]

    def command(self, job: str) -> list[str]:
        """Run the script isolated from this checkout."""
        python = str(self.folder / "bin" / "python")
        return [python, "-I", str(HERE / "python_client.py"), self.entry, job]


class NodeClient(Client):
    """A client from npm; ``entry`` is the package that ``node_client.mjs`` imports."""

    def installation(self) -> list[list[str]]:
        """Install below the folder."""
        quiet = ["--no-audit", "--no-fund", "--silent"]
        return [["npm", "install", *quiet, "--prefix", str(self.folder), *self.packages]]

    def command(self, job: str) -> list[str]:
        """Run the program that comes in by standard input."""
        return [node(), "--input-type=module", "-", self.entry, job]

    @property
    def program(self) -> str:
        """The script: read from standard input, it finds packages where it runs, not where it lies."""
        return str(HERE / "node_client.mjs")


class InspectorClient(NodeClient):
    """The Inspector, which is a command line itself; ``entry`` is not needed."""

    def command(self, job: str) -> list[str]:
        """Run the script that runs the command line."""
        return [sys.executable, "-I", str(HERE / "inspector_client.py"), node(), job]

    @property
    def program(self) -> str:
        """Nothing is read from standard input."""
        return os.devnull
