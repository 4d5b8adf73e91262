"""The room's own tables and all SQL over them."""
