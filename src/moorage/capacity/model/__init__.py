"""The values of the room: a cloud as far as its capacity goes, demand, settings, and what a report says."""
