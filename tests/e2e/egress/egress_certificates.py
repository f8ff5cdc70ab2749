"""Certificates for tests: an authority of their own and what it signs."""

from __future__ import annotations

import ssl
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """A certificate authority of the tests' own, whose certificate is the CA bundle in `bundle`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a CA for tests")])
        certificate = self._certificate(self._name, self._key, days=10).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.bundle = folder / "ca.pem"
        signed = certificate.sign(self._key, hashes.SHA256())
        self.bundle.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def context(self, *names: str, days: int = 10) -> ssl.SSLContext:
        """Return a server's TLS context with a certificate for `names`, valid for `days` (may be past)."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a server for tests")])
        alternatives = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
        certificate = self._certificate(subject, key, days=days).add_extension(alternatives, critical=False)
        path = self._folder / f"{names[0]}-{days}.pem"
        path.write_bytes(
            certificate.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, days: int
    ) -> x509.CertificateBuilder:
        now = datetime.now(timezone.utc)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=20))
            .not_valid_after(now + timedelta(days=days))
        )
