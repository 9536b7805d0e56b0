"""*Lamp Garden*: three rules, one board, a package of its own. Pure, but for ``drawings``."""
