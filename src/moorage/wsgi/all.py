"""All services under their paths."""

from moorage.service.application import all_application
from moorage.service.garbage import settle
from moorage.service.settings import load_settings

application = all_application(load_settings(), housekeeping=True)

settle()
