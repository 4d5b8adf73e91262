"""Measures Moorage side by side with upstream Placement: the same clouds, the same requests, the same database server.

    tools/with-test-databases --durable python -m bench --load small

The loads in `loads/` say what is measured; the modules here only know how. Nothing of this is part of the product.
"""
