"""All services under their paths."""

import gc

from moorage.service.application import all_application
from moorage.service.settings import load_settings

application = all_application(load_settings(), housekeeping=True)

# What was loaded stays: the collector of cyclic garbage need not look at it again.
gc.freeze()
