"""Dates and durations as people type them; all times are UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from moorage.cli.misuse import Misuse

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_FORMS = ("%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d")
_API = "%Y-%m-%d %H:%M"
_ANSWERS = "%Y-%m-%dT%H:%M:%S.%f"


def this_minute() -> datetime:
    """Now, as leases have it."""
    return datetime.now(UTC).replace(second=0, microsecond=0, tzinfo=None)


def date(text: str) -> datetime:
    """`now`, `tomorrow` from its beginning, a date, a date with a time, or so much from now: +2h."""
    if text == "now":
        return this_minute()
    if text == "tomorrow":
        return this_minute().replace(hour=0, minute=0) + timedelta(days=1)
    if text.startswith("+"):
        return later(this_minute(), duration(text[1:]))
    for form in _FORMS:
        try:
            return datetime.strptime(text, form)  # noqa: DTZ007 - UTC without a zone
        except ValueError:
            continue
    raise Misuse(
        f"{text!r} is no date; write 2030-01-31 18:00 (UTC), 2030-01-31, now, tomorrow, or +2h for in two hours."
    )


def duration(text: str) -> timedelta:
    """So much time: 90m, 2h, 3d, 1w, or several of them in a row."""
    parts = re.findall(r"(\d{1,6})([mhdw])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise Misuse(f"{text!r} is no time; write 90m, 2h, 3d, 1w, or 1d12h.")
    found = sum((timedelta(**{_UNITS[unit]: int(number)}) for number, unit in parts), timedelta())
    if not found:
        raise Misuse(f"{text!r} is no time at all.")
    return found


def later(moment: datetime, by: timedelta) -> datetime:
    """So much after a time, which must still be a date."""
    try:
        return moment + by
    except OverflowError as error:
        raise Misuse("That is later than any date there is.") from error


def sent(moment: datetime) -> str:
    """A time as the API takes it."""
    return moment.strftime(_API)


def received(text: str) -> datetime:
    """A time as the API tells it."""
    return datetime.strptime(text, _ANSWERS)  # noqa: DTZ007 - UTC without a zone
