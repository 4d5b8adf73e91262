"""What a project uses: of each resource in each zone, and by which servers."""
