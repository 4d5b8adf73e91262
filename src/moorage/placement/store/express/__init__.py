"""Claims of new consumers, told to the database in one message; the ordinary way is `moorage.placement.store.claims`.

These are almost all claims there are. Their rows stay locked only while the database works, however busy the process
is, so many can claim the same few hosts. Whatever is not plain sailing is refused without a reason and nothing is
written: then the ordinary way finds out why, and says it, or succeeds.
"""
