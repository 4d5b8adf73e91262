"""The agent, with real Placements."""
