"""Dice: drivers behind ``companion.ports.Die``, found by the entry points ``companion.dice``.

May import ``companion.ports`` and ``hardware``. A die reports rolls; whether one counts, the table decides.
"""
