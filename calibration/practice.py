"""Practice views of a taught box: pictures whose truth is known because we composed them.

From the owner's scans: pieces laid a little askew on their spaces, under lamps, shade, haze, blur
and noise, with hands in the way and with pieces that belong to no box. What the eyes make of them
tells how far their answers can be trusted. Pictures are made flat (no perspective), at the scale
of all art. Same seed, same views.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import EMPTY, BoardId, PieceKind, Space, SpaceId, SpaceKind
from companion.ports import Pixels
from vision.box import ART_PX_PER_MM, TaughtBox, Token, parts_of
from vision.sight import centre_px
from vision.tokens import outline_mask
from vision.wardrobe import CARD_BACK, TILE_BACK

FOREIGN = PieceKind("foreign")
Canvas = NDArray[np.float32]

TAKEN_SHARE, FOREIGN_SHARE, HAND_SHARE = 0.5, 0.12, 0.5
UPSIDE_DOWN_SHARE, BACK_SHARE, ON_TILE_SHARE = 0.06, 0.08, 0.35
OFFSET_MM = 1.7  # standard deviation of a piece laid by hand
MOST_OFF_MM = 5.5
TWIN_SHARE = 0.35  # of strange pieces
GLOSS_SHARE, SHARPENED_SHARE, SHAKEN_SHARE = 0.35, 0.5, 0.15


@dataclass(slots=True)
class PracticeView:
    """One flat picture of a board; ``covered`` is how much of a space a hand covers (0 to 1)."""

    board: BoardId
    flat: Pixels
    truth: dict[SpaceId, PieceKind] = field(default_factory=dict)
    on_top: dict[SpaceId, PieceKind] = field(default_factory=dict)
    covered: dict[SpaceId, float] = field(default_factory=dict)


def compose(box: TaughtBox, board: BoardId, rng: np.random.Generator) -> PracticeView:
    """Compose one view of a board."""
    view, canvas = lay(box, board, rng)
    view.flat = photograph(canvas, rng)
    return view


def lay(box: TaughtBox, board: BoardId, rng: np.random.Generator) -> tuple[PracticeView, Canvas]:
    """Lay pieces on a board; return the view without its photo, and the flat scene to photograph."""
    canvas = box.boards[board].astype(np.float32)
    view = PracticeView(board, np.zeros((1, 1, 3), np.uint8))
    spots: dict[SpaceId, tuple[tuple[float, float], float]] = {}
    for space in box.layouts[board].spaces.values():
        reach = float(
            np.linalg.norm(np.asarray(space.outline_mm) - np.asarray(space.centre_mm), axis=1).max()
        )
        spots[space.id] = (space.centre_mm, 0.6 * reach)
        match space.kind:
            case SpaceKind.TOKEN:
                view.truth[space.id] = _maybe_token(box, canvas, space.centre_mm, rng)
            case SpaceKind.CARD:
                spots |= _lay_card(box, canvas, space, view, rng)
            case SpaceKind.TILE | SpaceKind.STACK:
                _lay_tile(box, canvas, space, view, rng)
            case SpaceKind.PILE:
                _lay_pile(box, canvas, space, view, rng)
            case SpaceKind.TRACK:
                pass
    hand = _lay_hand(canvas, rng) if rng.random() < HAND_SHARE else None
    for space_id in view.truth:
        view.covered[space_id] = 0.0 if hand is None else _share(hand, *spots[space_id])
    return view, canvas


def _askew(rng: np.random.Generator) -> tuple[float, float]:
    off = rng.normal(0, OFFSET_MM, 2)
    length = float(np.linalg.norm(off))
    off *= min(1.0, MOST_OFF_MM / max(length, 1e-6))
    return float(off[0]), float(off[1])


def _paste(
    canvas: Canvas,
    piece: tuple[NDArray[np.float32], NDArray[np.float32]],
    centre_mm: tuple[float, float],
    turn_deg: float,
    rng: np.random.Generator,
) -> None:
    """Lay a flat piece on the canvas with a soft shadow beside it, a little brighter or darker."""
    art, mask = piece
    height, width = mask.shape
    x, y = centre_px(centre_mm)
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x0, y0 = (width - 1) / 2, (height - 1) / 2
    place = np.array([[cos, -sin, x - cos * x0 + sin * y0], [sin, cos, y - sin * x0 - cos * y0]])
    size = (canvas.shape[1], canvas.shape[0])
    reach = int(math.hypot(height, width) / 2) + 12
    top, left = max(0, int(y) - reach), max(0, int(x) - reach)
    window = (slice(top, min(size[1], int(y) + reach)), slice(left, min(size[0], int(x) + reach)))
    place[:, 2] -= (left, top)
    part = canvas[window]
    inner = (part.shape[1], part.shape[0])
    laid = cv2.warpAffine(art, place, inner, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shape = cv2.warpAffine(mask, place, inner, flags=cv2.INTER_LINEAR)[..., None]
    shift = rng.uniform(-3, 3, 2)
    moved = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(shape[..., 0], moved, inner), (0, 0), rng.uniform(1, 3))
    shaded = part * (1 - rng.uniform(0.1, 0.5) * shadow[..., None])
    # A piece is not lit as the board is: thicker, glossier, a little tilted.
    gloss = float(np.exp(rng.normal(0, 0.16)))
    slant = (
        1 + float(rng.normal(0, 0.08)) * np.linspace(-1, 1, part.shape[1], dtype=np.float32)[None, :, None]
    )
    tint = np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    lit = laid * gloss * slant * tint + _veil(part.shape[:2], rng)
    part[:] = shaded * (1 - shape) + np.clip(lit, 0, 255) * shape


def _veil(shape_hw: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return what a piece's surface adds to its colours: hardly anything, or a lamp's gloss, uneven."""
    level = max(0.0, float(rng.normal(2, 6)))
    if rng.random() > GLOSS_SHARE:
        return np.full((1, 1, 1), level, np.float32)
    height, width = shape_hw
    y, x = np.mgrid[:height, :width].astype(np.float32)
    spot = rng.uniform(0, 1, 2) * (height, width)
    wide = rng.uniform(0.3, 1.2) * max(height, width)
    bump = np.exp(-((y - spot[0]) ** 2 + (x - spot[1]) ** 2) / (2 * wide**2))
    return np.asarray(level + rng.uniform(10, 70) * bump[..., None], np.float32)


def _strange(box: TaughtBox, art: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Turn known art into art of no box.

    One plain colour with a rim (a coin, a counter, a blank); a cutting of some other art of the box; the
    art itself, mirrored and in other colours; or, worst of all, another sign in the art's own colour.
    """
    roll = rng.random()
    if roll > 1 - TWIN_SHARE:
        sign = _cutting(box, art.shape, rng).mean(axis=2, keepdims=True)
        own = np.median(art.reshape(-1, 3), axis=0)
        twin = own * np.exp(rng.normal(0, 0.1, 3)) + (sign - sign.mean()) * rng.uniform(0.4, 1.0)
        return np.asarray(np.clip(twin, 0, 255), np.float32)
    roll /= 1 - TWIN_SHARE
    if roll < 0.35:
        plain = np.full_like(art, 1.0) * rng.uniform(30, 230, 3).astype(np.float32)
        rim = np.hypot(*np.meshgrid(*(np.linspace(-1, 1, s) for s in art.shape[1::-1])))
        return np.asarray(plain + rng.uniform(-40, 40) * rim[..., None] ** 2, np.float32)
    order = rng.permutation(3)
    while (order == np.arange(3)).all():
        order = rng.permutation(3)
    source = art[:, ::-1] if roll > 0.85 else _cutting(box, art.shape, rng)
    tinted = source[..., order] * rng.uniform(0.7, 1.2) + rng.normal(0, 15, 3).astype(np.float32)
    return np.asarray(np.clip(tinted, 0, 255), np.float32)


def _cutting(box: TaughtBox, shape_hw: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    """Cut a piece of some size out of a card, a tile or a token, and make it the size wanted."""
    pictures: list[Pixels] = [card.art for card in box.cards.values()]
    pictures += [tile.art for tile in box.tiles.values()] + [token.art for token in box.tokens.values()]
    art = pictures[int(rng.integers(len(pictures)))]
    side = max(12, int(min(art.shape[:2]) * rng.uniform(0.35, 0.8)))
    top, left = (int(rng.integers(0, s - side + 1)) for s in art.shape[:2])
    turned = np.rot90(art[top : top + side, left : left + side], int(rng.integers(4)))
    return np.asarray(
        cv2.resize(np.ascontiguousarray(turned), (shape_hw[1], shape_hw[0]), interpolation=cv2.INTER_AREA),
        np.float32,
    )


def _put_token(
    box: TaughtBox,
    canvas: Canvas,
    token: Token,
    spot_mm: tuple[float, float],
    rng: np.random.Generator,
    *,
    strange: bool = False,
) -> None:
    side = 2 * math.ceil((float(np.linalg.norm(token.outline_mm, axis=1).max()) + 1) * ART_PX_PER_MM / 2) * 2
    art = cv2.getRectSubPix(
        token.art, (side, side), ((token.art.shape[1] - 1) / 2, (token.art.shape[0] - 1) / 2)
    )
    soft = art.astype(np.float32)
    if strange:
        soft = _strange(box, soft, rng)
    mask = outline_mask(token.outline_mm, 0.0, side, 0.0)
    _paste(canvas, (soft, mask), spot_mm, float(rng.uniform(0, 360)), rng)


def _maybe_token(
    box: TaughtBox, canvas: Canvas, centre_mm: tuple[float, float], rng: np.random.Generator
) -> PieceKind:
    roll = rng.random()
    if roll > TAKEN_SHARE + FOREIGN_SHARE:
        return EMPTY
    dx, dy = _askew(rng)
    kinds = list(box.tokens)
    kind = kinds[int(rng.integers(len(kinds)))]
    strange = roll > TAKEN_SHARE
    _put_token(box, canvas, box.tokens[kind], (centre_mm[0] + dx, centre_mm[1] + dy), rng, strange=strange)
    return FOREIGN if strange else kind


def _lay_card(
    box: TaughtBox, canvas: Canvas, space: Space, view: PracticeView, rng: np.random.Generator
) -> dict[SpaceId, tuple[tuple[float, float], float]]:
    """Lay a card (or none) and tokens on its part spaces; return where those lie."""
    printed = box.printed.get((view.board, space.id))
    loose = [k for k in box.cards if k not in set(box.printed.values())]
    centre, turn, roll = space.centre_mm, space.up_deg, rng.random()
    kind: PieceKind | None = printed
    view.truth[space.id] = EMPTY
    if roll < 0.7:
        dx, dy = _askew(rng)
        centre = (centre[0] + dx, centre[1] + dy)
        turn += float(rng.normal(0, 2.2)) + (180.0 if rng.random() < UPSIDE_DOWN_SHARE else 0.0)
        kind = loose[int(rng.integers(len(loose)))]
        art = box.cards[kind].art.astype(np.float32)
        view.truth[space.id] = kind
        if roll < FOREIGN_SHARE:
            art, kind, view.truth[space.id] = _strange(box, art, rng), None, FOREIGN
        elif roll < FOREIGN_SHARE + BACK_SHARE and box.card_back is not None:
            art, kind, view.truth[space.id] = box.card_back.astype(np.float32), None, CARD_BACK
        _paste(canvas, (art, np.ones(art.shape[:2], np.float32)), centre, turn, rng)
    spots = {}
    if kind is not None:
        card = box.cards[kind]
        for index, spot in parts_of(card, centre, turn, box.card_mm):
            part = SpaceId(f"{space.id}.part{index}")
            view.truth[part] = _maybe_token(box, canvas, spot, rng)
            spots[part] = (spot, 9.0)
    return spots


def _lay_tile(
    box: TaughtBox, canvas: Canvas, space: Space, view: PracticeView, rng: np.random.Generator
) -> None:
    roll = rng.random()
    view.truth[space.id] = EMPTY
    if roll > TAKEN_SHARE + FOREIGN_SHARE or not box.tiles:
        return
    dx, dy = _askew(rng)
    centre = (space.centre_mm[0] + dx, space.centre_mm[1] + dy)
    turn = space.up_deg + float(rng.normal(0, 3.0))
    fronts = [k for k in box.tiles if k != TILE_BACK]
    kind = fronts[int(rng.integers(len(fronts)))]
    if (space.kind is SpaceKind.STACK or rng.random() < BACK_SHARE) and TILE_BACK in box.tiles:
        kind = TILE_BACK
    art = box.tiles[kind].art.astype(np.float32)
    strange = roll > TAKEN_SHARE
    _paste(
        canvas,
        (_strange(box, art, rng) if strange else art, np.ones(art.shape[:2], np.float32)),
        centre,
        turn,
        rng,
    )
    view.truth[space.id] = FOREIGN if strange else kind
    if space.kind is SpaceKind.TILE and not strange and kind != TILE_BACK and rng.random() < ON_TILE_SHARE:
        kinds = list(box.tokens)
        token = kinds[int(rng.integers(len(kinds)))]
        off = _askew(rng)
        _put_token(box, canvas, box.tokens[token], (centre[0] + off[0], centre[1] + off[1]), rng)
        view.on_top[space.id] = token


def _lay_pile(
    box: TaughtBox, canvas: Canvas, space: Space, view: PracticeView, rng: np.random.Generator
) -> None:
    view.truth[space.id] = EMPTY
    kind = box.pile_kinds.get((view.board, space.id))
    if kind is None or rng.random() < 0.4:
        return
    reach = float(np.linalg.norm(np.asarray(space.outline_mm) - np.asarray(space.centre_mm), axis=1).max())
    strange = rng.random() < FOREIGN_SHARE / 2
    for _ in range(int(rng.integers(1, 9))):
        angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(0, max(reach - 12, 1))
        spot = (space.centre_mm[0] + away * math.cos(angle), space.centre_mm[1] + away * math.sin(angle))
        _put_token(box, canvas, box.tokens[kind], spot, rng, strange=strange)
    view.truth[space.id] = FOREIGN if strange else PieceKind("pile")


def _lay_hand(canvas: Canvas, rng: np.random.Generator) -> NDArray[np.float32]:
    """Lay something arm-shaped over the canvas from an edge; return its mask."""
    height, width = canvas.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    tip = np.array([rng.uniform(0.1, 0.9) * width, rng.uniform(0.1, 0.9) * height])
    angle = rng.uniform(0, 2 * math.pi)
    away = np.array([math.cos(angle), math.sin(angle)]) * (height + width)
    thick = int(rng.uniform(45, 75) * ART_PX_PER_MM)
    cv2.line(mask, tip.astype(int).tolist(), (tip + away).astype(int).tolist(), 1, thick)
    for spread in rng.uniform(-0.6, 0.6, 3):
        finger = tip - 0.12 * (height + width) * np.array(
            [math.cos(angle + spread), math.sin(angle + spread)]
        )
        cv2.line(mask, tip.astype(int).tolist(), finger.astype(int).tolist(), 1, int(16 * ART_PX_PER_MM))
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 2.0)
    # Skin goes from dark brown to pale, always more red than blue; sleeves are of any colour.
    red = rng.uniform(70, 235)
    colour = (
        np.array([red * rng.uniform(0.4, 0.75), red * rng.uniform(0.6, 0.85), red])
        if rng.random() < 0.75
        else rng.uniform(20, 230, 3)
    )
    texture = cv2.GaussianBlur(rng.normal(0, 60, (height // 4, width // 4)).astype(np.float32), (0, 0), 4)
    rough = cv2.resize(texture, (width, height))[..., None]
    rounded = 1 - 0.35 * (1 - cv2.GaussianBlur(mask.astype(np.float32), (0, 0), thick / 5))[..., None]
    canvas[:] = (
        canvas * (1 - soft[..., None])
        + np.clip((colour.astype(np.float32) + rough) * rounded, 0, 255) * soft[..., None]
    )
    return mask.astype(np.float32)


def _share(mask: NDArray[np.float32], centre_mm: tuple[float, float], half_mm: float) -> float:
    (x, y), half = centre_px(centre_mm), half_mm * ART_PX_PER_MM
    part = mask[max(0, int(y - half)) : int(y + half) + 1, max(0, int(x - half)) : int(x + half) + 1]
    return float(part.mean()) if part.size else 0.0


def photograph(canvas: Canvas, rng: np.random.Generator) -> Pixels:
    """Make a photo of a flat canvas: light, lens, sensor, JPEG."""
    height, width = canvas.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    slope = rng.uniform(-0.25, 0.25) * x + rng.uniform(-0.25, 0.25) * y
    field_ = 1 + slope - rng.uniform(0, 0.2) * (x * x + y * y)
    if rng.random() < 0.2:  # the edge of a shade
        angle = rng.uniform(0, 2 * math.pi)
        side = (x * math.cos(angle) + y * math.sin(angle) - rng.uniform(-0.6, 0.6)) / rng.uniform(0.05, 0.4)
        field_ *= 1 - rng.uniform(0.15, 0.45) / (1 + np.exp(-side))
    warmth = float(rng.normal(0, 0.16)) * np.array(
        [-1.0, 0.0, 1.0]
    )  # a bulb at one end, the sky at the other
    gain = np.exp(warmth + rng.normal(0, 0.08, 3)) * rng.uniform(0.45, 1.35)
    lit = (canvas * field_[..., None] * gain).astype(np.float32)
    toned = _develop(lit, rng)
    scale = float(rng.uniform(0.55, 1.5))  # 1.1 to 3 px per mm
    jitter = np.array([[scale, 0, rng.normal(0, 0.4)], [0, scale, rng.normal(0, 0.4)]])
    size = (round(width * scale), round(height * scale))
    blurred = cv2.GaussianBlur(toned, (0, 0), 0.4 / min(scale, 1.0) + float(rng.uniform(0, 2.0)))
    small = cv2.warpAffine(blurred, jitter, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < SHAKEN_SHARE:
        small = cv2.filter2D(small, -1, _shake(rng))
    noise = float(rng.choice([1.5, 3.0, 6.0, 10.0]))
    grain = rng.standard_normal((size[1], size[0], 3), np.float32) * noise
    seen = small + grain
    if rng.random() < SHARPENED_SHARE:  # as cameras do, with bright and dark seams along edges
        soft = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.8, 1.6)))
        seen = seen + float(rng.uniform(0.3, 1.2)) * (seen - soft)
    photo = np.clip(seen, 0, 255).astype(np.uint8)
    _, coded = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 93))])
    shown = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert shown is not None
    return np.asarray(cv2.resize(shown, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _develop(lit: Canvas, rng: np.random.Generator) -> Canvas:
    """Turn light into colours as a camera's maker likes them: livelier or paler, steeper, hazy, clipped.

    What that does to strong colours cannot be undone from a board that shows other ones.
    """
    mixed = (1.0 - np.eye(3)) * rng.uniform(-0.18, 0.12, (3, 3))
    mixed += np.diag(1 - mixed.sum(axis=1))  # greys stay grey
    lively = cv2.transform(lit, mixed.astype(np.float32))
    share = np.clip(lively / 255, 0, 1)
    toned = np.power(share, float(np.exp(rng.normal(0, 0.14))))
    steep = float(rng.uniform(0, 0.6))
    toned = (1 - steep) * toned + steep * toned * toned * (3 - 2 * toned)
    return np.asarray(255 * toned + rng.uniform(0, 25), np.float32)


def _shake(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the kernel of a camera that moved a little, some pixels one way."""
    kernel = np.zeros((7, 7), np.float32)
    angle, length = rng.uniform(0, math.pi), rng.uniform(0.5, 2.5)
    off = 16 * length * np.array([math.cos(angle), math.sin(angle)])
    middle = np.array([3.0, 3.0]) * 16
    one, two = (np.rint(middle + sign * off).astype(int).tolist() for sign in (-1, 1))
    cv2.line(kernel, one, two, 1.0, 1, cv2.LINE_AA, shift=4)
    return kernel / max(float(kernel.sum()), 1e-6)


def boards_to_practise(box: TaughtBox) -> Mapping[BoardId, float]:
    """Return the boards worth practising on and how often each should come (shares)."""
    weights = {}
    for board, layout in box.layouts.items():
        spaces = [s for s in layout.spaces.values() if s.kind is not SpaceKind.TRACK]
        if spaces:
            weights[board] = 3.0 if any(s.kind is SpaceKind.CARD for s in spaces) else 4.0
    total = sum(weights.values())
    return {board: weight / total for board, weight in weights.items()}
