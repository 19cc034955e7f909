"""A stand-in for the push service of a browser: it checks who sends a message, and decrypts it as the browser would."""

import http.server
import json
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

LONGEST_SIGNATURE = 24 * 3600  # seconds: no push service accepts more
SALT, SIZE = slice(0, 16), slice(16, 20)


def encode(content: bytes) -> str:
    """Bytes as a browser writes them."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Bytes as a browser reads them."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """A browser with the keys of a subscription."""

    def __init__(self, private: ec.EllipticCurvePrivateKey | None = None, secret: bytes = bytes(range(16))) -> None:
        self._private = private or ec.generate_private_key(ec.SECP256R1())
        self._secret = secret

    @property
    def _point(self) -> bytes:
        return self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def public_key(self) -> str:
        """What it tells a server."""
        return encode(self._point)

    @property
    def secret(self) -> str:
        """What it shares with a server."""
        return encode(self._secret)

    def decrypt(self, content: bytes) -> bytes:
        """Read a message as RFC 8291 says it is read."""
        length = content[20]
        sender, sealed = content[21 : 21 + length], content[21 + length :]
        assert len(sealed) <= int.from_bytes(content[SIZE]), "one record"
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\0" + self._point + sender
        material = HKDF(SHA256(), 32, self._secret, info).derive(self._private.exchange(ec.ECDH(), public))
        key = HKDF(SHA256(), 16, content[SALT], b"Content-Encoding: aes128gcm\0").derive(material)
        nonce = HKDF(SHA256(), 12, content[SALT], b"Content-Encoding: nonce\0").derive(material)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\2"), "the last record"
        return padded[:-1]


@dataclass
class PushService:
    """What was pushed: the path and the decrypted message; answers with the status that the path ends in."""

    address: str = ""
    server_key: str = ""  # the public key that messages must be signed with; any if it is empty
    browser: Browser = field(default_factory=Browser)
    told: list[tuple[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    answers: dict[str, list[int]] = field(default_factory=dict)  # other answers, path by path, each once

    def endpoint(self, name: str, status: int = 201) -> dict[str, str]:
        """What a browser sends to subscribe; messages to it are answered with this status."""
        address = f"{self.address}/push/{name}/{status}"
        return {"address": address, "public_key": self.browser.public_key, "secret": self.browser.secret}

    def take(self, path: str, headers: dict[str, str], content: bytes) -> int:
        """Take a message, and answer with a status."""
        try:
            self._check(headers)
            self.told.append((path.split("/")[-2], json.loads(self.browser.decrypt(content))))
            self.headers.append(headers)
        except Exception as error:
            self.wrong.append(f"{path}: {error!r}")
            return 400
        answers = self.answers.get(path.split("/")[-2])
        return answers.pop(0) if answers else int(path.rpartition("/")[2])

    def _check(self, headers: dict[str, str]) -> None:
        """Check the signature and what else a push service wants to know (RFC 8030, RFC 8292)."""
        scheme, _, rest = headers["authorization"].partition(" ")
        token, key = (part.partition("=")[2] for part in rest.split(", "))
        head, claims, signature = token.split(".")
        numbers = decode(signature)
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
        first, second = (int.from_bytes(half) for half in (numbers[:32], numbers[32:]))
        public.verify(encode_dss_signature(first, second), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
        said = json.loads(decode(claims))
        assert scheme == "vapid" and json.loads(decode(head))["alg"] == "ES256"
        assert len(numbers) == 64 and (not self.server_key or key == self.server_key)
        assert said["aud"] == self.address, said
        assert time.time() < said["exp"] <= time.time() + LONGEST_SIGNATURE
        assert headers["content-encoding"] == "aes128gcm" and int(headers["ttl"]) >= 0
        assert len(headers["topic"]) <= 32 and headers["urgency"] in ("very-low", "low", "normal", "high")


@contextmanager
def push_service() -> Iterator[PushService]:
    """A push service on this machine."""
    service = PushService()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            sent = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(service.take(self.path, sent, content))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.address = f"http://localhost:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield service
        server.shutdown()
        thread.join()
    assert not service.wrong, service.wrong
