"""The reservation API at the root."""

from moorage.service.application import alone_reservation_application
from moorage.service.garbage import settle
from moorage.service.settings import load_settings

application = alone_reservation_application(load_settings())

settle()
