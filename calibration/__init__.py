"""Teach a box: from flat scans of its boards and pieces to what the eyes compare with.

Imports ``companion`` and ``vision``. Never runs during a game.
"""
