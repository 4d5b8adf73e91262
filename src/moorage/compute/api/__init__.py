"""The compute API: Nova's, in the parts that are about describing, placing and limiting."""
