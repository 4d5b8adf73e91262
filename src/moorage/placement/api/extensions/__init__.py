"""What Moorage offers beyond the Placement API, under /moorage/: nothing of it changes what a standard path answers.

These paths always speak the formats of the newest microversion, whichever one the request names.
"""
