"""The games. Strangers to one another, pure: no clock, no chance, no I/O.

A game imports ``companion.board``, ``.ports`` and ``.game`` and its own folder, nothing else.
"""
