"""The database: engine, transactions with retry, the change feed and migrations."""
