"""Schemas of the cloud at a glance."""

from __future__ import annotations

from moorage.placement.api.schemas.common import Schema, object_of

SHOW = Schema(object_of({}))
