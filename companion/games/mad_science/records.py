"""Names and versions of what is stored and sent: events for the journal, commands for the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.mad_science import events as e
from companion.games.mad_science import moves as m
from companion.records import Form, Records, gathered, several

EVENTS: Mapping[str, tuple[type, int]] = {
    "table_set": (e.TableSet, 1),
    "options_chosen": (e.OptionsChosen, 1),
    "odds_shown": (e.OddsShown, 1),
    "first_rolled": (e.FirstRolled, 1),
    "tied": (e.Tied, 1),
    "begun": (e.Begun, 1),
    "experiment_up": (e.ExperimentUp, 1),
    "body_dealt": (e.BodyDealt, 1),
    "hands_dealt": (e.HandsDealt, 1),
    "turn_begun": (e.TurnBegun, 1),
    "turn_opened": (e.TurnOpened, 1),
    "turn_passed": (e.TurnPassed, 1),
    "part_played": (e.PartPlayed, 1),
    "adaptor_played": (e.AdaptorPlayed, 1),
    "play_skipped": (e.PlaySkipped, 1),
    "heap_shuffled": (e.HeapShuffled, 1),
    "drawn": (e.Drawn, 1),
    "discarded": (e.Discarded, 1),
    "discard_waived": (e.DiscardWaived, 1),
    "completed": (e.Completed, 1),
    "creature_named": (e.CreatureNamed, 1),
    "rolled": (e.Rolled, 1),
    "box_asked": (e.BoxAsked, 1),
    "box_read": (e.BoxRead, 1),
    "twice_missed": (e.TwiceMissed, 1),
    "special_fired": (e.SpecialFired, 1),
    "experiment_hurt": (e.ExperimentHurt, 1),
    "creature_hurt": (e.CreatureHurt, 1),
    "part_dropped": (e.PartDropped, 1),
    "parts_back": (e.PartsBack, 1),
    "parts_stayed": (e.PartsStayed, 1),
    "adaptor_lost": (e.AdaptorLost, 1),
    "adaptor_back": (e.AdaptorBack, 1),
    "turn_lost": (e.TurnLost, 1),
    "regenerated": (e.Regenerated, 1),
    "move_ended": (e.MoveEnded, 1),
    "experiment_beaten": (e.ExperimentBeaten, 1),
    "break_begun": (e.BreakBegun, 1),
    "conflict_up": (e.ConflictUp, 1),
    "targeted": (e.Targeted, 1),
    "number_missed": (e.NumberMissed, 1),
    "take_asked": (e.TakeAsked, 1),
    "part_lost": (e.PartLost, 1),
    "creature_out": (e.CreatureOut, 1),
    "game_over": (e.GameOver, 1),
    "life_set": (e.LifeSet, 1),
    "catalogue_told": (e.CatalogueTold, 1),
    "taken_over": (e.TakenOver, 1),
}
"""Stored kind: the event and the version that is written now."""

COMMANDS: Mapping[str, type] = {
    "set_up": m.SetUp,
    "choose_options": m.ChooseOptions,
    "show_odds": m.ShowOdds,
    "roll": m.Roll,
    "turn_up": m.TurnUp,
    "deal_body": m.DealBody,
    "deal_hands": m.DealHands,
    "play": m.Play,
    "skip": m.Skip,
    "draw": m.Draw,
    "discard": m.Discard,
    "finish": m.Finish,
    "name": m.NameCreature,
    "target": m.Target,
    "take": m.Take,
    "hit": m.Hit,
    "do_move": m.DoMove,
    "end_move": m.EndMove,
    "tell_box": m.TellBox,
    "tell_card": m.TellCard,
    "tell_catalogue": m.TellCatalogue,
    "set_life": m.SetLife,
    "take_over": m.TakeOver,
}


def _options_form(flat: dict[str, Any]) -> dict[str, Any]:
    return gathered(flat, "option", "options")


def _seats_form(flat: dict[str, Any]) -> dict[str, Any]:
    flat["seats"] = several(flat["seats"])
    return _options_form(flat)


def _play_form(flat: dict[str, Any]) -> dict[str, Any]:
    if flat.get("on") == "":
        flat["on"] = None
    return flat


def _hit_form(flat: dict[str, Any]) -> dict[str, Any]:
    flat["whom"] = several(flat["whom"])
    return flat


def _over_form(flat: dict[str, Any]) -> dict[str, Any]:
    """Gather ``life_<seat>`` fields; nothing else is gathered, so that a line alone is enough."""
    return gathered(flat, "life", "lives")


def _card_form(flat: dict[str, Any]) -> dict[str, Any]:
    """Gather ``cell_<column>`` fields; a count is a number there and a text in a row."""
    gathered(flat, "cell", "cells")
    flat["cells"] = {name: str(text) for name, text in flat.get("cells", {}).items()}
    return flat


FORMS: Mapping[str, Form] = {
    "set_up": _seats_form,
    "choose_options": _options_form,
    "play": _play_form,
    "hit": _hit_form,
    "tell_card": _card_form,
    "take_over": _over_form,
}
"""How the flat fields of a form become a command's own."""

RECORDS: Records[m.Command, e.Event] = Records("Mad Science", EVENTS, COMMANDS, FORMS)
"""The codec of the game."""
