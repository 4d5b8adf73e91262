"""The ledger itself and the Placement REST API, microversions 1.0 to 1.39."""
