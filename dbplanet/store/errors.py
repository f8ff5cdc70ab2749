"""The one exception of the store; whoever only handles it needs no Redis."""


class StoreError(Exception):
    """The store is away or refuses; what was asked is not known to have happened."""
