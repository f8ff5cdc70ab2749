"""The one exception of the guard: a category, never the text of another exception."""

from __future__ import annotations

from collections.abc import Mapping

REFUSED_URL = "The URL is not allowed: it must be a valid http or https URL of a permitted public host."

#: code -> (kind, message). The kinds are the four error types of the api server's specification. The three
#: codes about a URL share one message, so that the wording tells a prober nothing about what it found.
CATALOGUE: Mapping[str, tuple[str, str]] = {
    "invalid_url": ("validation", REFUSED_URL),
    "invalid_scheme": ("validation", REFUSED_URL),
    "blocked": ("validation", REFUSED_URL),
    "invalid_headers": ("validation", "A request header is not valid."),
    "forbidden_header": ("validation", "A request header may not be set by the caller."),
    "unsupported_method": ("validation", "The HTTP method is not supported."),
    "request_too_large": ("validation", "The request is too large."),
    "dns": ("network", "The host name could not be resolved."),
    "refused": ("network", "The connection was refused."),
    "unreachable": ("network", "The host could not be reached."),
    "connect_timeout": ("network", "The connection could not be opened in time."),
    "read_timeout": ("network", "The server did not answer in time."),
    "deadline": ("network", "The call took longer than the total time limit."),
    "tls": ("network", "The TLS connection failed, or the certificate is not trusted."),
    "reset": ("network", "The connection was reset."),
    "closed": ("network", "The server closed the connection without an answer."),
    "protocol": ("network", "The answer is not valid HTTP."),
    "incomplete_response": ("network", "The answer was cut off."),
    "proxy": ("network", "The proxy could not be used."),
    "unexpected": ("network", "The request failed."),
    "too_many_redirects": ("http", "The server redirected too many times."),
    "response_too_large": ("http", "The answer is larger than the limit."),
    "content_encoding": ("parsing", "The answer's content encoding could not be decoded."),
}

TIMEOUT_CODES = frozenset({"connect_timeout", "read_timeout", "deadline"})


class EgressError(Exception):
    """A call that was refused or failed.

    `kind` is validation, network, http or parsing; `code` a key of `CATALOGUE`; `reason` says why a URL was
    `blocked` (for example `non_public_address`) or which header was at fault, else None. `message` is fit
    to be shown: it holds no URL, header value, address or text of an underlying exception.
    `sent` is False only when the request certainly never reached the server, so that even a write may be
    tried again. `status`, `phrase` and `headers` are the answer's, where the failure came after its head.

    Source: reference "GraphQL and HTTP egress", 4.9.
    """

    def __init__(
        self,
        code: str,
        *,
        reason: str | None = None,
        sent: bool = False,
        status: int | None = None,
        phrase: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.code = code
        self.kind, self.message = CATALOGUE[code]
        super().__init__(self.message)
        self.reason = reason
        self.sent = sent
        self.status = status
        self.phrase = phrase
        self.headers = headers

    @property
    def timeout(self) -> bool:
        """Whether a time limit ended the call, as opposed to a refusal or a fault."""
        return self.code in TIMEOUT_CODES

    def __repr__(self) -> str:
        return f"EgressError(code={self.code!r}, reason={self.reason!r}, sent={self.sent!r})"


def blocked(reason: str) -> EgressError:
    """Return the refusal of a destination; `reason` is one of the reference's `details.reason` values."""
    return EgressError("blocked", reason=reason)
