"""The web console: pages that a browser shows, and the little that they need beyond the APIs of the other rooms."""
