"""Passwords and secrets as they are kept: scrypt with a salt, and its parameters in the text beside it.

    $scrypt$ln=15,r=8,p=1$SALT$HASH

`ln` is the binary logarithm of scrypt's N. The cost of new texts can be raised; older ones keep the parameters that
they were made with.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

_TEXT = re.compile(r"\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)")
_SALT_BYTES = 16
_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class Cost:
    """How much work one guess is: 128 * 2**ln * r bytes of memory, p times over."""

    ln: int = 15
    r: int = 8
    p: int = 1


@dataclass(frozen=True, slots=True)
class Hasher:
    """Makes and compares the texts."""

    cost: Cost = Cost()

    def hashed(self, secret: str) -> str:
        """The text to keep for a secret."""
        salt = secrets.token_bytes(_SALT_BYTES)
        cost = self.cost
        digest = _scrypt(secret, salt, cost)
        return f"$scrypt$ln={cost.ln},r={cost.r},p={cost.p}${_encoded(salt)}${_encoded(digest)}"

    def matches(self, secret: str, text: str | None) -> bool:
        """Whether a secret is the one that a text was made from.

        Without a text, because there is no such user, the answer is no, after as much work as it takes to compare: the
        time tells nobody who exists.
        """
        found = _TEXT.fullmatch(text) if text is not None else None
        if found is None:
            _scrypt(secret, bytes(_SALT_BYTES), self.cost)
            return False
        cost = Cost(*(int(number) for number in found.groups()[:3]))
        salt, wanted = (base64.b64decode(part) for part in found.groups()[3:])
        return hmac.compare_digest(_scrypt(secret, salt, cost), wanted)


def _scrypt(secret: str, salt: bytes, cost: Cost) -> bytes:
    n = 2**cost.ln
    return hashlib.scrypt(
        secret.encode("utf-8", "surrogatepass"),
        salt=salt,
        n=n,
        r=cost.r,
        p=cost.p,
        # OpenSSL's own bound is just too low for N = 2**15; what is needed is a little more than 128 * r * (N + p).
        maxmem=256 * cost.r * (n + cost.p) + 65536,
        dklen=_HASH_BYTES,
    )


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
