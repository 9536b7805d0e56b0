"""*Mad Science The Card Game*: rules, prompts and views; how we read the rules is in ``RULES.md``.

Imports ``companion`` contracts only. No I/O, no clock, no chance: a roll is a command with a face.
"""
