"""A whole table in software: pieces, boards, cameras, hands, a die and a turning disc.

It is told boards and pieces as data and knows places, never rules. May import
``companion`` and the rest of ``hardware``; all art in here is drawn by this package.
"""
