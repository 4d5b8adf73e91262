"""Searching the cloud in memory: a view of it, and pure functions over the view. Knows neither SQL nor HTTP."""
