"""Debian's Chromium, for tests and screenshots: installed when it is missing, as far as we may."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

VARIABLE = "MOORAGE_TEST_CHROMIUM"
"""Names the program where it is not Debian's."""

# The tests drive pages of ours on loopback only, so that what the sandbox keeps out is not there; and the browser
# itself shall talk to nobody.
_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class NoChromium(Exception):
    """There is no browser, and we cannot get one; the message says what to do."""


def chromium_program() -> str:
    """The path of the browser."""
    found = os.environ.get(VARIABLE) or shutil.which("chromium")
    if found is None:
        _install()
        found = shutil.which("chromium")
    if found is None:
        raise NoChromium(f"There is no chromium on the PATH; install it, or name it in {VARIABLE}.")
    return found


def _install() -> None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise NoChromium(f"Install chromium (Debian: sudo apt-get install chromium), or name one in {VARIABLE}.")
    apt = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
    wanted = [*apt, "install", "--no-install-recommends", "chromium", "fonts-dejavu-core"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run(wanted, env=environment, capture_output=True, check=False).returncode:
        subprocess.run([*apt, "update"], env=environment, capture_output=True, check=False)
        told = subprocess.run(wanted, env=environment, capture_output=True, text=True, check=False)
        if told.returncode:
            raise NoChromium(f"Chromium could not be installed:\n{told.stderr}")


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """A browser that is closed at the end."""
    program = chromium_program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
