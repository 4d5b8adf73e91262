"""The ways to log in, by the names that they have in settings, in clouds.yaml and in OS_AUTH_TYPE.

They are plugins of keystoneauth, which looks for a name among the entry points of everything that is installed; that
takes longer than logging in. Those that nearly everybody uses are its own, so for them its own entry points will do.
"""

from __future__ import annotations

from importlib.metadata import distribution

from keystoneauth1 import loading
from keystoneauth1.loading import BaseLoader
from keystoneauth1.plugin import BaseAuthPlugin

USUAL = frozenset(
    {
        "admin_token",
        "http_basic",
        "none",
        "password",
        "token",
        "v3applicationcredential",
        "v3password",
        "v3token",
    }
)
"""Ways to log in that are found without looking at anything but keystoneauth."""


def login_loader(auth_type: str) -> BaseLoader[BaseAuthPlugin]:
    """What makes a login of this kind from its options; keystoneauth's NoMatchingPlugin if there is no such kind."""
    if auth_type in USUAL:
        own = distribution("keystoneauth1").entry_points
        for point in own.select(group=loading.PLUGIN_NAMESPACE, name=auth_type):
            loader: BaseLoader[BaseAuthPlugin] = point.load()()
            return loader
    return loading.get_plugin_loader(auth_type)
