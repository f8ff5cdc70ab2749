"""At least a hundred examples for every property, as the specification asks."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "properties",
    max_examples=100,
    # The machine that runs the tests is busy with other things now and then.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("properties")
