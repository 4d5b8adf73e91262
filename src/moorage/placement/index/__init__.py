"""The fast copy: the whole cloud in memory, and pure functions over it. Knows neither SQL nor HTTP."""
