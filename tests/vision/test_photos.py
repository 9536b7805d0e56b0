"""Every kind of picture that a phone may send: opened upright, or refused with its own reason."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.game import Sentence
from companion.ports import Obstacle
from companion.sentences import Speaker
from vision.commands import read
from vision.photos import MOST_PX, NotAPicture, open_photo, shrunk

QUARTERS = ("red", "green", "blue", "white")


def painted(width: int = 160, height: int = 120) -> Image.Image:
    """Four quarters: red, green above; blue, white below."""
    image = Image.new("RGB", (width, height))
    for number, colour in enumerate(QUARTERS):
        size = (width // 2, height // 2)
        image.paste(Image.new("RGB", size, colour), (number % 2 * size[0], number // 2 * size[1]))
    return image


def coded(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def colour_at(pixels: np.ndarray, x: float, y: float) -> str:
    """Return which of the four colours is at a place given as shares of the sides."""
    blue, green, red = pixels[int(y * pixels.shape[0]), int(x * pixels.shape[1])] > 127
    return {(1, 0, 0): "red", (0, 1, 0): "green", (0, 0, 1): "blue", (1, 1, 1): "white"}[red, green, blue]


def why(picture: bytes) -> Obstacle:
    with pytest.raises(NotAPicture) as refused:
        open_photo(picture, enough_px=1920)
    return refused.value.obstacle


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP"])
def test_ordinary_pictures_are_opened(kind: str):
    pixels = open_photo(coded(painted(), kind))
    assert pixels.shape == (120, 160, 3)
    assert [colour_at(pixels, x, y) for y in (0.25, 0.75) for x in (0.25, 0.75)] == list(QUARTERS)


def test_a_heic_of_an_iphone_is_opened():
    file = io.BytesIO()
    pillow_heif.from_pillow(painted()).save(file)
    pixels = open_photo(file.getvalue())
    assert colour_at(pixels, 0.25, 0.75) == "blue"


@pytest.mark.parametrize(("orientation", "above_left"), [(1, "red"), (3, "white"), (6, "blue"), (8, "green")])
def test_a_photo_is_turned_as_the_phone_was_held(orientation: int, above_left: str):
    exif = Image.Exif()
    exif[0x0112] = orientation
    pixels = open_photo(coded(painted(), "JPEG", exif=exif))
    assert colour_at(pixels, 0.25, 0.25) == above_left
    assert pixels.shape[:2] == ((160, 120) if orientation in (6, 8) else (120, 160))


def test_twelve_megapixels_become_what_the_eyes_need():
    pixels = shrunk(open_photo(coded(painted(4032, 3024), "JPEG"), enough_px=1920))
    assert pixels.shape == (1512, 2016, 3)


@pytest.mark.parametrize(
    ("size", "kind"), [((3264, 2448), "JPEG"), ((4000, 3000), "PNG"), ((2600, 900), "PNG")]
)
def test_no_photo_is_made_smaller_than_enough_or_left_larger_than_needed(size: tuple[int, int], kind: str):
    pixels = shrunk(open_photo(coded(painted(*size), kind), enough_px=1920))
    assert 1920 <= max(pixels.shape[:2]) <= 2560


def test_sixteen_bits_of_grey_are_scaled_not_cut_off():
    grey = Image.fromarray(np.full((64, 64), 128 << 8, np.uint16))
    assert open_photo(coded(grey, "PNG"))[0, 0].tolist() == [128, 128, 128]


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "LA", "CMYK", "1"])
def test_grey_palettes_transparency_and_print_colours_are_opened(mode: str):
    kind = "JPEG" if mode == "CMYK" else "PNG"
    assert open_photo(coded(painted().convert(mode), kind)).shape == (120, 160, 3)


def test_the_still_of_a_photo_with_a_second_picture_behind_it_is_the_first():
    both = coded(painted(), "MPO", save_all=True, append_images=[Image.new("RGB", (160, 120), "black")])
    assert colour_at(open_photo(both), 0.25, 0.25) == "red"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_that_was_cut_short_on_its_way_is_said_to_be_damaged(kind: str):
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300, 3), np.uint8))
    whole = coded(noise, kind)
    assert why(whole[: len(whole) * 2 // 3]) is Obstacle.CUT_SHORT


def test_a_small_file_that_claims_a_gigantic_picture_is_refused_by_its_header():
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    claim = struct.pack(">IIBBBBB", 20_000, 10_000, 8, 2, 0, 0, 0)
    assert MOST_PX < 20_000 * 10_000
    assert why(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", claim) + chunk(b"IDAT", b"")) is Obstacle.TOO_LARGE


def test_a_picture_of_one_pixel_is_too_small():
    assert why(coded(Image.new("RGB", (1, 1)), "PNG")) is Obstacle.TOO_SMALL


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_moving_picture_is_refused(kind: str):
    moving = coded(painted(), kind, save_all=True, append_images=[painted().rotate(90)])
    assert why(moving) is Obstacle.MOVES


@pytest.mark.parametrize(
    ("file", "obstacle"),
    [
        (b"GIF89a" + bytes(40), Obstacle.FORMAT_NOT_READ),
        (b"II*\0" + bytes(40), Obstacle.FORMAT_NOT_READ),
        (b"%PDF-1.7 and so on", Obstacle.FORMAT_NOT_READ),
        (b"\0\0\0\x20ftypisom" + bytes(40), Obstacle.FORMAT_NOT_READ),
        (b"Dear table, here is my board.", Obstacle.NOT_A_PICTURE),
        (b"", Obstacle.NOT_A_PICTURE),
        (b"\xff\xd8\xff", Obstacle.NOT_A_PICTURE),
    ],
)
def test_other_files_are_refused_with_their_reason(file: bytes, obstacle: Obstacle):
    assert why(file) is obstacle


@settings(deadline=None)
@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"RIFF", b"II*\0"]),
)
def test_whatever_is_sent_either_opens_or_is_refused(rest: bytes, start: bytes):
    try:
        assert open_photo(start + rest, enough_px=1920).ndim == 3
    except NotAPicture as refused:
        assert refused.obstacle in Obstacle


@settings(deadline=None)
@given(st.data())
def test_a_photo_with_damaged_bytes_either_opens_or_is_refused(data: st.DataObject):
    photo = bytearray(coded(painted(), data.draw(st.sampled_from(["JPEG", "PNG", "WEBP", "BMP"]))))
    for at in data.draw(st.lists(st.integers(0, len(photo) - 1), min_size=1, max_size=8)):
        photo[at] = data.draw(st.integers(0, 255))
    try:
        open_photo(bytes(photo), enough_px=1920)
    except NotAPicture as refused:
        assert refused.obstacle in Obstacle


def test_every_reason_has_its_sentence():
    speaker = Speaker(("companion",))
    said = {speaker.say(Sentence(f"obstacle.{one}")) for one in Obstacle}
    assert len(said) == len(Obstacle)
    assert not any(text.startswith("obstacle.") for text in said)


def test_the_command_says_why_a_file_is_no_photo(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_HOME", str(home))
    letter = tmp_path / "letter.jpg"
    letter.write_text("Dear table")
    done = CliRunner().invoke(read, [str(letter), "--box", "A"])
    assert done.exit_code == 1
    assert "unreadable. This file is no picture." in done.stdout
