"""The rules: ``decide`` and ``evolve``, a module a step of the rulebook's excerpt, in its order.

May import what the game's folder holds; nothing here knows a sentence in words.
"""
