"""The stand-in box: what a box may print, invented here but for what the rulebook's examples name.

From the rulebook: the four forms with what they add, Pirate Hook, Mermaid Tail, Improved Science and
Superior Science. No card list of the box is public; everything else is our invention.
"""

from __future__ import annotations

from typing import Any

FORMS = (
    ("skeletal", "Skeletal", 0, 0, 0, 10, 10, 20, 20),
    ("fresh", "Fresh", 0, 0, 1, 5, 5, 10, 10),
    ("rotting", "Rotting", 0, 1, 0, 5, 5, 10, 10),
    ("putrefied", "Putrefied", 1, 0, 0, 5, 5, 10, 10),
)
"""Form, name, what it adds in Terror, Science, Health; how many heads, torsos, arms, legs."""

SPECIALS = (
    ("pirate_hook", "Pirate Hook", "arm", 0, 0, 0, "terrorize: 1 gp"),
    ("mermaid_tail", "Mermaid Tail", "leg leg", 0, 0, 1, ""),
    ("beehive_hat", "Beehive in a Hat", "head", 2, 0, 0, ""),
    ("diving_helmet", "Diving Helmet", "head", 0, 1, 1, ""),
    ("grandfather_clock", "Grandfather Clock", "torso", 0, 0, 2, "1 vp"),
    ("birdcage", "Birdcage", "torso", 0, 1, 0, "experiment: 1 rp"),
    ("oven_mitt", "Oven Mitt", "arm", 0, 0, 1, "2 gp"),
    ("octopus_sleeve", "Octopus Sleeve", "arm arm", 1, 1, 0, ""),
    ("roller_skate", "Roller Skate", "leg", 0, 0, 0, "1 draw"),
    ("pogo_stick", "Pogo Stick", "leg leg", 1, 0, 0, "terrorize: 1 vp"),
    ("mystery_parcel", "Mystery Parcel", "any", 0, 0, 0, "1 rp"),
    ("stage_lamp", "Stage Lamp", "arm", 1, 0, 0, "When this monster is seen first, bow"),
)
"""Id, name, what it covers, what it adds in Terror, Science, Health, effect. The first two are named."""

RESEARCH = (
    ("improved_science", "Improved Science", "3", "upgrade", 0, 1, 0, "", 2),
    ("improved_terror", "Improved Terror", "3", "upgrade", 1, 0, 0, "", 2),
    ("improved_health", "Improved Health", "3", "upgrade", 0, 0, 1, "", 2),
    ("bone_club", "Bone Club Card", "3", "upgrade", 0, 0, 0, "reanimate: 1 draw", 1),
    ("lost_wallet", "Lost Wallet", "3", "discovery", 0, 0, 0, "3 gp", 1),
    ("warm_tea", "Warm Tea", "3", "discovery", 0, 0, 0, "1 health", 1),
    ("superior_science", "Superior Science", "6", "upgrade", 0, 2, 0, "", 1),
    ("superior_terror", "Superior Terror", "6", "upgrade", 2, 0, 0, "", 1),
    ("superior_health", "Superior Health", "6", "upgrade", 0, 0, 2, "", 1),
    ("field_notes", "Field Notes", "6", "upgrade", 0, 0, 0, "research: 1 rp", 1),
    ("apprentice", "Night School Apprentice", "6", "discovery", 0, 0, 0, "1 minion", 1),
    ("town_gazette", "Town Gazette", "6", "discovery", 0, 0, 0, "2 vp", 1),
    ("second_wind", "Second Wind", "6", "discovery", 0, 0, 0, "2 terror", 1),
    ("twin_theory", "Theory of Twins", "9", "upgrade", 2, 2, 0, "", 1),
    ("sturdy_thought", "Sturdy Thought", "9", "upgrade", 0, 2, 2, "", 1),
    ("patron", "A Generous Patron", "9", "upgrade", 0, 0, 0, "reanimate: 2 gp; terrorize: 1 vp", 1),
    ("prize_medal", "Prize Medal", "9", "discovery", 0, 0, 0, "5 vp", 1),
    ("open_question", "An Open Question", "9", "discovery", 0, 0, 0, "Ask the table one question", 1),
)
"""Id, name, deck, type, what it adds in Terror, Science, Health, effect, how many there are.

The first card of decks 3 and 6 is named by the rulebook; that Improved Science costs 3 is our reading.
"""


def stand_in_catalogue() -> dict[str, Any]:
    """Return what the stand-in box prints, in the form of a taught box's ``catalogue.json``."""
    form_columns = ("name", "terror", "science", "health", "heads", "torsos", "arms", "legs")
    special_columns = ("name", "covers", "terror", "science", "health", "effect")
    research_columns = ("name", "deck", "type", "terror", "science", "health", "effect", "count")
    specials = {row[0]: dict(zip(special_columns, row[1:], strict=True)) for row in SPECIALS}
    for special in specials.values():
        special |= {"covers": str(special["covers"]).split(), "count": 1}
    research = {row[0]: dict(zip(research_columns, row[1:], strict=True)) for row in RESEARCH}
    return {
        "name": "stand-in",
        "forms": {row[0]: dict(zip(form_columns, row[1:], strict=True)) for row in FORMS},
        "specials": {key: _without_blanks(row) for key, row in specials.items()},
        "research": {key: _without_blanks(row) for key, row in research.items()},
    }


def _without_blanks(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value != ""}
