"""What all workers of the service must agree on, in the database."""
