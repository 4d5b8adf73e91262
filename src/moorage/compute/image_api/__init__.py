"""The image API: Glance's, for what is known about images. Their bytes are kept elsewhere, or nowhere."""
