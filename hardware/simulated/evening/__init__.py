"""An evening without anybody: players that join as phones do and tell the simulated hands what to do.

Imports ``companion`` and ``hardware.simulated``. Shares no memory with the service and never looks
into the world to play, only to keep the books that the service's scores are held against.
"""
