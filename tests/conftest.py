"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# A loaded machine must not make an honest test fail.
settings.register_profile("bullpen", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bullpen")
