"""The table: one writer thread, the senses process, watchers, the host that wires them.

May import everything below it in ``companion``. Nothing here knows a game by name.
"""
