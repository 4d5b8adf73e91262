"""The driver libvirt: the machine as a libvirt connection shows it."""
