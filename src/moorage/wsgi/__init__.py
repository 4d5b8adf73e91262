"""WSGI applications by name, for any WSGI server: `moorage.wsgi.all:application` and one module per service.

Settings come from /etc/moorage/moorage.conf (or the files that $MOORAGE_CONFIG names) and from the environment.
"""
