"""The pages that measure a camera's lens (entry point ``companion.pages``), for the host only.

``/lens/<token>/<camera>``: hold the printed sheet before the camera; the page says what it sees, which view
is missing, and in the end whether the profile is any good. Works without script; with it the page looks
by itself, again and again.
"""

from __future__ import annotations

import io

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from calibration.lens import FEWEST_VIEWS, VIEWS_WANTED
from calibration.lens_job import heard
from calibration.lens_views import drawing_file, is_name, kept_work, profile_file
from calibration.page_desk import Context, Desk, Shown
from calibration.sheets import PAPERS_MM, lens_page, write_pdf
from companion.game import Sentence, Wire

Answer = str | AnyResponse | Shown
STEPS = ("look", "measure", "anew")


def page(context: Context) -> Blueprint:
    """Return the pages of measuring lenses."""
    pages = Blueprint(
        "lens", __name__, url_prefix="/lens", template_folder="templates", static_folder="static"
    )
    desk = Desk(context)

    def host_links(token: str) -> list[tuple[str, str]]:
        return [(desk.tell("lens.link"), f"/lens/{token}/")] if desk.cameras else []

    pages.host_links = host_links  # type: ignore[attr-defined]  # the web asks every page for them
    _add_shelf(pages, desk)
    _add_camera(pages, desk)
    return pages


def _add_shelf(pages: Blueprint, desk: Desk) -> None:
    @pages.get("/<token>/")
    def lenses(token: str) -> Answer:
        """All cameras, and the sheet to measure their lenses by."""
        desk.host_only(token)
        measured = {camera for camera in desk.cameras if profile_file(camera).is_file()}
        return desk.shown("lens_shelf.html", token, measured=measured, papers=tuple(PAPERS_MM))

    @pages.get("/<token>/sheet-<paper>.pdf")
    def sheet(token: str, paper: str) -> Answer:
        """The sheet to measure a lens by, to print."""
        desk.host_only(token)
        if paper not in PAPERS_MM:
            abort(404)
        file = io.BytesIO()
        write_pdf([lens_page(paper)], file)
        headers = {"Content-Disposition": f'inline; filename="lens-{paper}.pdf"'}
        return Response(file.getvalue(), content_type="application/pdf", headers=headers)


def _add_camera(pages: Blueprint, desk: Desk) -> None:
    def shown(token: str, camera: str, answer: Wire | None = None) -> Shown:
        work = kept_work(camera)
        refused = None if answer is None else desk.why(answer)
        said = heard(answer["said"]) if answer is not None and "said" in answer else work.wanted()
        return desk.shown(
            "lens_camera.html",
            token,
            409 if refused else 200,
            camera=camera,
            count=len(work.views),
            wanted=VIEWS_WANTED,
            said=Sentence("lens.begin") if answer is None and not work.views else said,
            refused=refused,
            file=None if answer is None else answer.get("file"),
            may_measure=len(work.views) >= FEWEST_VIEWS,
            is_enough=work.is_enough,
            has_drawing=drawing_file(camera).is_file(),
            is_straight=_has_lens(desk, camera),
        )

    @pages.get("/<token>/<camera>")
    def camera(token: str, camera: str) -> Answer:
        """Measure the lens of a camera: what is seen, and what is missing."""
        desk.host_only(token)
        _known(desk, camera)
        return shown(token, camera)

    @pages.post("/<token>/<camera>")
    def step(token: str, camera: str) -> Answer:
        """Look once, measure, or begin anew."""
        desk.host_only(token)
        _known(desk, camera)
        do = request.form.get("do", "")
        if do not in STEPS or _has_lens(desk, camera):
            return redirect(url_for(".camera", token=token, camera=camera), 303)
        return shown(token, camera, desk.do("lens", {"do": do, "camera": camera}))

    @pages.get("/<token>/<camera>/drawing.png")
    def drawing(token: str, camera: str) -> Answer:
        """Where the sheet was seen in the picture so far."""
        desk.host_only(token)
        _known(desk, camera)
        try:
            seen = drawing_file(camera).read_bytes()
        except OSError:
            abort(404)
        return Response(seen, content_type="image/png", headers={"Cache-Control": "no-store"})


def _known(desk: Desk, camera: str) -> None:
    if camera not in desk.cameras or not is_name(camera):
        abort(404)


def _has_lens(desk: Desk, camera: str) -> bool:
    """Tell whether a camera's pictures are straightened already: then its lens cannot be measured."""
    devices = desk.context.host.settings.cameras
    return any(device.name == camera and "lens" in device.options for device in devices)
