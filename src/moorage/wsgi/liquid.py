"""The LIQUID API at the root; the services that it asks are somewhere else."""

from moorage.service.application import liquid_at_the_root
from moorage.service.garbage import settle
from moorage.service.settings import load_settings

application = liquid_at_the_root(load_settings())

settle()
