"""What the values of settings must be like, wherever the settings were read: complaints for those who wrote them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from moorage.capacity.model.configuration import Configuration

_TRAIT = re.compile(r"!?[A-Z0-9_]{1,255}")
_CATEGORY = re.compile(r"[a-zA-Z][a-zA-Z0-9._-]*")
# Other services know these. Python takes them as the characters between the brackets, and hardly ever says so.
_POSIX_CLASS = re.compile(r"\[:\^?[a-z]+:\]")


def wrong_values(configuration: Configuration) -> Iterator[str]:
    """A sentence for each value that has the right type and makes no sense."""
    hypervisors = configuration.hypervisor_selection
    patterns = [
        ("hypervisor_selection.aggregate_name_pattern", hypervisors.aggregate_name_pattern),
        ("hypervisor_selection.hypervisor_type_pattern", hypervisors.hypervisor_type_pattern),
        *(
            (f"category_for_split_flavor[{number}].key", rule.key)
            for number, rule in enumerate(configuration.category_for_split_flavor)
        ),
    ]
    for name, pattern in patterns:
        if why := _wrong_pattern(pattern):
            yield f"{name} is {pattern!r}, {why}"
    rules = {
        "hypervisor_selection.required_traits": hypervisors.required_traits,
        "hypervisor_selection.shadowing_traits": hypervisors.shadowing_traits,
    }
    for name, traits in rules.items():
        for trait in traits:
            if not _TRAIT.fullmatch(trait):
                yield f"{name} has {trait!r}; a trait is made of A to Z, 0 to 9 and _, with ! before it for 'not'."
    for number, rule in enumerate(configuration.category_for_split_flavor):
        if not _CATEGORY.fullmatch(rule.value.name):
            yield f"category_for_split_flavor[{number}].value.name is {rule.value.name!r}, which is no name."
        if not rule.value.display_name or "\0" in rule.value.display_name:
            yield f"category_for_split_flavor[{number}].value.display_name must not be empty."


def _wrong_pattern(pattern: str) -> str:
    """Why this is no regular expression, or one that others read differently; empty if all is well."""
    if found := _POSIX_CLASS.search(pattern):
        return f"and regular expressions here know no {found[0]}: name the characters, as in [A-Za-z]."
    try:
        with warnings.catch_warnings():
            # What only warns matches something else than was meant.
            warnings.simplefilter("error", FutureWarning)
            re.compile(pattern)
    except re.error as error:
        return f"which is no regular expression: {error}."
    except FutureWarning as warning:
        return f"which is no clear regular expression: {warning}. Write \\ before a character that stands for itself."
    return ""
