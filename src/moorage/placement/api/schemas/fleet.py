"""Schemas of the cloud at a glance."""

from __future__ import annotations

from moorage.placement.api.schemas.common import object_of
from moorage.placement.api.validation import Schema

SHOW = Schema(object_of({}))
