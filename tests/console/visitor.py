"""Somebody with a browser who uses the console, and hears what the browser complains about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from tests.clients.running_service import RunningService


@dataclass
class Visitor:
    """A tab of the browser."""

    page: Page
    service: RunningService
    complaints: list[str] = field(default_factory=list)

    @property
    def console(self) -> str:
        """The address of the console."""
        return f"{self.service.url}/console/"

    def open(self, path: str = "") -> None:
        """Go to a page by its address."""
        self.page.goto(f"{self.console}#/{path}")

    def sign_in_as_administrator(self, path: str = "") -> None:
        """With the token that the service keeps in a file."""
        self.open(path)
        self.page.get_by_text("Sign in with a token instead").click()
        self.page.get_by_label("Token", exact=True).fill(self.service.token)
        self.page.get_by_role("button", name="Sign in with the token").click()
        expect(self.page.get_by_role("navigation", name="Pages")).to_be_visible()

    def sign_in(self, name: str, password: str) -> None:
        """With a name and a password."""
        self.open()
        self.page.get_by_label("User name").fill(name)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in", exact=True).click()

    def shows(self, text: str) -> None:
        """Wait until a text can be seen."""
        expect(self.page.get_by_text(text).first).to_be_visible()

    def heading(self, name: str) -> Locator:
        """A heading by its text."""
        return self.page.get_by_role("heading", name=name)

    def forgive(self, status: int) -> None:
        """Forget complaints about answers of this status, which the test has asked for."""
        self.complaints = [text for text in self.complaints if f"status of {status}" not in text]


@contextmanager
def visitor(browser: Browser, service: RunningService, **options: Any) -> Iterator[Visitor]:
    """A visitor with a fresh tab; at the end nothing may have been logged as an error."""
    context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
    somebody = Visitor(context.new_page(), service)
    somebody.page.set_default_timeout(20_000)

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            somebody.complaints.append(message.text)

    somebody.page.on("console", listen)
    somebody.page.on("pageerror", lambda error: somebody.complaints.append(str(error)))
    try:
        yield somebody
        assert not somebody.complaints, "\n".join(somebody.complaints)
    finally:
        context.close()
