"""Schemas of the cloud at a glance."""

from __future__ import annotations

from moorage.placement.api.schemas.common import object_of
from moorage.web.schema import Schema

SHOW = Schema(object_of({}))
