"""Cards that lie anywhere: found in a picture, named by their art, or left open with the reason.

Knows the cards of a taught box, no boards, no rules and no game.
"""
