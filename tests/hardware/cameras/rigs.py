"""A fixture out of a rig: what every camera promises is tested on each of them."""

import pytest


def rig_of(kind):
    @pytest.fixture(name="rig")
    def rig(self, tmp_path):
        rig = kind(tmp_path)
        yield rig
        rig.close()

    return rig
