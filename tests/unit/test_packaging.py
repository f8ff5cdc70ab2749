"""What the sdist and the wheel hold: the product whole, and nothing else of the checkout."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
BUILD = "from setuptools import build_meta as b; b.build_sdist('out'); b.build_wheel('out')"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "dist", "__pycache__", ".*_cache")
# What pip and Python make beside the sources.
METADATA = {"PKG-INFO", "setup.cfg", "pyproject.toml", "README.md"}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both from a copy of the checkout in which lies what must not be shipped."""
    tree = tmp_path_factory.mktemp("packaging") / "tree"
    shutil.copytree(CHECKOUT, tree, ignore=LEFT_OUT)
    for stray in (".env", ".pypirc", "dbplanet/.env", "dbplanet/notes.txt", "dbplanet/audit.jsonl"):
        (tree / stray).write_text("DBPLANET_PASSWORD=not-a-real-password\n")
    quiet = {**os.environ, "SETUPTOOLS_SCM_PRETEND_VERSION": "0"}
    subprocess.run(
        [sys.executable, "-c", BUILD], cwd=tree, check=True, capture_output=True, env=quiet, timeout=120
    )
    return tree


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = (built / "out").glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def sdist(built):
    (path,) = (built / "out").glob("*.tar.gz")
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames() if "/" in name}


def shipped():
    """Return the package's files that must be there."""
    files = [path for path in (CHECKOUT / "dbplanet").rglob("*") if path.suffix in (".py", ".json", ".typed")]
    return {path.relative_to(CHECKOUT).as_posix() for path in files}


def test_the_wheel_holds_the_package_and_its_metadata(wheel):
    metadata = {name for name in wheel if ".dist-info/" in name}
    assert wheel - metadata == shipped()
    assert {Path(name).name for name in metadata} >= {"METADATA", "RECORD", "entry_points.txt"}


def test_the_sdist_holds_the_package_and_what_builds_it(sdist):
    beside = {name for name in sdist if not name.startswith("dbplanet") and name not in METADATA}
    assert shipped() | METADATA <= sdist
    assert beside == set(), "neither tests nor anything of the folder"


def test_nothing_that_could_hold_a_secret_is_shipped(wheel, sdist):
    strays = {Path(name).name for name in wheel | sdist} & {".env", ".pypirc", "notes.txt", "audit.jsonl"}
    assert strays == set()
