"""The ledger's tables and transactions: the only place that knows SQL.

Functions that read take a connection (a snapshot), functions that write take a `Transaction`. Every write locks in
one order - consumers, then providers by number, then inventories - so that writers queue and do not deadlock.
"""
