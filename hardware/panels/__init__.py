"""Buttons and lights: drivers behind ``companion.ports.Panel``, found by ``companion.panels``.

May import ``companion.ports`` and ``hardware``. A panel reports presses; what one does, the table decides.
"""
