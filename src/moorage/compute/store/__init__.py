"""The tables of compute, and the transactions over them. Nothing outside knows SQL; nothing in here knows HTTP."""
