"""The Identity API at the root."""

from moorage.service.application import open_database
from moorage.service.garbage import settle
from moorage.service.identity_service import identity_application
from moorage.service.settings import load_settings

settings = load_settings()
application = identity_application(settings, open_database(settings), housekeeping=True)

settle()
