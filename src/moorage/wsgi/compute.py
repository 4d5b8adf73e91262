"""The compute and image APIs at the root."""

import gc

from moorage.service.application import compute_application
from moorage.service.settings import load_settings

application = compute_application(load_settings())

# What was loaded stays: the collector of cyclic garbage need not look at it again.
gc.freeze()
