"""*Monster Graveyard* for two to five seats: the Laboratory phase in full, the other four phases tracked.

May import ``companion.board``, ``companion.ports`` and ``companion.game`` and nothing of
another game. No clock, no chance, no input or output: what was laid or drawn is told to it.
"""
