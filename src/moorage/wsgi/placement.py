"""The Placement API at the root."""

from moorage.service.application import placement_application
from moorage.service.garbage import settle
from moorage.service.settings import load_settings

application = placement_application(load_settings(), housekeeping=True)

settle()
