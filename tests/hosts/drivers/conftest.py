from tests.installation import installation

__all__ = ["installation"]
