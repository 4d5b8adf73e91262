"""The words of LIQUID: what the service says about itself, what it is asked for, and what it reports."""
