"""*Making Monsters* for two to four seats, from setting up to the final score.

May import ``companion.board``, ``companion.ports`` and ``companion.game`` and nothing of
another game. No clock, no chance, no input or output: what was drawn is told to it.
"""
