"""The pattern by which servers are found by name: a regular expression, as Nova has it, of a kind that cannot run away.

A regular expression from a stranger may take for ever. One with two repetitions at most, none of them of a group, and
with two groups at most where there are alternatives, takes a few times the square of a name's length at most, and a
name has 255 characters.
"""

from __future__ import annotations

import re

_LONGEST = 255
_MOST_REPETITIONS = 2
_MOST_GROUPS_WITH_ALTERNATIVES = 2
# What repeats, unless it stands behind a backslash or within brackets.
_REPETITION = re.compile(r"[*+{]|(?<![*+?}(])\?")
_WITHOUT_MEANING = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_BACKREFERENCE = re.compile(r"\\[1-9]|\(\?")


class BadPattern(Exception):
    """A pattern that is none, or that is not allowed."""


def name_pattern(text: str) -> re.Pattern[str]:
    """A pattern to search names with."""
    if len(text) > _LONGEST:
        raise BadPattern(f"A pattern for names may have {_LONGEST} characters; this one has {len(text)}.")
    plain = _WITHOUT_MEANING.sub("x", text)
    if _BACKREFERENCE.search(text) or re.search(r"\)[*+?{]", plain):
        raise BadPattern(f"{text!r} repeats a group, or refers to one; patterns for names may not.")
    if len(_REPETITION.findall(plain)) > _MOST_REPETITIONS:
        raise BadPattern(f"{text!r} has more than {_MOST_REPETITIONS} repetitions, which patterns for names may have.")
    if "|" in plain and plain.count("(") > _MOST_GROUPS_WITH_ALTERNATIVES:
        raise BadPattern(
            f"{text!r} has alternatives and more than {_MOST_GROUPS_WITH_ALTERNATIVES} groups, "
            "which patterns for names may not have."
        )
    try:
        return re.compile(text)
    except re.error as error:
        raise BadPattern(f"{text!r} is no regular expression: {error}.") from error
