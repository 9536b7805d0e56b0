"""Our own drawings of boards, cards, tokens and tiles: the night shift in ink and paper.

Everything is drawn from shapes by a seed; nothing is loaded. Imports cv2 and numpy.
"""
