"""WSGI applications of OpenStack, served by gunicorn.

Keystone and others read the command line of whatever process they are in, so gunicorn gets its options from a file.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import ADDRESS, OPENSTACK


def serve(programs: Programs, name: str, application: str, environment: Mapping[str, str], threads: int = 8) -> None:
    """Start an application on the port of that name."""
    site = programs.site
    file = site.settings / f"gunicorn-{name}.py"
    file.write_text(
        f'wsgi_app = "{application}"\nbind = "{ADDRESS}:{site.ports[name]}"\nworkers = 1\nthreads = {threads}\n'
        f'timeout = 300\naccesslog = "{site.logs / name}.access.log"\ncontrol_socket_disable = True\n'
        # Nova names hundreds of servers in one request to Neutron.
        "limit_request_line = 0\n"
    )
    programs.start(name, [OPENSTACK / "bin" / "gunicorn"], {**environment, "GUNICORN_CMD_ARGS": f"-c {file}"})
