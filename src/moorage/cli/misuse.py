"""Commands that were written wrongly: what no cloud could answer, and so the exit code is another one."""

from moorage.service.errors import OperatorError


class Misuse(OperatorError):
    """The words of the command contradict each other, miss something, or cannot be read."""
