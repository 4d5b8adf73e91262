"""Writing many providers with all they have in one transaction: by sets of rows, not provider by provider."""

from moorage.placement.store.bulk.wanted import Absent, BulkWrite, Keep, Removal, WholeProvider, Written
from moorage.placement.store.bulk.writing import write

__all__ = ["Absent", "BulkWrite", "Keep", "Removal", "WholeProvider", "Written", "write"]
