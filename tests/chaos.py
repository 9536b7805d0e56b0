"""How long the machines play: some seconds by default, for hours with ``--hypothesis-profile=chaos``."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

CHAOS = "chaos"
LONGER = 40
"""How many times as many games ``make chaos`` plays."""


def register() -> None:
    """Let pytest know the profile."""
    settings.register_profile(CHAOS, print_blob=True)


def so_many(games: int, steps: int) -> settings:
    """Return settings for so many games of so many steps, and many more under ``make chaos``."""
    is_long = settings.get_current_profile_name() == CHAOS
    return settings(
        max_examples=games * LONGER if is_long else games,
        stateful_step_count=steps * 3 if is_long else steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
