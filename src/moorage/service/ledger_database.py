"""The database as an operator meets it: made, upgraded and asked for its version, with errors in plain sentences.

What is in it, and how it is reached while serving, is the business of `moorage.db`.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from moorage.db.upgrade import current_version, newest_version, upgrade
from moorage.service.errors import OperatorError


def masked(url: str) -> str:
    """The database's address, fit to be shown: no password, no driver options (they may hold one, too)."""
    return make_url(url).set(query={}).render_as_string(hide_password=True)


def upgrade_database(url: str) -> str:
    """Create the database's tables or bring them up to date, and say which version they have now."""
    with plain_errors(url):
        upgrade(url)
    return newest_version()


def database_version(url: str) -> str | None:
    """The version of the database's tables; None where there are none yet."""
    with plain_errors(url):
        return current_version(url)


@contextmanager
def plain_errors(url: str) -> Iterator[None]:
    """Turn what a database driver says into one sentence that tells what to do."""
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        raise OperatorError(
            "The database URL is not understood; it must look like sqlite:////path/to/file,"
            " postgresql+psycopg://user:password@host/name or mysql+pymysql://user:password@host/name."
        ) from error
    except ModuleNotFoundError as error:
        raise OperatorError(
            f"The database URL names a driver that is not installed ({error.name}); use postgresql+psycopg:// or"
            " mysql+pymysql://, whose drivers come with Moorage."
        ) from error
    except (DBAPIError, OSError) as error:
        cause = getattr(error, "orig", None) or error
        first_line = str(cause).strip().splitlines()[0].rstrip(".")
        raise OperatorError(
            f"The database {masked(url)} cannot be used: {first_line}."
            " Check that it runs and that [database] connection is right."
        ) from error
