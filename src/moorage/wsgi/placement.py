"""The Placement API at the root."""

import gc

from moorage.service.application import placement_application
from moorage.service.settings import load_settings

application = placement_application(load_settings(), housekeeping=True)

# What was loaded stays: the collector of cyclic garbage need not look at it again.
gc.freeze()
