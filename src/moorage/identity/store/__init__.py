"""The room's tables, and what is read from and written to them. Nothing here knows HTTP or sees a secret in clear."""
