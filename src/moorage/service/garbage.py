"""How often a worker looks for cyclic garbage.

A worker holds the whole cloud in memory and makes thousands of small objects for every large answer. Python's defaults
would have it look through all of the cloud again and again, for tens of milliseconds each time, in search of cycles
that hardly anything here makes; what is in no cycle goes at once, without being looked for.
"""

import gc

# So many more objects before the youngest are looked at (Python: 700), so many looks before those that survived are,
# and so many of these before all are.
_THRESHOLDS = (50_000, 20, 1_000)


def settle() -> None:
    """Leave alone what is loaded now, and look rarely at what comes."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
