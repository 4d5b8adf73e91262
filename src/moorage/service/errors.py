"""The one exception that is meant for the person at the keyboard.

Whoever starts Moorage wrongly gets one sentence that says what is wrong and what to do next; the command line prints it
and leaves. Faults of requests have their own exceptions in the room that answers the request.
"""


class OperatorError(Exception):
    """Something the operator can put right. Its text is a complete sentence, fit to be shown as it is."""
