"""Names and versions of what is stored and sent: events for the journal, commands for the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.making_monsters import events as e
from companion.games.making_monsters import moves as m
from companion.games.making_monsters import reports as r
from companion.games.making_monsters.components import CARD_SPACES, Token
from companion.position import pairs_in
from companion.records import Form, Records, gathered, several

EVENTS: Mapping[str, tuple[type, int]] = {
    "table_set": (e.TableSet, 1),
    "options_chosen": (e.OptionsChosen, 1),
    "odds_shown": (e.OddsShown, 1),
    "card_placed": (e.CardPlaced, 1),
    "delivered": (e.Delivered, 1),
    "parts_moved": (e.PartsMoved, 1),
    "stocked": (e.Stocked, 1),
    "round_begun": (e.RoundBegun, 1),
    "order_laid": (e.OrderLaid, 1),
    "order_told": (e.OrderTold, 1),
    "tokens_turned": (e.TokensTurned, 1),
    "revealed": (e.Revealed, 1),
    "scored": (e.Scored, 1),
    "drawing_ended": (e.DrawingEnded, 1),
    "rot_returned": (e.RotReturned, 1),
    "busted": (e.Busted, 1),
    "parts_gained": (e.PartsGained, 1),
    "lester_played": (e.LesterPlayed, 1),
    "lester_owed": (e.LesterOwed, 1),
    "lester_left": (e.LesterLeft, 1),
    "rot_removed": (e.RotRemoved, 1),
    "tile_taken": (e.TileTaken, 1),
    "decided": (e.Decided, 1),
    "decisions_shown": (e.DecisionsShown, 1),
    "end_forced": (e.EndForced, 1),
    "reanimated": (e.Reanimated, 1),
    "action_taken": (e.ActionTaken, 1),
    "items_taken": (e.ItemsTaken, 1),
    "cleared": (e.Cleared, 1),
    "refresh_begun": (e.RefreshBegun, 1),
    "tiles_named": (e.TilesNamed, 1),
    "board_turned": (e.BoardTurned, 1),
    "board_astray": (e.BoardAstray, 1),
    "card_kept": (e.CardKept, 1),
    "prep_begun": (e.PrepBegun, 1),
    "five_chosen": (e.FiveChosen, 1),
    "fair_begun": (e.FairBegun, 1),
    "fair_scored": (e.FairScored, 1),
    "game_over": (e.GameOver, 1),
    "taken_over": (e.TakenOver, 1),
    "depth_set": (r.DepthSet, 1),
    "monster_completed": (r.MonsterCompleted, 1),
    "monster_withdrawn": (r.MonsterWithdrawn, 1),
    "cards_drawn": (r.CardsDrawn, 1),
    "points_told": (r.PointsTold, 1),
    "points_asked": (r.PointsAsked, 1),
    "points_taken": (r.PointsTaken, 1),
    "total_set": (r.TotalSet, 1),
    "rot_asked": (r.RotAsked, 1),
    "rot_counted": (r.RotCounted, 1),
    "resumed": (r.Resumed, 1),
    "catalogue_told": (e.CatalogueTold, 1),
}
"""Stored kind: the event and the version that is written now."""

COMMANDS: Mapping[str, type] = {
    "set_up": m.SetUp,
    "choose_options": m.ChooseOptions,
    "show_odds": m.ShowOdds,
    "place_card": m.PlaceCard,
    "deliver": m.Deliver,
    "draw": m.Draw,
    "move": m.MoveParts,
    "finish": m.Finish,
    "choose_order": m.ChooseOrder,
    "ready": m.Ready,
    "add_part": m.AddPart,
    "play_lester": m.PlayLester,
    "leave_lester": m.LeaveLester,
    "chill": m.Chill,
    "decide": m.Decide,
    "act": m.Act,
    "take_tile": m.TakeTile,
    "take_items": m.TakeItems,
    "name_tiles": m.NameTiles,
    "turn": m.TurnBoard,
    "keep_card": m.KeepCard,
    "choose_five": m.ChooseFive,
    "take_over": m.TakeOver,
    "set_depth": r.SetDepth,
    "complete": r.Complete,
    "not_complete": r.NotComplete,
    "go_bust": r.GoBust,
    "tell_points": r.TellPoints,
    "set_total": r.SetTotal,
    "count_rot": r.CountRot,
    "resume": r.Resume,
    "tell_card": m.TellCard,
    "tell_catalogue": m.TellCatalogue,
}


def _kinds(flat: dict[str, Any]) -> dict[str, Any]:
    """Take the kinds of tokens out of a form's fields."""
    return {kind.value: flat.pop(kind) for kind in Token if kind in flat}


def _draw_form(flat: dict[str, Any]) -> dict[str, Any]:
    kinds = _kinds(flat)
    if "kind" in flat:
        kinds[flat.pop("kind")] = 1
    if "kinds" not in flat:
        flat["kinds"] = kinds
    flat["kinds"] = {kind: count for kind, count in flat["kinds"].items() if int(count)}
    return flat


def _items_form(flat: dict[str, Any]) -> dict[str, Any]:
    parts = _kinds(flat)
    flat["parts"] = {kind: n for kind, n in {**flat.get("parts", {}), **parts}.items() if int(n)}
    tiles = flat.get("tiles", {})
    if not isinstance(tiles, Mapping):
        spaces = several(flat.pop("replace", ""))
        spots = several(tiles)
        # Free spaces are filled first; the tiles that find none replace the named ones.
        spaces = [*[""] * (len(spots) - len(spaces)), *spaces]
        flat["tiles"] = dict(zip(spots, spaces, strict=False))
    return flat


def _act_form(flat: dict[str, Any]) -> dict[str, Any]:
    counted = _kinds(flat)
    if counted:
        flat["parts"] = {kind: count for kind, count in counted.items() if int(count)}
    return flat


MOST_NAMED = 10  # no card asks for more than three parts; a form may send any number


def _lester_form(flat: dict[str, Any]) -> dict[str, Any]:
    counted = _kinds(flat)
    if counted:
        flat["kinds"] = [kind for kind, count in counted.items() for _ in range(min(int(count), MOST_NAMED))]
    return flat


def _tiles_form(flat: dict[str, Any]) -> dict[str, Any]:
    if "place" in flat:
        flat["tiles"] = {flat.pop("place"): flat.pop("tile")}
    return flat


def _five_form(flat: dict[str, Any]) -> dict[str, Any]:
    cards = several(flat["cards"])
    flat["cards"] = [[card, ""] if isinstance(card, str) else card for card in cards]
    return flat


def _options_form(flat: dict[str, Any]) -> dict[str, Any]:
    return gathered(flat, "option", "options")


def _seats_form(flat: dict[str, Any]) -> dict[str, Any]:
    flat["seats"] = several(flat["seats"])
    return _options_form(flat)


def _chill_form(flat: dict[str, Any]) -> dict[str, Any]:
    flat["kept"] = several(flat.get("kept", ()))
    return flat


def _card_form(flat: dict[str, Any]) -> dict[str, Any]:
    slots = sorted((key for key in flat if key.startswith("part_")), key=lambda key: int(key[5:]))
    parts = [part for part in (flat.pop(slot) for slot in slots) if part]
    return {**flat, "parts": parts} if slots else flat


def _over_form(flat: dict[str, Any]) -> dict[str, Any]:
    if "seats" in flat:
        flat["seats"] = several(flat["seats"])
    for field, word in (("orders", "order"), ("scores", "score"), ("bags", "bag")):
        gathered(flat, word, field)
    return _options_form(flat)


def _resume_form(flat: dict[str, Any]) -> dict[str, Any]:
    """Take a counted bag, cards by space and a line of tokens (``card3.part0:limb,reject1:rot``) apart."""
    bag = _kinds(flat)
    if bag:
        flat["bag"] = {kind: count for kind, count in bag.items() if int(count)}
    cards = {space: flat.pop(space) for space in CARD_SPACES if space in flat}
    if cards:
        flat["cards"] = {space: card for space, card in cards.items() if card}
    for field in ("parts", "tiles"):
        if isinstance(flat.get(field), str):
            flat[field] = pairs_in(flat[field].replace(" ", ""))
    return flat


FORMS: Mapping[str, Form] = {
    "draw": _draw_form,
    "act": _act_form,
    "take_items": _items_form,
    "play_lester": _lester_form,
    "name_tiles": _tiles_form,
    "choose_five": _five_form,
    "set_up": _seats_form,
    "choose_options": _options_form,
    "chill": _chill_form,
    "take_over": _over_form,
    "resume": _resume_form,
    "tell_card": _card_form,
}
"""How the flat fields of a form become a command's own."""

RECORDS: Records[m.Command, e.Event] = Records("Making Monsters", EVENTS, COMMANDS, FORMS)
"""The codec of the game."""
