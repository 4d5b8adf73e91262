"""What one slot takes from its host while it is held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Demand:
    """Amounts by resource class, each above zero; or the whole host, which then nobody else may use."""

    resources: Mapping[str, int] = field(default_factory=dict)
    whole_host: bool = False
    # Classes that a slot takes in several parts, which need not come from one provider: the largest part.
    parts: Mapping[str, int] = field(default_factory=dict)


WHOLE_HOST = Demand(whole_host=True)
