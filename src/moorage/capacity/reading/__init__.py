"""Looking at a cloud through the clients of its services, ours or a real Nova, Glance, Cinder and Placement."""
