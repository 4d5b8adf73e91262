"""What compute is about: frozen values and pure rules. No SQL, no HTTP, no clock."""
