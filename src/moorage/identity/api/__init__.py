"""The Identity API, version 3: a faithful subset of Keystone's."""
