"""The compute and image APIs at the root."""

from moorage.service.application import compute_application
from moorage.service.garbage import settle
from moorage.service.settings import load_settings

application = compute_application(load_settings(), housekeeping=True)

settle()
