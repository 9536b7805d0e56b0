"""Pictures to readings. Knows boards and pieces that it was taught; knows no rules and no game.

Imports ``companion`` and OpenCV. Never writes to a journal, never speaks to a phone.
"""
