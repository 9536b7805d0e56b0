"""The companion at the table: games, the journal, and the one thread that writes.

Imports none of ``vision``, ``hardware``, ``calibration``, ``web``: it finds cameras, dice,
sensors, recognisers, games and commands by entry point, the built-in ones by the same door
as a stranger's.
"""
