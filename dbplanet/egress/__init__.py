"""Guarded outbound HTTP over requests: no call leaves to where it must not, none lasts too long.

    egress = Egress(Policy.for_tenants(exempt=["http://127.0.0.1:8081"]), Limits(total=25))
    answer = egress.send("GET", "https://tenant.example.com/api", headers={"Accept": "application/json"})

`Policy` says what may be dialled, `Limits` how long and how large a call may be, `EgressError` in which of
some twenty categories a call failed. This package knows no other one of the application.
"""

from .client import METHODS, Answer, Egress, Observe
from .errors import CATALOGUE, EgressError
from .headers import FixedHeaders
from .limits import Limits
from .lookups import Resolver
from .policy import Policy
from .tls import tls_context
from .urls import Target, check_url

__all__ = [
    "CATALOGUE",
    "METHODS",
    "Answer",
    "Egress",
    "EgressError",
    "FixedHeaders",
    "Limits",
    "Observe",
    "Policy",
    "Resolver",
    "Target",
    "check_url",
    "tls_context",
]
