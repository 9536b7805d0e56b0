"""The stand-in box: seventy-two cards of our own invention.

No card list of the game is public, so a table whose box was not taught plays with these.
Every name, number and chart here is invented; they are not the cards of any printed box.
Imports nothing.
"""

from __future__ import annotations

BODIES: tuple[tuple[str, str, int], ...] = (
    ("Barrel of Uncle Ignaz", "hoses", 7),
    ("Grandfather Clock", "hoses", 9),
    ("Riveted Matron", "screws", 8),
    ("Samovar with a Grudge", "screws", 7),
    ("Telephone Exchange", "plugs", 9),
    ("Stuffed Walrus", "plugs", 8),
)
"""Name, connector, LIFE."""

PARTS: dict[str, tuple[tuple[str | int, ...], ...]] = {
    "head": (
        ("Lighthouse Keeper's Lamp", "hoses", 1, 4),
        ("Pickled Ventriloquist", "hoses", 0, 2),
        ("Weeping Kettle", "hoses", 2, 6),
        ("Diver's Helmet, Occupied", "hoses", 0, 1),
        ("Bust of an Unknown Judge", "screws", 1, 3),
        ("Gas Mask in Love", "screws", 0, 5),
        ("Cuckoo without a Clock", "screws", 2, 2),
        ("Owl from Lost Property", "plugs", 1, 6),
        ("Radio That Interrupts", "plugs", 0, 4),
        ("Chandelier, Lower Half", "plugs", 2, 1),
        ("Turnip with Opinions", "universal", 0, 3),
        ("Head Waiter", "universal", 0, 5),
        ("Borrowed Face", "universal", 1, 4),
    ),
    "arm": (
        ("Pump Handle", "hoses", 0, 3),
        ("Elephant's Reach", "hoses", 1, 5),
        ("Garden Hose with Fingers", "hoses", 0, 1),
        ("Organ Pipe Elbow", "hoses", 2, 2),
        ("Crane from the Harbour", "screws", 1, 6),
        ("Left Arm, Twice", "screws", 0, 4),
        ("Barber's Good Hand", "screws", 0, 2),
        ("Switchboard Glove", "plugs", 1, 3),
        ("Eel on a Bracket", "plugs", 0, 6),
        ("Conductor's Sleeve", "plugs", 2, 5),
        ("Umbrella Spokes", "universal", 0, 1),
        ("Sleepwalker's Arm", "universal", 1, 2),
        ("Glove Stuffed with Bees", "universal", 0, 6),
    ),
    "weapon": (
        ("Seltzer Cannon", "hoses", 0, 2, 3),
        ("Bagpipes at Close Range", "hoses", 0, 5, 4),
        ("Fog Machine", "hoses", 1, 3, 2),
        ("Steam Whip", "hoses", 0, 6, 5),
        ("Corkscrew Lance", "screws", 0, 1, 4),
        ("Waffle Press", "screws", 1, 4, 3),
        ("Very Large Spanner", "screws", 0, 6, 5),
        ("Toaster on a String", "plugs", 0, 3, 3),
        ("Doorbell Thrower", "plugs", 1, 2, 2),
        ("Tamed Thunderstorm", "plugs", 0, 5, 5),
        ("Rolled-up Newspaper", "universal", 0, 4, 2),
        ("Pepper Mill", "universal", 0, 1, 3),
        ("Strong Argument", "universal", 0, 6, 4),
    ),
    "legs": (
        ("Bath Tub Feet", "hoses", 1, 6),
        ("Ostrich, Walking Half", "hoses", 0, 4),
        ("Rubber Boots, Inhabited", "hoses", 0, 1),
        ("Spring Mattress", "hoses", 2, 3),
        ("Tripod of a Surveyor", "screws", 0, 5),
        ("Piano Stool", "screws", 1, 1),
        ("Fire Escape, One Flight", "screws", 2, 2),
        ("Tram Wheels", "plugs", 1, 4),
        ("Dancing Master's Calves", "plugs", 0, 2),
        ("Spider of Good Family", "plugs", 2, 6),
        ("Stilts in Mourning", "universal", 0, 5),
        ("Cellar Stairs", "universal", 1, 3),
        ("Two Left Feet", "universal", 0, 1),
    ),
}
"""By kind: name, connector, LIFE that it adds, the number it breaks on, for weapons the SPECIAL damage."""

ADAPTORS: tuple[tuple[str, int], ...] = (
    ("Three-way Thing", 2),
    ("Grommet of Last Resort", 2),
    ("Reducing Sleeve", 2),
)
"""Name and how many there are."""

EXPERIMENTS: tuple[tuple[str, int, str, tuple[str, ...], tuple[str, str, str]], ...] = (
    (
        "Thing in the Boiler Room",
        12,
        "The valve gives way: every creature on the floor loses 1 LIFE.",
        ("everybody_lose_1",),
        (
            "lose_1 lose_2 roll_again lose_1 lose_2 double_hit",
            "arrow_red arrow_purple roll_twice arrow_purple arrow_purple special_move",
            "lose_1 weapon_drop free_ride adaptor_loss roll_again legs_drop",
        ),
    ),
    (
        "Choir of Teeth",
        14,
        "It sings. Roll the die: as many LIFE as half of it, rounded up, are lost by whoever is nearest.",
        (),
        (
            "lose_2 lose_1 lose_3 roll_twice lose_2 roll_again",
            "arrow_purple roll_twice arrow_red arrow_purple arrow_purple special_move",
            "head_drop lose_1 roll_again free_ride arm_drop lose_2",
        ),
    ),
    (
        "Carpet That Walks",
        10,
        "It rolls itself up with your creature inside: you lose 1 LIFE, the Experiment loses 1.",
        ("player_lose_1", "experiment_lose_1"),
        (
            "lose_1 free_ride lose_2 lose_1 roll_again lose_1",
            "arrow_purple double_hit arrow_purple arrow_red roll_twice special_move",
            "lose_1 legs_drop free_ride roll_again adaptor_loss arm_drop",
        ),
    ),
    (
        "Pudding of Unusual Size",
        13,
        "It wobbles and takes hold of your weapon, which drops.",
        ("weapon_drop",),
        (
            "lose_2 lose_1 roll_twice lose_1 lose_2 lose_2",
            "arrow_purple arrow_purple special_move roll_twice arrow_red experiment_lose_1",
            "lose_1 arm_drop free_ride roll_again head_drop lose_1",
        ),
    ),
)
"""Name, LIFE, special move in words and in what it does, chart by column: purple, middle, red."""

CONFLICTS: tuple[tuple[str, tuple[str, str, str]], ...] = (
    (
        "Broom Cupboard, Midnight",
        (
            "lose_1 lose_2 roll_twice head_lost double_strike lose_1",
            "lose_2 arm_lost lose_1 roll_twice lose_1 double_strike",
            "double_strike lose_1 legs_lost lose_2 roll_twice lose_1",
        ),
    ),
    (
        "Quarrel on the Grand Staircase",
        (
            "legs_lost lose_1 lose_1 double_strike lose_2 roll_twice",
            "roll_twice lose_1 double_strike lose_2 head_lost lose_1",
            "lose_1 roll_twice lose_2 weapon_lost lose_1 double_strike",
        ),
    ),
    (
        "Last Waltz in the Observatory",
        (
            "lose_2 double_strike weapon_lost lose_1 roll_twice lose_1",
            "lose_1 lose_2 roll_twice lose_1 legs_lost double_strike",
            "arm_lost lose_1 double_strike roll_twice lose_2 lose_1",
        ),
    ),
    (
        "Affair of the Missing Fuse",
        (
            "roll_twice lose_1 lose_2 arm_lost lose_1 double_strike",
            "double_strike roll_twice lose_1 lose_1 lose_2 weapon_lost",
            "lose_2 head_lost lose_1 lose_1 double_strike roll_twice",
        ),
    ),
)
"""Name, chart by column: one, two, three."""
