"""The stand-in deck: seventy-two monsters of our own invention.

No card list of the game is public, so a table whose box was not taught plays with these.
Every name, part and figure here is invented; they are not the cards of any printed box.
Imports nothing.
"""

from __future__ import annotations

MONSTERS: tuple[tuple[str, int, str], ...] = (
    ("Mossy Pharaoh", 5, "stitch goop goop"),
    ("Sulking Brewer", 8, "limb limb spike spike goop"),
    ("Pickled Librarian", 7, "stitch spike goop zapper"),
    ("Thundering Hermit", 7, "limb stitch zapper zapper"),
    ("Fizzing Alderman", 10, "limb limb stitch stitch spike spike"),
    ("Anxious Landlord", 7, "stitch spike goop goop"),
    ("Bellowing Gardener", 7, "spike spike goop goop"),
    ("Damp Coroner", 5, "limb zapper zapper"),
    ("Forgotten Dentist", 7, "limb spike goop zapper"),
    ("Sleepless Taxidermist", 7, "spike spike spike goop"),
    ("Haggling Gravedigger", 7, "limb stitch spike zapper"),
    ("Sneezing Mandrake", 8, "limb limb stitch stitch spike"),
    ("Gallant Grocer", 6, "limb stitch stitch spike"),
    ("Clockwork Postman", 8, "limb stitch stitch spike zapper"),
    ("Ghastly Druggist", 6, "limb limb stitch zapper"),
    ("Icicle Accordionist", 8, "limb limb stitch goop zapper"),
    ("Rattling Ghost-Hunter", 3, "stitch spike"),
    ("Gleaming Undertaker", 3, "limb goop"),
    ("Feathered Bagpiper", 6, "limb stitch stitch goop"),
    ("Mumbling Spinster", 3, "limb zapper"),
    ("Anxious Parson", 9, "stitch stitch spike goop goop"),
    ("Icicle Juggler", 5, "stitch stitch zapper"),
    ("Ghastly Haberdasher", 3, "stitch zapper"),
    ("Wobbly Embalmer", 10, "limb limb limb stitch spike zapper"),
    ("Knitted Choirboy", 5, "limb spike zapper"),
    ("Nibbling Telegraphist", 9, "limb stitch spike goop zapper"),
    ("Patchwork Hatter", 10, "limb limb stitch spike goop zapper"),
    ("Gallant Fishwife", 10, "spike goop zapper zapper zapper"),
    ("Crumbling Chambermaid", 5, "limb spike zapper"),
    ("Bristling Scarecrow", 4, "limb stitch spike"),
    ("Drizzling Sleuth", 10, "limb limb limb goop zapper zapper"),
    ("Dapper Lamplighter", 6, "limb stitch spike goop"),
    ("Humming Pawnbroker", 8, "limb limb stitch spike zapper"),
    ("Pickled Ventriloquist", 4, "limb stitch stitch"),
    ("Feathered Kennelmaster", 5, "limb stitch zapper"),
    ("Humming Chimney", 8, "limb stitch spike spike goop"),
    ("Dawdling Innkeeper", 11, "limb stitch spike goop zapper zapper"),
    ("Mumbling Watchmaker", 6, "limb limb stitch spike"),
    ("Mossy Magistrate", 9, "limb stitch spike spike zapper"),
    ("Knitted Barber", 2, "limb limb"),
    ("Fizzing Falconer", 3, "stitch goop"),
    ("Bellowing Signalman", 8, "limb limb stitch spike spike"),
    ("Drizzling Turnkey", 7, "stitch spike zapper zapper"),
    ("Haggling Minister", 10, "limb limb limb stitch goop zapper"),
    ("Damp Ballerina", 3, "stitch stitch"),
    ("Elderly Fortune-Teller", 3, "goop goop"),
    ("Thundering Councillor", 5, "limb goop zapper"),
    ("Sneezing Cartographer", 6, "limb stitch stitch stitch"),
    ("Crumbling Organist", 5, "stitch spike goop"),
    ("Quarrelsome Admiral", 4, "limb limb goop"),
    ("Clockwork Nursemaid", 5, "limb goop goop"),
    ("Overdue Ferryman", 5, "limb stitch zapper"),
    ("Sulking Doorman", 9, "limb stitch stitch zapper zapper"),
    ("Bristling Locksmith", 7, "limb stitch goop goop"),
    ("Lopsided Milkman", 5, "stitch spike spike"),
    ("Rusted Matchgirl", 5, "stitch spike zapper"),
    ("Patchwork Archivist", 3, "goop zapper"),
    ("Wobbly Glazier", 6, "limb stitch stitch zapper"),
    ("Rusted Conductor", 8, "limb stitch spike spike goop"),
    ("Dapper Bellhop", 5, "goop goop goop"),
    ("Jittery Seamstress", 5, "limb spike goop"),
    ("Gleaming Croupier", 7, "stitch stitch spike zapper"),
    ("Nibbling Ratcatcher", 7, "limb spike goop zapper"),
    ("Elderly Sexton", 5, "stitch stitch spike"),
    ("Forgotten Almanac", 9, "limb limb goop goop zapper"),
    ("Sleepless Beekeeper", 5, "stitch stitch goop"),
    ("Quarrelsome Candlemaker", 10, "limb stitch stitch stitch spike zapper"),
    ("Jittery Notary", 6, "limb limb stitch goop"),
    ("Overdue Cobbler", 9, "limb stitch spike zapper zapper"),
    ("Rattling Bookworm", 12, "spike spike goop goop zapper zapper"),
    ("Dawdling Puppeteer", 6, "limb limb spike zapper"),
    ("Lopsided Moth", 5, "spike goop zapper"),
)
"""Name, prestige, and parts in the order of the card's slots; stand-ins, not a printed box's."""

PRINTED: tuple[tuple[str, int, str], ...] = (
    ("Bench Beginner", 2, "limb stitch"),
    ("Cellar Trial", 3, "limb stitch spike"),
)
"""The two monsters printed under the first two card spaces of every lab of the stand-in box."""

CARTS: tuple[tuple[str, str, str], ...] = (
    ("limb", "stitch", "zapper"),
    ("stitch", "spike", "goop"),
    ("limb", "spike", "zapper"),
    ("limb", "goop", "zapper"),
)
"""Three part types a cart, cart 1 first."""

UPGRADES: tuple[tuple[str, int], ...] = (
    ("sorting_table", 4),
    ("refrigeration", 3),
    ("bogo_coupon_printer", 3),
    ("meat_replicator", 3),
    ("stitches_replicator", 4),
    ("spikes_replicator", 4),
    ("goop_replicator", 3),
    ("zapper_replicator", 3),
    ("universal_replicator", 3),
    ("teleporter", 3),
    ("med_school", 3),
    ("warehouse", 2),
    ("lester_upgrade", 2),
)
"""Upgrade tiles and how many of each; the names are the game's, the counts are ours."""
