from __future__ import annotations

from unit.egress.conftest import dialled

__all__ = ["dialled"]
