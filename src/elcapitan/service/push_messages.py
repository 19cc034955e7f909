"""Messages by Web Push as they are sent: encrypted for one browser, and signed with the key of this server.

The browser's push service passes them on and can read nothing: RFC 8291 encrypts them with AES-GCM, under a key that
only the browser and this server can derive. RFC 8292 (VAPID) has the server sign who it is, so that no other program
can use a push address that leaked.

The arithmetic is that of `cryptography`; only how its parts are put together is written here, and a test compares it
with the example of RFC 8291. The libraries that do it were looked at in November 2026 and not taken. pywebpush 2.5
sends the messages itself, with requests, so past the guard of addresses in `webhook`, and installs ten packages,
aiohttp among them. http-ece 1.2 of 2024, which only encrypts, has no wheel and no types, and would replace twenty
lines of this module.
"""

import base64
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

RECORD_SIZE: Final = 4096  # bytes of an encrypted message, as it stands in its header; ours are much shorter
SALT_BYTES: Final = 16
SECRET_BYTES: Final = 16  # of what a browser and its server share
NUMBER_BYTES: Final = 32  # of each half of a signature
LAST_RECORD: Final = b"\x02"
SIGNED_SECONDS: Final = 12 * 3600  # for which a signature is good; push services allow a day at most


def encode(content: bytes) -> str:
    """Write bytes as base64url without padding, as all of Web Push does."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    """Read base64url with or without padding. Raises `ValueError` for anything else."""
    content = text.rstrip("=")
    return base64.b64decode(content + "=" * (-len(content) % 4), altchars=b"-_", validate=True)


@dataclass(frozen=True)
class Browser:
    """The keys of a browser's subscription."""

    public_key: ec.EllipticCurvePublicKey
    secret: bytes

    @classmethod
    def read(cls, public_key: str, secret: str) -> "Browser":
        """Read the keys as a browser writes them. Raises `ValueError` if they are invalid."""
        shared = decode(secret)
        if len(shared) != SECRET_BYTES:
            raise ValueError
        return cls(ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public_key)), shared)


def encrypted(
    content: bytes, browser: Browser, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """Encrypt a message for a browser (RFC 8291); a new key pair and salt are made unless they are given."""
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(SALT_BYTES)
    ours, theirs = _point(own.public_key()), _point(browser.public_key)
    agreed = own.exchange(ec.ECDH(), browser.public_key)
    material = _derived(agreed, browser.secret, b"WebPush: info\0" + theirs + ours, 32)
    key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_SIZE.to_bytes(4) + len(ours).to_bytes(1) + ours
    return head + AESGCM(key).encrypt(nonce, content + LAST_RECORD, None)


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Derive a key by HKDF with SHA-256."""
    return HKDF(SHA256(), length, salt, info).derive(material)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Write a public key as an uncompressed point."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass(frozen=True)
class ServerKey:
    """The key pair with which this server signs what it pushes."""

    private: ec.EllipticCurvePrivateKey

    @classmethod
    def new(cls) -> "ServerKey":
        """Make a key pair."""
        return cls(ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def read(cls, content: bytes) -> "ServerKey":
        """Read a key pair that was stored. Raises `ValueError` if it is invalid."""
        private = load_der_private_key(content, password=None)
        if not isinstance(private, ec.EllipticCurvePrivateKey):
            raise ValueError(type(private).__name__)
        return cls(private)

    @property
    def stored(self) -> bytes:
        """The key pair as it is stored."""
        return self.private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())

    @cached_property
    def public(self) -> str:
        """The public key, as a browser wants it to subscribe."""
        return encode(_point(self.private.public_key()))

    def authorization(self, origin: str, now: float, contact: str = "") -> str:
        """Return the header that signs a request to a push service (RFC 8292); `contact` is a https or mailto URL."""
        claims = {"aud": origin, "exp": int(now) + SIGNED_SECONDS, **({"sub": contact} if contact else {})}
        signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
        halves = decode_dss_signature(self.private.sign(signed.encode("ascii"), ec.ECDSA(SHA256())))
        signature = b"".join(half.to_bytes(NUMBER_BYTES) for half in halves)
        return f"vapid t={signed}.{encode(signature)}, k={self.public}"


def _part(content: Mapping[str, Any]) -> str:
    """Write one part of a JSON web token."""
    return encode(json.dumps(content, separators=(",", ":")).encode())
