"""Cameras, dice, board sensors, and a whole table in software that stands in for them.

Imports ``companion``. A device's library is imported inside its ``open_*`` only. Knows no rules.
"""
