"""Names and versions of what is stored and sent; see ``companion.records``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.monster_graveyard import events as e
from companion.games.monster_graveyard import moves as m
from companion.games.monster_graveyard.components import Form, Shape, part_kind
from companion.records import Form as Unfold
from companion.records import Records, gathered, several

EVENTS: Mapping[str, tuple[type, int]] = {
    "table_set": (e.TableSet, 1),
    "options_chosen": (e.OptionsChosen, 1),
    "phase_chosen": (e.PhaseChosen, 1),
    "bonus_paid": (e.BonusPaid, 1),
    "reanimated": (e.Reanimated, 1),
    "experimented": (e.Experimented, 1),
    "gained": (e.Gained, 1),
    "deck_shuffled": (e.DeckShuffled, 1),
    "acquired": (e.Acquired, 1),
    "upgrade_played": (e.UpgradePlayed, 1),
    "discovery_played": (e.DiscoveryPlayed, 1),
    "boosted": (e.Boosted, 1),
    "declined": (e.Declined, 1),
    "upgrade_dropped": (e.UpgradeDropped, 1),
    "finished": (e.Finished, 1),
    "recorded": (e.Recorded, 1),
    "terrorized": (e.Terrorized, 1),
    "monster_set": (e.MonsterSet, 1),
    "monster_lost": (e.MonsterLost, 1),
    "phase_ended": (e.PhaseEnded, 1),
    "turn_begun": (e.TurnBegun, 1),
    "round_ended": (e.RoundEnded, 1),
    "game_over": (e.GameOver, 1),
    "taken_over": (e.TakenOver, 1),
    "catalogue_told": (e.CatalogueTold, 1),
}
"""Stored kind: the event and the version that is written now."""

COMMANDS: Mapping[str, type] = {
    "set_up": m.SetUp,
    "choose_options": m.ChooseOptions,
    "choose_phase": m.ChoosePhase,
    "reanimate": m.Reanimate,
    "experiment": m.Experiment,
    "acquire": m.Acquire,
    "play": m.Play,
    "decline": m.Decline,
    "drop": m.Drop,
    "finish": m.Finish,
    "record": m.Record,
    "terrorize": m.Terrorize,
    "set_monster": m.SetMonster,
    "lose_monster": m.LoseMonster,
    "end_round": m.EndRound,
    "take_over": m.TakeOver,
    "tell_card": m.TellCard,
    "tell_special": m.TellSpecial,
    "tell_catalogue": m.TellCatalogue,
}

SLOTS: Mapping[str, Shape] = {
    "head": Shape.HEAD,
    "torso": Shape.TORSO,
    "arm_1": Shape.ARM,
    "arm_2": Shape.ARM,
    "leg_1": Shape.LEG,
    "leg_2": Shape.LEG,
}
"""The six fields of the form for reanimating; a field that says skeletal is filled up by the rules."""

COPY = "#"
"""Between a special part and which copy of it is meant, in the values of a form."""


def _reanimate_form(flat: dict[str, Any]) -> dict[str, Any]:
    """Gather six slots and the special parts. What is left skeletal only fills what nothing else covers."""
    if "parts" in flat:
        return flat
    forms = {slot: Form(flat.pop(slot)) for slot in SLOTS if slot in flat}
    fleshy = [part_kind(form, SLOTS[slot]) for slot, form in forms.items() if form is not Form.SKELETAL]
    specials = [str(part).partition(COPY)[0] for part in several(flat.pop("specials", ()))]
    return {**flat, "parts": [*fleshy, *specials], "is_filled": True}


def _options_form(flat: dict[str, Any]) -> dict[str, Any]:
    return gathered(flat, "option", "options")


def _seats_form(flat: dict[str, Any]) -> dict[str, Any]:
    flat["seats"] = several(flat["seats"])
    return _options_form(flat)


def _over_form(flat: dict[str, Any]) -> dict[str, Any]:
    if "seats" in flat:
        flat["seats"] = several(flat["seats"])
    for unit in ("gp", "rp", "vp"):
        gathered(flat, unit, unit)
    return _options_form(flat)


def _special_form(flat: dict[str, Any]) -> dict[str, Any]:
    flat["covers"] = several(flat.get("covers", ()))
    return flat


FORMS: Mapping[str, Unfold] = {
    "reanimate": _reanimate_form,
    "set_up": _seats_form,
    "choose_options": _options_form,
    "take_over": _over_form,
    "tell_special": _special_form,
}
"""How the flat fields of a form become a command's own."""

RECORDS: Records[m.Command, e.Event] = Records("Monster Graveyard", EVENTS, COMMANDS, FORMS)
