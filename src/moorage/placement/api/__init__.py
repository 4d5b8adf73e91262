"""The Placement REST API: parsing requests into values, and rendering answers. Nothing below knows HTTP."""
