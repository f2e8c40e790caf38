"""What holds for every test: the markers, and Hypothesis without a stopwatch."""

import hypothesis
import pytest

# Examples are not timed: a busy machine would fail a test that is right.
hypothesis.settings.register_profile("parlour", deadline=None, print_blob=True)
hypothesis.settings.load_profile("parlour")


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers; any other is an error."""
    config.addinivalue_line("markers", "slow: takes longer than about a second")
    config.addinivalue_line("markers", "external: drives a program that is not ours")
